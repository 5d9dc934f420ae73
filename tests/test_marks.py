"""Marks of single decisions: the finder's own counts and prices, decision by decision."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from textwrap import wrap

import pytest
from hands import hand_text
from hypothesis import given
from hypothesis import strategies as st
from planted import Player, loose_habit, play_sessions, strategy

from razzstats.cards import parse_cards
from razzstats.equity import Holding, Spot, calculate
from razzstats.measuring import measure_hands
from razzstats.parsing import parse_hand
from razzstats.replay import replay
from razzstats.rules.ruleset import RULE_SETS
from razzstats.stats.decisions import decisions_at, equity_range
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import OVERALL, RULE_BY_ID, RULES, Cost, LeakRule
from razzstats.stats.leaks.costs import (
    _FORMULAS,
    REALISED,
    FoldRates,
    _Spot,
    dearest,
    fold_rates,
    price,
    prices,
)
from razzstats.stats.leaks.finder import count_mistakes, mistakes_of
from razzstats.stats.leaks.marks import Mark, marks_of_hands, possible_marks
from razzstats.storage import Database, hand_rows

SAMPLES = Path(__file__).parent.parent / "sample_histories" / "pokerstars"
EVERYBODY = Filters(all_players=True)
DECIDED = [rule for rule in RULES if isinstance(rule, LeakRule)]
LISTED = {314, 809}
Marks = dict[tuple[int, int], tuple[Mark, ...]]

# ---- a hand whose marks are known

HAND = """\
PokerStars Hand #990004: Razz Limit ($1/$2 USD) - 2026/01/09 19:00:00 ET
Table 'Halley' 6-max
Seat 1: Anna ($40 in chips)
Seat 2: Ben ($40 in chips)
Anna: posts the ante $0.20
Ben: posts the ante $0.20
*** 3rd STREET ***
Dealt to Anna [Ac 2d 3h]
Dealt to Ben [7s]
Ben: brings in for $0.50
Anna: raises $0.50 to $1
Ben: calls $0.50
*** 4th STREET ***
Dealt to Anna [Ac 2d 3h] [Kd]
Dealt to Ben [7s] [5c]
Ben: bets $1
Anna: calls $1
*** 5th STREET ***
Dealt to Anna [Ac 2d 3h Kd] [Qs]
Dealt to Ben [7s 5c] [2h]
Ben: bets $2
Anna: calls $2
*** 6th STREET ***
Dealt to Anna [Ac 2d 3h Kd Qs] [4s]
Dealt to Ben [7s 5c 2h] [6h]
Ben: bets $2
Anna: folds
Uncalled bet ($2) returned to Ben
Ben collected $8.40 from pot
*** SUMMARY ***
Total pot $8.40 | Rake $0
Seat 1: Anna folded on the 6th Street
Seat 2: Ben collected ($8.40)
"""


def stored(variant: str = "razz", text: str = HAND) -> Database:
    parsed = parse_hand(hand_text(text)).value
    assert parsed is not None
    hand = replay(parsed, RULE_SETS[variant]).value
    assert hand is not None
    database = Database.in_memory()
    database.insert_hands([hand_rows(hand, 1, None)])
    measure_hands(database)
    return database


def hids_of(database: Database) -> list[int]:
    return [hid for (hid,) in database.rows("SELECT hid FROM hands ORDER BY hid")]


def test_the_marks_and_prices_of_a_hand_by_hand() -> None:
    """Pots before she acts are 3.40, 6.40 and 10.40; a big bet is 2. Ben's cards are not known."""
    with stored() as database:
        marks = marks_of_hands(database, hids_of(database))
        streets = {
            (hid, seq): street
            for hid, seq, street in database.rows("SELECT hid, seq, street FROM decisions")
        }
    by_street = {streets[place]: [mark.rule.id for mark in each] for place, each in marks.items()}
    assert by_street == {4: [401], 5: [501, 807], 6: [602]}
    fourth, fifth, sixth = (
        calculate(Spot((Holding(parse_cards(" ".join(wrap(own, 2)))), Holding.parse(other)))).share(
            0
        )
        for own, other in (
            ("Ac2d3hKd", "[8-][8-]7s5c"),
            ("Ac2d3hKdQs", "[8-][8-]7s5c2h"),
            ("Ac2d3hKdQs4s", "[8-][8-]7s5c2h6h"),
        )
    )
    costs = {
        4: (1 - Fraction(8, 10) * fourth * Fraction(44, 10)) / 2,
        5: (2 - Fraction(9, 10) * fifth * Fraction(84, 10)) / 2,
        6: (Fraction(95, 100) * sixth * Fraction(124, 10) - 2) / 2,  # a fold
    }
    assert costs[4] < 0 < costs[5], "the pot paid on fourth street, and not on fifth"
    for place, each in marks.items():
        for mark in each:
            assert mark.cost == pytest.approx(float(costs[streets[place]]), abs=1e-12)


