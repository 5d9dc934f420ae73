"""`razzstats simulate`: the same hands for the same seed, and legal ones."""

import json
from pathlib import Path

import pytest
from cli import razzstats


def simulate(out: Path, *options: str | int) -> bytes:
    run = razzstats("simulate", *map(str, options), "--out", out)
    assert (run.code, run.out) == (0, "")
    return out.read_bytes()


def test_the_same_seed_gives_the_same_hands_and_another_others(tmp_path: Path) -> None:
    options = ("--hands", 30, "--players", 5, "--seed")
    first, again, other = (
        simulate(tmp_path / f"{name}.txt", *options, seed)
        for name, seed in (("a", 7), ("b", 7), ("c", 8))
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize("players", range(2, 9))
def test_simulated_hands_are_legal(tmp_path: Path, players: int) -> None:
    file = tmp_path / "simulated.txt"
    simulate(file, "--hands", 25, "--players", players, "--seed", players)
    check = razzstats("check", file, "--strict", "--notes", "--ignore", "RZ506")
    assert (check.code, check.out) == (0, "")
    assert check.err.startswith("1 file, 25 Razz hands: 25 good, ")
    hands = [json.loads(line) for line in razzstats("parse", file).out.splitlines()]
    assert len({hand["hand_id"] for hand in hands}) == 25
    assert max(len(hand["players"]) for hand in hands) == players


def test_what_was_written_is_a_remark(tmp_path: Path) -> None:
    out = tmp_path / "a.txt"
    run = razzstats("simulate", "--hands", "3", "--out", out)
    assert (run.code, run.out, run.err) == (0, "", f"wrote 3 hands to {out}\n")


@pytest.mark.parametrize(
    "options",
    [
        ("--hands", "0"),
        ("--hands", "-1"),
        ("--hands", "many"),
        ("--players", "1"),
        ("--players", "9"),
        ("--seed", "x"),
    ],
)
def test_wrong_numbers_are_refused_before_anything_is_written(
    tmp_path: Path, options: tuple[str, str]
) -> None:
    run = razzstats("simulate", *options, "--out", tmp_path / "a.txt")
    assert (run.code, run.out) == (2, "")
    assert f"Invalid value for '{options[0]}'" in run.sentence
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for out, reason in (
        (tmp_path, "Is a directory"),
        (tmp_path / "none" / "a.txt", "No such file or directory"),
    ):
        run = razzstats("simulate", "--hands", "1", "--out", out)
        assert (run.code, run.err) == (2, f"razzstats: {out} cannot be written: {reason}\n")


def test_sessions_of_other_seeds_can_be_imported_together(tmp_path: Path) -> None:
    for seed in (1, 2):
        simulate(tmp_path / f"{seed}.txt", "--hands", 5, "--seed", seed)
    run = razzstats("import", tmp_path, "--db", tmp_path / "hands.duckdb", "--format", "json")
    assert json.loads(run.out)["stored"] == 10
