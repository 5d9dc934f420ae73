"""`razzstats import` without a path: the rooms' folders on each system, and what is asked."""

from pathlib import Path

import pytest
from cli import Run, hand, other_game, razzstats, write

from razzstats.known_sites import KNOWN_SITES
from razzstats.room_folders import PLACES, Base, Machine, find_room_folders

terminals = pytest.importorskip("terminals", reason="there is no terminal to make")

WINDOWS = {
    "LOCALAPPDATA": "AppData/Local",
    "APPDATA": "AppData/Roaming",
    "ProgramFiles": "C/Program Files",
    "ProgramFiles(x86)": "C/Program Files (x86)",
}

SYSTEMS: dict[str, tuple[str, dict[str, str]]] = {
    "windows": (
        "win32",
        {
            "AppData/Local/PokerStars/HandHistory/Anna": "pokerstars",
            "AppData/Local/PokerStars.EU/HandHistory/Anna": "pokerstars",
            "C/Program Files (x86)/PokerStars/HandHistory/Anna": "pokerstars",
            "C/Program Files/Full Tilt Poker/HandHistory/Anna": "fulltilt",
            "AppData/Local/VirtualStore/Program Files (x86)/Full Tilt Poker/HandHistory/Anna":
                "fulltilt",
            "AppData/Roaming/winamax/documents/accounts/Anna/history": "winamax",
            "Documents/Winamax Poker/accounts/Anna/history": "winamax",
            "C/Program Files (x86)/CarbonPoker/history/Anna": "merge",
        },
    ),
    "macos": (
        "darwin",
        {
            "Library/Application Support/PokerStars/HandHistory/Anna": "pokerstars",
            "Library/Application Support/PokerStarsFR/HandHistory/Anna": "pokerstars",
            "Library/Application Support/winamax/documents/accounts/Anna/history": "winamax",
            "Library/Application Support/CrossOver/Bottles/one/drive_c/users/crossover/AppData/"
            "Local/PokerStars.UK/HandHistory/Anna": "pokerstars",
        },
    ),
    "linux": (
        "linux",
        {
            ".wine/drive_c/users/anna/AppData/Local/PokerStars/HandHistory/Anna": "pokerstars",
            ".wine/drive_c/users/anna/Local Settings/Application Data/PokerStars.EU/HandHistory/A":
                "pokerstars",
            ".PlayOnLinux/wineprefix/PS/drive_c/Program Files/PokerStars/HandHistory/Anna":
                "pokerstars",
            ".wine/drive_c/Program Files (x86)/Full Tilt Poker/HandHistory/Anna": "fulltilt",
            ".wine/drive_c/Program Files/PDCPoker/history/Anna": "merge",
            ".config/winamax/documents/accounts/Anna/history": "winamax",
        },
    ),
}  # fmt: skip


def machine(home: Path, platform: str) -> Machine:
    windows = {name: str(home / folder) for name, folder in WINDOWS.items()}
    return Machine(platform, home, windows if platform == "win32" else {})


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_rooms_folders_of_each_system_are_found(system: str, tmp_path: Path) -> None:
    platform, folders = SYSTEMS[system]
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
        write(tmp_path / folder, one=hand(1), two=hand(2))
    found = find_room_folders(machine(tmp_path, platform))
    # The folder of the room is found, with those of all players in it.
    shown = {
        str(folder): site
        for folder, site in folders.items()
        for room in found
        if (tmp_path / folder).is_relative_to(room.folder) and room.site == site
    }
    assert shown == folders
    assert len(found) == len(folders)
    assert all(len(room.files) == 2 for room in found)


@pytest.mark.parametrize(
    ("system", "other"),
    [("windows", "macos"), ("windows", "linux"), ("macos", "windows"), ("linux", "windows")],
)
def test_another_systems_folders_are_nobodys(system: str, other: str, tmp_path: Path) -> None:
    for folder in SYSTEMS[other][1]:
        (tmp_path / folder).mkdir(parents=True)
        write(tmp_path / folder, one=hand(1))
    platform, _ = SYSTEMS[system]
    found = find_room_folders(machine(tmp_path, platform))
    # Winamax of old wrote to Documents, which all systems have.
    assert all(room.folder.is_relative_to(tmp_path / "Documents") for room in found)


