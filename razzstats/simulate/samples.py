"""The sample sessions of the project: how each file of them is made."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from razzstats.chips import PLAY_MONEY
from razzstats.events import Stakes
from razzstats.simulate.payout import NO_RAKE, Rake
from razzstats.simulate.play import simulate_hands
from razzstats.simulate.setup import DOLLARS, EUROS, Setup, TournamentPlan, usual_stakes
from razzstats.simulate.text import render_hands


class SampleSession(NamedTuple):
    """One file of simulated hands."""

    file_name: str
    hands: int
    players: int
    seed: int
    setup: Setup
    byte_order_mark: bool = False
    """Whether the file begins with one, as the Windows client's files do."""


def _stakes(small_bet: int, ante: int, bring_in: int) -> Stakes:
    return usual_stakes(DOLLARS, small_bet, ante=ante, bring_in=bring_in)


SESSIONS: tuple[SampleSession, ...] = (
    SampleSession(
        "cash-0.04-0.08-eight-handed.txt",
        hands=80,
        players=8,
        seed=63,
        setup=Setup(
            stakes=_stakes(4, 1, 2),
            table="Alcor",
            start=datetime(2026, 1, 9, 19, 2, 40, tzinfo=UTC),
            first_number=261_004_817_330,
            hero_seat=5,
            talk=0.3,
        ),
        byte_order_mark=True,
    ),
    SampleSession(
        "cash-1-2-six-handed.txt",
        hands=75,
        players=6,
        seed=38,
        setup=Setup(
            stakes=_stakes(100, 20, 50),
            table="Wezen IV",
            # The clocks of New York go forward during this session.
            start=datetime(2026, 3, 8, 5, 48, 3, tzinfo=UTC),
            first_number=261_690_122_075,
            hero_seat=2,
            rake=Rake(5, 100),
        ),
    ),
    SampleSession(
        "cash-heads-up-short-stacks.txt",
        hands=60,
        players=2,
        seed=19,
        setup=Setup(
            stakes=_stakes(50, 10, 25),
            table="Adhara III",
            start=datetime(2026, 2, 14, 23, 30, 11, tzinfo=UTC),
            first_number=261_398_550_902,
            hero_seat=1,
            buy_in=(1.5, 8.0),
            rake=Rake(5, 50),
        ),
    ),
    SampleSession(
        "home-game-euro-horse.txt",
        hands=30,
        players=4,
        seed=109,
        setup=Setup(
            stakes=usual_stakes(EUROS, 10, ante=2, bring_in=5),
            table="Mizar",
            club="Low Brow Club",
            mixed_game="HORSE",
            start=datetime(2026, 4, 21, 20, 15, tzinfo=UTC),
            first_number=262_011_640_418,
            hero_seat=6,
            rake=NO_RAKE,
            talk=0.4,
        ),
    ),
    SampleSession(
        "play-money-observed.txt",
        hands=20,
        players=5,
        seed=118,
        setup=Setup(
            stakes=usual_stakes(PLAY_MONEY, 100),
            table="Procyon II",
            start=datetime(2026, 5, 2, 11, 40, 27, tzinfo=UTC),
            first_number=262_120_005_133,
            hero=None,
        ),
    ),
    SampleSession(
        "tournament-one-table.txt",
        hands=120,
        players=8,
        seed=103,
        setup=Setup(
            tournament=TournamentPlan(number="3900000411", hands_per_level=8),
            start=datetime(2026, 5, 30, 17, 0, 5, tzinfo=UTC),
            first_number=262_455_917_240,
            hero_seat=3,
        ),
    ),
)


def sample_sessions() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each sample file, always the same."""
    for session in SESSIONS:
        hands = simulate_hands(session.hands, session.players, session.seed, session.setup)
        mark = "\ufeff" if session.byte_order_mark else ""
        yield session.file_name, mark + "".join(render_hands(hands))


def write_samples(folder: Path | str) -> None:
    """Write the sample files anew, byte for byte the same wherever this runs."""
    for file_name, text in sample_sessions():
        Path(folder, file_name).write_bytes(text.encode("utf-8"))
