"""Every sentence of the rules, and every fault that others had, has a case that proves ours."""

import tomllib
from typing import Any

import pytest
from case_names import TESTS, known_cases

KNOWN = known_cases()
RULES = tomllib.loads((TESTS / "rules" / "index.toml").read_text(encoding="utf-8"))["rule"]
FAULTS = tomllib.loads((TESTS / "peer_bugs.toml").read_text(encoding="utf-8"))["fault"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["text"][:60])
def test_every_rule_has_a_case(rule: dict[str, Any]) -> None:
    assert rule.get("cases") or rule["untold"]
    assert set(rule.get("cases", [])) <= KNOWN


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault['number']}")
def test_every_fault_of_others_has_a_case(fault: dict[str, Any]) -> None:
    assert fault["text"]
    assert fault.get("cases") or fault["not_ours"]
    assert set(fault.get("cases", [])) <= KNOWN


def test_the_faults_are_counted_through() -> None:
    assert [fault["number"] for fault in FAULTS] == list(range(1, 83))
