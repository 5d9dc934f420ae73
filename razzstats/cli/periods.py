"""Periods of time as people write them: 2026, 2026-11, 2026-11-29, 2026-10-15..2026-11."""

import re
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from razzstats.stats.filters import Filters

_PART = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
OTHERS = "others"


def period_filters(filters: "Filters", period: str) -> "Filters":
    """Return the same filters for another period; raises typer.BadParameter for no period.

    ``others`` are all hands that the filters' own session and times leave out.
    """
    free = replace(filters, session=None, since=None, until=None)
    if period.strip().lower() == OTHERS:
        if free == filters:
            raise typer.BadParameter(
                "there are no others without --session, --since or --until", param_hint="--compare"
            )
        return replace(free, outside=filters)
    first, dots, last = (part.strip() for part in period.partition(".."))
    since = _bounds(first, period)[0] if first else None
    until = _bounds(last if dots else first, period)[1] if last or not dots else None
    if (since is None and until is None) or (since and until and since >= until):
        raise _no_period(period)
    return replace(free, since=since, until=until)


def _bounds(part: str, period: str) -> tuple[datetime, datetime]:
    """Return when a year, month or day begins, and when the next one does."""
    found = _PART.fullmatch(part)
    if found is None:
        raise _no_period(period)
    year, month, day = (None if each is None else int(each) for each in found.groups())
    try:
        begin = datetime(year or 0, 1 if month is None else month, 1 if day is None else day)
        if month is None:
            return begin, begin.replace(year=begin.year + 1)
        if day is None:
            year_of_next, month_before = divmod(begin.year * 12 + begin.month, 12)
            return begin, datetime(year_of_next, month_before + 1, 1)
        return begin, datetime.fromordinal(begin.toordinal() + 1)
    except (ValueError, OverflowError):
        raise _no_period(period) from None


def _no_period(period: str) -> typer.BadParameter:
    return typer.BadParameter(
        f"{period!r} is no period; write 2026, 2026-11, 2026-11-29, 2026-10..2026-11 or {OTHERS}",
        param_hint="--compare",
    )
