"""The replayer in a real browser: what it shows at every step, by every way to get there."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from browser import SCHEMES, WIDTHS, Browser, chromium
from report_hands import sample_hand, simulated_hands

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.reports.data import ReportData, gather
from razzstats.reports.hand_page import render_hand
from razzstats.reports.page import render_page
from razzstats.reports.replayer import anchor_of, replay_data
from razzstats.reports.told import ToldHand, tell_hand
from razzstats.simulate import render_hands, simulate_hands
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import RULES
from razzstats.stats.leaks.marks import Mark
from razzstats.storage import Database
from razzstats.story import QUICK

NAMES = ("two", "three", "eight", "side-pots")
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def told() -> dict[str, ToldHand]:
    """Hands of two, three and eight players with many steps, and one with side pots."""
    found = {}
    for name, players in (("two", 2), ("three", 3), ("eight", 8)):
        hand = max(simulated_hands(25, players, seed=players), key=lambda each: len(each.actions))
        found[name] = hand
    found["side-pots"] = sample_hand("262000000101")
    marks = {7: (Mark(RULES[0], 1.25), Mark(RULES[3], None))}
    return {name: tell_hand(hand, marks, QUICK) for name, hand in found.items()}


@pytest.fixture(scope="module")
def pages(told: dict[str, ToldHand], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("hands")
    files = {}
    for name, hand in told.items():
        files[name] = folder / f"{name}.html"
        files[name].write_text(render_hand(hand, ("a remark",)), encoding="utf-8")
    return files


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> ReportData:
    hands = tmp_path_factory.mktemp("simulated") / "hands.txt"
    hands.write_text("".join(render_hands(simulate_hands(120, seed=7))), encoding="utf-8")
    with Database.in_memory() as database:
        import_paths(database, [str(hands)])
        measure_hands(database)
        return gather(database, Filters())


@pytest.fixture(scope="module")
def report(data: ReportData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(render_page(data), encoding="utf-8")
    return file


# ---- what is shown, and what should be

READ = """
const read = () => {
  const text = (from, what) => from.querySelector(what)?.textContent ?? null;
  const place = document.querySelector("details[open] .replayer");
  const current = [...document.querySelectorAll("details[open] .story > li[aria-current]")];
  return {
    seats: [...place.querySelectorAll(".seat")].map((seat) => ({
      name: text(seat, ".name"), stack: text(seat, ".stack"),
      cards: seat.querySelector(".cards").getAttribute("aria-label"),
      drawn: seat.querySelectorAll(".card").length,
      share: text(seat, ".share"), does: text(seat, ".does"),
      folded: seat.classList.contains("folded"), acting: seat.classList.contains("acting"),
    })),
    bets: [...place.querySelectorAll(".bet")].map((bet) => bet.textContent).sort(),
    street: text(place, ".street"), pot: text(place, ".pot"),
    dead: place.querySelector(".dead .cards")?.getAttribute("aria-label") ?? null,
    basis: text(place, ".middle small"),
    told: text(place, ".now > p"),
    marks: [...place.querySelectorAll(".now .mark")].map((mark) => mark.textContent),
    count: text(place, ".count"), slider: Number(place.querySelector("input[type=range]").value),
    current: current.map((line) => Number(line.dataset.step)),
  };
};
"""
ALL_STEPS = f"""{READ}
const press = (label) => document.querySelector(`details[open] button[aria-label="${{label}}"]`);
const shown = [];
press("First step").click();
for (let step = 0; step < arguments[0]; step += 1) {{
  shown.push(read());
  press("Step on").click();
}}
return shown;
"""


def names_of(cards: str) -> str:
    """Return cards as they are read out."""
    words = []
    for place in range(0, len(cards), 2):
        rank, suit = cards[place], cards[place + 1]
        spoken = "10" if rank == "T" else rank
        words.append("unknown card" if rank == "x" else f"{spoken} of {SUITS[suit]}")
    return ", ".join(words) or "no cards"


def expected(told: ToldHand, *, all_cards: bool = False) -> list[dict[str, Any]]:
    """Return what should be shown at each step, from what the page's data say."""
    ((_, hand),) = replay_data([told]).items()
    shown: list[dict[str, Any]] = []
    state: dict[str, Any] = {}
    for number, step in enumerate(hand["steps"]):
        state = state | step
        shares = state.get("held" if all_cards else "seen")
        seats = []
        for seat, player in hand["players"].items():
            acts, folded = state["seat"] == int(seat), int(seat) in state["folded"]
            seen = state["cards"][seat]
            cards = player["cards"][: len(seen)] if all_cards else seen
            part = shares["by"].get(seat) if shares and not folded else None
            seats.append({
                "name": player["name"], "stack": state["stacks"][seat], "cards": names_of(cards),
                "drawn": len(cards) // 2, "share": part and part[0], "folded": folded,
                "acting": acts, "does": state["words"] if acts else "folded" if folded else None,
            })  # fmt: skip
        price = f" ({state['price']})" if state["price"] else ""
        name = f"{hand['players'][str(state['seat'])]['name']} " if state["seat"] else ""
        known = "the cards held" if all_cards else "what was seen"
        if shares:
            unknown = "" if shares["whole"] else ", others any cards"
            way = "exact" if shares["exact"] else "sampled"
        dead = names_of(state["dead"]) if state["dead"] else None
        shown.append({
            "seats": seats, "bets": sorted(state["bets"].values()), "street": state["street"],
            "pot": f"Pot {state['pot']}", "dead": dead,
            "basis": f"Equity by {known}{unknown}: {way}" if shares else None,
            "told": f"{name}{state['words']}{price}",
            "marks": [mark["words"] + mark["advice"] for mark in state["marks"]],
            "count": f"{number + 1} of {len(hand['steps'])}", "slider": number,
            "current": [number],
        })  # fmt: skip
    return shown


