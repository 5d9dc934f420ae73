"""Sessions and stakes: twelve hands counted by hand, and many as plain Python counts them."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pandas as pd
import pytest
from cli import Run, razzstats
from hands import SAMPLES, check_file, clean
from test_leaks_overall import hand_players
from test_stats import LUCK, NET, nets, per_100
from test_stats_recounted import PlayerHand, made_of, recount

from razzstats.events import Collect
from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.replay import ReplayedHand
from razzstats.reports.formats import records
from razzstats.simulate import EUROS, Setup, render_hand, simulate_hands, usual_stakes
from razzstats.stats.catalogue.players import PLAYER_TABLES
from razzstats.stats.decisions import decisions
from razzstats.stats.filters import Filters, LastSession
from razzstats.stats.groups import GROUPS
from razzstats.stats.hands import biggest_pots, results
from razzstats.stats.intervals import wilson
from razzstats.stats.leaks.finder import find_leaks
from razzstats.stats.money import played_hands
from razzstats.stats.sessions import session_table, stakes_table
from razzstats.stats.tables import GROUPED_TABLES, TABLE_FUNCTIONS, count_hands, overview
from razzstats.storage import Database, hand_rows

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
WHO = {"hero": Filters(), "ann": Filters(hero="Ann"), "all": Filters(all_players=True)}
PER_100 = ("big_bets_per_100", "big_bets_per_100_low", "big_bets_per_100_high")


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame, with None for what has no value."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")  # type: ignore[return-value]


def cells(row: dict[str, Any], *keys: str) -> tuple[Any, ...]:
    return tuple(row[key] for key in keys)


# ---- sessions by hand

# Hands, when it began and ended (14:00 in New York is 19:00 UTC), minutes, stakes, net in cents or
# chips, the biggest pot in big bets and its hand, VPIP (he had no choice in 3 and 11), showdowns.
# Pots: hand 4 12.80 and 5 10.20 of $2; 8 6.80 of $2; 9 240 of 200; 11 .60 of €1.
HERO_SESSIONS = (
    ("h1,h2,h3,h4", "01-09T19:00", "01-09T19:30", 30, "1/2 USD", 640, 6.4, "4", (2, 3), 1),
    ("h5,h6", "01-09T20:01", "01-09T20:31", 30, "1/2 USD", -520, 5.1, "5", (1, 2), 0),
    ("h7,h8", "01-10T19:00", "01-10T19:02", 2, "1/2 USD", 365, 3.4, "8", (2, 2), 1),
    ("h9,h10", "01-20T19:00", "01-20T19:02", 2, "100/200 chips", -100, 1.2, "9", (2, 2), 1),
    ("h11", "02-01T19:00", "02-01T19:00", 0, "0.5/1 EUR", -30, 0.6, "11", (0, 0), 0),
)


def test_sessions_count_what_is_counted_by_hand(twelve: Database) -> None:
    found = rows(session_table(twelve, Filters()))
    assert len(found) == len(HERO_SESSIONS)
    for number, (row, expected) in enumerate(zip(found, HERO_SESSIONS, strict=True), 1):
        hands, begin, end, minutes, stakes, net, pot, pot_hand, (made, chances), showdowns = (
            expected
        )
        results = nets(hands)
        assert cells(row, "number", "name", "site") == (number, "Hero", "pokerstars")
        assert cells(row, "begin", "end") == (f"2026-{begin}:00Z", f"2026-{end}:00Z")
        assert row["day"] == f"2026-{begin[:5]}"
        assert cells(row, "minutes", "hands", "stakes") == (minutes, len(results), stakes)
        assert cells(row, "net", "showdowns") == (net, showdowns)
        assert row["net_big_bets"] == pytest.approx(sum(results))
        assert cells(row, *PER_100) == pytest.approx(per_100(results))
        hourly = sum(results) / minutes * 60 if minutes else None
        assert row["big_bets_per_hour"] == (pytest.approx(hourly) if minutes else None)
        assert cells(row, "biggest_pot", "biggest_pot_hand") == (pytest.approx(pot), pot_hand)
        low, high = wilson(made, chances)
        rate = made / chances if chances else None
        keys = ("vpip", "vpip_low", "vpip_high", "vpip_chances")
        assert cells(row, *keys) == (rate, low, high, chances)
        luck = [LUCK["hero"][int(h[1:])] for h in hands.split(",") if int(h[1:]) in LUCK["hero"]]
        assert row["luck_big_bets"] == (pytest.approx(sum(luck)) if luck else None)


@pytest.mark.parametrize(
    ("minutes", "hands"),
    [
        (9, [1, 1, 1, 1, 1, 1, 2, 2, 1]),  # hands 1 to 4 are ten minutes apart each
        (10, [4, 1, 1, 2, 2, 1]),
        (29, [4, 1, 1, 2, 2, 1]),
        (30, [4, 2, 2, 2, 1]),  # 30 minutes between 5 and 6, 31 between 4 and 5
        (31, [6, 2, 2, 1]),
        (24 * 60, [8, 2, 1]),
    ],
)
def test_a_longer_pause_than_the_gap_begins_a_session(
    twelve: Database, minutes: int, hands: list[int]
) -> None:
    assert list(session_table(twelve, Filters(session_gap=minutes))["hands"]) == hands


def test_a_pot_that_was_given_up_at_once_is_not_the_biggest(twelve: Database) -> None:
    ann = rows(session_table(twelve, Filters(hero="Ann")))
    # Of hands 11 and 12 she limped in the first and folded the other, of .60 and .10.
    assert cells(ann[-1], "hands", "biggest_pot", "biggest_pot_hand") == (2, 0.6, "11")
    bob = rows(session_table(twelve, Filters(hero="Bob", doors=frozenset((2, 7)))))  # hands 2, 3
    assert [cells(row, "hands", "biggest_pot", "biggest_pot_hand") for row in bob] == [
        (2, None, None)
    ]


def test_nothing_found_is_no_row(twelve: Database) -> None:
    for make in (session_table, stakes_table):
        frame = make(twelve, Filters(site="winamax"))
        assert frame.empty
    with Database.in_memory() as empty:
        assert session_table(empty, Filters()).empty
        assert stakes_table(empty, Filters()).empty


# ---- stakes by hand

# Luck-adjusted: the net of the hands less LUCK. Sessions: three for dollars, as above.
HERO_STAKES = (
    ("h11", "0.5/1 EUR", "EUR", "cash", 1, -30, 0, (0, 0)),
    ("h1,h2,h3,h4,h5,h6,h7,h8", "1/2 USD", "USD", "cash", 3, 485, 5, (5, 7)),
    ("h9,h10", "100/200 chips", "chips", "tournament", 1, -100, 1, (2, 2)),
)


def test_stakes_count_what_is_counted_by_hand(twelve: Database) -> None:
    found = rows(stakes_table(twelve, Filters()))
    for row, expected in zip(found, HERO_STAKES, strict=True):
        hands, stakes, currency, game, sessions, net, won, (made, chances) = expected
        results, numbers = nets(hands), [int(hand[1:]) for hand in hands.split(",")]
        assert cells(row, "site", "stakes", "currency") == ("pokerstars", stakes, currency)
        assert cells(row, "game", "hands", "sessions") == (game, len(results), sessions)
        assert cells(row, "net", "won") == (net, won)
        assert cells(row, *PER_100) == pytest.approx(per_100(results))
        luck = sum(LUCK["hero"].get(number, 0) for number in numbers)
        adjusted = 100 * (sum(results) - luck) / len(results)
        assert row["luck_adjusted_per_100"] == pytest.approx(adjusted)
        keys = ("win_rate", "win_rate_low", "win_rate_high")
        assert cells(row, *keys) == (won / len(results), *wilson(won, len(results)))
        rate = made / chances if chances else None
        assert cells(row, "vpip", "vpip_chances") == (rate, chances)
        assert cells(row, "vpip_low", "vpip_high") == tuple(wilson(made, chances))


def moved(number: int, old: str, new: str) -> ReplayedHand:
    """Return one of the twelve hands at another time."""
    text = TWELVE.read_text(encoding="utf-8").strip().split("\n\n")[number - 1]
    assert text.count(old) == 1
    return clean(text.replace(old, new) + "\n\n\n")


def test_a_session_at_several_tables_is_one_and_its_money_is_not_added_up() -> None:
    day = "2026/01/09 14:0"
    with Database.in_memory() as database:
        hands = [
            moved(1, "2026/01/09 14:00", f"{day}0"),
            moved(9, "2026/01/20 14:00", f"{day}5"),
            moved(11, "2026/02/01 14:00", f"{day}5"),
        ]
        database.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        (row,) = rows(session_table(database, Filters()))
        assert cells(row, "hands", "minutes", "stakes", "net") == (3, 5, "several", None)
        assert row["net_big_bets"] == pytest.approx(sum(nets("h1,h9,h11")))
        assert row["luck_big_bets"] is None  # not measured
        stakes = rows(stakes_table(database, Filters()))
        assert [cells(each, "sessions", "net") for each in stakes] == [(1, -30), (1, 70), (1, -120)]


def with_hand_changed(number: str, change: str) -> Database:
    """Return the twelve hands with the players' rows of one of them changed."""
    database = Database.in_memory()
    import_paths(database, [str(TWELVE)])
    hid = f"SELECT hid FROM hands WHERE hand_no = '{number}'"
    database.rows(f"UPDATE hand_players SET {change} WHERE hid = ({hid})")
    return database


