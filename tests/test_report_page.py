"""The report's page: its sections, and that it says what the frames say."""

import dataclasses
import re
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import pandas as pd
import pytest
from cli import shell
from report_hands import (
    LUCK,
    history,
    report,
    report_of_nothing,
    report_of_samples,
    small_report,
    with_text,
)
from report_html import Page, policy

from razzstats.chips import Money
from razzstats.reports import palette
from razzstats.reports.data import MOST_OPPONENTS, ReportData
from razzstats.reports.page import render_page
from razzstats.reports.records import MOST_REJECTED
from razzstats.reports.sections_play import MOST_SESSIONS
from razzstats.stats.catalogue import DEFINED, TABLES
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import FEW

DOLLARS = Money("USD", 2)


SECTIONS = [
    "summary", "results", "money", "luck", "door-cards", "door-streets", "door-pairs", "positions",
    "stakes", "leaks", "starting-hands", "third-street", "streets", "street-rates", "hands",
    "opponents", "sessions", "rejected", "quality", "definitions",
]  # fmt: skip
"""Those of a report that sets no other period beside its own."""
CHARTS = [
    "chart-door-pairs", "chart-door-result", "chart-door-streets", "chart-door-win-rate",
    "chart-results",
]  # fmt: skip


@pytest.fixture(scope="module")
def data() -> ReportData:
    return small_report()


@pytest.fixture(scope="module")
def page(data: ReportData) -> str:
    return render_page(data)


@pytest.fixture(scope="module")
def samples() -> ReportData:
    return report_of_samples()


@pytest.fixture(scope="module")
def empty() -> ReportData:
    return report_of_nothing()


def test_the_page_has_its_sections_and_charts(page: str) -> None:
    found = Page(page)
    sections = [element.attributes["id"] for element in found.all("section")]
    assert sections == SECTIONS
    links = [element.attributes["href"] for element in found.all("a")]
    assert links[: len(SECTIONS)] == [f"#{id}" for id in SECTIONS]
    assert list(found.charts) == CHARTS
    for id in found.charts:
        assert found.by_id(id).attributes["aria-label"]


def test_ids_are_unique(page: str) -> None:
    ids = list(Page(page).values("id"))
    assert len(ids) == len(set(ids))


def test_tables_are_accessible(page: str) -> None:
    found = Page(page)
    assert len(found.all("caption")) == len(found.all("table")) == len(found.all("thead"))
    for heading in found.all("th"):
        assert heading.attributes["scope"] in ("col", "row")
    # Tables can be gone to by their names, and so can sections.
    names = [part.attributes["aria-label"] for part in found.all("div") if "tabindex" in
             part.attributes]  # fmt: skip
    assert len(names) == len(found.all("table"))
    names += [heading.text for heading in found.all("h2")]
    assert len(set(names)) == len(names)
    assert len(found.all("main")) == 1


def test_the_page_is_the_same_for_the_same_input(data: ReportData, page: str) -> None:
    assert render_page(data) == page


def test_the_page_is_the_same_in_another_process_and_at_another_time(
    page: str, tmp_path: Path
) -> None:
    """Nothing in it depends on when or how often it is made, nor on the order of sets."""
    (tmp_path / "hands.txt").write_text(history(broken=0), encoding="utf-8")
    pages = []
    for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo")):
        run = shell(
            "razzstats report hands.txt --html page.html", tmp_path, PYTHONHASHSEED=seed, TZ=zone
        )
        assert run.code == 0, run.err
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]


def test_the_summary_says_what_the_frames_say(page: str, data: ReportData) -> None:
    summary = Page(page).by_id("summary").text
    assert sum(data.results["net"]) == -290
    assert "Net in USD-$2.90in 6 hands" in summary
    low, high = data.overview.set_index("id").loc["big_bets_per_100", ["low", "high"]]
    summary = summary.replace("\N{NO-BREAK SPACE}", " ")
    assert f"95 %: {low:+.1f} to {high:+.1f}; BB/100 in 6 hands" in summary
    # From the first hand to the last five minutes passed.
    assert "Hours0.08" in summary
    assert f"Net an hour{-1.45 * 60 / 5:+.1f}BB/hour in 6 hands" in summary
    won, hands = 3, 6
    assert f"Hands won{won / hands:.1%}".replace("%", " %") in summary


