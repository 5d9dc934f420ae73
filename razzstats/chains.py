"""From hand to hand at one table: a player begins with what the last hand left him."""

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from razzstats.diagnostics import Diagnostic, codes
from razzstats.replay import ReplayedHand

_PAUSE = timedelta(minutes=30)  # after a longer one a table is as good as new
_MOST_TABLES = 1_000  # that are remembered; nobody plays more at a time


class _Left(NamedTuple):
    """A hand, and the stacks that it left at its table."""

    hand: ReplayedHand
    stacks: dict[str, int]


class Chains:
    """The tables of one file, each as its last hand left it."""

    def __init__(self) -> None:
        """Begin without any table."""
        self._tables: dict[tuple[str, str, str], _Left] = {}

    def forget(self) -> None:
        """Forget all tables: something happened that nobody followed."""
        self._tables.clear()

    def follow(self, hand: ReplayedHand) -> Iterator[Diagnostic]:
        """Yield a note if players begin the hand with other stacks than the last one left them.

        Chips were added or taken between the two, which rooms do not print, or hands are missing.
        A hand that is not later than the last one, or later by more than half an hour, says
        nothing.
        """
        parsed = hand.parsed
        tournament = parsed.tournament.number if parsed.tournament else ""
        table = (parsed.hand_id.site, parsed.table, tournament)
        last = self._tables.pop(table, None)
        self._tables[table] = _Left(hand, _stacks_after(hand))
        if len(self._tables) > _MOST_TABLES:
            del self._tables[next(iter(self._tables))]
        if last is not None and _follows(last.hand, hand):
            yield from _gap(last, hand)


def _stacks_after(hand: ReplayedHand) -> dict[str, int]:
    stacks = {player.name: int(player.stack) for player in hand.parsed.players}
    for result in hand.results:
        stacks[result.name] += result.net
    return stacks


def _follows(last: ReplayedHand, hand: ReplayedHand) -> bool:
    before, now = last.parsed.played_at, hand.parsed.played_at
    if before is None or now is None or last.parsed.hand_id == hand.parsed.hand_id:
        return False
    return timedelta(0) <= now - before <= _PAUSE


def _gap(last: _Left, hand: ReplayedHand) -> Iterator[Diagnostic]:
    parsed = hand.parsed
    others = [
        player
        for player in parsed.players
        if last.stacks.get(player.name, player.stack) != player.stack
    ]
    if not others:
        return
    money, first = parsed.stakes.money, others[0]
    more = f", and {len(others) - 1} more have other stacks" if len(others) > 1 else ""
    left = money.format(last.stacks[first.name])
    yield Diagnostic(
        code=codes.STACK_GAP,
        message=(
            f"{first.name} begins with {money.format(first.stack)}; expected {left}, which hand "
            f"#{last.hand.parsed.hand_id.number} left{more}"
        ),
        span=parsed.text.span(first.line),
        hand_id=parsed.hand_id,
        help="chips were added or taken between the two hands, or hands between them are missing",
    )
