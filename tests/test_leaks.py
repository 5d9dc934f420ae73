"""The leak finder: rules as data, verdicts, prices by hand, and the command."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from cli import razzstats

from razzstats.cards import parse_cards
from razzstats.equity import Holding, Spot, calculate
from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import OVERALL, RULE_BY_ID, RULES, Cost, LeakRule, finder
from razzstats.stats.leaks.checks import CHECKS
from razzstats.stats.leaks.costs import FoldRates, price
from razzstats.stats.leaks.finder import (
    FEWEST,
    find_leaks,
    has_hands,
    latest_mistakes,
    mistakes_of,
)
from razzstats.stats.leaks.finding import Finding, Verdict
from razzstats.stats.leaks.judging import chance_of_none
from razzstats.storage import Database

SAMPLES = Path(__file__).parent.parent / "sample_histories"


# ---- rules


def test_rules_are_whole() -> None:
    assert len(RULE_BY_ID) == 49, "40 by street, 9 overall"
    assert sum(id < 800 for id in RULE_BY_ID) == 40
    for rule in RULES:
        assert rule.advice.endswith(".")
        assert rule.reference.text
        if isinstance(rule, LeakRule):
            assert 3 <= rule.street <= 7
            assert f"street = {rule.street}" in rule.spot or rule.spot.startswith("bring_in")
            assert 0 < rule.reference.most < 1
            assert rule.least >= 10
            assert isinstance(rule.cost, Cost)
        else:
            assert rule.id in CHECKS
            assert rule.counted
            assert rule.least >= 5
    assert set(CHECKS) == {rule.id for rule in OVERALL}


@pytest.fixture(scope="module")
def samples() -> Database:
    database = Database.in_memory()
    import_paths(database, [str(SAMPLES)])
    measure_hands(database)
    return database


def test_mistakes_are_among_the_spots_of_each_rule(samples: Database) -> None:
    findings = find_leaks(samples, Filters(all_players=True), price_all=False)
    assert {finding.rule for finding in findings} == set(RULES)
    reached = 0
    for finding in findings:
        assert 0 <= (finding.mistakes or 0) <= finding.spots
        reached += finding.spots > 0
        few = finding.spots < finding.rule.least
        if few:
            assert finding.verdict is not Verdict.NO_LEAK
        if finding.spots < min(FEWEST, finding.rule.least):
            assert finding.verdict is Verdict.TOO_FEW
        elif isinstance(finding.rule, LeakRule):
            assert few or finding.verdict is not Verdict.TOO_FEW
    assert reached >= len(RULES) - 3


# ---- judging rates


@pytest.mark.parametrize(
    ("mistakes", "spots"), [(0, 10), (3, 10), (10, 10), (40, 200), (150, 1000)]
)
@pytest.mark.parametrize("most", [0.05, 0.25, 0.6])
def test_chance_of_none_is_the_tail_of_a_beta_distribution(
    mistakes: int, spots: int, most: float
) -> None:
    """Integrated by Simpson's rule instead."""
    steps = 20_000
    log_beta = (
        math.lgamma(mistakes + 1) + math.lgamma(spots - mistakes + 1) - math.lgamma(spots + 2)
    )

    def density(rate: float) -> float:
        if rate in (0, 1):
            return float(mistakes == 0 if rate == 0 else mistakes == spots) / math.exp(log_beta)
        return math.exp(
            mistakes * math.log(rate) + (spots - mistakes) * math.log1p(-rate) - log_beta
        )

    width = most / steps
    total = density(0) + density(most)
    total += sum((4 if n % 2 else 2) * density(n * width) for n in range(1, steps))
    assert chance_of_none(mistakes, spots, most) == pytest.approx(total * width / 3, abs=1e-6)


def test_no_spot_says_nothing() -> None:
    assert chance_of_none(0, 0, 0.3) == pytest.approx(0.3)


# ---- prices

