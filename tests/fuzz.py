"""Bytes nobody meant to be read: hand histories damaged at random, and what reading must not do.

`python tests/fuzz.py SECONDS [SEED]` reads as many as it can and prints how many; with `--atheris`
in front (a coverage-guided fuzzer, not among the test extras) new ways through the code are sought.
What is found is written beside the other finds in tests/fuzz_finds, which a test reads for ever.
"""

import io
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from unittest.mock import patch

from razzstats.pipeline import ACCEPTED, Outcome, read_file
from razzstats.sources import STANDARD_INPUT

TESTS = Path(__file__).parent
FINDS = TESTS / "fuzz_finds"
SAMPLES = TESTS.parent / "sample_histories"
LONGEST = 40_000  # bytes of one input: a few hands
HANG = 20  # seconds for one input; the usual one takes a few milliseconds


class Hang(Exception):
    """Reading one input took longer than any could."""


class _Input:
    """Standard input with these bytes."""

    def __init__(self, content: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(content))


def outcomes_of(content: bytes) -> list[Outcome]:
    """Read the bytes as a file; our own mistakes come out as exceptions."""
    with patch.object(sys, "stdin", _Input(content)):
        return list(read_file(STANDARD_INPUT, raise_errors=True))


def must_hold(content: bytes) -> Counter[str]:
    """Read the bytes and check what holds for any; return how many outcomes of each kind."""
    found = outcomes_of(content)
    assert found, "nothing is said of the file"
    for outcome in found:
        if outcome.status in ACCEPTED:
            assert outcome.hand is not None
            nets = [result.net for result in outcome.hand.results]
            assert sum(nets) + outcome.hand.rake == 0, "chips are lost or made"
            assert outcome.hand.rake >= 0
        elif outcome.status != "other-game":
            assert outcome.diagnostics, f"{outcome.status} without a reason"
        for each in outcome.diagnostics:
            assert each.message
            if outcome.text is not None and each.span is not None:
                last = outcome.text.first_line + len(outcome.text.lines) - 1
                assert outcome.text.first_line <= each.span.line <= last
    return Counter(str(outcome.status) for outcome in found)


# ---- damaging


def seeds(folders: Sequence[Path] = (SAMPLES,)) -> list[bytes]:
    """Return the beginnings of all history files, the same for every run."""
    files = sorted(file for folder in folders for file in folder.rglob("*.*") if file.is_file())
    return [file.read_bytes()[:LONGEST] for file in files]


WORDS = (
    b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\n\n", b"\t", b"\x1b[2J",
    "\u202e".encode(), "é".encode(), b"0", b"-1", b"00", b"1e9", b"9" * 40, b"0.005", b"1,000",
    b"1.000,50", b"$", "€".encode(), b"[", b"]", b"[]", b"[Xx]", b"[As As]", b"Ks", b"(", b")",
    b": ", b"X", b"null", b" folds", b": folds", b" and is all-in", b", and is all in", b"Seat 1: ",
    b"Seat 0: ", b"Seat 99: ", b"*** SUMMARY ***", b"*** SHOW DOWN ***", b"*** 3rd STREET ***",
    b"</game>", b"<game id=\"1-1\">", b"&lt;", b"<!DOCTYPE x [<!ENTITY a \"b\">]>",
    b"variant = 'FR'", b"[1]", b"p1 cbr 1", b"'''", b"\"", b"#", b"a" * 300,
)  # fmt: skip

Damage = Callable[[bytearray, random.Random, Sequence[bytes]], None]


def _somewhere(text: bytearray, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(text) + 1)
    return start, min(len(text), start + chance.choice([1, 2, 5, 20, 200]))


def _flip(text: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    if text:
        text[chance.randrange(len(text))] = chance.randrange(256)


def _drop(text: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    start, end = _somewhere(text, chance)
    del text[start:end]


def _double(text: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    start, end = _somewhere(text, chance)
    text[start:start] = text[start:end] * chance.choice([1, 1, 1, 3, 50])


def _word(text: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    start, end = _somewhere(text, chance)
    text[start : chance.choice([start, end])] = chance.choice(WORDS)


def _splice(text: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    other = chance.choice(others)
    start, end = _somewhere(bytearray(other), chance)
    text[slice(*_somewhere(text, chance))] = other[start : end + chance.choice([0, 500])]


def _lines(text: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    lines = bytes(text).split(b"\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines[one], lines[two] = lines[two], lines[one]
        case 1:
            lines.insert(one, lines[two])
        case 2:
            del lines[one]
        case _:
            lines[one] = chance.choice(chance.choice(others).split(b"\n"))
    text[:] = b"\n".join(lines)


def _number(text: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    digits = [place for place, byte in enumerate(text) if 48 <= byte <= 57]
    if digits:
        text[chance.choice(digits)] = chance.randrange(48, 58)


def _cut(text: bytearray, chance: random.Random, others: Sequence[bytes]) -> None:
    del text[chance.randrange(len(text) + 1) :]


DAMAGES: Sequence[Damage] = (
    _flip, _drop, _double, _word, _word, _splice, _lines, _lines, _number, _number, _cut,
)  # fmt: skip


def damaged(chance: random.Random, texts: Sequence[bytes]) -> bytes:
    """Return one of the texts, or some hands of it, with one to eight damages."""
    text = bytearray(chance.choice(texts))
    hands = bytes(text).split(b"\n\n\n")
    if chance.random() < 0.8:  # mostly one hand, so that many are tried
        text = bytearray(chance.choice(hands) + b"\n")
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        chance.choice(DAMAGES)(text, chance, texts)
    if chance.random() < 0.03:
        text = bytearray(bytes(text).decode("utf-8", "replace").encode("utf-16"))
    return bytes(text[:LONGEST])


# ---- running


def _hang(number: int, frame: FrameType | None) -> None:
    raise Hang


def try_one(content: bytes) -> Counter[str]:
    """Read one input, which may neither raise nor hang; keep it if it does."""
    signal.signal(signal.SIGALRM, _hang)
    signal.alarm(HANG)
    try:
        return must_hold(content)
    except BaseException:
        FINDS.mkdir(exist_ok=True)
        (FINDS / f"{hash(content) & 0xFFFFFFFF:08x}.bin").write_bytes(content)
        raise
    finally:
        signal.alarm(0)


def run_for(seconds: float, seed: int, folders: Sequence[Path] = (SAMPLES,)) -> None:
    """Read damaged texts for so many seconds; print what came of them."""
    chance, texts = random.Random(seed), seeds(folders)
    total: Counter[str] = Counter()
    finds: Counter[str] = Counter()
    number, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        number += 1
        try:
            total += try_one(damaged(chance, texts))
        except Exception as error:
            finds[f"{type(error).__name__}: {error}"[:200]] += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{number} inputs, {dict(total)}, at most {peak} MiB")
    for find, times in finds.most_common():
        print(f"  {times} x {find}")


def _with_atheris(arguments: list[str]) -> None:
    import atheris

    def test_one(content: bytes) -> None:
        must_hold(content[:LONGEST])

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *arguments], test_one)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--atheris"]:
        _with_atheris(sys.argv[2:])
    else:
        run_for(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
