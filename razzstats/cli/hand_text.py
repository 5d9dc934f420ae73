"""A replayed hand told in the terminal: boards, equities, actions with pot and price, results."""

from collections.abc import Iterator

from razzstats.cards import format_cards
from razzstats.diagnostics.render import render_concise
from razzstats.diagnostics.visible import display_width
from razzstats.events import Seat
from razzstats.known_sites import SITE_TITLES
from razzstats.pipeline import ACCEPTED, Outcome
from razzstats.replay import ReplayedHand
from razzstats.reports.hand_words import HandWords, dearest_first, equity_words, mark_words
from razzstats.reports.told import ToldHand, ToldStep, tell_plainly


def tell_outcome(outcome: Outcome, told: ToldHand | None = None) -> str:
    """Return the hand as text for people: what happened, the results and the diagnostics.

    A rejected hand is told as far as the rules could follow it. ``told`` adds equities, pot odds,
    and what the leak finder says.
    """
    lines: list[str] = []
    if outcome.hand is not None:
        plain = tell_plainly(outcome.hand, whole=outcome.status in ACCEPTED)
        lines.extend(_Teller(told or plain, with_odds=told is not None).lines())
    elif outcome.hand_id is not None:
        site, number = outcome.hand_id
        lines.append(f"{SITE_TITLES.get(site, site)} #{number}")
    lines.append("")
    lines.append("Diagnostics" if outcome.diagnostics else "Diagnostics: none")
    lines.extend("  " + render_concise(found, SITE_TITLES) for found in outcome.diagnostics)
    return "\n".join(lines) + "\n"


class _Teller:
    def __init__(self, told: ToldHand, *, with_odds: bool) -> None:
        self.told = told
        self.hand: ReplayedHand = told.hand
        self.words = HandWords(told.hand)
        self.with_odds = with_odds
        self.width = max(map(display_width, self.words.names.values()), default=0)

    def lines(self) -> Iterator[str]:
        yield f"{self.words.title}, {self.words.played}"
        yield self.words.game
        steps = self.told.steps
        if steps and steps[0].step.action is not None:
            yield ""
            yield "Antes"
        for told in steps:
            yield from self._street(told) if told.step.action is None else self._action(told)
        yield from self._results()

    def _street(self, told: ToldStep) -> Iterator[str]:
        street = told.step.street
        pots = self.words.pots(told.step) if self.with_odds else ""
        yield ""
        yield (
            f"{street.title.capitalize()}, pot {self._money(told.step.pot)}"
            + (f" ({pots})" if pots else "")
        )
        if "community" in (words := self.words.deal(street)):
            yield f"  {words.partition(', ')[2]}"
        for result in self.hand.results:
            if result.seat not in told.step.folded:
                cards = format_cards(told.step.cards[result.seat])
                equity = equity_words(told, result.seat)
                yield f"  {self._name(result.seat)}  [{cards}]  {equity}".rstrip()

    def _action(self, told: ToldStep) -> Iterator[str]:
        action = told.step.action
        assert action is not None
        price = f"{self._money(action.to_call)} to call" if action.to_call else ""
        if self.with_odds:
            price = self.words.price(told.step)
        does = self.words.action(action) + (f"  ({price})" if price else "")
        yield f"  {self._name(action.seat)}  {does}"
        for mark in dearest_first(told.marks):
            yield f"  {' ' * (self.width + 2)}  ! {mark_words(mark)}"

    def _results(self) -> Iterator[str]:
        hand = self.hand
        yield ""
        yield self.words.total(whole=self.told.whole)
        for result in hand.results:
            low = f"  {result.low}" if result.low else ""
            end = "showdown" if result.showdown else f"to {result.last_street.title}"
            yield (
                f"  {self._name(result.seat)}  in {self._money(result.contributed)}"
                f"  out {self._money(result.collected)}  net {self.words.net(result)}"
                f"  [{format_cards(result.cards)}]  {end}{low}"
            )

    def _name(self, seat: Seat) -> str:
        name = self.words.names[seat]
        return f"{seat} {name}" + " " * (self.width - display_width(name))

    def _money(self, amount: int) -> str:
        return self.words.money(amount)
