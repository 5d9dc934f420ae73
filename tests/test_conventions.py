"""What a room leaves unsaid is put into the events that all rooms share, one way at a time."""

import re
from dataclasses import replace
from typing import Any

from hands import SAMPLES, hand_text
from syntax_cases import HANDS

from razzstats.cards import parse_cards
from razzstats.chips import Chips
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    ParsedHand,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.locations import HandId
from razzstats.parsing.conventions import EVERYTHING_SAID, Conventions, settle
from razzstats.parsing.text import TextReader

A, B, C = Seat(1), Seat(2), Seat(3)
PLAYERS = [SeatedPlayer(seat=seat, name=f"P{seat}", stack=Chips(100)) for seat in (A, B, C)]


def settled(told: list[Event], **conventions: Any) -> list[Event]:
    return list(settle(told, PLAYERS, Conventions(**conventions)))


def added(told: list[Event], **conventions: Any) -> list[Event]:
    """Return the events that stand in no line."""
    return [event for event in settled(told, **conventions) if event not in told]


def antes(*seats: Seat) -> list[Event]:
    return [Ante(seat=seat, amount=Chips(1)) for seat in seats]


def start(street: Street) -> StreetStart:
    return StreetStart(street=street)


def bring_in(seat: Seat, amount: int = 2) -> BringIn:
    return BringIn(seat=seat, amount=Chips(amount))


def call(seat: Seat, amount: int, *, all_in: bool = False) -> Call:
    return Call(seat=seat, amount=Chips(amount), all_in=all_in)


def wager(seat: Seat, to: int, *, by: int | None = None, verb: str = "raises") -> Wager:
    return Wager(seat=seat, to=Chips(to), by=None if by is None else Chips(by), verb=verb)


def collect(seat: Seat, amount: int, pot: int | None = None) -> Collect:
    return Collect(seat=seat, amount=Chips(amount), pot=pot)


def returned(seat: Seat, amount: int) -> ReturnedBet:
    return ReturnedBet(seat=seat, amount=Chips(amount))


THIRD: list[Event] = [*antes(A, B), start(Street.THIRD), bring_in(A)]
"""Both have posted, and A has brought in."""


def test_where_everything_is_said_nothing_is_added() -> None:
    told = [*THIRD, wager(B, 5), Fold(seat=A), collect(B, 9)]
    assert list(settle(told, PLAYERS, EVERYTHING_SAID)) == told


# ---- what is said in another way


def test_a_call_that_is_a_total() -> None:
    told = [*THIRD, wager(B, 5), call(A, 5)]
    assert settled(told, call_is_total=True)[-1] == call(A, 3)


def test_a_call_that_is_a_total_of_its_own_street() -> None:
    told = [*THIRD, call(B, 2), start(Street.FOURTH), wager(B, 5, verb="bets"), call(A, 5)]
    assert settled(told, call_is_total=True)[-1] == call(A, 5)


def test_a_raise_that_leaves_out_the_bring_in() -> None:
    told = [*THIRD, wager(B, 5), wager(A, 8), wager(B, 15)]
    found = settled(told, raise_leaves_out_bring_in=True)[-3:]
    assert found == [wager(B, 5), wager(A, 10), wager(B, 15)]


def test_the_bring_in_is_left_out_on_third_street_alone() -> None:
    told = [*THIRD, call(B, 2), start(Street.FOURTH), wager(A, 5)]
    assert settled(told, raise_leaves_out_bring_in=True)[-1] == wager(A, 5)


def test_a_raise_that_states_what_is_added() -> None:
    told = [*THIRD, wager(B, 5, by=5), wager(A, 10, by=8)]
    assert settled(told, raise_is_added=True)[-2:] == [wager(B, 5, by=3), wager(A, 10, by=5)]


def test_a_raise_that_states_the_total_of_the_hand() -> None:
    told = [*THIRD, call(B, 2), start(Street.FOURTH), wager(A, 5), wager(B, 12, by=10)]
    assert settled(told, raise_is_added=True)[-1] == wager(B, 10, by=5)


def test_a_bet_over_a_bet_is_a_raise() -> None:
    told = [*THIRD, wager(B, 5, verb="bets"), start(Street.FOURTH), wager(A, 5, verb="bets")]
    found = [event for event in settled(told, raises_may_be_bets=True) if isinstance(event, Wager)]
    assert [event.verb for event in found] == ["raises", "bets"]


def test_a_repeated_card_that_is_not_repeated() -> None:
    down, door, fourth = parse_cards("Ac 2c"), parse_cards("3c"), parse_cards("4c")
    told = [*THIRD[:3], Deal(seat=A, down=down, up=door), start(Street.FOURTH)]
    found = settled([*told, Deal(seat=A, up=fourth)], seen_unsaid=True)[-1]
    assert found == Deal(seat=A, up=fourth, seen=(*down, *door))


