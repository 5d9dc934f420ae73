"""Simulated hands are legal, say what their text says, and hold every kind of hand."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hands import Checked, check, hands_of

from razzstats.cards import Card, parse_cards
from razzstats.chips import PLAY_MONEY, Chips
from razzstats.events import (
    BringIn,
    Call,
    CapNotice,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    Note,
    ParsedHand,
    ReturnedBet,
    Seat,
    Show,
    ShowdownStart,
    Street,
    Wager,
)
from razzstats.replay import ReplayedHand, replay
from razzstats.rules.actions import WAGERS, ActionKind, LegalActions
from razzstats.rules.betting import HandState
from razzstats.rules.ruleset import RAZZ
from razzstats.simulate import (
    EUROS,
    NO_RAKE,
    STRATEGIES,
    Rake,
    Setup,
    Strategy,
    TournamentPlan,
    render_hand,
    render_hands,
    simulate_hands,
    usual_stakes,
)
from razzstats.simulate.strategy import (
    CALLING_STATION,
    MANIAC,
    NIT,
    TIGHT_AGGRESSIVE,
    View,
    board_strength,
    decide,
    hand_strength,
    start_value,
    view_of,
)

CALLER = Strategy("calls everything", 1.0, 0.0, 1.0, 0.0, 0.0)

# What is played, at 2 to 8 players each: name, hands a table, setup.
TABLES: dict[str, tuple[int, Setup]] = {
    "deep": (60, Setup()),
    "short": (90, Setup(buy_in=(0.05, 4.0))),
    "talkative club": (
        20,
        Setup(stakes=usual_stakes(EUROS, 100), club="A {b} c", mixed_game="HORSE", talk=1.0),
    ),
    "observed play money": (20, Setup(stakes=usual_stakes(PLAY_MONEY, 20), hero=None)),
    "tournament": (70, Setup(tournament=TournamentPlan(number="7", hands_per_level=5), talk=0.5)),
    "nobody folds": (70, Setup(strategies=(CALLER,), hero_strategy=CALLER)),
}


class Simulated(NamedTuple):
    table: str
    players: int
    hand: ParsedHand
    checked: Checked

    @property
    def replayed(self) -> ReplayedHand:
        assert self.checked.replayed is not None
        return self.checked.replayed


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> list[Simulated]:
    """Return the hands of all tables, each written to a file, split off, parsed and replayed."""
    return list(_simulated(tmp_path_factory.mktemp("simulated")))


def _simulated(folder: Path) -> Iterator[Simulated]:
    for name, (count, setup) in TABLES.items():
        for players in range(2, 9):
            hands = list(simulate_hands(count, players, 600 + players, setup))
            file = folder / f"{name} {players}.txt"
            file.write_bytes("".join(render_hands(hands)).encode())
            texts = hands_of(file)
            assert len(texts) == len(hands), file.name
            for hand, text in zip(hands, texts, strict=True):
                yield Simulated(name, players, hand, check(text))


def _all(simulated: list[Simulated], *kinds: type[Event]) -> Iterator[tuple[Simulated, Event]]:
    for one in simulated:
        for event in one.hand.events:
            if isinstance(event, kinds):
                yield one, event


# ---- every hand


def test_there_are_a_few_thousand_hands(simulated: list[Simulated]) -> None:
    assert len(simulated) > 1_800


def test_no_hand_has_a_diagnostic(simulated: list[Simulated]) -> None:
    for one in simulated:
        assert one.checked.is_clean, one.checked.text.text + one.checked.explained()


def test_every_hand_parses_to_itself(simulated: list[Simulated]) -> None:
    for one in simulated:
        assert one.checked.parsed == one.hand, one.checked.text.text


def test_nets_and_rake_sum_to_nothing(simulated: list[Simulated]) -> None:
    for one in simulated:
        hand = one.replayed
        assert sum(result.net for result in hand.results) + hand.rake == 0
        assert hand.rake == one.hand.summary.rake
        assert all(result.stack + result.net >= 0 for result in hand.results)


def test_no_card_is_dealt_twice(simulated: list[Simulated]) -> None:
    for one in simulated:
        dealt = [card for result in one.replayed.results for card in result.cards]
        known = [card for card in [*dealt, one.replayed.community] if card is not None]
        assert len(set(known)) == len(known)


def test_only_the_hero_shows_down_cards_before_the_end(simulated: list[Simulated]) -> None:
    for one, event in _all(simulated, Deal):
        assert isinstance(event, Deal)
        assert event.seat == one.hand.hero or not any(event.down)


def test_numbers_and_times_increase(simulated: list[Simulated]) -> None:
    for one, other in pairwise(simulated):
        if (one.table, one.players) == (other.table, other.players):
            assert int(one.hand.hand_id.number) < int(other.hand.hand_id.number)
            assert one.hand.played_at is not None
            assert other.hand.played_at is not None
            assert one.hand.played_at < other.hand.played_at


def test_stacks_chain_from_hand_to_hand(simulated: list[Simulated]) -> None:
    topped_up = 0
    for one, other in pairwise(simulated):
        if (one.table, one.players) != (other.table, other.players):
            continue
        left = {result.name: result.stack + result.net for result in one.replayed.results}
        for player in other.hand.players:
            if player.stack != left.get(player.name, player.stack):
                topped_up += 1
                assert player.stack > left[player.name]
                assert one.table != "tournament"
    assert topped_up > 20


def test_winners_show_and_losers_mostly_muck(simulated: list[Simulated]) -> None:
    beaten: Counter[bool] = Counter()
    for one in simulated:
        for result in one.replayed.results:
            if result.showdown and result.collected:
                assert result.shown
            elif result.showdown:
                beaten[result.shown] += 1
    assert beaten[False] > beaten[True] > 0


def test_rake_is_taken_of_cash_pots_that_saw_fourth_street(simulated: list[Simulated]) -> None:
    for one in simulated:
        hand, rake = one.replayed, one.hand.summary.rake or 0
        ends_on_third = all(result.last_street is Street.THIRD for result in hand.results)
        if one.table in ("tournament", "observed play money") or ends_on_third:
            assert rake == 0
        else:
            assert rake <= hand.pot * 5 // 100
            assert rake > 0 or len(hand.pots) > 1 or hand.pot < 20


# ---- what occurs among them


def _collected_twice(hand: ParsedHand) -> bool:
    pots = [event.pot for event in hand.events if isinstance(event, Collect)]
    return len(pots) > len(set(pots))


def _odd_split(hand: ParsedHand) -> bool:
    shares = [event.amount for event in hand.events if isinstance(event, Collect)]
    return _collected_twice(hand) and not hand.summary.pots and len(set(shares)) > 1


def _has(hand: ParsedHand, *kinds: type[Event]) -> bool:
    return any(isinstance(event, kinds) for event in hand.events)


def _short(event: Event, kind: type[Event]) -> bool:
    return isinstance(event, kind) and bool(getattr(event, "all_in", False))


def _shows_unasked(hand: ParsedHand) -> bool:
    return _has(hand, Show) and not _has(hand, ShowdownStart)


def _notes(hand: ParsedHand, words: str) -> bool:
    return any(isinstance(event, Note) and words in event.text for event in hand.events)


def _wagers_before_bring_in(hand: ParsedHand) -> bool:
    return _has(hand, Wager) and not _has(hand, BringIn)


KINDS: dict[str, Callable[[ParsedHand], bool]] = {
    "a side pot": lambda hand: len(hand.summary.pots) == 2,
    "two side pots": lambda hand: len(hand.summary.pots) > 2,
    "a community card": lambda hand: hand.summary.board is not None,
    "a split pot": _collected_twice,
    "an odd chip": _odd_split,
    "a capped street": lambda hand: _has(hand, CapNotice),
    "a showdown": lambda hand: _has(hand, ShowdownStart),
    "a walk": lambda hand: not _has(hand, Wager, ShowdownStart),
    "a returned bet": lambda hand: _has(hand, ReturnedBet),
    "an all-in bring-in": lambda hand: any(_short(event, BringIn) for event in hand.events),
    "an all-in wager": lambda hand: any(_short(event, Wager) for event in hand.events),
    "a bring-in player who bets at once": _wagers_before_bring_in,
    "nobody able to bring in": lambda hand: not _has(hand, Wager, BringIn),
    "a winner who shows unasked": _shows_unasked,
    "a mucked hand": lambda hand: any(line.mucked for line in hand.summary.seats),
    "a winner who does not show": lambda hand: (
        _has(hand, Muck) and not any(line.mucked for line in hand.summary.seats)
    ),
    "a player sitting out": lambda hand: any(player.sitting_out for player in hand.players),
    "somebody who joins": lambda hand: _notes(hand, "joins the table at seat #"),
    "somebody who leaves": lambda hand: _notes(hand, "leaves the table"),
    "somebody who returns": lambda hand: _notes(hand, "has returned"),
    "somebody who talks": lambda hand: _notes(hand, 'said, "'),
    "somebody who times out": lambda hand: _notes(hand, "has timed out"),
    "somebody who is knocked out": lambda hand: _notes(hand, "finished the tournament in"),
    "a tournament's winner": lambda hand: _notes(hand, "wins the tournament"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_there_is(kind: str, simulated: list[Simulated]) -> None:
    assert sum(KINDS[kind](one.hand) for one in simulated) > 0


def test_the_bring_in_moves_past_a_player_who_is_all_in(simulated: list[Simulated]) -> None:
    moved = 0
    for one in simulated:
        doors = {r.seat: r.door_card for r in one.replayed.results if r.door_card}
        highest = max(doors, key=lambda seat: doors[seat])
        moved += one.replayed.bring_in_seat not in (None, highest)
    assert moved > 0


def test_tournament_levels_rise_and_chips_stay(simulated: list[Simulated]) -> None:
    for one, other in pairwise(one for one in simulated if one.table == "tournament"):
        if one.players == other.players:
            assert one.hand.stakes.small_bet <= other.hand.stakes.small_bet
            assert sum(p.stack for p in one.hand.players) == one.players * 1500
    levels = {one.hand.tournament.level for one in simulated if one.hand.tournament}
    assert {"Level I", "Level IV", "Level IX"} <= levels


# ---- the same for the same seed


def test_the_same_arguments_give_the_same_hands() -> None:
    setup = Setup(buy_in=(1.0, 6.0), talk=0.5)
    assert list(simulate_hands(40, 7, 3, setup)) == list(simulate_hands(40, 7, 3, setup))


def test_another_seed_gives_other_hands() -> None:
    assert list(simulate_hands(5, 7, 3)) != list(simulate_hands(5, 7, 4))


def test_more_hands_begin_with_the_same_ones() -> None:
    assert list(simulate_hands(20, 5, 9)) == list(simulate_hands(30, 5, 9))[:20]


def test_the_first_hand_is_as_set_up() -> None:
    start = datetime(2026, 7, 1, 12, 30, tzinfo=UTC)
    setup = Setup(table="Vega", start=start, hero="me", hero_seat=4, first_number=17, max_seats=8)
    (hand,) = simulate_hands(1, 3, 1, setup)
    assert (hand.table, hand.played_at, hand.max_seats) == ("Vega", start, 8)
    assert (hand.hand_id.site, hand.hand_id.number) == ("pokerstars", "17")
    assert hand.hero == 4
    assert [player.name for player in hand.players if player.seat == 4] == ["me"]
    assert len(hand.players) == 3


@pytest.mark.parametrize("players", [1, 9])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 8 players"):
        next(simulate_hands(1, players))


def test_a_table_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        next(simulate_hands(1, 7, setup=Setup(max_seats=6)))
    with pytest.raises(ValueError, match="seat 7"):
        next(simulate_hands(1, 2, setup=Setup(hero_seat=7)))
    with pytest.raises(ValueError, match="too few"):
        next(simulate_hands(1, 2, setup=Setup(names=("only me",))))


# ---- strategies


def _vpip(strategy: Strategy) -> float:
    setup = Setup(hero_strategy=strategy, talk=0.0)
    entered = hands = 0
    for hand in simulate_hands(250, 6, 11, setup):
        replayed = replay(hand).value
        assert replayed is not None
        hands += 1
        entered += any(
            action.seat == hand.hero
            and action.street is Street.THIRD
            and action.kind in WAGERS | {ActionKind.CALL}
            for action in replayed.actions
        )
    return entered / hands


def test_strategies_differ_in_how_often_they_play() -> None:
    nit, tight, station, maniac = map(_vpip, (NIT, TIGHT_AGGRESSIVE, CALLING_STATION, MANIAC))
    assert nit + 0.04 < tight
    assert tight + 0.15 < min(station, maniac)


def test_strategies_have_names_of_their_own() -> None:
    assert len({strategy.name for strategy in STRATEGIES}) == len(STRATEGIES) >= 4


THIRD = View(
    street=Street.THIRD,
    cards=(),
    up_cards=(),
    opponents=(parse_cards("Kc"), parse_cards("9d")),
    behind=parse_cards("9d"),
    dead=parse_cards("Kc 9d"),
    pot=Chips(10),
    bet=Chips(4),
    wagers=0,
)
FIRST_IN = LegalActions(
    frozenset((ActionKind.FOLD, ActionKind.CALL, ActionKind.COMPLETE)), Chips(2), (Chips(4),)
)
FACING_RAISE = LegalActions(frozenset((ActionKind.FOLD, ActionKind.CALL)), Chips(4), ())


def _choices(view: View, legal: LegalActions, strategy: Strategy) -> Counter[ActionKind]:
    rng = Random(1)
    return Counter(decide(view, legal, strategy, rng) for _ in range(200))


def _on_third(cards: str, **changes: object) -> View:
    own = parse_cards(cards)
    return replace_view(THIRD, cards=own, up_cards=own[2:], **changes)


def replace_view(view: View, **changes: object) -> View:
    return View(**{**view._asdict(), **changes})


def test_three_low_cards_are_completed() -> None:
    assert _choices(_on_third("2c 4d 6h"), FIRST_IN, TIGHT_AGGRESSIVE)[ActionKind.COMPLETE] > 150


@pytest.mark.parametrize("cards", ["Kc 2d Qh", "6s 6d Jh", "Th Jd Qc"])
def test_high_cards_and_pairs_are_folded(cards: str) -> None:
    assert set(_choices(_on_third(cards), FIRST_IN, TIGHT_AGGRESSIVE)) == {ActionKind.FOLD}
    assert set(_choices(_on_third(cards), FACING_RAISE, NIT)) == {ActionKind.FOLD}


def test_the_lowest_door_left_steals() -> None:
    door_up, low_behind = "Kd Qs 5c", parse_cards("3d 4h 2c")
    steals = _choices(_on_third(door_up), FIRST_IN, MANIAC)
    assert steals[ActionKind.COMPLETE] > 100
    fewer = _choices(_on_third(door_up, behind=low_behind), FIRST_IN, TIGHT_AGGRESSIVE)
    assert fewer[ActionKind.COMPLETE] == 0


def test_dead_cards_change_what_a_start_is_worth() -> None:
    cards = parse_cards("2c 4d 6h")
    live = start_value(cards, parse_cards("2d 4h 6s Kd"))
    assert live > start_value(cards) > start_value(cards, parse_cards("3d 5h 7s Ad"))


LATER = View(
    street=Street.FIFTH,
    cards=(),
    up_cards=(),
    opponents=(),
    behind=(),
    dead=(),
    pot=Chips(40),
    bet=Chips(8),
    wagers=0,
)
OPEN = LegalActions(frozenset((ActionKind.CHECK, ActionKind.BET)), Chips(0), (Chips(8),))
FACING_BET = LegalActions(
    frozenset((ActionKind.FOLD, ActionKind.CALL, ActionKind.RAISE)), Chips(8), (Chips(16),)
)


def _later(cards: str, opponent: str, **changes: object) -> View:
    own = parse_cards(cards)
    return replace_view(
        LATER, cards=own, up_cards=own[2:], opponents=(parse_cards(opponent),), **changes
    )


def test_the_better_board_bets() -> None:
    view = _later("2c 4d 6h 7s 8c", "9h Kd Qs")
    assert _choices(view, OPEN, TIGHT_AGGRESSIVE)[ActionKind.BET] > 150


def test_bricks_are_folded_and_draws_are_called() -> None:
    bricks = _later("2c 4d 6h Ks Qc", "3h 5d 7s", wagers=1)
    draw = _later("2c 4d 6h 7s Kc", "3h 8d Js", wagers=1)
    assert _choices(bricks, FACING_BET, TIGHT_AGGRESSIVE)[ActionKind.FOLD] > 150
    assert _choices(draw, FACING_BET, TIGHT_AGGRESSIVE)[ActionKind.FOLD] < 50
    assert _choices(bricks, FACING_BET, CALLING_STATION)[ActionKind.FOLD] < 50


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ac 2d 3h 4s 5c", "2d 3h 4s 5c 7d"),
        ("2d 3h 4s 5c 8d", "2d 3h 4s 5c Kd"),
        ("2d 3h 4s 5c Kd", "2d 3h 4s Qc Kd"),
        ("2d 3h 4s", "2d 3h 3s"),
    ],
)
def test_strength_follows_the_low(better: str, worse: str) -> None:
    assert hand_strength(parse_cards(better)) > hand_strength(parse_cards(worse))


def test_a_low_board_looks_stronger_than_a_high_one() -> None:
    low, high = (board_strength(parse_cards(cards), Street.SIXTH) for cards in ("2c 3d 5h", "Kc"))
    assert low > high


def test_a_player_sees_no_card_that_is_hidden_from_him(simulated: list[Simulated]) -> None:
    """The hero's down cards are in the state, but not in what the others see."""
    looked = 0
    for one in simulated[::50]:
        dealt_in = {result.seat for result in one.replayed.results}
        players = [player for player in one.hand.players if player.seat in dealt_in]
        state = HandState(RAZZ, one.hand.stakes, players)
        for event in one.hand.events:
            if isinstance(event, Fold | Check | Call | Wager) and event.seat != one.hand.hero:
                view = view_of(state, event.seat, ())
                seen = {*view.cards, *view.up_cards, *view.behind, *view.dead}
                assert seen.union(*view.opponents) <= _up_cards(state)
                looked += 1
            state.apply(event)
    assert looked > 100


