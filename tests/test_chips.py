"""Amounts are whole numbers of the smallest unit; what is no amount is refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from razzstats.chips import CONTINENTAL, PLAY_MONEY, TOURNAMENT_CHIPS, Money, NumberStyle

DOLLARS, EUROS, POUNDS = Money("USD", 2), Money("EUR", 2), Money("GBP", 2)
MONEY = [DOLLARS, EUROS, POUNDS, Money("CAD", 2), PLAY_MONEY, TOURNAMENT_CHIPS]


@pytest.mark.parametrize(("money", "text", "amount"), [
    (DOLLARS, "$0.41", 41),
    (DOLLARS, "$0.4", 40),
    (DOLLARS, "$2", 200),
    (DOLLARS, "$0", 0),
    (DOLLARS, "0.05", 5),
    (DOLLARS, "$1,234.50", 123450),
    (DOLLARS, "$1,234,567", 123456700),
    (DOLLARS, "$007", 700),
    (EUROS, "€0.08", 8),
    (POUNDS, "£12.50", 1250),
    (Money("CAD", 2), "1.50", 150),
    (PLAY_MONEY, "1145", 1145),
    (TOURNAMENT_CHIPS, "1,200", 1200),
    (Money("USD", 3), "$0.005", 5),
    (DOLLARS, "$999999999999", 99999999999900),
])  # fmt: skip
def test_an_amount_is_read_in_its_smallest_unit(money: Money, text: str, amount: int) -> None:
    assert money.parse(text) == amount


@pytest.mark.parametrize(("money", "text"), [
    (DOLLARS, ""), (DOLLARS, "$"), (DOLLARS, "$ 1"), (DOLLARS, "1 "), (DOLLARS, "1\n"),
    (DOLLARS, "€1"), (DOLLARS, "1$"), (DOLLARS, "$$1"), (DOLLARS, "-$1"), (DOLLARS, "$-1"),
    (DOLLARS, "+1"), (DOLLARS, "1e3"), (DOLLARS, "1_000"), (DOLLARS, "0x10"), (DOLLARS, "1.2.3"),
    (DOLLARS, "1,23,4"), (DOLLARS, "1,234,5"), (DOLLARS, ",234"), (DOLLARS, "1,2345"),
    (DOLLARS, "12,34"), (DOLLARS, "0,05"), (DOLLARS, "1."), (DOLLARS, ".5"), (DOLLARS, "1 480"),
    (DOLLARS, "1'000"), (DOLLARS, "1K"), (DOLLARS, "٣"), (DOLLARS, "１"), (DOLLARS, "²"),
    (DOLLARS, "$٧.35"), (DOLLARS, "NaN"), (DOLLARS, "Infinity"), (PLAY_MONEY, "$5"),
    (TOURNAMENT_CHIPS, "€5"), (Money("CAD", 2), "C$5"),
])  # fmt: skip
def test_what_is_no_amount_is_refused(money: Money, text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount in"):
        money.parse(text)


@pytest.mark.parametrize(("money", "text"), [
    (DOLLARS, "1.005"), (DOLLARS, "$0.010"), (PLAY_MONEY, "1.0"), (TOURNAMENT_CHIPS, "10.5"),
])  # fmt: skip
def test_no_digit_is_ever_dropped(money: Money, text: str) -> None:
    with pytest.raises(ValueError, match="more decimals"):
        money.parse(text)


def test_an_amount_that_no_table_holds_is_refused() -> None:
    with pytest.raises(ValueError, match="more than any table holds"):
        DOLLARS.parse("$" + "9" * 13)
    with pytest.raises(ValueError, match="more than any table holds"):
        DOLLARS.parse("9" * 5_000)


@given(st.sampled_from(MONEY), st.integers(0, 10**13))
def test_what_is_written_reads_the_same(money: Money, amount: int) -> None:
    assert money.parse(money.format(amount)) == amount


@pytest.mark.parametrize(("money", "amount", "text"), [
    (DOLLARS, 41, "$0.41"), (DOLLARS, 200, "$2"), (DOLLARS, -200, "-$2"), (DOLLARS, 5, "$0.05"),
    (DOLLARS, -5, "-$0.05"), (DOLLARS, 0, "$0"), (DOLLARS, 123450, "$1234.50"),
    (EUROS, 110, "€1.10"), (PLAY_MONEY, 1145, "1145"), (PLAY_MONEY, -3, "-3"),
])  # fmt: skip
def test_an_amount_is_written_as_rooms_write_it(money: Money, amount: int, text: str) -> None:
    assert money.format(amount) == text


@given(st.sampled_from(MONEY), st.text(max_size=12))
def test_any_text_is_an_amount_or_refused(money: Money, text: str) -> None:
    try:
        amount = money.parse(text)
    except ValueError:
        return
    assert amount >= 0
    assert text.removeprefix("€").removeprefix("£").isascii()


def test_money_has_a_title_for_sentences() -> None:
    assert [money.title for money in (DOLLARS, PLAY_MONEY, TOURNAMENT_CHIPS)] == [
        "USD",
        "play money",
        "tournament chips",
    ]


# ---- other styles

SHORTENED = NumberStyle(thousands_and_millions=True)


@pytest.mark.parametrize(("style", "text", "amount"), [
    (CONTINENTAL, "5€", 500),
    (CONTINENTAL, "0,01 €", 1),
    (CONTINENTAL, "1.234,50€", 123450),
    (CONTINENTAL, "1 234,50\u00a0€", 123450),
    (CONTINENTAL, "1\u202f234,5", 123450),
    (CONTINENTAL, "1'000", 100000),
    (CONTINENTAL, "1\u2019000", 100000),
    (SHORTENED, "€2K", 200000),
    (SHORTENED, "1.5M", 150000000),
    (SHORTENED, "1.23456K", 123456),
    (NumberStyle(sign_behind=True), "1546.72€", 154672),
    (NumberStyle(point=",", groups="."), "€1.000,5", 100050),
])  # fmt: skip
def test_rooms_write_amounts_in_other_styles(style: NumberStyle, text: str, amount: int) -> None:
    assert EUROS.parse(text, style) == amount


@pytest.mark.parametrize(("style", "text"), [
    (CONTINENTAL, "€5"), (CONTINENTAL, "1.5"), (CONTINENTAL, "1,234,50"), (CONTINENTAL, "1  234"),
    (CONTINENTAL, "5$"), (CONTINENTAL, "5€€"), (CONTINENTAL, "-5€"), (SHORTENED, "1KK"),
    (SHORTENED, "K"), (SHORTENED, "1k"), (NumberStyle(sign_behind=True), "€5"),
    (NumberStyle(sign_behind=True), "1,5€"), (CONTINENTAL, "1,234 €"), (SHORTENED, "1.123456K"),
    (SHORTENED, "9999999999M"),
])  # fmt: skip
def test_another_style_is_no_freedom(style: NumberStyle, text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        EUROS.parse(text, style)
