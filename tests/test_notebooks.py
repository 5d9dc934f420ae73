"""Notebooks run from top to bottom on the samples, through the public API, and are stored bare."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hands import SAMPLES

import razzstats
from razzstats.pipeline import ACCEPTED, read_paths

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def code_cells(notebook: Path) -> list[dict[str, Any]]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; return the value of its last line if that has one."""
    *body, last = ast.parse(source).body
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    exec(compile(ast.Module([last], []), "<cell>", "exec"), names)
    return None


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(notebook.parent)
    names: dict[str, Any] = {}
    shown = [run("".join(cell["source"]), names) for cell in code_cells(notebook)]
    hands = sum(outcome.status in ACCEPTED for outcome in read_paths([str(SAMPLES)]))
    assert shown[0] == (hands, 0), "all sample hands are stored"
    assert all(value is not None for value in shown), "every cell shows something"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_stored_without_output(notebook: Path) -> None:
    for cell in code_cells(notebook):
        assert cell["outputs"] == []
        assert cell["execution_count"] is None


@pytest.mark.parametrize("name", razzstats.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(razzstats, name).__name__ == name
    assert getattr(razzstats, name).__doc__


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = razzstats.no_such_name
