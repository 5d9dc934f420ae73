"""Statistics of decisions as data: what was chosen out of the choices there were.

Their conditions are SQL over the table ``decisions``, whose columns `storage.migrations` explains,
joined with the player's row in ``hand_players``, and with that of ``spots`` where his own cards are
known.
Wagers are levels: none on third street means that only the bring-in stands, one that it was
completed, two that it was raised. Words such as 3-bet, which tools count from different levels,
are not used.
"""

from razzstats.stats.catalogue.kinds import OURS, Stat

UNCOMMITTED = "(turn = 1 OR (bring_in AND turn = 2 AND last_own = 'check'))"
"""He has put nothing in by choice on this street yet."""

_FACES_COMPLETION = f"street = 3 AND wagers = 1 AND {UNCOMMITTED}"
_DEFENDS = f"bring_in AND {_FACES_COMPLETION}"
_WAGER = "kind IN ('complete', 'bet', 'raise')"
_UNBET = "turn = 1 AND wagers = 0 AND to_call = 0 AND could_wager"
_CONTINUES = f"carried AND {_UNBET}"


def _defence(id: str, against: str, faced: str) -> tuple[Stat, ...]:
    """Return what the bring-in player does against some of the completions."""
    return tuple(
        Stat(
            f"bring_in_{choice}_{id}",
            f"Bring-in: {choice}, {id.replace('_', '-')}",
            f"{choice}s of the bring-in player, of the decisions in which he faces {against}",
            f"kind = '{choice}'",
            f"{_DEFENDS} AND {faced}",
            OURS + ", as PokerTracker 4 counts defence of the blinds",
        )
        for choice in ("fold", "call", "raise")
    )


