"""`razzstats config`: where a setting comes from, what it does, and what is wrong with the file."""

import json
from pathlib import Path

import pytest
from cli import Run, hand, razzstats, write
from hypothesis import given
from hypothesis import strategies as st

from razzstats.settings import SETTINGS, Origin, config_path, load_settings

KEYS = ("db", "hero", "format", "session_gap", "day_start", "mask_names", "wait", "folders")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings" / "config.toml"


def config(file: Path, *arguments: str | Path, **variables: str) -> Run:
    return razzstats(
        "config", *arguments, variables={"RAZZSTATS_CONFIG": str(file)} | variables
    )  # fmt: skip


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def listed(file: Path, **variables: str) -> dict[str, tuple[object, str, str]]:
    run = config(file, "list", "--format", "json", **variables)
    assert run.code == 0, run
    return {row["key"]: (row["value"], row["origin"], row["place"]) for row in json.loads(run.out)}


# ---- list, get, path


def test_every_setting_is_listed_with_its_default_and_no_file_is_made(file: Path) -> None:
    found = listed(file)
    assert tuple(found) == KEYS == tuple(SETTINGS)
    assert {origin for _, origin, _ in found.values()} == {"default"}
    assert found["hero"] == (None, "default", "")
    assert found["session_gap"] == (30, "default", "")
    run = config(file)
    assert run == config(file, "list")
    assert run.err == f"the file is {file}, which does not exist yet\n"
    assert [line.split()[0] for line in run.out.splitlines()] == ["setting", *KEYS]
    assert not file.parent.exists()


def test_the_environment_goes_before_the_file(file: Path) -> None:
    written(file, "hero = 'Anna'\nsession_gap = 45\n")
    found = listed(file, RAZZSTATS_HERO="Ben", RAZZSTATS_FOLDERS="/a:/b", RAZZSTATS_DAY_START="")
    assert found["hero"] == ("Ben", "environment", "RAZZSTATS_HERO")
    assert found["folders"] == (["/a", "/b"], "environment", "RAZZSTATS_FOLDERS")
    assert found["session_gap"] == (45, "file", str(file))
    assert found["day_start"] == (0, "default", "")
    shown = config(file, "list", RAZZSTATS_HERO="Ben").out.splitlines()
    assert shown[2].split() == ["hero", "Ben", "RAZZSTATS_HERO"]
    assert shown[4].split() == ["session_gap", "45", "file"]


def test_one_setting_is_printed_alone(file: Path) -> None:
    written(file, "folders = ['/a b', '/c']\nmask_names = true\nhero = \"a\\u001b[2J\"\n")
    assert config(file, "get", "folders").out == "/a b\n/c\n"
    assert config(file, "get", "mask_names").out == "true\n"
    assert config(file, "get", "format").out == "table\n"
    assert config(file, "get", "hero").out == "a\\x1b[2J\n"
    assert config(file, "path") == Run(0, f"{file}\n".encode(), "")


def test_paths_in_the_file_begin_at_home_or_beside_it(file: Path, tmp_path: Path) -> None:
    written(file, "db = 'mine.duckdb'\nfolders = ['~/hands', '/whole']\n")
    found = listed(file, HOME=str(tmp_path))
    assert found["db"][0] == str(file.parent / "mine.duckdb")
    assert found["folders"][0] == [str(tmp_path / "hands"), "/whole"]


