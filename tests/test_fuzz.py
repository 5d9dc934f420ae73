"""Damaged bytes of every room are read without an exception; what was found once stays found."""

import os
import random
from collections import Counter

import pytest
from fuzz import FINDS, damaged, must_hold, seeds

TRIES = int(os.environ.get("RAZZSTATS_FUZZ", "10000"))
TEXTS = seeds()


def read_many(number: int, seed: int) -> Counter[str]:
    chance, total = random.Random(seed), Counter[str]()
    for _ in range(number):
        content = damaged(chance, TEXTS)
        try:
            total += must_hold(content)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}\n{content!r}") from error
    return total


def test_damaged_bytes_are_read_without_an_exception() -> None:
    found = read_many(1_500, 1)
    assert {"ok", "rejected", "incomplete", "other-game"} <= found.keys()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 4))
def test_many_damaged_bytes_are_read_without_an_exception(seed: int) -> None:
    read_many(TRIES // 2, seed)


@pytest.mark.parametrize("file", sorted(FINDS.glob("*.bin")), ids=lambda file: file.stem)
def test_what_was_found_once_is_read(file: os.PathLike[str]) -> None:
    with open(file, "rb") as stream:
        must_hold(stream.read())
