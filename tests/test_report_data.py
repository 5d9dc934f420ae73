"""What a report is made from: its numbers, their views and texts, and its figures."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_hands import (
    NETS,
    STORY,
    history,
    report,
    report_of_nothing,
    report_of_samples,
    small_report,
)

from razzstats.chips import Money
from razzstats.reports import figures, formats, palette
from razzstats.reports.data import ReportData
from razzstats.reports.views import view
from razzstats.stats.catalogue import TABLES, Kind
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import FEW

DOLLARS = Money("USD", 2)


@pytest.fixture(scope="module")
def data() -> ReportData:
    return small_report()


@pytest.fixture(scope="module")
def samples() -> ReportData:
    return report_of_samples()


@pytest.fixture(scope="module")
def empty() -> ReportData:
    return report_of_nothing()


# ---- data


def test_data_holds_the_frames_and_what_they_are_about(data: ReportData) -> None:
    assert data.title == "RazzHero"
    assert data.hands == len(STORY)
    assert data.money == DOLLARS
    assert data.results["net"].tolist() == [NETS[hand] for hand in STORY]
    assert data.quality.rejected == len(data.rejected) == 1
    assert data.period is not None
    assert [f"{moment:%Y-%m-%d %H:%M}" for moment in data.period] == [
        "2026-01-10 00:00",
        "2026-01-10 00:05",
    ]


def test_data_of_nothing_has_no_money_and_no_period(empty: ReportData) -> None:
    assert (empty.hands, empty.money, empty.period) == (0, None, None)


@pytest.mark.parametrize(
    ("filters", "title"),
    [
        (Filters(all_players=True), "All players"),
        (Filters(hero="Ann"), "Ann"),
        (Filters(), "RazzHero"),
    ],
)
def test_the_title_says_whose_hands_count(filters: Filters, title: str, tmp_path: Path) -> None:
    assert report(tmp_path, history(), filters).title == title


def test_many_heroes_are_named_in_part(tmp_path: Path) -> None:
    heroes = ["Ann-Lou", "Bob", "Cy", "Di", "Ed"]
    texts = [
        history(hero, broken=0).replace("Hand #", f"Hand #{place}")
        for place, hero in enumerate(heroes, 1)
    ]
    assert report(tmp_path, "\n\n\n".join(texts)).title == "Ann-Lou, Bob, Cy and 2 more"


def test_amounts_of_several_currencies_have_no_common_money(samples: ReportData) -> None:
    assert len(samples.results["currency"].unique()) > 1
    assert samples.money is None


# ---- values as text


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (formats.rate(0.41249), "41.2\N{NO-BREAK SPACE}%"),
        (formats.rate(1), "100.0\N{NO-BREAK SPACE}%"),
        (formats.count(1234567), "1,234,567"),
        (formats.number(0.535), "0.54"),
        (formats.signed(12.34), "+12.3"),
        (formats.signed(-12.34), "-12.3"),
        (formats.signed(0.0), "0.0"),
        (formats.signed(-0.04), "0.0"),
        (formats.signed(1234.5), "+1,234.5"),
        (formats.amount(41, DOLLARS), "+$0.41"),
        (formats.amount(-200, DOLLARS), "-$2"),
        (formats.amount(0, DOLLARS), "$0"),
        (formats.amount(-41, None), "-41"),
        (formats.whole_amount(-18.65, "EUR"), "-€18.65"),
        (formats.whole_amount(1145.0, "chips"), "+1145"),
        (formats.street(3), "3rd"),
        (formats.moment(pd.Timestamp("NaT")), "—"),
        (formats.value(pd.NA, Kind.RATE), "—"),
        (formats.value(None, Kind.TEXT), "—"),
        (formats.interval(0.3104, 0.524, Kind.RATE), "31.0–52.4\N{NO-BREAK SPACE}%"),
        (formats.interval(-12.34, 34.5, Kind.NUMBER), "-12.3 to +34.5"),
        (formats.interval(pd.NA, pd.NA, Kind.RATE), "—"),
    ],
)
def test_values_as_people_read_them(shown: str, expected: str) -> None:
    assert shown == expected


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_view_shows_every_row_under_the_catalogues_headings(
    table: Any, data: ReportData
) -> None:
    frame = getattr(data, table.name.replace("-", "_"))
    shown = view(table.name, frame, data.money)
    assert len(shown.rows) == len(frame)
    headings = {heading.text: heading.definition for heading in shown.headings}
    for row in shown.rows:
        assert len(row) == len(shown.headings)
    for column in table.columns:
        if column.heading in headings:
            assert headings[column.heading] == column.definition
        else:  # the bounds of an interval and the counts of a rate stand with their value
            folded = ("id", "unit") if table.name == "overview" else ()
            assert column.key in folded or column.key.endswith(("low", "high", "made", "chances"))


def test_a_rate_is_grey_by_its_own_chances(data: ReportData) -> None:
    frame = data.streets.copy()
    frame["reached"] = 500
    frame["fold_to_bet_chances"] = [FEW - 1, FEW, FEW, FEW, 0]
    shown = view("streets", frame)
    place = [heading.text for heading in shown.headings].index("Fold to bet")
    assert [row[place].few for row in shown.rows] == [True, False, False, False, True]
    assert [row[place].chances for row in shown.rows] == ["of 29", "of 30", "of 30", "of 30", ""]
    assert [row[place + 1].few for row in shown.rows] == [True, False, False, False, True]


# ---- figures


def test_figures_and_terminal_load_plotly_only_when_needed() -> None:
    code = (
        "import sys; import razzstats.reports.data, razzstats.reports.terminal, "
        "razzstats.reports.page; assert not [m for m in sys.modules if m.startswith('plotly')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@given(st.lists(st.integers(-40, 40), min_size=1, max_size=400), st.integers(20, 60))
def test_thinning_keeps_the_ends_and_the_extremes(steps: list[int], most: int) -> None:
    total = pd.Series(steps).cumsum()
    results = pd.DataFrame(
        {
            "number": range(1, len(steps) + 1),
            "total": total,
            "at_showdown": -2 * total,
            "without_showdown": 3 * total,
        }
    )
    thinned = figures.thin(results, most)
    assert len(thinned) <= most
    assert thinned["number"].is_monotonic_increasing
    assert thinned["number"].iloc[[0, -1]].tolist() == [1, len(steps)]
    for curve in ("total", "at_showdown", "without_showdown"):
        assert thinned[curve].max() == results[curve].max()
        assert thinned[curve].min() == results[curve].min()


def test_doors_and_cells_with_few_hands_are_grey(data: ReportData) -> None:
    doors = data.door_cards.copy()
    doors.loc[doors["door"] == "4", "hands"] = FEW
    many, few = figures.door_result_figure(doors).data
    assert (many.x, few.x) == (("4",), ("J",))
    assert (many.marker.color, few.marker.color) == (palette.NET, palette.FEW_HANDS)
    cells = data.door_streets.copy()
    cells.loc[(cells["door"] == "4") & (cells["street"] == 3), "reached"] = FEW
    many, few = figures.door_street_figure(cells).data
    assert [value for row in many.z for value in row if value is not None] == [-0.042]
    assert list(few.z[3]) == [None, -2.6, -2.6, -2.6, -2.6]
