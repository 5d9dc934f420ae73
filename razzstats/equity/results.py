"""What comes out: how many deals each set of players wins."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt


@dataclass(frozen=True, slots=True)
class Equity:
    """How a pot is shared out over all deals, or over those that were sampled."""

    players: int
    outcomes: Mapping[int, int]
    """Deals by who wins, as bits: 1 the first player alone, 3 the first two share."""
    seed: int | None = None
    """What the deals were sampled with; None if every one was counted."""

    @property
    def exact(self) -> bool:
        """Whether every possible deal was counted."""
        return self.seed is None

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return sum(self.outcomes.values())

    def win(self, player: int) -> int:
        """Return how many deals the player wins alone."""
        return self.outcomes.get(1 << player, 0)

    def tie(self, player: int) -> int:
        """Return how many deals the player wins with others."""
        return sum(
            deals
            for winners, deals in self.outcomes.items()
            if winners >> player & 1 and winners != 1 << player
        )

    def share(self, player: int) -> Fraction:
        """Return the part of the pot that the player wins on average; all parts make one."""
        won = sum(
            Fraction(deals, winners.bit_count())
            for winners, deals in self.outcomes.items()
            if winners >> player & 1
        )
        return Fraction(won) / self.deals

    def standard_error(self, player: int) -> float:
        """Return the standard error of the share: 0 if every deal was counted."""
        if self.exact:
            return 0.0
        squares = sum(
            Fraction(deals, winners.bit_count() ** 2)
            for winners, deals in self.outcomes.items()
            if winners >> player & 1
        )
        variance = Fraction(squares) / self.deals - self.share(player) ** 2
        return sqrt(variance / self.deals)
