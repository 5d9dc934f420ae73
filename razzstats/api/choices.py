"""Names that a caller chooses from, and what is said of any other."""

from collections.abc import Mapping
from typing import TypeVar

from razzstats.errors import RazzstatsError

T = TypeVar("T")


def chosen(name: str, choices: Mapping[str, T], what: str) -> T:
    """Return the choice of this name; raises RazzstatsError, with all names, for another one."""
    if name not in choices:
        raise RazzstatsError(f"{name!r} is no {what}; choose from {', '.join(choices)}")
    return choices[name]
