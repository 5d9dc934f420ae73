"""Statistics of decisions as data: what was chosen out of the choices there were.

Their conditions are SQL over the table ``decisions``, whose columns `storage.migrations` explains,
joined with the player's row in ``hand_players``.
Wagers are levels: none on third street means that only the bring-in stands, one that it was
completed, two that it was raised. Words such as 3-bet, which tools count from different levels,
are not used.
"""

from razzstats.stats.catalogue.kinds import RATE_BOUNDS, Column, Kind, Stat, Table

UNCOMMITTED = "(turn = 1 OR (bring_in AND turn = 2 AND last_own = 'check'))"
"""He has put nothing in by choice on this street yet."""

_FACES_COMPLETION = f"street = 3 AND wagers = 1 AND {UNCOMMITTED}"
_DEFENDS = f"bring_in AND {_FACES_COMPLETION}"
_WAGER = "kind IN ('complete', 'bet', 'raise')"

THIRD_STREET_STATS: tuple[Stat, ...] = (
    Stat(
        "complete_first_in",
        "Completed first in",
        "completions, of the first decisions with nothing but antes and bring-in in the pot; the "
        "bring-in player's own are left out",
        "kind = 'complete'",
        "first_in",
    ),
    Stat(
        "limp",
        "Limped first in",
        "calls of the bring-in, of the same first decisions",
        "kind = 'call'",
        "first_in",
    ),
    Stat(
        "fold_first_in",
        "Folded first in",
        "folds, of the same first decisions",
        "kind = 'fold'",
        "first_in",
    ),
    Stat(
        "steal",
        "Steal",
        "completions first in with at most two players left to act but the bring-in player, of "
        "the decisions in which that was open to the player",
        "kind = 'complete'",
        "can_steal AND could_wager",
    ),
    Stat(
        "steal_no_viable",
        "Steal, no viable door behind",
        "completions first in where no player left to act but the bring-in player shows an eight "
        "or lower, of the decisions in which that was open to the player",
        "kind = 'complete'",
        "first_in AND viable_behind = 0 AND could_wager",
    ),
    Stat(
        "steal_success",
        "Steal success",
        "steals after which everybody folded on third street, of the steals",
        "last_street = 3 AND collected > 0 AND NOT showdown",
        "can_steal AND kind = 'complete'",
    ),
    Stat(
        "fold_to_steal",
        "Fold to steal",
        "folds to a steal that nobody has called or raised, of the decisions that face one",
        "kind = 'fold'",
        "faces_steal AND turn = 1",
    ),
    Stat(
        "bring_in_fold",
        "Bring-in: fold",
        "folds of the bring-in player to a completion, of the decisions in which he faces one",
        "kind = 'fold'",
        _DEFENDS,
    ),
    Stat(
        "bring_in_call",
        "Bring-in: call",
        "calls of the bring-in player, of the same decisions",
        "kind = 'call'",
        _DEFENDS,
    ),
    Stat(
        "bring_in_raise",
        "Bring-in: raise",
        "raises of the bring-in player, of the same decisions, whether he had the chips or not",
        "kind = 'raise'",
        _DEFENDS,
    ),
    Stat(
        "raise_vs_complete",
        "Raise against a completion",
        "raises, of the decisions that face a completion, where the player put in nothing by "
        "choice yet and could raise",
        "kind = 'raise'",
        f"{_FACES_COMPLETION} AND could_wager",
    ),
    Stat(
        "cold_call",
        "Cold call",
        "calls, of the decisions that face a completion, where the player put in nothing by choice "
        "yet; those of the bring-in player are left out",
        "kind = 'call'",
        f"{_FACES_COMPLETION} AND NOT bring_in",
    ),
    Stat(
        "squeeze",
        "Raise after callers",
        "raises, of the decisions that face a completion with a caller or more, where the player "
        "put in nothing by choice yet and could raise",
        "kind = 'raise'",
        f"{_FACES_COMPLETION} AND could_wager AND callers > 0",
    ),
    Stat(
        "fold_to_reraise",
        "Fold to a raise after completing",
        "folds, of the decisions in which the player has made the last wager but one or an earlier "
        "one and faces a raise",
        "kind = 'fold'",
        "street = 3 AND wagers >= 2 AND last_own IN ('complete', 'raise')",
    ),
)
"""What players do on third street, one decision each."""

STREET_STATS: tuple[Stat, ...] = (
    Stat(
        "bet_unbet",
        "Bet when nobody has",
        "bets, of the decisions without a wager in which the player could make one; on third "
        "street that is the completion, the bring-in player's own left out",
        _WAGER,
        "wagers = 0 AND could_wager AND NOT (street = 3 AND bring_in)",
    ),
    Stat(
        "continuation",
        "Continuation",
        "bets of the player who made the last wager of the street before, of his first decisions "
        "on this street with nothing bet yet",
        "kind = 'bet'",
        "carried AND turn = 1 AND wagers = 0 AND could_wager",
    ),
    Stat(
        "fold_to_continuation",
        "Fold to continuation",
        "folds, of the decisions that face the bet of the player who made the last wager of the "
        "street before",
        "kind = 'fold'",
        "faces_carried AND wagers = 1",
    ),
    Stat(
        "fold_to_wager",
        "Fold to a wager",
        "folds, of the decisions that face a completion, bet or raise",
        "kind = 'fold'",
        "wagers > 0 AND to_call > 0",
    ),
    Stat(
        "raise_vs_wager",
        "Raise a single wager",
        "raises, of the decisions that face one completion or bet and may raise",
        "kind = 'raise'",
        "wagers = 1 AND to_call > 0 AND could_wager",
    ),
    Stat(
        "check_raise",
        "Check-raise",
        "raises, of the decisions in which the player has checked, faces a bet and may raise",
        "kind = 'raise'",
        "last_own = 'check' AND wagers = 1 AND could_wager",
    ),
    Stat(
        "aggression_frequency",
        "Aggression frequency (AFq)",
        "completions, bets and raises, of all decisions but checks",
        _WAGER,
        "kind <> 'check'",
    ),
    Stat(
        "capped",
        "Capped",
        "streets that came to the cap of four wagers, of those in which the player decided "
        "anything",
        "street_wagers >= 4",
        "turn = 1",
    ),
)
"""What players do on each street."""


DECISION_STATS = (*THIRD_STREET_STATS, *STREET_STATS)

_RATE = (
    Column("rate", "Rate", Kind.RATE, "made of chances"),
    Column("rate_low", "low", Kind.RATE, RATE_BOUNDS),
    Column("rate_high", "high", Kind.RATE, RATE_BOUNDS),
    Column("made", "Made", Kind.COUNT, "how often it happened"),
    Column("chances", "Chances", Kind.COUNT, "how often it could have happened"),
)
_STAT = (
    Column("id", "Id", Kind.TEXT, "the statistic's id"),
    Column("title", "Statistic", Kind.TEXT, "the statistic's name"),
)
_GROUP = Column("group", "Group", Kind.TEXT, "what the hands are grouped by; all without --by")

DECISION_TABLES: tuple[Table, ...] = (
    Table(
        "third-street",
        "Third street",
        "what the player chose on third street, of the choices that he had",
        (_STAT[1], _GROUP, *_RATE, _STAT[0]),
    ),
    Table(
        "street-rates",
        "Rates by street",
        "what the player chose on each street, of the choices that he had",
        (
            _STAT[1],
            Column("street", "Street", Kind.COUNT, "3 to 7"),
            _GROUP,
            *_RATE,
            _STAT[0],
        ),
    ),
)
"""The tables that count decisions."""
