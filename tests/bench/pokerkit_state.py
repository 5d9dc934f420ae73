"""PokerKit's State plays the hands that we replay: the same job, from the events to the stacks.

All that can be made ready is made before the clock starts (`Script.of`): the game, the cards as
PokerKit's, and the operations in their order. Cards that are known only at the end are dealt as
known, and whatever PokerKit can do by itself it does.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pokerkit import Automation, FixedLimitRazz, Mode, State
from pokerkit import Card as TheirCard

from razzstats.cards import MaybeCard
from razzstats.events import Street, StreetStart
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import DECISIONS, WAGERS, ActionKind

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)

_UNSEEN = (TheirCard.UNKNOWN,)

Operation = tuple[Callable[..., Any], tuple[Any, ...]]
"""A method of State, and what it is given."""


@dataclass(frozen=True, slots=True)
class Script:
    """A hand that is ready to be played by PokerKit."""

    game: FixedLimitRazz
    stacks: tuple[int, ...]
    operations: tuple[Operation, ...]

    @classmethod
    def of(cls, hand: ReplayedHand) -> "Script":
        """Make a hand ready."""
        stakes = hand.parsed.stakes
        game = FixedLimitRazz(
            AUTOMATIONS,
            True,
            stakes.ante,
            stakes.bring_in or stakes.small_bet // 2,  # which no line says if nobody brings in
            stakes.small_bet,
            stakes.big_bet,
            mode=Mode.CASH_GAME,
        )
        stacks = tuple(int(result.stack) for result in hand.results)
        return cls(game, stacks, tuple(_operations(hand)))

    def play(self) -> list[int]:
        """Return the stacks after the hand, by seat, without rake.

        Raises ValueError where PokerKit's rules are others, or something is left to be done.
        """
        state = self.game(self.stacks, len(self.stacks))
        for operation, arguments in self.operations:
            operation(state, *arguments)
        if state.status:
            raise ValueError("PokerKit does not take the hand for over")
        return list(state.stacks)


def _operations(hand: ReplayedHand) -> Iterator[Operation]:
    decisions = {action.line: action for action in hand.actions if action.kind in DECISIONS}
    dealt = {result.seat: 0 for result in hand.results}
    known = {result.seat: _theirs(result.cards) for result in hand.results}
    reached = {result.seat: result.last_street for result in hand.results}
    for event in hand.parsed.events:
        if isinstance(event, StreetStart):
            street = event.street
            if street is not Street.THIRD:
                yield State.burn_card, _UNSEEN
            if event.community is not None:
                yield State.deal_board, (_theirs((event.community,)),)
                continue
            for seat, last in reached.items():
                if last >= street:
                    yield State.deal_hole, (known[seat][dealt[seat] : street],)
                    dealt[seat] = int(street)
        elif action := decisions.get(event.line):
            yield _OPERATIONS[action.kind], (action.to,) if action.kind in WAGERS else ()


def _theirs(cards: tuple[MaybeCard, ...]) -> tuple[TheirCard, ...]:
    return tuple(TheirCard.parse("".join("??" if card is None else str(card) for card in cards)))


_OPERATIONS: dict[ActionKind, Callable[..., Any]] = {
    ActionKind.BRING_IN: State.post_bring_in,
    ActionKind.FOLD: State.fold,
    ActionKind.CHECK: State.check_or_call,
    ActionKind.CALL: State.check_or_call,
    ActionKind.COMPLETE: State.complete_bet_or_raise_to,
    ActionKind.BET: State.complete_bet_or_raise_to,
    ActionKind.RAISE: State.complete_bet_or_raise_to,
}
