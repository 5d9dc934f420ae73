"""Which rules an event would break: the same questions that `HandState.legal` answers, in words."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from razzstats.cards import Card, format_cards
from razzstats.diagnostics import codes
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    CapNotice,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    Note,
    ReturnedBet,
    Seat,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.rules.actions import ActionKind, Violation
from razzstats.rules.betting import HandState
from razzstats.rules.opening import bring_in_seat

Violations = Iterator[Violation]


def violations(state: HandState, event: Event) -> Violations:
    """Yield the rules that the event breaks in this state, the decisive one first."""
    return _CHECKS[type(event)](state, event)


def end_violations(state: HandState) -> Violations:
    """Yield what is missing where a hand's text ends."""
    if state.street is None:
        yield Violation(codes.STREET_OUT_OF_ORDER, "the hand ends before third street")
        return
    yield from _street_is_done(state, "the hand ends")
    if state.is_uncontested:
        if state.showdown:
            yield Violation(
                codes.MISSING_SHOWDOWN, "there is a showdown, but only one player is left"
            )
    elif state.street is not Street.SEVENTH:
        yield Violation(
            codes.STREET_OUT_OF_ORDER,
            f"the hand ends on {state.street.title} with {len(state.live_seats)} players left",
        )
    else:
        yield from _showdown_is_done(state)
    yield from _river_card_is_known(state)
    yield from _bet_is_returned(state)


def _river_card_is_known(state: HandState) -> Violations:
    # Whoever's hole cards the room printed is the one whose river card it prints.
    if state.street is not Street.SEVENTH or state.community is not None:
        return
    for seat in state.live_seats:
        cards = state.cards[seat]
        if cards[-1] is None and all(card is not None for card in cards[:-1]):
            name = state.names[seat]
            yield Violation(
                codes.WRONG_CARD_COUNT, f"{name} plays seventh street without a seventh card"
            )


def _showdown_is_done(state: HandState) -> Violations:
    if not state.showdown:
        yield Violation(codes.MISSING_SHOWDOWN, "players are left, but there is no showdown")
        return
    for seat in state.live_seats:
        if seat not in state.shown and seat not in state.mucked:
            yield Violation(
                codes.MISSING_SHOWDOWN,
                f"{state.names[seat]} neither shows nor mucks at the showdown",
            )


def _bet_is_returned(state: HandState) -> Violations:
    if (uncalled := state.uncalled()) is not None:
        seat, amount = uncalled
        yield Violation(
            codes.RETURNED_BET_MISMATCH,
            f"{_money(state, amount)} that {state.names[seat]} put in was not matched by anybody; "
            "expected it to be returned",
        )


# ---- antes, streets and cards


def _check_ante(state: HandState, event: Ante) -> Violations:
    name, ante = state.names[event.seat], state.stakes.ante
    if state.street is not None:
        yield Violation(codes.ANTE_OFF_SIZE, f"{name} posts an ante after the deal")
    elif event.seat in state.antes:
        yield Violation(codes.ANTE_OFF_SIZE, f"{name} posts a second ante")
    elif event.amount > state.stacks[event.seat]:
        yield _overdrawn(state, event.seat, event.amount)
    elif event.amount != ante and event.amount != state.stacks[event.seat]:
        yield Violation(
            codes.ANTE_OFF_SIZE,
            f"{name} posts {_money(state, event.amount)}; expected the ante {_money(state, ante)}",
            help="everybody posts the same ante; only the last chips may be fewer",
        )
    yield from _check_all_in(state, event.seat, event.amount, event.all_in)


def _check_street(state: HandState, event: StreetStart) -> Violations:
    expected = Street.THIRD if state.street is None else Street(min(state.street + 1, 7))
    if state.street is None and event.street is Street.THIRD:
        yield from _antes_are_posted(state)
        return
    yield from _street_is_done(state, f"{event.street.title} begins")
    if state.is_uncontested:
        yield Violation(
            codes.STREET_OUT_OF_ORDER,
            f"{event.street.title} begins, but only one player is left",
        )
    if event.street is not expected or event.street is state.street:
        yield Violation(
            codes.STREET_OUT_OF_ORDER, f"{event.street.title} begins; expected {expected.title}"
        )
    if not state.rules.rule(event.street).up_cards:
        yield from _check_last_cards(state, event)