def test_the_same_name_at_another_room_is_another_player() -> None:
    with with_hand_changed("5", "site = 'winamax'") as database:
        filters = Filters(until=datetime(2026, 1, 10), session_gap=31)
        found = rows(session_table(database, filters))
        # 31 minutes from hand 4 to 5 and 30 to 6, but 61 where 5 is no hand of his.
        assert [cells(row, "site", "hands") for row in found] == [
            ("pokerstars", 4), ("winamax", 1), ("pokerstars", 1),
        ]  # fmt: skip


def test_amounts_in_different_units_are_not_added_up() -> None:
    thousandths = "decimals = 3, small_bet = 1000, big_bet = 2000"
    with with_hand_changed("2", thousandths) as database:
        first, second, *_ = rows(session_table(database, Filters()))
        assert cells(first, "stakes", "net") == ("1/2 USD", None)
        assert cells(second, "stakes", "net") == ("1/2 USD", -520)
        _, dollars, _ = rows(stakes_table(database, Filters()))
        assert cells(dollars, "stakes", "hands", "net") == ("1/2 USD", 8, None)


def test_of_equal_pots_the_first_is_named() -> None:
    with Database.in_memory() as database:
        hands = [moved(1, "Hand #1:", "Hand #1:")]
        hands.append(moved(1, "Hand #1:  Razz Limit ($1/$2 USD) - 2026/01/09 14:00",
                           "Hand #900:  Razz Limit ($1/$2 USD) - 2026/01/09 13:50"))  # fmt: skip
        database.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        (row,) = rows(session_table(database, Filters()))
        assert cells(row, "hands", "biggest_pot", "biggest_pot_hand") == (2, 0.65, "900")


