"""`razzstats sql`: answers in every format, and nothing but answers."""

import csv
import hashlib
import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cli import COMMAND, Run, environment, hand, python, razzstats, shell, write

from razzstats.storage.asked import MOST_CHARACTERS

CANARY = "a canary that no question may see"
FORMATS = ("table", "json", "jsonl", "csv", "parquet")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of three hands, and files that are nobody's business."""
    folder = tmp_path_factory.mktemp("desk")
    write(folder, a="".join(hand(number, number) for number in (1, 2, 3)))
    assert razzstats("import", folder / "a.txt", "--db", folder / "x.duckdb").code == 0
    for place in (folder, folder / "x.duckdb.tmp"):
        place.mkdir(exist_ok=True)
        (place / "canary.csv").write_text(f"text\n{CANARY}\n", encoding="utf-8")
        (place / "canary.json").write_text(json.dumps([{"text": CANARY}]), encoding="utf-8")
    with duckdb.connect() as other:
        other.execute(f"COPY (SELECT '{CANARY}' AS text) TO '{folder / 'canary.parquet'}'")
    with duckdb.connect(folder / "other.duckdb") as other:
        other.execute(f"CREATE TABLE canary AS SELECT '{CANARY}' AS text")
    return folder


def ask(desk: Path, question: str, format: str = "json", stdin: bytes = b"") -> Run:
    return razzstats(
        "sql", "--format", format, "--db", desk / "x.duckdb", "--", question, stdin=stdin
    )


def answer(desk: Path, question: str) -> Any:
    found = ask(desk, question)
    assert found.code == 0, found
    return json.loads(found.out)