def test_folders_without_files_and_the_same_by_two_names_are_left_out(tmp_path: Path) -> None:
    assert find_room_folders(machine(tmp_path, "linux")) == []
    real = tmp_path / "Documents/Winamax Poker/accounts/Anna/history"
    real.mkdir(parents=True)
    (tmp_path / ".config/winamax/documents/accounts/Anna/history").mkdir(parents=True)
    write(real, one=hand(1))
    user = tmp_path / ".wine/drive_c/users/anna"
    user.mkdir(parents=True)
    (user / "Documents").symlink_to(tmp_path / "Documents")
    (room,) = find_room_folders(machine(tmp_path, "linux"))
    assert room.folder.resolve() == real


def test_every_place_is_of_a_known_room() -> None:
    assert {place.site for place in PLACES} <= KNOWN_SITES.keys()
    assert {place.base for place in PLACES} == {*Base}


# ---- without a terminal


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / ".wine/drive_c/users/anna/AppData/Local/PokerStars/HandHistory"
    (folder / "Anna").mkdir(parents=True)
    write(folder / "Anna", one=hand(1), two=hand(2))
    return tmp_path / "home"


def variables(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "RAZZSTATS_CONFIG": str(home / "settings.toml"),
        "RAZZSTATS_DB": str(home / "x.duckdb"),
    }


def history(home: Path) -> Path:
    (found,) = home.rglob("HandHistory")
    return found


def test_a_script_is_told_what_to_run(home: Path) -> None:
    run = razzstats("import", variables=variables(home))
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        "Hand histories were found here:\n"
        f"  PokerStars: {history(home)} (2 files)\n"
        f"This imports them: razzstats import {history(home)}\n"
    )
    assert not (home / "x.duckdb").exists()
    assert not (home / "settings.toml").exists()


def test_where_nothing_is_found_a_folder_is_asked_for(tmp_path: Path) -> None:
    run = razzstats("import", variables=variables(tmp_path))
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("razzstats: name what to import: `razzstats import FOLDER`. ")


def test_files_that_hold_no_hands_are_no_histories(home: Path) -> None:
    for file in history(home).rglob("*.txt"):
        file.write_text("Tournament #5, Buy-In: $1\n")
    assert razzstats("import", variables=variables(home)).err.startswith("razzstats: name what ")
    write(history(home) / "Anna", three=other_game())  # a player of Razz plays other games, too
    assert "found here" in razzstats("import", variables=variables(home)).err


def test_the_folders_of_the_settings_are_read(home: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    write(mine, a=hand(7))
    (home / "settings.toml").write_text(f"folders = ['{mine}']\n")
    run = razzstats("import", variables=variables(home))
    assert run.code == 0, run
    assert run.out.startswith("1 file, 1 Razz hands: 1 stored, ")
    given = razzstats("import", history(home), variables=variables(home))
    assert given.out.startswith("2 files, 2 Razz hands: 2 stored, ")
    mine.rename(tmp_path / "gone")
    gone = razzstats("import", variables=variables(home))
    assert gone.code == 1
    assert f"{mine}:1:1: error[RZ001] the file cannot be read" in gone.err


@pytest.mark.parametrize(
    "command",
    [("stats", "overview"), ("report",), ("leaks",), ("variance",), ("show", "1"),
     ("export", "--out", "x"), ("rejected", "list"), ("rejected", "retry")],
)  # fmt: skip
def test_a_command_without_a_database_says_how_to_begin(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run: Run = razzstats(*command, variables=variables(tmp_path))
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        f"razzstats: there is no database at {tmp_path}/x.duckdb; `razzstats import FOLDER` makes "
        "one. Without a folder, `razzstats import` looks where the rooms write hand histories\n"
    )
    assert not (tmp_path / "x.duckdb").exists()


# ---- on a terminal


@pytest.mark.parametrize(
    ("answers", "imported", "remembered"),
    [(("", ""), True, True), (("y", "n"), True, False), (("n",), False, False)],
)
def test_on_a_terminal_it_is_asked(
    answers: tuple[str, ...], imported: bool, remembered: bool, home: Path
) -> None:
    seen = terminals.in_terminal(home, "import", answers=answers, **variables(home))
    assert seen.code == 0, seen
    assert f"  PokerStars: {history(home)} (2 files)" in seen.screen.replace("\r\n", "\n")
    assert "Import them? [Y/n]: " in seen.screen
    assert seen.out == (
        "2 files, 2 Razz hands: 2 stored, 0 known already, 0 in conflict, 0 rejected, 0 incomplete;"
        " 0 hands of other games left out\n"
        if imported
        else ""
    )
    assert (home / "x.duckdb").exists() == imported
    assert (home / "settings.toml").exists() == remembered
    again = razzstats("import", variables=variables(home))
    assert again.code == (0 if remembered else 2)
    if remembered:
        assert "2 known already" in again.out
