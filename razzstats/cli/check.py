"""`razzstats check`: the diagnostics of files, without storing anything."""

import os
import sys
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import (
    Paths,
    VariantOption,
    files_in_words,
    remark,
    rule_set,
    tell_failure,
)
from razzstats.known_sites import SITE_TITLES

if TYPE_CHECKING:
    from razzstats.diagnostics import Diagnostic
    from razzstats.pipeline import Outcome, Status


class CheckFormat(StrEnum):
    """How diagnostics are written."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"


def run(
    paths: Paths,
    format: Annotated[
        CheckFormat | None,
        typer.Option(help="full on a terminal, concise when piped.", show_default=False),
    ] = None,
    variant: VariantOption = "razz",
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    notes: Annotated[
        bool, typer.Option("--notes", help="Print notes too, such as hands of other games.")
    ] = False,
    select: Annotated[
        str, typer.Option(help="Print only these codes: RZ4,RZ602.", show_default=False)
    ] = "",
    ignore: Annotated[
        str, typer.Option(help="Leave these codes out: RZ4,RZ602.", show_default=False)
    ] = "",
    dump: Annotated[
        bool, typer.Option("--dump", help="Print each hand as it was understood, for people.")
    ] = False,
) -> None:
    """Parse and replay; print what is wrong with which line, and count the hands.

    Exit code 1 if a hand was rejected, or a file could not be read or held no hand.
    """
    from razzstats.pipeline import RAZZ_HANDS, Status, read_paths

    chosen = format or (CheckFormat.FULL if sys.stdout.isatty() else CheckFormat.CONCISE)
    counts: Counter[Status] = Counter()
    files: set[str] = set()
    wrong = False
    for outcome in read_paths(paths, rule_set(variant)):
        counts[outcome.status] += 1
        files.add(outcome.file)
        if dump and outcome.status in RAZZ_HANDS:
            from razzstats.cli.hand_text import tell_outcome

            print(tell_outcome(outcome))
        elif dump and outcome.status is not Status.OTHER_GAME:
            tell_failure(outcome.diagnostics[0])
        shown = [each for each in outcome.diagnostics if _wanted(each, select, ignore)]
        if not dump:
            _print(outcome, [each for each in shown if notes or each.severity != "note"], chosen)
        wrong |= any(each.is_error or (strict and each.severity == "warning") for each in shown)
        wrong |= outcome.status is Status.FAILED_FILE
    remark(_summary(len(files), counts))
    if wrong:
        raise typer.Exit(1)


def _wanted(found: "Diagnostic", select: str, ignore: str) -> bool:
    return (not select or _named(found, select)) and not (ignore and _named(found, ignore))


def _named(found: "Diagnostic", codes: str) -> bool:
    wanted = [code.strip().upper() for code in codes.split(",") if code.strip()]
    return any(found.code.id.startswith(code) for code in wanted)


def _print(outcome: "Outcome", found: Iterable["Diagnostic"], format: CheckFormat) -> None:
    from razzstats.diagnostics.render import (
        render_concise,
        render_full,
        render_json,
        source_lines,
    )

    for each in found:
        if format is CheckFormat.JSON:
            print(render_json(each))
        elif format is CheckFormat.CONCISE:
            print(render_concise(each, SITE_TITLES))
        else:
            lines = source_lines(outcome.text) if outcome.text else lambda file, line: None
            color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
            print(render_full(each, lines, SITE_TITLES, color=color), end="\n\n")


def _summary(files: int, counts: "Counter[Status]") -> str:
    from razzstats.pipeline import RAZZ_HANDS, Status

    hands = sum(counts[status] for status in RAZZ_HANDS)
    parts = [
        f"{files_in_words(files)}, {hands} Razz hands: "
        f"{counts[Status.OK]} good, {counts[Status.WARNING]} with warnings, "
        f"{counts[Status.REJECTED]} rejected, {counts[Status.INCOMPLETE]} incomplete",
        f"{counts[Status.OTHER_GAME]} hands of other games",
    ]
    if counts[Status.FAILED_FILE]:
        parts.append(f"{files_in_words(counts[Status.FAILED_FILE])} failed")
    return "; ".join(parts)
