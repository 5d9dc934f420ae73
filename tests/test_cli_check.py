"""`razzstats check`: what is wrong with which line, and nothing stored."""

import json
import re
from pathlib import Path

import pytest
from cli import Run, half_a_hand, hand, other_game, razzstats, warned_hand, write, wrong_hand
from hands import SAMPLES

JSON_KEYS = {
    "code", "name", "severity", "message", "file", "line", "column", "end_line", "end_column",
    "hand", "help",
}  # fmt: skip


def check(folder: Path, text: str, *options: str) -> Run:
    write(folder, a=text)
    return razzstats("check", folder / "a.txt", *options)


def test_a_good_file_prints_nothing_but_the_count(tmp_path: Path) -> None:
    run = check(tmp_path, hand())
    assert (run.code, run.out) == (0, "")
    assert run.err == (
        "1 file, 1 Razz hands: 1 good, 0 with warnings, 0 rejected, 0 incomplete; "
        "0 hands of other games\n"
    )


def test_piped_each_finding_is_one_line(tmp_path: Path) -> None:
    run = check(tmp_path, hand(1) + wrong_hand(2) + warned_hand(3) + other_game())
    assert run.code == 1
    file = tmp_path / "a.txt"
    assert run.out == (
        f"{file}:30:1: error[RZ401] Anna brings in, but Ben has the highest door card (Kd)"
        "  (PokerStars #2)\n"
        f"{file}:51:7: warning[RZ408] Anna raises by $0.03 to $0.04; expected by $0.02"
        "  (PokerStars #3)\n"
    )
    assert run.err == (
        "1 file, 3 Razz hands: 1 good, 1 with warnings, 1 rejected, 0 incomplete; "
        "1 hands of other games\n"
    )


def test_in_full_the_proof_is_quoted(tmp_path: Path) -> None:
    run = check(tmp_path, wrong_hand(), "--format", "full")
    assert run.code == 1
    assert run.out == (
        "error[RZ401]: Anna brings in, but Ben has the highest door card (Kd)\n"
        f"  --> {tmp_path}/a.txt:10:1   PokerStars #666\n"
        "   |\n"
        " 9 | Dealt to Ben [Kd]\n"
        "   |              ---- the highest door card\n"
        "10 | Anna: brings in for $0.02\n"
        "   | ^^^^\n"
        "help: the highest door card brings in; equal ranks go by suit, spades highest\n"
        "note: the hand is left out of the statistics; `razzstats explain RZ401` says more\n"
        "\n"
    )


def test_as_json_each_finding_is_an_object_in_a_line(tmp_path: Path) -> None:
    run = check(tmp_path, wrong_hand() + warned_hand(), "--format", "json")
    assert run.code == 1
    first, second = map(json.loads, run.out.splitlines())
    assert first.keys() >= JSON_KEYS
    assert second.keys() >= JSON_KEYS
    assert first == {
        "code": "RZ401",
        "name": "bring-in-wrong-seat",
        "severity": "error",
        "message": "Anna brings in, but Ben has the highest door card (Kd)",
        "file": str(tmp_path / "a.txt"),
        "line": 10,
        "column": 1,
        "end_line": 10,
        "end_column": 5,
        "hand": "666",
        "help": "the highest door card brings in; equal ranks go by suit, spades highest",
    }


# ---- exit codes


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (hand(), (), 0),
        (other_game(), (), 0),
        (warned_hand(), (), 0),
        (warned_hand(), ("--strict",), 1),
        (warned_hand(), ("--strict", "--ignore", "RZ408"), 0),
        (wrong_hand(), (), 1),
        (wrong_hand() + hand(), (), 1),
        (wrong_hand(), ("--ignore", "RZ4"), 0),
        (wrong_hand(), ("--ignore", "rz401, RZ5"), 0),
        (wrong_hand(), ("--ignore", "RZ5"), 1),
        (wrong_hand(), ("--select", "RZ401"), 1),
        (wrong_hand(), ("--select", "RZ5,RZ6"), 0),
        (wrong_hand(), ("--select", "RZ4", "--ignore", "RZ401"), 0),
        (half_a_hand(), (), 1),
        ("", (), 1),
        ("no hand at all\n", (), 1),
        ("what is this\n" + hand(), (), 0),
        ("what is this\n" + hand(), ("--strict",), 1),
    ],
)
def test_the_exit_code_says_whether_a_hand_or_file_was_wrong(
    tmp_path: Path, text: str, options: tuple[str, ...], code: int
) -> None:
    run = check(tmp_path, text, *options)
    assert run.code == code, run


