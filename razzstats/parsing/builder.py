"""Recognised lines become a ParsedHand, in the same way for every text room."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from razzstats.cards import MaybeCard
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
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.locations import HandId, HandText
from razzstats.parsing.conventions import EVERYTHING_SAID, settle
from razzstats.parsing.lines import Lines, LineToken
from razzstats.parsing.parts import BadLine
from razzstats.parsing.room import Room
from razzstats.parsing.summary import SEAT_SUMMARIES, SummaryReader
from razzstats.parsing.table import Table
from razzstats.parsing.winnings import with_unlisted_pots

_UNSEEN: tuple[MaybeCard, ...] = (None, None)
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
        return Result(builder.build(hand_id), tuple(builder.table.warnings))
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
        self.lines = lines = Lines(tokens)
        self.table = Table(lines, hand, room)
        self.parts = self.table.parts
        self.seat_of = {player.name: player.seat for player in self.table.players}
        self.summary = SummaryReader(lines, self.parts, self.seat_of, room)
        self.hero: Seat | None = None
        self.street: Street | None = None

    def build(self, hand_id: HandId) -> ParsedHand:
        table, header = self.table, self.table.header
        events = told = tuple(self._events())
        if self.room.conventions is not EVERYTHING_SAID:
            events = tuple(settle(told, table.players, self.room.conventions))
            self.summary.taken_back = _collected(told) - _collected(events)
        summary = self.summary.read()
        if self.room.conventions.pots_may_be_unlisted:
            events = tuple(with_unlisted_pots(events, summary.seats))
        return ParsedHand(
            hand_id=hand_id,
            played_at=table.played_at(hand_id),
            table=table.table["table"],
            max_seats=table.max_seats(),
            tournament=table.tournament(),
            mixed_game=header.get("mix"),
            club=header.get("club"),
            stakes=table.stakes(events),
            players=table.players,
            hero=self.hero,
            events=events,
            summary=summary,
            text=self.hand,
        )

    # ---- the events

    def _actor(self, token: LineToken) -> Seat:
        return self.seat_of[token.player or ""]

    def _events(self) -> list[Event]:
        maker = _EVENT_OF.get
        events = [make(self, token) for token in self.lines.tokens if (make := maker(token.type))]
        if self.room.conventions.collects_unsaid:
            events += self._collects_of_summary()
        return events

    def _collects_of_summary(self) -> Iterable[Event]:
        if self.lines.all("COLLECTED"):
            return
        for token in self.lines.tokens:
            if token.type in SEAT_SUMMARIES and (amount := token.get("amount")):
                yield Collect(
                    seat=self._actor(token),
                    amount=self.parts.chips(amount, token.index),
                    line=token.index,
                    column=token.column,
                )

    def _street_start(self, token: LineToken) -> StreetStart:
        street = self.street = _STREETS[token.type]
        community = token.get("community")
        card: MaybeCard = None
        if community is not None:
            # A room that lost the card on the street line still has it in its summary.
            cards = self.parts.cards_of(community, token) or self.summary.board()
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
            up, down = cards[-1:], cards[:-1] or _UNSEEN
            if down.count(None) < len(down):
                self.hero = seat
        elif self.street is Street.SEVENTH:
            up, down = (), cards
        return Deal(
            seat=seat,
            up=up,
            down=down,
            seen=tuple([card for card in seen if card is not None]),
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


def _collected(events: Iterable[Event]) -> Counter[Seat]:
    amounts = Counter[Seat]()
    for event in events:
        if isinstance(event, Collect):
            amounts[event.seat] += event.amount
    return amounts


_Maker: TypeAlias = Callable[[_Builder, LineToken], Event]


def _payment(kind: type[Ante] | type[BringIn] | type[Call]) -> _Maker:
    def make(builder: _Builder, token: LineToken) -> Event:
        return kind(
            seat=builder.seat_of[token.player or ""],
            amount=builder.parts.amount(token, "amount"),
            all_in=token.fields.get("all_in") is not None,
            line=token.index,
            column=token.column,
        )

    return make


def _gesture(kind: type[Fold] | type[Check] | type[Muck]) -> _Maker:
    def make(builder: _Builder, token: LineToken) -> Event:
        seat = builder.seat_of[token.player or ""]
        return kind(seat=seat, line=token.index, column=token.column)

    return make


_EVENT_OF: Mapping[str, _Maker] = {
    **dict.fromkeys(_STREETS, _Builder._street_start),
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


def _pot_index(name: str) -> int | None:
    if name == "pot":
        return None
    if name == "main pot":
        return 0
    # side pot, side pot-2, side pot 2, side pot #2
    number = name.replace("-", " ").rpartition(" ")[2].removeprefix("#")
    return int(number) if number.isdecimal() else 1
