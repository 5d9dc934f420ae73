"""The clocks of the rooms: zone words, offsets, summer time, and what no clock shows."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from razzstats.parsing.times import find_zone, in_utc

DAY = "%Y/%m/%d"


def utc(word: str, date: str, time: str = "12:00:00") -> str:
    zone = find_zone(word)
    assert zone is not None, word
    return in_utc(date, time, DAY, zone).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(("words", "winter", "summer"), [
    # noon there is what in UTC on the 15th of January and of July 2012
    ("ET EST EDT", "17:00", "16:00"),
    ("CT", "18:00", "17:00"),
    ("MT", "19:00", "18:00"),
    ("PT", "20:00", "19:00"),
    ("AKT", "21:00", "20:00"),
    ("HT", "22:00", "22:00"),
    ("AT", "16:00", "15:00"),
    ("NT", "15:30", "14:30"),
    ("ART", "15:00", "15:00"),
    ("BRT", "14:00", "15:00"),  # summer is in January
    ("VET", "16:30", "16:30"),  # a half hour from 2007 to 2016
    ("COT", "17:00", "17:00"),
    ("UTC GMT", "12:00", "12:00"),
    ("WET BST", "12:00", "11:00"),
    ("CET CEST MEZ MESZ HAEC", "11:00", "10:00"),
    ("EET EEST", "10:00", "09:00"),
    ("MSK MSD", "08:00", "08:00"),  # permanent summer time from 2011 to 2014
    ("GST", "08:00", "08:00"),
    ("YEKT", "06:00", "06:00"),
    ("KRAT", "04:00", "04:00"),
    ("IST", "06:30", "06:30"),
    ("ICT", "05:00", "05:00"),
    ("CCT AWST", "04:00", "04:00"),
    ("JST", "03:00", "03:00"),
    ("ACST", "01:30", "02:30"),
    ("AEST", "01:00", "02:00"),
    ("GMT+0100 UTC+01:00", "11:00", "11:00"),
    ("GMT-0330", "15:30", "15:30"),
])  # fmt: skip
def test_a_zone_word_is_a_zone_with_its_summer_time(words: str, winter: str, summer: str) -> None:
    for word in words.split():
        assert utc(word, "2012/01/15") == f"2012-01-15 {winter}", word
        assert utc(word.lower(), "2012/07/15") == f"2012-07-15 {summer}", word


def test_new_zealand_is_a_day_ahead() -> None:
    assert utc("NZT", "2012/01/15") == "2012-01-14 23:00"
    assert utc("NZT", "2012/07/15") == "2012-07-15 00:00"


@pytest.mark.parametrize("word", ["", "XYZ", "E", "ET ", "GMT+1", "GMT+2500", "GMT+01000", "+0100"])
def test_other_words_are_no_zone(word: str) -> None:
    assert find_zone(word) is None


@pytest.mark.parametrize(("date", "time"), [
    ("2012/02/30", "12:00:00"), ("2012/01/15", "25:00:00"), ("0001/01/01", "00:00:00"),
    ("9999/12/31", "23:59:59"), ("2012-01-15", "12:00:00"),
])  # fmt: skip
def test_what_no_calendar_has_is_refused(date: str, time: str) -> None:
    zone = ZoneInfo("Asia/Tokyo" if date < "1" else "America/New_York")
    with pytest.raises(
        ValueError, match=r"does not match|out of range|must be in|remains|last day"
    ):
        in_utc(date, time, DAY, zone)


def test_the_day_of_the_change_is_right_before_and_after() -> None:
    assert utc("ET", "2012/11/04", "00:59:59") == "2012-11-04 04:59"
    assert utc("ET", "2012/11/04", "02:00:00") == "2012-11-04 07:00"
    assert utc("ET", "2012/03/11", "01:59:59") == "2012-03-11 06:59"
    assert utc("ET", "2012/03/11", "03:00:00") == "2012-03-11 07:00"


def test_a_moment_is_aware() -> None:
    moment = in_utc("2012/01/15", "12:00:00", DAY, ZoneInfo("Europe/Paris"))
    assert moment == datetime(2012, 1, 15, 11, tzinfo=ZoneInfo("UTC"))
    assert moment.utcoffset() is not None
