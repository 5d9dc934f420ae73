"""What a lake holds: a log of numbered entries, each of which is written once and by one writer.

A data file is in the lake when an entry names it. Who adds something reads the log, decides, and
writes the entry behind the last one; if another was quicker, it reads and decides again.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self, TypeVar

from razzstats.errors import DamagedDatabase, DatabaseError, NoDatabase
from razzstats.storage.database import FileRow
from razzstats.storage.lake.files import ASIDE, MARK, LakeFiles
from razzstats.storage.migrations import MIGRATIONS

_T = TypeVar("_T")

FORMAT = 1
"""Of the log and of where data files are; raised when an older program could not read it."""

UNKNOWN_MONTH = "unknown"

_PLAIN = re.compile(r"[\w~-]+", re.ASCII)

_LOG = "_log"
_STATE_EVERY = 50  # entries; so many are read at most beside one state


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of all tables that were written together: of some hands, or of none.

    Hands are apart by room and month; what was found in files and the hands that were rejected
    belong to none of these.
    """

    name: str
    site: str | None
    month: str | None
    rows: Mapping[str, int]
    """How many rows there are by table; no file where there are none."""
    first_hid: int = 0
    last_hid: int = 0

    def path(self, table: str) -> str:
        """Return the name of the piece's file of a table."""
        if self.site is None:
            return f"tables/{table}/{self.name}.parquet"
        return f"tables/{table}/site={self.site}/month={self.month}/{self.name}.parquet"

    @property
    def hands(self) -> int:
        """Return how many hands it has."""
        return self.rows.get("hands", 0)

    @property
    def key(self) -> str:
        """Return what no other piece in the lake has."""
        return f"{self.site}/{self.month}/{self.name}"

    def to_json(self) -> dict[str, Any]:
        """Return the piece as JSON has it."""
        return {
            "name": self.name, "site": self.site, "month": self.month, "rows": dict(self.rows),
            "hids": [self.first_hid, self.last_hid],
        }  # fmt: skip

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the piece of which `to_json` tells.

        Raises ValueError for one whose files would be anywhere but in the lake's own folders: of
        whoever wrote the log nobody knows.
        """
        piece = cls(data["name"], data["site"], data["month"], data["rows"], *data["hids"])
        parts = [piece.name, *piece.rows]
        parts += [] if piece.site is None else [piece.site, str(piece.month)]
        if not all(map(_PLAIN.fullmatch, parts)):
            raise ValueError(f"no name of a piece: {parts}")
        return piece


@dataclass(slots=True)
class State:
    """All that is in a lake after some entry of its log."""

    number: int = 0
    """The entry's; 0 before the first one."""
    pieces: dict[str, Piece] = field(default_factory=dict)
    """By their keys."""
    files: dict[int, FileRow] = field(default_factory=dict)
    """What became of files, by ``file_id``."""

    def pieces_of(self, table: str) -> list[Piece]:
        """Return the pieces that have rows of a table, in a fixed order."""
        return [piece for _, piece in sorted(self.pieces.items()) if table in piece.rows]

    def paths(self, files: LakeFiles, table: str) -> list[str]:
        """Return the files of a table as DuckDB and others read them."""
        return [files.path(piece.path(table)) for piece in self.pieces_of(table)]

    def apply(self, entry: "Entry") -> None:
        """Go on to the entry behind this state."""
        for key in entry.removed:
            self.pieces.pop(key, None)
        self.pieces |= {piece.key: piece for piece in entry.added}
        self.files |= entry.files
        self.number += 1


