"""Bring-ins by door card: counted by hand, by plain Python, and against what chance has it.

How likely a door card is the highest is worked out anew: by whole deals of door cards where there
are few, and by the number of ways to choose lower cards out of the rest of the deck.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, fsum, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import pytest
from hands import SAMPLES, check_file, clean

from razzstats.cards import DECK, RANK_SYMBOLS, Card
from razzstats.events import BringIn, Deal, Seat, Show
from razzstats.replay import ReplayedHand, replay
from razzstats.simulate import (
    EUROS,
    Setup,
    TournamentPlan,
    render_hand,
    simulate_hands,
    usual_stakes,
)
from razzstats.stats.catalogue import TABLE_BY_NAME
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.stats.tables import bring_ins
from razzstats.storage import Database, hand_rows


def rows(database: Database, filters: Filters) -> dict[str, dict[str, Any]]:
    """Return the table's rows by door, with None for what has no value."""
    frame = bring_ins(database, filters)
    assert list(frame.columns) == [column.key for column in TABLE_BY_NAME["bring-ins"].columns]
    assert "".join(frame["door"]) == RANK_SYMBOLS
    found = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return {str(row["door"]): row for row in found}  # type: ignore[misc]


# ---- how likely a door card is the highest


def higher(one: Card, other: Card) -> bool:
    """Whether a door card brings in before another: by rank, king high, and then by suit."""
    suits = "cdhs"
    return (one.rank, suits.index(str(one)[1])) > (other.rank, suits.index(str(other)[1]))


def chance(door: Card, players: int) -> Fraction:
    """How likely all others have lower door cards, the rest of the deck being theirs alike."""
    lower = sum(higher(door, other) for other in DECK)
    return Fraction(comb(lower, players - 1), comb(51, players - 1))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("door", ["Ac", "2c", "2s", "8h", "Kc", "Ks"])
def test_chance_is_what_all_deals_of_door_cards_come_to(door: str, players: int) -> None:
    own = Card.parse(door)
    others = [card for card in DECK if card != own]
    deals = [all(higher(own, each) for each in deal) for deal in combinations(others, players - 1)]
    assert chance(own, players) == Fraction(sum(deals), len(deals))


@pytest.mark.parametrize("players", range(2, 9))
def test_somebody_brings_in(players: int) -> None:
    # Each of the players is as likely as another to have any card.
    assert sum(chance(card, players) for card in DECK) / 52 == Fraction(1, players)


# ---- by hand

# The hero's doors: 3h Kh Qd 3d 8c 6s 4d Ah 3c Jh Qs; two players in 5 and 9 to 11, else three.
# He brought in with the king and the queens, half a small bet each; with the jack he completed to
# 100 in place of the bring-in.
THREE = comb(51, 2)
HERO = {
    "A": (1, 0, Fraction(comb(2, 2), THREE), 0.0),
    "3": (3, 0, (Fraction(comb(10, 2) + comb(9, 2), THREE) + Fraction(8, 51)) / 3, 0.0),
    "4": (1, 0, Fraction(comb(13, 2), THREE), 0.0),
    "6": (1, 0, Fraction(comb(23, 2), THREE), 0.0),
    "8": (1, 0, Fraction(28, 51), 0.0),
    "J": (1, 1, Fraction(42, 51), 0.0),
    "Q": (2, 2, (Fraction(comb(45, 2), THREE) + Fraction(47, 51)) / 2, 25.0),
    "K": (1, 1, Fraction(comb(50, 2), THREE), 25.0),
}


def test_bring_ins_are_what_is_counted_by_hand(twelve: Database) -> None:
    for door, row in rows(twelve, Filters()).items():
        hands, made, expected, cost = HERO.get(door, (0, 0, None, None))
        assert (row["hands"], row["brought_in_made"]) == (hands, made), door
        assert row["brought_in"] == (made / hands if hands else None)
        assert (row["brought_in_low"], row["brought_in_high"]) == tuple(wilson(made, hands))
        assert row["expected"] == (None if expected is None else pytest.approx(float(expected)))
        assert row["bring_in_big_bets"] == (None if cost is None else pytest.approx(cost))


