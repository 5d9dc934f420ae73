"""The actions of a hand in PHH notation become events.

The notation has no streets: which one it is follows from how many cards the players have.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from razzstats.cards import Card, MaybeCard
from razzstats.chips import Chips
from razzstats.diagnostics import codes
from razzstats.events import (
    BringIn,
    Call,
    Deal,
    Event,
    Fold,
    Muck,
    Note,
    Seat,
    Show,
    Street,
    StreetStart,
    Wager,
)
from razzstats.parsing.phh.toml_text import Misread, Place

_MOST_CARDS = 7
_HIDDEN = "??"


class ActionReader:
    """Reads the actions of one hand, and keeps what they tell of everybody's cards."""

    def __init__(
        self, seats: Sequence[Seat], bring_in: Chips, amount: Callable[[str, Place], Chips]
    ) -> None:
        """Read for players in these seats, the first of whom is ``p1``."""
        self.seats = seats
        self.bring_in = bring_in
        self.amount = amount
        self.street: Street | None = None
        self.cards: dict[Seat, list[MaybeCard]] = {seat: [] for seat in seats}
        self.community: Card | None = None
        self.shown: set[Seat] = set()
        """Who turned up his hand and did not muck it later."""

    def events(self, actions: Iterable[tuple[str, Place]]) -> Iterator[Event]:
        """Yield what the actions say; raises Misread for the first that says nothing."""
        for text, place in actions:
            action, mark, comment = text.partition("#")
            if words := action.split():
                yield from self._events(words, place)
            if mark:
                yield Note(text=comment.strip(), line=place.line, column=place.start)

    def _events(self, words: list[str], place: Place) -> Iterator[Event]:
        match words:
            case ["d", "dh", player, cards]:
                yield from self._deal(self._seat(player, place), _cards(cards, place), place)
            case ["d", "db", cards]:
                yield self._deal_to_all(_cards(cards, place), place)
            case [player, *rest] if player != "d":
                if self.street is Street.THIRD:
                    yield from self._unfinished_deals(place)
                yield self._action(self._seat(player, place), rest, words, place)
            case _:
                raise _no_action(words, place)

    def _seat(self, player: str, place: Place) -> Seat:
        number = int(player[1:]) if re.fullmatch("p[1-9][0-9]?", player) else 0
        if not 1 <= number <= len(self.seats):
            message = f"{player!r} is none of the {len(self.seats)} players"
            raise Misread(codes.UNKNOWN_PLAYER, message, place)
        return self.seats[number - 1]

    # ---- cards

    def _deal(self, seat: Seat, cards: Sequence[MaybeCard], place: Place) -> Iterator[Event]:
        held = self.cards[seat]
        for card in cards:
            if len(held) == _MOST_CARDS:
                message = "a player is dealt more than seven cards"
                raise Misread(codes.WRONG_CARD_COUNT, message, place)
            seen = tuple(known for known in held if known is not None)
            held.append(card)
            street = Street(max(len(held), Street.THIRD))
            if self.street is None or street > self.street:
                self.street = street
                yield StreetStart(street=street, line=place.line, column=place.start)
            if street is Street.SEVENTH:
                # The seventh card is nobody's business but its owner's, and may stay untold.
                if card is not None:
                    yield _dealt(seat, place, down=(card,), seen=seen)
            elif street is not Street.THIRD:
                yield _dealt(seat, place, up=(card,), seen=seen)
            elif len(held) == Street.THIRD:
                yield _dealt(seat, place, down=tuple(held[:2]), up=(card,))

    def _unfinished_deals(self, place: Place) -> Iterator[Event]:
        """Yield the deals of players who were dealt too little, for the rules to say so."""
        for seat, held in self.cards.items():
            if 0 < len(held) < Street.THIRD:
                yield _dealt(seat, place, down=tuple(held))

    def _deal_to_all(self, cards: Sequence[MaybeCard], place: Place) -> StreetStart:
        (card,) = cards if len(cards) == 1 else (None,)
        if card is None:
            message = f"{len(cards)} cards are dealt to the table; expected one that is known"
            raise Misread(codes.MALFORMED_CARD, message, place)
        if self.street is not Street.SIXTH:
            message = "a card is dealt to the table; expected it on seventh street"
            raise Misread(codes.COMMUNITY_CARD_MISPLACED, message, place)
        self.street, self.community = Street.SEVENTH, card
        return StreetStart(street=self.street, community=card, line=place.line, column=place.start)

    def known_hand(self, seat: Seat) -> tuple[Card, ...] | None:
        """Return all seven cards that the player plays, or None if not all of them are told."""
        held = [*self.cards[seat], *([self.community] if self.community else [])]
        known = tuple(card for card in held if card is not None)
        return known if len(known) == _MOST_CARDS else None

    # ---- what players do

    def _action(self, seat: Seat, rest: list[str], words: list[str], place: Place) -> Event:
        # Amounts that PHH leaves unsaid are filled in where the chips are counted.
        at, column = place.line, place.start + len(words[0])
        match rest:
            case ["pb"]:
                return BringIn(seat=seat, amount=self.bring_in, line=at, column=column)
            case ["f"]:
                return Fold(seat=seat, line=at, column=column)
            case ["cc"]:
                return Call(seat=seat, amount=Chips(0), line=at, column=column)
            case ["cbr", amount]:
                to = self.amount(amount, place)
                return Wager(seat=seat, to=to, verb="bets", line=at, column=column)
            case ["sm"]:
                self.shown.discard(seat)
                return Muck(seat=seat, line=at, column=column)
            case ["sm", cards]:
                shown = self._shown_cards(seat, cards, place)
                return Show(seat=seat, cards=shown, line=at, column=column)
        raise _no_action(words, place)

    def _shown_cards(self, seat: Seat, text: str, place: Place) -> tuple[Card, ...]:
        held = self.cards[seat]
        cards = held if text == "-" else _cards(text, place)
        shown = tuple(card for card in cards if card is not None)
        if len(shown) < len(cards):
            message = "a player shows cards, but they are not told"
            raise Misread(codes.SHOWN_CARDS_MISMATCH, message, place)
        if len(shown) == len(held):
            held[:] = shown
        self.shown.add(seat)
        return shown


def _dealt(
    seat: Seat,
    place: Place,
    *,
    down: tuple[MaybeCard, ...] = (),
    up: tuple[MaybeCard, ...] = (),
    seen: tuple[Card, ...] = (),
) -> Deal:
    return Deal(seat=seat, down=down, up=up, seen=seen, line=place.line, column=place.start)


def _cards(text: str, place: Place) -> list[MaybeCard]:
    pairs = [text[start : start + 2] for start in range(0, len(text), 2)]
    try:
        return [None if pair == _HIDDEN else Card.parse(pair) for pair in pairs]
    except ValueError as error:
        help = "a card is a rank (A 2-9 T J Q K) and a suit (c d h s), as in Td, or ?? if unknown"
        raise Misread(codes.MALFORMED_CARD, str(error), place, help) from None


def _no_action(words: list[str], place: Place) -> Misread:
    message = f"'{' '.join(words)[:60]}' is not an action of Razz"
    help = "expected d dh, d db, pb, f, cc, cbr or sm"
    return Misread(codes.UNEXPECTED_LINE, message, place, help)
