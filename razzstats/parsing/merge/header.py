"""What a game's own tag and its description tell: the game, the table, the money, the time."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import unquote

from razzstats.chips import TOURNAMENT_CHIPS, Chips, Money
from razzstats.diagnostics import codes
from razzstats.events import Event, Street, StreetStart, Tournament, Wager
from razzstats.parsing.merge.document import Element
from razzstats.parsing.parts import BadLine, Parts
from razzstats.parsing.site import Kind
from razzstats.parsing.times import in_utc

_QUARTER = timedelta(minutes=15)
_USUAL_DIFFERENCE = timedelta(hours=5)
_RAISES_ARE_TOTALS = "20100908000000"

_RAZZ_NUMBERS = frozenset(("46", "47", "49"))
_OTHER_NUMBERS: Mapping[str, str] = {
    number: name
    for name, numbers in {
        "Holdem": "1 2 23",
        "Omaha": "4",
        "Omaha H/L8": "34 35 37",
        "7-Stud": "38 39 41 42",
        "7-Stud H/L8": "43 45",
        "2-7 Lowball": "67",
    }.items()
    for number in numbers.split()
}
_MIXES = frozenset(("HA", "HAR", "HO", "HORSE", "HOSE", "RASH", "SHOE"))
_OF_TOURNAMENTS = " Tournament"

_STAKES = re.compile(r"Limit \(?(?P<small>[^\s/()]+)/(?P<big>[^\s/()]+)\)?")
_LEVEL = re.compile(r"Limit (?P<level>Level [0-9]+)\b")


class Heading(NamedTuple):
    """The game's own tag, and the description that holds for it."""

    game: Element
    description: Element | None

    # ---- the game

    @property
    def described_as(self) -> str:
        """The game or the mix as the description names it, or nothing."""
        described = (self.description and self.description.get("type")) or ""
        return described.removesuffix(_OF_TOURNAMENTS)

    @property
    def kind(self) -> Kind:
        """What kind of hand it is; in a mix a second number tells it."""
        number = self._number
        if not number.isascii() or not number.isdigit():
            return Kind.UNREADABLE
        if number in _RAZZ_NUMBERS:
            return Kind.RAZZ
        in_a_mix = self.game.get("multigametype") is not None
        if number in _OTHER_NUMBERS or in_a_mix or self.described_as != "Razz":
            return Kind.OTHER_GAME
        return Kind.RAZZ

    @property
    def _number(self) -> str:
        return self.game.get("multigametype") or self.game.get("gametype") or ""

    @property
    def other_game(self) -> str:
        """The name of a game that is not Razz, as the room writes it where it does."""
        described = self.described_as
        alone = self.game.get("multigametype") is None and described not in (*_MIXES, "Razz", "")
        number = self._number
        return described if alone else _OTHER_NUMBERS.get(number, f"game type {number}")

    @property
    def mix(self) -> str | None:
        """The mix that the hand was dealt in: the description or the table names it."""
        if self.described_as in _MIXES:
            return self.described_as
        words = self.table.split() if self.game.get("multigametype") else []
        return next((word for word in words if word in _MIXES), None)

    @property
    def version(self) -> str | None:
        """The version of the format, which old files do not state."""
        described = self.description.get("version") if self.description else None
        return self.game.get("version") or described

    @property
    def raise_is_total(self) -> bool:
        """Whether a raise states the player's total: in old files it is what he adds."""
        return (self.game.get("starttime") or _RAISES_ARE_TOTALS) >= _RAISES_ARE_TOTALS

    @property
    def balance_lacks_ante(self) -> bool:
        """Whether the balances are those behind the ante, as in tournaments of old files."""
        return self.tournament is not None and self.version is None

    # ---- the table

    @property
    def _data(self) -> list[str]:
        """The date, the table's name, its number, the hand's number: old files put colons there."""
        data = self.game.get("data") or ""
        return re.split(r"[|]" if "|" in data else ":", data)

    @property
    def table(self) -> str:
        """The table's name, or where the room leaves it out the table's number."""
        name = unquote(self._data[1]).strip() if len(self._data) > 1 else ""
        return name or self.game["id"].rpartition("-")[0]

    @property
    def tournament(self) -> Tournament | None:
        """The tournament: its tables have numbers of two parts."""
        number, dash, _ = (self._data[2] if len(self._data) > 2 else "").partition("-")
        described = (self.description and self.description.get("type")) or ""
        if not dash and not described.endswith(_OF_TOURNAMENTS):
            return None
        level = _LEVEL.match(self.game.get("stakes") or "")
        return Tournament(
            number=number or self.game["id"].rpartition("-")[0],
            buy_in=self.game.get("buyIn") or "",
            level=level["level"] if level else "",
        )

    @property
    def money(self) -> Money:
        """How the amounts are counted; all have two decimals, even those of tournament chips."""
        if self.tournament is not None:
            return TOURNAMENT_CHIPS
        return Money("USD" if self.game.get("realmoney") != "false" else "play", 2)

    # ---- stakes and time

    def stakes(self, events: Iterable[Event], chips: "Amounts") -> tuple[Chips, Chips]:
        """Return small and big bet: as stated, or as the first full wagers of the hand tell."""
        source = self.game if self.game.get("stakes") else self.description or self.game
        line = source.line
        text = (source.get("stakes") or "").strip()
        stated = _STAKES.fullmatch(text)
        # Where the stakes rise, a description that holds for several hands cannot tell them.
        if stated is None or (self.tournament is not None and source is not self.game):
            if self.tournament is None and text:
                message = f"the stakes '{text}' are not those of fixed limit"
                raise BadLine(codes.MALFORMED_STAKES, message, line, text)
            return self._inferred(events)
        small, big = (chips.read(stated[size], line) for size in ("small", "big"))
        if not small or big != 2 * small:
            message = f"the stakes {text} are not a small bet and twice as much"
            raise BadLine(codes.MALFORMED_STAKES, message, line, text)
        return small, big

    def _inferred(self, events: Iterable[Event]) -> tuple[Chips, Chips]:
        for street, wager in _opening_wagers(events):
            if wager.all_in:
                continue  # it may be less than a bet
            if street <= Street.FOURTH:
                return wager.to, Chips(2 * wager.to)
            if wager.to % 2 == 0:
                return Chips(wager.to // 2), wager.to
        help = "the text does not state them, and nobody makes a full bet that would tell"
        message = "the stakes of this hand are not known"
        raise BadLine(codes.MALFORMED_STAKES, message, self.game.line, help=help)

    def played_at(self, stamp: str | None) -> datetime:
        """Return when the hand began; raises ValueError if that is no time.

        ``stamp`` is the first event's, in milliseconds of UTC: it tells how far the clock of
        ``starttime`` is from UTC. Without one it is five hours, in summer as in winter, as in all
        files that have both.
        """
        text = self.game.get("starttime") or ""
        if not re.fullmatch("[0-9]{14}", text):
            raise ValueError(text)
        time = f"{text[8:10]}:{text[10:12]}:{text[12:]}"
        local = in_utc(text[:8], time, "%Y%m%d", UTC)
        return local + (_clock_difference(local, stamp) or _USUAL_DIFFERENCE)


def _clock_difference(local: datetime, stamp: str | None) -> timedelta | None:
    """Return what the stamp is ahead of the clock, to the quarter of an hour; None if not told."""
    if stamp is None or not re.fullmatch("[0-9]{13}", stamp):
        return None
    behind = datetime.fromtimestamp(int(stamp) / 1000, UTC) - local
    difference = round(behind / _QUARTER) * _QUARTER
    return difference if abs(difference) <= timedelta(hours=14) else None


class Amounts:
    """Reads amounts: all have two decimals, and old files put a dollar before balances of chips."""

    def __init__(self, money: Money) -> None:
        """Read amounts in this currency."""
        self.parts = Parts(money)

    def read(self, text: str, line: int) -> Chips:
        """Return the amount; raises BadLine if it is none."""
        money = self.parts.money
        if money.currency != "USD":
            text = text.removeprefix("$")
        if not money.decimals:
            text = text.removesuffix(".00")
        return self.parts.chips(text, line)

    def of(self, element: Element, attribute: str = "amount") -> Chips:
        """Return the amount that an element states."""
        return self.read(element[attribute], element.line)


def _opening_wagers(events: Iterable[Event]) -> Iterable[tuple[Street, Wager]]:
    """Yield the first wager of each street."""
    street: Street | None = None
    for event in events:
        if isinstance(event, StreetStart):
            street = event.street
        elif isinstance(event, Wager) and street is not None:
            yield street, event
            street = None
