"""Every statistic and every table of `razzstats stats`, as data."""

from collections.abc import Mapping, Sequence

from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.catalogue.grouped import GROUPED_TABLES
from razzstats.stats.catalogue.kinds import Column, Kind, Stat, Table
from razzstats.stats.catalogue.money import MONEY_STATS, MONEY_TABLES, MoneyStat
from razzstats.stats.catalogue.players import PLAYER_TABLES
from razzstats.stats.catalogue.rates import STAT_BY_ID, STATS
from razzstats.stats.catalogue.tables import HAND_TABLES

TABLES: tuple[Table, ...] = (*HAND_TABLES, *GROUPED_TABLES, *MONEY_TABLES, *PLAYER_TABLES)
"""Every table, in the order of `razzstats stats --list`."""

TABLE_BY_NAME = {table.name: table for table in TABLES}

DEFINED: Mapping[str, Sequence[Stat | MoneyStat]] = {
    "rates of hands": STATS,
    "rates of third street": THIRD_STREET_STATS,
    "rates of each street": STREET_STATS,
    "money": MONEY_STATS,
}
"""Every statistic that is a row of some table, by what it is about."""

__all__ = [
    "DEFINED",
    "STATS",
    "STAT_BY_ID",
    "TABLES",
    "TABLE_BY_NAME",
    "Column",
    "Kind",
    "Stat",
    "Table",
]
