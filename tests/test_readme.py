"""The README shows what the commands really print, and defines what the catalogue defines.

Set RAZZSTATS_UPDATE_README=1 to write the present output into it.
"""

import io
import os
import re
import shlex
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from razzstats.cli import app
from razzstats.stats.catalogue import DEFINED
from razzstats.stats.leaks import RULES

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SAMPLES = ROOT / "sample_histories"
MOST_LINES = 40


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the README's reader has it, with a database of its own."""
    shutil.copytree(SAMPLES, tmp_path / "sample_histories")
    whole = (SAMPLES / "pokerstars" / "edge-bring-in-by-suit.txt").read_text(encoding="utf-8")
    assert "smooth-8: brings in" in whole
    broken = whole.replace("smooth-8: brings in", "Ngọc Lâm: brings in")
    (tmp_path / "broken.txt").write_text(broken, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAZZSTATS_DB", str(tmp_path / "hands.duckdb"))
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def run(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    out = io.StringIO()
    monkeypatch.setattr("sys.argv", shlex.split(command))
    with redirect_stdout(out), redirect_stderr(io.StringIO()), pytest.raises(SystemExit):
        app.main()
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def with_outputs(readme: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the README with what each of its commands prints now."""

    def answer(block: re.Match[str]) -> str:
        commands = [line[2:] for line in block[1].splitlines() if line.startswith("$ ")]
        parts = []
        for command in commands:
            lines = run(command, monkeypatch).splitlines()
            if len(lines) > MOST_LINES:
                lines = [*lines[:MOST_LINES], "..."]
            parts.append("\n".join([f"$ {command}", *lines]))
        return "```console\n" + "\n\n".join(parts) + "\n```"

    return re.sub(r"^```console\n(.*?)^```", answer, readme, flags=re.DOTALL | re.MULTILINE)


def with_definitions(readme: str) -> str:
    """Return the README with the definitions of the catalogue, and of the leaks."""
    parts = []
    for about, stats in DEFINED.items():
        rows = [
            f"**{about.capitalize()}**",
            "",
            "| statistic | id | counts | as |",
            "|---|---|---|---|",
        ]
        rows += [f"| {s.title} | `{s.id}` | {s.definition} | {s.source} |" for s in stats]
        parts.append("\n".join(rows))
    readme = with_part(readme, "statistics", "\n\n".join(parts))
    rows = ["| leak | what | reference |", "|---|---|---|"]
    rows += [
        f"| {rule.id} | {rule.title} | {rule.reference.text} ({rule.reference.source}) |"
        for rule in RULES
    ]
    return with_part(readme, "leaks", "\n".join(rows))


def with_part(readme: str, name: str, text: str) -> str:
    """Return the README with the text between two marks replaced."""
    return re.sub(
        rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
        lambda found: f"{found[1]}{text}\n{found[2]}",
        readme,
        flags=re.DOTALL,
    )


def test_readme_shows_what_the_commands_print(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = README.read_text(encoding="utf-8")
    present = with_definitions(with_outputs(written, monkeypatch))
    if os.environ.get("RAZZSTATS_UPDATE_README"):
        README.write_text(present, encoding="utf-8")
    assert written == present, "set RAZZSTATS_UPDATE_README=1 to bring the README up to date"


def test_readme_names_every_command() -> None:
    written = README.read_text(encoding="utf-8")
    names = [command.name for command in app.app.registered_commands]
    assert names
    assert [name for name in names if f"razzstats {name}" not in written] == []
