"""PokerStars: cash games, tournaments, home games and mixed games."""

import re

from razzstats.events import Street
from razzstats.parsing.site import Site
from razzstats.parsing.text import TextReader
from razzstats.parsing.times import EASTERN

POKERSTARS = Site(
    name="pokerstars",
    reader=TextReader(
        grammar_file="pokerstars.lark",
        first_line=re.compile(
            r"PokerStars (?:Home Game |Zoom |HOME GAME |ZOOM )?(?:Hand|Game|HAND|GAME)"
            r" #(?P<number>[0-9]+):"
        ),
        time_zone=EASTERN,
        street_names={
            "3rd Street": Street.THIRD,
            "4th Street": Street.FOURTH,
            "5th Street": Street.FIFTH,
            "6th Street": Street.SIXTH,
            "River": Street.SEVENTH,
        },
    ),
)
