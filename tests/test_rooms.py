"""All rooms together: several in one file, and what a room is known by."""

import json
from collections import Counter
from pathlib import Path

import pytest
from cli import razzstats
from hands import SAMPLES, corpus_folder

from razzstats.known_sites import KNOWN_SITES
from razzstats.parsing import CUTTING, SITES
from razzstats.pipeline import ACCEPTED, read_file
from razzstats.storage import Database

ROOMS = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())


def sessions() -> dict[str, Path]:
    """Return a file of normal play of each room."""
    return {room: sorted((SAMPLES / room).glob("cash-*"))[0] for room in ROOMS}


def test_every_room_that_is_read_has_samples_and_a_number() -> None:
    assert {site.name for site in SITES} == set(ROOMS) == set(KNOWN_SITES)
    for room in ROOMS:
        assert len(list((SAMPLES / room).glob("edge-*"))) >= 2


def test_several_rooms_may_stand_in_one_file(tmp_path: Path) -> None:
    parts, expected = [], Counter[str]()
    for room, file in sessions().items():
        parts.append(file.read_text(encoding="utf-8-sig"))
        expected[room] = sum(outcome.status in ACCEPTED for outcome in read_file(str(file)))
    file = tmp_path / "all.txt"
    for order in (parts, parts[::-1]):
        file.write_text("\n\n".join(order), encoding="utf-8")
        outcomes = list(read_file(str(file)))
        assert {outcome.status for outcome in outcomes} <= ACCEPTED
        found = Counter(outcome.hand_id.site for outcome in outcomes if outcome.hand_id)
        assert found == expected


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_known_by_what_stands_in_the_file(room: str, tmp_path: Path) -> None:
    session = sessions()[room]
    for name in ("PokerStars.txt", "merge.xml", "x"):
        file = tmp_path / name
        file.write_bytes(session.read_bytes())
        sites = {outcome.hand_id.site for outcome in read_file(str(file)) if outcome.hand_id}
        assert sites == {room}


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_every_room_is_read_in_every_encoding(room: str, encoding: str, tmp_path: Path) -> None:
    text = sessions()[room].read_text(encoding="utf-8-sig").replace("\n", "\r\n")
    plain, other = tmp_path / "plain.txt", tmp_path / "other.txt"
    plain.write_text(text, encoding="utf-8", newline="")
    other.write_bytes(text.encode(encoding))
    parsed = [
        [(outcome.status, outcome.parsed) for outcome in read_file(str(file))]
        for file in (plain, other)
    ]
    assert parsed[0] == parsed[1]


@pytest.mark.parametrize("room", ROOMS)
def test_no_line_of_a_hand_begins_a_hand_of_another_room(room: str) -> None:
    for file in (SAMPLES / room).glob("*.*"):
        outcomes = list(read_file(str(file)))
        lines = [line for each in outcomes if each.text for line in each.text.lines]
        first = sum(CUTTING.is_first_line(line) for line in lines)
        assert first == sum(outcome.hand_id is not None for outcome in outcomes)
        assert {outcome.hand_id.site for outcome in outcomes if outcome.hand_id} == {room}


def test_every_real_hand_is_stored_or_left_out_for_a_reason(tmp_path: Path) -> None:
    corpus = corpus_folder()
    run = razzstats("import", corpus, "--db", tmp_path / "razz.duckdb", "--format", "json")
    counts = json.loads(run.out)
    kept = ("hands_seen", "stored", "rejected", "incomplete", "conflicts", "warnings")
    assert [counts[name] for name in kept] == [40, 39, 0, 1, 0, 0]
    assert counts["other_games"] == 64  # of mixes, three of stud high, and one of 2-7 Razz
    with Database.open(tmp_path / "razz.duckdb", read_only=True) as database:
        lost = database.rows(
            """SELECT hand_no FROM hands JOIN (SELECT hid, sum(net) AS net FROM hand_players
            GROUP BY hid) USING (hid) WHERE net <> -rake"""
        )
        by_room = database.rows("SELECT site, count(*) FROM hands GROUP BY site ORDER BY site")
    assert lost == []
    assert by_room == [
        ("fulltilt", 8), ("kingsclub", 1), ("merge", 3), ("phh", 6), ("pokerstars", 20),
        ("winamax", 1),
    ]  # fmt: skip
