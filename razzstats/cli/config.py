"""`razzstats config`: settings that hold for every command until an option says otherwise."""

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razzstats.cli import completion
from razzstats.cli.common import Format, print_texts, remark, write_records
from razzstats.cli.examples import epilog

if TYPE_CHECKING:
    from razzstats.settings import Value

app = typer.Typer(
    help="Settings that hold for every command until an option says otherwise. An environment "
    "variable RAZZSTATS_KEY goes before the file, an option before both.",
    epilog=epilog("config"),
)

Key = Annotated[
    str,
    typer.Argument(
        help="The setting; `config list` names them all.",
        show_default=False,
        autocompletion=completion.settings,
    ),
]


@app.callback(invoke_without_command=True)
def _without_command(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_()


@app.command("list", epilog=epilog("config list"))
def list_(
    format: Annotated[Format, typer.Option(help="How to write the settings.")] = Format.TABLE,
) -> None:
    """List every setting with its value and where that comes from."""
    from razzstats.settings import SETTINGS, config_path, load_settings

    found = load_settings()
    if format is Format.TABLE:
        rows = [(key, _in_words(value), _place(value)) for key, value in found.items()]
        print_texts(("setting", "value", "from"), rows)
    else:
        records = [
            {
                "key": key,
                "value": value.value if format in (Format.JSON, Format.JSONL) else _lines(value),
                "origin": str(value.origin),
                "place": value.place,
                "meaning": SETTINGS[key].meaning,
            }
            for key, value in found.items()
        ]
        write_records(records, ("key", "value", "origin", "place", "meaning"), format)
    path = config_path()
    remark(f"the file is {path}" + ("" if path.exists() else ", which does not exist yet"))


@app.command("get", epilog=epilog("config get"))
def get(key: Key) -> None:
    """Print the value of one setting; a list has a line for each part."""
    from razzstats.diagnostics.visible import visible
    from razzstats.settings import find_setting, load_settings

    setting = find_setting(key)
    print("\n".join(map(visible, _lines(load_settings()[setting.key]).split("\n"))))


@app.command("set", epilog=epilog("config set"))
def set_(
    key: Key,
    values: Annotated[
        list[str],
        typer.Argument(
            metavar="VALUE...", help="The value; folders takes several.", show_default=False
        ),
    ],
) -> None:
    """Put a setting into the file; all else in it stays, comments too."""
    from razzstats.settings import check_value, find_setting, write_value

    setting = find_setting(key)
    value = check_value(setting, values)
    path = write_value(setting, value)
    remark(f"{key} is set in {path}")
    if os.environ.get(setting.variable):
        remark(f"the environment variable {setting.variable} goes before it")
    for folder in value if key == "folders" else ():
        if not os.path.isdir(folder):
            remark(f"there is no folder {folder} now")


@app.command("unset", epilog=epilog("config unset"))
def unset(key: Key) -> None:
    """Take a setting out of the file, so that the default holds again."""
    from razzstats.settings import find_setting, write_value

    path = write_value(find_setting(key), None)
    remark(f"{key} is not set in {path}")


@app.command("path", epilog=epilog("config path"))
def path() -> None:
    """Print where the file lies, whether or not there is one."""
    from razzstats.settings import config_path

    print(config_path())


def _lines(value: "Value") -> str:
    """Return a value as text, the parts of a list on lines of their own."""
    return "\n".join(_texts(value.value))


def _in_words(value: "Value") -> str:
    return _lines(value) or "not set"


def _texts(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def _place(value: "Value") -> str:
    from razzstats.settings import Origin

    return value.place if value.origin is Origin.ENVIRONMENT else str(value.origin)
