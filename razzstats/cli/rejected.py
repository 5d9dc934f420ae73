"""`razzstats rejected`: the hands that were not stored, and what can be done with them."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razzstats.cli.common import (
    DatabaseOption,
    Format,
    VariantOption,
    open_database,
    remark,
    rule_set,
    stdout_console,
)
from razzstats.errors import RazzstatsError

if TYPE_CHECKING:
    from razzstats.storage import RejectedText

app = typer.Typer(
    help="The hands that were not stored: rejected, incomplete or in conflict with a stored one. "
    "Their texts are kept.",
    no_args_is_help=True,
)

Selected = Annotated[
    str | None,
    typer.Argument(
        metavar="[HAND]",
        help="The id that `rejected list` prints, or the hand's number. Without it: all.",
        show_default=False,
    ),
]


@app.command("list")
def list_(
    db: DatabaseOption = None,
    format: Annotated[Format, typer.Option(help="table, json or jsonl.")] = Format.TABLE,
) -> None:
    """List them with file, line and reason."""
    if format not in (Format.TABLE, Format.JSON, Format.JSONL):
        raise typer.BadParameter("it writes table, json or jsonl", param_hint="--format")
    hands = _kept(db)
    if format is Format.JSON:
        print(json.dumps([_record(hand) for hand in hands]))
    elif format is Format.JSONL:
        for hand in hands:
            print(json.dumps(_record(hand)))
    elif hands:
        _print_table(hands)
    remark(f"{len(hands)} {'hand is' if len(hands) == 1 else 'hands are'} kept apart")


@app.command("show")
def show(
    hand: Annotated[
        str, typer.Argument(help="The id that `rejected list` prints, or the hand's number.")
    ],
    db: DatabaseOption = None,
    variant: VariantOption = "razz",
) -> None:
    """Print hands with their text and everything that is wrong with them today."""
    from razzstats.diagnostics.render import render_full, source_lines
    from razzstats.diagnostics.visible import visible
    from razzstats.known_sites import SITE_TITLES
    from razzstats.retrying import read_again

    for kept in _selected(_kept(db), hand):
        print(visible(f"{kept.id} {kept.reason}: {kept.file}:{kept.line}"))
        print("\n".join(map(visible, kept.text.split("\n"))))
        outcome = read_again(kept, rule_set(variant))
        assert outcome.text is not None
        for found in outcome.diagnostics:
            print(render_full(found, source_lines(outcome.text), SITE_TITLES))


@app.command("retry")
def retry(
    db: DatabaseOption = None,
    variant: VariantOption = "razz",
    format: Annotated[Format, typer.Option(help="table or json.")] = Format.TABLE,
) -> None:
    """Read them again, after an upgrade or by other rules, and store those that count now."""
    from razzstats.retrying import retry_rejected

    if format not in (Format.TABLE, Format.JSON):
        raise typer.BadParameter("it writes table or json", param_hint="--format")
    with open_database(db, read_only=False) as database:
        report = retry_rejected(database, rule_set(variant))
    if format is Format.JSON:
        print(json.dumps(asdict(report)))
        return
    print(
        f"{report.tried} hands read again: {report.stored} stored, {report.known} known already, "
        f"{report.conflicts} in conflict, {report.rejected} still not stored"
    )


@app.command("export")
def export(
    hand: Selected = None,
    db: DatabaseOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file to write; standard output without it."),
    ] = None,
) -> None:
    """Write their texts as they were read, so that they can be mended or sent to us."""
    from razzstats.diagnostics.visible import visible

    hands = _kept(db) if hand is None else _selected(_kept(db), hand)
    text = "\n\n\n".join(kept.text for kept in hands) + ("\n" if hands else "")
    if out is None and sys.stdout.isatty():  # names and chat may hold terminal codes
        print("\n".join(map(visible, text.split("\n"))), end="")
    elif out is None:
        sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    else:
        out.write_text(text, encoding="utf-8", errors="surrogatepass", newline="\n")
    remark(f"{len(hands)} {'hand' if len(hands) == 1 else 'hands'} written")


def _kept(db: Path | None) -> "list[RejectedText]":
    with open_database(db, read_only=True) as database:
        return database.rejected_texts()


def _selected(hands: "list[RejectedText]", wanted: str) -> "list[RejectedText]":
    number = wanted.strip().rpartition(":")[2].removeprefix("#")
    found = [hand for hand in hands if number in (hand.id, hand.hand_no)]
    if not found:
        raise RazzstatsError(
            f"no hand {wanted} is kept apart; `razzstats rejected list` names them"
        )
    return found


def _record(hand: "RejectedText") -> dict[str, Any]:
    return {name: value for name, value in hand._asdict().items() if name != "file_id"}


def _print_table(hands: "list[RejectedText]") -> None:
    from rich.table import Table
    from rich.text import Text

    from razzstats.diagnostics.visible import visible
    from razzstats.known_sites import SITE_TITLES

    table = Table(box=None, pad_edge=False)
    for title in ("id", "room", "hand", "reason", "code", "where", "message"):
        table.add_column(title, overflow="fold")
    for hand in hands:
        room = SITE_TITLES.get(hand.site or "", "")
        where = f"{hand.file}:{hand.line}"
        cells = (hand.id, room, hand.hand_no or "", hand.reason, hand.code, where, hand.message)
        table.add_row(*(Text(visible(cell)) for cell in cells))
    stdout_console().print(table)
