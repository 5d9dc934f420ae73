"""A replayed hand as the rows of the database's tables; field names are column names."""

import hashlib
from datetime import datetime
from typing import NamedTuple

from razzstats.cards import card_number
from razzstats.diagnostics import Severity
from razzstats.events import Seat, Street
from razzstats.known_sites import KNOWN_SITES
from razzstats.locations import HandId, HandText
from razzstats.replay import PlayerResult, ReplayedHand
from razzstats.rules.actions import VOLUNTARY, Action, ActionKind

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


class HandRows(NamedTuple):
    """All rows of one hand."""

    hand: HandRow
    players: list[PlayerRow]
    actions: list[ActionRow]
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
    by_seat: dict[Seat, list[Action]] = {result.seat: [] for result in hand.results}
    for action in hand.actions:
        by_seat[action.seat].append(action)
    return HandRows(
        _hand_row(hand, hid, file_id, worst),
        [_player_row(hand, hid, result, by_seat[result.seat]) for result in hand.results],
        # The columns are the fields of an action, but for the line where it stands.
        [ActionRow(hid, seq, *action[:-1]) for seq, action in enumerate(hand.actions)],
        hand.parsed.text.file,
        hand.parsed.text.text,
    )


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


def _player_row(
    hand: ReplayedHand, hid: int, result: PlayerResult, actions: list[Action]
) -> PlayerRow:
    parsed, stakes = hand.parsed, hand.parsed.stakes
    third = [action for action in actions if action.street is Street.THIRD]
    decisions = [action.kind for action in third if action.kind in _THIRD_DECISIONS]
    open_decisions = [
        action.kind
        for action in third
        if action.kind in _OPEN_DECISIONS
        and not action.wagers
        and result.seat != hand.bring_in_seat
    ]
    numbers = [None if card is None else card_number(card) for card in result.cards]
    c1, c2, c3, c4, c5, c6, c7 = (numbers + [None] * 7)[:7]
    put = _put_by_street(actions)
    return PlayerRow(
        hid=hid,
        seat=result.seat,
        name=result.name,
        is_hero=result.seat == parsed.hero,
        site=parsed.hand_id.site,
        game=hand.rules.name,
        played_at=_naive(parsed.played_at),
        is_tournament=parsed.tournament is not None,
        currency=stakes.money.currency,
        decimals=stakes.money.decimals,
        small_bet=stakes.small_bet,
        big_bet=stakes.big_bet,
        players=len(hand.results),
        stack=result.stack,
        c1=c1,
        c2=c2,
        c3=c3,
        c4=c4,
        c5=c5,
        c6=c6,
        c7=c7,
        door_rank=None if result.door_card is None else int(result.door_card.rank),
        ante=sum(action.amount for action in actions if action.kind is ActionKind.ANTE),
        put3=put[Street.THIRD],
        put4=put[Street.FOURTH],
        put5=put[Street.FIFTH],
        put6=put[Street.SIXTH],
        put7=put[Street.SEVENTH],
        contributed=result.contributed,
        collected=result.collected,
        net=result.net,
        last_street=result.last_street,
        folded=result.folded,
        showdown=result.showdown,
        shown=result.shown,
        all_in=result.all_in,
        low=None if result.low is None else str(result.low),
        brought_in=any(action.kind is ActionKind.BRING_IN for action in actions),
        vpip_chance=bool(decisions),
        vpip=any(kind in VOLUNTARY for kind in decisions),
        complete_chance=bool(open_decisions),
        completed=ActionKind.COMPLETE in open_decisions,
    )


_OPEN_DECISIONS = frozenset((ActionKind.FOLD, ActionKind.CALL, ActionKind.COMPLETE))
_THIRD_DECISIONS = VOLUNTARY | {ActionKind.FOLD}
_PUT_IN = VOLUNTARY | {ActionKind.BRING_IN}


_NOTHING_PUT = dict.fromkeys(Street, 0)


def _put_by_street(actions: list[Action]) -> dict[Street, int]:
    put = _NOTHING_PUT.copy()
    for action in actions:
        if action.kind in _PUT_IN:
            put[action.street] += action.amount
        elif action.kind is ActionKind.RETURN:
            put[action.street] -= action.amount
    return put


def _naive(moment: datetime | None) -> datetime | None:
    # The tables hold UTC without a zone; DuckDB would turn an aware one to the machine's zone.
    return None if moment is None else moment.replace(tzinfo=None)
