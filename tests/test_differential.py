"""PokerKit plays the same hands: the same turns, the same choices, the same money.

PokerKit is asked as a state machine, never through its hand histories, which it repairs. Where its
rules are known to be others, the difference has a name (`Difference`); there is no tolerance.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import pytest
from hands import SAMPLES, check_file, corpus_folder, text_files
from playouts import CASH, CHIPS, EAGER, Playout
from pokerkit import Automation, FixedLimitRazz, Mode, State

from razzstats.chips import Chips
from razzstats.events import Deal, Event, Seat, SeatedPlayer, Stakes, Street, StreetStart, Wager
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import DECISIONS, WAGERS, Action, ActionKind

PAYING = DECISIONS | {ActionKind.ANTE}

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Difference(StrEnum):
    """What PokerKit plays otherwise, and knowingly."""

    DECK = "folded cards are dealt again where online rooms deal one card for all"
    SHORT_WAGER = "a short wager counts towards the cap and never reopens the betting"
    ODD_CHIPS = "all odd chips go to the first of the winners"
    TIED_OPENER = "only the first of the lowest boards may open"
    ROUNDED_UP = "nobody rounds a short wager up to a whole one"


class Otherwise(Exception):
    """PokerKit cannot follow any further."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference)
        self.difference = difference