@dataclass(slots=True)
class Entry:
    """What one step adds to a lake and takes from it."""

    added: list[Piece] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    """Keys of pieces."""
    files: dict[int, FileRow] = field(default_factory=dict)
    """In the place of what was known of them."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return not (self.added or self.removed or self.files)


class Manifest:
    """The log of one lake."""

    def __init__(self, files: LakeFiles) -> None:
        """Read and write the log among these files; raises DatabaseError if it is no lake."""
        self.files = files
        self._state = State()
        _check_mark(files)

    @classmethod
    def make(cls, files: LakeFiles) -> Self:
        """Return the log of a lake that is made where there is none."""
        if files.read(MARK) is None:
            others = [name for name in files.names("") if not name.startswith(f"{ASIDE}/")]
            if others and files.read(MARK) is None:  # nobody else has made it meanwhile
                raise DatabaseError(
                    f"{files.place} is not empty and no lake; name a folder that is empty, or new"
                )
            mark = {"format": FORMAT, "schema": MIGRATIONS[-1].version}
            files.create(MARK, json.dumps(mark).encode())
        return cls(files)

    def state(self) -> State:
        """Return what is in the lake now. It is the manifest's own: nobody else changes it."""
        numbers: set[int] = set()
        states: set[int] = set()
        for _, number, is_state in self._parts():
            (states if is_state else numbers).add(number)
        if states and max(states) > self._state.number:
            self._state = self._read(f"{max(states):08}.state.json", _state_of)
        last = max(numbers, default=0)
        for number in range(self._state.number + 1, last + 1):
            self._state.apply(self._read(f"{number:08}.json", _entry_of))
        return self._state

    def commit(self, decide: Callable[[State], Entry]) -> Entry:
        """Write what ``decide`` makes of the state of the lake; return it.

        It is asked again where another writer was quicker; an entry that is empty is not written.
        """
        while True:
            state = self.state()
            entry = decide(state)
            if entry.is_empty:
                return entry
            number = state.number + 1
            if self.files.create(f"{_LOG}/{number:08}.json", _dumped(_entry_json(entry))):
                state.apply(entry)
                if number % _STATE_EVERY == 0:
                    self.write_state()
                return entry

    def write_state(self) -> None:
        """Write down the whole state, so that nobody has to read all entries before it."""
        state = self.state()
        content = _dumped(
            {
                "number": state.number,
                "pieces": [piece.to_json() for piece in state.pieces.values()],
                "files": _files_json(state.files),
            }
        )
        self.files.write(f"{_LOG}/{state.number:08}.state.json", content)

    def keep_state(self) -> None:
        """Write down the whole state, unless it was written down after the same entry before."""
        number = self.state().number
        states = {there for _, there, is_state in self._parts() if is_state}
        if number and number not in states:
            self.write_state()

    def state_of(self, seconds: float) -> int | None:
        """Return the entry behind which the newest state was written that is so many seconds old.

        Whoever read the log since has begun with that state or a newer one. None: there is none.
        """
        states = [
            number
            for name, number, is_state in self._parts()
            if is_state and self.files.age(name) >= seconds
        ]
        return max(states, default=None)

    def pieces_since(self, number: int) -> list[Piece]:
        """Return all pieces that were in the lake after an entry with a state, or came later."""
        pieces = [*self._read(f"{number:08}.state.json", _state_of).pieces.values()]
        for later in range(number + 1, self.state().number + 1):
            pieces += self._read(f"{later:08}.json", _entry_of).added
        return pieces

    def outdated(self, number: int) -> list[str]:
        """Return the files of the log that nobody needs who has the state after an entry."""
        return [
            name
            for name, there, is_state in self._parts()
            if there < number or (there == number and not is_state)
        ]

    def _parts(self) -> Iterator[tuple[str, int, bool]]:
        """Yield the files of the log, their entries' numbers, and whether they are states."""
        for name in self.files.names(_LOG):
            stem, _, kind = name.removeprefix(f"{_LOG}/").partition(".")
            if stem.isdigit() and kind in ("json", "state.json"):
                yield name, int(stem), kind == "state.json"

    def _read(self, name: str, made: Callable[[Any], _T]) -> _T:
        content = self.files.read(f"{_LOG}/{name}")
        try:
            return made(json.loads(content or b""))
        except (ValueError, LookupError, TypeError, AttributeError):
            raise DamagedDatabase(
                f"the log of the lake {self.files.place} is damaged: {name} "
                + ("is missing" if content is None else "cannot be read")
            ) from None


def _check_mark(files: LakeFiles) -> None:
    content = files.read(MARK)
    if content is None:
        raise NoDatabase(
            f"there is no lake at {files.place}; `razzstats lake import FOLDER --lake PLACE` "
            "makes one"
        )
    try:
        mark = json.loads(content)
        format, schema = int(mark["format"]), int(mark["schema"])
    except (ValueError, KeyError, TypeError):
        raise DamagedDatabase(f"{files.place} is a lake whose {MARK} cannot be read") from None
    newest = MIGRATIONS[-1].version
    if format > FORMAT or schema > newest:
        raise DatabaseError(
            f"the lake {files.place} was written by a newer razzstats (format {format}, schema "
            f"{schema}; this one knows {FORMAT} and {newest}); upgrade razzstats to use it"
        )
    if schema < newest:
        raise DatabaseError(
            f"the lake {files.place} is from an older razzstats (schema {schema} of {newest}); "
            "import its sources into a new one"
        )


def _dumped(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def _entry_json(entry: Entry) -> dict[str, Any]:
    return {
        "added": [piece.to_json() for piece in entry.added],
        "removed": entry.removed,
        "files": _files_json(entry.files),
    }


def _entry_of(data: Mapping[str, Any]) -> Entry:
    added = [Piece.of_json(piece) for piece in data["added"]]
    return Entry(added, list(data["removed"]), _files_of(data["files"]))


def _state_of(data: Mapping[str, Any]) -> State:
    pieces = map(Piece.of_json, data["pieces"])
    return State(
        int(data["number"]), {piece.key: piece for piece in pieces}, _files_of(data["files"])
    )


def _files_json(files: Mapping[int, FileRow]) -> list[dict[str, Any]]:
    return [
        {"file_id": number, **row._asdict(), "imported_at": row.imported_at.isoformat()}
        for number, row in files.items()
    ]


def _files_of(data: Iterable[Mapping[str, Any]]) -> dict[int, FileRow]:
    found = {}
    for each in data:
        row = dict(each)
        number = int(row.pop("file_id"))
        found[number] = FileRow(**row | {"imported_at": datetime.fromisoformat(row["imported_at"])})
    return found
