"""Whatever players and files are called, it is text: in tables, CSV, JSON, Parquet and pages."""

import csv
import io
import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from cli import Run, razzstats, wrong_hand
from hands import SAMPLES, hands_of
from hostile import FILE_NAMES, NAMES, ONE_LINE, room_hands, toml_hands

from razzstats.diagnostics.visible import no_formula
from razzstats.locations import HandText
from razzstats.pipeline import read_hand
from razzstats.stats.catalogue import TABLES
from razzstats.storage import Database

STORED = len(NAMES) + len(ONE_LINE)


class Desk(NamedTuple):
    """The files with hostile names, and the database that they were imported into."""

    folder: Path
    db: Path

    @property
    def files(self) -> tuple[Path, Path]:
        return self.folder / "toml.phhs", self.folder / "room.txt"

    def run(self, *arguments: str | Path, code: int = 0) -> Run:
        """Run a command on the database, which must end as expected and print no traceback."""
        run = razzstats(*arguments, variables={"RAZZSTATS_DB": str(self.db)})
        assert run.code == code, run
        assert "Traceback" not in run.err
        return run


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("hostile")
    found = Desk(folder, folder / "x.duckdb")
    for file, text in zip(found.files, (toml_hands(), room_hands()), strict=True):
        file.write_text(text, encoding="utf-8", newline="\n")
    run = found.run("import", *found.files, "-v")
    assert run.is_plain
    return found


def names_in(cells: Any) -> set[str]:
    return {cell for cell in cells if isinstance(cell, str)} & {*NAMES.values()}


def of_parquet(content: bytes, folder: Path) -> list[dict[str, Any]]:
    file = folder / "x.parquet"
    file.write_bytes(content)
    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet(?)", [str(file)])
        columns = [column[0] for column in found.description or []]
        return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]


def of_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


# ---- what is stored


def test_every_name_is_stored_as_it_is_and_nothing_else_happens(desk: Desk) -> None:
    with Database.open(desk.db, read_only=True) as database:
        names = database.rows("SELECT name, count(*) FROM hand_players GROUP BY name")
        assert dict(names) == {
            **{name: 1 + (name in ONE_LINE.values()) for name in NAMES.values()}, "Ben": STORED
        }  # fmt: skip
        assert database.rows("SELECT count(*) FROM rejected") == [(len(ONE_LINE),)]
        assert {table for (table,) in database.rows("SHOW TABLES")} >= {"hands", "files"}


# ---- statistics


@pytest.mark.parametrize("table", [table.name for table in TABLES])
def test_a_table_is_the_same_data_in_every_format(table: str, desk: Desk, tmp_path: Path) -> None:
    run = desk.run("stats", table)
    assert run.is_plain
    rows = json.loads(desk.run("stats", table, "--format", "json").out)
    names = names_in(cell for row in rows for cell in row.values())
    assert names == ({*NAMES.values()} if table == "sessions" else set())
    if not names:
        return
    in_parquet = of_parquet(desk.run("stats", table, "--format", "parquet").raw, tmp_path)
    in_csv = of_csv(desk.run("stats", table, "--format", "csv").out)
    assert len(in_csv) == len(in_parquet) == len(rows)
    for row, of_one, of_other in zip(rows, in_parquet, in_csv, strict=True):
        for key, value in row.items():
            if isinstance(value, str) and value in NAMES.values():
                assert of_one[key] == value
                assert of_other[key] == no_formula(value)
            elif isinstance(value, int | float):
                assert float(of_other[key]) == pytest.approx(value)


def test_definitions_are_plain(desk: Desk) -> None:
    assert desk.run("stats", "--list").is_plain


ASKED_FOR = (
    "markup of the terminal", "a formula", "a quote", "a statement", "a condition", "a parameter",
    "patterns", "no value", "an option", "a title", "two lines", "a NUL", "another direction",
    "outside the plane", "ten thousand characters",
)  # fmt: skip


@pytest.mark.parametrize("what", ASKED_FOR)
def test_a_player_is_found_by_his_name_alone(what: str, desk: Desk) -> None:
    name = NAMES[what]
    run = desk.run("stats", "money", f"--hero={name}")
    assert run.is_plain
    assert f": {1 + (what in ONE_LINE)} hands" in run.err


