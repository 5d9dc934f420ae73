"""`razzstats import`: hands into the database."""

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import (
    DatabaseOption,
    Format,
    JobsOption,
    VariantOption,
    files_in_words,
    measure,
    remark,
    rule_set,
    wait_seconds,
    writable_database,
    write_record,
)
from razzstats.known_sites import SITE_TITLES

if TYPE_CHECKING:
    from razzstats.importing import FileReport
    from razzstats.rules.ruleset import RuleSet
    from razzstats.storage import Database

_SHOWN = 20  # findings that are printed; `razzstats check` prints them all


def run(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH...]",
            help="Files, folders (with all below them), globs, .zip and .gz, or - for standard "
            "input. Without any: the folders of your settings, or those of the rooms.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = None,
    variant: VariantOption = "razz",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and compare everything, write nothing.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if a hand was rejected.")
    ] = False,
    jobs: JobsOption = 1,
    format: Annotated[Format, typer.Option(help="How to write the counts.")] = Format.TABLE,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say what became of each file.")
    ] = False,
) -> None:
    """Import hand histories: read, check and store every hand of Razz.

    Importing the same files again changes nothing: known hands stay as they are. A hand that
    breaks a rule is not counted in statistics; it is kept with its text and the reason. Exit code
    1 if a file failed.
    """
    rules = rule_set(variant)
    if not paths:
        from razzstats.cli.first_run import paths_to_import

        paths = paths_to_import()
    with _open(db, dry_run) as database:
        begin = time.perf_counter()
        reports = _read(database, paths, rules, dry_run, jobs)
        seconds = time.perf_counter() - begin
        place = database.place
        if not dry_run:
            measure(database, jobs)
    totals = totals_of(reports, seconds)
    if format is Format.TABLE:
        print_summary(totals, dry_run)
    else:
        write_record(totals, format)
    remark(f"{seconds:.1f} s, {totals['hands_per_second']:.0f} hands/s; database: {place}")
    print_findings(reports, verbose)
    rejected = any(report.rejected or report.conflicts for report in reports)
    if any(report.failed for report in reports) or (strict and rejected):
        raise typer.Exit(1)


def _open(db: "DatabaseOption", dry_run: bool) -> "Database":
    from razzstats.storage import Database

    path = writable_database(db)
    if not dry_run:
        return Database.open(path, wait=wait_seconds())
    # A dry run compares with what is stored, if anything is, and leaves no file behind.
    if not path.exists():
        return Database.in_memory()
    return Database.open(path, read_only=True, wait=wait_seconds())


def _read(
    database: "Database", paths: list[str], rules: "RuleSet", dry_run: bool, jobs: int
) -> "list[FileReport]":
    """Import the files, and show how it goes on if somebody watches."""
    from razzstats.cli.progress import import_progress
    from razzstats.importing import import_paths

    with import_progress(paths) as progress:
        return import_paths(
            database,
            progress.files if progress else paths,
            rules,
            dry_run=dry_run,
            jobs=jobs,
            after_file=progress.after_file if progress else None,
            after_batch=progress.after_batch if progress else None,
        )


def totals_of(reports: "list[FileReport]", seconds: float) -> dict[str, float | int]:
    """Return what became of all files, by the names of the contract."""
    from razzstats.importing import COUNTS

    hands = sum(report.hands_seen for report in reports)
    return {
        "files": len(reports),
        "files_failed": sum(report.failed for report in reports),
        **{name: sum(getattr(report, name) for report in reports) for name in COUNTS},
        "seconds": round(seconds, 3),
        "hands_per_second": round(hands / seconds, 1) if seconds else 0.0,
    }


def print_summary(totals: dict[str, float | int], dry_run: bool) -> None:
    """Print the totals for people."""
    stored = "would be stored" if dry_run else "stored"
    print(
        f"{files_in_words(int(totals['files']))}, "
        f"{totals['hands_seen']} Razz hands: {totals['stored']} {stored}, "
        f"{totals['duplicates']} known already, {totals['conflicts']} in conflict, "
        f"{totals['rejected']} rejected, {totals['incomplete']} incomplete; "
        f"{totals['other_games']} hands of other games left out"
    )


def print_findings(reports: "list[FileReport]", verbose: bool) -> None:
    """Print to standard error what was found; ``verbose``, what became of each file."""
    from razzstats.diagnostics.render import render_concise

    if verbose:
        for report in reports:
            remark(_file_line(report))
    for report in reports:
        if report.stored_nothing:
            hands = "its only hand" if report.hands_seen == 1 else f"all {report.hands_seen} hands"
            remark(f"{report.file}: nothing was stored: {hands} of Razz rejected")
    findings = [
        found for report in reports for found in report.diagnostics if found.severity != "note"
    ]
    for found in findings[:_SHOWN]:
        print(render_concise(found, SITE_TITLES), file=sys.stderr)
    more = len(findings[_SHOWN:]) + sum(report.left_out for report in reports)
    if more:
        remark(f"... and {more} more; `razzstats check PATH` prints them all")


def _file_line(report: "FileReport") -> str:
    if report.failure:
        return f"{report.file}: failed: {report.failure.message}"
    known = "known file, " if report.known else ""
    return (
        f"{report.file}: {known}{report.hands_seen} Razz hands, {report.stored} stored, "
        f"{report.duplicates} known, {report.conflicts} in conflict, {report.rejected} rejected, "
        f"{report.incomplete} incomplete, {report.other_games} of other games"
    )
