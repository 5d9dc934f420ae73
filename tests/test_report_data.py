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
    small_tables,
)

from razzstats.chips import Money
from razzstats.reports import charts, figures, formats, palette
from razzstats.reports.data import ReportData
from razzstats.reports.listings import luck_words
from razzstats.reports.views import view
from razzstats.stats.catalogue import DEFINED, TABLE_BY_NAME, TABLES, Kind
from razzstats.stats.catalogue.money import MONEY_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import FEW

DOLLARS = Money("USD", 2)
ROWS_ARE_STATISTICS = ("overview", "third-street", "street-rates", "hand-rates", "money")
# These rows of the overview over dollars alone are told apart by what they are counted in.
NO_RATES = ("hands", "sessions", "net_usd", "big_bets_per_100", "luck_adjusted_per_100")


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


def test_data_holds_the_tables_as_they_are(data: ReportData) -> None:
    held = {
        name: frame
        for name, frame in small_tables().items()
        if name != "results"  # the report's own are hand by hand
        and isinstance(getattr(data, name.replace("-", "_"), None), pd.DataFrame)
    }
    assert {
        "overview", "door-cards", "streets", "starting-hands", "luck", "third-street",
        "street-rates", "positions", "stakes", "sessions", "opponents",
    } <= held.keys()  # fmt: skip
    for name, frame in held.items():
        pd.testing.assert_frame_equal(getattr(data, name.replace("-", "_")), frame)
    pd.testing.assert_frame_equal(data.money_table, small_tables()["money"])


def test_data_of_nothing_has_no_money_and_no_period(empty: ReportData) -> None:
    assert (empty.hands, empty.money, empty.period) == (0, None, None)
    assert empty.sessions.empty
    assert empty.opponents.empty
    assert set(empty.third_street["chances"]) == {0}


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
    frame = small_tables()[table.name]
    assert table.name in ("starting-hands", "pool") or len(frame)  # a pool takes more players
    shown = view(table.name, frame, data.money)
    assert len(shown.rows) == len(frame)
    headings = {heading.text: heading.definition for heading in shown.headings}
    for row in shown.rows:
        assert len(row) == len(shown.headings)
    for column in table.columns:
        if column.heading in headings:
            assert headings[column.heading] == column.definition
        else:  # the bounds of an interval and the counts of a rate stand with their value
            folded = ("id", "unit") if table.name in ("overview", "money") else ()
            assert column.key in folded or column.key.endswith(("low", "high", "made", "chances"))


def test_columns_can_be_left_out_of_a_view() -> None:
    frame = small_tables()["third-street"]
    every = [heading.text for heading in view("third-street", frame).headings]
    assert {"Group", "Id"} <= set(every)
    fewer = view("third-street", frame, leave_out=("group", "id"))
    assert [heading.text for heading in fewer.headings] == [
        text for text in every if text not in ("Group", "Id")
    ]
    assert {len(row) for row in fewer.rows} == {len(fewer.headings)}


@pytest.mark.parametrize("table", [each for each in TABLES if each.name in ROWS_ARE_STATISTICS],
                         ids=lambda table: table.name)  # fmt: skip
def test_rows_that_are_statistics_have_their_definition_from_the_catalogue(table: Any) -> None:
    frame = small_tables()[table.name]
    shown = view(table.name, frame)
    known = {(stat.id, stat.title): stat.definition for stats in DEFINED.values() for stat in stats}
    found = 0
    for row, id in zip(shown.rows, frame["id"], strict=True):
        assert row[0].definition
        assert {cell.definition for cell in row[1:]} == {""}
        if definition := known.get((id, row[0].text)):
            assert row[0].definition == definition
            found += 1
    assert found == len(frame) - (table.name == "overview") * len(NO_RATES)
    others = [view(each.name, small_tables()[each.name]) for each in TABLES
              if each.name not in ROWS_ARE_STATISTICS]  # fmt: skip
    assert {cell.definition for each in others for row in each.rows for cell in row} <= {""}


def test_every_unit_of_money_is_known() -> None:
    # What is not known is taken for a currency.
    assert {formats.kind_of_unit(stat.unit) for stat in MONEY_STATS} == {
        Kind.RESULT, Kind.NUMBER, Kind.COUNT, Kind.RATE,
    }  # fmt: skip


