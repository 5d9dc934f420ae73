"""Leaks on seventh street."""

from razzstats.stats.leaks.rule import HEADS_UP, PRICE, Cost, LeakRule, Reference, Source

_FACES_BET = "street = 7 AND wagers >= 1 AND to_call > 0"
_CHECKED_TO = "street = 7 AND wagers = 0 AND could_wager"
_BUSTED = "coalesce(fifth_rank, 13) >= 11"

SEVENTH: tuple[LeakRule, ...] = (
    LeakRule(
        701,
        "Missed value bets",
        f"{_CHECKED_TO} AND {HEADS_UP} AND fifth_rank <= 8 AND most_bad >= 1",
        "kind = 'check'",
        Reference(
            0.15, Source.EXACT, "an eight wins 94 % against 4-8-J-Q up, 53 % against 3-6-7-K"
        ),
        25,
        Cost.BET,
        "Bet an eight or better on seventh street against a board with a brick.",
    ),
    LeakRule(
        702,
        "Folding too much on the river",
        f"{_FACES_BET} AND wagers = 1 AND {HEADS_UP} AND {PRICE} <= 1 / 7 AND fifth_rank <= 11 "
        "AND best_good <= 3",
        "kind = 'fold'",
        Reference(0.20, Source.EXACT, "a ten wins 23 % against 3-6-7-K up and needs 12.5 %"),
        25,
        Cost.FOLD,
        "When in doubt, call one bet in a big pot.",
    ),
    LeakRule(
        703,
        "Paying off beaten",
        f"{_FACES_BET} AND {HEADS_UP} AND best_good = 4 AND coalesce(fifth_rank, 13) >= 9",
        "kind IN ('call', 'raise')",
        Reference(0.15, Source.EXACT, "a nine wins 5 % against 2-4-5-7 up"),
        15,
        Cost.CALL,
        "Fold a nine or worse to four good up cards.",
    ),
    LeakRule(
        704,
        "Hopeless bluffs",
        f"{_CHECKED_TO} AND {HEADS_UP} AND {_BUSTED} AND most_bad <= 1",
        "kind = 'bet'",
        Reference(0.05, Source.JUDGEMENT, "a good board that called so far calls again"),
        20,
        Cost.BLUFF,
        "Do not bluff at a good board on seventh street.",
    ),
    LeakRule(
        705,
        "Missed bluffs with a scary board",
        f"{_CHECKED_TO} AND {HEADS_UP} AND {_BUSTED} AND board_good = 4 AND most_bad >= 2",
        "kind = 'check'",
        Reference(0.60, Source.JUDGEMENT, "a bet into seven big bets needs one fold in eight"),
        15,
        Cost.MISSED_BLUFF,
        "Bet four good up cards into two bricks, even with a busted hand.",
    ),
    LeakRule(
        706,
        "Only calling with a lock",
        f"{_FACES_BET} AND wagers = 1 AND could_wager AND {HEADS_UP} AND fifth_rank <= 6 "
        "AND best_good <= 3",
        "kind = 'call'",
        Reference(0.20, Source.PUBLISHED, "raise unless it takes two perfect cards to beat you"),
        15,
        Cost.BET,
        "Raise a six or better on seventh street.",
    ),
)
