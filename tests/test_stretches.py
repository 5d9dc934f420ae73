"""Long files in stretches: read one behind the other they give what the whole file gives."""

import gzip
import hashlib
import os
from pathlib import Path

import pytest
from hands import SAMPLES
from hypothesis import given
from hypothesis import strategies as st

from razzstats.diagnostics import Diagnostic
from razzstats.locations import HandText
from razzstats.parsing import CUTTING
from razzstats.sources import (
    WHOLE_FILE,
    Stretch,
    Survey,
    find_files,
    read_hands,
    read_stretch,
    survey,
)

CORPUS = os.environ.get("RAZZSTATS_CORPUS")
HISTORIES = [str(file) for file in find_files([str(SAMPLES), *([CORPUS] if CORPUS else [])])]
LENGTHS = (1, 700, 5_000, 60_000)


@pytest.fixture(params=(300, 1 << 16))
def buffer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many bytes are looked at together: lines that stand across the edge are another way."""
    monkeypatch.setattr("razzstats.sources.stretches._BUFFER", request.param)
    return int(request.param)


def surveyed(file: str, length: int) -> Survey:
    found = survey(file, CUTTING, length)
    assert isinstance(found, Survey)
    return found


def read_apart(file: str, stretches: list[Stretch]) -> list[HandText | Diagnostic]:
    return [text for stretch in stretches for text in read_stretch(file, stretch, CUTTING)]


@pytest.mark.parametrize("length", LENGTHS)
def test_stretches_give_what_the_whole_file_gives(length: int, buffer: int) -> None:
    parted = 0
    for file in HISTORIES:
        stretches = surveyed(file, length).stretches
        assert read_apart(file, stretches) == list(read_hands(file, CUTTING)), file
        parted += len(stretches) > 1
    assert parted > (20 if length < buffer == 300 else 0)


def test_stretches_follow_one_another_and_are_of_the_length(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_bytes(b"".join((SAMPLES / "pokerstars" / "cash-1-2-six-handed.txt").read_bytes()
                              for _ in range(40)))  # fmt: skip
    found = surveyed(str(file), 50_000)
    ends = [stretch.end for stretch in found.stretches]
    assert [0, *ends[:-1]] == [stretch.start for stretch in found.stretches]
    assert ends[-1] is None
    lengths = [end - start for start, end, _ in found.stretches if end is not None]
    assert len(lengths) > 5
    assert all(50_000 <= length < 125_000 for length in lengths)


def test_a_survey_has_the_size_and_the_hash_of_the_file(tmp_path: Path) -> None:
    for name, content in {
        "no hands.txt": b"no hand\n" * 50_000,
        "short.txt": b"PokerStars Hand #1\n" * 50,
        "empty.txt": b"",
        "packed.gz": gzip.compress(b"no hand\n" * 50_000),
    }.items():
        file = tmp_path / name
        file.write_bytes(content)
        found = surveyed(str(file), 1_000)
        assert found == Survey(hashlib.sha256(content).hexdigest(), len(content), [WHOLE_FILE])


def test_what_cannot_be_read_is_a_diagnostic(tmp_path: Path) -> None:
    for place in (tmp_path / "none.txt", tmp_path):
        found = survey(str(place), CUTTING, 1_000)
        assert isinstance(found, Diagnostic)
        assert found.code.name == "unreadable-file"


PIECES = (
    b"PokerStars Hand #1: Razz Limit ($1/$2 USD) - 2012/05/23 17:24:52 ET\n",
    b"PokerStars Hand #2: Razz Limit ($1/$2 USD) - 2012/05/23 17:25:52 ET\r\n",
    b"variant = 'R'\n",
    b"# Spielbank\n",
    b"<game id=\"1\">\n",
    b"<session>\n",
    b"<description type=\"Razz\" stakes=\"Razz ($1/$2)\"/>\n",
    b"Seat 1: a\n",
    b"\n",
    b"  \n" * 40,
    b"\n" * 70_000,
    b"\0\0\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe\x81\n",
    "Ñandú €\n".encode("cp1252"),
    b"x" * 70_000,
    b"y" * 70_000 + b"\n",
    b"z\n" * 5_100,
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.sampled_from((1, 80, 3_000)))
def test_whatever_stands_in_a_file_is_read_the_same(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], length: int
) -> None:
    file = tmp_path_factory.getbasetemp() / "pieces.txt"
    file.write_bytes(b"".join(pieces))
    whole = list(read_hands(str(file), CUTTING))
    for buffer in (300, 1 << 16):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("razzstats.sources.stretches._BUFFER", buffer)
            assert read_apart(str(file), surveyed(str(file), length).stretches) == whole
