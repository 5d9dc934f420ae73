"""Rates split by a group: each hand in the group that plain Python puts it in, and none twice.

The groups come from the rows of hands and players, the counts from following each hand.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from cli import razzstats
from hands import SAMPLES, check_file
from test_filters import CLASSES, Played, read
from test_rates_recounted import Count, Tally

from razzstats.cards import RANK_SYMBOLS
from razzstats.measuring import measure_hands
from razzstats.replay import ReplayedHand
from razzstats.simulate import Setup, render_hands, simulate_hands
from razzstats.stats.catalogue import TABLES
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.groups import GROUP_BY_NAME, GROUPS
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
    "bring-in-door": lambda played: symbol(played.hand["bring_in_door"]),
    "behind": lambda played: number(played.behind()),
    "viable-behind": lambda played: number(played.viable_behind()),
    "starting-class": starting_class,
}


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


@pytest.fixture(scope="module")
def tallies(hands: list[ReplayedHand]) -> dict[HID_SEAT, Tally]:
    """What each player had the chance to do in each hand, and did."""
    return {
        (hand_key(hand.parsed.hand_id), seat): tally
        for hand in hands
        for seat, tally in Count(hand).tallies.items()
    }


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


# ---- what the groups hold


def test_every_group_and_every_grouped_table_is_looked_at(everybody: list[Played]) -> None:
    assert KEYS.keys() == {group.name for group in GROUPS}
    assert {*GROUPED_TABLES} >= {"third-street", "street-rates"}
    for name, key in KEYS.items():
        found = Counter(map(key, everybody))
        assert len({*found} - {None}) > 1, name
        leaves_out = {"door", "month", "bring-in-door", "behind", "viable-behind", "starting-class"}
        assert (None in found) is (name in leaves_out), name
    assert {*map(KEYS["stakes"], everybody)} >= {"0.04/0.08 USD", "0.5/1 play", "1/2 EUR"}


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


def added_up(some: list[Played], tallies: dict[HID_SEAT, Tally]) -> Tally:
    total: Tally = Counter()
    for played in some:
        total.update(tallies[played.key])
    return total


STATISTICS = {
    "third-street": [(stat.id, 3) for stat in THIRD_STREET_STATS],
    "street-rates": [(stat.id, street) for stat in STREET_STATS for street in range(3, 8)],
}


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("table", STATISTICS)
def test_groups_add_up_to_the_whole(
    database: Database,
    everybody: list[Played],
    tallies: dict[HID_SEAT, Tally],
    table: str,
    name: str,
    who: str,
) -> None:
    filters, wanted = WHO[who]
    by_key: dict[str | None, list[Played]] = defaultdict(list)
    for played in filter(wanted, everybody):
        by_key[KEYS[name](played)].append(played)
    left_out = added_up(by_key.pop(None, []), tallies)
    split = counted(records(GROUPED_TABLES[table](database, filters, GROUP_BY_NAME[name])))
    whole = counted(records(GROUPED_TABLES[table](database, filters, None)))
    assert {group for group, _, _ in split} == {
        key for key, some in by_key.items() if added_up(some, tallies)
    }
    assert whole.keys() == {("all", *each) for each in STATISTICS[table]}
    for key, some in by_key.items():
        total = added_up(some, tallies)
        for id, street in STATISTICS[table]:
            expected = total[id, street, True], total[id, street, False]
            assert split.get((str(key), id, street), (0, 0)) == expected, (key, id, street)
    for id, street in STATISTICS[table]:
        parts = [found for (_, *rest), found in split.items() if rest == [id, street]]
        for place, made in enumerate((True, False)):
            inside = sum(part[place] for part in parts)
            assert inside + left_out[id, street, made] == whole["all", id, street][place]


@pytest.mark.parametrize("name", KEYS)
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
        "starting-class": lambda key: {"starting_classes": frozenset((key,))},
    }
    if name not in narrowed:
        assert name in ("stakes", "month")
        return
    make = GROUPED_TABLES["third-street"]
    rows = records(make(database, Filters(all_players=True), GROUP_BY_NAME[name]))
    for key in {row["group"] for row in rows}:
        alone = records(make(database, Filters(all_players=True, **narrowed[name](key)), None))
        own = [row for row in rows if row["group"] == key]
        assert [row | {"group": "all"} for row in own] == alone, key


def test_every_row_has_its_interval_and_no_chance_no_rate(database: Database) -> None:
    for table, make in GROUPED_TABLES.items():
        rows = records(make(database, Filters(all_players=True), GROUP_BY_NAME["players"]))
        assert any(row["chances"] == 0 for row in rows), table
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
    "game": ["cash", "tournament"],
}


@pytest.mark.parametrize("table", STATISTICS)
@pytest.mark.parametrize("name", [*ORDERS, "month", "site", "currency"])
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


def test_where_no_hand_matches_there_is_one_group_without_a_chance(database: Database) -> None:
    for table, make in GROUPED_TABLES.items():
        rows = records(make(database, Filters(hero="nobody"), GROUP_BY_NAME["door"]))
        assert [row["group"] for row in rows] == ["all"] * len(STATISTICS[table])
        assert {(row["made"], row["chances"], row["rate"]) for row in rows} == {(0, 0, None)}


# ---- as an option


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("by") / "razz.duckdb"
    assert razzstats("import", TWELVE, "--db", path).code == 0
    return path


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("table", STATISTICS)
def test_by_prints_what_the_frame_holds(db: Path, table: str, name: str) -> None:
    options = ("stats", table, "--db", db, "--by", name, "--hero", "Ann", "--cash")
    run = razzstats(*options, "--format", "json")
    assert (run.code, run.err) == (0, "Ann, cash games: 9 hands\n")
    with Database.open(db, read_only=True) as database:
        filters = Filters(hero="Ann", tournament=False)
        frame = GROUPED_TABLES[table](database, filters, GROUP_BY_NAME[name])
    assert json.loads(run.out) == records(frame)
    for width in (80, 120):
        shown = razzstats(*options, variables={"COLUMNS": str(width)})
        assert shown.code == 0
        assert max(map(len, shown.out.splitlines())) <= width
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


@pytest.mark.parametrize("name", [each.name for each in TABLES])
def test_a_table_that_cannot_be_split_is_refused(db: Path, name: str) -> None:
    if name in GROUPED_TABLES:
        return
    run = razzstats("stats", name, "--db", db, "--by", "door")
    assert (run.code, run.out) == (2, "")
    assert f"Invalid value for --by: {name} cannot be split; third-street, street-rates" in (
        run.sentence
    )


@pytest.mark.parametrize("group", ["", "Door", "doors", "x; DROP TABLE hands"])
def test_a_group_that_does_not_exist_names_those_that_do(db: Path, group: str) -> None:
    run = razzstats("stats", "third-street", "--db", db, "--by", group)
    assert (run.code, run.out) == (2, "")
    names = ", ".join(KEYS)
    assert f"Invalid value for --by: {group!r} is no group; choose from {names}" in run.sentence
