"""Periods as people write them, what is compared with what, and hands outside of a filter."""

import csv
import json
from datetime import datetime
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import pytest
import typer
from cli import hand, razzstats, write
from report_html import Page

from razzstats.cli.periods import period_filters
from razzstats.importing import import_paths
from razzstats.stats.filters import Filters, LastSession
from razzstats.storage import Database


def day(year: int, month: int = 1, day_of_month: int = 1) -> datetime:
    return datetime(year, month, day_of_month)


# ---- spellings

PERIODS = {
    "2026": (day(2026), day(2027)),
    " 2026 ": (day(2026), day(2027)),
    "2026-11": (day(2026, 11), day(2026, 12)),
    "2026-1": (day(2026), day(2026, 2)),
    "2026-12": (day(2026, 12), day(2027)),
    "2026-11-29": (day(2026, 11, 29), day(2026, 11, 30)),
    "2026-12-31": (day(2026, 12, 31), day(2027)),
    "2024-02-29": (day(2024, 2, 29), day(2024, 3)),
    "2026-10..2026-11": (day(2026, 10), day(2026, 12)),
    "2026-10-15..2026-11": (day(2026, 10, 15), day(2026, 12)),
    "2025..2026-01-09": (day(2025), day(2026, 1, 10)),
    "2026-03 .. 2026-03": (day(2026, 3), day(2026, 4)),
    "2026-10..": (day(2026, 10), None),
    "..2026-10": (None, day(2026, 11)),
    "0001": (day(1), day(2)),
}


@pytest.mark.parametrize("text", PERIODS)
def test_a_period_is_from_its_first_moment_to_its_last(text: str) -> None:
    filters = Filters(hero="Ann", session=3, since=day(2020), until=day(2021))
    found = period_filters(filters, text)
    assert (found.since, found.until) == PERIODS[text]
    # All else stays; the session and the times are those of the other period.
    assert found == Filters(hero="Ann", since=found.since, until=found.until)


WRONG = (
    "", "..", "x", "26", "2026-13", "2026-00", "2026-11-00", "2026-02-29", "2026-11-31", "2026/11",
    "0000", "9999", "9999-12", "9999-12-31", "2026-11..2026-10", "2026..2025", "2026...2027",
    "2026..2027..2028", "2026-11-29T10:00", "-2026", "٢٠٢٦", "other", "others 2026", "last month",
    "2026-1-1-1",
)  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_period_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter) as refused:
        period_filters(Filters(), text)
    assert repr(text) in refused.value.message


@pytest.mark.parametrize("text", ["2026-13", "", "\x1b[31m", "2026-11..2026-10"])
def test_the_command_ends_with_one_sentence(tmp_path: Path, text: str) -> None:
    run = razzstats("report", tmp_path / "none", f"--compare={text}")
    assert (run.code, run.out) == (2, "")
    assert "is no period; write 2026, 2026-11, 2026-11-29, 2026-10..2026-11 or" in run.sentence
    assert run.is_plain
    assert "RZ001" not in run.err


def test_others_are_all_hands_outside_of_session_and_times() -> None:
    for chosen in (Filters(session=LastSession.LAST), Filters(hero="Ann", since=day(2026)),
                   Filters(until=day(2026)), Filters(session=2, site="winamax")):  # fmt: skip
        for text in ("others", "OTHERS", " Others "):
            found = period_filters(chosen, text)
            assert found.outside == chosen
            assert (found.session, found.since, found.until) == (None, None, None)
            assert (found.hero, found.site) == (chosen.hero, chosen.site)


def test_there_are_no_others_of_all_hands(tmp_path: Path) -> None:
    run = razzstats("report", tmp_path / "none", "--compare", "others", "--site", "pokerstars")
    assert (run.code, run.out) == (2, "")
    assert "there are no others without --session, --since or --until" in run.sentence


# ---- hands outside of a filter


TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
FILTERS = {
    "all": Filters(),
    "since": Filters(since=day(2026, 1, 15)),
    "until": Filters(until=datetime(2026, 1, 9, 19, 30)),
    "last session": Filters(session=LastSession.LAST),
    "first session": Filters(session=1),
    "none": Filters(session=999),
    "stakes": Filters(stakes=(1, 2)),
    "players": Filters(players=(2, 3)),
    "tournament": Filters(tournament=True),
    "doors": Filters(doors=frozenset({1, 2, 3})),
    "pot": Filters(pot=(0, 2)),
    "opponent": Filters(opponent="Ben"),
}


