"""`razzstats export`: the tables in every format, and the hands as PHH that comes back the same."""

import csv
import json
import warnings
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cli import HOSTILE_NAMES, Run, hand, razzstats, warned_hand, write, wrong_hand
from hands import SAMPLES, Facts, check, check_file, clean, differences, hand_text, results
from pokerkit import HandHistory

from razzstats.exporting import phh_of
from razzstats.phh_text import render_phh, render_phhs
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import ActionKind
from razzstats.storage import Database
from razzstats.storage.database import StoredText

TABLES = {"hands", "hand_players", "actions", "hand_texts"}
"""Those with rows for stored hands."""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of five hands, one of them with a warning, and a rejected one."""
    folder = tmp_path_factory.mktemp("export")
    write(
        folder,
        a=hand(101) + hand(102, minute=1) + hand(103, name="Cyd") + wrong_hand(666),
        b=warned_hand(408),
    )
    phh = SAMPLES / "phh" / "edge-bare-final-table.phh"
    path = folder / "razz's.duckdb"
    assert razzstats("import", folder, phh, "--db", path).code == 0
    return path


def export(db: Path, out: Path, *arguments: str | Path) -> Run:
    run = razzstats("export", "--db", db, "--out", out, *arguments)
    assert run.raw == b""
    return run


def rows_of(file: Path) -> list[dict[str, Any]]:
    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet(?)", [str(file)])
        columns = [column[0] for column in found.description or []]
        return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]


# ---- tables


def test_every_table_is_a_file_and_every_row_in_it(db: Path, tmp_path: Path) -> None:
    run = export(db, tmp_path / "new" / "folder")
    assert run.code == 0
    folder = tmp_path / "new" / "folder"
    with Database.open(db, read_only=True) as database:
        names = {
            name
            for (name,) in database.rows("SELECT table_name FROM duckdb_tables()")
            if name != "schema_migrations"
        }
        assert {file.stem for file in folder.iterdir()} == names
        assert names >= TABLES
        for name in names:
            stored = database.frame(f"SELECT * FROM {name}")
            rows = rows_of(folder / f"{name}.parquet")
            assert len(rows) == len(stored), name
            assert not rows or list(rows[0]) == list(stored.columns)
            assert f"wrote {len(rows)} rows to {folder / name}.parquet\n" in run.err
    numbers = [row["hand_no"] for row in rows_of(folder / "hands.parquet")]
    assert sorted(number[:3] for number in numbers) == ["101", "102", "103", "408", "57-"]
    assert [row["hand_no"] for row in rows_of(folder / "rejected.parquet")] == ["666"]


def test_every_format_holds_the_same_rows(db: Path, tmp_path: Path) -> None:
    for format in ("parquet", "csv", "jsonl"):
        assert export(db, tmp_path, "--format", format).code == 0
    for name in TABLES:
        rows = rows_of(tmp_path / f"{name}.parquet")
        with open(tmp_path / f"{name}.csv", encoding="utf-8", newline="") as file:
            in_csv = list(csv.DictReader(file))
        lines = (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        in_json = [json.loads(line) for line in lines]
        assert len(in_csv) == len(in_json) == len(rows) > 0
        for row, of_csv, of_json in zip(rows, in_csv, in_json, strict=True):
            assert list(row) == list(of_csv) == list(of_json)
            for key, value in row.items():
                plain = str(value).lower() if isinstance(value, bool) else str(value)
                assert of_csv[key] == ("" if value is None else plain)
                assert of_json[key] == (str(value) if key == "played_at" and value else value)


def test_filters_choose_hands_and_a_hero_is_not_needed(db: Path, tmp_path: Path) -> None:
    def numbers(*filters: str) -> list[str]:
        assert export(db, tmp_path, *filters).code == 0
        rows = rows_of(tmp_path / "hands.parquet")
        hids = {row["hid"] for row in rows}
        for name in TABLES:
            assert {row["hid"] for row in rows_of(tmp_path / f"{name}.parquet")} == hids
        return sorted(row["hand_no"][:3] for row in rows)

    assert numbers("--site", "pokerstars") == ["101", "102", "103", "408"]
    assert numbers("--hero", "Cyd") == ["103"]
    assert numbers("--hero", "Ben", "--site", "pokerstars") == ["101", "102", "103", "408"]
    assert numbers("--tournament") == ["57-"]
    assert numbers("--players", "3") == ["57-"]
    assert numbers("--since", "2030-01-01") == []


def test_names_that_mean_harm_are_data(tmp_path: Path) -> None:
    texts = "".join(hand(101 + n, name=name) for n, name in enumerate(HOSTILE_NAMES))
    write(tmp_path, a=texts)
    db = tmp_path / "razz.duckdb"
    assert razzstats("import", tmp_path / "a.txt", "--db", db).code == 0
    for format in ("parquet", "phh"):
        run = export(db, tmp_path / "out", "--format", format)
        assert run.code == 0
        assert run.is_plain
    names = {row["name"] for row in rows_of(tmp_path / "out" / "hand_players.parquet")}
    again = {r.name for h in check_file(tmp_path / "out" / "pokerstars.phhs")
             for r in clean(h.text).results}  # fmt: skip
    assert names == again == {*HOSTILE_NAMES, "Ben"}


# ---- hands as PHH


def test_each_room_is_a_file_of_hands_that_can_be_imported(db: Path, tmp_path: Path) -> None:
    run = export(db, tmp_path, "--format", "phh")
    assert (run.code, run.err) == (
        0,
        f"wrote 1 hand to {tmp_path / 'phh.phhs'}\n"
        f"wrote 4 hands to {tmp_path / 'pokerstars.phhs'}\n",
    )
    again = tmp_path / "again.duckdb"
    assert razzstats("import", tmp_path, "--db", again, "--strict").code == 0
    nets = "SELECT name, stack, net, currency, played_at, is_hero FROM hand_players ORDER BY ALL"
    with (
        Database.open(db, read_only=True) as before,
        Database.open(again, read_only=True) as after,
    ):
        assert before.rows(nets) == after.rows(nets)


def test_another_variant_has_no_name_in_phh(db: Path, tmp_path: Path) -> None:
    run = export(db, tmp_path, "--format", "phh", "--variant", "ace-to-six")
    assert (run.code, list(tmp_path.iterdir())) == (2, [])
    assert run.err == (
        "razzstats: PHH has no word for ace-to-six; --format parquet, csv or jsonl writes its "
        "tables\n"
    )


def test_no_matching_hand_makes_no_file(db: Path, tmp_path: Path) -> None:
    run = export(db, tmp_path, "--format", "phh", "--since", "2030-01-01")
    assert (run.code, list(tmp_path.iterdir())) == (0, [])
    assert run.err == "all players, since 2030-01-01 00:00 UTC: no hand matches\n"


def test_a_hand_that_phh_cannot_tell_is_left_out_and_counted(tmp_path: Path) -> None:
    # The bring-in is short of chips and the next player calls a whole one, which `cc` cannot say.
    text = (
        hand(101)
        .replace("Seat 3: Ben ($2 in chips)", "Seat 3: Ben ($0.02 in chips)")
        .replace("Ben: brings in for $0.02", "Ben: brings in for $0.01 and is all-in")
    )
    called = text.replace("Anna: raises $0.02 to $0.04\nBen: folds\n", "Anna: calls $0.02\n")
    called = called.replace("Uncalled bet ($0.02)", "Uncalled bet ($0.01)")
    head, _, tail = called.partition("Anna collected $0.06 from pot\n")
    assert tail
    streets = [("4th STREET", "5c", "6d"), ("5th STREET", "7c", "8d"), ("6th STREET", "9c", "Td")]
    seen = {"Anna": "2c 3d 4h", "Ben": "Kd"}
    for title, one, other in streets:
        head += f"*** {title} ***\n"
        for name, card in (("Anna", one), ("Ben", other)):
            head += f"Dealt to {name} [{seen[name]}] [{card}]\n"
            seen[name] += f" {card}"
    head += (
        f"*** RIVER ***\nDealt to Anna [{seen['Anna']}] [Jh]\n*** SHOW DOWN ***\n"
        f"Anna: shows [{seen['Anna']} Jh] (Lo: 7,5,4,3,2)\nBen: mucks hand\n"
        "Anna collected $0.04 from pot\n*** SUMMARY ***\nTotal pot $0.04 | Rake $0\n"
        f"Seat 1: Anna showed [{seen['Anna']} Jh] and won ($0.04) with Lo: 7,5,4,3,2\n"
        "Seat 3: Ben mucked\n\n\n"
    )
    clean(hand_text(head))
    write(tmp_path, a=head + hand(102))
    db = tmp_path / "razz.duckdb"
    assert razzstats("import", tmp_path / "a.txt", "--db", db).code == 0
    run = export(db, tmp_path / "out", "--format", "phh")
    assert run.code == 0
    assert run.err.splitlines()[-1] == "left out 1 hand that PHH cannot tell"


def test_a_text_that_is_read_no_more_is_left_out() -> None:
    assert phh_of(StoredText("pokerstars", "a.txt", 1, wrong_hand(666).strip(), "razz")) is None


# ---- the round trip of every sample


def samples() -> list[ReplayedHand]:
    files = sorted((SAMPLES / "pokerstars").glob("*.txt"))
    checked = [each for file in files for each in check_file(file)]
    return [
        each.replayed
        for each in checked
        if each.replayed and not any(found.is_error for found in each.diagnostics)
    ]


def with_one_collection_each(hand: ReplayedHand) -> Facts:
    """Return what a hand comes to, but for how the rake was taken from several pots."""
    found = results(hand)
    found["other actions",] = [
        action for action in found["other actions",] if action[1] is not ActionKind.COLLECT
    ]
    return found


def test_every_sample_comes_back_the_same() -> None:
    hands = samples()
    assert len(hands) > 390
    for one in hands:
        again = clean_but_for_notes(render_phh(one))
        found = differences(with_one_collection_each(one), with_one_collection_each(again))
        assert not found, (one.parsed.hand_id, found)
        for before, after in zip(one.results, again.results, strict=True):
            assert (before.name, before.stack, before.cards, before.net) == (
                after.name, after.stack, after.cards, after.net,
            )  # fmt: skip
        assert again.parsed.played_at == one.parsed.played_at
        assert again.parsed.hero == one.parsed.hero
        assert again.parsed.stakes.money == one.parsed.stakes.money


def clean_but_for_notes(text: str) -> ReplayedHand:
    checked = check(text)
    assert {found.severity for found in checked.diagnostics} <= {"note"}, checked.explained()
    assert checked.replayed
    return checked.replayed


def test_pokerkit_reads_what_is_exported() -> None:
    hands = samples()
    text = "".join(render_phhs(render_phh(one) for one in hands))
    histories = list(HandHistory.loads_all(text))
    assert len(histories) == len(hands)
    compared = 0
    for one, history in zip(hands, histories, strict=True):
        assert history.variant == "FR"
        if (
            one.rake
            or len(one.pots) > 1
            or one.community
            or "short-all-ins" in one.parsed.text.file
        ):
            continue  # PokerKit knows no rake, and plays short raises and shared cards otherwise
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, last = history
        unit = 10**one.parsed.stakes.money.decimals
        assert [round(net * unit) for net in last.payoffs] == [r.net for r in one.results]
        compared += 1
    assert compared > 100


# ---- what goes wrong


def test_a_folder_is_asked_for(db: Path) -> None:
    run = razzstats("export", "--db", db)
    assert run.code == 2
    assert "Missing option '--out'" in run.sentence


@pytest.mark.parametrize("format", ["parquet", "phh"])
def test_a_place_that_cannot_be_written_is_a_wrong_command(
    db: Path, tmp_path: Path, format: str
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    run = export(db, tmp_path / "file", "--format", format)
    assert (run.code, run.err) == (
        2,
        f"razzstats: {tmp_path / 'file'} cannot be written: File exists\n",
    )
    for name in ("hands.parquet", "actions.parquet", "phh.phhs"):
        (tmp_path / "out" / name).mkdir(parents=True)
    run = export(db, tmp_path / "out", "--format", format)
    assert run.code == 2
    assert run.err.endswith("cannot be written: Is a directory\n")


def test_no_database_and_an_unknown_player_are_wrong_commands(db: Path, tmp_path: Path) -> None:
    run = export(tmp_path / "none.duckdb", tmp_path / "out")
    assert run.code == 2
    assert "there is no database" in run.err
    run = export(db, tmp_path / "out", "--hero", "Nobody")
    assert run.code == 2
    assert "no hand with a player named 'Nobody' is stored" in run.err
