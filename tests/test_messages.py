"""What is told of each broken rule and each damaged hand, word for word.

RAZZSTATS_UPDATE_GOLDEN=1 writes the present words; read the difference before you commit it.
"""

import os
from pathlib import Path
from typing import Any

from hands import check
from syntax_cases import CASES as DAMAGES
from syntax_cases import damaged
from tables import CASES as RULE_CASES
from tables import Table

from razzstats.events import Street, StreetStart
from razzstats.locations import HandText
from razzstats.rules.actions import Violation
from razzstats.rules.checks import end_violations, violations

GOLDEN = Path(__file__).parent / "golden" / "messages"
_UPDATE = os.environ.get("RAZZSTATS_UPDATE_GOLDEN") == "1"


def same_as_before(name: str, told: str) -> None:
    golden = GOLDEN / name
    if _UPDATE:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(told, encoding="utf-8", newline="\n")
    assert told == golden.read_text(encoding="utf-8")


def in_words(found: Violation) -> str:
    place = ["at the player"] if found.at_player else []
    evidence = [f"{type(event).__name__}: {shows}" for event, shows in found.evidence]
    told = [f"{found.code.name}: {found.message}", *place, *evidence]
    return "\n  ".join([*told, f"help: {found.help}"] if found.help else told)


def rule_case(case: dict[str, Any]) -> str:
    table = Table(case)
    for words in case.get("actions", []):
        table.act(words)
    state = table.state
    broken = violations(state, table.event(case["tries"])) if "tries" in case else ()
    ended = end_violations(state) if "ends_with" in case else ()
    third = StreetStart(street=Street.THIRD)
    refused = violations(state, third) if "refused" in case else ()
    return "\n".join([f"# {case['id']}", *map(in_words, [*broken, *ended, *refused])])


def test_broken_rules_are_told_in_these_words() -> None:
    asked = [case for case in RULE_CASES if case.keys() & {"tries", "ends_with", "refused"}]
    same_as_before("rules.txt", "\n\n".join(map(rule_case, asked)) + "\n")


def damage(case: dict[str, Any]) -> str:
    checked = check(HandText("hand.txt", 1, damaged(case), True, True))
    return f"# {case['id']}\n{checked.explained()}"


def test_damaged_hands_are_told_in_these_words() -> None:
    same_as_before("hands.txt", "\n\n".join(map(damage, DAMAGES)) + "\n")
