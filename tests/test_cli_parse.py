"""`razzstats parse`: each hand of Razz as one JSON object, with the keys that scripts rely on."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli import half_a_hand, hand, other_game, razzstats, warned_hand, write, wrong_hand
from hands import SAMPLES, corpus_folder

# The outward contract: other keys may be added, these stay.
HAND_KEYS = {
    "site": str, "hand_id": str, "played_at": str, "game": str, "table": str, "tournament": str,
    "currency": str, "unit": int, "ante": int, "bring_in": int, "small_bet": int, "big_bet": int,
    "hero": int, "bring_in_seat": int, "pot": int, "rake": int, "status": str, "diagnostics": list,
    "players": list, "actions": list,
}  # fmt: skip
MAY_BE_NULL = {"played_at", "tournament", "hero", "bring_in_seat"}
PLAYER_KEYS = {
    "seat": int, "name": str, "stack": int, "cards": list, "door": str, "contributed": int,
    "collected": int, "net": int, "last_street": int, "showdown": bool, "all_in": bool, "low": str,
}  # fmt: skip
ACTION_KEYS = {
    "street": int, "seat": int, "kind": str, "amount": int, "to": int, "all_in": bool,
}  # fmt: skip
DIAGNOSTIC_KEYS = {
    "code": str, "name": str, "severity": str, "message": str, "line": int, "column": int,
}  # fmt: skip
KINDS = {
    "ante", "bring-in", "fold", "check", "call", "complete", "bet", "raise", "return", "show",
    "muck", "collect",
}  # fmt: skip
CARDS = {rank + suit for rank in "A23456789TJQK" for suit in "cdhs"}


def parsed(*paths: Path, code: int = 0) -> list[dict[str, Any]]:
    run = razzstats("parse", *paths)
    assert run.code == code, run
    return [json.loads(line) for line in run.out.splitlines()]


def check_types(found: dict[str, Any], keys: dict[str, type], nullable: set[str]) -> None:
    for key, kind in keys.items():
        value = found[key]
        if value is None:
            assert key in nullable, key
        else:
            assert type(value) is kind, (key, value)


def check_contract(found: dict[str, Any]) -> None:
    """An accepted hand must hold what the contract says, in whole numbers that add up."""
    check_types(found, HAND_KEYS, MAY_BE_NULL)
    assert found["game"] == "razz"
    assert found["status"] in ("ok", "warning")
    for player in found["players"]:
        check_types(player, PLAYER_KEYS, {"low"})
        assert {*player["cards"]} <= CARDS | {None}
        assert 3 <= len(player["cards"]) <= 7
        assert player["cards"][2] == player["door"]
        assert player["net"] == player["collected"] - player["contributed"]
        assert player["last_street"] in range(3, 8)
        assert player["low"] is None or player["showdown"]
    for action in found["actions"]:
        check_types(action, ACTION_KEYS, {"to"})
        assert action["kind"] in KINDS
        assert (action["to"] is not None) == (action["kind"] in ("complete", "bet", "raise"))
    for diagnostic in found["diagnostics"]:
        check_types(diagnostic, DIAGNOSTIC_KEYS, set())
    seats = [player["seat"] for player in found["players"]]
    assert seats == sorted(seats)
    assert sum(player["contributed"] for player in found["players"]) == found["pot"]
    assert sum(player["net"] for player in found["players"]) == -found["rake"]


def test_a_hand_is_told_in_whole(tmp_path: Path) -> None:
    write(tmp_path, a=hand(101))
    (found,) = parsed(tmp_path / "a.txt")
    names = ("seat", "kind", "amount", "to")
    actions = [tuple(action.pop(name) for name in names) for action in found.pop("actions")]
    assert actions == [
        (1, "ante", 1, None),
        (3, "ante", 1, None),
        (3, "bring-in", 2, None),
        (1, "complete", 4, 4),
        (3, "fold", 0, None),
        (1, "return", 2, None),
        (1, "collect", 6, None),
    ]
    nobody: dict[str, Any] = {
        "stack": 200, "last_street": 3, "showdown": False, "all_in": False, "low": None,
    }  # fmt: skip
    assert found == {
        "site": "pokerstars",
        "hand_id": "101",
        "played_at": "2026-01-09T19:00:00+00:00",
        "game": "razz",
        "table": "Halley 101",
        "tournament": None,
        "currency": "USD",
        "unit": 2,
        "ante": 1,
        "bring_in": 2,
        "small_bet": 4,
        "big_bet": 8,
        "hero": 1,
        "bring_in_seat": 3,
        "pot": 6,
        "rake": 0,
        "status": "ok",
        "diagnostics": [],
        "players": [
            {
                "seat": 1, "name": "Anna", "cards": ["2c", "3d", "4h"], "door": "4h",
                "contributed": 3, "collected": 6, "net": 3, **nobody,
            },
            {
                "seat": 3, "name": "Ben", "cards": [None, None, "Kd"], "door": "Kd",
                "contributed": 3, "collected": 0, "net": -3, **nobody,
            },
        ],
        "file": str(tmp_path / "a.txt"),
        "line": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "sample", sorted((SAMPLES / "pokerstars").glob("*.txt")), ids=lambda path: path.stem
)
def test_the_samples_keep_the_contract(sample: Path) -> None:
    found = parsed(sample)
    assert found
    for each in found:
        check_contract(each)


def test_the_real_hands_keep_the_contract() -> None:
    found = parsed(corpus_folder("pokerstars"))
    assert len(found) == 20
    for each in found:
        check_contract(each)
        assert each["status"] == "ok"


def test_hands_come_in_the_order_of_the_file_and_other_games_do_not(tmp_path: Path) -> None:
    write(tmp_path, a=hand(3) + other_game() + hand(1) + hand(2), b=hand(9), c=other_game())
    found = parsed(tmp_path)
    assert [each["hand_id"] for each in found] == ["3", "1", "2", "9"]
    assert [each["line"] for each in found] == [1, 26, 46, 1]


def test_a_rejected_hand_is_told_as_far_as_it_is_known(tmp_path: Path) -> None:
    write(tmp_path, a=wrong_hand(666))
    (found,) = parsed(tmp_path / "a.txt")
    assert HAND_KEYS.keys() <= found.keys()
    assert (found["status"], found["hand_id"], found["big_bet"]) == ("rejected", "666", 8)
    assert found["diagnostics"] == [
        {
            "code": "RZ401",
            "name": "bring-in-wrong-seat",
            "severity": "error",
            "message": "Anna brings in, but Ben has the highest door card (Kd)",
            "line": 10,
            "column": 1,
        }
    ]
    assert [player["door"] for player in found["players"]] == ["4h", "Kd"]
    assert [action["kind"] for action in found["actions"]] == ["ante", "ante"]


def test_a_hand_with_a_warning_says_so(tmp_path: Path) -> None:
    write(tmp_path, a=warned_hand())
    (found,) = parsed(tmp_path / "a.txt")
    check_contract(found)
    assert found["status"] == "warning"
    assert [each["code"] for each in found["diagnostics"]] == ["RZ408"]


def test_a_hand_that_breaks_off_is_told_by_its_number(tmp_path: Path) -> None:
    write(tmp_path, a=half_a_hand(102))
    (found,) = parsed(tmp_path / "a.txt")
    assert HAND_KEYS.keys() <= found.keys()
    assert (found["hand_id"], found["status"]) == ("102", "rejected")
    assert [each["code"] for each in found["diagnostics"]] == ["RZ102"]
    assert (found["players"], found["actions"]) == ([], [])


def test_wrong_files_are_named_and_the_others_are_parsed(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1), b="", c="no hand at all\n", d=hand(2))
    run = razzstats("parse", tmp_path, tmp_path / "none.txt")
    assert run.code == 1
    assert [json.loads(line)["hand_id"] for line in run.out.splitlines()] == ["1", "2"]
    assert run.err == (
        f"{tmp_path}/b.txt:1:1: warning[RZ005] the file is empty\n"
        f"{tmp_path}/c.txt:1:1: error[RZ003] no hand of a known room begins in this file\n"
        f"{tmp_path}/none.txt:1:1: error[RZ001] the file cannot be read: "
        "there is no such file or folder\n"
        "5 files, 2 hands of Razz printed\n"
    )


def test_nothing_is_stored(tmp_path: Path) -> None:
    write(tmp_path, a=hand())
    variables = {"RAZZSTATS_DB": str(tmp_path / "razz.duckdb"), "HOME": str(tmp_path)}
    assert razzstats("parse", tmp_path / "a.txt", variables=variables).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_standard_input_is_a_file_like_others(tmp_path: Path) -> None:
    run = razzstats("parse", "-", stdin=(hand(7) + hand(8)).encode())
    assert (run.code, run.err) == (0, "1 file, 2 hands of Razz printed\n")
    assert [json.loads(line)["hand_id"] for line in run.out.splitlines()] == ["7", "8"]


def test_other_encodings_give_the_same_hands(tmp_path: Path) -> None:
    text = hand(1, name="Zoë")
    for name, encoding in (("a", "utf-8-sig"), ("b", "utf-16"), ("c", "cp1252"), ("d", "utf-8")):
        (tmp_path / f"{name}.txt").write_bytes(text.replace("\n", "\r\n").encode(encoding))
    found = parsed(tmp_path)
    assert [each["players"][0]["name"] for each in found] == ["Zoë"] * 4
