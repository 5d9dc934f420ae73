"""`razzstats rejected`: the hands that were not stored, and what can be done with them."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razzstats.cli import completion
from razzstats.cli.common import (
    DatabaseOption,
    Format,
    VariantOption,
    hands_in_words,
    open_database,
    print_texts,
    remark,
    rule_set,
    stdout_console,
    write_record,
    write_records,
)
from razzstats.cli.examples import epilog
from razzstats.errors import RazzstatsError

if TYPE_CHECKING:
    from razzstats.storage import RejectedText

app = typer.Typer(
    help="The hands that were not stored: rejected, incomplete or in conflict with a stored one. "
    "Their texts are kept.",
    epilog=epilog("rejected"),
    no_args_is_help=True,
)

Selected = Annotated[
    str | None,
    typer.Argument(
        metavar="[HAND]",
        help="The id that `rejected list` prints, or the hand's number. Without it: all.",
        show_default=False,
        autocompletion=completion.rejected_hands,
    ),
]


@app.command("list", epilog=epilog("rejected list"))
def list_(
    db: DatabaseOption = None,
    format: Annotated[Format, typer.Option(help="How to write the list.")] = Format.TABLE,
) -> None:
    """List them with file, line and reason."""
    hands = _kept(db)
    if format is not Format.TABLE:
        write_records([_record(hand) for hand in hands], _COLUMNS, format)
    elif hands:
        _print_table(hands)
    remark(f"{len(hands)} {'hand is' if len(hands) == 1 else 'hands are'} kept apart")


@app.command("show", epilog=epilog("rejected show"))
def show(
    hand: Annotated[
        str,
        typer.Argument(
            help="The id that `rejected list` prints, or the hand's number.",
            autocompletion=completion.rejected_hands,
        ),
    ],
    db: DatabaseOption = None,
    variant: VariantOption = "razz",
) -> None:
    """Print hands with their text and everything that is wrong with them today."""
    from razzstats.diagnostics.render import render_full, source_lines
    from razzstats.diagnostics.visible import visible
    from razzstats.known_sites import SITE_TITLES
    from razzstats.retrying import read_again

    hands = _selected(_kept(db), hand)
    for kept in hands:
        print(visible(f"{kept.id} {kept.reason}: {kept.file}:{kept.line}"))
        print("\n".join(map(visible, kept.text.split("\n"))))
        outcome = read_again(kept, rule_set(variant))
        assert outcome.text is not None
        for found in outcome.diagnostics:
            print(render_full(found, source_lines(outcome.text), SITE_TITLES))
    remark(f"{hands_in_words(len(hands))} shown")


@app.command("retry", epilog=epilog("rejected retry"))
def retry(
    db: DatabaseOption = None,
    variant: VariantOption = "razz",
    format: Annotated[Format, typer.Option(help="How to write the counts.")] = Format.TABLE,
) -> None:
    """Read them again, after an upgrade or by other rules, and store those that count now."""
    from razzstats.retrying import retry_rejected

    with open_database(db, read_only=False) as database:
        report = retry_rejected(database, rule_set(variant))
    told = (
        f"{report.tried} hands read again: {report.stored} stored, {report.known} known already, "
        f"{report.conflicts} in conflict, {report.rejected} still not stored"
    )
    if format is Format.TABLE:
        print(told)
    else:
        write_record(asdict(report), format)
        remark(told)


@app.command("export", epilog=epilog("rejected export"))
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
    remark(f"{hands_in_words(len(hands))} written")


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


_COLUMNS = ("id", "site", "hand_no", "reason", "code", "message", "file", "line", "text")


def _record(hand: "RejectedText") -> dict[str, Any]:
    return {name: getattr(hand, name) for name in _COLUMNS}


_NARROW = 100  # columns; what is narrower has no room for seven columns beside each other


def _print_table(hands: "list[RejectedText]") -> None:
    from razzstats.diagnostics.visible import visible
    from razzstats.known_sites import SITE_TITLES

    rows = [
        (
            hand.id, SITE_TITLES.get(hand.site or "", ""), hand.hand_no or "", hand.reason,
            hand.code, f"{hand.file}:{hand.line}", hand.message,
        )
        for hand in hands
    ]  # fmt: skip
    if stdout_console().width >= _NARROW:
        print_texts(("id", "room", "hand", "reason", "code", "where", "message"), rows)
        return
    for *names, where, message in rows:
        print(visible("  ".join(name for name in names if name)))
        print(visible(f"    {where}"))
        print(visible(f"    {message}"))
