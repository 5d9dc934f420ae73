"""Spots: the hands of a pot with their known and unknown cards, and the dead cards."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self, TypeAlias

from razzstats.cards import DECK, RANK_SYMBOLS, SUIT_SYMBOLS, Card, Rank
from razzstats.errors import RazzstatsError

HAND_SIZE = 7
MOST_HANDS = 8


class SpotError(RazzstatsError):
    """Hands that cannot be dealt, or a text that is no hand."""


class Span(NamedTuple):
    """A card of which only the rank's bounds are known: ``[8-]`` in texts, an eight or lower.

    It pairs no other such card and none of the hand's first three: ``[8-][8-]75`` began with three
    unpaired cards, and may have paired the five, which came on fourth street.
    """

    lowest: int
    highest: int

    def __contains__(self, rank: object) -> bool:
        return isinstance(rank, int) and self.lowest <= rank <= self.highest

    def __str__(self) -> str:
        low, high = RANK_SYMBOLS[self.lowest - 1], RANK_SYMBOLS[self.highest - 1]
        if self.lowest == self.highest:
            return f"[{low}]"
        if self.lowest == Rank.ACE:
            return f"[{high}-]"
        return f"[{low}+]" if self.highest == Rank.KING else f"[{low}-{high}]"


StatedCard: TypeAlias = Card | Rank | Span | None
"""A card, one whose suit is not told, one within bounds, or None for an unknown one."""


@dataclass(frozen=True, slots=True)
class Holding:
    """One player's cards; what is not stated of his seven is unknown, as cards to come are."""

    cards: tuple[StatedCard, ...] = ()
    """In dealt order."""

    @property
    def known_cards(self) -> tuple[Card, ...]:
        """The cards that are known with their suits."""
        return tuple(card for card in self.cards if isinstance(card, Card))

    @property
    def known_ranks(self) -> tuple[Rank, ...]:
        """The ranks that the player is known to hold."""
        known = (card.rank if isinstance(card, Card) else card for card in self.cards)
        return tuple(rank for rank in known if isinstance(rank, Rank))

    @property
    def start(self) -> int:
        """The known ranks of the starting hand, as bits, the ace's the lowest."""
        known = Holding(self.cards[:3]).known_ranks
        return sum(1 << (rank - 1) for rank in set(known))

    @property
    def spans(self) -> tuple[Span, ...]:
        """The cards of which only bounds are known."""
        return tuple(card for card in self.cards if isinstance(card, Span))

    @property
    def unseen(self) -> int:
        """How many of the seven cards nothing is known of."""
        return HAND_SIZE - sum(card is not None for card in self.cards)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the hand of a text such as ``Ac2d3h``, ``xx xx 8c``, ``A23`` or ``[8-][8-]4d``.

        ``xx`` is an unknown card, a rank alone one whose suit is not told. Brackets hold a rank
        and its bounds: ``[8-]`` eight or lower, ``[9+]`` nine or higher, ``[6-8]``, ``[A]``.
        Raises SpotError for anything else, and for more than seven cards.
        """
        cards = tuple(_stated_card(word, text) for word in _words(text))
        if len(cards) > HAND_SIZE:
            raise SpotError(f"{text!r} has more than seven cards")
        return cls(cards)

    def __str__(self) -> str:
        return "".join(map(_spell, self.cards)) or "xx"


def _stated_card(word: str, text: str) -> StatedCard:
    if word == "xx":
        return None
    if word.startswith("["):
        return _span(word, text)
    return Card.parse(word) if len(word) == 2 else Rank.parse(word)


def _spell(card: StatedCard) -> str:
    if card is None:
        return "xx"
    return card.symbol if isinstance(card, Rank) else str(card)


def parse_dead_cards(text: str) -> tuple[Card | Rank, ...]:
    """Return the cards of a text such as ``4s5h`` or ``4s, 5``; raises SpotError otherwise."""
    stated = [_stated_card(word, text) for word in _words(text.replace(",", " "))]
    known = tuple(card for card in stated if isinstance(card, Card | Rank))
    if len(known) < len(stated):
        raise SpotError(f"{text!r}: dead cards are known cards")
    return known


def _words(text: str) -> Iterator[str]:
    """Split a text into cards: ``Ac``, ``A``, ``xx`` or what stands in brackets."""
    text = text.replace("10", "T")
    place = 0
    while place < len(text):
        rest = text[place:]
        if rest[0].isspace():
            place += 1
            continue
        if rest[0] == "[":
            length = rest.find("]") + 1
        elif rest[:2].lower() == "xx":
            length = 2
        elif rest[0].upper() in RANK_SYMBOLS:
            length = 2 if rest[1:2].lower() in tuple(SUIT_SYMBOLS) else 1
        else:
            length = 0
        if not length:
            raise SpotError(
                f"{text!r} is no hand: {rest[:2]!r} is no card; cards are written Ac, Td, xx "
                "for an unknown one, [8-] for an eight or lower"
            )
        word = rest[:length]
        place += length
        yield word if word[0] == "[" else _spelled(word)


def _spelled(word: str) -> str:
    return "xx" if word.lower() == "xx" else word[0].upper() + word[1:].lower()


def _span(word: str, text: str) -> Span:
    inside = word[1:-1].replace(" ", "").upper()
    low, mark, high = inside[:1], inside[1:2], inside[2:]
    known = [symbol for symbol in (low, high) if symbol]
    if low and mark in ("", "-", "+") and all(symbol in RANK_SYMBOLS for symbol in known):
        first = Rank.parse(low)
        if not mark and not high:
            return Span(first, first)
        if mark == "-" and not high:
            return Span(Rank.ACE, first)
        if mark == "+" and not high:
            return Span(first, Rank.KING)
        if mark == "-" and len(high) == 1 and first <= Rank.parse(high):
            return Span(first, Rank.parse(high))
    raise SpotError(f"{text!r}: {word!r} is no range; write [8-], [9+], [6-8] or [A]")


@dataclass(frozen=True)
class Spot:
    """What is known when a pot is to be shared out.

    Unknown cards are dealt from all that nobody is known to hold: the down cards of players who
    folded are as likely as any others to be the ones that are wanted, so they stay in.
    """

    hands: tuple[Holding, ...]
    dead: tuple[Card | Rank, ...] = ()
    gone: int = 0
    """How many cards have left the deck unseen: they only make it run out the sooner."""
    shared_river: bool | None = None
    """Whether the last card is one for all, as it is when the deck runs out; None: work it out."""
    river: Card | None = None
    """That card, if it is dealt: it is each player's seventh."""

    def __post_init__(self) -> None:
        """Raise SpotError if this cannot be dealt from a deck of 52 cards."""
        if not 2 <= len(self.hands) <= MOST_HANDS:
            raise SpotError(f"equity is of two to {MOST_HANDS} hands, not {len(self.hands)}")
        for holding in self.holdings:
            if holding.unseen < 0:
                raise SpotError(f"{holding} has more than seven cards")
        cards = Counter(self._known_cards())
        for card, times in cards.items():
            if times > 1:
                raise SpotError(f"{card} is there twice")
        for rank, left in enumerate(self.live, 1):
            if left < 0:
                raise SpotError(f"there are more than four cards of rank {RANK_SYMBOLS[rank - 1]}")
        if self.wanted > self.left or (self.has_shared_river and not self._all_lack_one):
            raise SpotError(f"too few cards: {self.wanted} to be dealt, {self.left} left")

    def _known_cards(self) -> Iterable[Card]:
        for holding in self.hands:
            yield from holding.known_cards
        yield from (card for card in self.dead if isinstance(card, Card))
        if self.river is not None:
            yield self.river

    @cached_property
    def holdings(self) -> tuple[Holding, ...]:
        """The hands, with the last card that is one for all."""
        if self.river is None:
            return self.hands
        return tuple(Holding((*hand.cards, self.river)) for hand in self.hands)

    @cached_property
    def live(self) -> tuple[int, ...]:
        """How many cards of each rank, ace to king, nobody is known to hold."""
        known = Counter(rank for holding in self.hands for rank in holding.known_ranks)
        known.update(card.rank if isinstance(card, Card) else card for card in self.dead)
        if self.river is not None:
            known[self.river.rank] += 1
        return tuple(4 - known[rank] for rank in Rank)

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards that nobody is known to hold; only for spots without cards of unsaid suit."""
        known = set(self._known_cards())
        return tuple(card for card in DECK if card not in known)

    @property
    def has_unsaid_suits(self) -> bool:
        """Whether the suit of a known card is not told."""
        stated = (*self.dead, *(card for hand in self.hands for card in hand.cards))
        return any(isinstance(card, Rank) for card in stated)

    @property
    def wanted(self) -> int:
        """How many cards are still to be dealt."""
        return self._missing - (len(self.hands) - 1 if self.has_shared_river else 0)

    @property
    def left(self) -> int:
        """How many cards the deck has left."""
        return sum(self.live) - self.gone

    @cached_property
    def has_shared_river(self) -> bool:
        """Whether the last card is one for all."""
        if self.shared_river is not None:
            return self.shared_river
        return self._missing > self.left and self._all_lack_one

    @cached_property
    def _missing(self) -> int:
        return sum(holding.unseen + len(holding.spans) for holding in self.holdings)

    @property
    def _all_lack_one(self) -> bool:
        return all(holding.unseen for holding in self.holdings)
