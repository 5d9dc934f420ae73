"""What is written from a hand parses to the same hand; the samples are clean and made as said."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hands import SAMPLES, check, check_file, corpus_folder, hand_text, hands_of, text_files

from razzstats.chips import Money
from razzstats.events import Note, ParsedHand, Tournament
from razzstats.parsing import parse_hand
from razzstats.simulate import Setup, render_hand, simulate_hands, usual_stakes
from razzstats.simulate.samples import SESSIONS, sample_sessions, write_samples

POKERSTARS = SAMPLES / "pokerstars"
FILES = [file.name for file in text_files(POKERSTARS)]


def assert_round_trip(hand: ParsedHand) -> None:
    text = render_hand(hand)
    again = parse_hand(hand_text(text))
    assert again.value == hand, text
    assert render_hand(again.value) == text


# ---- the samples


@pytest.mark.parametrize("name", FILES)
def test_a_sample_has_no_diagnostic(name: str) -> None:
    for checked in check_file(POKERSTARS / name):
        if name == "edge-mixed-games.txt" and checked.parsed is None:
            assert checked.codes == ["other-game"]
        else:
            assert checked.is_clean, checked.explained()


@pytest.mark.parametrize("name", FILES)
def test_a_sample_makes_the_round_trip(name: str) -> None:
    parsed = [parse_hand(text).value for text in hands_of(POKERSTARS / name)]
    assert any(parsed)
    for hand in parsed:
        if hand is not None:
            assert_round_trip(hand)


@pytest.mark.parametrize("name", sorted({name for name in FILES if not name.startswith("edge-")}))
def test_a_simulated_sample_is_written_back_as_it_is(name: str) -> None:
    file = POKERSTARS / name
    written = "".join(
        render_hand(parsed) for text in hands_of(file) if (parsed := parse_hand(text).value)
    )
    assert written.encode() == file.read_bytes().removeprefix(b"\xef\xbb\xbf")


def test_a_simulated_sample_is_what_the_simulator_makes() -> None:
    for name, text in sample_sessions():
        assert (POKERSTARS / name).read_bytes() == text.encode("utf-8"), name


def test_write_samples_writes_the_sample_files(tmp_path: Path) -> None:
    write_samples(tmp_path)
    for session in SESSIONS:
        written = (tmp_path / session.file_name).read_bytes()
        assert written == (POKERSTARS / session.file_name).read_bytes()


def test_every_sample_is_made_or_an_edge_case() -> None:
    made = {session.file_name for session in SESSIONS}
    assert {name for name in FILES if not name.startswith("edge-")} == made


def test_the_readme_lists_every_sample_with_its_hands() -> None:
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([^`]+\.[a-z]+)` \| ([0-9]+) \|", readme, re.MULTILINE))
    files = [file for file in SAMPLES.glob("*/*.*") if file.is_file()]
    counted = {file.relative_to(SAMPLES).as_posix(): str(len(hands_of(file))) for file in files}
    assert listed == {name.removeprefix("pokerstars/"): number for name, number in counted.items()}


def test_no_sample_names_a_player_of_the_corpus() -> None:
    corpus = corpus_folder("pokerstars")
    real = {name for file in text_files(corpus) for name in _names(file)}
    own = {name for name in FILES for name in _names(POKERSTARS / name)}
    assert real
    assert own
    assert not real & own


def _names(file: Path) -> set[str]:
    seats = re.compile(r"^Seat [0-9]+: (.+) \([^ ]+ in chips\)", re.MULTILINE)
    return set(seats.findall(file.read_text(encoding="utf-8-sig")))


# ---- real hands


def test_real_hands_make_the_round_trip() -> None:
    count = 0
    for file in text_files(corpus_folder("pokerstars")):
        for text in hands_of(file):
            if (parsed := parse_hand(text).value) is not None:
                assert_round_trip(parsed)
                count += 1
    assert count >= 20


def test_real_hands_are_written_back_word_for_word() -> None:
    """Apart from the first line, where rooms say Game or Hand, and blanks at the end of lines."""
    for file in text_files(corpus_folder("pokerstars")):
        for text in hands_of(file):
            if (parsed := parse_hand(text).value) is not None:
                real = [line.rstrip() for line in text.lines[1:]]
                assert render_hand(parsed).rstrip("\n").split("\n")[1:] == real


# ---- headers


@pytest.fixture
def hand() -> ParsedHand:
    (hand,) = simulate_hands(1, 4, 8, Setup(talk=0.0))
    return hand


@pytest.mark.parametrize("currency", ["USD", "EUR", "GBP", "CAD"])
def test_currencies(currency: str) -> None:
    (hand,) = simulate_hands(1, 4, 8, Setup(stakes=usual_stakes(Money(currency, 2), 125)))
    assert_round_trip(hand)


@pytest.mark.parametrize("mixed_game", [None, "HORSE", "8-Game", "Triple Stud"])
@pytest.mark.parametrize("club", [None, "The Low Club", "{a} (b)"])
@pytest.mark.parametrize(
    "tournament",
    [
        None,
        Tournament(number="12", buy_in="$200+$15 USD", level="Level IV"),
        Tournament(number="12", buy_in="Freeroll", level="Match Round I, Level XXI"),
        Tournament(number="12", buy_in="", level=""),
        Tournament(number="12", buy_in="100+9", level=""),
    ],
)
def test_headers(club: str | None, mixed_game: str | None, tournament: Tournament | None) -> None:
    stakes = usual_stakes(Money("chips", 0) if tournament else Money("USD", 2), 50)
    (hand,) = simulate_hands(1, 4, 8, Setup(stakes=stakes, talk=0.0))
    assert_round_trip(replace(hand, club=club, mixed_game=mixed_game, tournament=tournament))


@pytest.mark.parametrize(
    "hours",
    range(-3, 4),
    ids=lambda hours: f"{hours:+} hours",
)
@pytest.mark.parametrize(
    "clock_change", [datetime(2026, 3, 8, 7, tzinfo=UTC), datetime(2026, 11, 1, 6, tzinfo=UTC)]
)
def test_times_around_a_change_of_the_clocks(
    hand: ParsedHand, clock_change: datetime, hours: int
) -> None:
    assert_round_trip(replace(hand, played_at=clock_change + timedelta(hours=hours)))


def test_a_hand_without_a_time(hand: ParsedHand) -> None:
    timeless = replace(hand, played_at=None)
    checked = check(render_hand(timeless))
    assert checked.parsed == timeless
    assert checked.codes == ["malformed-time"]


def test_a_table_with_quotes_in_its_name(hand: ParsedHand) -> None:
    assert_round_trip(replace(hand, table="It's 'Quoted' 8-max"))


def test_notes_keep_their_words(hand: ParsedHand) -> None:
    note = Note(text='somebody said, "*** SUMMARY *** and "more""')
    assert_round_trip(replace(hand, events=(*hand.events, note)))
