"""What a simulated session is played for, where, when and by whom."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from razzstats.chips import TOURNAMENT_CHIPS, Chips, Money
from razzstats.events import Stakes
from razzstats.rules.ruleset import RAZZ, RuleSet
from razzstats.simulate.payout import Rake
from razzstats.simulate.strategy import STRATEGIES, TIGHT_AGGRESSIVE, Strategy

DOLLARS = Money("USD", 2)
EUROS = Money("EUR", 2)

NAMES: tuple[str, ...] = (
    "low baller",
    "Renée.K",
    "[FR]Benoît",
    "wheel_of_fate",
    "O'Brick",
    "paint.it.low",
    "Jörg (55)",
    "deuce4U",
    "Señor Ocho",
    "J [low]",
    "x.Three.x",
    "Škoda 8",
    "bad beat bob",
    "Ngọc Lâm",
    "KQJ fold",
    "Ola_Nordby",
    "tante Käthe",
    "7654A!",
    "mrs. brick",
    "Дед Мазай",
    "Lowry, L.",
    "ante@home",
    "smooth-8",
    "Zoë",
    "four2go",
    "Ünal [TR]",
    "rough nine",
    "PaintedLady",
    "cap'n caps",
    "third street",
)
"""Made-up screen names; whoever leaves a table makes room for the next of them."""


def usual_stakes(
    money: Money, small_bet: int, *, ante: int | None = None, bring_in: int | None = None
) -> Stakes:
    """Return a table's usual structure: an ante of a fifth, a bring-in of a half of the small bet.

    Tournaments bring in for three tenths.
    """
    usual = small_bet * 3 // 10 if money == TOURNAMENT_CHIPS else small_bet // 2
    return Stakes(
        money=money,
        ante=Chips(max(small_bet // 5, 1) if ante is None else ante),
        bring_in=Chips(max(usual, 1) if bring_in is None else bring_in),
        small_bet=Chips(small_bet),
        big_bet=Chips(2 * small_bet),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPlan:
    """A one-table tournament: it ends with one player left, or when the hero is out."""

    number: str
    buy_in: str = "$4.50+$0.50 USD"
    stack: int = 1500
    hands_per_level: int = 10
    small_bets: tuple[int, ...] = (20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 800, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One session at one table; every field has a usual value."""

    stakes: Stakes = field(default_factory=lambda: usual_stakes(DOLLARS, 4))
    """What a cash game is played for; a tournament's levels set its stakes."""
    rules: RuleSet = RAZZ
    """The game; the text of a hand does not tell."""
    table: str = "Halley"
    max_seats: int | None = None
    """None: the smallest of 2, 6 and 8 that the players fit at."""
    start: datetime = datetime(2026, 1, 9, 19, 0, tzinfo=UTC)
    first_number: int = 261_000_000_000
    hero: str | None = "RazzHero"
    """Whose file it is; None for one who only watches, and sees no down card before a showdown."""
    hero_seat: int | None = None
    """None: any seat."""
    names: tuple[str, ...] = NAMES
    strategies: tuple[Strategy, ...] = STRATEGIES
    """What the other players' strategies are drawn from."""
    hero_strategy: Strategy = TIGHT_AGGRESSIVE
    buy_in: tuple[float, float] = (8.0, 30.0)
    """The least and the most that a player sits down with, in big bets."""
    rake: Rake = field(default_factory=Rake)
    """Of cash games for real money."""
    tournament: TournamentPlan | None = None
    club: str | None = None
    mixed_game: str | None = None
    talk: float = 0.1
    """How much is said, and how often somebody loses his connection, a hand."""

    def seats(self, players: int) -> int:
        """Return how many seats the table has."""
        if not 2 <= players <= 8:
            raise ValueError(f"Razz is played by 2 to 8 players, not {players}")
        seats = self.max_seats or next(size for size in (2, 6, 8) if size >= players)
        if players > seats:
            raise ValueError(f"{players} players do not fit at a table of {seats}")
        if self.hero_seat is not None and not 1 <= self.hero_seat <= seats:
            raise ValueError(f"seat {self.hero_seat} is not at a table of {seats}")
        return seats
