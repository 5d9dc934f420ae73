"""The rows of a hand made one by one, as plainly as they can be said; what columns are held to."""

from razzstats.cards import card_number
from razzstats.events import Street
from razzstats.replay import PlayerResult, ReplayedHand
from razzstats.rules.actions import VOLUNTARY, Action, ActionKind
from razzstats.storage import hand_key
from razzstats.storage.rows import ActionRow, PlayerRow


def player_rows(hand: ReplayedHand) -> list[PlayerRow]:
    """The rows of ``hand_players``."""
    hid = hand_key(hand.parsed.hand_id)
    return [_player_row(hand, hid, result) for result in hand.results]


def action_rows(hand: ReplayedHand) -> list[ActionRow]:
    """The rows of ``actions``."""
    hid = hand_key(hand.parsed.hand_id)
    return [_action_row(hid, seq, action) for seq, action in enumerate(hand.actions)]


def _player_row(hand: ReplayedHand, hid: int, result: PlayerResult) -> PlayerRow:
    parsed, stakes = hand.parsed, hand.parsed.stakes
    actions = [action for action in hand.actions if action.seat == result.seat]
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
        played_at=parsed.played_at.replace(tzinfo=None) if parsed.played_at else None,
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


def _action_row(hid: int, seq: int, action: Action) -> ActionRow:
    return ActionRow(
        hid=hid,
        seq=seq,
        street=action.street,
        seat=action.seat,
        kind=action.kind,
        amount=action.amount,
        to_amount=action.to,
        all_in=action.all_in,
        pot=action.pot,
        to_call=action.to_call,
        wagers=action.wagers,
        could_wager=action.could_wager,
    )
