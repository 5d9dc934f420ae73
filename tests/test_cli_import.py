"""`razzstats import`: what is stored, what is not and why, and its exit codes."""

import csv
import gzip
import json
import re
import zipfile
from pathlib import Path

import pytest
from cli import half_a_hand, hand, other_game, razzstats, warned_hand, write, wrong_hand
from hands import SAMPLES

from razzstats.batches import read_batches
from razzstats.storage import Database

COUNT_KEYS = {
    "files", "files_failed", "hands_seen", "stored", "duplicates", "conflicts", "rejected",
    "other_games", "incomplete", "warnings",
}  # fmt: skip


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "database" / "razz.duckdb"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    histories = tmp_path / "histories"
    histories.mkdir()
    return histories


def counted(db: Path, *arguments: str | Path, code: int = 0, stdin: bytes = b"") -> dict[str, int]:
    """Import; return the counts of `--format json` that are not 0."""
    run = razzstats("import", *arguments, "--db", db, "--format", "json", stdin=stdin)
    assert run.code == code, run
    (line,) = run.out.splitlines()
    counts = json.loads(line)
    assert counts.keys() >= COUNT_KEYS | {"seconds", "hands_per_second"}
    assert all(type(counts[key]) is int for key in COUNT_KEYS)
    assert counts["seconds"] >= 0
    assert counts["hands_per_second"] >= 0
    parts = ("stored", "duplicates", "conflicts", "rejected", "incomplete")
    assert counts["hands_seen"] == sum(counts[part] for part in parts)
    return {key: counts[key] for key in COUNT_KEYS if counts[key]}


def stored(db: Path) -> list[str]:
    with Database.open(db, read_only=True) as database:
        return [number for (number,) in database.rows("SELECT hand_no FROM hands ORDER BY hid")]


# ---- what is printed


def test_the_summary_is_the_output_and_the_findings_are_remarks(folder: Path, db: Path) -> None:
    write(folder, a=hand(1) + wrong_hand(2) + other_game())
    run = razzstats("import", folder, "--db", db)
    assert run.code == 0
    assert run.out == (
        "1 file, 2 Razz hands: 1 stored, 0 known already, 0 in conflict, 1 rejected, 0 incomplete; "
        "1 hands of other games left out\n"
    )
    speed, finding = run.err.splitlines()
    assert speed.endswith(f" hands/s; database: {db}")
    assert finding == (
        f"{folder}/a.txt:30:1: error[RZ401] Anna brings in, but Ben has the highest door card (Kd)"
        "  (PokerStars #2)"
    )


def test_a_dry_run_says_what_would_be_stored_and_leaves_no_file(folder: Path, db: Path) -> None:
    write(folder, a=hand(1) + wrong_hand(2))
    run = razzstats("import", folder, "--db", db, "--dry-run")
    assert run.code == 0
    assert run.out.startswith("1 file, 2 Razz hands: 1 would be stored, 0 known already, ")
    assert not db.exists()
    assert not db.parent.exists()


def test_a_dry_run_compares_with_what_is_stored(folder: Path, db: Path) -> None:
    write(folder, a=hand(1))
    assert counted(db, folder) == {"files": 1, "hands_seen": 1, "stored": 1}
    before = db.read_bytes()
    write(folder, b=hand(1) + "\n" + hand(2), c=hand(1, name="Eve"))
    expected = {"files": 3, "hands_seen": 4, "stored": 1, "duplicates": 2, "conflicts": 1}
    assert counted(db, folder, "--dry-run") == expected
    assert db.read_bytes() == before
    assert counted(db, folder) == expected


def test_each_file_is_told_on_demand(folder: Path, db: Path) -> None:
    write(folder, a=hand(1) + hand(2) + other_game(), b="")
    razzstats("import", folder / "a.txt", "--db", db)
    run = razzstats("import", folder, "--db", db, "--verbose")
    assert run.code == 1
    assert run.err.splitlines()[1:3] == [
        f"{folder}/a.txt: known file, 2 Razz hands, 0 stored, 2 known, 0 in conflict, 0 rejected, "
        "0 incomplete, 1 of other games",
        f"{folder}/b.txt: failed: the file is empty",
    ]


def test_many_findings_are_cut_short(folder: Path, db: Path) -> None:
    write(folder, a="".join(map(wrong_hand, range(1, 31))))
    run = razzstats("import", folder, "--db", db)
    assert run.err.count("error[RZ401]") == 20
    assert run.err.endswith("... and 10 more; `razzstats check PATH` prints them all\n")


# ---- what is read


def test_folders_files_globs_archives_and_standard_input_are_read(folder: Path, db: Path) -> None:
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    write(folder, a=hand(1))
    write(folder / "deep" / "er", b=hand(2))
    write(folder / ".hidden", c=hand(3))
    (folder / "notes.md").write_text(hand(4))
    (folder / "d.gz").write_bytes(gzip.compress(hand(5).encode()))
    with zipfile.ZipFile(folder / "e.zip", "w") as archive:
        archive.writestr("f.txt", hand(6))
    assert counted(db, folder) == {"files": 4, "hands_seen": 4, "stored": 4}
    assert stored(db) == ["1", "2", "5", "6"]
    assert counted(db, folder / "notes.md") == {"files": 1, "hands_seen": 1, "stored": 1}
    assert counted(db, folder / "**" / "*.txt")["duplicates"] == 2
    assert counted(db, "-", stdin=hand(7).encode()) == {"files": 1, "hands_seen": 1, "stored": 1}
    assert stored(db)[-1] == "7"


