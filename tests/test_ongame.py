"""OnGame: what its lines say, what they leave unsaid, and what cannot be read.

There is no Razz hand of this room among the real ones. Which forms of lines are proven by its
other games stands beside each row of tests/syntax/ongame.toml.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import playouts
import pytest
import room_ongame
from hands import (
    SAMPLES,
    Checked,
    check,
    check_file,
    clean,
    differences,
    hand_text,
    results,
    text_files,
)
from line_damages import LineDamage, changed_line, moved_lines
from playouts import CASH, CHIPS, Playout, random_playout
from syntax_cases import load

from razzstats.cards import MaybeCard
from razzstats.chips import Chips
from razzstats.diagnostics import codes
from razzstats.events import (
    BringIn,
    Collect,
    Deal,
    Muck,
    ParsedHand,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    Show,
    Street,
    StreetStart,
    Wager,
)
from razzstats.locations import HandText
from razzstats.parsing import Kind, read_heading
from razzstats.rules.actions import WAGERS, ActionKind

HANDS: dict[str, str] = load("ongame")["hands"]
ROWS: list[dict[str, Any]] = load("ongame")["row"]
FILES = text_files(SAMPLES / "ongame")
PLAYOUTS = 150


# ---- what stands in the rows


def changed(row: dict[str, Any]) -> str:
    text = HANDS[row.get("hand", "showdown")]
    for old, new in row.get("change", []):
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("name", sorted(HANDS))
def test_the_hands_are_without_fault_before_they_are_changed(name: str) -> None:
    clean(HANDS[name])


@pytest.mark.parametrize("row", [row for row in ROWS if "says" in row], ids=lambda row: row["id"])
def test_a_hand_says(row: dict[str, Any]) -> None:
    hand = clean(changed(row))
    said = facts(hand.parsed) | {
        "nets": ", ".join(f"{result.seat} {result.net:+}" for result in hand.results),
        "rake": hand.rake,
    }
    assert {name: said[name] for name in row["says"]} == row["says"]


@pytest.mark.parametrize("row", [row for row in ROWS if "code" in row], ids=lambda row: row["id"])
def test_a_fault_is_told_with_its_place(row: dict[str, Any]) -> None:
    checked = check(hand_text(changed(row)))
    assert checked.diagnostics, "nothing was noticed"
    found = checked.diagnostics[0]
    assert found.code.name == row["code"], checked.explained()
    assert found.span
    line = checked.text.lines[found.span.line - 1]
    if "at" in row:
        assert f"{found.span.line}:{found.span.column}" == row["at"]
        assert line[found.span.column - 1 : found.span.end_column - 1] == row["marks"]
    assert found.message == row.get("message", found.message)


def test_every_row_has_a_name_of_its_own_and_says_what_proves_it() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert {row["proof"] for row in ROWS} <= {"real", "holdem", "inferred", "ours"}
    assert all(row["source"] for row in ROWS)


def facts(hand: ParsedHand) -> dict[str, Any]:
    stakes, tournament = hand.stakes, hand.tournament
    amounts = (stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet)
    return {
        "number": hand.hand_id.number,
        "at": hand.played_at.isoformat() if hand.played_at else None,
        "table": hand.table,
        "seats": hand.max_seats,
        "stakes": " ".join([stakes.money.currency, *map(str, amounts)]),
        "tournament": f"{tournament.number} {tournament.buy_in}" if tournament else None,
        "hero": next((player.name for player in hand.players if player.seat == hand.hero), None),
    } | event_facts(hand)


def event_facts(hand: ParsedHand) -> dict[str, str]:
    names = ("third", "bets", "returned", "all_in", "collects", "shown", "mucked")
    found: dict[str, list[str]] = {name: [] for name in names}
    street = Street.THIRD
    for event in hand.events:
        match event:
            case StreetStart():
                street = event.street
            case Deal() if street is Street.THIRD:
                found["third"].append(f"{event.seat} [{cards((*event.down, *event.up))}]")
            case BringIn():
                found["bets"].append(f"brings in {event.amount}")
            case Wager():
                verb = "raises" if event.by is not None else "bets"
                found["bets"].append(f"{verb} {event.to} as {event.verb}")
            case ReturnedBet():
                found["returned"].append(f"{event.seat} {event.amount}")
            case Collect():
                found["collects"].append(f"{event.seat} {event.amount} of {event.pot}")
            case Show():
                found["shown"].append(str(event.seat))
            case Muck():
                found["mucked"].append(str(event.seat))
        if getattr(event, "all_in", False):
            amount = event.to if isinstance(event, Wager) else getattr(event, "amount", 0)
            found["all_in"].append(f"{getattr(event, 'seat', 0)} {amount}")
    return {name: ", ".join(parts) for name, parts in found.items()}


def cards(dealt: tuple[MaybeCard, ...]) -> str:
    return " ".join(str(card or "?") for card in dealt)


# ---- where hands begin and end


def test_a_hand_that_is_still_being_written_is_truncated() -> None:
    lines = hand_text(HANDS["showdown"]).lines
    for number in range(1, len(lines)):
        growing = HandText("hand.txt", 1, lines[:number], last_in_file=True)
        assert check(growing).codes == ["truncated-hand"], number


def test_without_a_table_line_the_game_is_taken_for_razz_until_it_stands_there() -> None:
    lines = hand_text(HANDS["showdown"]).lines
    heading = read_heading(HandText("hand.txt", 1, lines[:2], last_in_file=True))
    assert heading
    assert heading.kind is Kind.RAZZ


def test_a_blank_line_behind_every_line_changes_nothing() -> None:
    text = HANDS["showdown"].strip("\n")
    doubled = clean(text.replace("\n", "\n\n"))
    assert results(doubled) == results(clean(text))


def test_other_games_between_razz_hands_are_counted_and_left_out() -> None:
    (file,) = [file for file in FILES if file.stem == "edge-mixed-games"]
    found = check_file(file)
    assert [checked.codes for checked in found] == [[], ["other-game"], ["other-game"], []]


# ---- the samples


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_sample_is_without_fault_and_its_money_adds_up(file: Path) -> None:
    for checked in check_file(file):
        if checked.codes == [codes.OTHER_GAME.name]:
            continue
        assert checked.is_clean, checked.explained()
        assert checked.replayed
        assert sum(result.net for result in checked.replayed.results) + checked.replayed.rake == 0


def test_the_two_ways_to_name_a_total_come_to_the_same_hand() -> None:
    of_hand, of_street = (
        check_file(SAMPLES / "ongame" / f"edge-raise-total-of-{name}.txt")[0].replayed
        for name in ("hand", "street")
    )
    assert of_hand
    assert of_street
    assert results(of_hand) == results(of_street)


# ---- random hands


@pytest.mark.parametrize("totals_of_hand", [True, False])
@pytest.mark.parametrize("deep", [True, False])
def test_a_random_hand_is_the_same_as_in_the_words_of_pokerstars(
    deep: bool, totals_of_hand: bool
) -> None:
    for seed in range(PLAYOUTS // 2):
        hand = random_playout(seed, stakes=CASH if seed % 3 else CHIPS, deep=deep)
        found = clean(room_ongame.render(hand, seed, totals_of_hand=totals_of_hand))
        assert not differences(results(found), results(clean(playouts.render(hand)))), seed


HOSTILE = (
    "---",
    "Summary:",
    "x folds",
    "a ($1.37), b",
    "b",
    "b: [-, -, Kh]",
    "$1 to $2",
    "Dealing river",
    "c ($5.00), net: -$1",
    "Main pot: $5 won by b",
    "*****",
    "d (€1)",
    "to",
    "Seat 1: b",
    "<b>&amp;</b>",
    "b small bring in $0.25",
)


@pytest.mark.parametrize("seed", range(30))
def test_a_name_is_never_taken_for_something_else(seed: int) -> None:
    names = random.Random(seed).sample(HOSTILE, 8)
    plain = [f"Player {number}" for number in range(8)]
    one, other = (clean(room_ongame.render(named(seed, of))) for of in (names, plain))
    assert results(one) == results(other)
    assert [player.name for player in one.parsed.players] == names


def named(seed: int, names: list[str]) -> Playout:
    seats = [Seat(seat) for seat in (1, 2, 3, 5, 6, 8, 9, 10)]
    chance = random.Random(seed)
    players = tuple(
        SeatedPlayer(seat=seat, name=name, stack=Chips(chance.randint(50, 4000)))
        for seat, name in zip(seats, names, strict=True)
    )
    return Playout(CASH, players, chance, chance.choice([*seats, None]), raked=True).play()


# ---- damages

AMOUNT = re.compile(r"(?<![\w.#])([$€]?)([0-9]+(?:,[0-9]{3})*)(\.[0-9]+)?(?![\w:\]]|[.,][0-9])")
WITHOUT_AMOUNTS = ("*****", "Start hand:", "Players in round:", "Button:", "User:", "Table:")

HARMLESS = {
    "dropped": {
        "---": "the rule before a street or the summary says nothing",
        "User:": "whose file it is, his cards say",
        "Button:": "means nothing in stud",
        "Players in round:": "the seats are listed",
        "Rake taken:": "the pot less what was won is the rake, and old files have no such line",
        "Dealing to": "a last card that the summary shows again",
    },
    "doubled": {"---": "as above"},
    "changed": {"Seat": "a stack of which nothing more is told"},
}
"""What may be done to which lines without any diagnostic; the hand must stay the same."""

BRING_IN_OF_A_WALK = " small bring in "
"""Its amount is told once where everybody folds: it goes back without a line."""


def damages(lines: tuple[str, ...]) -> Iterator[LineDamage]:
    yield from moved_lines(lines)
    for index, line in enumerate(lines):
        if not line.startswith(WITHOUT_AMOUNTS):
            yield from changed_line(lines, index, with_other_amounts(line))


def with_other_amounts(line: str) -> Iterator[str]:
    for match in AMOUNT.finditer(line):
        for amount in other_amounts(match):
            yield line[: match.start()] + amount + line[match.end() :]


def other_amounts(match: re.Match[str]) -> list[str]:
    whole, fraction = match[2].replace(",", ""), (match[3] or "")[1:]
    cents = bool(match[1] or fraction)
    value = int(whole) * 100 + int(fraction.ljust(2, "0")) if cents else int(whole)
    others = [value + 1, value * 10 or 1, max(value - 1, 0)]
    return [
        f"{match[1]}{other // 100}.{other % 100:02}" if cents else str(other)
        for other in others
        if other != value
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_damage_is_noticed_or_harmless(file: Path) -> None:
    outcomes = Counter[tuple[str, str]]()
    for checked in check_file(file)[:3]:
        if checked.replayed is None:
            continue
        sound = results(checked.replayed)
        for kind, index, _, lines in damages(checked.text.lines):
            found = check(HandText("hand.txt", 1, tuple(lines), last_in_file=True))
            noticed = bool(found.diagnostics)
            outcomes[kind, "noticed" if noticed else "same"] += 1
            if noticed:
                continue
            place = f"{kind}: {checked.text.lines[index]}"
            assert found.replayed, place
            if kind == "changed" and is_bring_in_of_a_walk(checked, index):
                continue
            assert not differences(sound, results(found.replayed)), place
            assert is_named_harmless(kind, checked, index), place
    print(sorted(outcomes.items()))


def is_named_harmless(kind: str, checked: Checked, index: int) -> bool:
    line = checked.text.lines[index]
    if kind == "swapped":
        return True
    return any(line.startswith(start) for start in HARMLESS[kind])


def is_bring_in_of_a_walk(checked: Checked, index: int) -> bool:
    assert checked.replayed
    walk = all(action.kind not in (ActionKind.CALL, *WAGERS) for action in checked.replayed.actions)
    return walk and BRING_IN_OF_A_WALK in checked.text.lines[index]
