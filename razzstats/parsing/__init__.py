"""The text of a hand becomes a ParsedHand, or diagnostics that say why not."""

from typing import NamedTuple

from razzstats.diagnostics import Code, Diagnostic, Result, codes
from razzstats.events import ParsedHand
from razzstats.locations import HandId, HandText
from razzstats.parsing.builder import build_hand
from razzstats.parsing.grammar import SyntaxProblem
from razzstats.parsing.lines import UNKNOWN_PLAYER
from razzstats.parsing.site import Site
from razzstats.parsing.sites import SITES

__all__ = ["SITES", "Heading", "Site", "is_first_line", "parse_hand", "read_heading"]


def is_first_line(line: str) -> bool:
    """Whether a line begins a hand, of any game, of a known room."""
    return any(site.grammar.first_line.match(line) for site in SITES)


class Heading(NamedTuple):
    """What the first line of a hand tells; it is neither Razz nor another game if unreadable."""

    site: Site
    hand_id: HandId
    is_razz: bool
    is_other_game: bool
    game: str | None = None
    """The other game's name as the room writes it, where it is a known one."""


def read_heading(hand: HandText) -> Heading | None:
    """Return what the hand's first line tells, or None if it begins no hand of a known room."""
    for site in SITES:
        if hand.lines and (found := site.grammar.heading(hand.lines[0])):
            kind, fields = found
            hand_id = HandId(site.name, fields["number"] or "")
            other_game = kind == "OTHER_HEADER"
            return Heading(site, hand_id, kind == "HEADER", other_game, fields.get("game"))
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
    if heading.is_other_game:
        message = f"a hand of {heading.game or 'another game'}, not Razz"
        return _refuse(hand, heading, codes.OTHER_GAME, message)
    if not heading.is_razz:
        help = "expected a room's header with game, stakes and date; razzstats reads English ones"
        message = "the header of this Razz hand cannot be read"
        return _refuse(hand, heading, codes.MALFORMED_HEADER, message, help=help)
    if hand.undecodable_line is not None:
        message = "the line is neither UTF-8 nor Windows-1252 text"
        return _refuse(hand, heading, codes.UNDECODABLE_TEXT, message, hand.undecodable_line)
    tokens = heading.site.grammar.parse(hand.lines)
    if isinstance(tokens, SyntaxProblem):
        return _syntax_error(hand, heading, tokens)
    return build_hand(tokens, hand, heading.site)


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


def _syntax_error(hand: HandText, heading: Heading, problem: SyntaxProblem) -> Result[ParsedHand]:
    token, expected = problem.token, _or(problem.expected)
    last = len(hand.lines) - 1
    if token is None or (token.index == last and hand.last_in_file and not hand.complete_line):
        message = f"the hand breaks off; expected {expected}"
        return _refuse(hand, heading, codes.TRUNCATED_HAND, message, last)
    if token.type == "CANCELLED":
        message = "the room cancelled this hand"
        return _refuse(hand, heading, codes.CANCELLED_HAND, message, token.index)
    if token.type == UNKNOWN_PLAYER:
        player = (token.player or "")[:60]
        found = Diagnostic(
            code=codes.UNKNOWN_PLAYER,
            message=f"{player} is not in the seat list",
            span=hand.find(token.index, token.player or ""),
            hand_id=heading.hand_id,
        )
        return Result(None, (found,))
    line = hand.lines[token.index].strip()
    quoted = line if len(line) <= 60 else line[:57] + "..."
    message = f"found '{quoted}'; expected {expected}"
    return _refuse(hand, heading, codes.UNEXPECTED_LINE, message, token.index)


def _or(words: tuple[str, ...]) -> str:
    if len(words) < 2:
        return "".join(words) or "nothing more"
    return ", ".join(words[:-1]) + " or " + words[-1]