def _up_cards(state: HandState) -> set[Card]:
    up = {card for board in state.up_cards.values() for card in board}
    return up if state.community is None else up | {state.community}


# ---- rake, stakes


def test_rake_is_rounded_down_and_capped() -> None:
    hands = list(simulate_hands(60, 4, 5, Setup(stakes=usual_stakes(EUROS, 1000))))
    assert max(hand.summary.rake or 0 for hand in hands) == 100
    unraked = list(simulate_hands(60, 4, 5, Setup(rake=NO_RAKE)))
    assert {hand.summary.rake for hand in unraked} == {0}
    assert Rake(10, 3).of(()) == []


def test_usual_stakes_follow_the_small_bet() -> None:
    stakes = usual_stakes(EUROS, 100)
    assert (stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet) == (20, 50, 100, 200)
    own = usual_stakes(EUROS, 4, ante=1, bring_in=2)
    assert (own.ante, own.bring_in) == (1, 2)


def test_a_stake_that_the_text_does_not_state_is_not_stated(simulated: list[Simulated]) -> None:
    for one in simulated:
        whole = [e.amount for e in one.hand.events if isinstance(e, BringIn) and not e.all_in]
        assert one.hand.stakes.bring_in == (whole[0] if whole else 0)


def test_the_text_of_a_hand_ends_in_blank_lines() -> None:
    (hand,) = simulate_hands(1, 2, 1, Setup(hero_seat=Seat(1)))
    assert render_hand(hand).endswith(")\n\n\n\n")
