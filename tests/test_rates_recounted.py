"""Rates of hands and of decisions are what plain Python counts by following each hand.

Nothing here asks the database: who is left to act, who wagered last, who stole, who folded and who
caught what is followed anew, action by action, by the words of each definition.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from hands import SAMPLES, check, check_file
from test_stats_recounted import PlayerHand, made_of, recount, rows

from razzstats.cards import MaybeCard
from razzstats.events import Seat
from razzstats.measuring import measure_hands
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import Action, ActionKind
from razzstats.simulate import EUROS, Setup, render_hand, simulate_hands, usual_stakes
from razzstats.stats.catalogue import STATS
from razzstats.stats.catalogue.decisions import DECISION_STATS, STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.storage import Database, hand_rows

CHOICES = {"fold", "check", "call", "complete", "bet", "raise"}
WAGERS = {"complete", "bet", "raise"}
VOLUNTARY = WAGERS | {"call"}
BRING_IN_CHOICES = ("fold", "call", "raise")
CAP = 4

Tally = Counter[tuple[str, int, bool]]
"""How often, by statistic, street and whether it was made: chances count in both."""


@dataclass
class Street:
    """What happened on the street so far."""

    number: int
    last_wagerer: Seat | None = None
    calls_of_this_wager: int = 0
    limps: int = 0
    stolen: bool = False
    """Whether the present wager is a steal."""
    own: dict[Seat, list[str]] = field(default_factory=dict)
    """Each seat's choices."""


