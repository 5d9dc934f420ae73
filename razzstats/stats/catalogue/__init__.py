"""Every statistic and every table of `razzstats stats`, as data."""

from razzstats.stats.catalogue.decisions import DECISION_TABLES
from razzstats.stats.catalogue.kinds import Column, Kind, Stat, Table
from razzstats.stats.catalogue.money import MONEY_TABLES
from razzstats.stats.catalogue.players import PLAYER_TABLES
from razzstats.stats.catalogue.rates import STAT_BY_ID, STATS
from razzstats.stats.catalogue.tables import HAND_TABLES

TABLES: tuple[Table, ...] = (*HAND_TABLES, *DECISION_TABLES, *MONEY_TABLES, *PLAYER_TABLES)
"""Every table, in the order of `razzstats stats --list`."""

TABLE_BY_NAME = {table.name: table for table in TABLES}

__all__ = [
    "STATS",
    "STAT_BY_ID",
    "TABLES",
    "TABLE_BY_NAME",
    "Column",
    "Kind",
    "Stat",
    "Table",
]
