"""The leak finder: counts each rule's spots and mistakes, judges the rates, prices the mistakes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from razzstats.stats.asking import AskedOnce
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import DECIDED_RULES, RULES
from razzstats.stats.leaks.checks import CHECKS, PRICED, charge
from razzstats.stats.leaks.costs import (
    OF_MANY,
    FoldRates,
    Place,
    Priced,
    average,
    fold_rates,
    prices,
)
from razzstats.stats.leaks.finding import Charge, Counted, Finding, Verdict
from razzstats.stats.leaks.judging import called_up_to, chance_of_gap, chance_of_none
from razzstats.stats.leaks.lines import per_100
from razzstats.stats.leaks.rule import LeakRule, OverallRule, Rule
from razzstats.storage import Database

FALSE_DISCOVERIES = 0.10
"""What part of the leaks that are called so may be none, on average."""

FEWEST = 10
"""So few spots can prove a leak where the rate is far off; its absence needs those of the rule."""


def find_leaks(
    database: Database,
    filters: Filters,
    rules: Sequence[Rule] = RULES,
    false_discoveries: float = FALSE_DISCOVERIES,
    *,
    price_all: bool = False,
    priced: int = PRICED,
    rates: FoldRates | None = None,
) -> list[Finding]:
    """Return what was found of each rule: leaks first, the dearest first, then the others.

    A rate is called too high if it is unlikely to be at or under the reference; how unlikely is
    set for all rules together so that no more than ``false_discoveries`` of the calls are wrong on
    average (Benjamini and Hochberg, "Controlling the false discovery rate", 1995). Mistakes are
    priced for those rules, or for every one with ``price_all``, which takes longer: ``priced`` of
    each are, `PRICED` at most, and the others are taken to cost the same on average. ``rates`` are
    those of `fold_rates`, asked for anew if not given.
    """
    database = AskedOnce(database)
    counted = count_mistakes(database, filters, rules)
    chances = [each.chance_of_none for each in counted if each.chance_of_none is not None]
    bound = called_up_to(chances, false_discoveries)
    called = [each.chance_of_none is not None and each.chance_of_none <= bound for each in counted]
    to_price = {
        rule: each
        for rule, each, is_called in zip(rules, counted, called, strict=True)
        if (is_called or price_all) and each.spots
    }
    found = _looked_at(database, filters, _decided(rules))
    charges = _charges(database, filters, found, to_price, priced, rates)
    findings = [
        Finding(rule, each, _verdict(rule, each, is_called, charges.get(rule)), charges.get(rule))
        for rule, each, is_called in zip(rules, counted, called, strict=True)
    ]
    return sorted(findings, key=_importance)


def count_mistakes(
    database: Database, filters: Filters, rules: Sequence[Rule] = RULES
) -> list[Counted]:
    """Return how often each rule's mistake was made, in the order of the rules."""
    found = _looked_at(database, filters, _decided(rules))
    return [
        _counted(rule, found[rule])
        if isinstance(rule, LeakRule)
        else CHECKS[rule.id].find(database, filters, rule)
        for rule in rules
    ]


def _decided(rules: Sequence[Rule]) -> list[LeakRule]:
    return [rule for rule in rules if isinstance(rule, LeakRule)]


def _verdict(rule: Rule, counted: Counted, called: bool, charged: Charge | None) -> Verdict:
    if not called:
        few = counted.chance_of_none is None or counted.spots < rule.least
        return Verdict.TOO_FEW if few else Verdict.NO_LEAK
    if charged is None:
        return Verdict.UNUSUAL
    return Verdict.PAYS if charged.per_100 <= 0 else Verdict.LEAK


_ORDER = (Verdict.LEAK, Verdict.UNUSUAL, Verdict.PAYS, Verdict.NO_LEAK, Verdict.TOO_FEW)


def _importance(finding: Finding) -> tuple[int, float, int]:
    return _ORDER.index(finding.verdict), -(finding.cost_per_100 or 0.0), finding.rule.id


class Compared(NamedTuple):
    """A rule in one session, and in all other hands of the player."""

    rule: LeakRule
    spots: int
    mistakes: int
    usual_spots: int
    usual_mistakes: int

    @property
    def excess(self) -> float:
        """How many mistakes more were made than would be usual."""
        usual = self.usual_mistakes / self.usual_spots if self.usual_spots else 0.0
        return self.mistakes - usual * self.spots

    @property
    def chance_of_none(self) -> float | None:
        """How likely the session's rate is not above the usual one; None without a usual one."""
        if not self.spots or not self.usual_spots:
            return None
        return chance_of_gap(
            (self.usual_mistakes, self.usual_spots), (self.mistakes, self.spots), 0.0
        )


