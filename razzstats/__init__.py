"""razzstats: a tracker for Razz.

The public names, loaded when they are first used::

    import razzstats

    database = razzstats.Database.in_memory()
    razzstats.import_paths(database, ["sample_histories"])
    razzstats.door_cards(database, razzstats.Filters())

`read_paths` yields hands without a database; `overview`, `door_cards`, `door_streets`, `streets`,
`results` and `biggest_pots` return pandas frames, `gather` all of them for a report.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from razzstats.importing import import_paths
    from razzstats.pipeline import read_paths
    from razzstats.reports.data import gather
    from razzstats.stats.filters import Filters
    from razzstats.stats.hands import biggest_pots, results
    from razzstats.stats.tables import door_cards, door_streets, overview, streets
    from razzstats.storage import Database

__all__ = [
    "Database",
    "Filters",
    "biggest_pots",
    "door_cards",
    "door_streets",
    "gather",
    "import_paths",
    "overview",
    "read_paths",
    "results",
    "streets",
]

_MODULES = {
    "Database": "razzstats.storage",
    "Filters": "razzstats.stats.filters",
    "biggest_pots": "razzstats.stats.hands",
    "door_cards": "razzstats.stats.tables",
    "door_streets": "razzstats.stats.tables",
    "gather": "razzstats.reports.data",
    "import_paths": "razzstats.importing",
    "overview": "razzstats.stats.tables",
    "read_paths": "razzstats.pipeline",
    "results": "razzstats.stats.hands",
    "streets": "razzstats.stats.tables",
}


def __getattr__(name: str) -> Any:
    # Importing the package must stay cheap: the command line does it before it knows what it needs.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
