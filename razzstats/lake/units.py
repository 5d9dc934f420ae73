"""Some files, or a stretch of one, become pieces of a lake: what one worker does at a time."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from razzstats.chains import Begun, Chains, Ends, Left
from razzstats.chips import Money
from razzstats.diagnostics import Diagnostic
from razzstats.diagnostics.codes import UNREADABLE_FILE, find_code
from razzstats.importing import COUNTS, FileReport, import_outcomes
from razzstats.locations import HandId, Span
from razzstats.measuring import measure_hands
from razzstats.parsing import CUTTING
from razzstats.pipeline import Outcome, read_part
from razzstats.rules.ruleset import RULE_SETS
from razzstats.sources import Stretch, survey
from razzstats.storage import PARSER_VERSION, FileRow
from razzstats.storage.lake.files import UNITS, LakeFiles, files_at
from razzstats.storage.lake.manifest import Piece
from razzstats.storage.lake.pieces import open_bench, write_pieces

UNIT_BYTES = 8 << 20
"""How much a unit has: some five thousand hands, about ten seconds of one worker."""

_MOST_HANDS = 10_000  # of a piece, which is held in memory until it is written
_MOST_CHARACTERS = 32 << 20
_MOST_TOLD = 20  # findings of a file that are told; all are in the lake


class Looked(NamedTuple):
    """What is known of a file before it is read."""

    file: str
    file_id: int
    """The same for all files of this content."""
    sha256: str
    size: int
    """Bytes."""
    changed: int
    """When it was changed last, in nanoseconds."""
    stretches: list[Stretch]


class Unit(NamedTuple):
    """What is read at a time, and all that its result depends on."""

    sources: Sequence[tuple[Looked, Stretch]]
    """Several whole files, or one stretch of one."""
    variant: str

    @property
    def name(self) -> str:
        """Return a name that no other input has: contents, places in them, rules and parser."""
        told = [(looked.sha256, looked.file, stretch) for looked, stretch in self.sources]
        text = repr((PARSER_VERSION, self.variant, told)).encode("utf-8", "backslashreplace")
        return hashlib.blake2b(text, digest_size=16).hexdigest()


@dataclass(slots=True)
class FileResult:
    """What came of one file in a unit."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    failure: Diagnostic | None = None
    findings: list[Diagnostic] = field(default_factory=list)
    """The first ones."""
    left_out: int = 0
    """How many others there are."""
    ends: Ends = field(default_factory=lambda: Ends([], {}, False))

    def add(self, report: FileReport, row: FileRow) -> None:
        """Take in a part of the file, of which ``row`` counts what is where."""
        for name in COUNTS:
            self.counts[name] += getattr(row, name)
        self.failure = self.failure or report.failure
        room = _MOST_TOLD - len(self.findings)
        self.findings += report.diagnostics[:room]
        self.left_out += len(report.diagnostics[room:]) + report.left_out


@dataclass(slots=True)
class UnitResult:
    """What came of a unit; the rows themselves are in the lake's folders."""

    files: dict[int, FileResult] = field(default_factory=dict)
    """By their numbers, but for those that were changed meanwhile."""
    pieces: list[Piece] = field(default_factory=list)


def file_number(sha256: str) -> int:
    """Return the number of a file by the hash of its content: 60 bits of it."""
    return int(sha256[:15], 16)


def unread_number(place: str) -> int:
    """Return the number of a file that nobody could read, by its place."""
    words = f"unread {place}".encode("utf-8", "surrogateescape")
    return file_number(hashlib.sha256(words).hexdigest())


def look_at_files(files: Sequence[str], unit_bytes: int) -> list[Looked | Diagnostic]:
    """Hash files and part them into stretches; a diagnostic for one that cannot be read."""
    return [_look_at(file, unit_bytes) for file in files]


def _look_at(file: str, unit_bytes: int) -> Looked | Diagnostic:
    try:
        changed = os.stat(file).st_mtime_ns
    except OSError:
        changed = 0  # why it cannot be read is told below
    found = survey(file, CUTTING, unit_bytes)
    if isinstance(found, Diagnostic):
        return found
    sha256, size, stretches = found
    return Looked(file, file_number(sha256), sha256, size, changed, stretches)


def read_unit(place: str, unit: Unit) -> UnitResult:
    """Read a unit into the lake at ``place``, or return what came of it before.

    It can be done any number of times, by several workers at once, and can break off anywhere:
    each file is written whole to a place that follows from the unit, and nothing is in the lake
    before its log says so. Raises DatabaseError if the lake cannot be written.
    """
    files = files_at(place)
    if not unit.sources:
        return UnitResult()
    done = f"{UNITS}/{unit.name}.json"
    if (told := files.read(done)) is not None and (result := _result_of(told)):
        return result
    result = _Reading(files, unit).result()
    unchanged = tuple(each for each in unit.sources if not _is_changed(each[0]))
    if len(unchanged) < len(unit.sources):
        return read_unit(place, unit._replace(sources=unchanged))
    files.write(done, _told(result))
    return result


