"""Every question has the same answer from a lake as from the database of the same hands."""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from cli import Run, half_a_hand, hand, razzstats, warned_hand, write, wrong_hand
from conftest import POKERSTARS
from lakes import Inline

import razzstats as api
from razzstats.health import check_database
from razzstats.lake.importing import import_to_lake
from razzstats.measuring import open_measured
from razzstats.stats.catalogue import TABLES
from razzstats.stats.filters import Filters
from razzstats.storage import Database
from razzstats.storage.database import EVERYWHERE, Reach
from razzstats.storage.lake.files import files_at
from razzstats.storage.lake.manifest import Piece
from razzstats.storage.lake.views import Lake, open_lake
from razzstats.storage.opening import quoted

PHH = POKERSTARS.parent / "phh"
HAND = "408"  # which has a warning


class Places(NamedTuple):
    """A lake, and a database with the same hands."""

    lake: Path
    database: Path


def messy(folder: Path) -> Path:
    """Write files with what an archive has: hands twice, in conflict, wrong, and cut off."""
    folder.mkdir()
    write(
        folder,
        a="".join(hand(number, number) for number in range(1, 9)),
        b=hand(3, 3) + hand(4, 5) + wrong_hand() + warned_hand(),
        c=hand(20, 20, "=1+1") + half_a_hand(21),
        d=hand(30).replace("2026/01/09", "2026/02/10") + wrong_hand(31),
    )
    return folder


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    folder = tmp_path_factory.mktemp("places")
    found = Places(folder / "lake", folder / "hands.duckdb")
    for sources in ([messy(folder / "messy")], [PHH, POKERSTARS]):
        paths = [str(source) for source in sources]
        import_to_lake(paths, files_at(found.lake), Inline(), ahead=2)
        assert razzstats("import", *paths, "--db", found.database).code == 0
    return found


@pytest.fixture
def broken(places: Places, tmp_path: Path) -> Path:
    """A copy of the lake, to be damaged."""
    shutil.copytree(places.lake, tmp_path / "lake")
    return tmp_path / "lake"


def data_files(lake: Path, table: str) -> list[Path]:
    return sorted((lake / "tables" / table).rglob("*.parquet"))


# ---- the same answers

