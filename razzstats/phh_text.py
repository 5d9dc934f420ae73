"""A hand in PHH notation, the poker hand history format: the text that is read as the same hand.

What PHH has no word for is left out: chat, who sat there without playing, and cards that the winner
of an uncontested pot shows. Cards that became known later stand where they were dealt.
"""

from collections.abc import Iterable, Iterator

from razzstats.cards import MaybeCard
from razzstats.chips import PLAY_MONEY, TOURNAMENT_CHIPS
from razzstats.events import (
    BringIn,
    Call,
    Check,
    Event,
    Fold,
    Muck,
    Show,
    ShowdownStart,
    Street,
    StreetStart,
    Wager,
)
from razzstats.known_sites import SITE_TITLES
from razzstats.replay import ReplayedHand

_NO_CURRENCIES = (PLAY_MONEY.currency, TOURNAMENT_CHIPS.currency)


def render_phh(hand: ReplayedHand) -> str:
    """Return the hand in PHH, one field or action a line."""
    return "\n".join(_Text(hand).lines()) + "\n"


def render_phhs(hands: Iterable[str]) -> Iterator[str]:
    """Yield the texts of hands as a file of several wants them; joined, they are the file."""
    for number, text in enumerate(hands, 1):
        yield f"[{number}]\n{text}\n"


class _Text:
    def __init__(self, hand: ReplayedHand) -> None:
        self.hand = hand
        self.stakes = hand.parsed.stakes
        self.results = {result.seat: result for result in hand.results}
        self.labels = {seat: f"p{number}" for number, seat in enumerate(self.results, 1)}
        self.live = list(self.results)
        self.showdown = False

    def lines(self) -> Iterator[str]:
        yield 'variant = "FR"'
        yield "ante_trimming_status = true"
        yield self._list("antes", [self._amount(self.stakes.ante)] * len(self.results))
        yield f"bring_in = {self._amount(self._bring_in())}"
        yield f"small_bet = {self._amount(self.stakes.small_bet)}"
        yield f"big_bet = {self._amount(self.stakes.big_bet)}"
        results = list(self.results.values())
        yield self._list("starting_stacks", [self._amount(result.stack) for result in results])
        yield "actions = ["
        for event in self.hand.parsed.events:
            for action in self._actions(event):
                yield f"  {_quoted(action)},"
        yield "]"
        yield from self._about()

    def _list(self, key: str, values: list[str]) -> str:
        return f"{key} = [{', '.join(values)}]"

    def _amount(self, amount: int) -> str:
        decimals = self.stakes.money.decimals
        if not decimals:
            return str(amount)
        # With all decimals, so that the unit is told where no currency tells it.
        whole, fraction = divmod(amount, 10**decimals)
        return f"{whole}.{fraction:0{decimals}}"

    def _bring_in(self) -> int:
        """Return the bring-in, or the part of it that a player had, where no more is known."""
        brought_in = [e.amount for e in self.hand.parsed.events if isinstance(e, BringIn)]
        return self.stakes.bring_in or max(brought_in, default=0)

    # ---- the actions

    def _actions(self, event: Event) -> Iterator[str]:
        match event:
            case StreetStart():
                yield from self._deals(event)
            case BringIn():
                yield f"{self.labels[event.seat]} pb"
            case Fold():
                self.live.remove(event.seat)
                yield f"{self.labels[event.seat]} f"
            case Check() | Call():
                yield f"{self.labels[event.seat]} cc"
            case Wager():
                yield f"{self.labels[event.seat]} cbr {self._amount(event.to)}"
            case ShowdownStart():
                self.showdown = True
            case Show() if len(self.live) > 1:
                yield f"{self.labels[event.seat]} sm {_cards(event.cards)}"
            case Muck() if self.showdown:
                yield f"{self.labels[event.seat]} sm"
            case _:
                pass

    def _deals(self, event: StreetStart) -> Iterator[str]:
        if event.community is not None:
            yield f"d db {event.community}"
            return
        first = 0 if event.street is Street.THIRD else event.street - 1
        for seat in self.live:
            cards = self.results[seat].cards[first : event.street]
            yield f"d dh {self.labels[seat]} {_cards(cards)}"

    # ---- what else is known

    def _about(self) -> Iterator[str]:
        """Yield the fields that PHH has for hands of any kind, and two of our own."""
        parsed = self.hand.parsed
        money, tournament, when = parsed.stakes.money, parsed.tournament, parsed.played_at
        yield f"venue = {_quoted(SITE_TITLES[parsed.hand_id.site])}"
        if tournament is not None:
            yield f"event = {_quoted(tournament.number)}"
            yield f"level = {_quoted(tournament.level)}"
        if when is not None:
            yield f"time = {when:%H:%M:%S}"
            yield 'time_zone = "UTC"'
            yield f"day = {when.day}"
            yield f"month = {when.month}"
            yield f"year = {when.year}"
        yield f"hand = {_quoted(parsed.hand_id.number)}"
        yield f"table = {_quoted(parsed.table)}"
        yield f"seat_count = {parsed.max_seats}"
        yield self._list("seats", [str(seat) for seat in self.results])
        yield self._list("players", [_quoted(result.name) for result in self.results.values()])
        results = list(self.results.values())
        left = [self._amount(result.stack + result.net) for result in results]
        yield self._list("finishing_stacks", left)
        yield self._list("winnings", [self._amount(result.collected) for result in results])
        if money.currency not in _NO_CURRENCIES:
            yield f"currency = {_quoted(money.currency)}"
        yield f"_site = {_quoted(parsed.hand_id.site)}"
        if parsed.hero in self.results:
            yield f"_hero = {parsed.hero}"


def _cards(cards: Iterable[MaybeCard]) -> str:
    return "".join("??" if card is None else str(card) for card in cards)


def _quoted(text: str) -> str:
    """Return a text as a TOML string on one line, whatever is in it."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return "\\" + sign
    if "\ud800" <= sign <= "\udfff":  # half of a sign, which no file can hold
        return "\N{REPLACEMENT CHARACTER}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"
