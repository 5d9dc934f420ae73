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
        self.parts = Parts(self._money(), room.numbers)
        self.players = self._players()
        self.seat_of = {player.name: player.seat for player in self.players}
        self.hero: Seat | None = None
        self.street: Street | None = None

    def build(self, hand_id: HandId) -> ParsedHand:
        events = tuple(settle(self._events(), self.players, self.room.conventions))
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
            summary=self._summary(),
            text=self.hand,
        )

    # ---- the header and the table

    def _max_seats(self) -> int:
        if self.table.get("max_seats"):
            return self.parts.small_number(self.table, "max_seats")
        return max([_USUAL_SEATS, *(player.seat for player in self.players)])

    def _tournament(self) -> Tournament | None:
        number, buy_in, level = map(self.header.get, ("tournament", "buy_in", "level"))
        if number is None:
            return None
        return Tournament(number=number, buy_in=buy_in or "", level=level or "")

    def _money(self) -> Money:
        if self.header.get("tournament"):
            return TOURNAMENT_CHIPS
        small_bet, currency = self.header["small_bet"], self.header.get("currency")
        sign = small_bet[-1:] if self.room.numbers.sign_behind else small_bet[:1]
        symbol = CURRENCY_OF_SYMBOL.get(sign)
        if symbol and currency and symbol != currency:
            message = f"the stakes are in {sign}, but the header says {currency}"
            raise BadLine(codes.MALFORMED_STAKES, message, 0, small_bet)
        if currency or symbol:
            return Money(currency or symbol or "", 2)
        return Money("play", self.room.decimals) if self.room.decimals else PLAY_MONEY

    def _stakes(self, events: Iterable[Event]) -> Stakes:
        antes = [event for event in events if isinstance(event, Ante)]
        bring_ins = [
            event.amount for event in events if isinstance(event, BringIn) and not event.all_in
        ]
        small_bet = self.parts.amount(self.header, "small_bet")
        big_bet = self.parts.amount(self.header, "big_bet")
        if not small_bet or big_bet != 2 * small_bet:
            bigger = "a bigger bet" if big_bet <= small_bet else "twice as much"
            message = (
                f"the stakes {self.header['small_bet']}/{self.header['big_bet']} are not a small "
                f"bet and {bigger}"
            )
            raise BadLine(codes.MALFORMED_STAKES, message, 0, self.header["big_bet"])
        return Stakes(
            money=self.parts.money,
            ante=_usual_ante(antes),
            bring_in=bring_ins[0] if bring_ins else Chips(0),
            small_bet=small_bet,
            big_bet=big_bet,
        )

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
            elif token.type == "SUMMARY":
                return

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
            verb="raises",
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
        return Summary(
            pot=self.parts.amount(total, "amount") if total.get("amount") else None,
            rake=self.parts.amount(rake, "rake") if rake.get("rake") else None,
            pots=tuple(self._pots(total)),
            board=board[0] if board else None,
            seats=tuple(
                self._seat_summary(token) for token in self.tokens if token.type in _SEAT_SUMMARIES
            ),
            lists_everybody=self.room.conventions.summary_lists_everybody,
            line=total.index or rake.index,
        )

    def _pots(self, total: LineToken) -> Iterable[Chips]:
        for part in (total.get("pots") or "").replace(". ", ".|").split("|"):
            if part.strip():
                yield self.parts.chips(part.split()[-1].removesuffix("."), total.index)

    def _board(self) -> tuple[Card, ...]:
        boards = [token for token in self.tokens if token.type == "BOARD"]
        cards = self.parts.cards(boards[0], "cards") if boards else ()
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
        return SeatSummary(
            seat=seat,
            name=player,
            folded_on=self.room.street_names[street] if street else None,
            did_not_bet=token.get("did_not_bet") is not None,
            cards=self.parts.cards(token, "cards") if token.get("cards") is not None else None,
            showed=token.type == "SEAT_SHOWED",
            mucked=token.type == "SEAT_MUCKED",
            lost=token.get("lost") is not None,
            won=self.parts.chips(amount, token.index) if amount else None,
            low=self.parts.low(token),
            line=token.index,
            column=token.column,
        )


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
    _, _, number = name.partition("-")
    return int(number or 1)
