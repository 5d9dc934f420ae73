"""The files of a lake, in a folder or an object store: whole or not there, never half-written."""

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from razzstats.errors import DatabaseError, RazzstatsError

MARK = "lake.json"
"""The file that tells a lake from any other folder."""

UNITS = "_units"
"""Where imports note what became of what they read."""

ASIDE = "_aside"
"""Where files are written before they are moved into place, in a folder."""

_URL = re.compile(r"([a-z][a-z0-9+.-]+):/{1,2}(.+)", re.IGNORECASE)


def url_of(place: str | os.PathLike[str]) -> str | None:
    """Return the address of a place in an object store, or None for one in the file system.

    A Path makes one slash of two; so that every command may hold its place in one, both are read.
    """
    found = _URL.fullmatch(os.fspath(place))
    return f"{found[1].lower()}://{found[2]}" if found else None


def is_lake(place: str | os.PathLike[str]) -> bool:
    """Return whether a place can only be a lake: an address, or a folder marked as one."""
    if url_of(place) is not None:
        return True
    try:
        return Path(place, MARK).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


class LakeFiles(Protocol):
    """The files of one lake; names are relative and have slashes."""

    place: str

    @property
    def filesystem(self) -> Any:
        """What DuckDB must be given to read the files (of fsspec), or None."""

    def path(self, name: str) -> str:
        """Return the name by which DuckDB and others read a file."""

    def read(self, name: str) -> bytes | None:
        """Return what is in a file, or None if it is not there."""

    def write(self, name: str, content: bytes) -> None:
        """Put a file into its place; who reads it meanwhile has the old one or the new one."""

    def create(self, name: str, content: bytes) -> bool:
        """Put a file into a place where none is; return False if there is another one."""

    def put(self, file: Path, name: str) -> None:
        """Move a file of this machine into its place."""

    def names(self, folder: str) -> list[str]:
        """Return the names of all files in a folder and below it, sorted."""

    def age(self, name: str) -> float:
        """Return for how many seconds a file has been there; 0 if it is gone."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def scratch(self) -> contextlib.AbstractContextManager[Path]:
        """Return a folder of this machine that is there for a while, to write files in."""


def files_at(place: str | os.PathLike[str]) -> LakeFiles:
    """Return the files of the lake at a place, which may not be there yet.

    Object stores are reached with the keys that their own programs use: for S3, those in
    AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in the files of ``aws configure``, and another
    store of that kind under AWS_ENDPOINT_URL. Raises RazzstatsError for an address that no
    installed package can open.
    """
    url = url_of(place)
    files = _Folder(Path(place)) if url is None else _in_store(url)
    if set(_OF_PATTERNS) & set(files.place):
        raise RazzstatsError(
            f"{files.place} is no place for a lake: names with {', '.join(_OF_PATTERNS)} would be "
            "read as patterns"
        )
    return files


_OF_PATTERNS = "*?["


def _in_store(url: str) -> LakeFiles:
    if url.startswith(("file:", "local:")):
        raise RazzstatsError(f"{url} is no object store; name a folder by its path alone")
    try:
        from razzstats.storage.lake.stores import store_at
    except ImportError:
        raise RazzstatsError(
            f"{url} needs packages that are not installed: pip install 'razzstats[cluster]'"
        ) from None
    return store_at(url)


@contextlib.contextmanager
def failures_told(place: str) -> Iterator[None]:
    """Turn what the file system says into a DatabaseError."""
    try:
        yield
    except OSError as error:
        raise DatabaseError(f"the lake {place} cannot be used: {reason_of(error)}") from None


def reason_of(error: Exception) -> str:
    """Return what an error says, in one line that is not too long."""
    said = error.strerror if isinstance(error, OSError) else None
    words = " ".join((said or str(error) or type(error).__name__).split())
    return words if len(words) <= _LONGEST_REASON else f"{words[:_LONGEST_REASON]}..."


_LONGEST_REASON = 300  # characters


class _Folder:
    """A lake in a folder; on a shared one, what `os.replace` and `os.link` do must be one step."""

    filesystem = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self.place = str(self._folder)

    def path(self, name: str) -> str:
        return str(self._folder / name)

    def read(self, name: str) -> bytes | None:
        with failures_told(self.place):
            try:
                return (self._folder / name).read_bytes()
            except FileNotFoundError:
                return None

    def write(self, name: str, content: bytes) -> None:
        with failures_told(self.place), self._written(content) as file:
            self._move(file, name)

    def create(self, name: str, content: bytes) -> bool:
        target = self._folder / name
        with failures_told(self.place), self._written(content) as file:
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(file, target)
            except FileExistsError:
                return False
            return True

    def put(self, file: Path, name: str) -> None:
        with failures_told(self.place):
            self._move(file, name)

    def names(self, folder: str) -> list[str]:
        def fail(error: OSError) -> None:
            # A folder that another has removed meanwhile has no files; one that cannot be read may.
            if not isinstance(error, FileNotFoundError):
                raise error

        with failures_told(self.place):
            walked = os.walk(self._folder / folder, onerror=fail)
            found = [Path(place, name) for place, _, names in walked for name in names]
        return sorted(path.relative_to(self._folder).as_posix() for path in found)

    def age(self, name: str) -> float:
        import time

        with failures_told(self.place):
            try:
                return time.time() - (self._folder / name).stat().st_mtime
            except FileNotFoundError:
                return 0.0

    def remove(self, name: str) -> None:
        with failures_told(self.place):
            (self._folder / name).unlink(missing_ok=True)

    @contextlib.contextmanager
    def scratch(self) -> Iterator[Path]:
        # In the lake itself: what is moved into place must come from the same file system.
        folder = self._folder / ASIDE / secrets.token_hex(8)
        with failures_told(self.place):
            folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextlib.contextmanager
    def _written(self, content: bytes) -> Iterator[Path]:
        with self.scratch() as folder:
            file = folder / "file"
            with open(file, "wb") as stream:
                stream.write(content)
                _to_disk(stream.fileno())
            yield file

    def _move(self, file: Path, name: str) -> None:
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "rb") as stream:
            _to_disk(stream.fileno())
        os.replace(file, target)


def _to_disk(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:  # not every file system has it
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