def shown_now(browser: Browser) -> dict[str, Any]:
    shown: dict[str, Any] = browser.run(f"{READ} return read();")
    return shown


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_the_table_shows_what_lay_there_at_every_step(
    browser: Browser, pages: dict[str, Path], told: dict[str, ToldHand], name: str, width: int
) -> None:
    browser.open(pages[name], width)
    wanted = expected(told[name])
    # The hand is open where its cards are dealt.
    assert shown_now(browser)["told"] == "Third street"
    assert browser.run(ALL_STEPS, len(wanted)) == wanted
    browser.run("document.querySelector('.choice input').click()")
    wanted = expected(told[name], all_cards=True)
    assert browser.run(ALL_STEPS, len(wanted)) == wanted
    assert browser.messages() == []
    assert browser.requests() == [pages[name].as_uri()]


def test_marks_and_their_advice_stand_below_the_decision(
    browser: Browser, pages: dict[str, Path], told: dict[str, ToldHand]
) -> None:
    browser.open(pages["two"])
    marked = [place for place, each in enumerate(told["two"].steps) if each.marks]
    browser.run(f"document.querySelectorAll('.story > li')[{marked[0]}].click()")
    shown = shown_now(browser)
    assert len(shown["marks"]) == 2
    assert f"{RULES[0].id} {RULES[0].title}: cost 1.25 BB{RULES[0].advice}" == shown["marks"][0]


def test_steps_by_buttons_keys_slider_and_list(
    browser: Browser, pages: dict[str, Path], told: dict[str, ToldHand]
) -> None:
    browser.open(pages["three"])
    last = len(told["three"].steps) - 1
    start = shown_now(browser)["slider"]

    def at() -> int:
        shown = shown_now(browser)
        assert shown["current"] == [shown["slider"]]
        return int(shown["slider"])

    # Keys work at once where the page has this one hand, and from within the table.
    for key, place in (("arrow_right", start + 1), ("arrow_left", start), ("end", last),
                       ("arrow_right", last), ("home", 0), ("arrow_left", 0)):  # fmt: skip
        browser.press(key)
        assert at() == place, key
    browser.click(".replayer .pot")
    for key, place in (("arrow_right", 1), ("end", last), ("home", 0)):
        browser.press(key)
        assert at() == place, key
    for label, place in (("Step on", 1), ("Step on", 2), ("Step back", 1), ("Last step", last),
                         ("First step", 0), ("Step back", 0)):  # fmt: skip
        browser.click(f"button[aria-label='{label}']")
        assert at() == place, label
    # With the slider in focus the keys move it by one step, not by two.
    browser.run("document.querySelector('input[type=range]').focus()")
    browser.press("arrow_right")
    assert at() == 1
    browser.run(
        "const slider = document.querySelector('input[type=range]'); slider.value = 7;"
        "slider.dispatchEvent(new Event('input'))"
    )
    assert at() == 7
    browser.click(".story > li[data-step='4']")
    assert at() == 4
    assert browser.messages() == []


# ---- where it stands

OVERLAPS = """
const boxes = [...document.querySelectorAll("details[open] .seat")].map((seat) => [
  seat.querySelector(".name").textContent, seat.getBoundingClientRect()]);
const table = document.querySelector("details[open] .table").getBoundingClientRect();
const found = [];
for (const words of document.querySelectorAll("details[open] .middle > *"))
  boxes.push([words.textContent, words.getBoundingClientRect()]);
boxes.forEach(([name, a], k) => {
  if (a.left < table.left - 1 || a.right > table.right + 1) found.push([name, "outside"]);
  for (const [other, b] of boxes.slice(k + 1)) {
    const beside = a.left >= b.right - 1 || b.left >= a.right - 1;
    const above = a.top >= b.bottom - 1 || b.top >= a.bottom - 1;
    if (!beside && !above) found.push([name, other]);
  }
});
return found;
"""


