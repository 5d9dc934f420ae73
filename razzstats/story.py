"""The story of a hand: a step for each deal and action, with what lay on the table after it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from razzstats.cards import Card, MaybeCard
from razzstats.chips import Chips
from razzstats.equity import Holding, Spot, SpotError, calculate
from razzstats.events import Seat, Show, Street, StreetStart
from razzstats.pots import build_pots
from razzstats.replay import PlayerResult, ReplayedHand
from razzstats.rules.actions import Action, ActionKind


class Effort(NamedTuple):
    """How long equities may be counted before deals are sampled instead."""

    most_steps: int
    samples: int


THOROUGH = Effort(20_000_000, 50_000)
"""For one hand: a sampled part is within half a percent of the true one, mostly."""
QUICK = Effort(300_000, 1_500)
"""For many hands: a sampled part is within three percent of the true one, mostly."""


class Equities(NamedTuple):
    """The live players' parts of the pot, on average over all deals."""

    shares: Mapping[Seat, Fraction]
    exact: bool
    """Whether every deal was counted rather than sampled."""
    whole: bool
    """Whether all cards that the live players held were known; unknown ones are any cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A deal or an action, and what lay on the table after it."""

    street: Street
    action: Action | None
    """None where the cards of the street are dealt."""
    seq: int | None
    """The action's place among those of the hand."""
    pot: Chips
    """All chips that are not won yet, those of this street's bets among them."""
    pots: tuple[Chips, ...]
    """The main pot and the side pots as they were when the cards of the street were dealt, or when
    the first hand was shown; none if there is only one pot, and none once it is won."""
    bets: Mapping[Seat, Chips]
    """What each player has put in on this street, antes left out."""
    stacks: Mapping[Seat, Chips]
    """What each player has left, his winnings among it."""
    folded: frozenset[Seat]
    cards: Mapping[Seat, tuple[MaybeCard, ...]]
    """Each player's cards as they were seen then: the hero's own, up cards, and what was shown."""
    dead: tuple[Card, ...]
    """The cards of those who folded that were seen, by seat."""

    @property
    def price(self) -> Fraction | None:
        """The part of the pot after a call that the call is; None with nothing to call."""
        if self.action is None or not self.action.to_call:
            return None
        return Fraction(self.action.to_call, self.action.pot + self.action.to_call)


def tell(hand: ReplayedHand) -> tuple[Step, ...]:
    """Return the steps of a hand; of a rejected one, as far as the rules could follow it."""
    return tuple(_Table(hand).steps())


def equities(hand: ReplayedHand, step: Step, *, seen: bool, effort: Effort) -> Equities | None:
    """Return the live players' parts of the pot after a step, or None if that says nothing.

    With ``seen`` from the cards that were seen then, else from all that the history shows of these
    players. Cards that are not known are any cards; those of players who folded are dead as far as
    they were seen. In hands with side pots it is the part of a pot that all live players contest.
    """
    live = [result for result in hand.results if result.seat not in step.folded]
    if len(live) < 2:
        return None
    held = [_held(result, step, seen) for result in live]
    river = hand.community if step.street is Street.SEVENTH else None
    try:
        spot = Spot(tuple(map(Holding, held)), step.dead, river=river)
        found = calculate(
            spot,
            hand.rules.best_hand,
            most_steps=effort.most_steps,
            samples_instead=effort.samples,
        )
    except SpotError:  # more cards than a deck has: discards were shuffled in
        return None
    shares = {result.seat: found.share(place) for place, result in enumerate(live)}
    return Equities(shares, found.exact, all(None not in cards for cards in held))


def _held(result: PlayerResult, step: Step, seen: bool) -> tuple[MaybeCard, ...]:
    cards = step.cards[result.seat]
    return cards if seen else result.cards[: len(cards)]


