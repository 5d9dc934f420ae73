"""The benchmark of reading, over few hands: its contenders do the same job, and it tells all."""

import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from hands import SAMPLES, hand_text, text_files

from razzstats.events import ParsedHand
from razzstats.locations import HandText
from razzstats.parsing import CUTTING
from razzstats.pipeline import ACCEPTED, read_hand
from razzstats.replay import ReplayedHand
from razzstats.simulate import NO_RAKE, Setup, render_hand, simulate_hands
from razzstats.sources import read_hands
from razzstats.storage import Database

sys.path.insert(0, str(Path(__file__).parent / "bench"))  # benchmarks import each other by name

import floor
from measured_hands import (
    HANDS_A_SESSION,
    HOSTILE_NAMES,
    REAL_FOLDER,
    name_pool,
    session_texts,
    write_hands,
)
from pokerkit_state import Script
from test_reading_speed import STAGES, Found, Spent, Stages, lines_of_table, measure

SIMULATED = 200


def good_hands(folder: Path) -> Iterator[ParsedHand]:
    """Yield the hands of PokerStars that count."""
    for file in text_files(folder):
        for text in read_hands(str(file), CUTTING):
            assert isinstance(text, HandText)
            outcome = read_hand(text)
            if outcome.status in ACCEPTED and outcome.parsed is not None:
                yield outcome.parsed


def places(hand: ParsedHand) -> list[tuple[int, int]]:
    """Return where everything stands, which equality leaves out."""
    lines = [(player.line, 0) for player in hand.players] + [(hand.summary.line, 0)]
    return lines + [(each.line, each.column) for each in (*hand.events, *hand.summary.seats)]


def assert_floor_reads_alike(hand: ParsedHand) -> None:
    by_floor = floor.parse(hand.text)
    assert by_floor == hand
    assert places(by_floor) == places(hand)
    assert by_floor.text is hand.text


# ---- the floor


def test_floor_reads_the_samples_as_the_parser_does() -> None:
    hands = list(good_hands(SAMPLES / "pokerstars"))
    assert len(hands) == 398
    for hand in hands:
        assert_floor_reads_alike(hand)


@pytest.mark.skipif("RAZZSTATS_CORPUS" not in os.environ, reason="RAZZSTATS_CORPUS is not set")
def test_floor_reads_the_real_hands_as_the_parser_does() -> None:
    hands = list(good_hands(Path(os.environ["RAZZSTATS_CORPUS"], "pokerstars")))
    assert hands
    for hand in hands:
        assert_floor_reads_alike(hand)


def test_floor_reads_simulated_hands_as_the_parser_does(tmp_path: Path) -> None:
    write_hands(tmp_path / "hands", SIMULATED, seed=7, real=False)
    hands = list(good_hands(tmp_path / "hands"))
    assert len(hands) == SIMULATED
    for hand in hands:
        assert_floor_reads_alike(hand)


def test_floor_reads_hostile_names_as_the_parser_does() -> None:
    for seed in range(10):
        setup = Setup(names=HOSTILE_NAMES, talk=1)
        for hand in simulate_hands(6, 8, seed, setup):
            outcome = read_hand(hand_text(render_hand(hand)))
            assert outcome.status in ACCEPTED, outcome.diagnostics
            assert outcome.parsed is not None
            assert_floor_reads_alike(outcome.parsed)


@pytest.mark.parametrize(("central_european", "utc"), [("6:30:00", 5), ("7:30:00", 6)])
def test_floor_reads_the_hour_that_comes_twice(central_european: str, utc: int) -> None:
    text = (SAMPLES / "pokerstars" / "edge-cet-time.txt").read_text(encoding="utf-8")
    time = f"2026/11/01 {central_european} CET [2026/11/01 1:30:00 ET]"
    changed = re.sub(r"- 20../../.. .*", f"- {time}", text, count=1)
    outcome = read_hand(hand_text(changed))
    assert outcome.parsed is not None
    assert outcome.parsed.played_at == datetime(2026, 11, 1, utc, 30, tzinfo=UTC)
    assert_floor_reads_alike(outcome.parsed)


