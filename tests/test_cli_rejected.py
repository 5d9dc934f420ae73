"""`razzstats rejected`: nothing that was not stored is lost, and later it may count."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli import HOSTILE_NAMES, half_a_hand, hand, other_game, razzstats, shell, write, wrong_hand

from razzstats.storage import Database


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Return a database with one stored hand and one of each kind that is kept apart."""
    write(
        tmp_path,
        a=hand(1) + wrong_hand(2) + other_game() + half_a_hand(3),
        b=hand(1).replace("Seat 3: Ben ($2 ", "Seat 3: Ben ($3 "),
    )
    path = tmp_path / "razz.duckdb"
    assert razzstats("import", tmp_path / "a.txt", tmp_path / "b.txt", "--db", path).code == 0
    return path


def kept(db: Path) -> list[dict[str, Any]]:
    run = razzstats("rejected", "list", "--db", db, "--format", "json")
    assert run.code == 0, run
    found: list[dict[str, Any]] = json.loads(run.out)
    return found


def numbers(db: Path) -> list[str]:
    with Database.open(db, read_only=True) as database:
        return [number for (number,) in database.rows("SELECT hand_no FROM hands ORDER BY hand_no")]


def count(db: Path, table: str) -> int:
    with Database.open(db, read_only=True) as database:
        return int(database.rows(f"SELECT count(*) FROM {table}")[0][0])


# ---- list


def test_what_was_not_stored_is_listed_with_its_place_and_reason(db: Path, tmp_path: Path) -> None:
    found = kept(db)
    assert [(each["hand_no"], each["reason"], each["code"]) for each in found] == [
        ("2", "rejected", "RZ401"), ("3", "incomplete", "RZ102"), ("1", "conflict", "RZ702"),
    ]  # fmt: skip
    assert [(each["file"], each["line"]) for each in found] == [
        (f"{tmp_path}/a.txt", 21), (f"{tmp_path}/a.txt", 46), (f"{tmp_path}/b.txt", 1),
    ]  # fmt: skip
    assert found[0]["text"] == wrong_hand(2).strip()
    assert len({each["id"] for each in found}) == 3


def test_the_list_is_a_table_for_people(db: Path) -> None:
    run = razzstats("rejected", "list", "--db", db)
    assert run.code == 0
    assert run.err == "3 hands are kept apart\n"
    heading, *rows = run.out.splitlines()
    assert heading.split() == ["id", "room", "hand", "reason", "code", "where", "message"]
    assert "PokerStars" in rows[0]
    lines = razzstats("rejected", "list", "--db", db, "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == kept(db)


def test_an_empty_list_is_no_error(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1))
    db = tmp_path / "razz.duckdb"
    razzstats("import", tmp_path / "a.txt", "--db", db)
    assert razzstats("rejected", "list", "--db", db) == (0, b"", "0 hands are kept apart\n")
    assert kept(db) == []


@pytest.mark.parametrize("arguments", [
    ("list", "--format", "xml"), ("retry", "--format", "xml"), ("show", "77"), ("export", "77"),
    ("show",), (), ("retry", "--variant", "bridge"),
])  # fmt: skip
def test_wrong_use_is_told(db: Path, arguments: tuple[str, ...]) -> None:
    run = razzstats("rejected", *arguments, "--db", db) if arguments else razzstats("rejected")
    assert run.code == 2
    assert "Traceback" not in run.err


def test_without_a_database_there_is_nothing_to_list(tmp_path: Path) -> None:
    for command in ("list", "export", "retry"):
        assert razzstats("rejected", command, "--db", tmp_path / "none.duckdb").code == 2
    assert not (tmp_path / "none.duckdb").exists()


# ---- show


def test_a_hand_is_shown_with_what_is_wrong_with_it(db: Path) -> None:
    by_number = razzstats("rejected", "show", "2", "--db", db)
    by_id = razzstats("rejected", "show", kept(db)[0]["id"], "--db", db)
    by_room = razzstats("rejected", "show", "pokerstars:2", "--db", db)
    assert by_number == by_id == by_room
    assert wrong_hand(2).strip() in by_number.out
    assert "error[RZ401]: Anna brings in, but Ben has the highest door card (Kd)" in by_number.out


def test_hostile_names_are_made_visible(tmp_path: Path) -> None:
    db = tmp_path / "razz.duckdb"
    texts = [
        hand(number, name=name).replace("Ben: brings in", f"{name}: brings in")
        for number, name in enumerate(HOSTILE_NAMES, 1)
    ]
    write(tmp_path, a="".join(texts))
    razzstats("import", tmp_path / "a.txt", "--db", db)
    assert len(kept(db)) == len(HOSTILE_NAMES)
    for number in range(1, len(HOSTILE_NAMES) + 1):
        assert razzstats("rejected", "show", str(number), "--db", db).is_plain
    assert razzstats("rejected", "list", "--db", db).is_plain


# ---- retry


def test_nothing_changes_as_long_as_nothing_has_changed(db: Path) -> None:
    before = kept(db)
    run = razzstats("rejected", "retry", "--db", db)
    assert run.out == (
        "3 hands read again: 0 stored, 0 known already, 1 in conflict, 2 still not stored\n"
    )
    assert kept(db) == before
    assert numbers(db) == ["1"]


