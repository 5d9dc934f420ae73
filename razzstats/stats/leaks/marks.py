"""What the leak finder says of single decisions: which mistakes they are, and what each costs."""

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from razzstats.lowball import best_low
from razzstats.rules.ruleset import RULE_SETS
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import DECIDED_RULES, OVERALL, OverallRule, Rule
from razzstats.stats.leaks.checks import CHECKS
from razzstats.stats.leaks.costs import FoldRates, Place, fold_rates, prices
from razzstats.stats.leaks.lines import MAY_BE_SUNK
from razzstats.stats.leaks.rule import Cost
from razzstats.storage import Database

_DEAD_CARDS, _SUNK, _CHECK_CALLS = (rule for rule in OVERALL if rule.id in (314, 807, 809))

_CONDITIONS: tuple[tuple[Rule, str], ...] = (
    *((rule, f"({rule.spot}) AND ({rule.mistake})") for rule in DECIDED_RULES),
    (_SUNK, f"{MAY_BE_SUNK} AND kind <> 'fold'"),
)
"""SQL over ``decisions`` joined with ``spots`` that finds the decisions of a rule."""


class Mark(NamedTuple):
    """A mistake that a decision is by one rule."""

    rule: Rule
    cost: float | None
    """What this one decision cost by the rule's formula, in big bets: below 0 where it paid in this
    place; None if it was not priced or cannot be."""


def marks_of_hands(
    database: Database,
    hids: Sequence[int],
    *,
    priced: bool = True,
    rates: FoldRates | None = None,
) -> dict[Place, tuple[Mark, ...]]:
    """Return the marks of all decisions in these hands, by hid and seq; none of those without.

    All players are judged where their own cards by then are known, each rule where its spot and its
    mistake hold; the marks of a decision come by the rules' numbers. That one decision has a mark
    does not make a leak: some are made by sound players too, as the rules' references say.

    Of the rules over many hands, those are here that single decisions show: 314 (an entry with
    three to an eight that dead cards made worse), 807 (a call from fifth street on that the pot did
    not pay for, by its price alone) and 809 (the last check of a hand in which the best board
    checked and called on two streets). Left out are those that are about a rate (316, 801, 802,
    803, 806), and those that are about the order of many hands (804, 805, 808).

    Without ``priced`` it takes little of the time, but no mark has a cost and 807 is left out,
    which only a price tells. ``rates`` are those of `fold_rates`, asked for anew if not given.
    Hands of games in which straights and flushes count have no marks.
    """
    found = possible_marks(database, _TheseHands(hids=tuple(hids)))
    if not priced:
        kept = {place: [rule for rule in rules if rule is not _SUNK]
                for place, rules in found.items()}  # fmt: skip
        return {place: tuple(Mark(rule, None) for rule in rules)
                for place, rules in kept.items() if rules}  # fmt: skip
    costs = prices(database, found, rates or fold_rates(database)) if found else {}
    marks = {
        place: tuple(
            Mark(rule, cost)
            for rule, cost in zip(rules, costs.get(place, [None] * len(rules)), strict=True)
            if rule is not _SUNK or (cost is not None and cost > 0)
        )
        for place, rules in found.items()
    }
    return {place: each for place, each in marks.items() if each}


_GAMES = [name for name, rules in RULE_SETS.items() if rules.best_hand is best_low]


@dataclass(frozen=True, slots=True, kw_only=True)
class _TheseHands(Filters):
    """All players of certain hands, where the game has marks."""

    hids: tuple[int, ...]

    def where(self) -> tuple[str, list[Any]]:
        """Return the SQL condition over ``hand_players`` and its parameters."""
        sql = """hid IN (SELECT unnest(?::BIGINT[]))
            AND game IN (SELECT unnest(?::VARCHAR[]))"""
        return sql, [list(self.hids), _GAMES]


# ---- before they are priced

_POT_COSTS = (Cost.FOLD, Cost.BET, Cost.BLUFF, Cost.MISSED_BLUFF)
_RISKS_POT = " OR ".join(
    f"({condition})" for rule, condition in _CONDITIONS if rule.cost in _POT_COSTS
)
_STAKE = f"CASE WHEN {_RISKS_POT} THEN pot ELSE amount END / big_bet"
"""What a mistake can cost at most, roughly: the pot, or the chips that he put in."""

_HELD = ", ".join(
    f"if({condition}, {number}, NULL)" for number, (_, condition) in enumerate(_CONDITIONS)
)
_ANY = " OR ".join(f"({condition})" for _, condition in _CONDITIONS)


def possible_marks(
    database: Database,
    filters: Filters,
    *,
    least_pot: float | None = None,
    limit: int = sys.maxsize,
) -> dict[Place, tuple[Rule, ...]]:
    """Return the rules of `marks_of_hands` that decisions of the players that match fall under.

    They come by hid and seq. 807 stands at every call from fifth street on against one opponent; it
    is no mistake unless it costs. With a ``limit`` there are so many at most, those with the most
    at stake: the pot where it may have been given up or not been won, else the chips put in. With a
    ``least_pot`` there are none with a smaller one, in big bets before the decision; 314 and 809,
    which one decision alone does not tell, are left out then, and come beside the limit otherwise.
    """
    if filters.game not in _GAMES:
        return {}
    hands, parameters = filters.hands()
    found: dict[Place, list[Rule]] = defaultdict(list)
    for hid, seq, numbers in database.rows(
        f"""SELECT hid, seq, list_filter([{_HELD}], lambda number: number IS NOT NULL)
        FROM (SELECT * FROM (SELECT hid, seat, big_bet FROM {hands})
            JOIN decisions USING (hid, seat) WHERE pot >= ? * big_bet)
        JOIN spots USING (hid, seq, seat)
        WHERE {_ANY} ORDER BY {_STAKE} DESC, hid, seq LIMIT ?""",
        [*parameters, least_pot or 0.0, limit],
    ):
        found[hid, seq] += (_CONDITIONS[number][0] for number in numbers)
    if least_pot is None:
        for rule in (_DEAD_CARDS, _CHECK_CALLS):
            for place in _listed(database, filters, rule):
                found[place].append(rule)
    return {place: tuple(sorted(found[place], key=lambda rule: rule.id)) for place in sorted(found)}


def _listed(database: Database, filters: Filters, rule: OverallRule) -> list[Place]:
    """Return all mistakes of a rule that a check lists, by players whose cards are known."""
    places = CHECKS[rule.id].decisions
    listed = places(database, filters, sys.maxsize) if places else []
    known = set(
        database.rows(
            "SELECT hid, seq FROM spots WHERE hid IN (SELECT unnest(?::BIGINT[]))",
            ([hid for hid, _ in listed],),
        )
    )
    return [place for place in listed if place in known]
