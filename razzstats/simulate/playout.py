"""One simulated hand: dealt from a shuffled deck, played by strategies, shown down and paid out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from razzstats.cards import DECK, Card, MaybeCard
from razzstats.chips import Chips
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    CapNotice,
    Check,
    Deal,
    Event,
    Fold,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    Stakes,
    Street,
    StreetStart,
    Wager,
)
from razzstats.rules.actions import WAGERS, ActionKind, LegalActions
from razzstats.rules.betting import HandState
from razzstats.rules.ruleset import RuleSet
from razzstats.simulate.strategy import Strategy, decide, view_of


@dataclass(frozen=True, slots=True)
class Playout:
    """The betting of one hand as it was played, ready to be shown down."""

    state: HandState
    events: list[Event]
    cards: Mapping[Seat, Sequence[Card]]
    """What everybody really holds, in dealt order, without a community card."""


def play_out(
    rules: RuleSet,
    stakes: Stakes,
    players: Sequence[SeatedPlayer],
    strategies: Mapping[Seat, Strategy | None],
    hero: Seat | None,
    rng: Random,
) -> Playout:
    """Play one hand up to its last bet; who has no strategy folds when he can.

    The events show what the hero's file would: his own down cards and nobody else's.
    """
    return _Dealer(rules, stakes, players, strategies, hero, rng).run()


class _Dealer:
    def __init__(
        self,
        rules: RuleSet,
        stakes: Stakes,
        players: Sequence[SeatedPlayer],
        strategies: Mapping[Seat, Strategy | None],
        hero: Seat | None,
        rng: Random,
    ) -> None:
        self.state = HandState(rules, stakes, players)
        self.strategies = strategies
        self.hero = hero
        self.rng = rng
        self.deck = rng.sample(DECK, len(DECK))
        self.cards: dict[Seat, list[Card]] = {seat: [] for seat in self.state.seats}
        self.events: list[Event] = []

    def run(self) -> Playout:
        self._post_antes()
        for street in Street:
            self._deal(street)
            self._bet()
            if self.state.is_uncontested:
                break
        return Playout(self.state, self.events, self.cards)

    def _do(self, event: Event) -> None:
        self.events.append(event)
        self.state.apply(event)

    def _post_antes(self) -> None:
        state = self.state
        for seat in state.seats:
            if amount := Chips(min(state.stakes.ante, state.stacks[seat])):
                self._do(Ante(seat=seat, amount=amount, all_in=amount == state.stacks[seat]))

    def _deal(self, street: Street) -> None:
        live = self.state.live_seats
        if street is not Street.SEVENTH:
            self._do(StreetStart(street=street))
            for seat in live:
                self._deal_up(seat, street)
        elif len(self.deck) < len(live):
            self._do(StreetStart(street=street, community=self.deck.pop()))
        else:
            self._do(StreetStart(street=street))
            for seat in live:
                seen, river = tuple(self.cards[seat]), self.deck.pop()
                self.cards[seat].append(river)
                if seat == self.hero:
                    self._do(Deal(seat=seat, down=(river,), seen=seen))

    def _deal_up(self, seat: Seat, street: Street) -> None:
        cards, is_hero = self.cards[seat], seat == self.hero
        seen = tuple(cards) if is_hero else tuple(self.state.up_cards[seat])
        down: tuple[MaybeCard, ...] = ()
        if street is Street.THIRD:
            cards += [self.deck.pop(), self.deck.pop()]
            down = tuple(cards) if is_hero else (None, None)
        cards.append(self.deck.pop())
        self._do(Deal(seat=seat, up=(cards[-1],), down=down, seen=seen))

    def _bet(self) -> None:
        state = self.state
        while state.to_act:
            seat, legal, wagers = state.to_act[0], state.legal(), state.wagers
            self._do(self._event(seat, legal, self._decision(seat, legal)))
            if state.wagers > wagers and state.wagers == state.cap:
                self._do(CapNotice())
        if (uncalled := state.uncalled()) is not None:
            self._do(ReturnedBet(seat=uncalled[0], amount=uncalled[1]))

    def _decision(self, seat: Seat, legal: LegalActions) -> ActionKind:
        strategy = self.strategies[seat]
        if strategy is not None:
            return decide(view_of(self.state, seat, self.cards[seat]), legal, strategy, self.rng)
        if ActionKind.BRING_IN in legal.kinds:
            return ActionKind.BRING_IN
        return ActionKind.FOLD if legal.to_call else ActionKind.CHECK

    def _event(self, seat: Seat, legal: LegalActions, kind: ActionKind) -> Event:
        state = self.state
        assert kind in legal.kinds, f"{kind} is not among {legal.kinds}"
        all_in = legal.to_call == state.stacks[seat]
        if kind in WAGERS:
            to = legal.wager_to[0]
            is_raise = bool(state.level)
            return Wager(
                seat=seat,
                to=to,
                by=Chips(to - state.level) if is_raise else None,
                verb="raises" if is_raise else "bets",
                all_in=to - state.street_bets[seat] == state.stacks[seat],
            )
        if kind is ActionKind.BRING_IN:
            return BringIn(seat=seat, amount=legal.to_call, all_in=all_in)
        if kind is ActionKind.CALL:
            return Call(seat=seat, amount=legal.to_call, all_in=all_in)
        return Fold(seat=seat) if kind is ActionKind.FOLD else Check(seat=seat)
