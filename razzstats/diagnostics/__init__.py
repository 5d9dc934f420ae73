"""Diagnostics: what is wrong with a file or a hand, as values that name the place."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from razzstats.locations import HandId, Span

T = TypeVar("T")


class Severity(StrEnum):
    """How bad it is: an error rejects the hand, a warning flags it, a note informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of diagnostic: the id is for filters and searching, the name for people."""

    id: str
    name: str
    severity: Severity
    summary: str
    explanation: str


class Label(NamedTuple):
    """Evidence for a diagnostic: another place, and what it shows."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding: what was found and what was expected, where, and what proves it."""

    code: Code
    message: str
    span: Span | None = None
    hand_id: HandId | None = None
    labels: tuple[Label, ...] = ()
    help: str | None = None

    @property
    def severity(self) -> Severity:
        """The severity of the diagnostic's code."""
        return self.code.severity

    @property
    def is_error(self) -> bool:
        """Whether the hand or file is rejected for it."""
        return self.code.severity is Severity.ERROR


class Result(NamedTuple, Generic[T]):
    """A value, None where there is none, and everything that was found on the way to it."""

    value: T | None
    diagnostics: tuple[Diagnostic, ...] = ()


def sort_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics by file, line, column and code."""
    nowhere = Span("", 0, 0, 0, 0)
    return sorted(diagnostics, key=lambda found: (found.span or nowhere, found.code.id))
