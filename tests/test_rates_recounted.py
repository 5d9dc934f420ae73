"""Rates of decisions are what plain Python counts by following each hand from its first action.

Nothing here asks the database: who is left to act, who wagered last, who stole and who folded is
followed anew, action by action.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pytest
from hands import SAMPLES, check, check_file

from razzstats.events import Seat
from razzstats.measuring import measure_hands
from razzstats.replay import ReplayedHand
from razzstats.reports.formats import records
from razzstats.rules.actions import Action, ActionKind
from razzstats.simulate import EUROS, Setup, render_hand, simulate_hands, usual_stakes
from razzstats.stats.catalogue.decisions import DECISION_STATS, STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.stats.rates import street_rates, third_street
from razzstats.storage import Database, hand_rows

CHOICES = {"fold", "check", "call", "complete", "bet", "raise"}
WAGERS = {"complete", "bet", "raise"}
SESSIONS = (
    (250, 6, Setup()),
    (150, 8, Setup(first_number=400_000_000_000)),
    (
        150,
        2,
        Setup(stakes=usual_stakes(EUROS, 50), buy_in=(1.0, 6.0), first_number=500_000_000_000),
    ),
)

Tally = Counter[tuple[str, int, bool]]
"""How often, by statistic, street and whether it was made: chances count in both."""


@dataclass
class Street:
    """What happened on the street so far."""

    number: int
    last_wagerer_before: int | None
    """Who made the last wager of the street before."""
    last_wagerer: int | None = None
    calls_of_this_wager: int = 0
    limps: int = 0
    stolen: bool = False
    """Whether the present wager is a steal."""
    own: dict[int, list[str]] = field(default_factory=dict)
    """Each seat's choices."""


class Count:
    """The tallies of one hand, by seat."""

    def __init__(self, hand: ReplayedHand) -> None:
        self.hand = hand
        self.results = {result.seat: result for result in hand.results}
        self.tallies: dict[Seat, Tally] = {seat: Counter() for seat in self.results}
        self.choices = [a for a in hand.actions if str(a.kind) in CHOICES]
        self.steals: set[Seat] = set()
        self.follow()

    def follow(self) -> None:
        street = Street(3, None)
        for place, action in enumerate(self.choices):
            if action.street != street.number:
                before = street.last_wagerer if action.street == street.number + 1 else None
                street = Street(action.street, before)
            self.count(action, street, self.choices[place + 1 :])
            self.move_on(action, street)
        for seat in self.steals:
            result = self.results[seat]
            alone = result.last_street == 3 and result.collected > 0 and not result.showdown
            self.note(seat, "steal_success", 3, alone)

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

    def note(self, seat: Seat, id: str, street: int, made: bool) -> None:
        self.tallies[seat][id, street, False] += 1
        self.tallies[seat][id, street, True] += made

    def count(self, action: Action, street: Street, later: list[Action]) -> None:
        kind, seat = str(action.kind), action.seat
        own = street.own.get(seat, [])
        if street.number == 3:
            self.count_third(action, street, own, later)
        wagered = kind in WAGERS
        is_bring_in = seat == self.hand.bring_in_seat
        if not action.wagers and action.could_wager and not (street.number == 3 and is_bring_in):
            self.note(seat, "bet_unbet", street.number, wagered)
        carries = street.last_wagerer_before == seat
        if carries and not own and not action.wagers and action.could_wager:
            self.note(seat, "continuation", street.number, kind == "bet")
        if action.wagers == 1 and street.last_wagerer == street.last_wagerer_before is not None:
            self.note(seat, "fold_to_continuation", street.number, kind == "fold")
        if action.wagers and action.to_call:
            self.note(seat, "fold_to_wager", street.number, kind == "fold")
        if action.wagers == 1 and action.to_call and action.could_wager:
            self.note(seat, "raise_vs_wager", street.number, kind == "raise")
        if own and own[-1] == "check" and action.wagers == 1 and action.could_wager:
            self.note(seat, "check_raise", street.number, kind == "raise")
        if kind != "check":
            self.note(seat, "aggression_frequency", street.number, wagered)
        if not own:
            all_wagers = [a for a in self.choices if a.street == action.street]
            capped = sum(str(a.kind) in WAGERS for a in all_wagers) >= 4
            self.note(seat, "capped", street.number, capped)

    def count_third(
        self, action: Action, street: Street, own: list[str], later: list[Action]
    ) -> None:
        kind, seat = str(action.kind), action.seat
        is_bring_in = seat == self.hand.bring_in_seat
        behind = self.behind(action, street, later)
        first_in = not own and not is_bring_in and not action.wagers and not street.limps
        steals_here = first_in and len(behind) <= 2
        if first_in:
            for id, made in (("complete_first_in", "complete"), ("limp", "call"),
                             ("fold_first_in", "fold")):  # fmt: skip
                self.note(seat, id, 3, kind == made)
            if action.could_wager and not any(door and door <= 8 for door in behind):
                self.note(seat, "steal_no_viable", 3, kind == "complete")
        if steals_here and action.could_wager:
            self.note(seat, "steal", 3, kind == "complete")
        faces_one = action.wagers == 1
        uncommitted = not own or (is_bring_in and own == ["check"])
        if faces_one and street.stolen and not street.calls_of_this_wager and not own:
            self.note(seat, "fold_to_steal", 3, kind == "fold")
        if faces_one and uncommitted:
            if is_bring_in:
                for made in ("fold", "call", "raise"):
                    self.note(seat, f"bring_in_{made}", 3, kind == made)
            else:
                self.note(seat, "cold_call", 3, kind == "call")
            if action.could_wager:
                self.note(seat, "raise_vs_complete", 3, kind == "raise")
                if street.calls_of_this_wager:
                    self.note(seat, "squeeze", 3, kind == "raise")
        if action.wagers >= 2 and own and own[-1] in ("complete", "raise"):
            self.note(seat, "fold_to_reraise", 3, kind == "fold")
        if kind in WAGERS:
            street.stolen = steals_here and kind == "complete"
            if street.stolen:
                self.steals.add(seat)

    def behind(self, action: Action, street: Street, later: list[Action]) -> list[int | None]:
        """The doors of those who have yet to decide for the first time, but the bring-in's."""
        acted = {*street.own, action.seat, self.hand.bring_in_seat}
        waiting = {a.seat for a in later if a.street == 3} - acted
        doors = [self.results[seat].door_card for seat in waiting]
        return [int(door.rank) if door else None for door in doors]


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    found = []
    for number, players, setup in SESSIONS:
        for hand in simulate_hands(number, players, 5, setup):
            replayed = check(render_hand(hand)).replayed
            assert replayed is not None
            found.append(replayed)
    for path in sorted(SAMPLES.rglob("*.txt")):
        found += [c.replayed for c in check_file(path) if c.replayed and not c.diagnostics]
    return found


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        measure_hands(opened)
        yield opened


