"""`razzstats report`: of the database or of files, in the terminal or as a page."""

from pathlib import Path

import pytest
from cli import hand, razzstats, write, wrong_hand
from hands import SAMPLES

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("template") / "razz.duckdb"
    assert razzstats("import", TWELVE, "--db", path).code == 0
    return path.read_bytes()


@pytest.fixture
def db(tmp_path: Path, template: bytes) -> Path:
    path = tmp_path / "razz.duckdb"
    path.write_bytes(template)
    return path


def test_the_database_and_its_files_give_the_same_report(db: Path) -> None:
    stored, read = razzstats("report", "--db", db), razzstats("report", TWELVE)
    assert (stored.code, read.code) == (0, 0)
    assert stored.out == read.out
    for title in ("Overview", "Door cards", "Streets", "Door cards by street",
                  "Starting hands by class", "Luck"):  # fmt: skip
        assert f"\n{title}\n" in stored.out
    assert "+$4.85" in stored.out
    assert "3 of 3 showdowns were measured, with 100.0 % of the pots" in " ".join(
        stored.out.replace("\N{NO-BREAK SPACE}", " ").split()
    )


def test_reporting_on_files_leaves_the_database_alone(db: Path, tmp_path: Path) -> None:
    before = db.read_bytes()
    write(tmp_path, a=hand(1))
    run = razzstats("report", tmp_path / "a.txt", "--db", db, variables={"RAZZSTATS_DB": str(db)})
    assert run.code == 0
    assert run.out.startswith("Anna\n")
    assert db.read_bytes() == before
    none = tmp_path / "none.duckdb"
    assert razzstats("report", tmp_path / "a.txt", "--db", none).code == 0
    assert not none.exists()


def test_the_page_is_one_file_that_is_named(db: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run = razzstats("report", "--db", db, "--html", page)
    assert (run.code, run.out) == (0, "")
    assert run.err.startswith(f"wrote {page} (")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert {path.name for path in tmp_path.iterdir()} == {"page.html", "razz.duckdb"}


@pytest.mark.parametrize("place", ["", "none/page.html"])
def test_a_place_that_cannot_be_written_is_named(db: Path, tmp_path: Path, place: str) -> None:
    page = tmp_path / place
    run = razzstats("report", "--db", db, "--html", page)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"razzstats: {page} cannot be written: ")
    assert run.err.count("\n") == 1


def test_filters_narrow_the_report_and_stand_in_its_heading(db: Path) -> None:
    run = razzstats("report", "--db", db, "--hero", "Ann", "--tournament")
    assert run.code == 0
    assert run.out.startswith("Ann\nHands of Ann, tournaments; 2026-01-20\n")
    assert ["Hands", "2", "hands"] in [line.split() for line in run.out.splitlines()]


def test_filters_that_match_nothing_and_an_empty_database_say_so(tmp_path: Path, db: Path) -> None:
    run = razzstats("report", "--db", db, "--players", "8")
    assert run.code == 0
    assert "None of the 12 stored hands matches." in run.out
    write(tmp_path, a="")
    empty = tmp_path / "empty.duckdb"
    razzstats("import", tmp_path / "a.txt", "--db", empty)
    run = razzstats("report", "--db", empty)
    assert run.code == 0
    assert "No hand is stored yet." in run.out


def test_a_failed_file_is_named_and_the_others_are_reported(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1), b="", c=wrong_hand(2))
    run = razzstats("report", tmp_path, tmp_path / "none")
    assert run.code == 1
    assert ["Hands", "1", "hands"] in [line.split() for line in run.out.splitlines()]
    assert "RZ401" in run.out
    assert run.err == (
        f"{tmp_path}/b.txt:1:1: warning[RZ005] the file is empty\n"
        f"{tmp_path}/none:1:1: error[RZ001] the file cannot be read: "
        "there is no such file or folder\n"
    )


@pytest.mark.parametrize(
    "options",
    [("--players", "x"), ("--door", "Z"), ("--nonsense",), ("--hero", "A", "--all-players")],
)
def test_a_wrong_option_is_refused_before_anything_is_read(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    run = razzstats("report", tmp_path / "none", *options)
    assert (run.code, run.out) == (2, "")
    assert "unreadable" not in run.err
    assert "RZ001" not in run.err


def test_a_hero_nobody_has_seen_is_a_wrong_command(db: Path) -> None:
    run = razzstats("report", "--db", db, "--hero", "Nobody")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("razzstats: no hand with a player named 'Nobody' is stored; ")


def test_a_missing_database_is_named_with_the_next_step(tmp_path: Path) -> None:
    path = tmp_path / "none.duckdb"
    run = razzstats("report", "--db", path)
    assert (run.code, run.out) == (2, "")
    assert run.err.endswith(
        "; `razzstats import FOLDER` makes one. Without a folder, `razzstats import` looks where "
        "the rooms write hand histories\n"
    )


def test_the_samples_are_reported_without_a_remark() -> None:
    run = razzstats("report", SAMPLES / "pokerstars" / "[ehp]*.txt")
    assert (run.code, run.err) == (0, "")
    assert run.is_plain
