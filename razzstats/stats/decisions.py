"""A player's decisions one by one: the price, and his equity by what he could see."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import pandas as pd

from razzstats.cards import Card, MaybeCard, numbered_card
from razzstats.equity import Holding, Spot, SpotError, calculate
from razzstats.events import Street
from razzstats.lowball import LOW_CARD, best_low
from razzstats.ranges import Estimate, Opponent, RangeKind, equity_against
from razzstats.rules.actions import CHOICES, DECISIONS, VOLUNTARY, ActionKind
from razzstats.rules.ruleset import RULE_SETS
from razzstats.stats.filters import Filters
from razzstats.storage import Database
from razzstats.storage.decisions import sql_kinds

SAMPLES = 10_000
"""Deals for an equity that is sampled: a standard error of half a percent at most."""

_MOST_STEPS = 5_000_000  # some tens of milliseconds a decision; more is sampled
_BATCH = 2_000  # hands at once

COLUMNS = (
    "site", "hand_no", "hid", "played_at", "name", "seq", "street", "kind", "amount", "big_bet",
    "pot", "to_call", "required_equity", "wagers", "could_wager", "opponents", "ranges",
    "equity_range", "equity_range_error", "equity_shown", "equity_shown_error",
)  # fmt: skip


def decisions(
    database: Database, filters: Filters, *, equities: bool = True, samples: int = SAMPLES
) -> pd.DataFrame:
    """Return one row a decision of the players that match, in order of time.

    ``pot``, ``to_call`` and ``amount`` are smallest units, the pot and the price before he acts;
    ``required_equity`` is the price's part of the pot that a call would make, NA with nothing to
    call. ``ranges`` say what is assumed of the live opponents (`ranges`), and ``equity_range`` is
    the player's part of the pot against that. ``equity_shown`` is his part against the cards that
    these opponents really held, where all of them are known, which he could not see. Both take for
    dead what he could see then, and nothing else. They are NA where his own cards are not known,
    and without ``equities``; errors are standard errors, 0 if every deal was counted.
    """
    rows = [
        _row(decision, equities, samples)
        for hand in _hands(database, filters)
        for decision in hand.decisions()
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame = frame.sort_values(["played_at", "hid", "seq"], kind="stable", ignore_index=True)
    return frame.astype(dict.fromkeys([name for name in COLUMNS if "equity" in name], "Float64"))


class _Act(NamedTuple):
    hid: int
    seq: int
    street: int
    seat: int
    kind: str
    amount: int
    pot: int
    to_call: int
    wagers: int
    could_wager: bool


class _Player(NamedTuple):
    hid: int
    seat: int
    name: str
    cards: tuple[MaybeCard, ...]
    last_street: int
    matches: bool


class _Hand(NamedTuple):
    site: str
    hand_no: str
    played_at: Any
    game: str
    big_bet: int
    river: Card | None
    """The last card, if it was one for all."""
    players: dict[int, _Player]
    acts: list[_Act]

    def decisions(self) -> Iterator["Decision"]:
        """Yield the decisions of the players that match."""
        for place, act in enumerate(self.acts):
            if act.kind in CHOICES and self.players[act.seat].matches:
                yield Decision(self, place, act)


class Decision(NamedTuple):
    """One decision, with the hand around it."""

    hand: _Hand
    place: int
    act: _Act

    @property
    def player(self) -> _Player:
        """Who decides."""
        return self.hand.players[self.act.seat]

    @property
    def river(self) -> Card | None:
        """The last card, if it is dealt and one for all."""
        return self.hand.river if self.act.street == Street.SEVENTH else None

    def cards(self, player: _Player) -> tuple[Card, ...] | None:
        """Return the player's own cards by now, or None if one of them is not known."""
        number = self.act.street - (self.river is not None)
        cards = player.cards[:number]
        known = tuple(card for card in cards if card is not None)
        return known if len(known) == number else None

    @property
    def opponents(self) -> list[_Player]:
        """The live ones, by seat."""
        earlier = self.hand.acts[: self.place]
        folded = {act.seat for act in earlier if act.kind == ActionKind.FOLD}
        return [
            player
            for seat, player in sorted(self.hand.players.items())
            if seat not in folded and seat != self.act.seat
        ]

    def up_cards(self, player: _Player) -> tuple[Card, ...]:
        """Return the up cards that a player has shown by now."""
        dealt = min(self.act.street, player.last_street, Street.SIXTH)
        return tuple(card for card in player.cards[2:dealt] if card is not None)

    @property
    def dead(self) -> tuple[Card, ...]:
        """The up cards of those who folded."""
        live = {self.act.seat, *(player.seat for player in self.opponents)}
        gone = [player for seat, player in sorted(self.hand.players.items()) if seat not in live]
        return tuple(card for player in gone for card in self.up_cards(player))

    def seen_as(self, player: _Player) -> Opponent:
        """Return an opponent as all can see him now."""
        earlier = self.hand.acts[: self.place]
        entered = [act for act in earlier if act.seat == player.seat and act.kind in VOLUNTARY]
        kind = RangeKind.ANY
        if entered:
            kind = RangeKind.STEAL if self._is_steal(entered[0]) else RangeKind.LOW
        return Opponent(kind, self.up_cards(player))

    def _is_steal(self, entry: _Act) -> bool:
        """Whether a completion came first in, with no viable door left to act but the bring-in."""
        third = [act for act in self.hand.acts if act.street == Street.THIRD]
        before = [act for act in third if act.seq < entry.seq]
        if entry.kind != ActionKind.COMPLETE or any(act.kind in VOLUNTARY for act in before):
            return False
        acted = {act.seat for act in before} | {entry.seat}  # the bring-in is among them
        doors = [p.cards[2] for seat, p in self.hand.players.items() if seat not in acted]
        return all(door is not None and door.rank > LOW_CARD for door in doors)


