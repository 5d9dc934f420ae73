"""The table of money: counted by hand over twelve hands, and by plain Python over many.

The twelve hands are in golden/statistics/twelve-hands.txt; test_stats says what they brought.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

import numpy as np
import pytest
from hands import SAMPLES, check_file, clean

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import ActionKind
from razzstats.simulate import (
    Setup,
    TournamentPlan,
    render_hand,
    simulate_hands,
)
from razzstats.stats.catalogue.money import MONEY_STATS, MONEY_TABLES
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import Z_95
from razzstats.stats.money import money_table, played_hands
from razzstats.stats.resampling import Blocks, block_interval
from razzstats.storage import Database, hand_key, hand_rows

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
HERO, ANN, ALL = Filters(), Filters(hero="Ann"), Filters(all_players=True)


def money(database: Database, filters: Filters) -> dict[str, dict[str, Any]]:
    """Return the table's rows by id, with None for what has no value."""
    frame = money_table(database, filters)
    assert list(frame.columns) == [column.key for column in MONEY_TABLES[0].columns]
    records = frame.astype(object).where(frame.notna(), None).to_dict("records")
    assert [(row["id"], row["title"], row["unit"]) for row in records] == [
        (stat.id, stat.title, stat.unit) for stat in MONEY_STATS
    ]
    return {str(row["id"]): row for row in records}  # type: ignore[misc]


