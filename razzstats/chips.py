"""Chips: whole numbers of a currency's smallest unit, and how amounts are read and written."""

import re
from collections.abc import Hashable, Mapping
from functools import cache
from typing import NamedTuple, NewType, TypeVar

Chips = NewType("Chips", int)
"""An amount in the smallest unit of its currency (cents of a dollar, single tournament chips)."""

_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
CURRENCY_OF_SYMBOL = {symbol: code for code, symbol in _SYMBOLS.items()}


class NumberStyle(NamedTuple):
    """How a room writes amounts. A mark that the room does not use is an error, never dropped."""

    groups: str = ","
    """The signs that may stand between thousands."""
    point: str = "."
    """The sign before the fraction."""
    sign_behind: bool = False
    """Whether the currency sign stands behind the number (``5€``) rather than before it."""
    thousands_and_millions: bool = False
    """Whether ``2K`` and ``1.5M`` are written."""


ENGLISH = NumberStyle()
CONTINENTAL = NumberStyle(groups=". \u00a0\u202f'\u2019", point=",", sign_behind=True)
"""``1.234,50 €``, ``1 234,50€``, ``1'234,50 €``."""

_SUFFIXES = {"K": 3, "M": 6}


@cache
def _number(style: NumberStyle) -> re.Pattern[str]:
    groups, point = f"[{re.escape(style.groups)}]", re.escape(style.point)
    return re.compile(
        rf"(?P<whole>[0-9]{{1,3}}(?:{groups}[0-9]{{3}})+|[0-9]+)(?:{point}(?P<fraction>[0-9]+))?"
    )


class Money(NamedTuple):
    """How one hand's amounts are counted: the currency and its number of decimals."""

    currency: str
    """An ISO code, or "play" for play money, or "chips" for tournament chips."""
    decimals: int
    """2 means that amounts are hundredths."""

    def parse(self, text: str, style: NumberStyle = ENGLISH) -> Chips:
        """Return the amount written as ``$1,234.50``; raises ValueError saying what is wrong.

        A currency sign is accepted only if it is this currency's, and no digit is ever dropped.
        """
        sign = _SYMBOLS.get(self.currency, "")
        number = text.removesuffix(sign).rstrip() if style.sign_behind else text.removeprefix(sign)
        zeros = _SUFFIXES.get(number[-1:], 0) if style.thousands_and_millions else 0
        match = _number(style).fullmatch(number[:-1] if zeros else number)
        if match is None:
            raise ValueError(f"{text!r} is not an amount in {self.title}")
        whole, fraction = re.sub("[^0-9]", "", match["whole"]), match["fraction"] or ""
        decimals = self.decimals + zeros
        if len(whole) + zeros > 12:
            raise ValueError(f"{text!r} is more than any table holds")
        if len(fraction) > decimals:
            raise ValueError(f"{text!r} has more decimals than {self.title} has")
        return Chips(int(whole + fraction.ljust(decimals, "0")))

    def format(self, amount: int) -> str:
        """Return the amount as rooms write it: ``$0.41``, ``-$2``, ``1145``."""
        sign = _SYMBOLS.get(self.currency, "")
        minus = "-" if amount < 0 else ""
        if not self.decimals:
            return f"{minus}{sign}{abs(amount)}"
        whole, fraction = divmod(abs(amount), 10**self.decimals)
        decimals = f".{fraction:0{self.decimals}d}" if fraction else ""
        return f"{minus}{sign}{whole}{decimals}"

    @property
    def title(self) -> str:
        """The currency in a sentence."""
        return {"play": "play money", "chips": "tournament chips"}.get(self.currency, self.currency)


_Who = TypeVar("_Who", bound=Hashable)


def uncalled_bet(contributed: Mapping[_Who, Chips]) -> tuple[_Who, Chips] | None:
    """Return who put in more than anybody matched, and how much more; None if nobody did."""
    ranked = sorted(contributed.items(), key=lambda item: item[1], reverse=True)
    if len(ranked) < 2 or ranked[0][1] == ranked[1][1]:
        return None
    return ranked[0][0], Chips(ranked[0][1] - ranked[1][1])


PLAY_MONEY = Money("play", 0)
TOURNAMENT_CHIPS = Money("chips", 0)
