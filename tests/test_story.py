"""The story of a hand: what lies on the table after each step, and who gets how much of the pot."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from cli import hand as short_hand
from cli import wrong_hand
from hands import check
from report_hands import sample_hand, sample_hands, simulated_hands

from razzstats.cards import Card, MaybeCard, format_cards
from razzstats.equity import Holding, Spot, calculate
from razzstats.events import Deal, Seat, Show, Street, StreetStart
from razzstats.locations import HandText
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import DECISIONS, WAGERS, ActionKind
from razzstats.story import QUICK, THOROUGH, Effort, Step, equities, tell


def simulated() -> Iterator[ReplayedHand]:
    for players in range(2, 9):
        yield from simulated_hands(40, players, seed=players)


Told = list[tuple[ReplayedHand, tuple[Step, ...]]]


@pytest.fixture(scope="module", params=["samples", "simulated"])
def told(request: pytest.FixtureRequest) -> Told:
    """Every hand with its steps."""
    hands = sample_hands() if request.param == "samples" else simulated()
    return [(each, tell(each)) for each in hands]


def number(hand: ReplayedHand) -> str:
    return hand.parsed.hand_id.number


# ---- chips


def test_the_last_step_is_what_the_hand_came_to(told: Told) -> None:
    assert len(told) >= 200
    for hand, steps in told:
        assert steps[-1].pot == hand.rake, number(hand)
        ends = {result.seat: result.stack + result.net for result in hand.results}
        assert steps[-1].stacks == ends, number(hand)


def test_no_chip_comes_or_goes(told: Told) -> None:
    for hand, steps in told:
        chips = sum(result.stack for result in hand.results)
        for step in steps:
            assert step.pot + sum(step.stacks.values()) == chips, number(hand)
            assert step.pot >= 0
            assert min(step.stacks.values()) >= 0


def test_no_bet_is_below_nothing(told: Told) -> None:
    for hand, steps in told:
        for step in steps:
            assert all(bet > 0 for bet in step.bets.values()), number(hand)


def test_bets_are_those_of_the_street_and_lie_in_the_pot(told: Told) -> None:
    for hand, steps in told:
        for step in steps:
            assert sum(step.bets.values()) <= step.pot, number(hand)
            if step.action is None:
                assert not step.bets
            elif step.action.kind in WAGERS:
                assert step.bets[step.action.seat] == step.action.to == max(step.bets.values())


def test_each_decision_is_faced_with_the_table_of_the_step_before(told: Told) -> None:
    """What the rules say of the pot and the price is what lay there, and all-in takes all."""
    for hand, steps in told:
        for before, step in pairwise(steps):
            action = step.action
            if action is None or action.kind not in DECISIONS:
                continue
            assert action.pot == before.pot, number(hand)
            if action.kind is ActionKind.CALL and not action.all_in:
                assert action.to_call == action.amount
            assert action.all_in == (step.stacks[action.seat] == 0 and action.amount > 0)


def test_the_price_is_the_part_of_the_pot_after_a_call_that_the_call_is(told: Told) -> None:
    prices = 0
    for _, steps in told:
        for before, step in pairwise(steps):
            if step.action is None or not step.action.to_call:
                assert step.price is None
                continue
            prices += 1
            call = step.action.to_call
            assert step.price == Fraction(call, before.pot + call)
            assert 0 < step.price < 1
    assert prices > 1000


# ---- cards and players


def test_who_has_folded_stays_out(told: Told) -> None:
    for hand, steps in told:
        for before, step in pairwise(steps):
            new = step.folded - before.folded
            is_fold = step.action is not None and step.action.kind is ActionKind.FOLD
            assert before.folded <= step.folded
            assert new == ({step.action.seat} if is_fold and step.action else set()), number(hand)
        assert steps[-1].folded == {result.seat for result in hand.results if result.folded}


def known(cards: tuple[MaybeCard, ...]) -> set[Card]:
    return {card for card in cards if card is not None}


def test_cards_that_were_seen_stay_seen_in_their_places(told: Told) -> None:
    for hand, steps in told:
        for before, step in pairwise(steps):
            for seat, cards in before.cards.items():
                now = step.cards[seat]
                assert len(now) >= len(cards)
                for old, new in zip(cards, now, strict=False):
                    assert old in (None, new), number(hand)


def test_cards_are_seen_when_the_text_shows_them_and_no_sooner(told: Told) -> None:
    """Down cards of others are those that the text says they showed, and by then."""
    hidden = 0
    for hand, steps in told:
        shows = [event for event in hand.parsed.events if isinstance(event, Show)]
        shown, begun = 0, False
        for step in steps:
            begun |= step.action is None
            shown += step.action is not None and step.action.kind is ActionKind.SHOW
            if step.action is None or step.action.kind is ActionKind.ANTE or not begun:
                continue
            seen = _dealt_face_up(hand, step.street)
            for event in shows[:shown]:
                seen[event.seat] |= known(event.cards)
            for result in hand.results:
                more = known(step.cards[result.seat]) - seen[result.seat]
                assert seen[result.seat] <= known(step.cards[result.seat]), number(hand)
                # Some texts print up cards in the end alone; those at the table saw them.
                assert more <= known(result.cards[2:6]), number(hand)
            hidden += any(None in cards for cards in step.cards.values())
    assert hidden > 1000


def _dealt_face_up(hand: ReplayedHand, street: Street) -> dict[Seat, set[Card]]:
    """Return what the deals until a street show to the hero, his own cards among it."""
    seen: dict[Seat, set[Card]] = {result.seat: set() for result in hand.results}
    for event in hand.parsed.events:
        if isinstance(event, StreetStart) and event.street > street:
            break
        if isinstance(event, Deal):
            seen[event.seat] |= known(event.up)
            if event.seat == hand.parsed.hero:
                seen[event.seat] |= known(event.down)
    return seen


def test_dead_cards_are_those_seen_of_players_who_folded(told: Told) -> None:
    dead = 0
    for hand, steps in told:
        for step in steps:
            gone = [card for seat in sorted(step.folded) for card in step.cards[seat] if card]
            assert list(step.dead) == gone, number(hand)
            alive = [step.cards[seat] for seat in step.cards if seat not in step.folded]
            assert not set(gone) & set().union(*map(known, alive))
            dead += bool(gone)
    assert dead > 300


# ---- the order of steps


def test_every_action_is_a_step_and_every_street_is_dealt_before_it(told: Told) -> None:
    for hand, steps in told:
        actions = [step.action for step in steps if step.action is not None]
        assert actions == list(hand.actions), number(hand)
        assert [step.seq for step in steps if step.action] == list(range(len(actions)))
        dealt = [step.street for step in steps if step.action is None]
        assert dealt == sorted(set(dealt))
        assert max(dealt) == max(result.last_street for result in hand.results)
        streets = [step.street for step in steps]
        assert streets == sorted(streets), number(hand)


def spoken(step: Step) -> str:
    """Return a step in short: who, what, how much; the pot and the bets after it."""
    action = step.action
    what = step.street.name if action is None else f"{action.seat} {action.kind} {action.amount}"
    bets = " ".join(f"{seat}:{bet}" for seat, bet in sorted(step.bets.items()))
    return f"{what} | {step.pot} | {bets}"


def test_a_hand_with_side_pots_is_told_step_by_step() -> None:
    """Each step was worked out by hand from the text of the sample; amounts are cents."""
    hand = sample_hand("262000000101")
    steps = tell(hand)
    assert [spoken(step) for step in steps] == [
        "1 ante 10 | 10 | ",
        "2 ante 10 | 20 | ",
        "3 ante 10 | 30 | ",
        "5 ante 10 | 40 | ",
        "THIRD | 40 | ",
        "5 bring-in 25 | 65 | 5:25",
        "1 complete 50 | 115 | 1:50 5:25",
        "2 raise 100 | 215 | 1:50 2:100 5:25",
        "3 raise 150 | 365 | 1:50 2:100 3:150 5:25",
        "5 call 125 | 490 | 1:50 2:100 3:150 5:150",
        "1 raise 150 | 640 | 1:200 2:100 3:150 5:150",
        "2 call 100 | 740 | 1:200 2:200 3:150 5:150",
        "3 call 50 | 790 | 1:200 2:200 3:200 5:150",
        "5 call 50 | 840 | 1:200 2:200 3:200 5:200",
        "FOURTH | 840 | ",
        "1 bet 50 | 890 | 1:50",
        "2 raise 100 | 990 | 1:50 2:100",
        "3 raise 150 | 1140 | 1:50 2:100 3:150",
        "5 call 150 | 1290 | 1:50 2:100 3:150 5:150",
        "1 call 75 | 1365 | 1:125 2:100 3:150 5:150",
        "2 call 50 | 1415 | 1:125 2:150 3:150 5:150",
        "FIFTH | 1415 | ",
        "2 bet 100 | 1515 | 2:100",
        "3 raise 200 | 1715 | 2:100 3:200",
        "5 call 200 | 1915 | 2:100 3:200 5:200",
        "2 raise 200 | 2115 | 2:300 3:200 5:200",
        "3 call 50 | 2165 | 2:300 3:250 5:200",
        "5 call 100 | 2265 | 2:300 3:250 5:300",
        "SIXTH | 2265 | ",
        "2 bet 100 | 2365 | 2:100",
        "5 raise 200 | 2565 | 2:100 5:200",
        "2 raise 200 | 2765 | 2:300 5:200",
        "5 raise 200 | 2965 | 2:300 5:400",
        "2 call 100 | 3065 | 2:400 5:400",
        "SEVENTH | 3065 | ",
        "2 bet 100 | 3165 | 2:100",
        "5 raise 200 | 3365 | 2:100 5:200",
        "2 call 100 | 3465 | 2:200 5:200",
        "5 show 0 | 3465 | 2:200 5:200",
        "2 show 0 | 3465 | 2:200 5:200",
        "2 collect 1300 | 2165 | ",
        "3 show 0 | 2165 | ",
        "3 collect 792 | 1373 | ",
        "1 show 0 | 1373 | ",
        "1 collect 1273 | 100 | ",
    ]
    all_in = [spoken(step).partition(" | ")[0] for step in steps if step.action and
              step.action.all_in]  # fmt: skip
    assert all_in == ["1 call 75", "3 call 50", "5 raise 200"]
    called = next(step for step in steps if spoken(step).startswith("1 call 75"))
    assert called.price == Fraction(75, 1290 + 75)
    assert format_cards(called.cards[Seat(3)]) == "xx xx 5s 8d"
    assert format_cards(steps[-1].cards[Seat(3)]) == "6c 3c 5s 8d Ah 8c 2h"
    assert format_cards(steps[-7].cards[Seat(2)]) == "4d Ac 3h 7s 2d Qc Kc"


def test_an_ante_that_comes_back_is_no_bet() -> None:
    """The other player could not match it; it goes back before the cards are dealt."""
    steps = tell(sample_hand("15200440201"))
    assert [spoken(step) for step in steps][:4] == [
        "1 ante 10 | 10 | ",
        "2 ante 7 | 17 | ",
        "1 return 3 | 14 | ",
        "THIRD | 14 | ",
    ]


def test_who_shows_twice_shows_more_the_second_time() -> None:
    """In this hand of one line both turn up five cards when all-in, and all seven in the end."""
    steps = tell(sample_hand("88-10532ef0bf10"))
    shows = [step for step in steps if step.action and step.action.kind is ActionKind.SHOW]
    assert [format_cards(step.cards[step.action.seat]) for step in shows if step.action] == [
        "2c 6d Ks 3c 8s",
        "Ad 4s 7h 9d 5c",
        "Ad 4s 7h 9d 5c Qd Js",
        "2c 6d Ks 3c 8s Ah Tc",
    ]


def test_the_card_for_all_on_seventh_is_nobodys_own() -> None:
    hand = sample_hand("262000000202")
    steps = tell(hand)
    seventh = next(step for step in steps if step.street is Street.SEVENTH)
    assert seventh.action is None
    assert hand.community is not None
    assert {len(cards) for cards in seventh.cards.values()} <= {3, 4, 5, 6}
    live = [cards for seat, cards in seventh.cards.items() if seat not in seventh.folded]
    assert {len(cards) for cards in live} == {6}
    assert hand.community not in set().union(*map(known, seventh.cards.values()))
    shares = equities(hand, seventh, seen=True, effort=QUICK)
    assert shares is not None
    assert sum(shares.shares.values()) == 1
    # With it, who wins is settled where all other cards are known.
    settled = equities(hand, steps[-1], seen=False, effort=QUICK)
    assert settled is not None
    assert settled.whole
    winners = {result.seat for result in hand.results if result.collected}
    assert {seat for seat, share in settled.shares.items() if share} == winners


# ---- hands that break a rule


def test_a_rejected_hand_is_told_until_its_fault() -> None:
    right, wrong = check(short_hand(666)).replayed, check(wrong_hand(666)).replayed
    assert right is not None
    assert wrong is not None
    # The wrong player brings in: the antes were posted, and the first cards lay there.
    assert tell(wrong)[:3] == tell(right)[:2] + tell(wrong)[2:3]
    assert [step.street for step in tell(wrong) if step.action is None] == [Street.THIRD]
    assert format_cards(tell(wrong)[-1].cards[Seat(1)]) == "2c 3d 4h"
    assert tell(wrong)[-1].pot == 2


def _state(step: Step) -> Step:
    return replace(step, action=None)


def test_whatever_line_is_missing_the_steps_before_it_are_told() -> None:
    hand = sample_hand("262000000101")
    steps, text = tell(hand), hand.parsed.text
    acted = [step for step in steps if step.action is not None]
    rejected = 0
    for step in acted[4:]:
        assert step.action is not None
        line = step.action.line
        lines = text.lines[:line] + text.lines[line + 1 :]
        damaged = check(HandText(text.file, text.first_line, lines))
        assert damaged.replayed is not None
        rejected += any(found.is_error for found in damaged.diagnostics)
        told = [each for each in tell(damaged.replayed) if each.action is not None]
        before = [each for each in acted if each.action and each.action.line < line]
        assert [_state(each) for each in told[: len(before)]] == [_state(each) for each in before]
    assert rejected == len(acted) - 4


# ---- equities


def ends(hands: list[ReplayedHand]) -> Iterator[tuple[ReplayedHand, Step]]:
    """Yield hands at whose end two showed all their cards, each with its last step."""
    for hand in hands:
        steps = tell(hand)
        live = [result for result in hand.results if not result.folded]
        last = steps[-1]
        if len(live) == 2 and len(hand.pots) == 1:
            cards = [last.cards[result.seat] for result in live]
            if all(len(each) == 7 and None not in each for each in cards):
                yield hand, last


def test_with_all_cards_known_the_winner_has_the_whole_pot() -> None:
    """Who wins is what the rooms' files and the simulated payouts say."""
    found = list(ends([*sample_hands(), *simulated()]))
    shares_seen = set()
    for hand, step in found:
        winners = [result.seat for result in hand.results if result.collected]
        shares = equities(hand, step, seen=True, effort=QUICK)
        assert shares is not None
        assert (shares.exact, shares.whole) == (True, True)
        live = {result.seat for result in hand.results if not result.folded}
        whole = Fraction(1, len(winners))
        assert shares.shares == {seat: whole if seat in winners else 0 for seat in live}
        shares_seen |= set(shares.shares.values())
    assert len(found) > 30
    assert shares_seen >= {Fraction(0), Fraction(1)}


