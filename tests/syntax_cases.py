"""The hands and the damages of tests/syntax/*.toml."""

import tomllib
from pathlib import Path
from typing import Any

SYNTAX = Path(__file__).parent / "syntax"


def load(name: str) -> dict[str, Any]:
    return tomllib.loads((SYNTAX / f"{name}.toml").read_text(encoding="utf-8"))


HANDS: dict[str, str] = load("hands")
CASES = [
    case | {"id": f"{name}:{case['id']}"}
    for name in ("reading", "dealing", "betting")
    for case in load(name)["case"]
]


def damaged(case: dict[str, Any]) -> tuple[str, ...]:
    lines = HANDS[case.get("hand", "showdown")].strip("\n").split("\n")
    if "cut_after" in case:
        return tuple(lines[: lines.index(case["cut_after"]) + 1])
    old = case["line"].split("\n")
    place = next(n for n in range(len(lines)) if lines[n : n + len(old)] == old)
    new = case["becomes"].split("\n") if case["becomes"] else []
    return (*lines[:place], *new, *lines[place + len(old) :])
