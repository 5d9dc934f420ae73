"""A hand as PokerStars writes it: the text that parses to the same hand again."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from razzstats.cards import Card
from razzstats.chips import PLAY_MONEY
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    CapNotice,
    Check,
    Collect,
    Deal,
    Fold,
    Muck,
    Note,
    ParsedHand,
    ReturnedBet,
    Seat,
    SeatSummary,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.lowball import LowClaim, LowHand, describe_low

_EASTERN = ZoneInfo("America/New_York")
_AFTER_A_HAND = "\n\n\n\n"  # three blank lines, as in the files of the client

_STREET_LINES = {
    Street.THIRD: "*** 3rd STREET ***",
    Street.FOURTH: "*** 4th STREET ***",
    Street.FIFTH: "*** 5th STREET ***",
    Street.SIXTH: "*** 6th STREET ***",
    Street.SEVENTH: "*** RIVER ***",
}
_STREET_NAMES = {
    Street.THIRD: "3rd Street",
    Street.FOURTH: "4th Street",
    Street.FIFTH: "5th Street",
    Street.SIXTH: "6th Street",
    Street.SEVENTH: "River",
}


def render_hand(hand: ParsedHand) -> str:
    """Return the hand in PokerStars' format, with the blank lines that follow a hand.

    Parsing it gives an equal hand, as long as no two of its lines can be told apart by names alone
    (a player called ``x`` beside one called ``x: folds``).
    """
    return "\n".join(_Text(hand).lines()) + _AFTER_A_HAND


def render_hands(hands: Iterable[ParsedHand]) -> Iterator[str]:
    """Yield the text of each hand; joined, they are a file."""
    return map(render_hand, hands)


class _Text:
    def __init__(self, hand: ParsedHand) -> None:
        self.hand = hand
        self.money = hand.stakes.money.format
        self.names: Mapping[Seat, str] = {player.seat: player.name for player in hand.players}
        self.showdown = False
        pots = [event.pot or 0 for event in hand.events if isinstance(event, Collect)]
        self.side_pots = max([len(hand.summary.pots) - 1, *pots])

    def lines(self) -> Iterator[str]:
        yield self._header()
        yield self._table()
        for player in self.hand.players:
            away = " is sitting out" if player.sitting_out else ""
            yield f"Seat {player.seat}: {player.name} ({self.money(player.stack)} in chips){away}"
        for event in self.hand.events:
            yield _LINES[type(event)](self, event)
        yield from self._summary()

    # ---- the header and the table

    def _header(self) -> str:
        hand = self.hand
        home = "Home Game " if hand.club is not None else ""
        club = f" {{{hand.club}}}" if hand.club is not None else ""
        start = f"PokerStars {home}Hand #{hand.hand_id.number}:{club}"
        return f"{start} {self._game()} - {_time(hand.played_at)}"

    def _game(self) -> str:
        hand, stakes = self.hand, self.hand.stakes
        tournament = hand.tournament
        money = stakes.money
        has_code = tournament is None and money != PLAY_MONEY
        code = f" {money.currency}" if has_code else ""
        sizes = f"{self.money(stakes.small_bet)}/{self.money(stakes.big_bet)}{code}"
        if tournament is None:
            return (
                f" {hand.mixed_game} (Razz Limit, {sizes})"
                if hand.mixed_game
                else (f" Razz Limit ({sizes})")
            )
        game = f"{hand.mixed_game} (Razz Limit)" if hand.mixed_game else "Razz Limit"
        buy_in = f"{tournament.buy_in} " if tournament.buy_in else ""
        level = f" - {tournament.level}" if tournament.level else ""
        return f"Tournament #{tournament.number}, {buy_in}{game}{level} ({sizes})"

    def _table(self) -> str:
        hand = self.hand
        is_play = hand.tournament is None and hand.stakes.money == PLAY_MONEY
        play = " (Play Money)" if is_play else ""
        return f"Table '{hand.table}' {hand.max_seats}-max{play}"

    # ---- the events

    def _street(self, event: StreetStart) -> str:
        community = f" [{event.community}]" if event.community is not None else ""
        return _STREET_LINES[event.street] + community

    def _deal(self, event: Deal) -> str:
        seen = f" [{_cards(event.seen)}]" if event.seen else ""
        new = [card for card in (*event.down, *event.up) if card is not None]
        return f"Dealt to {self.names[event.seat]}{seen} [{_cards(new)}]"

    def _ante(self, event: Ante) -> str:
        return self._pays(event, "posts the ante")

    def _bring_in(self, event: BringIn) -> str:
        return self._pays(event, "brings in for")

    def _call(self, event: Call) -> str:
        return self._pays(event, "calls")

    def _pays(self, event: Ante | BringIn | Call, does: str) -> str:
        amount = self.money(event.amount)
        return f"{self.names[event.seat]}: {does} {amount}{_all_in(event)}"

    def _wager(self, event: Wager) -> str:
        to, name = self.money(event.to), self.names[event.seat]
        by = "" if event.by is None else f"{self.money(event.by)} to "
        return f"{name}: {event.verb} {by}{to}{_all_in(event)}"

    def _fold(self, event: Fold) -> str:
        return f"{self.names[event.seat]}: folds"

    def _check(self, event: Check) -> str:
        return f"{self.names[event.seat]}: checks"

    def _returned(self, event: ReturnedBet) -> str:
        return f"Uncalled bet ({self.money(event.amount)}) returned to {self.names[event.seat]}"

    def _capped(self, event: CapNotice) -> str:
        return "Betting is capped"

    def _showdown(self, event: ShowdownStart) -> str:
        self.showdown = True
        return "*** SHOW DOWN ***"

    def _show(self, event: Show) -> str:
        low = "" if event.low is None else f" ({_low(event.low)})"
        return f"{self.names[event.seat]}: shows [{_cards(event.cards)}]{low}"

    def _muck(self, event: Muck) -> str:
        does = "mucks hand" if self.showdown else "doesn't show hand"
        return f"{self.names[event.seat]}: {does}"

    def _collect(self, event: Collect) -> str:
        pot = "pot" if event.pot is None else self._pot_name(event.pot)
        return f"{self.names[event.seat]} collected {self.money(event.amount)} from {pot}"

    def _note(self, event: Note) -> str:
        return event.text

    def _pot_name(self, pot: int) -> str:
        if not pot:
            return "main pot"
        return "side pot" if self.side_pots == 1 else f"side pot-{pot}"

    # ---- the summary

    def _summary(self) -> Iterator[str]:
        summary = self.hand.summary
        assert summary.pot is not None, "PokerStars states the pot"
        assert summary.rake is not None, "PokerStars states the rake"
        pots = "".join(
            f" {self._pot_name(number).capitalize()} {self.money(amount)}."
            for number, amount in enumerate(summary.pots)
        )
        yield "*** SUMMARY ***"
        yield f"Total pot {self.money(summary.pot)}{pots} | Rake {self.money(summary.rake)}"
        if summary.board is not None:
            yield f"Board [{summary.board}]"
        for line in summary.seats:
            yield f"Seat {line.seat}: {line.name} {self._ending(line)}"

    def _ending(self, line: SeatSummary) -> str:
        if line.folded_on is not None:
            no_bet = " (didn't bet)" if line.did_not_bet else ""
            return f"folded on the {_STREET_NAMES[line.folded_on]}{no_bet}"
        cards = "" if line.cards is None else f" [{_cards(line.cards)}]"
        if line.mucked:
            return f"mucked{cards}"
        won = "" if line.won is None else f"({self.money(line.won)})"
        if line.showed:
            low = "" if line.low is None else f" with {_low(line.low)}"
            return f"showed{cards} and {f'won {won}' if won else 'lost'}{low}"
        return f"collected {won}" if won else "is sitting out"


_LINES: Mapping[type[Any], Callable[[_Text, Any], str]] = {
    Ante: _Text._ante,
    StreetStart: _Text._street,
    Deal: _Text._deal,
    BringIn: _Text._bring_in,
    Fold: _Text._fold,
    Check: _Text._check,
    Call: _Text._call,
    Wager: _Text._wager,
    ReturnedBet: _Text._returned,
    CapNotice: _Text._capped,
    ShowdownStart: _Text._showdown,
    Show: _Text._show,
    Muck: _Text._muck,
    Collect: _Text._collect,
    Note: _Text._note,
}


def _all_in(event: Ante | BringIn | Call | Wager) -> str:
    return " and is all-in" if event.all_in else ""


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def _low(claim: LowClaim) -> str:
    if claim.kind is not None:
        return "Lo: " + describe_low(LowHand(claim.kind, claim.ranks))
    return "Lo: " + ",".join(rank.symbol for rank in claim.ranks)


def _time(played_at: datetime | None) -> str:
    if played_at is None:
        return "0000/00/00 0:00:00 ET"
    local, zone = played_at.astimezone(_EASTERN), "ET"
    if local.fold:  # the hour that the autumn repeats: ET would be read as the first of the two
        local, zone = played_at.astimezone(UTC), "UTC"
    return f"{local:%Y/%m/%d} {local.hour}:{local:%M:%S} {zone}"
