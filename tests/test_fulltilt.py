"""Full Tilt's texts: real hands, every quirk of the room, random hands, damages and odd names."""

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import playouts
import pytest
from hands import (
    SAMPLES,
    Checked,
    Facts,
    check,
    check_file,
    clean,
    concise,
    corpus_folder,
    differences,
    hand_text,
    hands_of,
    results,
    text_files,
)
from line_damages import LineDamage, changed_line, moved_lines
from playouts import CASH, CHIPS, random_playout
from room_fulltilt import is_shown_early, render
from syntax_cases import load

from razzstats.diagnostics import codes
from razzstats.events import Note, Seat
from razzstats.locations import HandText
from razzstats.parsing import parse_hand
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import ActionKind

SYNTAX = load("fulltilt")
HANDS: dict[str, str] = SYNTAX["hands"]
CASES: list[dict[str, Any]] = SYNTAX["case"]
SAMPLE_FILES = text_files(SAMPLES / "fulltilt")
QUICK_DAMAGES = 1_000


def nets(checked: Checked) -> dict[int, int]:
    assert checked.replayed, checked.explained()
    return {result.seat: result.net for result in checked.replayed.results}


# ---- real hands


@pytest.fixture(scope="module")
def corpus() -> dict[str, Checked]:
    files = text_files(corpus_folder("fulltilt"))
    hands = [checked for file in files for checked in check_file(file)]
    return {checked.parsed.hand_id.number: checked for checked in hands if checked.parsed}


REAL_HANDS = [  # pot, rake, who brings in, what each seat won or lost: added up by hand
    ("29705691274", 350, 0, 6, {1: -40, 2: 235, 4: -40, 5: -40, 6: -115}),
    ("29705698182", 2275, 100, 2, {1: 1135, 2: -115, 4: -40, 5: -40, 6: -1040}),
    ("29705718811", 350, 0, 5, {1: -40, 2: 235, 4: -40, 5: -115, 6: -40}),
    ("29705726470", 1275, 0, 1, {1: -115, 2: -540, 4: 735, 5: -40, 6: -40}),
    ("29705740757", 350, 0, 5, {1: 235, 2: -40, 4: -40, 5: -115, 6: -40}),
    ("26190453000", 117, 5, 5, {1: -2, 2: -2, 3: -2, 4: -22, 5: -5, 7: -42, 8: 70}),
    ("26190500040", 43, 2, 8, {1: -15, 2: -2, 3: -5, 4: -2, 5: -2, 7: -2, 8: 26}),
    ("31349767778", 12, 0, None, {1: -6, 2: 6}),
]


def test_every_real_hand_is_read_without_a_word(corpus: dict[str, Checked]) -> None:
    told = [found for checked in corpus.values() for found in checked.diagnostics]
    assert not told, concise(told)
    assert sorted(corpus) == sorted(number for number, *_ in REAL_HANDS)


@pytest.mark.parametrize(("number", "pot", "rake", "bring_in", "won"), REAL_HANDS)
def test_a_real_hand_comes_to_what_its_text_adds_up_to(
    corpus: dict[str, Checked],
    number: str,
    pot: int,
    rake: int,
    bring_in: int | None,
    won: dict[int, int],
) -> None:
    hand = corpus[number].replayed
    assert hand
    assert (hand.pot, hand.rake, hand.bring_in_seat) == (pot, rake, bring_in)
    assert (hand.parsed.summary.pot, hand.parsed.summary.rake) == (pot, rake)
    assert nets(corpus[number]) == won
    assert sum(won.values()) == -rake


def test_the_heads_of_real_hands(corpus: dict[str, Checked]) -> None:
    told = {}
    for number in ("29705691274", "26190453000", "31349767778"):
        hand = corpus[number].parsed
        assert hand
        played_at = hand.played_at and hand.played_at.isoformat()
        told[number] = (played_at, hand.table, hand.max_seats, hand.stakes.ante, hand.hero)
    assert told == {
        "29705691274": ("2011-04-07T18:40:04+00:00", "Jackrabbit", 6, 40, 6),
        "26190453000": ("2010-12-07T09:10:10+00:00", "Mart", 8, 2, 1),
        "31349767778": ("2012-11-09T00:53:37+00:00", "1", 2, 7, 1),
    }
    sit_and_go = corpus["31349767778"].parsed
    assert sit_and_go
    assert sit_and_go.tournament
    assert (sit_and_go.tournament.number, sit_and_go.tournament.buy_in) == ("243603038", "$200")


