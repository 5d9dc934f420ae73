"""`razzstats report`: the report, in the terminal or as one offline page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import (
    DatabaseOption,
    measure,
    open_measured,
    remark,
    rule_set,
    stdout_console,
    tell_failure,
    utc_now,
)
from razzstats.cli.filters import check_hero, takes_filters
from razzstats.errors import RazzstatsError

if TYPE_CHECKING:
    from razzstats.reports.data import ReportData
    from razzstats.rules.ruleset import RuleSet
    from razzstats.stats.filters import Filters
    from razzstats.storage import Database


@takes_filters
def run(
    *,
    filters: "Filters",
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH...]",
            help="Report on these files instead of the database, which stays untouched.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the report as one offline page to this file.")
    ] = None,
    db: DatabaseOption = None,
) -> None:
    """Report results by door card and street, the curve of the session, and what was left out."""
    from razzstats.reports.data import gather

    failed = False
    if paths:
        from razzstats.storage import Database

        database = Database.in_memory()
        failed = _read(database, paths, rule_set(filters.game))
    else:
        database = open_measured(db)
    with database:
        check_hero(database, filters)
        data = gather(database, filters)
    if html is None:
        from razzstats.reports.terminal import print_report

        print_report(data, stdout_console())
    else:
        _write_page(html, data)
    if failed:
        raise typer.Exit(1)


def _read(database: "Database", paths: list[str], rules: "RuleSet") -> bool:
    """Read the files into the database; return whether one of them failed."""
    from razzstats.importing import import_paths

    reports = import_paths(database, paths, rules)
    measure(database)
    for report in reports:
        if report.failure:
            tell_failure(report.failure)
    return any(report.failed for report in reports)


def _write_page(path: Path, data: "ReportData") -> None:
    from razzstats.reports.page import render_page

    page = render_page(data, generated_at=utc_now())
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise RazzstatsError(f"{path} cannot be written: {error.strerror}") from None
    remark(f"wrote {path} ({len(page) / 1e6:.1f} MB)")
