"""Rates split by a group: each hand in the group that plain Python puts it in, and none twice.

The groups come from the rows of hands and players, the counts from following each hand. Where hands
are split by opponent, each of them counts for every other player.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from math import inf, nextafter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from cli import razzstats
from hands import SAMPLES, check_file
from test_filters import CLASSES, Played, low, read
from test_rates_recounted import Count, Tally
from test_stats import NET, lines, per_100
from test_stats_recounted import RATES, recount

from razzstats.cards import RANK_SYMBOLS
from razzstats.measuring import measure_hands
from razzstats.replay import ReplayedHand
from razzstats.simulate import Setup, render_hands, simulate_hands
from razzstats.stats.catalogue import STATS, TABLES
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.groups import EVERYTHING, GROUP_BY_NAME, GROUPS
from razzstats.stats.intervals import wilson
from razzstats.stats.tables import GROUPED_TABLES
from razzstats.storage import Database, hand_key, hand_rows

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
HID_SEAT = tuple[int, int]


# ---- the group of each hand, in plain Python


def symbol(rank: int | None) -> str | None:
    return None if rank is None else RANK_SYMBOLS[rank - 1]


def number(value: int | None) -> str | None:
    return None if value is None else str(value)


def stakes(played: Played) -> str:
    def units(chips: int) -> str:
        whole, part = divmod(chips, 10 ** played.own["decimals"])
        return f"{whole}.{part:0{played.own['decimals']}}".rstrip("0").rstrip(".")

    bets = "/".join(units(played.own[bet]) for bet in ("small_bet", "big_bet"))
    return f"{bets} {played.own['currency']}"


def month(played: Played) -> str | None:
    at = played.own["played_at"]
    return None if at is None else f"{at.year}-{at.month:02}"


def date(played: Played) -> str | None:
    at = played.own["played_at"]
    return None if at is None else f"{at.year}-{at.month:02}-{at.day:02}"


def lower_behind(played: Played) -> str | None:
    doors, own = played.waiting(), played.own["door_rank"]
    if doors is None:
        return None
    return str(sum(door is not None and own is not None and door < own for door in doors))


POTS = ("under 2", "2 to 5", "5 to 10", "10 to 20", "20 and more")


def pot(played: Played) -> str:
    return POTS[sum(played.pot() >= bound for bound in (2, 5, 10, 20))]


def starting_class(played: Played) -> str | None:
    name = played.starting_class()
    return None if name is None else CLASSES[name]


KEYS: dict[str, Callable[[Played], str | None]] = {
    "door": lambda played: symbol(played.own["door_rank"]),
    "players": lambda played: str(1 + len(played.others)),
    "site": lambda played: played.own["site"],
    "currency": lambda played: played.own["currency"],
    "stakes": stakes,
    "game": lambda played: "cash" if played.hand["tournament"] is None else "tournament",
    "month": month,
    "date": date,
    "bring-in-door": lambda played: symbol(played.hand["bring_in_door"]),
    "behind": lambda played: number(played.behind()),
    "viable-behind": lambda played: number(played.viable_behind()),
    "lower-behind": lower_behind,
    "low-doors": lambda played: str(low([other["door_rank"] for other in played.others])),
    "pot": pot,
    "starting-class": starting_class,
}
"""The groups that a hand is in one of, or in none of."""


def by_session(some: list[Played]) -> dict[str | None, list[Played]]:
    """Number the sessions of all players together, in order of time; without a time comes last."""
    of_player: dict[tuple[str, str], list[Played]] = defaultdict(list)
    for played in some:
        of_player[played.own["site"], played.own["name"]].append(played)
    sessions = []
    for (site, name), own in of_player.items():
        last = None
        timed = [played for played in own if played.own["played_at"] is not None]
        for played in sorted(timed, key=lambda played: played.own["played_at"]):
            at = played.own["played_at"]
            if last is None or at - last > timedelta(minutes=30):
                sessions.append(((at, name, site), [played]))
            else:
                sessions[-1][1].append(played)
            last = at
        if untimed := [played for played in own if played.own["played_at"] is None]:
            sessions.append(((datetime.max, name, site), untimed))
    ordered = sorted(sessions, key=lambda session: session[0])
    return {str(place): own for place, (_, own) in enumerate(ordered, 1)}


def by_opponent(some: list[Played]) -> dict[str | None, list[Played]]:
    found: dict[str | None, list[Played]] = defaultdict(list)
    for played in some:
        for other in played.others:
            found[other["name"]].append(played)
        if not played.others:
            found[None].append(played)
    return found


NAMES = [*KEYS, "session", "opponent"]


def grouped(name: str, some: list[Played]) -> dict[str | None, list[Played]]:
    """Return the hands of each group; those in none are in that of None."""
    if name == EVERYTHING.name:
        return {name: some}
    if name == "session":
        return by_session(some)
    if name == "opponent":
        return by_opponent(some)
    found: dict[str | None, list[Played]] = defaultdict(list)
    for played in some:
        found[KEYS[name](played)].append(played)
    return found


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> list[ReplayedHand]:
    simulated = tmp_path_factory.mktemp("groups") / "simulated.txt"
    made = simulate_hands(60, 8, 3, Setup(first_number=600_000_000_000))
    simulated.write_text("".join(render_hands(made)), encoding="utf-8")
    files = sorted(path for path in SAMPLES.rglob("*.*") if path.suffix != ".md")
    checked = [each for file in (*files, simulated) for each in check_file(file)]
    return [each.replayed for each in checked if each.replayed is not None]


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        assert measure_hands(opened) == len(hands)
        yield opened


@pytest.fixture(scope="module")
def everybody(database: Database) -> list[Played]:
    return read(database)


Tallies = dict[HID_SEAT, Tally]


@pytest.fixture(scope="module")
def tallies(hands: list[ReplayedHand]) -> dict[str, Tallies]:
    """What each player had the chance to do in each hand, and did, by table."""
    decisions: Tallies = {
        (hand_key(hand.parsed.hand_id), seat): tally
        for hand in hands
        for seat, tally in Count(hand).tallies.items()
    }
    of_hands: Tallies = {}
    for hand in hands:
        seats = {player.name: player.seat for player in hand.parsed.players}
        for each in recount(hand.parsed):
            tally: Tally = Counter()
            for id, (chance, taken) in RATES.items():
                tally[id, 3, False] += chance(each)
                tally[id, 3, True] += chance(each) and taken(each)
            of_hands[hand_key(hand.parsed.hand_id), seats[each.name]] = tally
    return {"third-street": decisions, "street-rates": decisions, "hand-rates": of_hands}


WHO: dict[str, tuple[Filters, Callable[[Played], bool]]] = {
    "the hero": (Filters(), lambda played: played.own["is_hero"]),
    "all players": (Filters(all_players=True), lambda played: True),
    "low doors at small tables": (
        Filters(all_players=True, doors=frozenset(range(1, 9)), players=(2, 6)),
        lambda played: (
            played.own["door_rank"] in range(1, 9) and played.hand["players"] in range(2, 7)
        ),
    ),
    "two or more left to act": (
        Filters(behind=(2, 7)),
        lambda played: played.own["is_hero"] and (played.behind() or 0) >= 2,
    ),
}
NARROWED = ("low doors at small tables", "two or more left to act")
WHO_CASES = [pytest.param(who, marks=[pytest.mark.slow] * (who in NARROWED)) for who in WHO]


# ---- what the groups hold


LEAVES_OUT = {
    *("door", "month", "date", "bring-in-door", "behind", "viable-behind", "lower-behind"),
    "starting-class",
}


def test_every_group_and_every_grouped_table_is_looked_at(everybody: list[Played]) -> None:
    assert {*NAMES} == {group.name for group in GROUPS}
    assert {*GROUPED_TABLES} == {*STATISTICS, "results"}
    for name in NAMES:
        found = grouped(name, everybody)
        assert len({*found} - {None}) > 1, name
        assert (None in found) is (name in LEAVES_OUT), name
    assert {*map(KEYS["stakes"], everybody)} >= {"0.04/0.08 USD", "0.5/1 play", "1/2 EUR"}
    assert {*map(pot, everybody)} == {*POTS}
    assert {*map(lower_behind, everybody)} >= {"0", "1", "2", "3"}
    assert any(played.own["played_at"] is None for played in everybody)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table's rows, with None for what has no value."""
    objects = frame.astype(object)
    return objects.where(frame.notna(), None).to_dict("records")  # type: ignore[return-value]


