"""The text of a hand becomes a ParsedHand, or diagnostics that say why not."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from razzstats.diagnostics import Code, Diagnostic, Result, codes
from razzstats.events import ParsedHand
from razzstats.locations import HandId, HandText
from razzstats.parsing.site import Kind, Site
from razzstats.parsing.sites import SITES
from razzstats.sources import Cutting

__all__ = [
    "CUTTING", "SITES", "Heading", "Kind", "Site", "parse_hand", "read_heading",
]  # fmt: skip


def _any_of(patterns: Iterable[re.Pattern[str]]) -> re.Pattern[str]:
    nameless = (re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern) for pattern in patterns)
    return re.compile("|".join(f"(?:{pattern})" for pattern in nameless))


_FIRST_LINE = _any_of(site.reader.first_line for site in SITES)
_LEAD_LINES = [lead for site in SITES if (lead := site.reader.lead_line) is not None]
_LEAD_LINE = _any_of(_LEAD_LINES) if _LEAD_LINES else None


def _is_first_line(line: str) -> bool:
    return _FIRST_LINE.match(line) is not None


def _is_lead_line(line: str) -> bool:
    return _LEAD_LINE is not None and _LEAD_LINE.match(line) is not None


CUTTING = Cutting(_is_first_line, _is_lead_line, "".join(site.reader.begins_with for site in SITES))
"""Where the hands of all known rooms begin, whatever their game."""


class Heading(NamedTuple):
    """What the beginning of a hand tells."""

    site: Site
    hand_id: HandId
    kind: Kind
    game: str | None = None
    """The other game's name as the room writes it, where it is a known one."""


def read_heading(hand: HandText) -> Heading | None:
    """Return what the hand's beginning tells, or None if it begins no hand of a known room."""
    for site in SITES:
        if hand.lines and (found := site.reader.beginning(hand)):
            return Heading(site, HandId(site.name, found.number), found.kind, found.game)
    return None


def parse_hand(hand: HandText, heading: Heading | None = None) -> Result[ParsedHand]:
    """Return what a Razz hand's text says, or the first place where it makes no sense.

    A hand of another game gives no value and the note ``other-game``. ``heading`` is what
    `read_heading` says of the hand, where that was asked before.
    """
    heading = heading or read_heading(hand)
    if heading is None:
        found = Diagnostic(
            code=codes.STRAY_TEXT, message="text that belongs to no hand", span=hand.span(0)
        )
        return Result(None, (found,))
    if heading.kind is Kind.OTHER_GAME:
        message = f"a hand of {heading.game or 'another game'}, not Razz"
        return _refuse(hand, heading, codes.OTHER_GAME, message)
    if heading.kind is Kind.UNREADABLE:
        help = "expected a room's header with game, stakes and date; razzstats reads English ones"
        message = "the header of this Razz hand cannot be read"
        return _refuse(hand, heading, codes.MALFORMED_HEADER, message, help=help)
    if hand.undecodable_line is not None:
        message = "the line is neither UTF-8 nor Windows-1252 text"
        return _refuse(hand, heading, codes.UNDECODABLE_TEXT, message, hand.undecodable_line)
    return heading.site.reader.read(hand, heading.hand_id)


def _refuse(
    hand: HandText,
    heading: Heading,
    code: Code,
    message: str,
    line: int = 0,
    help: str | None = None,
) -> Result[ParsedHand]:
    found = Diagnostic(
        code=code, message=message, span=hand.span(line), hand_id=heading.hand_id, help=help
    )
    return Result(None, (found,))