def _antes_are_posted(state: HandState) -> Violations:
    if len(state.seats) < 2:
        yield Violation(codes.MISSING_ACTION, "fewer than two players are dealt in")
    for seat in state.seats:
        if state.stakes.ante and seat not in state.antes:
            yield Violation(
                codes.MISSING_ACTION, f"{state.names[seat]} is dealt in without posting an ante"
            )


def _check_last_cards(state: HandState, event: StreetStart) -> Violations:
    left, players = state.cards_left(), len(state.live_seats)
    if event.community is None:
        if left < players:
            yield Violation(
                codes.WRONG_CARD_COUNT,
                f"{left} cards are left for {players} players; expected a community card",
            )
    elif left - state.rules.burn_cards >= players:
        yield Violation(
            codes.COMMUNITY_CARD_MISPLACED,
            f"a community card is dealt, but {left} cards are left for {players} players",
        )
    elif event.community in state.seen:
        yield _duplicate(state, event.community)


def _check_deal(state: HandState, event: Deal) -> Violations:
    seat, name = event.seat, state.names[event.seat]
    if state.street is None:
        yield Violation(codes.STREET_OUT_OF_ORDER, f"{name} is dealt cards before third street")
        return
    rule = state.rules.rule(state.street)
    if seat in state.folded:
        yield Violation(codes.CARD_TO_FOLDED_PLAYER, f"{name} is dealt a card after folding")
    elif rule.up_cards and seat not in state.undealt:
        yield Violation(
            codes.WRONG_CARD_COUNT, f"{name} is dealt cards twice on {state.street.title}"
        )
    elif not rule.up_cards and (state.community is not None or state.cards[seat][-1] is not None):
        yield Violation(codes.WRONG_CARD_COUNT, f"{name} is dealt more than seven cards")
    elif len(event.up) != rule.up_cards or len(event.down) != rule.down_cards:
        yield Violation(
            codes.WRONG_CARD_COUNT,
            f"{name} is dealt {_count(len(event.up), 'up card')} and "
            f"{_count(len(event.down), 'down card')} on {state.street.title}; expected "
            f"{rule.up_cards} and {rule.down_cards}",
        )
    known = [card for card in state.cards[seat] if card is not None]
    if list(event.seen) != known and state.street is not Street.THIRD:
        yield Violation(
            codes.SHOWN_CARDS_MISMATCH,
            f"{name} is said to hold [{_cards(event.seen)}]; expected [{_cards(known)}]",
        )
    yield from _check_new_cards(
        state, [card for card in (*event.down, *event.up) if card is not None]
    )


def _check_new_cards(state: HandState, cards: list[Card]) -> Violations:
    for place, card in enumerate(cards):
        if card in state.seen:
            yield _duplicate(state, card)
        elif card in cards[:place]:
            yield Violation(codes.DUPLICATE_CARD, f"{card} is dealt twice")


def _duplicate(state: HandState, card: Card) -> Violation:
    return Violation(
        codes.DUPLICATE_CARD,
        f"{card} is dealt a second time",
        evidence=((state.seen[card], f"{card} was seen here"),),
    )


# ---- the betting


def _check_turn(state: HandState, seat: Seat, does: str) -> Violations:
    name = state.names[seat]
    if state.street is None:
        yield Violation(codes.STREET_OUT_OF_ORDER, f"{name} {does} before third street")
    elif state.undealt:
        yield _undealt(state)
    elif seat in state.folded:
        yield Violation(
            codes.ACTION_OUT_OF_TURN, f"{name} {does} after folding", at_player=True
        )
    elif not state.to_act:
        yield Violation(
            codes.ACTION_OUT_OF_TURN,
            f"{name} {does}, but the betting on {state.street.title} is over",
            at_player=True,
        )
    elif state.bring_in_due and seat != state.to_act[0]:
        yield _wrong_bring_in(state, seat, does)
    elif seat != state.to_act[0] and seat not in state.tied_openers:
        expected = " or ".join(
            state.names[s] for s in (state.tied_openers or tuple(state.to_act[:1]))
        )
        yield Violation(
            codes.ACTION_OUT_OF_TURN,
            f"{name} {does}, but it is {expected}'s turn",
            help="the lowest board opens from fourth street on; then the turn goes clockwise",
            at_player=True,
        )


