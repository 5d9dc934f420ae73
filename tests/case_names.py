"""The names of all cases and tests, so that an index of what is proved can be checked."""

import tomllib
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent


def known_cases() -> set[str]:
    """Return ``opening:...`` (rules), ``syntax/fulltilt:...``, ``test_pots:test_...``."""
    found: set[str] = set()
    for folder, prefix in (("rules", ""), ("syntax", "syntax/")):
        for file in (TESTS / folder).glob("*.toml"):
            tables = tomllib.loads(file.read_text(encoding="utf-8"))
            found |= {f"{prefix}{file.stem}:{name}" for name in _ids(tables)}
    for file in TESTS.glob("test_*.py"):
        lines = file.read_text(encoding="utf-8").splitlines()
        names = [line[4:].partition("(")[0] for line in lines if line.startswith("def test_")]
        found |= {f"{file.stem}:{name}" for name in names}
    return found


def _ids(tables: dict[str, Any]) -> set[str]:
    rows = [row for value in tables.values() if isinstance(value, list) for row in value]
    return {row["id"] for row in rows if isinstance(row, dict) and "id" in row}
