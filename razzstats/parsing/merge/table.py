"""Who sits where with how much, and what everybody has put in and been dealt so far."""

from collections.abc import Sequence

from razzstats.cards import Card, MaybeCard
from razzstats.chips import Chips, uncalled_bet
from razzstats.diagnostics import codes
from razzstats.events import Seat, SeatedPlayer, Street
from razzstats.parsing.merge.document import Document, Element
from razzstats.parsing.merge.header import Amounts
from razzstats.parsing.parts import BadLine, Parts

_MOST_SEATS = 10
_DOWN = 2  # cards at the beginning of a list that newer files may leave out


def read_players(document: Document, chips: Amounts, antes: dict[str, Chips]) -> list[SeatedPlayer]:
    """Return the seat list by seat; ``antes`` are those that are missing from the balances."""
    players: dict[Seat, SeatedPlayer] = {}
    names: dict[str, Seat] = {}
    for element in document.seats:
        seat, name = _seat(element, "seat"), element["nickname"]
        if seat in players:
            message = f"seat {seat - 1} is taken by {players[seat].name} and by {name}"
            raise BadLine(codes.DUPLICATE_SEAT, message, element.line, name)
        if name in names:
            message = f"{name} sits in seat {names[name] - 1} and in seat {seat - 1}"
            raise BadLine(codes.DUPLICATE_SEAT, message, element.line, name)
        names[name] = seat
        players[seat] = SeatedPlayer(
            seat=seat,
            name=name,
            stack=Chips(chips.of(element, "balance") + antes.get(element["seat"], 0)),
            sitting_out=element.get("dealtin") == "false",
            line=element.line,
        )
    return [players[seat] for seat in sorted(players)]


def number_of_seats(game: Element, players: Sequence[SeatedPlayer]) -> int:
    """Return how many seats the table has, the usual eight where the room does not say it."""
    text = game.get("seats")
    if text is None:
        return max([8, *(player.seat for player in players)])
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0
    if not 1 <= number <= _MOST_SEATS:
        message = f"there is no table of {text} seats; expected 1 to {_MOST_SEATS}"
        raise BadLine(codes.IMPOSSIBLE_SEAT, message, game.line, text)
    return number


def _seat(element: Element, attribute: str) -> Seat:
    """Return a seat as the other rooms count: from one."""
    text = element[attribute]
    if not (len(text) == 1 and text in "0123456789"):
        message = f"there is no seat {text}; expected 0 to {_MOST_SEATS - 1}"
        raise BadLine(codes.IMPOSSIBLE_SEAT, message, element.line, f'{attribute}="{text}"')
    return Seat(int(text) + 1)


