"""Every sentence of the rules has a case that holds the engine to it: tests/rules/index.toml."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from syntax_cases import CASES as DAMAGES
from tables import FOLDER

TESTS = Path(__file__).parent
RULES = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))["rule"]


def known_cases() -> set[str]:
    found = {f"syntax/{case['id']}" for case in DAMAGES}
    for file in FOLDER.glob("*.toml"):
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        for kind in ("case", "ranking", "same", "split"):
            found |= {f"{file.stem}:{case['id']}" for case in tables.get(kind, [])}
    for file in TESTS.glob("test_*.py"):
        lines = file.read_text(encoding="utf-8").splitlines()
        names = [line[4:].partition("(")[0] for line in lines if line.startswith("def test_")]
        found |= {f"{file.stem}:{name}" for name in names}
    return found


KNOWN = known_cases()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["text"][:60])
def test_every_rule_has_a_case(rule: dict[str, Any]) -> None:
    assert rule.get("cases") or rule["untold"]
    assert set(rule.get("cases", [])) <= KNOWN
