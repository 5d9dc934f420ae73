"""Own door against the bring-in's: each cell over the samples is what plain Python counts."""

from collections import defaultdict
from collections.abc import Iterator
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from hands import SAMPLES, check_file, hand_text

from razzstats.cards import RANK_SYMBOLS
from razzstats.parsing import parse_hand
from razzstats.replay import PlayerResult, ReplayedHand, replay
from razzstats.rules.actions import VOLUNTARY, ActionKind
from razzstats.rules.ruleset import RULE_SETS
from razzstats.stats.catalogue import TABLE_BY_NAME
from razzstats.stats.door_pairs import door_pairs
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import Z_95
from razzstats.storage import Database, hand_rows

EVERYBODY = Filters(all_players=True)
COUNTS = ["hands", "entered", "completed", "won"]
PAIRS = [(own, other) for own in RANK_SYMBOLS for other in RANK_SYMBOLS]

# The king completes in the place of the bring-in, which makes him the bring-in player all the same.
COMPLETED = """\
PokerStars Hand #990002: Razz Limit ($1/$2 USD) - 2026/01/09 14:30:00 ET
Table 'Halley' 6-max
Seat 1: Ann ($40 in chips)
Seat 2: Hero ($40 in chips)
Ann: posts the ante $0.10
Hero: posts the ante $0.10
*** 3rd STREET ***
Dealt to Ann [Ks]
Dealt to Hero [7c Ac 3d]
Ann: bets $1
Hero: calls $1
*** 4th STREET ***
Dealt to Ann [Ks] [4h]
Dealt to Hero [7c Ac 3d] [5c]
Hero: bets $1
Ann: folds
Uncalled bet ($1) returned to Hero
Hero collected $2.20 from pot
*** SUMMARY ***
Total pot $2.20 | Rake $0
Seat 1: Ann folded on the 4th Street
Seat 2: Hero collected ($2.20)
"""

NO_BRING_IN = """\
PokerStars Hand #990003: Razz Limit ($1/$2 USD) - 2026/01/09 14:30:00 ET
Table 'Halley' 6-max
Seat 1: Ann ($40 in chips)
Seat 2: Hero ($40 in chips)
Ann: posts the ante $0.10
Hero: posts the ante $0.10
*** 3rd STREET ***
Dealt to Ann [Ks]
Dealt to Hero [7c Ac 3d]
Hero: bets $1
Ann: folds
Uncalled bet ($1) returned to Hero
Hero collected $0.20 from pot
*** SUMMARY ***
Total pot $0.20 | Rake $0
Seat 1: Ann folded on the 3rd Street
Seat 2: Hero collected ($0.20)
"""


def stored(hands: list[ReplayedHand]) -> Database:
    database = Database.in_memory()
    database.insert_hands([hand_rows(hand, 1, None) for hand in hands])
    return database


def replayed(text: str, variant: str = "razz") -> ReplayedHand:
    parsed = parse_hand(hand_text(text)).value
    assert parsed is not None
    hand = replay(parsed, RULE_SETS[variant]).value
    assert hand is not None
    return hand


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    files = sorted(path for path in SAMPLES.rglob("*.*") if path.is_file())
    checked = [each for file in files if file.suffix != ".md" for each in check_file(file)]
    return [each.replayed for each in checked if each.replayed is not None]


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with stored(hands) as opened:
        yield opened


def rows(database: Database, filters: Filters) -> dict[tuple[str, str], dict[str, Any]]:
    frame = door_pairs(database, filters)
    assert list(zip(frame["door"], frame["bring_in_door"], strict=True)) == PAIRS
    records = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return {(row["door"], row["bring_in_door"]): row for row in records}  # type: ignore[misc]


def pair_of(hand: ReplayedHand, own: PlayerResult) -> tuple[str, str] | None:
    doors = {result.seat: result.door_card for result in hand.results}
    if hand.bring_in_seat in (None, own.seat):
        return None
    first, second = doors[own.seat], doors[hand.bring_in_seat]
    if first is None or second is None:
        return None
    return RANK_SYMBOLS[first.rank - 1], RANK_SYMBOLS[second.rank - 1]


def is_higher(pair: tuple[str, str]) -> bool:
    return RANK_SYMBOLS.index(pair[0]) > RANK_SYMBOLS.index(pair[1])


@pytest.mark.parametrize("everybody", [True, False])
def test_every_cell_is_what_plain_python_counts(
    database: Database, hands: list[ReplayedHand], everybody: bool
) -> None:
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    nets: dict[tuple[str, str], list[float]] = defaultdict(list)
    for hand in hands:
        for own in hand.results:
            pair = pair_of(hand, own)
            if pair is None or not (everybody or own.seat == hand.parsed.hero):
                continue
            third = [act for act in hand.actions if act.seat == own.seat and act.street == 3]
            cell = counts[pair]
            cell[0] += 1
            cell[1] += any(act.kind in VOLUNTARY for act in third)
            cell[2] += any(act.kind is ActionKind.COMPLETE for act in third)
            cell[3] += own.collected > 0
            nets[pair].append(own.net / hand.parsed.stakes.big_bet)
    found = rows(database, EVERYBODY if everybody else Filters())
    assert max(cell[0] for cell in counts.values()) > 5
    # Where who shows the highest card has no chips left, somebody with a lower one brings in.
    assert not everybody or any(map(is_higher, counts))
    for pair in PAIRS:
        row, results = found[pair], nets[pair]
        assert [row[key] for key in COUNTS] == counts[pair], pair
        assert row["net_big_bets"] == pytest.approx(sum(results), abs=1e-9)
        bounds = [row[f"big_bets_per_100{end}"] for end in ("", "_low", "_high")]
        if len(results) < 2:
            assert bounds[1:] == [None, None]
            assert (bounds[0] is None) == (not results)
            continue
        mean, margin = fmean(results), Z_95 * stdev(results) / sqrt(len(results))
        expected = [100 * mean, 100 * (mean - margin), 100 * (mean + margin)]
        assert bounds == pytest.approx(expected, abs=1e-6)


def test_who_completes_in_place_of_the_bring_in_is_the_bring_in_player() -> None:
    with stored([replayed(COMPLETED)]) as database:
        found = rows(database, EVERYBODY)
    assert {pair for pair, row in found.items() if row["hands"]} == {("3", "K")}
    # Ante 0.10 and a call of 1 of her 1.10 won: 1.10, over a big bet of 2.
    cell = found["3", "K"]
    assert [cell[key] for key in COUNTS] == [1, 1, 0, 1]
    assert cell["net_big_bets"] == pytest.approx(0.55)
    assert cell["big_bets_per_100"] == pytest.approx(55)


def test_hands_without_a_bring_in_are_left_out() -> None:
    with stored([replayed(NO_BRING_IN, "home-game")]) as database:
        found = rows(database, Filters(all_players=True, game="home-game"))
    assert all(row["hands"] == 0 for row in found.values())


def test_without_hands_there_are_zeros_and_no_rates() -> None:
    with Database.in_memory() as database:
        for row in rows(database, Filters()).values():
            assert [row[key] for key in COUNTS] == [0, 0, 0, 0]
            assert row["net_big_bets"] == 0
            assert row["big_bets_per_100"] is row["big_bets_per_100_low"] is None


def test_the_columns_are_those_of_the_catalogue(database: Database) -> None:
    frame = door_pairs(database, Filters())
    columns = TABLE_BY_NAME["door-pairs"].columns
    assert list(frame.columns) == [column.key for column in columns]
