"""How a hand ends: what goes back uncalled, who takes which pot, and what the room says of it."""

from collections.abc import Iterable, Iterator, Sequence

from razzstats.chips import Chips
from razzstats.diagnostics import codes
from razzstats.events import Collect, ReturnedBet, Seat, SeatSummary
from razzstats.lowball import LowClaim
from razzstats.parsing.merge.document import Element
from razzstats.parsing.merge.header import Amounts
from razzstats.parsing.merge.table import Table
from razzstats.parsing.parts import BadLine


class Ending:
    """The winners of a hand; an uncalled bet is one of them, or a part of what one of them gets."""

    def __init__(
        self, winners: Iterable[Element], table: Table, chips: Amounts, version: str | None
    ) -> None:
        """Take all winners of the hand in order of the text."""
        self.table, self.chips, self.version = table, chips, version
        self.winners: list[Element] = []
        self.stated: list[Element] = []
        """The winners that are said to be uncalled bets and have not gone back yet."""
        for winner in winners:
            (self.stated if winner.get("uncalled") == "true" else self.winners).append(winner)
        self._is_stated = bool(self.stated)
        self._taken: dict[Seat, Chips] = {}
        self.mucked: dict[Seat, Element] = {}
        """The lists of the cards that were thrown away at the showdown."""
        self._uncalled: tuple[Seat, Chips] | None = None

    def returned(self) -> Iterator[ReturnedBet]:
        """Yield the uncalled bet where the room states it, once the betting on a street is over."""
        if (uncalled := self.table.take_back()) is not None:
            self._uncalled = uncalled
            yield from self._returned(self.stated[:1])
            del self.stated[:1]

    def collects(self) -> Iterator[ReturnedBet | Collect]:
        """Yield who takes what; any other bet that is said to be uncalled is for the rules."""
        yield from self._returned(self.stated)
        self.stated.clear()
        amounts = self._without_uncalled([self.chips.of(winner) for winner in self.winners])
        numbers = [_pot_number(winner) for winner in self.winners]
        several = max(numbers, default=1) > 1
        for winner, number, amount in zip(self.winners, numbers, amounts, strict=True):
            if amount is None:
                continue
            seat = self.table.seat(winner)
            self._taken[seat] = Chips(self._taken.get(seat, 0) + amount)
            yield Collect(
                seat=seat,
                amount=amount,
                pot=number - 1 if several else None,
                line=winner.line,
                column=winner.column,
            )

    def _returned(self, stated: Sequence[Element]) -> Iterator[ReturnedBet]:
        for winner in stated:
            yield ReturnedBet(
                seat=self.table.seat(winner),
                amount=self.chips.of(winner),
                line=winner.line,
                column=winner.column,
            )

    def _without_uncalled(self, amounts: list[Chips]) -> Sequence[Chips | None]:
        """Return what is won, less an uncalled bet that is in there; None is nothing but that.

        Files without a version put it there when everybody else folded; others name it by itself.
        """
        if self._uncalled is None or self._is_stated:
            return amounts
        seat, uncalled = self._uncalled
        pot = sum(self.table.contributed.values())
        everybody_folded = len(self.table.live) == 1
        if sum(amounts) <= pot and not (everybody_folded and self.version is None):
            return amounts
        for place in reversed(range(len(amounts))):
            if self.table.seat(self.winners[place]) == seat and amounts[place] >= uncalled:
                left = Chips(amounts[place] - uncalled)
                if left or len(amounts) > 1:
                    return [*amounts[:place], left or None, *amounts[place + 1 :]]
        return amounts

    # ---- what the room says of it

    def summaries(self) -> tuple[SeatSummary, ...]:
        """Return the lows that the room names, and the cards of hands that were mucked."""
        lows: dict[Seat, tuple[Element, LowClaim]] = {}
        for winner in self.winners:
            if (low := self._low(winner)) is not None:
                lows.setdefault(self.table.seat(winner), (winner, low))
        won = [
            SeatSummary(
                seat=seat,
                name=self.table.names[seat],
                won=self._taken.get(seat, Chips(0)),
                low=low,
                line=winner.line,
                column=winner.column,
            )
            for seat, (winner, low) in lows.items()
        ]
        return (*won, *(self._mucked(seat, cards) for seat, cards in self.mucked.items()))

    def _mucked(self, seat: Seat, element: Element) -> SeatSummary:
        cards = self.table.read_cards(element)
        return SeatSummary(
            seat=seat,
            name=self.table.names[seat],
            cards=tuple(card for card in cards if card is not None),
            mucked=True,
            line=element.line,
            column=element.column,
        )

    def _low(self, winner: Element) -> LowClaim | None:
        words = (winner.get("hand") or "").strip()
        return self.chips.parts.low(winner.token(low=_spelled(words))) if words else None


def _spelled(low: str) -> str:
    """Return a low with the commas that other rooms print: the room leaves them out."""
    for kind in ("Two Pair", "Three of a Kind", "Four of a Kind"):
        if low.startswith(kind + " "):
            return f"{kind},{low.removeprefix(kind)}"
    return low.replace("Full House - ", "a full house, ")


def _pot_number(winner: Element) -> int:
    text = winner.get("potnumber") or "1"
    if not (len(text) < 3 and text.isascii() and text.isdigit() and int(text)):
        message = f"there is no pot number {text}"
        raise BadLine(codes.UNEXPECTED_LINE, message, winner.line, f'potnumber="{text}"')
    return int(text)
