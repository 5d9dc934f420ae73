"""`razzstats report`: the report, in the terminal or as one offline page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import (
    DatabaseOption,
    measure,
    open_measured,
    rule_set,
    stdout_console,
    tell_failure,
)
from razzstats.cli.filters import check_hero, takes_filters
from razzstats.cli.pages import MaskOption, write_page
from razzstats.cli.periods import period_filters

if TYPE_CHECKING:
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
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="PERIOD",
            help="Set these hands against those of another period: 2026, 2026-11, 2026-11-29, two "
            "such with .. between, or `others`: all hands outside --session, --since and --until.",
        ),
    ] = None,
    mask_names: MaskOption = False,
    db: DatabaseOption = None,
) -> None:
    """Report how it went, where, what was done wrong, in which hands, and against whom."""
    from razzstats.reports.data import ask_of_all, gather
    from razzstats.reports.masking import masked

    if html is not None:
        from razzstats.reports.shell import pack_plotly

        pack_plotly()
    failed = False
    other = None if compare is None else period_filters(filters, compare)
    if paths:
        from razzstats.storage import Database

        database = Database.in_memory()
        failed = _read(database, paths, rule_set(filters.game))
    else:
        database = open_measured(db)
    with database:
        check_hero(database, filters)
        of_all = ask_of_all(database, filters)
        database.narrow(filters.reach if other is None else filters.reach.joined(other.reach))
        data = gather(
            database, filters, compare_with=other, tell_hands=html is not None, of_all=of_all
        )
    if mask_names:
        data = masked(data)
    if html is None:
        from razzstats.reports.terminal import print_report

        print_report(data, stdout_console())
    else:
        from razzstats.reports.page import render_page

        write_page(html, render_page(data))
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
