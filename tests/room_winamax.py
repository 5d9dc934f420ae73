"""Random legal hands as Winamax would write them, in the client's files or exported ones."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from playouts import CASH, Playout, random_playout

from razzstats.cards import Rank
from razzstats.chips import PLAY_MONEY, Chips
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Check,
    Collect,
    Event,
    Fold,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.lowball import LowKind, best_low

_PLAIN = PLAY_MONEY._replace(decimals=2)
_MOST_PLAYERS = 6  # of the room's tables
_FACES = {Rank.ACE: "Ace", Rank.JACK: "Jack", Rank.QUEEN: "Queen", Rank.KING: "King"}
_CLIENT_STREETS = {street: f"{street.value}th STREET" for street in Street} | {
    Street.THIRD: "3rd STREET"
}


def winamax_playout(seed: int, *, deep: bool | None = None) -> Playout:
    """Play one hand of up to six players."""
    players = 2 + seed % (_MOST_PLAYERS - 1)
    return random_playout(seed, stakes=CASH, deep=deep, players=players)


def tiny_playout(seed: int) -> Playout:
    """Play one hand of three players who have little more than a completion."""
    chance = random.Random(seed)
    seated = tuple(
        SeatedPlayer(seat=Seat(seat), name=f"Player {seat}", stack=Chips(chance.randint(80, 240)))
        for seat in (1, 2, 3)
    )
    return Playout(CASH, seated, chance, Seat(2), raked=True).play()


@dataclass
class Rendering:
    """One hand on its way to its text; `exported` is the site's dialect, for play money."""

    hand: Playout
    number: int = 1
    exported: bool = False
    names: Mapping[Seat, str] = field(default_factory=dict)
    when: str = "2019/03/04 20:15:10"
    absent: str | None = "Absent"
    """Somebody who is listed without being dealt in."""

    def __post_init__(self) -> None:
        self.live = [player.seat for player in self.hand.players]
        self.printed_level = Chips(0)
        self.on_street: Counter[Seat] = Counter()
        self.bring_in: Counter[Seat] = Counter()

    def text(self) -> str:
        lines = [*self._head(), *self._play(), *self._summary()]
        return "\n".join(lines) + "\n"

    def _name(self, seat: Seat) -> str:
        return self.names.get(seat, self.hand.state.names[seat])

    def _money(self, amount: int) -> str:
        return _PLAIN.format(amount) + ("" if self.exported else "€")

    # ---- the head

    def _head(self) -> Iterator[str]:
        stakes = self.hand.stakes
        game = "/".join(map(self._money, (stakes.ante, stakes.small_bet, stakes.big_bet)))
        yield (
            f"Winamax Poker - CashGame - HandId: #7001-{self.number}-1551730510 - "
            f"Razz fixed limit ({game}) - {self.when} UTC"
        )
        kind = "(play money) Seat #0 is the button" if self.exported else "(real money)"
        yield f"Table: 'Fécamp' 8-max {kind}"
        stacks = {
            player.seat: (self._name(player.seat), player.stack) for player in self.hand.players
        }
        free = next((Seat(seat) for seat in range(1, 9) if seat not in stacks), None)
        if self.absent and free:
            stacks[free] = (self.absent, Chips(1234))
        for seat, (name, stack) in sorted(stacks.items()):
            yield f"Seat {seat}: {name} ({self._money(stack)})"
        yield "*** ANTE/BLINDS ***"

    # ---- the play

    def _play(self) -> Iterator[str]:
        antes = [event for event in self.hand.events if isinstance(event, Ante)]
        random.Random(self.number).shuffle(antes)  # they come in any order
        for ante in antes:
            yield f"{self._name(ante.seat)} posts ante {self._money(ante.amount)}"
        for event in self.hand.events:
            yield from self._line(event)
        yield from self._collected()

    def _line(self, event: Event) -> Iterator[str]:
        match event:
            case StreetStart():
                yield from self._street(event.street)
            case BringIn():
                self.bring_in[event.seat] = event.amount
                self.on_street[event.seat] += event.amount
                word = "bring-in" if self.exported else "brings in"
                yield f"{self._name(event.seat)} {word} {self._money(event.amount)}"
            case Fold():
                self.live.remove(event.seat)
                yield f"{self._name(event.seat)} folds"
            case Check():
                yield f"{self._name(event.seat)} checks"
            case Call():
                self.on_street[event.seat] += event.amount
                yield f"{self._name(event.seat)} calls {self._money(event.amount)}"
            case Wager():
                yield self._wager(event)
            case ShowdownStart():
                yield "*** SHOW DOWN ***"
            case Show():
                cards = " ".join(map(str, event.cards))
                yield f"{self._name(event.seat)} shows [{cards}] ({_words(event)})"
            case _:
                return

    def _wager(self, event: Wager) -> str:
        """The room leaves out what a player brought in, so that a raise may be negative."""
        verb = "raises" if any(self.on_street.values()) else "bets"
        to = event.to - self.bring_in[event.seat]
        by, self.printed_level = to - self.printed_level, Chips(to)
        self.on_street[event.seat] = event.to
        size = f"{self._money(by)} to " if verb == "raises" else ""
        return f"{self._name(event.seat)} {verb} {size}{self._money(to)}"

    def _street(self, street: Street) -> Iterator[str]:
        self.printed_level = Chips(0)
        self.on_street.clear()
        if street is not Street.THIRD:
            self.bring_in.clear()
        yield f"*** {street.name if self.exported else _CLIENT_STREETS[street]} ***"
        if self.exported:
            return
        for seat in self.live:
            cards = [
                str(card) if seat == self.hand.hero or 2 <= place < 6 else "X"
                for place, card in enumerate(self.hand.hands[seat][: street.value])
            ]
            seen = "" if street is Street.THIRD else f" [{' '.join(cards[:-1])}]"
            new = cards if street is Street.THIRD else cards[-1:]
            yield f"Dealt to {self._name(seat)}{seen} [{' '.join(new)}]"

    # ---- the end

    def _collects(self) -> list[tuple[Seat, int, int | None]]:
        """Return who collects how much from which pot, the uncalled bet with the last one."""
        events = self.hand.events
        found = [(e.seat, int(e.amount), e.pot) for e in events if isinstance(e, Collect)]
        for event in events:
            if isinstance(event, ReturnedBet):
                return self._with_uncalled(found, event)
        return found

    def _with_uncalled(
        self, found: list[tuple[Seat, int, int | None]], uncalled: ReturnedBet
    ) -> list[tuple[Seat, int, int | None]]:
        pots = len(self.hand.pots)
        last = [place for place, (_, _, pot) in enumerate(found) if (pot or 0) == pots - 1]
        if [found[place][0] for place in last] == [uncalled.seat]:
            seat, amount, pot = found[last[0]]
            found[last[0]] = (seat, amount + uncalled.amount, pot)
            return found
        named = [(seat, amount, pot or 0) for seat, amount, pot in found]
        return [*named, (uncalled.seat, int(uncalled.amount), pots)]

    def _collected(self) -> Iterator[str]:
        for seat, amount, pot in sorted(self._collects(), key=lambda found: -(found[2] or 0)):
            title = {None: "pot", 0: "main pot"}.get(pot, f"side pot {pot}")
            yield f"{self._name(seat)} collected {self._money(amount)} from {title}"

    def _summary(self) -> Iterator[str]:
        won: Counter[Seat] = Counter()
        for seat, amount, _ in self._collects():
            won[seat] += amount
        rake = f"Rake {self._money(self.hand.rake)}" if self.hand.rake else "No rake"
        yield "*** SUMMARY ***"
        yield f"Total pot {self._money(won.total())} | {rake}"
        shown = {event.seat: event for event in self.hand.events if isinstance(event, Show)}
        for seat in sorted({*won, *shown}):
            taken = f"won {self._money(won[seat])}"
            what = taken
            if seat in shown:
                result = taken if won[seat] else "lost"
                cards = " ".join(map(str, shown[seat].cards))
                what = f"showed [{cards}] and {result} with {_words(shown[seat])}"
            yield f"Seat {seat}: {self._name(seat)} {what}"


def _words(event: Show) -> str:
    """Return a low in the words that the room has for the lows of other games."""
    low = best_low(event.cards)
    names = [_FACES.get(rank, str(rank.value)) for rank in dict.fromkeys(low.ranks)]
    if low.kind is LowKind.UNPAIRED:
        return f"High card : {names[0]}"
    if low.kind is LowKind.PAIR:
        return f"One pair : {names[0]}"
    return f"Two pairs : {names[0]} and {names[1]}"
