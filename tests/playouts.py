"""Random legal hands, played by our own rules, and their text as PokerStars would write it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from razzstats.cards import DECK, Card, MaybeCard, format_cards
from razzstats.chips import PLAY_MONEY, Chips, Money
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
    SeatedPlayer,
    Show,
    ShowdownStart,
    Stakes,
    Street,
    StreetStart,
    Wager,
)
from razzstats.lowball import LowClaim, LowHand, best_low
from razzstats.pots import Pot, award, build_pots
from razzstats.rules.actions import WAGERS, ActionKind
from razzstats.rules.betting import HandState
from razzstats.rules.checks import violations
from razzstats.rules.opening import clockwise
from razzstats.rules.ruleset import RAZZ

DOLLARS = Money("USD", 2)
CASH = Stakes(money=DOLLARS, ante=Chips(10), bring_in=Chips(25), small_bet=Chips(100),
              big_bet=Chips(200))  # fmt: skip
CHIPS = Stakes(money=PLAY_MONEY, ante=Chips(1), bring_in=Chips(2), small_bet=Chips(5),
               big_bet=Chips(10))  # fmt: skip

EAGER = {ActionKind.FOLD: 1, ActionKind.CHECK: 3, ActionKind.CALL: 6, ActionKind.BRING_IN: 5,
         ActionKind.COMPLETE: 2, ActionKind.BET: 3, ActionKind.RAISE: 2}  # fmt: skip
"""How often each kind of action is chosen; these weights reach the showdown often."""


@dataclass
class Playout:
    """One hand in play: what the state says goes to the events, and the cards nobody sees."""

    stakes: Stakes
    players: tuple[SeatedPlayer, ...]
    chance: random.Random
    hero: Seat | None = None
    raked: bool = False
    rake: int = 0
    state: HandState = field(init=False)
    events: list[Event] = field(default_factory=list)
    hands: dict[Seat, list[Card]] = field(init=False)
    """All cards of each player, seen or not, in dealt order."""
    pots: tuple[Pot, ...] = ()

    def __post_init__(self) -> None:
        self.state = HandState(RAZZ, self.stakes, self.players)
        self.hands = {player.seat: [] for player in self.players}
        self.deck = list(DECK)
        self.chance.shuffle(self.deck)

    def do(self, event: Event) -> None:
        """Apply an event; the rules that let it be chosen must let it pass."""
        found = list(violations(self.state, event))
        assert not found, (found, self.events)
        self.events.append(event)
        self.state.apply(event)

    # ---- the hand

    def play(self) -> "Playout":
        self.post_antes()
        for street in Street:
            self.deal(street)
            while self.state.to_act:
                self.do(self.choose())
            if uncalled := self.state.uncalled():
                self.do(ReturnedBet(seat=uncalled[0], amount=uncalled[1]))
            if self.state.is_uncontested:
                break
        self.finish()
        return self

    def post_antes(self) -> None:
        for seat in self.state.seats:
            amount = min(self.stakes.ante, self.state.stacks[seat])
            all_in = amount == self.state.stacks[seat]
            self.do(Ante(seat=seat, amount=amount, all_in=all_in))

    def deal(self, street: Street) -> None:
        live = self.state.live_seats
        if street is Street.SEVENTH and self.state.cards_left() < len(live):
            self.do(StreetStart(street=street, community=self.deck.pop()))
            return
        self.do(StreetStart(street=street))
        for seat in live:
            cards = [self.deck.pop() for _ in range(3 if street is Street.THIRD else 1)]
            known = seat == self.hero
            if street is Street.THIRD:
                down: tuple[MaybeCard, ...] = tuple(cards[:2]) if known else (None, None)
                self.do(Deal(seat=seat, up=(cards[2],), down=down))
            elif street is not Street.SEVENTH:
                seen = tuple(self.hands[seat] if known else self.hands[seat][2:])
                self.do(Deal(seat=seat, up=tuple(cards), seen=seen))
            elif known:
                self.do(Deal(seat=seat, down=tuple(cards), seen=tuple(self.hands[seat])))
            self.hands[seat].extend(cards)

    def choose(self) -> Event:
        """Return one of the legal actions of the player whose turn it is."""
        legal, seat = self.state.legal(), self.state.to_act[0]
        kinds = sorted(legal.kinds - ({ActionKind.FOLD} if not legal.to_call else set()))
        kind = self.chance.choices(kinds, [EAGER[kind] for kind in kinds])[0]
        return self.event(seat, kind)

    def event(self, seat: Seat, kind: ActionKind) -> Event:
        """Return the event of an action that is legal now."""
        state, legal = self.state, self.state.legal()
        all_in = legal.to_call == state.stacks[seat]
        if kind is ActionKind.BRING_IN:
            return BringIn(seat=seat, amount=legal.to_call, all_in=all_in)
        if kind is ActionKind.FOLD:
            return Fold(seat=seat)
        if kind is ActionKind.CHECK:
            return Check(seat=seat)
        if kind is ActionKind.CALL:
            return Call(seat=seat, amount=legal.to_call, all_in=all_in)
        assert kind in WAGERS
        to = legal.wager_to[0]
        return Wager(
            seat=seat,
            to=to,
            by=Chips(to - state.level) if state.level else None,
            verb="raises" if state.level else "bets",
            all_in=to == state.street_bets[seat] + state.stacks[seat],
        )

    # ---- its end

    def lows(self) -> dict[Seat, LowHand]:
        extra = [self.state.community] if self.state.community else []
        return {s: best_low([*self.hands[s], *extra]) for s in self.state.live_seats}

    def finish(self) -> None:
        self.pots = build_pots(self.state.contributed, self.state.folded)
        self.rake = self.pots[0].amount // 20 if self.raked else 0
        shares = [self.shares(number) for number in range(len(self.pots))]
        if not self.state.is_uncontested:
            self.show({seat for share in shares for seat in share})
        for number, share in enumerate(shares):
            for seat, amount in share.items():
                pot = number if len(self.pots) > 1 else None
                self.do(Collect(seat=seat, amount=amount, pot=pot))
        if self.state.is_uncontested and self.chance.random() < 0.3:
            self.do(Muck(seat=self.state.live_seats[0]))

    def shares(self, number: int) -> dict[Seat, Chips]:
        """Return who takes what of a pot; the rake comes out of the main pot."""
        pot = self.pots[number]
        amount = Chips(pot.amount - self.rake) if number == 0 else pot.amount
        lows = self.lows() if not self.state.is_uncontested else {}
        if not lows:
            return {self.state.live_seats[0]: amount}
        return award(Pot(amount, pot.eligible), lows)

    def first_to_show(self) -> Seat:
        """Return who made the river's last wager, or else the first seat."""
        for event in reversed(self.events):
            if isinstance(event, Wager):
                return event.seat
            if isinstance(event, StreetStart):
                break
        return self.state.live_seats[0]

    def show(self, winners: set[Seat]) -> None:
        self.do(ShowdownStart())
        lows = self.lows()
        for seat in clockwise(self.state.live_seats, self.first_to_show()):
            if seat in winners or self.chance.random() < 0.6:
                cards = tuple(self.hands[seat])
                self.do(Show(seat=seat, cards=cards, low=LowClaim(None, lows[seat].ranks)))
            else:
                self.do(Muck(seat=seat))


