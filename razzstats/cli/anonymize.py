"""`razzstats anonymize`: the same hands, in which nobody can be known."""

import os
import zipfile
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli.common import files_in_words, hands_in_words, remark, tell_failure
from razzstats.errors import RazzstatsError

if TYPE_CHECKING:
    from razzstats.anonymizing import Anonymizer, Lines
    from razzstats.pipeline import Outcome


def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A file, a folder (with all below it), a glob, a .zip or .gz archive, or - for "
            "standard input.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="The file to write; where IN may be several, the folder for files named 0001.txt "
            "and so on, in the order of reading.",
            show_default=False,
        ),
    ],
    salt: Annotated[
        str | None,
        typer.Option(
            help="The same salt gives the same names in every run. Keep it to yourself: who knows "
            "it can find out the names. Without it each run has one that nobody knows.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over files that are there.")
    ] = False,
) -> None:
    """Write hands with made-up names and made-up talk of the same shape, to show them to others.

    Each name becomes one of as many letters, the same in all files; who talks, comes or goes
    without a seat is renamed too, and so are clubs, their tables, and events in PHH. Amounts,
    cards, times, the numbers of hands and tournaments and the names that rooms give their tables
    stay: who knows the number of a hand can look it up.

    Each hand is read again and must be the same. Left out and told are hands that are not (those
    that cannot be read, hands of other games) and text that belongs to no hand; then the exit code
    is 1, as it is for a file that cannot be read.
    """
    if salt == "":
        raise typer.BadParameter("an empty salt protects nobody", param_hint="--salt")
    from razzstats.anonymizing import Anonymizer
    from razzstats.sources import find_files

    # All files are found before the first is written.
    found = list(find_files([source]))
    targets = _Targets(out, source, [file for file in found if isinstance(file, str)], force)
    job = _Job(Anonymizer(salt), targets)
    for file in found:
        if isinstance(file, str):
            job.read(file)
        else:
            job.failed = True
            tell_failure(file)
    if not found:
        job.failed = True
        remark(f"{source}: there are no hand histories in this folder")
    print(job.summary())
    if job.failed or job.left_out or job.stray:
        raise typer.Exit(1)


class _Targets:
    """The files that are written: one, or numbered ones in a folder."""

    def __init__(self, out: Path, source: str, sources: Iterable[str], force: bool) -> None:
        """Raise RazzstatsError for a place where nothing may be written."""
        self.out, self.force = out, force
        self.written = 0
        is_one = source == "-" or (Path(source).is_file() and not zipfile.is_zipfile(source))
        self.in_folder = out.is_dir() or not is_one
        read = [Path(each).resolve() for each in sources if each != "-"]
        if out.resolve() in [*read, *(folder for each in read for folder in each.parents)]:
            raise RazzstatsError(f"{out} holds what is read; write to another place")
        if self.in_folder and out.exists() and not out.is_dir():
            raise RazzstatsError(f"{out} is a file; {source} may be several, which need a folder")
        self._look(*sorted(out.glob("[0-9][0-9][0-9][0-9]*")) if self.in_folder else [out])

    def name(self, source: str) -> str:
        """Return the name of the new file for an old one, as far as it tells of the hands."""
        from razzstats.anonymizing import mix_in_name, suffix_of

        if not self.in_folder:
            return self.out.name
        return f"{self.written + 1:04}{mix_in_name(source)}{suffix_of(source)}"

    def path(self, name: str) -> Path:
        """Return where to write the next file; its folder is there."""
        self.written += 1
        if not self.in_folder:
            return self.out
        self.out.mkdir(parents=True, exist_ok=True)
        self._look(self.out / name)
        return self.out / name

    def _look(self, *targets: Path) -> None:
        taken = next((target for target in targets if target.exists()), None)
        if taken is not None and not self.force:
            raise RazzstatsError(f"{taken} is there already; --force writes over it")


class _Job:
    """Writes one file after the other, and counts."""

    def __init__(self, anonymizer: "Anonymizer", targets: _Targets) -> None:
        self.anonymizer, self.targets = anonymizer, targets
        self.files = self.hands = self.left_out = self.stray = 0
        self.failed = False

    def read(self, file: str) -> None:
        """Write the hands of a file, or of each file of an archive."""
        from razzstats.pipeline import read_file

        for source, outcomes in groupby(read_file(file), lambda outcome: outcome.file):
            self.files += 1
            name = self.targets.name(source)
            hands = self._new_hands(outcomes, name)
            first = next(hands, None)
            if first is not None:
                try:
                    self._write(self.targets.path(name), chain([first], hands))
                except OSError as error:
                    place = error.filename or self.targets.out
                    why = f"{place} cannot be written: {error.strerror}"
                    raise RazzstatsError(why) from None

    def summary(self) -> str:
        """Return what was done, in one line."""
        told = (
            f"{files_in_words(self.files)}, {hands_in_words(self.hands)} written, "
            f"{hands_in_words(self.left_out)} left out"
        )
        if self.stray:
            pieces = "1 piece" if self.stray == 1 else f"{self.stray} pieces"
            told += f", {pieces} of other text left out"
        return told

    def _new_hands(self, outcomes: "Iterable[Outcome]", name: str) -> "Iterator[Lines]":
        """Yield what replaces the hands of a file; count and tell what is left out.

        It is told where that stands, but nothing of its text.
        """
        from razzstats.anonymizing import LeftOut
        from razzstats.pipeline import Status

        for outcome in outcomes:
            if outcome.status is Status.FAILED_FILE:
                self.failed = True
                tell_failure(outcome.diagnostics[0])
                continue
            lines = self.anonymizer.hand(outcome, name)
            if not isinstance(lines, LeftOut):
                yield lines
                continue
            is_hand = outcome.hand_id is not None
            self.left_out += is_hand
            self.stray += not is_hand
            line = outcome.text.first_line if outcome.text else 1
            remark(f"{outcome.file}:{line}: left out: {lines.reason}")

    def _write(self, target: Path, hands: "Iterable[Lines]") -> None:
        """Write hands to a file, which is there whole or not at all, and read it once more."""
        beside = target.with_name(f".{target.name}.new")
        written: list[int] = []  # what tells each hand from others, not all their lines
        try:
            with open(beside, "w", encoding="utf-8", newline="\n") as file:
                for lines in hands:
                    lines = _headed(lines, len(written) + 1, target)
                    written.append(hash(lines))
                    file.write("\n".join(lines) + "\n\n\n")
            if not _holds(beside, written):
                raise RazzstatsError(f"{target}: what was written is not read as the same hands")
            os.replace(beside, target)
        finally:
            beside.unlink(missing_ok=True)
        self.hands += len(written)


def _headed(lines: "Lines", number: int, target: Path) -> "Lines":
    """Return a hand as its file wants it: one of PHH with others has a heading of its own."""
    is_phh = lines[0].startswith("variant")
    alone = target.suffix == ".phh" and number == 1
    return (f"[{number}]", *lines) if is_phh and not alone else lines


def _holds(file: Path, hands: list[int]) -> bool:
    """Whether a file is cut into just these hands, which are told by the hashes of their lines."""
    from razzstats.locations import HandText
    from razzstats.parsing import CUTTING
    from razzstats.sources import read_hands

    found = read_hands(str(file), CUTTING)
    return [hash(each.lines) for each in found if isinstance(each, HandText)] == hands
