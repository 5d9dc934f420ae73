"""Sessions and stakes: twelve hands counted by hand, and many as plain Python counts them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest
from hands import SAMPLES, check_file, clean
from test_stats import LUCK, NET, nets, per_100
from test_stats_recounted import PlayerHand, made_of, recount

from razzstats.events import Collect
from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.replay import ReplayedHand
from razzstats.reports.formats import records
from razzstats.simulate import EUROS, Setup, render_hand, simulate_hands, usual_stakes
from razzstats.stats.catalogue.players import PLAYER_TABLES
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.stats.sessions import session_numbers, session_table, stakes_table
from razzstats.stats.tables import overview
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
    assert list(session_table(twelve, Filters(), minutes)["hands"]) == hands


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
        found = rows(session_table(database, Filters(until=datetime(2026, 1, 10)), 31))
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


def sessions_of(counted: Iterable[Played]) -> list[list[Played]]:
    """Return the hands of each session, in order of time; those without a time come last."""
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
                if last is None or (timed and each.at and each.at - last > timedelta(minutes=30)):
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
    sql, parameters = session_numbers(filters)
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
