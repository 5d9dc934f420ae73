"""The rooms by name: their titles for people and their numbers in the database."""

from typing import NamedTuple


class KnownSite(NamedTuple):
    """A room whose hands can be named, whether or not they can be read yet."""

    title: str
    """For people: "PokerStars"."""
    number: int
    """Part of every hand's key in the database, so it never changes."""


KNOWN_SITES: dict[str, KnownSite] = {
    "pokerstars": KnownSite("PokerStars", 1),
    "fulltilt": KnownSite("Full Tilt", 2),
    "winamax": KnownSite("Winamax", 3),
    "kingsclub": KnownSite("KingsClub", 4),
    "merge": KnownSite("Merge", 5),
    "phh": KnownSite("PHH", 6),
    "ongame": KnownSite("OnGame", 7),
}
"""By the name that commands, tables and JSON use."""

SITE_TITLES: dict[str, str] = {name: site.title for name, site in KNOWN_SITES.items()}
"""The titles alone."""