def values(rows: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {id: row["value"] for id, row in rows.items()}


def per_100(results: Sequence[float]) -> Any:
    """Return a mean per 100 hands with its normal interval, as the table is to have it."""
    if not results:
        return (None, None, None)
    mean = fmean(results)
    if len(results) < 2:
        return pytest.approx((100 * mean, None, None))
    margin = Z_95 * stdev(results) / math.sqrt(len(results))
    bounds = (100 * mean, 100 * (mean - margin), 100 * (mean + margin))
    return pytest.approx(bounds, abs=1e-6)


# ---- counted by hand

# In big bets, hand by hand; hands 1 to 8 have a big bet of $2, 9 and 10 of 200 chips, 11 of €1.
NET = [0.35, -0.3, 0.1, 3.05, -2.55, -0.05, 0.125, 1.7, -0.6, 0.1, -0.3]
SESSIONS = [4, 2, 2, 2, 1]
ANTES = [0.05] * 8 + [0.1, 0.1, 0.05]
BRING_INS = [0, 0.25, 0.25, 0, 0, 0, 0, 0, 0, 0, 0.25]  # hand 10 he opened with a bet instead
# Hand 4: $0.60 of $12.80, he put in $6.10 and won it all; hand 5: $0.50 of $10.20, $5.10, he lost;
# hand 6: $0.10 of $2.30, his ante; hand 7: $0.10 of $2.80, $1.10, half of it is his; hand 8: $0.30
# of $6.80, $3.10, won. Hand 5 has two players, the others have three.
RAKE = {
    "weighted": [0, 0, 0, 0.6 * 6.1 / 12.8, 0.5 * 5.1 / 10.2, 0.1 * 0.1 / 2.3, 0.1 * 1.1 / 2.8,
                 0.3 * 3.1 / 6.8, 0, 0, 0],
    "dealt": [0, 0, 0, 0.6 / 3, 0.5 / 2, 0.1 / 3, 0.1 / 3, 0.3 / 3, 0, 0, 0],
    "winner": [0, 0, 0, 0.6, 0, 0, 0.1 / 2, 0.3, 0, 0, 0],
}  # fmt: skip


def only(results: Sequence[float], *hands: int) -> list[float]:
    return [result if hand in hands else 0.0 for hand, result in enumerate(results, 1)]


def test_what_money_is_made_of_is_what_is_counted_by_hand(twelve: Database) -> None:
    rows = money(twelve, HERO)
    expected = {
        "big_bets_per_100": NET,
        "small_bets_per_100": [2 * result for result in NET],  # at each of these tables
        "at_showdown_per_100": only(NET, 4, 7, 9),
        "without_showdown_per_100": only(NET, 1, 2, 3, 5, 6, 8, 10, 11),
        # Without those in which he gave up his ante or bring-in, or had no choice.
        "without_showdown_by_choice_per_100": only(NET, 1, 5, 8, 10),
        "ante_adjusted_per_100": [sum(x) for x in zip(NET, ANTES, BRING_INS, strict=True)],
        "folding_everything_per_100": [-sum(x) for x in zip(ANTES, BRING_INS, strict=True)],
        **{f"rake_{way}_per_100": [x / 2 for x in paid] for way, paid in RAKE.items()},
    }
    for id, results in expected.items():
        assert tuple(rows[id][key] for key in ("value", "low", "high")) == per_100(results), id
    assert {row["hands"] for row in rows.values()} == {11}


def test_small_bets_are_those_of_each_table() -> None:
    with Database.in_memory() as database:
        import_paths(database, [str(TWELVE)])
        # At $0.50/$2 the $5.10 that he lost in hand 5 are 10.2 small bets.
        fifth = "SELECT hid FROM hands WHERE hand_no = '5'"
        database.rows(f"UPDATE hand_players SET small_bet = 50 WHERE hid = ({fifth})")
        row = money(database, HERO)["small_bets_per_100"]
        results = [2 * result for result in NET[:4]] + [-10.2] + [2 * result for result in NET[5:]]
        assert tuple(row[key] for key in ("value", "low", "high")) == per_100(results)


# Minutes from the first to the last hand of each session: the hero's are 30 (1 to 4), 30 (5 and 6),
# 2 (7 and 8), 2 (9 and 10) and 0 (11); Ann's 30, 0 (6), 2, 2 and 2 (11 and 12); Bob's 30, 30, 2, 0.
@pytest.mark.parametrize(
    ("filters", "minutes", "big_bets"),
    [
        (HERO, 64, 1.625),
        (ANN, 36, -2.925),
        (Filters(hero="Bob"), 62, 0.5),
        (ALL, 162, -0.8),
        (Filters(session_gap=31), 91 + 2 + 2, 1.625),  # the first two are one
        (Filters(session_gap=29), 30 + 2 + 2, 1.625),  # 5 and 6 are two, 1 to 4 are one
        (Filters(session=2), 30, -2.6),
        (Filters(tournament=True), 2, -0.5),
    ],
)
def test_hours_and_what_they_brought(
    twelve: Database, filters: Filters, minutes: int, big_bets: float
) -> None:
    rows = money(twelve, filters)
    assert rows["hours"]["value"] == pytest.approx(minutes / 60)
    assert rows["big_bets_per_hour"]["value"] == pytest.approx(60 * big_bets / minutes)
    for id in ("hours", "big_bets_per_hour"):
        assert (rows[id]["low"], rows[id]["high"]) == (None, None)


def test_sessions_of_one_hand_take_no_time(twelve: Database) -> None:
    # Hands 5, 8 and 11 alone: a session each, of which none has begun and ended.
    filters = Filters(doors=frozenset({1, 8, 12}), since=datetime(2026, 1, 9, 20))
    found = values(money(twelve, filters))
    assert found["blocks"] == 3
    assert (found["hours"], found["big_bets_per_hour"]) == (0, None)


def test_hands_without_a_time_are_in_no_hour() -> None:
    with Database.in_memory() as database:
        import_paths(database, [str(TWELVE)])
        for where, minutes, big_bets in (
            ("hand_no = '4'", 20 + 30 + 2 + 2, 1.625 - 3.05),
            ("hand_no IN ('3', '5', '6')", 10 + 2 + 2, 1.625 - 3.05 - 0.1 + 2.55 + 0.05),
            ("TRUE", None, 0),
        ):
            hids = f"SELECT hid FROM hands WHERE {where}"
            database.rows(f"UPDATE hand_players SET played_at = NULL WHERE hid IN ({hids})")
            rows = money(database, HERO)
            hours = None if minutes is None else pytest.approx(minutes / 60)
            assert rows["hours"]["value"] == hours
            hourly = None if minutes is None else pytest.approx(60 * big_bets / minutes)
            assert rows["big_bets_per_hour"]["value"] == hourly
            assert rows["big_bets_per_hour"]["hands"] == 11
            assert rows["big_bets_per_100"]["value"] == pytest.approx(100 * 1.625 / 11)


def test_the_parts_of_the_net_add_up_to_it(twelve: Database) -> None:
    for filters in (HERO, ANN, ALL):
        found = values(money(twelve, filters))
        both = found["at_showdown_per_100"] + found["without_showdown_per_100"]
        assert both == pytest.approx(found["big_bets_per_100"])
        played = found["ante_adjusted_per_100"] + found["folding_everything_per_100"]
        assert played == pytest.approx(found["big_bets_per_100"])


def test_all_players_together_pay_all_rake_by_each_method(twelve: Database) -> None:
    found = values(money(twelve, ALL))
    for way in RAKE:  # $1.60 of big bets of $2, over 31 hands of players
        assert found[f"rake_{way}_per_100"] == pytest.approx(100 * 0.8 / 31)
    assert found["big_bets_per_100"] == pytest.approx(-100 * 0.8 / 31)


def test_how_sure_the_net_is(twelve: Database) -> None:
    rows = money(twelve, HERO)
    deviation = stdev(NET)
    found = values(rows)
    assert found["deviation_per_100"] == pytest.approx(10 * deviation)
    assert found["hands_to_5"] == math.ceil(100 * (1.959963984540054 * 10 * deviation / 5) ** 2)
    assert found["hands_to_2"] == math.ceil(100 * (1.959963984540054 * 10 * deviation / 2) ** 2)
    error = 10 * deviation / math.sqrt(11 / 100)
    sure = NormalDist().cdf(100 * fmean(NET) / error)
    assert found["winner_probability"] == pytest.approx(sure)
    assert 0.5 < sure < 0.7
    # After that many hands of the same kind the interval is as wide as was asked for.
    for width, hands in ((5, found["hands_to_5"]), (2, found["hands_to_2"])):
        assert Z_95 * 10 * deviation / math.sqrt(hands / 100) == pytest.approx(width, rel=1e-3)


def test_the_interval_by_session_draws_the_sessions(twelve: Database) -> None:
    rows = money(twelve, HERO)
    row = rows["big_bets_per_100_by_session"]
    assert row["value"] == pytest.approx(rows["big_bets_per_100"]["value"])
    assert rows["blocks"]["value"] == len(SESSIONS)
    numbers = np.repeat(range(5), SESSIONS)
    low, high = block_interval(Blocks.of(NET, numbers))
    assert low is not None
    assert high is not None
    assert (row["low"], row["high"]) == pytest.approx((100 * low, 100 * high))
    # No drawing brings more than the best session, or less than the worst one.
    parts = np.split(np.array(NET), np.cumsum(SESSIONS)[:-1])
    means = [100 * float(part.mean()) for part in parts]
    assert min(means) <= row["low"] < row["value"] < row["high"] <= max(means)


def test_players_and_rooms_have_sessions_of_their_own(twelve: Database) -> None:
    blocks = played_hands(twelve, ALL).blocks
    hero = [part.tolist() for part in np.split(np.array(NET), np.cumsum(SESSIONS)[:-1])]
    # Hands 1-4, 6, 7 and 8, 9 and 10, 11 and 12; 1-4, 5 and 6, 7 and 8, 12.
    ann = [[-0.05, 0.35, -0.05, -3.05], [0.55], [0.125, -1.55], [0.6, -0.1], [0.3, -0.05]]
    bob = [[-0.3, -0.05, -0.05, -0.3], [2.3, -0.55], [-0.3, -0.3], [0.05]]
    found = [part.round(9).tolist() for part in np.split(blocks.results, blocks.starts[1:])]
    assert sorted(found) == sorted([*hero, *ann, *bob])


# Running totals, the hero: .35 .05 .15 3.2 .65 .6 .725 2.425 1.825 1.925 1.625; Ann: -.05 .3 .25
# -2.8 -2.25 -2.125 -3.675 -3.075 -3.175 -2.875 -2.925.
@pytest.mark.parametrize(
    ("filters", "largest", "lasted", "present", "below"),
    [(HERO, 2.6, 7, 1.575, 9 / 11), (ANN, 3.975, 9, 3.225, 10 / 11)],
)
def test_drawdowns(
    twelve: Database, filters: Filters, largest: float, lasted: int, present: float, below: float
) -> None:
    found = values(money(twelve, filters))
    assert found["largest_drawdown"] == pytest.approx(largest)
    assert found["largest_drawdown_hands"] == lasted
    assert found["present_drawdown"] == pytest.approx(present)
    assert found["below_peak"] == pytest.approx(below)


def test_a_drawdown_that_is_over_lasted_until_the_peak_was_reached_again(twelve: Database) -> None:
    # Hands 1 to 4: .35 .05 .15 3.2.
    found = values(money(twelve, Filters(until=datetime(2026, 1, 9, 19, 59))))
    assert found["largest_drawdown"] == pytest.approx(0.3)
    assert found["largest_drawdown_hands"] == 2
    assert (found["present_drawdown"], found["below_peak"]) == (0, 0.5)


def test_a_drawdown_from_the_first_hand_on_counts_from_nothing_won(twelve: Database) -> None:
    # Hands 5 and 6: -2.55 -2.6.
    filters = Filters(since=datetime(2026, 1, 9, 20), until=datetime(2026, 1, 10))
    found = values(money(twelve, filters))
    assert found["largest_drawdown"] == pytest.approx(2.6)
    assert (found["largest_drawdown_hands"], found["below_peak"]) == (2, 1)
    assert found["present_drawdown"] == pytest.approx(2.6)


def test_no_hands_have_no_values_and_one_hand_no_intervals(twelve: Database) -> None:
    rows = money(twelve, Filters(site="winamax"))
    assert values(rows) == {stat.id: None for stat in MONEY_STATS} | {"blocks": 0}
    assert {row["hands"] for row in rows.values()} == {0}
    rows = money(twelve, Filters(doors=frozenset({1})))  # hand 8 alone, +1.7
    assert {row["low"] for row in rows.values()} == {None} == {row["high"] for row in rows.values()}
    found = values(rows)
    assert found["big_bets_per_100"] == found["big_bets_per_100_by_session"] == pytest.approx(170)
    unknown = ("deviation_per_100", "hands_to_5", "hands_to_2", "winner_probability")
    assert [found[id] for id in unknown] == [None] * 4
    fallen = ("largest_drawdown", "largest_drawdown_hands", "present_drawdown", "below_peak")
    assert [found[id] for id in fallen] == [0, 0, 0, 0]


def test_equal_results_do_not_say_how_likely_a_winner_is(twelve: Database) -> None:
    # Ann's hands 1 and 3 and 12: an ante each.
    rows = money(twelve, Filters(hero="Ann", doors=frozenset({9, 7})))
    found = values(rows)
    assert rows["big_bets_per_100"]["hands"] == 2
    assert found["big_bets_per_100"] == pytest.approx(-5)
    assert found["deviation_per_100"] == pytest.approx(0, abs=1e-9)
    assert (found["winner_probability"], found["hands_to_5"]) == (None, 0)


# ---- recounted


class Counted(NamedTuple):
    """What one player's hand counts, in big bets, from its actions and results."""

    site: str
    name: str
    is_hero: bool
    played_at: datetime | None
    hid: int
    seat: int
    net: float
    small_bets: float
    showdown: bool
    by_choice: bool
    forced: float
    weighted: float
    dealt: float
    winner: float
    luck: float


def counted(hand: ReplayedHand, luck: dict[tuple[int, int], float]) -> Iterator[Counted]:
    big_bet = hand.parsed.stakes.big_bet
    put: defaultdict[int, int] = defaultdict(int)
    got: defaultdict[int, int] = defaultdict(int)
    forced: defaultdict[int, int] = defaultdict(int)
    chose, folded = set(), set()
    for action in hand.actions:
        if action.kind is ActionKind.COLLECT:
            got[action.seat] += action.amount
        else:
            put[action.seat] += action.amount * (-1 if action.kind is ActionKind.RETURN else 1)
        if action.kind in (ActionKind.ANTE, ActionKind.BRING_IN):
            forced[action.seat] += action.amount
        if action.kind is ActionKind.FOLD:
            folded.add(action.seat)
        wagers = (ActionKind.CALL, ActionKind.COMPLETE, ActionKind.BET, ActionKind.RAISE)
        if action.kind in wagers and action.street == 3:
            chose.add(action.seat)
    pot, paid = sum(put.values()), sum(got.values())
    rake = pot - paid
    played_at = hand.parsed.played_at
    for result in hand.results:
        seat, hid = result.seat, hand_key(hand.parsed.hand_id)
        yield Counted(
            hand.parsed.hand_id.site,
            result.name,
            seat == hand.parsed.hero,
            None if played_at is None else played_at.replace(tzinfo=None),
            hid,
            seat,
            (got[seat] - put[seat]) / big_bet,
            (got[seat] - put[seat]) / hand.parsed.stakes.small_bet,
            result.showdown,
            seat in chose,
            forced[seat] / big_bet,
            rake * put[seat] / pot / big_bet,
            rake / len(hand.results) / big_bet,
            rake * got[seat] / paid / big_bet if paid else 0.0,
            luck.get((hid, seat), 0.0) / big_bet,
        )


SETUPS = (
    (60, 6, Setup()),
    (60, 6, Setup(start=datetime(2026, 2, 1, tzinfo=UTC), first_number=300_000_000_000)),
    (50, 8, Setup(tournament=TournamentPlan(number="3900000001"), first_number=400_000_000_000)),
    (40, 2, Setup(start=datetime(2026, 2, 2, tzinfo=UTC), first_number=500_000_000_000)),
)


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    simulated = [
        clean(render_hand(hand))
        for number, (count, players, setup) in enumerate(SETUPS)
        for hand in simulate_hands(count, players, seed=number, setup=setup)
    ]
    samples = [checked.replayed for file in sorted(SAMPLES.rglob("*.*")) if file.suffix != ".md"
               for checked in check_file(file)]  # fmt: skip
    stored = {hand_key(each.parsed.hand_id): each for each in samples if each is not None}
    return simulated + [each for each in stored.values() if each.rules.name == "razz"]


@pytest.fixture(scope="module")
def many(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        measure_hands(opened)
        yield opened


@pytest.fixture(scope="module")
def everybody(hands: list[ReplayedHand], many: Database) -> list[Counted]:
    found = many.rows("SELECT hid, seat, luck FROM player_luck")
    luck = {(int(hid), int(seat)): float(chips) for hid, seat, chips in found}
    players = [each for hand in hands for each in counted(hand, luck)]
    return sorted(players, key=lambda p: (p.played_at or datetime.min, p.hid, p.seat))


WHO = ("the hero", "an opponent", "all players")


def chosen(who: str, everybody: list[Counted]) -> tuple[Filters, list[Counted]]:
    if who == "the hero":
        return Filters(), [p for p in everybody if p.is_hero]
    if who == "all players":
        return Filters(all_players=True), everybody
    names = [p.name for p in everybody if not p.is_hero]
    name = max(sorted(set(names)), key=names.count)
    return Filters(hero=name), [p for p in everybody if p.name == name]


def session_numbers(players: list[Counted], gap: int = 30) -> list[int]:
    """Number the sessions of players whose hands are in the order of play."""
    last: dict[tuple[str, str], tuple[datetime | None, int]] = {}
    numbers: list[int] = []
    for player in players:
        own = (player.site, player.name)
        before, number = last.get(own, (None, -1))
        is_new = number < 0 or (
            player.played_at is not None
            and (before is None or player.played_at - before > timedelta(minutes=gap))
        )
        number = len(set(numbers)) if is_new else number
        last[own] = (player.played_at, number)
        numbers.append(number)
    return numbers


def test_what_is_recounted_is_there(everybody: list[Counted]) -> None:
    assert any(p.played_at is None for p in everybody)
    assert any(p.luck for p in everybody if p.is_hero)
    assert any(p.weighted > 0 for p in everybody)
    assert any(p.by_choice and not p.showdown for p in everybody if p.is_hero)
    assert len(set(session_numbers([p for p in everybody if p.is_hero]))) > 10


@pytest.mark.parametrize("who", WHO)
def test_money_is_what_plain_python_counts(
    many: Database, everybody: list[Counted], who: str
) -> None:
    filters, own = chosen(who, everybody)
    assert len(own) > 50
    rows = money(many, filters)
    expected = {
        "big_bets_per_100": [p.net for p in own],
        "small_bets_per_100": [p.small_bets for p in own],
        "at_showdown_per_100": [p.net if p.showdown else 0.0 for p in own],
        "without_showdown_per_100": [0.0 if p.showdown else p.net for p in own],
        "without_showdown_by_choice_per_100": [
            p.net if p.by_choice and not p.showdown else 0.0 for p in own
        ],
        "ante_adjusted_per_100": [p.net + p.forced for p in own],
        "folding_everything_per_100": [-p.forced for p in own],
        "rake_weighted_per_100": [p.weighted for p in own],
        "rake_dealt_per_100": [p.dealt for p in own],
        "rake_winner_per_100": [p.winner for p in own],
        "luck_adjusted_per_100": [p.net - p.luck for p in own],
    }
    for id, results in expected.items():
        assert tuple(rows[id][key] for key in ("value", "low", "high")) == per_100(results), id
        assert rows[id]["hands"] == len(own)
    assert rows["deviation_per_100"]["value"] == pytest.approx(10 * stdev(p.net for p in own))


@pytest.mark.parametrize("who", WHO)
def test_sessions_are_those_that_plain_python_finds(
    many: Database, everybody: list[Counted], who: str
) -> None:
    filters, own = chosen(who, everybody)
    played = played_hands(many, filters)
    assert played.results.tolist() == pytest.approx([p.net for p in own])
    sessions: dict[int, list[float]] = defaultdict(list)
    for player, number in zip(own, session_numbers(own), strict=True):
        sessions[number].append(player.net)
    parts = np.split(played.blocks.results, played.blocks.starts[1:])
    assert sorted(part.round(9).tolist() for part in parts) == sorted(
        [round(net, 9) + 0.0 for net in session] for session in sessions.values()
    )
    rows = money(many, filters)
    assert rows["blocks"]["value"] == len(sessions)
    low, high = block_interval(played.blocks)
    bounds = (rows["big_bets_per_100_by_session"][key] for key in ("low", "high"))
    assert [x / 100 for x in bounds] == pytest.approx([low, high])


@pytest.mark.parametrize("gap", [30, 1, 600])
@pytest.mark.parametrize("who", WHO)
def test_hours_are_what_plain_python_counts(
    many: Database, everybody: list[Counted], who: str, gap: int
) -> None:
    filters, own = chosen(who, everybody)
    times: dict[int, list[datetime]] = defaultdict(list)
    for player, number in zip(own, session_numbers(own, gap), strict=True):
        if player.played_at is not None:
            times[number].append(player.played_at)
    seconds = sum((played[-1] - played[0]).total_seconds() for played in times.values())
    total = sum(player.net for player in own if player.played_at is not None)
    found = values(money(many, replace(filters, session_gap=gap)))
    assert found["hours"] * 3600 == pytest.approx(seconds)
    assert found["big_bets_per_hour"] == pytest.approx(3600 * total / seconds)
    assert found["blocks"] == len(set(session_numbers(own, gap)))


@pytest.mark.parametrize("who", WHO)
def test_drawdowns_are_what_plain_python_counts(
    many: Database, everybody: list[Counted], who: str
) -> None:
    filters, own = chosen(who, everybody)
    total = peak = largest = 0.0
    below = since_peak = 0
    stretches: list[tuple[float, int]] = [(0.0, 0)]  # how deep and how long each one was
    for player in own:
        total += player.net
        if total >= peak - 1e-9:
            peak, largest, since_peak = max(total, peak), 0.0, 0
            continue
        below += 1
        since_peak += 1
        if since_peak == 1:
            stretches.append((0.0, 0))
        largest = max(largest, peak - total)
        stretches[-1] = (largest, since_peak)
    deepest = max(stretches, key=lambda stretch: stretch[0])
    found = values(money(many, filters))
    assert found["largest_drawdown"] == pytest.approx(deepest[0])
    assert found["largest_drawdown_hands"] == deepest[1]
    assert found["present_drawdown"] == pytest.approx(peak - total, abs=1e-9)
    assert found["below_peak"] == pytest.approx(below / len(own))


# ---- the rows in words


def test_every_row_is_defined_in_words_of_its_own() -> None:
    assert len({stat.id for stat in MONEY_STATS}) == len(MONEY_STATS)
    assert len({stat.title for stat in MONEY_STATS}) == len(MONEY_STATS)
    for stat in MONEY_STATS:
        assert stat.definition
        assert not stat.definition.endswith(".")
        assert stat.unit in {
            "BB/100", "SB/100", "BB", "BB/hour", "hours", "hands", "blocks", "rate",
        }  # fmt: skip
