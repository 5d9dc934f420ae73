"""`razzstats show`: one hand told street by street, from the database or from files."""

import re
import shutil
from pathlib import Path

import pytest
from cli import half_a_hand, hand, razzstats, write, wrong_hand
from hands import SAMPLES
from report_html import Page

from razzstats.storage import Database

TOLD = """\
PokerStars #101, 2026-01-09 19:00:00 UTC
Razz $0.04/$0.08, ante $0.01, bring-in $0.02, table Halley 101

Antes
  1 Anna  posts the ante $0.01
  3 Ben   posts the ante $0.01

Third street, pot $0.02
  1 Anna  [2c 3d 4h]  82.5 %
  3 Ben   [xx xx Kd]  17.5 %
  3 Ben   brings in for $0.02  ($0.02 to call, 50.0 %)
  1 Anna  completes to $0.04  ($0.02 to call, 33.3 %)
  3 Ben   folds  ($0.02 to call, 20.0 %)
  1 Anna  takes back $0.02
  1 Anna  collects $0.06

Results, pot $0.06, rake $0
  1 Anna  in $0.03  out $0.06  net +$0.03  [2c 3d 4h]  to third street
  3 Ben   in $0.03  out $0  net -$0.03  [xx xx Kd]  to third street

Diagnostics: none
""".replace(" %", "\N{NO-BREAK SPACE}%")
"""The parts of the pot are those of `razzstats equity 2c3d4h xxxxKd`."""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("show")
    write(folder, a=hand(101) + hand(102) + wrong_hand(666) + half_a_hand(103))
    path = folder / "razz.duckdb"
    assert razzstats("import", folder / "a.txt", "--db", path).code == 0
    return path


@pytest.mark.parametrize(
    "number", ["101", "#101", "pokerstars:101", "PokerStars:101", "pokerstars:#101", " 101 "]
)
def test_a_stored_hand_is_told(db: Path, number: str) -> None:
    run = razzstats("show", number, "--db", db)
    assert (run.code, run.out, run.err) == (0, TOLD, "")


def test_a_hand_in_a_file_is_told_without_a_database(tmp_path: Path) -> None:
    write(tmp_path, a=hand(100), b=hand(101))
    run = razzstats("show", "101", tmp_path, "--db", tmp_path / "none.duckdb")
    assert (run.code, run.out, run.err) == (0, TOLD, "")
    assert not (tmp_path / "none.duckdb").exists()


def test_the_file_need_not_be_there_any_more(tmp_path: Path) -> None:
    write(tmp_path, a=hand(101))
    razzstats("import", tmp_path / "a.txt", "--db", tmp_path / "razz.duckdb")
    (tmp_path / "a.txt").unlink()
    assert razzstats("show", "101", "--db", tmp_path / "razz.duckdb").out == TOLD


@pytest.mark.parametrize("from_file", [True, False])
def test_a_rejected_hand_is_told_with_the_place_of_its_fault(db: Path, from_file: bool) -> None:
    file = db.parent / "a.txt"
    run = razzstats("show", "666", *([file] if from_file else ["--db", db]))
    assert run.code == 0
    assert "rake" not in run.out
    assert "  1 Anna  [2c 3d 4h]  82.5\N{NO-BREAK SPACE}%\n  3 Ben   [xx xx Kd]  17.5" in run.out
    assert run.out.endswith(
        f"Diagnostics\n  {file}:50:1: error[RZ401] Anna brings in, but Ben has the highest door "
        "card (Kd)  (PokerStars #666)\n"
    )


HEADING = r"^[A-Z][A-Za-z ]+ #(.+), (?:time unknown|\d{4}-\d\d-\d\d [\d:]{8} UTC)$"


def without_equities(told: str) -> str:
    """Return a told hand without what `show` adds to `check --dump`."""
    lines = [line for line in told.split("\n") if not re.match(" +! [0-9]{3} ", line)]
    lines = [re.sub(r" \(main .*\)$", "", line) for line in lines]
    lines = [re.sub(" to call, .*%\\)$", " to call)", line) for line in lines]
    return "\n".join(re.sub(r"(^  .*\])  \S.*%( held)?$", r"\1", line) for line in lines)


@pytest.mark.parametrize(
    "pattern", ["edge-short*.txt", pytest.param("edge-*.*", marks=pytest.mark.slow)]
)
def test_every_sample_hand_can_be_shown_from_the_database(tmp_path: Path, pattern: str) -> None:
    """What is read back from the stored text is what was read from the file."""
    db = tmp_path / "razz.duckdb"
    samples = sorted(SAMPLES.rglob(pattern))
    assert razzstats("import", *samples, "--db", db).code == 0
    for sample in samples:
        dumped = razzstats("check", sample, "--dump").out
        numbers = re.findall(HEADING, dumped, re.MULTILINE)
        assert numbers
        for number in numbers:
            shown = razzstats("show", number, "--db", db).out
            assert shown
            # What a hand before it leaves open (its stacks) is told only where the file is read.
            assert without_equities(shown).partition("\nDiagnostics")[0] in dumped


