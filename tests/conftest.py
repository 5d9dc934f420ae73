"""How the tests are run, and the small database that several of them count by hand."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.settings import SETTINGS
from razzstats.storage import Database

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"

POKERSTARS = Path(__file__).parent.parent / "sample_histories" / "pokerstars"

SETTINGS_VARIABLES = {setting.variable for setting in SETTINGS.values()}

# The same examples at each run and nothing left behind: a test that fails here fails everywhere.
settings.register_profile("razzstats", deadline=None, database=None, derandomize=True)
settings.load_profile("razzstats")


@pytest.fixture(scope="session", autouse=True)
def no_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no setting of whoever runs the tests reach a command, nor a command change one."""
    with pytest.MonkeyPatch.context() as patch:
        for name in SETTINGS_VARIABLES & os.environ.keys():
            patch.delenv(name)
        patch.setenv("RAZZSTATS_CONFIG", str(tmp_path_factory.mktemp("settings") / "config.toml"))
        yield


@pytest.fixture(scope="module")
def twelve() -> Iterator[Database]:
    """A database of the twelve hands whose numbers are counted by hand."""
    with Database.in_memory() as opened:
        import_paths(opened, [str(TWELVE)])
        assert measure_hands(opened) == 12
        yield opened


@pytest.fixture(scope="module")
def samples() -> Iterator[Database]:
    """A database of the samples of PokerStars, measured."""
    with Database.in_memory() as opened:
        import_paths(opened, [str(POKERSTARS)])
        measure_hands(opened)
        yield opened