def _row(decision: Decision, equities: bool, samples: int) -> tuple[Any, ...]:
    hand, act = decision.hand, decision.act
    opponents = decision.opponents
    seen = [decision.seen_as(player) for player in opponents]
    against_range = equity_range(decision, seen, samples) if equities else None
    against_shown = _equity_shown(decision, opponents, samples) if equities else None
    return (
        hand.site, hand.hand_no, act.hid, hand.played_at, decision.player.name, act.seq,
        act.street, act.kind, act.amount, hand.big_bet, act.pot, act.to_call,
        act.to_call / (act.pot + act.to_call) if act.to_call else None,
        act.wagers, act.could_wager, len(opponents), "; ".join(map(str, seen)),
        *(against_range or (None, None)), *(against_shown or (None, None)),
    )  # fmt: skip


def equity_range(
    decision: Decision, seen: Sequence[Opponent], samples: int, most_steps: int = _MOST_STEPS
) -> Estimate | None:
    """Return the player's equity against what his opponents may hold, if his cards are known.

    Where counting takes more than ``most_steps``, ``samples`` deals are sampled.
    """
    own = decision.cards(decision.player)
    if own is None or not seen or RULE_SETS[decision.hand.game].best_hand is not best_low:
        return None
    try:
        return equity_against(
            own, seen, decision.dead, decision.river, most_steps=most_steps, samples=samples
        )
    except SpotError:  # what is assumed of an opponent cannot be: all such cards are dead
        return None


def _equity_shown(
    decision: Decision, opponents: Sequence[_Player], samples: int
) -> Estimate | None:
    own = decision.cards(decision.player)
    held = [cards for player in opponents if (cards := decision.cards(player)) is not None]
    if own is None or not opponents or len(held) < len(opponents):
        return None
    try:
        found = calculate(
            Spot(tuple(map(Holding, (own, *held))), decision.dead, river=decision.river),
            RULE_SETS[decision.hand.game].best_hand,
            most_steps=_MOST_STEPS,
            samples_instead=samples,
        )
    except SpotError:  # more cards than a deck has
        return None
    return Estimate(float(found.share(0)), found.standard_error(0))


# ---- from the database


def decisions_at(database: Database, places: Iterable[tuple[int, int]]) -> list[Decision]:
    """Return the decisions at these hands and sequence numbers."""
    wanted = set(places)
    hids = sorted({hid for hid, _ in wanted})
    return [
        decision
        for start in range(0, len(hids), _BATCH)
        for hand in _batch(database, hids[start : start + _BATCH], "TRUE", [])
        for decision in hand.decisions()
        if (decision.act.hid, decision.act.seq) in wanted
    ]


def _hands(database: Database, filters: Filters) -> Iterator[_Hand]:
    where, parameters = filters.where()
    hids = [
        int(hid)
        for (hid,) in database.rows(
            f"SELECT DISTINCT hid FROM hand_players WHERE {where} ORDER BY hid", parameters
        )
    ]
    for start in range(0, len(hids), _BATCH):
        batch = hids[start : start + _BATCH]
        yield from _batch(database, batch, where, parameters)


def _batch(
    database: Database, hids: list[int], where: str, parameters: Sequence[Any]
) -> Iterator[_Hand]:
    players: dict[int, dict[int, _Player]] = defaultdict(dict)
    for hid, seat, name, numbers, last_street, matches in database.rows(
        f"""SELECT hid, seat, name, [c1, c2, c3, c4, c5, c6, c7], last_street, ({where})
        FROM hand_players WHERE hid IN (SELECT unnest(?::BIGINT[])) ORDER BY hid, seat""",
        [*parameters, hids],
    ):
        cards = tuple(map(numbered_card, numbers[:last_street]))
        players[hid][seat] = _Player(hid, seat, name, cards, last_street, matches)
    acts = [
        _Act(*row)
        for row in database.rows(
            f"""SELECT hid, seq, street, seat, kind, amount, pot, to_call, wagers, could_wager
            FROM actions WHERE hid IN (SELECT unnest(?::BIGINT[]))
            AND kind IN {sql_kinds(DECISIONS)} ORDER BY hid, seq""",
            (hids,),
        )
    ]
    by_hand = {hid: list(rows) for hid, rows in groupby(acts, key=attrgetter("hid"))}
    for hid, site, hand_no, played_at, game, big_bet, river in database.rows(
        """SELECT hid, site, hand_no, played_at, game, big_bet, community FROM hands
        WHERE hid IN (SELECT unnest(?::BIGINT[])) ORDER BY hid""",
        (hids,),
    ):
        yield _Hand(
            site, hand_no, played_at, game, big_bet, numbered_card(river), players[hid],
            by_hand.get(hid, []),
        )  # fmt: skip