def test_what_counts_by_other_rules_is_stored(db: Path, tmp_path: Path) -> None:
    # No bring-in: the lowest door card opens with a bet.
    text = hand(7).replace("Ben: brings in for $0.02\nAnna: raises $0.02 to $0.04\n",
                           "Anna: bets $0.04\n")  # fmt: skip
    text = text.replace("bet ($0.02)", "bet ($0.04)").replace("$0.06", "$0.02")
    text = text.replace("on the 3rd Street", "on the 3rd Street (didn't bet)")
    write(tmp_path, home=text)
    razzstats("import", tmp_path / "home.txt", "--db", db)
    assert len(kept(db)) == 4
    run = razzstats("rejected", "retry", "--db", db, "--variant", "home-game", "--format", "json")
    assert json.loads(run.out) == {
        "tried": 4, "stored": 1, "known": 0, "conflicts": 0, "rejected": 3,
    }  # fmt: skip
    assert numbers(db) == ["1", "7"]
    assert [each["hand_no"] for each in kept(db)] == ["2", "3", "1"]


def mend(db: Path, hand_no: str, text: str) -> None:
    """Put another text in the place of a kept one, as if a newer parser understood it."""
    with Database.open(db) as database:
        database.rows("UPDATE rejected SET text = ? WHERE hand_no = ?", (text, hand_no))


def test_what_a_newer_version_understands_is_stored(db: Path) -> None:
    mend(db, "2", hand(2).strip())
    run = razzstats("rejected", "retry", "--db", db, "--format", "json")
    assert json.loads(run.out)["stored"] == 1
    assert numbers(db) == ["1", "2"]
    assert count(db, "hand_players") == 4
    assert [each["hand_no"] for each in kept(db)] == ["3", "1"]


def test_the_present_reason_takes_the_place_of_the_earlier_one(db: Path) -> None:
    mend(db, "2", hand(2).replace("Ben: folds", "Ben: sings").strip())
    razzstats("rejected", "retry", "--db", db)
    assert [each["code"] for each in kept(db)] == ["RZ101", "RZ102", "RZ702"]
    mend(db, "2", hand(1).replace("$2 in", "$4 in").strip())
    run = razzstats("rejected", "retry", "--db", db, "--format", "json")
    assert json.loads(run.out)["conflicts"] == 2
    assert {each["reason"] for each in kept(db)} == {"incomplete", "conflict"}


# ---- export


def test_the_texts_can_be_written_out(db: Path, tmp_path: Path) -> None:
    to_stream = razzstats("rejected", "export", "--db", db)
    out = tmp_path / "out" / "kept.txt"
    out.parent.mkdir()
    to_file = razzstats("rejected", "export", "--db", db, "--out", out)
    assert to_file == (0, b"", "3 hands written\n")
    assert out.read_bytes() == to_stream.raw
    assert wrong_hand(2).strip() in to_stream.out
    assert half_a_hand(3).strip() in to_stream.out
    one = razzstats("rejected", "export", "2", "--db", db)
    assert one.out == wrong_hand(2).strip() + "\n"


def test_what_was_written_out_is_read_as_before(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "kept.txt"
    razzstats("rejected", "export", "2", "--db", db, "--out", out)
    other = tmp_path / "other.duckdb"
    razzstats("import", out, "--db", other)
    assert [(each["hand_no"], each["text"]) for each in kept(other)] == [("2", kept(db)[0]["text"])]


def test_a_place_that_cannot_be_written_is_told(db: Path, tmp_path: Path) -> None:
    run = shell(f"razzstats rejected export --db {db} --out {tmp_path}", tmp_path)
    assert run.code == 2
    assert run.err == f"razzstats: {tmp_path}: Is a directory\n"


# ---- what is stored later is no longer kept apart


def test_an_incomplete_hand_that_grew_is_no_longer_kept(db: Path, tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + wrong_hand(2) + other_game() + hand(3))
    razzstats("import", tmp_path / "a.txt", "--db", db)
    assert [each["hand_no"] for each in kept(db)] == ["2", "1"]


def test_a_hand_that_comes_whole_in_another_file_is_no_longer_kept(
    db: Path, tmp_path: Path
) -> None:
    write(tmp_path, c=hand(2) + hand(3))
    razzstats("import", tmp_path / "c.txt", "--db", db)
    assert [each["hand_no"] for each in kept(db)] == ["1"]
    assert numbers(db) == ["1", "2", "3"]


def test_a_hand_cut_in_its_last_line_is_told_when_the_rest_makes_it_wrong(tmp_path: Path) -> None:
    db, cut = tmp_path / "razz.duckdb", hand(1).rstrip("\n")
    write(tmp_path, a=cut)
    razzstats("import", tmp_path / "a.txt", "--db", db)
    write(tmp_path, a=cut + " (didn't bet)\n")
    run = razzstats("import", tmp_path / "a.txt", "--db", db, "--format", "json")
    counts = json.loads(run.out)
    assert (counts["stored"], counts["rejected"]) == (0, 1)
    assert numbers(db) == []
    assert [each["code"] for each in kept(db)] == ["RZ605"]


def test_a_hand_that_grew_by_a_line_is_stored_once_and_whole(tmp_path: Path) -> None:
    db = tmp_path / "razz.duckdb"
    text = hand(1, name="Anna").rstrip("\n")
    sitting_out = "Seat 5: Carla ($2 in chips) is sitting out\n"
    text = text.replace("Anna: posts", sitting_out + "Anna: posts", 1)
    grown = f"{text}\nSeat 5: Carla is sitting out\n"
    write(tmp_path, a=text)
    razzstats("import", tmp_path / "a.txt", "--db", db)
    write(tmp_path, a=grown)
    run = razzstats("import", tmp_path / "a.txt", "--db", db, "--format", "json")
    counts = json.loads(run.out)
    assert (counts["stored"], counts["duplicates"], counts["conflicts"]) == (0, 1, 0)
    with Database.open(db, read_only=True) as database:
        assert database.rows("SELECT text FROM hand_texts") == [(grown.strip(),)]
        assert database.rows("SELECT count(*) FROM actions WHERE kind = 'ante'") == [(2,)]
        assert database.rows("SELECT count(*) FROM hand_players") == [(2,)]