def test_filters_choose_the_hands(twelve: Database) -> None:
    kings = rows(twelve, Filters(all_players=True))["K"]
    # Bob's in 1, 5, 8, 12 and Ann's in 9 brought in, as did the hero's in 2; 30 chips of 200 in 9.
    assert (kings["hands"], kings["brought_in_made"]) == (6, 6)
    assert kings["bring_in_big_bets"] == pytest.approx(100 * (5 * 0.25 + 0.15) / 6)
    queens = rows(twelve, Filters(session=5))["Q"]  # hand 11 alone
    assert (queens["hands"], queens["expected"]) == (1, pytest.approx(47 / 51))
    assert rows(twelve, Filters(players=(2, 2)))["Q"]["hands"] == 1


def test_no_hands_have_thirteen_rows_without_values(twelve: Database) -> None:
    with Database.in_memory() as empty:
        for database, filters in ((empty, Filters(all_players=True)), (twelve, Filters(hero="x"))):
            for row in rows(database, filters).values():
                assert (row["hands"], row["brought_in_made"]) == (0, 0)
                assert row["brought_in"] is row["expected"] is row["bring_in_big_bets"] is None


# ---- many hands, as plain Python counts them


class Dealt(NamedTuple):
    """A player's door card in a hand, and what he brought in."""

    name: str
    is_hero: bool
    site: str
    players: int
    door: Card
    posted: float | None
    """In big bets; None where he did not post the bring-in."""
    opens: bool | None
    """Whether he is the bring-in player, though he may complete in its place; None if nobody is."""


def dealt(hand: ReplayedHand) -> Iterator[Dealt]:
    """Yield what the events of a hand say of each door card that can be seen."""
    parsed = hand.parsed
    doors: dict[Seat, Card | None] = {}
    posted: dict[Seat, int] = {}
    for event in parsed.events:
        if isinstance(event, Deal) and event.up:
            doors.setdefault(event.seat, event.up[0])
        elif isinstance(event, Show) and len(event.cards) == 7:  # some rooms show doors only here
            doors[event.seat] = event.cards[2]
        elif isinstance(event, BringIn):
            posted[event.seat] = event.amount
    names = {player.seat: player.name for player in parsed.players}
    for seat, door in doors.items():
        if door is not None:
            paid = posted[seat] / parsed.stakes.big_bet if seat in posted else None
            is_hero, site = seat == parsed.hero, parsed.hand_id.site
            opens = None if hand.bring_in_seat is None else seat == hand.bring_in_seat
            yield Dealt(names[seat], is_hero, site, len(doors), door, paid, opens)


SESSIONS = (
    (120, 6, Setup()),
    (80, 8, Setup(tournament=TournamentPlan(number="3900000001"), first_number=400_000_000_000)),
    (80, 2, Setup(stakes=usual_stakes(EUROS, 50), buy_in=(1.0, 6.0), first_number=500_000_000_000)),
    (60, 3, Setup(hero=None, first_number=600_000_000_000)),
)


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    found = [
        clean(render_hand(hand))
        for number, (count, players, setup) in enumerate(SESSIONS)
        for hand in simulate_hands(count, players, seed=number, setup=setup)
    ]
    files = sorted(file for file in SAMPLES.rglob("*.*") if file.suffix != ".md")
    samples = [checked.replayed for file in files for checked in check_file(file)]
    known = {hand.parsed.hand_id: hand for hand in (*found, *samples) if hand is not None}
    return list(known.values())


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        yield opened


@pytest.fixture(scope="module")
def everybody(hands: list[ReplayedHand]) -> list[Dealt]:
    return [each for hand in hands for each in dealt(hand)]


WHO: dict[str, tuple[Filters, Callable[[Dealt], bool]]] = {
    "the hero": (Filters(), lambda d: d.is_hero),
    "all players": (Filters(all_players=True), lambda d: True),
    "a room": (
        Filters(all_players=True, site="pokerstars", players=(3, 8)),
        lambda d: d.site == "pokerstars" and d.players >= 3,
    ),
    "heads up": (Filters(all_players=True, players=(2, 2)), lambda d: d.players == 2),
    "an opponent": (Filters(hero="low baller"), lambda d: d.name == "low baller"),
}


