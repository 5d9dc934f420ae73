"""`razzstats stats`: the tables in every format, their keys, and the filters as options."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cli import Run, razzstats, write

from razzstats.stats.catalogue import DEFINED, STATS, TABLES
from razzstats.stats.catalogue.decisions import DECISION_STATS
from razzstats.stats.groups import GROUPS

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"

# The outward contract: other keys may be added, these stay.
KEYS = {
    "bring-ins": {
        "door", "hands", "brought_in", "brought_in_low", "brought_in_high", "brought_in_made",
        "expected", "bring_in_big_bets",
    },
    "door-cards": {
        "door", "hands", "won", "win_rate", "win_rate_low", "win_rate_high", "net",
        "big_bets_per_100", "big_bets_per_100_low", "big_bets_per_100_high", "vpip", "complete",
        "saw_fourth", "went_to_showdown", "won_at_showdown",
    },
    "luck": {
        "kind", "hands", "measured", "pots_measured", "won_measured", "lost_measured",
        "luck_big_bets", "swing_big_bets",
    },
    "starting-classes": {
        "class", "hands", "dealt", "to_be_expected", "won", "win_rate", "win_rate_low",
        "win_rate_high", "net", "big_bets_per_100", "big_bets_per_100_low",
        "big_bets_per_100_high", "vpip", "complete", "saw_fourth",
    },
    "starting-hands": {
        "starting_hand", "class", "rank", "equity", "rating", "live_rating", "hands", "won",
        "win_rate", "win_rate_low", "win_rate_high", "net", "big_bets_per_100",
        "big_bets_per_100_low", "big_bets_per_100_high", "vpip", "complete", "saw_fourth",
    },
    "door-streets": {
        "door", "street", "reached", "folded", "won", "win_rate", "win_rate_low", "win_rate_high",
        "net_big_bets",
    },
    "door-pairs": {
        "door", "bring_in_door", "hands", "entered", "completed", "won", "net_big_bets",
        "big_bets_per_100", "big_bets_per_100_low", "big_bets_per_100_high",
    },
    "third-street": {
        "title", "group", "rate", "rate_low", "rate_high", "made", "chances", "id",
    },
    "street-rates": {
        "title", "street", "group", "rate", "rate_low", "rate_high", "made", "chances", "id",
    },
    "hand-rates": {"title", "group", "rate", "rate_low", "rate_high", "made", "chances", "id"},
    "results": {
        "group", "hands", "won", "win_rate", "win_rate_low", "win_rate_high", "net",
        "big_bets_per_100", "big_bets_per_100_low", "big_bets_per_100_high", "vpip",
        "vpip_chances", "complete", "complete_chances", "saw_fourth",
    },
    "pool": {
        "title", "street", "stakes", "table_size", "pool_players", "p10", "p25", "p50", "p75",
        "p90", "own", "own_chances", "own_place", "id",
    },
    "money": {"id", "title", "value", "low", "high", "hands", "unit"},
    "opponents": {
        "name", "site", "hands", "vpip", "vpip_low", "vpip_high", "vpip_chances", "shrunken_vpip",
        "complete", "saw_fourth", "went_to_showdown", "won_at_showdown", "aggression",
        "net_big_bets", "big_bets_per_100", "big_bets_per_100_low", "big_bets_per_100_high",
        "contested", "hero_net_big_bets", "table_size", "pool_players", "vpip_place",
        "complete_place", "went_to_showdown_place",
    },
    "positions": {
        "position", "hands", "vpip", "complete_first_in", "limp", "fold_first_in", "won",
        "win_rate", "win_rate_low", "win_rate_high", "big_bets_per_100", "big_bets_per_100_low",
        "big_bets_per_100_high",
    },
    "sessions": {
        "number", "name", "site", "begin", "end", "minutes", "hands", "stakes", "net",
        "net_big_bets", "big_bets_per_100", "big_bets_per_100_low", "big_bets_per_100_high",
        "big_bets_per_hour", "biggest_pot", "biggest_pot_hand", "luck_big_bets", "vpip",
        "showdowns",
    },
    "stakes": {
        "site", "stakes", "currency", "game", "hands", "sessions", "net", "big_bets_per_100",
        "big_bets_per_100_low", "big_bets_per_100_high", "luck_adjusted_per_100", "won",
        "win_rate", "win_rate_low", "win_rate_high", "vpip",
    },
    "overview": {"id", "title", "value", "low", "high", "made", "chances", "unit"},
    "streets": {"street", "reached", "folded", "won", "net_big_bets"},
}  # fmt: skip
ROWS = {
    "bring-ins": 13, "door-cards": 13, "door-pairs": 169, "door-streets": 65, "hand-rates": 17,
    "luck": 3, "money": 23, "opponents": 2, "overview": 24, "pool": 0, "positions": 8, "results": 1,
    "sessions": 5, "stakes": 3, "starting-classes": 7, "starting-hands": 11, "streets": 5,
    "third-street": 22, "street-rates": 60,
}  # fmt: skip
NAMES = [table.name for table in TABLES]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of the twelve hands whose numbers test_stats counts by hand."""
    path = tmp_path_factory.mktemp("stats") / "razz.duckdb"
    assert razzstats("import", TWELVE, "--db", path).code == 0
    return path


