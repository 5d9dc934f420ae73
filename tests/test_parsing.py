"""PokerStars texts are read line by line: what they say, and where they make no sense."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hands import check, clean, hand_text, results
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_cases import CASES, HANDS, damaged, load

from razzstats.cards import Card
from razzstats.chips import PLAY_MONEY, TOURNAMENT_CHIPS, Chips, Money
from razzstats.diagnostics import codes
from razzstats.events import Deal, Note, Seat, Show, Street, StreetStart
from razzstats.locations import HandText
from razzstats.lowball import LowClaim
from razzstats.parsing import parse_hand, read_heading

HEADERS, OTHER_HEADERS = load("headers")["header"], load("headers")["other"]


# ---- one code for each kind of damage


@pytest.mark.parametrize("name", sorted(HANDS))
def test_the_hands_are_without_fault_before_they_are_damaged(name: str) -> None:
    clean(HANDS[name])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_damaged_hand_is_told_with_its_place(case: dict[str, Any]) -> None:
    lines = damaged(case)
    first_line = 1001  # the hand stands somewhere in its file
    checked = check(HandText("hand.txt", first_line, lines, True, True))
    assert checked.diagnostics, "nothing was noticed"
    found = checked.diagnostics[0]
    assert found.span
    line = lines[found.span.line - first_line]
    assert found.code.name == case["code"], checked.explained()
    assert f"{found.span.line - first_line + 1}:{found.span.column}" == case["at"]
    assert found.span.line == found.span.end_line
    assert line[found.span.column - 1 : found.span.end_column - 1] == case["marks"]


def test_every_code_for_a_hand_has_a_case() -> None:
    # Files have their own (RZ001, RZ002), an import others (RZ003, RZ005, RZ7), RZ901 is ours, a
    # stack gap takes two hands, and winnings are derived where a room says nets, as KingsClub does.
    told = {code.name for code in codes.CODES if "RZ1" <= code.id < "RZ7"}
    told -= {codes.STACK_GAP.name, codes.DERIVED_WINNINGS.name}
    told |= {codes.OTHER_GAME.name, codes.STRAY_TEXT.name}
    assert told == {case["code"] for case in CASES}


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)


def test_a_diagnostic_names_the_hand() -> None:
    checked = check(HANDS["showdown"].replace("Carla: folds", "Carla: sings"))
    assert [found.hand_id for found in checked.diagnostics] == [("pokerstars", "101")]


def test_a_line_in_no_encoding_is_told() -> None:
    lines = hand_text(HANDS["showdown"]).lines
    checked = check(HandText("hand.txt", 1, lines, undecodable_line=4))
    assert checked.codes == ["undecodable-text"]
    assert checked.diagnostics[0].span
    assert checked.diagnostics[0].span.line == 5


def test_a_hand_cut_off_by_the_next_one_is_truncated() -> None:
    lines = hand_text(HANDS["showdown"]).lines[:20]
    assert check(HandText("hand.txt", 1, lines, last_in_file=False)).codes == ["truncated-hand"]


def test_a_last_line_that_is_still_being_written_is_truncated() -> None:
    lines = (*hand_text(HANDS["showdown"]).lines[:20], "Ben: fo")
    growing = HandText("hand.txt", 1, lines, complete_line=False, last_in_file=True)
    assert check(growing).codes == ["truncated-hand"]
    assert check(HandText("hand.txt", 1, lines)).codes == ["unexpected-line"]


# ---- what the room's texts do besides


@pytest.mark.parametrize("case", load("pokerstars")["quirk"], ids=lambda case: case["id"])
def test_a_quirk_changes_nothing(case: dict[str, Any]) -> None:
    assert case["line"] != case["becomes"]
    assert case["source"]
    assert results(clean("\n".join(damaged(case)))) == results(clean(HANDS["showdown"]))


# ---- headers


def money_of(case: dict[str, Any]) -> Money:
    fixed = {"play": PLAY_MONEY, "chips": TOURNAMENT_CHIPS}
    return fixed.get(case["currency"], Money(case["currency"], 2))


def folded_hand(header: str, money: Money, bets: list[int]) -> str:
    """Return a hand in which everybody folds to the bring-in."""
    ante, bring_in = (money.format(part) for part in (bets[0] // 4, bets[0] // 2))
    pot = money.format(bets[0] // 4 * 2)
    return f"""{header}
