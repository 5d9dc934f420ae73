"""`razzstats rebuild`: stored hands are read again, or a database is made anew."""

from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import (
    DatabaseOption,
    JobsOption,
    VariantOption,
    existing_database,
    files_in_words,
    hands_in_words,
    measure,
    remark,
    rule_set,
    wait_seconds,
    writable_database,
)
from razzstats.errors import DamagedDatabase

if TYPE_CHECKING:
    from pathlib import Path

    from razzstats.rebuilding import AgainReport, RebuildReport
    from razzstats.rules.ruleset import RuleSet


_OF_LAKE = "`razzstats lake import` reads sources into a new one"


def run(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH...]",
            help="Files and folders that are read too when the database is made anew.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = None,
    variant: VariantOption = "razz",
    everything: Annotated[
        bool, typer.Option("--all", help="Read all hands again, not only outdated ones.")
    ] = False,
    anew: Annotated[
        bool,
        typer.Option(
            "--anew",
            help="Make the database anew even if it is whole: from the files that it was made of, "
            "and from the texts in it.",
        ),
    ] = False,
    jobs: JobsOption = 1,
) -> None:
    """Read stored hands again after an upgrade, or mend a damaged database.

    Hands that an earlier version of razzstats read are read again from the texts in the database;
    hands that had to be kept apart are tried again. A damaged database is made anew, and so is any
    with --anew or other files to read: from the files that it was made of, where they are still
    there, and from every text in it that can be read. It is kept beside the new one.
    """
    rules = rule_set(variant)
    path = existing_database(writable_database(db, _OF_LAKE))
    if anew or paths or _is_damaged(path):
        _anew(path, paths or [], rules, jobs)
    else:
        _again(path, rules, everything=everything, jobs=jobs)


def _is_damaged(path: "Path") -> bool:
    from razzstats.storage import Database
    from razzstats.storage.checkup import unreadable_tables

    try:
        # An older schema is brought up to date first.
        Database.open(path, wait=wait_seconds()).close()
        faults = unreadable_tables(path, wait=wait_seconds())
    except DamagedDatabase as error:
        remark(str(error))
        return True
    for fault in faults:
        remark(f"{fault.table}: {fault.what}")
    return bool(faults)


def _again(path: "Path", rules: "RuleSet", *, everything: bool, jobs: int) -> None:
    from razzstats.rebuilding import read_again
    from razzstats.storage import Database

    with Database.open(path, wait=wait_seconds()) as database:
        report = read_again(database, rules, everything=everything)
        measure(database, jobs)
    print(_again_in_words(report))


def _again_in_words(report: "AgainReport") -> str:
    retried = report.retried
    return (
        f"{hands_in_words(report.tried)} read again, {report.rejected} of them rejected now; "
        f"{retried.tried} kept apart tried again: {retried.stored} stored, {retried.known} known "
        f"already, {retried.conflicts} in conflict, {retried.rejected} still rejected"
    )


def _anew(path: "Path", paths: list[str], rules: "RuleSet", jobs: int) -> None:
    from razzstats.rebuilding import rebuild

    report = rebuild(path, paths, rules, jobs=jobs, wait=wait_seconds())
    print(_anew_in_words(report))
    if report.kept is not None:
        remark(f"the earlier database is kept: {report.kept}")
    if report.lost:
        remark(f"{report.lost} texts in the earlier database could not be read")
    if any(file.failed for file in report.files):
        for file in report.files:
            if file.failure:
                remark(f"{file.file}: {file.failure.message}")
        raise typer.Exit(1)


def _anew_in_words(report: "RebuildReport") -> str:
    stored = sum(file.stored for file in report.files)
    gone = f" ({files_in_words(report.missing)} of it gone)" if report.missing else ""
    return (
        f"{hands_in_words(stored)} from {files_in_words(len(report.files))}{gone}, "
        f"{report.salvaged.stored} more from texts in the earlier database"
    )
