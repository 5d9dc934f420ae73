"""What a hand in PHH says before its actions: money, stakes, players, and when it was played."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, time, tzinfo
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from razzstats.chips import CURRENCY_OF_SYMBOL, PLAY_MONEY, TOURNAMENT_CHIPS, Chips, Money
from razzstats.diagnostics import codes
from razzstats.events import Ante, Seat, SeatedPlayer, Stakes, Tournament
from razzstats.locations import HandText
from razzstats.parsing.phh.toml_text import Misread, Place, TomlText
from razzstats.parsing.times import find_zone, in_utc

_SIZES = ("bring_in", "small_bet", "big_bet")
_NEEDED = ("antes", *_SIZES, "starting_stacks", "actions")
_MOST_SEATS = 10
_USUAL_SEATS = 8  # of a table whose text does not say how many it has
_MOST_DIGITS = 15


class PhhTable:
    """The table of one hand; whatever of it is not as the format says raises Misread."""

    def __init__(self, hand: HandText, lines: range) -> None:
        """Read these lines of a hand."""
        self.told = TomlText(hand, lines)
        self.values = self.told.values
        self.faults: list[Misread] = []
        """What is wrong without keeping the rest from being read."""
        self._look_for_what_is_needed(hand)
        self.actions = list(self.told.strings("actions"))
        self.money = self._money()
        self.players = self._players()
        self.seats = [player.seat for player in self.players]
        self._antes = self._amounts("antes")
        self.stakes = self._stakes()

    def _look_for_what_is_needed(self, hand: HandText) -> None:
        missing = [key for key in _NEEDED if key not in self.values]
        if "actions" in missing and hand.last_in_file:
            message = f"the hand breaks off; expected `{missing[0]}`"
            raise Misread(codes.TRUNCATED_HAND, message, Place(self.told.lines.stop - 1))
        if missing:
            message = f"the hand has no `{missing[0]}`"
            raise Misread(codes.MALFORMED_HEADER, message, Place(self.told.lines.start))

    # ---- money

    def _money(self) -> Money:
        """Return how amounts are counted: in a currency, in chips of an event, or for play."""
        code, symbol = self.values.get("currency"), self.values.get("currency_symbol")
        of_symbol = CURRENCY_OF_SYMBOL.get(str(symbol))
        if code and of_symbol and code != of_symbol:
            message = f"the currency is {code}, but its symbol {symbol}"
            raise Misread(codes.MALFORMED_STAKES, message, self.told.place("currency"))
        if not isinstance(code, str | None) or (symbol and not (code or of_symbol)):
            message = f"{code or symbol} is not the code or the sign of a known currency"
            raise Misread(codes.MALFORMED_STAKES, message, self.told.place("currency_symbol"))
        if code or of_symbol:
            return Money(str(code or of_symbol), 2)
        chips = TOURNAMENT_CHIPS if "event" in self.values else PLAY_MONEY
        return chips._replace(decimals=2) if self._has_fractions() else chips

    def _has_fractions(self) -> bool:
        lists = [self.values[key] for key in ("antes", "starting_stacks")]
        amounts = [self.values[key] for key in _SIZES]
        amounts += [amount for each in lists if isinstance(each, list) for amount in each]
        return any("." in digits(amount) for amount in amounts) or any(
            "." in text.partition("#")[0] for text, _ in self.actions
        )

    def _amount(self, key: str, value: Any) -> Chips:
        try:
            if isinstance(value, bool) or not isinstance(value, int | Decimal):
                raise ValueError(f"{value!r} is not an amount")
            return self.money.parse(digits(value))
        except ValueError as error:
            message = f"in `{key}`: {error}"
            raise Misread(codes.MALFORMED_AMOUNT, message, self.told.place(key)) from None

    def _amounts(self, key: str) -> list[Chips]:
        return [self._amount(key, value) for value in self._one_for_each_player(key)]

    def _one_for_each_player(self, key: str) -> list[Any]:
        values, players = self.values[key], self.values["starting_stacks"]
        if not isinstance(players, list) or not players:
            key, values = "starting_stacks", None
        if not isinstance(values, list) or len(values) != len(players):
            message = f"`{key}` is not a list with an entry for each player"
            raise Misread(codes.MALFORMED_HEADER, message, self.told.place(key))
        return values

    def _stakes(self) -> Stakes:
        bring_in, small_bet, big_bet = (self._amount(key, self.values[key]) for key in _SIZES)
        if not small_bet or big_bet != 2 * small_bet:
            message = "the bets are not a small bet and twice as much"
            raise Misread(codes.MALFORMED_STAKES, message, self.told.place("big_bet"))
        antes = Counter(self._antes)
        ante = max(antes, key=lambda amount: (antes[amount], amount))
        return Stakes(
            money=self.money, ante=ante, bring_in=bring_in, small_bet=small_bet, big_bet=big_bet
        )

    def antes(self) -> Iterator[Ante]:
        """Yield what everybody posts before the deal, as if all had the chips for it."""
        place = self.told.place("antes")
        for seat, amount in zip(self.seats, self._antes, strict=True):
            if amount:
                yield Ante(seat=seat, amount=amount, line=place.line, column=place.start)

    def by_seat(self, key: str) -> dict[Seat, Chips] | None:
        """Return a list of amounts by the players' seats, or None if the text has no such list."""
        if key not in self.values:
            return None
        return dict(zip(self.seats, self._amounts(key), strict=True))

    # ---- who sits where

    def _players(self) -> list[SeatedPlayer]:
        stacks = self._amounts("starting_stacks")
        seats = self._listed("seats", range(1, len(stacks) + 1))
        names = self._listed("players", [""] * len(stacks))
        line = self.told.place("players" if "players" in self.values else "starting_stacks").line
        players = [
            SeatedPlayer(
                seat=self._seat("seats", seat),
                name=str(name) or f"Player {number}",
                stack=stack,
                line=line,
            )
            for number, (seat, name, stack) in enumerate(zip(seats, names, stacks, strict=True), 1)
        ]
        self._told_apart("seats", [player.seat for player in players])
        self._told_apart("players", [player.name for player in players])
        return players

    def _listed(self, key: str, default: Any) -> Any:
        return self._one_for_each_player(key) if key in self.values else default

    def _told_apart(self, key: str, values: list[Any]) -> None:
        for value, times in Counter(values).items():
            if times > 1:
                message = f"{value} stands twice in `{key}`"
                raise Misread(codes.DUPLICATE_SEAT, message, self.told.place(key))

    def _seat(self, key: str, value: Any) -> Seat:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_SEATS:
            message = f"there is no seat {value}; expected 1 to {_MOST_SEATS}"
            raise Misread(codes.IMPOSSIBLE_SEAT, message, self.told.place(key))
        return Seat(value)

    @property
    def max_seats(self) -> int:
        """How many seats the table has."""
        if "seat_count" in self.values:
            return self._seat("seat_count", self.values["seat_count"])
        return max([_USUAL_SEATS, *self.seats])

    @property
    def name(self) -> str:
        """The table's name or number, empty if the text has none."""
        return str(self.values.get("table", ""))

    @property
    def hero(self) -> Seat | None:
        """Whose file it was before it became PHH, which has no field of its own for him."""
        hero = self.values.get("_hero")
        return Seat(hero) if type(hero) is int and hero in self.seats else None

    @property
    def tournament(self) -> Tournament | None:
        """The event, if it is played for chips of its own."""
        if self.money.currency != TOURNAMENT_CHIPS.currency:
            return None
        level = self.values.get("level", "")
        return Tournament(number=str(self.values["event"]), buy_in="", level=str(level))

    # ---- the time

    def played_at(self) -> datetime | None:
        """Return when it was, if both day and time are told: a day alone is no moment."""
        clock = self.values.get("time")
        day = [self.values.get(key) for key in ("year", "month", "day")]
        if clock is None or None in day:
            return None
        zone = self._zone()
        if zone is None:
            return None
        try:
            if not isinstance(clock, time):
                raise ValueError("the time is another kind of value")
            on = date(*map(int, map(str, day)))
            return in_utc(on.isoformat(), f"{clock:%H:%M:%S}", "%Y-%m-%d", zone)
        except (ValueError, OverflowError):
            self._doubt_time(f"{'-'.join(map(str, day))} {clock} is not a date and a time")
        return None

    def _zone(self) -> tzinfo | None:
        # A zone's name knows when it is summer there; an abbreviation is the next best.
        words = [self.values.get(key) for key in ("time_zone", "time_zone_abbreviation")]
        told = [str(word) for word in words if word is not None]
        if found := next(filter(None, map(_zone_called, told)), None):
            return found
        message = f"the time zone {told[0]} is not known" if told else "the time names no time zone"
        self._doubt_time(message)
        return None

    def _doubt_time(self, message: str) -> None:
        self.faults.append(Misread(codes.MALFORMED_TIME, message, self.told.place("time")))


def _zone_called(name: str) -> tzinfo | None:
    try:
        return find_zone(name) or ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return None


def digits(value: Any) -> str:
    """Return a number in plain digits, without zeros that say nothing."""
    is_plain = isinstance(value, Decimal) and value.is_finite()
    if not is_plain or abs(value.adjusted()) > _MOST_DIGITS:
        return str(value)
    whole, _, fraction = f"{value:f}".partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole
