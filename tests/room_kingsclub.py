"""Random hands as KingsClub writes them: streets named too late, totals, pots in the summary."""

from collections import Counter
from collections.abc import Iterator

from playouts import Playout

from razzstats.cards import Card, format_cards
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
    Seat,
    Show,
    Street,
    StreetStart,
    Wager,
)

_NAMES = {
    Street.THIRD: "3RD",
    Street.FOURTH: "4TH",
    Street.FIFTH: "5TH",
    Street.SIXTH: "6TH",
    Street.SEVENTH: "7TH",
}


def render_kingsclub(hand: Playout, number: int = 1, *, late: bool = True) -> str:
    """Return the hand as the room writes it; ``late`` names each street after the one before."""
    return "\n".join(_Writer(hand, late).lines(number)) + "\n"


def written(amount: int) -> str:
    """Return an amount as the room writes it: ``1,234``, ``0.50``."""
    whole, hundredths = divmod(abs(amount), 100)
    return f"{whole:,}" + (f".{hundredths:02}" if hundredths else "")


def has_unlisted_pot(hand: Playout) -> bool:
    """Return whether a side pot that nobody else could win is left out of the room's list."""
    return len(_winners(hand)) > 1 and any(len(pot.eligible) == 1 for pot in hand.pots[1:])


def _winners(hand: Playout) -> set[Seat]:
    return {event.seat for event in hand.events if isinstance(event, Collect)}


class _Writer:
    """Walks along the events and keeps what the lines need: who is in, and with how much."""

    def __init__(self, hand: Playout, late: bool) -> None:
        self.hand, self.late = hand, late
        self.live = [player.seat for player in hand.players]
        self.on_street: Counter[Seat] = Counter()
        self.wagered = False
        self.street = Street.THIRD

    def lines(self, number: int) -> Iterator[str]:
        stakes = self.hand.stakes
        yield f"#{number}: Limit Razz - {written(stakes.small_bet)}/{written(stakes.big_bet)}"
        yield "2021-05-23 17:24:52"
        yield "Table 'Small Mix 2'"
        for player in self.hand.players:
            yield f"Seat {player.seat}: {player.name} ({written(player.stack)})"
        for event in self.hand.events:
            yield from self._lines_of(event)
        yield "*** SUMMARY ***"
        yield from self._seats()
        if self.hand.rake:
            yield f"Rake {written(self.hand.rake)}"
        yield from self._pots()

    def _lines_of(self, event: Event) -> Iterator[str]:
        seat = getattr(event, "seat", Seat(0))
        name = self.hand.state.names.get(seat, "")
        all_in = ", and is all in" if getattr(event, "all_in", False) else ""
        match event:
            case StreetStart():
                yield from self._begin(event.street)
            case Deal():
                if self.street is not Street.SEVENTH:  # those stand under the street's line
                    cards = " ".join(str(card or "X") for card in (*event.down, *event.up))
                    yield f"Dealt to {name}: [{cards}]"
            case Ante():
                yield f"{name}: posts ante {written(event.amount)}{all_in}"
            case BringIn():
                yield f"{name} brings in for {self._total(seat, event.amount)}{all_in}"
            case Fold():
                self.live.remove(seat)
                yield f"{name} folds"
            case Check():
                yield f"{name} checks"
            case Call():
                yield f"{name} calls {self._total(seat, event.amount)}{all_in}"
            case Wager():
                verb = "raises to" if self.wagered else "bets"
                self.wagered = True
                total = self._total(seat, event.to - self.on_street[seat])
                yield f"{name} {verb} {total}{all_in}"
            case Show() | Muck() if len(self.live) > 1:  # nobody mucks
                cards = format_cards(self._in_another_order(self.hand.hands[seat]))
                yield f"{name} shows [{cards}]"
            case _:  # what goes back and the showdown have no line
                pass

    def _begin(self, street: Street) -> Iterator[str]:
        self.street, self.wagered = street, False
        self.on_street.clear()
        if not self.late or street is not Street.THIRD:
            yield f"*** {_NAMES[Street(street - 1) if self.late else street]} STREET ***"
        if street is Street.SEVENTH:
            for seat in self.live:
                card = self.hand.hands[seat][6] if seat == self.hand.hero else "X"
                yield f"Dealt to {self.hand.state.names[seat]}: [{card}]"

    def _total(self, seat: Seat, added: int) -> str:
        self.on_street[seat] += added
        return written(self.on_street[seat])

    def _in_another_order(self, cards: list[Card]) -> list[Card]:
        one, two, *rest = cards
        return [two, one, *rest] if one > two else cards

    # ---- the summary

    def _seats(self) -> Iterator[str]:
        state = self.hand.state
        for player in self.hand.players:
            seat = player.seat
            net = state.collected[seat] - state.contributed[seat]
            said = f" {'-' if net < 0 else '+'}{written(net)}" if net else ""
            yield f"Seat {seat}: {player.name} ({written(player.stack + net)}){said}"

    def _pots(self) -> Iterator[str]:
        collects = [event for event in self.hand.events if isinstance(event, Collect)]
        winners, names = _winners(self.hand), self.hand.state.names
        if len(winners) == 1:  # all pots go together
            total = sum(event.amount for event in collects)
            yield f"{names[collects[0].seat]} wins pot ({written(total)})"
            return
        for number in reversed(range(len(self.hand.pots))):
            share = [event for event in collects if (event.pot or 0) == number]
            title = f"side pot {number}" if number else "pot"
            for event in share:
                name, amount = names[event.seat], written(event.amount)
                if len(share) > 1:
                    yield f"{name} wins ({amount}) from {title}"
                elif not number or len(self.hand.pots[number].eligible) > 1:
                    yield f"{name} wins {title} ({amount})"
