"""What is done in a lake so that it stays quick: few large files, and none that nobody uses."""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from razzstats.storage.database import Database
from razzstats.storage.lake.files import ASIDE, UNITS, LakeFiles, failures_told
from razzstats.storage.lake.manifest import Manifest, Piece
from razzstats.storage.opening import SETTINGS, connect_memory

_SORTING_MEMORY = "1 GB"
"""For rows that are put in order; what is more waits in files."""

_TABLES = "tables"


@contextmanager
def sorting_bench(files: LakeFiles) -> Iterator[tuple[Database, Path]]:
    """Open a database in memory that puts more rows in order than fit into memory.

    It reads the files of a lake and writes in the folder that is given, too.
    """
    with files.scratch() as folder:
        settings = SETTINGS | {
            "memory_limit": _SORTING_MEMORY,
            "temp_directory": str(folder / "waiting"),
        }
        folders = (files.path(_TABLES), str(folder))
        with Database(connect_memory(folders, files.filesystem, settings), files.place) as bench:
            bench.is_lake = True  # whose files are to blame for what it raises
            yield bench, folder


def remove_unused(manifest: Manifest, seconds: float) -> int:
    """Remove the files that nobody has used for so many seconds; return how many there were.

    Used is what the log named at any time since, and what came since: readers may have opened the
    lake before something was taken out of it, and writers note in the log what they wrote before.
    """
    number = manifest.state_of(seconds)
    if number is None:  # nobody knows what was used
        return 0
    files = manifest.files
    used = {piece.path(table) for piece in manifest.pieces_since(number) for table in piece.rows}
    notes = files.names(UNITS)
    for note in notes:
        used |= _noted(files.read(note))
    # A note goes first. What it names goes the next time: an import may have read it just now.
    unused = [
        *notes,
        *manifest.outdated(number),
        *(name for name in files.names(_TABLES) if name not in used),
    ]
    removed = 0
    for name in unused:
        if files.age(name) >= seconds:
            files.remove(name)
            removed += 1
    return removed + _remove_aside(files, seconds)


def _noted(content: bytes | None) -> set[str]:
    """Return the data files that an import's note names."""
    try:
        pieces = [Piece.of_json(piece) for piece in json.loads(content or b"")["pieces"]]
        return {piece.path(table) for piece in pieces for table in piece.rows}
    except (ValueError, LookupError, TypeError, AttributeError):  # imports do not heed it either
        return set()


def _remove_aside(files: LakeFiles, seconds: float) -> int:
    """Remove the folders in which somebody who is gone was about to write."""
    if files.filesystem is not None:
        return 0
    removed = 0
    with failures_told(files.place):
        for folder in Path(files.path(ASIDE)).glob("*"):
            inside = [*folder.rglob("*")]
            if all(time.time() - _changed(path) >= seconds for path in (folder, *inside)):
                shutil.rmtree(folder, ignore_errors=True)
                removed += 1
    return removed


def _changed(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except FileNotFoundError:  # its writer is there
        return time.time()
