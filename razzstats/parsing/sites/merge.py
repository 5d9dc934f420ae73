"""Merge (Carbon and its sisters): cash games, tournaments and mixed games, as XML."""

import re

from razzstats.diagnostics import Diagnostic, Result, codes
from razzstats.events import ParsedHand
from razzstats.locations import HandId, HandText
from razzstats.parsing.merge.document import (
    FIRST_LINE,
    LEAD_LINE,
    Document,
    first_line_of,
    read_document,
    read_heading,
)
from razzstats.parsing.merge.hand import build_hand
from razzstats.parsing.merge.header import Heading
from razzstats.parsing.parts import BadLine
from razzstats.parsing.site import Beginning, Kind, Site


class MergeReader:
    """Reads a hand's XML; a hand may begin with the lines that describe its table."""

    first_line: re.Pattern[str] = FIRST_LINE
    lead_line: re.Pattern[str] | None = LEAD_LINE
    begins_with: str = "<"

    def beginning(self, hand: HandText) -> Beginning | None:
        """Return what the game's own tag tells, or None if no game begins so."""
        if (first := first_line_of(hand)) is None:
            return None
        found = FIRST_LINE.match(hand.lines[first])
        assert found is not None
        try:
            heading = _heading_of(read_heading(hand, first))
        except BadLine:
            heading = None
        if heading is None:
            return Beginning(found["number"], Kind.UNREADABLE)
        other = heading.other_game if heading.kind is Kind.OTHER_GAME else None
        return Beginning(heading.game["id"], heading.kind, other)

    def read(self, hand: HandText, hand_id: HandId) -> Result[ParsedHand]:
        """Return what a Razz hand's XML says, or the first place where it makes no sense."""
        version: str | None = None
        try:
            document = read_document(hand, first_line_of(hand) or 0)
            heading = _heading_of(document)
            assert heading is not None, "the beginning has been read"
            version = heading.version
            return build_hand(document, heading, hand, hand_id)
        except BadLine as bad:
            part = bad.part or hand.lines[bad.index].strip()
            found = Diagnostic(
                code=bad.code,
                message=bad.message,
                span=hand.find(bad.index, part),
                hand_id=hand_id,
                help=bad.help or _dialect(bad, version),
            )
            return Result(None, (found,))


def _heading_of(document: Document) -> Heading | None:
    return Heading(document.game, document.description) if document.game else None


def _dialect(bad: BadLine, version: str | None) -> str | None:
    """Return which dialect of the format it is, where a part of it is not known."""
    if bad.code is not codes.UNEXPECTED_LINE or version is None:
        return None
    return f"the hand is written in version {version} of the room's format"


MERGE = Site(name="merge", reader=MergeReader())