def test_the_real_files_in_utf_16_end_in_half_a_character() -> None:
    odd = [file for file in text_files(corpus_folder("fulltilt")) if file.stat().st_size % 2]
    marked = [file for file in odd if file.read_bytes().startswith(codecs.BOM_UTF16_LE)]
    assert len(marked) == 2


def test_a_real_hand_that_breaks_off_is_told(corpus: dict[str, Checked]) -> None:
    for checked in corpus.values():
        lines = [line for line in checked.text.lines if line.strip()]
        for number in range(
            1, len(lines) - len(checked.parsed.summary.seats if checked.parsed else ())
        ):
            part = HandText("hand.txt", 1, tuple(lines[:number]), True, last_in_file=True)
            assert check(part).codes == ["truncated-hand"], lines[number - 1]


# ---- the quirks of the room


def changed(case: dict[str, Any]) -> str:
    text = HANDS[case.get("hand", "cash")].strip("\n")
    for old, new in case["changes"]:
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("name", sorted(HANDS))
def test_the_hands_are_without_fault_before_they_are_changed(name: str) -> None:
    clean(HANDS[name])


@pytest.mark.parametrize(
    "case", [case for case in CASES if "facts" in case], ids=lambda case: case["id"]
)
def test_a_quirk_is_understood(case: dict[str, Any]) -> None:
    checked = check(changed(case))
    facts = case["facts"]
    if {"nets", "lows", "cards", "showdown"} & facts.keys():
        assert not checked.diagnostics, checked.explained()
    told = facts_of(checked)
    for name, expected in facts.items():
        if isinstance(expected, dict):
            expected = {int(seat): value for seat, value in expected.items()}
        assert told[name] == expected, name


def facts_of(checked: Checked) -> dict[str, Any]:
    hand, replayed = checked.parsed, checked.replayed
    assert hand, checked.explained()
    assert replayed
    hero = replayed.hero
    return {
        "number": hand.hand_id.number,
        "played_at": hand.played_at and hand.played_at.isoformat(),
        "table": hand.table,
        "max_seats": hand.max_seats,
        "currency": hand.stakes.money.currency,
        "small_bet": hand.stakes.small_bet,
        "big_bet": hand.stakes.big_bet,
        "ante": hand.stakes.ante,
        "tournament": hand.tournament and hand.tournament.number,
        "buy_in": hand.tournament and hand.tournament.buy_in,
        "sitting_out": [player.seat for player in hand.players if player.sitting_out],
        "notes": [event.text for event in hand.events if isinstance(event, Note)][:2],
        "hero": hand.hero,
        "dealt_in": [result.seat for result in replayed.results],
        "nets": {result.seat: result.net for result in replayed.results},
        "showdown": [result.seat for result in replayed.results if result.showdown],
        "lows": {result.seat: str(result.low) for result in replayed.results},
        "cards": hero and " ".join(map(str, hero.cards)),
        "up_cards": hero and " ".join(map(str, hero.up_cards)),
    }


@pytest.mark.parametrize(
    "case", [case for case in CASES if "code" in case], ids=lambda case: case["id"]
)
def test_what_cannot_be_is_told_with_its_place(case: dict[str, Any]) -> None:
    text = changed(case)
    checked = check(text)
    assert checked.diagnostics, "nothing was noticed"
    found = checked.diagnostics[0]
    assert found.code.name == case["code"], checked.explained()
    assert found.span
    if "marks" in case:
        line = text.split("\n")[found.span.line - 1]
        assert line[found.span.column - 1 : found.span.end_column - 1] == case["marks"]
    if "game" in case:
        assert case["game"] in found.message


