"""Stored hands out of the database as PHH, the poker hand history format: a file a room."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from razzstats.locations import HandText
from razzstats.phh_text import render_phh, render_phhs
from razzstats.pipeline import ACCEPTED, read_hand
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import DECISIONS
from razzstats.rules.ruleset import RAZZ
from razzstats.storage import Database
from razzstats.storage.database import StoredText
from razzstats.storage.export import stored_texts


class ExportedFile(NamedTuple):
    """A file that was written."""

    path: Path
    hands: int
    left_out: int
    """Hands that PHH has no words for."""


def export_phh(
    database: Database, folder: Path, where: str, parameters: Sequence[Any]
) -> list[ExportedFile]:
    """Write the hands that have a player as ``where`` says; return the files.

    A hand is written only if what was written is read as the same hand again.
    """
    found = stored_texts(database, where, parameters)
    return [
        _write(folder / f"{site}.phhs", texts)
        for site, texts in groupby(found, key=lambda stored: stored.site)
    ]


def _write(path: Path, texts: Iterable[StoredText]) -> ExportedFile:
    hands = left_out = 0

    def tellable() -> Iterator[str]:
        nonlocal hands, left_out
        for stored in texts:
            if (text := phh_of(stored)) is None:
                left_out += 1
            else:
                hands += 1
                yield text

    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(render_phhs(tellable()))
    return ExportedFile(path, hands, left_out)


def phh_of(stored: StoredText) -> str | None:
    """Return a stored hand in PHH, or None if it would be read as another hand."""
    hand = _read(HandText.of(stored.file, stored.first_line, stored.text))
    if hand is None:
        return None
    text = render_phh(hand)
    again = _read(HandText.of("", 1, text.rstrip("\n")))
    return text if again is not None and _story(again) == _story(hand) else None


def _read(text: HandText) -> ReplayedHand | None:
    outcome = read_hand(text, RAZZ)
    return outcome.hand if outcome.status in ACCEPTED else None


def _story(hand: ReplayedHand) -> tuple[list[Any], list[Any]]:
    """Return what has to stay the same: the players' chips and cards, and what they decided."""
    players = [
        (result.seat, result.name, result.stack, result.cards, result.net)
        for result in hand.results
    ]
    decisions = [
        (action.street, action.seat, action.kind, action.amount, action.to)
        for action in hand.actions
        if action.kind in DECISIONS
    ]
    return players, decisions