def test_the_door_cards_on_the_page_equal_the_frame(page: str, data: ReportData) -> None:
    (table,) = (rows for rows in Page(page).tables if rows[0][:3] == ["Door", "Hands", "Won"])
    heading, *rows = table
    assert [row[0] for row in rows] == list("A23456789TJQK")
    for row, frame in zip(rows, data.door_cards.to_dict("records"), strict=True):
        cell = dict(zip(heading, row, strict=True))
        assert cell["Hands"] == str(frame["hands"])
        assert cell["Won"] == str(frame["won"])
        if frame["hands"]:
            assert cell["Hands won"] == f"{100 * frame['win_rate']:.1f}\N{NO-BREAK SPACE}%"
            assert cell["BB/100"] == f"{frame['big_bets_per_100']:+.1f}"
            assert cell["Net"] == DOLLARS.format(frame["net"])
        else:
            assert {cell["Hands won"], cell["BB/100"], cell["Net"]} == {"—"}
    four = dict(zip(heading, rows[3], strict=True))
    assert (four["Hands"], four["VPIP"]) == ("4", "100.0\N{NO-BREAK SPACE}%of 4")


def test_the_charts_on_the_page_equal_the_frames(page: str, data: ReportData) -> None:
    charts = Page(page).charts
    lines = {trace["name"]: trace for trace in charts["chart-results"]["data"]}
    assert lines["Net"]["y"] == [0.45, 0.35, -2.25, -1.8, -1.9, -1.45]
    assert [*reversed(lines)] == ["Net", "Luck-adjusted", "At showdown", "Without showdown"]
    adjusted = [0.45, 0.35, *(net - LUCK for net in (-2.25, -1.8, -1.9, -1.45))]
    assert lines["Luck-adjusted"]["y"] == pytest.approx(adjusted, abs=0.0051)
    assert lines["Luck-adjusted"]["line"]["color"] == palette.LUCK_ADJUSTED
    assert lines["At showdown"]["y"] == [0, 0, -2.6, -2.6, -2.6, -2.6]
    assert lines["Without showdown"]["y"] == [0.45, 0.35, 0.35, 0.8, 0.7, 1.15]
    assert lines["Net"]["x"] == data.results["number"].tolist()
    assert lines["Net"]["customdata"][2] == (
        "PokerStars #103<br>2026-01-10 00:02<br>-2.6 BB (-$5.20)"
    )
    many, few = charts["chart-door-win-rate"]["data"]
    assert (many["x"], few["x"], few["y"]) == ([], ["4", "J"], [75.0, 0.0])
    fourth_with_a_four = charts["chart-door-streets"]["data"][1]["text"][3]
    assert fourth_with_a_four == ["-0.31", "-2.60", "-2.60", "-2.60", "-2.60"]


def test_the_luck_on_the_page_equals_the_frame(page: str, data: ReportData) -> None:
    found = Page(page)
    (table,) = (rows for rows in found.tables if rows[0][0] == "Showdowns")
    heading, *rows = table
    assert heading[:3] == ["Showdowns", "Hands", "Measured"]
    one, none = ["1", "1"], ["0", "0"]
    assert [row[:3] for row in rows] == [["all-in", *none], ["last card", *one], ["all", *one]]
    cell = dict(zip(heading, rows[-1], strict=True))
    assert data.luck["luck_big_bets"].iloc[-1] == pytest.approx(LUCK)
    assert cell["Luck BB"] == f"{LUCK:+.1f}" == "-0.8"
    assert cell["of pots"] == cell["of lost"] == "100.0\N{NO-BREAK SPACE}%"
    assert cell["of won"] == "—"
    words = found.by_id("luck").text.replace("\N{NO-BREAK SPACE}", " ")
    # One showdown is too few to say whether it is much.
    assert (
        "Luck took 0.8 big bets. 1 of 1 showdowns were measured, with 100.0 % of the pots" in words
    )
    course = found.by_id("results").text
    assert f"+1.2 without; luck-adjusted {-1.45 - LUCK:+.1f}. The highest" in course
    curve = next(rows for rows in found.tables if rows[0][:2] == ["Hand", "Played (UTC)"])
    assert curve[0][2:4] == ["Net BB", "Luck-adjusted"]
    assert [row[3] for row in curve[1:]] == [
        f"{total:+.1f}" for total in data.results["luck_adjusted"]
    ]