def hands(database: Database, filters: Filters) -> set[tuple[int, int]]:
    where, parameters = filters.where()
    rows = database.rows(f"SELECT hid, seat FROM hand_players WHERE {where}", parameters)
    assert len(rows) == len(set(rows))
    return set(rows)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("everybody", [False, True])
def test_hands_with_it_and_without_it_are_all_hands(
    twelve: Database, name: str, everybody: bool
) -> None:
    chosen = FILTERS[name]
    base = Filters(all_players=everybody)
    inside = Filters(**{
        field: getattr(chosen, field) for field in Filters.__slots__ if field != "all_players"
    }, all_players=everybody)  # fmt: skip
    outside = Filters(all_players=everybody, outside=inside)
    first, second, whole = (hands(twelve, each) for each in (inside, outside, base))
    assert first | second == whole
    assert not first & second
    assert whole


def test_a_hand_whose_time_is_unknown_is_outside_of_every_period(tmp_path: Path) -> None:
    write(tmp_path, a=hand(1, 0) + hand(2, 5) + hand(3, 10))
    with Database.in_memory() as database:
        import_paths(database, [str(tmp_path / "a.txt")])
        database.rows("UPDATE hand_players SET played_at = NULL WHERE minute(played_at) = 5")
        inside = Filters(since=datetime(2026, 1, 9, 19, 7))
        outside = period_filters(inside, "others")
        times = [
            {
                row[0] and row[0].minute
                for row in database.rows(f"SELECT played_at FROM hand_players WHERE {sql}", given)
            }
            for sql, given in (inside.where(), outside.where())
        ]
    assert times == [{10}, {0, None}]


# ---- both sides of a report


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("periods") / "razz.duckdb"
    assert razzstats("import", TWELVE, "--db", path).code == 0
    return path


def counts(db: Path, *options: str) -> int:
    run = razzstats("stats", "overview", "--db", db, "--format", "json", *options)
    assert run.code == 0, run.err
    return int({row["id"]: row["value"] for row in json.loads(run.out)}["hands"])


CASES = {
    "month": (["--since", "2026-01-15"], "2026-01-01..2026-01-14",
              ["--since", "2026-01-01", "--until", "2026-01-14"]),
    "day": ([], "2026-01-20", ["--since", "2026-01-20", "--until", "2026-01-20"]),
    "year": (["--session", "last"], "2026", ["--since", "2026-01-01", "--until", "2026-12-31"]),
    "nothing": ([], "2019", ["--since", "2019-01-01", "--until", "2019-12-31"]),
}  # fmt: skip


def compared(db: Path, folder: Path, *options: str) -> dict[str, dict[str, str]]:
    """Return the rows of the comparison that a page offers as CSV, by statistic."""
    file = folder / "page.html"
    run = razzstats("report", "--db", db, "--html", file, *options)
    assert run.code == 0, run.err
    (link,) = (
        each
        for each in Page(file.read_text(encoding="utf-8")).all("a")
        if each.attributes.get("download") == "comparison.csv"
    )
    content = unquote((link.attributes["href"] or "").partition(",")[2])
    return {row["id"]: row for row in csv.DictReader(StringIO(content))}


@pytest.mark.parametrize("case", CASES)
def test_both_sides_count_the_hands_that_their_filters_say(
    db: Path, tmp_path: Path, case: str
) -> None:
    own, period, same = CASES[case]
    rows = compared(db, tmp_path, "--compare", period, *own)
    assert float(rows["hands"]["first"] or 0) == counts(db, *same)
    assert float(rows["hands"]["second"]) == counts(db, *own) > 0


@pytest.mark.parametrize("own", [["--session", "last"], ["--since", "2026-01-15"]], ids=" ".join)
def test_others_and_these_are_all_hands(db: Path, tmp_path: Path, own: list[str]) -> None:
    rows = compared(db, tmp_path, "--compare", "others", *own)
    first, second = (float(rows["hands"][side]) for side in ("first", "second"))
    assert second == counts(db, *own)
    assert first == counts(db) - counts(db, *own) > 0
    words = Page((tmp_path / "page.html").read_text(encoding="utf-8")).by_id("comparison").text
    assert "all but these" in words


def test_a_report_that_compares_nothing_has_no_such_section(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert razzstats("report", "--db", db, "--html", file).code == 0
    assert 'id="comparison"' not in file.read_text(encoding="utf-8")
