"""`razzstats sql` of a lake: a question reaches its data files, and nothing else can be done."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from cli import Run, hand, razzstats, write
from lakes import Inline
from test_cli_sql import CANARY, FORMATS, HIDDEN, SEEN_AS_FILE, STATEMENTS, contents, refused

from razzstats.lake.importing import import_to_lake
from razzstats.storage.lake.files import files_at
from razzstats.storage.lake.views import connect_locked, data_files
from razzstats.storage.opening import quoted


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a lake of three hands, in and beside which are files that no entry names."""
    folder = tmp_path_factory.mktemp("desk")
    write(folder, a="".join(hand(number, number) for number in (1, 2, 3)))
    import_to_lake([str(folder / "a.txt")], files_at(folder / "lake"), Inline(), ahead=2)
    (some, *_) = (folder / "lake" / "tables" / "hands").rglob("*.parquet")
    for place in (folder, folder / "lake", folder / "lake" / "tables", some.parent):
        (place / "canary.csv").write_text(f"text\n{CANARY}\n", encoding="utf-8")
        with duckdb.connect() as other:
            other.execute(
                f"COPY (SELECT '{CANARY}' AS text) TO {quoted(str(place / 'canary.parquet'))}"
            )
    return folder


@pytest.fixture
def untouched(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The desk, in which nothing may be made, changed or removed."""
    monkeypatch.chdir(desk)
    before = dict(contents(desk))
    yield desk
    assert dict(contents(desk)) == before


def ask(desk: Path, question: str, format: str = "json") -> Run:
    return razzstats("sql", "--format", format, "--db", desk / "lake", "--", question)


@pytest.mark.parametrize("format", FORMATS)
def test_a_question_is_answered(format: str, desk: Path) -> None:
    assert ask(desk, "SELECT count(*) AS n FROM hands JOIN actions USING (hid)", format).code == 0
    assert json.loads(ask(desk, "SELECT count(*) AS n FROM hands").out) == [{"n": 3}]
    tables = [row["name"] for row in json.loads(ask(desk, "SHOW TABLES").out)]
    assert {"hands", "files", "rejected", "spots"} < {*tables}
    assert ask(desk, "EXPLAIN ANALYZE FROM hands", "table").code == 0


PLACES = (
    "canary.csv", "canary.parquet", "{lake}/canary.csv", "{lake}/tables/canary.parquet",
    "{lake}/tables/*.parquet", "{lake}/tables/hands/**/canary.parquet", "{lake}/lake.json",
    "{lake}/_log/00000001.json", "{lake}/tables/hands/../canary.csv", "{data}/../canary.parquet",
    "{folder}/canary.parquet", "{folder}/*.parquet", "{folder}/missing.parquet",
    "https://localhost:9/canary.csv", "s3://canary/canary.parquet", "/etc/passwd",
)  # fmt: skip


@pytest.mark.parametrize(
    "place",
    [*PLACES[:5], *(pytest.param(place, marks=pytest.mark.slow) for place in PLACES[5:])],
)
def test_no_file_is_read_but_the_lakes_own(place: str, untouched: Path) -> None:
    data = next(path for path in data_files(untouched / "lake") if "/hands/" in path)
    named = place.format(lake=untouched / "lake", data=data, folder=Path(data).parent)
    for number, seen in enumerate(SEEN_AS_FILE):
        source = seen.format(named)
        refused(ask(untouched, f"FROM {source}", FORMATS[number % len(FORMATS)]))
    refused(ask(untouched, f"SELECT (SELECT 1 FROM '{named}')", "parquet"))
    refused(ask(untouched, f"EXPLAIN ANALYZE FROM '{named}'"))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_is_no_question_is_refused(statement: str, untouched: Path) -> None:
    refused(ask(untouched, statement))
    hidden = HIDDEN[STATEMENTS.index(statement) % len(HIDDEN)]
    refused(ask(untouched, hidden.format(statement)))
    refused(ask(untouched, "FROM query('{}')".format(statement.replace("'", "''")), "parquet"))


@pytest.mark.parametrize(
    "question",
    [
        "FROM enable_logging('QueryLog', storage='file', storage_config={'path': '<data>'})",
        "FROM enable_logging('QueryLog', storage='file', storage_config={'path': 'out'})",
        "FROM enable_profiling()",
        "FROM force_checkpoint()",
        "SELECT getenv('HOME')",
        "FROM duckdb_extensions()",
        "WITH x AS (DELETE FROM files RETURNING path) FROM x",
    ],
)
def test_a_question_has_no_effect_beside_its_answer(question: str, untouched: Path) -> None:
    asked = question.replace("<data>", data_files(untouched / "lake")[0])
    refused(ask(untouched, asked))
    refused(ask(untouched, asked, "parquet"))


@pytest.mark.parametrize(
    "statement",
    [
        "COPY (SELECT 1) TO 'out.parquet'",
        "COPY (SELECT 1) TO '{lake}/tables/new.parquet'",
        "EXPORT DATABASE '{lake}/out'",
        "ATTACH '{lake}/new.duckdb' AS new",
        "FROM read_text('{lake}/lake.json')",
        "FROM '{lake}/tables/canary.parquet'",
        "SET enable_external_access = true",
        "SET allowed_directories = ['/']",
        "SET lock_configuration = false",
        "SET temp_directory = '{lake}'",
    ],
)
def test_the_connection_alone_is_a_wall(statement: str, untouched: Path) -> None:
    """Whatever statement came through, as none does."""
    connection = connect_locked(untouched / "lake")
    try:
        with pytest.raises((duckdb.PermissionException, duckdb.InvalidInputException)):
            connection.execute(statement.format(lake=untouched / "lake"))
        assert connection.execute("SELECT count(*) FROM hands").fetchall() == [(3,)]
    finally:
        connection.close()


def test_the_data_files_are_all_that_can_be_opened(desk: Path) -> None:
    named = data_files(desk / "lake")
    found = {str(file) for file in (desk / "lake" / "tables").rglob("*.parquet")}
    assert {name for name in found if "canary" not in name} == {*named}
    with connect_locked(desk / "lake") as connection:
        rows = connection.execute(
            "SELECT name, value FROM duckdb_settings() WHERE name IN ('allowed_directories', "
            "'allowed_paths', 'enable_external_access', 'lock_configuration', 'temp_directory')"
        ).fetchall()
    settings = dict(rows)
    assert {*re.findall(r"[^\[\], ']+", settings["allowed_paths"])} == {*named}
    assert settings["enable_external_access"] == "false"
    assert settings["lock_configuration"] == "true"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("SELEC 1", 'syntax error at or near "SELEC"'),
        ("SELECT foo FROM hands", 'Referenced column "foo" not found'),
        ("SELECT 'x'::INTEGER", "Could not convert string 'x'"),
        ("SELECT hid::UTINYINT FROM hands", "out of range"),
        ("FROM canary", "does not exist"),
    ],
)
def test_a_wrong_question_is_told_in_a_few_lines(question: str, words: str, desk: Path) -> None:
    found = ask(desk, question)
    refused(found)
    assert words in found.err
