"""`razzstats export`: the tables, or the hands, as files for other programs."""

import dataclasses
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import DatabaseOption, hands_in_words, open_measured, remark
from razzstats.cli.filters import check_hero, takes_filters
from razzstats.errors import RazzstatsError

if TYPE_CHECKING:
    from razzstats.stats.filters import Filters


class ExportFormat(StrEnum):
    """What is written."""

    PARQUET = "parquet"
    CSV = "csv"
    JSONL = "jsonl"
    PHH = "phh"


@takes_filters
def run(
    *,
    filters: "Filters",
    format: Annotated[
        ExportFormat,
        typer.Option(help="The tables as Parquet, CSV or JSON lines, or the hands as PHH."),
    ] = ExportFormat.PARQUET,
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="The folder to write to; files of these names go."),
    ],
    db: DatabaseOption = None,
) -> None:
    """Write all tables, a file each, or all hands in the poker hand history format (PHH).

    Filters choose hands: those with a player as the filters say, whoever it is without --hero
    or --session.
    What is not about stored hands (files, findings, rejected hands) is written whole. PHH has a
    file for each room, NAME.phhs; a hand that the format cannot tell is left out and counted.
    In CSV an apostrophe stands before text that a spreadsheet would run as a formula.
    """
    # Sessions are a player's: with all players at once their numbers would be others.
    if filters.hero is None and filters.session is None:
        filters = dataclasses.replace(filters, all_players=True)
    try:
        out.mkdir(parents=True, exist_ok=True)
        if format is ExportFormat.PHH:
            _export_hands(filters, out, db)
        else:
            _export_tables(filters, out, format, db)
    except OSError as error:
        place = error.filename or out
        raise RazzstatsError(f"{place} cannot be written: {error.strerror}") from None


def _export_tables(filters: "Filters", out: Path, format: ExportFormat, db: DatabaseOption) -> None:
    from razzstats.storage.export import export_tables

    with open_measured(db) as database:
        check_hero(database, filters)
        place = database.place
    written = export_tables(place, out, format.value, *filters.where(), filters.reach)
    for path, rows in written.items():
        remark(f"wrote {rows} rows to {path}")


def _export_hands(filters: "Filters", out: Path, db: DatabaseOption) -> None:
    from razzstats.exporting import export_phh

    if filters.game != "razz":
        raise RazzstatsError(
            f"PHH has no word for {filters.game}; --format parquet, csv or jsonl writes its tables"
        )
    with open_measured(db) as database:
        check_hero(database, filters)
        database.narrow(filters.reach)
        files = export_phh(database, out, *filters.where())
    for file in files:
        remark(f"wrote {hands_in_words(file.hands)} to {file.path}")
        if file.left_out:
            remark(f"left out {hands_in_words(file.left_out)} that PHH cannot tell")
    if not files:
        remark(f"{filters.words()}: no hand matches")
