"""`razzstats explain`: what a diagnostic's code means."""

import difflib
from typing import Annotated

import typer


def run(
    code: Annotated[
        str | None,
        typer.Argument(help="A code or its name, e.g. RZ401. Without it: all codes in a list."),
    ] = None,
) -> None:
    """Say what a diagnostic means, why the hand is left out, and show an example."""
    from razzstats.diagnostics.codes import CODES, find_code

    if code is None:
        for each in CODES:
            print(f"{each.id}  {each.severity:<7}  {each.name:<26} {each.summary}")
        return
    found = find_code(code)
    if found is None:
        names = [each.name for each in CODES] + [each.id for each in CODES]
        near = difflib.get_close_matches(code, names, n=1)
        hint = f"did you mean {near[0]}?" if near else "`razzstats explain` lists them all"
        raise typer.BadParameter(f"there is no diagnostic {code!r}; {hint}")
    print(f"{found.id} {found.name} ({found.severity})\n\n{found.summary}\n\n{found.explanation}")
