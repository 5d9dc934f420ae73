"""Recognised lines become a ParsedHand, in the same way for every text room."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Protocol, TypeAlias
from zoneinfo import ZoneInfo

from razzstats.cards import Card, MaybeCard
from razzstats.chips import (
    CURRENCY_OF_SYMBOL,
    PLAY_MONEY,
    TOURNAMENT_CHIPS,
    Chips,
    Money,
    NumberStyle,
)
from razzstats.diagnostics import Diagnostic, Result, codes
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    CapNotice,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    Note,
    ParsedHand,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    SeatSummary,
    Show,
    ShowdownStart,
    Stakes,
    Street,
    StreetStart,
    Summary,
    Tournament,
    Wager,
)
from razzstats.locations import HandId, HandText
from razzstats.parsing.conventions import Conventions, settle
from razzstats.parsing.lines import LineToken
from razzstats.parsing.parts import BadLine, Parts
from razzstats.parsing.times import find_zone, in_utc
from razzstats.parsing.winnings import with_unlisted_pots

_TIME = ("date", "time")
_USUAL_SEATS = 8  # of a table whose text does not say how many it has


class Room(Protocol):
    """What building a hand takes from its room, beside the recognised lines."""

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


_STREETS = {
    "THIRD": Street.THIRD,
    "FOURTH": Street.FOURTH,
    "FIFTH": Street.FIFTH,
    "SIXTH": Street.SIXTH,
    "SEVENTH": Street.SEVENTH,
}


def build_hand(
    tokens: list[LineToken], hand: HandText, hand_id: HandId, room: Room
) -> Result[ParsedHand]:
    """Return the hand that the recognised lines tell, or the first line that cannot be true."""
    try:
        builder = _Builder(tokens, hand, room)
        return Result(builder.build(hand_id), tuple(builder.warnings))
    except BadLine as bad:
        span = hand.find(bad.index, bad.part)
        found = Diagnostic(
            code=bad.code, message=bad.message, span=span, hand_id=hand_id, help=bad.help
        )
        return Result(None, (found,))


class _Builder:
    """Builds one hand; the table's seats and money are known before its events are read."""

    def __init__(self, tokens: list[LineToken], hand: HandText, room: Room) -> None:
        self.hand = hand
        self.room = room
        self.header = tokens[0]
        self.tokens = tokens
        self.warnings: list[Diagnostic] = []
        # Where a room tells of table and time on lines of their own, these; else the header.
        self.table = _first(tokens, "TABLE", self.header)
        self.time = _first(tokens, "TIME", self.header)
        self.size = _first(tokens, "SIZE", self.table)
        self.limits = self.table if self.table.get("small_bet") else self.header
        self.parts = Parts(self._money(), room.numbers)
        self.players = self._players()
        self.seat_of = {player.name: player.seat for player in self.players}
        self.hero: Seat | None = None
        self.street: Street | None = None
        self.taken_back = Counter[Seat]()
        """What each player's collected amounts hold that was no part of a pot."""

    def build(self, hand_id: HandId) -> ParsedHand:
        told = tuple(self._events())
        events = tuple(settle(told, self.players, self.room.conventions))
        self.taken_back = _collected(told) - _collected(events)
        summary = self._summary()
        if self.room.conventions.pots_may_be_unlisted:
            events = tuple(with_unlisted_pots(events, summary.seats))
        header = self.header
        return ParsedHand(
            hand_id=hand_id,
            played_at=self._played_at(hand_id),
            table=self.table["table"],
            max_seats=self._max_seats(),
            tournament=self._tournament(),
            mixed_game=header.get("mix"),
            club=header.get("club"),
            stakes=self._stakes(events),
            players=self.players,
            hero=self.hero,
            events=events,
            summary=summary,
            text=self.hand,
        )

    # ---- the header and the table

    def _max_seats(self) -> int:
        if self.size.get("max_seats"):
            return self.parts.small_number(self.size, "max_seats")
        return max([_USUAL_SEATS, *(player.seat for player in self.players)])

    def _tournament_number(self) -> str | None:
        number = self.header.get("tournament")
        return self.table.get("tournament") if number is None else number

    def _tournament(self) -> Tournament | None:
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

    def _stakes(self, events: Iterable[Event]) -> Stakes:
        antes = [event for event in events if isinstance(event, Ante)]
        bring_ins = [
            event.amount for event in events if isinstance(event, BringIn) and not event.all_in
        ]
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
            ante=self._ante(antes),
            bring_in=bring_ins[0] if bring_ins else Chips(0),
            small_bet=small_bet,
            big_bet=big_bet,
        )

    def _ante(self, antes: list[Ante]) -> Chips:
        if self.limits.get("ante"):
            return self.parts.amount(self.limits, "ante")
        return _usual_ante(antes)

    def _played_at(self, hand_id: HandId) -> datetime | None:
        eastern = self.time.get("et_date") is not None  # where both stand, the bracketed one
        date, time = map(self.time.__getitem__, ("et_date", "et_time") if eastern else _TIME)
        word = "ET" if eastern else self.time.get("zone")
        zone = find_zone(word) if word else ZoneInfo(self.room.time_zone)
        if zone is None:
            self._warn_time(hand_id, f"the time zone {word} is not known", word or "")
            return None
        try:
            return in_utc(date, time, self.room.date_format, zone)
        except ValueError:
            self._warn_time(hand_id, f"{date} {time} is not a date and a time", f"{date} {time}")
            return None

    def _warn_time(self, hand_id: HandId, message: str, part: str) -> None:
        span = self.hand.find(self.time.index, part)
        self.warnings.append(
            Diagnostic(code=codes.MALFORMED_TIME, message=message, span=span, hand_id=hand_id)
        )

    def _players(self) -> tuple[SeatedPlayer, ...]:
        players: list[SeatedPlayer] = []
        for token in self.tokens:
            if token.type != "SEAT":
                continue
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

    # ---- the events

    def _actor(self, token: LineToken) -> Seat:
        return self.seat_of[token.player or ""]

    def _events(self) -> Iterable[Event]:
        for token in self.tokens:
            if token.type in _STREETS:
                self.street = _STREETS[token.type]
                yield self._street_start(token, self.street)
            elif make := _EVENT_OF.get(token.type):
                yield make(self, token)
        if self.room.conventions.collects_unsaid:
            yield from self._collects_of_summary()

    def _collects_of_summary(self) -> Iterable[Event]:
        if any(token.type == "COLLECTED" for token in self.tokens):
            return
        for token in self.tokens:
            if token.type in _SEAT_SUMMARIES and (amount := token.get("amount")):
                yield Collect(
                    seat=self._actor(token),
                    amount=self.parts.chips(amount, token.index),
                    line=token.index,
                    column=token.column,
                )

    def _street_start(self, token: LineToken, street: Street) -> StreetStart:
        community = token.get("community")
        card: MaybeCard = None
        if community is not None:
            # A room that lost the card on the street line still has it in its summary.
            cards = self.parts.cards_of(community, token) or self._board()
            if len(cards) != 1:
                message = f"the community card is [{community}], not one card"
                raise BadLine(codes.MALFORMED_CARD, message, token.index, community)
            card = cards[0]
        return StreetStart(street=street, community=card, line=token.index)

    def _deal(self, token: LineToken) -> Deal:
        seat = self._actor(token)
        cards, seen = self.parts.maybe_cards(token, "cards"), self.parts.maybe_cards(token, "seen")
        up, down = cards, tuple[MaybeCard, ...]()
        if self.street is Street.THIRD:
            cards, seen = (*seen, *cards), ()  # Full Tilt prints the down cards by themselves
            up, down = cards[-1:], cards[:-1] or (None, None)
            if any(card is not None for card in down):
                self.hero = seat
        elif self.street is Street.SEVENTH:
            up, down = (), cards
        return Deal(
            seat=seat,
            up=up,
            down=down,
            seen=tuple(card for card in seen if card is not None),
            line=token.index,
            column=token.column,
        )

    def _bet(self, token: LineToken) -> Wager:
        return Wager(
            seat=self._actor(token),
            to=self.parts.amount(token, "amount"),
            verb="bets",
            all_in=token.get("all_in") is not None,
            line=token.index,
            column=token.column,
        )

    def _raise(self, token: LineToken) -> Wager:
        return Wager(
            seat=self._actor(token),
            to=self.parts.amount(token, "to"),
            by=self.parts.amount(token, "amount") if token.get("amount") else None,
            verb="completes" if token.type == "COMPLETE" else "raises",
            all_in=token.get("all_in") is not None,
            line=token.index,
            column=token.column,
        )

    def _show(self, token: LineToken) -> Show:
        return Show(
            seat=self._actor(token),
            cards=self.parts.cards(token, "cards"),
            low=self.parts.low(token),
            line=token.index,
            column=token.column,
        )

    def _collect(self, token: LineToken) -> Collect:
        self.parts.low(token)  # rooms that print the winner's low here have it at his show, too
        return Collect(
            seat=self._actor(token),
            amount=self.parts.amount(token, "amount"),
            pot=_pot_index(token["pot"]),
            line=token.index,
            column=token.column,
        )

    def _returned(self, token: LineToken) -> ReturnedBet:
        return ReturnedBet(
            seat=self._actor(token),
            amount=self.parts.amount(token, "amount"),
            line=token.index,
            column=token.column,
        )

    def _note(self, token: LineToken) -> Note:
        return Note(text=self.hand.lines[token.index].rstrip(), line=token.index)

    # ---- the summary

    def _summary(self) -> Summary:
        total = _first(self.tokens, "TOTAL_POT", self.header)
        rake = _first(self.tokens, "RAKE", total)
        board = self._board()
        raked = self._rake(rake)
        return Summary(
            pot=self._pot(total, raked) if total.get("amount") else None,
            rake=raked,
            pots=tuple(self._pots(total)),
            board=board[0] if board else None,
            seats=tuple(
                self._seat_summary(token) for token in self.tokens if token.type in _SEAT_SUMMARIES
            ),
            lists_everybody=self.room.conventions.summary_lists_everybody,
            line=total.index or rake.index,
        )

    def _rake(self, token: LineToken) -> Chips | None:
        if token.get("no_rake"):
            return Chips(0)
        return self.parts.amount(token, "rake") if token.get("rake") else None

    def _pot(self, total: LineToken, rake: Chips | None) -> Chips:
        # Some rooms have a line for each pot, with what is in it.
        totals = [token for token in self.tokens if token.type == total.type]
        amount = Chips(sum(self.parts.amount(token, "amount") for token in totals))
        if self.room.conventions.total_is_collected:
            return Chips(amount + (rake or 0) - self.taken_back.total())
        return amount

    def _pots(self, total: LineToken) -> Iterable[Chips]:
        for part in (total.get("pots") or "").replace(". ", ".|").split("|"):
            if part.strip():
                yield self.parts.chips(part.split()[-1].removesuffix("."), total.index)

    def _board(self) -> tuple[Card, ...]:
        unsaid = self.room.conventions.board_unsaid
        terminal, field = ("SEVENTH", "community") if unsaid else ("BOARD", "cards")
        boards = [token for token in self.tokens if token.type == terminal]
        cards = self.parts.cards(boards[0], field) if boards else ()
        if len(cards) > 1:
            message = f"the board has {len(cards)} cards, not one"
            raise BadLine(codes.MALFORMED_CARD, message, boards[0].index)
        return cards

    def _seat_summary(self, token: LineToken) -> SeatSummary:
        player = token.player or ""
        seat = self.parts.seat_number(token)
        if self.seat_of[player] != seat:
            message = f"{player} is in seat {seat}, but sat down in seat {self.seat_of[player]}"
            raise BadLine(codes.SEAT_MISMATCH, message, token.index, token["seat"])
        street, amount = token.get("street"), token.get("amount")
        won = self.parts.chips(amount, token.index) if amount else None
        return SeatSummary(
            seat=seat,
            name=player,
            folded_on=self.room.street_names[street] if street else None,
            did_not_bet=token.get("did_not_bet") is not None,
            cards=self.parts.cards(token, "cards") if token.get("cards") is not None else None,
            showed=token.type == "SEAT_SHOWED",
            mucked=token.type == "SEAT_MUCKED",
            lost=token.get("lost") is not None,
            won=None if won is None else Chips(won - self.taken_back[seat]),
            net=self.parts.balance(token, "net"),
            stack=self.parts.amount(token, "stack") if token.get("stack") else None,
            low=self.parts.low(token),
            line=token.index,
            column=token.column,
        )


