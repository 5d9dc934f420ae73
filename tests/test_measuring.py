"""Luck and starting hands are measured once, whatever interrupts it and whoever asks first."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cli import Run, half_a_hand, hand, razzstats, write
from hands import SAMPLES, check_file, clean

from razzstats import measuring
from razzstats.importing import import_paths
from razzstats.luck import HandLuck, Showdown, measure
from razzstats.measuring import count_unmeasured, measure_hands
from razzstats.replay import ReplayedHand
from razzstats.rules.ruleset import RULE_SETS
from razzstats.simulate import (
    EUROS,
    Setup,
    TournamentPlan,
    render_hand,
    simulate_hands,
    usual_stakes,
)
from razzstats.stats.filters import Filters
from razzstats.stats.luck import luck_table
from razzstats.stats.starting_hands import starting_hand_table
from razzstats.storage import Database, StartingHandRow, hand_rows
from razzstats.storage import database as storage
from razzstats.storage.migrations import MIGRATIONS

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
TABLES = ("hand_luck", "player_luck", "starting_hands", "decisions", "spots")
# Of the twelve hands 4, 7 and 9 are shown down, by two players each; the first cards of the hero
# are known in eleven, those of his opponent in the three. In 61 lines somebody chooses; 37 of these
# are the hero's or, in the three, his opponent's.
MEASURED = {
    "hand_luck": 12, "player_luck": 6, "starting_hands": 14, "decisions": 61, "spots": 37,
}  # fmt: skip


def twelve(number: int) -> str:
    """Return one of the twelve hands."""
    texts = TWELVE.read_text(encoding="utf-8").strip().split("\n\n")
    return texts[number - 1] + "\n\n\n"


def mucked() -> str:
    """Return hand 4 as Ann would have it: she calls the last bet and shows nothing."""
    text = twelve(4)
    for old, new in (
        ("Ann: bets $2\nHero: calls $2", "Ann: checks\nHero: bets $2\nAnn: calls $2"),
        ("Ann: shows [As 2s 8s 4h Qh 6d Th] (Lo: 8,6,4,2,A)\n", ""),
        ("(Lo: 7,6,5,3,A)\n", "(Lo: 7,6,5,3,A)\nAnn: mucks hand\n"),
        ("showed [As 2s 8s 4h Qh 6d Th] and lost with Lo: 8,6,4,2,A", "mucked"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def stored(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    return {name: database.rows(f"SELECT * FROM {name} ORDER BY ALL") for name in TABLES}


def counts(database: Database) -> dict[str, int]:
    return {name: len(rows) for name, rows in stored(database).items()}


def counts_in(path: Path) -> dict[str, int]:
    with Database.open(path, read_only=True) as database:
        return counts(database)


@pytest.fixture
def database() -> Iterator[Database]:
    """The twelve hands, of which none is measured."""
    with Database.in_memory() as opened:
        import_paths(opened, [str(TWELVE)])
        yield opened


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A file with the twelve hands, of which none is measured."""
    path = tmp_path / "razz.duckdb"
    with Database.open(path) as opened:
        import_paths(opened, [str(TWELVE)])
    return path


# ---- once


def test_hands_are_measured_once(database: Database) -> None:
    assert count_unmeasured(database) == 12
    assert counts(database) == dict.fromkeys(TABLES, 0)
    assert measure_hands(database) == 12
    assert count_unmeasured(database) == 0
    before = stored(database)
    assert counts(database) == MEASURED
    assert measure_hands(database) == 0
    assert stored(database) == before


