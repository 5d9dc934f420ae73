"""What a room leaves unsaid, or says in its own way, put into the events that all rooms share.

A room's builder makes events of what stands in the text; `settle` walks along them, keeps count of
the chips, and says the rest. Nothing is judged here: whether it was legal is for the rules.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from razzstats.chips import Chips, uncalled_bet
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Collect,
    Deal,
    Event,
    Muck,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.parsing.cards_unsaid import KnownCards
from razzstats.parsing.chip_count import ChipCount


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """How a room's text differs from one that says everything, as PokerStars does."""

    call_is_total: bool = False
    """A call states the player's total on the street, not what he adds."""
    raise_leaves_out_bring_in: bool = False
    """A raise by who brought in states his total on third street less the bring-in."""
    raise_is_added: bool = False
    """A raise states what he adds, and with it his total on the street or, without the ante, in
    the hand."""
    raises_may_be_bets: bool = False
    """``bets`` is printed over a bet, too."""
    all_in_unsaid: bool = False
    """The last chips may be put in without a word."""
    return_unsaid: bool = False
    """An uncalled bet goes back without a line."""
    collects_uncalled: bool = False
    """Who collects takes his uncalled bet with the pot, in one amount or as a last side pot."""
    total_is_collected: bool = False
    """The summary's total pot is what was collected: after rake, and with an uncalled bet."""
    showdown_unsaid: bool = False
    """The showdown may begin without a line."""
    mucks_unsaid: bool = False
    """Who does not show at the showdown has no line."""
    collects_unsaid: bool = False
    """Who takes the pot may stand in the summary alone."""
    board_unsaid: bool = False
    """The summary does not repeat the community card."""
    shown_in_summary: bool = False
    """Who shows is told by the summary alone, and not in which order."""
    deals_unsaid: bool = False
    """No cards are printed but those that are shown."""
    seen_unsaid: bool = False
    """A deal does not repeat the cards that the player had before."""
    down_cards_in_any_order: bool = False
    """Shown cards begin with the first two in another order than they were dealt."""
    pots_may_be_unlisted: bool = False
    """The list of who won what may leave out a pot; the nets in the summary tell it."""
    summary_lists_everybody: bool = True
    """The summary has a line for each player who was dealt in."""


EVERYTHING_SAID = Conventions()


def settle(
    events: Iterable[Event], players: Iterable[SeatedPlayer], conventions: Conventions
) -> Iterator[Event]:
    """Yield the events with the room's conventions replaced by those of the rest."""
    if conventions == EVERYTHING_SAID:
        yield from events
        return
    events = _Settling(players, conventions).settle(events)
    if conventions.shown_in_summary:
        events = _showing_in_turn(events)
    if conventions.down_cards_in_any_order:
        events = KnownCards().in_dealt_order(events)
    if conventions.seen_unsaid:
        events = KnownCards().repeated(events)
    yield from events


