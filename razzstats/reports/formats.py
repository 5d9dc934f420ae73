"""Values as people read them, the same on the page and in the terminal."""

from typing import Any

import pandas as pd

from razzstats.chips import Money
from razzstats.stats.catalogue import Kind

DASH = "—"
"""Stands for what has no value: a rate without an opportunity is not 0 %."""

_UNITS = {
    "rate": Kind.RATE,
    "hands": Kind.COUNT,
    "sessions": Kind.COUNT,
    "blocks": Kind.COUNT,
    "BB": Kind.NUMBER,
    "BB/100": Kind.RESULT,
    "SB/100": Kind.RESULT,
    "BB/hour": Kind.RESULT,
    "hours": Kind.NUMBER,
}
_ORDINALS = {3: "3rd", 4: "4th", 5: "5th", 6: "6th", 7: "7th"}
_CENTS = 2


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame's rows as dictionaries by column."""
    return [dict(zip(frame.columns, row, strict=True)) for row in frame.itertuples(index=False)]


def is_missing(value: Any) -> bool:
    """Whether a cell of a frame holds no value."""
    return bool(pd.isna(value))


def rate(value: float) -> str:
    """Return a fraction of 1 as ``41.2 %``; the space does not break."""
    return f"{100 * value:.1f}\N{NO-BREAK SPACE}%"


def count(value: float) -> str:
    """Return a whole number as ``1,234``."""
    return f"{int(value):,}"


def number(value: float, digits: int = 2) -> str:
    """Return a number without a sign where it has none: ``0.54``."""
    return f"{_unsigned_zero(value, digits):,.{digits}f}"


def signed(value: float, digits: int = 1) -> str:
    """Return a result with its sign: ``+12.5``, ``-3.0``, ``0.0``."""
    value = _unsigned_zero(value, digits)
    return f"{value:{'+' if value else ''},.{digits}f}"


def amount(value: float, money: Money | None) -> str:
    """Return smallest units as money with a sign, or bare if the currency is not known."""
    plus = "+" if value > 0 else ""
    return plus + (money.format(int(value)) if money else count(value))


def whole_amount(value: float, currency: str) -> str:
    """Return whole units of a currency as money with a sign."""
    return amount(round(value * 10**_CENTS), Money(currency, _CENTS))


def street(value: float) -> str:
    """Return the street as ``3rd``."""
    return _ORDINALS.get(int(value), str(int(value)))


def moment(value: pd.Timestamp) -> str:
    """Return a time to the minute."""
    return DASH if is_missing(value) else f"{value:%Y-%m-%d %H:%M}"


def day(value: pd.Timestamp) -> str:
    """Return a time's day."""
    return DASH if is_missing(value) else f"{value:%Y-%m-%d}"


def value(held: Any, kind: Kind, key: str = "", money: Money | None = None) -> str:
    """Return a cell as text by what its column holds."""
    if is_missing(held):
        return DASH
    if key == "street":
        return street(held)
    match kind:
        case Kind.TEXT:
            return str(held)
        case Kind.COUNT:
            return count(held)
        case Kind.RATE:
            return rate(held)
        case Kind.AMOUNT:
            return amount(held, money)
        case Kind.NUMBER:
            return number(held)
        case Kind.RESULT:
            return signed(held)


def interval(low: Any, high: Any, kind: Kind) -> str:
    """Return the bounds of an interval: ``31.0–52.4 %``, ``-12.3 to +34.5``."""
    if is_missing(low) or is_missing(high):
        return DASH
    if kind is Kind.RATE:
        return f"{100 * low:.1f}–{rate(high)}"
    return f"{signed(low)} to {signed(high)}"


def usual(low: Any, high: Any, found: Any) -> str:
    """Return what is usual of a rate, if one was found: ``up to 10.0 %``, ``20.0–35.0 %``."""
    if is_missing(found):
        return DASH
    if not low:
        return f"up to {rate(high)}"
    return f"from {rate(low)}" if high >= 1 else interval(low, high, Kind.RATE)


def kind_of_unit(unit: str) -> Kind:
    """Return what a row of the overview holds; a currency's unit means an amount."""
    return _UNITS.get(unit, Kind.AMOUNT)


def _unsigned_zero(value: float, digits: int) -> float:
    # -0.04 is written "-0.0" otherwise.
    return round(value, digits) + 0.0