@pytest.mark.parametrize("who", WHO)
def test_bring_ins_are_what_plain_python_counts(
    database: Database, everybody: list[Dealt], who: str
) -> None:
    filters, wanted = WHO[who]
    by_door: defaultdict[str, list[Dealt]] = defaultdict(list)
    for each in filter(wanted, everybody):
        if each.opens is not None:
            by_door[each.door.rank.symbol].append(each)
    assert len(by_door) > 10
    for door, row in rows(database, filters).items():
        own = by_door[door]
        paid = [each.posted for each in own if each.posted is not None]
        opened = sum(each.opens is True for each in own)
        assert opened >= len(paid)
        assert (row["hands"], row["brought_in_made"]) == (len(own), opened), door
        assert row["brought_in"] == (opened / len(own) if own else None)
        assert (row["brought_in_low"], row["brought_in_high"]) == tuple(wilson(opened, len(own)))
        if own:
            exact = sum((chance(d.door, d.players) for d in own), Fraction()) / len(own)
            assert row["expected"] == pytest.approx(float(exact), rel=1e-12, abs=1e-15)
            assert row["bring_in_big_bets"] == pytest.approx(100 * fsum(paid) / len(own))
        else:
            assert row["expected"] is row["bring_in_big_bets"] is None


def test_the_recount_reaches_what_is_counted(everybody: list[Dealt]) -> None:
    assert {each.players for each in everybody} >= {2, 3, 4, 5, 6, 7, 8}
    assert {each.door for each in everybody} == {*DECK}
    posted = {each.door.rank for each in everybody if each.posted is not None}
    assert posted >= {*range(7, 14)}
    kings = [each for each in everybody if each.door.rank == 13]
    assert any(each.posted is None for each in kings)
    amounts = {round(each.posted, 3) for each in everybody if each.posted is not None}
    assert len(amounts) > 2  # cash games, tournaments, and bring-ins that took the last chips


# ---- what chance has it is what happens


def opened(count: int, players: int) -> tuple[Database, list[ReplayedHand]]:
    """Return a database of simulated hands, and the hands."""
    database = Database.in_memory()
    found = []
    for hand in simulate_hands(count, players, seed=17 + players):
        replayed = replay(hand).value
        assert replayed is not None
        found.append(replayed)
    database.insert_hands([hand_rows(hand, 1, None) for hand in found])
    return database, found


@pytest.mark.parametrize(
    ("count", "players"),
    [
        (600, 2),
        (600, 6),
        *(pytest.param(6_000, players, marks=pytest.mark.slow) for players in (2, 3, 6, 8)),
    ],
)
def test_door_cards_bring_in_as_often_as_by_chance(count: int, players: int) -> None:
    database, hands = opened(count, players)
    with database:
        hero = rows(database, Filters())
        everybody = rows(database, Filters(all_players=True))
    # Where the antes take all chips but one player's, nobody brings in.
    hands = [hand for hand in hands if hand.bring_in_seat is not None]
    assert count * 0.99 < len(hands) <= count
    # The hero's hands do not depend on each other: with each the chance is that of his door card.
    own = [(d.door.rank.symbol, chance(d.door, d.players), hand.bring_in_seat == hand.parsed.hero)
           for hand in hands for d in dealt(hand) if d.is_hero]  # fmt: skip
    for door, row in hero.items():
        chances = [each for symbol, each, _ in own if symbol == door]
        assert row["expected"] * len(chances) == pytest.approx(float(sum(chances)))
        brought = sum(opens for symbol, _, opens in own if symbol == door)
        # He may open with a completion instead.
        assert row["brought_in_made"] == brought
        error = sqrt(sum(each * (1 - each) for each in chances))
        assert abs(brought - row["expected"] * row["hands"]) <= 4 * error + 1e-9, door
    brought = sum(opens for _, _, opens in own)
    expected = sum(row["expected"] * row["hands"] for row in hero.values())
    error = sqrt(sum(each * (1 - each) for _, each, _ in own))
    assert abs(brought - expected) < 4 * error
    # Of all door cards of a hand one brings in: that is what their chances come to on average.
    sums = [float(sum(chance(d.door, d.players) for d in dealt(hand))) for hand in hands]
    total = sum(row["expected"] * row["hands"] for row in everybody.values())
    assert total == pytest.approx(fsum(sums))
    assert abs(fmean(sums) - 1) < 4 * stdev(sums) / sqrt(len(sums))
    assert sum(row["brought_in_made"] for row in everybody.values()) == len(hands)
