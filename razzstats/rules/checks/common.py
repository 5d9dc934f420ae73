"""What several checks ask, and the words they share."""

from collections.abc import Iterable
from typing import TypeAlias

from razzstats.cards import Card
from razzstats.diagnostics import codes
from razzstats.events import Seat
from razzstats.rules.actions import Violation
from razzstats.rules.betting import HandState

Violations: TypeAlias = Iterable[Violation]
"""The rules that are broken, the decisive one first."""


def money(state: HandState, amount: int) -> str:
    """Return an amount as the hand's room would print it."""
    return state.stakes.money.format(amount)


def card_words(cards: "tuple[Card, ...] | list[Card]") -> str:
    """Return cards as they stand in a text: ``Ac 2d``."""
    return " ".join(map(str, cards))


def count(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 card``, ``2 cards``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def duplicate_card(state: HandState, card: Card) -> Violation:
    """Say that a card is dealt a second time, and where it was seen first."""
    return Violation(
        codes.DUPLICATE_CARD,
        f"{card} is dealt a second time",
        evidence=((state.seen[card], f"{card} was seen here"),),
    )


def undealt(state: HandState) -> Violation:
    """Say that a player lacks this street's card."""
    assert state.street is not None
    name = state.names[state.undealt[0]]
    return Violation(
        codes.WRONG_CARD_COUNT, f"{name} has not been dealt a card on {state.street.title}"
    )


def overdrawn(state: HandState, seat: Seat, amount: int) -> Violation:
    """Say that a player puts in more than he has."""
    name, stack = state.names[seat], state.stacks[seat]
    return Violation(
        codes.OVERDRAWN_STACK,
        f"{name} puts in {money(state, amount)}, but has {money(state, stack)}",
    )


def check_all_in(state: HandState, seat: Seat, amount: int, all_in: bool) -> Violations:
    """Return where the text is wrong about a player's last chips."""
    if all_in == (amount == state.stacks[seat] and amount > 0):
        return ()
    return _all_in_mismatch(state, seat, amount, all_in)


def _all_in_mismatch(state: HandState, seat: Seat, amount: int, all_in: bool) -> Violations:
    left = state.stacks[seat] - amount
    name = state.names[seat]
    if all_in and left > 0:
        yield Violation(
            codes.ALL_IN_MISMATCH,
            f"{name} is said to be all-in, but has {money(state, left)} left",
        )
    elif not all_in and not left and amount:
        yield Violation(
            codes.ALL_IN_MISMATCH, f"{name} puts in the last chips, but is not said to be all-in"
        )


def new_card_violations(state: HandState, cards: list[Card]) -> Violations:
    """Yield which of the cards about to be seen are in the deck no more."""
    for place, card in enumerate(cards):
        if card in state.seen:
            yield duplicate_card(state, card)
        elif card in cards[:place]:
            yield Violation(codes.DUPLICATE_CARD, f"{card} is dealt twice")


def street_is_done(state: HandState, what: str) -> Violations:
    """Return who still has to act or to be dealt to before ``what`` may happen."""
    if state.street is not None and not state.undealt and not state.to_act:
        return ()
    return _street_goes_on(state, what)


def _street_goes_on(state: HandState, what: str) -> Violations:
    if state.street is None:
        yield Violation(codes.STREET_OUT_OF_ORDER, f"{what} before third street")
    elif state.undealt:
        yield undealt(state)
    elif state.to_act:
        yield Violation(
            codes.MISSING_ACTION,
            f"{what}, but {state.names[state.to_act[0]]} has not acted on {state.street.title}",
        )


def bet_is_returned(state: HandState) -> Violations:
    """Yield that an uncalled bet has not gone back yet."""
    if (uncalled := state.uncalled()) is not None:
        seat, amount = uncalled
        yield Violation(
            codes.RETURNED_BET_MISMATCH,
            f"{money(state, amount)} that {state.names[seat]} put in was not matched by anybody; "
            "expected it to be returned",
        )