@pytest.mark.parametrize("width", [360, 390, 700, 1280])
@pytest.mark.parametrize("name", NAMES)
def test_no_seat_lies_on_another_nor_on_what_is_said_of_the_pot(
    browser: Browser, pages: dict[str, Path], told: dict[str, ToldHand], name: str, width: int
) -> None:
    browser.open(pages[name], width)
    browser.run("document.querySelector('.choice input').click()")
    for step in range(len(told[name].steps)):
        found = browser.run(
            f"document.querySelectorAll('details[open] .story > li')[{step}].click(); {OVERLAPS}"
        )
        assert found == [], step
    assert not browser.scrolls_sideways()


@pytest.mark.parametrize("name", ["two", "eight"])
def test_names_stand_in_upright_ink(browser: Browser, pages: dict[str, Path], name: str) -> None:
    """Italics in grey say that a number has few hands behind it; a table has no such numbers."""
    browser.open(pages[name])
    style = browser.run(
        "const style = getComputedStyle(document.querySelector('.seat:not(.folded) .name'));"
        "return [style.fontStyle, style.color === getComputedStyle(document.body).color]"
    )
    assert style == ["normal", True]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_table_takes_the_colours_of_the_scheme(
    browser: Browser, pages: dict[str, Path], scheme: str
) -> None:
    browser.open(pages["two"], scheme=scheme)
    ground = browser.run(
        "return getComputedStyle(document.querySelector('.seat')).backgroundColor.match(/[0-9]+/g)"
    )
    is_dark = sum(map(int, ground[:3])) < 3 * 128
    assert is_dark == (scheme == "dark")
    assert browser.messages() == []


def test_a_table_that_becomes_narrow_is_drawn_anew(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["eight"])
    assert browser.run("return document.querySelectorAll('.table.wide .middle').length") == 1
    browser.resize(390)
    browser.wait("return !document.querySelector('.table.wide')")
    assert browser.run("return document.querySelectorAll('.middle').length") == 1
    assert browser.run(OVERLAPS) == []


# ---- in a report


def test_a_link_opens_its_hand_in_the_report(
    browser: Browser, report: Path, data: ReportData
) -> None:
    anchor, other = (anchor_of(told) for told in data.told[:2])
    browser.open(report, anchor=anchor)
    opened = "return [...document.querySelectorAll('details.hand[open]')].map(each => each.id)"
    assert browser.run(opened) == [anchor]
    assert shown_now(browser)["told"] == "Third street"
    top = browser.run(f"return document.getElementById('{anchor}').getBoundingClientRect().top")
    assert 0 <= top < 800
    browser.run(f"document.querySelector('#hands a[href=\"#{other}\"]').click()")
    browser.wait(f"return document.getElementById('{other}').open")
    browser.wait(f"return document.querySelector('#{other} .seat')")
    assert browser.messages() == []
    assert browser.requests() == [report.as_uri()]


@pytest.mark.parametrize("anchor", ["hand-none", "%", "%E0%A4%A", "summary", "'\"><b>"])
def test_a_link_to_no_hand_does_no_harm(browser: Browser, report: Path, anchor: str) -> None:
    browser.open(report, anchor=anchor)
    browser.run("document.querySelector('details.hand > summary').click()")
    browser.wait("return document.querySelector('details.hand .seat')")
    assert browser.messages() == []


def test_hands_of_a_report_open_one_by_one_and_each_has_its_own_steps(
    browser: Browser, report: Path, data: ReportData
) -> None:
    browser.open(report)
    assert browser.run("return document.querySelectorAll('.seat').length") == 0
    first, second = (anchor_of(told) for told in data.told[:2])
    for anchor in (first, second):
        browser.run(f"document.querySelector('#{anchor} > summary').click()")
        browser.wait(f"return document.querySelector('#{anchor} .seat')")
    count = "return ['%s', '%s'].map(id => document.querySelector(`#${id} .count`).textContent)"
    before = browser.run(count % (first, second))
    browser.run(f"document.querySelector('#{first} button[aria-label=\"Last step\"]').click()")
    after = browser.run(count % (first, second))
    assert after[0] != before[0]
    assert after[1] == before[1]
    # The arrows move nothing unless a replayer has the focus.
    browser.run("document.activeElement.blur()")
    browser.press("arrow_left")
    assert browser.run(count % (first, second)) == after


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_does_not_scroll_sideways_with_its_hands_open(
    browser: Browser, report: Path, width: int
) -> None:
    browser.open(report, width)
    browser.run("for (const each of document.querySelectorAll('details.hand')) each.open = true")
    browser.wait("return document.querySelectorAll('.replayer:empty').length === 0")
    assert not browser.scrolls_sideways()


