"""What a room is to the parser: a name, and a reader of the texts that it writes."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, Protocol

from razzstats.diagnostics import Result
from razzstats.events import ParsedHand
from razzstats.known_sites import SITE_TITLES
from razzstats.locations import HandId, HandText


class Kind(Enum):
    """What kind of hand a heading announces."""

    RAZZ = auto()
    OTHER_GAME = auto()
    UNREADABLE = auto()


class Beginning(NamedTuple):
    """What the beginning of a hand tells."""

    number: str
    """The hand's number as the room writes it."""
    kind: Kind
    game: str | None = None
    """The other game's name as the room writes it, where it is a known one."""


class Reader(Protocol):
    """How one kind of text is read; a room that writes text, XML or TOML has one each."""

    @property
    def first_line(self) -> re.Pattern[str]:
        """Matches the first line of a hand of any game."""

    @property
    def lead_line(self) -> re.Pattern[str] | None:
        """Matches lines that stand before a hand's first line and tell something of it."""

    @property
    def begins_with(self) -> str:
        """The characters that first lines and lead lines begin with, beside white space.

        A file's other lines need not be looked at to see where its hands begin.
        """

    def beginning(self, hand: HandText) -> Beginning | None:
        """Return what the hand's beginning tells, or None if no hand of this kind begins so."""

    def read(self, hand: HandText, hand_id: HandId) -> Result[ParsedHand]:
        """Return what a Razz hand's text says, or the first place where it makes no sense."""


@dataclass(frozen=True)
class Site:
    """One room. A new room is a reader, one of these, and its samples."""

    name: str
    """The room's id in commands, tables and JSON: "pokerstars"."""
    reader: Reader

    @property
    def title(self) -> str:
        """The room's name for people: "PokerStars"."""
        return SITE_TITLES[self.name]