def stats(db: Path, *arguments: str) -> Run:
    return razzstats("stats", *arguments, "--db", db)


def objects(db: Path, *arguments: str) -> list[dict[str, Any]]:
    run = stats(db, *arguments, "--format", "json")
    assert run.code == 0, run
    found = json.loads(run.out)
    assert isinstance(found, list)
    return found


# ---- formats


@pytest.mark.parametrize("name", NAMES)
def test_json_has_the_keys_that_scripts_rely_on(db: Path, name: str) -> None:
    found = objects(db, name)
    assert len(found) == ROWS[name]
    for row in found:
        assert row.keys() >= KEYS[name]
        assert list(row) == list(found[0])


@pytest.mark.parametrize("name", NAMES)
def test_every_format_holds_the_same_rows(db: Path, tmp_path: Path, name: str) -> None:
    expected = objects(db, name)
    assert [json.loads(line) for line in stats(db, name, "--format", "jsonl").out.splitlines()] == (
        expected
    )
    rows = list(csv.DictReader(StringIO(stats(db, name, "--format", "csv").out)))
    assert [list(row) for row in rows] == [list(row) for row in expected]
    assert [[value or None for value in row.values()] for row in rows] == [
        [None if value is None else str(value) for value in row.values()] for row in expected
    ]
    file = tmp_path / "table.parquet"
    file.write_bytes(stats(db, name, "--format", "parquet").raw)
    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet(?)", [str(file)])
        columns = [column[0] for column in found.description or []]
        assert [dict(zip(columns, row, strict=True)) for row in found.fetchall()] == expected


def test_numbers_are_numbers_and_what_is_unknown_is_null(db: Path) -> None:
    aces, twos, *_ = objects(db, "door-cards")
    assert aces == {
        "door": "A", "hands": 1, "won": 1, "win_rate": 1.0,
        "win_rate_low": pytest.approx(0.206549, abs=1e-6), "win_rate_high": 1.0, "net": 340,
        "big_bets_per_100": 170.0, "big_bets_per_100_low": None, "big_bets_per_100_high": None,
        "vpip": 1.0, "vpip_chances": 1, "complete": None, "complete_chances": 0,
        "saw_fourth": 1.0, "went_to_showdown": 0.0, "went_to_showdown_chances": 1,
        "won_at_showdown": None, "won_at_showdown_chances": 0,
    }  # fmt: skip
    assert (twos["door"], twos["hands"], twos["win_rate"], twos["net"]) == ("2", 0, None, None)