# ---- what can be taken along


def test_a_table_saved_as_csv_is_the_frame(
    browser: Browser, report: Path, data: ReportData, tmp_path: Path
) -> None:
    browser.open(report)
    browser.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    for name, frame in (("streets", data.streets), ("opponents", data.opponents.head(50))):
        browser.run(f"document.querySelector('a[download=\"{name}.csv\"]').click()")
        file = tmp_path / f"{name}.csv"
        _wait_for(browser, file)
        content = file.read_bytes()
        assert content.startswith(",".join(frame.columns).encode() + b"\r\n")
        read = pd.read_csv(file)
        for column in frame.select_dtypes("number"):
            wanted = frame[column].astype(float).to_numpy()
            assert read[column].astype(float).to_numpy() == pytest.approx(wanted, nan_ok=True)
    assert (
        pd.read_csv(tmp_path / "opponents.csv")["name"].tolist() == data.opponents["name"].tolist()
    )


def _wait_for(browser: Browser, file: Path) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser.driver, 30, poll_frequency=0.05).until(lambda _: file.exists())


def test_a_table_is_copied_as_words_between_tabs(browser: Browser, report: Path) -> None:
    browser.open(report)
    browser.run(
        "navigator.clipboard.writeText = (words) => { window.copied = words;"
        " return Promise.resolve(); }"
    )
    for section in ("streets", "opponents", "third-street"):
        browser.run(f"document.querySelector('#{section} caption .copy').click()")
        browser.wait(f"return document.querySelector('#{section} .copy').textContent === 'Copied'")
        lines = browser.run("return window.copied").split("\n")
        cells = browser.run(
            f"return [...document.querySelector('#{section} table').rows].map(row => "
            "[...row.cells].map(cell => (cell.querySelector('.defined > summary') ?? cell)"
            ".textContent.replace(/\\s+/g, ' ').trim()))"
        )
        assert [[cell.lstrip("'") for cell in line.split("\t")] for line in lines] == cells
    assert browser.messages() == []


def test_copied_names_are_no_formulas(browser: Browser, report: Path) -> None:
    browser.open(report)
    browser.run(
        "navigator.clipboard.writeText = (words) => { window.copied = words;"
        " return Promise.resolve(); };"
        "const cells = document.querySelectorAll('#opponents tbody th');"
        "cells[0].textContent = '=1+1'; cells[1].textContent = '@SUM(A1)';"
        "cells[2].textContent = '-2+3'; cells[3].textContent = '-12.5';"
        "document.querySelector('#opponents .copy').click()"
    )
    browser.wait("return window.copied")
    first = [line.split("\t")[0] for line in browser.run("return window.copied").split("\n")]
    assert first[1:5] == ["'=1+1", "'@SUM(A1)", "'-2+3", "-12.5"]


# ---- on paper, and without a script


def test_the_hand_can_be_read_without_its_script(
    browser: Browser, pages: dict[str, Path], told: dict[str, ToldHand]
) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.resize(390)
        browser.driver.get(pages["side-pots"].as_uri())
        shown = browser.find("details.hand").text
        steps = browser.driver.find_elements("css selector", ".story > li")
        assert len(steps) == len(told["side-pots"].steps)
        assert all(step.is_displayed() for step in steps)
        assert "O'Brick shows [5c 7d Kd 4c 3s Ad Qd], a seven-five low" in shown
        assert "Zoë +$9.38, As 3d 2c 6h Js 9d 4s" in shown
        assert not browser.find(".replayer").is_displayed()
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_the_report_says_without_its_script_that_tables_say_the_same(
    browser: Browser, report: Path
) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.driver.get(report.as_uri())
        assert "The chart needs JavaScript; the table says the same." in (
            browser.find("#chart-results").text
        )
        story = browser.find("details.hand .story > li")
        assert not story.is_displayed()
        browser.find("details.hand > summary").send_keys("\n")
        assert story.is_displayed()
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_on_paper_the_story_stands_and_no_table_to_step_through(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["three"])
    printed = browser.command("Page.printToPDF", printBackground=True)
    content = base64.b64decode(printed["data"])
    assert content.startswith(b"%PDF-")
    assert len(content) > 5_000
    browser.command("Emulation.setEmulatedMedia", media="print")
    try:
        assert not browser.find(".replayer").is_displayed()
        assert browser.find(".story > li").is_displayed()
    finally:
        browser.command("Emulation.setEmulatedMedia", media="")
    assert browser.find(".replayer").is_displayed()


def test_the_data_of_the_page_are_what_was_told(
    browser: Browser, pages: dict[str, Path], told: dict[str, ToldHand]
) -> None:
    browser.open(pages["eight"])
    held = json.loads(browser.run("return document.getElementById('replays').textContent"))
    assert held == json.loads(json.dumps(replay_data([told["eight"]])))
