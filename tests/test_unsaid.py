"""What no line says and is told all the same: pots by the nets, cards by those dealt before."""

from collections.abc import Sequence

import pytest

from razzstats.cards import parse_cards
from razzstats.chips import Chips
from razzstats.events import (
    Ante,
    Collect,
    Deal,
    Event,
    Fold,
    Seat,
    SeatSummary,
    Show,
    Street,
    StreetStart,
    Wager,
)
from razzstats.parsing.cards_unsaid import KnownCards
from razzstats.parsing.winnings import with_unlisted_pots

# ---- cards


def test_a_deal_repeats_what_is_known() -> None:
    two, three, four, five = parse_cards("2c 3c 4c 5c")
    deals: list[Event] = [
        Deal(seat=Seat(1), down=(two, None), up=(three,)),
        Deal(seat=Seat(2), down=(None, None), up=(four,)),
        Deal(seat=Seat(1), up=(five,)),
    ]
    told = [event for event in KnownCards().repeated(deals) if isinstance(event, Deal)]
    assert [deal.seen for deal in told] == [(), (), (two, three)]


def test_shown_cards_begin_in_the_order_of_the_deal() -> None:
    two, three, four = parse_cards("2c 3c 4c")
    deal = Deal(seat=Seat(1), down=(two, three), up=(four,))
    shown = [(three, two, four), (two, four, three), (four,)]
    events: list[Event] = [deal, *(Show(seat=Seat(1), cards=cards) for cards in shown)]
    told = [event for event in KnownCards().in_dealt_order(events) if isinstance(event, Show)]
    assert [show.cards for show in told] == [(two, three, four), (two, four, three), (four,)]


# ---- pots

THREE = (Seat(1), Seat(2), Seat(3))


def put_in(amounts: Sequence[int]) -> list[Event]:
    antes = [Ante(seat=s, amount=Chips(10)) for s in THREE]
    street = StreetStart(street=Street.THIRD)
    bets = [
        Wager(seat=seat, to=Chips(amount - 10), verb="bets")
        for seat, amount in zip(THREE, amounts, strict=True)
    ]
    return [*antes, street, *bets]


def net_lines(amounts: Sequence[int | None]) -> list[SeatSummary]:
    return [
        SeatSummary(seat=seat, name=f"Player {seat}", net=None if net is None else Chips(net))
        for seat, net in zip(THREE, amounts, strict=True)
    ]


def told_by(
    amounts: Sequence[int], listed: Sequence[Collect], net: Sequence[int | None]
) -> list[tuple[int, int, int | None]]:
    """Return who collects what from which pot, as the text and the nets tell."""
    events = [*put_in(amounts), *listed]
    told = with_unlisted_pots(events, net_lines(net))
    return [(e.seat, e.amount, e.pot) for e in told if isinstance(e, Collect)]


def collect(seat: int, amount: int, pot: int | None = None) -> Collect:
    return Collect(seat=Seat(seat), amount=Chips(amount), pot=pot)


@pytest.mark.parametrize(
    ("amounts", "listed", "net", "expected"),
    [
        # everything is listed: in one line, or each pot in its own
        ((50, 50, 50), [collect(1, 149)], (99, -50, -50), [(1, 149, None)]),
        ((50, 100, 100), [collect(2, 250)], (-50, 150, -100), [(2, 250, None)]),
        (
            (50, 100, 100),
            [collect(2, 100, 1), collect(1, 150)],
            (100, 0, -100),
            [(2, 100, 1), (1, 150, 0)],
        ),
        # a side pot is not
        ((50, 100, 100), [collect(1, 150)], (100, 0, -100), [(1, 150, 0), (2, 100, 1)]),
        ((50, 100, 100), [collect(1, 149)], (99, -50, -50), [(1, 149, 0), (2, 50, 1), (3, 50, 1)]),
        # the main pot is not
        ((50, 100, 100), [collect(2, 100, 1)], (99, 0, -100), [(2, 100, 1), (1, 149, 0)]),
        # a line covers the main pot and the side pot above it, another side pot is missing
        (
            (50, 100, 150),
            [collect(2, 250)],
            (-50, 150, -100),
            [(2, 150, 0), (2, 100, 1), (3, 50, 2)],
        ),
        # two pots are missing, each with a winner of its own
        ((50, 100, 150), [collect(3, 50, 2)], (-50, 50, 0), [(3, 50, 2), (2, 150, 0), (3, 100, 1)]),
        # what is missing is as much as the rake that is left of the main pot
        (
            (50, 100, 101),
            [collect(1, 149), collect(2, 100, 1)],
            (99, 0, -100),
            [(1, 149, 0), (2, 100, 1), (3, 1, 2)],
        ),
        # no net says anything, or the nets say more than there is
        ((50, 100, 100), [collect(1, 150)], (None, None, None), [(1, 150, None)]),
        ((50, 100, 100), [collect(1, 150)], (100, 60, -50), [(1, 150, None)]),
        # with one pot, who has a line has it all
        ((50, 50, 50), [collect(1, 140)], (99, -50, -50), [(1, 140, None)]),
        ((50, 50, 50), [collect(1, 75)], (25, 25, -50), [(1, 75, None), (2, 75, None)]),
    ],
)
def test_the_nets_tell_the_pots_that_no_line_tells(
    amounts: Sequence[int],
    listed: Sequence[Collect],
    net: Sequence[int | None],
    expected: list[tuple[int, int, int | None]],
) -> None:
    assert told_by(amounts, listed, net) == expected


def test_who_folded_wins_nothing() -> None:
    events: list[Event] = [*put_in((50, 50, 50)), Fold(seat=Seat(3)), collect(1, 75)]
    told = with_unlisted_pots(events, net_lines((25, -50, 25)))
    assert [event.seat for event in told if isinstance(event, Collect)] == [1]
