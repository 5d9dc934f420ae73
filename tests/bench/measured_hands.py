"""The hands that are measured: simulated sessions, and the real samples, as files in a folder.

No two sessions have the same names, stakes, stacks or time, so that a reader that remembers what it
read before gains no more from them than from the files of a player.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from hands import SAMPLES

from razzstats.chips import PLAY_MONEY
from razzstats.simulate import (
    DOLLARS,
    EUROS,
    NO_RAKE,
    Rake,
    Setup,
    TournamentPlan,
    render_hand,
    simulate_hands,
    usual_stakes,
)

HANDS_A_SESSION = 200
REAL_FOLDER = "real"

_SEATS = (2, 3, 4, 5, 6, 6, 6, 7, 8, 8, 8)
_SMALL_BETS = (2, 4, 10, 25, 50, 100, 200, 300, 500, 1000, 3000)  # cents
_TABLES = ("Halley", "Wezen IV", "It's 'Quoted'", "Adhara III", "Ḥamal", "Seat 3: x (2 in chips)")
_START = datetime(2019, 10, 1, 18, tzinfo=UTC)
_BETWEEN_SESSIONS = timedelta(hours=11, minutes=37)
_FIRST_NUMBER = 300_000_000_000
_NUMBERS_A_SESSION = 100_000_000

HOSTILE_NAMES = (
    "x",
    "x: folds",
    "Dealt to x",
    "Seat 1",
    "*** RIVER ***",
    "*** SUMMARY ***",
    'a said, "b"',
    "J [5c]",
    "y collected $1",
    "z: shows [Ac]",
    "raises $2 to",
    "(button)",
    "$5 in chips",
    "Uncalled bet",
    "<b>&\"' </b>",
    "=cmd|' /C'!A0",
    "Ace is all-in",
    "Дед Мазай",
    "Ngọc Lâm",
    "王牌 lowball",
    "ラズの王",
    "עמית 7",
    "e\u0301toile",
    "🂡 wheel 🂲",
)
"""Names that look like something else in the text; none makes a line that can be read two ways."""

_FIRST_WORDS = (
    "low", "wheel", "brick", "deuce", "razz", "bad", "old", "mrs.", "Señor", "Jörg", "O'", "blue",
    "slow", "Zoë", "third", "the",
)  # fmt: skip
_LAST_WORDS = (
    "baller", "fate", "nine", "trey", "painter", "Škoda", "hound", "caps", "folder", "river",
    "otter", "7654A", "king",
)  # fmt: skip


def name_pool(size: int, chance: Random) -> list[str]:
    """Return so many different names, the hostile ones among them."""
    names = dict.fromkeys(HOSTILE_NAMES[:size])
    while len(names) < size:
        first, last = chance.choice(_FIRST_WORDS), chance.choice(_LAST_WORDS)
        number = chance.choice(("", chance.randrange(10), chance.randrange(10_000)))
        names[f"{first}{chance.choice(('', ' ', '_', '.'))}{last}{number}"] = None
    return list(names)


def session_texts(hands: int, seed: int) -> Iterator[str]:
    """Yield the texts of simulated sessions, which have so many hands together."""
    chance = Random(seed)
    pool = name_pool(300 + hands // 10, chance)
    session = 0
    while hands:
        setup = _setup(session, pool, chance)
        wanted = min(HANDS_A_SESSION, hands)
        played = simulate_hands(wanted, chance.choice(_SEATS), chance.randrange(2**32), setup)
        texts = [render_hand(hand) for hand in played]  # a tournament may end before
        yield "".join(texts)
        hands -= len(texts)
        session += 1


def _setup(session: int, pool: list[str], chance: Random) -> Setup:
    money = chance.choice((DOLLARS, DOLLARS, DOLLARS, EUROS))
    least = chance.uniform(1.5, 20)
    setup = Setup(
        stakes=usual_stakes(money, chance.choice(_SMALL_BETS)),
        table=chance.choice(_TABLES),
        start=_START + session * _BETWEEN_SESSIONS + timedelta(seconds=chance.randrange(4 * 3600)),
        first_number=_FIRST_NUMBER
        + session * _NUMBERS_A_SESSION
        + chance.randrange(_NUMBERS_A_SESSION // 2),
        names=tuple(chance.sample(pool, 60)),
        buy_in=(least, least + chance.uniform(1, 25)),
        rake=chance.choice((NO_RAKE, Rake(), Rake(5, 100))),
        talk=chance.uniform(0, 0.4),
    )
    return _at_another_table(setup, session, chance)


def _at_another_table(setup: Setup, session: int, chance: Random) -> Setup:
    """Return the setup, now and then made one of another kind than a cash game for money."""
    kind = session % 8
    if kind == 3:
        return replace(setup, club="Low {Brow} Club", mixed_game=chance.choice(("HORSE", "8-Game")))
    if kind == 5:
        return replace(setup, stakes=usual_stakes(PLAY_MONEY, 100), hero=None)
    if kind == 7:
        plan = TournamentPlan(number=str(3_900_000_000 + session))
        return replace(setup, tournament=plan)
    return setup


def write_hands(folder: Path, hands: int, seed: int = 1, *, real: bool = True) -> list[Path]:
    """Write a file a session, and the real samples beside them; return the sessions' files."""
    folder.mkdir(parents=True)
    files = []
    for number, text in enumerate(session_texts(hands, seed)):
        files.append(folder / f"session-{number:05}.txt")
        files[-1].write_bytes(text.encode("utf-8"))
    if real:
        below = folder / REAL_FOLDER
        below.mkdir()
        for sample in sorted((SAMPLES / "pokerstars").glob("*.txt")):
            (below / sample.name).write_bytes(sample.read_bytes())
    return files


def write_one_file(file: Path, sessions: Iterable[Path], times: int = 1) -> None:
    """Write the hands of sessions into one file, ``times`` over, each time with other numbers."""
    paths = list(sessions)
    with open(file, "wb") as stream:
        for time in range(times):
            for path in paths:
                stream.write(_renumbered(path.read_bytes(), time))


def _renumbered(text: bytes, time: int) -> bytes:
    return re.sub(rb"(?m)^(PokerStars [A-Za-z ]*#)([0-9]+):", rb"\g<1>%d\g<2>:" % (time + 1), text)
