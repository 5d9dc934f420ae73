"""The parts of a recognised line as values: amounts, cards, lows, seats."""

from collections.abc import Mapping
from functools import lru_cache

from razzstats.cards import CARD_OF_TEXT, Card, MaybeCard
from razzstats.chips import ENGLISH, Chips, Money, NumberStyle
from razzstats.diagnostics import Code, codes
from razzstats.events import Seat
from razzstats.lowball import LowClaim, parse_low
from razzstats.parsing.lines import LineToken

_MOST_SEATS = 10  # of any room's tables; Razz is dealt to eight
_HIDDEN = ("X", "x", "-", "H", "??", "null")  # how rooms write a card nobody sees
_MAYBE_CARDS: Mapping[str, MaybeCard] = {**CARD_OF_TEXT, **dict.fromkeys(_HIDDEN)}
_SEATS = {str(number): number for number in range(1, _MOST_SEATS + 1)}
_MOST_AMOUNTS = 10_000  # of a currency that are remembered; reading one takes a microsecond


class BadLine(Exception):
    """A line whose words fit the grammar and whose content does not; never leaves the parsing."""

    def __init__(
        self, code: Code, message: str, index: int, part: str = "", help: str | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.index, self.part, self.help = code, message, index, part, help


@lru_cache(maxsize=64)
def _known_amounts(money: Money, style: NumberStyle) -> dict[str | None, Chips]:
    return {}


class Parts:
    """Reads the parts of one hand's lines; a part that cannot be read raises BadLine."""

    def __init__(self, money: Money, style: NumberStyle = ENGLISH) -> None:
        """Read amounts in this currency and style."""
        self.money, self.style = money, style
        self._amounts = _known_amounts(money, style)

    def amount(self, token: LineToken, field: str) -> Chips:
        """Return the amount that a part of the line states."""
        amount = self._amounts.get(token.fields[field])
        return self.chips(token[field], token.index) if amount is None else amount

    def chips(self, text: str, index: int) -> Chips:
        """Return an amount written in the hand's currency."""
        amount = self._amounts.get(text)
        if amount is not None:
            return amount
        try:
            amount = self.money.parse(text, self.style)
        except ValueError as error:
            raise BadLine(codes.MALFORMED_AMOUNT, str(error), index, text) from None
        if len(self._amounts) >= _MOST_AMOUNTS:
            self._amounts.clear()
        self._amounts[text] = amount
        return amount

    def balance(self, token: LineToken, field: str) -> Chips | None:
        """Return an amount that is won or lost, as ``+$1.20`` or ``-$0.50``, or None.

        A part that is there and empty is that of a room that leaves out what is nothing.
        """
        text = token.get(field)
        if not text:
            return None if text is None else Chips(0)
        amount = self.chips(text.lstrip("+-"), token.index)
        return Chips(-amount) if text.startswith("-") else amount

    def small_number(self, token: LineToken, field: str) -> int:
        """Return a number of seats or of a seat, 1 to 10."""
        text = token[field]
        if text in _SEATS:
            return _SEATS[text]
        number = int(text) if len(text) <= 3 else 0
        if not 1 <= number <= _MOST_SEATS:
            message = f"there is no seat {text}; expected 1 to {_MOST_SEATS}"
            raise BadLine(codes.IMPOSSIBLE_SEAT, message, token.index, text)
        return number

    def seat_number(self, token: LineToken) -> Seat:
        """Return the line's seat number."""
        return Seat(self.small_number(token, "seat"))

    def cards(self, token: LineToken, field: str) -> tuple[Card, ...]:
        """Return the cards of a part of the line, none if the line leaves it out."""
        return self.cards_of(token.get(field) or "", token)

    def cards_of(self, text: str, token: LineToken) -> tuple[Card, ...]:
        """Return the cards of a text in the line."""
        words = text.split()
        try:
            return tuple([CARD_OF_TEXT[word] for word in words])
        except KeyError as error:
            word = str(error.args[0])
            help = "a card is a rank (A 2-9 T J Q K) and a suit (c d h s), as in Td"
            message = f"{word!r} is not a card"
            raise BadLine(codes.MALFORMED_CARD, message, token.index, word, help) from None

    def maybe_cards(self, token: LineToken, field: str) -> tuple[MaybeCard, ...]:
        """Return the cards of a part of the line; None is a card that it hides."""
        text = token.fields.get(field)
        if not text:
            return ()
        try:
            return tuple([_MAYBE_CARDS[word] for word in text.split()])
        except KeyError as error:
            return self.cards_of(str(error.args[0]), token)  # says why

    def low(self, token: LineToken) -> LowClaim | None:
        """Return the low that the line prints, or None if it prints none."""
        text = token.get("low")
        if text is None:
            return None
        try:
            return parse_low(text)
        except ValueError:
            message = f"{text!r} is not a low; expected one such as 8,6,4,3,2 or a pair of Sixes"
            raise BadLine(codes.MALFORMED_CARD, message, token.index, text) from None
