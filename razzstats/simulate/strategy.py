"""How simulated players decide: strategies of a few numbers that see what a player sees."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from razzstats.cards import Card, Rank
from razzstats.chips import Chips
from razzstats.events import Seat, Street
from razzstats.rules.actions import WAGERS, ActionKind, LegalActions
from razzstats.rules.betting import HandState


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a player plays; every number lies between 0 and 1."""

    name: str
    looseness: float
    """How far below three low cards he still enters a pot."""
    aggression: float
    """How often he completes, bets and raises what he plays."""
    stubbornness: float
    """How far behind he still calls."""
    steal: float
    """How often he completes with nothing but the lowest door card left."""
    bluff: float
    """How often he bets a good board over a bad hand."""
    habit: "Callable[[View, LegalActions], ActionKind | None] | None" = None
    """What he does without thinking, where it is legal; None leaves it to the numbers."""


TIGHT_AGGRESSIVE = Strategy("tight-aggressive", 0.16, 0.80, 0.35, 0.70, 0.20)
"""Plays by the advice of the rule texts: three low cards, the steal, the bet when ahead."""
LOOSE_AGGRESSIVE = Strategy("loose-aggressive", 0.45, 0.75, 0.50, 0.80, 0.35)
CALLING_STATION = Strategy("calling station", 0.80, 0.10, 0.82, 0.05, 0.02)
MANIAC = Strategy("maniac", 0.85, 0.95, 0.70, 0.95, 0.60)
NIT = Strategy("nit", 0.02, 0.40, 0.12, 0.10, 0.02)

STRATEGIES: tuple[Strategy, ...] = (
    TIGHT_AGGRESSIVE,
    LOOSE_AGGRESSIVE,
    CALLING_STATION,
    MANIAC,
    NIT,
)
"""The strategies that a session draws from."""


class View(NamedTuple):
    """What the player to act can see, and nothing else."""

    street: Street
    cards: tuple[Card, ...]
    """His own cards, a community card among them."""
    up_cards: tuple[Card, ...]
    """Those of his cards that the others see."""
    opponents: tuple[tuple[Card, ...], ...]
    """The boards of the opponents who have not folded."""
    behind: tuple[Card, ...]
    """The door cards of those who act after him."""
    dead: tuple[Card, ...]
    """Every up card dealt to anybody else, folded boards included."""
    pot: Chips
    bet: Chips
    """The fixed bet of the street."""
    wagers: int
    """How many wagers stand on the street."""


def view_of(state: HandState, seat: Seat, cards: Iterable[Card]) -> View:
    """Return what the player in the seat sees, given his own cards."""
    assert state.street is not None
    boards = state.up_cards
    others = [other for other in state.seats if other != seat]
    community = () if state.community is None else (state.community,)
    return View(
        street=state.street,
        cards=(*cards, *community),
        up_cards=tuple(boards[seat]),
        opponents=tuple([tuple(boards[s]) for s in others if s not in state.folded]),
        behind=tuple([boards[s][0] for s in state.to_act if s != seat]),
        dead=tuple([card for s in others for card in boards[s]]),
        pot=state.pot,
        bet=state.bet,
        wagers=state.wagers,
    )


def decide(view: View, legal: LegalActions, strategy: Strategy, rng: Random) -> ActionKind:
    """Return what a player of this strategy does; always one of the legal kinds."""
    if strategy.habit is not None and (kind := strategy.habit(view, legal)) in legal.kinds:
        return kind
    if view.street is Street.THIRD:
        return _third_street(view, legal, strategy, rng)
    return _later_street(view, legal, strategy, rng)


# ---- third street

_START_VALUES = (1.0, 0.98, 0.96, 0.91, 0.85, 0.78, 0.57, 0.50, 0.44, 0.38, 0.34)
"""What three unpaired cards are worth by the highest of them, a three to a king."""


def start_value(cards: Iterable[Card], dead: Iterable[Card] = ()) -> float:
    """Return what the first three cards are worth, 0 to about 1, given the dead cards.

    Cards that would pair the hand are welcome among the dead, low cards that it needs are not.
    """
    ranks = sorted({card.rank for card in cards})
    if len(ranks) < 3:
        return 0.35 if ranks[-1] <= Rank.EIGHT else 0.15
    value = _START_VALUES[ranks[-1] - Rank.THREE] - 0.008 * (ranks[1] - Rank.TWO)
    if ranks[1] > Rank.EIGHT:
        value -= 0.2
    for card in dead:
        if card.rank in ranks:
            value += 0.015
        elif card.rank <= Rank.EIGHT:
            value -= 0.012
    return value


