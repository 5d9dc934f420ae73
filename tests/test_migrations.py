"""Databases of every earlier schema: brought up to date whole, or left as they were."""

import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pandas as pd
import pytest
from cli import razzstats
from crashes import TRIALS, Commands, tables_of
from old_databases import MEASURED, ROOT, UNMEASURED, unpack, versions

from razzstats.errors import DatabaseError
from razzstats.importing import import_paths
from razzstats.measuring import count_unmeasured, measure_hands
from razzstats.stats.filters import Filters
from razzstats.stats.tables import TABLE_FUNCTIONS
from razzstats.storage import Database
from razzstats.storage import database as storage
from razzstats.storage.migrations import MIGRATIONS, Migration

NEWEST = MIGRATIONS[-1].version
HANDS = 36
UNMEASURED_HANDS = {1: 36, 2: 6, 3: 6}
LEDGER = "schema_migrations"

every_version = pytest.mark.parametrize("version", versions())
every_older_version = pytest.mark.parametrize("version", [v for v in versions() if v < NEWEST])


@pytest.fixture(scope="module")
def anew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The hands of the old databases, imported and measured today."""
    path = tmp_path_factory.mktemp("anew") / "anew.duckdb"
    with Database.open(path) as opened, pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)  # the old ones know their files by these paths
        import_paths(opened, MEASURED)
        import_paths(opened, UNMEASURED)
        measure_hands(opened)
        yield opened


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    with Commands() as running:
        yield running


def shape(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return the columns of all tables with their types, and what they are held to."""
    return {
        "columns": database.rows(
            """SELECT table_name, column_index, column_name, data_type, is_nullable, column_default
            FROM duckdb_columns() WHERE NOT internal ORDER BY ALL"""
        ),
        "constraints": database.rows(
            "SELECT table_name, constraint_text FROM duckdb_constraints() ORDER BY ALL"
        ),
        "types": database.rows(
            "SELECT type_name, labels FROM duckdb_types() WHERE NOT internal ORDER BY ALL"
        ),
        "indexes": database.rows("SELECT sql FROM duckdb_indexes() ORDER BY ALL"),
        "views": database.rows("SELECT sql FROM duckdb_views() WHERE NOT internal ORDER BY ALL"),
    }


