"""razzstats: a tracker for Razz, for scripts and notebooks.

Every name is loaded when it is first used::

    import razzstats

    database = razzstats.load("sample_histories")  # or razzstats.open(): your own database
    doors = razzstats.door_cards(database)
    razzstats.door_win_rate_figure(doors)

Hands come from `open` (the user's database), `load` (files, into memory; `load_with_reports` goes
on where one fails) or `parse_hands` (hand by hand, without a database). To write a database, open
it with `Database.open`, then call `import_paths` and `measure_hands`.

Tables are pandas frames: `overview`, `door_cards`, `bring_ins`, `door_pairs`, `door_streets`,
`streets`, `position_table`, `starting_class_table`, `starting_hand_table`, `luck_table`,
`money_table`, `session_table`, `stakes_table`, `third_street`, `street_rates`, `hand_rates`,
`result_table`, `opponent_table` and `pool_table`, or `table` by the name that ``razzstats stats``
takes; `columns` defines what they hold. `results`, `biggest_pots`, `luckiest_hands`,
`unluckiest_hands` and `rejected_hands` list hands, `decisions` and `worst_decisions` choices.
`compare_periods` sets two periods side by side, `gather` returns all that a report shows, and
`render_page` makes it a page. Each takes a database and `Filters`; without filters all hands count
of those whose files were imported.

`find_leaks` tells what is done wrong too often, `compare_with_usual` what was in one session;
`leak_frame` and `compared_frame` make frames of these, and `leak_hands` lists the hands.
`results_figure`, `door_win_rate_figure`, `door_result_figure`, `door_street_figure` and
`door_pair_figure` are the charts of the report, and `equity_of` tells how hands share a pot
(`razzstats.equity` counts them). `lake_files` names the Parquet files of a lake, for Dask, Spark
and others. What goes wrong is a `RazzstatsError` whose message says what to
do.

The examples of these functions run where there are ``sample_histories`` and ``hands.duckdb``, into
which one session of them was imported; ``database`` is that session, too.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from razzstats.api.equities import equity_of
    from razzstats.api.hands import (
        biggest_pots,
        compare_periods,
        decisions,
        gather,
        luckiest_hands,
        rejected_hands,
        render_page,
        results,
        unluckiest_hands,
        worst_decisions,
    )
    from razzstats.api.leaks import compare_with_usual, find_leaks, leak_hands
    from razzstats.api.opening import FailedFiles, load, load_with_reports, open, parse_hands
    from razzstats.api.tables import (
        bring_ins,
        columns,
        door_cards,
        door_pairs,
        door_streets,
        hand_rates,
        luck_table,
        money_table,
        opponent_table,
        overview,
        pool_table,
        position_table,
        result_table,
        session_table,
        stakes_table,
        starting_class_table,
        starting_hand_table,
        street_rates,
        streets,
        table,
        third_street,
    )
    from razzstats.errors import DatabaseError, RazzstatsError
    from razzstats.importing import import_paths
    from razzstats.lake.listing import lake_files
    from razzstats.measuring import measure_hands
    from razzstats.reports.figures import (
        door_pair_figure,
        door_result_figure,
        door_street_figure,
        door_win_rate_figure,
        results_figure,
    )
    from razzstats.stats.filters import Filters, LastSession
    from razzstats.stats.leaks.frames import compared_frame, leak_frame
    from razzstats.storage import Database

__all__ = [
    "Database",
    "DatabaseError",
    "FailedFiles",
    "Filters",
    "LastSession",
    "RazzstatsError",
    "biggest_pots",
    "bring_ins",
    "columns",
    "compare_periods",
    "compare_with_usual",
    "compared_frame",
    "decisions",
    "door_cards",
    "door_pair_figure",
    "door_pairs",
    "door_result_figure",
    "door_street_figure",
    "door_streets",
    "door_win_rate_figure",
    "equity_of",
    "find_leaks",
    "gather",
    "hand_rates",
    "import_paths",
    "lake_files",
    "leak_frame",
    "leak_hands",
    "load",
    "load_with_reports",
    "luck_table",
    "luckiest_hands",
    "measure_hands",
    "money_table",
    "open",
    "opponent_table",
    "overview",
    "parse_hands",
    "pool_table",
    "position_table",
    "rejected_hands",
    "render_page",
    "result_table",
    "results",
    "results_figure",
    "session_table",
    "stakes_table",
    "starting_class_table",
    "starting_hand_table",
    "street_rates",
    "streets",
    "table",
    "third_street",
    "unluckiest_hands",
    "worst_decisions",
]

_MODULES = {
    "Database": "razzstats.storage",
    "DatabaseError": "razzstats.errors",
    "FailedFiles": "razzstats.api.opening",
    "Filters": "razzstats.stats.filters",
    "LastSession": "razzstats.stats.filters",
    "RazzstatsError": "razzstats.errors",
    "biggest_pots": "razzstats.api.hands",
    "bring_ins": "razzstats.api.tables",
    "columns": "razzstats.api.tables",
    "compare_periods": "razzstats.api.hands",
    "compare_with_usual": "razzstats.api.leaks",
    "compared_frame": "razzstats.stats.leaks.frames",
    "decisions": "razzstats.api.hands",
    "door_cards": "razzstats.api.tables",
    "door_pair_figure": "razzstats.reports.figures",
    "door_pairs": "razzstats.api.tables",
    "door_result_figure": "razzstats.reports.figures",
    "door_street_figure": "razzstats.reports.figures",
    "door_streets": "razzstats.api.tables",
    "door_win_rate_figure": "razzstats.reports.figures",
    "equity_of": "razzstats.api.equities",
    "find_leaks": "razzstats.api.leaks",
    "gather": "razzstats.api.hands",
    "hand_rates": "razzstats.api.tables",
    "import_paths": "razzstats.importing",
    "lake_files": "razzstats.lake.listing",
    "leak_frame": "razzstats.stats.leaks.frames",
    "leak_hands": "razzstats.api.leaks",
    "load": "razzstats.api.opening",
    "load_with_reports": "razzstats.api.opening",
    "luck_table": "razzstats.api.tables",
    "luckiest_hands": "razzstats.api.hands",
    "measure_hands": "razzstats.measuring",
    "money_table": "razzstats.api.tables",
    "open": "razzstats.api.opening",
    "opponent_table": "razzstats.api.tables",
    "overview": "razzstats.api.tables",
    "parse_hands": "razzstats.api.opening",
    "pool_table": "razzstats.api.tables",
    "position_table": "razzstats.api.tables",
    "rejected_hands": "razzstats.api.hands",
    "render_page": "razzstats.api.hands",
    "result_table": "razzstats.api.tables",
    "results": "razzstats.api.hands",
    "results_figure": "razzstats.reports.figures",
    "session_table": "razzstats.api.tables",
    "stakes_table": "razzstats.api.tables",
    "starting_class_table": "razzstats.api.tables",
    "starting_hand_table": "razzstats.api.tables",
    "street_rates": "razzstats.api.tables",
    "streets": "razzstats.api.tables",
    "table": "razzstats.api.tables",
    "third_street": "razzstats.api.tables",
    "unluckiest_hands": "razzstats.api.hands",
    "worst_decisions": "razzstats.api.hands",
}


def __getattr__(name: str) -> Any:
    # Importing the package must stay cheap: the command line does it before it knows what it needs.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
