"""A replayed hand told in the terminal: boards, actions with pot and price, results."""

from collections.abc import Iterator

from razzstats.cards import MaybeCard, format_cards
from razzstats.diagnostics.render import render_concise
from razzstats.diagnostics.visible import display_width, visible
from razzstats.events import Deal, Event, ParsedHand, Seat, Show, Street, StreetStart
from razzstats.known_sites import SITE_TITLES
from razzstats.lowball import describe_low
from razzstats.pipeline import ACCEPTED, Outcome
from razzstats.replay import PlayerResult, ReplayedHand
from razzstats.rules.actions import Action, ActionKind

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


def tell_outcome(outcome: Outcome) -> str:
    """Return the hand as text for people: what happened, the results and the diagnostics.

    A rejected hand is told as far as the rules could follow it.
    """
    lines: list[str] = []
    if outcome.hand is not None:
        lines.extend(_Teller(outcome.hand, whole=outcome.status in ACCEPTED).lines())
    elif outcome.hand_id is not None:
        site, number = outcome.hand_id
        lines.append(f"{SITE_TITLES.get(site, site)} #{number}")
    lines.append("")
    lines.append("Diagnostics" if outcome.diagnostics else "Diagnostics: none")
    lines.extend("  " + render_concise(found, SITE_TITLES) for found in outcome.diagnostics)
    return "\n".join(lines) + "\n"


class _Teller:
    def __init__(self, hand: ReplayedHand, whole: bool) -> None:
        self.hand = hand
        self.whole = whole
        self.names = {result.seat: visible(result.name) for result in hand.results}
        self.width = max(map(display_width, self.names.values()), default=0)

    def lines(self) -> Iterator[str]:
        yield from self._heading(self.hand.parsed)
        antes = [action for action in self.hand.actions if action.kind is ActionKind.ANTE]
        if antes:
            yield ""
            yield "Antes"
            yield from map(self._action, antes)
        starts = [e.street for e in self.hand.parsed.events if isinstance(e, StreetStart)]
        reached = max((result.last_street for result in self.hand.results), default=Street.THIRD)
        for street in starts:
            if street <= reached:
                yield from self._street(street)
        yield from self._results()

    def _heading(self, parsed: ParsedHand) -> Iterator[str]:
        stakes, title = parsed.stakes, SITE_TITLES.get(parsed.hand_id.site, parsed.hand_id.site)
        when = f"{parsed.played_at:%Y-%m-%d %H:%M:%S} UTC" if parsed.played_at else "time unknown"
        yield f"{title} #{parsed.hand_id.number}, {when}"
        game = self.hand.rules.title
        parts = [
            f"{game} {self._money(stakes.small_bet)}/{self._money(stakes.big_bet)}",
            f"ante {self._money(stakes.ante)}",
            f"bring-in {self._money(stakes.bring_in) if stakes.bring_in else 'not stated'}",
            f"table {visible(parsed.table)}",
        ]
        if parsed.tournament:
            parts.append(f"tournament {parsed.tournament.number} {parsed.tournament.level}".strip())
        if parsed.mixed_game:
            parts.append(f"in {visible(parsed.mixed_game)}")
        yield ", ".join(parts)

    def _street(self, street: Street) -> Iterator[str]:
        actions = [
            action
            for action in self.hand.actions
            if action.street is street and action.kind is not ActionKind.ANTE
        ]
        pot = self._money(actions[0].pot) if actions else None
        yield ""
        yield street.title.capitalize() + (f", pot {pot}" if pot else "")
        if street is Street.SEVENTH and self.hand.community is not None:
            yield f"  community card {self.hand.community}"
        yield from self._boards(street)
        yield from map(self._action, actions)

    def _boards(self, street: Street) -> Iterator[str]:
        for seat, cards in self._cards_by(street):
            yield f"  {self._name(seat)}  [{format_cards(cards)}]"

    def _cards_by(self, street: Street) -> Iterator[tuple[Seat, tuple[MaybeCard, ...]]]:
        """Yield the cards that lay before each player whom this street dealt to."""
        dealt_to, shown = set[Seat](), dict[Seat, int]()
        for event, now in self._events_with_street():
            if isinstance(event, Deal) and now is street:
                dealt_to.add(event.seat)
            elif isinstance(event, Show) and now is not None and now < street:
                shown[event.seat] = len(event.cards)
        for result in self.hand.results:
            if result.seat in dealt_to:
                own = result.seat == self.hand.parsed.hero
                open_until = len(result.cards) if own else shown.get(result.seat, 0)
                # Down cards are told when they were seen: the hero's at once, others' when they
                # are shown.
                yield (
                    result.seat,
                    tuple(
                        card if place < open_until or 2 <= place < 6 else None
                        for place, card in enumerate(result.cards[: int(street)])
                    ),
                )

    def _events_with_street(self) -> Iterator[tuple[Event, Street | None]]:
        street: Street | None = None
        for event in self.hand.parsed.events:
            if isinstance(event, StreetStart):
                street = event.street
            yield event, street

    def _action(self, action: Action) -> str:
        does = _VERBS[action.kind].format(
            amount=self._money(action.amount), to=self._money(action.to or 0)
        )
        if action.all_in:
            does += ", all-in"
        if action.kind is ActionKind.SHOW:
            does += self._shown(action)
        price = f"  ({self._money(action.to_call)} to call)" if action.to_call else ""
        return f"  {self._name(action.seat)}  {does}{price}"

    def _shown(self, action: Action) -> str:
        result = self._result(action.seat)
        shows = (event for event in self.hand.parsed.events if isinstance(event, Show))
        cards = next(event.cards for event in shows if event.line == action.line)
        whole = result.low is not None and len(cards) == len(result.cards)
        low = f", {describe_low(result.low)} ({result.low})" if whole and result.low else ""
        return f" [{format_cards(cards)}]{low}"

    def _results(self) -> Iterator[str]:
        hand = self.hand
        yield ""
        rake = f", rake {self._money(hand.rake)}"
        title = "Results" if self.whole else "As far as it could be followed"
        yield f"{title}, pot {self._money(hand.pot)}{rake if self.whole else ''}"
        for result in hand.results:
            net = ("+" if result.net > 0 else "") + self._money(result.net)
            low = f"  {result.low}" if result.low else ""
            end = "showdown" if result.showdown else f"to {result.last_street.title}"
            yield (
                f"  {self._name(result.seat)}  in {self._money(result.contributed)}"
                f"  out {self._money(result.collected)}  net {net}"
                f"  [{format_cards(result.cards)}]  {end}{low}"
            )

    def _result(self, seat: Seat) -> PlayerResult:
        return next(result for result in self.hand.results if result.seat == seat)

    def _name(self, seat: Seat) -> str:
        name = self.names[seat]
        return f"{seat} {name}" + " " * (self.width - display_width(name))

    def _money(self, amount: int) -> str:
        return self.hand.parsed.stakes.money.format(amount)
