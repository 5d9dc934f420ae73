"""A page that asks for nothing and obeys nobody: text of files is never markup, nor a script."""

import base64
import csv
import hashlib
import json
import re
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plotly.offline import get_plotlyjs
from report_hands import HOSTILE, STORY, history, report, small_report, with_text
from report_html import Page, own_text, policy, unpacked_plotly

from razzstats.reports.data import ReportData
from razzstats.reports.markup import preformatted, tag, text
from razzstats.reports.page import render_page
from razzstats.reports.shell import inert_json


@pytest.fixture(scope="module")
def data() -> ReportData:
    return small_report()


@pytest.fixture(scope="module")
def page(data: ReportData) -> str:
    return render_page(data)


@pytest.fixture(scope="module")
def plain(data: ReportData) -> Page:
    return Page(render_page(with_text(data, "plain")))


# ---- markup


def test_text_is_only_text() -> None:
    assert text("<b a='\"'>&\x1b\u202e") == "&lt;b a=&#x27;&quot;&#x27;&gt;&amp;\\x1b\\u202e"


def test_attributes_are_escaped_and_left_out_when_there_is_none() -> None:
    written = tag("a", text("x"), class_='"<', aria_hidden="true", download=True, title=None)
    assert written == '<a class="&quot;&lt;" aria-hidden="true" download>x</a>'


def test_preformatted_text_keeps_its_lines() -> None:
    assert preformatted("a\tb\r\n<c>\u2028d") == "a   b\n&lt;c&gt;\\u2028d"


@given(st.text())
def test_json_in_a_script_ends_no_element_and_reads_back(content: str) -> None:
    block = inert_json({content: [content]})
    assert not re.search("[<>&\u2028\u2029]", block)
    assert json.loads(block) == {content: [content]}


# ---- the page


def test_nothing_is_fetched_from_outside(page: str) -> None:
    found = Page(page)
    for attribute in ("src", "href", "action", "srcset", "data", "poster", "formaction"):
        for value in found.values(attribute):
            assert value.startswith(("#", "data:"))
    own = own_text(page)
    assert not re.search(r"https?://|url\(|@import|//cdn", own)


def digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def test_the_policy_lets_only_the_pages_own_scripts_run(page: str) -> None:
    found = Page(page)
    rules = policy(found)
    assert rules["default-src"] == rules["connect-src"] == "'none'"
    assert rules["img-src"] == "data:"
    scripts = [script.text for script in found.all("script") if "type" not in script.attributes]
    assert len(scripts) == 3
    plotly = unpacked_plotly(found)
    assert rules["script-src"].split() == [*map(digest, scripts), digest(plotly)]
    assert plotly == get_plotlyjs()


def test_blocks_of_data_are_of_types_that_no_browser_runs(page: str) -> None:
    found = Page(page)
    blocks = {
        script.attributes.get("id"): script.attributes["type"]
        for script in found.all("script")
        if "type" in script.attributes
    }
    assert blocks == {
        "charts": "application/json", "replays": "application/json", "plotly": "text/plain"
    }  # fmt: skip
    assert not re.search("[<>&]", found.by_id("plotly").text)


def shape(page: Page) -> list[tuple[str, dict[str, str | None]]]:
    """Return the elements of a page; what its links save is text."""
    return [
        (name, {key: value for key, value in attributes.items() if "download" not in attributes})
        for name, attributes in page.shape
    ]


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
def test_text_from_files_is_never_markup(hostile: str, data: ReportData, plain: Page) -> None:
    page = render_page(with_text(data, hostile))
    found = Page(page)
    assert shape(found) == shape(plain)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800]", own_text(page))
    for trace in found.charts["chart-results"]["data"]:
        for details in trace.get("customdata") or []:  # plotly takes a few tags for markup
            assert set(re.findall("<.*?>", details)) <= {"<br>"}


def test_hostile_names_and_chat_of_a_real_hand_are_text(tmp_path: Path) -> None:
    hero, chat = "<script>alert(1)</script>", "</pre></script><svg onload=alert(1)>"
    data = report(tmp_path, history(hero, '"><img src=x onerror=alert(1)>', chat))
    assert data.hands == len(STORY)
    found = Page(render_page(data))
    assert found.all("h1")[0].text == hero
    assert not found.all("img")
    assert not found.all("svg")
    scripts = [each for each in found.all("script") if "alert(1)" in each.text]
    assert [script.attributes.get("id") for script in scripts] == ["replays"]
    (pre,) = found.all("pre")
    assert 'said, "</pre></script><svg onload=alert(1)>"' in pre.text


def test_hostile_names_of_opponents_are_text_and_no_formulas_in_a_csv(tmp_path: Path) -> None:
    hero, villain = "@SUM(1+1)", "=1+cmd|calc!A0"
    found = Page(render_page(report(tmp_path, history(hero, villain))))
    ((heading, *rows),) = found.tables_of("opponents")
    assert [row[:2] for row in rows] == [[villain, "PokerStars"], ["Ben", "PokerStars"]]
    ((heading, *rows),) = found.tables_of("sessions")
    assert [row[heading.index("Player")] for row in rows] == [hero]
    saved = [unquote(href) for href in found.values("href") if href.startswith("data:text/csv")]
    cells = [cell for content in saved for row in csv.reader(StringIO(content)) for cell in row]
    assert {f"'{hero}", f"'{villain}", "Ben"} <= set(cells)
    assert not {cell for cell in cells if cell.startswith(("=", "@"))}
