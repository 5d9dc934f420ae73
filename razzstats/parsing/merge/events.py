"""The rounds of a game as events, in the order in which things happened.

The cards of a street stand behind what was done on it, and are dealt before. What an all-in or a
completion was is told by its amount, not by its name.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby

from razzstats.cards import MaybeCard
from razzstats.chips import Chips
from razzstats.diagnostics import codes
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Check,
    Deal,
    Event,
    Fold,
    Muck,
    Note,
    Seat,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.locations import HandText
from razzstats.parsing.merge.document import Document, Element, Round
from razzstats.parsing.merge.ending import Ending
from razzstats.parsing.merge.header import Amounts, Heading
from razzstats.parsing.merge.table import Table, read_players
from razzstats.parsing.parts import BadLine

_STREETS = {
    "BRING_IN": Street.THIRD,
    "THIRD_STREET": Street.THIRD,
    "FOURTH_STREET": Street.FOURTH,
    "FIFTH_STREET": Street.FIFTH,
    "SIXTH_STREET": Street.SIXTH,
    "SEVENTH_STREET": Street.SEVENTH,
}
_ENDS = ("END_OF_FOLDED_GAME", "END_OF_GAME")
_ROUNDS = ("BLINDS", *_STREETS, "SHOWDOWN", *_ENDS)
"""All rounds, in the order in which they may follow one another."""

_DEALT = ("DRAW_DRAWN_CARDS", "HOLE")
_CARDS = (*_DEALT, "COMMUNITY", "SHOWN", "MUCKED")


class Story:
    """Tells the events of one game."""

    def __init__(self, document: Document, heading: Heading, hand: HandText) -> None:
        """Take the seat list; raises BadLine where it or the row of rounds makes no sense."""
        _check_rounds(document)
        self.rounds, self.heading, self.hand = document.rounds, heading, hand
        self.chips = Amounts(heading.money)
        antes = self._antes() if heading.balance_lacks_ante else {}
        self.players = read_players(document, self.chips, antes)
        self.table = Table(self.players, self.chips.parts)
        winners = [winner for each in document.rounds for winner in each.winners()]
        self.ending = Ending(winners, self.table, self.chips, heading.version)
        self.hero: Seat | None = None
        self.round = ""
        self.street: Street | None = None
        self.community: MaybeCard = None
        self.spoken: set[Seat] = set()
        """Who showed or mucked at the showdown."""

    def _antes(self) -> dict[str, Chips]:
        antes: dict[str, Chips] = {}
        for each in self.rounds:
            for event in each.events() if each.id == "BLINDS" else ():
                if event.get("amount") is not None:
                    seat = event["player"]
                    antes[seat] = Chips(antes.get(seat, 0) + self.chips.of(event))
        return antes

    def events(self) -> Iterator[Event]:
        """Yield what happened."""
        for street, group in groupby(self.rounds, key=lambda each: _STREETS.get(each.id)):
            rounds = list(group)
            if street is not None:
                yield from self._begin(street, rounds)
            for each in rounds:
                self.round = each.id
                if each.id == "SHOWDOWN":
                    yield from self.ending.returned()
                    yield ShowdownStart(line=each.tag.line, column=each.tag.column)
                yield from self._play(each)
        yield from self._end()

    # ---- a street and its cards

    def _begin(self, street: Street, rounds: list[Round]) -> Iterator[Event]:
        if self.street is not None:
            yield from self.ending.returned()
        self.street, self.table.on_street = street, {}
        shared = [card for each in rounds for card in each.cards("COMMUNITY")]
        start = shared[0] if shared else rounds[0].tag
        self.community = self._community(shared) if shared else None
        yield StreetStart(
            street=street, community=self.community, line=start.line, column=start.column
        )
        for each in rounds:
            for element in each.cards(*_DEALT):
                yield from self._deal(element, street)

    def _community(self, shared: list[Element]) -> MaybeCard:
        cards = self.table.read_cards(shared[0])
        if len(cards) != 1 or len(shared) > 1 or self.street is not Street.SEVENTH:
            message = "found community cards; expected one at most, on seventh street"
            raise BadLine(codes.UNEXPECTED_LINE, message, shared[-1].line)
        return cards[0]

    def _deal(self, element: Element, street: Street) -> Iterator[Event]:
        seat = self.table.seat(element)
        if element["type"] == "HOLE":
            self.hero = self.hero or seat
        seen = () if street is Street.THIRD else self.table.known(seat)
        cards = self.table.deal(seat, element, street)
        if not cards or (street is Street.SEVENTH and cards == (None,)):
            return
        down = {Street.THIRD: cards[:-1], Street.SEVENTH: cards}.get(street, ())
        yield Deal(
            seat=seat,
            up=cards[len(down) :],
            down=down,
            seen=seen,
            line=element.line,
            column=element.column,
        )

    # ---- what is done

    def _play(self, each: Round) -> Iterator[Event]:
        shown = {cards["player"]: cards for cards in each.cards("SHOWN")}
        for element in each.elements:
            if element.name == "event":
                yield from self._event(element, shown)
            elif element.name == "cards" and element["type"] not in _CARDS:
                raise _unexpected(element, f"cards {element['type']}", "cards", _CARDS)
            elif element.name == "winner" and each.id not in _ENDS:
                raise _unexpected(element, f"a winner in round {each.id}", "rounds", _ENDS)
        for element in shown.values():
            yield from self._show(element, self.table.seat(element))
        for element in each.cards("MUCKED"):
            seat = self.table.seat(element)
            self.ending.mucked[seat] = element
            if seat not in self.spoken:
                yield from self._muck(element)

    def _event(self, element: Element, shown: dict[str, Element]) -> Iterator[Event]:
        kind = element["type"]
        if kind == "SHOW":
            cards = shown.pop(element["player"], None)
            yield from self._show(cards or element, self.table.seat(element))
        elif kind in _ASIDES:
            yield self._note(element)
        elif make := _EVENT_OF.get(kind):
            yield from make(self, element)
        else:
            raise _unexpected(element, f"event {kind}", "events", (*_EVENT_OF, "SHOW", *_ASIDES))

    def _note(self, element: Element) -> Note:
        return Note(text=self.hand.lines[element.line].strip(), line=element.line)

    def _ante(self, element: Element) -> Iterator[Event]:
        seat, amount = self.table.seat(element), self.chips.of(element)
        all_in = self.table.pay(seat, amount, ante=True) or element["type"] == "ALL_IN"
        yield Ante(
            seat=seat, amount=amount, all_in=all_in, line=element.line, column=element.column
        )

    def _bring_in(self, element: Element) -> Iterator[Event]:
        seat, amount = self.table.seat(element), self.chips.of(element)
        all_in = self.table.pay(seat, amount) or element["type"] == "ALL_IN"
        yield BringIn(
            seat=seat, amount=amount, all_in=all_in, line=element.line, column=element.column
        )

    def _call(self, element: Element) -> Iterator[Event]:
        seat, amount = self.table.seat(element), self.chips.of(element)
        all_in = self.table.pay(seat, amount) or element["type"] == "ALL_IN"
        yield Call(
            seat=seat, amount=amount, all_in=all_in, line=element.line, column=element.column
        )

    def _wager(self, element: Element) -> Iterator[Event]:
        """Yield a wager; a completion is a bet or a raise by what was put in before it."""
        kind, seat, to = element["type"], self.table.seat(element), self.chips.of(element)
        if kind == "ALL_IN" or (kind == "RAISE" and not self.heading.raise_is_total):
            to = self.table.total(seat, to)
        level = self.table.level
        verb = {"BET": "bets", "RAISE": "raises"}.get(kind, "raises" if level else "bets")
        added = Chips(to - self.table.on_street.get(seat, 0))
        all_in = self.table.pay(seat, added) or kind == "ALL_IN"
        yield Wager(
            seat=seat, to=to, verb=verb, all_in=all_in, line=element.line, column=element.column
        )

    def _all_in(self, element: Element) -> Iterator[Event]:
        """Yield what a player did with his last chips, which is what the event states."""
        seat = self.table.seat(element)
        if element.get("amount") is None and not self.table.stacks[seat]:
            yield self._note(element)  # said again on a later street
        elif self.street is None:
            yield from self._ante(element)
        elif self.round == "BRING_IN" and not self.table.level:
            yield from self._bring_in(element)
        elif self.table.total(seat, self.chips.of(element)) > self.table.level:
            yield from self._wager(element)
        else:
            yield from self._call(element)

    def _check(self, element: Element) -> Iterator[Event]:
        yield Check(seat=self.table.seat(element), line=element.line, column=element.column)

    def _fold(self, element: Element) -> Iterator[Event]:
        seat = self.table.seat(element)
        self.table.folded.add(seat)
        yield Fold(seat=seat, line=element.line, column=element.column)

    def _sit_out(self, element: Element) -> Iterator[Event]:
        """Yield the fold of a player who leaves his seat while he is in the hand."""
        if self.street is None or self.table.seat(element) not in self.table.live:
            yield self._note(element)
        else:
            yield from self._fold(element)

    # ---- the end

    def _show(self, element: Element, seat: Seat) -> Iterator[Event]:
        """Yield a hand turned up: the cards of a list, or of an event those told before it."""
        yield from self.ending.returned()
        cards = self.table.cards.get(seat, [])
        if element.name == "cards":
            cards = list(self.table.read_cards(element))
        shown = tuple(card for card in cards if card is not None)
        self.table.show(seat, shown)
        self._speaks(seat)
        yield Show(seat=seat, cards=shown, line=element.line, column=element.column)

    def _muck(self, element: Element) -> Iterator[Event]:
        yield from self.ending.returned()
        seat = self.table.seat(element)
        self._speaks(seat)
        yield Muck(seat=seat, line=element.line, column=element.column)

    def _speaks(self, seat: Seat) -> None:
        """Remember who spoke at the showdown, not those who had to show before it."""
        if self.round not in _STREETS or self.street is Street.SEVENTH:
            self.spoken.add(seat)

    def _end(self) -> Iterator[Event]:
        """Yield the hands that lie open since an all-in, and who takes what."""
        yield from self.ending.returned()
        for seat in self.table.live if len(self.table.live) > 1 else ():
            element, listed = self.table.listed.get(seat, (None, ()))
            cards = [card for card in listed if card is not None]
            if element and seat not in self.spoken and len(cards) == 7 - bool(self.community):
                yield Show(seat=seat, cards=tuple(cards), line=element.line, column=element.column)
        yield from self.ending.collects()


_ASIDES = ("CONNECTED", "DISCONNECTED", "JOIN", "LEAVE", "PLAYER_OUT", "RECONNECTED")

_EVENT_OF: Mapping[str, Callable[[Story, Element], Iterator[Event]]] = {
    "ANTE": Story._ante,
    "BRING_IN": Story._bring_in,
    "FOLD": Story._fold,
    "CHECK": Story._check,
    "CALL": Story._call,
    "BET": Story._wager,
    "COMPLETE": Story._wager,
    "RAISE": Story._wager,
    "ALL_IN": Story._all_in,
    "SIT_OUT": Story._sit_out,
    "MUCK": Story._muck,
}


def _check_rounds(document: Document) -> None:
    """Raise BadLine for a cancelled game, an unknown round, one out of its place or a lost end."""
    last = -1
    for each in document.rounds:
        cancelled = each.id == "GAME_CANCELLED"
        if cancelled or any(event["type"] == "GAME_CANCELLED" for event in each.events()):
            message = "the room cancelled this hand"
            raise BadLine(codes.CANCELLED_HAND, message, each.tag.line)
        place = _ROUNDS.index(each.id) if each.id in _ROUNDS else -1
        if place <= last:
            raise _unexpected(each.tag, f"round {each.id}", "rounds", _ROUNDS[last + 1 :])
        last = place
    if not document.rounds or document.rounds[-1].id not in _ENDS:
        message = "the hand has no round END_OF_GAME"
        raise BadLine(codes.TRUNCATED_HAND, message, document.end or 0)
    winners = [winner for each in document.rounds for winner in each.winners()]
    if all(winner.get("uncalled") == "true" for winner in winners):
        message = "the hand ends, but nobody wins it; expected <winner>"
        raise BadLine(codes.UNEXPECTED_LINE, message, document.rounds[-1].tag.line)


def _unexpected(element: Element, found: str, things: str, expected: Iterable[str]) -> BadLine:
    message = f"found {found}; expected one of the {things} {', '.join(expected)}"
    return BadLine(codes.UNEXPECTED_LINE, message, element.line)
