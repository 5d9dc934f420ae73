"""The progress of an import: on a terminal and nowhere else."""

import re
from pathlib import Path

import pytest
from cli import hand, razzstats, shell, write

from razzstats.cli.progress import ImportProgress, _speed_and_time
from razzstats.importing import FileReport, import_paths
from razzstats.storage import Database

terminals = pytest.importorskip("terminals", reason="there is no terminal to make")

ESCAPE = "\x1b"
HANDS = 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hands").mkdir()
    for number in range(3):
        first = 1 + number * HANDS
        text = "".join(hand(each, each % 60) for each in range(first, first + HANDS))
        write(tmp_path / "hands", **{f"file{number}": text})
    return tmp_path


def plain(screen: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen)


def test_files_hands_speed_and_time_are_shown(folder: Path) -> None:
    seen = terminals.in_terminal(folder, "import", "hands", "--db", "x.duckdb")
    assert seen.code == 0, seen
    shown = plain(seen.screen)
    # It is drawn a few times a second, so not every number is seen; the last ones always are.
    assert "reading" in shown
    assert re.search(r"3 of 3 files, 180 hands, [\d,]+ hands/s, 0:00 to go", shown)
    assert "measuring luck" in shown
    assert re.search(r"\b0 hands left, [\d,]+ hands/s, 0:00 to go", shown)
    assert seen.out.startswith("3 files, 180 Razz hands: 180 stored, ")
    assert ESCAPE not in seen.out


def test_the_progress_is_gone_when_all_is_done(folder: Path) -> None:
    seen = terminals.in_terminal(folder, "import", "hands", "--db", "x.duckdb")
    last = seen.screen.splitlines()[-1]
    assert f"hands/s; database: {folder}" in last or "hands/s; database: x.duckdb" in last
    erased = seen.screen.rindex(f"{ESCAPE}[2K")
    assert "measuring" not in seen.screen[erased:]


def test_a_narrow_terminal_keeps_it_in_one_line(folder: Path) -> None:
    seen = terminals.in_terminal(
        folder, "import", "hands", "--db", "x.duckdb", size=(40, 60), COLUMNS="60"
    )
    frames = [line for line in plain(seen.screen).replace("\r", "\n").split("\n") if line]
    assert any("reading" in frame for frame in frames)
    assert all(len(f.rstrip()) <= 60 for f in frames if "reading" in f or "measuring" in f)


@pytest.mark.parametrize("variable", [{"CI": "true"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_it_is_off_where_nobody_wants_it(folder: Path, variable: dict[str, str]) -> None:
    command = ("import", "hands", "--db", "x.duckdb")
    seen = terminals.in_terminal(folder, *command, **variable)
    assert seen.code == 0
    assert ESCAPE not in seen.screen
    assert "reading" not in seen.screen
    assert "measuring" not in seen.screen
    assert len(seen.screen.splitlines()) == 1


def test_a_pipe_has_none_of_it(folder: Path) -> None:
    run = shell("razzstats import hands --db x.duckdb", folder, TERM="xterm-256color")
    assert run.code == 0
    assert ESCAPE not in run.out + run.err
    assert len(run.err.splitlines()) == 1
    assert "files," not in run.err
    assert "to go" not in run.err


def test_what_names_nothing_is_told_all_the_same(folder: Path) -> None:
    paths = ("hands/file0.txt", "none.txt", "hands/*.txt", "-")
    seen = terminals.in_terminal(folder, "import", *paths[:3], "--db", "x.duckdb")
    assert seen.code == 1
    assert "none.txt:1:1: error[RZ001]" in seen.screen
    assert seen.out.startswith("5 files, 240 Razz hands: 180 stored, 60 known already")
    piped = razzstats("import", *(folder / path for path in paths[:3]), "--db", folder / "y.duckdb")
    assert piped.out == seen.out


def test_a_long_file_shows_how_far_it_is(folder: Path) -> None:
    """Batches count before a file is done, and are not counted twice when it is."""
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    progress = Progress(TextColumn("x"), console=Console(quiet=True), auto_refresh=False)
    shown = ImportProgress(progress, [str(folder / "hands"), "-"])
    (task,) = progress.tasks
    size = (folder / "hands" / "file0.txt").stat().st_size
    assert len(shown.files) == 4
    assert task.total == sum(file.stat().st_size for file in (folder / "hands").iterdir())
    shown.after_batch(20, size // 3)
    assert task.completed == size // 3
    assert task.fields["counts"].startswith("0 of 4 files, 20 hands")
    shown.after_file(FileReport(shown.files[0], hands_seen=60))
    assert task.completed == size
    assert task.fields["counts"].startswith("1 of 4 files, 60 hands")


@pytest.mark.parametrize(
    ("seconds", "part", "expected"),
    [
        (10.0, 0.5, ["20 hands/s", "0:10 to go"]),
        (60.0, 0.01, ["3 hands/s", "1:39:00 to go"]),
        (600.0, 0.8, ["0 hands/s", "2:30 to go"]),
        (5.0, 0.0, ["40 hands/s"]),
        (0.0, 0.5, []),
    ],
)
def test_the_time_left_is_that_of_the_bytes_left(
    seconds: float, part: float, expected: list[str]
) -> None:
    assert _speed_and_time(seconds, 200, part) == expected


def test_an_import_tells_of_each_batch(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    with Database.in_memory() as database:
        import_paths(database, [str(folder / "hands")], after_batch=lambda *new: told.append(new))
    sizes = [file.stat().st_size for file in sorted((folder / "hands").iterdir())]
    assert [hands for hands, _ in told] == [HANDS] * 3
    assert all(0.9 < told[n][1] / sizes[n] <= 1 for n in range(3))
