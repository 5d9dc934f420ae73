"""Simulated sessions: hands at one table, where stacks, players and the clock move on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from razzstats.chips import PLAY_MONEY, TOURNAMENT_CHIPS, Chips
from razzstats.events import (
    Ante,
    BringIn,
    Event,
    ParsedHand,
    Seat,
    SeatedPlayer,
    Stakes,
    Tournament,
)
from razzstats.locations import HandId, HandText
from razzstats.rules.ruleset import RuleSet
from razzstats.simulate.asides import Asides
from razzstats.simulate.payout import NO_RAKE, pay_out
from razzstats.simulate.playout import play_out
from razzstats.simulate.setup import Setup, usual_stakes
from razzstats.simulate.strategy import Strategy

_SITE = "pokerstars"
_FIRST_NUMBER = 261_000_000_000
_NUMBERS_A_SESSION = 1_000_000_000


def simulate_hands(
    count: int,
    players: int = 6,
    seed: int = 0,
    setup: Setup | None = None,
    *,
    rules: RuleSet | None = None,
) -> Iterator[ParsedHand]:
    """Yield ``count`` legal hands of one session, the same for the same arguments.

    Each is what parsing gives for its own text (`text.render_hand`). A tournament may end earlier.
    ``rules`` go before those of the setup.
    """
    # Another seed is another session, so its hands have numbers of their own.
    first_number = _FIRST_NUMBER + seed % 1000 * _NUMBERS_A_SESSION
    session_setup = setup or Setup(first_number=first_number)
    if rules is not None:
        session_setup = replace(session_setup, rules=rules)
    session = _Session(players, Random(seed), session_setup)
    for _ in range(count):
        if session.is_over:
            return
        yield session.next_hand()


@dataclass(slots=True)
class _Guest:
    """A player at the table, from hand to hand."""

    name: str
    strategy: Strategy
    stack: Chips
    away: int = 0
    """For how many more hands he sits out."""


class _Session:
    def __init__(self, players: int, rng: Random, setup: Setup) -> None:
        self.setup, self.rng, self.players = setup, rng, players
        self.max_seats = setup.seats(players)
        self.names = [name for name in setup.names if name != setup.hero]
        if len(self.names) < self.max_seats:
            raise ValueError(f"{len(self.names)} names are too few for {self.max_seats} seats")
        rng.shuffle(self.names)
        self.guests: dict[Seat, _Guest] = {}
        self.hands = 0
        self.number = setup.first_number
        self.clock: datetime = setup.start.replace(microsecond=0)
        self.hero = self._seat_players()

    # ---- who sits where

    def _seat_players(self) -> Seat | None:
        seats = self.rng.sample(range(1, self.max_seats + 1), self.players)
        setup, hero = self.setup, None
        if setup.hero is not None:
            if setup.hero_seat is not None and setup.hero_seat not in seats:
                seats[0] = setup.hero_seat
            hero = Seat(setup.hero_seat or seats[0])
        for seat in sorted(seats):
            self._sit_down(Seat(seat))
        if hero is not None and setup.hero is not None:
            self.names.append(self.guests[hero].name)
            stack = self.guests[hero].stack
            self.guests[hero] = _Guest(setup.hero, setup.hero_strategy, stack)
        return hero

    def _sit_down(self, seat: Seat) -> _Guest:
        strategy = self.rng.choice(self.setup.strategies)
        guest = _Guest(self.names.pop(0), strategy, self._buy_in())
        self.guests[seat] = guest
        return guest

    def _buy_in(self) -> Chips:
        if self.setup.tournament:
            return Chips(self.setup.tournament.stack)
        stakes = self.setup.stakes
        bets = self.rng.uniform(*self.setup.buy_in)
        return Chips(max(int(bets * stakes.big_bet), stakes.ante))

    @property
    def is_over(self) -> bool:
        """Whether a tournament has no more hands for this file."""
        hero_is_out = self.hero is not None and self.hero not in self.guests
        return len(self.guests) < 2 or hero_is_out

    # ---- one hand

    def next_hand(self) -> ParsedHand:
        """Play the next hand and let the table change after it."""
        rng, is_tournament = self.rng, self.setup.tournament is not None
        stakes = self._stakes()
        players = self._seat_list()
        dealt_in = [p for p in players if is_tournament or not p.sitting_out]
        strategies = {
            seat: None if guest.away else guest.strategy for seat, guest in self.guests.items()
        }
        hand = play_out(self.setup.rules, stakes, dealt_in, strategies, self.hero, rng)
        raked = not is_tournament and stakes.money != PLAY_MONEY
        summary = pay_out(hand, self.setup.rake if raked else NO_RAKE, rng)
        for player in dealt_in:
            left = hand.state.stacks[player.seat] + hand.state.collected[player.seat]
            self.guests[player.seat].stack = Chips(left)
        asides = Asides(hand.events, players, self.setup.talk, rng)
        self._table_changes(asides)
        parsed = ParsedHand(
            hand_id=HandId(_SITE, str(self.number)),
            played_at=self.clock,
            table=self._table_name(),
            max_seats=self.max_seats,
            tournament=self._tournament(),
            mixed_game=self.setup.mixed_game,
            club=self.setup.club,
            stakes=_stated(stakes, hand.events),
            players=tuple(players),
            hero=self.hero,
            events=tuple(asides.scatter()),
            summary=summary,
            text=HandText("<simulated>", 1, ()),
        )
        self._move_on(len(hand.events))
        return parsed

    def _seat_list(self) -> list[SeatedPlayer]:
        return [
            SeatedPlayer(
                seat=seat, name=guest.name, stack=guest.stack, sitting_out=bool(guest.away)
            )
            for seat, guest in sorted(self.guests.items())
        ]

    def _move_on(self, events: int) -> None:
        self.hands += 1
        self.number += self.rng.randrange(9_000, 60_000)
        self.clock += timedelta(seconds=8 + 2 * events + self.rng.randrange(20))

    # ---- what is played for

    def _level(self) -> int:
        plan = self.setup.tournament
        assert plan is not None
        return min(self.hands // plan.hands_per_level, len(plan.small_bets) - 1)

    def _stakes(self) -> Stakes:
        plan = self.setup.tournament
        if plan is None:
            return self.setup.stakes
        return usual_stakes(TOURNAMENT_CHIPS, plan.small_bets[self._level()])

    def _tournament(self) -> Tournament | None:
        plan = self.setup.tournament
        if plan is None:
            return None
        level = f"Level {_roman(self._level() + 1)}"
        return Tournament(number=plan.number, buy_in=plan.buy_in, level=level)

    def _table_name(self) -> str:
        plan = self.setup.tournament
        return f"{plan.number} 1" if plan else self.setup.table

    # ---- between the hands

    def _table_changes(self, asides: Asides) -> None:
        if self.setup.tournament:
            self._knock_out(asides)
        else:
            self._buy_or_leave(asides)
            self._fill_seats(asides)
        self._come_and_go(asides)

    def _knock_out(self, asides: Asides) -> None:
        broke = [seat for seat, guest in sorted(self.guests.items()) if not guest.stack]
        left = len(self.guests) - len(broke)
        for seat in broke:
            place = _ordinal(left + 1)
            name = self.guests.pop(seat).name
            asides.at_the_end(f"{name} finished the tournament in {place} place")
        if left == 1:
            (winner,) = self.guests.values()
            asides.at_the_end(f"{winner.name} wins the tournament - congratulations!")

    def _buy_or_leave(self, asides: Asides) -> None:
        rng, least = self.rng, self.setup.stakes.big_bet * self.setup.buy_in[0] / 2
        for seat, guest in sorted(self.guests.items()):
            stays = seat == self.hero or rng.random() < (0.99 if guest.stack else 0.7)
            if not stays:
                del self.guests[seat]
                self.names.append(guest.name)
                asides.after(seat, f"{guest.name} leaves the table")
            elif not guest.stack or (guest.stack < least and rng.random() < 0.4):
                guest.stack = Chips(max(self._buy_in(), guest.stack))

    def _fill_seats(self, asides: Asides) -> None:
        free = [seat for seat in range(1, self.max_seats + 1) if seat not in self.guests]
        missing = self.players - len(self.guests)
        for seat in free[: max(missing, 0)]:
            if len(self.guests) < 2 or self.rng.random() < 0.4:
                name = self._sit_down(Seat(seat)).name
                asides.anywhere(f"{name} joins the table at seat #{seat}")

    def _come_and_go(self, asides: Asides) -> None:
        for seat, guest in sorted(self.guests.items()):
            if guest.away:
                guest.away -= 1
                if not guest.away:
                    asides.anywhere(f"{guest.name} has returned")
            elif seat != self.hero and len(self._present()) > 2 and self.rng.random() < 0.01:
                guest.away = self.rng.randrange(1, 6)
                asides.after(seat, f"{guest.name} is sitting out")
        while len(self._present()) < 2 <= len(self.guests):
            next(guest for guest in self.guests.values() if guest.away).away = 0

    def _present(self) -> list[Seat]:
        return [seat for seat, guest in self.guests.items() if not guest.away]


def _stated(stakes: Stakes, events: list[Event]) -> Stakes:
    """Return the stakes as far as the text states them: no bring-in, or only a short one, is 0."""
    antes = [event.amount for event in events if isinstance(event, Ante)]
    bring_in = next((e.amount for e in events if isinstance(e, BringIn) and not e.all_in), 0)
    return replace(stakes, ante=max(antes, default=Chips(0)), bring_in=Chips(bring_in))


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"
