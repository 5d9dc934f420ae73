"""PokerStars: cash games, tournaments, home games and mixed games, as its client writes in English.

The client can write in its own language, too. No public text shows the words that Razz needs in
any of them (the bring-in, the streets), so these hands are not read: they are told by their first
words and refused by the language's name, instead of being stray text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from razzstats.chips import NumberStyle
from razzstats.diagnostics import Diagnostic, Result, codes
from razzstats.events import ParsedHand, Street
from razzstats.locations import HandId, HandText
from razzstats.parsing.site import Beginning, Kind, Site
from razzstats.parsing.text import TextReader
from razzstats.parsing.times import EASTERN

_ENGLISH = TextReader(
    grammar_file="pokerstars.lark",
    first_line=re.compile(
        r"PokerStars (?:Home Game |Zoom |HOME GAME |ZOOM )?(?:Hand|Game|HAND|GAME)"
        r" #(?P<number>[0-9]+):"
    ),
    begins_with="P",
    time_zone=EASTERN,
    numbers=NumberStyle(groups=",'"),  # clients of some countries write 1'000
    street_names={
        "3rd Street": Street.THIRD,
        "4th Street": Street.FOURTH,
        "5th Street": Street.FIFTH,
        "6th Street": Street.SIXTH,
        "River": Street.SEVENTH,
    },
)


@dataclass(frozen=True)
class Language:
    """A language of the client, as far as public texts show how a hand begins in it."""

    name: str
    """Its English name."""
    first_line: re.Pattern[str]
    """Begins a hand of any game; its group ``number`` is the hand's number."""
    games: Mapping[str, str] = field(default_factory=dict)
    """Names of other games that differ from the English ones, with these."""

    def split(self, line: str) -> tuple[str, str]:
        """Return the number in a first line and what follows, with games by their English names."""
        match = self.first_line.match(line)
        assert match is not None, line
        rest = line[match.end() :]
        for name, english in self.games.items():
            rest = rest.replace(name, english)
        return match["number"], rest


LANGUAGES = (
    # Whole hold'em hands: the repository iagowp/JSPokerParser, testHands.js.
    Language("Portuguese", re.compile(r"Mão PokerStars #(?P<number>[0-9]+):")),
    # Whole hold'em hands: the repository leopoldoromero/hand_history_parser. They are from Zoom
    # tables.
    Language("Spanish", re.compile(r"Mano n\.º (?P<number>[0-9]+) de (?:Zoom de )?PokerStars:")),
    # The first line and single words: public parsers in PHP and Python, old and new spelling.
    Language(
        "French", re.compile(r"Main PokerStars (?:n[°º]|No )(?P<number>[0-9]+)[ \u00a0\u202f]?:")
    ),
    # A whole hold'em hand: the repository denysobukh/PokerstarsConverter, README.md.
    Language(
        "Russian",
        re.compile(r"Раздача PokerStars №(?P<number>[0-9]+):"),
        {"Холдем": "Hold'em"},
    ),
    # Whole hold'em hands: the repository Constantinepapp/PokerStarsTextToJson, poker.txt.
    Language("Greek", re.compile(r"PokerStars Παρτίδα #(?P<number>[0-9]+):")),
    # The first line and single words: a public parser in C++.
    Language("German", re.compile(r"PokerStars Hand Nr\. (?P<number>[0-9]+):")),
    # The same: a public parser in Python; the repository kkeff2/poker-db, constants.ts.
    Language(
        "Swedish",
        re.compile(r"PokerStars hand nr\.? (?P<number>[0-9]+):"),
        {"Holdem": "Hold'em"},
    ),
)


class _Reader:
    """Reads hands in English, and refuses those in other languages by name."""

    lead_line = None
    begins_with = "PMР"  # and the Cyrillic letter that looks like a P

    def __init__(self) -> None:
        patterns = [_ENGLISH.first_line, *(language.first_line for language in LANGUAGES)]
        nameless = (pattern.pattern.replace("?P<number>", "?:") for pattern in patterns)
        self.first_line = re.compile("|".join(nameless))

    def beginning(self, hand: HandText) -> Beginning | None:
        """Return what the hand's first line tells, or None if no hand of this room begins so.

        In another language a hand is taken for Razz unless it names a game that is known.
        """
        line = hand.lines[0]
        language = _language_of(line)
        if language is None:
            return _ENGLISH.beginning(hand)
        number, rest = language.split(line)
        # The English grammar knows the games whose names the language leaves as they are.
        heading = _ENGLISH.grammar.heading(f"PokerStars Hand #{number}:{rest}")
        game = heading[1].get("game") if heading else None
        return Beginning(number, Kind.OTHER_GAME if game else Kind.RAZZ, game)

    def read(self, hand: HandText, hand_id: HandId) -> Result[ParsedHand]:
        """Return what a Razz hand's text says, or the first line that makes no sense."""
        language = _language_of(hand.lines[0])
        if language is None:
            return _ENGLISH.read(hand, hand_id)
        found = Diagnostic(
            code=codes.MALFORMED_HEADER,
            message=f"the hand is written in {language.name}; set the client's hand-history"
            " language to English",
            span=hand.span(0),
            hand_id=hand_id,
            help="no public text shows how the client writes Razz in other languages, so nothing"
            " is guessed; what it writes in English is read",
        )
        return Result(None, (found,))


def _language_of(line: str) -> Language | None:
    """Return the language of a hand's first line, None if it is English or no first line."""
    if _ENGLISH.first_line.match(line):
        return None
    return next((language for language in LANGUAGES if language.first_line.match(line)), None)


POKERSTARS = Site(name="pokerstars", reader=_Reader())
