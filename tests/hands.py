"""What the tests share: where the hands are, the path of a hand, and what it comes to."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from razzstats.diagnostics import Diagnostic
from razzstats.diagnostics.render import render_concise, render_full, source_lines
from razzstats.events import Ante, Deal, Event, Note, ParsedHand
from razzstats.locations import HandText
from razzstats.parsing import CUTTING, SITES, parse_hand
from razzstats.replay import ReplayedHand, replay
from razzstats.rules.actions import DECISIONS, ActionKind
from razzstats.rules.ruleset import RAZZ, RuleSet
from razzstats.sources import read_hands
from razzstats.validation import validate

SAMPLES = Path(__file__).parent.parent / "sample_histories"
TITLES = {site.name: site.title for site in SITES}


# ---- hands from files


def corpus_folder(*parts: str) -> Path:
    """Return a folder of the corpus of real hands; skips the test where there is no corpus."""
    root = os.environ.get("RAZZSTATS_CORPUS")
    if root is None:
        pytest.skip("RAZZSTATS_CORPUS is not set")
    folder = Path(root, *parts)
    assert folder.is_dir(), f"RAZZSTATS_CORPUS is set, but there is no {folder}"
    return folder


def text_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.txt"))


# ---- the path of a hand


class Checked(NamedTuple):
    """One hand on its whole path; ``replayed`` is there only if it was parsed."""

    text: HandText
    parsed: ParsedHand | None
    replayed: ReplayedHand | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def codes(self) -> list[str]:
        return [found.code.name for found in self.diagnostics]

    @property
    def is_clean(self) -> bool:
        return self.replayed is not None and not self.diagnostics

    def explained(self) -> str:
        """Return the diagnostics as a player would read them."""
        lines = source_lines(self.text)
        return "\n\n".join(render_full(found, lines, TITLES) for found in self.diagnostics)


def hand_text(text: str, first_line: int = 1) -> HandText:
    """Return a hand as a file with other hands behind it would give it."""
    return HandText("hand.txt", first_line, tuple(text.strip("\n").split("\n")))


def check(hand: HandText | str, rules: RuleSet = RAZZ) -> Checked:
    """Take one hand through parsing, replay and validation."""
    text = hand_text(hand) if isinstance(hand, str) else hand
    parsed = parse_hand(text)
    if parsed.value is None:
        return Checked(text, None, None, parsed.diagnostics)
    replayed = replay(parsed.value, rules)
    assert replayed.value is not None
    diagnostics = [*parsed.diagnostics, *replayed.diagnostics]
    if not any(found.is_error for found in diagnostics):
        diagnostics += validate(replayed.value)
    return Checked(text, parsed.value, replayed.value, tuple(diagnostics))


def check_file(file: Path) -> list[Checked]:
    """Take all hands of a file on their path; the file itself must be readable."""
    return [check(hand) for hand in hands_of(file)]


def hands_of(file: Path) -> list[HandText]:
    found = list(read_hands(str(file), CUTTING))
    hands = [hand for hand in found if isinstance(hand, HandText)]
    assert len(hands) == len(found), found
    return hands


def clean(hand: HandText | str) -> ReplayedHand:
    """Return a hand that must go through without any diagnostic."""
    checked = check(hand)
    assert not checked.diagnostics, checked.explained()
    assert checked.replayed is not None
    return checked.replayed


def concise(diagnostics: Sequence[Diagnostic]) -> list[str]:
    return [render_concise(found, TITLES) for found in diagnostics]


# ---- what a hand comes to

Facts = dict[tuple[Any, ...], Any]


def results(hand: ReplayedHand) -> Facts:
    """Return all that statistics are made of, by what it is: money, streets, decisions."""
    found: Facts = {
        ("pot",): hand.pot,
        ("rake",): hand.rake,
        ("pots",): hand.pots,
        ("bring-in seat",): hand.bring_in_seat,
        ("community",): hand.community,
    }
    for result in hand.results:
        found["result", result.seat] = (
            result.contributed,
            result.collected,
            result.last_street,
            result.folded,
            result.showdown,
            result.all_in,
        )
    decisions = [action for action in hand.actions if action.kind in DECISIONS]
    found["decisions",] = [
        (action.street, action.seat, action.kind, action.amount, action.to, action.all_in)
        for action in decisions
    ]
    # In which order antes are posted and hands shown changes nothing, and whether the winner of
    # an uncontested pot shows his cards changes nothing but what is known of them.
    others = [action for action in hand.actions if action.kind not in DECISIONS]
    if not any(result.showdown for result in hand.results):
        reveals = (ActionKind.SHOW, ActionKind.MUCK)
        others = [action for action in others if action.kind not in reveals]
    found["other actions",] = sorted((action.seat, action.kind, action.amount) for action in others)
    return found


def stated_facts(hand: ParsedHand) -> Facts:
    """Return everything that the text states, fact by fact."""
    found: Facts = {("stakes", name): value for name, value in _parts(hand.stakes)}
    for name in ("hand_id", "played_at", "table", "max_seats", "mixed_game", "club", "hero"):
        found["header", name] = getattr(hand, name)
    found["header", "tournament"] = hand.tournament and dict(_parts(hand.tournament))
    dealt_in = {event.seat for event in hand.events if isinstance(event, Ante | Deal)}
    bystanders = [player for player in hand.players if player.seat not in dealt_in]
    for player in hand.players:
        if player.seat in dealt_in:
            found.update({("seat", player.seat, name): value for name, value in _parts(player)})
    summary = dict(_parts(hand.summary))
    found.update({("summary", name): value for name, value in summary.items() if name != "seats"})
    for line in hand.summary.seats:
        found.update({("summary", line.seat, name): value for name, value in _parts(line)})
    notes = [event.text for event in hand.events if isinstance(event, Note)]
    found["notes",] = Counter([*notes, *(tuple(_parts(player)) for player in bystanders)])
    for key, parts in _events(hand.events):
        found[key] = parts
    return found


def differences(one: Facts, other: Facts) -> list[tuple[Any, ...]]:
    """Return what differs, by name."""
    nothing = object()
    keys = dict.fromkeys([*one, *other])
    return [key for key in keys if one.get(key, nothing) != other.get(key, nothing)]


def _events(events: Sequence[Event]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each event by its kind, its seat and how many of them came before it."""
    count: Counter[tuple[Any, ...]] = Counter()
    in_pot_order = sorted(events, key=lambda event: getattr(event, "pot", None) or 0)
    for event in in_pot_order:
        if isinstance(event, Note):
            continue
        key = (type(event).__name__, getattr(event, "seat", None))
        count[key] += 1
        yield (*key, count[key]), tuple(_parts(event))


_FIELDS: dict[type[Any], list[str]] = {}


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields that count when two of its kind are compared."""
    kind = type(value)
    if kind not in _FIELDS:
        _FIELDS[kind] = [field.name for field in fields(value) if field.compare]
    return ((name, getattr(value, name)) for name in _FIELDS[kind])
