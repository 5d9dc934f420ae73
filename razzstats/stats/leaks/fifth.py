"""Leaks on fifth street, where the big bets begin."""

from razzstats.stats.leaks.rule import HEADS_UP, Cost, LeakRule, Reference, Source

_FACES_BET = "street = 5 AND wagers >= 1 AND to_call > 0"

FIFTH: tuple[LeakRule, ...] = (
    LeakRule(
        501,
        "Going on with two bricks",
        f"{_FACES_BET} AND {HEADS_UP} AND good <= 3 AND best_good >= 3",
        "kind IN ('call', 'raise')",
        Reference(0.05, Source.PUBLISHED, "A-2-3-K-Q wins 10 to 14 % against a made nine or ten"),
        20,
        Cost.CALL,
        "Fold two bricks on fifth street to three good up cards.",
    ),
    LeakRule(
        502,
        "Three cards against four",
        f"{_FACES_BET} AND {HEADS_UP} AND good = 3 AND best_good = 2 AND most_apparent >= 4",
        "kind IN ('call', 'raise')",
        Reference(0.25, Source.PUBLISHED, "normally a fold unless the pot is large; 25 % equity"),
        25,
        Cost.CALL,
        "Fold three good cards against a likely four-card hand.",
    ),
    LeakRule(
        503,
        "Chasing with the worse draw",
        f"{_FACES_BET} AND {HEADS_UP} AND good = 4 AND fourth_rank >= 7 AND most_apparent >= 5",
        "kind IN ('call', 'raise')",
        Reference(0.60, Source.EXACT, "A-2-3-8-K wins 31 % against A-4-5-6-9"),
        25,
        Cost.CALL,
        "Draw to a rough hand only when the pot pays for it.",
    ),
    LeakRule(
        504,
        "Slow-playing the best draw",
        f"street = 5 AND {HEADS_UP} AND could_wager AND wagers <= 1 AND good = 4 "
        "AND fourth_rank <= 6 AND most_bad >= 1",
        "kind IN ('check', 'call')",
        Reference(
            0.40, Source.EXACT, "A-2-3-4-K wins 54 % against 5-6-7-8-9, 72 % against 6-7-8-T-J"
        ),
        20,
        Cost.BET,
        "Bet and raise four cards up to six against a rough made hand.",
    ),
    LeakRule(
        505,
        "Raising a rough made hand",
        f"{_FACES_BET} AND could_wager AND fifth_rank BETWEEN 9 AND 12 AND most_apparent >= 4 "
        "AND best_good >= 2",
        "kind = 'raise'",
        Reference(0.10, Source.PUBLISHED, "2-3-5-6-6 is a favourite over A-4-7-9-Q by two to one"),
        20,
        Cost.RAISE,
        "Call, and do not raise, with a made ten or worse against four low cards.",
    ),
    LeakRule(
        506,
        "Not betting a dominating board",
        "street = 5 AND wagers = 0 AND could_wager AND board_good = 3 AND fewest_bad >= 2",
        "kind = 'check'",
        Reference(0.05, Source.PUBLISHED, "an automatic bet, whatever is underneath"),
        20,
        Cost.BET,
        "Bet three good up cards into boards with two bricks.",
    ),
    LeakRule(
        507,
        "Folding a smooth draw",
        f"{_FACES_BET} AND wagers = 1 AND {HEADS_UP} AND good = 4 AND fourth_rank <= 7",
        "kind = 'fold'",
        Reference(0.10, Source.EXACT, "A-2-3-4-K wins 38 to 45 % against a made eight"),
        25,
        Cost.FOLD,
        "Stay with four cards up to seven for one bet.",
    ),
    LeakRule(
        508,
        "Raising a made hand into two draws",
        "street = 5 AND could_wager AND opponents >= 2 AND fifth_rank IN (8, 9) "
        "AND most_apparent >= 4",
        "kind IN ('bet', 'raise') AND wagers >= 1",
        Reference(0.30, Source.PUBLISHED, "51 % against each of two draws is 28 % against both"),
        15,
        Cost.RAISE,
        "Do not raise a made eight or nine into two smooth draws.",
    ),
)
