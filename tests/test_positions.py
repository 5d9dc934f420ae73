"""Positions: those of twelve hands counted by hand, and of many as plain Python counts them."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hands import SAMPLES, check_file
from test_sessions import cells, rows, simulated
from test_stats import lines, nets, per_100, rate
from test_stats_recounted import PlayerHand, made_of, recount

from razzstats.events import BringIn, Call, Check, Fold, ParsedHand, Seat, StreetStart, Wager
from razzstats.replay import ReplayedHand
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.stats.positions import position_table
from razzstats.stats.rates import third_street
from razzstats.storage import Database, hand_rows
from razzstats.storage.decisions import insert_decisions

ORDER = ["bring-in", "0", "1", "2", "3", "4", "5", "6"]
FIRST_IN = {"complete_first_in": "Wager", "limp": "Call", "fold_first_in": "Fold"}
PER_100 = ("big_bets_per_100", "big_bets_per_100_low", "big_bets_per_100_high")


# ---- by hand

# First in: with Bob's bring-in Ann is the first of two, with Hero's Bob is; then Ann follows if Bob
# folded. Hero never is first in but for 1 and 9 and 5, heads-up; in 10 he opens in place of the
# bring-in, so that Ann is not first in there.
POSITIONS = {
    "hero": """
        position hands                won vpip complete limp fold
        bring-in h2,h3,h10,h11        2   1/2  0/0      0/0  0/0
        0        h1,h4,h5,h6,h7,h8,h9 4   6/7  3/3      0/3  0/3
    """,
    "ann": """
        position hands                won vpip complete limp fold
        bring-in a9                   1   1/1  0/0      0/0  0/0
        0        a2,a3,a10,a11,a12    2   2/5  1/4      1/4  2/4
        1        a1,a4,a6,a7,a8       2   4/5  3/5      1/5  1/5
    """,
    "bob": """
        position hands                won vpip complete limp fold
        bring-in b1,b4,b5,b6,b7,b8,b12 2  2/6  0/0      0/0  0/0
        1        b2,b3                0   0/2  0/2      0/2  2/2
    """,
}


@pytest.mark.parametrize("who", POSITIONS)
def test_positions_count_what_is_counted_by_hand(twelve: Database, who: str) -> None:
    found = rows(position_table(twelve, Filters(hero=who.title())))
    assert [row["position"] for row in found] == ORDER
    header, *expected = lines(POSITIONS[who])
    by_position = {words[0]: dict(zip(header, words, strict=True)) for words in expected}
    for row in found:
        words = by_position.get(row["position"], dict.fromkeys(header, "0/0"))
        results = nets(words["hands"]) if row["position"] in by_position else []
        won = int(words["won"]) if results else 0
        assert cells(row, "hands", "won") == (len(results), won)
        bounds = cells(row, "win_rate", "win_rate_low", "win_rate_high")
        assert bounds == (rate(f"{won}/{len(results)}"), *wilson(won, len(results)))
        assert cells(row, *PER_100) == pytest.approx(per_100(results))
        for id, word in (("vpip", "vpip"), ("complete_first_in", "complete"), ("limp", "limp"),
                         ("fold_first_in", "fold")):  # fmt: skip
            made, chances = map(int, words[word].split("/"))
            assert row[id] == rate(words[word]), (row["position"], id)
            assert cells(row, f"{id}_low", f"{id}_high") == tuple(wilson(made, chances))
            assert row[f"{id}_chances"] == chances


def test_nothing_found_is_zeros_and_no_rates(twelve: Database) -> None:
    for filters in (Filters(site="winamax"), Filters(hero="' OR 1=1 --")):
        found = rows(position_table(twelve, filters))
        assert [row.pop("position") for row in found] == ORDER
        assert {value for row in found for value in row.values()} == {0, None}


def test_a_filter_on_what_else_happened_can_be_used(twelve: Database) -> None:
    narrow = Filters(all_players=True, opponent="Bob", behind=(0, 1), low_doors=(0, 8), pot=(0, 99))
    found = rows(position_table(twelve, narrow))
    assert found[0]["hands"] == 0  # the bring-in player has nobody behind to count
    # Hero 1, 4, 5, 6, 7, 8; Ann 2, 3 and 12.
    assert cells(found[1], "hands", "limp_chances") == (9, 5)
    assert cells(found[2], "hands", "limp_chances") == (5, 5)  # Ann 1, 4, 6, 7, 8


# ---- many hands, as plain Python counts them


class Placed(NamedTuple):
    """A player's hand, his position, and what he did if he was first in."""

    did: PlayerHand
    position: str | None
    first_in: str | None


