"""Made-up texts of the same shape: a letter for a letter, a digit for a digit; lines with them.

Names are replaced by a permutation that a secret chooses: the same name always becomes the same
one, two names never become one, and none stays what it was. What was said is replaced by chance.
"""

import hashlib
import re
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod

_SIGNS = {"A": string.ascii_uppercase, "a": string.ascii_lowercase, "0": string.digits}
_ROUNDS = 10
_MOST_TRIES = 10_000
_SALTING = 200_000  # rounds, a tenth of a second: what each guess of a salt costs, too


class NoNameLeft(Exception):
    """All texts of a shape are taken: there are only 26 names of one letter."""


@lru_cache(maxsize=8)
def secret_of(salt: str) -> bytes:
    """Return the secret that a salt stands for."""
    words = salt.encode("utf-8", "surrogatepass")
    return hashlib.pbkdf2_hmac("sha256", words, b"razzstats made-up names", _SALTING)


def shape_of(text: str) -> str:
    """Return what stays of a text: ``A`` for a capital, ``a`` for a letter, ``0`` for a digit.

    All other signs of ASCII stay as they are. Those outside of it, and those that steer a terminal,
    become letters: accents and pictures tell people apart as well as letters do.

    >>> shape_of("Käthe_88 ♠")
    'Aaaaa_00 a'
    """
    return "".join(map(_kind_of, text))


def _kind_of(sign: str) -> str:
    if sign.isdigit():
        return "0"
    if sign.isascii() and sign.isprintable() and not sign.isalpha():
        return sign
    return "A" if sign.isupper() or sign.istitle() else "a"


def scrambled(text: str, seed: bytes) -> str:
    """Return other letters and digits in the shape of a text; the seed says which."""
    shape = shape_of(text)
    words = text.encode("utf-8", "surrogatepass")
    stream = _digest(2 * len(shape), seed, b"said", words)
    chances = (int.from_bytes(stream[at : at + 2]) for at in range(0, len(stream), 2))
    return "".join(
        signs[chance % len(signs)] if (signs := _SIGNS.get(kind)) else kind
        for kind, chance in zip(shape, chances, strict=True)
    )


class Names:
    """The made-up names of one secret.

    A name of ASCII always becomes the same one. Where several names are too much for a shape
    (``é`` and ``è`` are both one letter, and so is ``-``, which has none), they begin at places
    of their own on the same circle of names, and who finds his taken has the next one.
    """

    def __init__(self, secret: bytes) -> None:
        """Know no name yet."""
        self._secret = secret
        self._made_up: dict[str, str] = {"": ""}
        self._taken: set[str] = set()

    def made_up(self, name: str) -> str:
        """Return the name that stands for this one; raises NoNameLeft if there is none."""
        found = self._made_up.get(name)
        if found is None:
            found = self._made_up[name] = self._new(name)
            self._taken.add(found)
        return found

    def _new(self, name: str) -> str:
        shape = shape_of(name)
        if not any(kind in _SIGNS for kind in shape):
            shape = "a" * len(name)
        circle = Circle(_digest(32, self._secret, b"name", shape.encode()), _size_of(shape))
        number = _number_of(name, shape)
        if number is None:
            words = name.encode("utf-8", "surrogatepass")
            chance = _digest(16 + len(shape), self._secret, b"begin", words)
            number = int.from_bytes(chance) % circle.size
        for _ in range(min(circle.size, _MOST_TRIES)):
            number = circle.behind(number)
            found = _text_of(number, shape)
            if found != name and found not in self._taken:
                return found
        raise NoNameLeft


class Circle:
    """The numbers below a size in an order that a key chooses; the last is before the first.

    The order is a Feistel network over the next power of four, walked until it meets a number that
    is small enough. Who replaces each number by the one behind it permutes them, and moves all.
    """

    def __init__(self, key: bytes, size: int) -> None:
        """Put the numbers 0 to size - 1 into order."""
        self.size = size
        self._key = key
        self._half = ((size - 1).bit_length() + 1) // 2
        self._bytes = (self._half + 7) // 8

    def behind(self, number: int) -> int:
        """Return the number behind this one."""
        return self.at((self.place(number) + 1) % self.size)

    def place(self, number: int) -> int:
        """Return where in the circle a number stands."""
        while True:
            left, right = number >> self._half, number & self._mask
            for turn in range(_ROUNDS):
                left, right = right, left ^ self._mixed(turn, right)
            number = left << self._half | right
            if number < self.size:
                return number

    def at(self, place: int) -> int:
        """Return the number that stands at a place."""
        while True:
            left, right = place >> self._half, place & self._mask
            for turn in reversed(range(_ROUNDS)):
                left, right = right ^ self._mixed(turn, left), left
            place = left << self._half | right
            if place < self.size:
                return place

    @property
    def _mask(self) -> int:
        return (1 << self._half) - 1

    def _mixed(self, turn: int, half: int) -> int:
        mixed = _digest(self._bytes, self._key, bytes((turn,)), half.to_bytes(self._bytes))
        return int.from_bytes(mixed) & self._mask