# ---- one session, by hand

JANUARY_9 = date(2026, 1, 9)
LAST = LastSession.LAST


def shown(found: list[dict[str, Any]]) -> str:
    return " ".join(row["hand_no"] for row in found)


@pytest.mark.parametrize(
    ("values", "hands"),
    [
        ({"session": 1}, "1 2 3 4"),
        ({"session": 2}, "5 6"),
        ({"session": 5}, "11"),
        ({"session": LAST}, "11"),
        ({"session": JANUARY_9}, "1 2 3 4 5 6"),
        ({"session": date(2026, 1, 10)}, "7 8"),
        # Sessions began at 19:00 and 20:01 of the 9th, and at 19:00 of the other days.
        ({"session": JANUARY_9, "day_start": 19}, "1 2 3 4 5 6"),
        ({"session": JANUARY_9, "day_start": 20}, "5 6 7 8"),
        ({"session": date(2026, 1, 8), "day_start": 20}, "1 2 3 4"),
        ({"session": date(2026, 1, 8), "day_start": 19}, ""),
        # With another gap and other hands there are other sessions.
        ({"session": 1, "session_gap": 31}, "1 2 3 4 5 6"),
        ({"session": 2, "session_gap": 31}, "7 8"),
        ({"session": 2, "session_gap": 9}, "2"),
        ({"session": LAST, "session_gap": 30 * 24 * 60}, "1 2 3 4 5 6 7 8 9 10 11"),
        ({"session": 1, "tournament": True}, "9 10"),
        ({"session": 2, "tournament": True}, ""),
        ({"session": LAST, "currency": "USD"}, "7 8"),
        ({"session": LAST, "until": datetime(2026, 1, 9, 20, 10)}, "5"),
        ({"session": 2, "hero": "Ann"}, "6"),  # she is not in 5
        ({"session": LAST, "hero": "Ann"}, "11 12"),
        ({"session": LAST, "hero": "Bob"}, "12"),
    ],
    ids=str,
)
def test_one_session_has_the_hands_that_are_counted_by_hand(
    twelve: Database, values: dict[str, Any], hands: str
) -> None:
    filters = Filters(**values)
    assert shown(records(results(twelve, filters))) == hands
    assert count_hands(twelve, filters) == len(hands.split())


def test_of_all_players_a_session_is_one_players(twelve: Database) -> None:
    # Ann, Bob and Hero begin together at 19:00, and are numbered in this order.
    for number, name, hands in ((1, "Ann", "1 2 3 4"), (3, "Hero", "1 2 3 4"), (4, "Bob", "5 6")):
        filters = Filters(all_players=True, session=number)
        assert shown(records(results(twelve, filters))) == hands
        (row,) = rows(session_table(twelve, filters))
        assert cells(row, "number", "name") == (number, name)
    # Bob's hand 12 began last.
    assert shown(records(results(twelve, Filters(all_players=True, session=LAST)))) == "12"


def test_a_session_past_midnight_is_of_the_day_on_which_it_began() -> None:
    with Database.in_memory() as database:
        hands = [
            moved(1, "2026/01/09 14:00", "2026/01/09 18:50"),  # 23:50 UTC
            moved(2, "2026/01/09 14:10", "2026/01/09 19:10"),  # ten past midnight
        ]
        database.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        for day, start, count in ((9, 0, 2), (10, 0, 0), (9, 23, 2), (8, 23, 0), (9, 20, 2)):
            filters = Filters(session=date(2026, 1, day), day_start=start)
            assert count_hands(database, filters) == count, (day, start)
        (row,) = rows(session_table(database, Filters(day_start=23)))
        assert row["day"] == "2026-01-09"


def test_days_begin_at_the_hour_that_is_given(twelve: Database) -> None:
    days = list(session_table(twelve, Filters(day_start=20))["day"])
    assert days == ["2026-01-08", "2026-01-09", "2026-01-09", "2026-01-19", "2026-01-31"]


# Hands 1 to 6 in three ways, which are the hero's before the 10th; a table cannot tell them apart.
SAME: dict[str, dict[str, Any]] = {
    "number": {"session": 1, "session_gap": 31},
    "day": {"session": JANUARY_9},
    "last": {"session": LAST, "session_gap": 31},
}


def two_ways(way: str) -> tuple[Filters, Filters]:
    until = datetime(2026, 1, 10) if way == "last" else None
    by_session = Filters(**SAME[way], until=until)
    return by_session, replace(by_session, session=None, until=datetime(2026, 1, 10))


# They compare with all hands that the other filters let through, and a session is none of these.
OF_THE_POOL = ("shrunken_vpip", "table_size", "pool_players", "vpip_place", "complete_place",
               "went_to_showdown_place")  # fmt: skip


