"""Leaks, mistakes and comparisons as text, for the page and the terminal alike."""

from typing import Any, NamedTuple

from razzstats.reports import formats
from razzstats.reports.listings import hand_name
from razzstats.reports.views import Heading
from razzstats.stats.catalogue import Kind

_LEAK = Heading("Leak", "the mistake, by its number", is_text=True)

LEAK_HEADINGS = (
    _LEAK,
    Heading("Rate", "mistakes of the decisions in which it could be made"),
    Heading("95 %", "95 % interval of the rate"),
    Heading("Usual", "what a sound player does"),
    Heading("Spots", "decisions in which it could be made"),
    Heading("BB each", "big bets a mistake costs on average"),
    Heading("BB/100", "big bets it costs in a hundred hands"),
    Heading("95 %", "95 % interval of that cost"),
    Heading("Verdict", "what is said of it", is_text=True),
)
"""What `leak_words` gives, in this order."""

SESSION_LEAK_HEADINGS = (
    _LEAK,
    Heading("Here", "mistakes of the decisions in which it could be made"),
    Heading("Usual", "the rate in all other hands of the player"),
    Heading("More", "mistakes more than usual"),
    Heading("By chance", "how likely the rate here is not above the usual one"),
    Heading("Cost, BB", "what the mistakes here cost, by pot odds and equity"),
)
"""What `session_leak_words` gives, in this order."""

DECISION_HEADINGS = (
    Heading("Hand", "", is_text=True),
    Heading("Played (UTC)", "", is_text=True),
    Heading("Player", "who decided", is_text=True),
    Heading("Street", "", is_text=True),
    Heading("Did", "what was done", is_text=True),
    Heading("Mistake", "the leak that it is an example of", is_text=True),
    Heading("Pot, BB", "the pot before it, in big bets"),
    Heading("Price, BB", "what a call was, in big bets"),
    Heading("Cost, BB", "what it cost on average, by pot odds and equity"),
)
"""What `decision_words` gives, in this order."""


def leak_name(row: dict[str, Any]) -> str:
    """Return a leak's number and title."""
    return f"{row['leak']} {row['title']}"


def leak_words(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a row of `leak_frame` in words."""
    cost_interval = (row["cost_per_100_low"], row["cost_per_100_high"])
    return (
        leak_name(row),
        formats.value(row["rate"], Kind.RATE),
        formats.interval(row["rate_low"], row["rate_high"], Kind.RATE),
        formats.usual(row["reference_low"], row["reference"], row["rate"]),
        formats.count(row["spots"]),
        formats.value(row["cost"], Kind.NUMBER),
        formats.value(row["cost_per_100"], Kind.NUMBER),
        formats.interval(*cost_interval, Kind.RESULT),
        str(row["verdict"]),
    )


def session_leak_words(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a row of `compared_frame`, with what the mistakes cost, in words."""
    return (
        leak_name(row),
        f"{row['mistakes']} of {row['spots']}",
        formats.value(row["usual_rate"], Kind.RATE),
        formats.signed(row["excess"]),
        formats.value(row["chance_of_none"], Kind.RATE),
        formats.value(row["cost"], Kind.NUMBER),
    )


def decision_words(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a row of `worst_decisions` in words."""
    return (
        hand_name(row),
        formats.moment(row["played_at"]),
        str(row["name"]),
        formats.street(row["street"]),
        str(row["kind"]),
        leak_name(row),
        formats.number(row["pot_big_bets"], 1),
        formats.number(row["to_call_big_bets"], 1),
        formats.number(row["cost"]),
    )


class ComparedPeriods(NamedTuple):
    """A row of `compare_periods` in words; an interval is empty where there is none."""

    title: str
    first: str
    first_interval: str
    second: str
    second_interval: str
    difference: str
    """For rates in points of per cent."""
    difference_interval: str
    chance: str


def compared_words(row: dict[str, Any]) -> ComparedPeriods:
    """Return a row of `compare_periods` in words."""
    kind = formats.kind_of_unit(row["unit"])
    scale = 100 if kind is Kind.RATE else 1
    low, high = row["difference_low"], row["difference_high"]
    missing = formats.is_missing(row["difference"])
    return ComparedPeriods(
        str(row["title"]),
        formats.value(row["first"], kind),
        _interval(row["first_low"], row["first_high"], kind),
        formats.value(row["second"], kind),
        _interval(row["second_low"], row["second_high"], kind),
        formats.DASH if missing else formats.signed(scale * row["difference"]),
        _interval(scale * low, scale * high, Kind.RESULT),
        formats.value(row["chance_of_none"], Kind.RATE),
    )


def _interval(low: Any, high: Any, kind: Kind) -> str:
    words = formats.interval(low, high, kind)
    return "" if words == formats.DASH else words
