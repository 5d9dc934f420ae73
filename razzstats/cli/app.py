"""The command line; each command is a module of its own, and loads what it needs when it runs."""

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from razzstats.cli import (
    anonymize,
    backup,
    check,
    config,
    doctor,
    equity,
    explain,
    export,
    import_,
    lake,
    leaks,
    parse,
    rebuild,
    rejected,
    report,
    show,
    simulate,
    sql,
    stats,
    variance,
    watch,
)
from razzstats.cli.defaults import set_defaults
from razzstats.cli.examples import epilog
from razzstats.errors import RazzstatsError

_INTERRUPTED = 130  # what Typer makes of Ctrl-C


class _Commands(TyperGroup):
    """All commands; their list is plain text, as rich takes longer to load than all else in it."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super(TyperGroup, self).format_help(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows = [
            (name, (self.commands[name].help or "").partition("\n\n")[0])
            for name in self.list_commands(ctx)
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


app = typer.Typer(
    name="razzstats",
    cls=_Commands,
    help="A tracker for Razz: reads hand histories, checks every hand against the rules, and "
    "shows where you win and lose.",
    epilog="Exit codes: 0 done; 1 done, but a file failed or, with check or --strict, a hand was "
    "rejected; 2 wrong use; 3 the database is locked, damaged or from a newer version.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("import", epilog=epilog("import"))(import_.run)
app.command("watch", epilog=epilog("watch"))(watch.run)
app.command("report", epilog=epilog("report"))(report.run)
app.command("stats", epilog=epilog("stats"))(stats.run)
app.command("leaks", epilog=epilog("leaks"))(leaks.run)
app.command("show", epilog=epilog("show"))(show.run)
app.command("variance", epilog=epilog("variance"))(variance.run)
app.command("equity", epilog=epilog("equity"))(equity.run)
app.command("check", epilog=epilog("check"))(check.run)
app.command("parse", epilog=epilog("parse"))(parse.run)
app.command("simulate", epilog=epilog("simulate"))(simulate.run)
app.command("sql", epilog=epilog("sql"))(sql.run)
app.command("export", epilog=epilog("export"))(export.run)
app.command("anonymize", epilog=epilog("anonymize"))(anonymize.run)
app.add_typer(rejected.app, name="rejected")
app.add_typer(config.app, name="config")
app.add_typer(lake.app, name="lake")
app.command("explain", epilog=epilog("explain"))(explain.run)
app.command("doctor", epilog=epilog("doctor"))(doctor.run)
app.command("rebuild", epilog=epilog("rebuild"))(rebuild.run)
app.command("backup", epilog=epilog("backup"))(backup.back_up)
app.command("restore", epilog=epilog("restore"))(backup.restore)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"razzstats {version('razzstats')}")
        raise typer.Exit


@app.callback()
def _common(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and leave.",
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(2)
    try:
        set_defaults(context)
    except RazzstatsError:
        # Help and the mending of the file do not wait until the file is right.
        if context.invoked_subcommand != "config" and not {"-h", "--help"} & {*sys.argv}:
            raise


def main() -> None:
    """Run the command line; wrong use ends in one sentence, never in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal's encoding lacks is shown escaped rather than ending the run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (`head`, a pager) has seen enough
        _write_no_more()
        code = 0
    except OSError as error:
        _write_no_more()
        _tell(f"{error.filename or 'the output'}: {error.strerror}")
        code = RazzstatsError.exit_code
    sys.exit(code)


def _run() -> int:
    """Run the command and return its exit code; what went wrong with it is told."""
    try:
        app()
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # which Typer would make exit code 1
            raise left.__context__ from None
        if left.code == _INTERRUPTED:
            _tell("interrupted; what was stored so far is whole")
        return left.code if isinstance(left.code, int) else 0
    except RazzstatsError as error:
        _tell(str(error))
        return error.exit_code
    return 0


def _write_no_more() -> None:
    # What the stream still holds would make Python complain at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(sentence: str) -> None:
    from razzstats.diagnostics.visible import visible

    print(visible(f"razzstats: {sentence}"), file=sys.stderr)


if __name__ == "__main__":
    main()
