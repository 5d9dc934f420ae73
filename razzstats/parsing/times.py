"""The clocks of the rooms: zone words, offsets, and when that is in UTC."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

EASTERN = "America/New_York"

_ZONES: Mapping[str, str] = {
    word: zone
    for zone, words in {
        EASTERN: "ET EST EDT",
        "America/Los_Angeles": "PT PST PDT",
        "America/Denver": "MT MST MDT",
        "America/Chicago": "CT CST CDT",
        "Pacific/Honolulu": "HT HST",
        "America/Anchorage": "AKT AKST AKDT",
        "America/Halifax": "AT AST ADT",
        "America/St_Johns": "NT NST NDT",
        "America/Argentina/Buenos_Aires": "ART",
        "America/Sao_Paulo": "BRT BRST",
        "America/Caracas": "VET",
        "America/Bogota": "COT",
        "UTC": "UTC GMT",
        "Europe/Lisbon": "WET WEST",
        "Europe/London": "BST",
        "Europe/Paris": "CET CEST MEZ MESZ HAEC",
        "Europe/Helsinki": "EET EEST",
        "Europe/Moscow": "MSK MSD",
        "Asia/Dubai": "GST",
        "Asia/Yekaterinburg": "YEKT",
        "Asia/Krasnoyarsk": "KRAT",
        "Asia/Kolkata": "IST",
        "Asia/Bangkok": "ICT",
        "Australia/Perth": "CCT AWST",
        "Asia/Tokyo": "JST",
        "Australia/Adelaide": "ACST ACDT ACT",
        "Australia/Sydney": "AEST AEDT",
        "Pacific/Auckland": "NZT NZST NZDT",
    }.items()
    for word in words.split()
}
"""Zone words as rooms print them. Whether it is summer is told by the date, not by the word."""

_OFFSET = re.compile(r"(?:GMT|UTC)(?P<sign>[+-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-9]{2})")


_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def month_number(name: str) -> int | None:
    """Return the number of a month by the first three letters of its English name, or None."""
    return _MONTHS.index(name) + 1 if name in _MONTHS else None


def find_zone(word: str) -> tzinfo | None:
    """Return the zone that a word such as ``CET``, ``UTC`` or ``GMT+0100`` means, or None."""
    if (zone := _ZONES.get(word.upper())) is not None:
        return ZoneInfo(zone)
    if (match := _OFFSET.fullmatch(word.upper())) is not None:
        offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"]))
        if offset < timedelta(hours=24):
            return timezone(offset if match["sign"] == "+" else -offset)
    return None


def in_utc(
    date: str, time: str, date_format: str, zone: tzinfo, also: datetime | None = None
) -> datetime:
    """Return the moment of a local date and a time in hours, minutes and seconds.

    Of the hour that the clock shows twice when summer time ends it is the first one, unless
    ``also``, the same moment by another clock, is in the second. Raises ValueError where there is
    no such date or time.
    """
    clock = _CLOCK.fullmatch(time)
    if clock is None:
        raise ValueError(f"{time} is not a time")
    hour, minute, second = map(int, clock.groups())
    local = _day(date, date_format).replace(hour=hour, minute=minute, second=second, tzinfo=zone)
    try:
        first = local.astimezone(UTC)
        if also is None or also == first:
            return first
        later = local.replace(fold=1).astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{date} is the first or last day of all") from None
    return later if also == later else first


_CLOCK = re.compile("([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})")


@lru_cache(maxsize=1_000)  # strptime takes as long as a dozen lines of a hand
def _day(date: str, date_format: str) -> datetime:
    return datetime.strptime(date, date_format)