@pytest.mark.parametrize("what", ["a statement", "two lines"])
def test_leaks_are_looked_for_in_whoever_it_is(what: str, desk: Desk) -> None:
    assert desk.run("leaks", f"--as={NAMES[what]}").is_plain


def test_opponents_of_a_player_with_an_ordinary_name(desk: Desk, tmp_path: Path) -> None:
    """Ben meets everybody."""
    command = ("stats", "opponents", "--hero", "Ben", "--format")
    assert desk.run(*command, "table").is_plain
    rows = json.loads(desk.run(*command, "json").out)
    assert names_in(row["name"] for row in rows) == {*NAMES.values()}
    in_csv = of_csv(desk.run(*command, "csv").out)
    assert [row["name"] for row in in_csv] == [no_formula(row["name"]) for row in rows]
    lines = desk.run(*command, "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == rows
    in_parquet = of_parquet(desk.run(*command, "parquet").raw, tmp_path)
    assert [row["name"] for row in in_parquet] == [row["name"] for row in rows]


# ---- hands, findings and pages


@pytest.mark.parametrize("what", ["ten thousand characters", "a colour"])
def test_a_hand_is_shown_whatever_its_players_are_called(
    what: str, desk: Desk, tmp_path: Path
) -> None:
    number = 1 + list(ONE_LINE).index(what)
    assert desk.run("show", str(1000 + number)).is_plain
    page = tmp_path / "hand.html"
    desk.run("show", str(1000 + number), "--html", page, "--mask-names")
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e]", page.read_text("utf-8"))
    assert NAMES[what] not in page.read_text("utf-8")


def test_a_report_holds_names_as_text_and_masked_none(desk: Desk, tmp_path: Path) -> None:
    assert desk.run("report").is_plain
    page = tmp_path / "report.html"
    desk.run("report", "--html", page)
    text = page.read_text("utf-8")
    assert "<script>alert(1)</script>" not in text
    assert not re.search("<[^>]* onmouseover=", text)
    masked = desk.run("report", "--html", page, "--mask-names")
    assert masked.is_plain
    text = page.read_text("utf-8")
    for what in ("a formula", "a statement", "a path", "ten thousand characters"):
        assert json.dumps(NAMES[what])[1:-1] not in text, what


def test_findings_are_plain_and_whole(desk: Desk) -> None:
    for format in ("full", "concise", "json"):
        run = desk.run("check", desk.files[1], "--format", format, code=1)
        assert run.is_plain
        assert f"{len(ONE_LINE)} rejected" in run.err
    assert desk.run("check", *desk.files, "--dump", code=1).is_plain


def test_hands_are_printed_with_their_names(desk: Desk) -> None:
    run = desk.run("parse", *desk.files)
    assert run.is_plain
    hands = [json.loads(line) for line in run.out.splitlines()]
    assert {player["name"] for hand in hands for player in hand["players"]} == {
        *NAMES.values(), "Ben"
    }  # fmt: skip


def test_rejected_hands_are_listed_and_shown(desk: Desk) -> None:
    assert desk.run("rejected", "list").is_plain
    rows = json.loads(desk.run("rejected", "list", "--format", "json").out)
    assert len(rows) == len(ONE_LINE)
    in_csv = of_csv(desk.run("rejected", "list", "--format", "csv").out)
    assert [row["text"] for row in in_csv] == [no_formula(row["text"]) for row in rows]
    for row in rows[:2]:
        assert desk.run("rejected", "show", row["id"]).is_plain


# ---- files for other programs