def _wrong_bring_in(state: HandState, seat: Seat, does: str) -> Violation:
    expected = state.to_act[0]
    doors = {live: state.up_cards[live][0] for live in state.live_seats}
    highest = bring_in_seat(doors)
    name = state.names[seat]
    if does != "brings in":
        return Violation(
            codes.MISSING_ACTION,
            f"{name} {does}, but {state.names[expected]} has not brought in",
            help="the highest door card must bring in or complete before anybody else acts",
            at_player=True,
        )
    holder = f"{state.names[highest]} has the highest door card ({doors[highest]})"
    if expected != highest:
        holder += f" and no chips left, so that {state.names[expected]} is next"
    return Violation(
        codes.BRING_IN_WRONG_SEAT,
        f"{name} brings in, but {holder}",
        help="the highest door card brings in; equal ranks go by suit, spades highest",
        at_player=True,
        evidence=((state.door_deals[highest], "the highest door card"),),
    )


def _check_bring_in(state: HandState, event: BringIn) -> Violations:
    seat, name = event.seat, state.names[event.seat]
    yield from _check_turn(state, seat, "brings in")
    expected = state.stakes.bring_in
    if not state.bring_in_due:
        yield Violation(
            codes.BRING_IN_WRONG_SEAT, f"{name} brings in where no bring-in is due", at_player=True
        )
    elif event.amount > state.stacks[seat]:
        yield _overdrawn(state, seat, event.amount)
    elif event.amount != expected and not (
        event.amount == state.stacks[seat] and (not expected or event.amount < expected)
    ):
        yield Violation(
            codes.BRING_IN_OFF_SIZE,
            f"{name} brings in for {_money(state, event.amount)}; expected "
            f"{_money(state, expected) if expected else 'all his chips'}",
        )
    elif not 0 < event.amount < state.stakes.small_bet:
        yield Violation(
            codes.BRING_IN_OFF_SIZE,
            f"{name} brings in for {_money(state, event.amount)}; expected less than the small bet"
            f" {_money(state, state.stakes.small_bet)}",
        )
    yield from _check_all_in(state, seat, event.amount, event.all_in)


def _check_fold(state: HandState, event: Fold) -> Violations:
    name = state.names[event.seat]
    yield from _check_turn(state, event.seat, "folds")
    if state.bring_in_due:
        yield Violation(
            codes.MISSING_ACTION,
            f"{name} folds, but has to bring in",
            help="the highest door card must bring in or complete",
        )
    elif not state.to_call(event.seat):
        yield Violation(
            codes.FOLD_WITHOUT_WAGER, f"{name} folds, but could check", help="nobody has bet"
        )


def _check_check(state: HandState, event: Check) -> Violations:
    name = state.names[event.seat]
    yield from _check_turn(state, event.seat, "checks")
    if state.bring_in_due:
        yield Violation(codes.MISSING_ACTION, f"{name} checks, but has to bring in")
    elif to_call := state.to_call(event.seat):
        yield Violation(
            codes.CHECK_FACING_WAGER,
            f"{name} checks, but has {_money(state, to_call)} to call",
        )


def _check_call(state: HandState, event: Call) -> Violations:
    seat, name = event.seat, state.names[event.seat]
    yield from _check_turn(state, seat, "calls")
    to_call = state.to_call(seat)
    if event.amount > state.stacks[seat]:
        yield _overdrawn(state, seat, event.amount)
    elif state.bring_in_due:
        yield Violation(codes.MISSING_ACTION, f"{name} calls, but has to bring in")
    elif not to_call:
        yield Violation(codes.CALL_OFF_SIZE, f"{name} calls, but there is nothing to call")
    elif event.amount != to_call and not _calls_whole_bring_in(state, event):
        yield Violation(
            codes.CALL_OFF_SIZE,
            f"{name} calls {_money(state, event.amount)}; expected {_money(state, to_call)}",
        )
    yield from _check_all_in(state, seat, event.amount, event.all_in)


def _calls_whole_bring_in(state: HandState, event: Call) -> bool:
    # After a bring-in that was short of chips, some rooms ask the next player for a whole one,
    # and a text with a short bring-in does not say how much that is.
    total = state.street_bets[event.seat] + event.amount
    in_question = state.short_bring_in and not state.wagers and not state.short_level
    return in_question and state.level < total < state.stakes.small_bet


