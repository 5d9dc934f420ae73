"""Luck and starting hands over the samples are what plain Python counts from replayed hands.

Nothing here asks the database how much there is of anything: pots, equity on sixth street, who won
and which first cards are known come from the hands, with every deal of the last cards gone through.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from hands import SAMPLES, check_file, clean

from razzstats.cards import DECK, Card, Rank
from razzstats.equity import Holding, Spot, calculate
from razzstats.equity.starting_hands import StartingHand, heads_up_results, ratings
from razzstats.events import Seat
from razzstats.lowball import best_low
from razzstats.measuring import measure_hands
from razzstats.replay import PlayerResult, ReplayedHand
from razzstats.rules.actions import DECISIONS, ActionKind
from razzstats.stats.filters import Filters
from razzstats.stats.hands import results
from razzstats.stats.intervals import Z_95, wilson
from razzstats.stats.tables import TABLE_FUNCTIONS
from razzstats.storage import Database, hand_key, hand_rows

# ---- what luck did, from the events of a hand


@dataclass
class Measured:
    """What is counted of a hand that was shown down; without shares if a card is not known."""

    kind: str
    shares: dict[Seat, Fraction] | None
    """Of the pots, by the seats that were in at the moment."""
    expected: dict[Seat, Fraction]
    luck: dict[Seat, Fraction]


def side_pots(put: dict[Seat, int], live: set[Seat]) -> list[tuple[int, set[Seat]]]:
    """Return amounts and who can win them, chip by chip: a pot is where the same players paid."""
    pots: dict[frozenset[Seat], int] = defaultdict(int)
    highest = frozenset[Seat]()
    for level in range(1, max(put.values()) + 1):
        payers = {seat for seat, amount in put.items() if amount >= level}
        # What only folded players paid goes with the last pot.
        highest = frozenset(payers & live) or highest
        pots[highest] += len(payers)
    return [(amount, set(seats)) for seats, amount in pots.items()]


def by_last_cards(
    hands: dict[Seat, tuple[Card, ...]], dead: set[Card], shared: bool
) -> dict[Seat, Fraction]:
    """Return the parts of a pot that six cards each win, over all ways to deal the seventh."""
    seen = {card for cards in hands.values() for card in cards} | dead
    left = [card for card in DECK if card not in seen]
    lows = [[best_low((*cards, card)) for card in left] for cards in hands.values()]
    order = {low: place for place, low in enumerate(sorted({low for own in lows for low in own}))}
    places = [[order[low] for low in own] for own in lows]
    drawn = range(len(left))
    deals = ((card,) * len(hands) for card in drawn) if shared else permutations(drawn, len(hands))
    won: Counter[tuple[Seat, ...]] = Counter()
    for deal in deals:
        found = [own[card] for own, card in zip(places, deal, strict=True)]
        best = min(found)
        won[tuple([seat for seat, low in zip(hands, found, strict=True) if low == best])] += 1
    shares = dict.fromkeys(hands, Fraction(0))
    for seats, count in won.items():
        for seat in seats:
            shares[seat] += Fraction(count, len(seats) * won.total())
    return shares


def measured(hand: ReplayedHand) -> Measured | None:
    """Measure a hand; None if it was not shown down."""
    if not any(result.showdown for result in hand.results):
        return None
    decided = [action.street for action in hand.actions if action.kind in DECISIONS]
    street = max(decided, default=3)
    kind = "all-in" if street < 7 else "last card"
    last = 7 if kind == "all-in" else 6  # whose chips count
    street = min(street, 6)
    folded = {
        action.seat
        for action in hand.actions
        if action.kind is ActionKind.FOLD and action.street <= street
    }
    by_seat = {result.seat: result for result in hand.results}
    live = {*by_seat} - folded
    put: dict[Seat, int] = dict.fromkeys(by_seat, 0)
    for action in hand.actions:
        if action.kind is ActionKind.COLLECT or action.street > last:
            continue
        put[action.seat] += action.amount * (-1 if action.kind is ActionKind.RETURN else 1)
    kept = Fraction(sum(r.collected for r in hand.results), hand.pot)

    def known(seat: Seat, number: int) -> tuple[Card, ...]:
        cards: Sequence[Card | None] = by_seat[seat].cards
        if number == 7 and hand.community is not None:
            cards = (*cards[:6], hand.community)
        return tuple(card for card in cards[:number] if card is not None)

    needed = street if kind == "all-in" else 7
    if any(len(known(seat, needed)) < needed for seat in live):
        return Measured(kind, None, {}, {})
    expected = dict.fromkeys(live, Fraction(0))
    won = dict.fromkeys(live, Fraction(0))
    for amount, seats in side_pots(put, live):
        own = {seat: known(seat, street) for seat in sorted(seats)}
        dead = {card for seat in {*by_seat} - seats for card in known(seat, street)}
        for seat, share in equity(own, dead, street, hand.community is not None).items():
            expected[seat] += share * amount * kept
        lows = {seat: best_low(known(seat, 7)) for seat in seats if kind == "last card"}
        winners = [seat for seat, low in lows.items() if low == min(lows.values())]
        for seat in winners:
            won[seat] += Fraction(amount, len(winners)) * kept
    if kind == "all-in":
        won = {seat: Fraction(by_seat[seat].collected) for seat in live}
    whole = sum(expected.values())
    return Measured(
        kind,
        {seat: chips / whole for seat, chips in expected.items()},
        expected,
        {seat: won[seat] - chips for seat, chips in expected.items()},
    )


def equity(
    hands: dict[Seat, tuple[Card, ...]], dead: set[Card], street: int, shared: bool
) -> dict[Seat, Fraction]:
    if len(hands) == 1:
        return dict.fromkeys(hands, Fraction(1))
    if street == 6:
        return by_last_cards(hands, dead, shared)
    found = calculate(Spot(tuple(map(Holding, hands.values())), tuple(dead), shared_river=shared))
    assert found.exact
    return {seat: found.share(place) for place, seat in enumerate(hands)}


# ---- the samples, and a hand in which a bet on seventh street makes the best hand fold

BLUFF = """\
PokerStars Hand #990001:  Razz Limit ($1/$2 USD) - 2026/01/09 14:30:00 ET
Table 'Halley' 6-max
Seat 1: Ann ($40 in chips)
Seat 2: Hero ($40 in chips)
Seat 3: Bob ($40 in chips)
Ann: posts the ante $0.10
Hero: posts the ante $0.10
Bob: posts the ante $0.10
*** 3rd STREET ***
Dealt to Ann [8s]
Dealt to Hero [7c Ac 3d]
Dealt to Bob [Kc]
Bob: brings in for $0.50
Ann: raises $0.50 to $1
Hero: calls $1
Bob: calls $0.50
*** 4th STREET ***
Dealt to Ann [8s] [4h]
Dealt to Hero [7c Ac 3d] [5c]
Dealt to Bob [Kc] [Qc]
Hero: checks
Bob: checks
Ann: checks
*** 5th STREET ***
Dealt to Ann [8s 4h] [Qh]
Dealt to Hero [7c Ac 3d 5c] [Kd]
Dealt to Bob [Kc Qc] [Jc]
Ann: checks
Hero: checks
Bob: checks
*** 6th STREET ***
Dealt to Ann [8s 4h Qh] [6d]
Dealt to Hero [7c Ac 3d 5c Kd] [9h]
Dealt to Bob [Kc Qc Jc] [Tc]
Ann: checks
Hero: checks
Bob: checks
*** RIVER ***
Dealt to Hero [7c Ac 3d 5c Kd 9h] [6h]
Ann: bets $2
Hero: folds
Bob: calls $2
*** SHOW DOWN ***
Ann: shows [As 2s 8s 4h Qh 6d Th] (Lo: 8,6,4,2,A)
Bob: shows [9c 2h Kc Qc Jc Tc 3h] (Lo: J,T,9,3,2)
Ann collected $7 from pot
*** SUMMARY ***
Total pot $7.30 | Rake $0.30
Seat 1: Ann showed [As 2s 8s 4h Qh 6d Th] and won ($7) with Lo: 8,6,4,2,A
Seat 2: Hero folded on the River
Seat 3: Bob showed [9c 2h Kc Qc Jc Tc 3h] and lost with Lo: J,T,9,3,2
"""


@dataclass
class PlayerHand:
    """One player's part in a hand."""

    hand: ReplayedHand
    result: PlayerResult
    measured: Measured | None

    @property
    def key(self) -> tuple[int, int]:
        return hand_key(self.hand.parsed.hand_id), self.result.seat

    @property
    def big_bet(self) -> int:
        return self.hand.parsed.stakes.big_bet

    @property
    def is_hero(self) -> bool:
        return self.result.seat == self.hand.parsed.hero

    @property
    def door(self) -> Card | None:
        return self.result.door_card

    @property
    def luck(self) -> float | None:
        """In big bets."""
        if self.measured is None or self.result.seat not in self.measured.luck:
            return None
        return float(self.measured.luck[self.result.seat]) / self.big_bet

    @property
    def net(self) -> float:
        return self.result.net / self.big_bet

    @property
    def starting_hand(self) -> StartingHand | None:
        known = [card.rank for card in self.result.cards[:3] if card is not None]
        return StartingHand.of(known) if len(known) == 3 else None

    @property
    def live_rating(self) -> float:
        assert self.starting_hand is not None
        others = [result.door_card for result in self.hand.results if result is not self.result]
        ranks = [card.rank for card in others if card is not None]
        return float(ratings(self.starting_hand, [[ranks.count(rank) for rank in Rank]])[0])


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    files = sorted(path for path in SAMPLES.rglob("*.*") if path.is_file())
    checked = [each for file in files if file.suffix != ".md" for each in check_file(file)]
    found = [each.replayed for each in checked if each.replayed is not None]
    return [*found, clean(BLUFF)]


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        assert measure_hands(opened) == len(hands)
        yield opened