def test_tables_for_spreadsheets_hold_no_formula_and_all_others_every_name(
    desk: Desk, tmp_path: Path
) -> None:
    for format in ("csv", "jsonl", "parquet"):
        assert desk.run("export", "--format", format, "--out", tmp_path / format).is_plain
        # Nothing in the hands says what a file is called.
        assert all(re.fullmatch(r"\w+", file.stem) for file in (tmp_path / format).iterdir())
    assert {path.name for path in tmp_path.iterdir()} == {"csv", "jsonl", "parquet"}
    with open(tmp_path / "csv" / "hand_players.csv", encoding="utf-8", newline="") as file:
        in_csv = list(csv.DictReader(file))
    lines = (tmp_path / "jsonl" / "hand_players.jsonl").read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    whole = (tmp_path / "parquet" / "hand_players.parquet").read_bytes()
    in_parquet = of_parquet(whole, tmp_path)
    names = [row["name"] for row in rows]
    assert {*names} == {*NAMES.values(), "Ben"}
    assert [row["name"] for row in in_parquet] == names
    assert [row["name"] for row in in_csv] == [*map(no_formula, names)]
    for row, of_one in zip(rows, in_csv, strict=True):
        assert int(of_one["net"]) == row["net"]  # a loss is a number, not a formula
    assert min(row["net"] for row in rows) < 0


def test_hands_for_other_programs_hold_every_name(desk: Desk, tmp_path: Path) -> None:
    assert desk.run("export", "--format", "phh", "--out", tmp_path).is_plain
    assert {path.name for path in tmp_path.iterdir()} == {"phh.phhs", "pokerstars.phhs"}
    again = tmp_path / "again.duckdb"
    run = razzstats("import", tmp_path, "--db", again)
    assert run.code == 0
    with Database.open(again, read_only=True) as database:
        names = database.rows("SELECT DISTINCT name FROM hand_players")
    assert {name for (name,) in names} == {*NAMES.values(), "Ben"}


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_what_a_spreadsheet_would_run_is_marked(sign: str) -> None:
    assert no_formula(f"{sign}1") == f"'{sign}1"
    assert no_formula(f"a{sign}1") == f"a{sign}1"


# ---- names of files


def test_files_may_be_called_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for number, name in enumerate(FILE_NAMES):
        (tmp_path / "in" / name).write_text(wrong_hand(number))
    monkeypatch.chdir(tmp_path / "in")
    db = tmp_path / "x.duckdb"
    names = (f"./{name}" if name.startswith("-") else name for name in FILE_NAMES)
    run = razzstats("import", *names, "--db", db, "-v")
    assert (run.code, run.is_plain) == (0, True)
    table = razzstats("rejected", "list", "--db", db)
    assert (table.code, table.is_plain) == (0, True)
    rows = json.loads(razzstats("rejected", "list", "--format", "json", "--db", db).out)
    assert len(rows) == len(FILE_NAMES)
    in_csv = of_csv(razzstats("rejected", "list", "--format", "csv", "--db", db).out)
    assert "'=1+1.txt" in {row["file"] for row in in_csv}
    out = tmp_path / "out"
    assert razzstats("export", "--format", "csv", "--out", out, "--db", db).code == 0
    with open(out / "files.csv", encoding="utf-8", newline="") as file:
        paths = [row["path"] for row in csv.DictReader(file)]
    assert len(paths) == len(FILE_NAMES)
    assert not [path for path in paths if path.startswith(("=", "-", "@", "+"))]
    assert {path.name for path in tmp_path.iterdir()} == {"in", "out", "x.duckdb"}


# ---- values without measure, in the formats that have a parser of their own

TOML = (
    "variant = 'FR'\nantes = [1, 1]\nbring_in = 2\nsmall_bet = 4\nbig_bet = 8\n"
    "starting_stacks = [200, 200]\n"
    "actions = ['d dh p1 2c3d4h', 'd dh p2 5c6dKd', 'p2 pb', 'p1 cbr 4', 'p2 f']\n"
)
KEYS = (
    "antes", "bring_in", "starting_stacks", "actions", "players", "seats", "seat_count", "_hero",
    "table", "event", "level", "hand", "currency", "currency_symbol", "winnings",
    "finishing_stacks", "year", "time", "time_zone",
)  # fmt: skip
VALUES = {
    "a hexadecimal number without end": "0x" + "f" * 5_000,
    "one in a list": f"[[0x{'f' * 5_000}]]",
    "a number without end": "9" * 5_000,
    "a number beyond all": "1e999999999",
    "no number": "nan",
    "a moment": "1979-05-27T07:32:00Z",
    "a table": "{a = 1}",
    "a truth": "true",
    "a long string": f"'{'x' * 60_000}'",
    "lists in lists": f"{'[' * 300}{']' * 300}",
    "more lists in lists": "[" * 30_000,
}