class Count:
    """The tallies of one hand, by seat."""

    def __init__(self, hand: ReplayedHand) -> None:
        self.hand = hand
        self.results = {result.seat: result for result in hand.results}
        self.tallies: dict[Seat, Tally] = {seat: Counter() for seat in self.results}
        self.choices = [a for a in hand.actions if str(a.kind) in CHOICES]
        self.streets: dict[int, Street] = {}
        self.folded: set[Seat] = set()
        self.steals: set[Seat] = set()
        self.follow()

    def follow(self) -> None:
        for place, action in enumerate(self.choices):
            number = int(action.street)
            street = self.streets.setdefault(number, Street(number))
            self.count(action, street)
            if number == 3:
                self.count_third(action, street, self.choices[place + 1 :])
            self.move_on(action, street)
        self.look_back()

    def move_on(self, action: Action, street: Street) -> None:
        kind = str(action.kind)
        street.own.setdefault(action.seat, []).append(kind)
        if kind in WAGERS:
            street.last_wagerer = action.seat
            street.calls_of_this_wager = 0
        elif kind == "call" and action.wagers:
            street.calls_of_this_wager += 1
        elif kind == "call" and street.number == 3:
            street.limps += 1
        elif kind == "fold":
            self.folded.add(action.seat)

    def look_back(self) -> None:
        """Count what is known only when the street or the hand is over."""
        for street in self.streets.values():
            # Seats are in the order of their first decisions.
            *_, last = street.own
            wagers = sum(kind in WAGERS for own in street.own.values() for kind in own)
            for seat in street.own:
                self.note(seat, "acts_last", street.number, seat == last)
                self.note(seat, "capped", street.number, wagers >= CAP)
        for seat in self.steals:
            result = self.results[seat]
            alone = result.last_street == 3 and result.collected > 0 and not result.showdown
            self.note(seat, "steal_success", 3, alone)

    def note(self, seat: Seat, id: str, street: int, made: bool) -> None:
        self.tallies[seat][id, street, False] += 1
        self.tallies[seat][id, street, True] += made

    def last_wagerer(self, number: int) -> Seat | None:
        return self.streets[number].last_wagerer if number in self.streets else None

    # ---- any street

    def count(self, action: Action, street: Street) -> None:
        kind, seat = str(action.kind), action.seat
        own = street.own.get(seat, [])
        wagered = kind in WAGERS
        is_bring_in = seat == self.hand.bring_in_seat
        if not action.wagers and action.could_wager and not (street.number == 3 and is_bring_in):
            self.note(seat, "bet_unbet", street.number, wagered)
        if not own and not action.wagers and not action.to_call:
            self.count_continuations(action, street)
        if action.wagers and action.to_call:
            self.note(seat, "fold_to_wager", street.number, kind == "fold")
            if action.wagers == 1:
                self.count_against_one(action, street, own)
        if kind != "check":
            self.note(seat, "aggression_frequency", street.number, wagered)

    def count_continuations(self, action: Action, street: Street) -> None:
        seat, bets = action.seat, str(action.kind) == "bet"
        between = self.last_wagerer(street.number - 1)
        if between == seat:
            self.note(seat, "continuation", street.number, bets)
            own, theirs = self.catches(seat, street.number)
            if own is not None and own is not theirs:
                which = "continuation_ahead" if own else "continuation_behind"
                self.note(seat, which, street.number, bets)
        if between is None and self.last_wagerer(street.number - 2) == seat:
            self.note(seat, "delayed_continuation", street.number, bets)

    def count_against_one(self, action: Action, street: Street, own: list[str]) -> None:
        kind, seat = str(action.kind), action.seat
        before = self.last_wagerer(street.number - 1)
        if before is not None and before == street.last_wagerer:
            self.note(seat, "fold_to_continuation", street.number, kind == "fold")
        if action.could_wager:
            self.note(seat, "raise_vs_wager", street.number, kind == "raise")
            if "check" in own:
                self.note(seat, "check_raise", street.number, kind == "raise")

    def catches(self, seat: Seat, number: int) -> tuple[bool | None, bool]:
        """Whether he and whether any opponent caught well; None where his cards are not known."""
        hand = self.results[seat].cards[:number]
        # The last card lies face down, so that opponents' last up cards are those of sixth street.
        boards = [
            result.cards[2 : min(number, 6)]
            for other, result in self.results.items()
            if other != seat and other not in self.folded
        ]
        known = len(hand) == number and None not in hand
        return caught_well(hand) if known else None, any(map(caught_well, boards))

    # ---- third street

    def count_third(self, action: Action, street: Street, later: list[Action]) -> None:
        own = street.own.get(action.seat, [])
        is_bring_in = action.seat == self.hand.bring_in_seat
        steals_here = False
        if not own and not is_bring_in and not action.wagers and not street.limps:
            steals_here = self.count_first_in(action, street, later)
        if action.wagers == 1:
            self.count_completed(action, street, own)
        if action.wagers > 1:
            self.count_raised(action, own)
        if str(action.kind) in WAGERS:
            street.stolen = steals_here and str(action.kind) == "complete"
            if street.stolen:
                self.steals.add(action.seat)

    def count_first_in(self, action: Action, street: Street, later: list[Action]) -> bool:
        """Count a first decision with nothing in the pot; return whether it could be a steal."""
        kind, seat = str(action.kind), action.seat
        for id, made in (
            ("complete_first_in", "complete"),
            ("limp", "call"),
            ("fold_first_in", "fold"),
        ):
            self.note(seat, id, 3, kind == made)
        behind = self.behind(action, street, later)
        if action.could_wager and not any(door and door <= 8 for door in behind):
            self.note(seat, "steal_no_viable", 3, kind == "complete")
        if action.could_wager and len(behind) <= 2:
            self.note(seat, "steal", 3, kind == "complete")
        return len(behind) <= 2

    def behind(self, action: Action, street: Street, later: list[Action]) -> list[int | None]:
        """The doors of those who have yet to decide for the first time, but the bring-in's."""
        acted = {*street.own, action.seat, self.hand.bring_in_seat}
        waiting = {a.seat for a in later if a.street == 3} - acted
        doors = [self.results[seat].door_card for seat in waiting]
        return [int(door.rank) if door else None for door in doors]

    def count_completed(self, action: Action, street: Street, own: list[str]) -> None:
        """Count a decision that faces a completion."""
        kind, seat = str(action.kind), action.seat
        faces_steal = street.stolen and not street.calls_of_this_wager
        if faces_steal:
            self.note(seat, "fold_to_steal", 3, kind == "fold")
        if VOLUNTARY & {*own}:
            return
        if seat == self.hand.bring_in_seat:
            alone = len(self.results) - len(self.folded) == 2
            for suffix, faced in (("", True), ("_steal", faces_steal), ("_heads_up", alone)):
                for choice in BRING_IN_CHOICES if faced else ():
                    self.note(seat, f"bring_in_{choice}{suffix}", 3, kind == choice)
        else:
            self.note(seat, "cold_call", 3, kind == "call")
        if action.could_wager:
            self.note(seat, "raise_vs_complete", 3, kind == "raise")
            if street.calls_of_this_wager:
                self.note(seat, "squeeze", 3, kind == "raise")

    def count_raised(self, action: Action, own: list[str]) -> None:
        """Count a decision that faces a raise."""
        kind, seat = str(action.kind), action.seat
        if action.could_wager and action.wagers == 2:
            self.note(seat, "reraise", 3, kind == "raise")
        if action.could_wager and action.wagers == 3:
            self.note(seat, "cap", 3, kind == "raise")
        if WAGERS & {*own}:
            self.note(seat, "fold_to_reraise", 3, kind == "fold")