@pytest.fixture(scope="module")
def everybody(hands: list[ReplayedHand]) -> list[PlayerHand]:
    return [
        PlayerHand(hand, result, found)
        for hand in hands
        for found in [measured(hand)]
        for result in hand.results
    ]


def table(database: Database, name: str, filters: Filters) -> list[dict[str, Any]]:
    frame = TABLE_FUNCTIONS[name](database, filters)
    records = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return records  # type: ignore[return-value]


Wanted = Callable[[PlayerHand], bool]
LOW_DOORS = frozenset(range(1, 9))
CHOICES: dict[str, tuple[Filters, Wanted]] = {
    "the hero": (Filters(), lambda p: p.is_hero),
    "all players": (Filters(all_players=True), lambda p: True),
    "one player": (
        Filters(hero="RazzHero"),
        lambda p: p.result.name == "RazzHero",
    ),
    "low doors": (
        Filters(doors=LOW_DOORS),
        lambda p: p.is_hero and p.door is not None and p.door.rank in LOW_DOORS,
    ),
    "heads up": (
        Filters(all_players=True, players=(2, 2)),
        lambda p: len(p.hand.results) == 2,
    ),
    "full tables": (
        Filters(all_players=True, players=(6, 8)),
        lambda p: len(p.hand.results) >= 6,
    ),
    "high doors at one site": (
        Filters(all_players=True, doors=frozenset((11, 12, 13)), site="pokerstars"),
        lambda p: (
            p.door is not None and p.door.rank > 10 and p.hand.parsed.hand_id.site == "pokerstars"
        ),
    ),
    "tournaments": (
        Filters(tournament=True),
        lambda p: p.is_hero and bool(p.hand.parsed.tournament),
    ),
    "dollars": (
        Filters(currency="USD"),
        lambda p: p.is_hero and p.hand.parsed.stakes.money.currency == "USD",
    ),
    "nobody": (Filters(hero="nobody"), lambda p: False),
}