def test_starting_hands_on_the_page_equal_the_frames(page: str, data: ReportData) -> None:
    found = Page(page)
    assert found.by_id("starting-hands").text.count("Every starting hand") == 1
    for first, frame in (("Class", data.starting_classes), ("Hand", data.starting_hands)):
        key = frame.columns[0]
        rows = next(rows for rows in found.tables if rows[0][0] == first and "BB/100" in rows[0])
        heading = rows[0]
        for row, record in zip(rows[1:], frame.to_dict("records"), strict=True):
            cell = dict(zip(heading, row, strict=True))
            assert (row[0], cell["Hands"]) == (record[key], str(record["hands"]))
            assert cell["Won"] == str(record["won"])
    assert list(data.starting_hands["starting_hand"]) == ["234", "JQK"]
    assert list(data.starting_hands["hands"]) == [4, 2]


def test_a_page_without_a_known_first_card_says_so(data: ReportData) -> None:
    none = data.starting_hands.iloc[:0]
    found = Page(render_page(dataclasses.replace(data, starting_hands=none)))
    section = found.by_id("starting-hands").text
    assert section.endswith("No starting hand is known: the files show nobody's down cards.")


def test_biggest_pots_and_rejected_hands_are_listed(page: str) -> None:
    found = Page(page)
    (pots,) = (rows for rows in found.tables if rows[0][-2:] == ["Net", "Net BB"])
    assert pots[1] == [
        "PokerStars #103", "2026-01-10 00:02", "RazzHero", "$1/$2", "4", "showdown", "J-8-4-3-2",
        "$10.60", "5.3", "-$5.20", "-2.6",
    ]  # fmt: skip
    # Those that he folded at once are not among them.
    assert [row[0] for row in pots[2:]] == [f"PokerStars #{number}" for number in (101, 104, 106)]
    rejected = found.by_id("rejected").text
    assert "One hand is left out" in rejected
    assert "RZ401: the wrong player brings in (1)" in rejected
    assert "razz.txt:189" in rejected
    assert "Ben: brings in for $0.50" in rejected


def test_definitions_come_from_the_catalogue(page: str) -> None:
    found = Page(page)
    definitions = found.by_id("definitions").text
    titles = set(found.values("title"))
    for table in TABLES:
        for column in table.columns:
            if not column.key.endswith(("_low", "_high")):
                assert column.definition in definitions
    assert "hands in which the player completed the bring-in" in "".join(titles)


def test_every_statistic_has_its_definition_where_it_stands(page: str, data: ReportData) -> None:
    found = Page(page)
    frames = {
        "summary": (data.overview, 1),
        "money": (data.money_table, 1),
        "third-street": (data.third_street, 1),
        "street-rates": (data.street_rates, 2),  # in short and in full
    }
    for section, (frame, tables) in frames.items():
        defined = [each for each in found.defined if each.section == section]
        more = BY_TIME if section == "summary" else set()
        assert {each.name for each in defined} == set(frame["title"]) | more
        rows = sum(len(table) - 1 for table in found.tables_of(section))
        figures = len(frame[frame["unit"] != "rate"]) + len(BY_TIME) if section == "summary" else 0
        assert len(found.tables_of(section)) == tables
        assert len(defined) == rows + figures
    for each in found.defined:
        assert each.title
        assert each.definition == f"{each.title[0].upper()}{each.title[1:]}."
    shown = {(each.name, each.title) for each in found.defined}
    glossary = found.by_id("definitions").text
    for stats in DEFINED.values():
        for stat in stats:
            assert (stat.title, stat.definition) in shown
            assert f"{stat.title}{stat.definition}" in glossary


BY_TIME = {"Hours", "Net an hour"}
"""What the summary shows of the table of money."""


def percent(value: float) -> str:
    return f"{100 * value:.1f}\N{NO-BREAK SPACE}%"


def rows_of(page: str, section: str, place: int = 0) -> list[dict[str, str]]:
    heading, *rows = Page(page).tables_of(section)[place]
    return [dict(zip(heading, row, strict=True)) for row in rows]


def test_third_street_on_the_page_equals_the_frame(page: str, data: ReportData) -> None:
    rows = rows_of(page, "third-street")
    records = data.third_street.to_dict("records")
    assert list(rows[0]) == ["Statistic", "Rate", "95 %", "Made", "Chances"]
    for row, record in zip(rows, records, strict=True):
        assert row["Statistic"] == record["title"]
        assert (row["Made"], row["Chances"]) == (str(record["made"]), str(record["chances"]))
        assert row["Rate"] == (percent(record["rate"]) if record["chances"] else "—")
    by_title = {row["Statistic"]: row for row in rows}
    # Ben completed before him twice; in the other hands he completed.
    assert by_title["Completed first in"]["Made"] == "4"


