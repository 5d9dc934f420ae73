"""The pool: percentiles, places and own rates are what plain Python counts hand by hand."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from cli import HOSTILE_NAMES, razzstats
from hands import clean
from test_rates_recounted import Count, Tally
from test_stats_recounted import PlayerHand, made_of, recount

from razzstats.replay import ReplayedHand, replay
from razzstats.simulate import EUROS, Setup, TournamentPlan, simulate_hands, usual_stakes
from razzstats.simulate.setup import NAMES
from razzstats.stats.catalogue import STATS, TABLE_BY_NAME
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.pool import place_among, pool_table
from razzstats.storage import Database, hand_key, hand_rows
from razzstats.storage.decisions import insert_decisions

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
PERCENTS = (10, 25, 50, 75, 90)
OF_HANDS = [stat.id for stat in STATS if stat.id not in ("win_rate", "brought_in")]
OF_THIRD_STREET = [stat.id for stat in THIRD_STREET_STATS]
TITLES = {stat.id: stat.title for stat in (*STATS, *THIRD_STREET_STATS, *STREET_STATS)}
AGGRESSION = "aggression_frequency"
RATES: list[tuple[str, int | None]] = [
    *((id, None) for id in OF_HANDS),
    *((id, None) for id in OF_THIRD_STREET),
    *((AGGRESSION, street) for street in range(3, 8)),
]
"""Every rate of the table in its order, with its street."""


def rows(database: Database, filters: Filters) -> list[dict[str, Any]]:
    """Return the table's rows, with None for what has no value."""
    frame = pool_table(database, filters)
    assert list(frame.columns) == [column.key for column in TABLE_BY_NAME["pool"].columns]
    return frame.astype(object).where(frame.notna(), None).to_dict("records")  # type: ignore[return-value]


# ---- what each player did, as plain Python counts it


@dataclass
class Played:
    """A player's part in a hand."""

    site: str
    at: datetime
    tournament: bool
    players: int
    stakes: str
    did: PlayerHand
    decided: Tally

    @property
    def tables(self) -> tuple[str, str]:
        sizes = {2: "2", 3: "3-4", 4: "3-4", 5: "5-6", 6: "5-6", 7: "7-8", 8: "7-8"}
        return self.stakes, sizes[self.players]

    @property
    def player(self) -> tuple[str, str]:
        return self.site, self.did.name


def parts(site: str, hand: ReplayedHand) -> list[Played]:
    parsed, counted = hand.parsed, recount(hand.parsed)
    unit = 10**parsed.stakes.money.decimals
    small, big = parsed.stakes.small_bet / unit, parsed.stakes.big_bet / unit
    stakes = f"{small:g}/{big:g} {parsed.stakes.money.currency}"
    tallies = Count(hand).tallies
    seats = {player.name: player.seat for player in parsed.players}
    assert parsed.played_at is not None
    at, tournament = parsed.played_at.replace(tzinfo=None), parsed.tournament is not None
    return [
        Played(site, at, tournament, len(counted), stakes, did, tallies[seats[did.name]])
        for did in counted
    ]


Key = tuple[str, str, str, int | None]
"""Stakes, table size, id and street."""


def key_of(row: dict[str, Any]) -> Key:
    return row["stakes"], row["table_size"], row["id"], row["street"]


def made_and_chances(id: str, street: int | None, own: Sequence[Played]) -> tuple[int, int]:
    if id in OF_HANDS:
        return made_of(id, [p.did for p in own])
    of = street or 3
    return sum(p.decided[id, of, True] for p in own), sum(p.decided[id, of, False] for p in own)


def percentile(rates: Sequence[float], percent: int) -> float:
    """Return a percentile of sorted rates, straight lines between them."""
    place = percent * (len(rates) - 1)
    below, part = divmod(place, 100)
    above = rates[min(below + 1, len(rates) - 1)]
    return rates[below] + (above - rates[below]) * part / 100


