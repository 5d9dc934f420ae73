"""The end of a hand: uncalled bets, the showdown, and who may take a pot."""

from razzstats.cards import Card, format_cards
from razzstats.diagnostics import codes
from razzstats.events import Collect, Muck, ReturnedBet, Seat, Show, ShowdownStart, Street
from razzstats.rules.actions import Violation
from razzstats.rules.betting import HandState
from razzstats.rules.checks.common import (
    Violations,
    bet_is_returned,
    card_words,
    count,
    money,
    new_card_violations,
    street_is_done,
)


def end_violations(state: HandState) -> Violations:
    """Yield what is missing where a hand's text ends."""
    if state.street is None:
        yield Violation(codes.STREET_OUT_OF_ORDER, "the hand ends before third street")
        return
    yield from street_is_done(state, "the hand ends")
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
    yield from bet_is_returned(state)


def _river_card_is_known(state: HandState) -> Violations:
    # Whoever's hole cards the room printed is the one whose river card it prints.
    if state.street is not Street.SEVENTH or state.community is not None:
        return
    for seat in state.live_seats:
        cards = state.cards[seat]
        told = cards[-1] is not None or seat in state.hidden_rivers
        if not told and all(card is not None for card in cards[:-1]):
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


def check_returned(state: HandState, event: ReturnedBet) -> Violations:
    """What nobody matched goes back to who bet it, no more and no less."""
    name = state.names[event.seat]
    if state.street is not None or not state.antes:  # of an ante, before the deal
        yield from street_is_done(state, f"a bet is returned to {name}")
    uncalled = state.uncalled()
    if uncalled is None:
        yield Violation(
            codes.RETURNED_BET_MISMATCH,
            f"{money(state, event.amount)} is returned to {name}, but every bet was matched",
        )
    elif uncalled != (event.seat, event.amount):
        seat, amount = uncalled
        yield Violation(
            codes.RETURNED_BET_MISMATCH,
            f"{money(state, event.amount)} is returned to {name}; expected "
            f"{money(state, amount)} to {state.names[seat]}",
        )


def check_showdown_start(state: HandState, event: ShowdownStart) -> Violations:
    """The showdown follows seventh street, with two or more players left."""
    yield from street_is_done(state, "the showdown begins")
    if not state.is_over or state.is_uncontested:
        yield Violation(
            codes.MISSING_SHOWDOWN,
            "the showdown begins; expected it after seventh street with two or more players",
        )
    yield from bet_is_returned(state)


def check_show(state: HandState, event: Show) -> Violations:
    """Cards are turned up when the hand is over, and are those that were dealt."""
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
            f"{name} shows {count(len(shown), 'card')}; expected {len(cards)}",
        )
        return
    if whole and any(known not in (None, card) for known, card in zip(cards, shown, strict=True)):
        yield Violation(
            codes.SHOWN_CARDS_MISMATCH,
            f"{name} shows [{card_words(shown)}]; expected [{format_cards(cards)}]",
        )
        return
    new = [card for place, card in enumerate(shown) if card not in cards or card in shown[:place]]
    yield from new_card_violations(state, new)


def check_muck(state: HandState, event: Muck) -> Violations:
    """A hand is mucked when it is over, once."""
    yield from _reveals_in_time(state, event.seat, "mucks")


def _reveals_in_time(state: HandState, seat: Seat, does: str) -> Violations:
    name = state.names[seat]
    yield from street_is_done(state, f"{name} {does}")
    if seat in state.folded and (state.showdown or does == "mucks"):
        yield Violation(
            codes.MISSING_SHOWDOWN, f"{name} {does} a hand after folding it", at_player=True
        )
    elif not state.is_uncontested and not state.showdown:
        if does == "mucks" or not state.nobody_can_bet or seat in state.shown:
            yield Violation(codes.MISSING_SHOWDOWN, f"{name} {does} before the showdown")
    elif (seat in state.shown and seat not in state.shown_early) or seat in state.mucked:
        yield Violation(codes.MISSING_SHOWDOWN, f"{name} {does} a second time")


def check_collect(state: HandState, event: Collect) -> Violations:
    """A pot is collected when the hand is over, by a player who is still in."""
    name = state.names[event.seat]
    yield from street_is_done(state, f"{name} collects")
    if not state.is_over:
        yield Violation(codes.STREET_OUT_OF_ORDER, f"{name} collects a pot before the hand is over")
    elif not state.is_uncontested and not state.showdown:
        yield Violation(codes.MISSING_SHOWDOWN, f"{name} collects a pot before the showdown")
    elif event.seat in state.folded:
        yield Violation(codes.WRONG_WINNER, f"{name} collects a pot after folding", at_player=True)
    yield from bet_is_returned(state)