def raw(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables of a file, which stays as it is."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return tables_of(Database(connection, str(path)))


def schema_of(path: Path) -> int:
    return max(int(row[0]) for row in raw(path)[LEDGER])


def without_ledger(
    tables: dict[str, list[tuple[Any, ...]]],
) -> dict[str, list[tuple[Any, ...]]]:
    return {name: rows for name, rows in tables.items() if name != LEDGER}


def rounded(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return rows without the last digits, in which sums differ by the order of what is added."""
    return [
        tuple(round(each, 9) if isinstance(each, float) else each for each in row) for row in rows
    ]


# ---- the old databases themselves


def test_there_is_a_database_of_every_schema_before_the_newest() -> None:
    assert {*range(1, NEWEST)} <= {*versions()}


@every_version
def test_an_old_database_has_what_the_steps_up_to_its_version_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    monkeypatch.setattr(storage, "MIGRATIONS", MIGRATIONS[:version])
    with Database.open(unpack(version, tmp_path), read_only=True) as old:
        with Database.in_memory() as made:
            assert shape(old) == shape(made)
        assert old.rows("SELECT count(*) FROM hands") == [(HANDS,)]
        assert len(old.rows("SELECT DISTINCT site FROM hands")) == 7
        kept = old.rows("SELECT reason FROM rejected ORDER BY ALL")
        assert kept == [("conflict",), ("incomplete",), ("rejected",)]
        if version > 1:
            assert count_unmeasured(old) == UNMEASURED_HANDS[version]


# ---- bringing them up to date


@every_version
def test_an_old_database_becomes_what_a_new_one_is(
    tmp_path: Path, anew: Database, version: int
) -> None:
    with Database.open(unpack(version, tmp_path)) as brought_up:
        steps = brought_up.rows("SELECT version, name FROM schema_migrations ORDER BY version")
        assert steps == [(each.version, each.name) for each in MIGRATIONS]
        assert shape(brought_up) == shape(anew)


@every_version
def test_every_hand_and_every_file_is_still_there(tmp_path: Path, version: int) -> None:
    path = unpack(version, tmp_path)
    before = raw(path)
    Database.open(path).close()
    after = raw(path)
    for table, rows in without_ledger(before).items():
        assert [row[: len(rows[0])] for row in after[table]] == rows, (
            table
        )  # columns come at the end
    assert len(after["files"]) == len(MEASURED) + len(UNMEASURED)
    assert len(after["hands"]) == len(after["hand_texts"]) == HANDS


@every_version
def test_what_is_measured_afterwards_is_what_is_measured_anew(
    tmp_path: Path, anew: Database, version: int
) -> None:
    with Database.open(unpack(version, tmp_path)) as brought_up:
        assert measure_hands(brought_up) == UNMEASURED_HANDS.get(version, 6)
        assert count_unmeasured(brought_up) == 0
        measured, expected = tables_of(brought_up), tables_of(anew)
    for table in {*expected} - {LEDGER, "files"}:
        assert rounded(measured[table]) == rounded(expected[table]), table


@every_version
def test_statistics_of_an_old_database_are_those_of_a_new_one(
    tmp_path: Path, anew: Database, version: int
) -> None:
    path = unpack(version, tmp_path)
    assert razzstats("import", tmp_path / "nothing-there.txt", "--db", path).code == 1
    with Database.open(path, read_only=True) as brought_up:
        filters = Filters(all_players=True)
        for name, table in TABLE_FUNCTIONS.items():
            expected = table(anew, filters)
            pd.testing.assert_frame_equal(table(brought_up, filters), expected, rtol=1e-9)
            assert len(expected) or name == "pool", name  # which takes more hands of a player


@every_version
def test_importing_the_same_files_into_an_old_database_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    path = unpack(version, tmp_path)
    monkeypatch.chdir(ROOT)
    run = razzstats("import", *MEASURED, *UNMEASURED, "--db", path, "--format", "json")
    assert run.code == 0
    assert '"stored": 0, "duplicates": 36, ' in run.out
    with Database.open(path, read_only=True) as after:
        assert [hand.reason for hand in after.rejected_texts()] == [
            "rejected", "conflict", "incomplete",
        ]  # fmt: skip


# ---- what cannot be used


@every_older_version
@pytest.mark.parametrize("arguments", [("stats", "overview"), ("show", "101"), ("report",)])
def test_reading_an_old_database_names_the_next_step_and_changes_nothing(
    tmp_path: Path, version: int, arguments: tuple[str, ...]
) -> None:
    path = unpack(version, tmp_path)
    content = path.read_bytes()
    run = razzstats(*arguments, "--db", path)
    assert (run.code, run.raw) == (3, b"")
    assert run.err == (
        f"razzstats: {path} is from an older razzstats (schema {version} of {NEWEST}); "
        "`razzstats import` brings it up to date\n"
    )
    assert path.read_bytes() == content


@every_version
def test_a_database_of_a_newer_schema_is_refused_and_left_as_it_is(
    tmp_path: Path, version: int
) -> None:
    path = unpack(version, tmp_path)
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"INSERT INTO {LEDGER} VALUES (99, 'of tomorrow', now()::TIMESTAMP)")
    content = path.read_bytes()
    for arguments in (("import", ROOT / MEASURED[0]), ("stats", "overview")):
        run = razzstats(*arguments, "--db", path)
        assert (run.code, run.raw) == (3, b"")
        assert "was written by a newer razzstats (schema 99; " in run.err
        assert "upgrade razzstats to use it" in run.err
    assert path.read_bytes() == content


# ---- steps that do not come to their end


def broken_at(version: int) -> tuple[Migration, ...]:
    """Return the steps of which one fails in its last statement."""
    return tuple(
        each._replace(sql=f"{each.sql}; DELETE FROM hands; SELECT error('the plug is pulled')")
        if each.version == version
        else each
        for each in MIGRATIONS
    )


@pytest.mark.parametrize(
    ("version", "broken"),
    [(each, broken) for each in versions() for broken in range(each + 1, NEWEST + 1)],
)
def test_a_step_that_fails_leaves_the_one_before_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int, broken: int
) -> None:
    whole, path = unpack(version, tmp_path), tmp_path / "broken.duckdb"
    path.write_bytes(whole.read_bytes())
    with monkeypatch.context() as earlier:
        earlier.setattr(storage, "MIGRATIONS", MIGRATIONS[: broken - 1])
        Database.open(whole).close()
    expected = raw(whole)
    with monkeypatch.context() as failing:
        failing.setattr(storage, "MIGRATIONS", broken_at(broken))
        with pytest.raises((duckdb.Error, DatabaseError), match="plug is pulled"):
            Database.open(path)
    assert schema_of(path) == broken - 1
    assert without_ledger(raw(path)) == without_ledger(expected)
    Database.open(path).close()
    Database.open(whole).close()
    assert schema_of(path) == NEWEST
    assert without_ledger(raw(path)) == without_ledger(raw(whole))


@pytest.fixture(scope="module")
def between(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[Any]]:
    """What is in each old database, and after each of the steps that bring it up to date."""
    folder = tmp_path_factory.mktemp("between")
    states: dict[int, list[Any]] = {}
    for version in versions():
        states[version] = [without_ledger(raw(unpack(version, folder)))]
        for newest in range(version + 1, NEWEST + 1):
            path = unpack(version, folder)
            with pytest.MonkeyPatch.context() as earlier:
                earlier.setattr(storage, "MIGRATIONS", MIGRATIONS[:newest])
                Database.open(path).close()
            states[version].append(without_ledger(raw(path)))
    return states


def killed_leaves_a_whole_schema(path: Path, version: int, states: list[Any]) -> int:
    """Check what a kill left, and that the next opening completes it; return the schema left."""
    left = schema_of(path)
    assert without_ledger(raw(path)) == states[left - version]
    Database.open(path).close()
    assert schema_of(path) == NEWEST
    assert without_ledger(raw(path)) == states[-1]
    return left


@pytest.mark.parametrize("before", ["sql", "name"])
@every_older_version
def test_a_kill_within_a_step_leaves_the_one_before_it(
    tmp_path: Path, commands: Commands, between: dict[int, list[Any]], version: int, before: str
) -> None:
    for step in range(version + 1, NEWEST + 1):
        path = unpack(version, tmp_path)
        ended = commands.open(path, die_in_step=(step, before))
        assert ended.signal == signal.SIGKILL
        left = killed_leaves_a_whole_schema(path, version, between[version])
        assert left == step - 1


def kill_at_random(
    folder: Path, commands: Commands, states: dict[int, list[Any]], version: int, trials: int
) -> list[int]:
    """Kill openings at random moments; return the schemas that they left."""
    path = unpack(version, folder)
    length = commands.open(path).seconds
    random, left = Random(version), []
    for _ in range(trials):
        path = unpack(version, folder)
        path.with_name(f"{path.name}.wal").unlink(missing_ok=True)
        commands.open(path, kill_after=random.uniform(0, length))
        left.append(killed_leaves_a_whole_schema(path, version, states[version]))
    return left


@every_older_version
def test_a_kill_at_any_moment_leaves_a_whole_schema(
    tmp_path: Path, commands: Commands, between: dict[int, list[Any]], version: int
) -> None:
    left = kill_at_random(tmp_path, commands, between, version, 6)
    assert {*left} <= {*range(version, NEWEST + 1)}


@pytest.mark.slow
@every_older_version
def test_kills_at_very_many_moments_leave_whole_schemas(
    tmp_path: Path, commands: Commands, between: dict[int, list[Any]], version: int
) -> None:
    left = kill_at_random(tmp_path, commands, between, version, 25 * TRIALS)
    assert {version, NEWEST} <= {*left}
