"""Notebooks run from top to bottom, on the samples and on a database of the user's own.

They use the public names alone, their charts have data, and they are stored without output.
"""

import ast
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from hands import SAMPLES

import razzstats

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = [
    FOLDER / f"{name}.ipynb"
    for name in (
        "session_review", "door_cards_and_streets", "leak_hunt", "opponents", "equity_study",
    )
]  # fmt: skip
MODULES = {"pandas", "plotly", "razzstats"}
EVERY_NOTEBOOK = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
OWN_HANDS = SAMPLES / "pokerstars" / "cash-1-2-six-handed.txt"


def cells_of(notebook: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return cells


def code_of(notebook: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in cells_of(notebook) if cell["cell_type"] == "code"]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; return the value of its last line if that has one."""
    *body, last = ast.parse(source).body
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    exec(compile(ast.Module([last], []), "<cell>", "exec"), names)
    return None


def shown_by(cells: list[str], names: dict[str, Any]) -> list[Any]:
    """Return what each cell shows; each must show something, and each chart some data."""
    shown = [run(cell, names) for cell in cells]
    for cell, value in zip(cells, shown, strict=True):
        assert value is not None, f"this cell shows nothing:\n{cell}"
        if isinstance(value, go.Figure):
            assert number_of_points(value), f"this chart is empty:\n{cell}"
    return shown


def number_of_points(figure: go.Figure) -> int:
    """Return how many values a chart shows: the heights of its dots and bars, or its cells."""
    values: list[Any] = []
    for trace in figure.data:
        rows = trace.z if trace.type == "heatmap" else [trace.y]
        values += [value for row in rows for value in row]
    return sum(value is not None and value == value for value in values)


@pytest.fixture(scope="module")
def own_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "my hands.duckdb"
    with razzstats.Database.open(path) as database:
        razzstats.import_paths(database, [str(OWN_HANDS)])
        razzstats.measure_hands(database)
    return path


@pytest.fixture(scope="module")
def loaded() -> Iterator[dict[str, razzstats.Database]]:
    """What notebooks load, by the path: it takes some seconds and is never changed."""
    databases: dict[str, razzstats.Database] = {}
    yield databases
    for database in databases.values():
        database.close()


@pytest.fixture
def names(loaded: dict[str, razzstats.Database], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of a notebook that runs where it lies, as Jupyter has it."""
    load = razzstats.load

    def load_once(path: str) -> razzstats.Database:
        if path not in loaded:
            loaded[path] = load(path)
        return loaded[path]

    monkeypatch.setattr(razzstats, "load", load_once)
    monkeypatch.chdir(FOLDER)
    # Set or not, it is no database that a notebook may open without being told.
    monkeypatch.setenv("RAZZSTATS_DB", str(FOLDER / "nobody asked for this.duckdb"))
    return {}


def test_these_are_the_notebooks() -> None:
    assert sorted(NOTEBOOKS) == sorted(FOLDER.glob("*.ipynb"))


@EVERY_NOTEBOOK
def test_a_notebook_runs_on_the_samples(notebook: Path, names: dict[str, Any]) -> None:
    shown = shown_by(code_of(notebook), names)
    assert any(isinstance(value, go.Figure) for value in shown)
    sites = {folder.name for folder in SAMPLES.iterdir() if folder.is_dir()}
    hands = razzstats.results(names["database"], razzstats.Filters(all_players=True))
    assert set(hands["site"]) == sites, "the hands of all rooms are there"


@EVERY_NOTEBOOK
def test_a_notebook_runs_on_a_database(
    notebook: Path, names: dict[str, Any], own_database: Path
) -> None:
    first, *others = code_of(notebook)
    assert first.count("\nDATABASE = None  # or the path of your own database") == 1
    own = first.replace("DATABASE = None", f"DATABASE = {str(own_database)!r}")
    shown_by([own, *others], names)
    with names["database"] as database:
        assert database.place == str(own_database)


@EVERY_NOTEBOOK
def test_a_notebook_uses_public_names_alone(notebook: Path) -> None:
    nodes = [node for cell in code_of(notebook) for node in ast.walk(ast.parse(cell))]
    imported = [
        alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
    ]
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in imported} <= MODULES
    assert [name for name in imported if name.startswith("razzstats")] == ["razzstats"]
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "razzstats"
    }
    assert used <= set(razzstats.__all__)
    asked_directly = {"rows", "frame", "_connection"} & {
        node.attr for node in nodes if isinstance(node, ast.Attribute)
    }
    assert not asked_directly, "the tables of the database are no public interface"


@EVERY_NOTEBOOK
def test_a_notebook_explains_what_it_shows(notebook: Path) -> None:
    cells = cells_of(notebook)
    assert "".join(cells[0]["source"]).startswith("# ")
    for before, cell in pairwise(cells):
        if "figure" in "".join(cell["source"]) and cell["cell_type"] == "code":
            assert before["cell_type"] == "markdown"


@EVERY_NOTEBOOK
def test_a_notebook_is_stored_without_output(notebook: Path) -> None:
    cells = cells_of(notebook)
    ids = [cell["id"] for cell in cells]
    assert len(set(ids)) == len(ids)
    for cell in cells:
        assert set(cell) <= {"cell_type", "execution_count", "id", "metadata", "outputs", "source"}
        assert not cell["metadata"]
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


def test_the_numbers_of_the_equity_study_are_the_known_ones(names: dict[str, Any]) -> None:
    cells = code_of(FOLDER / "equity_study.ipynb")
    shown = shown_by(
        cells[: next(n for n, cell in enumerate(cells) if "starting_hand" in cell)], names
    )
    assert "A23 against 678: 59.56 %" in shown[0], "published, ProPokerTools"
    assert names["equity"]("A2K", "678") == 32.64, "published, ProPokerTools"
    assert names["shares"] == [52.46, 42.14, 5.39]
