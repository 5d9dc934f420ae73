"""Winamax: the client's files and those exported from the site, cash games and tournaments."""

import re
from dataclasses import replace

from razzstats.chips import NumberStyle
from razzstats.diagnostics import Result
from razzstats.events import ParsedHand, Street
from razzstats.locations import HandId, HandText
from razzstats.parsing.conventions import Conventions
from razzstats.parsing.site import Beginning, Site
from razzstats.parsing.text import TextReader

_EXPORTED_THIRD = "*** THIRD ***"
_MIXES = {"8games": "8-Game", "10games": "10-Game", "horse": "HORSE"}
_MIX = re.compile(rf"_({'|'.join(_MIXES)})_[^/\\]*$")

_CLIENT = TextReader(
    grammar_file="winamax.lark",
    first_line=re.compile(
        r"Winamax Poker - (?:CashGame|(?:Go Fast|HOLD-UP|ESCAPE|Tournament) \"[^\n]*)"
        r" - HandId: #(?P<number>[0-9]+-[0-9]+-[0-9]+)"
    ),
    begins_with="W",
    time_zone="UTC",
    street_names={
        "3rd street": Street.THIRD,
        "4th street": Street.FOURTH,
        "5th street": Street.FIFTH,
        "6th street": Street.SIXTH,
        "7th street": Street.SEVENTH,
        "third": Street.THIRD,
        "fourth": Street.FOURTH,
        "fifth": Street.FIFTH,
        "sixth": Street.SIXTH,
        "seventh": Street.SEVENTH,
    },
    numbers=NumberStyle(groups=" ", sign_behind=True),
    decimals=2,
    conventions=Conventions(
        raise_leaves_out_bring_in=True,
        all_in_unsaid=True,
        return_unsaid=True,
        collects_uncalled=True,
        total_is_collected=True,
        mucks_unsaid=True,
        summary_lists_everybody=False,
    ),
)
_EXPORT = replace(_CLIENT, conventions=replace(_CLIENT.conventions, deals_unsaid=True))


class _Reader:
    """Reads both kinds of files; those that were exported from the site tell no dealt cards."""

    first_line = _CLIENT.first_line
    lead_line = None
    begins_with = _CLIENT.begins_with

    def beginning(self, hand: HandText) -> Beginning | None:
        """Return what the hand's first line tells, or None if no hand of this room begins so."""
        return _CLIENT.beginning(hand)

    def read(self, hand: HandText, hand_id: HandId) -> Result[ParsedHand]:
        """Return what a Razz hand's text says, or the first line that makes no sense."""
        exported = any(line.rstrip() == _EXPORTED_THIRD for line in hand.lines)
        found = (_EXPORT if exported else _CLIENT).read(hand, hand_id)
        # The text of a hand does not say that it was dealt in a mixed game; the file's name does.
        mix = _MIX.search(hand.file)
        if found.value is None or mix is None:
            return found
        return found._replace(value=replace(found.value, mixed_game=_MIXES[mix[1]]))


WINAMAX = Site(name="winamax", reader=_Reader())
