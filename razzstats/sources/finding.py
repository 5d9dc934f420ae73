"""Files that are named, or that stand in folders which are."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from razzstats.diagnostics import Diagnostic
from razzstats.sources.failures import broken, unreadable, why_no_file

HISTORY_SUFFIXES = frozenset((".txt", ".log", ".xml", ".phh", ".phhs", ".zip", ".gz"))
"""What is looked at in a folder; a file that is named itself may be called anything."""

STANDARD_INPUT = "-"


def find_files(paths: Iterable[str]) -> Iterator[str | Diagnostic]:
    """Yield the files that the paths name (files, folders with all below them, globs, ``-``).

    A path that names nothing, or no file, gives the diagnostic ``unreadable-file``, and so does
    what cannot be looked at below a folder. Folders and globs are read in sorted order; in folders
    only HISTORY_SUFFIXES count, links to folders are not followed, and no file comes a second time
    by a link.
    """
    for text in paths:
        try:
            found = list(_named_by(text))
        except OSError as error:  # a name longer than the system allows, a folder without access
            yield unreadable(text, error.strerror or type(error).__name__)
            continue
        if found:
            yield from found
        elif not (text and Path(text).is_dir()):
            yield unreadable(text, "there is no such file or folder")


def _named_by(text: str) -> Iterator[str | Diagnostic]:
    path = Path(text)
    if text == STANDARD_INPUT or path.is_file():
        yield text
    elif text and path.is_dir():
        yield from _histories_below(path)
    elif reason := why_no_file(text):
        yield unreadable(text, reason)
    elif any(character in text for character in "*?["):
        yield from _glob(text)


def _histories_below(folder: Path) -> list[str | Diagnostic]:
    failed: list[OSError] = []
    found: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=failed.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(place, name) for name in files if _is_history(name)]
    told: list[tuple[Path, Diagnostic | None]] = [
        (Path(error.filename), broken(str(error.filename), error)) for error in failed
    ]
    for path in _without_second_names(found):
        reason = why_no_file(str(path))
        told.append((path, unreadable(str(path), reason) if reason else None))
    return [found or str(path) for path, found in sorted(told, key=lambda each: each[0])]


def _is_history(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in HISTORY_SUFFIXES


def _without_second_names(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths without the links to files that come by another of them."""
    links = []
    seen: set[str] = set()
    for path in paths:
        if path.is_symlink():
            links.append(path)
        else:
            seen.add(os.path.realpath(path))
            yield path
    for path in sorted(links):
        if (target := os.path.realpath(path)) not in seen:
            seen.add(target)
            yield path


def _glob(pattern: str) -> list[str]:
    path = Path(pattern)
    anchor = Path(path.anchor) if path.anchor else Path()
    relative = path.relative_to(path.anchor) if path.anchor else path
    try:
        return sorted(str(found) for found in anchor.glob(str(relative)) if found.is_file())
    except (ValueError, NotImplementedError):
        return []