def test_down_cards_that_are_shown_in_another_order() -> None:
    dealt = Deal(seat=A, down=parse_cards("Ac 2c"), up=parse_cards("3c"))
    told = [*THIRD[:3], dealt, Show(seat=A, cards=parse_cards("2c Ac 3c"))]
    found = settled(told, down_cards_in_any_order=True)[-1]
    assert found == Show(seat=A, cards=parse_cards("Ac 2c 3c"))


def test_other_down_cards_than_those_dealt_are_left_as_they_are() -> None:
    dealt = Deal(seat=A, down=parse_cards("Ac 2c"), up=parse_cards("3c"))
    told = [*THIRD[:3], dealt, Show(seat=A, cards=parse_cards("Kc Ac 3c"))]
    assert settled(told, down_cards_in_any_order=True) == told


# ---- all-ins


def test_the_last_chips_without_a_word() -> None:
    told = [*THIRD, wager(B, 99), call(A, 97)]
    found = settled(told, all_in_unsaid=True)
    assert found[-2:] == [replace(wager(B, 99), all_in=True), call(A, 97, all_in=True)]


def test_all_in_that_is_said_is_believed() -> None:
    told = [*THIRD, call(B, 2, all_in=True)]
    assert settled(told, all_in_unsaid=True)[-1] == call(B, 2, all_in=True)


# ---- uncalled bets


def test_an_uncalled_bet_goes_back_before_the_pot_is_collected() -> None:
    told = [*THIRD, wager(B, 5), Fold(seat=A), collect(B, 6)]
    assert settled(told, return_unsaid=True)[-2:] == [returned(B, 3), collect(B, 6)]


def test_an_uncalled_bet_goes_back_before_the_next_street() -> None:
    told = [*THIRD, wager(B, 50), call(A, 10), start(Street.FOURTH)]
    assert settled(told, return_unsaid=True)[-2:] == [returned(B, 38), start(Street.FOURTH)]


def test_a_matched_bet_does_not_go_back() -> None:
    assert added([*THIRD, call(B, 2), start(Street.FOURTH)], return_unsaid=True) == []


def test_an_uncalled_bet_is_collected_with_the_pot() -> None:
    told = [*THIRD, wager(B, 5), Fold(seat=A), collect(B, 9)]
    found = settled(told, return_unsaid=True, collects_uncalled=True)
    assert found[-2:] == [returned(B, 3), collect(B, 6)]


def test_an_uncalled_bet_is_a_side_pot_of_its_own() -> None:
    told = [*THIRD, wager(B, 50), call(A, 10), collect(B, 38, 1), collect(A, 26, 0)]
    found = settled(told, return_unsaid=True, collects_uncalled=True)
    assert found[-2:] == [returned(B, 38), collect(A, 26, 0)]


def test_an_uncalled_bet_is_in_the_last_pot_that_its_owner_takes() -> None:
    told = [*THIRD, wager(B, 50), call(A, 10), collect(B, 26, 0), collect(B, 40, 1)]
    found = settled(told, return_unsaid=True, collects_uncalled=True)
    assert found[-3:] == [returned(B, 38), collect(B, 26, 0), collect(B, 2, 1)]


def test_an_uncalled_bet_that_the_amount_does_not_hold_is_not_taken_from_it() -> None:
    told = [*THIRD, wager(B, 50), call(A, 10), collect(B, 26)]
    found = settled(told, return_unsaid=True, collects_uncalled=True)
    assert found[-2:] == [returned(B, 38), collect(B, 26)]


# ---- the showdown

RIVER: list[Event] = [*THIRD, call(B, 2), start(Street.SEVENTH), Check(seat=A), Check(seat=B)]
CARDS = parse_cards("Ac 2c 3c 4c 5c 6c 7c")


def test_a_showdown_without_a_line() -> None:
    told = [*RIVER, Show(seat=A, cards=CARDS), Muck(seat=B), collect(A, 6)]
    assert settled(told, showdown_unsaid=True) == [*RIVER, ShowdownStart(), *told[-3:]]


def test_no_showdown_with_one_player_left() -> None:
    told = [*RIVER[:-2], wager(A, 9, verb="bets"), Fold(seat=B), Muck(seat=A), collect(A, 6)]
    assert added(told, showdown_unsaid=True) == []


def test_no_showdown_for_hands_that_are_shown_early() -> None:
    told = [*THIRD, call(B, 97), Show(seat=A, cards=CARDS[:3]), start(Street.FOURTH)]
    assert added(told, showdown_unsaid=True) == []


def test_who_does_not_show_mucks() -> None:
    told = [*RIVER, ShowdownStart(), Show(seat=B, cards=CARDS), collect(B, 6)]
    assert settled(told, mucks_unsaid=True)[-2:] == [Muck(seat=A), collect(B, 6)]