class Table:
    """Keeps count of chips and cards, where the room's words depend on them."""

    def __init__(self, players: Sequence[SeatedPlayer], parts: Parts) -> None:
        """Begin a hand."""
        self.parts = parts
        self.names = {player.seat: player.name for player in players}
        self.stacks = {player.seat: player.stack for player in players}
        self.contributed: dict[Seat, Chips] = {}
        self.on_street: dict[Seat, Chips] = {}
        self.folded: set[Seat] = set()
        self.cards: dict[Seat, list[MaybeCard]] = {}
        """What the events have told of each player's cards, in dealt order."""
        self.listed: dict[Seat, tuple[Element, tuple[MaybeCard, ...]]] = {}
        """Each player's last list, which after an all-in may tell more."""

    def seat(self, element: Element) -> Seat:
        """Return who an element is about; raises BadLine if nobody sits there."""
        seat = _seat(element, "player")
        if seat not in self.names:
            message = f"seat {seat - 1} is not in the list of players"
            raise BadLine(codes.UNKNOWN_PLAYER, message, element.line, f'player="{seat - 1}"')
        return seat

    # ---- chips

    @property
    def live(self) -> list[Seat]:
        """The seats that have posted and not folded."""
        return [seat for seat in sorted(self.contributed) if seat not in self.folded]

    @property
    def level(self) -> Chips:
        """The bet that is to be called."""
        return max(self.on_street.values(), default=Chips(0))

    def total(self, seat: Seat, added: Chips) -> Chips:
        """Return what a player has in on this street, with what he adds."""
        return Chips(self.on_street.get(seat, 0) + added)

    def pay(self, seat: Seat, added: Chips, *, ante: bool = False) -> bool:
        """Count a payment; return whether it took the player's last chips."""
        self.stacks[seat] = Chips(self.stacks[seat] - added)
        self.contributed[seat] = Chips(self.contributed.get(seat, 0) + added)
        if not ante:
            self.on_street[seat] = self.total(seat, added)
        return not self.stacks[seat]

    def take_back(self) -> tuple[Seat, Chips] | None:
        """Return the bet that nobody matched, and count it no more."""
        if (uncalled := uncalled_bet(self.contributed)) is not None:
            seat, amount = uncalled
            self.contributed[seat] = Chips(self.contributed[seat] - amount)
        return uncalled

    # ---- cards

    def deal(self, seat: Seat, element: Element, street: Street) -> tuple[MaybeCard, ...] | None:
        """Return the cards that a list adds to those dealt before, or None if it repeats them.

        A list repeats the player's cards from the beginning; that of a player who folded stays as
        it was.
        """
        told = self.cards.setdefault(seat, [])
        cards = self.read_cards(element)
        if seat in self.folded and len(cards) <= len(told):
            self._compare(seat, told[: len(cards)], cards, element)
            return None
        if seat in self.folded:
            message = f"{self.names[seat]} is dealt a card after folding"
            raise BadLine(codes.CARD_TO_FOLDED_PLAYER, message, element.line)
        cards = _in_full(cards, street)
        if len(cards) != street:
            message = f"{len(cards)} cards are listed on {street.title}; expected {int(street)}"
            raise BadLine(codes.WRONG_CARD_COUNT, message, element.line, element["cards"])
        dealt_before = 0 if street is Street.THIRD else street - 1
        self._compare(seat, told, cards[:dealt_before], element)
        told[dealt_before:] = cards[dealt_before:]
        self.listed[seat] = (element, cards)
        return cards[dealt_before:]

    def _compare(
        self,
        seat: Seat,
        told: Sequence[MaybeCard],
        listed: Sequence[MaybeCard],
        element: Element,
    ) -> None:
        """Raise BadLine where a list tells another card than the lists before it."""
        for before, now in zip(told, listed, strict=False):
            if before != now and before is not None and now is not None:
                message = f"{self.names[seat]} is said to hold {now}; expected {before}"
                raise BadLine(codes.SHOWN_CARDS_MISMATCH, message, element.line, str(now))

    def read_cards(self, element: Element) -> tuple[MaybeCard, ...]:
        """Return a list's cards; one that nobody sees is ``null``, or nothing between commas."""
        if not element["cards"].strip():
            return ()
        words = (word.strip() or "null" for word in element["cards"].split(","))
        return self.parts.maybe_cards(element.token(cards=" ".join(words)), "cards")

    def known(self, seat: Seat) -> tuple[Card, ...]:
        """Return those of a player's cards that have been told."""
        return tuple(card for card in self.cards.get(seat, ()) if card is not None)

    def show(self, seat: Seat, cards: Sequence[Card]) -> None:
        """Remember cards that were shown, if they are all that the player has."""
        if len(cards) == len(self.cards.get(seat, ())):
            self.cards[seat] = list(cards)


def _in_full(cards: tuple[MaybeCard, ...], street: Street) -> tuple[MaybeCard, ...]:
    """Return a list with the hidden cards that newer files leave out of it."""
    missing = street - len(cards)
    if missing == _DOWN:
        return (*(None,) * _DOWN, *cards)
    if street is Street.SEVENTH and missing == 1:
        return (*cards, None)
    if street is Street.SEVENTH and missing == _DOWN + 1:
        return (*(None,) * _DOWN, *cards, None)
    return cards