def test_players_whose_cards_are_not_known_have_no_marks() -> None:
    """Ben checks and calls with the best board on two streets, which all can see of him."""
    text = HAND
    for street, amount in (("4th", 1), ("5th", 2)):
        before, after = text.split(f"*** {street} STREET ***")
        after = after.replace(
            f"Ben: bets ${amount}\nAnna: calls ${amount}",
            f"Ben: checks\nAnna: bets ${amount}\nBen: calls ${amount}",
            1,
        )
        text = f"{before}*** {street} STREET ***{after}"
    with stored(text=text) as database:
        assert len(mistakes_of(database, EVERYBODY, RULE_BY_ID[809], 10)) == 1
        hid = hids_of(database)
        for priced in (True, False):
            assert 809 not in by_rule(marks_of_hands(database, hid, priced=priced))


def test_other_games_have_no_marks() -> None:
    with stored("ace-to-six") as database:
        assert database.rows("SELECT count(*) FROM spots")[0][0] > 3
        assert marks_of_hands(database, hids_of(database)) == {}
        assert possible_marks(database, Filters(all_players=True, game="ace-to-six")) == {}


def test_hands_that_are_not_asked_for_have_no_marks(samples: Database) -> None:
    assert marks_of_hands(samples, []) == marks_of_hands(samples, [1]) == {}
    hids = hids_of(samples)
    marks = marks_of_hands(samples, hids[:40], priced=False)
    assert {hid for hid, _ in marks} <= {*hids[:40]}
    assert len({hid for hid, _ in marks}) > 5


# ---- over many hands


@pytest.fixture(scope="module")
def planted() -> Iterator[Database]:
    with play_sessions(160, 5, Player(strategy("loose", loose_habit))) as opened:
        yield opened


@pytest.fixture(scope="module", params=["samples", "planted"])
def database(request: pytest.FixtureRequest) -> Database:
    found: Database = request.getfixturevalue(request.param)
    return found


def by_rule(marks: Marks) -> dict[int, set[tuple[int, int]]]:
    found = defaultdict(set)
    for place, each in marks.items():
        for mark in each:
            found[mark.rule.id].add(place)
    return found


def test_each_rule_marks_as_many_decisions_as_the_finder_counts(database: Database) -> None:
    places = by_rule(marks_of_hands(database, hids_of(database), priced=False))
    counted = count_mistakes(database, EVERYBODY, DECIDED)
    assert sum(bool(each.mistakes) for each in counted) > 20
    for rule, each in zip(DECIDED, counted, strict=True):
        assert len(places[rule.id]) == each.mistakes, rule.title


def test_the_decisions_are_those_that_the_finder_lists(database: Database) -> None:
    places = by_rule(marks_of_hands(database, hids_of(database), priced=False))
    names = {hid: (site, hand_no) for hid, site, hand_no in database.rows(
        "SELECT hid, site, hand_no FROM hands")}  # fmt: skip
    known = {(*names[hid], seq) for hid, seq in database.rows("SELECT hid, seq FROM spots")}
    for id in (301, 308, 401, 403, 501, 601, 701, *LISTED):
        listed = {tuple(each) for each in mistakes_of(database, EVERYBODY, RULE_BY_ID[id], 10**6)}
        assert {(*names[hid], seq) for hid, seq in places[id]} == listed & known, id


def test_rules_over_many_hands_are_there_where_single_decisions_show_them(
    planted: Database,
) -> None:
    places = by_rule(marks_of_hands(planted, hids_of(planted), priced=False))
    assert {rule.id for rule in OVERALL} & places.keys() == LISTED
    some = [min(places[id])[0] for id in sorted(LISTED)] + hids_of(planted)[:30]
    overall = {rule.id for rule in OVERALL} & by_rule(marks_of_hands(planted, some)).keys()
    assert overall == {*LISTED, 807}