FILTERS = (
    (),
    ("--site", "phh", "--all-players"),
    ("--since", "2026-01-01", "--until", "2026-01-31", "--all-players"),
    ("--site", "pokerstars", "--since", "2026-02-10"),
)
QUESTIONS: list[tuple[str, ...]] = [
    *(("stats", table.name, *chosen) for table in TABLES for chosen in FILTERS[:2]),
    *(("stats", name, *chosen) for name in ("overview", "pool") for chosen in FILTERS[2:]),
    ("stats", "results", "--by", "month", "--format", "csv"),
    ("stats", "sessions", "--all-players", "--format", "json"),
    ("stats", "overview", "--session", "last"),
    ("stats", "overview", "--hero", "Anna"),
    ("stats", "overview", "--hero", "Nobody"),
    ("stats", "overview", "--hero", "Anna", "--site", "phh"),
    ("stats", "overview", "--site", "merge"),
    ("stats", "overview", "--until", "0001-01-01"),
    ("stats", "overview", "--since", "9999-12-31"),
    ("leaks",),
    ("leaks", "--all", "--format", "json"),
    ("leaks", "--all-players", "--since", "2026-02-01"),
    ("leaks", "--hands", "1"),
    ("leaks", "--session", "last"),
    *(("report", *chosen) for chosen in FILTERS[1:]),
    ("report", "--session", "last"),
    ("report", "--since", "2026-02-01", "--compare", "2026-01"),
    ("report", "--since", "2026-02-01", "--site", "pokerstars", "--compare", "others"),
    ("show", f"pokerstars:{HAND}", "--mask-names"),
    ("show", "666"),
    ("show", "no-such-hand"),
    ("variance", "--courses", "100"),
    ("variance", "--courses", "100", "--site", "phh"),
    ("rejected", "list"),
    ("rejected", "list", "--format", "jsonl"),
    ("rejected", "show", "666"),
    ("rejected", "export"),
    ("sql", "SELECT kind, count(*) AS n FROM actions GROUP BY kind ORDER BY kind"),
    ("sql", "FROM hand_players ORDER BY hid, seat", "--format", "csv"),
    ("sql", "SELECT * EXCLUDE file_id FROM hands ORDER BY hid", "--format", "json"),
    ("sql", "SHOW TABLES"),
    ("sql", "SELECT nothing FROM hands"),
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_a_lake_answers_as_a_database_does(question: tuple[str, ...], places: Places) -> None:
    of_database, of_lake = (razzstats(*question, "--db", place) for place in reversed(places))
    assert of_lake == of_database
    assert "Traceback" not in of_lake.err


@pytest.mark.parametrize(
    "question",
    [
        ("report", "--html", "{}", "--site", "pokerstars", "--since", "2026-02-01"),
        ("show", HAND, "--html", "{}"),
        ("rejected", "export", "--out", "{}"),
    ],
    ids=" ".join,
)
def test_what_is_written_has_the_same_bytes(
    question: tuple[str, ...], places: Places, tmp_path: Path
) -> None:
    written = []
    for number, place in enumerate(places):
        file = tmp_path / f"{number}.html"
        arguments = [argument.format(file) for argument in question]
        assert razzstats(*arguments, "--db", place).code == 0
        written.append(file.read_bytes())
    assert written[0] == written[1]


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl", "phh"])
@pytest.mark.parametrize("chosen", [(), ("--site", "pokerstars", "--until", "2026-02-20")])
def test_an_export_is_the_same_but_for_the_numbers_of_files(
    format: str, chosen: tuple[str, ...], places: Places, tmp_path: Path
) -> None:
    for name, place in places._asdict().items():
        found = razzstats("export", "--out", tmp_path / name, "--format", format, *chosen,
                          "--db", place)  # fmt: skip
        assert found.code == 0, found
    exported = [
        sorted(each.name for each in (tmp_path / name).iterdir()) for name in places._fields
    ]
    assert exported[0] == exported[1]
    for file in exported[0]:
        of_lake, of_database = ((tmp_path / name / file).read_bytes() for name in places._fields)
        if format in ("csv", "phh") and file.partition(".")[0] not in WITH_NUMBERS:
            assert of_lake == of_database, file
        elif format != "phh":
            rows = [rows_of(tmp_path / name / file, format) for name in places._fields]
            assert rows[0] == rows[1]


WITH_NUMBERS = ("diagnostics", "files", "hands", "rejected")
"""The tables that have numbers of files."""


def rows_of(file: Path, format: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return columns with types, and rows, but for what a lake has of its own."""
    reader = {"csv": "read_csv({}, all_varchar = true)", "jsonl": "read_json({})",
              "parquet": "read_parquet({})"}[format]  # fmt: skip
    order = "ORDER BY ALL" if file.stem in WITH_NUMBERS else ""
    with duckdb.connect() as connection:
        found = connection.sql(
            "SELECT COLUMNS(lambda c: c NOT IN ('file_id', 'imported_at', 'place')) FROM "
            f"{reader.format(quoted(str(file)))} {order}"
        )
        columns = [f"{name} {type}" for name, type in zip(found.columns, found.types, strict=True)]
        return columns, found.fetchall()


def test_columns_have_the_types_of_a_database(places: Places) -> None:
    sql = """SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal
        AND column_name <> 'file_id' ORDER BY table_name, column_index"""
    found = [razzstats("sql", sql, "--format", "csv", "--db", place).out for place in places]
    assert found[0] == found[1]
    assert "decisions,last_own,\"ENUM('ante'," in found[0]


@pytest.mark.parametrize(
    ("typed", "option"),
    [("A", "--hero"), ("", "--session"), ("", "--stakes"), ("", "--currency"), ("", "--opponent")],
)
def test_a_lake_completes_words(typed: str, option: str, places: Places) -> None:
    found = [
        razzstats(
            variables={
                "_RAZZSTATS_COMPLETE": "complete_bash",
                "COMP_WORDS": f"razzstats\nstats\noverview\n--db\n{place}\n{option}\n{typed}",
                "COMP_CWORD": "6",
            }
        ).out
        for place in places
    ]
    assert found[0] == found[1]
    assert found[0].split()


def test_a_lake_is_found_by_variable_setting_and_api(places: Places, tmp_path: Path) -> None:
    expected = razzstats("stats", "overview", "--db", places.database)
    assert razzstats("stats", "overview", variables={"RAZZSTATS_DB": str(places.lake)}) == expected
    config = {"RAZZSTATS_CONFIG": str(tmp_path / "config.toml")}
    assert razzstats("config", "set", "db", places.lake, variables=config).code == 0
    assert razzstats("stats", "overview", variables=config) == expected
    with api.open(places.lake) as lake, api.open(places.database) as database:
        assert api.results(lake).equals(api.results(database))


def test_doctor_says_the_same_but_for_the_size(places: Places) -> None:
    found = [
        json.loads(razzstats("doctor", "--format", "json", "--db", place).out) for place in places
    ]
    sizes = [each["database"].pop("size_bytes") for each in found]
    advice = [each.pop("advice") for each in found]
    assert found[0] == found[1]
    assert found[0]["faults"] == []
    files = sum(file.stat().st_size for file in (places.lake / "tables").rglob("*.parquet"))
    assert sizes[0] == files
    assert advice[0] == ["hands are kept apart; `razzstats rejected list` says why"]
    assert razzstats("doctor", "--db", places.lake).code == 0


def test_a_lake_needs_no_measuring(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(database: Database) -> int:
        raise AssertionError

    monkeypatch.setattr("razzstats.measuring.count_unmeasured", count)
    with open_measured(places.lake, print) as lake:
        assert lake.is_lake


@pytest.mark.parametrize("name", ["name=Ben", "site=phh", "it's", "a b", "hid=1/month=2020-01"])
def test_folders_above_a_lake_change_nothing(name: str, places: Places, tmp_path: Path) -> None:
    """DuckDB would take them for columns."""
    shutil.copytree(places.lake, tmp_path / name / "lake")
    expected = razzstats("stats", "opponents", "--db", places.lake)
    assert razzstats("stats", "opponents", "--db", tmp_path / name / "lake") == expected


# ---- what is read


def files_read(database: Database, sql: str, parameters: list[Any]) -> dict[str, int]:
    """Return how many data files of each table a question reads."""
    ((_, plan),) = database.rows(f"EXPLAIN ANALYZE {sql}", parameters)
    names = set(re.findall(r"/tables/(\w+)/(site=[^,│\s]+\.parquet)", plan))
    return {table: sum(each == table for each, _ in names) for table, _ in names}


QUESTION = "SELECT count(*) FROM {} JOIN decisions USING (hid, seat) JOIN hands USING (hid)"


@pytest.mark.parametrize(
    ("filters", "site", "months"),
    [
        (Filters(all_players=True, site="phh"), "phh", r".*"),
        (Filters(all_players=True, since=datetime(2026, 2, 1)), "*", r"2026-(0[2-9]|1\d)"),
        (
            Filters(all_players=True, since=datetime(2026, 1, 5), until=datetime(2026, 2, 1)),
            "*",
            "2026-01",
        ),
    ],
)
def test_only_the_files_of_the_room_and_the_months_are_read(
    filters: Filters, site: str, months: str, places: Places
) -> None:
    hands, parameters = filters.hands()
    with open_lake(places.lake) as lake:
        everything = lake.rows(QUESTION.format(hands), parameters)
        lake.narrow(filters.reach)
        assert lake.rows(QUESTION.format(hands), parameters) == everything
        read = files_read(lake, QUESTION.format(hands), parameters)
    expected = [
        file
        for file in (places.lake / "tables" / "hands").glob(f"site={site}/*/*.parquet")
        if re.fullmatch(f"month={months}", file.parent.name)
    ]
    assert 0 < len(expected) < len(data_files(places.lake, "hands"))
    assert read == dict.fromkeys(("hand_players", "decisions", "hands"), len(expected))


@pytest.mark.parametrize(
    ("chosen", "sites", "months"),
    [
        (("--site", "phh"), {"phh"}, r".*"),
        (("--since", "2026-02-01"), None, r"2026-(0[2-9]|1\d)"),
        (
            ("--site", "pokerstars", "--until", "2026-01-31"),
            {"pokerstars"},
            r"(20[01]|202[0-5]|2026-01).*",
        ),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ("stats", "overview"),
        ("leaks",),
        ("leaks", "--hands", "301"),
        ("leaks", "--session", "last"),
        ("report",),
        ("report", "--session", "last"),
        ("variance", "--courses", "10"),
    ],
    ids=" ".join,
)
def test_commands_look_at_the_room_and_the_months_alone(
    command: tuple[str, ...],
    chosen: tuple[str, ...],
    sites: set[str] | None,
    months: str,
    places: Places,
    shown: list[tuple[str, str]],
) -> None:
    with open_lake(places.lake) as lake:
        everything = {(piece.site, piece.month) for piece in lake.pieces if piece.site is not None}
    razzstats(*command, *chosen, "--all-players", "--db", places.lake)
    assert shown
    assert len({*shown}) < len(everything)
    assert [month for _, month in shown if not re.fullmatch(months, month)] == []
    assert sites is None or {site for site, _ in shown} == sites


def test_a_comparison_looks_at_both_periods(places: Places, shown: list[tuple[str, str]]) -> None:
    chosen = ("--since", "2026-02-01", "--until", "2026-02-28", "--all-players")
    razzstats("report", *chosen, "--compare", "2026-01", "--db", places.lake)
    assert {month for _, month in shown} == {"2026-01", "2026-02"}
    razzstats("report", *chosen, "--compare", "others", "--db", places.lake)
    assert len({month for _, month in shown}) > 2


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The rooms and months of whose hands a command's lake shows at last."""
    found: list[tuple[str, str]] = []
    show = Lake.show

    def note(lake: Lake, pieces: Iterable[Piece]) -> None:
        kept = list(pieces)
        found[:] = [(piece.site, str(piece.month)) for piece in kept if piece.site is not None]
        show(lake, kept)

    monkeypatch.setattr(Lake, "show", note)
    return found


def test_a_question_of_ones_own_reads_the_files_of_the_room_alone(places: Places) -> None:
    with open_lake(places.lake) as lake:
        read = files_read(lake, "SELECT sum(pot) FROM hands WHERE site = 'phh'", [])
    expected = len([*(places.lake / "tables" / "hands" / "site=phh").rglob("*.parquet")])
    assert read == {"hands": expected}
    assert expected < len(data_files(places.lake, "hands"))


def test_what_is_shown_can_be_nothing_and_all_again(places: Places) -> None:
    with open_lake(places.lake) as lake:
        (before,) = lake.rows("SELECT count(*) FROM hands")
        rejected = lake.rows("SELECT count(*) FROM rejected")
        lake.narrow(Reach(site="merge"))
        assert lake.rows("SELECT count(*) FROM hands") == [(0,)]
        assert lake.rows("SELECT count(*) FROM rejected") == rejected
        lake.narrow(EVERYWHERE)
        assert lake.rows("SELECT count(*) FROM hands") == [before]


def test_a_database_shows_the_same_after_narrowing(places: Places) -> None:
    with Database.open(places.database, read_only=True) as database:
        before = database.rows("SELECT count(*) FROM hands")
        database.narrow(Reach(site="phh"))
        assert database.rows("SELECT count(*) FROM hands") == before


# ---- what a lake refuses


@pytest.mark.parametrize(
    "command",
    [
        ("import", "{}"),
        ("import", "--dry-run", "{}"),
        ("watch", "{}"),
        ("rebuild",),
        ("rebuild", "--anew"),
        ("rebuild", "{}"),
        ("backup", "{}/backup"),
        ("restore", "{}/a.txt"),
        ("rejected", "retry"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("address", [False, True])
def test_what_would_write_is_refused(
    command: tuple[str, ...], address: bool, places: Places, tmp_path: Path
) -> None:
    write(tmp_path, a=hand(77))
    before = {file: file.stat().st_mtime_ns for file in places.lake.rglob("*")}
    place = "s3://bucket/lake" if address else str(places.lake)
    found = razzstats(*(part.format(tmp_path) for part in command), "--db", place)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"razzstats: {place} is a lake; ")
    assert found.err.count("\n") == 1
    assert {file: file.stat().st_mtime_ns for file in places.lake.rglob("*")} == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_folder_that_is_no_lake_is_told_as_before(is_there: bool, tmp_path: Path) -> None:
    place = tmp_path / "folder"
    if is_there:
        place.mkdir()
    found = razzstats("stats", "overview", "--db", place)
    assert found.code == 2
    assert found.err.startswith(
        f"razzstats: {place} is a folder; " if is_there else "razzstats: there is no database at "
    )


# ---- damage


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def overwrite(file: Path) -> None:
    file.write_bytes(b"PAR1" * 100)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "missing": Path.unlink,
    "cut": cut,
    "empty": empty,
    "another": overwrite,
}
COMMANDS = (
    ("stats", "overview", "--all-players"),
    ("report", "--all-players"),
    ("leaks",),
    ("export", "--out", "{}"),
    ("export", "--out", "{}", "--format", "phh"),
    ("sql", "SELECT sum(net) FROM hand_players"),
    ("sql", "SELECT sum(net) FROM hand_players", "--format", "parquet"),
)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("number", [0, -1])
def test_a_damaged_data_file_is_told_with_its_name(
    damage: str, number: int, broken: Path, tmp_path: Path
) -> None:
    file = data_files(broken, "hand_players")[number]
    DAMAGES[damage](file)
    for command in COMMANDS:
        found = razzstats(*(part.format(tmp_path / "out") for part in command), "--db", broken)
        assert (found.code, found.out) == (3, ""), command
        assert file.name in found.err
        assert "`razzstats doctor`" in found.err
        assert found.err.count("\n") == 1
    told = razzstats("doctor", "--db", broken)
    assert told.code == 3
    name = file.relative_to(broken).as_posix()
    kind = "is missing" if damage == "missing" else "cannot be read"
    assert f"FAULT in hand_players: {name} {kind}\n" in told.out
    assert told.out.count("FAULT") == 1
    assert "- put what is missing or damaged back" in told.out
    assert str(tmp_path) not in told.out


def test_doctor_finds_a_data_file_with_other_rows(broken: Path) -> None:
    one, other, *_ = data_files(broken, "hand_players")
    shutil.copyfile(one, other)
    health = check_database(broken)
    (fault,) = health.faults
    assert fault.table == "hand_players"
    assert re.fullmatch(rf".*{other.parent.name}/{other.name} has \d+ rows, not \d+", fault.what)


def test_doctor_compares_the_tables_of_a_lake(broken: Path) -> None:
    """A piece of which the log has lost a table."""
    entry = broken / "_log" / "00000001.json"
    content = json.loads(entry.read_text())
    piece = next(each for each in content["added"] if each["site"])
    del piece["rows"]["hand_texts"]
    entry.write_text(json.dumps(content))
    health = check_database(broken)
    assert health.contents is not None
    assert [(fault.table, fault.what) for fault in health.faults] == [
        ("hand_texts", f"{piece['rows']['hands']} hands without one text")
    ]


def test_doctor_finds_hands_among_those_of_another_month(broken: Path) -> None:
    for table in (broken / "tables").iterdir():
        for folder in table.glob("site=phh/month=2022-09"):
            folder.rename(folder.with_name("month=2022-10"))
    for entry in (broken / "_log").iterdir():
        entry.write_text(entry.read_text().replace('"2022-09"', '"2022-10"'))
    (fault,) = check_database(broken).faults
    assert fault.table == "hands"
    assert re.fullmatch(r"\d+ hands among those of another month", fault.what)


def test_doctor_compares_texts_with_their_hashes(broken: Path) -> None:
    file = data_files(broken, "hand_texts")[0]
    with Database.in_memory((str(broken),)) as database:
        database.rows(
            f"CREATE TABLE texts AS SELECT hid, text || 'x' AS text "
            f"FROM read_parquet('{file}', hive_partitioning = false)"
        )
        database.rows(f"COPY texts TO '{file}' (FORMAT parquet)")
        ((rows,),) = database.rows("SELECT count(*) FROM texts")
    (fault,) = check_database(broken).faults
    assert fault == ("hand_texts", f"{rows} texts that were not stored so")


def rename_first(lake: Path) -> None:
    (lake / "_log" / "00000001.json").rename(lake / "_log" / "00000009.json")


def leave(lake: Path) -> None:
    entry = lake / "_log" / "00000001.json"
    entry.write_text(entry.read_text().replace('"site":"pokerstars"', '"site":"../x"'))


BREAKS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "cut entry": (
        lambda lake: cut(lake / "_log" / "00000001.json"),
        "the log of the lake {} is damaged: 00000001.json cannot be read",
    ),
    "lost entry": (
        rename_first,
        "the log of the lake {} is damaged: 00000001.json is missing",
    ),
    "a file outside": (
        leave,
        "the log of the lake {} is damaged: 00000001.json cannot be read",
    ),
    "cut mark": (
        lambda lake: (lake / "lake.json").write_text("{"),
        "{} is a lake whose lake.json cannot be read",
    ),
    "newer": (
        lambda lake: (lake / "lake.json").write_text('{"format": 99, "schema": 4}'),
        "the lake {} was written by a newer razzstats",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_log_is_told_in_a_sentence(name: str, broken: Path) -> None:
    damage, words = BREAKS[name]
    damage(broken)
    for command in (
        ("stats", "overview"), ("report",), ("show", HAND), ("rejected", "list"),
        ("sql", "FROM hands"), ("export", "--out", broken / "out"),
    ):  # fmt: skip
        found = razzstats(*command, "--db", broken)
        assert (found.code, found.out) == (3, "")
        assert found.err.startswith(f"razzstats: {words.format(broken)}")
        assert found.err.count("\n") == 1
    told = razzstats("doctor", "--db", broken)
    assert told.code == 3
    assert "FAULT in database: " in told.out
    assert str(broken) not in told.out


# ---- addresses


@pytest.fixture
def in_memory(places: Places) -> Iterator[str]:
    """The lake in an object store that is in memory."""
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    for file in places.lake.rglob("*"):
        if file.is_file():
            store.pipe_file(f"/bucket/{file.relative_to(places.lake)}", file.read_bytes())
    yield "memory://bucket"
    store.rm("/bucket", recursive=True)


@pytest.mark.parametrize(
    "question",
    [
        ("stats", "overview", "--all-players", "--site", "phh"),
        ("report",),
        ("show", HAND),
        ("rejected", "list"),
        ("sql", "SELECT site, count(*) FROM hands GROUP BY site ORDER BY site"),
        ("sql", "FROM actions ORDER BY hid, seq", "--format", "csv"),
    ],
    ids=" ".join,
)
def test_a_lake_at_an_address_answers_the_same(
    question: tuple[str, ...], in_memory: str, places: Places
) -> None:
    expected = razzstats(*question, "--db", places.database)
    assert razzstats(*question, "--db", in_memory) == expected
    assert razzstats(*question, variables={"RAZZSTATS_DB": in_memory}) == expected


def test_a_lake_at_an_address_is_exported_and_looked_at(
    in_memory: str, places: Places, tmp_path: Path
) -> None:
    for name, place in (("one", in_memory), ("two", places.lake)):
        assert razzstats("export", "--out", tmp_path / name, "--db", place).code == 0
        told = razzstats("doctor", "--format", "json", "--db", place)
        (tmp_path / name / "doctor.json").write_text(told.out, encoding="utf-8")
    one, two = (
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two
    with api.open(in_memory) as lake:
        assert isinstance(lake, Lake)
        assert lake.place == in_memory


def test_an_address_stays_one_in_the_settings(tmp_path: Path) -> None:
    config = {"RAZZSTATS_CONFIG": str(tmp_path / "config.toml")}
    assert razzstats("config", "set", "db", "s3://bucket/x", variables=config).code == 0
    assert razzstats("config", "get", "db", variables=config).out == "s3://bucket/x\n"
    by_variable = config | {"RAZZSTATS_DB": "memory://bucket/y"}
    assert razzstats("config", "get", "db", variables=by_variable).out == "memory://bucket/y\n"
    assert razzstats("config", "set", "db", "~/x", variables=config).code == 0
    found: Run = razzstats("config", "get", "db", variables=config)
    assert found.out == f"{Path('~/x').expanduser()}\n"


@pytest.mark.parametrize("command", [("stats", "overview"), ("report",), ("sql", "SELECT 1")])
def test_an_address_without_a_lake_is_told(command: tuple[str, ...]) -> None:
    pytest.importorskip("fsspec")
    found = razzstats(*command, "--db", "memory://nowhere/x")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("razzstats: there is no lake at memory://nowhere/x; ")
    told = razzstats("doctor", "--db", "memory://nowhere/x")
    assert told.code == 3
    assert "there is no lake at" in told.out