def contents(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of all below a folder, with a hash of what a file holds."""
    for path in sorted(folder.rglob("*")):
        held = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        yield str(path.relative_to(folder)), held


# ---- questions


@pytest.mark.parametrize(
    "question",
    [
        "SELECT count(*) AS n FROM hands",
        "FROM hands SELECT count(*) AS n",
        "WITH h AS (FROM hands) SELECT count(*) AS n FROM h",
        "(SELECT count(*) AS n FROM hands)",
        "VALUES (3)",
        "SELECT count(*) AS n FROM hands; -- the end",
        "/* a /* b */ c */ SELECT count(*) AS n FROM hands;;",
        "SELECT count(*) AS \"it's\" FROM hands WHERE site <> 'it''s; DROP'",
    ],
)
def test_a_question_is_answered(question: str, desk: Path) -> None:
    (row,) = answer(desk, question)
    assert [*row.values()] == [3]


def test_tables_and_columns_are_named(desk: Path) -> None:
    assert {"name": "hands"} in answer(desk, "SHOW TABLES")
    assert "hand_no" in [row["column_name"] for row in answer(desk, "DESCRIBE hands")]
    assert "hand_no" in [row["column_name"] for row in answer(desk, "SUMMARIZE hands")]


@pytest.mark.parametrize("words", ["EXPLAIN", "explain analyze\n"])
def test_a_plan_is_drawn_and_what_is_planned_has_no_line_breaks_escaped(
    words: str, desk: Path
) -> None:
    found = ask(desk, f"{words} SELECT pot FROM hands WHERE pot > 1", "table")
    assert found.code == 0
    assert found.out.count("\n") > 4
    assert "hands" in found.out
    assert found.is_plain


def test_the_order_is_that_of_the_question(desk: Path) -> None:
    rows = answer(desk, "SELECT hand_no FROM hands ORDER BY hand_no DESC")
    assert [row["hand_no"] for row in rows] == ["3", "2", "1"]
    numbers = answer(desk, "SELECT range AS n FROM range(20000) ORDER BY hash(range)")
    hashes = answer(desk, "SELECT hash(range) AS h, range AS n FROM range(20000) ORDER BY h")
    assert [row["n"] for row in numbers] == [row["n"] for row in hashes]


def test_a_question_comes_from_standard_input(desk: Path) -> None:
    found = ask(desk, "-", "csv", stdin="\ufeffSELECT 'Ngọc' AS name".encode())
    assert (found.code, found.out) == (0, "name\nNgọc\n")


# ---- values

VALUES = """
SELECT 1.10::DECIMAL(5,2) AS money, sum(9223372036854775807) AS total, NULL AS nothing,
'' AS empty, 'NaN'::DOUBLE AS nan, '-inf'::FLOAT AS inf, 0.1::DOUBLE AS tenth,
TIMESTAMP '2026-01-09 14:00:00.5' AS at, DATE '2026-01-09' AS day, TIME '14:00:01' AS clock,
INTERVAL '1 month 2 days' AS span, [1.10, NULL] AS list, {'a': 1, 'b': [true]} AS struct,
map {1: 'x'} AS map, 'x'::ENUM ('x', 'y') AS enum, 'a\\x00"'::BLOB AS blob, true AS yes,
[INTERVAL '1 month'] AS spans, '1'::UHUGEINT AS wide, ['NaN'::DOUBLE] AS nans,
TIMESTAMP_NS '2026-01-09 14:00:00.123456789' AS ns, [170141183460469231731687303715884105727] AS w
"""
AS_JSON = (
    '{"money": 1.10, "total": 9223372036854775807, "nothing": null, '
    '"empty": "", "nan": "NaN", "inf": "-Infinity", "tenth": 0.1, '
    '"at": "2026-01-09T14:00:00.500000", "day": "2026-01-09", "clock": "14:00:01", '
    '"span": "1 month 2 days", "list": [1.10, null], "struct": {"a": 1, "b": [true]}, '
    '"map": {"1": "x"}, "enum": "x", "blob": "a\\\\x00\\\\x22", "yes": true, '
    '"spans": "[1 month]", "wide": 1, "nans": ["NaN"], '
    '"ns": "2026-01-09 14:00:00.123456789", "w": [170141183460469231731687303715884105727]}'
)


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def test_json_keeps_every_value(desk: Path) -> None:
    lines = ask(desk, VALUES, "jsonl").out
    assert lines == f"{AS_JSON}\n"
    whole = ask(desk, f"{VALUES} UNION ALL {VALUES}", "json").out
    assert json.loads(whole, parse_constant=refuse) == [json.loads(AS_JSON)] * 2
    assert ask(desk, "SELECT 1 AS a WHERE false", "json").out == "[]\n"


def test_csv_keeps_every_value(desk: Path) -> None:
    (row,) = csv.DictReader(io.StringIO(ask(desk, VALUES, "csv").out))
    expected = {
        "money": "1.10", "total": "9223372036854775807", "nothing": "", "nan": "NaN",
        "list": "[1.10, null]", "struct": '{"a": 1, "b": [true]}', "span": "1 month 2 days",
        "blob": r"a\x00\x22", "wide": "1", "ns": "2026-01-09 14:00:00.123456789",
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected


def test_parquet_keeps_every_value(desk: Path, tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(ask(desk, VALUES, "parquet").raw)
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(tmp_path / "x.parquet"))
        types = dict(zip(found.columns, map(str, found.types), strict=True))
        (values,) = found.fetchall()
    row = dict(zip(types, values, strict=True))
    assert (types["money"], str(row["money"])) == ("DECIMAL(5,2)", "1.10")
    assert int(row["total"]) == 9223372036854775807  # a double would end in ...808
    assert (types["list"], types["at"]) == ("DECIMAL(3,2)[]", "TIMESTAMP")
    assert (row["span"], row["spans"]) == ("1 month 2 days", "[1 month]")
    assert row["w"] == "[170141183460469231731687303715884105727]"


def test_a_table_shows_values_and_what_is_missing(desk: Path) -> None:
    found = ask(desk, "SELECT 1.10::DECIMAL(5,2) AS money, NULL AS nothing, [1] AS list", "table")
    assert found.out.split("\n")[0].split() == ["money", "nothing", "list"]
    assert found.out.split("\n")[2].split() == ["1.10", "NULL", "[1]"]
    assert found.err == "1 row\n"


def test_a_table_cannot_steer_the_terminal(desk: Path) -> None:
    found = ask(desk, "SELECT chr(27) || chr(8238) || '[bold]' AS \"\x1b]0;x\x07\"", "table")
    assert found.code == 0
    assert found.is_plain
    assert r"\x1b\u202e[bold]" in found.out
    wrong = ask(desk, 'SELECT "\x1b[31m" FROM hands', "table")
    assert wrong.code == 2
    assert wrong.is_plain


def test_a_long_table_says_that_it_ends_early(desk: Path) -> None:
    found = ask(desk, "FROM range(1001)", "table")
    assert "999" in found.out.split()
    assert "1000" not in found.out.split()
    assert found.err.startswith("the first 1000 rows; ")


@pytest.mark.parametrize("format", FORMATS)
def test_no_column_is_lost_to_its_namesake(format: str, desk: Path, tmp_path: Path) -> None:
    found = ask(desk, "SELECT 71 AS a, 72 AS a, 73 AS A, 74 AS a_1", format)
    assert found.code == 0
    assert "several columns have the same name; the later ones are a_1, A_2, a_1_1\n" in found.err
    if format == "parquet":
        (tmp_path / "x.parquet").write_bytes(found.raw)
        with duckdb.connect() as connection:
            (row,) = connection.read_parquet(str(tmp_path / "x.parquet")).fetchall()
        assert row == (71, 72, 73, 74)
    else:
        assert all(number in found.out for number in ("71", "72", "73", "74"))


# ---- what is wrong


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("SELEC 1", 'razzstats: Parser Error: syntax error at or near "SELEC"\nLINE 1: SELEC 1\n'),
        ("SELECT foo FROM hands", 'Referenced column "foo" not found'),
        ("SELECT foo FROM hands", "\nLINE 1: SELECT foo FROM hands\n               ^"),
        ("SELECT 'x'::INTEGER", "Could not convert string 'x'"),
        ("SELECT hid::UTINYINT FROM hands", "out of range"),
        ("SELECT ?", "parameters"),
        ("", "there is no question"),
        (" -- nothing", "there is no question"),
        ("SELECT 1; SELECT 2", "one question at a time; these are 2 statements"),
        ("SELECT 1 /* ; */ ; -- x\n DELETE FROM hands", "these are 2 statements"),
        ("PIVOT hands ON site USING count(*)", "PIVOT has to name its values"),
        ("SELECT " + "(" * 100_000 + "1" + ")" * 100_000, "200,008 characters"),
        ("SELECT " + "(" * 40_000 + "1" + ")" * 40_000, "depth"),
        ("SELECT '\udcff'", "not in UTF-8"),
    ],
)
def test_a_wrong_question_is_told_in_a_few_lines(question: str, words: str, desk: Path) -> None:
    found = ask(desk, question)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("razzstats: ")
    assert words in found.err
    assert found.err.count("\n") <= 6


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"SELECT '\xff'", "byte 9 is 0xff"),
        (b"SELECT '\x00'", "zero byte"),
        (b"\xff\xfeS\x00", "byte 1 is 0xff"),
        (b"SELECT 1" + b" " * MOST_CHARACTERS * 9, "at most 100,000"),
    ],
)
def test_standard_input_that_is_no_text(content: bytes, words: str, desk: Path) -> None:
    found = ask(desk, "-", stdin=content)
    assert found.code == 2
    assert words in found.err
    assert found.err.count("\n") == 1


@pytest.mark.parametrize(
    "unit",
    [
        "describe ",
        "(",
        "select (",
        "- ",
        "not ",
        "[",
        "case when ",
        "{a:",
        "~",
    ],
)
def test_no_nesting_ends_the_process(unit: str, desk: Path) -> None:
    """DuckDB's parser has ended the process on 400,000 characters of some of these."""
    code = (
        "from razzstats.storage.asked import *\n"
        f"text = {unit!r} * ((MOST_CHARACTERS - 9) // {len(unit)}) + 'select 1'\n"
        "try:\n with asked('x.duckdb', text) as answer: list(answer.rows)\n"
        "except WrongQuestion: pass\n"
        "print('alive')"
    )
    assert python(code, desk).out == "alive\n"


def test_the_database_decides_the_exit_code(desk: Path, tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(b"no database")
    assert razzstats("sql", "SELECT 1", "--db", tmp_path / "broken").code == 3
    missing = razzstats("sql", "SELECT 1", "--db", tmp_path / "missing")
    assert missing.code == 2
    assert "razzstats import" in missing.err
    assert not (tmp_path / "missing").exists()


# ---- attacks

SEEN_AS_FILE = [
    "'{0}'",
    '"{0}"',
    "read_csv('{0}')",
    "read_csv(['{0}'])",
    "read_text('{0}')",
    "read_blob('{0}')",
    "read_text('file://{0}')",
    "read_json('{0}')",
    "read_ndjson_objects('{0}')",
    "sniff_csv('{0}')",
    "read_parquet('{0}')",
    "parquet_metadata('{0}')",
    "parquet_schema('{0}')",
    "read_duckdb('{0}', table_name='canary')",
    "glob('{0}')",
    "query('FROM ''{0}''')",
    "query_table('{0}')",
    "json_execute_serialized_sql(json_serialize_sql('SELECT * FROM ''{0}'''))",
]
PLACES = ("canary.csv", "{desk}/x.duckdb", "https://localhost:9/canary.csv")
OTHER_PLACES = (
    "canary.json", "canary.parquet", "other.duckdb", "x.duckdb", "x.duckdb.wal",
    "x.duckdb.tmp/canary.csv", "{desk}/canary.csv", "{desk}/x.duckdb.tmp/canary.csv",
    "*", "/etc/passwd", "/dev/stdin", "s3://canary/canary.parquet", "sqlite:canary.csv",
    "data:,canary",
)  # fmt: skip


def refused(found: Run) -> None:
    assert (found.code, found.raw) == (2, b""), found
    assert found.err.startswith("razzstats: ")
    assert CANARY not in found.err
    assert found.err.count("\n") <= 6


@pytest.fixture
def untouched(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The desk, in which nothing may be made, changed or removed."""
    monkeypatch.chdir(desk)
    before = dict(contents(desk))
    yield desk
    assert dict(contents(desk)) == before


@pytest.mark.parametrize(
    "place", [*PLACES, *(pytest.param(place, marks=pytest.mark.slow) for place in OTHER_PLACES)]
)
def test_no_file_and_no_network_is_read(place: str, untouched: Path) -> None:
    for number, seen in enumerate(SEEN_AS_FILE):
        source = seen.format(place.format(desk=untouched))
        format = FORMATS[number % len(FORMATS)]
        refused(ask(untouched, f"FROM {source}", format))
        refused(ask(untouched, f"SELECT (SELECT 1 FROM {source})", "parquet"))
    refused(ask(untouched, f"SUMMARIZE '{place}'"))
    refused(ask(untouched, f"EXPLAIN ANALYZE FROM '{place}'"))


STATEMENTS = [
    "INSERT INTO hands FROM hands",
    "UPDATE hands SET pot = 0",
    "DELETE FROM hands",
    "TRUNCATE hands",
    "MERGE INTO hands USING hands AS h ON true WHEN MATCHED THEN DELETE",
    "CREATE TABLE t (a INTEGER)",
    "CREATE TEMP TABLE t AS SELECT 1",
    "CREATE TEMP VIEW v AS SELECT 1",
    "CREATE MACRO m() AS 1",
    "CREATE SECRET (TYPE s3)",
    "DROP TABLE hands",
    "ALTER TABLE hands ADD COLUMN x INTEGER",
    "COMMENT ON TABLE hands IS 'x'",
    "ATTACH 'new.duckdb' AS new",
    "ATTACH ':memory:' AS new",
    "DETACH x",
    "USE memory",
    "COPY hands TO 'out.csv'",
    "COPY (SELECT 1) TO 'out.parquet'",
    "COPY hands FROM 'canary.csv'",
    "EXPORT DATABASE 'out'",
    "IMPORT DATABASE 'out'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD './canary.csv'",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET ALL",
    "SET VARIABLE a = 1",
    "PRAGMA database_list",
    "PRAGMA enable_profiling('json')",
    "CALL pragma_version()",
    "CALL enable_logging(storage = 'file', storage_path = 'out')",
    "CHECKPOINT",
    "FORCE CHECKPOINT",
    "VACUUM",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "PREPARE a AS SELECT 1",
    "EXECUTE a",
    "DEALLOCATE a",
]
HIDDEN = [
    "EXPLAIN {0}",
    "EXPLAIN ANALYZE {0}",
    "EXPLAIN (ANALYZE) {0}",
    # To who does not nest comments, what is explained is a SELECT.
    "EXPLAIN ANALYZE /* /* */ SELECT 1 -- */ */\n {0}",
    "SELECT 1; {0}",
    "{0}; SELECT 1",
    "SELECT 1 /* ' */ ; {0} --",
    "-- \n{0}",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_is_no_question_is_refused(statement: str, untouched: Path) -> None:
    found = ask(untouched, statement)
    refused(found)
    assert "only asks" in found.err or "Parser Error" in found.err
    for hidden in HIDDEN:
        refused(ask(untouched, hidden.format(statement)))
    refused(ask(untouched, "FROM query('{}')".format(statement.replace("'", "''")), "parquet"))


@pytest.mark.parametrize(
    "question",
    [
        "WITH x AS (DELETE FROM hands RETURNING hid) FROM x",
        "WITH x AS (INSERT INTO hands FROM hands RETURNING hid) FROM x",
        "EXPLAIN ANALYZE WITH x AS (DELETE FROM hands RETURNING hid) FROM x",
        "FROM enable_logging('QueryLog', storage='file', storage_config={'path': 'out'})",
        "FROM enable_profiling()",
        "FROM force_checkpoint()",
        "SELECT getenv('HOME')",
        "FROM duckdb_extensions()",
        "FROM sqlite_scan('canary.csv', 'a')",
        "FROM pandas_scan(1)",
        "FROM arrow_scan(1, 1, 1)",
        "FROM add_grammar_extension('x')",
    ],
)
def test_a_question_has_no_effect_beside_its_answer(question: str, untouched: Path) -> None:
    refused(ask(untouched, question))
    refused(ask(untouched, question, "parquet"))


def test_what_can_be_asked_about_duckdb_tells_no_secret(untouched: Path) -> None:
    assert answer(untouched, "FROM duckdb_secrets()") == []
    settings = {row["name"]: row["value"] for row in answer(untouched, "FROM duckdb_settings()")}
    assert settings["enable_external_access"] == "false"
    assert settings["lock_configuration"] == "true"
    assert settings["python_enable_replacements"] == "false"
    assert settings["temp_directory"] == ""


@pytest.mark.parametrize(
    "name", ["answer", "question", "columns", "found", "sys", "csv", "FORMATS"]
)
def test_names_of_python_are_no_tables(name: str, desk: Path) -> None:
    found = ask(desk, f"FROM {name}")
    refused(found)
    assert f"Table with name {name} does not exist" in found.err
    refused(ask(desk, f"FROM query_table('{name}')", "parquet"))


# ---- long ones


def test_ctrl_c_ends_a_long_question(desk: Path) -> None:
    question = "SELECT sum(a.range * b.range) FROM range(1000000) AS a, range(1000000) AS b"
    for format in ("table", "parquet"):
        code = (
            "import os, signal, sys, threading\n"
            "import razzstats.cli.sql, razzstats.storage.asked\n"
            "from razzstats.cli.app import main\n"
            f"sys.argv = ['razzstats', 'sql', {question!r}, '--db', 'x.duckdb',"
            f" '--format', {format!r}]\n"
            "threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "main()"
        )
        found = python(code, desk)
        assert found.code == 130, found
        assert found.out == ""
        assert "interrupted" in found.err
        assert "Traceback" not in found.err


def test_ctrl_c_ends_an_answer_without_end(desk: Path) -> None:
    with subprocess.Popen(
        [COMMAND, "sql", "FROM range(1000000000000)", "--format", "csv", "--db", "x.duckdb"],
        cwd=desk, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"range\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert b"Traceback" not in err
        assert process.returncode == 130


def test_ctrl_c_that_meets_a_callback_ends_an_answer_all_the_same(desk: Path) -> None:
    """Python drops an exception that a signal raises inside a callback of its own."""
    code = (
        "import os, signal, sys, weakref\n"
        "from razzstats.cli.app import main\n"
        "from razzstats.storage import asked\n"
        "class Thing: pass\n"
        "real, calls = asked._in_thread, []\n"
        "def counted(*given):\n"
        "    calls.append(1)\n"
        "    if len(calls) == 5:\n"
        "        thing = Thing()\n"
        "        held = weakref.ref(thing, lambda ref: os.kill(os.getpid(), signal.SIGINT))\n"
        "        del thing\n"
        "    return real(*given)\n"
        "asked._in_thread = counted\n"
        "sys.argv = ['razzstats', 'sql', 'FROM range(1000000000000)', '--format', 'csv',"
        " '--db', 'x.duckdb']\n"
        "main()"
    )
    found = python(code, desk)
    assert found.code == 130
    assert "interrupted" in found.err


def test_a_question_of_some_seconds_leaves_nothing_among_the_data(desk: Path) -> None:
    """DuckDB draws a bar of progress from the third second on, on standard output."""
    question = (
        "SELECT sum(hash(a.range * b.range) % 2) * 0 AS n FROM range(30000) AS a, range(20000) AS b"
    )
    found = shell(f"razzstats sql '{question}' --format csv --db x.duckdb", desk)
    assert (found.code, found.out, found.err) == (0, "n\n0\n", "1 row\n")


def test_a_reader_that_has_seen_enough_is_no_mistake(desk: Path) -> None:
    script = (
        "set -o pipefail; razzstats sql 'FROM range(1000000000000)' --db x.duckdb"
        " --format jsonl | head -n 2"
    )
    found = shell(script, desk)
    assert (found.code, found.out, found.err) == (0, '{"range": 0}\n{"range": 1}\n', "")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="asks the system for the memory used")
@pytest.mark.parametrize("format", ["json", "jsonl", "csv", "parquet"])
def test_a_huge_answer_is_not_held_in_memory(format: str, desk: Path) -> None:
    """300 MB of text pass through less than 150 MB more than a small answer takes."""

    def peak(rows: int) -> int:
        question = f"SELECT range, repeat('x', 1000) AS text FROM range({rows})"
        code = (
            "import resource, sys\n"
            "from razzstats.cli.app import main\n"
            f"sys.argv = ['razzstats', 'sql', {question!r}, '--db', 'x.duckdb',"
            f" '--format', {format!r}]\n"
            "sys.stdout = open('/dev/null', 'w')\n"
            "try: main()\n"
            "except SystemExit as left: assert left.code == 0\n"
            "most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
            "print(most, file=sys.__stdout__)"
        )
        return int(python(code, desk).out)  # kibibytes

    assert peak(300_000) - peak(10) < 150 * 1024