@pytest.fixture(params=CHOICES)
def choice(request: pytest.FixtureRequest, everybody: list[PlayerHand]) -> Any:
    filters, wanted = CHOICES[request.param]
    return filters, [player for player in everybody if wanted(player)]


def part(some: float, whole: float) -> Any:
    return pytest.approx(some / whole) if whole else None


# ---- luck


def test_the_samples_reach_what_is_counted(everybody: list[PlayerHand]) -> None:
    found = [p.measured for p in everybody if p.measured]
    assert {(each.kind, each.shares is None) for each in found} >= {
        ("all-in", False), ("last card", False), ("last card", True),
    }  # fmt: skip
    assert any(p.hand.community and p.luck for p in everybody)
    assert any(len(p.hand.pots) > 2 and p.luck for p in everybody)
    assert any(p.hand.rake and p.luck for p in everybody)
    assert any(p.luck is not None and p.result.folded for p in everybody)
    assert any(p.luck == 0 for p in everybody)
    assert any(p.luck is not None and p.luck > 0 and p.result.folded for p in everybody)
    assert any(p.luck and p.is_hero and not p.result.showdown for p in everybody)
    for filters, wanted in CHOICES.values():
        assert any(map(wanted, everybody)) == (filters.hero != "nobody")


def test_every_stored_luck_is_what_plain_python_measures(
    database: Database, everybody: list[PlayerHand]
) -> None:
    stored = {
        (hid, seat): (equity, expected, luck)
        for hid, seat, equity, expected, luck in database.rows("SELECT * FROM player_luck")
    }
    counted = {
        p.key: (m.shares[p.result.seat], m.expected[p.result.seat], m.luck[p.result.seat])
        for p in everybody
        if (m := p.measured) and m.shares and p.result.seat in m.shares
    }
    assert stored.keys() == counted.keys()
    for key, values in counted.items():
        assert stored[key] == pytest.approx(tuple(map(float, values)), abs=1e-9), key