def _check_wager(state: HandState, event: Wager) -> Violations:
    seat, name, does = event.seat, state.names[event.seat], event.verb
    yield from _check_turn(state, seat, does)
    added = event.to - state.street_bets[seat]
    if added > state.stacks[seat]:
        yield _overdrawn(state, seat, added)
    elif seat in state.stacks and state.street is not None and state.to_act:
        yield from _check_wager_size(state, event)
    yield from _check_all_in(state, seat, added, event.all_in)


def _check_wager_size(state: HandState, event: Wager) -> Violations:
    name, seat = state.names[event.seat], event.seat
    legal_totals = state.wager_sizes()
    all_in = event.to == state.street_bets[seat] + state.stacks[seat]
    if state.cap is not None and state.wagers >= state.cap:
        yield Violation(
            codes.WAGER_ABOVE_CAP,
            f"{name} {event.verb}, but the betting is capped after {state.wagers} wagers",
        )
    elif seat not in state.may_wager:
        yield Violation(
            codes.WAGER_NOT_REOPENED,
            f"{name} {event.verb}, but the all-in before him did not reopen the betting",
            help="an all-in of less than half a bet lets those who have acted only call or fold",
        )
    elif event.to not in legal_totals and not (all_in and state.level < event.to < legal_totals[0]):
        yield Violation(
            codes.WAGER_OFF_SIZE,
            f"{name} {event.verb} to {_money(state, event.to)}; expected "
            + " or ".join(_money(state, total) for total in legal_totals),
            help="every wager adds exactly one fixed bet; only an all-in may be less",
        )
    elif not any(state.stacks[other] for other in state.live_seats if other != seat):
        yield Violation(
            codes.WAGER_OFF_SIZE, f"{name} {event.verb}, but nobody has chips left to call"
        )
    yield from _check_verb(state, event)


def _check_verb(state: HandState, event: Wager) -> Violations:
    name = state.names[event.seat]
    if event.verb == "bets" and state.level:
        yield Violation(
            codes.VERB_MISMATCH,
            f"{name} bets, but {_money(state, state.level)} is already bet; expected a raise",
        )
    elif event.verb == "raises" and not state.level:
        yield Violation(codes.VERB_MISMATCH, f"{name} raises, but nobody has bet")
    elif event.by is not None and event.by != event.to - state.level:
        yield Violation(
            codes.VERB_MISMATCH,
            f"{name} raises by {_money(state, event.by)} to {_money(state, event.to)}; expected "
            f"by {_money(state, event.to - state.level)}",
        )


def _check_all_in(state: HandState, seat: Seat, amount: int, all_in: bool) -> Violations:
    left = state.stacks[seat] - amount
    name = state.names[seat]
    if all_in and left > 0:
        yield Violation(
            codes.ALL_IN_MISMATCH,
            f"{name} is said to be all-in, but has {_money(state, left)} left",
        )
    elif not all_in and not left and amount:
        yield Violation(
            codes.ALL_IN_MISMATCH, f"{name} puts in the last chips, but is not said to be all-in"
        )


def _overdrawn(state: HandState, seat: Seat, amount: int) -> Violation:
    name, stack = state.names[seat], state.stacks[seat]
    return Violation(
        codes.OVERDRAWN_STACK,
        f"{name} puts in {_money(state, amount)}, but has {_money(state, stack)}",
    )


def _check_cap_notice(state: HandState, event: CapNotice) -> Violations:
    if state.cap is None or state.wagers < state.cap:
        yield Violation(
            codes.CAP_NOTICE_MISMATCH,
            f"the betting is said to be capped after {_count(state.wagers, 'wager')}; expected "
            f"{state.cap}",
        )


# ---- the end of a hand


def _street_is_done(state: HandState, what: str) -> Violations:
    if state.street is None:
        yield Violation(codes.STREET_OUT_OF_ORDER, f"{what} before third street")
    elif state.undealt:
        yield _undealt(state)
    elif state.to_act:
        yield Violation(
            codes.MISSING_ACTION,
            f"{what}, but {state.names[state.to_act[0]]} has not acted on {state.street.title}",
        )


def _undealt(state: HandState) -> Violation:
    assert state.street is not None
    name = state.names[state.undealt[0]]
    return Violation(
        codes.WRONG_CARD_COUNT, f"{name} has not been dealt a card on {state.street.title}"
    )


