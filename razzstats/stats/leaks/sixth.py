"""Leaks on sixth street."""

from razzstats.stats.leaks.rule import HEADS_UP, PRICE, Cost, LeakRule, Reference, Source

_FACES_BET = "street = 6 AND wagers >= 1 AND to_call > 0"

SIXTH: tuple[LeakRule, ...] = (
    LeakRule(
        601,
        "Drawing nearly dead",
        f"{_FACES_BET} AND {HEADS_UP} AND good <= 3 AND most_apparent >= 5",
        "kind IN ('call', 'raise')",
        Reference(0.10, Source.EXACT, "three good cards never beat a made eight with one to come"),
        15,
        Cost.CALL,
        "Fold on sixth street when one card cannot save you.",
    ),
    LeakRule(
        602,
        "Folding draws in big pots",
        f"{_FACES_BET} AND wagers = 1 AND {HEADS_UP} AND {PRICE} <= 1 / 6 AND good >= 4",
        "kind = 'fold'",
        Reference(0.15, Source.PUBLISHED, "A-2-3-4-K-Q wins 37 % against a made nine"),
        20,
        Cost.FOLD,
        "Stay to the last card with four good cards and five to one.",
    ),
    LeakRule(
        603,
        "Not betting the made hand",
        f"street = 6 AND wagers = 0 AND could_wager AND {HEADS_UP} AND fifth_rank <= 9 "
        "AND most_apparent <= 4",
        "kind = 'check'",
        Reference(0.10, Source.EXACT, "five good cards win 86 % against four"),
        20,
        Cost.BET,
        "Bet a made hand on sixth street into boards that are not made.",
    ),
    LeakRule(
        604,
        "Betting the worse of it",
        f"street = 6 AND could_wager AND {HEADS_UP} AND fifth_rank >= 10 AND most_apparent >= 4 "
        "AND best_good >= 3",
        "kind IN ('bet', 'raise')",
        Reference(0.30, Source.EXACT, "A-2-3-4-K-Q wins 64 % against an unmade 5-6-7-8-K-Q"),
        20,
        Cost.RAISE,
        "Check a made ten or worse to a smooth draw.",
    ),
)
