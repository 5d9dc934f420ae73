"""What `razzstats import` reads if it is not told what: the user's folders, or those of rooms."""

import sys
from itertools import islice
from typing import TYPE_CHECKING

import typer

from razzstats.cli.common import files_in_words, remark
from razzstats.errors import RazzstatsError
from razzstats.known_sites import SITE_TITLES
from razzstats.room_folders import RoomFolder, find_room_folders, this_machine

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOOKED_INTO = 20  # files; a folder of summaries or notes alone is no folder of hands
_LOOKED_AT = 5  # pieces of a file


def paths_to_import() -> list[str]:
    """Return what to read where no PATH was given.

    The folders of the settings; without these, what the user agrees to of the rooms' folders that
    are found. Raises typer.Exit if he does not, or cannot be asked; RazzstatsError if none is
    found.
    """
    from razzstats.settings import load_settings

    folders: list[str] = load_settings()["folders"].value
    if folders:
        return folders
    found = [room for room in find_room_folders(this_machine()) if _holds_hands(room.files)]
    if not found:
        raise RazzstatsError(
            "name what to import: `razzstats import FOLDER`. No hand histories were found where "
            "the rooms' clients usually write them; the client's settings say where it does"
        )
    _list(found)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        remark(f"This imports them: razzstats import {' '.join(_quoted(each) for each in found)}")
        raise typer.Exit(RazzstatsError.exit_code)
    return _agreed(found)


def _holds_hands(files: "Sequence[str]") -> bool:
    from razzstats.pipeline import Status, read_file

    return any(
        outcome.status is not Status.FAILED_FILE
        for file in files[-_LOOKED_INTO:]  # by name, which begins with the date or ends with it
        for outcome in islice(read_file(file), _LOOKED_AT)
    )


def _list(found: "Sequence[RoomFolder]") -> None:
    remark("Hand histories were found here:")
    for room in found:
        title = SITE_TITLES[room.site]
        remark(f"  {title}: {room.folder} ({files_in_words(len(room.files))})")


def _quoted(room: RoomFolder) -> str:
    folder = str(room.folder)
    if sys.platform == "win32":
        return f'"{folder}"'
    import shlex

    return shlex.quote(folder)


def _agreed(found: "Sequence[RoomFolder]") -> list[str]:
    """Ask whether to import the folders and whether to remember them; return them."""
    from razzstats.settings import SETTINGS, SettingsError, write_value

    if not _yes("Import them?"):
        remark("Nothing was imported; `razzstats import FOLDER` reads what you name.")
        raise typer.Exit
    folders = [str(room.folder) for room in found]
    if _yes("Remember them, so that `razzstats import` reads them from now on?"):
        try:
            remark(f"They are in {write_value(SETTINGS['folders'], folders)}.")
        except SettingsError as error:
            remark(f"They cannot be remembered: {error}")
    return folders


def _yes(question: str) -> bool:
    """Ask on standard error, since standard output is for data; no answer at all is a no."""
    while True:
        print(f"{question} [Y/n]: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            remark("")
            return False
        answer = line.strip().lower()
        if answer in ("", "y", "yes", "n", "no"):
            return not answer.startswith("n")
