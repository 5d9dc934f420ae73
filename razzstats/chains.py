"""From hand to hand at one table: a player begins with what the last hand left him."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeAlias

from razzstats.chips import Money
from razzstats.diagnostics import Diagnostic, codes
from razzstats.locations import HandId, Span
from razzstats.replay import ReplayedHand

_PAUSE = timedelta(minutes=30)  # after a longer one a table is as good as new
_MOST_TABLES = 1_000  # that are remembered; nobody plays more at a time


Table: TypeAlias = tuple[str, str, str]
"""What tells one table from another: the room, the table's name, the tournament or nothing."""


class Begun(NamedTuple):
    """How a hand begins at its table."""

    table: Table
    hand_id: HandId
    played_at: datetime | None
    money: Money
    stacks: Sequence[tuple[str, int, Span]]
    """The players with their stacks and where it is said, in the order of the text."""


class Left(NamedTuple):
    """How a hand left its table."""

    hand_id: HandId
    played_at: datetime | None
    stacks: dict[str, int]


class Ends(NamedTuple):
    """What is open at both ends of a part of a file."""

    begun: list[Begun]
    """The first hand of each table, if a hand of the part before could be the one before it."""
    left: dict[Table, Left]
    """The tables as the last hand left them, in the order in which these came."""
    forgot: bool
    """Whether the tables of the part before are unknown behind this one."""


class Chains:
    """The tables of one file, each as its last hand left it."""

    def __init__(self, *, of_part: bool = False) -> None:
        """Begin without any table; ``of_part``: with others before, of which `ends` tells."""
        self._of_part = of_part
        self._tables: dict[Table, Left] = {}
        self._first: dict[Table, Begun] = {}
        self._forgot = False

    def ends(self) -> Ends:
        """Return what `follow_part` asks about the hands that were followed."""
        return Ends([*self._first.values()], self._tables, self._forgot)

    def forget(self) -> None:
        """Forget all tables: something happened that nobody followed."""
        self._tables.clear()
        self._forgot = True

    def follow(self, hand: ReplayedHand) -> Iterator[Diagnostic]:
        """Yield a note if players begin the hand with other stacks than the last one left them.

        Chips were added or taken between the two, which rooms do not print, or hands are missing.
        A hand that is not later than the last one, or later by more than half an hour, says
        nothing.
        """
        parsed = hand.parsed
        tournament = parsed.tournament.number if parsed.tournament else ""
        table = (parsed.hand_id.site, parsed.table, tournament)
        if self._of_part and not self._forgot and table not in self._first:
            self._first[table] = _begun(table, hand)
        last = self._tables.pop(table, None)
        if last is not None and _differ(last, hand):
            yield from _gap(last, _begun(table, hand))
        self._put(table, Left(parsed.hand_id, parsed.played_at, _stacks_after(hand)))

    def follow_part(self, part: Ends) -> Iterator[Diagnostic]:
        """Yield the notes that a part of a file, followed by itself, could not have.

        The part comes behind those that were followed here.
        """
        for begun in part.begun:
            if (last := self._tables.get(begun.table)) is not None:
                yield from _gap(last, begun)
        if part.forgot:
            self._tables.clear()
        for table, left in part.left.items():
            self._tables.pop(table, None)
            self._put(table, left)

    def _put(self, table: Table, left: Left) -> None:
        self._tables[table] = left
        if len(self._tables) > _MOST_TABLES:
            del self._tables[next(iter(self._tables))]


def _differ(last: Left, hand: ReplayedHand) -> bool:
    players = hand.parsed.players
    return any(last.stacks.get(each.name, each.stack) != each.stack for each in players)


def _begun(table: Table, hand: ReplayedHand) -> Begun:
    parsed = hand.parsed
    return Begun(
        table,
        parsed.hand_id,
        parsed.played_at,
        parsed.stakes.money,
        [
            (player.name, int(player.stack), parsed.text.span(player.line))
            for player in parsed.players
        ],
    )


def _stacks_after(hand: ReplayedHand) -> dict[str, int]:
    stacks = {player.name: int(player.stack) for player in hand.parsed.players}
    for result in hand.results:
        stacks[result.name] += result.net
    return stacks


def _follows(last: Left, hand: Begun) -> bool:
    before, now = last.played_at, hand.played_at
    if before is None or now is None or last.hand_id == hand.hand_id:
        return False
    return timedelta(0) <= now - before <= _PAUSE


def _gap(last: Left, hand: Begun) -> Iterator[Diagnostic]:
    if not _follows(last, hand):
        return
    others = [each for each in hand.stacks if last.stacks.get(each[0], each[1]) != each[1]]
    if not others:
        return
    name, stack, span = others[0]
    more = f", and {len(others) - 1} more have other stacks" if len(others) > 1 else ""
    yield Diagnostic(
        code=codes.STACK_GAP,
        message=(
            f"{name} begins with {hand.money.format(stack)}; expected "
            f"{hand.money.format(last.stacks[name])}, which hand "
            f"#{last.hand_id.number} left{more}"
        ),
        span=span,
        hand_id=hand.hand_id,
        help="chips were added or taken between the two hands, or hands between them are missing",
    )
