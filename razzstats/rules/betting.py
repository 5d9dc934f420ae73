"""The state of a hand: whose turn it is, what is legal, and what an event changes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from razzstats.cards import Card, MaybeCard
from razzstats.chips import Chips, uncalled_bet
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    Show,
    ShowdownStart,
    Stakes,
    Street,
    StreetStart,
    Wager,
)
from razzstats.rules.actions import (
    VOLUNTARY,
    WAGERS,
    Action,
    ActionKind,
    LegalActions,
)
from razzstats.rules.opening import bring_in_seat, clockwise, lowest_boards
from razzstats.rules.ruleset import BetSize, OpenerTie, Opening, RuleSet, SharedRiverOpener

_DECK_SIZE = 52


class HandState:
    """One hand in play. `legal` says what may be done, `apply` does it; `checks` tells why not.

    Everything is keyed by seat. `apply` trusts its event: ask `checks.violations` first.
    """

    # With so many attributes a class is quicker with slots: replaying takes a fifth less.
    __slots__ = (
        "antes", "bet", "bring_in_due", "bring_in_seat", "brought_in", "cards", "collected",
        "community", "contributed", "door_deals", "folded", "hidden_rivers", "last_street",
        "level", "live_seats", "may_wager", "mucked", "names", "opener_is_unknown", "pot",
        "rules", "seats", "seen", "short_bring_in", "short_level", "short_level_counts",
        "showdown", "shown", "shown_early", "stacks", "stakes", "street", "street_bets",
        "tied_openers", "to_act", "undealt", "unseen_boards", "up_cards", "wagers",
    )  # fmt: skip

    def __init__(self, rules: RuleSet, stakes: Stakes, players: Sequence[SeatedPlayer]) -> None:
        """Begin a hand for the players who are dealt in."""
        self.rules = rules
        self.stakes = stakes
        self.names = {player.seat: player.name for player in players}
        self.seats: tuple[Seat, ...] = tuple(sorted(self.names))
        self.live_seats: list[Seat] = list(self.seats)
        """The seats that have not folded, in order; a fold makes a new list."""
        self.stacks: dict[Seat, Chips] = {player.seat: player.stack for player in players}
        self.antes: dict[Seat, Chips] = {}
        self.contributed: dict[Seat, Chips] = dict.fromkeys(self.seats, Chips(0))
        self.collected: dict[Seat, Chips] = dict.fromkeys(self.seats, Chips(0))
        self.pot = Chips(0)
        self.folded: set[Seat] = set()
        self.last_street: dict[Seat, Street] = {}
        self.cards: dict[Seat, list[MaybeCard]] = {seat: [] for seat in self.seats}
        self.up_cards: dict[Seat, list[Card]] = {seat: [] for seat in self.seats}
        self.unseen_boards: set[Seat] = set()
        self.hidden_rivers: set[Seat] = set()
        self.community: MaybeCard = None
        self.seen: dict[Card, Event] = {}
        self.door_deals: dict[Seat, Event] = {}
        # The street in play.
        self.street: Street | None = None
        self.bet = Chips(0)
        """The fixed bet of the street."""
        self.undealt: list[Seat] = []
        self.street_bets: dict[Seat, Chips] = dict.fromkeys(self.seats, Chips(0))
        self.level = Chips(0)
        self.wagers = 0
        self.short_level = False
        self.short_level_counts = False
        self.to_act: list[Seat] = []
        self.may_wager: set[Seat] = set()
        self.bring_in_due = False
        self.bring_in_seat: Seat | None = None
        self.short_bring_in = False
        self.brought_in = Chips(0)
        self.tied_openers: tuple[Seat, ...] = ()
        self.opener_is_unknown = False
        # The showdown.
        self.showdown = False
        self.shown: set[Seat] = set()
        self.shown_early: set[Seat] = set()
        self.mucked: set[Seat] = set()

    # ---- what can be asked

    @property
    def is_uncontested(self) -> bool:
        """Whether all but one player folded."""
        return len(self.live_seats) == 1

    @property
    def betting_is_over(self) -> bool:
        """Whether nobody is left to act or to be dealt to on this street."""
        return not self.to_act and not self.undealt

    @property
    def is_over(self) -> bool:
        """Whether the pot can be awarded: one player is left, or seventh street is played out."""
        return self.betting_is_over and (self.is_uncontested or self.street is Street.SEVENTH)

    @property
    def nobody_can_bet(self) -> bool:
        """Whether the cards are only dealt out, as one player at most has chips left."""
        return self.betting_is_over and not self._two_have_chips

    @property
    def cap(self) -> int | None:
        """How many wagers the street may see; None is no cap."""
        return self.rules.cap_heads_up if len(self.live_seats) == 2 else self.rules.cap

    @property
    def _two_have_chips(self) -> bool:
        stacks, found = self.stacks, False
        for seat in self.live_seats:
            if stacks[seat]:
                if found:
                    return True
                found = True
        return False

    def to_call(self, seat: Seat) -> Chips:
        """Return what the seat must add to stay in, at most its stack."""
        due = self.stakes.bring_in if self.bring_in_due else self.level - self.street_bets[seat]
        stack = self.stacks[seat]
        return stack if due > stack else Chips(due)

    def uncalled(self) -> tuple[Seat, Chips] | None:
        """Return the seat whose bet nobody matched and the part to give back, or None."""
        return uncalled_bet(self.contributed)

    def cards_left(self) -> int:
        """Return how many cards have not been dealt, burned ones included."""
        return _DECK_SIZE - sum(len(cards) for cards in self.cards.values())

    def legal(self) -> LegalActions:
        """Return what the next player may do; he is ``to_act[0]``."""
        seat = self.to_act[0]
        to_call = self.to_call(seat)
        wager_to = self._wager_totals(seat, to_call)
        if self.bring_in_due:
            kinds = {ActionKind.BRING_IN}
        elif to_call:
            kinds = {ActionKind.FOLD, ActionKind.CALL}
        else:
            kinds = {ActionKind.FOLD, ActionKind.CHECK}
        if wager_to:
            kinds.add(self.wager_kind)
        return LegalActions(frozenset(kinds), to_call, wager_to)

    @property
    def wager_kind(self) -> ActionKind:
        """What a wager would be now: a completion, a bet or a raise."""
        assert self.street is not None
        if self.wagers or (self.level and self.short_level and not self._has_bring_in):
            return ActionKind.RAISE
        return ActionKind.COMPLETE if self._has_bring_in else ActionKind.BET

    @property
    def _has_bring_in(self) -> bool:
        assert self.street is not None
        return self.rules.rule(self.street).opening is Opening.BRING_IN

    def _can_wager(self, seat: Seat, to_call: Chips) -> bool:
        cap = self.cap
        if seat not in self.may_wager or (cap is not None and self.wagers >= cap):
            return False
        stack = self.stacks[seat]
        if not self.bring_in_due and stack <= to_call:
            return False
        if self.bring_in_due and self.stakes.bring_in and stack <= self.stakes.bring_in:
            return False
        bets, stacks, level = self.street_bets, self.stacks, self.level
        for other in self.live_seats:
            if bets[other] + stacks[other] > level and other != seat:  # somebody can answer
                return True
        return False

    def _wager_totals(self, seat: Seat, to_call: Chips) -> tuple[Chips, ...]:
        if not self._can_wager(seat, to_call):
            return ()
        all_in = Chips(self.street_bets[seat] + self.stacks[seat])
        affordable = tuple(total for total in self.wager_sizes() if total <= all_in)
        return affordable or (all_in,)

    def wager_sizes(self) -> tuple[Chips, ...]:
        """Return the totals that a full wager may make, the usual one first.

        After a short all-in wager rooms differ: the next player adds a whole bet to it, or rounds
        it up to full bets (to the next one if the short wager counted as one), or adds a whole bet
        to the bring-in that it was made over.
        """
        bet, level = self.bet, self.level
        if not self.wagers and not self.short_level:
            return (bet,)
        if not level % bet:
            return (Chips(level + bet),)
        completed = (level // bet + 1 + self.short_level_counts) * bet
        sizes = (Chips(level + bet), Chips(completed))
        if self.brought_in and self.street is Street.THIRD and self.level < bet:
            return (*sizes, Chips(self.brought_in + bet))
        return sizes

    def _is_full_wager(self, to: Chips, sizes: tuple[Chips, ...]) -> bool:
        """Return whether a wager to this total counts towards the cap and reopens the betting."""
        numerator, denominator = self.rules.full_wager
        return (to - self.level) * denominator >= (min(sizes) - self.level) * numerator

    # ---- what can be done

    def apply(self, event: Event) -> Action | None:
        """Change the state as the event says; return the action that it was, if it was one."""
        change = CHANGES.get(type(event))
        return change(self, event) if change else None

    def _start_showdown(self, event: ShowdownStart) -> None:
        self.showdown = True

    def _muck(self, event: Muck) -> Action:
        self.mucked.add(event.seat)
        return self._action(event.seat, ActionKind.MUCK, Chips(0), event.line)

    def _collect(self, event: Collect) -> Action:
        action = self._action(event.seat, ActionKind.COLLECT, event.amount, event.line)
        self.collected[event.seat] = Chips(self.collected[event.seat] + event.amount)
        return action

    def _start_street(self, event: StreetStart) -> None:
        self.street = event.street
        self.level, self.wagers, self.short_level = Chips(0), 0, False
        self.street_bets = dict.fromkeys(self.seats, Chips(0))
        live = self.live_seats
        for seat in live:
            self.last_street[seat] = event.street
        rule = self.rules.rule(event.street)
        small = rule.bet_size is BetSize.SMALL
        self.bet = self.stakes.small_bet if small else self.stakes.big_bet
        if rule.up_cards:
            self.undealt = list(live)
            return
        # Down cards alone: nobody but their owner need ever see them, so nothing is waited for.
        if event.community is not None:
            self.community = event.community
            self.seen[event.community] = event
        else:
            for seat in live:
                self.cards[seat].extend([None] * rule.down_cards)
        self._open_betting()

    def _deal(self, event: Deal) -> None:
        assert self.street is not None
        seat, up, down = event.seat, event.up, event.down
        cards, seen = self.cards[seat], self.seen
        for card in down:
            if card is not None:
                seen[card] = event
        if not self.rules.rule(self.street).up_cards:
            cards[len(cards) - len(down) :] = down
            if None in down:
                self.hidden_rivers.add(seat)
            return
        cards += (*down, *up)
        for card in up:
            if card is None:
                self.unseen_boards.add(seat)
            else:
                self.up_cards[seat].append(card)
                seen[card] = event
        if seat not in self.door_deals:
            self.door_deals[seat] = event
        self.undealt.remove(seat)
        if not self.undealt:
            self._open_betting()

    def _open_betting(self) -> None:
        assert self.street is not None
        stacks = self.stacks
        bettors = [seat for seat in self.live_seats if stacks[seat]]
        self.may_wager = set(bettors)
        self.to_act, self.tied_openers = [], ()
        self.opener_is_unknown = not self.unseen_boards.isdisjoint(self.live_seats)
        if len(bettors) < 2:
            return
        if self.opener_is_unknown:  # whoever acts first is believed
            self.bring_in_due = self._has_bring_in
            self.to_act = bettors
            return
        if self._has_bring_in:
            doors = {seat: self.up_cards[seat][0] for seat in self.live_seats}
            self.bring_in_due = True
            self.to_act = _from(bring_in_seat(doors), bettors)[:1]
        else:
            lowest = lowest_boards(self._boards(), self.rules.low_of)
            # A tied player without chips passes the turn to the next who has some.
            openers = tuple(dict.fromkeys([_from(seat, bettors)[0] for seat in lowest]))
            self.tied_openers = openers if self.rules.opener_tie is OpenerTie.ANY else openers[:1]
            self.to_act = _from(openers[0], bettors)

    def _boards(self) -> dict[Seat, list[Card]]:
        """Return the up cards that choose who opens the street."""
        if self.rules.shared_river_opener is SharedRiverOpener.LOWEST_OF_FIVE and self.community:
            return {seat: [*self.up_cards[seat], self.community] for seat in self.live_seats}
        return {seat: self.up_cards[seat] for seat in self.live_seats}

    def _ante(self, event: Ante) -> Action:
        action = self._action(event.seat, ActionKind.ANTE, event.amount, event.line)
        self.antes[event.seat] = event.amount
        self._pay(event.seat, event.amount)
        return action

    def _decide(self, event: BringIn | Fold | Check | Call | Wager) -> Action:
        seat = event.seat
        if seat != self.to_act[0]:  # another of the tied openers begins the street
            self.to_act = clockwise(self.to_act, seat)
        if self.bring_in_due:
            self.bring_in_seat = seat
        kind, amount, to = self._terms(event)
        to_call = self.to_call(seat)
        action = Action(
            self.street or Street.THIRD,
            seat,
            kind,
            amount,
            to,
            kind in _PUTS_IN and amount == self.stacks[seat],
            self.pot,
            to_call,
            self.wagers,
            self._can_wager(seat, to_call),
            event.line,
        )
        self.tied_openers, self.opener_is_unknown = (), False
        self.to_act.pop(0)
        self.may_wager.discard(seat)
        if kind in WAGERS:
            self._raise_level(seat, action.to or Chips(0))
        elif kind is ActionKind.FOLD:
            self.folded.add(seat)
            self.live_seats = [live for live in self.live_seats if live != seat]
        self._pay_on_street(seat, amount)
        if kind is ActionKind.BRING_IN:
            self.level = self.brought_in = amount
            self.short_bring_in = not self.stacks[seat]
            self.to_act = self._others_with_chips(seat)
            if self.rules.bring_in_option and self.stacks[seat]:
                self.to_act.append(seat)
                self.may_wager.add(seat)
        elif kind is ActionKind.CALL:
            self.level = Chips(max(self.level, self.street_bets[seat]))
        self.bring_in_due = False
        self._close_if_decided()
        return action

    def _terms(
        self, event: BringIn | Fold | Check | Call | Wager
    ) -> tuple[ActionKind, Chips, Chips | None]:
        if isinstance(event, Wager):
            return self.wager_kind, Chips(event.to - self.street_bets[event.seat]), event.to
        if isinstance(event, _CALLS):
            return _KIND_OF[type(event)], event.amount, None
        return _KIND_OF[type(event)], Chips(0), None

    def _raise_level(self, seat: Seat, to: Chips) -> None:
        sizes = self.wager_sizes()
        self.short_level = to not in sizes
        self.short_level_counts = self._is_full_wager(to, sizes)
        if self.short_level_counts:
            self.wagers += 1
            self.may_wager = {other for other in self.live_seats if other != seat}
        self.level = to
        self.to_act = self._others_with_chips(seat)

    def _others_with_chips(self, seat: Seat) -> list[Seat]:
        stacks = self.stacks
        return _from(seat, [s for s in self.live_seats if s != seat and stacks[s]])

    def _close_if_decided(self) -> None:
        if self.is_uncontested:
            self.to_act = []
        elif not self._two_have_chips:
            # Nobody could answer a wager, so only those who still owe a call are asked.
            self.to_act = [s for s in self.to_act if self.street_bets[s] < self.level]

    def _return(self, event: ReturnedBet) -> Action:
        action = self._action(event.seat, ActionKind.RETURN, event.amount, event.line)
        self._pay(event.seat, Chips(-event.amount))
        return action

    def _show(self, event: Show) -> Action:
        cards = self.cards[event.seat]
        if len(event.cards) == len(cards):
            cards[:] = event.cards
        for card in event.cards:
            self.seen.setdefault(card, event)
        self.shown.add(event.seat)
        if not (self.showdown or self.is_uncontested):
            self.shown_early.add(event.seat)
        return self._action(event.seat, ActionKind.SHOW, Chips(0), event.line)

    def _pay(self, seat: Seat, amount: Chips) -> None:
        self.stacks[seat] = Chips(self.stacks[seat] - amount)
        self.contributed[seat] = Chips(self.contributed[seat] + amount)
        self.pot = Chips(self.pot + amount)

    def _pay_on_street(self, seat: Seat, amount: Chips) -> None:
        self.street_bets[seat] = Chips(self.street_bets[seat] + amount)
        self._pay(seat, amount)

    def _action(
        self,
        seat: Seat,
        kind: ActionKind,
        amount: Chips,
        line: int,
    ) -> Action:
        """Return an action that is no decision."""
        return Action(
            self.street or Street.THIRD,
            seat,
            kind,
            amount,
            None,
            kind is ActionKind.ANTE and amount == self.stacks[seat],
            self.pot,
            Chips(0),
            self.wagers,
            False,
            line,
        )


def _from(first: Seat, seats: list[Seat]) -> list[Seat]:
    """Return seats that stand in order in clockwise order from ``first`` or the next one on."""
    if not seats or seats[0] >= first:
        return seats
    return [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]


_CALLS = (BringIn, Call)
_KIND_OF: Mapping[type[Any], ActionKind] = {
    BringIn: ActionKind.BRING_IN,
    Fold: ActionKind.FOLD,
    Check: ActionKind.CHECK,
    Call: ActionKind.CALL,
}
_PUTS_IN = VOLUNTARY | {ActionKind.BRING_IN}

CHANGES: Mapping[type[Any], Callable[[HandState, Any], Action | None]] = {
    Ante: HandState._ante,
    StreetStart: HandState._start_street,
    Deal: HandState._deal,
    BringIn: HandState._decide,
    Fold: HandState._decide,
    Check: HandState._decide,
    Call: HandState._decide,
    Wager: HandState._decide,
    ReturnedBet: HandState._return,
    ShowdownStart: HandState._start_showdown,
    Show: HandState._show,
    Muck: HandState._muck,
    Collect: HandState._collect,
}
"""What an event does; those without a row change nothing."""