@pytest.mark.parametrize("way", SAME)
@pytest.mark.parametrize("name", TABLE_FUNCTIONS)
def test_every_table_takes_a_session(twelve: Database, name: str, way: str) -> None:
    by_session, by_time = two_ways(way)
    one, other = (TABLE_FUNCTIONS[name](twelve, each) for each in (by_session, by_time))
    assert len(one) or name == "pool"  # of so few hands there is none
    if name == "opponents":
        one, other = (each.drop(columns=[*OF_THE_POOL]) for each in (one, other))
    pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("way", SAME)
@pytest.mark.parametrize("name", TABLE_FUNCTIONS)
def test_a_session_that_was_looked_up_is_the_same(twelve: Database, name: str, way: str) -> None:
    asked, _ = two_ways(way)
    known = asked.look_up(twelve)
    assert known.looked_up
    assert known.words() == asked.words()
    one, other = (TABLE_FUNCTIONS[name](twelve, each) for each in (asked, known))
    pd.testing.assert_frame_equal(one, other)
    # Without the session it is forgotten.
    freed = replace(known, session=None)
    assert count_hands(twelve, freed) == count_hands(twelve, replace(asked, session=None))


@pytest.mark.parametrize("way", SAME)
@pytest.mark.parametrize("name", GROUPED_TABLES)
def test_every_table_can_be_split_within_a_session(twelve: Database, name: str, way: str) -> None:
    by_session, by_time = two_ways(way)
    for group in GROUPS:
        one, other = (GROUPED_TABLES[name](twelve, each, group) for each in (by_session, by_time))
        pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("way", SAME)
def test_hands_decisions_and_leaks_take_a_session(twelve: Database, way: str) -> None:
    by_session, by_time = two_ways(way)
    for make in (results, biggest_pots):
        pd.testing.assert_frame_equal(make(twelve, by_session), make(twelve, by_time))
    one, other = (decisions(twelve, each, equities=False) for each in (by_session, by_time))
    assert set(one["hand_no"]) == {"1", "2", "4", "5", "6"}  # no choice in 3
    pd.testing.assert_frame_equal(one, other)
    one_found, other_found = (find_leaks(twelve, each) for each in (by_session, by_time))
    assert one_found == other_found
    assert sum(finding.spots for finding in one_found) > 0
    assert played_hands(twelve, by_session).results.tolist() == pytest.approx(
        nets("h1,h2,h3,h4,h5,h6")
    )


# ---- many hands, as plain Python counts them


class Played(NamedTuple):
    """One player's hand, and what of the hand a session counts."""

    did: PlayerHand
    site: str
    number: str
    at: datetime | None
    stakes: tuple[int, int]
    tournament: bool
    pot: int

    @property
    def big_bets(self) -> float:
        return self.did.net / self.did.big_bet

    @property
    def unit(self) -> float:
        return float(10**self.did.decimals)


def played(hand: ReplayedHand) -> list[Played]:
    parsed = hand.parsed
    counted = recount(parsed)
    collected = sum(event.amount for event in parsed.events if isinstance(event, Collect))
    rake = -sum(each.net for each in counted)
    stakes = parsed.stakes.small_bet, parsed.stakes.big_bet
    tournament = parsed.tournament is not None
    number, at = parsed.hand_id.number, parsed.played_at
    return [
        Played(each, parsed.hand_id.site, number, at, stakes, tournament, collected + rake)
        for each in counted
    ]


def simulated() -> Iterator[ReplayedHand]:
    start = datetime(2026, 1, 9, 19, tzinfo=UTC)
    for number, (count, players, minutes, setup) in enumerate(
        (
            (60, 6, 0, {}),
            (60, 6, 7, {"stakes": usual_stakes(EUROS, 50)}),  # at the same time
            (50, 2, 600, {}),
            (50, 8, 2000, {}),
            (40, 4, 1900, {"hero": None}),
        )
    ):
        plan = Setup(
            start=start + timedelta(minutes=minutes),
            first_number=(number + 3) * 10**11,
            **setup,  # type: ignore[arg-type]
        )
        for hand in simulate_hands(count, players, seed=number, setup=plan):
            yield clean(render_hand(hand))


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    files = sorted(file for file in SAMPLES.rglob("*.*") if file.name != "README.md")
    odd = [checked.replayed for file in files for checked in check_file(file)]
    known: dict[Any, ReplayedHand] = {}
    for hand in (*simulated(), *odd):
        if hand is not None:
            known.setdefault(hand.parsed.hand_id, hand)
    return list(known.values())


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        measure_hands(opened)
        yield opened


@pytest.fixture(scope="module")
def everybody(hands: list[ReplayedHand]) -> list[Played]:
    return [each for hand in hands for each in played(hand)]


FILTERS = {
    "hero": Filters(),
    "opponent": Filters(hero="low baller"),
    "all": Filters(all_players=True),
    "doors": Filters(all_players=True, doors=frozenset((1, 2, 3))),
}


def chosen(who: str, everybody: list[Played]) -> list[Played]:
    if who == "doors":
        return [p for p in everybody if p.did.door in (1, 2, 3)]
    if who == "opponent":
        return [p for p in everybody if p.did.name == "low baller"]
    return [p for p in everybody if who == "all" or p.did.is_hero]


