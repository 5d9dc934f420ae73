"""The luckiest and unluckiest hands and the dearest decisions, against ways without their SQL."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from report_hands import _EQUITY, LUCK, history

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.stats import notable
from razzstats.stats.filters import Filters
from razzstats.stats.hands import biggest_pots, results
from razzstats.stats.leaks.costs import fold_rates
from razzstats.stats.leaks.marks import marks_of_hands
from razzstats.stats.notable import luckiest_hands, unluckiest_hands, worst_decisions
from razzstats.storage import Database

SAMPLES = Path(__file__).parent.parent / "sample_histories" / "pokerstars"
EVERYBODY = Filters(all_players=True)
WHO = {
    "the hero": Filters(),
    "everybody": EVERYBODY,
    "until February": Filters(until=datetime(2026, 2, 1)),
}


def of_text(text: str, folder: Path) -> Database:
    (folder / "razz.txt").write_text(text, encoding="utf-8")
    database = Database.in_memory()
    import_paths(database, [str(folder / "razz.txt")])
    measure_hands(database)
    return database


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    found = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return found  # type: ignore[return-value]


# ---- luck


def test_the_hand_that_was_measured_by_hand(tmp_path: Path) -> None:
    with of_text(history(), tmp_path) as database:
        (row,) = records(unluckiest_hands(database, Filters()))
        assert (row["hand_no"], row["name"], row["net"]) == ("103", "RazzHero", -520)
        assert row["luck"] == pytest.approx(LUCK)
        assert row["equity"] == pytest.approx(_EQUITY)
        assert luckiest_hands(database, Filters()).empty
        (other,) = records(luckiest_hands(database, Filters(hero="Ann")))
        assert (other["luck"], other["equity"]) == pytest.approx((-LUCK, 1 - _EQUITY))


@pytest.mark.parametrize("filters", WHO.values(), ids=WHO)
@pytest.mark.parametrize("limit", [1, 5, 10_000])
def test_they_are_the_ends_of_all_hands_by_luck(
    samples: Database, filters: Filters, limit: int
) -> None:
    all_hands = records(results(samples, filters))
    luck = sorted(row["luck"] for row in all_hands if row["luck"])
    lucky = [each for each in reversed(luck) if each > 0][:limit]
    unlucky = [each for each in luck if each < 0][:limit]
    for find, expected in ((luckiest_hands, lucky), (unluckiest_hands, unlucky)):
        frame = find(samples, filters, limit)
        assert frame["luck"].tolist() == pytest.approx(expected)
        for row in records(frame):
            (own,) = [each for each in all_hands
                      if each["hand_no"] == row["hand_no"] and each["luck"] == row["luck"]
                      and each["net"] == row["net"]]  # fmt: skip
            assert row["net_big_bets"] == own["big_bets"]
            assert 0 <= row["equity"] <= 1
    assert lucky or unlucky


def test_all_three_name_hands_by_the_same_columns(samples: Database) -> None:
    pots = biggest_pots(samples, EVERYBODY, 10_000)
    by_player = {(row["hid"], row["name"]): row for row in records(pots)}
    for find in (luckiest_hands, unluckiest_hands):
        frame = find(samples, EVERYBODY, 50)
        assert list(frame.columns) == [*pots.columns, "luck", "equity"]
        assert len(frame) > 20
        for row in records(frame):
            pot = by_player.get((row["hid"], row["name"]), {})
            assert {**row, **pot} == row
    numbers = dict(samples.rows("SELECT hid, hand_no FROM hands"))
    assert all(numbers[row["hid"]] == row["hand_no"] for row in by_player.values())


# ---- decisions


def test_the_worst_decisions_are_the_dearest_marks(samples: Database) -> None:
    filters, limit = Filters(hero="RazzHero", until=datetime(2026, 2, 16)), 15
    own = {
        (hid, seq): kind
        for hid, seq, kind in samples.rows(
            """SELECT hid, seq, kind FROM decisions JOIN hand_players USING (hid, seat)
            WHERE name = 'RazzHero' AND played_at < ?""",
            (filters.until,),
        )
    }
    marks = marks_of_hands(samples, sorted({hid for hid, _ in own}))
    dear = {
        place: max(
            (mark for mark in each if mark.cost is not None), key=lambda mark: mark.cost or 0
        )
        for place, each in marks.items()
        if place in own and any(mark.cost is not None for mark in each)
    }
    costs = sorted(
        (mark.cost for mark in dear.values() if mark.cost and mark.cost > 0), reverse=True
    )
    assert len(costs) > limit
    found = records(worst_decisions(samples, filters, limit))
    assert [row["cost"] for row in found] == pytest.approx(costs[:limit])
    assert len({(row["hid"], row["seq"]) for row in found}) == limit
    for row in found:
        place = row["hid"], row["seq"]
        mark = dear[place]
        assert row["cost"] == pytest.approx(mark.cost)
        assert (row["leak"], row["title"], row["advice"]) == (
            mark.rule.id, mark.rule.title, mark.rule.advice,
        )  # fmt: skip
        ((street, pot, to_call, big_bet, hand_no),) = samples.rows(
            """SELECT street, a.pot, to_call, big_bet, hand_no FROM actions AS a
            JOIN hands USING (hid) WHERE hid = ? AND seq = ?""",
            place,
        )
        assert (row["street"], row["kind"], row["hand_no"]) == (street, own[place], hand_no)
        assert row["pot_big_bets"] == pytest.approx(pot / big_bet)
        assert row["to_call_big_bets"] == pytest.approx(to_call / big_bet)
        assert (row["name"], row["site"]) == ("RazzHero", "pokerstars")


def test_fewer_are_the_first_of_more(samples: Database) -> None:
    filters = Filters(until=datetime(2026, 2, 1))
    more = worst_decisions(samples, filters, 12)
    fewer = worst_decisions(samples, filters, 3, rates=fold_rates(samples))
    pd.testing.assert_frame_equal(more.head(3), fewer)


def test_of_many_decisions_those_in_the_largest_pots_are_looked_at(
    samples: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = worst_decisions(samples, Filters(), 30)
    monkeypatch.setattr(notable, "MOST_LOOKED_AT", 60)
    some = worst_decisions(samples, Filters(), 30)
    ((least,),) = samples.rows(
        """SELECT pot / big_bet FROM decisions JOIN (SELECT hid, seat, big_bet FROM hand_players
        WHERE is_hero) USING (hid, seat) ORDER BY 1 DESC LIMIT 1 OFFSET 60"""
    )
    assert 0 < len(some) < len(everything)
    assert some["pot_big_bets"].min() >= least - 1e-9
    assert some["cost"].is_monotonic_decreasing


def test_no_more_are_priced_than_is_said(
    samples: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notable, "MOST_PRICED", 7)
    assert 0 < len(worst_decisions(samples, Filters(), 30)) <= 7


def test_without_hands_the_columns_and_their_types_are_the_same(samples: Database) -> None:
    filters = Filters(hero="nobody at all")
    for find in (worst_decisions, luckiest_hands, unluckiest_hands):
        nothing, something = find(samples, filters), find(samples, Filters())
        assert nothing.empty
        assert not something.empty
        assert list(nothing.columns) == list(something.columns)
    types = worst_decisions(samples, filters).dtypes, worst_decisions(samples, Filters(), 1).dtypes
    assert list(types[0]) == list(types[1])
