"""Pages and output in which nobody is named: no name is left in them, and no figure changes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from cli import hand, razzstats, write, wrong_hand
from hands import SAMPLES
from report_hands import history, report, report_of_samples, sample_hand, sample_hands
from report_html import Page, own_text

from razzstats.reports.data import ReportData
from razzstats.reports.masking import LEFT_OUT, mask_hand, masked
from razzstats.reports.page import render_page
from razzstats.reports.replayer import anchor_of, replay_data
from razzstats.reports.told import tell_hand, tell_plainly
from razzstats.story import QUICK

_SHORTEST = 4
"""Letters of a name that is no word of a page by chance."""
_WORDS_TOO = {"Player 1", "Player 2", "Player 3", "calls 40", "folds", "table", "third street"}
"""Names in the samples that the page has as its own words."""


def names_of_samples() -> set[str]:
    """Return all names in the samples that are long enough to be looked for."""
    return {
        player.name
        for each in sample_hands()
        for player in each.parsed.players
        if len(player.name) >= _SHORTEST
    } - _WORDS_TOO


def everything(page: str) -> Iterator[str]:
    """Yield the page and all that is in it under another spelling."""
    found = Page(page)
    own = own_text(page)
    yield own
    yield unquote(own)
    yield from (element.text for element in found.elements if element.name in ("main", "title"))
    for script in found.all("script"):
        if script.attributes.get("type") == "application/json":
            yield json.dumps(json.loads(script.text), ensure_ascii=False)


def named(page: str, names: set[str]) -> set[str]:
    """Return the names that are anywhere in a page as words of their own."""
    texts = "\n".join(everything(page))
    there = (name for name in names if name in texts)
    return {name for name in there if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", texts)}


@pytest.fixture(scope="module")
def samples() -> ReportData:
    return report_of_samples()


@pytest.fixture(scope="module")
def shown(samples: ReportData) -> str:
    return render_page(masked(samples))


# ---- a report


def test_the_page_names_nobody(samples: ReportData, shown: str) -> None:
    names = names_of_samples()
    assert named(shown, names) == set()
    # They are looked for rightly: the page without masks has them.
    assert len(named(render_page(samples), names)) > 50


def test_no_name_is_left_in_what_a_page_is_made_of(samples: ReportData) -> None:
    hidden = masked(samples)
    frames = (hidden.sessions, hidden.opponents, hidden.biggest_pots, hidden.luckiest,
              hidden.unluckiest, hidden.worst_decisions)  # fmt: skip
    for frame in frames:
        assert all(re.fullmatch(r"(Hero|Player)( \d+)?", name) for name in frame["name"])
    for told in hidden.told:
        players = [player.name for player in told.hand.parsed.players]
        for name in players + [result.name for result in told.hand.results]:
            assert re.fullmatch(r"(Hero|Player)( \d+)?", name)


def test_everybody_has_one_number_everywhere(samples: ReportData) -> None:
    hidden = masked(samples)
    numbers: dict[str, str] = {}
    pairs = [
        (plain, other)
        for before, after in zip(_frames(samples), _frames(hidden), strict=True)
        for plain, other in zip(before, after, strict=True)
    ]
    pairs += [
        (one.name, other.name)
        for before, after in zip(samples.told, hidden.told, strict=True)
        for one, other in zip(before.hand.results, after.hand.results, strict=True)
    ]
    for plain, other in pairs:
        assert numbers.setdefault(plain, other) == other
    assert len(set(numbers.values())) == len(numbers) > 50
    assert {other for plain, other in numbers.items() if plain in samples.heroes} <= {
        f"Hero {number}" for number in range(1, 1 + len(samples.heroes))
    }


def _frames(data: ReportData) -> Iterator[list[str]]:
    for frame in (data.opponents, data.sessions, data.biggest_pots, data.luckiest, data.unluckiest,
                  data.worst_decisions):  # fmt: skip
        yield list(frame["name"])


def test_no_figure_changes(samples: ReportData, shown: str) -> None:
    plain, hidden = Page(render_page(samples)), Page(shown)
    assert hidden.charts == plain.charts
    for section in ("summary", "money", "luck", "door-cards", "door-pairs", "positions", "stakes",
                    "leaks", "starting-hands", "third-street", "streets"):  # fmt: skip
        assert hidden.tables_of(section) == plain.tables_of(section)
    for section, column in (("opponents", 0), ("sessions", 1), ("hands", 2)):
        for before, after in zip(plain.tables_of(section), hidden.tables_of(section), strict=True):
            kept = [[cell for k, cell in enumerate(row) if k != column] for row in before]
            assert [[cell for k, cell in enumerate(row) if k != column] for row in after] == kept


def test_the_replays_are_the_same_but_for_the_names(samples: ReportData) -> None:
    plain, hidden = replay_data(samples.told), replay_data(masked(samples).told)
    assert plain.keys() == hidden.keys()
    for anchor, before in plain.items():
        after = hidden[anchor]
        assert after["steps"] == before["steps"]
        for seat, player in before["players"].items():
            assert after["players"][seat]["cards"] == player["cards"]


def test_a_hero_of_one_name_is_hero_and_the_page_says_that_names_are_masked(
    tmp_path: Path,
) -> None:
    data = masked(report(tmp_path, history("Alexandra", "Maximilian")))
    page = Page(render_page(data))
    assert page.all("h1")[0].text == "Hero"
    assert page.all("title")[0].text == "Hero: Razz report"
    assert "names are masked" in page.all("header")[0].text
    ((_, *rows),) = page.tables_of("opponents")
    assert [row[0] for row in rows] == ["Player 1", "Player 2"]


def test_of_rejected_hands_the_code_stays_and_neither_text_nor_file(tmp_path: Path) -> None:
    chat = "Greetings to Wilhelmina"
    data = report(tmp_path, history("Alexandra", "Maximilian", chat, broken=2))
    page = render_page(masked(data))
    assert named(page, {"Alexandra", "Maximilian", "Wilhelmina", "Greetings", str(tmp_path),
                        "razz.txt"}) == set()  # fmt: skip
    section = Page(page).by_id("rejected").text
    assert "2 hands are left out" in section
    assert "RZ401: the wrong player brings in (2)" in section
    assert LEFT_OUT in section
    # Its number stays, by which the hand is found at home.
    assert section.count("PokerStars #107") == 1


# ---- one hand


def test_a_masked_hand_names_nobody_and_is_the_same_otherwise() -> None:
    for each in sample_hands():
        plain = tell_plainly(each, whole=True)
        hidden = mask_hand(plain)
        assert hidden.steps == plain.steps
        names = [result.name for result in hidden.hand.results]
        assert len(set(names)) == len(names)
        for result in hidden.hand.results:
            own = result.seat == each.parsed.hero
            assert re.fullmatch("Hero" if own else r"Player \d+", result.name)
        data = replay_data([hidden])[anchor_of(hidden)]
        assert data["steps"] == replay_data([plain])[anchor_of(plain)]["steps"]


def test_the_same_parts_of_the_pot_are_told() -> None:
    told = tell_hand(sample_hand("262000000202"), {}, QUICK)
    assert mask_hand(told).steps == told.steps


# ---- the commands


def test_the_commands_name_nobody(tmp_path: Path) -> None:
    write(tmp_path, a=hand(101, name="Alexandra").replace("Ben", "Maximilian")
          + wrong_hand(102).replace("Anna", "Alexandra").replace("Ben", "Maximilian"))  # fmt: skip
    file, page = tmp_path / "a.txt", tmp_path / "page.html"
    names = {"Alexandra", "Maximilian", str(tmp_path), "a.txt"}
    commands: list[list[str | Path]] = [
        ["report", file], ["show", "101", file], ["show", "102", file],
    ]  # fmt: skip
    for command in commands:
        run = razzstats(*command, "--mask-names")
        assert run.code == 0
        assert not {name for name in names if name in run.out}, command
        assert "Hero" in run.out
        assert razzstats(*command, "--mask-names", "--html", page).code == 0
        assert named(page.read_text(encoding="utf-8"), names) == set(), command


def test_other_players_than_the_hero_are_masked_in_filters_and_comparison(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run = razzstats(
        "report", SAMPLES / "pokerstars" / "cash-1-2-six-handed.txt", "--html", page,
        "--mask-names", "--compare", "2026-01-09", "--hero", "RazzHero", "--opponent", "low baller",
    )  # fmt: skip
    assert run.code == 0, run.err
    assert named(page.read_text(encoding="utf-8"), {"RazzHero", "low baller"}) == set()


def test_masked_pages_are_the_same_every_time(samples: ReportData, shown: str) -> None:
    assert render_page(masked(samples)) == shown