def sessions_of(counted: Iterable[Played], gap: int = 30) -> list[list[Played]]:
    """Return the hands of each session, in order of time; those without a time come last."""
    longest = timedelta(minutes=gap)
    found: list[list[Played]] = []
    by_player: defaultdict[tuple[str, str], list[Played]] = defaultdict(list)
    for each in counted:
        by_player[each.did.name, each.site].append(each)
    late = datetime.max.replace(tzinfo=UTC)
    for own in by_player.values():
        own.sort(key=lambda each: each.at or late)
        for timed, group in groupby(own, key=lambda each: each.at is not None):
            last: datetime | None = None
            for each in group:
                if last is None or (timed and each.at and each.at - last > longest):
                    found.append([])
                found[-1].append(each)
                last = each.at or late
    found.sort(key=lambda own: (own[0].at or late, own[0].did.name, own[0].site))
    return found


def luck_of(database: Database) -> dict[tuple[str, str, str], float]:
    return {
        (site, number, name): luck
        for site, number, name, luck in database.rows(
            """SELECT hands.site, hand_no, name, luck FROM player_luck JOIN hand_players
            USING (hid, seat) JOIN hands USING (hid)"""
        )
    }


def measured(own: Iterable[Played], luck: dict[tuple[str, str, str], float]) -> list[float]:
    found = ((luck.get((p.site, p.number, p.did.name)), p.did.big_bet) for p in own)
    return [value / big_bet for value, big_bet in found if value is not None]


def one_net(own: list[Played]) -> int | None:
    units = {(p.did.currency, p.did.decimals) for p in own}
    return sum(p.did.net for p in own) if len(units) == 1 else None


def stakes_in_words(p: Played) -> str:
    small, big = (f"{bet / p.unit:g}" for bet in p.stakes)
    return f"{small}/{big} {p.did.currency}"


def iso(at: datetime | None) -> str | None:
    return None if at is None else f"{at.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"


@pytest.mark.parametrize("who", FILTERS)
def test_sessions_are_what_plain_python_counts(
    database: Database, everybody: list[Played], who: str
) -> None:
    luck = luck_of(database)
    expected = sessions_of(chosen(who, everybody))
    found = rows(session_table(database, FILTERS[who]))
    assert len(found) == len(expected)
    for number, (row, own) in enumerate(zip(found, expected, strict=True), 1):
        first, last = own[0], own[-1]
        assert cells(row, "number", "name", "site") == (number, first.did.name, first.site)
        assert cells(row, "begin", "end", "hands") == (iso(first.at), iso(last.at), len(own))
        assert row["day"] == (None if first.at is None else f"{first.at:%Y-%m-%d}")
        minutes = (last.at - first.at).total_seconds() / 60 if first.at and last.at else None
        assert row["minutes"] == (None if minutes is None else pytest.approx(minutes))
        words = {stakes_in_words(p) for p in own}
        assert row["stakes"] == (words.pop() if len(words) == 1 else "several")
        assert row["net"] == one_net(own)
        total = sum(p.big_bets for p in own)
        assert row["net_big_bets"] == pytest.approx(total)
        assert cells(row, *PER_100) == pytest.approx(per_100([p.big_bets for p in own]))
        assert row["big_bets_per_hour"] == (
            pytest.approx(60 * total / minutes) if minutes else None
        )
        pots = {p.number: p.pot / p.did.big_bet for p in own if in_it(p.did)}
        assert row["biggest_pot"] == (pytest.approx(max(pots.values())) if pots else None)
        assert (row["biggest_pot_hand"] is None) == (not pots)
        if pots:
            assert pots[row["biggest_pot_hand"]] == pytest.approx(max(pots.values()))
        swings = measured(own, luck)
        assert row["luck_big_bets"] == (pytest.approx(sum(swings)) if swings else None)
        made, chances = made_of("vpip", [p.did for p in own])
        assert cells(row, "vpip", "vpip_chances") == (made / chances if chances else None, chances)
        assert cells(row, "vpip_low", "vpip_high") == tuple(wilson(made, chances))
        assert row["showdowns"] == sum(p.did.showdown for p in own)


def in_it(did: PlayerHand) -> bool:
    return did.last_street > 3 or any(kind in ("Call", "Wager") for kind, _ in did.third)


@pytest.mark.parametrize("who", FILTERS)
def test_stakes_are_what_plain_python_counts(
    database: Database, everybody: list[Played], who: str
) -> None:
    luck = luck_of(database)
    by_stakes: defaultdict[tuple[Any, ...], list[Played]] = defaultdict(list)
    sessions: Counter[tuple[Any, ...]] = Counter()

    def key_of(p: Played) -> tuple[Any, ...]:
        game = "tournament" if p.tournament else "cash"
        return p.site, stakes_in_words(p), p.did.currency, game

    for session in sessions_of(chosen(who, everybody)):
        sessions.update({key_of(p) for p in session})
        for p in session:
            by_stakes[key_of(p)].append(p)
    found = rows(stakes_table(database, FILTERS[who]))
    assert len(found) == len(by_stakes)
    for row in found:
        key = cells(row, "site", "stakes", "currency", "game")
        own = by_stakes[key]
        assert cells(row, "hands", "sessions", "net") == (len(own), sessions[key], one_net(own))
        assert cells(row, *PER_100) == pytest.approx(per_100([p.big_bets for p in own]))
        adjusted = sum(p.big_bets for p in own) - sum(measured(own, luck))
        assert row["luck_adjusted_per_100"] * len(own) / 100 == pytest.approx(adjusted)
        for id in ("win_rate", "vpip"):
            made, chances = made_of(id, [p.did for p in own])
            assert row[id] == (made / chances if chances else None)
            assert cells(row, f"{id}_low", f"{id}_high") == tuple(wilson(made, chances))