def _showing_in_turn(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the showdown clockwise from seventh street's last wager, or from the lowest seat."""
    first, showdown, hands = Seat(0), False, list[Show | Muck]()
    for event in events:
        if showdown and isinstance(event, Show | Muck):
            hands.append(event)
            continue
        yield from sorted(hands, key=lambda hand: (hand.seat < first, hand.seat))
        hands.clear()
        if isinstance(event, StreetStart):
            first = Seat(0)
        elif isinstance(event, Wager):
            first = event.seat
        showdown = showdown or isinstance(event, ShowdownStart)
        yield event
    yield from sorted(hands, key=lambda hand: (hand.seat < first, hand.seat))


class _Settling:
    """A hand on its way from what its room says to what all rooms say."""

    def __init__(self, players: Iterable[SeatedPlayer], conventions: Conventions) -> None:
        self.conventions = conventions
        self.stacks = {player.seat: player.stack for player in players}
        self.count = ChipCount()
        self.returned: dict[Seat, Chips] = {}
        """What went back to whom and is not yet found in what he collects."""
        self.last_pots: dict[Seat, int] = {}
        """The last pot that each player collects from, where an uncalled bet would be."""

    def settle(self, events: Iterable[Event]) -> Iterator[Event]:
        line, told = 0, list(events)
        for event in told:
            if isinstance(event, Collect):
                last = self.last_pots.get(event.seat, 0)
                self.last_pots[event.seat] = max(last, event.pot or 0)
        for event in told:
            line = event.line
            yield from self._before(event)
            settled = self._settled(event)
            self.count.count(settled)
            if not self._took_only_his_own(event, settled):
                yield settled
            if isinstance(event, StreetStart) and self.conventions.deals_unsaid:
                yield from self._unseen_deals(event)
        yield from self._returns(line)

    # ---- what is unsaid

    def _before(self, event: Event) -> Iterator[Event]:
        ends_street = isinstance(event, StreetStart) and self.count.street is not None
        if ends_street or isinstance(event, ShowdownStart | Collect | Show | Muck):
            yield from self._returns(event.line)
        if isinstance(event, Show | Muck | Collect):
            yield from self._showdown(event.line)
        if isinstance(event, Collect):
            yield from self._mucks(event.line)

    def _returns(self, line: int) -> Iterator[Event]:
        uncalled = uncalled_bet(self.count.contributed)
        if self.conventions.return_unsaid and uncalled is not None:
            returned = ReturnedBet(seat=uncalled[0], amount=uncalled[1], line=line)
            self.count.count(returned)
            self.returned[returned.seat] = returned.amount
            yield returned

    def _showdown(self, line: int) -> Iterator[Event]:
        count = self.count
        begins = count.street is Street.SEVENTH and not count.showdown and len(count.live) > 1
        if self.conventions.showdown_unsaid and begins:
            start = ShowdownStart(line=line)
            count.count(start)
            yield start

    def _mucks(self, line: int) -> Iterator[Event]:
        if self.conventions.mucks_unsaid and self.count.showdown:
            for seat in self.count.live:
                if seat not in self.count.spoken:
                    muck = Muck(seat=seat, line=line)
                    self.count.count(muck)
                    yield muck

    def _unseen_deals(self, event: StreetStart) -> Iterator[Event]:
        if event.street is Street.SEVENTH:
            return
        down = (None, None) if event.street is Street.THIRD else ()
        for seat in self.count.live:
            yield Deal(seat=seat, up=(None,), down=down, line=event.line)

    # ---- what is said in another way

    def _settled(self, event: Event) -> Event:
        if isinstance(event, Call) and self.conventions.call_is_total:
            event = replace(
                event, amount=Chips(event.amount - self.count.on_street.get(event.seat, 0))
            )
        if isinstance(event, Wager):
            event = self._settled_wager(event)
        if isinstance(event, Collect) and self.conventions.collects_uncalled:
            event = self._settled_collect(event)
        if self.conventions.all_in_unsaid and isinstance(event, Ante | BringIn | Call | Wager):
            # Of nobody who is not in the seat list.
            left = self.stacks.get(event.seat, Chips(0)) - self.count.contributed.get(event.seat, 0)
            last_chips = event.seat in self.stacks and self.count.added(event) == left
            event = replace(event, all_in=event.all_in or last_chips)
        return event

    def _settled_wager(self, event: Wager) -> Wager:
        if self.conventions.raise_leaves_out_bring_in and self.count.street is Street.THIRD:
            brought_in = self.count.brought_in.get(event.seat, 0)
            event = replace(event, to=Chips(event.to + brought_in))
        if self.conventions.raise_is_added and event.by is not None:
            event = self._wager_by_added(event, event.by)
        if self.conventions.raises_may_be_bets and any(self.count.on_street.values()):
            event = replace(event, verb="raises")
        return event

    def _wager_by_added(self, event: Wager, added: Chips) -> Wager:
        count, seat = self.count, event.seat
        own, level = count.on_street.get(seat, 0), max(count.on_street.values(), default=0)
        earlier = count.contributed.get(seat, 0) - count.antes.get(seat, 0) - own
        # With chips in from earlier streets the two totals differ; what he adds tells which it is.
        of_hand = event.to != own + added and event.to > earlier
        to = event.to - earlier if of_hand else event.to
        return replace(event, to=Chips(to), by=Chips(added - (level - own)))

    def _settled_collect(self, event: Collect) -> Collect:
        own, is_last = self.returned.get(event.seat, 0), self.last_pots[event.seat]
        if (event.pot or 0) != is_last or event.amount < own:
            return event
        self.returned.pop(event.seat, None)
        return replace(event, amount=Chips(event.amount - own))

    def _took_only_his_own(self, event: Event, settled: Event) -> bool:
        if not isinstance(event, Collect) or not isinstance(settled, Collect):
            return False
        return event.amount > 0 and not settled.amount