def _collected(events: Iterable[Event]) -> Counter[Seat]:
    amounts = Counter[Seat]()
    for event in events:
        if isinstance(event, Collect):
            amounts[event.seat] += event.amount
    return amounts


def _usual_ante(antes: list[Ante]) -> Chips:
    """Return what most players post; those whose last chips it takes may post less."""
    whole = Counter(ante.amount for ante in antes if not ante.all_in)
    amounts = whole or Counter(ante.amount for ante in antes)
    return max(amounts, key=lambda amount: (amounts[amount], amount), default=Chips(0))


_SEAT_SUMMARIES = frozenset(
    ("SEAT_FOLDED", "SEAT_COLLECTED", "SEAT_SHOWED", "SEAT_MUCKED", "SEAT_OUT")
)

_Maker: TypeAlias = Callable[[_Builder, LineToken], Event]


def _payment(kind: type[Ante] | type[BringIn] | type[Call]) -> _Maker:
    def make(builder: _Builder, token: LineToken) -> Event:
        return kind(
            seat=builder._actor(token),
            amount=builder.parts.amount(token, "amount"),
            all_in=token.get("all_in") is not None,
            line=token.index,
            column=token.column,
        )

    return make


def _gesture(kind: type[Fold] | type[Check] | type[Muck]) -> _Maker:
    def make(builder: _Builder, token: LineToken) -> Event:
        return kind(seat=builder._actor(token), line=token.index, column=token.column)

    return make