def test_equal_hands_have_half_each() -> None:
    hand = sample_hand("262000000404")
    last = tell(hand)[-1]
    shares = equities(hand, last, seen=True, effort=QUICK)
    assert shares is not None
    assert set(shares.shares.values()) == {Fraction(1, 2)}


def deals(hand: ReplayedHand, least: Street) -> list[Step]:
    return [step for step in tell(hand) if step.action is None and step.street >= least]


@pytest.mark.parametrize("seen", [True, False])
def test_equities_are_those_of_the_spot_that_the_cards_make(seen: bool) -> None:
    compared = 0
    for hand in simulated_hands(60, 6, seed=5):
        by_seat = {result.seat: result for result in hand.results}
        for step in deals(hand, Street.SIXTH):
            live = [seat for seat in step.cards if seat not in step.folded]
            shares = equities(hand, step, seen=seen, effort=THOROUGH)
            if len(live) < 2:
                assert shares is None
                continue
            assert shares is not None
            assert sum(shares.shares.values()) == 1
            assert list(shares.shares) == live
            held = [step.cards[s] if seen else by_seat[s].cards[: len(step.cards[s])] for s in live]
            assert shares.whole == all(None not in cards for cards in held)
            if shares.exact and compared < 20:
                spot = Spot(tuple(Holding(cards) for cards in held), step.dead)
                direct = calculate(spot)
                expected = [direct.share(place) for place in range(len(live))]
                assert list(shares.shares.values()) == expected
                compared += 1
    assert compared >= 10