def _third_street(view: View, legal: LegalActions, strategy: Strategy, rng: Random) -> ActionKind:
    value = start_value(view.cards, view.dead)
    limit = _entry_limit(view, strategy)
    wager = _wager_kind(legal)
    if ActionKind.BRING_IN in legal.kinds:
        completes = wager and value > limit + 0.1 and rng.random() < 0.5 * strategy.aggression
        return wager if wager and completes else ActionKind.BRING_IN
    if view.wagers:
        limit += _respect(view, strategy)
    elif legal.to_call < view.bet:
        limit -= 0.12 * strategy.looseness
    if value >= limit:
        eager = 0.35 + 0.65 * strategy.aggression if not view.wagers else _eagerness(view, strategy)
        if wager and rng.random() < eager + 0.5 * strategy.aggression * (value - limit):
            return wager
        return _pay(legal)
    if wager and not view.wagers and rng.random() < _steal_chance(view, strategy):
        return wager
    return _give_up(legal)


def _entry_limit(view: View, strategy: Strategy) -> float:
    """Return what a hand must be worth to be played; less against few opponents."""
    looseness = strategy.looseness
    few = max(5 - len(view.opponents), 0)
    return 0.80 - 0.45 * looseness - 0.25 * looseness**8 - 0.05 * few * (0.4 + looseness)


def _respect(view: View, strategy: Strategy) -> float:
    """How much better a hand must be after a wager: more raises and lower doors ask for more."""
    own_high = max(card.rank for card in view.cards)
    better_doors = sum(board[0].rank < own_high for board in view.opponents)
    caution = 1 - strategy.looseness
    return 0.06 * (view.wagers - 1) + 0.04 * caution * min(better_doors, 3)


def _steal_chance(view: View, strategy: Strategy) -> float:
    door = view.up_cards[0].rank
    if door > Rank.NINE:
        return 0.0
    lower = sum(card.rank <= door for card in view.behind)
    return strategy.steal * (0.9, 0.35, 0.1)[lower] if lower < 3 else 0.0


def _eagerness(view: View, strategy: Strategy) -> float:
    return strategy.aggression * 0.45 / (view.wagers + 1)


# ---- fourth street to the river


def hand_strength(cards: Iterable[Card]) -> float:
    """Return how far a player's cards are on the way to a good low: about 5 is an eight-low.

    Every different card of eight or lower counts one, smooth ones a little more; a made nine to
    king is worth what a good draw is worth.
    """
    ranks = sorted({card.rank for card in cards})[:5]
    low = [rank for rank in ranks if rank <= Rank.EIGHT]
    strength = len(low) + (0.1 * (Rank.EIGHT - low[-1]) if low else 0.0)
    if len(ranks) == 5:
        strength = max(strength, 4.75 - 0.25 * (ranks[-1] - Rank.NINE))
    return strength


def board_strength(up_cards: Iterable[Card], street: Street) -> float:
    """Return how strong an opponent looks, with most of his down cards taken to be low."""
    unseen = 2.1 if street is Street.SEVENTH else 1.6
    return min(hand_strength(up_cards) + unseen, 5.1)


def _later_street(view: View, legal: LegalActions, strategy: Strategy, rng: Random) -> ActionKind:
    own = hand_strength(view.cards)
    if view.street is Street.SEVENTH and own < 4.9:
        own = min(own, 4.4) - 0.4  # a draw that did not arrive
    strongest = max(board_strength(board, view.street) for board in view.opponents)
    lead = own - strongest
    wager = _wager_kind(legal)
    if wager and not view.wagers:
        return wager if rng.random() < _bet_chance(view, lead, strategy) else _pay(legal)
    raises = lead > 0.3 + 0.3 * view.wagers and rng.random() < 2 * _eagerness(view, strategy)
    if wager and raises:
        return wager
    return _pay(legal) if _calls(view, legal, lead, strategy, rng) else _give_up(legal)


def _bet_chance(view: View, lead: float, strategy: Strategy) -> float:
    if lead > 0:
        return min(0.3 + 0.6 * strategy.aggression + 0.2 * lead, 0.97)
    looks_best = hand_strength(view.up_cards) >= max(map(hand_strength, view.opponents)) + 0.5
    if looks_best:
        return 0.2 * strategy.aggression + 0.8 * strategy.bluff
    return 0.3 * strategy.aggression if lead > -0.5 else 0.15 * strategy.bluff


def _calls(view: View, legal: LegalActions, lead: float, strategy: Strategy, rng: Random) -> bool:
    price = legal.to_call / (view.pot + legal.to_call)
    stubbornness = strategy.stubbornness
    patience = 0.4 + 0.5 * stubbornness / (1.02 - stubbornness) + 2.5 * (0.2 - price)
    return lead + rng.uniform(-0.15, 0.15) > -patience


# ---- what the answers come to


def _wager_kind(legal: LegalActions) -> ActionKind | None:
    return next((kind for kind in _WAGER_ORDER if kind in legal.kinds), None)


def _pay(legal: LegalActions) -> ActionKind:
    return ActionKind.CALL if legal.to_call else ActionKind.CHECK


def _give_up(legal: LegalActions) -> ActionKind:
    return ActionKind.FOLD if legal.to_call else ActionKind.CHECK


_WAGER_ORDER = tuple(kind for kind in ActionKind if kind in WAGERS)