def test_without_a_variable_the_file_is_in_the_users_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("RAZZSTATS_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert config_path().is_relative_to(tmp_path)
    assert config_path().parts[-2:] == ("razzstats", "config.toml")


# ---- set, unset


COMMENTED = """\
# mine
hero = "Anna"  # that is me

# at night
day_start = 5
"""


def test_what_is_set_is_set_and_comments_stay(file: Path) -> None:
    written(file, COMMENTED)
    assert config(file, "set", "day_start", "6").err == f"day_start is set in {file}\n"
    assert file.read_text() == COMMENTED.replace("= 5", "= 6")
    assert config(file, "set", "format", "csv").code == 0
    assert config(file, "unset", "format").code == 0
    assert config(file, "unset", "hero").err == f"hero is not set in {file}\n"
    assert file.read_text().startswith("# mine\n")
    assert "# at night\nday_start = 6\n" in file.read_text()
    assert listed(file)["hero"][1] == "default"
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_the_first_setting_makes_the_file(file: Path, tmp_path: Path) -> None:
    (tmp_path / "hands").mkdir()
    run = config(file, "set", "folders", tmp_path / "hands", tmp_path / "none")
    assert run.err == f"folders is set in {file}\nthere is no folder {tmp_path}/none now\n"
    assert listed(file)["folders"] == (
        [f"{tmp_path}/hands", f"{tmp_path}/none"], "file", str(file),
    )  # fmt: skip
    assert config(file, "unset", "hero").code == 0


def test_a_variable_that_goes_before_is_named(file: Path) -> None:
    run = config(file, "set", "hero", "Anna", RAZZSTATS_HERO="Ben")
    assert run.err.endswith("the environment variable RAZZSTATS_HERO goes before it\n")
    assert config(file, "get", "hero", RAZZSTATS_HERO="Ben").out == "Ben\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("set", "hreo", "Anna"), "there is no setting 'hreo'; did you mean hero?"),
        (("get", "xyz"), f"there is no setting 'xyz'; the settings are {', '.join(KEYS)}"),
        (("unset", "dbs"), "there is no setting 'dbs'; did you mean db?"),
        (("set", "format", "xml"), "format must be one of table, json, jsonl, csv, parquet, not "
         "'xml'"),
        (("set", "session_gap", "0"), "session_gap must be a whole number of minutes from 1 to "
         "100000, not '0'"),
        (("set", "session_gap", "1.5"), "session_gap must be a whole number of minutes from 1 to "
         "100000, not '1.5'"),
        (("set", "day_start", "24"), "day_start must be a whole hour from 0 to 23, not '24'"),
        (("set", "mask_names", "maybe"), "mask_names must be true or false, not 'maybe'"),
        (("set", "hero", "Anna", "Ben"), "hero must be a player's name, not 'Anna Ben'"),
        (("set", "hero", " "), "hero must be a player's name, not ' '"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_one_sentence_and_changes_nothing(
    file: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    written(file, COMMENTED)
    run = config(file, *arguments)
    assert (run.code, run.out, run.err) == (2, "", f"razzstats: {sentence}\n")
    assert file.read_text() == COMMENTED


# ---- what is wrong with the file


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("# x\nhreo = 1\n", 2, "there is no setting 'hreo'; did you mean hero?"),
        ("hero = 'a'\n\n[display]\nx = 1\n", 3, "there is no setting 'display'; the settings are"),
        ("a.b = 1\n", 1, "there is no setting 'a'; "),
        ("\nsession_gap = '45'\n", 2, "session_gap is '45', but must be a whole number of minutes "
         "from 1 to 100000"),
        ("session_gap = true\n", 1, "session_gap is true, but must be "),
        ("day_start = -1\n", 1, "day_start is -1, but must be a whole hour from 0 to 23"),
        ("mask_names = 'yes'\n", 1, "mask_names is 'yes', but must be true or false"),
        ("folders = 'x'\n", 1, "folders is 'x', but must be a list of folders"),
        ("folders = ['x', 1]\n", 1, "folders is ['x', 1], but must be a list of folders"),
        ("format = 'html'\n", 1, "format is 'html', but must be one of table, json, "),
        ("hero = ''\n", 1, "hero is '', but must be a player's name"),
        ("[hero]\nname = 'x'\n", 1, "hero is a table, but must be a player's name"),
        ("hero = 'a'\nhero = 'b'\n", 2, "this is no TOML: Cannot overwrite a value"),
        ("hero = 'a'\nformat = \n", 2, "this is no TOML: Invalid value"),
        ("hero = 'a", 1, "this is no TOML: "),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_with_its_line(
    file: Path, text: str, line: int, sentence: str
) -> None:
    written(file, text)
    variables = {"RAZZSTATS_CONFIG": str(file)}
    for command in (("stats", "overview"), ("config", "list"), ("equity", "A23", "456")):
        run = razzstats(*command, variables=variables)
        assert (run.code, run.out) == (2, ""), run
        assert run.err.startswith(f"razzstats: {file}:{line}: {sentence}")
        assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"hero = '\xff'\n", "is not written in UTF-8, as TOML must be"),
        (None, "cannot be read: Is a directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(file: Path, content: bytes | None, reason: str) -> None:
    if content is None:
        file.mkdir(parents=True)
    else:
        file.parent.mkdir()
        file.write_bytes(content)
    for arguments in (("list",), ("set", "hero", "Anna")):
        run = config(file, *arguments)
        assert (run.code, run.err) == (2, f"razzstats: {file} {reason}\n")


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run = config(tmp_path / "file" / "config.toml", "set", "hero", "Anna")
    assert run.code == 2
    assert run.err.startswith(f"razzstats: {tmp_path}/file/config.toml cannot be ")
    assert run.err.count("\n") == 1


def test_a_wrong_variable_is_told_by_its_name(file: Path) -> None:
    run = razzstats("stats", "overview", variables={"RAZZSTATS_SESSION_GAP": "long"})
    assert (run.code, run.err) == (
        2,
        "razzstats: RAZZSTATS_SESSION_GAP is 'long', but must be a whole number of minutes from 1 "
        "to 100000\n",
    )


def test_help_and_mending_do_not_wait_for_a_right_file(file: Path) -> None:
    written(file, "session_gap = 0\n")
    for arguments in (("stats", "--help"), ("config", "-h"), ("config", "path"), ("--version",)):
        assert razzstats(*arguments, variables={"RAZZSTATS_CONFIG": str(file)}).code == 0
    assert config(file, "set", "session_gap", "10").code == 0
    assert listed(file)["session_gap"][0] == 10


@given(st.binary(max_size=60))
def test_no_file_whatever_ends_in_a_traceback(content: bytes) -> None:
    path = config_path()
    path.write_bytes(content)
    try:
        run = razzstats("config", "list")
    finally:
        path.unlink()
    assert run.code in (0, 2)
    assert "Traceback" not in run.err


# ---- what settings do


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("config")
    write(folder, a="".join(hand(number, 2 * number) for number in range(1, 11)))
    razzstats("import", folder / "a.txt", "--db", folder / "x.duckdb")
    return folder / "x.duckdb"


def stats(file: Path, *arguments: str | Path, **variables: str) -> Run:
    run = razzstats("stats", *arguments, variables={"RAZZSTATS_CONFIG": str(file)} | variables)
    assert run.code == 0, run
    return run


def test_settings_are_the_defaults_of_options(file: Path, db: Path) -> None:
    written(file, f"db = '{db}'\nhero = 'Ben'\nformat = 'jsonl'\nsession_gap = 1\n")
    run = stats(file, "sessions")
    assert run.err == "Ben: 10 hands\n"
    assert len(run.out.splitlines()) == 10  # two minutes lie between two hands
    assert all(json.loads(line) for line in run.out.splitlines())


def test_an_option_goes_before_a_setting(file: Path, db: Path) -> None:
    written(file, "db = 'none.duckdb'\nhero = 'Ben'\nformat = 'csv'\nsession_gap = 1\n")
    options = ("--hero", "Anna", "--format", "json", "--session-gap", "30")
    run = stats(file, "sessions", "--db", db, *options)
    assert run.err == "Anna: 10 hands\n"
    assert len(json.loads(run.out)) == 1
    assert stats(file, "overview", RAZZSTATS_DB=str(db)).err.startswith("Ben: ")
    everybody = stats(file, "overview", "--db", db, "--all-players")
    assert everybody.err.startswith("all players: ")
    other = razzstats(
        "leaks", "--as", "Anna", "--db", db, variables={"RAZZSTATS_CONFIG": str(file)}
    )
    assert other.err.startswith("Anna: "), other


def test_a_format_is_for_the_commands_that_know_it(file: Path, db: Path) -> None:
    variables = {"RAZZSTATS_CONFIG": str(written(file, "format = 'jsonl'\nhero = 'Anna'\n"))}
    folder = db.parent
    listed = razzstats("rejected", "list", "--db", db, variables=variables)
    assert (listed.code, listed.out) == (0, "")
    assert razzstats("explain", "RZ401", variables=variables).out.startswith('{"code": "RZ401"')
    assert razzstats("check", folder / "a.txt", variables=variables).code == 0
    exported = razzstats(
        "export", "--out", folder / "all", "--db", db, variables=variables
    )  # fmt: skip
    assert exported.code == 0
    # An export is of all hands and all players, whoever is the hero, in the format it always has.
    assert (folder / "all" / "hands.parquet").exists()
    assert config(file, "list").out.startswith('{"key": "db"')


def test_a_hero_of_the_settings_who_is_unknown_is_told_with_the_place(file: Path, db: Path) -> None:
    written(file, "hero = 'Nobody'\n")
    run = razzstats("stats", "overview", "--db", db, variables={"RAZZSTATS_CONFIG": str(file)})
    assert run.code == 2
    assert run.err.endswith(f"(hero is set in {file}; --hero or --all-players count others)\n")
    given = razzstats("stats", "overview", "--db", db, "--hero", "Eve")
    assert "hero is set" not in given.err


def test_loading_needs_no_command_line(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAZZSTATS_CONFIG", str(written(file, "day_start = 4\n")))
    assert load_settings()["day_start"] == (4, Origin.FILE, str(file))