def compare_with_usual(database: Database, filters: Filters) -> list[Compared]:
    """Return the mistakes of the session that the filters name beside those of all other hands.

    Only rules with a mistake in the session, those first that were made more often than usual.
    """
    here = count_mistakes(database, filters, DECIDED_RULES)
    everywhere = count_mistakes(database, replace(filters, session=None), DECIDED_RULES)
    compared = [
        Compared(rule, own.spots, own.mistakes, all_.spots - own.spots,
                 (all_.mistakes or 0) - own.mistakes)
        for rule, own, all_ in zip(DECIDED_RULES, here, everywhere, strict=True)
        if own.mistakes
    ]  # fmt: skip
    return sorted(compared, key=lambda each: (-each.excess, each.rule.id))


# ---- counting


def _source(hands: str) -> str:
    return f"""SELECT * FROM (SELECT hid, seat, played_at FROM {hands})
        JOIN decisions USING (hid, seat) JOIN spots USING (hid, seq, seat)"""


class _Found(NamedTuple):
    """Where a rule looked, and what it found."""

    spots: int
    mistakes: int
    some: list[Place]
    """Some of the mistakes, from all of the hands: `PRICED` of them, if there are so many.

    They are picked by a hash: the same ones each time.
    """


def _looked_at(
    database: Database, filters: Filters, rules: Sequence[LeakRule]
) -> dict[LeakRule, _Found]:
    """Return what was found of each rule; all are asked for together."""
    if not rules:
        return {}
    hands, parameters = filters.hands()
    # Rules are looked at over the decisions of their street only: in less than half of the time.
    streets = {
        street: [rule for rule in rules if rule.street == street]
        for street in sorted({rule.street for rule in rules})
    }
    (found,) = database.rows(
        f"""WITH seen AS MATERIALIZED (SELECT *, hash(hid, seq) AS place FROM ({_source(hands)}))
        SELECT * FROM {", ".join(_on_street(*each) for each in streets.items())}""",
        parameters,
    )
    return {
        rule: _Found(spots, mistakes, [(hid, seq) for hid, seq in some or ()])
        for rule, spots, mistakes, some in zip(
            chain(*streets.values()), found[::3], found[1::3], found[2::3], strict=True
        )
    }


def _on_street(street: int, rules: Sequence[LeakRule]) -> str:
    """Return the SQL of one row of what the rules of a street find in ``seen``."""
    # A mistake is looked for in the spots only: CASE spares the others.
    made = ", ".join(
        f"CASE WHEN {rule.spot} THEN coalesce({rule.mistake}, false) END AS made_{rule.id}"
        for rule in rules
    )
    found = ", ".join(
        f"count(made_{rule.id}), coalesce(count_if(made_{rule.id}), 0),"
        f" min_by([hid, seq], place, {PRICED}) FILTER (made_{rule.id})"
        for rule in rules
    )
    return (
        f"(SELECT {found} FROM (SELECT hid, seq, place, {made} FROM seen WHERE street = {street}))"
    )


def _counted(rule: LeakRule, found: _Found) -> Counted:
    chance = None
    if found.spots >= min(FEWEST, rule.least):
        chance = chance_of_none(found.mistakes, found.spots, rule.reference.most)
    return Counted(found.spots, found.mistakes, rule.reference, chance)


# ---- prices and hands


def _charges(
    database: Database,
    filters: Filters,
    found: Mapping[LeakRule, _Found],
    counted: Mapping[Rule, Counted],
    most_priced: int,
    rates: FoldRates | None,
) -> dict[Rule, Charge]:
    """Return what the mistakes of each rule cost, where they have a price."""
    if not counted:
        return {}
    rates = rates or fold_rates(database)
    some = {r: found[r].some[:most_priced] for r in counted if isinstance(r, LeakRule)}
    averages = _averages(database, some, rates)
    charges: dict[Rule, Charge] = {
        rule: per_100(database, filters, priced, counted[rule].mistakes or 0)
        for rule, priced in averages.items()
    }
    for rule, each in counted.items():
        if isinstance(rule, OverallRule):
            charged = charge(database, filters, rule, each, rates, most_priced)
            charges |= {rule: charged} if charged else {}
    return charges


