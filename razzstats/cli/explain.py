"""`razzstats explain`: what a diagnostic's code means."""

import difflib
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razzstats.cli import completion
from razzstats.cli.common import Format, stdout_console, write_records

if TYPE_CHECKING:
    from razzstats.diagnostics import Code

_COLUMNS = ("code", "name", "severity", "summary", "explanation")


def run(
    code: Annotated[
        str | None,
        typer.Argument(
            help="A code or its name, e.g. RZ401. Without it: all codes in a list.",
            autocompletion=completion.codes,
        ),
    ] = None,
    format: Annotated[Format, typer.Option(help="How to write it.")] = Format.TABLE,
) -> None:
    """Say what a diagnostic means, why the hand is left out, and show an example."""
    from razzstats.diagnostics.codes import CODES

    found = CODES if code is None else (_known_code(code),)
    if format is not Format.TABLE:
        write_records([_record(each) for each in found], _COLUMNS, format)
    elif code is None:
        _print_list(found)
    else:
        (each,) = found
        print(f"{each.id} {each.name} ({each.severity})\n\n{each.summary}\n\n{each.explanation}")


def _known_code(text: str) -> "Code":
    from razzstats.diagnostics.codes import CODES, find_code

    found = find_code(text)
    if found is None:
        names = [each.name for each in CODES] + [each.id for each in CODES]
        near = difflib.get_close_matches(text, names, n=1)
        hint = f"did you mean {near[0]}?" if near else "`razzstats explain` lists them all"
        raise typer.BadParameter(f"there is no diagnostic {text!r}; {hint}")
    return found


def _print_list(codes: "tuple[Code, ...]") -> None:
    lines = [f"{each.id}  {each.severity:<7}  {each.name:<26} {each.summary}" for each in codes]
    # A terminal would break long lines anywhere; a pipe has no width.
    is_narrow = sys.stdout.isatty() and stdout_console().width < max(map(len, lines))
    for each, line in zip(codes, lines, strict=True):
        print(f"{each.id}  {each.severity:<7}  {each.name}\n       {each.summary}" if is_narrow
              else line)  # fmt: skip


def _record(code: "Code") -> dict[str, Any]:
    return {
        "code": code.id,
        "name": code.name,
        "severity": str(code.severity),
        "summary": code.summary,
        "explanation": code.explanation,
    }
