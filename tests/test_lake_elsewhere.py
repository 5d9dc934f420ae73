"""A lake is read by other programs: Dask, Spark, DuckDB alone, and pandas."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from cli import environment, hand, razzstats, write
from hands import SAMPLES
from lakes import Inline

import razzstats as api
from razzstats.cards import RANK_SYMBOLS
from razzstats.errors import DatabaseError, RazzstatsError
from razzstats.lake.importing import import_to_lake
from razzstats.lake.listing import TABLES, data_files
from razzstats.storage.lake.files import files_at

EXAMPLES = Path(__file__).parent / "lake_examples"
SOURCES = [
    SAMPLES / "pokerstars" / "cash-1-2-six-handed.txt",
    SAMPLES / "pokerstars" / "tournament-one-table.txt",
    SAMPLES / "fulltilt",
]

Doors = list[tuple[int, int, float]]
"""Ranks of door cards, hands, and big bets won in a hundred hands."""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("lakes") / "archive"
    import_to_lake([*map(str, SOURCES)], files_at(place), Inline(), ahead=2)
    # What is left of a worker that died, and no part of the lake.
    piece = Path(api.lake_files(place, "hand_players")[0])
    shutil.copy(piece, piece.with_name("of-a-dead-worker.parquet"))
    return place


@pytest.fixture(scope="module")
def expected(lake: Path) -> Doors:
    """What the command says."""
    run = razzstats("stats", "door-cards", "--db", lake, "--format", "json")
    doors = [
        (RANK_SYMBOLS.index(row["door"]) + 1, row["hands"], row["big_bets_per_100"])
        for row in json.loads(run.out)
    ]
    assert len(doors) == 13
    assert sum(hands for _, hands, _ in doors) > 100
    return doors


def rounded(doors: Doors) -> Doors:
    return [(door, hands, round(mean, 1)) for door, hands, mean in doors]


def printed(example: str, lake: Path, folder: Path) -> Doors:
    """Return what an example prints, run as its reader runs it."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / example), str(lake)],
        cwd=folder,
        env=environment(SPARK_LOCAL_IP="127.0.0.1"),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    return [(int(door), int(hands), float(mean)) for door, hands, mean in rows]


# ---- other programs


def test_dask_counts_as_the_command_does(lake: Path, expected: Doors, tmp_path: Path) -> None:
    assert printed("with_dask.py", lake, tmp_path) == rounded(expected)


@pytest.mark.slow
def test_spark_counts_as_the_command_does(lake: Path, expected: Doors, tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("there is no Java")
    assert printed("with_spark.py", lake, tmp_path) == rounded(expected)


def test_duckdb_alone_counts_as_the_command_does(lake: Path, expected: Doors) -> None:
    files = api.lake_files(lake, "hand_players")
    with duckdb.connect() as connection:
        rows = connection.execute(
            """SELECT door_rank, count(*), 100 * avg(net / big_bet)
            FROM read_parquet(?, hive_partitioning = true)
            WHERE is_hero AND game = 'razz' AND door_rank IS NOT NULL
            GROUP BY door_rank ORDER BY door_rank""",
            (files,),
        ).fetchall()
    assert rounded(rows) == rounded(expected)


def test_pandas_reads_rooms_and_months_from_the_folders(lake: Path, expected: Doors) -> None:
    folders = ds.partitioning(
        pa.schema([("site", pa.string()), ("month", pa.string())]), flavor="hive"
    )
    files = api.lake_files(lake, "hand_players")
    players = ds.dataset(files, partitioning=folders).to_table().to_pandas()
    mine = players[players["is_hero"] & (players["game"] == "razz")]
    counted = mine.groupby("door_rank").size()
    assert counted.to_dict() == {door: hands for door, hands, _ in expected}
    assert (players["month"] == players["played_at"].dt.strftime("%Y-%m")).all()
    assert {*players["site"]} == {"fulltilt", "pokerstars"}


def test_kinds_of_actions_are_text(lake: Path) -> None:
    for file in api.lake_files(lake, "actions"):
        schema = ds.dataset(file).schema
        assert schema.field("kind").type == pa.string()
        assert "site" not in schema.names


# ---- the files of a lake


def test_the_files_have_all_rows_of_their_tables(lake: Path) -> None:
    with api.open(lake) as database:
        for table in TABLES:
            files = data_files(lake, table)
            assert [each.file for each in files] == api.lake_files(lake, table)
            assert not any("dead" in each.file for each in files)
            rows = database.rows(f"SELECT count(*) FROM {table}")
            assert rows == [(sum(each.rows for each in files),)]


def test_the_command_prints_a_file_a_line(lake: Path) -> None:
    run = razzstats("lake", "files", "hands", "--lake", lake)
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines() == api.lake_files(lake, "hands")
    rows = [each._asdict() for each in data_files(lake, "hands")]
    as_json = razzstats("lake", "files", "hands", "--lake", lake, "--format", "json")
    assert json.loads(as_json.out) == rows
    as_lines = razzstats("lake", "files", "hands", "--lake", lake, "--format", "jsonl")
    assert [json.loads(line) for line in as_lines.out.splitlines()] == rows


def test_files_that_were_written_anew_are_named_once(tmp_path: Path) -> None:
    place = tmp_path / "lake"
    write(tmp_path, a=hand(5) + hand(6), b=hand(6) + hand(7))
    for name in ("a.txt", "b.txt"):
        import_to_lake([str(tmp_path / name)], files_at(place), Inline(), ahead=2)
    stored = [*(place / "tables" / "hands").rglob("*.parquet")]
    files = data_files(place, "hands")
    assert (len(files), len(stored)) == (2, 3)
    assert sum(each.rows for each in files) == 3


def test_a_table_that_is_none_and_a_lake_that_is_not_there_are_told(
    lake: Path, tmp_path: Path
) -> None:
    for table, place, says in (
        ("files", lake, "'files' is no table of a lake; choose from actions, decisions"),
        ("hands", tmp_path, f"there is no lake at {tmp_path}"),
    ):
        run = razzstats("lake", "files", table, "--lake", place)
        assert (run.code, run.out) == (2, "")
        assert says in run.sentence
    with pytest.raises(RazzstatsError, match="no table"):
        api.lake_files(lake, "hand")
    with pytest.raises(DatabaseError, match="no lake"):
        api.lake_files(tmp_path, "hands")
