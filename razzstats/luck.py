"""What luck did in a hand: what its players won, less what their cards were to win on average.

Where betting was over with cards to come, the moment is the end of that betting. At other
showdowns it is sixth street: what the last card did to the pot that was there before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from razzstats.cards import Card, MaybeCard
from razzstats.chips import Chips
from razzstats.equity import Holding, Spot, SpotError, calculate
from razzstats.events import Seat, Street
from razzstats.pots import Pot, build_pots, winners
from razzstats.rules.ruleset import RuleSet


class LuckKind(StrEnum):
    """What is measured in a hand."""

    ALL_IN = "all-in"
    """Betting was over with cards to come."""
    LAST_CARD = "last card"
    """A showdown after betting on seventh street."""


class Contestant(NamedTuple):
    """One player of a hand that came to a showdown."""

    seat: Seat
    cards: tuple[MaybeCard, ...]
    """In dealt order; None is a card that nobody saw. A last card for all is each player's."""
    contributed: Chips
    put_before_river: Chips
    """The part of it that he put in before seventh street."""
    collected: Chips
    folded: bool
    last_street: Street


@dataclass(frozen=True, slots=True, kw_only=True)
class Showdown:
    """A hand that came to a showdown."""

    number: int
    """Says which deals are sampled where not all can be counted."""
    rules: RuleSet
    players: tuple[Contestant, ...]
    last_decision: Street
    """The last street on which a player had a choice; third if nobody ever had."""
    shared_river: bool
    """Whether the last card was one for all."""

    @property
    def kept(self) -> Fraction:
        """The part of the pots that the rake left to the players."""
        pot = sum(player.contributed for player in self.players)
        return Fraction(sum(player.collected for player in self.players), pot or 1)


class PlayerLuck(NamedTuple):
    """What luck did to one player, in smallest units, after rake."""

    seat: Seat
    equity: Fraction
    """The part of all pots that he was to win on average."""
    expected: Fraction
    """That part in chips."""
    luck: Fraction
    """What he won of those pots less what was expected; that of all players adds up to 0."""


class HandLuck(NamedTuple):
    """What luck did in a hand."""

    kind: LuckKind
    street: Street
    """The street at the end of which equity is taken."""
    players: tuple[PlayerLuck, ...] | None
    """The live players of that moment; None if one's cards are not known."""
    exact: bool
    """Whether every deal was counted rather than sampled."""


def measure(hand: Showdown) -> HandLuck:
    """Return what luck did in a hand that came to a showdown."""
    try:
        return _measured(hand)
    except SpotError:  # more cards than a deck has: discards were shuffled in
        all_in = hand.last_decision < Street.SEVENTH
        kind = LuckKind.ALL_IN if all_in else LuckKind.LAST_CARD
        return HandLuck(kind, min(hand.last_decision, Street.SIXTH), None, True)


def _measured(hand: Showdown) -> HandLuck:
    if hand.last_decision < Street.SEVENTH:
        moment = _Moment(hand, hand.last_decision, {p.seat: p.contributed for p in hand.players})
        if not moment.is_known:
            return HandLuck(LuckKind.ALL_IN, moment.street, None, True)
        won = {seat: Fraction(player.collected) for seat, player in moment.live.items()}
        return moment.luck(LuckKind.ALL_IN, won)
    put = {p.seat: p.put_before_river for p in hand.players}
    moment = _Moment(hand, Street.SIXTH, put)
    river = _Moment(hand, Street.SEVENTH, put, live=moment.live)
    if not moment.is_known or not river.is_known:
        return HandLuck(LuckKind.LAST_CARD, moment.street, None, True)
    # What the cards win: a bet on seventh street that made a better hand fold is no luck.
    return moment.luck(LuckKind.LAST_CARD, river.expected()[0])


class _Moment:
    """The pots of a hand and the cards of its live players at the end of a street."""

    def __init__(
        self,
        hand: Showdown,
        street: Street,
        put: Mapping[Seat, Chips],
        live: Mapping[Seat, Contestant] | None = None,
    ) -> None:
        self.hand = hand
        self.street = street
        self.live = live or {
            p.seat: p for p in hand.players if not (p.folded and p.last_street <= street)
        }
        self.pots = build_pots(put, [seat for seat in put if seat not in self.live])

    @property
    def is_known(self) -> bool:
        """Whether every card of the live players is known."""
        dealt = [player.cards[: self.street] for player in self.live.values()]
        return all(len(cards) == self.street and None not in cards for cards in dealt)

    def expected(self) -> tuple[dict[Seat, Fraction], bool]:
        """Return what each live player wins on average, and whether every deal was counted."""
        chips = dict.fromkeys(self.live, Fraction(0))
        exact = True
        for pot in self.pots:
            shares, counted = self._shares(pot)
            exact &= counted
            for seat, share in shares.items():
                chips[seat] += share * pot.amount * self.hand.kept
        return chips, exact

    def _shares(self, pot: Pot) -> tuple[dict[Seat, Fraction], bool]:
        seats = sorted(pot.eligible)
        if len(seats) == 1:
            return {seats[0]: Fraction(1)}, True
        if self.street is Street.SEVENTH:
            lows = {seat: self.hand.rules.best_hand(self._cards(seat)) for seat in seats}
            best = winners(pot, lows)
            return {seat: Fraction(1, len(best)) for seat in best}, True
        dead = [card for seat in self._seats() if seat not in seats for card in self._cards(seat)]
        spot = Spot(
            tuple(Holding(self._cards(seat)) for seat in seats),
            tuple(dead),
            shared_river=self.hand.shared_river,
        )
        result = calculate(spot, self.hand.rules.best_hand, seed=self.hand.number)
        return {seat: result.share(place) for place, seat in enumerate(seats)}, result.exact

    def _seats(self) -> list[Seat]:
        return [player.seat for player in self.hand.players]

    def _cards(self, seat: Seat) -> tuple[Card, ...]:
        """Return the known cards that the player was dealt up to this street."""
        player = next(player for player in self.hand.players if player.seat == seat)
        return tuple(card for card in player.cards[: self.street] if card is not None)

    def luck(self, kind: LuckKind, won: Mapping[Seat, Fraction]) -> HandLuck:
        """Return what luck did to those who won so much."""
        expected, exact = self.expected()
        all_pots = sum(expected.values()) or Fraction(1)
        players = tuple(
            PlayerLuck(seat, chips / all_pots, chips, won[seat] - chips)
            for seat, chips in expected.items()
        )
        return HandLuck(kind, self.street, players, exact)
