"""Files into a lake: each hand once, whatever happens meanwhile."""

import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from cli import hand, razzstats, write
from lake_scenes import (
    Forgetful,
    Killed,
    Tables,
    import_here,
    in_a_database,
    in_the_lake,
    killed_at,
    messy_files,
)
from lakes import Inline, tables_of

from razzstats.errors import DatabaseError
from razzstats.lake.units import Looked, look_at_files
from razzstats.storage import Database
from razzstats.storage.lake.files import files_at
from razzstats.storage.lake.manifest import Manifest

T = TypeVar("T")


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("histories")
    messy_files(folder)
    return folder


@pytest.fixture(scope="module")
def expected(histories: Path) -> Tables:
    tables = in_a_database(histories)
    assert len(tables["hands"]) == 48
    assert len(tables["rejected"]) == 2
    return tables


# ---- the same as a database


@pytest.mark.parametrize(
    "unit_bytes", [pytest.param(1, marks=pytest.mark.slow), 3_000, 20_000, 1 << 24]
)
def test_a_lake_has_what_a_database_has(
    histories: Path, expected: Tables, tmp_path: Path, unit_bytes: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("razzstats.sources.stretches._BUFFER", 300)
    import_here(tmp_path / "lake", histories, unit_bytes=unit_bytes)
    assert in_the_lake(tmp_path / "lake") == expected


@pytest.mark.parametrize(
    ("module", "limit", "number"),
    [("units", "_MOST_HANDS", 4), ("units", "_MOST_CHARACTERS", 9_000),
     ("importing", "_MOST_PIECES", 1), ("importing", "_SECONDS", 0.0),
     ("importing", "_MOST_FILES", 2)],
)  # fmt: skip
def test_limits_of_pieces_and_entries_change_nothing(
    histories: Path, expected: Tables, tmp_path: Path, module: str, limit: str, number: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(f"razzstats.lake.{module}.{limit}", number)
    import_here(tmp_path / "lake", histories, unit_bytes=10_000)
    assert in_the_lake(tmp_path / "lake") == expected


def test_files_that_come_one_by_one_give_the_same(
    histories: Path, expected: Tables, tmp_path: Path
) -> None:
    for file in sorted(histories.iterdir()):
        import_here(tmp_path / "lake", file)
    assert in_the_lake(tmp_path / "lake") == expected


@pytest.mark.parametrize("order", range(2))
def test_in_another_order_it_is_still_that_of_a_database(
    histories: Path, tmp_path: Path, order: int
) -> None:
    files = sorted(histories.iterdir())
    Random(order).shuffle(files)
    import_here(tmp_path / "together", *files)
    for file in files:
        import_here(tmp_path / "apart", file)
    with Database.in_memory() as database:
        from razzstats.importing import import_paths
        from razzstats.measuring import measure_hands

        for file in files:
            import_paths(database, [str(file)])
        measure_hands(database)
        one_by_one = tables_of(database)
    assert in_the_lake(tmp_path / "apart") == one_by_one
    assert in_the_lake(tmp_path / "together") == one_by_one


# ---- exactly once


def test_an_import_that_is_done_again_adds_nothing(
    histories: Path, expected: Tables, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    first = import_here(lake, histories)
    files = {path: path.stat().st_mtime_ns for path in (lake / "tables").rglob("*.parquet")}
    again = import_here(lake, histories)
    assert in_the_lake(lake) == expected
    after = {path: path.stat().st_mtime_ns for path in (lake / "tables").rglob("*.parquet")}
    known = [path for path in files if "/hands/" in str(path)]
    assert {path: after[path] for path in known} == {path: files[path] for path in known}
    assert [report.failed for report in again] == [report.failed for report in first]
    assert sum(report.stored for report in again) == 0
    assert all(report.known for report in again)
    assert len(list((lake / "_log").iterdir())) == 1


def test_a_unit_that_is_done_several_times_counts_once(
    histories: Path, expected: Tables, tmp_path: Path
) -> None:
    for seed in range(3):
        import_here(tmp_path / str(seed), histories, workers=Forgetful(seed))
        assert in_the_lake(tmp_path / str(seed)) == expected


def steps_of_an_import(histories: Path, lake: Path) -> int:
    with killed_at(1 << 30, after=True) as done:
        import_here(lake, histories)
        return int(done())


def check_kill(histories: Path, lake: Path, expected: Tables, step: int, *, after: bool) -> None:
    """Kill an import at a step; what is in the lake is whole, and the next import completes it."""
    with pytest.raises(Killed), killed_at(step, after=after):
        import_here(lake, histories)
    if (lake / "lake.json").exists():
        found = in_the_lake(lake)
        assert {row[0] for row in found["hands"]} <= {row[0] for row in expected["hands"]}
    import_here(lake, histories)
    assert in_the_lake(lake) == expected


def test_a_kill_anywhere_loses_and_doubles_nothing(
    histories: Path, expected: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.lake.importing._MOST_PIECES", 8)  # several entries
    steps = steps_of_an_import(histories, tmp_path / "whole")
    assert steps > 60
    random = Random(1)
    for number, step in enumerate(random.sample(range(1, steps), 4)):
        check_kill(histories, tmp_path / str(number), expected, step, after=bool(number % 2))


@pytest.mark.slow
def test_a_kill_at_every_third_step_loses_and_doubles_nothing(
    histories: Path, expected: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.lake.importing._MOST_PIECES", 8)
    steps = steps_of_an_import(histories, tmp_path / "whole")
    for step in range(1, steps, 3):
        check_kill(histories, tmp_path / str(step), expected, step, after=bool(step % 2))


def together(*works: Callable[[], object]) -> None:
    """Do several things at once; raise what one of them raises."""
    failed: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def test_two_imports_at_once_store_each_hand_once(
    histories: Path, expected: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.lake.importing._MOST_PIECES", 3)
    lake = tmp_path / "lake"
    together(lambda: import_here(lake, histories), lambda: import_here(lake, histories))
    assert in_the_lake(lake) == expected


def test_two_imports_at_once_of_files_that_share_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.lake.importing._MOST_PIECES", 1)
    texts = {name: "".join(map(hand, range(at, at + 6))) for name, at in
             {"a": 1, "b": 4, "c": 8, "d": 2}.items()}  # fmt: skip
    write(tmp_path, **texts)
    files = {name: tmp_path / f"{name}.txt" for name in texts}
    lake = tmp_path / "lake"
    together(
        lambda: import_here(lake, files["a"], files["b"]),
        lambda: import_here(lake, files["c"], files["d"]),
    )
    tables = in_the_lake(lake)
    numbers = list(range(1, 14))
    with Database.open(lake, read_only=True) as database:
        found = database.rows("SELECT hand_no::INTEGER FROM hands ORDER BY 1")
    assert [number for (number,) in found] == numbers
    assert len(tables["hand_texts"]) == len(numbers)


def test_who_was_slower_decides_anew(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + hand(2), b=hand(2) + hand(3))
    lake = tmp_path / "lake"
    import_here(lake, tmp_path / "a.txt")
    late = Manifest(files_at(lake))
    late.state()
    import_here(lake, tmp_path / "b.txt")
    write(tmp_path, c=hand(3) + hand(5))
    with pytest.MonkeyPatch.context() as patch:
        # This import does not see what came meanwhile until it writes.
        patch.setattr("razzstats.lake.importing.Manifest.make", lambda files: late)
        import_here(lake, tmp_path / "c.txt")
    assert len(in_the_lake(lake)["hands"]) == 4
    assert late.state().number == 3


# ---- what else can be wrong


def test_a_file_that_changes_meanwhile_is_told_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a=hand(1), b=hand(2), c=hand(3))

    def look(files: list[str], unit_bytes: int) -> list[object]:
        found: list[object] = list(look_at_files(files, unit_bytes))
        write(tmp_path, b=hand(2) + hand(4))
        return found

    monkeypatch.setattr("razzstats.lake.importing.look_at_files", look)
    for unit_bytes in (1, 1 << 20):
        write(tmp_path, b=hand(2))
        lake = tmp_path / str(unit_bytes)
        reports = import_here(lake, *sorted(tmp_path.glob("*.txt")), unit_bytes=unit_bytes)
        assert [report.failed for report in reports] == [False, True, False]
        assert "changed while it was read" in reports[1].diagnostics[0].message
        tables = in_the_lake(lake)
        assert len(tables["hands"]) == 2
    monkeypatch.undo()
    import_here(lake, *sorted(tmp_path.glob("*.txt")))
    assert len(in_the_lake(lake)["hands"]) == 4


class Dying(Inline):
    """A worker who dies whenever he reads a file of this name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        if self._name in repr(args) and work.__name__ == "read_unit":
            return super().submit(_die)
        return super().submit(work, *args, **kwargs)


def _die() -> Any:
    raise Exception("all workers died")


def test_a_file_at_which_workers_die_costs_no_other(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1), b=hand(2), c=hand(3))
    files = sorted(tmp_path.glob("*.txt"))
    lake = tmp_path / "lake"
    reports = import_here(lake, *files, workers=Dying("b.txt"), unit_bytes=1)
    assert [report.failed for report in reports] == [False, True, False]
    assert len(in_the_lake(lake)["hands"]) == 2
    again = import_here(lake, *files, unit_bytes=1)
    assert [report.stored for report in again] == [0, 1, 0]
    assert in_the_lake(lake) == in_a_database(*files)


def test_a_lake_that_cannot_be_written_ends_it(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1))
    full = tmp_path / "full"
    full.mkdir()
    (full / "a file").touch()
    with pytest.raises(DatabaseError, match="is not empty and no lake"):
        import_here(full, tmp_path / "a.txt")
    assert sorted(os.listdir(full)) == ["a file"]


def test_the_hash_of_a_file_is_its_number(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1), b=hand(1), c=hand(2))
    names = [str(path) for path in sorted(tmp_path.glob("*.txt"))]
    found = look_at_files(names, 1 << 20)
    numbers = [each.file_id for each in found if isinstance(each, Looked)]
    assert numbers[0] == numbers[1] != numbers[2]
    assert all(0 < number < 1 << 60 for number in numbers)


# ---- the command


def test_the_command_tells_what_an_import_tells(histories: Path, tmp_path: Path) -> None:
    lake, db = tmp_path / "lake", tmp_path / "db"
    stored = razzstats("import", histories, "--db", db, "--format", "json")
    told = razzstats("lake", "import", histories, "--lake", lake, "--format", "json")
    assert told.code == stored.code == 1  # two files have no hand
    counts, expected = json.loads(told.out), json.loads(stored.out)
    now = in_the_lake(lake)
    assert counts.keys() == expected.keys()
    assert counts["hands_seen"] == expected["hands_seen"] == 86
    assert counts["stored"] == len(now["hands"]) == expected["stored"]
    assert counts["files_failed"] == expected["files_failed"] == 2
    again = razzstats("lake", "import", histories, "--lake", lake)
    assert "0 stored" in again.out