def caught_well(cards: tuple[MaybeCard, ...]) -> bool:
    """Whether the last of the cards is up to eight and pairs none of the others."""
    *others, last = (None if card is None else int(card.rank) for card in cards)
    return last is not None and last <= 8 and last not in others


# ---- the hands


@dataclass
class Counted:
    """Hands in a database, and what plain Python counts in them."""

    database: Database
    counts: list[Count]
    players: list[PlayerHand]


@contextmanager
def counted(hands: list[ReplayedHand]) -> Iterator[Counted]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        measure_hands(opened)
        players = [each for hand in hands for each in recount(hand.parsed)]
        yield Counted(opened, [Count(hand) for hand in hands], players)


def simulated(number: int, players: int, setup: Setup) -> list[ReplayedHand]:
    checked = [check(render_hand(hand)) for hand in simulate_hands(number, players, 5, setup)]
    return [each.replayed for each in checked if each.replayed is not None]


SESSIONS = (
    (250, 6, Setup()),
    (150, 8, Setup(first_number=400_000_000_000)),
    (
        150,
        2,
        Setup(stakes=usual_stakes(EUROS, 50), buy_in=(1.0, 6.0), first_number=500_000_000_000),
    ),
)


@pytest.fixture(scope="module")
def few() -> Iterator[Counted]:
    hands = [hand for session in SESSIONS for hand in simulated(*session)]
    assert len(hands) == sum(number for number, *_ in SESSIONS)
    for path in sorted(SAMPLES.rglob("*.txt")):
        hands += [c.replayed for c in check_file(path) if c.replayed and not c.diagnostics]
    with counted(hands) as found:
        yield found


# ---- what is computed, against what is counted

WHO = ("the hero", "all players")


def added_up(counts: Iterable[Count], who: str) -> Tally:
    total: Tally = Counter()
    for count in counts:
        for seat, tally in count.tallies.items():
            if who == "all players" or seat == count.hand.parsed.hero:
                total.update(tally)
    return total


def differences(found: Counted, who: str) -> dict[Any, Any]:
    """Return the rates that are not what is counted: computed, then counted."""
    filters = Filters(all_players=who == "all players")
    tally = added_up(found.counts, who)
    players = [p for p in found.players if who == "all players" or p.is_hero]
    expected = {
        **{(stat.id, 0): made_of(stat.id, players) for stat in STATS},
        **{
            (stat.id, street): (tally[stat.id, street, True], tally[stat.id, street, False])
            for stat, streets in (
                *((stat, (3,)) for stat in THIRD_STREET_STATS),
                *((stat, range(3, 8)) for stat in STREET_STATS),
            )
            for street in streets
        },
    }
    computed = [
        {"street": street} | row
        for table, street in (("hand-rates", 0), ("third-street", 3), ("street-rates", None))
        for row in rows(found.database, table, filters)
    ]
    assert [(row["id"], row["street"]) for row in computed] == [*expected]
    for row in computed:
        assert row["made"] <= row["chances"], row
        assert (row["rate_low"], row["rate_high"]) == wilson(row["made"], row["chances"])
        assert row["rate"] == (row["made"] / row["chances"] if row["chances"] else None)
    return {
        key: (fraction, expected[key])
        for row in computed
        for key, fraction in [((row["id"], row["street"]), (row["made"], row["chances"]))]
        if fraction != expected[key]
    }


@pytest.mark.parametrize("who", WHO)
def test_rates_are_what_plain_python_counts(few: Counted, who: str) -> None:
    assert differences(few, who) == {}


