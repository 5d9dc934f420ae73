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
`hand_rates`, `result_table`, `bring_ins`, `money_table`, `session_table`, `stakes_table`,
`opponent_table`, `pool_table`, `position_table`, `results`, `biggest_pots` and `decisions` return
pandas frames, `gather` what a report shows, `find_leaks` what is done wrong too often and
`compare_with_usual` what was done wrong in one session; `leak_frame` and `compared_frame` make
frames of these. `razzstats.equity` counts equities.
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
    from razzstats.stats.leaks.finder import compare_with_usual, find_leaks
    from razzstats.stats.leaks.frames import compared_frame, leak_frame
    from razzstats.stats.luck import luck_table
    from razzstats.stats.money import money_table
    from razzstats.stats.opponents import opponent_table
    from razzstats.stats.pool import pool_table
    from razzstats.stats.positions import position_table
    from razzstats.stats.rates import hand_rates, result_table, street_rates, third_street
    from razzstats.stats.sessions import session_table, stakes_table
    from razzstats.stats.starting_hands import starting_class_table, starting_hand_table
    from razzstats.stats.tables import bring_ins, door_cards, door_streets, overview, streets
    from razzstats.storage import Database

__all__ = [
    "Database",
    "Filters",
    "biggest_pots",
    "bring_ins",
    "compare_with_usual",
    "compared_frame",
    "decisions",
    "door_cards",
    "door_streets",
    "find_leaks",
    "gather",
    "hand_rates",
    "import_paths",
    "leak_frame",
    "luck_table",
    "measure_hands",
    "money_table",
    "opponent_table",
    "overview",
    "pool_table",
    "position_table",
    "read_paths",
    "result_table",
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
    "bring_ins": "razzstats.stats.tables",
    "compare_with_usual": "razzstats.stats.leaks.finder",
    "compared_frame": "razzstats.stats.leaks.frames",
    "decisions": "razzstats.stats.decisions",
    "door_cards": "razzstats.stats.tables",
    "door_streets": "razzstats.stats.tables",
    "find_leaks": "razzstats.stats.leaks.finder",
    "gather": "razzstats.reports.data",
    "hand_rates": "razzstats.stats.rates",
    "import_paths": "razzstats.importing",
    "leak_frame": "razzstats.stats.leaks.frames",
    "luck_table": "razzstats.stats.luck",
    "measure_hands": "razzstats.measuring",
    "money_table": "razzstats.stats.money",
    "opponent_table": "razzstats.stats.opponents",
    "overview": "razzstats.stats.tables",
    "pool_table": "razzstats.stats.pool",
    "position_table": "razzstats.stats.positions",
    "read_paths": "razzstats.pipeline",
    "result_table": "razzstats.stats.rates",
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
