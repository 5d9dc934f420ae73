"""The variants of Razz are rows of rules: played, checked, stored and counted, each by its own."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cli import razzstats
from hands import differences, hand_text, stated_facts

import razzstats as package
from razzstats.cards import Rank
from razzstats.events import BringIn, Deal, ParsedHand, Street
from razzstats.lowball import LowHand, best_low
from razzstats.pipeline import Outcome, Status, read_hand
from razzstats.pots import winners
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import WAGERS, ActionKind
from razzstats.rules.opening import lowest_boards
from razzstats.rules.ruleset import ACE_TO_SIX, HOME_GAME, RAZZ, RULE_SETS, BetSize, RuleSet
from razzstats.simulate import Setup, render_hand, simulate_hands
from razzstats.simulate.strategy import CALLING_STATION, Strategy

# Raises whatever he holds, as often as the rules let him.
RAISER = Strategy("raises everything", 1.0, 40.0, 1.0, 1.0, 1.0)
WILD = Setup(strategies=(RAISER,), hero_strategy=RAISER, buy_in=(60.0, 90.0))


class Played(NamedTuple):
    """A simulated hand, and what became of its text under its own rules."""

    hand: ParsedHand
    outcome: Outcome

    @property
    def replayed(self) -> ReplayedHand:
        assert self.outcome.hand is not None
        return self.outcome.hand

    def under(self, rules: RuleSet) -> Outcome:
        assert self.outcome.text is not None
        return read_hand(self.outcome.text, rules, raise_errors=True)


def play(rules: RuleSet, hands: int, setup: Setup | None = None) -> Iterator[Played]:
    setup = replace(setup or Setup(), rules=rules)
    for players in range(2, 9):
        for hand in simulate_hands(hands, players, 40 + players, setup):
            text = hand_text(render_hand(hand))
            yield Played(hand, read_hand(text, rules, raise_errors=True))


def codes(outcome: Outcome) -> list[str]:
    return [found.code.name for found in outcome.diagnostics]


@pytest.fixture(scope="module")
def home() -> list[Played]:
    return [*play(HOME_GAME, 35), *play(HOME_GAME, 15, Setup(buy_in=(0.05, 4.0)))]


@pytest.fixture(scope="module")
def six() -> list[Played]:
    station = Setup(strategies=(CALLING_STATION,), hero_strategy=CALLING_STATION)
    return [*play(ACE_TO_SIX, 30, station), *play(ACE_TO_SIX, 14, Setup(buy_in=(0.05, 4.0)))]


@pytest.fixture(scope="module", params=["home-game", "ace-to-six"])
def played(request: pytest.FixtureRequest, home: list[Played], six: list[Played]) -> list[Played]:
    return home if request.param == "home-game" else six


# ---- every hand of a variant


def test_a_variants_hands_are_good_by_its_rules(played: list[Played]) -> None:
    assert len(played) > 300
    for one in played:
        assert one.outcome.status is Status.OK, one.outcome.text
        assert not one.outcome.diagnostics, codes(one.outcome)


def test_a_variants_hands_parse_to_themselves(played: list[Played]) -> None:
    for one in played:
        assert one.outcome.parsed is not None
        assert one.outcome.parsed == one.hand
        assert not differences(stated_facts(one.outcome.parsed), stated_facts(one.hand))


def test_a_variants_chips_are_all_accounted_for(played: list[Played]) -> None:
    for one in played:
        hand = one.replayed
        assert sum(result.net for result in hand.results) == -hand.rake
        assert all(result.stack + result.net >= 0 for result in hand.results)
        assert (hand.pot, hand.rake) == (one.hand.summary.pot, one.hand.summary.rake)


def test_the_rules_may_be_named_without_a_setup() -> None:
    (hand,) = simulate_hands(1, 3, 5, rules=HOME_GAME)
    assert hand == next(simulate_hands(1, 3, 5, Setup(rules=HOME_GAME, first_number=266 * 10**9)))


# ---- the home game


def test_the_lowest_door_card_opens_third_street(home: list[Played]) -> None:
    opened: Counter[ActionKind] = Counter()
    for one in home:
        doors = [event for event in one.hand.events if isinstance(event, Deal)]
        boards = {
            deal.seat: [card for card in deal.up if card]
            for deal in doors[: len(one.replayed.results)]
        }
        acted = [action for action in one.replayed.actions if action.kind is not ActionKind.ANTE]
        if acted and acted[0].street is Street.THIRD and not _on_the_ante(one.replayed):
            assert acted[0].seat == lowest_boards(boards)[0]
            opened[acted[0].kind] += 1
    assert opened.keys() == {ActionKind.CHECK, ActionKind.BET}
    assert min(opened.values()) > 20


def _on_the_ante(hand: ReplayedHand) -> bool:
    return any(result.stack <= hand.parsed.stakes.ante for result in hand.results)


def test_third_street_may_be_checked_through(home: list[Played]) -> None:
    third = [
        [action.kind for action in _decided(one.replayed) if action.street is Street.THIRD]
        for one in home
        if len(one.replayed.results[0].up_cards) > 1
    ]
    assert any(kinds and set(kinds) == {ActionKind.CHECK} for kinds in third)


def test_nobody_brings_in_or_completes(home: list[Played]) -> None:
    for one in home:
        assert not any(isinstance(event, BringIn) for event in one.hand.events)
        kinds = {action.kind for action in one.replayed.actions}
        assert not kinds & {ActionKind.BRING_IN, ActionKind.COMPLETE}
        assert one.replayed.bring_in_seat is None
        assert one.hand.stakes.bring_in == 0


def test_razz_does_not_take_a_hand_without_a_bring_in(home: list[Played]) -> None:
    rejected = taken = 0
    for one in home:
        outcome, decided = one.under(RAZZ), _decided(one.replayed)
        if outcome.status is Status.REJECTED:
            assert outcome.reason.code.name == "missing-action", outcome.reason
            rejected += 1
        elif decided and decided[0].street is Street.THIRD:
            # The highest card is all-in for the ante and the lowest is next: he may complete.
            assert outcome.hand is not None
            assert decided[0].kind is ActionKind.BET
            assert decided[0].seat == outcome.hand.bring_in_seat
            taken += 1
    assert rejected > 250
    assert taken < 10


def _decided(hand: ReplayedHand) -> list[Any]:
    other = {ActionKind.ANTE, ActionKind.SHOW, ActionKind.MUCK, ActionKind.COLLECT}
    return [each for each in hand.actions if each.kind not in other | {ActionKind.RETURN}]


def test_the_home_game_does_not_take_a_bring_in() -> None:
    for one in play(RAZZ, 15):
        outcome = one.under(HOME_GAME)
        assert outcome.status is Status.REJECTED
        names = {"action-out-of-turn", "bring-in-wrong-seat"}
        assert outcome.reason.code.name in names


# ---- ace-to-six


def test_razz_takes_a_hand_of_ace_to_six_only_if_it_ends_alike(six: list[Played]) -> None:
    """Straights and flushes make other lows, and some of these another winner."""
    alike = other_lows = other_winners = 0
    for one in six:
        hand, outcome = one.replayed, one.under(RAZZ)
        shown = [r for r in hand.results if r.showdown]
        ours = {r.seat: r.low for r in shown if r.low is not None}
        extra = [hand.community] if hand.community else []
        theirs = {r.seat: best_low([c for c in [*r.cards, *extra] if c]) for r in shown if r.low}
        if any(winners(pot, ours) != winners(pot, theirs) for pot in hand.pots):
            assert "wrong-winner" in codes(outcome), outcome.text
            assert outcome.status is Status.REJECTED
            other_winners += 1
        elif any(r.shown and theirs[r.seat].ranks != ours[r.seat].ranks for r in shown):
            assert "claimed-low-mismatch" in codes(outcome), outcome.text
            other_lows += 1
        elif ours == theirs:
            assert outcome.status is Status.OK
            alike += 1
    assert min(alike, other_lows, other_winners) > 2


# ---- the engine does not know which game it plays


def test_no_code_asks_for_a_variant_by_name() -> None:
    root = Path(package.__file__).parent
    engine = sorted(root.glob("rules/**/*.py"))
    engine += [root / name for name in ("replay.py", "validation.py", "chains.py")]
    engine += [
        root / "simulate" / f"{name}.py" for name in ("play", "playout", "payout", "strategy")
    ]
    engine.remove(root / "rules" / "ruleset.py")
    assert len(engine) > 14
    named = re.compile(r"(?i:home|ace.to|to.six)|rules\.(name|title)\b|(is|==|!=|not) RAZZ\b")
    for file in engine:
        found = [
            line for line in file.read_text(encoding="utf-8").splitlines() if named.search(line)
        ]
        assert not found, (file.name, found)


def _highest(cards: Any) -> LowHand:
    """Worth more the higher: a made-up game in which the highest cards win."""
    low = best_low(cards)
    return LowHand(low.kind, tuple(Rank(14 - rank) for rank in reversed(low.ranks)))


MADE_UP: dict[str, RuleSet] = {
    "a bet and one raise": replace(RAZZ, cap=2, cap_heads_up=2),
    "no cap heads-up": replace(RAZZ, cap_heads_up=None),
    "no bring-in, no cap heads-up": replace(HOME_GAME, cap_heads_up=None),
    "big bets from fourth street": replace(
        RAZZ,
        streets=(
            RAZZ.streets[0],
            replace(RAZZ.streets[1], bet_size=BetSize.BIG),
            *RAZZ.streets[2:],
        ),
    ),
    "ace-to-six without a bring-in": replace(ACE_TO_SIX, streets=HOME_GAME.streets),
    "another best hand": replace(RAZZ, best_hand=_highest),
}


@pytest.mark.parametrize("name", MADE_UP)
def test_a_new_game_is_a_new_row(name: str) -> None:
    rules = replace(MADE_UP[name], name="made-up", title="Made up")
    hands = list(play(rules, 8, WILD))
    for one in hands:
        assert one.outcome.status is Status.OK, one.outcome.diagnostics
        assert not one.outcome.diagnostics
        assert one.replayed.rules.name == "made-up"
    assert any(one.under(RAZZ).diagnostics for one in hands)


def test_the_cap_is_what_the_row_says() -> None:
    def most_wagers(rules: RuleSet) -> int:
        wagers: Counter[tuple[int, Street]] = Counter()
        for number, one in enumerate(play(rules, 8, WILD)):
            wagers.update((number, a.street) for a in one.replayed.actions if a.kind in WAGERS)
        return max(wagers.values())

    assert most_wagers(MADE_UP["a bet and one raise"]) == 2
    assert most_wagers(RAZZ) == 4
    assert most_wagers(MADE_UP["no cap heads-up"]) > 4


# ---- the command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("variants")
    for seed, variant in enumerate(RULE_SETS):
        options = ("--hands", "15", "--players", "4", "--seed", str(seed), "--variant", variant)
        assert razzstats("simulate", *options, "--out", folder / f"{variant}.txt").code == 0
        db = ("--db", folder / "hands.duckdb", "--format", "json", "--variant", variant)
        run = razzstats("import", folder / f"{variant}.txt", *db)
        assert json.loads(run.out)["stored"] == 15, run.err
    return folder


@pytest.mark.parametrize("variant", RULE_SETS)
def test_the_command_reads_a_variant(folder: Path, variant: str) -> None:
    file = folder / f"{variant}.txt"
    check = razzstats("check", file, "--variant", variant, "--strict", "--notes")
    assert (check.code, check.out) == (0, "")
    assert "15 Razz hands: 15 good" in check.err
    parsed = razzstats("parse", file, "--variant", variant)
    hands = [json.loads(line) for line in parsed.out.splitlines()]
    assert {(hand["game"], hand["status"]) for hand in hands} == {(variant, "ok")}
    report = razzstats("report", file, "--variant", variant)
    assert (report.code, report.err) == (0, "")


def test_the_command_reads_razz_if_nothing_is_said(folder: Path) -> None:
    assert razzstats("check", folder / "razz.txt").code == 0
    assert razzstats("check", folder / "home-game.txt").code == 1


@pytest.mark.parametrize("variant", RULE_SETS)
def test_variants_are_counted_apart(folder: Path, variant: str) -> None:
    db = ("--db", folder / "hands.duckdb", "--format", "json")
    run = razzstats("stats", "overview", *db, "--variant", variant)
    counted = {line["id"]: line["value"] for line in json.loads(run.out)}
    assert counted["hands"] == 15
    if variant == "razz":
        assert razzstats("stats", "overview", *db).out == run.out


def test_a_report_of_files_counts_them_by_the_rules_that_are_named(folder: Path) -> None:
    file = folder / "home-game.txt"
    right = razzstats("report", file, "--variant", "home-game")
    wrong = razzstats("report", file)
    counted = re.compile(r"^Hands +15\b", re.M)
    assert counted.search(right.out)
    assert not counted.search(wrong.out)


@pytest.mark.slow
def test_several_processes_read_by_the_same_rules(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.txt" for number in range(3)]
    for seed, file in enumerate(files, start=70):
        options = ("--hands", "10", "--seed", str(seed), "--variant", "home-game")
        assert razzstats("simulate", *options, "--out", file).code == 0
    db = ("--db", tmp_path / "x.db", "--variant", "home-game", "--jobs", "2")
    run = razzstats("import", tmp_path, *db, "--format", "json")
    assert json.loads(run.out)["stored"] == 30


def test_a_hand_is_shown_by_the_rules_it_was_stored_under(folder: Path) -> None:
    for variant, rules in RULE_SETS.items():
        file, db = folder / f"{variant}.txt", ("--db", folder / "hands.duckdb")
        number = file.read_text(encoding="utf-8").split("#")[1].split(":")[0]
        stored = razzstats("show", number, *db)
        assert stored.code == 0
        assert f"{rules.title} $" in stored.out.splitlines()[1]
        assert razzstats("show", number, file, "--variant", variant).out == stored.out


@pytest.mark.parametrize(
    "command",
    ["simulate --out @/x.txt", "check @", "parse @", "import @ --db @/x.db", "report @",
     "stats overview --db @/hands.duckdb", "show 1 @"],
)  # fmt: skip
def test_a_variant_that_is_none_is_refused(folder: Path, command: str) -> None:
    before = sorted(folder.iterdir())
    run = razzstats(*command.replace("@", str(folder)).split(), "--variant", "omaha")
    assert (run.code, run.out) == (2, "")
    assert "'omaha' is no variant; choose from razz, home-game, ace-to-six" in run.sentence
    assert sorted(folder.iterdir()) == before


def test_rules_go_before_those_of_a_setup() -> None:
    setup = Setup(rules=RAZZ)
    hands = list(simulate_hands(20, 4, 3, setup, rules=HOME_GAME))
    assert not any(isinstance(event, BringIn) for hand in hands for event in hand.events)