@pytest.fixture(scope="module")
def counts(hands: list[ReplayedHand]) -> list[Count]:
    return [Count(hand) for hand in hands]


def added_up(counts: Iterable[Count], who: str) -> Tally:
    total: Tally = Counter()
    for count in counts:
        for seat, tally in count.tallies.items():
            if who == "all players" or seat == count.hand.parsed.hero:
                total.update(tally)
    return total


@pytest.mark.parametrize("who", ["the hero", "all players"])
def test_rates_are_what_plain_python_counts(
    database: Database, counts: list[Count], who: str
) -> None:
    filters = Filters(all_players=who == "all players")
    expected = added_up(counts, who)
    rows = [{"street": 3} | row for row in records(third_street(database, filters))]
    rows += records(street_rates(database, filters))
    assert len(rows) == len(THIRD_STREET_STATS) + 5 * len(STREET_STATS)
    for row in rows:
        id, street = row["id"], row["street"]
        counted = expected[id, street, True], expected[id, street, False]
        assert (row["made"], row["chances"]) == counted, (id, street)
        assert row["made"] <= row["chances"]
        if row["chances"]:
            low, high = wilson(*counted)
            assert (row["rate_low"], row["rate_high"]) == (low, high)


def test_the_hands_reach_what_is_counted(counts: list[Count]) -> None:
    total = added_up(counts, "all players")
    for stat in DECISION_STATS:
        made = sum(total[stat.id, street, True] for street in range(3, 8))
        chances = sum(total[stat.id, street, False] for street in range(3, 8))
        assert 0 < made < chances, stat.id


def test_parts_add_up(database: Database) -> None:
    rows = third_street(database, Filters(all_players=True)).set_index("id")
    made, chances = rows["made"].to_dict(), rows["chances"].to_dict()
    for parts in (
        ["complete_first_in", "limp", "fold_first_in"],
        ["bring_in_fold", "bring_in_call", "bring_in_raise"],
    ):
        assert sum(made[id] for id in parts) == chances[parts[0]]
    assert made["steal"] == chances["steal_success"]


def test_decisions_are_all_choices(database: Database) -> None:
    (found,) = database.rows(
        f"""SELECT (SELECT count(*) FROM decisions), count(*) FROM actions
        WHERE kind IN ({", ".join(f"'{kind}'" for kind in sorted(CHOICES))})"""
    )
    assert found[0] == found[1]
    assert {str(kind) for kind in ActionKind} >= CHOICES
