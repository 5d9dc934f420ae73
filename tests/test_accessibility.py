"""Pages looked over by axe-core in a real browser: the report, a session beside others, a hand."""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from browser import SCHEMES, WIDTHS, Browser, chromium, unavailable
from cli import razzstats
from hands import SAMPLES
from report_hands import report_of_samples, sample_hand

from razzstats.reports.hand_page import render_hand
from razzstats.reports.page import render_page
from razzstats.reports.told import tell_hand
from razzstats.stats.leaks import RULES
from razzstats.stats.leaks.marks import Mark
from razzstats.story import QUICK

SESSIONS = [
    SAMPLES / "pokerstars" / name
    for name in ("cash-1-2-six-handed.txt", "cash-0.04-0.08-eight-handed.txt")
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def axe() -> str:
    """Return the script of axe-core, which the package of its tests brings along."""
    try:
        package = files("selenium_axe_python")
    except ModuleNotFoundError:
        unavailable("selenium-axe-python is not installed")
    return package.joinpath("axe-core", "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    marks = {seq: (Mark(RULES[0], 1.25), Mark(RULES[1], None)) for seq in (7, 20)}
    told = tell_hand(sample_hand("262000000101"), marks, QUICK)
    file = tmp_path_factory.mktemp("hand") / "hand.html"
    file.write_text(render_hand(told, ("a remark",)), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(render_page(report_of_samples()), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on the last session of a player beside all his others."""
    file = tmp_path_factory.mktemp("session") / "session.html"
    run = razzstats(
        "report", *SESSIONS, "--html", file, "--session", "last", "--compare", "others",
    )  # fmt: skip
    assert run.code == 0, run.err
    return file


def faults(browser: Browser, axe: str) -> list[tuple[str, str, list[str]]]:
    """Return what axe finds at fault: the rule, how grave it is, and where."""
    browser.run(f"if (!window.axe) {{ {axe} ; window.axe = axe; }}")
    found: dict[str, Any] = browser.driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {resultTypes: ['violations']}).then("
        "found => done({violations: found.violations.map(each => ({id: each.id,"
        "impact: each.impact, nodes: each.nodes.map(node => node.html.slice(0, 160))})),"
        "passes: found.passes.length}),"
        "error => done({error: String(error)}))"
    )
    assert "error" not in found, found
    assert found["passes"] > 10  # it did look
    return [(each["id"], each["impact"], each["nodes"][:4]) for each in found["violations"]]


def open_all(browser: Browser) -> None:
    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
    browser.wait("return document.querySelectorAll('.replayer:empty').length === 0")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_hand_is_without_fault_at_its_steps(
    browser: Browser, axe: str, hand: Path, width: int, scheme: str
) -> None:
    browser.open(hand, width, scheme)
    lines = browser.run("return document.querySelectorAll('.story > li').length")
    # An ante, a decision with marks, one on fifth street, and the end.
    for step in (0, 8, 24, lines - 1):
        browser.run(f"document.querySelectorAll('.story > li')[{step}].click()")
        assert faults(browser, axe) == [], step


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_a_session_beside_others_is_without_fault(
    browser: Browser, axe: str, session: Path, width: int, scheme: str
) -> None:
    browser.open(session, width, scheme)
    assert browser.run("return document.getElementById('comparison') !== null")
    assert faults(browser, axe) == []


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), list(zip(WIDTHS, SCHEMES, strict=True)))
@pytest.mark.parametrize("name", ["report", "session"])
def test_reports_are_without_fault_with_all_that_opens_open(
    browser: Browser, axe: str, name: str, width: int, scheme: str,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    browser.open(request.getfixturevalue(name), width, scheme)
    open_all(browser)
    assert faults(browser, axe) == []


def test_axe_would_find_faults(browser: Browser, axe: str, hand: Path) -> None:
    browser.open(hand)
    browser.run(
        "document.querySelector('.controls button').removeAttribute('aria-label');"
        "document.querySelector('.controls button').textContent = '';"
        "document.querySelector('.note').style.color = '#ddd'"
    )
    found = {id for id, _, _ in faults(browser, axe)}
    assert json.dumps(sorted(found)) == json.dumps(["button-name", "color-contrast"])
