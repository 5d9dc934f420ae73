"""What an import writes: hands of several files in one transaction, and which files there were."""

import os
from typing import NamedTuple

from razzstats import batches
from razzstats.diagnostics import Diagnostic
from razzstats.storage import (
    PARSER_VERSION,
    Database,
    FileRow,
    HandColumns,
    RejectedHand,
    storable,
)


class Ledger:
    """The files that were read before, known by their content."""

    def __init__(self, database: Database) -> None:
        """Ask the database once: a folder may hold thousands of files that are all known."""
        self._done: dict[str, FileRow] = {}
        self._at: dict[str, tuple[int, FileRow]] = {}
        self._last_number = 0
        for number, file in database.files():
            self._last_number = max(self._last_number, number)
            self._remember(number, file)

    def known(self, sha256: str | None) -> FileRow | None:
        """Return what came of a file with this content, if this parser has read it."""
        return self._done.get(sha256) if sha256 else None

    def earlier_at(self, place: str) -> FileRow | None:
        """Return what came of the latest reading of the file at a place, if there is any."""
        found = self._at.get(storable(place))
        return found[1] if found else None

    def number(self, place: str | None, *, goes_on: bool) -> int:
        """Return the number of a file that is about to be read.

        Where it ``goes_on`` from what was read at its place before, or is the same, that reading's
        number stays and its row in ``files`` will be replaced: a file that grows is one file.
        """
        if goes_on and place is not None and (earlier := self._at.get(storable(place))):
            return earlier[0]
        self._last_number += 1
        return self._last_number

    def note(self, number: int, file: FileRow) -> None:
        """Remember a file that was read."""
        self._remember(number, file)

    def _remember(self, number: int, file: FileRow) -> None:
        if file.sha256 is not None:
            # Earlier versions noted the path alone, as it was named.
            self._at[storable(file.place or os.path.abspath(file.path))] = number, file
        if file.sha256 and file.status == "done" and file.parser_version == PARSER_VERSION:
            self._done.setdefault(file.sha256, file)


class Part(NamedTuple):
    """What one batch of a file adds to the database."""

    file_id: int
    file: FileRow
    """What has become of the file so far."""
    is_first: bool
    """Whether it is the file's first batch, which takes the place of earlier readings."""
    hands: HandColumns
    """Those that are new."""
    grown: list[int]
    """The stored hands whose place other readings of them take."""
    rejected: list[RejectedHand]
    findings: list[Diagnostic]


class Writer:
    """Writes parts to the database, many small ones in one transaction.

    A transaction costs some twenty milliseconds, which is as long as fifty hands take.
    """

    def __init__(self, database: Database) -> None:
        """Write to the database."""
        self.database = database
        self.waiting: dict[int, str] = {}
        """The hands that are in no table yet, and the hashes of their texts."""
        self._parts: list[Part] = []

    def add(self, part: Part) -> None:
        """Take in a part; it is written by `flush`, or when there is enough for a transaction."""
        self._parts.append(part)
        # What others left behind, or will, must not meet what has not been written.
        enough = max(len(self.waiting), len(self._parts)) >= batches.BATCH
        if part.grown or part.rejected or enough:
            self.flush()

    def flush(self) -> None:
        """Write what was taken in."""
        parts = self._parts
        if not parts:
            return
        hands = HandColumns.joined([part.hands for part in parts])
        grown = [hid for part in parts for hid in part.grown]
        files = {part.file_id: part.file for part in parts}
        with self.database.transaction():
            changed = self.database.forget_findings(
                {part.file_id: part.file for part in parts if part.is_first}
            )
            changed |= self.database.files_of(grown)
            self.database.delete_hands(grown)
            self.database.insert_columns(hands)
            changed |= self.database.forget_rejected(hands)
            for part in parts:
                self.database.insert_rejected(part.file_id, part.rejected)
                self.database.insert_diagnostics(part.file_id, part.findings)
            self.database.insert_files(files)
            self.database.recount_files(changed | files.keys())
            # Before the commit, which Ctrl-C may follow at once: what is in must not come again.
            self._parts = []
            self.waiting.clear()