def test_every_hand_says_whether_it_was_measured(
    database: Database, everybody: list[PlayerHand]
) -> None:
    rows = database.rows("SELECT hid, kind, measured FROM hand_luck")
    stored = {hid: (kind, known) for hid, kind, known in rows}
    assert len(stored) == len(rows)
    for player in everybody:
        found = player.measured
        expected = (found.kind, found.shares is not None) if found else (None, None)
        assert stored[player.key[0]] == expected
    assert database.rows("SELECT count(*) FROM hand_luck WHERE exact IS NULL AND measured") == [
        (0,)
    ]


def test_the_luck_of_a_hand_adds_up_to_nothing(database: Database) -> None:
    found = database.rows(
        "SELECT hid, sum(luck), sum(equity), sum(expected), max(pot) FROM player_luck"
        " JOIN hands USING (hid) GROUP BY hid"
    )
    assert found
    for hid, luck, shares, expected, pot in found:
        assert luck == pytest.approx(0, abs=1e-6), hid
        assert shares == pytest.approx(1), hid
        assert 0 < expected <= pot + 1e-6, hid


def test_luck_is_what_plain_python_counts(
    database: Database, choice: tuple[Filters, list[PlayerHand]]
) -> None:
    filters, players = choice
    rows = table(database, "luck", filters)
    assert [row["kind"] for row in rows] == ["all-in", "last card", "all"]
    for row in rows:
        own = [p for p in players if p.measured and row["kind"] in (p.measured.kind, "all")]
        # His own showdowns count; luck is also that of hands in which he folded to a bet on
        # seventh street and others went on to show down.
        lucky = [p.luck for p in own if p.luck is not None]
        own = [p for p in own if p.result.showdown]
        known = [p for p in own if p.luck is not None]
        assert (row["hands"], row["measured"]) == (len(own), len(known))
        pots = [sum(p.hand.pot / p.big_bet for p in some) for some in (known, own)]
        assert row["pots_measured"] == part(*pots)
        for key, won in (("won_measured", True), ("lost_measured", False)):
            count = [sum((p.result.collected > 0) is won for p in some) for some in (known, own)]
            assert row[key] == part(*count), key
        expected = (sum(lucky), hypot(*lucky)) if known else (None, None)
        found = (row["luck_big_bets"], row["swing_big_bets"])
        assert found == pytest.approx(expected, abs=1e-6)


def test_all_players_together_have_no_luck(database: Database) -> None:
    for row in table(database, "luck", Filters(all_players=True)):
        assert row["luck_big_bets"] == pytest.approx(0, abs=1e-6)
        assert row["swing_big_bets"] > 0


def test_the_adjusted_result_is_what_plain_python_counts(
    database: Database, choice: tuple[Filters, list[PlayerHand]]
) -> None:
    filters, players = choice
    values = [p.net - (p.luck or 0.0) for p in players]
    rows = {row["id"]: row for row in table(database, "overview", filters)}
    row = rows["luck_adjusted_per_100"]
    assert row["chances"] == len(values)
    frame = results(database, filters)
    assert len(frame) == len(values)
    if not values:
        assert (row["value"], row["low"], row["high"]) == (None, None, None)
        return
    mean, margin = fmean(values), Z_95 * stdev(values) / sqrt(len(values))
    bounds = (100 * mean, 100 * (mean - margin), 100 * (mean + margin))
    assert (row["value"], row["low"], row["high"]) == pytest.approx(bounds)
    assert frame["luck_adjusted"].iloc[-1] == pytest.approx(sum(values))
    measured_luck = sorted(p.luck for p in players if p.luck is not None)
    assert sorted(frame["luck"].dropna()) == pytest.approx(measured_luck, abs=1e-9)
    still = (frame["total"] - frame["luck_adjusted"]).iloc[-1]
    assert still == pytest.approx(sum(measured_luck), abs=1e-6)


