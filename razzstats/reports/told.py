"""A hand ready to be told: its steps with equities and with what the leak finder says of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from razzstats.events import SeatedPlayer
from razzstats.locations import HandText
from razzstats.pipeline import Outcome, read_hand
from razzstats.replay import PlayerResult, ReplayedHand
from razzstats.rules.actions import ActionKind
from razzstats.rules.ruleset import RULE_SETS, RuleSet
from razzstats.stats.leaks.marks import Mark
from razzstats.storage import Database, StoredText
from razzstats.story import QUICK, THOROUGH, Effort, Equities, Step, equities, tell

_Named = TypeVar("_Named", SeatedPlayer, PlayerResult)

_FEW_LIVE = 3
"""With so many live players a quick telling looks at the equities anew after every fold, and at
those by the cards held; of more of them the history seldom shows the cards."""


class ToldStep(NamedTuple):
    """A step, the live players' equities where they changed with it, and what was wrong with it."""

    step: Step
    seen: Equities | None
    """From the cards that were seen then; None where the step changes none."""
    held: Equities | None
    """From all cards that the history shows; None in a quick telling with many live players."""
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldHand:
    """A hand and its steps."""

    hand: ReplayedHand
    steps: tuple[ToldStep, ...]
    whole: bool = True
    """Whether the rules could follow it to its end."""

    def renamed(self, names: Mapping[str, str]) -> "ToldHand":
        """Return the hand with its players called by other names."""
        hand, parsed = self.hand, self.hand.parsed
        players = tuple(_renamed(player, names) for player in parsed.players)
        results = tuple(_renamed(result, names) for result in hand.results)
        parsed = replace(parsed, players=players)
        return replace(self, hand=replace(hand, parsed=parsed, results=results))


def tell_hand(
    hand: ReplayedHand,
    marks: Mapping[int, tuple[Mark, ...]],
    effort: Effort = THOROUGH,
    *,
    whole: bool = True,
) -> ToldHand:
    """Return a hand with its equities; ``marks`` are by the actions' places in it."""
    return ToldHand(hand=hand, steps=tuple(_told_steps(hand, marks, effort)), whole=whole)


def tell_plainly(hand: ReplayedHand, *, whole: bool) -> ToldHand:
    """Return a hand with its steps alone."""
    steps = tuple(ToldStep(step, None, None, ()) for step in tell(hand))
    return ToldHand(hand=hand, steps=steps, whole=whole)


def tell_stored(
    database: Database,
    hids: Sequence[int],
    marks: Mapping[tuple[int, int], tuple[Mark, ...]],
    effort: Effort = QUICK,
) -> list[ToldHand]:
    """Return stored hands in their order, told from the texts that were kept.

    ``marks`` are by the hand's id and the action's place in it.
    """
    texts = database.texts(hids)
    told = []
    for hid in dict.fromkeys(hids):
        stored = texts.get(hid)
        hand = None if stored is None else read_stored(stored).hand
        if hand is not None:
            own = {seq: found for (place, seq), found in marks.items() if place == hid}
            told.append(tell_hand(hand, own, effort))
    return told


def read_stored(stored: StoredText, rules: RuleSet | None = None) -> Outcome:
    """Replay a hand from its text, by its own rules if no others are given."""
    text = HandText.of(stored.file, stored.first_line, stored.text)
    return read_hand(text, rules or RULE_SETS[stored.game])


def _told_steps(
    hand: ReplayedHand, marks: Mapping[int, tuple[Mark, ...]], effort: Effort
) -> Iterator[ToldStep]:
    for step in tell(hand):
        seen = held = None
        few = effort is THOROUGH or len(hand.results) - len(step.folded) <= _FEW_LIVE
        if _changes_equities(step, few):
            seen = held = equities(hand, step, seen=True, effort=effort)
            if seen and not _saw_all(hand, step):
                held = equities(hand, step, seen=False, effort=effort) if few else None
        yield ToldStep(step, seen, held, marks.get(-1 if step.seq is None else step.seq, ()))


def _saw_all(hand: ReplayedHand, step: Step) -> bool:
    """Whether no more is known of the live players' cards in the end than was seen then."""
    live = (result for result in hand.results if result.seat not in step.folded)
    return all(
        step.cards[result.seat] == result.cards[: len(step.cards[result.seat])] for result in live
    )


def _changes_equities(step: Step, few: bool) -> bool:
    """Whether cards were dealt or shown with a step, or a player went of whom there are few."""
    if step.action is None or step.action.kind is ActionKind.SHOW:
        return True
    return few and step.action.kind is ActionKind.FOLD


def _renamed(player: _Named, names: Mapping[str, str]) -> _Named:
    return replace(player, name=names[player.name])
