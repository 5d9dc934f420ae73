"""Main and side pots: who can win how much, what goes back, and how a pot is split."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from razzstats.cards import parse_cards
from razzstats.chips import Chips, uncalled_bet
from razzstats.events import Seat
from razzstats.lowball import LowHand, best_low
from razzstats.pots import Pot, award, build_pots, winners

WHEEL, SIX, EIGHT = (
    best_low(parse_cards(cards)) for cards in ("Ac 2c 3c 4c 5c", "Ac 2c 3c 4c 6c", "Ac 2c 3c 4c 8c")
)


def pots_of(
    contributed: dict[int, int], folded: tuple[int, ...] = ()
) -> list[tuple[int, list[int]]]:
    put = {Seat(seat): Chips(amount) for seat, amount in contributed.items()}
    pots = build_pots(put, [Seat(seat) for seat in folded])
    return [(pot.amount, sorted(pot.eligible)) for pot in pots]


def pot(amount: int, *seats: int) -> Pot:
    return Pot(Chips(amount), frozenset(map(Seat, seats)))


def lows(**by_seat: LowHand) -> dict[Seat, LowHand]:
    return {Seat(int(seat.removeprefix("seat"))): low for seat, low in by_seat.items()}


# ---- building


@pytest.mark.parametrize(("contributed", "folded", "expected"), [
    ({1: 10, 2: 10}, (), [(20, [1, 2])]),
    ({1: 10, 2: 10, 3: 4}, (3,), [(24, [1, 2])]),
    ({1: 5, 2: 10, 3: 10}, (), [(15, [1, 2, 3]), (10, [2, 3])]),
    ({1: 5, 2: 10, 3: 20, 4: 20}, (), [(20, [1, 2, 3, 4]), (15, [2, 3, 4]), (20, [3, 4])]),
    ({1: 5, 2: 10, 3: 10, 4: 7}, (4,), [(20, [1, 2, 3]), (12, [2, 3])]),
    # Folded players put in more than the only one who can win the side pot with them.
    ({1: 5, 2: 10, 3: 10}, (3,), [(15, [1, 2]), (10, [2])]),
    # A folded player put in more than anybody who is left.
    ({1: 5, 2: 5, 3: 8}, (3,), [(18, [1, 2])]),
    ({1: 5, 2: 5, 3: 5}, (1, 2), [(15, [3])]),
    ({1: 0, 2: 0}, (), []),
])  # fmt: skip
def test_pots_are_layers_between_the_stacks(
    contributed: dict[int, int], folded: tuple[int, ...], expected: Any
) -> None:
    assert pots_of(contributed, folded) == expected


amounts = st.dictionaries(st.integers(1, 8), st.integers(0, 50), min_size=2, max_size=8)


@given(amounts, st.data())
def test_pots_hold_what_was_put_in(contributed: dict[int, int], data: st.DataObject) -> None:
    seats = sorted(contributed)
    folded = data.draw(st.lists(st.sampled_from(seats), unique=True, max_size=len(seats) - 1))
    pots = pots_of(contributed, tuple(folded))
    live = set(seats) - set(folded)
    assert sum(amount for amount, _ in pots) == sum(contributed.values())
    for (_, wider), (_, narrower) in pairwise(pots):
        assert set(narrower) < set(wider) <= live
    for seat in live - set(pots[-1][1] if pots else []):
        # Who has no share in the last pot wins from each no more than he put in himself.
        most = sum(amount for amount, eligible in pots if seat in eligible)
        assert most == sum(min(put, contributed[seat]) for put in contributed.values())


@pytest.mark.parametrize(("contributed", "expected"), [
    ({1: 10, 2: 10}, None),
    ({1: 10, 2: 4}, (1, 6)),
    ({1: 1, 2: 2, 3: 10}, (3, 8)),
    ({1: 10, 2: 10, 3: 1}, None),
    ({1: 10}, None),
])  # fmt: skip
def test_what_nobody_matched_goes_back(contributed: dict[int, int], expected: Any) -> None:
    put = {Seat(seat): Chips(amount) for seat, amount in contributed.items()}
    assert uncalled_bet(put) == expected


# ---- awarding


def test_the_lowest_hand_takes_the_pot() -> None:
    assert award(pot(20, 1, 2), lows(seat1=SIX, seat2=WHEEL)) == {2: 20}


def test_only_who_paid_for_a_side_pot_can_win_it() -> None:
    hands = lows(seat1=WHEEL, seat2=EIGHT, seat3=SIX)
    assert award(pot(15, 1, 2, 3), hands) == {1: 15}
    assert award(pot(10, 2, 3), hands) == {3: 10}


def test_equal_hands_split_whatever_their_suits() -> None:
    hands = {
        Seat(1): best_low(parse_cards("Ac 2c 3c 4c 6c Kc Qc")),
        Seat(4): best_low(parse_cards("As 2s 3s 4s 6s Jd Td")),
    }
    assert winners(pot(20, 1, 4), hands) == (1, 4)
    assert award(pot(20, 1, 4), hands) == {1: 10, 4: 10}


def test_odd_chips_go_to_the_lowest_seats_one_each() -> None:
    assert award(pot(17, 1, 2), lows(seat1=SIX, seat2=SIX)) == {1: 9, 2: 8}
    assert award(pot(11, 2, 5, 7), lows(seat2=SIX, seat5=SIX, seat7=SIX)) == {2: 4, 5: 4, 7: 3}


def test_a_pot_without_known_hands_has_no_winner() -> None:
    assert winners(pot(20, 1, 2), {}) == ()
    assert award(pot(20, 1, 2), {}) == {}


@given(
    st.integers(1, 10_000), st.lists(st.sampled_from([WHEEL, SIX, EIGHT]), min_size=1, max_size=8)
)
def test_a_pot_is_given_out_to_the_last_chip(amount: int, hands: list[LowHand]) -> None:
    by_seat = {Seat(seat): low for seat, low in enumerate(hands, 1)}
    shares = award(pot(amount, *by_seat), by_seat)
    assert sum(shares.values()) == amount
    assert max(shares.values()) - min(shares.values()) <= 1
    assert {by_seat[seat] for seat in shares} == {min(hands)}