def test_the_table_is_the_output_and_what_it_counts_a_remark(db: Path) -> None:
    run = stats(db, "overview", "--currency", "usd", "--cash")
    assert run.code == 0
    assert run.err == "the hero, usd, cash games: 8 hands\n"
    title, rule, hands, *_ = (line.split() for line in run.out.splitlines())
    assert title == ["Statistic", "Value", "95", "%", "Made", "Chances", "Unit"]
    assert {*"".join(rule)} == {"─"}
    assert hands == ["Hands", "8", "hands"]
    assert ["Net", "in", "USD", "+$4.85", "8", "USD"] in [
        line.split() for line in run.out.splitlines()
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_table_fits_its_width(db: Path, name: str) -> None:
    for width in (80, 200):
        run = razzstats("stats", name, "--db", db, variables={"COLUMNS": str(width)})
        assert run.code == 0
        assert max(map(len, run.out.splitlines())) <= width


def test_the_list_names_all_tables_columns_and_rates() -> None:
    run = razzstats("stats", "--list")
    assert (run.code, run.err) == (0, "")
    for table in TABLES:
        assert f"{table.name}: {table.definition}\n" in run.out
        for column in table.columns:
            assert f"  {column.key:<24} {column.definition}\n" in run.out
    assert {*STATS, *DECISION_STATS} <= {stat for stats in DEFINED.values() for stat in stats}
    for title, stats in DEFINED.items():
        lines = [f"  {stat.id:<24} {stat.definition} [{stat.source}]\n" for stat in stats]
        assert f"\n{title}:\n" + "".join(lines) + "\n" in run.out
    groups = run.out.partition("groups for --by:\n")[2]
    assert groups.splitlines() == [f"  {each.name:<24} {each.definition}" for each in GROUPS]


# ---- filters


@pytest.mark.parametrize(
    ("options", "hands"),
    [
        ((), 11),
        (("--hero", "Ann"), 11),
        (("--hero", "Bob"), 9),
        (("--all-players",), 31),
        (("--site", "pokerstars"), 11),
        (("--site", "PokerStars"), 11),
        (("--stakes", "1/2"), 8),
        (("--stakes", "$1/$2"), 8),
        (("--stakes", "€0.50/€1"), 1),
        (("--stakes", "100/200"), 2),
        (("--currency", "EUR"), 1),
        (("--since", "2026-01-10"), 5),
        (("--until", "2026-01-10"), 8),
        (("--since", "2026-01-10", "--until", "2026-01-10"), 2),
        (("--since", "2026-01-10T19:02"), 4),
        (("--since", "2026-01-10T14:02-05:00"), 4),
        (("--until", "2026-01-10T19:02"), 7),
        (("--until", "9999-12-31"), 11),
        (("--players", "2"), 4),
        (("--players", "2-3"), 11),
        (("--players", "4-8"), 0),
        (("--door", "A3"), 4),
        (("--door", "k,q"), 3),
        (("--door", "10"), 0),
        (("--tournament",), 2),
        (("--cash",), 9),
        (("--cash", "--stakes", "1/2", "--door", "3", "--players", "3", "--hero", "Hero"), 2),
    ],
)
def test_each_filter_is_an_option(db: Path, options: tuple[str, ...], hands: int) -> None:
    run = stats(db, "overview", *options, "--format", "json")
    assert run.code == 0
    assert json.loads(run.out)[0]["value"] == hands
    assert run.err.endswith(f": {hands} hands\n" if hands else ": 0 hands; no hand matches\n")


@pytest.mark.parametrize("name", NAMES)
def test_every_table_takes_the_filters(db: Path, name: str) -> None:
    options = ("--hero", "Ann", "--cash", "--players", "2", "--since", "2026-02-01")
    run = stats(db, name, *options)
    assert run.code == 0
    assert run.err.endswith(": 2 hands\n")


def test_who_is_counted_is_said_in_words(db: Path) -> None:
    options = ("--hero", "Ann", "--site", "pokerstars", "--stakes", "1/2", "--since", "2026-01-01",
               "--until", "2026-01-31", "--players", "2-6", "--door", "A234", "--cash")  # fmt: skip
    assert stats(db, "overview", *options).err == (
        "Ann, pokerstars, stakes 1/2, since 2026-01-01 00:00 UTC, until 2026-02-01 00:00 UTC, "
        "2-6 players, doors A234, cash games: 4 hands\n"
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--site", "party"), "Invalid value for --site: 'party' is not a room; choose from"),
        (("--stakes", "1"), "'1' is not a small and a big bet, such as 0.04/0.08"),
        (("--stakes", "a/b"), "'a/b' is not a small and a big bet, such as 0.04/0.08"),
        (("--since", "yesterday"), "--since: 'yesterday' is not a day such as 2026-11-29"),
        (("--since", "2026-02-30"), "--since: '2026-02-30' is not a day such as 2026-11-29"),
        (("--until", "2026-01-10T99"), "--until: '2026-01-10T99' is not a day such as 2026-11-29"),
        (("--since", "0001-01-01T00:00+14:00"), "--since: '0001-01-01T00:00+14:00' is not a day"),
        (("--players", "1"), "'1' is not a number of players such as 6 or 2-8"),
        (("--players", "8-2"), "'8-2' is not a number of players such as 6 or 2-8"),
        (("--players", "x"), "'x' is not a number of players such as 6 or 2-8"),
        (("--door", "Z"), "'Z' are not ranks; write them as A23456789TJQK"),
        (("--hero", "Ann", "--all-players"), "--hero and --all-players exclude each other"),
        (("--format", "xml"), "'xml' is not one of 'table', 'json', 'jsonl', 'csv', 'parquet'."),
        (("--nonsense",), "No such option: --nonsense"),
        (("extra",), "Got unexpected extra argument(s) (extra)"),
    ],
)
def test_a_wrong_option_is_one_sentence(db: Path, options: tuple[str, ...], sentence: str) -> None:
    run = stats(db, "overview", *options)
    assert (run.code, run.out) == (2, "")
    assert sentence in run.sentence


