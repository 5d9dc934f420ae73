"""How the tests are run."""

from hypothesis import settings

# The same examples at each run and nothing left behind: a test that fails here fails everywhere.
settings.register_profile("razzstats", deadline=None, database=None, derandomize=True)
settings.load_profile("razzstats")
