"""A replayed hand as the rows of the database's tables; field names are column names."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from razzstats.cards import DECK, MaybeCard, card_number
from razzstats.diagnostics import Severity
from razzstats.known_sites import KNOWN_SITES
from razzstats.locations import HandId, HandText
from razzstats.replay import PlayerResult, ReplayedHand
from razzstats.rules.actions import Action

PARSER_VERSION = 1
"""Raised when the same text may give other rows; files read by an older one are read again."""

_NUMBER_BITS = 56


class HandRow(NamedTuple):
    """One row of the table ``hands``."""

    hid: int
    site: str
    hand_no: str
    played_at: datetime | None
    table_name: str
    max_seats: int
    tournament: str | None
    buy_in: str | None
    level: str | None
    mixed_game: str | None
    club: str | None
    game: str
    currency: str
    decimals: int
    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    players: int
    pot: int
    rake: int
    hero_seat: int | None
    bring_in_seat: int | None
    bring_in_door: int | None
    community: int | None
    status: str
    file_id: int
    first_line: int
    text_hash: str
    parser_version: int


class PlayerRow(NamedTuple):
    """One row of the table ``hand_players``: all that reports ask of a player's hand."""

    hid: int
    seat: int
    name: str
    is_hero: bool
    site: str
    game: str
    played_at: datetime | None
    is_tournament: bool
    currency: str
    decimals: int
    small_bet: int
    big_bet: int
    players: int
    stack: int
    c1: int | None
    c2: int | None
    c3: int | None
    c4: int | None
    c5: int | None
    c6: int | None
    c7: int | None
    door_rank: int | None
    ante: int
    put3: int
    put4: int
    put5: int
    put6: int
    put7: int
    contributed: int
    collected: int
    net: int
    last_street: int
    folded: bool
    showdown: bool
    shown: bool
    all_in: bool
    low: str | None
    brought_in: bool
    vpip_chance: bool
    vpip: bool
    complete_chance: bool
    completed: bool


class ActionRow(NamedTuple):
    """One row of the table ``actions``: what was done, and what the player faced."""

    hid: int
    seq: int
    street: int
    seat: int
    kind: str
    amount: int
    to_amount: int | None
    all_in: bool
    pot: int
    to_call: int
    wagers: int
    could_wager: bool


class HandLuckRow(NamedTuple):
    """One row of the table ``hand_luck``: whether and how luck was measured in a hand."""

    hid: int
    kind: str | None
    street: int | None
    measured: bool | None
    exact: bool | None


class PlayerLuckRow(NamedTuple):
    """One row of the table ``player_luck``: what luck did to a player."""

    hid: int
    seat: int
    equity: float
    expected: float
    luck: float


class StartingHandRow(NamedTuple):
    """One row of the table ``starting_hands``."""

    hid: int
    seat: int
    starting_hand: str
    starting_class: str
    rating: float


PlayerFacts: TypeAlias = tuple[Any, ...]
"""What a row of ``hand_players`` says of the player alone: the fields of PLAYER_FACTS."""

PLAYER_FACTS = (
    "seat", "name", "stack", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "door_rank", "contributed",
    "collected", "net", "last_street", "folded", "showdown", "shown", "all_in", "low",
)  # fmt: skip
"""Columns of ``hand_players``; the others say the same of all players, or follow from actions."""


class HandRows(NamedTuple):
    """What the tables are told of one hand; `HandColumns` makes all rows of many hands of it."""

    hand: HandRow
    players: list[PlayerFacts]
    actions: list[Action]
    file: str
    text: str


def hand_key(hand_id: HandId) -> int:
    """Return the hand's number in the database, the same in every database."""
    site = KNOWN_SITES[hand_id.site].number << _NUMBER_BITS
    number = hand_id.number
    if len(number) <= 16 and number.isascii() and number.isdigit() and str(int(number)) == number:
        return site | int(number)
    digest = hashlib.blake2b(number.encode(), digest_size=7).digest()
    return site | int.from_bytes(digest)


def text_hash(text: HandText) -> str:
    """Return what tells two texts of a hand apart, whatever their line ends and blank lines."""
    words = "\n".join([line for line in map(str.strip, text.lines) if line])
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def hand_rows(hand: ReplayedHand, file_id: int, worst: Severity | None) -> HandRows:
    """Return a hand's rows; ``worst`` is the worst finding, which an accepted hand has as well."""
    hid = hand_key(hand.parsed.hand_id)
    return HandRows(
        _hand_row(hand, hid, file_id, worst),
        [_player_facts(result) for result in hand.results],
        list(hand.actions),
        hand.parsed.text.file,
        hand.parsed.text.text,
    )


def _player_facts(result: PlayerResult) -> PlayerFacts:
    numbers = [_NUMBER_OF[card] for card in result.cards]
    return (
        result.seat,
        result.name,
        result.stack,
        *numbers,
        *_NO_CARDS[len(numbers) :],
        None if result.door_card is None else int(result.door_card.rank),
        result.contributed,
        result.collected,
        result.net,
        result.last_street,
        result.folded,
        result.showdown,
        result.shown,
        result.all_in,
        None if result.low is None else str(result.low),
    )


_NUMBER_OF: Mapping[MaybeCard, int | None] = {
    None: None,
    **{card: number for number, card in enumerate(DECK)},
}
_NO_CARDS = (None,) * 7


def _hand_row(hand: ReplayedHand, hid: int, file_id: int, worst: Severity | None) -> HandRow:
    parsed, stakes = hand.parsed, hand.parsed.stakes
    tournament = parsed.tournament
    return HandRow(
        hid=hid,
        site=parsed.hand_id.site,
        hand_no=parsed.hand_id.number,
        played_at=_naive(parsed.played_at),
        table_name=parsed.table,
        max_seats=parsed.max_seats,
        tournament=tournament.number if tournament else None,
        buy_in=tournament.buy_in if tournament else None,
        level=tournament.level if tournament else None,
        mixed_game=parsed.mixed_game,
        club=parsed.club,
        game=hand.rules.name,
        currency=stakes.money.currency,
        decimals=stakes.money.decimals,
        ante=stakes.ante,
        bring_in=stakes.bring_in,
        small_bet=stakes.small_bet,
        big_bet=stakes.big_bet,
        players=len(hand.results),
        pot=hand.pot,
        rake=hand.rake,
        hero_seat=parsed.hero,
        bring_in_seat=hand.bring_in_seat,
        bring_in_door=_bring_in_door(hand),
        community=None if hand.community is None else card_number(hand.community),
        status="warning" if worst is Severity.WARNING else "ok",
        file_id=file_id,
        first_line=parsed.text.first_line,
        text_hash=text_hash(parsed.text),
        parser_version=PARSER_VERSION,
    )


def _bring_in_door(hand: ReplayedHand) -> int | None:
    doors = {result.seat: result.door_card for result in hand.results}
    door = doors.get(hand.bring_in_seat) if hand.bring_in_seat is not None else None
    return None if door is None else int(door.rank)


def _naive(moment: datetime | None) -> datetime | None:
    # The tables hold UTC without a zone; DuckDB would turn an aware one to the machine's zone.
    return None if moment is None else moment.replace(tzinfo=None)
