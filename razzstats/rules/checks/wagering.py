"""The betting: whose turn it is, and what he may do and for how much."""

from collections.abc import Iterator

from razzstats.diagnostics import codes
from razzstats.events import BringIn, Call, CapNotice, Check, Fold, Seat, Wager
from razzstats.rules.actions import Violation
from razzstats.rules.betting import HandState
from razzstats.rules.checks.common import Violations, check_all_in, count, money, overdrawn, undealt
from razzstats.rules.opening import bring_in_seat


def _check_turn(state: HandState, seat: Seat, does: str) -> Violations:
    if state.to_act and state.to_act[0] == seat and not state.undealt:
        return ()
    return _out_of_turn(state, seat, does)


def _out_of_turn(state: HandState, seat: Seat, does: str) -> Iterator[Violation]:
    name = state.names[seat]
    if state.street is None:
        yield Violation(codes.STREET_OUT_OF_ORDER, f"{name} {does} before third street")
    elif state.undealt:
        yield undealt(state)
    elif seat in state.folded:
        yield Violation(codes.ACTION_OUT_OF_TURN, f"{name} {does} after folding", at_player=True)
    elif not state.to_act:
        yield Violation(
            codes.ACTION_OUT_OF_TURN,
            f"{name} {does}, but the betting on {state.street.title} is over",
            at_player=True,
        )
    elif state.opener_is_unknown and seat in state.to_act:
        return
    elif state.bring_in_due and seat != state.to_act[0]:
        yield _wrong_bring_in(state, seat, does)
    elif seat in state.tied_openers and seat != state.to_act[0]:
        yield Violation(
            codes.TIED_OPENER,
            f"{name} opens with a board that ties with {state.names[state.to_act[0]]}'s",
            at_player=True,
        )
    elif seat != state.to_act[0]:
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


def check_bring_in(state: HandState, event: BringIn) -> Violations:
    """The highest door card brings in, for less than the small bet."""
    seat, name = event.seat, state.names[event.seat]
    yield from _check_turn(state, seat, "brings in")
    expected = state.stakes.bring_in
    if not state.bring_in_due:
        yield Violation(
            codes.BRING_IN_WRONG_SEAT, f"{name} brings in where no bring-in is due", at_player=True
        )
    elif event.amount > state.stacks[seat]:
        yield overdrawn(state, seat, event.amount)
    elif event.amount != expected and not (
        event.amount == state.stacks[seat] and (not expected or event.amount < expected)
    ):
        yield Violation(
            codes.BRING_IN_OFF_SIZE,
            f"{name} brings in for {money(state, event.amount)}; expected "
            f"{money(state, expected) if expected else 'all his chips'}",
        )
    elif not 0 < event.amount < state.stakes.small_bet:
        yield Violation(
            codes.BRING_IN_OFF_SIZE,
            f"{name} brings in for {money(state, event.amount)}; expected less than the small bet"
            f" {money(state, state.stakes.small_bet)}",
        )
    yield from check_all_in(state, seat, event.amount, event.all_in)


def check_fold(state: HandState, event: Fold) -> Violations:
    """Anybody may fold in turn, except who has to bring in."""
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


def check_check(state: HandState, event: Check) -> Violations:
    """A player may check if there is nothing to call."""
    name = state.names[event.seat]
    yield from _check_turn(state, event.seat, "checks")
    if state.bring_in_due:
        yield Violation(codes.MISSING_ACTION, f"{name} checks, but has to bring in")
    elif to_call := state.to_call(event.seat):
        yield Violation(
            codes.CHECK_FACING_WAGER,
            f"{name} checks, but has {money(state, to_call)} to call",
        )


def check_call(state: HandState, event: Call) -> Violations:
    """A call matches the bet, or is all-in for less."""
    seat, name = event.seat, state.names[event.seat]
    yield from _check_turn(state, seat, "calls")
    to_call = state.to_call(seat)
    if event.amount > state.stacks[seat]:
        yield overdrawn(state, seat, event.amount)
    elif state.bring_in_due:
        yield Violation(codes.MISSING_ACTION, f"{name} calls, but has to bring in")
    elif not to_call:
        yield Violation(codes.CALL_OFF_SIZE, f"{name} calls, but there is nothing to call")
    elif event.amount != to_call and not _calls_whole_bring_in(state, event):
        yield Violation(
            codes.CALL_OFF_SIZE,
            f"{name} calls {money(state, event.amount)}; expected {money(state, to_call)}",
        )
    yield from check_all_in(state, seat, event.amount, event.all_in)


def _calls_whole_bring_in(state: HandState, event: Call) -> bool:
    # After a bring-in that was short of chips, some rooms ask the next player for a whole one,
    # and a text with a short bring-in does not say how much that is.
    total = state.street_bets[event.seat] + event.amount
    in_question = state.short_bring_in and not state.wagers and not state.short_level
    return in_question and state.level < total < state.stakes.small_bet


def check_wager(state: HandState, event: Wager) -> Violations:
    """A wager is of the fixed size, below the cap, and open to who makes it."""
    seat = event.seat
    yield from _check_turn(state, seat, event.verb)
    added = event.to - state.street_bets[seat]
    if added > state.stacks[seat]:
        yield overdrawn(state, seat, added)
    elif state.street is not None and state.to_act:
        yield from _check_wager_size(state, event)
    yield from check_all_in(state, seat, added, event.all_in)


def _check_wager_size(state: HandState, event: Wager) -> Violations:
    name, seat = state.names[event.seat], event.seat
    legal_totals = state.wager_sizes()
    all_in = event.to == state.street_bets[seat] + state.stacks[seat]
    cap = state.cap
    if cap is not None and state.wagers >= cap:
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
            f"{name} {event.verb} to {money(state, event.to)}; expected "
            + " or ".join(money(state, total) for total in legal_totals),
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
            f"{name} bets, but {money(state, state.level)} is already bet; expected a raise",
        )
    elif event.verb == "raises" and not state.level:
        yield Violation(codes.VERB_MISMATCH, f"{name} raises, but nobody has bet")
    elif event.by is not None and event.by != event.to - state.level:
        yield Violation(
            codes.VERB_MISMATCH,
            f"{name} raises by {money(state, event.by)} to {money(state, event.to)}; expected "
            f"by {money(state, event.to - state.level)}",
        )


def check_cap_notice(state: HandState, event: CapNotice) -> Violations:
    """The room says "capped" when the last wager was made."""
    if state.cap is None or state.wagers < state.cap:
        yield Violation(
            codes.CAP_NOTICE_MISMATCH,
            f"the betting is said to be capped after {count(state.wagers, 'wager')}; expected "
            f"{state.cap}",
        )
