"""What a user settled once and for all: environment variables, a file in TOML, and the defaults.

A setting of the environment goes before one of the file. The command line's options go before
both; that is the business of the commands.
"""

import difflib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from razzstats.errors import RazzstatsError
from razzstats.places import WAIT_SECONDS, default_database
from razzstats.stats.numbering import SESSION_GAP_MINUTES

CONFIG_VARIABLE = "RAZZSTATS_CONFIG"
"""The environment variable that names the file."""

FORMATS = ("table", "json", "jsonl", "csv", "parquet")
"""How data can be written to standard output."""

MOST_GAP_MINUTES = 100_000
MOST_WAIT_SECONDS = 86_400
_LAST_HOUR = 23


class SettingsError(RazzstatsError):
    """A setting that is wrong; the message says where it stands and what it must be."""


class Origin(StrEnum):
    """Where a value comes from."""

    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


class Value(NamedTuple):
    """The value of one setting."""

    value: Any
    origin: Origin
    place: str = ""
    """The name of the environment variable, or of the file."""


class Setting(NamedTuple):
    """One setting, as the file has it."""

    key: str
    meaning: str
    expected: str
    """What a value must be, in words."""
    accepts: Callable[[Any], bool]
    """Whether a value that TOML can hold is one of this setting."""
    read: Callable[[Sequence[str]], Any]
    """From what was typed, or stands in the environment, to what the file holds."""
    default: Callable[[], Any] = lambda: None

    @property
    def variable(self) -> str:
        """The environment variable that goes before the file."""
        return f"RAZZSTATS_{self.key.upper()}"


def config_path() -> Path:
    """Return where the file lies: RAZZSTATS_CONFIG, else in the user's folder of settings."""
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        return Path(named).expanduser()
    return Path(platformdirs.user_config_path("razzstats", appauthor=False)) / "config.toml"


def load_settings() -> dict[str, Value]:
    """Return every setting by its key.

    Raises SettingsError if the file is no TOML, names a setting that does not exist, or holds a
    value that is none; or if a variable of the environment holds one.
    """
    path = config_path()
    found = {key: Value(value, Origin.FILE, str(path)) for key, value in _in_file(path).items()}
    for key, setting in SETTINGS.items():
        text = os.environ.get(setting.variable)
        if text:
            value = _from_environment(setting, text)
            found[key] = Value(value, Origin.ENVIRONMENT, setting.variable)
        elif key not in found:
            found[key] = Value(setting.default(), Origin.DEFAULT)
    return {key: _with_whole_paths(key, found[key], path) for key in SETTINGS}


def find_setting(key: str) -> Setting:
    """Return the setting of this name; raises SettingsError if there is none."""
    if key not in SETTINGS:
        raise SettingsError(_unknown(key))
    return SETTINGS[key]


def check_value(setting: Setting, typed: Sequence[str]) -> Any:
    """Return what the file is to hold for what was typed; raises SettingsError if it is wrong."""
    value = setting.read(typed)
    if not setting.accepts(value):
        shown = " ".join(typed)
        raise SettingsError(f"{setting.key} must be {setting.expected}, not {shown!r}")
    return value


def write_value(setting: Setting, value: Any) -> Path:
    """Put a value into the file, which is made where need be; None takes the setting out.

    All else in the file stays as it is, comments too. Returns the file's name. Raises
    SettingsError if the file is no TOML or cannot be written.
    """
    import tomlkit  # unlike the standard library it keeps comments, but takes longer to load

    path = config_path()
    _in_file(path, checked=False)  # tells of what cannot be read
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        document = tomlkit.parse(text)
        if value is None:
            document.pop(setting.key, None)
        else:
            document[setting.key] = value
        _replace(path, tomlkit.dumps(document))
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}") from None
    return path


