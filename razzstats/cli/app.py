"""The command line; each command is a module of its own, and loads what it needs when it runs."""

import os
import sys
from typing import Annotated

import typer

from razzstats.cli import check, explain, import_, parse, report, show, simulate, stats
from razzstats.errors import RazzstatsError

app = typer.Typer(
    name="razzstats",
    help="A tracker for Razz: reads hand histories, checks every hand against the rules, and "
    "shows where you win and lose.",
    epilog="Exit codes: 0 done; 1 done, but a file failed or, with check or --strict, a hand was "
    "rejected; 2 wrong use; 3 the database is locked, damaged or from a newer version.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("import")(import_.run)
app.command("report")(report.run)
app.command("stats")(stats.run)
app.command("show")(show.run)
app.command("check")(check.run)
app.command("parse")(parse.run)
app.command("simulate")(simulate.run)
app.command("explain")(explain.run)


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", is_eager=True)
    ] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(f"razzstats {installed('razzstats')}")
        raise typer.Exit


def main() -> None:
    """Run the command line; wrong use ends in one sentence, never in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal's encoding lacks is shown escaped rather than ending the run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except RazzstatsError as error:
        print(f"razzstats: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough; Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        print("razzstats: interrupted; what was imported so far is stored", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
