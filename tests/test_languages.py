"""Hands that the client wrote in another language are told, named and kept, never misread."""

from pathlib import Path
from typing import Any

import pytest
from cli import hand, razzstats, write
from hands import check, check_file, clean, hand_text, hands_of
from syntax_cases import HANDS, load

from razzstats.locations import HandText
from razzstats.parsing import CUTTING, Kind, read_heading
from razzstats.parsing.sites.pokerstars import LANGUAGES
from razzstats.storage import Database

RAZZ, OTHER = load("languages")["razz"], load("languages")["other"]
PORTUGUESE, FRENCH = RAZZ[0], RAZZ[3]

LIKE_FIRST_LINES = [
    "Mão PokerStars",
    "Mão PokerStars # 1:",
    "Mao PokerStars #1: Razz",
    " Mão PokerStars #1: Razz",
    "Mano n.º 1 de Ana: Razz",
    "Main PokerStars",
    "Main PokerStars n° 1 Razz",
    "Раздача PokerStars",
    "PokerStars Παρτίδα",
    "PokerStars Hand Nr. x: Razz",
    "PokerStars hand number 1: Razz",
]


def translated(case: dict[str, Any], number: int) -> str:
    """Return a hand of Razz with this first line; its other lines are never looked at."""
    _, _, rest = hand(number).partition("\n")
    return f"{case['line']}\n{rest}"


def told(case: dict[str, Any]) -> str:
    return (
        f"the hand is written in {case['language']}; set the client's hand-history language to"
        " English"
    )


# ---- what is told


@pytest.mark.parametrize("case", RAZZ, ids=lambda case: case["id"])
def test_a_hand_in_another_language_is_refused_by_its_name(case: dict[str, Any]) -> None:
    checked = check(translated(case, 101))
    assert checked.parsed is None
    assert checked.codes == ["malformed-header"]
    (found,) = checked.diagnostics
    assert found.message == told(case)
    assert found.hand_id == ("pokerstars", case["number"])
    assert found.span is not None
    assert (found.span.line, found.span.column) == (1, 1)


@pytest.mark.parametrize("case", OTHER, ids=lambda case: case["id"])
def test_another_game_in_another_language_is_only_noted(case: dict[str, Any]) -> None:
    checked = check(translated(case, 101))
    assert checked.codes == ["other-game"]
    assert checked.diagnostics[0].message == f"a hand of {case['game']}, not Razz"
    assert checked.diagnostics[0].hand_id == ("pokerstars", case["number"])


def test_every_language_has_its_cases() -> None:
    assert {case["language"] for case in RAZZ} == {language.name for language in LANGUAGES}


def test_a_first_line_belongs_to_one_language() -> None:
    for case in RAZZ:
        found = [each.name for each in LANGUAGES if each.first_line.match(case["line"])]
        assert found == [case["language"]]


@pytest.mark.parametrize("name", sorted(HANDS))
def test_a_hand_in_english_is_in_none_of_them(name: str) -> None:
    heading = read_heading(hand_text(HANDS[name]))
    assert heading is not None
    assert heading.kind is Kind.RAZZ
    assert not any(language.first_line.match(HANDS[name].strip()) for language in LANGUAGES)


@pytest.mark.parametrize("line", LIKE_FIRST_LINES)
def test_a_line_that_only_looks_like_one_begins_no_hand(line: str) -> None:
    assert read_heading(HandText("hand.txt", 1, (line,))) is None
    assert not CUTTING.is_first_line(line)


@pytest.mark.parametrize("case", RAZZ, ids=lambda case: case["id"])
def test_who_quotes_a_first_line_begins_no_hand(case: dict[str, Any], tmp_path: Path) -> None:
    quoting = HANDS["showdown"].replace(
        "Carla: folds", f'Carla: folds\nCarla said, "{case["line"]}"'
    )
    clean(quoting)
    file = tmp_path / "chat.txt"
    file.write_text(quoting, encoding="utf-8")
    assert [checked.is_clean for checked in check_file(file)] == [True]


# ---- among other hands


def test_its_neighbours_are_read_as_if_it_were_not_there(tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    texts = [hand(101)]
    for number, case in enumerate([*RAZZ, *OTHER], start=102):
        texts += [translated(case, 100), hand(number)]
    file.write_text("".join(texts), encoding="utf-8")
    found = check_file(file)
    assert [checked.is_clean for checked in found] == [n % 2 == 0 for n in range(len(texts))]


def test_the_separators_of_an_export_are_no_part_of_the_next_hand(tmp_path: Path) -> None:
    file = tmp_path / "export.txt"
    text = translated(PORTUGUESE, 100) + "*********** # 2 **************\n" + hand(102)
    file.write_text(text, encoding="utf-8")
    assert [checked.is_clean for checked in check_file(file)] == [False, True]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("case", [PORTUGUESE, FRENCH], ids=lambda case: case["language"])
def test_it_is_told_in_every_encoding_of_files(
    case: dict[str, Any], encoding: str, tmp_path: Path
) -> None:
    file = tmp_path / "hands.txt"
    file.write_bytes(translated(case, 100).encode(encoding))
    (found,) = hands_of(file)
    assert check(found).diagnostics[0].hand_id == ("pokerstars", case["number"])


@pytest.mark.parametrize("case", RAZZ, ids=lambda case: case["id"])
def test_whatever_is_left_of_it_is_never_taken_for_a_hand(
    case: dict[str, Any], tmp_path: Path
) -> None:
    lines, file = translated(case, 100).splitlines(), tmp_path / "damaged.txt"
    texts = ["\n".join(lines[:index] + lines[index + 1 :]) for index in range(len(lines))]
    texts += ["\n".join([*lines[:index], lines[index], *lines[index:]]) for index in range(4)]
    texts += [case["line"][:length] for length in range(1, len(case["line"]))]
    for text in texts:
        file.write_text(text, encoding="utf-8")
        for checked in check_file(file):
            assert checked.parsed is None, text
            assert checked.codes in (["malformed-header"], ["stray-text"]), text


# ---- on the command line


def test_its_text_is_kept_among_the_rejected(tmp_path: Path) -> None:
    file, db = tmp_path / "hands.txt", tmp_path / "razz.duckdb"
    text = translated(PORTUGUESE, 100)
    file.write_text(hand(101) + text + translated(OTHER[0], 100), encoding="utf-8")
    run = razzstats("import", file, "--db", db)
    assert "1 stored, 0 known already, 0 in conflict, 1 rejected" in run.out
    assert "; 1 hand" in run.out
    assert told(PORTUGUESE) in run.err
    with Database.open(db, read_only=True) as database:
        ((kept,),) = database.rows("SELECT text FROM rejected")
    assert kept.strip() == text.strip()


def test_a_folder_of_such_hands_is_not_called_unknown(tmp_path: Path) -> None:
    write(tmp_path, **{case["language"]: translated(case, 100) for case in RAZZ})
    run = razzstats("check", tmp_path)
    assert run.code == 1
    assert run.out.count("error[RZ105]") == len(LANGUAGES)
    assert "RZ003" not in run.out + run.err