# ---- kinds of values


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _are_folders(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _one(typed: Sequence[str]) -> str | None:
    return typed[0] if len(typed) == 1 else None


def _number(typed: Sequence[str]) -> int | None:
    text = _one(typed)
    return int(text) if text is not None and re.fullmatch(r"\d{1,9}", text, re.ASCII) else None


_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _yes_or_no(typed: Sequence[str]) -> bool | None:
    return _WORDS.get((_one(typed) or "").lower())


def _whole_path(text: str) -> str:
    return os.path.abspath(os.path.expanduser(text))


def _database(typed: Sequence[str]) -> str | None:
    text = _one(typed)
    return text if not text or _is_address(text) else _whole_path(text)


def _is_address(text: str) -> bool:
    """Whether a database is a lake in an object store."""
    if ":/" not in text:
        return False
    from razzstats.storage.lake.files import url_of  # which takes DuckDB along

    return url_of(text) is not None


def _folders(typed: Sequence[str]) -> list[str]:
    return [_whole_path(text) for text in typed if text]


SETTINGS: Mapping[str, Setting] = {
    setting.key: setting
    for setting in (
        Setting(
            "db", "The database file, or a lake.", "the name of a file", _is_text, _database,
            lambda: str(default_database()),
        ),
        Setting(
            "hero", "The player whose hands are counted.", "a player's name", _is_text, _one,
        ),
        Setting(
            "format", "How data is written, by the commands that can write it so.",
            f"one of {', '.join(FORMATS)}", lambda value: value in FORMATS, _one, lambda: "table",
        ),
        Setting(
            "session_gap", "A pause of more minutes begins another session.",
            f"a whole number of minutes from 1 to {MOST_GAP_MINUTES}",
            lambda value: _is_number(value, 1, MOST_GAP_MINUTES), _number,
            lambda: SESSION_GAP_MINUTES,
        ),
        Setting(
            "day_start", "The hour (UTC) at which a day of sessions begins.",
            f"a whole hour from 0 to {_LAST_HOUR}",
            lambda value: _is_number(value, 0, _LAST_HOUR), _number, lambda: 0,
        ),
        Setting(
            "mask_names", "Whether pages hide the names of the other players.",
            "true or false", lambda value: isinstance(value, bool), _yes_or_no, lambda: False,
        ),
        Setting(
            "wait", "Seconds to wait while another process uses the database.",
            f"a whole number of seconds from 0 to {MOST_WAIT_SECONDS}",
            lambda value: _is_number(value, 0, MOST_WAIT_SECONDS), _number,
            lambda: WAIT_SECONDS,
        ),
        Setting(
            "folders", "What `razzstats import` reads if it is not told what.",
            "a list of folders", _are_folders, _folders, list,
        ),
    )
}  # fmt: skip
"""Every setting by its key."""


def _from_environment(setting: Setting, text: str) -> Any:
    typed = text.split(os.pathsep) if setting.key == "folders" else [text]
    value = setting.read(typed)
    if not setting.accepts(value):
        raise SettingsError(f"{setting.variable} is {text!r}, but must be {setting.expected}")
    return value


def _with_whole_paths(key: str, found: Value, config: Path) -> Value:
    """Return a value of the file with its paths from the home folder, or the file's own, on."""

    def whole(text: str) -> str:
        return str(Path(os.path.abspath(config)).parent / Path(text).expanduser())

    if found.origin is not Origin.FILE:
        return found
    if key == "db" and not _is_address(found.value):
        return found._replace(value=whole(found.value))
    if key == "folders":
        return found._replace(value=[whole(text) for text in found.value])
    return found


# ---- the file


_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


def _in_file(path: Path, *, checked: bool = True) -> dict[str, Any]:
    """Return what the file holds; nothing if there is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not written in UTF-8, as TOML must be") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from None
    import tomllib

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _AT_LINE.search(str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        reason = _AT_LINE.sub("", str(error)).removesuffix(" (at end of document)")
        raise SettingsError(f"{path}:{line}: this is no TOML: {reason}") from None
    if checked:
        _check(path, text, found)
    return found


def _check(path: Path, text: str, found: Mapping[str, Any]) -> None:
    for key, value in found.items():
        place = f"{path}:{_line_of(key, text)}"
        if key not in SETTINGS:
            raise SettingsError(f"{place}: {_unknown(key)}")
        setting = SETTINGS[key]
        if not setting.accepts(value):
            raise SettingsError(
                f"{place}: {key} is {_shown(value)}, but must be {setting.expected}"
            )


def _line_of(key: str, text: str) -> int:
    """Return the line on which a key of the uppermost level stands, from 1."""
    written = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    for number, line in enumerate(text.split("\n"), 1):
        if written.match(line):
            return number
    return 1


def _unknown(key: str) -> str:
    near = difflib.get_close_matches(key, SETTINGS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the settings are {', '.join(SETTINGS)}"
    return f"there is no setting {key!r}; {hint}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "a table" if isinstance(value, dict) else repr(value)


def _replace(path: Path, text: str) -> None:
    """Write the file whole or not at all."""
    if path.exists() and not path.is_file():
        raise SettingsError(f"{path} is no file; {CONFIG_VARIABLE} takes the name of one")
    target = path.resolve()  # where a link leads, so that the link stays
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"{target.name}.new")
    beside.write_text(text, encoding="utf-8", newline="\n")
    beside.replace(target)
