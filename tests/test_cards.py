"""Cards: how they are read, and which of two door cards brings in."""

import pytest

from razzstats.cards import (
    DECK,
    RANK_SYMBOLS,
    SUIT_SYMBOLS,
    Card,
    Rank,
    Suit,
    card_number,
    format_cards,
    parse_cards,
)


def test_a_deck_has_fifty_two_cards() -> None:
    assert len(set(DECK)) == 52
    assert {str(card) for card in DECK} == {r + s for r in RANK_SYMBOLS for s in SUIT_SYMBOLS}


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_reads_as_it_is_written(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert DECK[card_number(card)] == card


@pytest.mark.parametrize(
    "text",
    ["", "A", "Ac ", " Ac", "ac", "AC", "10h", "1h", "0s", "Tx", "Txx", "xx", "Aс", "٣c", "A♠"],
)  # the sixth from the end has a Cyrillic letter
def test_other_text_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        Card.parse(text)


@pytest.mark.parametrize("symbol", ["", "1", "10", "a", "AA", "X", "٣", "A2"])
def test_other_text_is_no_rank(symbol: str) -> None:
    with pytest.raises(ValueError, match="not a rank"):
        Rank.parse(symbol)


def test_a_rank_reads_as_it_is_written() -> None:
    assert [Rank.parse(symbol) for symbol in RANK_SYMBOLS] == list(Rank)
    assert [rank.symbol for rank in Rank] == list(RANK_SYMBOLS)


def test_the_ace_is_the_lowest_card_and_the_king_the_highest() -> None:
    assert min(DECK).rank is Rank.ACE
    assert max(DECK) == Card(Rank.KING, Suit.SPADE)


@pytest.mark.parametrize(("higher", "lower"), [
    ("Kc", "Qs"), ("2c", "As"), ("Ks", "Kh"), ("Kh", "Kd"), ("Kd", "Kc"), ("Jc", "Ts"),
])  # fmt: skip
def test_the_higher_door_card_is_the_greater_one(higher: str, lower: str) -> None:
    assert Card.parse(higher) > Card.parse(lower)


def test_cards_are_numbered_by_suit_and_rank() -> None:
    assert card_number(Card.parse("Ac")) == 0
    assert card_number(Card.parse("Ks")) == 51


def test_several_cards_are_read_and_written() -> None:
    cards = parse_cards(" Ac  2d Th ")
    assert format_cards(cards) == "Ac 2d Th"
    assert format_cards([None, None, cards[0]]) == "xx xx Ac"
    assert parse_cards("") == ()
    with pytest.raises(ValueError, match="'Tx'"):
        parse_cards("Ac Tx")