def test_importing_the_samples_again_changes_nothing(db: Path) -> None:
    samples = SAMPLES / "pokerstars" / "[eh]*.txt"
    first, second = counted(db, samples), counted(db, samples)
    assert first["files"] > 10
    assert first["hands_seen"] == first["stored"]
    assert second.pop("duplicates") == first.pop("stored")
    assert second == first


def test_a_file_that_breaks_off_is_stored_up_to_there_and_goes_on_later(
    folder: Path, db: Path
) -> None:
    write(folder, a=hand(1) + half_a_hand(2))
    expected = {"files": 1, "hands_seen": 2, "stored": 1, "incomplete": 1}
    assert counted(db, folder, "--strict") == expected
    write(folder, a=hand(1) + hand(2))
    assert counted(db, folder)["stored"] == 1
    assert stored(db) == ["1", "2"]


def test_a_file_from_which_nothing_came_is_told(folder: Path, db: Path) -> None:
    write(folder, a=wrong_hand(1) + wrong_hand(2), b=wrong_hand(3), c=hand(4) + wrong_hand(5))
    run = razzstats("import", folder, "--db", db)
    assert run.code == 0
    told = [line for line in run.err.splitlines() if "nothing was stored" in line]
    assert told == [
        f"{folder}/a.txt: nothing was stored: all 2 hands of Razz rejected",
        f"{folder}/b.txt: nothing was stored: its only hand of Razz rejected",
    ]
    assert len(re.findall(r"error\[RZ401\]", run.err)) == 4


def test_one_bad_file_of_many_costs_no_other(folder: Path, db: Path) -> None:
    write(folder, a=hand(1), b="", c="no hand at all\n", d=other_game(), e=wrong_hand(2), f=hand(3))
    (folder / "g.gz").write_bytes(gzip.compress(hand(4).encode())[:-9])
    run = razzstats("import", folder, folder / "none", "--db", db)
    assert run.code == 1
    places = {line.split(":")[0] for line in run.err.splitlines()[1:]}
    assert places == {str(folder / name) for name in ("b.txt", "c.txt", "e.txt", "g.gz", "none")}
    assert {"1", "3"} <= {*stored(db)} <= {"1", "3", "4"}


# ---- exit codes


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (hand(), (), 0),
        (hand(), ("--strict",), 0),
        (other_game(), ("--strict",), 0),
        (warned_hand(), ("--strict",), 0),
        (half_a_hand(), ("--strict",), 0),
        (wrong_hand(), (), 0),
        (wrong_hand(), ("--strict",), 1),
        (wrong_hand(), ("--strict", "--dry-run"), 1),
        (hand(1) + hand(1, name="Eve"), (), 0),
        (hand(1) + hand(1, name="Eve"), ("--strict",), 1),
        ("", (), 1),
        ("no hand at all\n", (), 1),
        ("no hand at all\n", ("--dry-run",), 1),
    ],
)
def test_the_exit_code_says_whether_a_file_failed_or_strictly_a_hand(
    folder: Path, db: Path, text: str, options: tuple[str, ...], code: int
) -> None:
    write(folder, a=text)
    for _ in range(2):  # a known file says the same again
        assert razzstats("import", folder, "--db", db, *options).code == code


def test_the_counts_are_a_row_for_a_spreadsheet(folder: Path, db: Path) -> None:
    write(folder, a=hand(1) + wrong_hand(2))
    run = razzstats("import", folder, "--db", db, "--format", "csv")
    assert run.code == 0
    (row,) = csv.DictReader(run.out.splitlines())
    assert (row["files"], row["stored"], row["rejected"]) == ("1", "1", "1")
    assert f" hands/s; database: {db}\n" in run.err


# ---- where the database is


def test_the_database_is_the_option_else_the_variable_else_the_users_folder(
    folder: Path, tmp_path: Path
) -> None:
    write(folder, a=hand(1))
    option, variable, home = (tmp_path / name for name in ("option.db", "variable.db", "home"))
    variables = {"RAZZSTATS_DB": str(variable), "XDG_DATA_HOME": str(home), "HOME": str(home)}
    razzstats("import", folder, "--db", option, variables=variables)
    assert option.exists()
    assert not variable.exists()
    razzstats("import", folder, variables=variables)
    assert variable.exists()
    assert not home.exists()
    for unset in ("", None):
        kept = {name: value for name, value in variables.items() if name != "RAZZSTATS_DB"}
        kept |= {} if unset is None else {"RAZZSTATS_DB": unset}
        assert razzstats("import", folder, variables=kept).code == 0
    assert len([path for path in home.rglob("*.duckdb") if "razzstats" in path.parts]) == 1


# ---- what somebody might fill the memory with


def test_batches_are_cut_by_their_texts_too(
    folder: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.batches._BATCH_CHARACTERS", 2 * len(hand(1)))
    write(folder, a="".join(map(hand, range(1, 8))))
    batches = [len(batch.hands) for batch in read_batches(str(folder / "a.txt"), 1)]
    assert max(batches) <= 3
    assert sum(batches) == 7
    assert counted(db, folder) == {"files": 1, "hands_seen": 7, "stored": 7}


def test_of_very_many_findings_the_first_are_kept_and_all_are_counted(
    folder: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.importing.MOST_KEPT", 25)
    write(folder, a="".join(map(wrong_hand, range(1, 41))))
    run = razzstats("import", folder, "--db", db)
    assert sum("RZ401" in line for line in run.err.splitlines()) == 20
    assert "... and 20 more; `razzstats check PATH` prints them all" in run.err
    with Database.open(db, read_only=True) as database:
        assert database.rows("SELECT count(*) FROM diagnostics") == [(40,)]
        assert database.rows("SELECT count(*) FROM rejected") == [(40,)]
