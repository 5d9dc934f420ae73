"""`razzstats lake`: archives that many processes, or many machines, write and read."""

import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import (
    Format,
    Paths,
    VariantOption,
    remark,
    rule_set,
    write_record,
)
from razzstats.cli.examples import epilog
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
    from razzstats.lake.importing import import_to_lake
    from razzstats.storage.lake.files import files_at

    rules = rule_set(variant)
    files = files_at(lake)
    begin = time.perf_counter()
    with _cluster(scheduler, jobs) as cluster:
        reports = import_to_lake(
            paths, files, cluster.workers, ahead=cluster.ahead, variant=rules.name
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