@pytest.mark.parametrize("what", VALUES)
def test_no_value_of_toml_is_more_than_a_wrong_value(what: str) -> None:
    for key in KEYS:
        others = "".join(line for line in TOML.splitlines(True) if not line.startswith(f"{key} ="))
        text = f"{others}{key} = {VALUES[what]}\nday = {VALUES[what]}\nmonth = 1"
        read_hand(HandText.of("x.phh", 1, text), raise_errors=True)


@pytest.mark.parametrize("key", ["a." * 30_000 + "a = 1", "[" + '"a" . ' * 9_000 + "a]"])
def test_a_key_of_thousands_of_parts_is_refused_at_once(key: str) -> None:
    begin = time.process_time()
    found = read_hand(HandText.of("x.phh", 1, f"{TOML}{key}\nb = 1"), raise_errors=True)
    assert "a key has too many parts" in found.reason.message
    assert time.process_time() - begin < 2  # two minutes without the refusal


def test_prose_with_many_points_is_no_key() -> None:
    note = f"# {'see p. 1.2.3 of it ... ' * 50}\nnote = '{'e.g. a.b ' * 50}'"
    found = read_hand(HandText.of("x.phh", 1, f"{TOML}{note}"), raise_errors=True)
    assert found.status == "ok"


ABOUT = '<description type="Razz" stakes="Limit $0.50/$1"/>'
GAME = (
    f'{ABOUT}\n<game id="70500111-412" starttime="20110914193000" numholecards="7" gametype="47" '
    'realmoney="true" data="20110914|Bellatrix (70500111)|70500111|70500111-412|false">'
)
XML = {
    "an entity of a document type": f'<!DOCTYPE x [<!ENTITY a "b">]>\n{GAME}\n<players>&a;',
    "one inside the hand": f'{GAME}\n<!DOCTYPE x [<!ENTITY a "b">]>\n<players>&a;',
    "a file": f'{GAME}\n<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<players>&a;',
    "elements without end": f"{GAME}\n{'<players>' * 100_000}",
    "attributes without end": (
        f"{GAME[:-1]}{''.join(f' a{n}=' + chr(34) * 2 for n in range(6_000))}>\n<players/>"
    ),
    "a section without end": f"{GAME}\n<![CDATA[{'x' * 60_000}",
}


@pytest.mark.parametrize("what", XML)
def test_xml_is_refused_and_nothing_of_it_is_expanded(what: str) -> None:
    begin = time.process_time()
    found = read_hand(HandText.of("x.xml", 1, XML[what]), raise_errors=True)
    (reason,) = found.diagnostics
    assert found.status in ("rejected", "stray-text")
    assert reason.code.name in ("unexpected-line", "truncated-hand", "stray-text")
    assert len(reason.message) < 300
    assert "root:" not in reason.message
    assert time.process_time() - begin < 2


# ---- long lines


@pytest.mark.parametrize(
    "room", ["fulltilt", "kingsclub", "merge", "ongame", "pokerstars", "winamax"]
)
@pytest.mark.parametrize("part", [r"\d+", r"[A-Za-z]+", r" ", r"\(", r"\$"])
def test_no_line_takes_ages_when_a_part_of_it_is_very_long(room: str, part: str) -> None:
    """A pattern that tries every split of 20,000 signs takes minutes where this takes a second."""
    text = hands_of(sorted((SAMPLES / room).glob("*"))[0])[0]
    for number, line in enumerate(text.lines):
        for found in [*re.finditer(part, line)][:1]:
            longer = line[: found.start()] + found[0][0] * 20_000 + line[found.end() :]
            lines = (*text.lines[:number], longer, *text.lines[number + 1 :])
            read_hand(replace(text, lines=lines), raise_errors=True)
