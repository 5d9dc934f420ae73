"""What the room claims of a hand against what the replay found."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from razzstats.cards import Card
from razzstats.chips import Chips
from razzstats.diagnostics import Code, Diagnostic, codes
from razzstats.events import (
    Collect,
    Muck,
    Seat,
    SeatSummary,
    Show,
    ShowdownStart,
    Street,
)
from razzstats.lowball import LowClaim, LowHand, describe_low
from razzstats.pots import Pot, winners
from razzstats.replay import PlayerResult, ReplayedHand, place_behind_name
from razzstats.rules.actions import DECISIONS, WAGERS, ActionKind
from razzstats.rules.odd_chips import odd_chip_order
from razzstats.rules.ruleset import OddChip

Validation = Callable[[ReplayedHand], Iterator[Diagnostic]]


def validate(hand: ReplayedHand) -> Iterator[Diagnostic]:
    """Yield where the room's claims and the replay differ; the hand was replayed without error."""
    for validation in VALIDATIONS:
        yield from validation(hand)


def _pot(hand: ReplayedHand) -> Iterator[Diagnostic]:
    summary = hand.parsed.summary
    if summary.pot is not None and summary.pot != hand.pot:
        message = (
            f"the summary says a pot of {_money(hand, summary.pot)}; expected "
            f"{_money(hand, hand.pot)}, what the players put in"
        )
        yield _at_total(hand, codes.POT_MISMATCH, message)


def _rake(hand: ReplayedHand) -> Iterator[Diagnostic]:
    summary = hand.parsed.summary
    collected = hand.pot - hand.rake
    if hand.rake < 0:
        message = f"{_money(hand, collected)} was collected from a pot of {_money(hand, hand.pot)}"
        yield _at_total(hand, codes.NEGATIVE_RAKE, message)
    elif summary.rake is not None and summary.rake != hand.rake:
        message = (
            f"{_money(hand, collected)} was collected from a pot of {_money(hand, hand.pot)}, "
            f"which leaves a rake of {_money(hand, hand.rake)}; the summary says "
            f"{_money(hand, summary.rake)}"
        )
        yield _at_total(hand, codes.COLLECTED_MISMATCH, message)


def _side_pots(hand: ReplayedHand) -> Iterator[Diagnostic]:
    named = [event.pot for event in hand.collects if event.pot is not None]
    listed = hand.parsed.summary.pots
    for event in hand.collects:
        if event.pot is not None and event.pot >= len(hand.pots):
            yield _at_event(
                hand,
                event,
                codes.COLLECTED_MISMATCH,
                f"{_name(hand, event.seat)} collects from a side pot that does not exist",
            )
            return
    if not listed and not named:
        return
    taken = _collected_by_pot(hand)
    for number, pot in enumerate(hand.pots):
        title = f"side pot {number}" if number else "the main pot"
        if taken[number] > pot.amount or (named and not taken[number]):
            message = (
                f"{_money(hand, taken[number])} was collected from {title}, which has "
                f"{_money(hand, pot.amount)}"
            )
            yield _at_total(hand, codes.COLLECTED_MISMATCH, message)
    if listed and list(listed) != [taken[number] for number in range(len(hand.pots))]:
        message = (
            f"the summary lists pots of {', '.join(_money(hand, pot) for pot in listed)}; expected "
            + ", ".join(_money(hand, taken[number]) for number in range(len(hand.pots)))
        )
        yield _at_total(hand, codes.POT_MISMATCH, message)


def _winners(hand: ReplayedHand) -> Iterator[Diagnostic]:
    lows = {result.seat: result.low for result in hand.results if result.low is not None}
    by_pot = _collects_by_pot(hand)
    for number, collects in by_pot.items():
        # Where the room speaks of one pot and there are several, all of them went together.
        pots = hand.pots if number is None else hand.pots[number : number + 1]
        for pot in pots:
            yield from _pot_winners(hand, pot, collects, lows)
        if len(pots) == 1:
            yield from _fair_shares(hand, collects)
            yield from _odd_chip(hand, collects)


def _pot_winners(
    hand: ReplayedHand, pot: Pot, collects: list[Collect], lows: dict[Seat, LowHand]
) -> Iterator[Diagnostic]:
    best = winners(pot, lows)
    takers = {event.seat for event in collects}
    for event in collects:
        name = _name(hand, event.seat)
        if event.seat not in pot.eligible:
            message = f"{name} collects a pot that he has no share in"
            yield _at_event(hand, event, codes.WRONG_WINNER, message)
        elif best and event.seat in lows and event.seat not in best:
            message = (
                f"{name} collects with {lows[event.seat]}, but {_name(hand, best[0])} has "
                f"{lows[best[0]]}"
            )
            yield _at_event(hand, event, codes.WRONG_WINNER, message)
    for seat in best:
        if collects and seat not in takers and takers <= lows.keys():
            message = f"{_name(hand, seat)} has {lows[seat]}, but does not collect"
            yield _at_event(hand, collects[0], codes.WRONG_WINNER, message)