THIRD_STREET_STATS: tuple[Stat, ...] = (
    Stat(
        "complete_first_in",
        "Completed first in",
        "completions, of the first decisions with nothing but antes and bring-in in the pot; the "
        "bring-in player's own are left out",
        "kind = 'complete'",
        "first_in",
        "PokerTracker 4 (raise first in)",
    ),
    Stat(
        "limp",
        "Limped first in",
        "calls of the bring-in, of the same first decisions",
        "kind = 'call'",
        "first_in",
        "PokerTracker 4",
    ),
    Stat(
        "fold_first_in",
        "Folded first in",
        "folds, of the same first decisions",
        "kind = 'fold'",
        "first_in",
        "PokerTracker 4",
    ),
    Stat(
        "steal",
        "Steal",
        "completions first in with at most two players left to act but the bring-in player, of "
        "the decisions in which that was open to the player",
        "kind = 'complete'",
        "can_steal AND could_wager",
        "fpdb: the last three to act",
    ),
    Stat(
        "steal_no_viable",
        "Steal, no viable door behind",
        "completions first in where no player left to act but the bring-in player shows an eight "
        "or lower, of the decisions in which that was open to the player",
        "kind = 'complete'",
        "first_in AND viable_behind = 0 AND could_wager",
        OURS,
    ),
    Stat(
        "steal_success",
        "Steal success",
        "steals after which everybody folded on third street, of the steals",
        "last_street = 3 AND collected > 0 AND NOT showdown",
        "can_steal AND kind = 'complete'",
        "fpdb",
    ),
    Stat(
        "fold_to_steal",
        "Fold to steal",
        "folds to a steal that nobody has called or raised, of the decisions that face one",
        "kind = 'fold'",
        "faces_steal AND turn = 1",
        "PokerTracker 4: with no other players involved",
    ),
    Stat(
        "bring_in_fold",
        "Bring-in: fold",
        "folds of the bring-in player to a completion, of the decisions in which he faces one",
        "kind = 'fold'",
        _DEFENDS,
        OURS,
    ),
    Stat(
        "bring_in_call",
        "Bring-in: call",
        "calls of the bring-in player, of the same decisions",
        "kind = 'call'",
        _DEFENDS,
        OURS,
    ),
    Stat(
        "bring_in_raise",
        "Bring-in: raise",
        "raises of the bring-in player, of the same decisions, whether he had the chips or not",
        "kind = 'raise'",
        _DEFENDS,
        OURS,
    ),
    *_defence("steal", "a steal that nobody has called or raised", "faces_steal"),
    *_defence("heads_up", "a completion that all others folded to", "live = 2"),
    Stat(
        "raise_vs_complete",
        "Raise against a completion",
        "raises, of the decisions that face a completion, where the player put in nothing by "
        "choice yet and could raise",
        "kind = 'raise'",
        f"{_FACES_COMPLETION} AND could_wager",
        OURS + "; others call it 2-bet or 3-bet",
    ),
    Stat(
        "cold_call",
        "Cold call",
        "calls, of the decisions that face a completion, where the player put in nothing by choice "
        "yet; those of the bring-in player are left out",
        "kind = 'call'",
        f"{_FACES_COMPLETION} AND NOT bring_in",
        "PokerTracker 4",
    ),
    Stat(
        "squeeze",
        "Raise after callers",
        "raises, of the decisions that face a completion with a caller or more, where the player "
        "put in nothing by choice yet and could raise",
        "kind = 'raise'",
        f"{_FACES_COMPLETION} AND could_wager AND callers > 0",
        "PokerTracker 4",
    ),
    Stat(
        "reraise",
        "Raise against a raise",
        "raises, of the decisions that face a raised completion and may raise",
        "kind = 'raise'",
        "street = 3 AND wagers = 2 AND could_wager",
        OURS + "; others call it 3-bet or 4-bet",
    ),
    Stat(
        "cap",
        "Cap",
        "raises, of the decisions that face a completion raised twice and may raise: the fourth "
        "wager is the cap, but for two players where the room lets them go on",
        "kind = 'raise'",
        "street = 3 AND wagers = 3 AND could_wager",
        OURS,
    ),
    Stat(
        "fold_to_reraise",
        "Fold to a raise after completing",
        "folds, of the decisions in which the player has made the last wager but one or an earlier "
        "one and faces a raise",
        "kind = 'fold'",
        "street = 3 AND wagers >= 2 AND own_wagers >= 1",
        "HORSE replayer: any who raised before",
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
        "fpdb",
    ),
    Stat(
        "continuation",
        "Continuation",
        "bets of the player who made the last wager of the street before, of his first decisions "
        "on this street with nothing bet yet",
        "kind = 'bet'",
        _CONTINUES,
        "PokerTracker 4; others count streets that were raised or never dealt",
    ),
    Stat(
        "continuation_ahead",
        "Continuation, caught well",
        "the same where his own last card is up to eight and pairs nothing in his hand, and no "
        "opponent's last up card is so on his board; where the player's cards are known",
        "kind = 'bet'",
        f"{_CONTINUES} AND caught_good AND NOT one_caught_good",
        OURS,
    ),
    Stat(
        "continuation_behind",
        "Continuation, caught badly",
        "the same where an opponent's last up card is so and his own is not",
        "kind = 'bet'",
        f"{_CONTINUES} AND NOT caught_good AND one_caught_good",
        OURS,
    ),
    Stat(
        "delayed_continuation",
        "Delayed continuation",
        "bets of the player who made the last wager two streets before, of his first decisions on "
        "this street with nothing bet yet, if the street between went by without a wager",
        "kind = 'bet'",
        f"delayed AND {_UNBET}",
        OURS,
    ),
    Stat(
        "fold_to_continuation",
        "Fold to continuation",
        "folds, of the decisions that face the bet of the player who made the last wager of the "
        "street before",
        "kind = 'fold'",
        "faces_carried AND wagers = 1",
        "PokerTracker 4",
    ),
    Stat(
        "fold_to_wager",
        "Fold to a wager",
        "folds, of the decisions that face a completion, bet or raise",
        "kind = 'fold'",
        "wagers > 0 AND to_call > 0",
        "fpdb",
    ),
    Stat(
        "raise_vs_wager",
        "Raise a single wager",
        "raises, of the decisions that face one completion or bet and may raise",
        "kind = 'raise'",
        "wagers = 1 AND to_call > 0 AND could_wager",
        OURS,
    ),
    Stat(
        "check_raise",
        "Check-raise",
        "raises, of the decisions in which the player has checked, faces a bet and may raise",
        "kind = 'raise'",
        "last_own = 'check' AND wagers = 1 AND could_wager",
        "PokerTracker 4",
    ),
    Stat(
        "aggression_frequency",
        "Aggression frequency (AFq)",
        "completions, bets and raises, of all decisions but checks",
        _WAGER,
        "kind <> 'check'",
        "PokerTracker 4: actions but checks",
    ),
    Stat(
        "acts_last",
        "Acts last",
        "streets on which the player was the last to have his first decision, of those in which he "
        "decided anything; on fourth street and later the best board begins, so it can change from "
        "street to street",
        "acts_last",
        "turn = 1",
        "fpdb (in position)",
    ),
    Stat(
        "capped",
        "Capped",
        "streets that came to the cap of four wagers, of those in which the player decided "
        "anything",
        "street_wagers >= 4",
        "turn = 1",
        OURS,
    ),
)
"""What players do on each street."""

DECISION_STATS = (*THIRD_STREET_STATS, *STREET_STATS)
