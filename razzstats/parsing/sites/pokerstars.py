"""PokerStars: cash games, tournaments, home games and mixed games."""

from razzstats.events import Street
from razzstats.parsing.site import Site

POKERSTARS = Site(
    name="pokerstars",
    grammar_file="pokerstars.lark",
    time_zone="America/New_York",
    time_zones={
        "ET": "America/New_York",
        "EST": "America/New_York",
        "EDT": "America/New_York",
        "PT": "America/Los_Angeles",
        "MT": "America/Denver",
        "CT": "America/Chicago",
        "AT": "America/Halifax",
        "BRT": "America/Sao_Paulo",
        "ART": "America/Argentina/Buenos_Aires",
        "UTC": "UTC",
        "GMT": "UTC",
        "WET": "Europe/Lisbon",
        "BST": "Europe/London",
        "CET": "Europe/Paris",
        "CEST": "Europe/Paris",
        "EET": "Europe/Helsinki",
        "EEST": "Europe/Helsinki",
        "MSK": "Europe/Moscow",
        "AEST": "Australia/Sydney",
        "JST": "Asia/Tokyo",
    },
    street_names={
        "3rd Street": Street.THIRD,
        "4th Street": Street.FOURTH,
        "5th Street": Street.FIFTH,
        "6th Street": Street.SIXTH,
        "River": Street.SEVENTH,
    },
)
