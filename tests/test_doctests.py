"""The examples in the docstrings of all public names run and print what they say."""

import doctest
import inspect
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hands import SAMPLES
from lakes import Inline

import razzstats
from razzstats.lake.importing import import_to_lake
from razzstats.storage.lake.files import files_at

SESSION = SAMPLES / "pokerstars" / "cash-1-2-six-handed.txt"
OPTIONS = doctest.ELLIPSIS
EVERY_CALL = [name for name in razzstats.__all__ if inspect.isfunction(getattr(razzstats, name))]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the examples name."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(SAMPLES, folder / "sample_histories")
    with razzstats.Database.open(folder / "hands.duckdb") as database:
        razzstats.import_paths(database, [str(SESSION)])
        razzstats.measure_hands(database)
    import_to_lake([str(SESSION)], files_at(folder / "archive"), Inline(), ahead=2)
    return folder


@pytest.fixture(scope="module")
def database(desk: Path) -> Iterator[razzstats.Database]:
    with razzstats.load(SESSION) as opened:
        yield opened


def examples_of(name: str) -> list[doctest.DocTest]:
    found = doctest.DocTestFinder(recurse=False).find(getattr(razzstats, name), name, globs={})
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", EVERY_CALL)
def test_examples_print_what_they_say(
    name: str, desk: Path, database: razzstats.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk)
    tests = examples_of(name)
    assert tests, f"razzstats.{name} has no example"
    for test in tests:
        test.globs = {"razzstats": razzstats, "database": database}
        told: list[str] = []
        runner = doctest.DocTestRunner(optionflags=OPTIONS)
        runner.run(test, out=told.append)
        assert not runner.failures, "".join(told)
