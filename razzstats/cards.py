"""Ranks, suits and cards of Razz: the ace is low, and the greater card brings in."""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import NamedTuple, TypeAlias


class Rank(IntEnum):
    """A card's rank, ace (1) to king (13); the lower rank is the better card."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def symbol(self) -> str:
        """The rank as one character: ``A``, ``2`` … ``9``, ``T``, ``J``, ``Q``, ``K``."""
        return RANK_SYMBOLS[self - 1]

    @classmethod
    def parse(cls, symbol: str) -> "Rank":
        """Return the rank written as one character; raises ValueError for any other text."""
        position = RANK_SYMBOLS.find(symbol) if len(symbol) == 1 else -1
        if position < 0:
            raise ValueError(f"not a rank: {symbol!r}")
        return cls(position + 1)


class Suit(IntEnum):
    """A card's suit; the order decides the bring-in between equal door cards and nothing else."""

    CLUB = 1
    DIAMOND = 2
    HEART = 3
    SPADE = 4

    @property
    def symbol(self) -> str:
        """The suit as one character: ``c``, ``d``, ``h``, ``s``."""
        return SUIT_SYMBOLS[self - 1]


class Card(NamedTuple):
    """One card; tuple order is the order of door cards: ``max(doors)`` brings in."""

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Return the card written as ``Qh``; raises ValueError for any other text."""
        try:
            return CARD_OF_TEXT[text]
        except KeyError:
            raise ValueError(f"not a card: {text!r}") from None

    def __str__(self) -> str:
        return self.rank.symbol + self.suit.symbol


RANK_SYMBOLS = "A23456789TJQK"
SUIT_SYMBOLS = "cdhs"

DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards, by suit and then by rank; a card's place here is its number in the database."""

CARD_OF_TEXT: Mapping[str, Card] = {str(card): card for card in DECK}

MaybeCard: TypeAlias = Card | None
"""A card, or None for a down card that the history never shows."""


def card_number(card: Card) -> int:
    """Return the card's place in DECK, 0 (Ac) to 51 (Ks)."""
    return (card.suit - 1) * 13 + card.rank - 1


def numbered_card(number: int | None) -> MaybeCard:
    """Return the card at a place in DECK; None stays a card that was never seen."""
    return None if number is None else DECK[number]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as ``Ac 2d 3h``; raises ValueError for the first bad one."""
    return tuple(Card.parse(word) for word in text.split())


def format_cards(cards: Iterable[MaybeCard]) -> str:
    """Return the cards as ``Ac 2d xx``, with ``xx`` for one that was never seen."""
    return " ".join("xx" if card is None else str(card) for card in cards)
