"""`razzstats variance`: courses of hands drawn from a player's own, in every format."""

import csv
import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli import Run, hand, razzstats, write

from razzstats.simulate import Setup, render_hand, simulate_hands
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.stats.money import played_hands
from razzstats.stats.resampling import simulate
from razzstats.storage import Database

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
KEYS = [
    "measure", "hands", "p2_5", "p25", "p50", "p75", "p97_5", "loss", "loss_low", "loss_high",
    "courses", "seed", "real_hands", "blocks",
]  # fmt: skip
SESSIONS, HANDS = 32, 8


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of 256 simulated hands in 32 sessions, one a day."""
    folder = tmp_path_factory.mktemp("variance")
    for day in range(SESSIONS):
        setup = Setup(
            table=f"Halley {day}",
            start=datetime(2026, 1, 9, tzinfo=UTC) + timedelta(days=day),
            first_number=261_000_000_000 + 1_000 * day,
        )
        texts = [render_hand(each) for each in simulate_hands(HANDS, 4, seed=day, setup=setup)]
        write(folder, **{f"day{day}": "".join(texts)})
    path = folder / "razz.duckdb"
    assert razzstats("import", folder, "--db", path).code == 0
    return path


def variance(db: Path, *arguments: str) -> Run:
    return razzstats("variance", *arguments, "--db", db)


def objects(db: Path, *arguments: str) -> list[dict[str, Any]]:
    run = variance(db, *arguments, "--format", "json")
    assert run.code == 0, run
    found = json.loads(run.out)
    assert isinstance(found, list)
    return found


def test_json_is_what_the_simulation_returns(db: Path) -> None:
    result, drawdown = objects(db, "--hands", "500", "--courses", "200", "--seed", "7")
    with Database.open(db, read_only=True) as database:
        played = played_hands(database, Filters())
    assert len(played.blocks.starts) == SESSIONS
    courses = simulate(played.blocks, hands=500, courses=200, seed=7)
    given = {"hands": 500, "courses": 200, "seed": 7, "real_hands": SESSIONS * HANDS,
             "blocks": SESSIONS}  # fmt: skip
    for row, values in ((result, courses.ends), (drawdown, courses.drawdowns)):
        assert list(row) == KEYS
        assert {key: row[key] for key in given} == given
        expected = np.percentile(values, [2.5, 25, 50, 75, 97.5]).tolist()
        assert [row[key] for key in KEYS[2:7]] == pytest.approx(expected)
    assert (result["measure"], drawdown["measure"]) == ("result", "drawdown")
    lost = int((courses.ends < -1e-9).sum())
    assert 0 < lost < 200
    assert result["loss"] == lost / 200
    assert (result["loss_low"], result["loss_high"]) == pytest.approx(wilson(lost, 200))
    assert [drawdown[key] for key in ("loss", "loss_low", "loss_high")] == [None] * 3


def test_without_options_it_is_a_thousand_courses_of_ten_thousand_hands(db: Path) -> None:
    result, _ = objects(db)
    assert (result["hands"], result["courses"], result["seed"]) == (10_000, 1_000, 1)
    assert objects(db) == objects(db, "--seed", "1")
    assert objects(db, "--seed", "2") != objects(db)


def test_every_format_holds_the_same_rows(db: Path) -> None:
    short = ("--hands", "50", "--courses", "20")
    expected = objects(db, *short)
    lines = variance(db, *short, "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == expected
    rows = list(csv.DictReader(StringIO(variance(db, *short, "--format", "csv").out)))
    assert [[value or None for value in row.values()] for row in rows] == [
        [None if value is None else str(value) for value in row.values()] for row in expected
    ]


def test_the_table_has_what_json_has_and_says_what_it_rests_on(db: Path) -> None:
    arguments = ("--hands", "2000", "--courses", "300")
    result, drawdown = objects(db, *arguments)
    run = variance(db, *arguments)
    assert (run.code, run.is_plain) == (0, True)
    rows = [line.split() for line in run.out.splitlines() if line.strip()]
    heading, _, results, drawdowns, *_ = rows
    assert heading[:7] == ["After", "2,000", "hands,", "in", "big", "bets", "2.5"]
    assert results == ["Result", *(f"{result[key]:+,.1f}" for key in KEYS[2:7])]
    assert drawdowns[2:] == [f"{drawdown[key]:,.1f}" for key in KEYS[2:7]]
    words = " ".join(run.out.split())
    assert f"Loss in {100 * result['loss']:.1f} % of 300 courses" in words
    assert "All this rests on 256 hands." in words
    assert run.err.startswith("the hero: drawn from 256 hands in 32 sessions, as if the true ")
    assert " it may be anything from " in run.err


def test_the_table_fits_eighty_columns(db: Path) -> None:
    run = razzstats("variance", "--hands", "1000000", "--courses", "3", "--db", db,
                    variables={"COLUMNS": "80"})  # fmt: skip
    assert run.code == 0
    assert max(map(len, run.out.splitlines())) <= 80


def test_filters_choose_the_hands_that_are_drawn_from(db: Path) -> None:
    few = ("--hands", "100", "--courses", "10")
    result, _ = objects(db, *few, "--since", "2026-01-20", "--until", "2026-01-29")
    assert result["real_hands"] == 10 * HANDS
    result, _ = objects(db, *few, "--all-players")
    assert result["real_hands"] > 3 * SESSIONS * HANDS


def test_few_sessions_are_cut_into_pieces(db: Path) -> None:
    span = ("--since", "2026-01-20", "--until", "2026-01-29")
    run = variance(db, "--hands", "100", "--courses", "10", "--format", "json", *span)
    (result, _) = json.loads(run.out)
    # Of two hands each, so that there are thirty at least.
    assert result["blocks"] == 40
    assert "drawn from 80 hands in 10 sessions, cut into 40 pieces, " in run.err


# ---- too few hands


def test_too_few_hands_are_said_plainly_and_nothing_is_made_up(tmp_path: Path) -> None:
    path = tmp_path / "razz.duckdb"
    assert razzstats("import", TWELVE, "--db", path).code == 0
    run = variance(path)
    assert (run.code, run.out) == (0, "")
    assert run.err == "the hero: 11 hands, too few to draw from; it takes 30 or more\n"
    assert objects(path) == []
    run = variance(path, "--format", "csv")
    assert run.out == ",".join(KEYS) + "\n"
    run = variance(path, "--site", "winamax")
    assert (run.code, run.out) == (0, "")
    assert "winamax: 0 hands, too few to draw from" in run.err


@pytest.mark.parametrize(("stored", "rows"), [(29, 0), (30, 2)])
def test_thirty_hands_are_enough(tmp_path: Path, stored: int, rows: int) -> None:
    write(tmp_path, hands="".join(hand(number, minute=number) for number in range(1, stored + 1)))
    path = tmp_path / "razz.duckdb"
    assert razzstats("import", tmp_path, "--db", path).code == 0
    found = objects(path, "--hands", "10", "--courses", "5")
    assert len(found) == rows
    if rows:
        result, drawdown = found
        # Each hand wins three cents of a big bet of eight.
        assert result["p2_5"] == result["p97_5"] == pytest.approx(10 * 0.375)
        assert (result["loss"], drawdown["p97_5"]) == (0, 0)


# ---- wrong use


@pytest.mark.parametrize(
    "arguments",
    [("--hands", "0"), ("--hands", "2000000"), ("--courses", "0"), ("--courses", "-1"),
     ("--seed", "-1"), ("--hands", "many"), ("--door", "x")],
)  # fmt: skip
def test_wrong_arguments_are_refused(db: Path, arguments: tuple[str, ...]) -> None:
    run = variance(db, *arguments)
    assert (run.code, run.out) == (2, "")
    assert arguments[0] in run.sentence


def test_an_unknown_player_and_no_database_are_told(db: Path, tmp_path: Path) -> None:
    run = variance(db, "--hero", "Nobody")
    assert run.code == 2
    assert "no hand with a player named 'Nobody' is stored" in run.err
    run = variance(tmp_path / "none.duckdb")
    assert (run.code, run.out) == (2, "")
    assert "there is no database" in run.err