# ---- starting hands


def check_results(row: dict[str, Any], own: list[PlayerHand]) -> None:
    won = sum(p.result.collected > 0 for p in own)
    assert (row["hands"], row["won"]) == (len(own), won)
    assert row["win_rate"] == part(won, len(own))
    assert (row["win_rate_low"], row["win_rate_high"]) == wilson(won, len(own))
    assert row["saw_fourth"] == part(sum(p.result.last_street > 3 for p in own), len(own))
    if own:
        assert row["big_bets_per_100"] == pytest.approx(100 * fmean(p.net for p in own))
    else:
        assert row["big_bets_per_100"] is None


def net_of(own: list[PlayerHand], everything: list[PlayerHand]) -> int | None:
    """Return what some of the hands brought, which is told if all are in one currency."""
    money = {p.hand.parsed.stakes.money.currency for p in everything}
    return sum(p.result.net for p in own) if own and len(money) == 1 else None


def test_starting_hands_are_what_plain_python_counts(
    database: Database, choice: tuple[Filters, list[PlayerHand]]
) -> None:
    filters, players = choice
    groups: dict[str, list[PlayerHand]] = defaultdict(list)
    for player in players:
        if player.starting_hand is not None:
            groups[str(player.starting_hand)].append(player)
    rated = [player for own in groups.values() for player in own]
    rows = table(database, "starting-hands", filters)
    assert {row["starting_hand"] for row in rows} == groups.keys()
    places = {str(hand): place for place, hand in enumerate(heads_up_results(), 1)}
    assert [row["rank"] for row in rows] == sorted(places[name] for name in groups)
    assert [row["equity"] for row in rows] == sorted((r["equity"] for r in rows), reverse=True)
    for row in rows:
        own = groups[row["starting_hand"]]
        check_results(row, own)
        assert row["rank"] == places[row["starting_hand"]]
        assert row["live_rating"] == pytest.approx(fmean(p.live_rating for p in own))
        assert row["net"] == net_of(own, rated)


def class_of(hand: StartingHand) -> str:
    low, middle, high = hand.ranks
    if low < middle < high:
        for top, words in ((5, "three wheel cards"), (7, "three to a seven"),
                           (8, "three to an eight"), (9, "three to a nine")):  # fmt: skip
            if high <= top:
                return words
        return "two low, one high" if middle <= 8 else "other"
    return "low pair, low card" if high <= 8 and low != high else "other"


def test_starting_classes_are_what_plain_python_counts(
    database: Database, choice: tuple[Filters, list[PlayerHand]]
) -> None:
    filters, players = choice
    known = [(p, class_of(hand)) for p in players if (hand := p.starting_hand) is not None]
    rows = table(database, "starting-classes", filters)
    assert len(rows) == 7
    for row in rows:
        own = [p for p, words in known if words == row["class"]]
        check_results(row, own)
        assert row["net"] == net_of(own, [p for p, _ in known])
        assert row["dealt"] == part(len(own), len(known))
    assert sum(row["hands"] for row in rows) == len(known)


def test_what_is_to_be_expected_is_how_often_a_deck_deals_it(database: Database) -> None:
    dealt: Counter[str] = Counter()
    ranks = [card.rank for card in DECK]
    for first in range(52):
        for second in range(first):
            for third in range(second):
                hand = StartingHand.of((ranks[first], ranks[second], ranks[third]))
                dealt[class_of(hand)] += 1
    rows = table(database, "starting-classes", Filters())
    assert {row["class"]: row["to_be_expected"] for row in rows} == pytest.approx(
        {words: count / 22_100 for words, count in dealt.items()}
    )
    assert sum(row["to_be_expected"] for row in rows) == pytest.approx(1)