# ---- PokerKit


def final_stacks(hand: ReplayedHand) -> list[int]:
    return [result.stack + result.net for result in hand.results]


def test_pokerkit_comes_to_our_stacks() -> None:
    showdowns = 0
    for hand in simulate_hands(24, 5, 11, Setup(rake=NO_RAKE)):
        outcome = read_hand(hand_text(render_hand(hand)))
        assert outcome.hand is not None
        assert Script.of(outcome.hand).play() == final_stacks(outcome.hand)
        showdowns += any(result.showdown for result in outcome.hand.results)
    assert showdowns > 3


# ---- the hands


def test_hands_are_the_same_each_time_and_differ_from_session_to_session(tmp_path: Path) -> None:
    hands = HANDS_A_SESSION + 10
    files = write_hands(tmp_path / "first", hands, seed=3)
    sessions = [file.read_text(encoding="utf-8") for file in files]
    assert sessions == list(session_texts(hands, seed=3))
    headers = [re.findall("(?m)^PokerStars .*", text) for text in sessions]
    assert list(map(len, headers)) == [HANDS_A_SESSION, 10]
    names = [set(re.findall(r"(?m)^Seat \d: (.*) \(.* in chips", text)) for text in sessions]
    assert len(names[0] & names[1]) < 4
    samples = {file.name for file in text_files(SAMPLES / "pokerstars")}
    assert {file.name for file in text_files(tmp_path / "first" / REAL_FOLDER)} == samples


def test_another_seed_makes_other_hands() -> None:
    assert list(session_texts(5, seed=3)) != list(session_texts(5, seed=4))


def test_the_pool_of_names_holds_the_hostile_ones() -> None:
    names = name_pool(500, Random(1))
    assert len(set(names)) == 500
    assert set(HOSTILE_NAMES) <= set(names)


# ---- the benchmark


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """All that the benchmark measures, with few hands."""
    return measure(tmp_path_factory.mktemp("reading"), 40, rounds=1, real=False)


def test_benchmark_measures_every_stage(found: Found) -> None:
    (spent,) = found.rounds
    assert set(spent) == set(STAGES)
    assert {each.hands for each in spent.values()} == {40}
    assert all(each.cpu > 0 and each.wall > 0 for each in spent.values())


def test_benchmark_tells_what_it_found(found: Found) -> None:
    lines = list(lines_of_table(found))
    print("\n".join(lines))
    assert lines[0].split() == ["times", "as", "quick", "by", "CPU", "by", "clock"]
    for name in (*STAGES, "parse / the floor", "peak memory", "one file of 400 hands"):
        assert any(line.startswith(name) for line in lines), name


def test_ratios_are_made_within_a_round() -> None:
    """A machine that is four times as slow in one round changes no ratio."""
    quick = {"parse": Spent(100, 2.0, 4.0), "parse: the floor": Spent(100, 1.0, 1.0)}
    slow = {stage: Spent(n, 4 * cpu, 4 * wall) for stage, (n, cpu, wall) in quick.items()}
    assert Found([quick, slow, slow]).ratio("parse", "parse: the floor") == (0.5, 0.25)
    assert Found([quick, slow, slow]).speeds("parse") == (12.5, 6.25)


@pytest.mark.parametrize(
    ("part", "instead"), [(": folds\n", ": checks\n"), ("*** SUMMARY ***", "***")]
)
def test_a_hand_that_is_not_taken_ends_the_benchmark(
    tmp_path: Path, part: str, instead: str
) -> None:
    (file,) = write_hands(tmp_path / "hands", 2, real=False)
    with Database.in_memory() as database:
        assert Stages(database).run([str(file)])["load into DuckDB"].hands == 2
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(part, instead), encoding="utf-8")
    with Database.in_memory() as database, pytest.raises((AssertionError, ValueError)):
        Stages(database).run([str(file)])