def test_every_case_has_a_name_of_its_own_and_says_where_it_is_from() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert all(case["source"] and ("facts" in case) != ("code" in case) for case in CASES)
    told = {int(n) for case in CASES for n in re.findall(r"formats 4\.3\.([0-9]+)", case["source"])}
    assert told == {*range(1, 12)} - {3}  # 3, the file's name, is below


@pytest.mark.parametrize(
    ("name", "mix"),
    [
        ("FT20110407 Alder (6 max) - $0.10-$0.20 - 10-Game - Limit Razz.txt", "10-Game"),
        ("FT20110407 Alder - HORSE - Limit Razz.txt", "HORSE"),
        ("FT20110407 Alder - HOSE - Limit Razz.txt", "HOSE"),
        ("archive.zip:year - 8-Game - x/FT20110407 Alder - Limit Razz.txt", None),
        ("FT20110407 HORSE.txt", None),
    ],
)
def test_a_mix_stands_in_the_name_of_the_file(name: str, mix: str | None) -> None:
    lines = hand_text(HANDS["cash"]).lines
    hand = parse_hand(HandText(name, 1, lines)).value
    assert hand
    assert hand.mixed_game == mix


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_file_in_utf_16_with_blank_lines_and_half_a_character(tmp_path: Path, ends: str) -> None:
    both = f"{HANDS['cash']}\n\n{HANDS['all_in']}".strip("\n") + "\n"
    file = tmp_path / "hands.txt"
    text = both.replace("\n", ends * 2)
    file.write_bytes(codecs.BOM_UTF16_LE + text.encode("utf-16-le") + b"\n")
    one, other = check_file(file)
    assert nets(one) == nets(check(HANDS["cash"]))
    assert nets(other) == nets(check(HANDS["all_in"]))
    assert not one.diagnostics + other.diagnostics


# ---- the samples


@pytest.mark.parametrize("file", SAMPLE_FILES, ids=lambda file: file.name)
def test_a_sample_is_read_without_an_error_and_no_chip_is_lost(file: Path) -> None:
    razz = [checked for checked in check_file(file) if checked.codes != [codes.OTHER_GAME.name]]
    assert razz
    for checked in razz:
        assert not checked.diagnostics, checked.explained()
        assert checked.replayed
        assert sum(nets(checked).values()) == -checked.replayed.rake


def test_equal_lows_share_the_pot() -> None:
    tie = check_file(SAMPLES / "fulltilt" / "cash-0.50-1-six-max.txt")[4]
    assert nets(tie) == {1: -25, 2: 23, 3: -10, 4: -10, 5: 22, 6: -10}


def test_pots_and_side_pots_are_told_apart() -> None:
    (checked,) = check_file(SAMPLES / "fulltilt" / "edge-side-pots.txt")
    assert checked.replayed
    assert [pot.amount for pot in checked.replayed.pots] == [199, 228, 22]
    assert nets(checked) == {2: -106, 3: -128, 4: -35, 5: 111, 7: 158}


# ---- random hands


def without_reveals(facts: Facts) -> Facts:
    # Where hands are turned up early, all of them are, and nobody mucks.
    others = facts["other actions",]
    reveals = (ActionKind.SHOW, ActionKind.MUCK)
    return facts | {("other actions",): [action for action in others if action[1] not in reveals]}


def compare(seed: int, deep: bool) -> bool:
    """Play a hand and read it in both rooms' words; return whether its hands were shown early."""
    hand = random_playout(seed, stakes=CASH if seed % 2 else CHIPS, deep=deep)
    found = results(clean(render(hand, seed + 1)))
    expected = results(clean(playouts.render(hand, seed + 1)))
    early = is_shown_early(hand)
    if early:
        found, expected = without_reveals(found), without_reveals(expected)
    assert not differences(found, expected), seed
    return early


def test_random_hands_come_out_as_in_the_words_of_pokerstars() -> None:
    early = [compare(seed, deep=seed % 3 == 0) for seed in range(150)]
    assert 40 < sum(early) < 110


