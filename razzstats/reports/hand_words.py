"""The words in which a replayed hand is told, the same in the terminal and on a page."""

from collections.abc import Iterable

from razzstats.cards import format_cards
from razzstats.diagnostics.visible import visible
from razzstats.events import Seat, Street
from razzstats.known_sites import SITE_TITLES
from razzstats.lowball import describe_low
from razzstats.replay import PlayerResult, ReplayedHand
from razzstats.reports import formats
from razzstats.reports.told import ToldStep
from razzstats.rules.actions import Action, ActionKind
from razzstats.stats.leaks.marks import Mark
from razzstats.story import Equities, Step, shown_by

_VERBS = {
    ActionKind.ANTE: "posts the ante {amount}",
    ActionKind.BRING_IN: "brings in for {amount}",
    ActionKind.FOLD: "folds",
    ActionKind.CHECK: "checks",
    ActionKind.CALL: "calls {amount}",
    ActionKind.COMPLETE: "completes to {to}",
    ActionKind.BET: "bets {to}",
    ActionKind.RAISE: "raises to {to}",
    ActionKind.RETURN: "takes back {amount}",
    ActionKind.SHOW: "shows",
    ActionKind.MUCK: "mucks",
    ActionKind.COLLECT: "collects {amount}",
}


class HandWords:
    """Tells a hand's parts in words; names come out without control characters."""

    def __init__(self, hand: ReplayedHand) -> None:
        self.hand = hand
        self.names = {result.seat: visible(result.name) for result in hand.results}
        self._money = hand.parsed.stakes.money

    def money(self, amount: int) -> str:
        """Return smallest units as money of the hand's currency."""
        return self._money.format(amount)

    @property
    def title(self) -> str:
        """The room and the hand's number."""
        site, number = self.hand.parsed.hand_id
        return f"{SITE_TITLES.get(site, site)} #{number}"

    @property
    def played(self) -> str:
        """When it was played, to the second."""
        played = self.hand.parsed.played_at
        return f"{played:%Y-%m-%d %H:%M:%S} UTC" if played else "time unknown"

    @property
    def game(self) -> str:
        """The game, its stakes and the table."""
        parsed, stakes = self.hand.parsed, self.hand.parsed.stakes
        parts = [
            f"{self.hand.rules.title} {self.money(stakes.small_bet)}/{self.money(stakes.big_bet)}",
            f"ante {self.money(stakes.ante)}",
            f"bring-in {self.money(stakes.bring_in) if stakes.bring_in else 'not stated'}",
            f"table {visible(parsed.table)}",
        ]
        if parsed.tournament:
            parts.append(f"tournament {parsed.tournament.number} {parsed.tournament.level}".strip())
        if parsed.mixed_game:
            parts.append(f"in {visible(parsed.mixed_game)}")
        return ", ".join(parts)

    def deal(self, street: Street) -> str:
        """Return the street's name, and its card if that is one for all."""
        words = street.title.capitalize()
        if street is Street.SEVENTH and self.hand.community is not None:
            words += f", community card {self.hand.community}"
        return words

    def pots(self, step: Step) -> str:
        """Return the main pot and the side pots where there are several: ``main $4, side $2``."""
        if not step.pots:
            return ""
        main, *sides = (self.money(amount) for amount in step.pots)
        return ", ".join([f"main {main}", *(f"side {each}" for each in sides)])

    def action(self, action: Action) -> str:
        """Return what the player does, without his name."""
        words = _VERBS[action.kind].format(
            amount=self.money(action.amount), to=self.money(action.to or 0)
        )
        if action.all_in:
            words += ", all-in"
        if action.kind is ActionKind.SHOW:
            words += self._shown(action)
        return words

    def price(self, step: Step) -> str:
        """Return what the player had to call, and which part of the pot after it that is."""
        if step.action is None or step.price is None:
            return ""
        return f"{self.money(step.action.to_call)} to call, {formats.rate(float(step.price))}"

    def _shown(self, action: Action) -> str:
        result, cards = self.result(action.seat), shown_by(self.hand, action).cards
        whole = result.low is not None and len(cards) == len(result.cards)
        low = f", {describe_low(result.low)} ({result.low})" if whole and result.low else ""
        return f" [{format_cards(cards)}]{low}"

    def total(self, *, whole: bool) -> str:
        """Return the pot, and the rake of a hand that was followed to its end."""
        pot = f"pot {self.money(self.hand.pot)}"
        if not whole:
            return f"As far as it could be followed, {pot}"
        return f"Results, {pot}, rake {self.money(self.hand.rake)}"

    def result(self, seat: Seat) -> PlayerResult:
        """Return what a player had, did and got."""
        return next(result for result in self.hand.results if result.seat == seat)

    def net(self, result: PlayerResult) -> str:
        """Return what a player won, with its sign."""
        return ("+" if result.net > 0 else "") + self.money(result.net)


def share_words(found: Equities, seat: Seat) -> str:
    """Return a live player's part of the pot: ``61.2 %``, or ``≈ 61 %`` if deals were sampled."""
    share = float(found.shares[seat])
    if found.exact:
        return formats.rate(share)
    return f"≈\N{NO-BREAK SPACE}{round(100 * share)}\N{NO-BREAK SPACE}%"


def equity_words(told: ToldStep, seat: Seat) -> str:
    """Return a player's part of the pot: by what was seen, and by the cards held if that differs.

    Nothing where a step changes no part, or he is not in any more.
    """
    if told.seen is None or seat not in told.seen.shares:
        return ""
    seen = share_words(told.seen, seat)
    if told.held is None or told.held is told.seen:
        return seen
    return f"{seen} seen, {share_words(told.held, seat)} held"


def mark_words(mark: Mark) -> str:
    """Return what the leak finder says of a decision, and what it cost."""
    words = f"{mark.rule.id} {mark.rule.title}"
    if mark.cost is None:
        return words
    if mark.cost <= 0:
        return f"{words} (cost nothing here)"
    return f"{words}: cost {formats.number(mark.cost)} BB"


def dearest_first(marks: Iterable[Mark]) -> list[Mark]:
    """Return what is said of a decision, what cost most first."""
    return sorted(marks, key=lambda mark: -(mark.cost or 0.0))