def _fair_shares(hand: ReplayedHand, collects: list[Collect]) -> Iterator[Diagnostic]:
    amounts = [event.amount for event in collects]
    if max(amounts) - min(amounts) > 1:
        message = "the shares of a split pot differ: " + ", ".join(
            f"{_name(hand, event.seat)} {_money(hand, event.amount)}" for event in collects
        )
        yield _at_event(hand, collects[0], codes.COLLECTED_MISMATCH, message)


def _odd_chip(hand: ReplayedHand, collects: list[Collect]) -> Iterator[Diagnostic]:
    if hand.rules.odd_chip is OddChip.ANY:
        return
    takers = {event.seat: _known_cards(hand, event.seat) for event in collects}
    if not all(takers.values()):
        return
    order = odd_chip_order(hand.rules.odd_chip, takers)
    got_more = max(event.amount for event in collects)
    odd = sum(event.amount == got_more for event in collects) % len(collects)
    for event in collects:
        if event.amount == got_more and event.seat not in order[: odd or len(order)]:
            message = (
                f"{_name(hand, event.seat)} takes an odd chip; expected {_name(hand, order[0])}, "
                f"who has {hand.rules.odd_chip}"
            )
            yield _at_event(hand, event, codes.COLLECTED_MISMATCH, message)


def _known_cards(hand: ReplayedHand, seat: Seat) -> list[Card]:
    """Return the player's own cards, none if not all of them are known."""
    cards = _result(hand, seat).cards
    known = [card for card in cards if card is not None]
    return known if len(known) == len(cards) else []


def _printed_lows(hand: ReplayedHand) -> Iterator[Diagnostic]:
    for event in hand.shows:
        if event.low is not None:
            cards = [*event.cards, *([hand.community] if hand.community else [])]
            actual = hand.rules.low_of(cards) if cards else None
            if actual is None or not event.low.fits(actual):
                message = _low_message(_name(hand, event.seat), event.low, actual)
                yield _at_event(hand, event, codes.CLAIMED_LOW_MISMATCH, message)
    for line in hand.parsed.summary.seats:
        if line.low is not None:
            actual = _result(hand, line.seat).low if line.seat in _seats(hand) else None
            if actual is None or not line.low.fits(actual):
                message = _low_message(line.name, line.low, actual)
                yield _at_summary(hand, line, codes.CLAIMED_LOW_MISMATCH, message)


def _low_message(name: str, claimed: LowClaim, actual: LowHand | None) -> str:
    printed = ",".join(rank.symbol for rank in claimed.ranks)
    if claimed.kind is not None:
        printed = describe_low(LowHand(claimed.kind, claimed.ranks))
    expected = ",".join(rank.symbol for rank in actual.ranks) if actual else "no low at all"
    return f"{name}'s low is printed as {printed}; expected {expected}"


def _showdown_order(hand: ReplayedHand) -> Iterator[Diagnostic]:
    if len(hand.pots) != 1:  # side pots are shown down before the main pot
        return
    first = next(_at_showdown(hand), None)
    if first is not None and first.seat not in (usual := _usual_first(hand)):
        expected = " or ".join(_name(hand, seat) for seat in usual)
        message = f"{_name(hand, first.seat)} is first at the showdown; expected {expected}"
        yield _at_event(hand, first, codes.SHOWDOWN_ORDER, message)


def _at_showdown(hand: ReplayedHand) -> Iterator[Show | Muck]:
    """Yield the hands shown and mucked at the showdown, unless some were shown before it."""
    if not any(result.showdown for result in hand.results):
        return
    begun = False
    for event in hand.parsed.events:
        begun = begun or isinstance(event, ShowdownStart)
        if isinstance(event, _REVEALS):
            if not begun:
                return
            yield event


_REVEALS = (Show, Muck)


def _usual_first(hand: ReplayedHand) -> tuple[Seat, ...]:
    """Return who may show first, by seventh street's last wager, its opener, or the seats."""
    river = [a for a in hand.actions if a.street is Street.SEVENTH and a.kind in DECISIONS]
    wagerers = [action.seat for action in river if action.kind in WAGERS]
    if wagerers:
        return (wagerers[-1],)
    lowest_seat = min(result.seat for result in hand.results if result.showdown)
    return tuple(dict.fromkeys([*(action.seat for action in river[:1]), lowest_seat]))


def _seat_lines(hand: ReplayedHand) -> Iterator[Diagnostic]:
    seen: set[Seat] = set()
    results = {result.seat: result for result in hand.results}
    for line in hand.parsed.summary.seats:
        if line.seat in seen:
            message = f"the summary has two lines for seat {line.seat}"
            yield _at_summary(hand, line, codes.SEAT_MISMATCH, message)
        seen.add(line.seat)
        if line.seat not in results:
            if line.folded_on or line.won or line.cards:
                message = f"{line.name} is in the summary, but was not dealt in"
                yield _at_summary(hand, line, codes.SUMMARY_MISMATCH, message)
            continue
        for message in _summary_faults(hand, line, results[line.seat]):
            yield _at_summary(hand, line, codes.SUMMARY_MISMATCH, message)
    for result in hand.results if hand.parsed.summary.lists_everybody else ():
        if result.seat not in seen:
            message = f"{result.name} has no line in the summary"
            yield _at_total(hand, codes.SEAT_MISMATCH, message)