@pytest.mark.slow
def test_many_random_hands_come_out_as_in_the_words_of_pokerstars() -> None:
    for seed in range(1_000, 4_000):
        compare(seed, deep=seed % 3 == 0)


# ---- damages

AMOUNT = re.compile(r"(?<![\w#.,:'-])([$€]?)([0-9]+(?:,[0-9]{3})*)(\.[0-9]+)?(?![\w:]|[.,][0-9])")


def damages(lines: Sequence[str]) -> Iterator[LineDamage]:
    yield from moved_lines(lines)
    for index, line in enumerate(lines):
        yield from changed_line(lines, index, with_other_amounts(line))


def with_other_amounts(line: str) -> Iterator[str]:
    for match in AMOUNT.finditer(line):
        for amount in other_amounts(match):
            yield line[: match.start()] + amount + line[match.end() :]


SHOWN_TWICE = {
    "15200440201": "shown before fourth street and at the end",
    "15200441001": "shown before sixth street and at the end",
    "15200441201": "shown before fifth street and at the end",
}
"""Hands in which one of two shows of the same cards may be missing, and nothing follows from it."""


def other_amounts(match: re.Match[str]) -> list[str]:
    sign, cents = match[1], bool(match[1] or match[3])
    value = round(float(match[2].replace(",", "") + (match[3] or "")) * (100 if cents else 1))
    others = [value + 1, value - 1, value * 10] if value else [1]
    return [f"{sign}{n // 100}.{n % 100:02}" if cents else str(n) for n in others]


def judge(base: ReplayedHand, pieces: Sequence[Checked]) -> str:
    if any(piece.diagnostics for piece in pieces):
        return "noticed"
    (piece,) = pieces
    assert piece.replayed
    expected, found = results(base), results(piece.replayed)
    if base.parsed.hand_id.number in SHOWN_TWICE:
        expected, found = without_reveals(expected), without_reveals(found)
    assert not differences(expected, found)
    return "same"


def try_damages(folder: Path, share: int) -> None:
    """Try one of ``share`` damages of every sample hand, others for each hand."""
    file, outcomes = folder / "damaged.txt", Counter[str]()
    hands = [hand for sample in SAMPLE_FILES for hand in hands_of(sample)]
    for number, hand in enumerate(hands):
        checked = check(hand)
        if not checked.is_clean or checked.replayed is None:
            continue
        for damage in [*damages(hand.lines)][number % share :: share]:
            file.write_text("\n".join(damage.lines) + "\n", encoding="utf-8")
            try:
                outcomes[judge(checked.replayed, check_file(file))] += 1
            except Exception as error:
                error.add_note(f"{hand.lines[0]}\n{damage}")
                raise
    print(outcomes)
    assert outcomes["noticed"] > outcomes["same"]


def test_a_damage_to_a_sample_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    try_damages(tmp_path, 7)


@pytest.mark.slow
def test_every_damage_to_a_sample_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    try_damages(tmp_path, 1)


# ---- names

HOSTILE_NAMES = [
    "Kit folds", "folds", "antes $4", "wins the pot ($1)", "x [Kh] [2d]", "[Kh]", "a: b", "$5",
    "($5)", "Seat 1", "Seat 1: Ida", "*** 4TH STREET ***", "*** SUMMARY ***", "Dealt to Joss",
    "mucks", "Uncalled bet of $1 returned to Joss", "Total pot $1 | Rake $0", "is sitting out", "J",
    "Jos", "Board: [Kh]", "Hand #1 has been canceled", "Ante of $0.02 returned to Joss", "é😀",
    "'; --",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.parametrize("who", ["Ida", "Kit"])
def test_a_name_is_never_taken_for_a_line(name: str, who: str) -> None:
    text = re.sub(rf"\b{who}\b", lambda _: name, HANDS["cash"])
    hand = clean(text)
    assert {result.seat: result.net for result in hand.results} == {1: 70, 2: -72, 5: -5}
    seat = Seat(1 if who == "Ida" else 5)
    assert next(player.name for player in hand.parsed.players if player.seat == seat) == name
