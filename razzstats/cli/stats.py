"""`razzstats stats`: one table of statistics."""

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli import completion
from razzstats.cli.common import (
    DatabaseOption,
    Format,
    open_measured,
    remark,
    stdout_console,
    write_frame,
    write_records,
)
from razzstats.cli.filters import check_hero, takes_filters

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from razzstats.stats.filters import Filters
    from razzstats.storage import Database


@takes_filters
def run(
    *,
    filters: "Filters",
    name: Annotated[
        str | None,
        typer.Argument(
            help="The table's name; --list names them all.", autocompletion=completion.tables
        ),
    ] = None,
    db: DatabaseOption = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="GROUP",
            help="Split a table of rates; --list names the groups.",
            autocompletion=completion.groups,
        ),
    ] = None,
    list_tables: Annotated[
        bool, typer.Option("--list", help="Name all tables and columns with their definitions.")
    ] = False,
    format: Annotated[Format, typer.Option(help="How to write the table.")] = Format.TABLE,
) -> None:
    """Print one table of statistics, every number with its count and how sure it is."""
    if list_tables:
        _print_definitions() if format is Format.TABLE else write_records(
            list(_definitions()), _DEFINITION_COLUMNS, format
        )
        return
    table = _known_table(name)
    from razzstats.stats.hands import currency as currency_of
    from razzstats.stats.tables import TABLE_FUNCTIONS, count_hands

    make = TABLE_FUNCTIONS[table] if by is None else _split(table, by)
    with open_measured(db) as database:
        check_hero(database, filters)
        database.narrow(filters.reach)
        hands = count_hands(database, filters)
        frame = make(database, filters)
        money = currency_of(database, filters)
    remark(f"{filters.words()}: {hands} hands" + ("" if hands else "; no hand matches"))
    if format is Format.TABLE:
        from razzstats.reports.terminal_tables import print_table

        print_table(table, frame, stdout_console(), money)
    else:
        write_frame(frame, format)


def _known_table(name: str | None) -> str:
    from razzstats.stats.catalogue import TABLE_BY_NAME

    names = ", ".join(TABLE_BY_NAME)
    if name is None:
        raise typer.BadParameter(f"name a table: {names}")
    if name not in TABLE_BY_NAME:
        near = difflib.get_close_matches(name, TABLE_BY_NAME, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the tables are {names}"
        raise typer.BadParameter(f"there is no table {name!r}; {hint}")
    return name


def _split(table: str, by: str) -> "Callable[[Database, Filters], pd.DataFrame]":
    """Return the function that makes a table by group."""
    from razzstats.stats.groups import GROUP_BY_NAME
    from razzstats.stats.tables import GROUPED_TABLES

    if table not in GROUPED_TABLES:
        names = ", ".join(GROUPED_TABLES)
        raise typer.BadParameter(f"{table} cannot be split; {names} can", param_hint="--by")
    if by not in GROUP_BY_NAME:
        names = ", ".join(GROUP_BY_NAME)
        raise typer.BadParameter(f"{by!r} is no group; choose from {names}", param_hint="--by")
    return lambda database, filters: GROUPED_TABLES[table](database, filters, GROUP_BY_NAME[by])


_DEFINITION_COLUMNS = ("kind", "of", "name", "definition", "source")


def _definitions() -> Iterator[dict[str, str]]:
    """Yield what `--list` says, for programs: tables, columns, statistics and groups."""
    from razzstats.stats.catalogue import DEFINED, TABLES
    from razzstats.stats.groups import GROUPS

    def record(kind: str, of: str, name: str, definition: str, source: str = "") -> dict[str, str]:
        return dict(zip(_DEFINITION_COLUMNS, (kind, of, name, definition, source), strict=True))

    for table in TABLES:
        yield record("table", "", table.name, table.definition)
        for column in table.columns:
            yield record("column", table.name, column.key, column.definition)
    for title, stats in DEFINED.items():
        for stat in stats:
            yield record("statistic", title, stat.id, stat.definition, stat.source)
    for group in GROUPS:
        yield record("group", "", group.name, group.definition)


def _print_definitions() -> None:
    from razzstats.stats.catalogue import DEFINED, TABLES
    from razzstats.stats.groups import GROUPS

    for table in TABLES:
        print(f"{table.name}: {table.definition}")
        for column in table.columns:
            print(f"  {column.key:<24} {column.definition}")
        print()
    for title, stats in DEFINED.items():
        print(f"{title}:")
        for stat in stats:
            print(f"  {stat.id:<24} {stat.definition} [{stat.source}]")
        print()
    print("groups for --by:")
    for group in GROUPS:
        print(f"  {group.name:<24} {group.definition}")