@dataclass
class Twin(Playout):
    """A playout that is played by PokerKit too, and compared before each action."""

    compared: Counter[str] = field(default_factory=Counter)
    short_on: Street | None = None
    """The street that saw an all-in wager of less than a whole bet."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.other = FixedLimitRazz.create_state(
            AUTOMATIONS,
            True,
            self.stakes.ante,
            self.stakes.bring_in,
            self.stakes.small_bet,
            self.stakes.big_bet,
            tuple(player.stack for player in self.players),
            len(self.players),
        )

    def do(self, event: Event) -> None:
        if isinstance(event, Wager) and event.to != self.state.wager_sizes()[0]:
            self.short_on = self.state.street
        super().do(event)

    # ---- dealing

    def deal(self, street: Street) -> None:
        super().deal(street)
        if self.other.can_burn_card():
            self.other.burn_card("??")
        starts = [event for event in self.events if isinstance(event, StreetStart)]
        if starts[-1].community:
            if not self.other.can_deal_board():
                raise Otherwise(Difference.DECK)
            self.other.deal_board(str(starts[-1].community))
            return
        for seat in self.state.live_seats:
            assert self.other.hole_dealee_index == self.state.seats.index(seat)
            new = self.hands[seat] if street is Street.THIRD else self.hands[seat][-1:]
            self.other.deal_hole("".join(map(str, new)))

    # ---- acting

    def choose(self) -> Event:
        legal, seat = self.state.legal(), self.state.to_act[0]
        assert self.other.actor_index == self.state.seats.index(seat), "another one's turn"
        theirs = self.their_kinds(legal.to_call)
        if self.state.bring_in_due and self.state.stacks[seat] <= self.stakes.bring_in:
            theirs -= WAGERS  # a completion with no more chips than the bring-in takes
        ours = legal.kinds - ({ActionKind.FOLD} if not legal.to_call else set())
        if not self.anybody_can_pay_more(seat):
            ours -= WAGERS  # a wager that would come back whole; PokerKit does not offer it
        sizes_agree = self.other.min_completion_betting_or_raising_to_amount in legal.wager_to[:1]
        if self.short_on is not self.state.street:
            assert ours == theirs
            assert sizes_agree or not theirs & WAGERS
        else:
            assert ours - WAGERS == theirs - WAGERS
            self.compared[Difference.SHORT_WAGER] += ours != theirs or not sizes_agree
            if not sizes_agree:
                ours -= WAGERS
        kinds = sorted(ours & theirs)
        kind = self.chance.choices(kinds, [EAGER[kind] for kind in kinds])[0]
        self.compared[kind] += 1
        event = self.event(seat, kind)
        self.tell(event, kind)
        return event

    def anybody_can_pay_more(self, seat: Seat) -> bool:
        """Whether another player could match any part of a wager."""
        state = self.state
        return any(
            state.street_bets[other] + state.stacks[other] > state.level
            for other in state.live_seats
            if other != seat
        )

    def their_kinds(self, to_call: int) -> set[ActionKind]:
        other = self.other
        kinds = set()
        if other.can_post_bring_in():
            kinds.add(ActionKind.BRING_IN)
            assert other.effective_bring_in_amount == to_call
        if other.can_check_or_call():
            kinds.add(ActionKind.CALL if to_call else ActionKind.CHECK)
            assert other.checking_or_calling_amount == to_call
        if other.can_fold():
            kinds.add(ActionKind.FOLD)
        if other.can_complete_bet_or_raise_to():
            kinds.add(self.state.wager_kind)
        return kinds

    def tell(self, event: Event, kind: ActionKind) -> None:
        if kind is ActionKind.BRING_IN:
            self.other.post_bring_in()
        elif kind is ActionKind.FOLD:
            self.other.fold()
        elif isinstance(event, Wager):
            self.other.complete_bet_or_raise_to(event.to)
        else:
            self.other.check_or_call()

    # ---- the end

    def compare_payoffs(self) -> None:
        assert not self.other.status
        ours = [self.state.collected[s] - self.state.contributed[s] for s in self.state.seats]
        theirs = list(self.other.payoffs)
        assert sum(ours) == sum(theirs) == 0
        assert [a + b for a, b in zip(ours, self.odd_chips_elsewhere(), strict=True)] == theirs

    def odd_chips_elsewhere(self) -> list[int]:
        """Return what each seat has more or less because PokerKit places odd chips otherwise."""
        moved = dict.fromkeys(self.state.seats, 0)
        for number, pot in enumerate(self.pots):
            shares = self.shares(number)
            share, odd = divmod(pot.amount, len(shares))
            for seat, amount in shares.items():
                theirs = share + (odd if seat == min(shares) else 0)
                moved[seat] += theirs - amount
        self.compared[Difference.ODD_CHIPS] += any(moved.values())
        return list(moved.values())


def twin(seed: int, *, short: bool) -> Twin:
    chance = random.Random(seed)
    stakes: Stakes = chance.choice([CASH, CHIPS])
    number = chance.choice([2, 2, 3, 4, 5, 6, 7, 8])
    least, most = (1, stakes.big_bet * 4) if short else (stakes.big_bet * 25, stakes.big_bet * 30)
    players = tuple(
        SeatedPlayer(
            seat=Seat(seat), name=f"Player {seat}", stack=Chips(chance.randint(least, most))
        )
        for seat in sorted(chance.sample(range(1, 9), number))
    )
    return Twin(stakes, players, chance)


def play_many(first: int, number: int, *, short: bool) -> Counter[str]:
    compared: Counter[str] = Counter()
    for seed in range(first, first + number):
        hand = twin(seed, short=short)
        try:
            hand.play()
            hand.compare_payoffs()
        except Otherwise as otherwise:
            compared[otherwise.difference] += 1
        except Exception as error:
            view = [str(event) for event in hand.events if not isinstance(event, Deal)]
            raise AssertionError(f"seed {seed}: {error}\n" + "\n".join(view)) from error
        compared += hand.compared
        compared["side pots"] += len(hand.pots) > 1
        compared["community card"] += hand.state.community is not None
    print(dict(compared))
    return compared


def test_pokerkit_plays_deep_stacks_alike() -> None:
    compared = play_many(0, 200, short=False)
    assert compared.keys() >= DECISIONS
    assert not compared[Difference.SHORT_WAGER]


def test_pokerkit_plays_short_stacks_alike() -> None:
    compared = play_many(0, 200, short=True)
    assert compared["side pots"] > 20
    assert compared[Difference.SHORT_WAGER] > 0


@pytest.mark.slow
@pytest.mark.parametrize("short", [False, True], ids=["deep stacks", "short stacks"])
def test_pokerkit_plays_thousands_of_hands_alike(short: bool) -> None:
    play_many(10_000, 2_500, short=short)


# ---- hands from files


def follow(hand: ReplayedHand) -> None:
    """Let PokerKit play a hand from a file up to its last decision, and compare what is put in."""
    stakes, seats = hand.parsed.stakes, [result.seat for result in hand.results]
    other = FixedLimitRazz.create_state(
        (Automation.ANTE_POSTING, Automation.BET_COLLECTION),
        True,
        stakes.ante,
        stakes.bring_in or 1,  # which no line says if nobody brings in
        stakes.small_bet,
        stakes.big_bet,
        tuple(result.stack for result in hand.results),
        len(seats),
        mode=Mode.CASH_GAME,
    )
    decisions = {action.line: action for action in hand.actions if action.kind in DECISIONS}
    last = max(decisions, default=0)
    for event in hand.parsed.events:
        if event.line > last:
            break
        if isinstance(event, StreetStart) and other.can_burn_card():
            other.burn_card("??")
        if isinstance(event, StreetStart) and event.street is Street.SEVENTH:
            while other.can_deal_hole():
                other.deal_hole("??")
            if event.community and other.can_deal_board():
                other.deal_board(str(event.community))
        elif isinstance(event, Deal) and event.up:
            assert seats[other.hole_dealee_index or 0] == event.seat
            cards = ("??" if card is None else str(card) for card in (*event.down, *event.up))
            other.deal_hole("".join(cards))
        elif event.line in decisions:
            take(other, decisions[event.line], seats)
    put_in = [start - left for start, left in zip(other.starting_stacks, other.stacks, strict=True)]
    ours = [_put_in(hand, seat) for seat in seats]
    after_return = [result.contributed for result in hand.results]
    assert put_in in (ours, after_return)  # PokerKit may not yet have given back what nobody called


def _put_in(hand: ReplayedHand, seat: Seat) -> int:
    return sum(a.amount for a in hand.actions if a.seat == seat and a.kind in PAYING)


def take(other: State, action: Action, seats: list[Seat]) -> None:
    """Let PokerKit's player do what ours did; it must be his turn, and the same amount."""
    assert other.actor_index is not None
    if seats[other.actor_index] != action.seat:
        assert action.street is not Street.THIRD
        assert not action.wagers
        raise Otherwise(Difference.TIED_OPENER)
    if action.kind is ActionKind.BRING_IN:
        other.post_bring_in()
    elif action.kind is ActionKind.FOLD:
        other.fold()
    elif action.kind in WAGERS:
        if action.to != other.min_completion_betting_or_raising_to_amount:
            assert any(stack == 0 for stack in other.stacks)
            raise Otherwise(Difference.ROUNDED_UP)
        other.complete_bet_or_raise_to(action.to)
    else:
        assert other.check_or_call().amount == action.amount


def follow_all(files: list[Path]) -> Counter[str]:
    count: Counter[str] = Counter()
    for checked in (checked for file in files for checked in check_file(file)):
        if checked.replayed and not checked.diagnostics:
            try:
                follow(checked.replayed)
                count["hands"] += 1
            except Otherwise as otherwise:
                count[otherwise.difference] += 1
    print(dict(count))
    return count


def test_pokerkit_follows_the_real_hands() -> None:
    assert follow_all(text_files(corpus_folder("pokerstars"))) == {"hands": 20}


def test_pokerkit_follows_the_samples() -> None:
    count = follow_all(text_files(SAMPLES / "pokerstars"))
    assert count == {"hands": 397, Difference.ROUNDED_UP: 1}
