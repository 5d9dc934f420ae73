"""How the tests are run, and the small database that several of them count by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.storage import Database

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"

# The same examples at each run and nothing left behind: a test that fails here fails everywhere.
settings.register_profile("razzstats", deadline=None, database=None, derandomize=True)
settings.load_profile("razzstats")


@pytest.fixture(scope="module")
def twelve() -> Iterator[Database]:
    """A database of the twelve hands whose numbers are counted by hand."""
    with Database.in_memory() as opened:
        import_paths(opened, [str(TWELVE)])
        assert measure_hands(opened) == 12
        yield opened
