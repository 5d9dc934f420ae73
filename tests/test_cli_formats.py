"""`--format` of every command that prints data, and the one line that each says beside it."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
import typer
from cli import hand, razzstats, write, wrong_hand

from razzstats.cli.app import app
from razzstats.settings import FORMATS
from razzstats.storage import Database

COMMANDS: dict[str, tuple[str, ...]] = {
    "import": ("import", "a.txt"),
    "stats": ("stats", "overview"),
    "leaks": ("leaks",),
    "leaks, one": ("leaks", "--hands", "301"),
    "leaks, session": ("leaks", "--session", "last"),
    "variance": ("variance", "--hands", "10", "--courses", "5"),
    "equity": ("equity", "A23", "456"),
    "explain": ("explain",),
    "explain, one": ("explain", "RZ401"),
    "rejected list": ("rejected", "list"),
    "rejected retry": ("rejected", "retry"),
    "config list": ("config", "list"),
    "sql": ("sql", "SELECT hand_no, net, name FROM hands JOIN hand_players USING (hid)"),
    "stats, definitions": ("stats", "--list"),
}
# These say all there is to say on standard output.
SILENT = ("explain", "explain, one", "stats, definitions")
OTHER_FORMATS = {
    "check": ("full", "concise", "json"),
    "export": ("parquet", "csv", "jsonl", "phh"),
    "doctor": ("table", "json"),
    "watch": ("table", "jsonl"),
    # The same formats, with tests of their own: one begins a cluster, the other needs a lake.
    "lake import": tuple(map(str, FORMATS)),
    "lake files": tuple(map(str, FORMATS)),
}
ONE_OBJECT = ("import", "rejected retry")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    write(folder, a="".join(hand(number, number % 60) for number in range(1, 40)) + wrong_hand())
    assert razzstats("import", folder / "a.txt", "--db", folder / "x.duckdb").code == 0
    return folder


def run(desk: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[bytes, str]:
    monkeypatch.chdir(desk)
    found = razzstats(*arguments, variables={"RAZZSTATS_DB": str(desk / "x.duckdb")})
    assert found.code == 0, found
    return found.raw, found.err


def test_every_command_with_a_format_is_here() -> None:
    """All take the same formats but two, which write something else."""
    found: dict[str, tuple[str, ...]] = {}

    def look_at(command: Any, name: str) -> None:
        for below, each in getattr(command, "commands", {}).items():
            look_at(each, f"{name} {below}".strip())
        for option in command.params:
            if option.name == "format":
                found[name] = tuple(map(str, option.type_descriptor.choices))

    look_at(typer.main.get_command(app), "")
    taken_alike = {name.partition(",")[0] for name in COMMANDS}
    assert found == dict.fromkeys(taken_alike, FORMATS) | OTHER_FORMATS


@pytest.mark.parametrize("name", COMMANDS)
def test_all_formats_hold_the_same_records(
    name: str, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = COMMANDS[name]
    out = {each: run(desk, monkeypatch, *command, "--format", each)[0] for each in FORMATS}
    records = json.loads(out["json"])
    if name in ONE_OBJECT:
        records = [records]
    elif name == "equity":
        records = records["players"]
    lines = [json.loads(line) for line in out["jsonl"].decode().splitlines()]
    rows = list(csv.DictReader(io.StringIO(out["csv"].decode())))
    varying = ("seconds", "hands_per_second")
    for each in (*records, *lines, *rows):
        for key in varying:
            each.pop(key, None)
    assert lines == records
    assert len(rows) == len(records)
    if records:
        assert [list(row) for row in rows] == [list(record) for record in records]
    (desk / "x.parquet").write_bytes(out["parquet"])
    assert number_of_rows(desk / "x.parquet") == len(records)


def number_of_rows(parquet: Path) -> int:
    with duckdb.connect() as connection:
        rows = connection.execute("SELECT count(*) FROM read_parquet(?)", [str(parquet)])
        return int(rows.fetchall()[0][0])


@pytest.mark.parametrize("name", COMMANDS)
def test_a_remark_is_a_line_and_never_among_the_data(
    name: str, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remarks = {
        run(desk, monkeypatch, *COMMANDS[name], "--format", each)[1].count("\n")
        for each in ("json", "csv")
    }
    assert remarks == ({0} if name in SILENT else {1})


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("parse", "a.txt"), "1 file, 40 hands of Razz printed"),
        (("check", "a.txt", "--ignore", "RZ401"), "1 file, 40 Razz hands: 39 good, "),
        (("rejected", "show", "666"), "1 hand shown"),
        (("rejected", "export"), "1 hand written"),
        (("simulate", "--hands", "3", "--out", "s.out"), "wrote 3 hands to s.out"),
        (("export", "--format", "phh", "--out", "e"), "wrote 39 hands to "),
    ],
)
def test_what_was_worked_on_is_said_in_one_line(
    arguments: tuple[str, ...], line: str, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, err = run(desk, monkeypatch, *arguments)
    assert err.startswith(line)
    assert err.count("\n") == 1


def test_a_frame_without_rows_has_its_columns(tmp_path: Path) -> None:
    with Database.open(tmp_path / "x.duckdb"):
        pass
    empty = razzstats("rejected", "list", "--format", "csv", "--db", tmp_path / "x.duckdb")
    assert empty.out == "id,site,hand_no,reason,code,message,file,line,text\n"


# ---- narrow terminals


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(
    "name", ["stats", "leaks", "variance", "equity", "rejected list", "config list"]
)
def test_a_table_fits_a_narrow_terminal(
    name: str, width: int, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk)
    variables = {"RAZZSTATS_DB": "x.duckdb", "COLUMNS": str(width)}
    found = razzstats(*COMMANDS[name], variables=variables)
    assert found.code == 0
    lines = found.out.splitlines()
    # Advice is one long line, for the terminal to break; so is what was wrong with a hand, and
    # where its file is, which must be copied whole.
    prose = [
        line for line in lines if (line[:3].isdecimal() and line[3:4] == ":") or str(desk) in line
    ]
    assert max(len(line) for line in lines if line not in prose) <= width
    assert "…" not in found.out


def test_numbers_are_never_broken_or_cut(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    shown = {}
    for width in (60, 200):
        variables = {"RAZZSTATS_DB": "x.duckdb", "COLUMNS": str(width)}
        found = razzstats("leaks", "--all", variables=variables)
        numbers = [word for word in found.out.split() if word[0].isdecimal() and word[-1] != ":"]
        shown[width] = sorted(numbers)
    # Names of leaks stand once in a wide table and in each part of a narrow one.
    assert {*shown[200]} == {*shown[60]}
