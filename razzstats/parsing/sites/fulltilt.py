"""Full Tilt: cash games and tournaments, as the room wrote them from 2008 to 2014."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from razzstats.chips import NumberStyle
from razzstats.diagnostics import Diagnostic, Result, codes
from razzstats.events import ParsedHand, Street
from razzstats.locations import HandId, HandText
from razzstats.parsing.conventions import Conventions
from razzstats.parsing.lines import Fields, LineToken
from razzstats.parsing.site import Site
from razzstats.parsing.text import TextReader
from razzstats.parsing.times import EASTERN

_MIX = re.compile(r" - (?P<mix>[0-9]+-Game|HA|HEROS|HO|HOE|HORSE|HOSE|OA|OE|SE) - ")
"""A mixed game in the name of the hand's file; the hand itself does not tell of it."""

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_LONG_DATE = re.compile(r"\w+, (?P<month>\w+) (?P<day>[0-9]+), (?P<year>[0-9]+)")


class FullTiltReader(TextReader):
    """Reads the room's text, and of the file's name which mix a hand was dealt in."""

    def read(self, hand: HandText, hand_id: HandId) -> Result[ParsedHand]:
        """Return what a Razz hand's text says, or the first line that makes no sense."""
        heading = self.grammar.heading(hand.lines[0])
        if heading and (mark := heading[1].get("partial")):
            found = Diagnostic(
                code=codes.TRUNCATED_HAND,
                message="the room says that it has this hand only in part",
                span=hand.find(0, mark),
                hand_id=hand_id,
            )
            return Result(None, (found,))
        result = super().read(hand, hand_id)
        mix = _MIX.search(PurePath(hand.file).name)
        if result.value is None or mix is None:
            return result
        return result._replace(value=replace(result.value, mixed_game=mix["mix"]))


def rewrite(tokens: Iterator[LineToken]) -> Iterator[LineToken]:
    """Put the header into the words of the other rooms, and take out who was not there to play."""
    before_deal: list[LineToken] = []
    for token in tokens:
        if token.type == "HEADER":
            yield LineToken(token.type, token.index, _header(token.fields))
            continue
        before_deal.append(token)
        if token.type in ("THIRD", "SUMMARY"):
            break
    _take_out_returned_antes(before_deal)
    yield from before_deal
    yield from tokens


def _take_out_returned_antes(tokens: list[LineToken]) -> None:
    """Make asides of an ante and of its return: who gets it back is not dealt in."""
    antes = {token.player: token for token in tokens if token.type == "ANTE"}
    for token in tokens:
        ante = antes.get(token.player) if token.type == "ANTE_RETURNED" else None
        if ante is not None and ante["amount"] == token["amount"] and ante.index < token.index:
            ante.type = token.type = "NOTICE"


def _header(fields: Fields) -> Fields:
    found = dict(fields)
    if fields.get("heads_up") or (fields.get("heads_up_event") and not fields.get("max_seats")):
        found["max_seats"] = "2"
    for date, time in (("date", "time"), ("et_date", "et_time")):
        if (long_date := _LONG_DATE.fullmatch(fields.get(date) or "")) is not None:
            found[date] = _short_date(long_date)
        if (fields.get(time) or "").count(":") == 1:
            found[time] = f"{fields[time]}:00"
    return found


def _short_date(date: re.Match[str]) -> str:
    """Return ``Sunday, June 12, 2011`` as ``2011/6/12``; what is no month stays as it is."""
    if date["month"] not in _MONTHS:
        return date[0]
    return f"{date['year']}/{_MONTHS.index(date['month']) + 1}/{date['day']}"


FULLTILT = Site(
    name="fulltilt",
    reader=FullTiltReader(
        grammar_file="fulltilt.lark",
        first_line=re.compile(r"Full ?Tilt ?Poker Game #(?P<number>[0-9]+):"),
        begins_with="F",
        time_zone=EASTERN,
        street_names={
            "3rd": Street.THIRD,
            "4th": Street.FOURTH,
            "5th": Street.FIFTH,
            "6th": Street.SIXTH,
            "7th": Street.SEVENTH,
        },
        numbers=NumberStyle(thousands_and_millions=True),
        conventions=Conventions(showdown_unsaid=True, collects_unsaid=True),
        rewrite=rewrite,
    ),
)