def _averages(
    database: Database, some: Mapping[LeakRule, Sequence[Place]], rates: FoldRates
) -> dict[LeakRule, Priced]:
    """Return what some mistakes of each rule cost on average; a decision is looked at once."""
    rules_at: dict[Place, list[Rule]] = defaultdict(list)
    for rule, places in some.items():
        for place in places:
            rules_at[place].append(rule)
    costs: dict[Rule, list[float]] = defaultdict(list)
    for place, found in prices(database, rules_at, rates, OF_MANY).items():
        for mistake, cost in zip(rules_at[place], found, strict=True):
            if cost is not None:
                costs[mistake].append(cost)
    averages = {rule: average(costs[rule]) for rule in some}
    return {rule: priced for rule, priced in averages.items() if priced is not None}


def _places(
    database: Database, filters: Filters, rule: LeakRule, order: str, limit: int
) -> list[tuple[int, int]]:
    """Return hid and seq of the first mistakes by an order."""
    hands, parameters = filters.hands()
    return database.rows(
        f"""SELECT hid, seq FROM ({_source(hands)}) WHERE ({rule.spot}) AND ({rule.mistake})
        ORDER BY {order} LIMIT ?""",
        [*parameters, limit],
    )


_LATEST = "played_at DESC NULLS LAST, hid DESC, seq"
_LATEST_HANDS = 20_000


class Mistake(NamedTuple):
    """Where a mistake was made."""

    site: str
    hand_no: str
    seq: int | None
    """The decision; None where the whole hand counts."""


def has_hands(rule: Rule) -> bool:
    """Whether single hands show a rule's mistakes."""
    if isinstance(rule, LeakRule):
        return True
    check = CHECKS[rule.id]
    return check.decisions is not None or check.hands is not None


def mistakes_of(database: Database, filters: Filters, rule: Rule, limit: int) -> list[Mistake]:
    """Return mistakes of a rule, the latest hands first; none where it is about a rate alone."""
    seqs: list[tuple[int, int | None]]
    if isinstance(rule, LeakRule):
        seqs = [*_places(database, filters, rule, _LATEST, limit)]
    else:
        check = CHECKS[rule.id]
        seqs = [*check.decisions(database, filters, limit)] if check.decisions else []
        seqs += (
            [(hid, None) for hid, _ in check.hands(database, filters, limit)] if check.hands else []
        )
    return _named(database, seqs)


def _named(database: Database, seqs: Sequence[tuple[int, int | None]]) -> list[Mistake]:
    """Return mistakes by hid and seq as those of hands by room and number."""
    hids = [hid for hid, _ in seqs]
    names = {
        hid: (str(site), str(hand_no))
        for hid, site, hand_no in database.rows(
            "SELECT hid, site, hand_no FROM hands WHERE hid IN (SELECT unnest(?::BIGINT[]))",
            (hids,),
        )
    }
    return [Mistake(*names[hid], seq) for hid, seq in seqs]


def latest_mistakes(
    database: Database, filters: Filters, rules: Sequence[Rule], limit: int
) -> dict[Rule, list[Mistake]]:
    """Return what `mistakes_of` does, for several rules in less time.

    Most rules have so many mistakes in the latest hands, where they are looked for first.
    """
    latest = _latest_places(database, _latest_hands(database, filters), _decided(rules), limit)
    return {
        rule: _named(database, places)
        if len(places := latest.get(rule, [])) == limit
        else mistakes_of(database, filters, rule, limit)
        for rule in rules
    }


def _latest_places(
    database: Database, filters: Filters, rules: Sequence[LeakRule], limit: int
) -> dict[Rule, list[Place]]:
    """Return hid and seq of the latest mistakes of each rule."""
    found: dict[Rule, list[Place]] = {rule: [] for rule in rules}
    if not rules:
        return found
    hands, parameters = filters.hands()
    parts = " UNION ALL ".join(
        f"""(SELECT {place} AS rule, hid, seq, played_at FROM seen
        WHERE ({rule.spot}) AND ({rule.mistake}) ORDER BY {_LATEST} LIMIT {int(limit)})"""
        for place, rule in enumerate(rules)
    )
    for place, hid, seq in database.rows(
        f"""WITH seen AS MATERIALIZED ({_source(hands)})
        SELECT rule, hid, seq FROM ({parts}) ORDER BY rule, {_LATEST}""",
        parameters,
    ):
        found[rules[place]].append((hid, seq))
    return found


def _latest_hands(database: Database, filters: Filters) -> Filters:
    """Return filters that of very many hands let the latest through."""
    if filters.session is not None:  # its number may change with the hands
        return filters
    hands, parameters = filters.hands()
    found = database.rows(
        f"""SELECT played_at FROM {hands} WHERE played_at IS NOT NULL
        ORDER BY played_at DESC LIMIT 1 OFFSET {_LATEST_HANDS}""",
        parameters,
    )
    return replace(filters, since=found[0][0]) if found else filters
