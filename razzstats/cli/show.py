"""`razzstats show`: one hand, replayed in the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import DatabaseOption, open_database, rule_set
from razzstats.errors import RazzstatsError

if TYPE_CHECKING:
    from razzstats.pipeline import Outcome


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
) -> None:
    """Replay one hand: every street with the boards, pot and price, and who won what."""
    from razzstats.cli.hand_text import tell_outcome

    site, _, number = hand.rpartition(":")
    number = number.strip().removeprefix("#")
    if paths:
        outcome = _in_files(site, number, paths, variant or "razz")
    else:
        outcome = _in_database(site, number, db, variant)
    print(tell_outcome(outcome), end="")


def _in_files(site: str, number: str, paths: list[str], variant: str) -> "Outcome":
    from razzstats.pipeline import RAZZ_HANDS, read_paths

    for outcome in read_paths(paths, rule_set(variant)):
        hand_id = outcome.hand_id
        if outcome.status not in RAZZ_HANDS or hand_id is None:
            continue
        if hand_id.number == number and site.lower() in ("", hand_id.site):
            return outcome
    raise RazzstatsError(f"there is no Razz hand {number} in {', '.join(paths)}")


def _in_database(site: str, number: str, db: DatabaseOption, variant: str | None) -> "Outcome":
    from razzstats.locations import HandText
    from razzstats.pipeline import read_hand

    with open_database(db, read_only=True) as database:
        found = database.find_texts(number, site.lower() or None)
    if not found:
        raise RazzstatsError(
            f"hand {number} is not in the database; `razzstats show {number} PATH` looks in files"
        )
    if len(found) > 1:
        rooms = " or ".join(f"{stored.site}:{number}" for stored in found)
        raise RazzstatsError(f"several rooms have a hand {number}; say {rooms}")
    stored = found[0]
    text = HandText(stored.file, stored.first_line, tuple(stored.text.split("\n")))
    return read_hand(text, rule_set(variant or stored.game))
