"""PHH, the poker hand history format: TOML files of hands from any room or live event."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from razzstats.chips import Chips
from razzstats.diagnostics import Diagnostic, Result, codes
from razzstats.events import Collect, ParsedHand, Seat, SeatSummary, Summary
from razzstats.locations import HandId, HandText
from razzstats.lowball import best_low
from razzstats.parsing.chip_count import ChipCount
from razzstats.parsing.conventions import Conventions, settle
from razzstats.parsing.phh.actions import ActionReader
from razzstats.parsing.phh.amounts import Amounts
from razzstats.parsing.phh.payouts import collects, is_decided
from razzstats.parsing.phh.table import PhhTable, digits
from razzstats.parsing.phh.toml_text import Misread, Place, toml_values
from razzstats.parsing.site import Beginning, Kind, Site

_RAZZ = "FR"
_OTHER_GAMES = {
    "FT": "Fixed-limit Texas Hold'em",
    "NT": "No-limit Texas Hold'em",
    "NS": "No-limit Short-deck Hold'em",
    "PO": "Pot-limit Omaha Hold'em",
    "FO/8": "Fixed-limit Omaha Hold'em Hi-Lo",
    "F7S": "Fixed-limit Seven-Card Stud",
    "F7S/8": "Fixed-limit Seven-Card Stud Hi-Lo",
    "N2L1D": "No-limit 2-7 Single Draw",
    "F2L3D": "Fixed-limit 2-7 Triple Draw",
    "FB": "Fixed-limit Badugi",
}
"""The variants that the format has codes for, beside Razz."""

_LONGEST_NUMBER = 60
_PLAIN_AMOUNT = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_CONVENTIONS = Conventions(return_unsaid=True, showdown_unsaid=True)


@dataclass(frozen=True)
class PhhReader:
    """Reads hands as TOML; each begins with its variant, as all writers of the format put it."""

    first_line: re.Pattern[str] = re.compile(
        r"""[ \t]*variant[ \t]*=[ \t]*["'](?P<variant>[^"']*)["']"""
    )
    lead_line: re.Pattern[str] | None = re.compile(
        # The heading of a hand in a file of several, and remarks before it; "#123: ..." begins a
        # hand of another room.
        r"""[ \t]*(?:\[{1,2}[\w."'-]+\]{1,2}[ \t]*(?:\#.*)?|\#(?:[ \t].*)?)$"""
    )
    begins_with: str = "v[#"

    def beginning(self, hand: HandText) -> Beginning | None:
        """Return what the hand's first lines tell, or None if no hand of PHH begins so."""
        lines = self._own_lines(hand)
        first = self.first_line.match(hand.lines[lines.start]) if lines else None
        if first is None:
            return None
        variant, number = first["variant"], _hand_number(hand.lines[lines.start : lines.stop])
        if variant == _RAZZ:
            return Beginning(number, Kind.RAZZ)
        if variant in _OTHER_GAMES:
            return Beginning(number, Kind.OTHER_GAME, _OTHER_GAMES[variant])
        return Beginning(number, Kind.UNREADABLE)

    def read(self, hand: HandText, hand_id: HandId) -> Result[ParsedHand]:
        """Return what a Razz hand's text says, or the first place where it makes no sense."""
        try:
            table = PhhTable(hand, self._own_lines(hand))
            parsed = _Reading(table).hand(hand_id, hand)
        except Misread as fault:
            return Result(None, (_diagnostic(fault, hand, hand_id),))
        return Result(parsed, tuple(_diagnostic(fault, hand, hand_id) for fault in table.faults))

    def _own_lines(self, hand: HandText) -> range:
        """Return the hand's own lines, without headings and remarks around them."""
        assert self.lead_line is not None
        first, lead = self.first_line.match, self.lead_line.match
        begin = next((n for n, line in enumerate(hand.lines) if first(line)), None)
        if begin is None:
            return range(0)
        own = (n for n, line in enumerate(hand.lines) if line.strip() and not lead(line))
        return range(begin, max(own) + 1)


def _hand_number(lines: Sequence[str]) -> str:
    """Return a number that no other hand has.

    Numbers in PHH count the hands of an event or a file, so that many hands share one; what makes
    it the hand's own is a digest of the text.
    """
    words = "\n".join(line.strip() for line in lines if line.strip())
    digest = hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    try:
        number = str(toml_values("\n".join(lines)).get("hand", ""))
    except ValueError:  # which the reading tells, with its place
        number = ""
    return f"{number[:_LONGEST_NUMBER]}-{digest}" if number else digest


def _diagnostic(fault: Misread, hand: HandText, hand_id: HandId) -> Diagnostic:
    return Diagnostic(
        code=fault.code,
        message=fault.message,
        span=hand.span(*fault.place),
        hand_id=hand_id,
        help=fault.help,
    )


class _Reading:
    """Reads one hand's actions, and what follows from them."""

    def __init__(self, table: PhhTable) -> None:
        self.table = table
        if not table.actions:
            message = "the hand has no actions"
            raise Misread(codes.TRUNCATED_HAND, message, table.told.place("actions"))
        self.last_place = table.actions[-1][1]
        self.actions = ActionReader(table.seats, table.stakes.bring_in, self._amount)

    def hand(self, hand_id: HandId, text: HandText) -> ParsedHand:
        table = self.table
        written = [*table.antes(), *self.actions.events(table.actions)]
        told = Amounts(table.players, table.stakes).filled_in(written)
        events = list(settle(told, table.players, _CONVENTIONS))
        count = ChipCount()
        for event in events:
            count.count(event)
        events += self._collects(count)
        return ParsedHand(
            hand_id=hand_id,
            played_at=table.played_at(),
            table=table.name,
            max_seats=table.max_seats,
            tournament=table.tournament,
            mixed_game=None,
            club=None,
            stakes=table.stakes,
            players=tuple(sorted(table.players, key=lambda player: player.seat)),
            hero=table.hero,
            events=tuple(events),
            summary=self._summary(),
            text=text,
        )

    def _amount(self, text: str, place: Place) -> Chips:
        try:
            if not _PLAIN_AMOUNT.fullmatch(text):
                raise ValueError(f"{text!r} is not an amount")
            return self.table.money.parse(digits(Decimal(text)))
        except ValueError as error:
            raise Misread(codes.MALFORMED_AMOUNT, str(error), place) from None

    # ---- the end, of which PHH tells but the cards

    def _collects(self, end: ChipCount) -> Iterator[Collect]:
        if not is_decided(end):
            return
        shown = [seat for seat in end.live if seat in self.actions.shown]
        known = {seat: cards for seat in shown if (cards := self.actions.known_hand(seat))}
        lows = {seat: best_low(cards) for seat, cards in known.items()}
        told = self._told_winnings(end)
        can_be_known = told is not None or len(known) == len(shown)
        won = collects(end, lows, told, self.last_place.line) if can_be_known else None
        if won is None:
            # The rules may find what is behind it, so that the hand is replayed all the same.
            message = "nobody can tell who wins: no hand is shown, or not all of its cards"
            self.table.faults.append(Misread(codes.MISSING_SHOWDOWN, message, self.last_place))
        yield from won or ()

    def _told_winnings(self, end: ChipCount) -> dict[Seat, Chips] | None:
        left = self.table.by_seat("finishing_stacks")
        if left is None or "winnings" in self.table.values:
            return self.table.by_seat("winnings")
        return {
            player.seat: Chips(
                left[player.seat] - player.stack + end.contributed.get(player.seat, 0)
            )
            for player in self.table.players
        }

    def _summary(self) -> Summary:
        place = self.table.told.place("finishing_stacks")
        left = self.table.by_seat("finishing_stacks") or {}
        return Summary(
            board=self.actions.community,
            seats=tuple(
                SeatSummary(
                    seat=player.seat,
                    name=player.name,
                    net=Chips(left[player.seat] - player.stack),
                    stack=left[player.seat],
                    line=place.line,
                    column=place.start,
                )
                for player in self.table.players
                if player.seat in left
            ),
            lists_everybody=False,
            line=self.last_place.line,
        )


PHH = Site(name="phh", reader=PhhReader())
"""Hands of any room, as other programs and researchers write them."""
