"""Hands and decisions that stand out: the luckiest, the unluckiest, and the dearest mistakes."""

import pandas as pd

from razzstats.stats.filters import Filters
from razzstats.stats.hands import first_hands
from razzstats.stats.leaks.costs import Dear, FoldRates, dearest, fold_rates
from razzstats.stats.leaks.marks import possible_marks
from razzstats.storage import Database

MOST_LOOKED_AT = 50_000
"""Decisions that are looked at for mistakes, those with the largest pots."""

MOST_MISTAKES = 500
"""Mistakes that are taken from them, those with the most at stake."""

MOST_PRICED = 200
"""Mistakes that are priced at most, which takes some milliseconds each."""


def luckiest_hands(database: Database, filters: Filters, limit: int = 5) -> pd.DataFrame:
    """Return the hands in which luck gave the player most, the luckiest first.

    Luck is what he won of a showdown's pots less what his cards were to win on average, after rake
    (`razzstats.luck`); where it was not measured, or took from him, a hand is left out.

    Columns: those of `biggest_pots`, and luck (big bets) and equity (the part of the pots, a
    fraction of 1, that his cards were to win when betting was over, or before the last card).
    """
    return first_hands(database, filters, "luck > 0", "luck DESC", limit=limit, with_luck=True)


def unluckiest_hands(database: Database, filters: Filters, limit: int = 5) -> pd.DataFrame:
    """Return the hands in which luck took most from the player, the unluckiest first.

    The columns are those of `luckiest_hands`; luck is below 0.
    """
    return first_hands(database, filters, "luck < 0", "luck", limit=limit, with_luck=True)


# ---- decisions

_COLUMNS = (
    "site", "hand_no", "hid", "played_at", "name", "seq", "street", "kind", "leak", "title",
    "advice", "cost", "pot_big_bets", "to_call_big_bets",
)  # fmt: skip
_TYPES = {
    **dict.fromkeys(("site", "hand_no", "name", "kind", "title", "advice"), "str"),
    **dict.fromkeys(("hid", "seq", "street", "leak"), "Int64"),
    **dict.fromkeys(("cost", "pot_big_bets", "to_call_big_bets"), "Float64"),
    "played_at": "datetime64[us]",
}


def worst_decisions(
    database: Database, filters: Filters, limit: int = 10, *, rates: FoldRates | None = None
) -> pd.DataFrame:
    """Return the mistakes of the players that match that cost most, the dearest first.

    A mistake is a decision with a mark (`leaks.marks`) that costs anything by its rule's formula
    (`leaks.rule.Cost`), which knows the player's cards and what all could see; a decision with
    several is one, by that which costs most. It may have won the hand all the same.

    Of very many hands not every mistake is priced: of the `MOST_LOOKED_AT` decisions with the
    largest pots in big bets, `MOST_MISTAKES` are taken, those with the most at stake (the pot where
    it may have been given up or not been won, else the chips put in). At most `MOST_PRICED` of them
    are priced, first those that can cost most whatever the equity. ``rates`` are those of
    `fold_rates`, asked for anew if not given.

    Columns: site, hand_no, hid, played_at (UTC), name, seq (which action of the hand), street, kind
    (what was done), leak (the rule's number), title and advice (the rule's), cost (big bets),
    pot_big_bets and to_call_big_bets (the pot and the price before it, in big bets).
    """
    rules = possible_marks(
        database, filters, least_pot=_least_pot(database, filters), limit=MOST_MISTAKES
    )
    if rules and rates is None:
        rates = fold_rates(database)
    found = dearest(database, rules, rates, limit, MOST_PRICED) if rates else []
    return pd.DataFrame(map(_row, found), columns=list(_COLUMNS)).astype(_TYPES)


def _least_pot(database: Database, filters: Filters) -> float | None:
    """Return the smallest pot that is looked at, in big bets, or None if all are."""
    hands, parameters = filters.hands()
    found = database.rows(
        f"""SELECT pot / big_bet AS big_bets FROM (SELECT hid, seat, big_bet FROM {hands})
        JOIN decisions USING (hid, seat) ORDER BY big_bets DESC LIMIT 1 OFFSET {MOST_LOOKED_AT}""",
        parameters,
    )
    return float(found[0][0]) if found else None


def _row(dear: Dear) -> tuple[object, ...]:
    decision, rule = dear.decision, dear.rule
    hand, act = decision.hand, decision.act
    return (
        hand.site, hand.hand_no, act.hid, hand.played_at, decision.player.name, act.seq,
        act.street, act.kind, rule.id, rule.title, rule.advice, dear.cost,
        act.pot / hand.big_bet, act.to_call / hand.big_bet,
    )  # fmt: skip