def _summary_faults(hand: ReplayedHand, line: SeatSummary, result: PlayerResult) -> Iterator[str]:
    name = line.name
    if line.folded_on is not None:
        if not result.folded:
            yield f"{name} is said to have folded, but did not"
        elif line.folded_on is not result.last_street:
            yield (
                f"{name} is said to have folded on {line.folded_on.title}; expected "
                f"{result.last_street.title}"
            )
        elif line.did_not_bet and _has_bet(hand, line.seat):
            yield f"{name} is said not to have bet, but did"
    elif result.folded and (line.won is not None or line.showed or line.mucked):
        yield f"{name} folded; the summary tells another story"
    yield from _net_faults(hand, line, result)
    if line.net is not None and line.won is None:  # a room that tells nets alone
        return
    if (line.won or 0) != result.collected and not (line.folded_on and not result.collected):
        yield (
            f"{name} is said to have won {_money(hand, line.won or Chips(0))}; expected "
            f"{_money(hand, result.collected)}"
        )
    if line.folded_on is None and line.won is None and not line.showed and not line.mucked:
        yield f"{name} is said to sit out, but was dealt in"
    if line.showed and not result.shown:
        yield f"{name} is said to have shown his hand, but did not"
    if line.mucked and result.shown:
        yield f"{name} is said to have mucked his hand, but showed it"


def _net_faults(hand: ReplayedHand, line: SeatSummary, result: PlayerResult) -> Iterator[str]:
    if line.net is not None and line.net != result.net:
        yield (
            f"{line.name}'s net is said to be {_money(hand, line.net)}; expected "
            f"{_money(hand, result.net)}"
        )
    left = result.stack + result.net
    if line.stack is not None and line.stack != left:
        yield (
            f"{line.name} is said to have {_money(hand, line.stack)} left; expected "
            f"{_money(hand, left)}"
        )


def _has_bet(hand: ReplayedHand, seat: Seat) -> bool:
    return any(
        action.seat == seat and action.amount and action.kind is not ActionKind.ANTE
        for action in hand.actions
    )


def _board(hand: ReplayedHand) -> Iterator[Diagnostic]:
    board = hand.parsed.summary.board
    if board != hand.community:
        message = (
            f"the summary's board is {board or 'empty'}; expected {hand.community or 'no board'}"
        )
        yield _at_total(hand, codes.SUMMARY_MISMATCH, message)


def _derived_winnings(hand: ReplayedHand) -> Iterator[Diagnostic]:
    nets = {line.line for line in hand.parsed.summary.seats if line.net is not None}
    for event in hand.collects:
        if event.line in nets:
            pot = f"side pot {event.pot}" if event.pot else "the main pot"
            message = (
                f"{_name(hand, event.seat)} collects {_money(hand, event.amount)} from "
                f"{'the pot' if event.pot is None else pot}, which only the net tells"
            )
            yield _at_event(hand, event, codes.DERIVED_WINNINGS, message)


VALIDATIONS: tuple[Validation, ...] = (
    _pot,
    _rake,
    _side_pots,
    _winners,
    _printed_lows,
    _showdown_order,
    _seat_lines,
    _board,
    _derived_winnings,
)
"""Every claim that is checked; a tuple, so that it cannot grow by accident."""


# ---- what several validations ask


def _collects_by_pot(hand: ReplayedHand) -> dict[int | None, list[Collect]]:
    by_pot: dict[int | None, list[Collect]] = defaultdict(list)
    for event in hand.collects:
        by_pot[event.pot].append(event)
    return by_pot


def _collected_by_pot(hand: ReplayedHand) -> defaultdict[int, int]:
    taken: defaultdict[int, int] = defaultdict(int)
    for event in hand.collects:
        taken[event.pot or 0] += event.amount
    return taken


def _seats(hand: ReplayedHand) -> set[Seat]:
    return {result.seat for result in hand.results}


def _result(hand: ReplayedHand, seat: Seat) -> PlayerResult:
    return next(result for result in hand.results if result.seat == seat)


def _name(hand: ReplayedHand, seat: Seat) -> str:
    return _result(hand, seat).name


def _money(hand: ReplayedHand, amount: int) -> str:
    return hand.parsed.stakes.money.format(amount)


def _at_total(hand: ReplayedHand, code: Code, message: str) -> Diagnostic:
    return _at(hand, code, message, hand.parsed.summary.line)


def _at_event(
    hand: ReplayedHand, event: Collect | Show | Muck, code: Code, message: str
) -> Diagnostic:
    return _at(hand, code, message, event.line, event.column)


def _at_summary(hand: ReplayedHand, line: SeatSummary, code: Code, message: str) -> Diagnostic:
    return _at(hand, code, message, line.line, line.column)


def _at(hand: ReplayedHand, code: Code, message: str, line: int, column: int = 0) -> Diagnostic:
    span = place_behind_name(hand.parsed.text, line, column)
    return Diagnostic(code=code, message=message, span=span, hand_id=hand.parsed.hand_id)