MANY = [
    pytest.param(players, buy_in, id=f"{players} players, {name}")
    for players in (2, 3, 6, 8)
    for name, buy_in in (("deep", (8.0, 30.0)), ("short", (1.0, 4.0)))
]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "buy_in"), MANY)
def test_rates_of_many_hands_are_what_plain_python_counts(
    players: int, buy_in: tuple[float, float]
) -> None:
    # 4,000 hands in all.
    hands = simulated(500, players, Setup(buy_in=buy_in))
    assert len(hands) == 500
    with counted(hands) as found:
        for who in WHO:
            assert differences(found, who) == {}, who


def test_every_rate_is_recounted_and_reached(few: Counted) -> None:
    total = added_up(few.counts, "all players")
    assert {id for id, _, _ in total} == {stat.id for stat in DECISION_STATS}
    counts = {stat.id: made_of(stat.id, few.players) for stat in STATS}
    for stat in DECISION_STATS:
        made, chances = (
            sum(total[stat.id, street, which] for street in range(3, 8)) for which in (True, False)
        )
        counts[stat.id] = made, chances
    for id, (made, chances) in counts.items():
        assert 0 < made < chances, id


# ---- how rates hang together


def by_id(rates: list[dict[str, Any]]) -> tuple[dict[str, int], dict[str, int]]:
    made = {row["id"]: row["made"] for row in rates}
    return made, {row["id"]: row["chances"] for row in rates}


def test_parts_of_third_street_add_up(few: Counted) -> None:
    made, chances = by_id(rows(few.database, "third-street", Filters(all_players=True)))
    for parts in (
        ["complete_first_in", "limp", "fold_first_in"],
        *(
            [f"bring_in_{choice}{suffix}" for choice in BRING_IN_CHOICES]
            for suffix in ("", "_steal", "_heads_up")
        ),
    ):
        assert sum(made[id] for id in parts) == chances[parts[0]]
        assert {chances[id] for id in parts} == {chances[parts[0]]}
    assert made["steal"] == chances["steal_success"]
    for part, whole in (
        ("steal", "complete_first_in"),
        ("steal_no_viable", "complete_first_in"),
        ("bring_in_fold_steal", "bring_in_fold_heads_up"),  # he is the last whom a steal reaches
        ("bring_in_fold_heads_up", "bring_in_fold"),
        ("squeeze", "raise_vs_complete"),
    ):
        assert chances[part] < chances[whole], part
        assert made[part] <= made[whole], part


def test_parts_of_hands_add_up(few: Counted) -> None:
    made, chances = by_id(rows(few.database, "hand-rates", Filters(all_players=True)))
    assert made["won_at_showdown"] + made["won_without_showdown"] == made["win_rate"]
    assert made["went_to_showdown"] == made["went_to_showdown_from_fifth"]
    assert made["went_to_showdown"] == chances["won_at_showdown"]
    assert made["saw_fourth"] == chances["went_to_showdown"] == chances["won_when_saw_fourth"]
    assert made["saw_fifth"] == chances["went_to_showdown_from_fifth"]
    assert made["vpip"] == chances["folded_after_entering"]
    falling = ("saw_fourth", "saw_fifth", "saw_sixth", "saw_seventh", "won_at_showdown")
    numbers = [made[id] for id in falling]
    assert numbers == sorted(numbers, reverse=True)
    for part in ("shared_at_showdown", "gained_at_showdown"):
        assert made[part] < made["won_at_showdown"]


def test_parts_of_each_street_add_up(few: Counted) -> None:
    found = rows(few.database, "street-rates", Filters(all_players=True))
    for street in range(3, 8):
        made, chances = by_id([row for row in found if row["street"] == street])
        assert made["acts_last"] == sum(street in count.streets for count in few.counts)
        assert chances["acts_last"] == chances["capped"]
        assert chances["check_raise"] <= chances["raise_vs_wager"] <= chances["fold_to_wager"]
        parts = ("continuation_ahead", "continuation_behind")
        assert sum(chances[id] for id in parts) <= chances["continuation"]
        assert sum(made[id] for id in parts) <= made["continuation"]


def test_decisions_are_all_choices(few: Counted) -> None:
    (found,) = few.database.rows(
        f"""SELECT (SELECT count(*) FROM decisions), count(*) FROM actions
        WHERE kind IN ({", ".join(f"'{kind}'" for kind in sorted(CHOICES))})"""
    )
    assert found[0] == found[1] == sum(len(count.choices) for count in few.counts)
    assert {str(kind) for kind in ActionKind} >= CHOICES