def random_playout(
    seed: int, *, stakes: Stakes = CASH, deep: bool | None = None, players: int | None = None
) -> Playout:
    """Play one hand; with deep stacks nobody is ever all-in, without almost always somebody."""
    chance = random.Random(seed)
    number = players or chance.choice([2, 2, 3, 4, 5, 6, 7, 8, 8])
    seats = [Seat(seat) for seat in sorted(chance.sample(range(1, 9), number))]
    most = stakes.small_bet * (40 if deep or (deep is None and chance.random() < 0.5) else 4)
    least = most - 1 if deep else max(1, stakes.ante // 2)
    seated = tuple(
        SeatedPlayer(seat=seat, name=f"Player {seat}", stack=Chips(chance.randint(least, most)))
        for seat in seats
    )
    hero = chance.choice([*seats, None])
    return Playout(stakes, seated, chance, hero, raked=chance.random() < 0.5).play()


# ---- the text


def render(hand: Playout, number: int = 1) -> str:
    """Return the hand as PokerStars writes it."""
    return "\n".join(_lines(hand, number)) + "\n"


_STREET_TITLES = {
    Street.THIRD: "3rd STREET",
    Street.FOURTH: "4th STREET",
    Street.FIFTH: "5th STREET",
    Street.SIXTH: "6th STREET",
    Street.SEVENTH: "RIVER",
}


def _lines(hand: Playout, number: int) -> Iterator[str]:
    money = hand.stakes.money
    sizes = f"{money.format(hand.stakes.small_bet)}/{money.format(hand.stakes.big_bet)}"
    iso = " USD" if money.currency == "USD" else ""
    yield f"PokerStars Hand #{number}:  Razz Limit ({sizes}{iso}) - 2012/05/23 17:24:52 ET"
    yield "Table 'Alpha' 8-max" + ("" if iso else " (Play Money)")
    for player in hand.players:
        yield f"Seat {player.seat}: {player.name} ({money.format(player.stack)} in chips)"
    for event in hand.events:
        yield _event_line(hand, event)
    yield from _summary(hand)


def _event_line(hand: Playout, event: Event) -> str:
    seat = getattr(event, "seat", Seat(0))
    name, money = hand.state.names.get(seat, ""), hand.stakes.money.format
    all_in = " and is all-in" if getattr(event, "all_in", False) else ""
    match event:
        case StreetStart():
            board = f" [{event.community}]" if event.community else ""
            return f"*** {_STREET_TITLES[event.street]} ***{board}"
        case Deal():
            seen = f" [{format_cards(event.seen)}]" if event.seen else ""
            known = [card for card in (*event.down, *event.up) if card is not None]
            return f"Dealt to {name}{seen} [{format_cards(known)}]"
        case Ante():
            return f"{name}: posts the ante {money(event.amount)}{all_in}"
        case BringIn():
            return f"{name}: brings in for {money(event.amount)}{all_in}"
        case Fold():
            return f"{name}: folds"
        case Check():
            return f"{name}: checks"
        case Call():
            return f"{name}: calls {money(event.amount)}{all_in}"
        case Wager(by=None):
            return f"{name}: bets {money(event.to)}{all_in}"
        case Wager():
            return f"{name}: raises {money(event.by or 0)} to {money(event.to)}{all_in}"
        case ReturnedBet():
            return f"Uncalled bet ({money(event.amount)}) returned to {name}"
        case ShowdownStart():
            return "*** SHOW DOWN ***"
        case Show():
            low = ",".join(rank.symbol for rank in event.low.ranks) if event.low else ""
            return f"{name}: shows [{format_cards(event.cards)}] (Lo: {low})"
        case Muck():
            return f"{name}: " + ("mucks hand" if hand.state.showdown else "doesn't show hand")
        case Collect():
            return f"{name} collected {money(event.amount)} from {_pot_title(hand, event.pot)}"
    raise AssertionError(event)


def _pot_title(hand: Playout, pot: int | None) -> str:
    if pot is None:
        return "pot"
    if pot == 0:
        return "main pot"
    return "side pot" if len(hand.pots) == 2 else f"side pot-{pot}"


def _summary(hand: Playout) -> Iterator[str]:
    money = hand.stakes.money.format
    total = sum(pot.amount for pot in hand.pots)
    pots = ""
    if len(hand.pots) > 1:
        after_rake = [pot.amount - (hand.rake if not n else 0) for n, pot in enumerate(hand.pots)]
        titles = [_pot_title(hand, number).capitalize() for number in range(len(hand.pots))]
        pots = "".join(f" {t} {money(a)}." for t, a in zip(titles, after_rake, strict=True))
    yield "*** SUMMARY ***"
    yield f"Total pot {money(total)}{pots} | Rake {money(hand.rake)}"
    if hand.state.community:
        yield f"Board [{hand.state.community}]"
    for player in hand.players:
        yield f"Seat {player.seat}: {player.name} {_outcome(hand, player.seat)}"


def _outcome(hand: Playout, seat: Seat) -> str:
    state, money = hand.state, hand.stakes.money.format
    if seat in state.folded:
        street = _STREET_TITLES[state.last_street[seat]].title().replace("Rd", "rd")
        paid = any(
            isinstance(event, BringIn | Call | Wager) and event.seat == seat
            for event in hand.events
        )
        return f"folded on the {street.replace('Th', 'th')}" + ("" if paid else " (didn't bet)")
    won, cards = state.collected[seat], format_cards(hand.hands[seat])
    if seat in state.shown:
        low = ",".join(rank.symbol for rank in hand.lows()[seat].ranks)
        return (
            f"showed [{cards}] and "
            + (f"won ({money(won)})" if won else "lost")
            + (f" with Lo: {low}")
        )
    return f"collected ({money(won)})" if won else f"mucked [{cards}]"
