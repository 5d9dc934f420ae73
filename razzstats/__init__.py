"""razzstats: a tracker for Razz.

The public names, loaded when they are first used::

    import razzstats

    database = razzstats.Database.in_memory()
    razzstats.import_paths(database, ["sample_histories"])
    razzstats.measure_hands(database)
    razzstats.door_cards(database, razzstats.Filters())

`read_paths` yields hands without a database; `measure_hands` computes luck and starting hands of
those that are stored, once. `overview`, `door_cards`, `door_streets`, `streets`,
`starting_class_table`, `starting_hand_table`, `luck_table`, `results`, `biggest_pots` and
`decisions` return pandas frames, `gather` what a report shows. `razzstats.equity` counts equities.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from razzstats.importing import import_paths
    from razzstats.measuring import measure_hands
    from razzstats.pipeline import read_paths
    from razzstats.reports.data import gather
    from razzstats.stats.decisions import decisions
    from razzstats.stats.filters import Filters
    from razzstats.stats.hands import biggest_pots, results
    from razzstats.stats.luck import luck_table
    from razzstats.stats.starting_hands import starting_class_table, starting_hand_table
    from razzstats.stats.tables import door_cards, door_streets, overview, streets
    from razzstats.storage import Database

__all__ = [
    "Database",
    "Filters",
    "biggest_pots",
    "decisions",
    "door_cards",
    "door_streets",
    "gather",
    "import_paths",
    "luck_table",
    "measure_hands",
    "overview",
    "read_paths",
    "results",
    "starting_class_table",
    "starting_hand_table",
    "streets",
]

_MODULES = {
    "Database": "razzstats.storage",
    "Filters": "razzstats.stats.filters",
    "biggest_pots": "razzstats.stats.hands",
    "decisions": "razzstats.stats.decisions",
    "door_cards": "razzstats.stats.tables",
    "door_streets": "razzstats.stats.tables",
    "gather": "razzstats.reports.data",
    "import_paths": "razzstats.importing",
    "luck_table": "razzstats.stats.luck",
    "measure_hands": "razzstats.measuring",
    "overview": "razzstats.stats.tables",
    "read_paths": "razzstats.pipeline",
    "results": "razzstats.stats.hands",
    "starting_class_table": "razzstats.stats.starting_hands",
    "starting_hand_table": "razzstats.stats.starting_hands",
    "streets": "razzstats.stats.tables",
}


def __getattr__(name: str) -> Any:
    # Importing the package must stay cheap: the command line does it before it knows what it needs.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
