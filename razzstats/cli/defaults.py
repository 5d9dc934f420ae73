"""Settings as the defaults of options: what a command line says goes before them."""

from typing import Any

import typer

# Whose defaults are its own: an export writes all there is unless it is told otherwise.
_LEFT_ALONE = {"export": ("hero", "format")}

SET_ELSEWHERE = "DEFAULT_MAP"
"""What Typer calls the source of a value that a setting gave."""


def set_defaults(context: typer.Context) -> None:
    """Make the settings the defaults of the command that is about to run.

    Raises SettingsError if one is wrong.
    """
    from razzstats.settings import Origin, load_settings

    name = context.invoked_subcommand or ""
    values = {
        key: found.value
        for key, found in load_settings().items()
        if found.origin is not Origin.DEFAULT and key not in _LEFT_ALONE.get(name, ())
    }
    if values:
        group: Any = context.command
        context.default_map = {name: _defaults_of(group.commands[name], values)}


def is_from_settings(context: typer.Context, name: str) -> bool:
    """Whether an option has its value from a setting, not from the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == SET_ELSEWHERE


def _defaults_of(command: Any, values: dict[str, Any]) -> dict[str, Any]:
    subcommands = getattr(command, "commands", None)
    if subcommands is not None:
        return {name: _defaults_of(each, values) for name, each in subcommands.items()}
    return {
        option.name: values[option.name]
        for option in command.params
        if option.name in values and _takes(option, values[option.name])
    }


def _takes(option: Any, value: Any) -> bool:
    """Whether an option knows a value: not every command writes every format."""
    choices = option.type_descriptor.choices
    return choices is None or value in choices