def test_calls_of_lost_pots_are_those_that_cost(database: Database) -> None:
    hids = hids_of(database)[:40]
    places = [
        (hid, seq)
        for hid, seq, kind in database.rows(
            """SELECT hid, seq, kind FROM decisions JOIN spots USING (hid, seq, seat)
            WHERE street >= 5 AND live = 2 AND wagers > 0 AND to_call > 0
            AND hid IN (SELECT unnest(?::BIGINT[]))""",
            (hids,),
        )
        if kind != "fold"
    ]
    lost = set()
    for decision in decisions_at(database, places):
        act = decision.act
        seen = [decision.seen_as(player) for player in decision.opponents]
        found = equity_range(decision, seen, 1_000)
        assert found is not None
        if REALISED[act.street] * found.equity * (act.pot + act.to_call) < act.to_call:
            lost.add((act.hid, act.seq))
    assert 0 < len(lost) < len(places)
    assert by_rule(marks_of_hands(database, hids))[807] == lost


def test_each_price_is_that_of_the_one_decision(database: Database) -> None:
    rates = fold_rates(database)
    marks = marks_of_hands(database, hids_of(database)[:20], rates=rates)
    assert len(marks) > 8
    assert any(len(each) > 1 for each in marks.values())
    for place, each in marks.items():
        assert [mark.rule.id for mark in each] == sorted({mark.rule.id for mark in each})
        for mark in each:
            alone = price(database, mark.rule, [place], rates)
            if alone is None:
                assert mark.cost is None
            else:
                assert mark.cost == pytest.approx(alone.mean, abs=1e-12)


def test_the_mean_of_prices_is_the_price_of_many(planted: Database) -> None:
    rates, rule = fold_rates(planted), RULE_BY_ID[701]
    places = sorted(by_rule(marks_of_hands(planted, hids_of(planted), priced=False))[701])
    found = prices(planted, dict.fromkeys(places, (rule,)), rates)
    costs = [cost for each in found.values() for cost in each if cost is not None]
    priced = price(planted, rule, places, rates)
    assert priced is not None
    assert priced.number == len(places) > 3
    assert priced.mean == pytest.approx(sum(costs) / len(costs))


def test_without_prices_the_same_decisions_are_marked(database: Database) -> None:
    hids = hids_of(database)[:20]
    priced, bare = (marks_of_hands(database, hids, priced=each) for each in (True, False))
    assert all(mark.cost is None for each in bare.values() for mark in each)

    def ids(marks: Marks) -> Counter[tuple[tuple[int, int], int]]:
        return Counter((place, mark.rule.id) for place, each in marks.items() for mark in each)

    assert ids(bare) == Counter({key: count for key, count in ids(priced).items() if key[1] != 807})


# ---- the dearest


@given(
    st.sampled_from(list(Cost)),
    st.integers(1, 5_000), st.integers(0, 500), st.integers(1, 7),
    st.floats(0, 1), st.floats(0, 1), st.floats(0, 1),
)  # fmt: skip
def test_no_price_is_above_those_at_an_equity_of_all_or_nothing(
    cost: Cost, pot: int, to_call: int, opponents: int, realised: float, folds: float, equity: float
) -> None:
    def at(equity: float) -> float:
        spot = _Spot(pot, to_call, 100, equity, opponents, realised, folds, not to_call)
        return _FORMULAS[cost](spot)

    assert at(equity) <= max(at(0), at(1)) + 1e-6


def test_the_dearest_are_found_without_pricing_all(planted: Database) -> None:
    rules, rates = possible_marks(planted, Filters()), fold_rates(planted)
    costs = {place: max(filter(None, each), default=0.0)
             for place, each in prices(planted, rules, rates).items()}  # fmt: skip
    expected = sorted((cost for cost in costs.values() if cost > 0), reverse=True)
    assert len(expected) > 40
    for limit in (1, 5, 40, 10_000):
        found = dearest(planted, rules, rates, limit, most_priced=10_000)
        assert [each.cost for each in found] == pytest.approx(expected[:limit])
        places = [(each.decision.act.hid, each.decision.act.seq) for each in found]
        assert len({*places}) == len(places)
        assert [costs[place] for place in places] == [each.cost for each in found]
    assert len(dearest(planted, rules, rates, 40, most_priced=10)) <= 10
    assert dearest(planted, {}, FoldRates({}, {}), 5, most_priced=10) == []