def test_rates_by_street_on_the_page_equal_the_frame(page: str, data: ReportData) -> None:
    short, full = rows_of(page, "street-rates"), rows_of(page, "street-rates", 1)
    assert list(short[0]) == ["Statistic", "3rd", "4th", "5th", "6th", "7th"]
    assert [row["Statistic"] for row in short] == list(dict.fromkeys(data.street_rates["title"]))
    cells = [row[street] for row in short for street in ("3rd", "4th", "5th", "6th", "7th")]
    records = data.street_rates.to_dict("records")
    for cell, row, record in zip(cells, full, records, strict=True):
        chances = record["chances"]
        rate = percent(record["rate"]) if chances else "—"
        assert cell == (f"{rate}of {chances}" if chances else "—")
        assert (row["Statistic"], row["Rate"], row["Chances"]) == (
            record["title"], rate, str(chances),
        )  # fmt: skip
    assert sum(cell != "—" for cell in cells) > 10
    assert Page(page).by_id("street-rates").text.count("All figures, street by street") == 1


def test_rates_with_few_chances_are_grey(data: ReportData) -> None:
    frame = data.street_rates.assign(
        chances=[FEW if street < 5 else FEW - 1 for street in data.street_rates["street"]],
        rate=0.5,
    )
    page = render_page(dataclasses.replace(data, street_rates=frame))
    grid = page[page.index('id="street-rates"') :].partition("</table>")[0]
    grey = re.findall(r'<td( class="few")?>50', grid)
    stats = len(set(frame["id"]))
    assert grey == [*["", ""], *[' class="few"'] * 3] * stats


def test_money_on_the_page_equals_the_frame(page: str, data: ReportData) -> None:
    rows = rows_of(page, "money")
    for row, record in zip(rows, data.money_table.to_dict("records"), strict=True):
        assert row["Statistic"] == record["title"]
        assert row["Unit"] == ("" if record["unit"] == "rate" else record["unit"])
        if record["unit"].endswith("/100"):
            assert row["Value"] == (f"{record['value']:+.1f}" if record["value"] else "0.0")
        elif record["unit"] == "rate":
            assert row["Value"] == percent(record["value"])
    by_title = {row["Statistic"]: row for row in rows}
    assert by_title["Net"]["Value"] == f"{-145 / 6:+.1f}"
    assert by_title["Net"]["Hands"] == "6"


def test_positions_on_the_page_equal_the_frame(page: str, data: ReportData) -> None:
    rows = rows_of(page, "positions")
    for row, record in zip(rows, data.positions.to_dict("records"), strict=True):
        assert (row["Left to act"], row["Hands"]) == (record["position"], str(record["hands"]))
        if record["hands"]:
            assert row["BB/100"] == f"{record['big_bets_per_100']:+.1f}"
    assert sum(int(row["Hands"]) for row in rows) == 6


def test_stakes_and_sessions_on_the_page_equal_the_frames(page: str, data: ReportData) -> None:
    (stakes,), (session,) = rows_of(page, "stakes"), rows_of(page, "sessions")
    assert (stakes["Room"], stakes["Hands"], stakes["Net"]) == ("PokerStars", "6", "-$2.90")
    assert stakes["Stakes"] == session["Stakes"] == data.stakes["stakes"].iloc[0]
    assert (session["Player"], session["Room"]) == ("RazzHero", "PokerStars")
    assert (session["Begin"], session["End"]) == ("2026-01-10 00:00", "2026-01-10 00:05")
    assert (session["Hands"], session["Net"], session["Its hand"]) == ("6", "-$2.90", "103")
    assert "One session." in Page(page).by_id("sessions").text


def test_amounts_in_several_currencies_are_told_to_be_so(samples: ReportData, page: str) -> None:
    small, mixed = Page(page), Page(render_page(samples))
    for section in ("stakes", "sessions"):
        assert "several currencies" in mixed.by_id(section).text
        assert "several currencies" not in small.by_id(section).text