PLACE = """\
PokerStars Hand #{number}: Razz Limit ($1/$2 USD) - 2026/01/09 19:{minute:02}:00 ET
Table 'Halley {number}' 6-max
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
Anna: {anna}
"""
CALLS = """\
*** 5th STREET ***
Dealt to Anna [Ac 2d 3h Kd] [Qs]
Dealt to Ben [7s 5c] [2h]
Ben: bets $2
Anna: folds
Uncalled bet ($2) returned to Ben
Ben collected $4.40 from pot
*** SUMMARY ***
Total pot $4.40 | Rake $0
Seat 1: Anna folded on the 5th Street
Seat 2: Ben collected ($4.40)


"""
FOLDS = """\
Uncalled bet ($1) returned to Ben
Ben collected $2.40 from pot
*** SUMMARY ***
Total pot $2.40 | Rake $0
Seat 1: Anna folded on the 4th Street
Seat 2: Ben collected ($2.40)


"""


def bricks(calls: int, folds: int, tmp_path: Path) -> Database:
    """Anna bricks on fourth street so often, and calls or folds one bet."""
    texts = [PLACE.format(number=n, minute=n % 60, anna="calls $1") + CALLS for n in range(calls)]
    texts += [
        PLACE.format(number=100 + n, minute=n % 60, anna="folds") + FOLDS for n in range(folds)
    ]
    path = tmp_path / "bricks.txt"
    path.write_text("".join(texts), encoding="utf-8")
    database = Database.in_memory()
    (report,) = import_paths(database, [str(path)])
    assert report.stored == calls + folds, report.diagnostics
    measure_hands(database)
    return database


def test_a_call_costs_its_price_less_its_part_of_the_pot(tmp_path: Path) -> None:
    database = bricks(1, 0, tmp_path)
    rule = RULE_BY_ID[401]
    (place,) = database.rows("SELECT hid, seq FROM decisions WHERE street = 4 AND kind = 'call'")
    priced = price(database, rule, [place], FoldRates({}, {}))
    equity = calculate(
        Spot((Holding(parse_cards("Ac 2d 3h Kd")), Holding.parse("[8-][8-]7s5c")))
    ).share(0)
    # Antes 0.40, two times 1 on third street and Ben's bet: 3.40; a call of 1; big bets of 2.
    expected = (1 - Fraction(8, 10) * equity * Fraction(44, 10)) / 2
    assert priced is not None
    assert priced.mean == pytest.approx(float(expected), abs=1e-12)


def mean_price(found: Finding) -> float:
    assert found.charge is not None
    assert found.charge.priced is not None
    return found.charge.priced.mean


def test_the_verdict_is_by_rate_then_by_price(tmp_path: Path) -> None:
    """Calling here pays by its price (3.4 to 1 for 36 %), so that it is no leak however often."""
    database = bricks(40, 0, tmp_path)
    (found,) = find_leaks(database, Filters(), [RULE_BY_ID[401]])
    assert (found.spots, found.mistakes) == (40, 40)
    assert found.counted.chance_of_none is not None
    assert found.counted.chance_of_none < 1e-6
    cost = mean_price(found)
    assert found.verdict is (Verdict.PAYS if cost <= 0 else Verdict.LEAK)
    # The same mistakes under a rule that prices the fold the other way round.
    other = RULE_BY_ID[401]._replace(cost=Cost.FOLD)
    (turned,) = find_leaks(database, Filters(), [other])
    assert mean_price(turned) == pytest.approx(-cost)
    assert {found.verdict, turned.verdict} == {Verdict.PAYS, Verdict.LEAK}
    assert turned.cost_per_100 == pytest.approx(100 * mean_price(turned))


def test_a_rate_at_the_reference_is_no_leak(tmp_path: Path) -> None:
    database = bricks(6, 34, tmp_path)
    (found,) = find_leaks(database, Filters(), [RULE_BY_ID[401]])
    assert (found.spots, found.mistakes, found.verdict) == (40, 6, Verdict.NO_LEAK)
    few = bricks(8, 0, tmp_path)
    (said,) = find_leaks(few, Filters(), [RULE_BY_ID[401]])
    assert (said.spots, said.verdict) == (8, Verdict.TOO_FEW)


