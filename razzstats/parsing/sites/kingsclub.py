"""KingsClub: cash games, tournaments and mixed games; play money, streets named one too late."""

import re
from collections.abc import Iterator

from razzstats.chips import ENGLISH
from razzstats.events import Street
from razzstats.parsing.conventions import Conventions
from razzstats.parsing.lines import UNKNOWN_LINE, LineToken
from razzstats.parsing.site import Site
from razzstats.parsing.text import TextReader
from razzstats.parsing.times import EASTERN

_MARKERS = ("THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH")
_NEXT_STREET = dict(zip(_MARKERS, (*_MARKERS[1:], UNKNOWN_LINE), strict=True))
_ACTIONS = frozenset(("BRING_IN", "FOLD", "CHECK", "CALL", "BET", "RAISE", "SHOWS"))


def name_streets(tokens: Iterator[LineToken]) -> Iterator[LineToken]:
    """Yield the lines with each street's marker in front of its cards and under its own name.

    Some hands have no line for third street, and each marker names the street before the one that
    begins there; others have a marker for every street, in front of its cards or, on third street,
    behind them. What stands before the first marker tells which: a decision there is one of third
    street, and so are cards there, if the marker is followed by other cards.
    """
    lines = list(tokens)
    first = next((n for n, line in enumerate(lines) if line.type in _MARKERS), len(lines))
    opening, rest = lines[:first], lines[first:]
    deals = [n for n, line in enumerate(opening) if line.type == "DEALT"]
    if not deals:
        yield from lines
        return
    yield from opening[: deals[0]]
    yield LineToken("THIRD", opening[deals[0]].index, {})
    yield from opening[deals[0] :]
    acted = any(line.type in _ACTIONS for line in opening)
    if acted or [line.type for line in rest[1:2]] == ["DEALT"]:
        yield from map(_one_street_later, rest)
    else:
        yield from rest[1:] if rest and rest[0].type == "THIRD" else rest


def _one_street_later(line: LineToken) -> LineToken:
    street = _NEXT_STREET.get(line.type)
    return LineToken(street, line.index, line.fields) if street else line


_FIRST_LINE = (
    r"#(?P<number>[0-9]+): (?:"
    r"(?:No Limit|Pot Limit|Limit) [A-Z0-9][^\n]{0,40}? - [0-9][0-9,.]*/[0-9][0-9,.]*"
    r"|[A-Z0-9][^\n]{0,40}? - [0-9][0-9,.]*/pt)\s*$"
)
"""No site's name stands in it, so only the whole of the line tells it from a numbered heading."""

KINGSCLUB = Site(
    name="kingsclub",
    reader=TextReader(
        grammar_file="kingsclub.lark",
        first_line=re.compile(_FIRST_LINE),
        begins_with="#",
        time_zone=EASTERN,
        date_format="%Y-%m-%d",
        street_names=dict[str, Street](),  # the summary names none
        numbers=ENGLISH,
        decimals=2,
        tournament_decimals=2,
        conventions=Conventions(
            call_is_total=True,
            raises_may_be_bets=True,
            return_unsaid=True,
            showdown_unsaid=True,
            seen_unsaid=True,
            down_cards_in_any_order=True,
            pots_may_be_unlisted=True,
        ),
        rewrite=name_streets,
    ),
)