def test_only_the_latest_sessions_are_listed(data: ReportData) -> None:
    count = MOST_SESSIONS + 5
    many = pd.concat([data.sessions] * count, ignore_index=True).assign(
        number=range(1, count + 1),
        begin=[
            f"2026-{1 + place // 25:02}-{1 + place % 25:02}T10:00:00Z" for place in range(count)
        ],
    )
    many.loc[count - 1, "begin"] = None  # hands without a time come last, as the oldest do
    page = render_page(dataclasses.replace(data, sessions=many))
    numbers = [int(row["No."]) for row in rows_of(page, "sessions")]
    assert numbers == list(range(count - 1, count - 1 - MOST_SESSIONS, -1))
    assert (
        f"{count} sessions, the latest first. Only the first {MOST_SESSIONS} are listed here; "
        "`razzstats stats sessions` lists all."
    ) in Page(page).by_id("sessions").text


def test_sessions_without_a_time_are_listed_below_all_others(data: ReportData) -> None:
    two = pd.concat([data.sessions] * 2, ignore_index=True).assign(number=[1, 2])
    two.loc[1, ["begin", "end"]] = None
    page = render_page(dataclasses.replace(data, sessions=two))
    first, second = rows_of(page, "sessions")
    assert (first["No."], second["No."], second["Begin"]) == ("1", "2", "—")
    assert "2 sessions, the latest first." in Page(page).by_id("sessions").text


def test_opponents_on_the_page_equal_the_frame(page: str, data: ReportData) -> None:
    rows = rows_of(page, "opponents")
    records = data.opponents.to_dict("records")
    assert [row["Player"] for row in rows] == ["Ann", "Ben"]
    for row, record in zip(rows, records, strict=True):
        assert (row["Room"], row["Hands"]) == ("PokerStars", str(record["hands"]))
        assert row["VPIP"] == f"{percent(record['vpip'])}of {record['vpip_chances']}"
        assert row["Net BB"] == f"{record['net_big_bets']:+.1f}"
    assert "2 opponents, those met most often first." in Page(page).by_id("opponents").text
    assert "Only the first" not in Page(page).by_id("opponents").text


def test_only_the_opponents_met_most_often_are_listed(data: ReportData) -> None:
    many = pd.concat([data.opponents.head(1)] * MOST_OPPONENTS, ignore_index=True).assign(
        name=[f"player {place}" for place in range(MOST_OPPONENTS)]
    )
    page = render_page(dataclasses.replace(data, opponents=many, opponents_met=1200))
    names = [row["Player"] for row in rows_of(page, "opponents")]
    assert names == [f"player {place}" for place in range(MOST_OPPONENTS)]
    words = Page(page).by_id("opponents").text
    assert f"1,200 opponents, those met most often first. Only the first {MOST_OPPONENTS}" in words


def test_a_page_without_opponents_says_so(data: ReportData) -> None:
    page = render_page(dataclasses.replace(data, opponents=data.opponents.iloc[:0]))
    assert Page(page).by_id("opponents").text.endswith("No other player is in these hands.")


# ---- what can be saved

FRAMES = {
    "overview": "overview", "money": "money_table", "luck": "luck", "door-cards": "door_cards",
    "door-streets": "door_streets", "door-pairs": "door_pairs", "positions": "positions",
    "stakes": "stakes", "starting-classes": "starting_classes", "starting-hands": "starting_hands",
    "third-street": "third_street", "streets": "streets", "street-rates": "street_rates",
    "dearest-mistakes": "worst_decisions", "luckiest": "luckiest", "unluckiest": "unluckiest",
    "biggest-pots": "biggest_pots", "opponents": "opponents", "sessions": "sessions",
}  # fmt: skip
"""The frame of the report that each file holds, by the file's name."""


def saved(page: str) -> dict[str, str]:
    """Return what the links of a page save, by the files' names."""
    files = {}
    for link in Page(page).all("a"):
        if name := link.attributes.get("download"):
            kind, _, content = (link.attributes["href"] or "").partition(",")
            assert kind == "data:text/csv;charset=utf-8"
            files[name.removesuffix(".csv")] = unquote(content)
    return files


