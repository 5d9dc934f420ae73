"""The hero's decisions: prices, ranges by what can be seen, and equities without hindsight."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from razzstats.cards import DECK, Card, parse_cards
from razzstats.equity import Holding, Spot, calculate
from razzstats.importing import import_paths
from razzstats.lowball import best_low
from razzstats.ranges import STEAL_WEIGHT, Opponent, RangeKind, equity_against
from razzstats.reports.formats import records
from razzstats.stats.decisions import COLUMNS, decisions
from razzstats.stats.filters import Filters
from razzstats.storage import Database

HAND = """\
PokerStars Hand #{number}: Razz Limit ($1/$2 USD) - 2026/01/09 19:00:00 ET
Table 'Halley' 6-max
Seat 1: Anna ($40 in chips)
Seat 2: Ben ($40 in chips)
Seat 3: Cleo ($40 in chips)
Seat 4: Dan ($40 in chips)
Anna: posts the ante $0.20
Ben: posts the ante $0.20
Cleo: posts the ante $0.20
Dan: posts the ante $0.20
*** 3rd STREET ***
Dealt to Anna [Ac 2d 3h]
Dealt to Ben [Ks]
Dealt to Cleo [7d]
Dealt to Dan [{dan}]
Ben: brings in for $0.50
Cleo: raises $0.50 to $1
Dan: folds
Anna: calls $1
Ben: folds
*** 4th STREET ***
Dealt to Anna [Ac 2d 3h] [Kd]
Dealt to Cleo [7d] [5c]
Cleo: bets $1
Anna: calls $1
*** 5th STREET ***
Dealt to Anna [Ac 2d 3h Kd] [4s]
Dealt to Cleo [7d 5c] [Qh]
Cleo: checks
Anna: checks
*** 6th STREET ***
Dealt to Anna [Ac 2d 3h Kd 4s] [Qs]
Dealt to Cleo [7d 5c Qh] [2h]
Cleo: bets $2
Anna: calls $2
*** RIVER ***
Dealt to Anna [Ac 2d 3h Kd 4s Qs] [8d]
Cleo: bets $2
Anna: calls $2
*** SHOW DOWN ***
Cleo: shows [4c 6c 7d 5c Qh 2h Jd] (Lo: 7,6,5,4,2)
Anna: mucks hand
Cleo collected $13.30 from pot
*** SUMMARY ***
Total pot $13.30 | Rake $0
Seat 1: Anna mucked [Ac 2d 3h Kd 4s Qs 8d]
Seat 2: Ben folded on the 3rd Street
Seat 3: Cleo showed [4c 6c 7d 5c Qh 2h Jd] and won ($13.30) with Lo: 7,6,5,4,2
Seat 4: Dan folded on the 3rd Street (didn't bet)


"""


def frame(
    tmp_path: Path, text: str, filters: Filters | None = None, **options: Any
) -> pd.DataFrame:
    path = tmp_path / "hands.txt"
    path.write_text(text, encoding="utf-8")
    with Database.in_memory() as database:
        (report,) = import_paths(database, [str(path)])
        assert report.stored == text.count("PokerStars Hand #"), report.diagnostics
        return decisions(database, filters or Filters(), **options)


@pytest.fixture(scope="module")
def one_hand(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("decisions")
    return records(frame(path, HAND.format(number=1, dan="8s")))


def test_every_decision_has_its_price(one_hand: list[dict[str, Any]]) -> None:
    assert list(one_hand[0]) == list(COLUMNS)
    prices = [
        (row["street"], row["kind"], row["pot"], row["to_call"], row["opponents"])
        for row in one_hand
    ]
    # Antes 80, bring-in 50, completion 100; then Ben is still in when Anna acts on third street.
    assert prices == [
        (3, "call", 230, 100, 2),
        (4, "call", 430, 100, 1),
        (5, "check", 530, 0, 1),
        (6, "call", 730, 200, 1),
        (7, "call", 1_130, 200, 1),
    ]
    assert [round(row["required_equity"], 4) for row in one_hand if row["to_call"]] == [
        round(100 / 330, 4), round(100 / 530, 4), round(200 / 930, 4), round(200 / 1_330, 4),
    ]  # fmt: skip
    assert pd.isna(one_hand[2]["required_equity"])


def test_ranges_are_of_what_can_be_seen(one_hand: list[dict[str, Any]]) -> None:
    assert [row["ranges"] for row in one_hand] == [
        "xxxxKs; [8-][8-]7d",
        "[8-][8-]7d5c",
        "[8-][8-]7d5cQh",
        "[8-][8-]7d5cQh2h",
        "[8-][8-]7d5cQh2h",
    ]


def test_equity_against_ranges_has_folded_up_cards_dead(one_hand: list[dict[str, Any]]) -> None:
    own = parse_cards("Ac 2d 3h Kd 4s Qs 8d")
    boards = {4: "7d5c", 5: "7d5cQh", 6: "7d5cQh2h", 7: "7d5cQh2h"}
    for row in one_hand[1:]:
        street = row["street"]
        spot = Spot(
            (Holding(own[:street]), Holding.parse("[8-][8-]" + boards[street])),
            parse_cards("Ks 8s"),
        )
        assert row["equity_range"] == pytest.approx(float(calculate(spot).share(0)), abs=1e-12)
        assert row["equity_range_error"] == 0


def test_equity_against_shown_hands_knows_no_later_card(one_hand: list[dict[str, Any]]) -> None:
    own = parse_cards("Ac 2d 3h Kd 4s Qs 8d")
    theirs = parse_cards("4c 6c 7d 5c Qh 2h Jd")
    assert pd.isna(one_hand[0]["equity_shown"])  # Ben's down cards are not known
    for row in one_hand[1:]:
        street = row["street"]
        spot = Spot((Holding(own[:street]), Holding(theirs[:street])), parse_cards("Ks 8s"))
        assert row["equity_shown"] == pytest.approx(float(calculate(spot).share(0)), abs=1e-12)
    assert one_hand[-1]["equity_shown"] == 0


def test_several_opponents_are_sampled_alike_each_time(
    tmp_path: Path, one_hand: list[dict[str, Any]]
) -> None:
    again = records(frame(tmp_path, HAND.format(number=1, dan="8s")))
    assert again[0]["equity_range"] == one_hand[0]["equity_range"]
    assert 0.3 < again[0]["equity_range"] < 0.6


def test_a_completion_with_no_viable_door_behind_may_be_a_steal(tmp_path: Path) -> None:
    """Dan's queen cannot go on, but Anna's three can: with her behind it is none for Cleo."""
    text = HAND.format(number=1, dan="Qd")
    assert frame(tmp_path, text, equities=False)["ranges"][0] == "xxxxKs; [8-][8-]7d"
    moved = text.replace("[Ac 2d 3h]", "[Ac 3h 9c]").replace("[Ac 2d 3h Kd", "[Ac 3h 9c Kd")
    moved = moved.replace("mucked [Ac 2d 3h", "mucked [Ac 3h 9c")
    found = frame(tmp_path, moved)
    assert found["ranges"][0] == "xxxxKs; [8-][8-]7d or 30% xxxx7d"
    assert "or 30%" in found["ranges"][4]


def test_a_steal_is_weighed_by_combinations() -> None:
    hero, dead = parse_cards("Ac 2d 3h 4h"), parse_cards("Ks 8s")
    board = parse_cards("7d 9d")
    low, loose, steal = (
        equity_against(hero, [Opponent(kind, board)], dead, most_steps=10**9, samples=1)
        for kind in (RangeKind.LOW, RangeKind.ANY, RangeKind.STEAL)
    )
    # Live low cards that pair no seven: A 3, 2 3, 3 3, 4 3, 5 4, 6 4, 8 3.
    live = [3, 3, 3, 3, 4, 4, 3]
    pairs = sum(a * b for place, a in enumerate(live) for b in live[place + 1 :])
    everything = 44 * 43 // 2
    weights = ((1 - STEAL_WEIGHT) * pairs, STEAL_WEIGHT * everything)
    expected = (weights[0] * low.equity + weights[1] * loose.equity) / sum(weights)
    assert low.equity < steal.equity < loose.equity
    assert steal.equity == pytest.approx(expected, abs=1e-12)


def test_players_without_known_cards_have_prices_alone(tmp_path: Path) -> None:
    found = frame(tmp_path, HAND.format(number=1, dan="8s"), Filters(hero="Dan"))
    assert found["kind"].tolist() == ["fold"]
    assert found["required_equity"].notna().all()
    assert found[["equity_range", "equity_shown"]].isna().all().all()


def test_filters_and_order(tmp_path: Path) -> None:
    text = HAND.format(number=2, dan="8s") + HAND.format(number=1, dan="8s")
    found = frame(tmp_path, text, Filters(all_players=True), equities=False)
    assert found["name"].value_counts().to_dict() == {"Anna": 10, "Cleo": 10, "Ben": 2, "Dan": 2}
    assert found["hand_no"].tolist() == ["1"] * 12 + ["2"] * 12
    assert found["seq"].tolist()[:12] == sorted(found["seq"].tolist()[:12])
    assert frame(tmp_path, text, Filters(doors=frozenset({13}))).empty


def test_samples_of_every_room_have_their_decisions() -> None:
    folder = Path(__file__).parent.parent / "sample_histories"
    with Database.in_memory() as database:
        import_paths(database, [str(folder)])
        found = decisions(database, Filters(all_players=True), equities=False)
        (chosen,) = database.rows(
            "SELECT count(*) FROM actions WHERE kind IN"
            " ('fold', 'check', 'call', 'complete', 'bet', 'raise')"
        )
        some = decisions(database, Filters(site="kingsclub"), samples=200)
        assert some["equity_range"].notna().sum() > 20
        assert some["equity_range"].dropna().between(0, 1).all()
    assert len(found) == chosen[0]
    assert (found["opponents"] > 0).all()


def test_a_last_card_for_all_is_each_players_seventh() -> None:
    hero, villain = parse_cards("Ac 2d 3h 4s Kd Qs"), parse_cards("7d 5c Qh 2h")
    river = Card.parse("6c")
    found = equity_against(
        hero, [Opponent(RangeKind.LOW, villain)], [], river, most_steps=10**9, samples=1
    )
    beaten = deals = 0
    known = {*hero, *villain, river}
    low_cards = [card for card in DECK if card not in known and card.rank <= 8]
    own = best_low((*hero, river))
    for first, second in combinations(low_cards, 2):
        if len({first.rank, second.rank, villain[0].rank}) == 3:
            theirs = best_low((first, second, *villain, river))
            beaten += 2 * (own < theirs) + (own == theirs)
            deals += 2
    assert found.equity == pytest.approx(beaten / deals, abs=1e-12)
    assert found.error == 0