class _Reading:
    """A unit on its way into a lake, piece by piece."""

    def __init__(self, files: LakeFiles, unit: Unit) -> None:
        self._files = files
        self._unit = unit
        self._result = UnitResult()

    def result(self) -> UnitResult:
        """Read all of it."""
        outcomes = chain.from_iterable(
            ((looked, outcome) for outcome in self._outcomes(looked, stretch))
            for looked, stretch in self._unit.sources
        )
        for number, part in enumerate(_parts(outcomes)):
            self._read_piece(f"{self._unit.name}-{number}", part)
        return self._result

    def _outcomes(self, looked: Looked, stretch: Stretch) -> Iterator[Outcome]:
        result = self._result.files[looked.file_id] = FileResult()
        chains = Chains(of_part=True)
        rules = RULE_SETS[self._unit.variant]
        yield from read_part(looked.file, stretch, rules, chains=chains)
        result.ends = chains.ends()

    def _read_piece(self, name: str, outcomes: "Iterator[tuple[Looked, Outcome]]") -> None:
        # The import of one machine does it, into a database that lives as long as the piece.
        with self._files.scratch() as folder, open_bench(self._files, folder) as database:
            database.rows("SET threads = 1")  # the other processors have work of their own
            numbers = {}
            for looked, of_file in _by_file(outcomes):
                report = import_outcomes(database, looked.file, of_file)
                numbers[database.files()[-1][0]] = (looked.file_id, report)
            measure_hands(database)
            for number, row in database.files():
                file_id, report = numbers[number]
                self._result.files[file_id].add(report, row)
            ids = {number: file_id for number, (file_id, _) in numbers.items()}
            self._result.pieces += write_pieces(database, name, ids, self._files, folder)


_Outcomes = Iterator[tuple[Looked, Outcome]]


def _by_file(outcomes: _Outcomes) -> Iterator[tuple[Looked, Iterator[Outcome]]]:
    """Yield the outcomes of each file, which must be used before the next one's."""
    for looked, group in groupby(outcomes, itemgetter(0)):
        yield looked, (outcome for _, outcome in group)


def _parts(outcomes: _Outcomes) -> Iterator[_Outcomes]:
    """Yield the outcomes in parts that fit into memory; each is used before the next."""
    for first in outcomes:
        yield _part(chain([first], outcomes))


def _part(outcomes: _Outcomes) -> _Outcomes:
    characters = 0
    for number, (looked, outcome) in enumerate(outcomes, start=1):
        yield looked, outcome
        characters += outcome.text.size if outcome.text else 0
        if number >= _MOST_HANDS or characters >= _MOST_CHARACTERS:
            return


def _is_changed(looked: Looked) -> bool:
    """Return whether the file is not the one any more that was looked at."""
    try:
        now = os.stat(looked.file)
    except OSError:
        return True
    return (now.st_size, now.st_mtime_ns) != (looked.size, looked.changed)


def changed_meanwhile(file: str) -> Diagnostic:
    """Return what is said of a file that was changed between two looks at it."""
    return Diagnostic(
        code=UNREADABLE_FILE,
        message="the file was changed while it was read; nothing of it was added",
        span=Span(file, 1, 1, 1, 1),
        help="add it again when nobody writes to it",
    )


# ---- results as JSON


def _told(result: UnitResult) -> bytes:
    data = {
        "pieces": [piece.to_json() for piece in result.pieces],
        "files": [_file_json(file_id, file) for file_id, file in result.files.items()],
    }
    return json.dumps(data, separators=(",", ":")).encode()


def _result_of(told: bytes) -> UnitResult | None:
    """Return the result of which a file tells, or None if that is damaged: it is read again."""
    try:
        data = json.loads(told)
        files = {int(each["file_id"]): _file_of(each) for each in data["files"]}
        return UnitResult(files, [Piece.of_json(piece) for piece in data["pieces"]])
    except (ValueError, LookupError, TypeError):
        return None


def _file_json(file_id: int, result: FileResult) -> dict[str, Any]:
    ends = result.ends
    return {
        "file_id": file_id,
        "counts": result.counts,
        "failure": result.failure and _finding_json(result.failure),
        "findings": [*map(_finding_json, result.findings)],
        "left_out": result.left_out,
        "begun": [
            [each.table, each.hand_id, _time_json(each.played_at), each.money, each.stacks]
            for each in ends.begun
        ],
        "left": [
            [table, left.hand_id, _time_json(left.played_at), left.stacks]
            for table, left in ends.left.items()
        ],
        "forgot": ends.forgot,
    }


def _file_of(data: Mapping[str, Any]) -> FileResult:
    return FileResult(
        counts=data["counts"],
        failure=_finding_of(data["failure"]) if data["failure"] else None,
        findings=[*map(_finding_of, data["findings"])],
        left_out=data["left_out"],
        ends=Ends(
            [_begun_of(*each) for each in data["begun"]],
            {tuple(table): _left_of(*each) for table, *each in data["left"]},
            data["forgot"],
        ),
    )


def _begun_of(table: Any, hand_id: Any, time: str | None, money: Any, stacks: Any) -> Begun:
    players = [(name, stack, Span(*span)) for name, stack, span in stacks]
    return Begun(tuple(table), HandId(*hand_id), _time_of(time), Money(*money), players)


def _left_of(hand_id: Any, time: str | None, stacks: dict[str, int]) -> Left:
    return Left(HandId(*hand_id), _time_of(time), stacks)


def _time_json(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _time_of(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _finding_json(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code.id, "message": found.message, "span": found.span,
        "hand_id": found.hand_id, "help": found.help,
    }  # fmt: skip


def _finding_of(data: Mapping[str, Any]) -> Diagnostic:
    code = find_code(data["code"])
    if code is None:
        raise ValueError(data["code"])
    return Diagnostic(
        code=code,
        message=data["message"],
        span=Span(*data["span"]) if data["span"] else None,
        hand_id=HandId(*data["hand_id"]) if data["hand_id"] else None,
        help=data["help"],
    )
