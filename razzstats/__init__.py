"""razzstats: a tracker for Razz.

The public names, loaded when they are first used::

    import razzstats

    database = razzstats.Database.in_memory()
    razzstats.import_paths(database, ["sample_histories"])
    razzstats.measure_hands(database)
    razzstats.door_cards(database, razzstats.Filters())

`read_paths` yields hands without a database; `measure_hands` computes luck and starting hands of
those that are stored, once. `overview`, `door_cards`, `door_streets`, `streets`,
`third_street`, `street_rates`, `starting_class_table`, `starting_hand_table`, `luck_table`,
`money_table`, `session_table`, `stakes_table`, `opponent_table`, `position_table`, `results`,
`biggest_pots` and `decisions` return pandas frames, `gather` what a report shows, `find_leaks` what
is done wrong too often. `razzstats.equity` counts equities.
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
    from razzstats.stats.leaks.finder import find_leaks
    from razzstats.stats.luck import luck_table
    from razzstats.stats.money import money_table
    from razzstats.stats.opponents import opponent_table
    from razzstats.stats.positions import position_table
    from razzstats.stats.rates import street_rates, third_street
    from razzstats.stats.sessions import session_table, stakes_table
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
    "find_leaks",
    "gather",
    "import_paths",
    "luck_table",
    "measure_hands",
    "money_table",
    "opponent_table",
    "overview",
    "position_table",
    "read_paths",
    "results",
    "session_table",
    "stakes_table",
    "starting_class_table",
    "starting_hand_table",
    "street_rates",
    "streets",
    "third_street",
]

_MODULES = {
    "Database": "razzstats.storage",
    "Filters": "razzstats.stats.filters",
    "biggest_pots": "razzstats.stats.hands",
    "decisions": "razzstats.stats.decisions",
    "door_cards": "razzstats.stats.tables",
    "door_streets": "razzstats.stats.tables",
    "find_leaks": "razzstats.stats.leaks.finder",
    "gather": "razzstats.reports.data",
    "import_paths": "razzstats.importing",
    "luck_table": "razzstats.stats.luck",
    "measure_hands": "razzstats.measuring",
    "money_table": "razzstats.stats.money",
    "opponent_table": "razzstats.stats.opponents",
    "overview": "razzstats.stats.tables",
    "position_table": "razzstats.stats.positions",
    "read_paths": "razzstats.pipeline",
    "results": "razzstats.stats.hands",
    "session_table": "razzstats.stats.sessions",
    "stakes_table": "razzstats.stats.sessions",
    "starting_class_table": "razzstats.stats.starting_hands",
    "starting_hand_table": "razzstats.stats.starting_hands",
    "street_rates": "razzstats.stats.rates",
    "streets": "razzstats.stats.tables",
    "third_street": "razzstats.stats.rates",
}


def __getattr__(name: str) -> Any:
    # Importing the package must stay cheap: the command line does it before it knows what it needs.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
