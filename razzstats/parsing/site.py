"""What a room is to the parser: a name, a grammar, and what a grammar cannot explain."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from razzstats.events import Street
from razzstats.known_sites import SITE_TITLES
from razzstats.parsing.grammar import SiteGrammar


@dataclass(frozen=True)
class Site:
    """One room. A new room is a grammar, one of these, and its samples."""

    name: str
    """The room's id in commands, tables and JSON: "pokerstars"."""
    grammar_file: str
    time_zone: str
    """The IANA zone of times that name no zone."""
    time_zones: Mapping[str, str]
    """The zone words that the room prints, and the IANA zones that they mean."""
    street_names: Mapping[str, Street]
    """The streets as the room's summary names them."""

    @property
    def title(self) -> str:
        """The room's name for people: "PokerStars"."""
        return SITE_TITLES[self.name]

    @cached_property
    def grammar(self) -> SiteGrammar:
        """The room's grammar, built on first use."""
        return SiteGrammar(self.grammar_file)