_EVENT_OF: Mapping[str, _Maker] = {
    "ANTE": _payment(Ante),
    "DEALT": _Builder._deal,
    "BRING_IN": _payment(BringIn),
    "FOLD": _gesture(Fold),
    "CHECK": _gesture(Check),
    "CALL": _payment(Call),
    "BET": _Builder._bet,
    "COMPLETE": _Builder._raise,
    "RAISE": _Builder._raise,
    "UNCALLED": _Builder._returned,
    "COLLECTED": _Builder._collect,
    "SHOWS": _Builder._show,
    "MUCKS": _gesture(Muck),
    "NO_SHOW": _gesture(Muck),
    "SHOWDOWN": lambda builder, token: ShowdownStart(line=token.index),
    "CAPPED": lambda builder, token: CapNotice(line=token.index),
    "CHAT": _Builder._note,
    "NOTICE": _Builder._note,
}


def _first(tokens: list[LineToken], terminal: str, default: LineToken) -> LineToken:
    return next((token for token in tokens if token.type == terminal), default)


def _pot_index(name: str) -> int | None:
    if name == "pot":
        return None
    if name == "main pot":
        return 0
    # side pot, side pot-2, side pot 2, side pot #2
    number = name.replace("-", " ").rpartition(" ")[2].removeprefix("#")
    return int(number) if number.isdecimal() else 1