def expected(pool: Iterable[Played], own: Iterable[Played]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Yield each row, in the order of the table: its key and its numbers."""
    by_tables: defaultdict[tuple[str, str], defaultdict[tuple[str, str], list[Played]]]
    by_tables = defaultdict(lambda: defaultdict(list))
    for each in pool:
        by_tables[each.tables][each.player].append(each)
    mine: defaultdict[tuple[str, str], list[Played]] = defaultdict(list)
    for each in own:
        mine[each.tables].append(each)
    for tables in sorted(by_tables):
        much = [hands for hands in by_tables[tables].values() if len(hands) >= 30]
        for id, street in RATES:
            counts = [made_and_chances(id, street, hands) for hands in much]
            rates = sorted(made / chances for made, chances in counts if chances >= 20)
            if len(rates) < 5:
                continue
            made, chances = made_and_chances(id, street, mine[tables])
            rate = made / chances if chances else None
            place = None
            if rate is not None:
                below = sum(other < rate for other in rates)
                place = (below + sum(other == rate for other in rates) / 2) / len(rates)
            numbers = {f"p{percent}": percentile(rates, percent) for percent in PERCENTS}
            yield (
                (*tables, id, street),
                numbers
                | {
                    "pool_players": len(rates),
                    "own": rate,
                    "own_chances": chances,
                    "own_place": place,
                },
            )


# ---- the hands


START = datetime(2026, 1, 9, 19, tzinfo=UTC)
NUMBERS = count(100_000_000_000, 1_000_000)


def table(hands: int, players: int, names: Sequence[str], site: str = "", **setup: Any) -> Any:
    """Return a session: its room, number of hands, players and setup."""
    number = next(NUMBERS)
    start = START + timedelta(days=(number - 100_000_000_000) // 1_000_000)
    plan = Setup(start=start, first_number=number, names=tuple(names), **setup)
    return site or "pokerstars", hands, players, plan


EURO = usual_stakes(EUROS, 50)
DEEP = (60.0, 80.0)  # big bets: nobody leaves
TABLES = (
    table(150, 6, NAMES[:7]),
    table(90, 6, NAMES[3:10], site="winamax"),  # some of the same names
    table(90, 8, NAMES[:8], stakes=EURO),
    table(60, 5, NAMES[8:14], stakes=EURO, buy_in=DEEP),
    table(80, 4, NAMES[:4], max_seats=4, buy_in=DEEP),  # too few players
    *(table(45, 2, NAMES[first : first + 2], buy_in=DEEP) for first in range(0, 12, 2)),
    table(40, 2, NAMES[12:14], hero=None, buy_in=DEEP),
    table(60, 8, NAMES, tournament=TournamentPlan(number="3900000001")),
)


@pytest.fixture(scope="module")
def hands() -> list[tuple[str, ReplayedHand]]:
    found = []
    for seed, (site, number, players, setup) in enumerate(TABLES):
        for hand in simulate_hands(number, players, seed, setup):
            replayed = replay(hand).value
            assert replayed is not None
            found.append((site, replayed))
    return found


def fill(database: Database, hands: Iterable[ReplayedHand]) -> None:
    rows_of_hands = [hand_rows(hand, 1, None) for hand in hands]
    database.insert_hands(rows_of_hands)
    insert_decisions(database, [each.hand.hid for each in rows_of_hands])


@pytest.fixture(scope="module")
def database(hands: list[tuple[str, ReplayedHand]]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        fill(opened, (hand for _, hand in hands))
        elsewhere = [hand_key(hand.parsed.hand_id) for site, hand in hands if site == "winamax"]
        for name in ("hands", "hand_players"):
            opened.rows(
                f"UPDATE {name} SET site = 'winamax' WHERE hid IN (SELECT unnest(?::BIGINT[]))",
                (elsewhere,),
            )
        yield opened


@pytest.fixture(scope="module")
def everybody(hands: list[tuple[str, ReplayedHand]]) -> list[Played]:
    return [each for site, hand in hands for each in parts(site, hand)]


Wanted = Callable[[Played], bool]


def anybody(played: Played) -> bool:
    return True


LATER = datetime(2026, 1, 11)
# What is let through of the hands, for all players and for the player asked for.
FILTERS: dict[str, tuple[Filters, Wanted, Wanted]] = {
    "hero": (Filters(), anybody, lambda p: p.did.is_hero),
    "opponent": (Filters(hero=NAMES[4]), anybody, lambda p: p.did.name == NAMES[4]),
    "nobody": (Filters(hero="nobody"), anybody, lambda p: False),
    # What belongs to a hand alone narrows his own hands, but not those of the pool.
    "doors": (
        Filters(doors=frozenset((1, 2, 3, 13))),
        anybody,
        lambda p: p.did.is_hero and p.did.door in (1, 2, 3, 13),
    ),
    "session": (
        Filters(session=3),  # the third day's, for euros
        anybody,
        lambda p: p.did.is_hero and datetime(2026, 1, 11) < p.at < datetime(2026, 1, 12),
    ),
    "players": (
        Filters(players=(6, 8)),
        lambda p: 6 <= p.players <= 8,
        lambda p: p.did.is_hero and 6 <= p.players <= 8,
    ),
    "room": (
        Filters(site="winamax"),
        lambda p: p.site == "winamax",
        lambda p: p.did.is_hero and p.site == "winamax",
    ),
    "euros": (
        Filters(currency="eur", hero=NAMES[2]),
        lambda p: p.did.currency == "EUR",
        lambda p: p.did.name == NAMES[2] and p.did.currency == "EUR",
    ),
    "since": (
        Filters(since=LATER, tournament=False),
        lambda p: p.at >= LATER and not p.tournament,
        lambda p: p.did.is_hero and p.at >= LATER and not p.tournament,
    ),
    "until": (
        Filters(until=LATER),
        lambda p: p.at < LATER,
        lambda p: p.did.is_hero and p.at < LATER,
    ),
    "stakes": (
        Filters(stakes=(0.04, 0.08), hero=NAMES[5]),
        lambda p: p.stakes == "0.04/0.08 USD",
        lambda p: p.did.name == NAMES[5] and p.stakes == "0.04/0.08 USD",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILTERS)
def test_the_pool_is_what_plain_python_counts(
    database: Database, everybody: list[Played], name: str
) -> None:
    filters, of_pool, of_own = FILTERS[name]
    pool, own = filter(of_pool, everybody), filter(of_own, everybody)
    wanted = dict(expected(pool, own))
    found = {key_of(row): row for row in rows(database, filters)}
    assert wanted
    assert found.keys() == wanted.keys()
    for key, row in found.items():
        numbers = wanted[key]
        assert row["title"] == TITLES[row["id"]]
        for column, value in numbers.items():
            if column.startswith("p") and column != "pool_players":
                assert row[column] == pytest.approx(value, abs=1e-12), (key, column)
            else:
                assert row[column] == value, (key, column)


def stakes(row: tuple[Key, Any]) -> tuple[str, float]:
    """The currency and the big bet of a row; those that are equal stay in their order."""
    bets, currency = row[0][0].split()
    return currency, float(bets.split("/")[1])


def test_the_rates_are_in_the_order_of_stakes_and_of_the_catalogue(
    database: Database, everybody: list[Played]
) -> None:
    for filters, of_pool, of_own in FILTERS.values():
        wanted = sorted(expected(filter(of_pool, everybody), filter(of_own, everybody)), key=stakes)
        assert [key_of(row) for row in rows(database, filters)] == [key for key, _ in wanted]


def test_of_all_players_the_own_rate_is_that_of_all_hands(
    database: Database, everybody: list[Played]
) -> None:
    wanted = dict(expected(everybody, everybody))
    for row in rows(database, Filters(all_players=True)):
        numbers = wanted[key_of(row)]
        assert (row["own"], row["own_chances"]) == (numbers["own"], numbers["own_chances"])


def test_the_recount_reaches_what_is_counted(database: Database) -> None:
    found = rows(database, Filters())
    assert {(row["stakes"], row["table_size"]) for row in found} >= {
        ("0.04/0.08 USD", "2"), ("0.04/0.08 USD", "5-6"), ("0.5/1 EUR", "7-8"),
    }  # fmt: skip
    assert ("0.04/0.08 USD", "3-4") not in {(r["stakes"], r["table_size"]) for r in found}
    assert {row["id"] for row in found} >= {
        *OF_HANDS, "complete_first_in", "limp", "fold_first_in", "steal",
        "cold_call", "raise_vs_complete", AGGRESSION,
    } - {"shared_at_showdown", "gained_at_showdown", "won_at_showdown"}  # fmt: skip
    assert {row["street"] for row in found if row["id"] == AGGRESSION} == {3, 4, 5, 6, 7}
    assert max(row["pool_players"] for row in found) >= 10
    assert min(row["pool_players"] for row in found) == 5
    places = [row["own_place"] for row in found]
    assert None not in places
    assert min(places) < 0.2
    assert max(places) > 0.8
    assert any(
        place * 2 * row["pool_players"] % 2 for place, row in zip(places, found, strict=True)
    )
    spread = [
        row for row in found if row["p10"] < row["p25"] < row["p50"] < row["p75"] < row["p90"]
    ]
    assert len(spread) > len(found) / 2


def test_rates_that_say_more_of_the_cards_are_left_out(database: Database) -> None:
    assert not {"win_rate", "brought_in"} & {row["id"] for row in rows(database, Filters())}


# ---- how much it takes

BY_HAND = {number: text + "\n\n\n" for number, text in
           enumerate(TWELVE.read_text(encoding="utf-8").strip().split("\n\n"), 1)}  # fmt: skip
NEW_NUMBERS = count(1001)


def again(number: int, times: int, old: str, new: str) -> Iterator[ReplayedHand]:
    """Yield one of the twelve hands several times, with a player's name changed."""
    text = BY_HAND[number].replace(old, new)
    for _ in range(times):
        yield clean(text.replace(f"Hand #{number}:", f"Hand #{next(NEW_NUMBERS)}:"))


@pytest.mark.parametrize(("hands", "players"), [(30, 5), (29, 0)])
def test_the_pool_is_of_five_players_with_thirty_hands(hands: int, players: int) -> None:
    # Hand 5 again and again, the hero against four others.
    with Database.in_memory() as database:
        for villain, dealt in (("Ada", 30), ("Cy", 30), ("Dot", 30), ("Eve", hands)):
            fill(database, again(5, dealt, "Bob", villain))
        found = {row["id"]: row for row in rows(database, Filters()) if row["street"] is None}
    assert {row["pool_players"] for row in found.values()} == ({players} if players else set())
    if players:
        vpip = found["vpip"]  # all went to fourth street by choice
        assert [vpip[f"p{percent}"] for percent in PERCENTS] == [1] * 5
        assert (vpip["own"], vpip["own_chances"], vpip["own_place"]) == (1, 120, 0.5)
        # The hero saw the showdown as seldom as the others: he folded to a bet.
        assert (found["went_to_showdown"]["own"], found["went_to_showdown"]["p90"]) == (0, 0)


@pytest.mark.parametrize(("chances", "is_told"), [(20, True), (19, False)])
def test_a_rate_takes_five_players_with_twenty_chances(chances: int, is_told: bool) -> None:
    # Hand 9 goes to the showdown, and hand 10 is over on third street.
    with Database.in_memory() as database:
        for villain, seen in (("Ada", 20), ("Cy", 20), ("Dot", 20), ("Eve", chances)):
            fill(database, again(9, seen, "Ann", villain))
            fill(database, again(10, 31 - seen, "Ann", villain))
        found = {row["id"]: row for row in rows(database, Filters()) if row["street"] is None}
        assert found["saw_fourth"]["pool_players"] == 5
        assert found["saw_fourth"]["own"] == (60 + chances) / 124
        assert ("went_to_showdown" in found) == is_told
        if is_told:
            row = found["went_to_showdown"]
            assert (row["pool_players"], row["own"], row["own_chances"]) == (5, 1, 80)


def test_own_hands_may_be_few(database: Database) -> None:
    # A rate that he had no chance of has no place; one chance is enough to have one.
    for name in (NAMES[8], NAMES[0]):
        for number in (1, 2):
            found = rows(database, Filters(hero=name, session=number, doors=frozenset((13,))))
            assert found
            for row in found:
                assert (
                    (row["own"] is None) == (row["own_chances"] == 0) == (row["own_place"] is None)
                )
    nobody = rows(database, Filters(hero="nobody"))
    assert {(row["own"], row["own_chances"], row["own_place"]) for row in nobody} == {
        (None, 0, None)
    }


@pytest.mark.parametrize(
    ("rates", "rate", "place"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5], 0.35, 0.6),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 0.3, 0.5),
        ([0.1, 0.2, 0.2, 0.2, 0.5], 0.2, 0.5),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 0.05, 0.0),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 0.9, 1.0),
        ([0.0] * 6, 0.0, 0.5),
        ([0.1, 0.2, 0.3, 0.4], 0.3, None),
        ([], 0.3, None),
    ],
)
def test_a_place_is_the_part_below(rates: list[float], rate: float, place: float | None) -> None:
    assert place_among(rates, rate) == place