def test_only_new_hands_are_measured(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure_hands(database)
    looked_at: list[Showdown] = []

    def counting(showdown: Showdown) -> HandLuck:
        looked_at.append(showdown)
        return measure(showdown)

    monkeypatch.setattr(measuring, "measure", counting)
    write(tmp_path, a=hand(501) + twelve(7).replace("Hand #7", "Hand #502"))
    import_paths(database, [str(tmp_path / "a.txt")])
    assert measure_hands(database) == 2
    assert len(looked_at) == 1  # the other was not shown down
    assert counts(database) == {
        "hand_luck": 14, "player_luck": 8, "starting_hands": 17, "decisions": 61 + 2 + 11,
        "spots": 37 + 1 + 10,
    }  # fmt: skip


def test_an_import_measures_and_a_second_one_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "razz.duckdb"
    for _ in range(2):
        run = razzstats("import", TWELVE, "--db", path)
        assert run.code == 0
        assert run.err.count("\n") == 1  # no word of measuring where nobody looks at a terminal
        assert counts_in(path) == MEASURED


def test_a_dry_run_measures_nothing(db: Path) -> None:
    before = db.read_bytes()
    assert razzstats("import", TWELVE, "--db", db, "--dry-run").code == 0
    assert db.read_bytes() == before


# ---- what is interrupted goes on


@pytest.fixture
def whole() -> dict[str, list[tuple[Any, ...]]]:
    """What comes of the twelve hands without an interruption."""
    with Database.in_memory() as other:
        import_paths(other, [str(TWELVE)])
        measure_hands(other)
        return stored(other)


def test_what_is_left_is_told_after_each_batch(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "_BATCH", 5)
    told: list[int] = []
    assert measure_hands(database, told.append) == 12
    assert told == [7, 2, 0]


def test_an_interrupt_between_batches_keeps_what_is_done(
    database: Database, whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "_BATCH", 5)

    def interrupt(left: int) -> None:
        assert left == 7
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_hands(database, interrupt)
    assert counts(database)["hand_luck"] == 5
    assert count_unmeasured(database) == 7
    assert measure_hands(database) == 7
    assert stored(database) == whole


def test_the_number_of_processes_changes_nothing(
    database: Database, whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "_BATCH", 2)
    told: list[int] = []
    assert measure_hands(database, told.append, jobs=2) == 12
    assert told == [10, 8, 6, 4, 2, 0]
    assert stored(database) == whole


def test_a_failure_inside_a_batch_costs_that_batch(
    database: Database, whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Showdown] = []

    def second_fails(showdown: Showdown) -> HandLuck:
        seen.append(showdown)
        if len(seen) == 2:  # hand 7, the second of the second batch
            raise RuntimeError("the plug is pulled")
        return measure(showdown)

    monkeypatch.setattr(measuring, "_BATCH", 5)
    with monkeypatch.context() as pulled:
        pulled.setattr(measuring, "measure", second_fails)
        with pytest.raises(RuntimeError, match="pulled"):
            measure_hands(database)
    assert stored(database)["hand_luck"] == whole["hand_luck"][:5]
    assert measure_hands(database) == 7
    assert stored(database) == whole


def test_a_batch_is_stored_whole_or_not_at_all(
    database: Database, whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rate = measuring._rate

    def unstorable(hands: Any) -> list[StartingHandRow]:
        return [row._replace(rating=None) for row in rate(hands)]  # type: ignore[arg-type]

    with monkeypatch.context() as broken:
        broken.setattr(measuring, "_rate", unstorable)
        with pytest.raises(duckdb.ConstraintException):
            measure_hands(database)
    assert counts(database) == dict.fromkeys(TABLES, 0)
    measure_hands(database)
    assert stored(database) == whole


def test_an_interrupted_measuring_keeps_the_hands_and_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(showdown: Showdown) -> HandLuck:
        raise KeyboardInterrupt

    path = tmp_path / "razz.duckdb"
    with monkeypatch.context() as pressed:
        pressed.setattr(measuring, "measure", interrupt)
        run = razzstats("import", TWELVE, "--db", path)
    assert (run.code, run.out) == (130, "")
    assert run.err == "razzstats: interrupted; what was stored so far is whole\n"
    assert counts_in(path) == dict.fromkeys(TABLES, 0)
    assert razzstats("import", TWELVE, "--db", path).code == 0  # a known file, all the same
    assert counts_in(path) == MEASURED


# ---- hands that change


def test_a_hand_that_grew_by_a_line_keeps_one_row_of_each(tmp_path: Path) -> None:
    db = tmp_path / "razz.duckdb"
    bystander = "Seat 4: Carla ($40 in chips) is sitting out\n"
    text = twelve(7).replace("Ann: posts", f"{bystander}Ann: posts", 1).rstrip("\n")
    write(tmp_path, a=text)
    razzstats("import", tmp_path / "a.txt", "--db", db)
    with Database.open(db, read_only=True) as database:
        before = stored(database)
    assert {name: len(rows) for name, rows in before.items()} == {
        "hand_luck": 1, "player_luck": 2, "starting_hands": 2, "decisions": 11, "spots": 10,
    }  # fmt: skip
    write(tmp_path, a=f"{text}\nSeat 4: Carla is sitting out\n")
    with Database.open(db) as database:
        (report,) = import_paths(database, [str(tmp_path / "a.txt")])
        assert (report.stored, report.duplicates, report.conflicts) == (0, 1, 0)
        assert counts(database) == dict.fromkeys(TABLES, 0)  # those of the shorter text are gone
    assert razzstats("import", tmp_path / "a.txt", "--db", db).code == 0
    with Database.open(db, read_only=True) as database:
        assert stored(database) == before


def test_a_hand_that_is_taken_out_again_takes_its_luck_along(tmp_path: Path) -> None:
    db, text = tmp_path / "razz.duckdb", twelve(7).rstrip("\n")
    assert text.endswith("Seat 3: Bob folded on the 3rd Street")
    write(tmp_path, a=twelve(4) + text)
    razzstats("import", tmp_path / "a.txt", "--db", db)
    assert counts_in(db) == {
        "hand_luck": 2, "player_luck": 4, "starting_hands": 4, "decisions": 24, "spots": 22,
    }  # fmt: skip
    write(tmp_path, a=twelve(4) + text + " (didn't bet)\n")  # but he brought in
    run = razzstats("import", tmp_path / "a.txt", "--db", db, "--strict")
    assert run.code == 1
    assert "RZ605" in run.err
    assert counts_in(db) == {
        "hand_luck": 1, "player_luck": 2, "starting_hands": 2, "decisions": 13, "spots": 12,
    }  # fmt: skip


def test_half_a_hand_is_measured_when_it_is_whole(tmp_path: Path) -> None:
    db = tmp_path / "razz.duckdb"
    write(tmp_path, a=half_a_hand(1))
    razzstats("import", tmp_path / "a.txt", "--db", db)
    assert counts_in(db) == dict.fromkeys(TABLES, 0)
    write(tmp_path, a=hand(1))
    razzstats("import", tmp_path / "a.txt", "--db", db)
    assert counts_in(db) == {
        "hand_luck": 1, "player_luck": 0, "starting_hands": 1, "decisions": 2, "spots": 1,
    }  # fmt: skip


# ---- databases of an earlier version


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database as it was before anything was measured."""
    path = tmp_path / "old.duckdb"
    with monkeypatch.context() as earlier:
        earlier.setattr(storage, "MIGRATIONS", MIGRATIONS[:1])
        with Database.open(path) as database, database.transaction():
            texts = [twelve(number) for number in range(1, 13)]
            database.insert_hands([hand_rows(clean(text), 1, None) for text in texts])
            assert not {*TABLES} & {name for (name,) in database.rows("SHOW TABLES")}
    return path


@pytest.mark.parametrize("arguments", [("stats", "luck"), ("report",)])
def test_an_old_database_asks_for_an_import(old: Path, arguments: tuple[str, ...]) -> None:
    run = razzstats(*arguments, "--db", old)
    assert (run.code, run.out) == (3, "")
    assert run.err == (
        f"razzstats: {old} is from an older razzstats (schema 1 of {MIGRATIONS[-1].version}); "
        "`razzstats import` brings it up to date\n"
    )


def test_an_import_brings_an_old_database_up_to_date_and_measures_it(
    old: Path, tmp_path: Path
) -> None:
    write(tmp_path, a=hand(501))
    run = razzstats("import", TWELVE, tmp_path / "a.txt", "--db", old)
    assert run.code == 0
    assert run.out.startswith("2 files, 13 Razz hands: 1 stored, 12 known already, ")
    with Database.open(old, read_only=True) as database:
        assert count_unmeasured(database) == 0
        assert database.rows("SELECT count(*) FROM hands") == [(13,)]
        versions = database.rows("SELECT version FROM schema_migrations ORDER BY version")
        assert versions == [(migration.version,) for migration in MIGRATIONS]
    assert counts_in(old) == {
        "hand_luck": 13, "player_luck": 6, "starting_hands": 15, "decisions": 63, "spots": 38,
    }  # fmt: skip


# ---- who acts first and last on a street, and whose bet is delayed

CHOICES = {"fold", "check", "call", "complete", "bet", "raise"}
WAGERS = {"complete", "bet", "raise"}
SIMULATED = (
    (100, 6, Setup()),
    (60, 8, Setup(tournament=TournamentPlan(number="3900000001"), first_number=400_000_000_000)),
    (90, 2, Setup(stakes=usual_stakes(EUROS, 50), buy_in=(1.0, 6.0), first_number=500_000_000_000)),
    (90, 3, Setup(first_number=600_000_000_000)),
)


@pytest.fixture(scope="module")
def played() -> list[ReplayedHand]:
    """Simulated hands, and the samples of all rooms."""
    files = sorted(file for file in SAMPLES.rglob("*.*") if file.suffix != ".md")
    samples = [checked.replayed for file in files for checked in check_file(file)]
    simulated = [
        clean(render_hand(hand))
        for number, (count, players, setup) in enumerate(SIMULATED)
        for hand in simulate_hands(count, players, seed=number, setup=setup)
    ]
    known = {hand.parsed.hand_id: hand for hand in (*simulated, *samples) if hand is not None}
    return list(known.values())


def followed(hand: ReplayedHand) -> list[tuple[int, int, int, bool, bool, bool, int]]:
    """Return street, seat, which of his decisions it is, acts first, last, delayed, own wagers."""
    by_street: dict[int, list[tuple[int, str]]] = {street: [] for street in range(1, 8)}
    for action in hand.actions:
        if str(action.kind) in CHOICES:
            by_street[int(action.street)].append((action.seat, str(action.kind)))
    wagerers = {
        street: [seat for seat, kind in chosen if kind in WAGERS]
        for street, chosen in by_street.items()
    }
    found = []
    for street in range(3, 8):
        seats = [seat for seat, _ in by_street[street]]
        order = list(dict.fromkeys(seats))  # by their first decisions
        two_before = wagerers[street - 2] if not wagerers[street - 1] else []
        for place, seat in enumerate(seats):
            acts_first, acts_last = seat == order[0], seat == order[-1]
            delayed = two_before[-1:] == [seat]
            turn = seats[: place + 1].count(seat)
            own = sum(each == (seat, kind) for each in by_street[street][:place] for kind in WAGERS)
            found.append((street, int(seat), turn, acts_first, acts_last, delayed, own))
    return found


def test_the_order_of_action_is_what_plain_python_follows(played: list[ReplayedHand]) -> None:
    with Database.in_memory() as database:
        database.insert_hands([hand_rows(hand, 1, None) for hand in played])
        measure_hands(database)
        found = database.rows(
            """SELECT hands.site, hand_no, street, seat, turn, acts_first, acts_last, delayed,
                own_wagers
            FROM decisions JOIN hands USING (hid) ORDER BY hands.site, hand_no, seq"""
        )
    ids = sorted(((hand.parsed.hand_id, hand) for hand in played),
                 key=lambda each: (each[0].site, each[0].number))  # fmt: skip
    expected = [(id.site, id.number, *row) for id, hand in ids for row in followed(hand)]
    assert len(found) == len(expected) > 3_000
    assert found == expected
    for street in range(3, 8):
        marks = [row[5:] for row in found if row[2] == street]
        order = {(acts_first, acts_last) for acts_first, acts_last, *_ in marks}
        assert order >= {(True, False), (False, True), (False, False)}, street
        late = {delayed for _, _, delayed, _ in marks}
        assert {own for *_, own in marks} >= {0, 1}, street
        assert late == ({False} if street < 5 else {False, True}), street


# ---- whoever asks first


@contextmanager
def held_by_a_reader(path: Path) -> Iterator[None]:
    """Let another process read the database, so that nobody can write it."""
    code = (
        "import duckdb, sys\n"
        f"held = duckdb.connect({str(path)!r}, read_only=True)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield


COMMANDS = [
    ("stats", "luck"),
    ("stats", "overview"),
    ("stats", "starting-hands"),
    ("stats", "third-street"),
    ("stats", "street-rates"),
    ("report",),
]


def same(one: Run, other: Run) -> bool:
    return (one.code, one.out, one.err) == (other.code, other.out, other.err)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_whoever_asks_first_measures(db: Path, arguments: tuple[str, ...]) -> None:
    first = razzstats(*arguments, "--db", db)
    assert first.code == 0
    assert counts_in(db) == MEASURED
    before = db.read_bytes()
    assert same(razzstats(*arguments, "--db", db), first)
    assert db.read_bytes() == before


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_what_cannot_be_measured_now_is_told_and_the_rest_is_shown(
    db: Path, arguments: tuple[str, ...]
) -> None:
    with held_by_a_reader(db):
        run = razzstats(*arguments, "--db", db)
    assert run.code == 0
    assert run.out
    remark, *_ = run.err.splitlines()
    assert remark.startswith(
        f"luck and decisions of 12 hands are not measured yet: {db} is in use by "
    )
    assert counts_in(db) == dict.fromkeys(TABLES, 0)
    later = razzstats(*arguments, "--db", db)
    assert "not measured" not in later.err
    assert later.out != run.out


def test_what_is_not_measured_counts_as_luck_that_is_not_known(db: Path) -> None:
    with held_by_a_reader(db):
        run = razzstats("report", "--db", db)
    assert re.search(r"^Luck\nNo showdown could be measured: ", run.out, re.MULTILINE)
    values = [
        line.split()[-4:]
        for line in run.out.splitlines()
        if line.startswith(("Big bets per 100", "Luck-adjusted"))
    ]
    assert values[0] == values[1]  # nothing is taken out


def test_readers_of_a_measured_database_do_not_need_to_write(db: Path) -> None:
    measured = razzstats("stats", "luck", "--db", db)
    with held_by_a_reader(db):
        assert same(razzstats("stats", "luck", "--db", db), measured)


def test_a_report_on_files_is_measured_in_memory(db: Path) -> None:
    before = db.read_bytes()
    read = razzstats("report", TWELVE, "--db", db)
    assert db.read_bytes() == before
    assert "3 of 3 showdowns were measured" in " ".join(read.out.split())
    assert read.out == razzstats("report", "--db", db).out


# ---- what cannot be measured


def test_mucked_cards_that_nobody_saw_are_not_measured(tmp_path: Path) -> None:
    write(tmp_path, a=mucked() + twelve(7))
    db = tmp_path / "razz.duckdb"
    assert razzstats("import", tmp_path / "a.txt", "--db", db, "--strict").code == 0
    with Database.open(db, read_only=True) as database:
        found = database.rows(
            "SELECT hand_no, kind, street, measured, exact FROM hand_luck JOIN hands USING (hid)"
            " ORDER BY hand_no"
        )
        assert found == [("4", "last card", 6, False, None), ("7", "last card", 6, True, True)]
        players = database.rows("SELECT DISTINCT hand_no FROM player_luck JOIN hands USING (hid)")
        assert players == [("7",)]
        row = luck_table(database, Filters()).to_dict("records")[-1]
    assert (row["hands"], row["measured"], row["won_measured"]) == (2, 1, 0.5)
    assert row["pots_measured"] == pytest.approx(2.80 / (2.80 + 12.80))


def test_a_hand_without_a_showdown_is_looked_at_once(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1))
    with Database.in_memory() as database:
        import_paths(database, [str(tmp_path / "a.txt")])
        assert measure_hands(database) == 1
        ((hid, *rest),) = database.rows("SELECT * FROM hand_luck")
        assert rest == [None, None, None, None]
        assert database.rows("SELECT hid FROM hands") == [(hid,)]


def test_where_no_dealt_cards_are_written_nothing_is_known(tmp_path: Path) -> None:
    hidden = hand(1).replace("Dealt to Anna [2c 3d 4h]", "Dealt to Anna [4h]")
    write(tmp_path, a=hidden)
    with Database.in_memory() as database:
        import_paths(database, [str(tmp_path / "a.txt")])
        assert measure_hands(database) == 1
        assert counts(database) == {
            "hand_luck": 1, "player_luck": 0, "starting_hands": 0, "decisions": 2, "spots": 0,
        }  # fmt: skip


def test_starting_hands_are_rated_only_in_games_with_the_same_ranking(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1) + twelve(4))
    with Database.in_memory() as database:
        (report,) = import_paths(database, [str(tmp_path / "a.txt")], RULE_SETS["ace-to-six"])
        assert report.stored == 2
        assert measure_hands(database) == 2
        assert counts(database) == {
            "hand_luck": 2, "player_luck": 2, "starting_hands": 0, "decisions": 15, "spots": 13,
        }  # fmt: skip
        ((total,),) = database.rows("SELECT sum(luck) FROM player_luck")
        assert total == pytest.approx(0)
        assert starting_hand_table(database, Filters(game="ace-to-six", all_players=True)).empty


def test_jobs_change_nothing_in_what_is_measured(tmp_path: Path) -> None:
    folder = SAMPLES / "fulltilt"
    found = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.duckdb"
        assert razzstats("import", folder, "--db", path, "--jobs", jobs).code == 0
        with Database.open(path, read_only=True) as database:
            found.append(stored(database))
    assert found[0] == found[1]
    assert all(found[0].values())


def test_what_is_measured_does_not_depend_on_what_is_measured_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = []
    for batch in (2_000, 7):
        monkeypatch.setattr("razzstats.measuring._BATCH", batch)
        with Database.in_memory() as database:
            import_paths(database, [str(SAMPLES / "pokerstars")])
            measure_hands(database)
            tables = ("starting_hands", "player_luck", "hand_luck", "decisions", "spots")
            found.append([database.rows(f"SELECT * FROM {table} ORDER BY ALL") for table in tables])
    assert found[0] == found[1]
