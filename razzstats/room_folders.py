"""Where the rooms' clients write hand histories on Windows, macOS and Linux, as data.

PHH files are nobody's client's, and no place of OnGame's or KingsClub's histories is known to us.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from razzstats.sources import find_files


class Base(StrEnum):
    """A folder below which programs put what is a user's, whatever the system calls it."""

    LOCAL = "local"
    """Windows: AppData/Local; macOS: Library/Application Support."""
    ROAMING = "roaming"
    """Windows: AppData/Roaming; macOS: Library/Application Support; Linux: .config."""
    PROGRAMS = "programs"
    """Windows: Program Files, where old clients wrote beside themselves."""
    DOCUMENTS = "documents"


class Place(NamedTuple):
    """Where the clients of one room write."""

    site: str
    """The room, by its name in ``known_sites``."""
    base: Base
    pattern: str
    """A glob below the base."""


PLACES: tuple[Place, ...] = (
    # PokerStars' own setting "Save My Hand History" names %LOCALAPPDATA%\PokerStars\HandHistory.
    # Each licence has a client with a folder of its own: PokerStars.EU, .FR, .UK on Windows,
    # PokerStarsEU, PokerStarsFR, PokerStarsIT on macOS (fpdb-3, DetectInstalledSites.py).
    Place("pokerstars", Base.LOCAL, "PokerStars*/HandHistory"),
    # The same file of fpdb-3: some versions wrote to AppData/Roaming or ~/Documents (macOS).
    Place("pokerstars", Base.ROAMING, "PokerStars*/HandHistory"),
    Place("pokerstars", Base.DOCUMENTS, "PokerStars*/HandHistory"),
    # Windows XP and older, and Wine to this day (fpdb, DetectInstalledSites.py of 2011).
    Place("pokerstars", Base.PROGRAMS, "PokerStars*/HandHistory"),
    # Full Tilt wrote beside its program (fpdb, DetectInstalledSites.py of 2011).
    Place("fulltilt", Base.PROGRAMS, "Full Tilt Poker*/HandHistory"),
    # Winamax, since its client is one on all systems: %APPDATA%\winamax\documents\accounts\NAME,
    # ~/Library/Application Support/winamax/..., ~/.config/winamax/... (its users' reports).
    Place("winamax", Base.ROAMING, "[Ww]inamax/documents/accounts/*/history"),
    # fpdb-3 also knows Winamax/accounts below AppData, and so in Wine.
    Place("winamax", Base.ROAMING, "[Ww]inamax/accounts/*/history"),
    Place("winamax", Base.LOCAL, "[Ww]inamax/accounts/*/history"),
    # Winamax's client before that one wrote to Documents/Winamax Poker (its users' reports).
    Place("winamax", Base.DOCUMENTS, "Winamax Poker/accounts/*/history"),
    # The rooms of the Merge network by the names of their clients (fpdb, the same file).
    *(
        Place("merge", Base.PROGRAMS, f"{client}/history")
        for client in (
            "CarbonPoker", "PlayersOnly", "BlackChipPoker", "RPMPoker", "HeroPoker", "PDCPoker",
        )
    ),
)  # fmt: skip
"""All places that are known, the likeliest first."""

# Programs for Windows run in Wine, whose drives are plain folders. By whom: Wine itself,
# PlayOnLinux, Bottles (as Flatpak), Steam's Proton for programs that are no game's, CrossOver.
_DRIVES = (
    ".wine/drive_c",
    ".PlayOnLinux/wineprefix/*/drive_c",
    ".var/app/com.usebottles.bottles/data/bottles/bottles/*/drive_c",
    ".local/share/bottles/bottles/*/drive_c",
    ".local/share/Steam/steamapps/compatdata/*/pfx/drive_c",
    ".cxoffice/*/drive_c",
    "Library/Application Support/CrossOver/Bottles/*/drive_c",
)

# Windows lets a program that may not write into Program Files write here instead, and believe so.
_VIRTUAL_STORE = "AppData/Local/VirtualStore"


class Machine(NamedTuple):
    """Whose folders are looked at."""

    platform: str
    """As ``sys.platform`` says it: win32, darwin, linux."""
    home: Path
    environment: Mapping[str, str]


class RoomFolder(NamedTuple):
    """A folder that is there and holds files that may be hand histories."""

    site: str
    folder: Path
    files: tuple[str, ...]


def this_machine() -> Machine:
    """Return the machine that this runs on."""
    return Machine(sys.platform, Path.home(), os.environ)


def find_room_folders(machine: Machine) -> list[RoomFolder]:
    """Return the folders of rooms that are there and hold files, in the order of PLACES."""
    found: dict[Path, RoomFolder] = {}
    bases = [*_bases(machine)]
    for place in PLACES:
        for base, folder in bases:
            for path in _matches(folder, place.pattern) if base is place.base else ():
                # Wine links its users' documents to one's own: the same folder by two names.
                if path.resolve() not in found and (files := _files(path)):
                    found[path.resolve()] = RoomFolder(place.site, path, files)
    return list(found.values())


def _files(folder: Path) -> tuple[str, ...]:
    return tuple(each for each in find_files([str(folder)]) if isinstance(each, str))


def _matches(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(path for path in folder.glob(pattern) if path.is_dir())
    except OSError:  # a folder that this user may not look into
        return []


def _bases(machine: Machine) -> Iterator[tuple[Base, Path]]:
    home, environment = machine.home, machine.environment
    if machine.platform == "win32":
        yield Base.LOCAL, Path(environment.get("LOCALAPPDATA") or home / "AppData/Local")
        yield Base.ROAMING, Path(environment.get("APPDATA") or home / "AppData/Roaming")
        yield Base.DOCUMENTS, home / "Documents"
        yield Base.DOCUMENTS, home / "OneDrive/Documents"
        yield from _programs(machine)
        return
    if machine.platform == "darwin":
        support = home / "Library/Application Support"
        yield Base.LOCAL, support
        yield Base.ROAMING, support
    else:
        yield Base.ROAMING, Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    yield Base.DOCUMENTS, home / "Documents"
    for pattern in _DRIVES:
        for drive in _matches(home, pattern):
            yield from _in_wine(drive)


def _programs(machine: Machine) -> Iterator[tuple[Base, Path]]:
    for name in ("ProgramFiles", "ProgramFiles(x86)"):
        folder = machine.environment.get(name)
        if folder:
            yield Base.PROGRAMS, Path(folder)
            yield Base.PROGRAMS, machine.home / _VIRTUAL_STORE / Path(folder).name


def _in_wine(drive: Path) -> Iterator[tuple[Base, Path]]:
    for user in _matches(drive, "users/*"):
        yield Base.LOCAL, user / "AppData/Local"
        yield Base.LOCAL, user / "Local Settings/Application Data"
        yield Base.ROAMING, user / "AppData/Roaming"
        yield Base.ROAMING, user / "Application Data"
        yield Base.DOCUMENTS, user / "Documents"
        yield Base.DOCUMENTS, user / "My Documents"
    for programs in _matches(drive, "Program Files*"):
        yield Base.PROGRAMS, programs
