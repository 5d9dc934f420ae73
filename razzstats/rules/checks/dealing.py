"""Antes, streets and cards: was the right thing dealt to the right player at the right time?"""

from razzstats.diagnostics import codes
from razzstats.events import Ante, Deal, Street, StreetStart
from razzstats.rules.actions import Violation
from razzstats.rules.betting import HandState
from razzstats.rules.checks.common import (
    Violations,
    card_words,
    check_all_in,
    count,
    duplicate_card,
    money,
    new_card_violations,
    overdrawn,
    street_is_done,
)


def check_ante(state: HandState, event: Ante) -> Violations:
    """Everybody posts the same ante once, before the deal."""
    name, ante = state.names[event.seat], state.stakes.ante
    if state.street is not None:
        yield Violation(codes.ANTE_OFF_SIZE, f"{name} posts an ante after the deal")
    elif event.seat in state.antes:
        yield Violation(codes.ANTE_OFF_SIZE, f"{name} posts a second ante")
    elif event.amount > state.stacks[event.seat]:
        yield overdrawn(state, event.seat, event.amount)
    elif event.amount != ante and event.amount != state.stacks[event.seat]:
        yield Violation(
            codes.ANTE_OFF_SIZE,
            f"{name} posts {money(state, event.amount)}; expected the ante {money(state, ante)}",
            help="everybody posts the same ante; only the last chips may be fewer",
        )
    yield from check_all_in(state, event.seat, event.amount, event.all_in)


def check_street(state: HandState, event: StreetStart) -> Violations:
    """Streets follow one another, each when the one before is played out."""
    expected = Street.THIRD if state.street is None else Street(min(state.street + 1, 7))
    if state.street is None and event.street is Street.THIRD:
        yield from _antes_are_posted(state)
        return
    yield from street_is_done(state, f"{event.street.title} begins")
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
    if len(state.seats) > state.rules.most_players:
        yield Violation(
            codes.IMPOSSIBLE_SEAT,
            f"{len(state.seats)} players are dealt in; expected at most {state.rules.most_players}",
        )
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
        yield duplicate_card(state, event.community)


def check_deal(state: HandState, event: Deal) -> Violations:
    """A live player is dealt a street's cards once, and none that was seen."""
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
            f"{name} is dealt {count(len(event.up), 'up card')} and "
            f"{count(len(event.down), 'down card')} on {state.street.title}; expected "
            f"{rule.up_cards} and {rule.down_cards}",
        )
    if state.street is not Street.THIRD:
        known = [card for card in state.cards[seat] if card is not None]
        if list(event.seen) != known:
            yield Violation(
                codes.SHOWN_CARDS_MISMATCH,
                f"{name} is said to hold [{card_words(event.seen)}]; expected "
                f"[{card_words(known)}]",
            )
    cards = [card for card in (*event.down, *event.up) if card is not None]
    if not state.seen.keys().isdisjoint(cards) or len(set(cards)) < len(cards):
        yield from new_card_violations(state, cards)
