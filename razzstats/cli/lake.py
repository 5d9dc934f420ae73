"""`razzstats lake`: archives that many processes, or many machines, write and read."""

import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import (
    DatabaseOption,
    Format,
    Paths,
    VariantOption,
    files_in_words,
    hands_in_words,
    open_measured,
    remark,
    rule_set,
    tell_failure,
    wait_seconds,
    write_record,
    write_records,
)
from razzstats.cli.examples import epilog
from razzstats.cli.filters import SiteOption
from razzstats.cli.import_ import print_findings, print_summary, totals_of

if TYPE_CHECKING:
    from razzstats.importing import FileReport
    from razzstats.lake.cluster import Cluster

app = typer.Typer(
    help="Lakes: archives as Parquet files, for many hands of many players. "
    "Every command that takes --db takes a lake there, too.",
    epilog=epilog("lake"),
    no_args_is_help=True,
)

LakeOption = Annotated[
    str,
    typer.Option(
        "--lake",
        metavar="DIR_OR_URL",
        help="The lake: a folder, on a shared drive too, or an address like s3://bucket/name.",
    ),
]


@app.command("import", epilog=epilog("lake import"))
def import_(
    paths: Paths,
    lake: LakeOption,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Dask scheduler, tcp://host:8786, whose workers read. Without it: --jobs "
            "processes of this machine.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=1, max=256, help="Read with so many processes of this machine.")
    ] = 2,
    variant: VariantOption = "razz",
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if a hand was rejected.")
    ] = False,
    format: Annotated[Format, typer.Option(help="How to write the counts.")] = Format.TABLE,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say what became of each file.")
    ] = False,
) -> None:
    """Import hand histories into a lake, with workers of a cluster or of this machine.

    Each hand is stored once, whatever happens: workers that die, a command that is interrupted and
    begun again, two that run at once. Files whose content is known are not read again. Workers
    must reach files and lake under the same names. Exit code 1 if a file failed.
    """
    from razzstats.cli.progress import import_progress
    from razzstats.lake.importing import import_to_lake
    from razzstats.storage.lake.files import files_at

    rules = rule_set(variant)
    files = files_at(lake)
    begin = time.perf_counter()
    with _cluster(scheduler, jobs) as cluster, import_progress(paths) as progress:
        reports = import_to_lake(
            progress.files if progress else paths,
            files,
            cluster.workers,
            ahead=cluster.ahead,
            variant=rules.name,
            after_file=progress.after_file if progress else None,
        )
    _tell(reports, time.perf_counter() - begin, files.place, format, verbose)
    rejected = any(report.rejected or report.conflicts for report in reports)
    if any(report.failed for report in reports) or (strict and rejected):
        raise typer.Exit(1)


def _cluster(scheduler: str | None, jobs: int) -> "AbstractContextManager[Cluster]":
    from razzstats.lake.cluster import local_cluster, running_cluster

    return running_cluster(scheduler) if scheduler else local_cluster(jobs)


def _tell(
    reports: "list[FileReport]", seconds: float, place: str, format: Format, verbose: bool
) -> None:
    totals = totals_of(reports, seconds)
    if format is Format.TABLE:
        print_summary(totals, dry_run=False)
    else:
        write_record(totals, format)
    remark(f"{seconds:.1f} s, {totals['hands_per_second']:.0f} hands/s; lake: {place}")
    print_findings(reports, verbose)


@app.command("files", epilog=epilog("lake files"))
def list_files(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="The table: hands, actions, hand_players, ...")
    ],
    lake: LakeOption,
    format: Annotated[
        Format, typer.Option(help="How to write them; all but table tell rooms, months and rows.")
    ] = Format.TABLE,
) -> None:
    """Print the Parquet files with a table's rows, for Dask, Spark and others.

    Read these and no others: what workers that died have left beside them is no part of the lake.
    """
    from razzstats.diagnostics.visible import visible
    from razzstats.lake.listing import DataFile, data_files

    found = data_files(lake, table)
    if format is Format.TABLE:
        for each in found:
            print(visible(each.file))
    else:
        write_records((each._asdict() for each in found), DataFile._fields, format)


@app.command("export", epilog=epilog("lake export"))
def export(lake: LakeOption, db: DatabaseOption = None) -> None:
    """Put everything of a database into a lake: hands, findings, hands that were kept apart.

    The lake is made if it is missing; by the rules of an import it keeps what it has, and each
    hand is there once. Files that it has read whole are left out, so that a second export adds
    nothing. Of files whose import was interrupted, what had been read comes into the lake.
    """
    from razzstats.lake.moving import export_to_lake
    from razzstats.storage.lake.files import files_at

    files = files_at(lake)
    with open_measured(db) as database:
        report = export_to_lake(database, files)
    remark(
        f"{hands_in_words(report.hands)} of {files_in_words(report.files)} put into the lake "
        f"{files.place}; {report.duplicates} were there, {report.conflicts} with another text; "
        f"{files_in_words(report.known)} known"
    )
    if report.cut_short:
        remark(
            f"the import of {files_in_words(report.cut_short)} had been interrupted: `razzstats "
            "lake import` adds the rest"
        )
    for found in report.findings:
        tell_failure(found)


@app.command("extract", epilog=epilog("lake extract"))
def extract(
    lake: LakeOption,
    hero: Annotated[
        str, typer.Option(metavar="NAME", help="The player, by the exact name that the room has.")
    ],
    db: Annotated[Path, typer.Option("--db", help="His database; made if it is missing.")],
    site: SiteOption = None,
) -> None:
    """Copy all hands of one player out of a lake, into a database of his own.

    Those are the hands in which he was dealt in, whole: all players, texts and measures. Whose
    cards a text shows as the hero's stays as it is. Hands that the database has stay, too, so that
    a second extract adds nothing. Its files count the hands that are here; an import reads them
    whole.
    """
    from razzstats.lake.extracting import extract_player
    from razzstats.storage.lake.files import files_at

    report = extract_player(files_at(lake), hero, db, site=_room(site), wait=wait_seconds())
    remark(
        f"{hands_in_words(report.found)} of {hero} in the lake; {report.added} added to {db}, "
        f"{report.known} known"
    )
    if report.conflicts:
        remark(
            f"{hands_in_words(report.conflicts)} left out: {db} has them with another text, which "
            "stays"
        )


@app.command("compact", epilog=epilog("lake compact"))
def compact(
    lake: LakeOption,
    site: SiteOption = None,
    hands: Annotated[
        int, typer.Option(min=2, help="Put together up to so many hands of a room and month.")
    ] = 500_000,
    unused_days: Annotated[
        float, typer.Option(min=1, help="Remove files that nobody has used for so many days.")
    ] = 7,
) -> None:
    """Put the many small files of a lake together into few large ones; answers stay the same.

    Others may read and import meanwhile. What was put together is removed by a later run, when no
    reader can need it any more: no reader and no import may take longer than --unused-days.
    """
    from razzstats.lake.compacting import compact as compact_lake
    from razzstats.storage.lake.files import files_at

    files = files_at(lake)
    report = compact_lake(files, site=_room(site), hands=hands, unused_days=unused_days)
    remark(
        f"{report.before} pieces of the lake {files.place} put together into {report.after}; "
        f"{report.pieces} there now; {files_in_words(report.removed)} removed"
    )


def _room(name: str | None) -> str | None:
    return name.lower() if name else None
