"""The pieces of a lake are put together into few large ones, and what nobody uses is removed."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeAlias

from razzstats.errors import RazzstatsError
from razzstats.storage.lake.compaction import remove_unused, sorting_bench
from razzstats.storage.lake.files import LakeFiles
from razzstats.storage.lake.manifest import Entry, Manifest, Piece, State
from razzstats.storage.lake.pieces import file_of_apart, write_together

MOST_HANDS = 500_000
"""Of a piece, unless another number is wanted."""

UNUSED_DAYS = 7.0

_DAY = 86_400  # seconds

_Place: TypeAlias = tuple[str | None, str | None]
"""Room and month; nothing of what belongs to no stored hand."""


@dataclass(frozen=True, slots=True)
class CompactReport:
    """What was done."""

    before: int
    """Pieces that were put together."""
    after: int
    """Pieces that were made of them."""
    pieces: int
    """All that there are now."""
    removed: int
    """Files that nobody used any more."""


def compact(
    files: LakeFiles,
    *,
    site: str | None = None,
    hands: int = MOST_HANDS,
    unused_days: float = UNUSED_DAYS,
) -> CompactReport:
    """Put small pieces of a lake together into ones of up to so many hands, and clean up.

    With ``site`` only those of a room. Others may read and write meanwhile. What nobody used for
    ``unused_days`` is removed. Raises DatabaseError if there is no lake or it cannot be used, and
    RazzstatsError if it has no hand of the room.
    """
    manifest = Manifest(files)
    places = {(piece.site, piece.month) for piece in manifest.state().pieces.values()}
    if site is not None:
        places = {place for place in places if place[0] == site}
        if not places:
            raise RazzstatsError(f"the lake {files.place} has no hands of {site}")
    before = after = 0
    for place in sorted(places, key=repr):
        entry = manifest.commit(_Together(files, place, hands).decide)
        before += len(entry.removed)
        after += len(entry.added)
    manifest.keep_state()
    removed = remove_unused(manifest, unused_days * _DAY)
    return CompactReport(before, after, len(manifest.state().pieces), removed)


class _Together:
    """The small pieces of one place become large ones."""

    def __init__(self, files: LakeFiles, place: _Place, hands: int) -> None:
        self._files = files
        self._place = place
        self._hands = hands
        self._taken: list[Piece] = []
        self._made: list[Piece] = []

    def decide(self, state: State) -> Entry:
        """Return what the log has to say; as often as it is asked, of each state anew.

        What was written for an earlier state is good as long as all that it was made of is there.
        """
        if not self._taken or any(state.pieces.get(piece.key) != piece for piece in self._taken):
            groups = self._groups(state)
            self._taken = [piece for group in groups for piece in group]
            self._made = [piece for group in groups for piece in self._write(group)]
        return Entry(self._made, [piece.key for piece in self._taken])

    def _groups(self, state: State) -> list[list[Piece]]:
        """Return the pieces that belong together."""
        small: dict[int | None, list[Piece]] = defaultdict(list)
        for piece in state.pieces.values():
            if (piece.site, piece.month) == self._place and 2 * piece.hands < self._hands:
                # What was kept apart stays with its file.
                small[file_of_apart(piece) if piece.site is None else None].append(piece)
        return [
            sorted(group, key=lambda piece: (piece.first_hid, piece.name))
            for _, group in sorted(small.items(), key=repr)
            if len(group) > 1
        ]

    def _write(self, group: Sequence[Piece]) -> list[Piece]:
        parts = max(1, ceil(sum(piece.hands for piece in group) / self._hands))
        with sorting_bench(self._files) as (bench, folder):
            return write_together(bench, group, parts, self._files, folder)
