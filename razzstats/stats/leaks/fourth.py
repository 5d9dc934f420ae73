"""Leaks on fourth street."""

from razzstats.stats.leaks.rule import HEADS_UP, PRICE, Cost, LeakRule, Reference, Source

_FACES_BET = "street = 4 AND wagers >= 1 AND to_call > 0"
_BRICKED = "NOT caught_good AND one_caught_good"

FOURTH: tuple[LeakRule, ...] = (
    LeakRule(
        401,
        "Paying with a brick",
        f"{_FACES_BET} AND {HEADS_UP} AND {_BRICKED} AND {PRICE} > 1 / 7",
        "kind IN ('call', 'raise')",
        Reference(
            0.15,
            Source.PUBLISHED,
            "almost always a fold unless third street was raised; A-2-3-K wins 33 to 36 % against "
            "four good cards",
        ),
        30,
        Cost.CALL,
        "Fold when you catch a brick and your opponent a good card, unless the pot is big.",
    ),
    LeakRule(
        402,
        "Several bets after pairing",
        "street = 4 AND pairs > start_pairs AND one_caught_good AND could_wager",
        "kind IN ('bet', 'raise') OR (kind = 'call' AND wagers >= 2)",
        Reference(0.10, Source.EXACT, "A-2-3-3 wins 38 % against 7-5 up: as a king would"),
        25,
        Cost.RAISE,
        "Put in no second bet after pairing on fourth street.",
    ),
    LeakRule(
        403,
        "Not betting the better board",
        "street = 4 AND wagers = 0 AND could_wager AND opponents <= 2 AND board_good = 2 "
        "AND fewest_bad >= 1",
        "kind = 'check'",
        Reference(0.10, Source.EXACT, "A-2-3-4 wins 83 % and A-2-3-8 76 % against 7-K up"),
        30,
        Cost.BET,
        "Bet when you show two good cards and every opponent shows a brick.",
    ),
    LeakRule(
        404,
        "Folding when level",
        f"{_FACES_BET} AND wagers = 1 AND {HEADS_UP} AND start_good = 3 "
        "AND caught_good = one_caught_good",
        "kind = 'fold'",
        Reference(0.10, Source.EXACT, "A-2-6-8 wins 53 % against 7-5 up, A-2-3-K 54 % against 7-K"),
        30,
        Cost.FOLD,
        "Go on for one bet when you both caught good or both caught bad.",
    ),
    LeakRule(
        405,
        "Folding a brick in a big pot",
        f"{_FACES_BET} AND {HEADS_UP} AND {_BRICKED} AND start_good = 3 AND start_top <= 5 "
        f"AND {PRICE} <= 1 / 7",
        "kind = 'fold'",
        Reference(0.40, Source.PUBLISHED, "the pot needs 14 %, the hand has about 35 %"),
        20,
        Cost.FOLD,
        "After a raised third street see fifth street with three wheel cards and a brick.",
    ),
    LeakRule(
        406,
        "Missed raises with four low cards",
        "street = 4 AND good = 4 AND fourth_rank <= 7 AND fewest_bad >= 1 AND could_wager "
        "AND wagers <= 1",
        "kind IN ('check', 'call')",
        Reference(0.40, Source.JUDGEMENT, "four cards up to seven win 75 to 83 % against a brick"),
        25,
        Cost.BET,
        "Bet or raise four cards up to seven against boards with a brick.",
    ),
)