Table 'Alpha' 8-max
Seat 1: Anna ({money.format(bets[1] * 20)} in chips)
Seat 2: Ben ({money.format(bets[1] * 20)} in chips)
Anna: posts the ante {ante}
Ben: posts the ante {ante}
*** 3rd STREET ***
Dealt to Anna [3s]
Dealt to Ben [Kd]
Ben: brings in for {bring_in}
Anna: folds
Uncalled bet ({bring_in}) returned to Ben
Ben collected {pot} from pot
*** SUMMARY ***
Total pot {pot} | Rake {money.format(0)}
Seat 1: Anna folded on the 3rd Street (didn't bet)
Seat 2: Ben collected ({pot})
"""


@pytest.mark.parametrize("case", HEADERS, ids=lambda case: case["id"])
def test_a_header_says_what_was_played_when(case: dict[str, Any]) -> None:
    hand = clean(folded_hand(case["line"], money_of(case), case["bets"])).parsed
    tournament = hand.tournament
    found = {
        "number": hand.hand_id.number,
        "bets": [hand.stakes.small_bet, hand.stakes.big_bet],
        "currency": hand.stakes.money.currency,
        "tournament": tournament and tournament.number,
        "buy_in": tournament and tournament.buy_in,
        "level": tournament and tournament.level,
        "mix": hand.mixed_game,
        "club": hand.club,
    }
    assert found == {name: case.get(name) for name in found}
    assert hand.stakes.money == money_of(case)
    assert hand.played_at == datetime.fromisoformat(case["played_at"])
    assert hand.played_at.tzinfo is UTC


@pytest.mark.parametrize("case", OTHER_HEADERS, ids=lambda case: case["line"][11:60])
def test_another_game_is_told_from_razz(case: dict[str, Any]) -> None:
    text = folded_hand(case["line"], PLAY_MONEY, [10, 20])
    checked = check(text)
    assert checked.codes == ["other-game"]
    assert checked.diagnostics[0].message == f"a hand of {case['game']}, not Razz"
    heading = read_heading(hand_text(text))
    assert heading
    assert heading.hand_id == ("pokerstars", "101")


def test_a_line_that_only_looks_like_a_header_begins_no_hand() -> None:
    for line in ("PokerStars", "PokerStars Hand 101: Razz", " PokerStars Hand #1: Razz", ""):
        assert read_heading(HandText("hand.txt", 1, (line,))) is None


# ---- tables, seats, names

HOSTILE_NAMES = [
    "x: folds", "Seat 1", "Seat 2: Ben", "PC [Mittel]", "J [5c]", "*** RIVER ***", "$1.50",
    "a said, \"hi\"", "is sitting out", "collected $1 from pot", "(disconnect)", "($5 in chips)",
    "  two  blanks", "Dealt to", "Uncalled bet ($1)", "folds", "Änne Ñandú", "名無し", "😀",
    "\\d+ (.*)", "Hand cancelled", "*** SUMMARY ***", "Betting is capped", "Total pot $1 | Rake $0",
    "Ann", "Anna: checks", "#101:", "{club}", "'quoted'", "and is all-in",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_never_taken_for_something_else(name: str) -> None:
    hand = clean(HANDS["showdown"].replace("Ben", name).replace("Emil", name + " II")).parsed
    assert [player.name for player in hand.players][1] == name
    assert sum(getattr(event, "seat", None) == 2 for event in hand.events) == 4


def test_one_name_may_begin_another_one() -> None:
    new = {"Anna": "Ann", "Ben": "Ann: checks", "Carla": "Anna: folds", "Dan": "Anna", "Emil": "A"}
    text = re.sub("|".join(new), lambda match: new[match[0]], HANDS["showdown"])
    hand = clean(text)
    assert [result.name for result in hand.results] == ["Ann", "Ann: checks", "Anna: folds", "Anna"]
    assert [result.net for result in hand.results] == [50, -3, -1, -51]


def test_everything_about_the_table_is_read() -> None:
    text = HANDS["showdown"].replace("Table 'Alpha II' 8-max", "Table 'O'Hara's '9'' 6-max")
    hand = clean(text).parsed
    assert (hand.table, hand.max_seats) == ("O'Hara's '9'", 6)
    assert hand.hero == 4
    assert hand.players[0].stack == 1000
    assert hand.players[4].sitting_out


@pytest.mark.parametrize("line", [
    "Seat 2: Ben ($7.35 in chips, $5 bounty)",
    "Seat 2: Ben ($7.35 in chips) is sitting out",  # as a player who is away from a tournament
    "Seat 2: Ben ($7.35 in chips) out of hand (moved from another table into small blind)",
])  # fmt: skip
def test_a_seat_may_say_more_than_its_stack(line: str) -> None:
    hand = clean(HANDS["showdown"].replace("Seat 2: Ben ($7.35 in chips)", line)).parsed
    assert (hand.players[1].name, hand.players[1].stack) == ("Ben", 735)


@pytest.mark.parametrize("said", [
    "brings in low for $0.02", "brings-in for $0.02", "brings in for $0.02 (disconnect)",
])  # fmt: skip
def test_a_bring_in_has_several_wordings(said: str) -> None:
    clean(HANDS["showdown"].replace("brings in for $0.02", said))


def test_hole_cards_are_told_from_the_door_card() -> None:
    deals = [event for event in clean(HANDS["showdown"]).parsed.events if isinstance(event, Deal)]
    of_dan = [deal for deal in deals if deal.seat == 4]
    assert of_dan[0].down == (Card.parse("7s"), Card.parse("Ks"))
    assert of_dan[0].up == (Card.parse("7h"),)
    assert (of_dan[-1].down, of_dan[-1].up) == ((Card.parse("Th"),), ())
    assert deals[0].down == (None, None)


def test_a_lost_community_card_is_found_in_the_summary() -> None:
    text = HANDS["showdown"].replace("*** RIVER ***", "*** RIVER *** []")
    parsed = parse_hand(hand_text(text.replace("Rake $0.05", "Rake $0.05\nBoard [2d]"))).value
    assert parsed
    starts = [event for event in parsed.events if isinstance(event, StreetStart)]
    assert starts[-1] == StreetStart(street=Street.SEVENTH, community=Card.parse("2d"))


def test_a_hand_shown_early_has_its_low() -> None:
    shows = "Anna: shows [Ad 4h 3s 6h] (Lo: 6,4,3,A)"
    hand = clean(HANDS["capped"].replace("Anna: doesn't show hand", shows)).parsed
    assert (
        Show(
            seat=Seat(1),
            cards=tuple(map(Card.parse, ("Ad", "4h", "3s", "6h"))),
            low=LowClaim(None, tuple(Card.parse(f"{rank}c").rank for rank in "643A")),
        )
        in hand.events
    )


# ---- what anybody may say at any time

ASIDES = [
    "Anna is disconnected", "Anna is connected", "gelwzemcn2 is disconnected",
    "Ben has timed out", "Ben has timed out while disconnected",
    "Ben has timed out while being disconnected", "Ben has returned", "Anna has requested TIME",
    'Carla said, "Ben: folds"', 'x said, "*** SUMMARY ***"', 'Anna said, ""', 'a: b said, "c" d"',
    "Carla leaves the table", "foo: bar leaves the table", "TODOOO2 joins the table at seat #6",
    "Zed was removed from the table for failing to post",
    "Zed will be allowed to play after the button", "Emil is sitting out", "Zed sits out",
    "Zed finished the tournament in 28th place and received $30.00.",
    "Zed wins the $0.27 bounty for eliminating Ben",
    "Zed wins $19.90 for eliminating Ben and their own bounty increases by $9.95 to $20",
    "Zed re-buys and receives 1500 chips for $10.00",
]  # fmt: skip


@pytest.mark.parametrize("aside", ASIDES)
def test_an_aside_may_stand_anywhere(aside: str) -> None:
    lines = HANDS["showdown"].strip("\n").split("\n")
    whole = clean("\n".join(lines))
    # From behind the first seat to the summary.
    for place in range(3, lines.index("*** SUMMARY ***") + 1):
        hand = clean("\n".join([*lines[:place], aside, *lines[place:]]))
        assert [note.text for note in hand.parsed.events if isinstance(note, Note)] == [aside]
        assert hand.actions[-1].amount == whole.actions[-1].amount == Chips(101)


def test_blank_lines_and_trailing_blanks_change_nothing() -> None:
    text = HANDS["showdown"].strip("\n")
    spaced = hand_text(text.replace("\n", " \n\n"))
    assert parse_hand(spaced).value == parse_hand(hand_text(text)).value


# ---- whatever a file holds

LINES = sorted({line for text in HANDS.values() for line in text.strip("\n").split("\n")})
OTHER_LINES = st.sampled_from(LINES) | st.text(max_size=60).map(lambda text: " ".join(text.split()))
SIGNS = st.sampled_from(list("[]()$:.,'\"*#- 0123456789AKThcé\u0660\ufffd\x00")) | st.characters()


@st.composite
def broken_hands(draw: st.DrawFn) -> tuple[str, ...]:
    """Draw a hand with lines dropped, moved and exchanged, and signs put in and taken out."""
    lines = hand_text(draw(st.sampled_from(sorted(HANDS.values())))).lines
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        line = lines[place]
        at = draw(st.integers(0, len(line)))
        other, sign = draw(OTHER_LINES), draw(SIGNS)
        put_in, put_over = line[:at] + sign + line[at:], line[:at] + sign + line[at + 1 :]
        changes = [(), (other,), (line, line), (other, line), (line[:at],), (put_in,), (put_over,)]
        new: tuple[str, ...] = draw(st.sampled_from(changes))
        lines = (*lines[:place], *new, *lines[place + 1 :])
        if not lines:
            return ("",)
    return tuple(part for line in lines for part in line.split("\n"))


def assert_told_within(hand: HandText) -> None:
    for found in check(hand).diagnostics:
        assert found.span
        for span in (found.span, *(label.span for label in found.labels)):
            assert 0 <= span.line - hand.first_line < len(hand.lines)
            length = len(hand.lines[span.line - hand.first_line])
            assert span.line == span.end_line
            assert 1 <= span.column <= span.end_column <= length + 1


@settings(max_examples=300)
@given(broken_hands(), st.booleans(), st.booleans())
def test_no_broken_hand_is_a_crash(lines: tuple[str, ...], complete: bool, last: bool) -> None:
    assert_told_within(HandText("hand.txt", 7, lines, complete, last))


@settings(max_examples=200)
@given(st.lists(OTHER_LINES, min_size=1, max_size=30), st.booleans())
def test_no_text_is_a_crash(lines: list[str], under_a_header: bool) -> None:
    header = hand_text(HANDS["showdown"]).lines[:1] if under_a_header else ()
    assert_told_within(HandText("hand.txt", 1, (*header, *lines)))


@pytest.mark.slow
@settings(max_examples=10_000)
@given(broken_hands(), st.booleans(), st.booleans())
def test_none_of_many_broken_hands_is_a_crash(
    lines: tuple[str, ...], complete: bool, last: bool
) -> None:
    assert_told_within(HandText("hand.txt", 7, lines, complete, last))