def test_dead_cards_count() -> None:
    """A folded player's card is nobody's to come: without it the parts of the pot differ."""
    hand = sample_hand("261691632055")
    step = next(step for step in deals(hand, Street.SIXTH) if step.dead)
    with_them = equities(hand, step, seen=True, effort=THOROUGH)
    without = equities(hand, replace(step, dead=()), seen=True, effort=THOROUGH)
    assert with_them is not None
    assert without is not None
    assert with_them.shares != without.shares


def test_one_player_alone_has_no_equity() -> None:
    for hand in simulated_hands(30, 6, seed=9):
        for step in tell(hand):
            if len(step.cards) - len(step.folded) < 2:
                assert equities(hand, step, seen=True, effort=QUICK) is None
                assert equities(hand, step, seen=False, effort=QUICK) is None


def test_what_takes_too_long_is_sampled_and_says_so() -> None:
    hand = sample_hand("261691632055")
    (fifth, *_) = deals(hand, Street.FIFTH)
    shares = equities(hand, fifth, seen=True, effort=Effort(1000, 500))
    exact = equities(hand, fifth, seen=True, effort=THOROUGH)
    assert shares is not None
    assert exact is not None
    assert (shares.exact, exact.exact) == (False, True)
    assert sum(shares.shares.values()) == sum(exact.shares.values()) == 1
    for seat, share in exact.shares.items():
        assert abs(float(share - shares.shares[seat])) < 0.1


# ---- several pots


def test_side_pots_are_those_of_the_replay() -> None:
    several = 0
    for hand in sample_hands():
        shown = [s for s in tell(hand) if s.action and s.action.kind is ActionKind.SHOW]
        parted = next((step.pots for step in shown), None)
        if parted is None:
            continue
        wanted = tuple(pot.amount for pot in hand.pots)
        assert parted == (wanted if len(wanted) > 1 else ()), hand.parsed.hand_id
        assert sum(parted) in (0, hand.pot)
        several += bool(parted)
    assert several > 5


def test_pots_are_parted_only_between_rounds_of_bets() -> None:
    for hand in sample_hands():
        before: tuple[int, ...] = ()
        for step in tell(hand):
            moved = step.action is not None and step.action.kind not in (
                ActionKind.SHOW, ActionKind.COLLECT, ActionKind.RETURN
            )  # fmt: skip
            if moved:
                assert step.pots == before
            before = step.pots
        assert before == ()