# ---- names and nothing


def simulated(names: tuple[str, ...]) -> Database:
    """Return a database of two tables, at which the first eight and the last eight sit."""
    database = Database.in_memory()
    for number, some in enumerate((names[:8], names[-8:]), 1):
        setup = Setup(names=some, buy_in=DEEP, first_number=number * 10**11)
        replayed = [replay(hand).value for hand in simulate_hands(60, 8, 3, setup)]
        fill(database, (hand for hand in replayed if hand is not None))
    return database


def in_order(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(found, key=lambda row: [str(part) for part in key_of(row)])


def test_hostile_names_are_names_like_others() -> None:
    hostile = ("' OR 1=1 --", "NULL", "%", '";DROP TABLE hands;--', *HOSTILE_NAMES)
    usual = NAMES[: len(hostile)]
    with simulated(hostile) as database, simulated(usual) as plain:
        seated = {name for (name,) in database.rows("SELECT DISTINCT name FROM hand_players")}
        assert len(seated & {*hostile}) > 10
        assert {*hostile[:4]} & seated
        for odd, other in zip(hostile, usual, strict=True):
            found = in_order(rows(database, Filters(hero=odd)))
            assert found
            assert found == in_order(rows(plain, Filters(hero=other)))
            assert any(row["own_chances"] for row in found) == (odd in seated)


def test_an_empty_database_has_no_pool(tmp_path: Path) -> None:
    with Database.in_memory() as empty:
        for filters in (Filters(), Filters(all_players=True), Filters(hero="' OR 1=1 --")):
            assert rows(empty, filters) == []
    (tmp_path / "none.txt").write_text("", encoding="utf-8")
    db = tmp_path / "razz.duckdb"
    Database.open(db).close()
    run = razzstats("stats", "pool", "--db", db, "--format", "json")
    assert (run.code, run.out.strip()) == (0, "[]")
    assert run.err == "the hero: 0 hands; no hand matches\n"


def test_few_hands_have_no_pool(twelve: Database) -> None:
    for filters in (Filters(), Filters(all_players=True)):
        assert rows(twelve, filters) == []