def placed(hand: ParsedHand) -> list[Placed]:
    """Follow third street; return where each player sat and what he did first in."""
    names = {player.seat: player.name for player in hand.players}
    opener: Seat | None = None
    first: dict[Seat, str | None] = {}
    entered = False
    for event in hand.events:
        if isinstance(event, StreetStart) and event.street > 3:
            break
        if isinstance(event, BringIn):
            opener = event.seat
        elif isinstance(event, Fold | Check | Call | Wager):
            opener = event.seat if opener is None else opener
            kind = type(event).__name__
            if event.seat != opener:
                first.setdefault(event.seat, None if entered else kind)
            entered = entered or kind in ("Call", "Wager")
    behind = {names[seat]: str(len(first) - 1 - place) for place, seat in enumerate(first)}
    chosen = {names[seat]: kind for seat, kind in first.items()}
    return [
        Placed(
            did,
            "bring-in" if opener and names[opener] == did.name else behind.get(did.name),
            chosen.get(did.name),
        )
        for did in recount(hand)
    ]


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    odd = [checked.replayed for file in SAMPLES.rglob("edge-*.*") for checked in check_file(file)]
    return [*simulated(), *(hand for hand in odd if hand is not None)]


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        insert_decisions(opened, [hid for (hid,) in opened.rows("SELECT hid FROM hands")])
        yield opened


FILTERS = {
    "hero": Filters(),
    "opponent": Filters(hero="low baller"),
    "all": Filters(all_players=True),
}


@pytest.mark.parametrize("who", FILTERS)
def test_positions_are_what_plain_python_counts(
    database: Database, hands: list[ReplayedHand], who: str
) -> None:
    by_position: defaultdict[str | None, list[Placed]] = defaultdict(list)
    for hand in hands:
        for each in placed(hand.parsed):
            did = each.did
            if {"hero": did.is_hero, "opponent": did.name == "low baller", "all": True}[who]:
                by_position[each.position].append(each)
    found = rows(position_table(database, FILTERS[who]))
    assert [row["position"] for row in found] == ORDER
    for row in found:
        own = by_position[row["position"]]
        counted = [each.did for each in own]
        won, _ = made_of("win_rate", counted)
        assert cells(row, "hands", "won") == (len(own), won), row["position"]
        made, chances = made_of("vpip", counted)
        assert cells(row, "vpip", "vpip_chances") == (made / chances if chances else None, chances)
        assert cells(row, *PER_100) == pytest.approx(
            per_100([did.net / did.big_bet for did in counted])
        )
        first_in = [each.first_in for each in own if each.first_in]
        for id, kind in FIRST_IN.items():
            done = first_in.count(kind)
            assert row[f"{id}_chances"] == len(first_in)
            assert row[id] == (done / len(first_in) if first_in else None), (row["position"], id)
            assert cells(row, f"{id}_low", f"{id}_high") == tuple(wilson(done, len(first_in)))
    if who == "all":
        assert all(row["hands"] for row in found)
        assert by_position[None]  # all-in for the ante: never to act


def test_first_in_is_what_third_street_says(database: Database) -> None:
    for filters in FILTERS.values():
        found = rows(position_table(database, filters))
        by_id = {row["id"]: row for row in rows(third_street(database, filters))}
        for id in FIRST_IN:
            assert sum(row[f"{id}_chances"] for row in found) == by_id[id]["chances"]
            made = sum((row[id] or 0) * row[f"{id}_chances"] for row in found)
            assert made == pytest.approx(by_id[id]["made"])
