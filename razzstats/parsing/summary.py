"""The end of a hand: what the room's summary claims."""

from collections import Counter
from collections.abc import Iterable, Mapping

from razzstats.cards import Card
from razzstats.chips import Chips
from razzstats.diagnostics import codes
from razzstats.events import Seat, SeatSummary, Summary
from razzstats.parsing.lines import Lines, LineToken
from razzstats.parsing.parts import BadLine, Parts
from razzstats.parsing.room import Room

SEAT_SUMMARIES = frozenset(
    ("SEAT_FOLDED", "SEAT_COLLECTED", "SEAT_SHOWED", "SEAT_MUCKED", "SEAT_OUT")
)
"""The lines that say how the hand ended for one seat."""


class SummaryReader:
    """Reads the lines behind the hand; a part that cannot be true raises BadLine."""

    def __init__(self, lines: Lines, parts: Parts, seat_of: Mapping[str, Seat], room: Room) -> None:
        """Read the summary of a hand with these players."""
        self.lines = lines
        self.parts = parts
        self.seat_of = seat_of
        self.room = room
        self.taken_back: Counter[Seat] = Counter()
        """What each player's collected amounts hold that was no part of a pot."""

    def read(self) -> Summary:
        """Return the summary."""
        total = self.lines.first("TOTAL_POT", self.lines.header)
        rake = self.lines.first("RAKE", total)
        board = self.board()
        raked = self._rake(rake)
        return Summary(
            pot=self._pot(total, raked) if total.get("amount") else None,
            rake=raked,
            pots=tuple(self._pots(total)),
            board=board[0] if board else None,
            seats=tuple(
                self._seat_summary(token)
                for token in self.lines.tokens
                if token.type in SEAT_SUMMARIES
            ),
            lists_everybody=self.room.conventions.summary_lists_everybody,
            line=total.index or rake.index,
        )

    def _rake(self, token: LineToken) -> Chips | None:
        if token.get("no_rake"):
            return Chips(0)
        return self.parts.amount(token, "rake") if token.get("rake") else None

    def _pot(self, total: LineToken, rake: Chips | None) -> Chips:
        # Some rooms have a line for each pot, with what is in it.
        totals = self.lines.all(total.type)
        amount = Chips(sum(self.parts.amount(token, "amount") for token in totals))
        if self.room.conventions.total_is_collected:
            return Chips(amount + (rake or 0) - self.taken_back.total())
        return amount

    def _pots(self, total: LineToken) -> Iterable[Chips]:
        for part in (total.get("pots") or "").replace(". ", ".|").split("|"):
            if part.strip():
                yield self.parts.chips(part.split()[-1].removesuffix("."), total.index)

    def board(self) -> tuple[Card, ...]:
        """Return the community card that the summary repeats, if there is one."""
        unsaid = self.room.conventions.board_unsaid
        terminal, field = ("SEVENTH", "community") if unsaid else ("BOARD", "cards")
        boards = self.lines.all(terminal)
        cards = self.parts.cards(boards[0], field) if boards else ()
        if len(cards) > 1:
            message = f"the board has {len(cards)} cards, not one"
            raise BadLine(codes.MALFORMED_CARD, message, boards[0].index)
        return cards

    def _seat_summary(self, token: LineToken) -> SeatSummary:
        player = token.player or ""
        seat = self.parts.seat_number(token)
        if self.seat_of[player] != seat:
            message = f"{player} is in seat {seat}, but sat down in seat {self.seat_of[player]}"
            raise BadLine(codes.SEAT_MISMATCH, message, token.index, token["seat"])
        told = token.fields.get
        street, amount = told("street"), told("amount")
        won = self.parts.chips(amount, token.index) if amount else None
        return SeatSummary(
            seat=seat,
            name=player,
            folded_on=self.room.street_names[street] if street else None,
            did_not_bet=told("did_not_bet") is not None,
            cards=self.parts.cards(token, "cards") if told("cards") is not None else None,
            showed=token.type == "SEAT_SHOWED",
            mucked=token.type == "SEAT_MUCKED",
            lost=told("lost") is not None,
            won=None if won is None else Chips(won - self.taken_back[seat]),
            net=self.parts.balance(token, "net") if told("net") is not None else None,
            stack=self.parts.amount(token, "stack") if told("stack") else None,
            low=self.parts.low(token) if told("low") is not None else None,
            line=token.index,
            column=token.column,
        )