def _check_returned(state: HandState, event: ReturnedBet) -> Violations:
    name = state.names[event.seat]
    yield from _street_is_done(state, f"a bet is returned to {name}")
    uncalled = state.uncalled()
    if uncalled is None:
        yield Violation(
            codes.RETURNED_BET_MISMATCH,
            f"{_money(state, event.amount)} is returned to {name}, but every bet was matched",
        )
    elif uncalled != (event.seat, event.amount):
        seat, amount = uncalled
        yield Violation(
            codes.RETURNED_BET_MISMATCH,
            f"{_money(state, event.amount)} is returned to {name}; expected "
            f"{_money(state, amount)} to {state.names[seat]}",
        )


def _check_showdown_start(state: HandState, event: ShowdownStart) -> Violations:
    yield from _street_is_done(state, "the showdown begins")
    if not state.is_over or state.is_uncontested:
        yield Violation(
            codes.MISSING_SHOWDOWN,
            "the showdown begins; expected it after seventh street with two or more players",
        )
    yield from _bet_is_returned(state)


def _check_show(state: HandState, event: Show) -> Violations:
    yield from _reveals_in_time(state, event.seat, "shows")
    yield from card_violations(state, event.seat, event.cards, partly=not state.showdown)


def card_violations(
    state: HandState, seat: Seat, shown: tuple[Card, ...], *, partly: bool = False
) -> Violations:
    """Yield why these cannot be the seat's cards; ``partly`` allows some of them alone."""
    name, cards = state.names[seat], state.cards[seat]
    whole = len(shown) == len(cards)
    if not whole and (not partly or len(shown) > len(cards)):
        yield Violation(
            codes.SHOWN_CARDS_MISMATCH,
            f"{name} shows {_count(len(shown), 'card')}; expected {len(cards)}",
        )
        return
    if whole and any(known not in (None, card) for known, card in zip(cards, shown, strict=True)):
        yield Violation(
            codes.SHOWN_CARDS_MISMATCH,
            f"{name} shows [{_cards(shown)}]; expected [{format_cards(cards)}]",
        )
        return
    yield from _check_new_cards(state, [card for card in shown if card not in cards])


def _check_muck(state: HandState, event: Muck) -> Violations:
    yield from _reveals_in_time(state, event.seat, "mucks")


def _reveals_in_time(state: HandState, seat: Seat, does: str) -> Violations:
    name = state.names[seat]
    yield from _street_is_done(state, f"{name} {does}")
    if seat in state.folded and state.showdown:
        yield Violation(
            codes.MISSING_SHOWDOWN, f"{name} {does} at the showdown after folding", at_player=True
        )
    elif not state.is_uncontested and not state.showdown:
        yield Violation(codes.MISSING_SHOWDOWN, f"{name} {does} before the showdown")
    elif state.showdown and (seat in state.shown or seat in state.mucked):
        yield Violation(codes.MISSING_SHOWDOWN, f"{name} {does} a second time")


def _check_collect(state: HandState, event: Collect) -> Violations:
    name = state.names[event.seat]
    yield from _street_is_done(state, f"{name} collects")
    if not state.is_over:
        yield Violation(
            codes.STREET_OUT_OF_ORDER, f"{name} collects a pot before the hand is over"
        )
    elif not state.is_uncontested and not state.showdown:
        yield Violation(codes.MISSING_SHOWDOWN, f"{name} collects a pot before the showdown")
    elif event.seat in state.folded:
        yield Violation(
            codes.WRONG_WINNER, f"{name} collects a pot after folding", at_player=True
        )
    yield from _bet_is_returned(state)


def _nothing(state: HandState, event: Note) -> Violations:
    yield from ()


_CHECKS: Mapping[type[Any], Callable[[HandState, Any], Violations]] = {
    Ante: _check_ante,
    StreetStart: _check_street,
    Deal: _check_deal,
    BringIn: _check_bring_in,
    Fold: _check_fold,
    Check: _check_check,
    Call: _check_call,
    Wager: _check_wager,
    ReturnedBet: _check_returned,
    CapNotice: _check_cap_notice,
    ShowdownStart: _check_showdown_start,
    Show: _check_show,
    Muck: _check_muck,
    Collect: _check_collect,
    Note: _nothing,
}


def _money(state: HandState, amount: int) -> str:
    return state.stakes.money.format(amount)


def _cards(cards: "tuple[Card, ...] | list[Card]") -> str:
    return " ".join(map(str, cards))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