def test_the_recount_reaches_what_is_counted(database: Database, everybody: list[Played]) -> None:
    found = rows(session_table(database, Filters(all_players=True)))
    for key in ("begin", "net", "luck_big_bets", "biggest_pot", "big_bets_per_hour", "vpip"):
        assert any(row[key] is None for row in found), key
        assert any(row[key] is not None for row in found), key
    assert any(row["stakes"] == "several" for row in found)
    hero = [row for row in found if row["name"] == "RazzHero" and row["hands"] > 40]
    assert len(hero) >= 3
    assert any(p.at is None and p.did.is_hero for p in everybody)


# ---- one session, as plain Python finds it

Wanted = Callable[[Played], bool]
NARROWED: dict[str, tuple[Filters, Wanted]] = {
    "hero": (Filters(), lambda p: p.did.is_hero),
    "all players": (Filters(all_players=True), lambda p: True),
    "low doors": (
        Filters(all_players=True, doors=frozenset((1, 2, 3)), session_gap=5),
        lambda p: p.did.door in (1, 2, 3),
    ),
    "cash of a room": (
        Filters(site="pokerstars", tournament=False, session_gap=2),
        lambda p: p.did.is_hero and p.site == "pokerstars" and not p.tournament,
    ),
    "big pots": (
        Filters(all_players=True, pot=(4, 1000), session_gap=90),
        lambda p: p.pot >= 4 * p.did.big_bet,
    ),
    "since": (
        Filters(hero="low baller", since=datetime(2026, 1, 10), session_gap=1),
        lambda p: (
            p.did.name == "low baller" and bool(p.at and p.at >= datetime(2026, 1, 10, tzinfo=UTC))
        ),
    ),
}


@pytest.fixture(scope="module", params=NARROWED)
def narrowed(
    request: pytest.FixtureRequest, everybody: list[Played]
) -> tuple[Filters, list[list[Played]]]:
    """Filters, and the sessions of the hands that they let through."""
    filters, wanted = NARROWED[request.param]
    return filters, sessions_of(filter(wanted, everybody), filters.session_gap)


def matching(database: Database, filters: Filters) -> list[tuple[str, str, str]]:
    where, parameters = filters.where()
    return database.rows(
        f"""SELECT site, hand_no, name FROM (SELECT hid, name FROM hand_players WHERE {where})
        JOIN (SELECT hid, site, hand_no FROM hands) USING (hid) ORDER BY ALL""",
        parameters,
    )


def keys(*sessions: list[Played]) -> list[tuple[str, str, str]]:
    return sorted((p.site, p.number, p.did.name) for own in sessions for p in own)


