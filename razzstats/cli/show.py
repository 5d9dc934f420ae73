"""`razzstats show`: one hand, replayed in the terminal."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import DatabaseOption, open_database, rule_set
from razzstats.cli.pages import MaskOption, write_page
from razzstats.errors import RazzstatsError

if TYPE_CHECKING:
    from razzstats.pipeline import Outcome
    from razzstats.reports.told import ToldHand
    from razzstats.stats.leaks.marks import Mark
    from razzstats.storage import StoredText

    Marks = dict[tuple[int, int], tuple[Mark, ...]]
    """What is said of decisions, by the hand's id and the action's place in it."""


def run(
    hand: Annotated[
        str,
        typer.Argument(
            help="The hand's number, with the room before it if need be: "
            "35874566077, pokerstars:35874566077 or #35874566077."
        ),
    ],
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH...]",
            help="Look in these files instead of the database.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = None,
    variant: Annotated[
        str | None,
        typer.Option(help="Other rules than those the hand was imported under: see `import`."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the hand as one offline page with a stepper.")
    ] = None,
    mask_names: MaskOption = False,
) -> None:
    """Replay one hand: boards, equities, pot and price on every street, mistakes, who won what.

    Equities are of the pot that all live players contest, by the cards that the history shows;
    unknown cards are any cards. A mistake (!) is what the leak finder says of that one decision.
    """
    site, _, number = hand.rpartition(":")
    number = number.strip().removeprefix("#")
    if paths:
        outcome = _in_files(site, number, paths, variant or "razz")
        told = _told(outcome, _judged_alone(outcome))
    else:
        outcome, told = _in_database(site, number, db, variant)
    if mask_names:
        from razzstats.reports.masking import mask_hand, mask_remarks

        told = told and mask_hand(told)
        outcome = replace(outcome, diagnostics=mask_remarks(outcome.diagnostics))
    if html is None:
        _print(outcome, told)
    elif told is None:
        raise RazzstatsError(f"hand {number} cannot be read: there is no page to make of it")
    else:
        _write_page(html, outcome, told)


def _told(outcome: "Outcome", marks: "Marks") -> "ToldHand | None":
    """Return the hand with its equities and with what was wrong in it."""
    from razzstats.pipeline import ACCEPTED
    from razzstats.reports.told import tell_hand

    if outcome.hand is None:
        return None
    by_place = {seq: found for (_, seq), found in marks.items()}
    return tell_hand(outcome.hand, by_place, whole=outcome.status in ACCEPTED)


def _judged_alone(outcome: "Outcome") -> "Marks":
    """Return what is wrong in a hand that counts but is in no database."""
    from razzstats.batches import rows_of
    from razzstats.measuring import measure_hands
    from razzstats.stats.leaks.marks import marks_of_hands
    from razzstats.storage import Database

    _, rows = rows_of(outcome, file_id=1)
    if rows is None:
        return {}
    with Database.in_memory() as database:
        database.insert_hands([rows])
        measure_hands(database)
        return marks_of_hands(database, [rows.hand.hid])


def _print(outcome: "Outcome", told: "ToldHand | None") -> None:
    from razzstats.cli.hand_text import tell_outcome

    print(tell_outcome(outcome, told), end="")


def _write_page(path: Path, outcome: "Outcome", told: "ToldHand") -> None:
    from razzstats.diagnostics.render import render_concise
    from razzstats.known_sites import SITE_TITLES
    from razzstats.reports.hand_page import render_hand

    remarks = tuple(render_concise(each, SITE_TITLES) for each in outcome.diagnostics)
    write_page(path, render_hand(told, remarks))


def _in_files(site: str, number: str, paths: list[str], variant: str) -> "Outcome":
    from razzstats.pipeline import RAZZ_HANDS, read_paths

    for outcome in read_paths(paths, rule_set(variant)):
        hand_id = outcome.hand_id
        if outcome.status not in RAZZ_HANDS or hand_id is None:
            continue
        if hand_id.number == number and site.lower() in ("", hand_id.site):
            return outcome
    raise RazzstatsError(f"there is no Razz hand {number} in {', '.join(paths)}")


def _in_database(
    site: str, number: str, db: DatabaseOption, variant: str | None
) -> "tuple[Outcome, ToldHand | None]":
    from razzstats.reports.told import read_stored
    from razzstats.stats.leaks.marks import marks_of_hands
    from razzstats.storage import hand_key

    with open_database(db, read_only=True) as database:
        stored = _only_one(database.find_texts(number, site.lower() or None), number)
        outcome = read_stored(stored, None if variant is None else rule_set(variant))
        if outcome.hand_id is None or variant not in (None, stored.game):
            return outcome, _told(outcome, _judged_alone(outcome))
        marks = marks_of_hands(database, [hand_key(outcome.hand_id)])
        return outcome, _told(outcome, marks)


def _only_one(found: "list[StoredText]", number: str) -> "StoredText":
    if not found:
        raise RazzstatsError(
            f"hand {number} is not in the database; `razzstats show {number} PATH` looks in files"
        )
    if len(found) > 1:
        rooms = " or ".join(f"{stored.site}:{number}" for stored in found)
        raise RazzstatsError(f"several rooms have a hand {number}; say {rooms}")
    return found[0]
