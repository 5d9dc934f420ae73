"""What rows mean in the tables whose rows are statistics, in the catalogue's words."""

from collections.abc import Iterable, Mapping

from razzstats.stats.catalogue import STATS
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.catalogue.kinds import Stat
from razzstats.stats.catalogue.money import MONEY_STATS, MoneyStat

_COUNTED = {
    "hands": "hands that match, each counted once for every player whose result it is",
    "sessions": "sessions with such a hand, up to a long pause of the same player at the same room",
}
_NET = "what was won less what was put in, in the hands that were played in this currency"


def _by_id(stats: Iterable[Stat | MoneyStat]) -> dict[str, str]:
    return {stat.id: stat.definition for stat in stats}


_BY_TABLE: Mapping[str, Mapping[str, str]] = {
    "overview": _by_id(MONEY_STATS) | _by_id(STATS) | _COUNTED,
    "comparison": _by_id(MONEY_STATS) | _by_id(STATS) | _COUNTED,
    "hand-rates": _by_id(STATS),
    "third-street": _by_id(THIRD_STREET_STATS),
    "street-rates": _by_id(STREET_STATS),
    "money": _by_id(MONEY_STATS),
}


def row_definition(table: str, id: str) -> str:
    """Return what the row of a table is that has this id, or nothing where rows have none."""
    if table == "overview" and id.startswith("net_"):
        return _NET
    return _BY_TABLE.get(table, {}).get(id, "")