def test_who_showed_before_the_showdown_does_not_muck() -> None:
    told = [*RIVER, Show(seat=A, cards=CARDS), ShowdownStart(), Show(seat=B, cards=CARDS)]
    assert added([*told, collect(B, 6)], mucks_unsaid=True) == []


def test_who_mucks_in_so_many_words_mucks_once() -> None:
    told = [*RIVER, ShowdownStart(), Show(seat=B, cards=CARDS), Muck(seat=A), collect(B, 6)]
    assert added(told, mucks_unsaid=True) == []


def test_hands_shown_in_the_summary_are_put_in_their_turn() -> None:
    wagers = [*RIVER[:-2], wager(B, 9, verb="bets"), call(A, 9)]
    shows: list[Event] = [Show(seat=A, cards=CARDS), Show(seat=B, cards=CARDS)]
    found = settled([*wagers, ShowdownStart(), *shows, collect(B, 6)], shown_in_summary=True)
    assert found[-3:] == [shows[1], shows[0], collect(B, 6)]


# ---- cards that are not told


def test_deals_without_a_line_go_to_those_who_are_in() -> None:
    hidden = (None, None)
    told = [*antes(A, B, C), start(Street.THIRD), bring_in(A), Fold(seat=B), start(Street.FOURTH)]
    assert added([*told, start(Street.SEVENTH)], deals_unsaid=True) == [
        *(Deal(seat=seat, up=(None,), down=hidden) for seat in (A, B, C)),
        *(Deal(seat=seat, up=(None,)) for seat in (A, C)),
    ]


# ---- the summary


READER = TextReader(
    grammar_file="pokerstars.lark",
    first_line=re.compile("PokerStars Hand #(?P<number>[0-9]+)"),
    begins_with="P",
    time_zone="America/New_York",
    street_names={
        "3rd Street": Street.THIRD,
        "4th Street": Street.FOURTH,
        "5th Street": Street.FIFTH,
        "6th Street": Street.SIXTH,
        "River": Street.SEVENTH,
    },
)


def read(text: str, conventions: Conventions) -> ParsedHand:
    found = replace(READER, conventions=conventions).read(
        hand_text(text), HandId("pokerstars", "1")
    )
    assert found.value is not None, found.diagnostics
    return found.value


def test_a_summary_lists_everybody_or_not() -> None:
    assert read(HANDS["showdown"], EVERYTHING_SAID).summary.lists_everybody
    some = Conventions(summary_lists_everybody=False)
    assert not read(HANDS["showdown"], some).summary.lists_everybody


def test_a_total_pot_that_is_what_was_collected() -> None:
    text = HANDS["showdown"].replace("Total pot $1.06", "Total pot $1.01")
    assert read(text, EVERYTHING_SAID).summary.pot == 101
    assert read(text, Conventions(total_is_collected=True)).summary.pot == 106


def test_a_total_pot_that_holds_an_uncalled_bet() -> None:
    text = HANDS["capped"]
    back = next(line for line in text.splitlines() if line.startswith("Uncalled bet"))
    whole = read(text, EVERYTHING_SAID)
    (taken,) = (event for event in whole.events if isinstance(event, Collect))
    (own,) = (event for event in whole.events if isinstance(event, ReturnedBet))
    both = f"{(taken.amount + own.amount) / 100:.2f}"
    text = text.replace(back + "\n", "")
    for words in (f"collected ${taken.amount / 100:.2f}", f"collected (${taken.amount / 100:.2f}"):
        assert words in text
        text = text.replace(words, words.partition("$")[0] + "$" + both)
    before = text.partition("Total pot ")[2].split(" ")[0]
    text = text.replace(f"Total pot {before}", f"Total pot ${both}")
    said = Conventions(return_unsaid=True, collects_uncalled=True, total_is_collected=True)
    again = read(text, said)
    assert again.events == whole.events
    assert again.summary == whole.summary


def test_who_takes_the_pot_is_told_by_the_summary_alone() -> None:
    whole = read(HANDS["showdown"], EVERYTHING_SAID)
    lines = HANDS["showdown"].splitlines()
    text = "\n".join(line for line in lines if " collected $" not in line)
    again = read(text, Conventions(collects_unsaid=True))
    assert again.events == whole.events


def test_a_community_card_that_the_summary_does_not_repeat() -> None:
    text = (SAMPLES / "pokerstars" / "edge-community-card.txt").read_text("utf-8")
    whole = read(text, EVERYTHING_SAID)
    assert whole.summary.board is not None
    text = "\n".join(line for line in text.splitlines() if not line.startswith("Board ["))
    assert read(text, EVERYTHING_SAID).summary.board is None
    assert read(text, Conventions(board_unsaid=True)).summary.board == whole.summary.board
