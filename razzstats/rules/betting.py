"""The state of a hand: whose turn it is, what is legal, and what an event changes."""

from collections.abc import Sequence

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
from razzstats.rules.actions import WAGERS, Action, ActionKind, LegalActions
from razzstats.rules.opening import bring_in_seat, clockwise, lowest_boards
from razzstats.rules.ruleset import BetSize, OpenerTie, Opening, RuleSet, SharedRiverOpener

_DECK_SIZE = 52


class HandState:
    """One hand in play. `legal` says what may be done, `apply` does it; `checks` tells why not.

    Everything is keyed by seat. `apply` trusts its event: ask `checks.violations` first.
    """

    def __init__(self, rules: RuleSet, stakes: Stakes, players: Sequence[SeatedPlayer]) -> None:
        """Begin a hand for the players who are dealt in."""
        self.rules = rules
        self.stakes = stakes
        self.names = {player.seat: player.name for player in players}
        self.seats: tuple[Seat, ...] = tuple(sorted(self.names))
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
    def live_seats(self) -> list[Seat]:
        """The seats that have not folded."""
        return [seat for seat in self.seats if seat not in self.folded]

    @property
    def is_uncontested(self) -> bool:
        """Whether all but one player folded."""
        return len(self.seats) - len(self.folded) == 1

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
        return self.betting_is_over and sum(bool(self.stacks[s]) for s in self.live_seats) < 2

    @property
    def cap(self) -> int | None:
        """How many wagers the street may see; None is no cap."""
        heads_up = len(self.seats) - len(self.folded) == 2
        return self.rules.cap_heads_up if heads_up else self.rules.cap

    @property
    def bet(self) -> Chips:
        """The fixed bet of this street."""
        assert self.street is not None
        small = self.rules.rule(self.street).bet_size is BetSize.SMALL
        return self.stakes.small_bet if small else self.stakes.big_bet

    def to_call(self, seat: Seat) -> Chips:
        """Return what the seat must add to stay in, at most its stack."""
        due = self.stakes.bring_in if self.bring_in_due else self.level - self.street_bets[seat]
        return Chips(min(due, self.stacks[seat]))

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

    def _wager_totals(self, seat: Seat, to_call: Chips) -> tuple[Chips, ...]:
        stack, capped = self.stacks[seat], self.cap is not None and self.wagers >= self.cap
        someone_can_answer = any(
            self.street_bets[other] + self.stacks[other] > self.level
            for other in self.live_seats
            if other != seat
        )
        reopened = seat in self.may_wager
        if capped or not reopened or not someone_can_answer:
            return ()
        all_in = Chips(self.street_bets[seat] + stack)
        if not self.bring_in_due and stack <= to_call:
            return ()
        if self.bring_in_due and self.stakes.bring_in and stack <= self.stakes.bring_in:
            return ()
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

    def is_full_wager(self, to: Chips) -> bool:
        """Whether a wager to this total counts towards the cap and reopens the betting."""
        numerator, denominator = self.rules.full_wager
        full_step = min(self.wager_sizes()) - self.level
        return (to - self.level) * denominator >= full_step * numerator

    # ---- what can be done

    def apply(self, event: Event) -> Action | None:
        """Change the state as the event says; return the action that it was, if it was one."""
        match event:
            case StreetStart():
                self._start_street(event)
            case Deal():
                self._deal(event)
            case ShowdownStart():
                self.showdown = True
            case Ante():
                return self._ante(event)
            case BringIn() | Fold() | Check() | Call() | Wager():
                return self._decide(event)
            case ReturnedBet():
                return self._return(event)
            case Show():
                return self._show(event)
            case Muck():
                self.mucked.add(event.seat)
                return self._action(event.seat, ActionKind.MUCK, Chips(0), event.line)
            case Collect():
                action = self._action(event.seat, ActionKind.COLLECT, event.amount, event.line)
                self.collected[event.seat] = Chips(self.collected[event.seat] + event.amount)
                return action
            case _:
                pass
        return None

    def _start_street(self, event: StreetStart) -> None:
        self.street = event.street
        self.level, self.wagers, self.short_level = Chips(0), 0, False
        self.street_bets = dict.fromkeys(self.seats, Chips(0))
        live = self.live_seats
        for seat in live:
            self.last_street[seat] = event.street
        rule = self.rules.rule(event.street)
        if rule.up_cards:
            self.undealt = live
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
        cards = self.cards[event.seat]
        if self.rules.rule(self.street).up_cards:
            cards.extend(event.down)
            cards.extend(event.up)
            self.up_cards[event.seat].extend(card for card in event.up if card is not None)
            if None in event.up:
                self.unseen_boards.add(event.seat)
            self.door_deals.setdefault(event.seat, event)
            self.undealt.remove(event.seat)
        else:
            cards[len(cards) - len(event.down) :] = event.down
            if None in event.down:
                self.hidden_rivers.add(event.seat)
        for card in (*event.down, *event.up):
            if card is not None:
                self.seen[card] = event
        if not self.undealt and self.rules.rule(self.street).up_cards:
            self._open_betting()

    def _open_betting(self) -> None:
        assert self.street is not None
        bettors = [seat for seat in self.live_seats if self.stacks[seat]]
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
            self.to_act = [clockwise(bettors, bring_in_seat(doors))[0]]
        else:
            lowest = lowest_boards(self._boards(), self.rules.low_of)
            # A tied player without chips passes the turn to the next who has some.
            openers = tuple(dict.fromkeys(clockwise(bettors, seat)[0] for seat in lowest))
            self.tied_openers = openers if self.rules.opener_tie is OpenerTie.ANY else openers[:1]
            self.to_act = clockwise(bettors, openers[0])

    def _boards(self) -> dict[Seat, list[Card]]:
        """Return the up cards that choose who opens the street."""
        shared: list[Card] = []
        if self.rules.shared_river_opener is SharedRiverOpener.LOWEST_OF_FIVE and self.community:
            shared = [self.community]
        return {seat: [*self.up_cards[seat], *shared] for seat in self.live_seats}

    def _ante(self, event: Ante) -> Action:
        action = self._action(
            event.seat, ActionKind.ANTE, event.amount, event.line, street=Street.THIRD
        )
        self.antes[event.seat] = event.amount
        self._pay(event.seat, event.amount)
        return action

    def _decide(self, event: BringIn | Fold | Check | Call | Wager) -> Action:
        seat = event.seat
        if seat != self.to_act[0]:  # another of the tied openers begins the street
            self.to_act = clockwise(self.to_act, seat)
        if self.bring_in_due:
            self.bring_in_seat = seat
        could_wager = bool(self._wager_totals(seat, self.to_call(seat)))
        kind, amount, to = self._terms(event)
        action = self._action(seat, kind, amount, event.line, to=to, could_wager=could_wager)
        self.tied_openers, self.opener_is_unknown = (), False
        self.to_act.pop(0)
        self.may_wager.discard(seat)
        if kind in WAGERS:
            self._raise_level(seat, action.to or Chips(0))
        elif kind is ActionKind.FOLD:
            self.folded.add(seat)
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
        match event:
            case BringIn():
                return ActionKind.BRING_IN, event.amount, None
            case Fold():
                return ActionKind.FOLD, Chips(0), None
            case Check():
                return ActionKind.CHECK, Chips(0), None
            case Call():
                return ActionKind.CALL, event.amount, None
            case Wager():
                added = Chips(event.to - self.street_bets[event.seat])
                return self.wager_kind, added, event.to

    def _raise_level(self, seat: Seat, to: Chips) -> None:
        self.short_level = to not in self.wager_sizes()
        self.short_level_counts = self.is_full_wager(to)
        if self.short_level_counts:
            self.wagers += 1
            self.may_wager = {other for other in self.live_seats if other != seat}
        self.level = to
        self.to_act = self._others_with_chips(seat)

    def _others_with_chips(self, seat: Seat) -> list[Seat]:
        bettors = [other for other in self.live_seats if self.stacks[other] and other != seat]
        return clockwise(bettors, Seat(seat + 1))

    def _close_if_decided(self) -> None:
        if self.is_uncontested:
            self.to_act = []
        elif sum(bool(self.stacks[seat]) for seat in self.live_seats) < 2:
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
        *,
        to: Chips | None = None,
        street: Street | None = None,
        could_wager: bool = False,
    ) -> Action:
        puts_in = kind in WAGERS or kind in _PAYMENTS
        decides = kind in WAGERS or kind in _ANSWERS
        return Action(
            street=street or self.street or Street.THIRD,
            seat=seat,
            kind=kind,
            amount=amount,
            to=to,
            all_in=puts_in and amount == self.stacks[seat],
            pot=self.pot,
            to_call=self.to_call(seat) if decides else Chips(0),
            wagers=self.wagers,
            could_wager=could_wager,
            line=line,
        )


_PAYMENTS = frozenset((ActionKind.ANTE, ActionKind.BRING_IN, ActionKind.CALL))
_ANSWERS = frozenset((ActionKind.BRING_IN, ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL))
