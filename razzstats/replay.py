"""A parsed hand is played through the rules: what everybody did, put in and took out."""

from typing import get_args

from razzstats.cards import Card, MaybeCard
from razzstats.chips import Chips
from razzstats.diagnostics import Diagnostic, Label, Result, codes
from razzstats.events import (
    Ante,
    Collect,
    Deal,
    Event,
    ParsedHand,
    Seat,
    SeatedPlayer,
    Show,
    Street,
)
from razzstats.locations import HandText, Span
from razzstats.lowball import LowHand
from razzstats.pots import Pot, build_pots
from razzstats.rules.actions import Action, Violation
from razzstats.rules.betting import CHANGES, HandState
from razzstats.rules.checks import CHECKS, card_violations, end_violations
from razzstats.rules.ruleset import RAZZ, RuleSet
from razzstats.values import value


@value
class PlayerResult:
    """What one player had, did and got in a hand."""

    seat: Seat
    name: str
    stack: Chips
    """What he sat down with."""
    cards: tuple[MaybeCard, ...]
    """In dealt order: two down, up to four up, one down; None is a card nobody saw."""
    up_cards: tuple[Card, ...]
    """Those that are known."""
    contributed: Chips
    """What he put in, less what came back uncalled."""
    collected: Chips
    last_street: Street
    """The street on which he folded, or the last one that he reached."""
    folded: bool
    showdown: bool
    """Whether he was in at the showdown."""
    shown: bool
    all_in: bool
    low: LowHand | None
    """His low at the showdown, if all his cards are known."""

    @property
    def net(self) -> Chips:
        """What he won, or lost if negative."""
        return Chips(self.collected - self.contributed)

    @property
    def door_card(self) -> Card | None:
        """His first up card, None if the text does not show it or ends before it."""
        return self.cards[2] if len(self.cards) > 2 else None


@value
class ReplayedHand:
    """A hand as far as the rules could follow it; whole if no error came with it."""

    parsed: ParsedHand
    rules: RuleSet
    """The game that it was replayed as."""
    actions: tuple[Action, ...]
    pots: tuple[Pot, ...]
    """The main pot and the side pots, before rake."""
    results: tuple[PlayerResult, ...]
    """Those who were dealt in, by seat."""
    bring_in_seat: Seat | None
    """Who brought in, or completed in its place."""
    community: MaybeCard
    shows: tuple[Show, ...]
    """The hands that were shown, in order."""
    collects: tuple[Collect, ...]
    """Who took what from which pot, in order."""
    pot: Chips
    """All chips that were put in, after uncalled bets went back."""
    rake: Chips
    """What the room kept."""

    @property
    def hero(self) -> PlayerResult | None:
        """The player whose file it is, if the text tells."""
        return next((r for r in self.results if r.seat == self.parsed.hero), None)


def place_behind_name(text: HandText, line: int, column: int) -> Span:
    """Return the place of what a line says of a player, or of the line if his name ends it.

    ``column`` is where his name ends; the colon that rooms put there is left out.
    """
    words = text.lines[line].rstrip() if line < len(text.lines) else ""
    start = column
    while start and start < len(words) and words[start] in ": ":
        start += 1
    return text.span(line, start if start < len(words) else 0, len(words))


def replay(hand: ParsedHand, rules: RuleSet = RAZZ) -> Result[ReplayedHand]:
    """Play a hand through the rules; the first broken one ends it.

    The value is there in any case. With an error among the diagnostics it reaches as far as the
    rules could follow, for display only, and must not be counted.
    """
    return _Replay(hand, rules).run()


# `violations` and `HandState.apply` for each kind of event, and whether it is shown or collected.
_STEPS = {
    kind: (CHECKS.get(kind), CHANGES.get(kind), kind in (Show, Collect)) for kind in get_args(Event)
}

_DEALING = (Ante, Deal)