def test_few_spots_prove_a_leak_but_never_its_absence(tmp_path: Path) -> None:
    rule = RULE_BY_ID[401]._replace(cost=Cost.FOLD)
    for calls, folds, verdict in (
        (12, 0, Verdict.LEAK), (1, 11, Verdict.TOO_FEW), (9, 0, Verdict.TOO_FEW),
    ):  # fmt: skip
        (found,) = find_leaks(bricks(calls, folds, tmp_path), Filters(), [rule])
        assert (found.spots, found.verdict) == (calls + folds, verdict)


def test_the_hands_of_a_leak_are_listed(tmp_path: Path) -> None:
    database = bricks(3, 5, tmp_path)
    found = mistakes_of(database, Filters(), RULE_BY_ID[401], 10)
    assert [hand_no for _, hand_no, _ in found] == ["2", "1", "0"]
    assert len(mistakes_of(database, Filters(), RULE_BY_ID[401], 2)) == 2
    assert not has_hands(RULE_BY_ID[801])


@pytest.mark.parametrize("hands", [3, 40, 20_000])
def test_mistakes_of_several_rules_are_those_of_each(
    samples: Database, monkeypatch: pytest.MonkeyPatch, hands: int
) -> None:
    """Wherever the latest hands end."""
    monkeypatch.setattr(finder, "_LATEST_HANDS", hands)
    filters = Filters(all_players=True)
    rules = [rule for rule in RULES if has_hands(rule)]
    found = latest_mistakes(samples, filters, rules, 3)
    assert list(found) == rules
    assert sum(len(mistakes) == 3 for mistakes in found.values()) > 20
    for rule, mistakes in found.items():
        assert mistakes == mistakes_of(samples, filters, rule, 3), rule.title


# ---- the command


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("leaks") / "razz.duckdb"
    assert razzstats("import", SAMPLES / "pokerstars", "--db", path).code == 0
    return path


def test_the_command_says_what_it_found(db: Path) -> None:
    run = razzstats("leaks", "--all", "--db", db)
    assert run.code == 0
    assert "303 Jack, queen or king in the first three" in run.out
    assert f"of {len(RULES)} rules are leaks" in run.sentence
    found = json.loads(razzstats("leaks", "--db", db, "--format", "json").out)
    assert {row["leak"] for row in found} == set(RULE_BY_ID)
    assert all((row["mistakes"] or 0) <= row["spots"] for row in found)


def test_leaks_of_another_player(db: Path) -> None:
    run = razzstats("leaks", "--as", "deuce4U", "--db", db, "--format", "json")
    mine = json.loads(razzstats("leaks", "--hero", "deuce4U", "--db", db, "--format", "json").out)
    assert json.loads(run.out) == mine
    assert razzstats("leaks", "--as", "a", "--hero", "b", "--db", db).code == 2
    assert razzstats("leaks", "--as", "nobody at all", "--db", db).code == 2


def test_the_command_lists_hands_that_show_opens(db: Path) -> None:
    run = razzstats("leaks", "--all-players", "--hands", "303", "--db", db)
    assert run.code == 0
    site, number = run.out.splitlines()[0].split()
    assert site == "pokerstars"
    assert razzstats("show", number, "--db", db).code == 0
    assert razzstats("leaks", "--hands", "999", "--db", db).code == 2
    about_a_rate = razzstats("leaks", "--hands", "801", "--db", db)
    assert about_a_rate.code == 2
    assert "no single hand shows it" in about_a_rate.err


def test_a_database_without_hands_has_no_leak(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("", encoding="utf-8")
    razzstats("import", tmp_path / "none.txt", "--db", tmp_path / "x.db")
    run = razzstats("leaks", "--db", tmp_path / "x.db")
    assert (run.code, run.out) == (0, "No leak was found.\n")
    assert f"for {len(RULES)} rules there are not enough hands" in run.sentence