def test_a_rate_is_grey_by_its_own_chances(data: ReportData) -> None:
    frame = data.streets.copy()
    frame["reached"] = 500
    frame["fold_to_bet_chances"] = [FEW - 1, FEW, FEW, FEW, 0]
    shown = view("streets", frame)
    place = [heading.text for heading in shown.headings].index("Fold to bet")
    assert [row[place].few for row in shown.rows] == [True, False, False, False, True]
    assert [row[place].chances for row in shown.rows] == ["of 29", "of 30", "of 30", "of 30", ""]
    assert [row[place + 1].few for row in shown.rows] == [True, False, False, False, True]


@pytest.mark.parametrize(
    ("name", "exact"),
    [
        ("starting-hands", {"equity", "rating"}),
        ("starting-classes", {"to_be_expected"}),
        ("third-street", set()),
        ("street-rates", set()),
    ],
)
def test_what_does_not_depend_on_the_number_of_hands_is_never_grey(
    name: str, exact: set[str]
) -> None:
    columns = {column.heading: column for column in TABLE_BY_NAME[name].columns}
    shown = view(name, small_tables()[name])
    assert shown.rows
    for place, heading in enumerate(shown.headings):
        column = columns.get(heading.text)  # an interval stands under a heading of its own
        assert column is None or column.is_exact is (column.key in exact)
        is_measured = column is None or column.kind not in (Kind.TEXT, Kind.COUNT)
        is_grey = is_measured and not (column and column.key in exact)
        # All of the small database is few.
        assert {row[place].few for row in shown.rows} == {is_grey}, heading.text


def test_a_rate_of_decisions_is_grey_by_its_chances() -> None:
    frame = small_tables()["third-street"].head(2).assign(chances=[FEW - 1, FEW])
    shown = view("third-street", frame)
    place = [heading.text for heading in shown.headings].index("Rate")
    assert [[cell.few for cell in row[place : place + 2]] for row in shown.rows] == [
        [True, True],
        [False, False],
    ]


# ---- luck in words


def words(**changes: float | None) -> str:
    row = {"hands": 1_250, "measured": 1_000, "pots_measured": 0.75, "won_measured": 0.9,
           "lost_measured": 0.8, "luck_big_bets": 12.34, "swing_big_bets": 40.0}  # fmt: skip
    return luck_words(row | changes).replace("\N{NO-BREAK SPACE}", " ")


MEASURED = "1,000 of 1,250 showdowns were measured, with 75.0 % of the pots"


def test_luck_is_told_with_how_much_it_swings_and_how_much_was_measured() -> None:
    assert words() == (
        "Luck gave 12.3 big bets, less than one standard deviation of such luck (40.0). "
        f"{MEASURED}: 90.0 % of those won, 80.0 % of those lost."
    )
    assert words(luck_big_bets=-55.5).startswith(
        "Luck took 55.5 big bets, more than one standard deviation of such luck (40.0). "
    )


def test_of_few_showdowns_nothing_is_said_about_how_much_luck_swings() -> None:
    assert words(measured=FEW - 1, luck_big_bets=-55.5).startswith(
        f"Luck took 55.5 big bets. {FEW - 1} of 1,250 showdowns were measured, with 75.0 % of"
    )
    assert words(measured=FEW).startswith(
        "Luck gave 12.3 big bets, less than one standard deviation of such luck (40.0). "
        f"{FEW} of 1,250 showdowns"
    )


@pytest.mark.parametrize("lacking", ["won_measured", "lost_measured"])
def test_where_nothing_was_won_or_lost_no_part_of_it_is_told(lacking: str) -> None:
    assert words(**{lacking: None}).endswith(f" {MEASURED}.")


def test_where_nothing_was_measured_that_is_told() -> None:
    found = words(measured=0, luck_big_bets=None, swing_big_bets=None)
    assert found == "No showdown could be measured: that takes the cards of all live players."


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
            "luck_adjusted": (5 * total) % 83,
            "at_showdown": -2 * total,
            "without_showdown": 3 * total,
        }
    )
    thinned = charts.thin(results, most)
    assert len(thinned) <= most
    assert thinned["number"].is_monotonic_increasing
    assert thinned["number"].iloc[[0, -1]].tolist() == [1, len(steps)]
    for curve in ("total", "luck_adjusted", "at_showdown", "without_showdown"):
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