class _Replay:
    def __init__(self, hand: ParsedHand, rules: RuleSet) -> None:
        self.hand = hand
        dealt_in = {event.seat for event in hand.events if isinstance(event, _DEALING)}
        players = [player for player in hand.players if player.seat in dealt_in]
        self.state = HandState(rules, hand.stakes, players)
        self.players = players
        self.actions: list[Action] = []
        self.endings: list[Event] = []
        self.all_in: set[Seat] = set()
        self.diagnostics: list[Diagnostic] = []

    def run(self) -> Result[ReplayedHand]:
        if self._follow_all() and self._ends():
            self._read_summary_cards()
        return Result(self._replayed(), tuple(self.diagnostics))

    def _follow_all(self) -> bool:
        """Follow the events up to the first error; return whether there was none."""
        state = self.state
        for event in self.hand.events:
            seat: Seat | None = getattr(event, "seat", None)
            if seat is not None and seat not in state.stacks:
                self._report_stranger(seat, event)
                return False
            check, change, is_ending = _STEPS[type(event)]
            if check is not None:
                for violation in check(state, event):
                    if not self._keep(violation, event):
                        return False
            if change is not None and (action := change(state, event)):
                self.actions.append(action)
                if action.all_in:
                    self.all_in.add(action.seat)
            if is_ending:
                self.endings.append(event)
        return True

    def _report_stranger(self, seat: Seat, event: Event) -> None:
        found = Violation(
            codes.ACTION_OUT_OF_TURN, f"{self._name(seat)} acts without being dealt in"
        )
        self._report(found, self._span(event, at_player=True))

    def _ends(self) -> bool:
        """Return whether the hand ends where it may."""
        last = self.hand.events[-1]
        return all(self._keep(violation, last) for violation in end_violations(self.state))

    def _keep(self, violation: Violation, event: Event) -> bool:
        """Report a violation; return whether it is no error, so that the hand can go on."""
        self._report(violation, self._span(event, at_player=violation.at_player))
        return not self.diagnostics[-1].is_error

    def _report(self, violation: Violation, span: Span) -> None:
        labels = tuple(Label(self._span(proof), shows) for proof, shows in violation.evidence)
        self.diagnostics.append(
            Diagnostic(
                code=violation.code,
                message=violation.message,
                span=span,
                hand_id=self.hand.hand_id,
                labels=labels,
                help=violation.help,
            )
        )

    def _span(self, event: Event, *, at_player: bool = False) -> Span:
        text = self.hand.text
        if at_player and (seat := getattr(event, "seat", None)) is not None:
            name = self._name(seat)
            if event.line < len(text.lines) and name in text.lines[event.line]:
                return text.find(event.line, name)
        return place_behind_name(text, event.line, event.column)

    def _name(self, seat: Seat) -> str:
        return next(player.name for player in self.hand.players if player.seat == seat)

    def _read_summary_cards(self) -> None:
        """Take in the cards that only the room's summary shows, those of mucked hands."""
        state = self.state
        for line in self.hand.summary.seats:
            if not line.cards or line.seat not in state.stacks:
                continue
            for violation in card_violations(state, line.seat, line.cards):
                told = violation._replace(message=violation.message + " in the summary")
                self._report(told, place_behind_name(self.hand.text, line.line, line.column))
                return
            state.cards[line.seat][:] = line.cards

    def _replayed(self) -> ReplayedHand:
        state = self.state
        return ReplayedHand(
            parsed=self.hand,
            rules=state.rules,
            actions=tuple(self.actions),
            pots=build_pots(state.contributed, state.folded),
            results=tuple(self._result(player) for player in self.players),
            bring_in_seat=state.bring_in_seat,
            community=state.community,
            shows=tuple([event for event in self.endings if isinstance(event, Show)]),
            collects=tuple([event for event in self.endings if isinstance(event, Collect)]),
            pot=state.pot,
            rake=Chips(state.pot - sum(state.collected.values())),
        )

    def _result(self, player: SeatedPlayer) -> PlayerResult:
        state, seat = self.state, player.seat
        cards = state.cards[seat]
        in_at_showdown = state.showdown and seat not in state.folded
        return PlayerResult(
            seat=seat,
            name=player.name,
            stack=player.stack,
            cards=tuple(cards),
            up_cards=tuple([card for card in cards[2:6] if card is not None]),
            contributed=state.contributed[seat],
            collected=state.collected[seat],
            last_street=state.last_street.get(seat, Street.THIRD),
            folded=seat in state.folded,
            showdown=in_at_showdown,
            shown=seat in state.shown,
            all_in=seat in self.all_in,
            low=self._low(seat) if in_at_showdown else None,
        )

    def _low(self, seat: Seat) -> LowHand | None:
        state = self.state
        known = [card for card in (*state.cards[seat], state.community) if card is not None]
        return state.rules.best_hand(known) if len(known) == 7 else None
