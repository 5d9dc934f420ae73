"""The examples in every command's help: shown, understood by the parser, and run."""

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from cli import razzstats
from hands import SAMPLES

from razzstats.cli.app import app
from razzstats.cli.examples import EXAMPLES, Example

ALL = [(command, example) for command, examples in EXAMPLES.items() for example in examples]


def commands(command: Any = None, name: str = "") -> Iterator[str]:
    """Yield the name of every command and group of commands, as it is typed."""
    command = command or typer.main.get_command(app)
    if name:
        yield name
    for below, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{name} {below}".strip())


def arguments(example: Example) -> list[str]:
    """Return what an example gives to the command, as a shell reads it."""
    line, _, _ = example.line.partition(" > ")
    return shlex.split(line)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample hands, all of them imported, and one that was rejected."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(SAMPLES, folder / "sample_histories")
    run = razzstats("import", folder / "sample_histories", "--db", folder / "hands.duckdb")
    assert run.code == 0
    return folder


def test_every_command_has_two_to_four_examples() -> None:
    assert {*EXAMPLES} == {*commands()}
    assert all(2 <= len(examples) <= 4 for examples in EXAMPLES.values())
    assert all(example.needs or command in example.line for command, example in ALL)


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_examples_are_shown_as_they_are_typed(command: str) -> None:
    lines = [line.strip() for line in razzstats(*command.split(), "--help").out.splitlines()]
    below = lines[lines.index("Examples:") :]
    for example in EXAMPLES[command]:
        place = next(number for number, line in enumerate(below) if line.endswith(example.line))
        assert below[place + 1] == example.meaning


@pytest.mark.parametrize(("command", "example"), ALL, ids=lambda each: getattr(each, "line", ""))
def test_an_example_does_what_it_says(
    command: str, example: Example, desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if example.needs:
        pytest.skip(f"it needs {example.needs}")
    monkeypatch.chdir(desk)
    variables = {
        "RAZZSTATS_DB": str(desk / "hands.duckdb"),
        "RAZZSTATS_CONFIG": str(tmp_path / "config.toml"),
    }
    run = razzstats(*arguments(example), variables=variables)
    assert run.code == 0, run
    assert "Traceback" not in run.err


@pytest.mark.parametrize("example", [e for _, e in ALL if e.needs and "$" not in e.line],
                         ids=lambda each: each.line)  # fmt: skip
def test_what_cannot_be_run_here_is_understood(example: Example) -> None:
    command = typer.main.get_command(app)
    group: Any = command
    rest = arguments(example)
    while rest and rest[0] in getattr(group, "commands", {}):
        group = group.commands[rest.pop(0)]
    group.make_context("razzstats", rest)  # raises a usage error for an option it does not know
