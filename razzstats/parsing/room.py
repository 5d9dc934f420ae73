"""What the building of a hand takes from its room, beside the recognised lines."""

from collections.abc import Mapping
from typing import Protocol

from razzstats.chips import NumberStyle
from razzstats.events import Street
from razzstats.parsing.conventions import Conventions


class Room(Protocol):
    """How a room writes what its lines hold."""

    @property
    def time_zone(self) -> str:
        """The IANA zone of times that name no zone."""

    @property
    def date_format(self) -> str:
        """How dates are written, in the words of `strptime`."""

    @property
    def street_names(self) -> Mapping[str, Street]:
        """The streets as the room's summary names them."""

    @property
    def numbers(self) -> NumberStyle:
        """How amounts are written."""

    @property
    def decimals(self) -> int:
        """How many decimals amounts have that name no currency."""

    @property
    def tournament_decimals(self) -> int:
        """How many of the last digits of a tournament's chips stand behind a point."""

    @property
    def conventions(self) -> Conventions:
        """What the room's text leaves unsaid."""
