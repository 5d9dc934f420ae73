"""The page of the report in a real browser: charts are drawn, nothing is asked of the network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import WIDTHS, Browser, chromium

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.reports import palette
from razzstats.reports.data import gather
from razzstats.reports.page import render_page
from razzstats.simulate import render_hands, simulate_hands
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.catalogue.money import MONEY_STATS
from razzstats.stats.filters import Filters
from razzstats.storage import Database

# What of each chart must be there, and how much of it.
MARKS = {
    "chart-results": (".scatterlayer path.js-line", 4),
    "chart-door-win-rate": ("path.point", 13),
    "chart-door-result": ("path.yerror", 13),
    "chart-door-streets": (".heatmap-label text", 26),
    "chart-door-pairs": (".heatmap-label text", 20),
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on 150 hands, in a folder whose name is no word of a URL."""
    folder = tmp_path_factory.mktemp("a folder #1 ?")
    hands = folder / "hands.txt"
    hands.write_text("".join(render_hands(simulate_hands(150, seed=7))), encoding="utf-8")
    with Database.in_memory() as database:
        import_paths(database, [str(hands)])
        measure_hands(database)
        data = gather(database, Filters())
    file = folder / "report.html"
    file.write_text(render_page(data), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_draws_its_charts_without_a_word_and_without_the_network(
    browser: Browser, page: Path, width: int, scheme: str
) -> None:
    browser.open(page, width, scheme)
    for id, (marks, least) in MARKS.items():
        count = "return document.getElementById(arguments[0]).querySelectorAll(arguments[1]).length"
        assert browser.run(count, id, marks) >= least
        assert browser.run(count, id, "svg path") > 0
    assert browser.messages() == []
    assert browser.requests() == [page.as_uri()]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_never_scrolls_sideways(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width)
    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
    root = "document.documentElement"
    shown, wide = browser.run(f"return [{root}.clientWidth, {root}.scrollWidth]")
    assert wide <= shown <= width
    wider = browser.run(
        "return [...document.querySelectorAll('.chart svg.main-svg')]"
        ".filter(each => each.getBoundingClientRect().right > innerWidth).length"
    )
    assert wider == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_luck_adjusted_line_is_drawn_and_named(
    browser: Browser, page: Path, width: int, scheme: str
) -> None:
    browser.open(page, width, scheme)
    named = browser.run(
        "return [...document.querySelectorAll('#chart-results .legend .traces')].map(each => ["
        "each.querySelector('.legendtext').textContent,"
        "each.querySelector('.legendlines path').style.stroke])"
    )
    colors = {
        "Net": palette.NET,
        "Luck-adjusted": palette.LUCK_ADJUSTED,
        "At showdown": palette.AT_SHOWDOWN,
        "Without showdown": palette.WITHOUT_SHOWDOWN,
    }
    if scheme == "dark":
        colors = {name: palette.DARK[color] for name, color in colors.items()}
    assert named == [[name, rgb(color)] for name, color in colors.items()]
    drawn = browser.run(
        "return Object.fromEntries("
        "[...document.querySelectorAll('#chart-results .scatterlayer path.js-line')].map("
        "each => [each.style.stroke, each.getTotalLength()]))"
    )
    assert drawn.keys() == {rgb(color) for color in colors.values()}
    assert min(drawn.values()) > width / 3
    # The legend stands inside the chart, one name beside or below the other.
    outside = browser.run(
        "const chart = document.getElementById('chart-results').getBoundingClientRect();"
        "return [...document.querySelectorAll('#chart-results .legendtext')].filter(each => {"
        "const box = each.getBoundingClientRect();"
        "return box.left < chart.left || box.right > chart.right || box.top < chart.top;}).length"
    )
    assert outside == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_the_sections_on_luck_and_starting_hands_are_there(
    browser: Browser, page: Path, width: int
) -> None:
    browser.open(page, width)
    shown = browser.run(
        "return ['luck', 'starting-hands'].map(id => {"
        "const part = document.getElementById(id);"
        "const link = document.querySelector(`a[href='#${id}']`);"
        "return [part.querySelector('h2').textContent, link.textContent, part.clientHeight > 100,"
        "part.querySelector('table').rows.length]})"
    )
    assert shown == [["Luck", "Luck", True, 1 + 3], ["Starting hands"] * 2 + [True, 1 + 7]]
    details = "document.querySelector('#starting-hands details')"
    assert browser.run(f"return {details}.open") is False
    browser.run(f"{details}.open = true")
    rows = browser.run(f"return {details}.querySelectorAll('tbody tr').length")
    assert 50 < rows <= 150


@pytest.mark.parametrize("width", WIDTHS)
def test_all_sections_have_their_tables_and_their_links(
    browser: Browser, page: Path, width: int
) -> None:
    browser.open(page, width)
    shown = browser.run(
        "return [...document.querySelectorAll('nav a')].map(link => {"
        "const part = document.querySelector(link.getAttribute('href'));"
        "return [part.id, part.clientHeight > 60, part.querySelectorAll('tbody tr').length]})"
    )
    assert all(is_high for _, is_high, _ in shown)
    rows = {id: count for id, _, count in shown}
    assert (rows["money"], rows["third-street"]) == (len(MONEY_STATS), len(THIRD_STREET_STATS))
    assert rows["street-rates"] == len(STREET_STATS) * (1 + 5)
    assert (rows["positions"], rows["stakes"], rows["sessions"]) == (8, 1, 1)
    assert 5 <= rows["opponents"] <= 50
    assert browser.messages() == []


@pytest.mark.parametrize("width", WIDTHS)
def test_definitions_of_rows_open_by_key_and_show_under_the_mouse(
    browser: Browser, page: Path, width: int
) -> None:
    browser.open(page, width)
    for section, stat in (("third-street", THIRD_STREET_STATS[0]), ("money", MONEY_STATS[0])):
        row = f"document.querySelector('#{section} tbody th')"
        sentence = f"{stat.definition[0].upper()}{stat.definition[1:]}."
        assert browser.run(f"return {row}.querySelector('[title]').title") == stat.definition
        assert browser.run(f"return {row}.innerText.trim()") == stat.title
        # A table's frame takes the focus, then come its names one by one.
        name = browser.driver.find_element("css selector", f"#{section} tbody th summary")
        assert name.accessible_name == stat.title
        browser.run(f"{row}.closest('.scroll').focus()")
        browser.press_until_focused("Tab", name)
        browser.press("Enter")
        assert browser.run(f"return {row}.innerText").split() == f"{stat.title} {sentence}".split()
        browser.press("Enter")
        assert browser.run(f"return {row}.innerText.trim()") == stat.title


def test_the_charts_change_their_colours_with_the_scheme(browser: Browser, page: Path) -> None:
    net = "[...document.querySelectorAll('#chart-results path.js-line')].map(e => e.style.stroke)"
    browser.open(page, scheme="light")
    assert rgb(palette.NET) in browser.run(f"return {net}")
    browser.prefer("dark")
    browser.wait(f"return {net}.includes('{rgb(palette.DARK[palette.NET])}')")
    assert browser.messages() == []


def test_the_page_prints_in_light_colours_at_the_width_of_paper(
    browser: Browser, page: Path
) -> None:
    browser.open(page, scheme="dark")
    width = "document.querySelector('#chart-results svg.main-svg').getBoundingClientRect().width"
    before = browser.run(f"return {width}")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run(f"return {width}") == 660
    net = "[...document.querySelectorAll('#chart-results path.js-line')].map(e => e.style.stroke)"
    assert rgb(palette.NET) in browser.run(f"return {net}")
    browser.run("dispatchEvent(new Event('afterprint'))")
    browser.wait(f"return {width} === {before}")


def test_a_script_that_got_into_the_page_would_not_run(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run(
        "const script = document.createElement('script');"
        "script.textContent = 'window.ran = true'; document.body.append(script);"
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = true\">')"
    )
    browser.wait("return document.querySelector('img[src=x]').complete")
    assert browser.run("return window.ran") is None
    messages = browser.messages()
    assert len(messages) >= 2
    assert all("Content Security Policy" in message for message in messages)


def rgb(color: str) -> str:
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return f"rgb({red}, {green}, {blue})"
