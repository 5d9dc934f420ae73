"""Where a user's files are if nothing says otherwise."""

from pathlib import Path

import platformdirs


def default_database() -> Path:
    """Return where the database lies: in the user's data folder."""
    return Path(platformdirs.user_data_path("razzstats", appauthor=False)) / "razzstats.duckdb"


WAIT_SECONDS = 10
"""How long an opening of the database waits for another process to let it go, if not told."""