def test_csv_is_offered_of_every_table_and_holds_its_frame(samples: ReportData) -> None:
    files = saved(render_page(samples))
    assert files.keys() == FRAMES.keys() | {"leaks"}
    frames = {name: getattr(samples, attribute) for name, attribute in FRAMES.items()}
    pairs = samples.door_pairs
    # What is saved is what is listed: pairs that were met, the latest sessions, opponents met most.
    frames["door-pairs"] = pairs[pairs["hands"] > 0]
    assert samples.opponents_met > len(samples.opponents) == MOST_OPPONENTS
    assert len(samples.sessions) > MOST_SESSIONS
    frames["sessions"] = samples.sessions.sort_values(
        "begin", ascending=False, na_position="last", kind="stable"
    ).head(MOST_SESSIONS)
    for name, frame in (frames | {"leaks": samples.leaks.all_time}).items():
        read = pd.read_csv(StringIO(files[name]), dtype=str, keep_default_na=False)
        shown = frame.drop(columns="hid", errors="ignore")
        assert list(read.columns) == list(shown.columns), name
        assert len(read) == len(shown), name
        for column in shown.select_dtypes("number"):
            numbers = pd.to_numeric(read[column]).astype(float)
            assert numbers.to_numpy() == pytest.approx(
                shown[column].astype(float).to_numpy(), nan_ok=True
            ), (name, column)
    assert list(pd.read_csv(StringIO(files["opponents"]))["hands"]) == list(
        frames["opponents"]["hands"]
    )


@pytest.mark.parametrize("sign", "=+-@")
def test_no_name_in_a_csv_is_a_formula(data: ReportData, sign: str) -> None:
    name = f"{sign}cmd|' /C calc'!A0\x1b\n"
    page = render_page(with_text(data, name))
    for file, columns in (("opponents", ["name", "site"]), ("sessions", ["name"]),
                          ("biggest-pots", ["name", "hand_no"])):  # fmt: skip
        read = pd.read_csv(StringIO(saved(page)[file]))
        for column in columns:
            assert set(read[column]) == {f"'{sign}cmd|' /C calc'!A0\\x1b\\x0a"}


def test_negative_numbers_in_a_csv_are_still_numbers(page: str) -> None:
    read = pd.read_csv(StringIO(saved(page)["biggest-pots"]))
    assert read["net"].tolist() == [-520, 90, 90, 90]


def test_only_so_many_rejected_hands_are_listed(data: ReportData) -> None:
    many = pd.concat([data.rejected] * (MOST_REJECTED + 5), ignore_index=True)
    found = Page(render_page(dataclasses.replace(data, rejected=many)))
    assert len([id for id in found.values("id") if id.startswith("rejected-")]) == (
        MOST_REJECTED + 1  # the section's heading
    )
    assert f"{MOST_REJECTED + 5} hands are left out" in found.by_id("rejected").text


def test_a_very_long_rejected_text_is_cut(data: ReportData) -> None:
    long = data.rejected.assign(text="x" * 30_000)
    (pre,) = Page(render_page(dataclasses.replace(data, rejected=long))).all("pre")
    assert pre.text.endswith("\n… 10,000 more")


def test_a_page_without_hands_says_so(empty: ReportData) -> None:
    page = render_page(empty)
    found = Page(page)
    assert "No hand is stored yet" in found.by_id("summary").text
    assert [each.attributes["id"] for each in found.all("section")] == [SECTIONS[0], *SECTIONS[-3:]]
    assert not found.all("script")
    assert len(page) < 50_000
    assert policy(found)["script-src"] == "'none'"


def test_a_page_of_no_matching_hands_says_so(tmp_path: Path) -> None:
    data = report(tmp_path, history(), Filters(hero="Nobody"))
    found = Page(render_page(data))
    assert "None of the 6 stored hands matches: Nobody." in found.by_id("summary").text
    assert [each.attributes["id"] for each in found.all("section")] == [SECTIONS[0], *SECTIONS[-3:]]
    links = [link.attributes["href"] for link in found.all("a")]
    assert links[:4] == [f"#{id}" for id in (SECTIONS[0], *SECTIONS[-3:])]
    assert "RZ401" in found.by_id("rejected").text


def test_a_page_of_one_hand_has_all_charts(tmp_path: Path) -> None:
    one = history(broken=0).split("\n\n\n")[0]
    found = Page(render_page(report(tmp_path, one)))
    assert [trace["mode"] for trace in found.charts["chart-results"]["data"]] == ["markers"] * 4


def test_all_samples_make_a_page(samples: ReportData) -> None:
    assert samples.hands
    assert Page(render_page(samples)).all("section")


def test_every_colour_has_its_dark_one(page: str) -> None:
    used = set(re.findall("#[0-9a-f]{6}", Page(page).by_id("charts").text))
    assert used <= set(palette.DARK) | set(palette.DARK.values())
    assert len(palette.DARK) == len(set(palette.DARK.values()))
