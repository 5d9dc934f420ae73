"""Random legal hands as Merge would write them, in each of the dialects of its files.

Where nobody can bet any more the room turns up all hands at once, lists the rest of the cards
face up and has no showdown; this text does so too.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from playouts import Playout

from razzstats.cards import Card
from razzstats.chips import Chips
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
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.rules.betting import HandState
from razzstats.rules.ruleset import RAZZ


@dataclass(frozen=True)
class Dialect:
    """How the files of some years differ from those of others."""

    version: str | None = None
    hidden: str | None = "null"
    """What a card is that nobody sees; None leaves it out."""
    tournament: bool = False
    forced_all_ins: bool = False
    """Whether an ante or a bring-in that takes the last chips is called an all-in."""

    @property
    def uncalled_is_named(self) -> bool:
        return self.version is not None


OLD, NEW = Dialect(), Dialect(version="2.1")
TOURNAMENT = Dialect(tournament=True)
DIALECTS = {
    "old": OLD,
    "new": NEW,
    "hidden cards are empty": Dialect(version="2", hidden=""),
    "hidden cards are left out": Dialect(version="2.1", hidden=None),
    "forced bets are all-ins": Dialect(forced_all_ins=True),
    "tournament": TOURNAMENT,
    "new tournament": Dialect(version="2.1", tournament=True),
}


def render(hand: Playout, number: int = 1, dialect: Dialect = OLD) -> str:
    """Return the hand as Merge writes it."""
    return Rendering(hand, number, dialect).text()


@dataclass
class Rendering:
    """One hand on its way to its text."""

    hand: Playout
    number: int = 1
    dialect: Dialect = OLD
    face_up: bool = False
    sequence: int = 0
    lines: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    """The lists of the open round, which stand behind its events."""

    def __post_init__(self) -> None:
        self.state = HandState(RAZZ, self.hand.stakes, self.hand.players)
        self.rounds = 0
        self.open = ""

    def text(self) -> str:
        self._head()
        for event in self._events():
            self._event(event)
            self.state.apply(event)
            if not self.face_up and self._nothing_is_left_to_bet(event):
                self._turn_up()
        self._end()
        return "\n".join(self.lines) + "\n"

    def _events(self) -> Iterator[Event]:
        antes = [event for event in self.hand.events if isinstance(event, Ante)]
        random.Random(self.number).shuffle(antes)  # they come in any order
        yield from antes
        yield from (event for event in self.hand.events if not isinstance(event, Ante))

    def _amount(self, amount: int) -> str:
        return f"{amount}.00" if self.dialect.tournament else f"{amount / 100:.2f}"

    # ---- tags

    def _tag(self, name: str, **attributes: str) -> str:
        words = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
        return f"<{name}{words}" + (" " if self.dialect.version else "")

    def _line(self, depth: int, text: str) -> None:
        self.lines.append(("    " if self.dialect.version else "\t") * depth + text)

    def _round(self, id: str) -> None:
        if self.open == id:
            return
        self._close()
        self.rounds += 1
        self.open = id
        self._line(1, self._tag("round", id=id, sequence=str(self.rounds)) + ">")

    def _close(self) -> None:
        for cards in self.cards:
            self._line(2, cards)
        self.cards.clear()
        if self.open:
            self._line(1, "</round>")
        self.open = ""

    def _do(self, type: str, seat: Seat, amount: int | None = None) -> None:
        self.sequence += 1
        stamp = str(1337808292000 + 1500 * self.sequence)
        attributes = {"sequence": str(self.sequence), "type": type, "timestamp": stamp}
        attributes["player"] = str(seat - 1)
        if amount is not None:
            attributes["amount"] = self._amount(amount)
        self._line(2, self._tag("event", **attributes) + "/>")

    def _list(self, type: str, seat: Seat, cards: Iterable[str]) -> None:
        tag = self._tag("cards", type=type, cards=",".join(cards), player=str(seat - 1))
        self.cards.append(tag + "/>")

    # ---- the head

    def _head(self) -> None:
        dialect, stakes = self.dialect, self.hand.stakes
        sizes = f"Limit ${stakes.small_bet / 100:g}/${stakes.big_bet / 100:g}"
        version = {"version": dialect.version} if dialect.version else {}
        if not dialect.tournament:
            description = self._tag("description", type="Razz", stakes=sizes, **version)
            self.lines.append(description + "/>")
        number = f"81000000-{self.number}"
        place = "81000000-2" if dialect.tournament else "81000000"
        data = f"20120523|Rigel (81000000)|{place}|{number}|false"
        game = {"id": number, "starttime": "20120523172452", "numholecards": "7"}
        game |= {"gametype": "49" if dialect.tournament else "47"}
        if dialect.version and not dialect.tournament:
            game |= {"stakes": sizes, "seats": "8"}
        self.lines.append(self._tag("game", **game, realmoney="true", data=data, **version) + ">")
        self._line(1, self._tag("players", dealer="7") + ">")
        antes = {event.seat: event.amount for event in self.hand.events if isinstance(event, Ante)}
        for player in self.hand.players:
            missing = antes[player.seat] if dialect == TOURNAMENT else 0
            balance = ("" if dialect.version else "$") + self._amount(player.stack - missing)
            seat = {"seat": str(player.seat - 1), "nickname": player.name}
            self._line(2, self._tag("player", **seat, balance=balance, dealtin="true") + "/>")
        self._line(1, "</players>")

    # ---- the play

    def _event(self, event: Event) -> None:
        match event:
            case Ante():
                self._round("BLINDS")
                self._force("ANTE", event)
            case StreetStart(street=Street.THIRD):
                self._round("BRING_IN")
            case StreetStart():
                self._round(f"{event.street.name}_STREET")
                self._deal_last_cards(event)
            case Deal():
                self._deal(event)
            case BringIn():
                self._force("BRING_IN", event)
            case Fold() | Check() | Call() | Wager():
                if self.state.street is Street.THIRD:
                    self._round("THIRD_STREET")
                self._bet(event)
            case ShowdownStart():
                if not self.face_up:
                    self._round("SHOWDOWN")
            case Show() | Muck():
                self._reveal(event)
            case _:
                return

    def _force(self, type: str, event: Ante | BringIn) -> None:
        all_in = event.all_in and self.dialect.forced_all_ins
        self._do("ALL_IN" if all_in else type, event.seat, event.amount)

    def _bet(self, event: Fold | Check | Call | Wager) -> None:
        match event:
            case Fold():
                self._do("FOLD", event.seat)
            case Check():
                self._do("CHECK", event.seat)
            case Call():
                self._do("ALL_IN" if event.all_in else "CALL", event.seat, event.amount)
            case Wager(all_in=True):
                self._do("ALL_IN", event.seat, event.to - self.state.street_bets[event.seat])
            case Wager():
                completes = self.state.street is Street.THIRD and not self.state.wagers
                kind = "RAISE" if self.state.level else "BET"
                self._do("COMPLETE" if completes else kind, event.seat, event.to)

    def _deal(self, event: Deal) -> None:
        street = self.state.street or Street.THIRD
        if street is Street.SEVENTH:
            return
        known = self.face_up or event.seat == self.hand.hero
        self._list_hand(event.seat, self.hand.hands[event.seat][:street], known=known)
        if street is not Street.THIRD and len(self.state.undealt) == 1:
            self._repeat_folded()

    def _deal_last_cards(self, event: StreetStart) -> None:
        if event.street is not Street.SEVENTH:
            return
        if event.community:
            tag = self._tag("cards", type="COMMUNITY", cards=str(event.community), player="-1")
            self.cards.append(tag + "/>")
            return
        for seat in self.state.live_seats:
            known = self.face_up or seat == self.hand.hero
            self._list_hand(seat, self.hand.hands[seat], known=known)
        self._repeat_folded()

    def _repeat_folded(self) -> None:
        """The room goes on to list the cards of the one whose file it is, after his fold."""
        hero = self.hand.hero
        if hero is not None and hero in self.state.folded:
            self._list("HOLE", hero, map(str, self.hand.hands[hero]))

    def _list_hand(self, seat: Seat, cards: list[Card], *, known: bool) -> None:
        words = [
            str(card) if known or 2 <= place < 6 else self.dialect.hidden
            for place, card in enumerate(cards)
        ]
        type = "HOLE" if seat == self.hand.hero else "DRAW_DRAWN_CARDS"
        self._list(type, seat, (word for word in words if word is not None))

    # ---- the end

    def _nothing_is_left_to_bet(self, event: Event) -> bool:
        state = self.state
        if state.street is None or state.is_uncontested or not state.nobody_can_bet:
            return False
        return state.street is not Street.SEVENTH and not isinstance(event, StreetStart)

    def _turn_up(self) -> None:
        self.face_up = True
        for seat in self.state.live_seats:
            self._do("SHOW", seat)
        for seat in self.state.live_seats:
            held = self.hand.hands[seat][: self.state.street]
            self._list("SHOWN", seat, map(str, held))

    def _reveal(self, event: Show | Muck) -> None:
        if self.state.is_uncontested or self.face_up:
            return
        shows = isinstance(event, Show)
        self._do("SHOW" if shows else "MUCK", event.seat)
        cards = map(str, self.hand.hands[event.seat])
        self._list("SHOWN" if shows else "MUCKED", event.seat, cards)

    def _end(self) -> None:
        if self.state.is_uncontested:
            self._round("END_OF_FOLDED_GAME")
            self._do("MUCK", self.state.live_seats[0])
            self._winners()
        self._round("END_OF_GAME")
        if not self.state.is_uncontested:
            self._winners()
        self._close()
        self.lines.append("</game>")

    def _winners(self) -> None:
        lows = {} if self.state.is_uncontested else self.hand.lows()
        uncalled = self._uncalled()
        pots = len(self.hand.pots)
        inside = self.state.is_uncontested and not self.dialect.uncalled_is_named
        for event in self.hand.events:
            if isinstance(event, Collect):
                extra = uncalled[event.seat] if inside else 0
                low = lows.get(event.seat)
                hand = "-".join(rank.symbol for rank in low.ranks) if low else None
                self._winner(event.seat, event.amount + extra, (event.pot or 0) + 1, hand)
        for seat, amount in uncalled.items() if not inside else ():
            self._winner(seat, amount, pots + 1, None, uncalled=True)

    def _uncalled(self) -> Counter[Seat]:
        found: Counter[Seat] = Counter()
        for event in self.hand.events:
            if isinstance(event, ReturnedBet):
                found[event.seat] += event.amount
        return found

    def _winner(
        self, seat: Seat, amount: Chips | int, pot: int, hand: str | None, *, uncalled: bool = False
    ) -> None:
        attributes = {"amount": self._amount(amount), "uncalled": str(uncalled).lower()}
        attributes |= {"potnumber": str(pot), "player": str(seat - 1)}
        attributes |= {"hand": hand} if hand else {}
        self._line(2, self._tag("winner", **attributes, pottype="n") + "/>")