def test_selected_and_ignored_codes_are_what_is_printed(tmp_path: Path) -> None:
    text = wrong_hand(1) + warned_hand(2) + half_a_hand(3)

    def codes(*options: str) -> list[str]:
        run = check(tmp_path, text, "--format", "json", *options)
        return [json.loads(line)["code"] for line in run.out.splitlines()]

    assert codes() == ["RZ401", "RZ408", "RZ102"]
    assert codes("--select", "RZ4") == ["RZ401", "RZ408"]
    assert codes("--select", "RZ102,RZ408") == ["RZ408", "RZ102"]
    assert codes("--ignore", "RZ4") == ["RZ102"]


def test_notes_are_printed_on_demand(tmp_path: Path) -> None:
    quiet, loud = check(tmp_path, other_game(9)), check(tmp_path, other_game(9), "--notes")
    assert quiet.out == ""
    assert loud.out == (
        f"{tmp_path}/a.txt:1:1: note[RZ004] a hand of Hold'em, not Razz  (PokerStars #9)\n"
    )


def test_all_files_are_checked_whatever_one_of_them_is(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1), b="", c="no hand at all\n", d=wrong_hand(2), e=half_a_hand(3))
    (tmp_path / "f.zip").write_bytes(b"PK\x05\x06 no archive")
    run = razzstats("check", tmp_path, tmp_path / "none", tmp_path / "*.nothing")
    assert run.code == 1
    found = [line.split()[:2] for line in run.out.splitlines()]
    assert found == [
        [f"{tmp_path}/b.txt:1:1:", "warning[RZ005]"],
        [f"{tmp_path}/c.txt:1:1:", "error[RZ003]"],
        [f"{tmp_path}/d.txt:10:1:", "error[RZ401]"],
        [f"{tmp_path}/e.txt:11:1:", "error[RZ102]"],
        [f"{tmp_path}/f.zip:1:1:", "error[RZ003]"],
        [f"{tmp_path}/none:1:1:", "error[RZ001]"],
        [f"{tmp_path}/*.nothing:1:1:", "error[RZ001]"],
    ]
    assert run.err == (
        "8 files, 3 Razz hands: 1 good, 0 with warnings, 1 rejected, 1 incomplete; "
        "0 hands of other games; 5 files failed\n"
    )


def test_the_samples_are_clean() -> None:
    for room in sorted(path for path in SAMPLES.iterdir() if path.is_dir()):
        run = razzstats("check", room, "--strict")
        # One sample of KingsClub shows winnings that no line tells, which is a warning.
        expected = ["RZ507"] if room.name == "kingsclub" else []
        assert re.findall(r"RZ[0-9]+", run.out) == expected
        assert run.code == len(expected)


# ---- dumps


def test_a_dump_tells_each_hand_and_why_it_was_rejected(tmp_path: Path) -> None:
    run = check(tmp_path, other_game() + wrong_hand(666), "--dump")
    assert run.code == 1
    assert run.out == (
        "PokerStars #666, 2026-01-09 19:00:00 UTC\n"
        "Razz $0.04/$0.08, ante $0.01, bring-in $0.02, table Halley 666\n"
        "\n"
        "Antes\n"
        "  1 Anna  posts the ante $0.01\n"
        "  3 Ben   posts the ante $0.01\n"
        "\n"
        "Third street, pot $0.02\n"
        "  1 Anna  [2c 3d 4h]\n"
        "  3 Ben   [xx xx Kd]\n"
        "\n"
        "As far as it could be followed, pot $0.02\n"
        "  1 Anna  in $0.01  out $0  net -$0.01  [2c 3d 4h]  to third street\n"
        "  3 Ben   in $0.01  out $0  net -$0.01  [xx xx Kd]  to third street\n"
        "\n"
        "Diagnostics\n"
        f"  {tmp_path}/a.txt:15:1: error[RZ401] Anna brings in, but Ben has the highest door card "
        "(Kd)  (PokerStars #666)\n"
        "\n"
    )


def test_a_dump_of_a_hand_that_breaks_off_tells_where(tmp_path: Path) -> None:
    run = check(tmp_path, half_a_hand(102), "--dump")
    assert run.code == 1
    found = f"{tmp_path}/a.txt:11:1: error[RZ102] the hand breaks off; expected a player action"
    assert run.out.startswith(f"PokerStars #102\n\nDiagnostics\n  {found}")


def test_a_dump_names_files_that_hold_no_hand(tmp_path: Path) -> None:
    run = check(tmp_path, "", "--dump")
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith(f"{tmp_path}/a.txt:1:1: warning[RZ005] the file is empty\n")
