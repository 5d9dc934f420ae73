"""A lake in an object store: S3 and its like, through fsspec."""

import contextlib
import datetime
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec

from razzstats.errors import DatabaseError, RazzstatsError
from razzstats.storage.lake.files import LakeFiles, reason_of


def store_at(url: str) -> LakeFiles:
    """Return the files of a lake at an address; raises RazzstatsError if that cannot be opened."""
    try:
        # Others write there, too: what was listed before says nothing.
        system, root = fsspec.core.url_to_fs(url, use_listings_cache=False, **_options(url))
    except (ImportError, ValueError, TypeError, OSError) as error:
        raise RazzstatsError(f"{url} cannot be opened: {reason_of(error)}") from None
    if not root.strip("/"):
        raise RazzstatsError(f"{url} is no place for a lake; name one like s3://bucket/name")
    return _Store(url.rstrip("/"), system, root.rstrip("/"))


def _options(url: str) -> dict[str, str]:
    # DuckDB asks for what it needs, and puts it together. Where more is read ahead, the reading
    # of one column takes the whole file, several times.
    return {"default_cache_type": "none"} if url.startswith(("s3:", "s3a:")) else {}


class _Store:
    """A lake in an object store, where a file is there when all of it is."""

    def __init__(self, url: str, system: Any, root: str) -> None:
        self.place = url
        self.filesystem = _Remembering(system, f"{root}/tables/")
        self._system = system
        self._root = root
        self._address = system.unstrip_protocol(root)  # by the name that DuckDB has for it, too
        self._refuses = False  # to put a file where one is; not known yet

    def path(self, name: str) -> str:
        return f"{self._address}/{name}"

    def read(self, name: str) -> bytes | None:
        with _answers_told(self.place):
            try:
                return bytes(self._system.cat_file(f"{self._root}/{name}"))
            except FileNotFoundError as error:
                if _code(error) == "NoSuchBucket":  # which no import would make
                    raise
                return None

    def write(self, name: str, content: bytes) -> None:
        with _answers_told(self.place):
            self._system.pipe_file(f"{self._root}/{name}", content)

    def create(self, name: str, content: bytes) -> bool:
        if not self._put_new(name, content):
            # What is tried again after an answer was lost meets what it had put there itself.
            return self.read(name) == content
        if not self._refuses and self._put_new(name, content):
            raise DatabaseError(
                f"the lake {self.place} is in a store that puts files in the place of others when "
                "told not to: of two imports at once, one would undo the other"
            )
        self._refuses = True
        return True

    def _put_new(self, name: str, content: bytes) -> bool:
        with _answers_told(self.place):
            try:
                self._system.pipe_file(f"{self._root}/{name}", content, mode="create")
            except FileExistsError:
                return False
            except OSError as error:
                if _code(error) in _THERE_IS_ONE:
                    return False
                raise
            return True

    def put(self, file: Path, name: str) -> None:
        with _answers_told(self.place):
            self._system.put_file(str(file), f"{self._root}/{name}")

    def names(self, folder: str) -> list[str]:
        with _answers_told(self.place):
            try:
                found = self._system.find(f"{self._root}/{folder}".rstrip("/"))
            except FileNotFoundError:
                return []
        return sorted(name.removeprefix(self._root).lstrip("/") for name in found)

    def age(self, name: str) -> float:
        with _answers_told(self.place):
            try:
                modified = self._system.modified(f"{self._root}/{name}")
            except FileNotFoundError:
                return 0.0
        return float((datetime.datetime.now(datetime.UTC) - modified).total_seconds())

    def remove(self, name: str) -> None:
        with _answers_told(self.place), contextlib.suppress(FileNotFoundError):
            self._system.rm_file(f"{self._root}/{name}")

    @contextlib.contextmanager
    def scratch(self) -> Iterator[Path]:
        try:
            temporary = tempfile.TemporaryDirectory()
        except OSError as error:
            raise DatabaseError(f"temporary files cannot be written: {reason_of(error)}") from None
        with temporary as folder:
            yield Path(folder)


@contextlib.contextmanager
def _answers_told(place: str) -> Iterator[None]:
    """Turn what a store's package raises into a DatabaseError; each has errors of its own."""
    try:
        yield
    except Exception as error:
        raise DatabaseError(f"the lake {place} cannot be used: {reason_of(error)}") from None


def _code(error: OSError) -> str | None:
    """Return the word by which S3 says what an error is; None for other stores."""
    answer = getattr(error.__cause__, "response", None) or {}
    code = answer.get("Error", {}).get("Code")
    return code if isinstance(code, str) else None


_THERE_IS_ONE = ("PreconditionFailed", "412", "ConditionalRequestConflict", "409")
"""What S3 says when a file is there, or when another is being put there."""


class _Remembering(fsspec.AbstractFileSystem):  # type: ignore[misc]
    """What DuckDB reads data files through: it asks for their sizes again and again.

    A data file never changes, so that what was said of it is true as long as it is there.
    """

    cachable = False

    def __init__(self, system: Any, tables: str) -> None:
        super().__init__()
        self.protocol = system.protocol
        self._system = system
        self._tables = tables
        self._listed: set[str] = set()
        """The folders of tables whose files are remembered."""
        self._known: dict[str, dict[str, Any]] = {}
        """What the store says of files."""

    def unstrip_protocol(self, name: str) -> str:
        """Return the whole address of a file."""
        return str(self._system.unstrip_protocol(name))

    def glob(self, path: str, **options: Any) -> list[str]:
        """Return the file of this name, if it is there; patterns have no meaning here."""
        try:
            self.info(path)
        except FileNotFoundError:
            return []
        return [self._system._strip_protocol(path)]

    def info(self, path: str, **options: Any) -> dict[str, Any]:
        """Return what the store says of a file."""
        name = self._system._strip_protocol(path)
        if name not in self._known:
            self._list_table(name)
        if name not in self._known:
            self._known[name] = self._system.info(name)
        return self._known[name]

    def size(self, path: str) -> int:
        """Return how many bytes a file has."""
        return int(self.info(path)["size"])

    def modified(self, path: str) -> datetime.datetime:
        """Return when a file was written."""
        info = self.info(path)
        if "LastModified" not in info:
            info["LastModified"] = self._system.modified(path)
        moment: datetime.datetime = info["LastModified"]
        return moment

    def open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        """Open a file for reading."""
        if mode != "rb":
            raise PermissionError("data files are not written through DuckDB")
        if "s3" not in self.protocol:
            return self._system.open(path, mode)
        file = self._system.open(path, mode, size=self.size(path))
        file.details = self.info(path)  # else it asks before it fetches anything
        return file

    def _list_table(self, name: str) -> None:
        """Remember all files of the table that a file is of: a thousand are told at a time."""
        table = name.removeprefix(self._tables).partition("/")[0]
        if name.startswith(self._tables) and table not in self._listed:
            self._listed.add(table)
            with contextlib.suppress(FileNotFoundError):
                found = self._system.find(f"{self._tables}{table}", detail=True)
                self._known |= found