def test_a_session_by_its_number(
    database: Database, narrowed: tuple[Filters, list[list[Played]]]
) -> None:
    filters, expected = narrowed
    every = session_table(database, filters)
    assert len(every) == len(expected) > 5
    step = max(1, len(expected) // 12)
    for number in {*range(1, len(expected) + 1, step), len(expected)}:
        one = replace(filters, session=number)
        assert matching(database, one) == keys(expected[number - 1])
        found, same = session_table(database, one), every[number - 1 : number]
        pd.testing.assert_frame_equal(found, same.reset_index(drop=True))  # it keeps its number
        own = sum(p.big_bets for p in expected[number - 1])
        assert played_hands(database, one).results.sum() == pytest.approx(own)


def test_the_last_session(database: Database, narrowed: tuple[Filters, list[list[Played]]]) -> None:
    filters, expected = narrowed
    last = [own for own in expected if own[0].at][-1]
    assert matching(database, replace(filters, session=LAST)) == keys(last)


@pytest.mark.parametrize("day_start", [0, 5, 20])
def test_the_sessions_of_a_day(
    database: Database, narrowed: tuple[Filters, list[list[Played]]], day_start: int
) -> None:
    filters, expected = narrowed
    by_day: defaultdict[date, list[list[Played]]] = defaultdict(list)
    for own in expected:
        if own[0].at:
            by_day[(own[0].at - timedelta(hours=day_start)).date()].append(own)
    days = sorted(by_day)
    for day in {*days[:4], *days[-4:], days[0] - timedelta(1), days[-1] + timedelta(1)}:
        chosen_day = replace(filters, session=day, day_start=day_start)
        assert matching(database, chosen_day) == keys(*by_day.get(day, []))
        found = rows(session_table(database, chosen_day))
        assert [row["day"] for row in found] == [f"{day:%Y-%m-%d}"] * len(by_day.get(day, []))


def test_what_is_no_session_matches_nothing(
    database: Database, narrowed: tuple[Filters, list[list[Played]]]
) -> None:
    filters, expected = narrowed
    for session in (0, -1, len(expected) + 1, 10**12, date(1999, 1, 1), date.min, date.max):
        none = replace(filters, session=session)
        assert matching(database, none) == []
        assert session_table(database, none).empty
        assert count_hands(database, none) == 0


def test_hands_without_a_time_are_a_session_by_number_alone(
    database: Database, everybody: list[Played]
) -> None:
    timed = {p.did.name for p in everybody if p.at}
    names = sorted({p.did.name for p in everybody} - timed)
    assert names
    for name in names:
        own = [p for p in everybody if p.did.name == name]
        filters = Filters(hero=name)
        assert matching(database, replace(filters, session=1)) == keys(own)
        assert matching(database, replace(filters, session=LAST)) == []
        assert matching(database, replace(filters, session=JANUARY_9)) == []


def test_the_sessions_that_are_filtered_are_of_several_heroes_and_rooms(
    everybody: list[Played],
) -> None:
    sessions = {
        name: sessions_of(filter(wanted, everybody), filters.session_gap)
        for name, (filters, wanted) in NARROWED.items()
    }
    heroes = [own[0] for own in sessions["hero"]]
    assert len({p.did.name for p in heroes}) > 2
    assert len({p.site for p in heroes}) > 3
    for name, found in sessions.items():
        assert any(len(own) > 1 for own in found), name
        assert {p.at is None for own in found for p in own} == (
            {False} if name in ("since", "cash of a room") else {False, True}
        ), name


# ---- one session, by the commands


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sessions") / "razz.duckdb"
    assert razzstats("import", TWELVE, "--db", path).code == 0
    return path


def stats(db: Path, table: str, *options: str) -> Run:
    return razzstats("stats", table, "--db", db, "--format", "json", *options)


@pytest.mark.parametrize(
    ("options", "words", "numbers", "hands"),
    [
        (("--session", "2"), "session 2", [2], 2),
        (("--session", "002"), "session 2", [2], 2),
        (("--session", "last"), "last session", [5], 1),
        (("--session", " LAST "), "last session", [5], 1),
        (("--session", "2026-01-09"), "sessions of 2026-01-09", [1, 2], 6),
        (("--session", "20260109"), "sessions of 2026-01-09", [1, 2], 6),
        (
            ("--session", "2026-01-09", "--day-start", "20"),
            "sessions of 2026-01-09 from 20:00 UTC",
            [2, 3],
            4,
        ),
        (
            ("--session", "1", "--session-gap", "31"),
            "session 1 by pauses of more than 31 minutes",
            [1],
            6,
        ),
        (
            ("--session", "7", "--session-gap", "9", "--cash"),
            "cash games, session 7 by pauses of more than 9 minutes",
            [7],
            2,
        ),
    ],
)
def test_a_session_is_an_option(
    db: Path, options: tuple[str, ...], words: str, numbers: list[int], hands: int
) -> None:
    run = stats(db, "sessions", *options)
    assert (run.code, run.err) == (0, f"the hero, {words}: {hands} hands\n")
    found = json.loads(run.out)
    assert [row["number"] for row in found] == numbers
    assert sum(row["hands"] for row in found) == hands


def test_the_table_of_sessions_takes_the_gap_and_the_hour(db: Path) -> None:
    found = json.loads(stats(db, "sessions", "--session-gap", "31", "--day-start", "20").out)
    assert [(row["hands"], row["day"]) for row in found] == [
        (6, "2026-01-08"), (2, "2026-01-09"), (2, "2026-01-19"), (1, "2026-01-31"),
    ]  # fmt: skip


NO_SESSION = [
    (("--session", "999"), "session 999"),
    (("--session", "0"), "session 0"),
    (("--session", "9999999"), "session 9999999"),
    (("--session", "2026-01-11"), "sessions of 2026-01-11"),
    (("--session", "1999-01-01"), "sessions of 1999-01-01"),
    (("--session", "9999-12-31", "--day-start", "23"), "sessions of 9999-12-31 from 23:00 UTC"),
    (("--session", "last", "--site", "winamax"), "last session"),
]


@pytest.mark.parametrize(("options", "words"), NO_SESSION)
def test_commands_say_that_there_is_no_such_session(
    db: Path, tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    run = stats(db, "sessions", *options)
    assert (run.code, json.loads(run.out)) == (0, [])
    assert run.err.endswith(f"{words}: 0 hands; no hand matches\n")
    run = razzstats("report", "--db", db, *options)
    assert run.code == 0
    assert words in " ".join(run.out.split())
    assert re.search(r"None of the 12 stored hands matches\.", run.out)
    run = razzstats("leaks", "--db", db, *options)
    assert run.code == 0
    assert f"{words}: 0 hands; " in run.err
    run = razzstats("variance", "--db", db, *options)
    assert run.code == 0
    assert f"{words}: 0 hands, too few to draw from" in run.err
    run = razzstats("export", "--db", db, "--out", tmp_path, "--format", "phh", *options)
    assert run.code == 0
    assert run.err.endswith(f"{words}: no hand matches\n")
    assert list(tmp_path.iterdir()) == []


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("stats", "sessions"), ("report",), ("leaks",), ("variance",), ("export", "--out", "never"),
)  # fmt: skip
WRONG = [
    *(("--session", text, f"{text!r} is neither a number, nor last, nor a day such as 2026-11-29")
      for text in ("", "x", "-1", "1.5", "1-2", "first", "last week", "12345678", "2026-13-01",
                   "2026-02-30", "29.11.2026", "2026-01-09T19:00", "\u0663", "9" * 40)),
    ("--session-gap", "0", "Input should be greater than or equal to 1"),
    ("--session-gap", "-5", "Input should be greater than or equal to 1"),
    ("--session-gap", "100001", "Input should be less than or equal to 100000"),
    *(("--session-gap", text, "Input should be a valid integer") for text in ("", "x", "1.5")),
    ("--day-start", "-1", "Input should be greater than or equal to 0"),
    ("--day-start", "24", "Input should be less than or equal to 23"),
    ("--day-start", "noon", "Input should be a valid integer"),
]  # fmt: skip


@pytest.mark.parametrize(("option", "text", "sentence"), WRONG)
def test_a_wrong_text_is_one_sentence(db: Path, option: str, text: str, sentence: str) -> None:
    run = stats(db, "sessions", f"{option}={text}")
    assert (run.code, run.out) == (2, "")
    assert re.search(f"Invalid value for '?{option}'?: {re.escape(sentence)}", run.sentence)
    assert "Traceback" not in run.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_with_filters_refuses_a_wrong_session(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for option, text in (("--session", "x"), ("--session-gap", "0"), ("--day-start", "24")):
        run = razzstats(*command, "--db", db, option, text)
        assert (run.code, run.out) == (2, "")
        assert re.search(f"Invalid value for '?{option}'?: ", run.sentence)
    assert list(tmp_path.iterdir()) == []


def test_report_and_export_take_a_session(db: Path, tmp_path: Path) -> None:
    run = razzstats("report", "--db", db, "--session", "2")
    assert re.findall(r"^Hands +(\d+) +hands *$", run.out, re.MULTILINE) == ["2"]
    assert "the hero, session 2" in " ".join(run.out.split())
    run = razzstats("report", TWELVE, "--session", "2026-01-09")
    assert re.findall(r"^Hands +(\d+) +hands *$", run.out, re.MULTILINE) == ["6"]
    run = razzstats("export", "--db", db, "--out", tmp_path, "--format", "jsonl",
                    "--hero", "Hero", "--session", "2")  # fmt: skip
    assert run.code == 0
    lines = (tmp_path / "hands.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["hand_no"] for line in lines) == ["5", "6"]


# ---- what other code can rely on


@pytest.mark.parametrize("who", FILTERS)
def test_there_are_as_many_as_the_overview_says(database: Database, who: str) -> None:
    (told,) = (row for row in records(overview(database, FILTERS[who])) if row["id"] == "sessions")
    begins = session_table(database, FILTERS[who])["begin"]
    assert begins.notna().sum() == told["value"]  # hands without a time are no session there


@pytest.mark.parametrize("who", WHO)
def test_there_are_as_many_as_the_overview_says_of_the_twelve(twelve: Database, who: str) -> None:
    (told,) = (row for row in records(overview(twelve, WHO[who])) if row["id"] == "sessions")
    assert len(session_table(twelve, WHO[who])) == told["value"]


def test_every_hand_that_matches_is_in_one_session(database: Database) -> None:
    filters = Filters(all_players=True)
    sql, parameters = filters.numbered()
    found = database.rows(f"SELECT hid, seat, session FROM ({sql}) ORDER BY hid, seat", parameters)
    assert [row[:2] for row in found] == database.rows(
        "SELECT hid, seat FROM hand_players ORDER BY hid, seat"
    )
    numbers = {number for _, _, number in found}
    assert numbers == set(range(1, len(session_table(database, filters)) + 1))


def test_a_filter_on_what_else_happened_can_be_used(twelve: Database) -> None:
    narrow = Filters(
        opponent="Ann",
        behind=(0, 3),
        low_doors=(0, 8),
        pot=(0, 1000),
        bring_in_doors=frozenset((13,)),
    )
    # The hero decided behind a king that brought in: hands 1 and 8; Ann had the king in 9.
    assert [row["hands"] for row in rows(session_table(twelve, narrow))] == [1, 1, 1]
    assert [row["sessions"] for row in rows(stakes_table(twelve, narrow))] == [2, 1]


def test_every_definition_says_something() -> None:
    for table in PLAYER_TABLES:
        keys = [column.key for column in table.columns]
        assert len(set(keys)) == len(keys), table.name
        assert all(column.heading and column.definition for column in table.columns)


def test_net_won_over_all_sessions_is_that_of_the_hands(twelve: Database) -> None:
    for who, filters in WHO.items():
        results = NET.values() if who == "all" else [NET[who]]
        total = sum(value for own in results for value in own.values())
        frame = session_table(twelve, filters)
        assert frame["net_big_bets"].sum() == pytest.approx(total)
        stakes = stakes_table(twelve, filters)
        assert (stakes["big_bets_per_100"] * stakes["hands"]).sum() / 100 == pytest.approx(total)


# ---- pauses


@pytest.mark.parametrize("gap", [1, 7, 30])
def test_only_a_longer_pause_begins_a_session_wherever_the_clock_stands(gap: int) -> None:
    rng = Random(gap)
    pauses = [0, 1, 20, 60 * gap - 1, 60 * gap, 60 * gap + 1]
    times, expected = [datetime(2026, 1, 1)], [1]
    for _ in range(500):
        pause = rng.choice(pauses)
        times.append(times[-1] + timedelta(seconds=pause))
        expected.append(expected[-1] + (pause > 60 * gap))
    sql, parameters = Filters(hero="hero", session_gap=gap).numbered()
    with Database.in_memory() as database:
        hand_players(database, "hero", 0, len(times))
        database.rows(
            """UPDATE hand_players SET played_at = moment FROM (
                SELECT hid, (?::TIMESTAMP[])[row_number() OVER (ORDER BY hid)] AS moment
                FROM hand_players) AS timed WHERE timed.hid = hand_players.hid""",
            (times,),
        )
        found = database.rows(f"SELECT session FROM ({sql}) ORDER BY played_at", parameters)
    assert [session for (session,) in found] == expected
    assert expected[-1] > 50
