"""The beginning of a hand: the table, its stakes and its players, and when it was."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from zoneinfo import ZoneInfo

from razzstats.chips import (
    CURRENCY_OF_SYMBOL,
    PLAY_MONEY,
    TOURNAMENT_CHIPS,
    Chips,
    Money,
)
from razzstats.diagnostics import Diagnostic, codes
from razzstats.events import Event, SeatedPlayer, Stakes, Tournament
from razzstats.locations import HandId, HandText
from razzstats.parsing.forced_bets import usual_ante, usual_bring_in
from razzstats.parsing.lines import Lines
from razzstats.parsing.parts import BadLine, Parts
from razzstats.parsing.room import Room
from razzstats.parsing.times import find_zone, in_utc

_USUAL_SEATS = 8  # of a table whose text does not say how many it has


class Table:
    """Reads the lines before the deal; a part that cannot be true raises BadLine."""

    def __init__(self, lines: Lines, text: HandText, room: Room) -> None:
        """Read money and players, which the rest of the hand is read by."""
        self.lines = lines
        self.text = text
        self.room = room
        self.header = lines.header
        self.warnings: list[Diagnostic] = []
        # Where a room tells of table and time on lines of their own, these; else the header.
        self.table = lines.first("TABLE", self.header)
        self.time = lines.first("TIME", self.header)
        self.size = lines.first("SIZE", self.table)
        self.limits = self.table if self.table.get("small_bet") else self.header
        self.parts = Parts(self._money(), room.numbers)
        self.players = self._players()

    def max_seats(self) -> int:
        """Return how many seats the table has; a room that does not say it has the usual number."""
        if self.size.get("max_seats"):
            return self.parts.small_number(self.size, "max_seats")
        return max([_USUAL_SEATS, *(player.seat for player in self.players)])

    def _tournament_number(self) -> str | None:
        number = self.header.get("tournament")
        return self.table.get("tournament") if number is None else number

    def tournament(self) -> Tournament | None:
        """Return what the header says of the tournament, None for a cash game."""
        number = self._tournament_number()
        buy_in, level = map(self.header.get, ("buy_in", "level"))
        if number is None:
            return None
        number = self.table.get("table_tournament") or number
        return Tournament(number=number, buy_in=buy_in or "", level=level or "")

    def _money(self) -> Money:
        if self._tournament_number() is not None:
            return TOURNAMENT_CHIPS._replace(decimals=self.room.tournament_decimals)
        small_bet, currency = self.limits["small_bet"], self.limits.get("currency")
        sign = small_bet[-1:] if self.room.numbers.sign_behind else small_bet[:1]
        symbol = CURRENCY_OF_SYMBOL.get(sign)
        if self.table.get("play_money") and (symbol or currency):
            message = "the table is for play money, but the stakes name a currency"
            raise BadLine(codes.MALFORMED_STAKES, message, self.limits.index, small_bet)
        if self.table.get("real_money") and not (symbol or currency):
            message = "the table is for real money, but the stakes name no currency"
            raise BadLine(codes.MALFORMED_STAKES, message, self.limits.index, small_bet)
        if symbol and currency and symbol != currency:
            message = f"the stakes are in {sign}, but the header says {currency}"
            raise BadLine(codes.MALFORMED_STAKES, message, self.limits.index, small_bet)
        if currency or symbol:
            return Money(currency or symbol or "", 2)
        return Money("play", self.room.decimals) if self.room.decimals else PLAY_MONEY

    def stakes(self, events: Iterable[Event]) -> Stakes:
        """Return what the hand is played for; the ante and the bring-in are told by the events."""
        told = list(events)
        limits = self.limits
        small_bet = self.parts.amount(limits, "small_bet")
        big_bet = self.parts.amount(limits, "big_bet")
        if not small_bet or big_bet != 2 * small_bet:
            bigger = "a bigger bet" if big_bet <= small_bet else "twice as much"
            message = (
                f"the stakes {limits['small_bet']}/{limits['big_bet']} are not a small "
                f"bet and {bigger}"
            )
            raise BadLine(codes.MALFORMED_STAKES, message, limits.index, limits["big_bet"])
        return Stakes(
            money=self.parts.money if self._tournament_number() is None else TOURNAMENT_CHIPS,
            ante=self._ante(told),
            bring_in=usual_bring_in(told),
            small_bet=small_bet,
            big_bet=big_bet,
        )

    def _ante(self, events: Iterable[Event]) -> Chips:
        if self.limits.get("ante"):
            return self.parts.amount(self.limits, "ante")
        return usual_ante(events)

    def played_at(self, hand_id: HandId) -> datetime | None:
        """Return when the hand was played, None (and a warning) if that cannot be told."""
        said = self.time
        if said.get("et_date") is None:
            return self._moment(hand_id, said["date"], said["time"], said.get("zone"))
        # Where both stand, the bracketed one; the other settles an hour that comes twice.
        local = find_zone(said.get("zone") or "")
        also = None
        if local is not None and said.get("date") is not None:
            with suppress(ValueError):
                also = in_utc(said["date"], said["time"], self.room.date_format, local)
        return self._moment(hand_id, said["et_date"], said["et_time"], "ET", also)

    def _moment(
        self, hand_id: HandId, date: str, time: str, word: str | None, also: datetime | None = None
    ) -> datetime | None:
        zone = find_zone(word) if word else ZoneInfo(self.room.time_zone)
        if zone is None:
            self._warn_time(hand_id, f"the time zone {word} is not known", word or "")
            return None
        try:
            return in_utc(date, time, self.room.date_format, zone, also)
        except ValueError:
            self._warn_time(hand_id, f"{date} {time} is not a date and a time", f"{date} {time}")
            return None

    def _warn_time(self, hand_id: HandId, message: str, part: str) -> None:
        span = self.text.find(self.time.index, part)
        self.warnings.append(
            Diagnostic(code=codes.MALFORMED_TIME, message=message, span=span, hand_id=hand_id)
        )

    def _players(self) -> tuple[SeatedPlayer, ...]:
        players: list[SeatedPlayer] = []
        for token in self.lines.all("SEAT"):
            player = SeatedPlayer(
                seat=self.parts.seat_number(token),
                name=token["player"],
                stack=self.parts.amount(token, "amount"),
                sitting_out=token.get("sitting_out") is not None,
                line=token.index,
            )
            for other in players:
                if other.seat == player.seat:
                    message = f"seat {player.seat} is taken by {other.name} and by {player.name}"
                    raise BadLine(codes.DUPLICATE_SEAT, message, token.index, token["seat"])
                if other.name == player.name:
                    message = f"{player.name} sits in seat {other.seat} and in seat {player.seat}"
                    raise BadLine(codes.DUPLICATE_SEAT, message, token.index, player.name)
            players.append(player)
        return tuple(sorted(players, key=lambda player: player.seat))