def counted(rows: list[dict[str, Any]]) -> dict[tuple[str, str, int], tuple[int, int]]:
    """Return made and chances by group, statistic and street."""
    found = {
        (row["group"], row["id"], row.get("street", 3)): (row["made"], row["chances"])
        for row in rows
    }
    assert len(found) == len(rows)
    return found


def added_up(some: list[Played], tallies: Tallies) -> Tally:
    total: Tally = Counter()
    for played in some:
        total.update(tallies[played.key])
    return total


STATISTICS = {
    "third-street": [(stat.id, 3) for stat in THIRD_STREET_STATS],
    "street-rates": [(stat.id, street) for stat in STREET_STATS for street in range(3, 8)],
    "hand-rates": [(stat.id, 3) for stat in STATS],
}


@pytest.mark.parametrize("who", WHO_CASES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("table", STATISTICS)
def test_groups_add_up_to_the_whole(
    database: Database,
    everybody: list[Played],
    tallies: dict[str, Tallies],
    table: str,
    name: str,
    who: str,
) -> None:
    filters, wanted = WHO[who]
    matching = [*filter(wanted, everybody)]
    by_key = grouped(name, matching)
    by_key.pop(None, None)
    split = counted(records(GROUPED_TABLES[table](database, filters, GROUP_BY_NAME[name])))
    totals = {key: added_up(some, tallies[table]) for key, some in by_key.items()}
    assert {group for group, _, _ in split} == {key for key, total in totals.items() if total}
    for key, total in totals.items():
        for id, street in STATISTICS[table]:
            expected = total[id, street, True], total[id, street, False]
            assert split.get((str(key), id, street), (0, 0)) == expected, (key, id, street)
    whole = counted(records(GROUPED_TABLES[table](database, filters, EVERYTHING)))
    assert whole.keys() == {("all", *each) for each in STATISTICS[table]}
    everything = added_up(matching, tallies[table])
    for id, street in STATISTICS[table]:
        expected = everything[id, street, True], everything[id, street, False]
        assert whole["all", id, street] == expected, (id, street)


@pytest.mark.parametrize("who", WHO_CASES)
@pytest.mark.parametrize("name", [*NAMES, EVERYTHING.name])
def test_results_of_each_group_are_what_plain_python_adds_up(
    database: Database,
    everybody: list[Played],
    tallies: dict[str, Tallies],
    name: str,
    who: str,
) -> None:
    filters, wanted = WHO[who]
    matching = [*filter(wanted, everybody)]
    by_key = grouped(name, matching)
    left_out = {played.key for played in by_key.pop(None, [])}
    group = GROUP_BY_NAME.get(name, EVERYTHING)
    found = records(GROUPED_TABLES["results"](database, filters, group))
    assert {row["group"] for row in found} == by_key.keys()
    assert len(found) == len(by_key)
    for row in found:
        some = by_key[row["group"]]
        check_result(row, some, added_up(some, tallies["hand-rates"]))
    # A hand counts once, and for opponents once for each of them.
    times = sum(len(p.others) if name == "opponent" else p.key not in left_out for p in matching)
    assert sum(row["hands"] for row in found) == times


def check_result(row: dict[str, Any], some: list[Played], rates: Tally) -> None:
    assert row["hands"] == len(some)
    won = rates["win_rate", 3, True]
    assert (row["won"], row["win_rate"]) == (won, won / len(some))
    assert (row["win_rate_low"], row["win_rate_high"]) == wilson(won, len(some))
    for id in ("vpip", "complete", "saw_fourth"):
        made, chances = rates[id, 3, True], rates[id, 3, False]
        assert row[id] == (made / chances if chances else None), (row, id)
        assert row.get(f"{id}_chances", chances) == chances, (row, id)
    one_currency = len({(p.own["currency"], p.own["decimals"]) for p in some}) == 1
    assert row["net"] == (sum(p.own["net"] for p in some) if one_currency else None), row
    per = "big_bets_per_100"
    expected = per_100([p.own["net"] / p.own["big_bet"] for p in some])
    for key, value in zip((per, f"{per}_low", f"{per}_high"), expected, strict=True):
        assert row[key] == (None if value is None else pytest.approx(value, abs=1e-6)), row


@pytest.mark.parametrize("name", NAMES)
def test_a_group_is_what_a_filter_for_it_selects(
    database: Database, everybody: list[Played], name: str
) -> None:
    # Of the groups that are filters, too: the same numbers and the same intervals.
    narrowed: dict[str, Callable[[str], dict[str, Any]]] = {
        "door": lambda key: {"doors": frozenset((RANK_SYMBOLS.index(key) + 1,))},
        "players": lambda key: {"players": (int(key), int(key))},
        "site": lambda key: {"site": key},
        "currency": lambda key: {"currency": key},
        "game": lambda key: {"tournament": key == "tournament"},
        "bring-in-door": lambda key: {"bring_in_doors": frozenset((RANK_SYMBOLS.index(key) + 1,))},
        "behind": lambda key: {"behind": (int(key), int(key))},
        "viable-behind": lambda key: {"viable_behind": (int(key), int(key))},
        "low-doors": lambda key: {"low_doors": (int(key), int(key))},
        "pot": lambda key: {"pot": POT_BOUNDS[key]},
        "session": lambda key: {"session": int(key)},
        "opponent": lambda key: {"opponent": key},
        "date": lambda key: {
            "since": datetime.fromisoformat(key),
            "until": datetime.fromisoformat(key) + timedelta(days=1),
        },
        "starting-class": lambda key: {"starting_classes": frozenset((key,))},
    }
    if name not in narrowed:
        assert name in ("stakes", "month", "lower-behind")
        return
    # A database by the day or the opponent has too many groups to ask for each of them.
    for table in ("third-street", "hand-rates"):
        make = GROUPED_TABLES[table]
        rows = records(make(database, Filters(all_players=True), GROUP_BY_NAME[name]))
        for key in sorted({row["group"] for row in rows})[:8]:
            filters = Filters(all_players=True, **narrowed[name](key))
            alone = records(make(database, filters, EVERYTHING))
            own = [row for row in rows if row["group"] == key]
            assert [row | {"group": "all"} for row in own] == alone, (table, key)


# A filter takes in both of its bounds, a group only the lower one.
POT_BOUNDS = {
    group: (lower, nextafter(upper, 0))
    for group, lower, upper in zip(POTS, (0, 2, 5, 10, 20), (2, 5, 10, 20, inf), strict=True)
}


def test_every_row_has_its_interval_and_no_chance_no_rate(database: Database) -> None:
    for table in STATISTICS:
        make = GROUPED_TABLES[table]
        rows = records(make(database, Filters(all_players=True), GROUP_BY_NAME["players"]))
        assert any(row["chances"] == 0 for row in rows) is (table != "hand-rates")
        for row in rows:
            made, chances = row["made"], row["chances"]
            assert row["rate"] == (made / chances if chances else None)
            assert (row["rate_low"], row["rate_high"]) == wilson(made, chances)


# ---- in which order

ORDERS = {
    "door": list(RANK_SYMBOLS),
    "bring-in-door": list(RANK_SYMBOLS),
    "players": [str(players) for players in range(2, 9)],
    "behind": [str(players) for players in range(8)],
    "viable-behind": [str(players) for players in range(8)],
    "lower-behind": [str(players) for players in range(8)],
    "low-doors": [str(players) for players in range(8)],
    "pot": [*POTS],
    "session": [str(session) for session in range(1, 1000)],
    "game": ["cash", "tournament"],
}
BY_NAME = ("month", "date", "site", "currency", "opponent")


@pytest.mark.parametrize("table", STATISTICS)
@pytest.mark.parametrize("name", [*ORDERS, *BY_NAME])
def test_groups_come_in_order_within_each_statistic(
    database: Database, table: str, name: str
) -> None:
    filters = Filters(all_players=True)
    rows = records(GROUPED_TABLES[table](database, filters, GROUP_BY_NAME[name]))
    keys = list(dict.fromkeys(row["group"] for row in rows))
    order = ORDERS.get(name, sorted(keys))
    assert keys == [key for key in order if key in keys]
    assert len(keys) > 1
    # Statistic after statistic, street after street, and all groups of each together.
    assert [(row["id"], row.get("street", 3), row["group"]) for row in rows] == [
        (id, street, key) for id, street in STATISTICS[table] for key in keys
    ]
    results = GROUPED_TABLES["results"](database, filters, GROUP_BY_NAME[name])
    assert [key for key in results["group"] if key in keys] == keys


def test_where_no_hand_matches_there_is_one_group_without_a_chance(database: Database) -> None:
    nobody = Filters(hero="nobody")
    for table in STATISTICS:
        rows = records(GROUPED_TABLES[table](database, nobody, GROUP_BY_NAME["door"]))
        assert [row["group"] for row in rows] == ["all"] * len(STATISTICS[table])
        assert {(row["made"], row["chances"], row["rate"]) for row in rows} == {(0, 0, None)}
    (row,) = records(GROUPED_TABLES["results"](database, nobody, GROUP_BY_NAME["door"]))
    assert {key for key, value in row.items() if value == 0} == {
        *("hands", "won", "vpip_chances", "complete_chances")
    }
    assert {value for value in row.values() if value != 0} == {"all", None}


# ---- as an option


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("by") / "razz.duckdb"
    assert razzstats("import", TWELVE, "--db", path).code == 0
    return path


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("table", GROUPED_TABLES)
def test_by_prints_what_the_frame_holds(db: Path, table: str, name: str) -> None:
    options = ("stats", table, "--db", db, "--by", name, "--hero", "Ann", "--cash")
    run = razzstats(*options, "--format", "json")
    assert (run.code, run.err) == (0, "Ann, cash games: 9 hands\n")
    with Database.open(db, read_only=True) as database:
        filters = Filters(hero="Ann", tournament=False)
        frame = GROUPED_TABLES[table](database, filters, GROUP_BY_NAME[name])
    assert json.loads(run.out) == records(frame)
    if table in ("third-street", "hand-rates"):  # printed as the rates of each street are
        return
    shown = razzstats(*options, variables={"COLUMNS": "80"})
    assert shown.code == 0
    assert max(map(len, shown.out.splitlines())) <= 80
    for key in frame["group"].unique():
        assert {*key.split()} <= {*shown.out.split()}


def test_the_groups_of_twelve_hands_are_those_counted_by_hand(db: Path) -> None:
    # With three players the hero is first in once, in hand 1, and his completion takes the pot; he
    # faces one in hands 6 (folds), 7 (calls) and 8 (raises), and in 2 after he brought in (folds).
    # Heads up he completes first in in hands 5 and 9, and is called.
    run = razzstats("stats", "third-street", "--db", db, "--by", "players", "--format", "json")
    rows = json.loads(run.out)
    found = {(row["id"], row["group"]): (row["made"], row["chances"]) for row in rows}
    assert list(dict.fromkeys(row["group"] for row in rows)) == ["2", "3"]
    for id, two, three in (
        ("complete_first_in", (2, 2), (1, 1)),
        ("limp", (0, 2), (0, 1)),
        ("steal_success", (0, 2), (1, 1)),
        ("cold_call", (0, 0), (1, 3)),
        ("bring_in_fold", (0, 0), (1, 1)),
        ("raise_vs_complete", (0, 0), (1, 4)),
    ):
        assert (found[id, "2"], found[id, "3"]) == (two, three), id


# Hero's results by group in the twelve hands: which of his are in each.
GROUPS_OF_TWELVE = """
    date          2026-01-09  1,2,3,4,5,6
    date          2026-01-10  7,8
    date          2026-01-20  9,10
    date          2026-02-01  11
    session       1           1,2,3,4
    session       2           5,6
    session       3           7,8
    session       4           9,10
    session       5           11
    opponent      Ann         1,2,3,4,6,7,8,9,10,11
    opponent      Bob         1,2,3,4,5,6,7,8
    lower-behind  0           1,4,5,6,7,8,9      # in 2, 3, 10 and 11 he is the bring-in player
    low-doors     0           1,5,9              # 9K, K, K
    low-doors     1           4,6,7,8,10,11      # 8J, 2T, 4Q, 2K, 5, 6
    low-doors     2           2,3                # 47, 52
    pot           under~2     1,2,3,6,7,9,10,11  # 1.30/2 at most 2.80/2, 240/200, 40/200, .60/1
    pot           2~to~5      8                  # 6.80/2
    pot           5~to~10     4,5                # 12.80/2, 10.20/2
"""
HERO_WON = {1, 3, 4, 7, 8, 10}
# Ann completes, limps or folds with Hero's lower door behind her in hands 1, 4 and 8; his four in
# hand 7 is no lower than hers. In hand 9 she brings in.
ANN_LOWER_BEHIND = {"0": [2, 3, 6, 7, 10, 11, 12], "1": [1, 4, 8]}


def test_results_of_twelve_hands_by_group_are_those_counted_by_hand(db: Path) -> None:
    rows = lines(GROUPS_OF_TWELVE)
    with Database.open(db, read_only=True) as database:
        for name in {name for name, _, _ in rows}:
            expected = {
                key.replace("~", " "): [*map(int, hands.split(","))]
                for each, key, hands in rows
                if each == name
            }
            make = GROUPED_TABLES["results"]
            found = records(make(database, Filters(), GROUP_BY_NAME[name]))
            assert [row["group"] for row in found] == [*expected], name
            for row in found:
                hands = expected[row["group"]]
                assert row["hands"] == len(hands), row
                assert row["won"] == len({*hands} & HERO_WON), row
                result, *_ = per_100([NET["hero"][hand] for hand in hands])
                assert row["big_bets_per_100"] == pytest.approx(result), row
        found = records(make(database, Filters(hero="Ann"), GROUP_BY_NAME["lower-behind"]))
        assert {row["group"]: row["hands"] for row in found} == {
            key: len(hands) for key, hands in ANN_LOWER_BEHIND.items()
        }


@pytest.mark.parametrize("name", [each.name for each in TABLES])
def test_a_table_that_cannot_be_split_is_refused(db: Path, name: str) -> None:
    if name in GROUPED_TABLES:
        return
    run = razzstats("stats", name, "--db", db, "--by", "door")
    assert (run.code, run.out) == (2, "")
    names = "third-street, street-rates, hand-rates, results"
    assert f"Invalid value for --by: {name} cannot be split; {names} can" in run.sentence


@pytest.mark.parametrize("group", ["", "Door", "doors", "x; DROP TABLE hands"])
def test_a_group_that_does_not_exist_names_those_that_do(db: Path, group: str) -> None:
    run = razzstats("stats", "third-street", "--db", db, "--by", group)
    assert (run.code, run.out) == (2, "")
    names = ", ".join(group.name for group in GROUPS)
    assert f"Invalid value for --by: {group!r} is no group; choose from {names}" in run.sentence
