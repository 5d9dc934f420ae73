"""Rooms that write a text a person can read: a grammar, and what a grammar cannot explain."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from razzstats.chips import ENGLISH, NumberStyle
from razzstats.diagnostics import Code, Diagnostic, Result, codes
from razzstats.events import ParsedHand, Street
from razzstats.locations import HandId, HandText
from razzstats.parsing.builder import build_hand
from razzstats.parsing.conventions import EVERYTHING_SAID, Conventions
from razzstats.parsing.grammar import SiteGrammar, SyntaxProblem
from razzstats.parsing.lines import UNKNOWN_PLAYER, Rewrite, as_written
from razzstats.parsing.site import Beginning, Kind


@dataclass(frozen=True, kw_only=True)
class TextReader:
    """Reads one room's text by its grammar; fields say what the grammar leaves open."""

    grammar_file: str
    first_line: re.Pattern[str]
    """Begins a hand of any game; its group ``number`` is the hand's number."""
    lead_line: re.Pattern[str] | None = None
    begins_with: str
    time_zone: str
    """The IANA zone of times that name no zone."""
    date_format: str = "%Y/%m/%d"
    street_names: Mapping[str, Street]
    """The streets as the room's summary names them."""
    numbers: NumberStyle = ENGLISH
    decimals: int = 0
    """How many decimals amounts have that name no currency."""
    tournament_decimals: int = 0
    """How many of the last digits of a tournament's chips stand behind a point: ``15`` is 1500."""
    conventions: Conventions = EVERYTHING_SAID
    rewrite: Rewrite = as_written
    """Puts the recognised lines into the order and under the names that the grammar knows."""

    @cached_property
    def grammar(self) -> SiteGrammar:
        """The room's grammar, built on first use."""
        return SiteGrammar(self.grammar_file, self.rewrite)

    def beginning(self, hand: HandText) -> Beginning | None:
        """Return what the hand's first line tells, or None if no hand of this room begins so."""
        first_line = self.first_line.match(hand.lines[0])
        if first_line is None:
            return None
        if heading := self.grammar.heading(hand.lines[0]):
            terminal, fields = heading
            kind = Kind.RAZZ if terminal == "HEADER" else Kind.OTHER_GAME
            return Beginning(fields["number"] or "", kind, fields.get("game"))
        return Beginning(first_line["number"], Kind.UNREADABLE)

    def read(self, hand: HandText, hand_id: HandId) -> Result[ParsedHand]:
        """Return what a Razz hand's text says, or the first line that makes no sense."""
        tokens = self.grammar.parse(hand.lines)
        if isinstance(tokens, SyntaxProblem):
            return Result(None, (_syntax_error(hand, hand_id, tokens),))
        return build_hand(tokens, hand, hand_id, self)


def _syntax_error(hand: HandText, hand_id: HandId, problem: SyntaxProblem) -> Diagnostic:
    token, expected = problem.token, _or(problem.expected)
    last = len(hand.lines) - 1
    if token is None or (token.index == last and hand.last_in_file and not hand.complete_line):
        message = f"the hand breaks off; expected {expected}"
        return _at_line(hand, hand_id, codes.TRUNCATED_HAND, message, last)
    if token.type == "CANCELLED":
        message = "the room cancelled this hand"
        return _at_line(hand, hand_id, codes.CANCELLED_HAND, message, token.index)
    if token.type == UNKNOWN_PLAYER:
        player = (token.player or "")[:60]
        return Diagnostic(
            code=codes.UNKNOWN_PLAYER,
            message=f"{player} is not in the seat list",
            span=hand.find(token.index, token.player or ""),
            hand_id=hand_id,
        )
    line = hand.lines[token.index].strip()
    quoted = line if len(line) <= 60 else line[:57] + "..."
    message = f"found '{quoted}'; expected {expected}"
    return _at_line(hand, hand_id, codes.UNEXPECTED_LINE, message, token.index)


def _at_line(hand: HandText, hand_id: HandId, code: Code, message: str, line: int) -> Diagnostic:
    return Diagnostic(code=code, message=message, span=hand.span(line), hand_id=hand_id)


def _or(words: tuple[str, ...]) -> str:
    if len(words) < 2:
        return "".join(words) or "nothing more"
    return ", ".join(words[:-1]) + " or " + words[-1]