def test_equities_are_told_on_every_street_by_what_was_seen_and_what_was_held() -> None:
    run = razzstats("show", "262000000101", SAMPLES / "pokerstars" / "edge-three-way-all-in.txt")
    lines = run.out.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    (seventh,) = (place for place, line in enumerate(lines) if line.startswith("Seventh street"))
    boards = lines[seventh + 1 : seventh + 5]
    # By the cards held Zoë had won: her six-four beat everybody in the main pot.
    held = [re.search(r"([0-9.]+) % seen, ([0-9.]+) % held$", line) for line in boards]
    assert [found[2] for found in held if found] == ["100.0", "0.0", "0.0", "0.0"]
    assert sum(float(found[1]) for found in held if found) == pytest.approx(100, abs=0.2)
    # On third street there are too many deals to count.
    (third,) = (place for place, line in enumerate(lines) if line.startswith("Third street"))
    assert all(line.count("≈") == 2 for line in lines[third + 1 : third + 5])


def test_marks_stand_below_the_decision_that_they_are_about() -> None:
    run = razzstats("show", "262000000101", SAMPLES / "pokerstars" / "edge-three-way-all-in.txt")
    lines = run.out.splitlines()
    marks = [place for place, line in enumerate(lines) if line.lstrip().startswith("! ")]
    assert [lines[place].split()[1] for place in marks] == ["307", "508"]
    assert "O'Brick     calls $1.25" in lines[marks[0] - 1]
    assert "low baller  raises to $2 " in lines[marks[1] - 1]
    assert re.search(r"! 307 .*: cost [0-9.]+ BB$", lines[marks[0]])


# ---- as a page


def test_a_page_tells_the_hand_and_is_the_same_from_file_and_database(
    db: Path, tmp_path: Path
) -> None:
    stored, read = tmp_path / "stored.html", tmp_path / "read.html"
    run = razzstats("show", "101", "--db", db, "--html", stored)
    assert (run.code, run.out) == (0, "")
    assert run.err.startswith(f"wrote {stored} (0.0 MB)")
    assert razzstats("show", "101", db.parent / "a.txt", "--html", read).code == 0
    assert stored.read_bytes() == read.read_bytes()
    page = Page(stored.read_text(encoding="utf-8"))
    assert page.all("h1")[0].text == "PokerStars #101"
    assert page.by_id("hand-pokerstars-101").attributes.keys() >= {"open"}
    assert "The hand passed all checks without a remark." in page.all("main")[0].text
    assert "Anna completes to $0.04 ($0.02 to call" in page.all("ol")[0].text


def test_a_page_of_a_rejected_hand_says_why(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert razzstats("show", "666", "--db", db, "--html", file).code == 0
    main = Page(file.read_text(encoding="utf-8")).all("main")[0].text
    assert "error[RZ401] Anna brings in, but Ben has the highest door card (Kd)" in main
    assert "passed all checks" not in main
    # The rake of a hand that was not followed to its end is not known.
    assert "rake" not in main


@pytest.mark.parametrize("as_page", [True, False])
def test_masking_does_not_hide_that_a_hand_was_rejected(
    db: Path, tmp_path: Path, as_page: bool
) -> None:
    file = tmp_path / "page.html"
    page: list[str | Path] = ["--html", file] if as_page else []
    run = razzstats("show", "666", "--db", db, "--mask-names", *page)
    assert run.code == 0
    told = file.read_text(encoding="utf-8") if as_page else run.out
    assert "Anna" not in told
    assert "Ben" not in told
    assert "passed all checks" not in told
    assert "Diagnostics: none" not in told


def test_a_page_that_cannot_be_written_is_named(db: Path, tmp_path: Path) -> None:
    run = razzstats("show", "101", "--db", db, "--html", tmp_path / "none" / "page.html")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"razzstats: {tmp_path}/none/page.html cannot be written: ")


@pytest.mark.parametrize("number", ["1", "0101", "1010", "winamax:101", "x", "", ":", "'; --"])
def test_a_hand_that_is_not_there_is_a_wrong_command(db: Path, number: str) -> None:
    run = razzstats("show", number, "--db", db)
    wanted = number.rpartition(":")[2]
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        f"razzstats: hand {wanted} is not in the database; `razzstats show {wanted} PATH` looks in "
        "files\n"
    )


def test_a_hand_that_is_in_no_file_is_a_wrong_command(db: Path) -> None:
    for path in (db.parent / "a.txt", db.parent / "none.txt"):
        run = razzstats("show", "7", path)
        assert (run.code, run.out) == (2, "")
        assert run.err.splitlines()[-1] == f"razzstats: there is no Razz hand 7 in {path}"


def test_a_number_that_two_rooms_use_asks_for_the_room(db: Path, tmp_path: Path) -> None:
    db = Path(shutil.copy(db, tmp_path))
    with Database.open(db) as database:
        database.rows(
            "INSERT INTO hands SELECT * REPLACE (hid + 1000000 AS hid, 'winamax' AS site)"
            " FROM hands WHERE hand_no = '101'"
        )
        database.rows("INSERT INTO hand_texts SELECT hid + 1000000, text FROM hand_texts")
    run = razzstats("show", "101", "--db", db)
    assert (run.code, run.out) == (2, "")
    assert (
        run.err == "razzstats: several rooms have a hand 101; say pokerstars:101 or winamax:101\n"
    )
    assert razzstats("show", "pokerstars:101", "--db", db).out == TOLD