def test_a_table_that_does_not_exist_names_the_nearest(db: Path) -> None:
    for name, hint in (
        ("door-card", "did you mean door-cards?"),
        ("xyz", "the tables are overview, door-cards, bring-ins, door-streets"),
    ):
        run = stats(db, name)
        assert (run.code, run.out) == (2, "")
        assert f"there is no table {name!r}; {hint}" in run.sentence
    run = stats(db)
    assert (run.code, run.out) == (2, "")
    assert "name a table: overview, door-cards" in run.sentence


def test_a_hero_nobody_has_seen_is_a_wrong_command_that_names_who_was(db: Path) -> None:
    run = stats(db, "overview", "--hero", "hero")
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        "razzstats: no hand with a player named 'hero' is stored; "
        "the imported files are those of Hero (11 hands)\n"
    )


# ---- the database


def test_the_database_may_be_named_by_a_variable(db: Path) -> None:
    run = razzstats("stats", "overview", variables={"RAZZSTATS_DB": str(db)})
    assert (run.code, run.out) == (0, stats(db, "overview").out)


def test_a_missing_database_is_named_with_the_next_step(tmp_path: Path) -> None:
    path = tmp_path / "none.duckdb"
    run = stats(path, "overview")
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        f"razzstats: there is no database at {path}; `razzstats import FOLDER` makes one. "
        "Without a folder, `razzstats import` looks where the rooms write hand histories\n"
    )


def test_an_empty_database_has_empty_tables(tmp_path: Path) -> None:
    write(tmp_path, a="")
    path = tmp_path / "razz.duckdb"
    assert razzstats("import", tmp_path / "a.txt", "--db", path).code == 1
    formats = ("table", "jsonl", "csv", "parquet")
    for name, format in [*zip(NAMES, formats, strict=False), ("door-cards", "parquet")]:
        run = stats(path, name, "--format", format)
        assert run.code == 0
        assert run.err == "the hero: 0 hands; no hand matches\n"
    assert objects(path, "overview")[0]["value"] == 0
