"""Values: what is made once and never changed."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def value(cls: type[_T]) -> type[_T]:
    """Make a class a dataclass of keyword arguments whose instances nobody may change.

    The type checker sees to that. To see to it at run time, too, Python would set each field by a
    call: a hand is some seventy such values, and reading one would take a third longer.
    """
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(cls)