def _digest(size: int, key: bytes, purpose: bytes, words: bytes) -> bytes:
    parts = (key, purpose, words)
    return hashlib.shake_256(b"".join(_measured(part) for part in parts)).digest(size)


def _measured(part: bytes) -> bytes:
    return len(part).to_bytes(4) + part


# ---- names as numbers, each sign of the shape a digit of its own base


@lru_cache(maxsize=1000)
def _size_of(shape: str) -> int:
    return prod(len(_SIGNS[kind]) for kind in shape if kind in _SIGNS)


def _number_of(text: str, shape: str) -> int | None:
    """Return a text's number among those of its shape, or None if it is none of them."""
    number = 0
    for sign, kind in zip(text, shape, strict=True):
        signs = _SIGNS.get(kind, kind)
        if sign not in signs:
            return None
        if kind in _SIGNS:
            number = number * len(signs) + signs.index(sign)
    return number


def _text_of(number: int, shape: str) -> str:
    signs: list[str] = []
    for kind in reversed(shape):
        if kind in _SIGNS:
            number, digit = divmod(number, len(_SIGNS[kind]))
            signs.append(_SIGNS[kind][digit])
        else:
            signs.append(kind)
    return "".join(reversed(signs))


# ---- new lines, of what stays and what is made up

_UNSEEN = "\0"  # what stands for everything made up where only the rest is looked at


@dataclass(slots=True)
class Piece:
    """A piece of a line, and the same without what is made up in it."""

    text: str
    kept: str

    def __add__(self, other: "Piece") -> "Piece":
        return Piece(self.text + other.text, self.kept + other.kept)


NOTHING = Piece("", "")


def keep(text: str) -> Piece:
    """Return a text that stays."""
    return Piece(text, text)


@dataclass
class Draft:
    """The new lines of a hand, and whom they no longer name."""

    made_up: Names
    seed: bytes
    talk: bool
    """Whether lines of talk are kept, with other words, or made blank."""
    lines: list[Piece] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """The new name of everybody in the old lines."""
    titles: dict[str, str] = field(default_factory=dict)
    """The new club, table, event and the like, by what it is."""

    @property
    def text(self) -> list[str]:
        """The new lines."""
        return [line.text for line in self.lines]

    def name(self, name: str, quoted: Callable[[str], str] = str) -> Piece:
        """Return the name that stands for a player's."""
        new = self.names[name] = self.made_up.made_up(name)
        return Piece(quoted(new), _UNSEEN)

    def title(self, what: str, text: str, quoted: Callable[[str], str] = str) -> Piece:
        """Return what stands for a text that people chose; numbers stay."""
        if not any(sign.isalpha() for sign in text):
            return keep(quoted(text))
        new = self.titles[what] = self.made_up.made_up(text)
        return Piece(quoted(new), _UNSEEN)

    def said(self, text: str) -> Piece:
        """Return other letters for those of a text."""
        place = f"{len(self.lines)}/{len(text)}".encode()
        return Piece(scrambled(text, self.seed + place), _UNSEEN)

    def words(self, text: str) -> Piece:
        """Return a text in which only the words of rooms stay, numbers, cards and signs."""
        if all(map(_may_stay, _RUN.findall(text))):
            return keep(text)
        found, end = NOTHING, 0
        for run in _RUN.finditer(text):
            found += keep(text[end : run.start()])
            found += keep(run[0]) if _may_stay(run[0]) else self.said(run[0])
            end = run.end()
        return found + keep(text[end:])


@lru_cache(maxsize=10_000)
def _may_stay(run: str) -> bool:
    return run.lower() in _ROOM_WORDS or _NUMBER_OR_CARD.fullmatch(run) is not None


_RUN = re.compile(r"[^\W_]+|[^\x00-\x7f€£\xa0]")
_NUMBER_OR_CARD = re.compile(
    r"[0-9]+(?:st|nd|rd|th|s|[km])?|(?:10|[2-9tjqka])[cdhs]|[tjqkaxh]", re.ASCII | re.IGNORECASE
)
_WORDS = """
    a ace aces act add adds after all allowed an and another ante antes at be been being bet
    bets betting big blind blinds board bounty bring brings button buys by call calls canceled
    cancelled capped card cards check checks chips club collected completes congratulations
    connected dealing dealt deuce deuces didn disconnect disconnected does doesn down duration
    eight eights eliminated eliminating end entry failing feeling fifth final finished five
    fives flush fold folded folds for four fours fourth from full game had hand has high house
    if in into is it its jack jacks joins kind king kings leaves left lo lost low main moved
    muck mucked mucks n net new nine nines no of on one out over pair pairs place play player
    players playing pocket post posted posts pot quads queen queens raises rake razz rd re
    reached received receives reconnected removed requested returned returns river round s seat
    seats second seconds seven sevens seventh show showed shows side sit sits sitting six sixes
    sixth small splits st stands straight street summary t table tables take taken takes ten
    tens th the third three threes ties time timed to total tournament trey treys trips two
    twos uncalled up user wager was wheel while will win wins with won
"""
_ROOM_WORDS = frozenset(_WORDS.split())
"""The words that rooms write into the lines of a hand; no other word is kept."""