@dataclass(slots=True)
class _Table:
    """What lies on the table, as the steps go on."""

    hand: ReplayedHand
    pot: int = 0
    bets: dict[Seat, int] = field(default_factory=dict)
    stacks: dict[Seat, int] = field(default_factory=dict)
    folded: set[Seat] = field(default_factory=set)
    dealt: dict[Seat, int] = field(default_factory=dict)
    """How many cards each player has got."""
    shown: dict[Seat, int] = field(default_factory=dict)
    """How many of his cards each player has turned up."""
    put: dict[Seat, Chips] = field(default_factory=dict)
    """What each player has put in, antes among it."""
    pots: tuple[Chips, ...] = ()

    def steps(self) -> Iterator[Step]:
        hand = self.hand
        self.stacks = {result.seat: result.stack for result in hand.results}
        streets = self._streets()
        for seq, action in enumerate(hand.actions):
            before = action.kind is ActionKind.ANTE or self._gives_back_an_ante(action)
            while streets and not before and streets[0] <= action.street:
                yield self._deal(streets.pop(0))
            self._apply(action)
            yield self._step(action.street, action, seq)
        for street in streets:
            yield self._deal(street)

    def _gives_back_an_ante(self, action: Action) -> bool:
        return action.kind is ActionKind.RETURN and not self.bets.get(action.seat)

    def _streets(self) -> list[Street]:
        """Return the streets that were dealt, as far as anybody reached them."""
        reached = max((result.last_street for result in self.hand.results), default=Street.THIRD)
        started = [e.street for e in self.hand.parsed.events if isinstance(e, StreetStart)]
        return [street for street in started if street <= reached]

    def _deal(self, street: Street) -> Step:
        self.bets = {}
        self._part_pots()
        for result in self.hand.results:
            if result.seat not in self.folded:
                self.dealt[result.seat] = min(int(street), len(result.cards))
        return self._step(street, None, None)

    def _part_pots(self) -> None:
        """Part the pot into main and side pots, between two rounds of bets, when all is matched."""
        # What nobody matched goes back, which some rooms tell only after the showdown.
        matched = sorted(self.put.values())[-2:][0] if self.put else 0
        put = {seat: Chips(min(amount, matched)) for seat, amount in self.put.items()}
        pots = build_pots(put, self.folded)
        self.pots = tuple(pot.amount for pot in pots) if len(pots) > 1 else ()

    def _apply(self, action: Action) -> None:
        seat, amount = action.seat, action.amount
        match action.kind:
            case ActionKind.FOLD:
                self.folded.add(seat)
            case ActionKind.SHOW:
                self._part_pots()
                self.shown[seat] = max(
                    len(shown_by(self.hand, action).cards), self.shown.get(seat, 0)
                )
            case ActionKind.COLLECT | ActionKind.RETURN:
                self.pot -= amount
                self.stacks[seat] += amount
                self.pots = ()
                if action.kind is ActionKind.RETURN:
                    self.put[seat] = Chips(self.put.get(seat, 0) - amount)
                    # What comes back of an ante was no bet.
                    self.bets[seat] = max(self.bets.get(seat, 0) - amount, 0)
                else:
                    self.bets = {}
            case _:
                self.pot += amount
                self.stacks[seat] -= amount
                self.put[seat] = Chips(self.put.get(seat, 0) + amount)
                if action.kind is not ActionKind.ANTE:
                    self.bets[seat] = self.bets.get(seat, 0) + amount

    def _step(self, street: Street, action: Action | None, seq: int | None) -> Step:
        seen = {result.seat: self._seen(result) for result in self.hand.results}
        return Step(
            street=street,
            action=action,
            seq=seq,
            pot=Chips(self.pot),
            pots=self.pots,
            bets={seat: Chips(amount) for seat, amount in self.bets.items() if amount},
            stacks={seat: Chips(amount) for seat, amount in self.stacks.items()},
            folded=frozenset(self.folded),
            cards=seen,
            dead=tuple(
                card for seat in sorted(self.folded) for card in seen[seat] if card is not None
            ),
        )

    def _seen(self, result: PlayerResult) -> tuple[MaybeCard, ...]:
        own = result.seat == self.hand.parsed.hero
        open_until = len(result.cards) if own else self.shown.get(result.seat, 0)
        return tuple(
            card if place < open_until or 2 <= place < 6 else None
            for place, card in enumerate(result.cards[: self.dealt.get(result.seat, 0)])
        )


def shown_by(hand: ReplayedHand, action: Action) -> Show:
    """Return what the text says of a player's showing his cards."""
    shows = [event for event in hand.parsed.events if isinstance(event, Show)]
    # Not by its line: some files hold a whole hand in one, and made-up hands have none.
    actions = [each for each in hand.actions if each.kind is ActionKind.SHOW]
    return shows[next(place for place, each in enumerate(actions) if each is action)]
