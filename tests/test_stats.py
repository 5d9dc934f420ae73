"""Statistics: every number of twelve hands counted by hand, and which hands each filter counts.

The twelve hands are in golden/statistics/twelve-hands.txt. In all of them Ann, Hero and Bob sit in
seats 1, 2 and 3; hands 1 to 8 are played for $1/$2, 9 and 10 in a tournament for 100/200, and 11
and 12 for €0.50/€1. Bob is not in 9, 10 and 11, Ann not in 5, and Hero not in 12.
"""

import statistics
from collections.abc import Iterator
from datetime import datetime
from itertools import accumulate
from math import comb, hypot
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from razzstats.cards import Rank
from razzstats.equity import Holding, Spot, calculate, parse_dead_cards
from razzstats.equity.starting_hands import StartingClass, StartingHand, heads_up_results, ratings
from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.stats.catalogue import STATS, TABLE_BY_NAME, TABLES, Kind
from razzstats.stats.filters import Filters
from razzstats.stats.hands import biggest_pots, data_quality, has_player, heroes, results
from razzstats.stats.intervals import Z_95, wilson
from razzstats.stats.tables import TABLE_FUNCTIONS, count_hands
from razzstats.storage import Database

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
HERO, ANN, ALL = Filters(), Filters(hero="Ann"), Filters(all_players=True)
WHO = {"hero": HERO, "ann": ANN, "all": ALL}


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with Database.in_memory() as opened:
        (report,) = import_paths(opened, [str(TWELVE)])
        assert (report.stored, report.diagnostics) == (12, [])
        assert measure_hands(opened) == 12
        yield opened


def table(database: Database, name: str, filters: Filters) -> list[dict[str, Any]]:
    """Return a table's rows, with None for what has no value."""
    frame = TABLE_FUNCTIONS[name](database, filters)
    assert list(frame.columns) == [column.key for column in TABLE_BY_NAME[name].columns]
    objects = frame.astype(object)
    return objects.where(frame.notna(), None).to_dict("records")  # type: ignore[return-value]


def lines(text: str) -> list[list[str]]:
    """Return the words of a table written below, without its remarks."""
    rows = [line.partition("#")[0].split() for line in text.strip().splitlines()]
    return [row for row in rows if row]


def rate(fraction: str) -> float | None:
    made, chances = map(int, fraction.split("/"))
    return made / chances if chances else None


# ---- what each hand brought, in big bets: (what came back - what was put in) / big bet
#
# Hand 1: Hero 1.30 - 0.10 - 0.50; Ann lost the ante; Bob the ante and the bring-in. Hand 4: Hero
# 12.20 - 0.10 - 1 - 1 - 2 - 2. Hand 5: Bob 9.70 - 5.10. Hand 7: 1.35 - 1.10 each. Hand 8: Hero
# 6.50 - 3.10. Hand 9: Hero lost his 120 of a big bet of 200. The others likewise.
NET = {
    "hero": {1: 0.35, 2: -0.3, 3: 0.1, 4: 3.05, 5: -2.55, 6: -0.05, 7: 0.125, 8: 1.7, 9: -0.6,
             10: 0.1, 11: -0.3},
    "ann": {1: -0.05, 2: 0.35, 3: -0.05, 4: -3.05, 6: 0.55, 7: 0.125, 8: -1.55, 9: 0.6, 10: -0.1,
            11: 0.3, 12: -0.05},
    "bob": {1: -0.3, 2: -0.05, 3: -0.05, 4: -0.3, 5: 2.3, 6: -0.55, 7: -0.3, 8: -0.3, 12: 0.05},
}  # fmt: skip


def nets(hands: str) -> list[float]:
    """Return the results of hands such as ``h1,h4,a9``: Hero's 1 and 4 and Ann's 9."""
    who = {"h": "hero", "a": "ann", "b": "bob"}
    return [NET[who[hand[0]]][int(hand[1:])] for hand in hands.split(",")]


def per_100(values: list[float]) -> tuple[float | None, float | None, float | None]:
    """Return big bets per 100 hands with the 95 % interval."""
    if not values:
        return None, None, None
    mean = statistics.fmean(values)
    if len(values) < 2:
        return 100 * mean, None, None
    margin = Z_95 * statistics.stdev(values) / len(values) ** 0.5
    return 100 * mean, 100 * (mean - margin), 100 * (mean + margin)


# ---- what luck did in the three showdowns, in big bets
#
# In hands 4 and 7 it is what the last two cards did to the pot of sixth street. 39 cards are left
# for them, the 40 that are not known but for the door card of Bob, who folded: 39 * 38 deals.
#
# Hand 4: 8.80, 12.20 of 12.80 after rake, for which Hero has A3579K and Ann a made 8-6-4-2-A. He
# needs one of three deuces (7-5-3-2-A), three fours (7-5-4-3-A) or three sixes (7-6-5-3-A). Against
# the first two of these only her three threes and three fives win, against a six her three sevens
# as well; nothing is a tie. He got a six, and she nothing.
#
# Hand 7: 2.80, 2.70 after rake, for Hero with A245JJ and Ann with A245KK. 24 cards help both of
# them: 3, 6, 7, 8, 9, T. Of 15 others two make Ann a jack, like Hero's; with the rest he is ahead.
# They got a seven each, and half of the pot.
#
# Hand 9: Hero is all-in on third street with 99-3 against A5K. Ann's 46 unknown cards and his make
# too many deals for this page; how deals are counted is shown in test_equity.
DEALS = 39 * 38
_WON_4 = (3 + 3) * (38 - 6) + 3 * (38 - 9)
_BOTH_HELPED = 24 * 23 - 6 * 4 * 3  # but for the same rank
_WON_7 = _BOTH_HELPED / 2 + 24 * 15 + 15 * 14 - 2 * 14
_TIED_7 = 6 * 4 * 3 + 2 * 14
_NINTH = calculate(Spot((Holding.parse("9c9d3c"), Holding.parse("AcKc5c"))))
EQUITY = {  # Hero's
    4: _WON_4 / DEALS,
    7: (_WON_7 + _TIED_7 / 2) / DEALS,
    9: float(_NINTH.share(0)),
}
POTS = {4: 8.80 / 2 * 12.20 / 12.80, 7: 2.70 / 2, 9: 240 / 200}
GOT = {4: 1, 7: 0.5, 9: 0}
LUCK: dict[str, dict[int, float]] = {
    "hero": {hand: (GOT[hand] - EQUITY[hand]) * POTS[hand] for hand in POTS},
    "ann": {hand: (EQUITY[hand] - GOT[hand]) * POTS[hand] for hand in POTS},
    "bob": {},
}
ADJUSTED = {
    who: {hand: net - LUCK[who].get(hand, 0) for hand, net in nets_of.items()}
    for who, nets_of in NET.items()
}


def luck_of(who: str, *hands: int) -> list[float]:
    """Return what luck did in these hands to one player, or to all of them."""
    players = LUCK if who == "all" else [who]
    return [LUCK[player][hand] for player in players for hand in hands if hand in LUCK[player]]


# ---- overview

# As made/chances; what is counted is named by hand number.
RATES = """
                            hero    ann    all
win_rate                    6/11    5/11   13/31  # h1,3,4,7,8,10  a2,6,7,9,11  b5,12
brought_in                  3/11    1/11   11/31  # h2,3,11  a9  b1,4,5,6,7,8,12; none in 10
vpip                        7/9     7/11   16/28  # h1,4,5,7,8,9,10 of all but 3 and 11, where he
#                                                   had no choice; a2,4,6,7,8,9,11; b5,6 of all
#                                                   but 12
complete                    4/4     4/9    8/15   # h1,4,5,9; a2,6,7,8 of 1,2,3,4,6,7,8,11,12; b of
#                                                   2,3
saw_fourth                  6/11    6/11   14/31  # h4,5,7,8,9,11  a4,6,7,8,9,11  b5,6
saw_fifth                   4/11    3/11   8/31   # h4,5,7,9  a4,7,9  b5
saw_sixth                   4/11    3/11   8/31   # the same: nobody folded on fifth street
saw_seventh                 3/11    3/11   6/31   # hands 4, 7 and 9, without Bob
folded_after_entering       1/7     1/7    3/16   # h5 a8 b6, of those of vpip
went_to_showdown            3/6     3/6    6/14   # hands 4, 7 and 9, without Bob
went_to_showdown_from_fifth 3/4     3/3    6/8    # the same; h5 and b5 saw fifth street as well
won_at_showdown             2/3     2/3    4/6    # h4 a9, and 7 is split
shared_at_showdown          1/3     1/3    2/6    # 7
gained_at_showdown          2/3     2/3    4/6    # h4 a9, and in 7 each got 1.35 for 1.10
won_without_showdown        4/11    3/11   9/31   # h1,3,8,10  a2,6,11  b5,12
won_when_saw_fourth         3/6     4/6    8/14   # h4,7,8  a6,7,9,11  b5
won_when_saw_fifth          2/4     2/3    5/8    # h4,7  a7,9  b5
"""
# Dollars, chips, euros. Hero: .70-.60+.20+6.10-5.10-.10+.25+3.40; -120+20; -.30. Ann: -.10+.70-.10
# -6.10+1.10+.25-3.10; 120-20; .30-.05. All: less the rake of .60+.50+.10+.10+.30; nothing; nothing.
MONEY = {
    "hero": {"USD": (4.85, 8), "chips": (-100, 2), "EUR": (-0.3, 1)},
    "ann": {"USD": (-7.35, 7), "chips": (100, 2), "EUR": (0.25, 2)},
    "all": {"USD": (-1.6, 23), "chips": (0, 4), "EUR": (0, 4)},
}
# Hands 1 to 4 / 5 and 6 / 7 and 8 / 9 and 10 / 11: between 4 and 5 are 31 minutes, between 5 and 6
# just 30. Ann the same without 5, Bob hands 1 to 4 / 5 and 6 / 7 and 8 / 12.
SESSIONS = {"hero": 5, "ann": 5, "all": 5 + 5 + 4}


@pytest.mark.parametrize("who", WHO)
def test_the_overview_counts_what_is_counted_by_hand(database: Database, who: str) -> None:
    rows = {row["id"]: row for row in table(database, "overview", WHO[who])}
    header, *counted = lines(RATES)
    assert list(rows) == [
        *("hands", "sessions", "net_eur", "net_usd", "net_chips", "big_bets_per_100"),
        "luck_adjusted_per_100",
        *(id for id, *_ in counted),
    ]
    for id, *fractions in counted:
        made, chances = map(int, fractions[header.index(who)].split("/"))
        low, high = wilson(made, chances)
        row = rows[id]
        assert (row["made"], row["chances"], row["unit"]) == (made, chances, "rate"), id
        assert (row["value"], row["low"], row["high"]) == (made / chances, low, high), id
    for currency, (net, hands) in MONEY[who].items():
        row = rows[f"net_{currency.lower()}"]
        assert row["value"] == pytest.approx(net), currency
        assert (row["chances"], row["unit"]) == (hands, currency)
    players = NET if who == "all" else [who]
    results = [value for player in players for value in NET[player].values()]
    assert rows["hands"]["value"] == len(results) == count_hands(database, WHO[who])
    assert rows["sessions"]["value"] == SESSIONS[who]
    adjusted = [value for player in players for value in ADJUSTED[player].values()]
    for id, values in (("big_bets_per_100", results), ("luck_adjusted_per_100", adjusted)):
        row = rows[id]
        assert (row["value"], row["low"], row["high"]) == pytest.approx(per_100(values)), id
        assert (row["made"], row["chances"], row["unit"]) == (None, len(values), "BB/100")


# ---- door cards

# won: hands in which the player collected. net: in cents or chips; - where currencies mix.
DOOR_CARDS = {
    "hero": """
        door hands        won net   vpip complete saw4 wtsd wsd
        A    h8           1   340   1/1  0/0      1/1  0/1  0/0  # raised a completion
        3    h1,h4,h9     2   -     3/3  3/3      2/3  2/2  1/2
        4    h7           1   25    1/1  0/0      1/1  1/1  1/1  # called a completion
        6    h6           0   -10   0/1  0/0      0/1  0/0  0/0
        8    h5           0   -510  1/1  1/1      1/1  0/1  0/0
        J    h10          1   20    1/1  0/0      0/1  0/0  0/0  # opened in place of bringing in
        Q    h3,h11       1   -     0/0  0/0      1/2  0/1  0/0  # never had a choice
        K    h2           0   -60   0/1  0/0      0/1  0/0  0/0
    """,
    "ann": """
        door hands        won net   vpip complete saw4 wtsd wsd
        2    a6,a8        1   -200  2/2  2/2      2/2  0/2  0/0
        4    a2,a7        2   95    2/2  2/2      1/2  1/1  1/1
        5    a3,a10       0   -     0/2  0/1      0/2  0/0  0/0
        6    a11          1   30    1/1  0/1      1/1  0/1  0/0  # limped
        7    a12          0   -5    0/1  0/1      0/1  0/0  0/0
        8    a4           0   -610  1/1  0/1      1/1  1/1  0/1
        9    a1           0   -10   0/1  0/1      0/1  0/0  0/0
        K    a9           1   120   1/1  0/0      1/1  1/1  1/1
    """,
    "all": """
        door hands        won net   vpip complete saw4 wtsd wsd
        A    h8           1   340   1/1  0/0      1/1  0/1  0/0
        2    a6,a8,b3     1   -210  2/3  2/3      2/3  0/2  0/0
        3    h1,h4,h9     2   -     3/3  3/3      2/3  2/2  1/2
        4    h7,a2,a7     3   120   3/3  2/2      2/3  2/2  2/2
        5    a3,a10       0   -     0/2  0/1      0/2  0/0  0/0
        6    h6,a11       1   -     1/2  0/1      1/2  0/1  0/0
        7    a12,b2       0   -     0/2  0/2      0/2  0/0  0/0
        8    h5,a4        0   -1120 2/2  1/2      2/2  1/2  0/1
        9    a1           0   -10   0/1  0/1      0/1  0/0  0/0
        T    b6           0   -110  1/1  0/0      1/1  0/1  0/0
        J    h10,b4       1   -     1/2  0/0      0/2  0/0  0/0
        Q    h3,h11,b7    1   -     0/1  0/0      1/3  0/1  0/0
        K    h2,a9,b1,b5,b8,b12 3 - 2/5  0/0      2/6  1/2  1/1
    """,
}


RATES_BY_DOOR = {
    "vpip": "vpip",
    "complete": "complete",
    "saw_fourth": "saw4",
    "went_to_showdown": "wtsd",
    "won_at_showdown": "wsd",
}


@pytest.mark.parametrize("who", WHO)
def test_door_cards_count_what_is_counted_by_hand(database: Database, who: str) -> None:
    rows = table(database, "door-cards", WHO[who])
    assert "".join(row["door"] for row in rows) == "A23456789TJQK"
    header, *expected = lines(DOOR_CARDS[who])
    by_door = {words[0]: dict(zip(header, words, strict=True)) for words in expected}
    for row in rows:
        words = by_door.get(row["door"], dict.fromkeys(header, "0/0"))
        results = nets(words["hands"]) if row["door"] in by_door else []
        won = int(words["won"]) if results else 0
        assert (row["hands"], row["won"]) == (len(results), won), row
        assert row["net"] == (int(words["net"]) if words["net"] not in ("-", "0/0") else None), row
        bounds = (row["win_rate_low"], row["win_rate_high"])
        assert row["win_rate"] == rate(f"{won}/{len(results)}")
        assert bounds == wilson(won, len(results))
        per = "big_bets_per_100"
        assert (row[per], row[f"{per}_low"], row[f"{per}_high"]) == pytest.approx(per_100(results))
        for id, word in RATES_BY_DOOR.items():
            assert row[id] == rate(words[word]), (row["door"], id)
            chances = int(words[word].partition("/")[2])
            assert row.get(f"{id}_chances", len(results)) == chances, (row["door"], id)


# ---- door cards by street

# For each street that the hands named before the colon reached: folded there / won in the end.
DOOR_STREETS = {
    "hero": """
        A h8:0/1       h8:0/1
        3 h1,h4,h9:0/2 h4,h9:0/1 h4,h9:0/1 h4,h9:0/1 h4,h9:0/1
        4 h7:0/1       h7:0/1    h7:0/1    h7:0/1    h7:0/1
        6 h6:1/0
        8 h5:0/0       h5:0/0    h5:0/0    h5:1/0
        J h10:0/1
        Q h3,h11:0/1   h11:1/0
        K h2:1/0
    """,
    "ann": """
        2 a6,a8:0/1    a6,a8:1/1
        4 a2,a7:0/2    a7:0/1    a7:0/1    a7:0/1    a7:0/1
        5 a3,a10:2/0
        6 a11:0/1      a11:0/1
        7 a12:1/0
        8 a4:0/0       a4:0/0    a4:0/0    a4:0/0    a4:0/0
        9 a1:1/0
        K a9:0/1       a9:0/1    a9:0/1    a9:0/1    a9:0/1
    """,
    "all": """
        A h8:0/1       h8:0/1
        2 a6,a8,b3:1/1 a6,a8:1/1
        3 h1,h4,h9:0/2 h4,h9:0/1 h4,h9:0/1 h4,h9:0/1 h4,h9:0/1
        4 h7,a2,a7:0/3 h7,a7:0/2 h7,a7:0/2 h7,a7:0/2 h7,a7:0/2
        5 a3,a10:2/0
        6 h6,a11:1/1   a11:0/1
        7 a12,b2:2/0
        8 h5,a4:0/0    h5,a4:0/0 h5,a4:0/0 h5,a4:1/0 a4:0/0
        9 a1:1/0
        T b6:0/0       b6:1/0
        J h10,b4:1/1
        Q h3,h11,b7:1/1 h11:1/0
        K h2,a9,b1,b5,b8,b12:3/3 a9,b5:0/2 a9,b5:0/2 a9,b5:0/2 a9:0/1
    """,
}


@pytest.mark.parametrize("who", WHO)
def test_door_streets_count_what_is_counted_by_hand(database: Database, who: str) -> None:
    rows = table(database, "door-streets", WHO[who])
    assert [(row["door"], row["street"]) for row in rows] == [
        (door, street) for door in "A23456789TJQK" for street in range(3, 8)
    ]
    expected = {
        (door, street): cell
        for door, *cells in lines(DOOR_STREETS[who])
        for street, cell in enumerate(cells, 3)
    }
    for row in rows:
        hands, _, counts = expected.get((row["door"], row["street"]), "").partition(":")
        folded, won = map(int, counts.split("/")) if counts else (0, 0)
        reached = len(hands.split(",")) if hands else 0
        assert (row["reached"], row["folded"], row["won"]) == (reached, folded, won), row
        bounds = (row["win_rate_low"], row["win_rate_high"])
        assert (row["win_rate"], *bounds) == (rate(f"{won}/{reached}"), *wilson(won, reached)), row
        assert row["net_big_bets"] == (pytest.approx(sum(nets(hands))) if hands else None), row


# ---- streets

# ended: the hands that were over for the player on this street, of which he won `won`. folds: of
# the decisions with something to call, which on third street the bring-in is.
STREETS = {
    "hero": """
        street reached folded ended             won checks bets raises calls folds
        3      11      2      h1,h2,h3,h6,h10   3   0      5    1      2     2/9  # acts twice in 8
        4      6       1      h8,h11            1   1      3    0      1     1/2
        5      4       0      -                 0   1      1    0      1     0/1
        6      4       1      h5                0   2      0    0      0     1/1
        7      3       0      h4,h7,h9          2   1      0    0      1     0/1
    """,
    "ann": """
        street reached folded ended             won checks bets raises calls folds
        3      11      4      a1,a2,a3,a10,a12  1   0      4    1      4     4/13 # twice in 4, 8
        4      6       1      a6,a8,a11         2   1      2    0      1     1/2
        5      3       0      -                 0   2      0    0      1     0/1
        6      3       0      -                 0   2      0    0      0     0/0
        7      3       0      a4,a7,a9          2   1      1    0      0     0/0
    """,
    "all": """
        street reached folded ended             won checks bets raises calls folds
        3      31      12     h1,h2,h3,h6,h10,a1,a2,a3,a10,a12,b1,b2,b3,b4,b7,b8,b12
        +                                       5   0      9    2      8     12/30
        4      14      3      h8,h11,a6,a8,a11,b6
        +                                       3   2      5    1      2     3/6
        5      8       0      -                 0   3      2    0      2     0/2
        6      8       1      h5,b5             1   4      1    0      0     1/1
        7      6       0      h4,h7,h9,a4,a7,a9 4   2      1    0      1     0/1
    """,
}


@pytest.mark.parametrize("who", WHO)
def test_streets_count_what_is_counted_by_hand(database: Database, who: str) -> None:
    rows = table(database, "streets", WHO[who])
    expected = lines(STREETS[who].replace("\n        +", ""))[1:]
    for row, words in zip(rows, expected, strict=True):
        street, reached, folded, ended, won, checks, bets, raises, calls, folds = words
        over = [] if ended == "-" else nets(ended)
        assert [row[key] for key in ("street", "reached", "folded", "ended", "won")] == [
            *map(int, (street, reached, folded)), len(over), int(won)
        ], row  # fmt: skip
        assert row["net_big_bets"] == pytest.approx(sum(over)), row
        assert [row[key] for key in ("checks", "bets", "raises", "calls")] == [
            *map(int, (checks, bets, raises, calls))
        ], row
        made, chances = map(int, folds.split("/"))
        assert (row["fold_to_bet_made"], row["fold_to_bet_chances"]) == (made, chances), row
        bounds = (row["fold_to_bet_low"], row["fold_to_bet_high"])
        assert (row["fold_to_bet"], *bounds) == (rate(folds), *wilson(made, chances)), row
        wagers = int(bets) + int(raises)
        assert row["aggression"] == (wagers / int(calls) if int(calls) else None), row


# ---- starting hands

# dead: the other door cards of each hand. net: in cents or chips. Ann's first cards are known only
# where she showed them, and Bob's never.
STARTING_HANDS = """
    ranks class holders dead  won net  vpip complete saw4
    A24   wheel h7      4Q    1   25   1/1  0/0      1/1
    A34   wheel h8      2K    1   340  1/1  0/0      1/1
    235   wheel h1      9K    1   70   1/1  1/1      0/1
    A37   seven h4      8J    1   610  1/1  1/1      1/1
    348   eight h5      K     0   -510 1/1  1/1      1/1
    23J   high  h10     5     1   20   1/1  0/0      0/1
    399   other h9      K     0   -120 1/1  1/1      1/1
    59K   other h2      47    0   -60  0/1  0/0      0/1
    6JQ   other h6      2T    0   -10  0/1  0/0      0/1
    88Q   other h11     6     0   -30  0/0  0/0      1/1
    99Q   other h3      52    1   20   0/0  0/0      0/1
"""
OF_ANN = """
    A24   wheel a7      4Q    1   25   1/1  1/1      1/1
    A28   eight a4      3J    0   -610 1/1  0/1      1/1
    A5K   high  a9      3     1   120  1/1  0/0      1/1
"""
HEADER, *OF_HERO = lines(STARTING_HANDS)
KNOWN = {"hero": OF_HERO, "ann": lines(OF_ANN), "all": OF_HERO + lines(OF_ANN)}
# How many of the 22,100 ways to be dealt three cards, four suits to a rank.
CLASSES = {
    "wheel": (StartingClass.WHEEL_CARDS, comb(5, 3) * 64),
    "seven": (StartingClass.SEVEN, (comb(7, 3) - comb(5, 3)) * 64),
    "eight": (StartingClass.EIGHT, comb(7, 2) * 64),
    "nine": (StartingClass.NINE, comb(8, 2) * 64),
    "high": (StartingClass.TWO_LOW, comb(8, 2) * 4 * 64),
    "pair": (StartingClass.LOW_PAIR, 8 * 7 * comb(4, 2) * 4),
    "other": (StartingClass.OTHER, 8_212),
}


def check_results(row: dict[str, Any], members: list[dict[str, str]]) -> None:
    """Check the columns that tell how a group of hands fared; each member is one hand."""
    results = nets(",".join(each["holders"] for each in members)) if members else []
    won = sum(int(each["won"]) for each in members)
    assert (row["hands"], row["won"]) == (len(results), won)
    assert row["win_rate"] == rate(f"{won}/{len(results)}")
    assert (row["win_rate_low"], row["win_rate_high"]) == wilson(won, len(results))
    per = "big_bets_per_100"
    assert (row[per], row[f"{per}_low"], row[f"{per}_high"]) == pytest.approx(per_100(results))
    for id in ("vpip", "complete", "saw_fourth"):
        fractions = [each[RATES_BY_DOOR[id]].split("/") for each in members]
        made, chances = (sum(int(fraction[place]) for fraction in fractions) for place in (0, 1))
        assert row[id] == rate(f"{made}/{chances}"), id
        assert row.get(f"{id}_chances", len(results)) == chances, id


def known(who: str) -> list[dict[str, str]]:
    return [dict(zip(HEADER, words, strict=True)) for words in KNOWN[who]]


@pytest.mark.parametrize("who", WHO)
def test_starting_hands_count_what_is_counted_by_hand(database: Database, who: str) -> None:
    rows = table(database, "starting-hands", WHO[who])
    members = known(who)
    assert {row["starting_hand"] for row in rows} == {each["ranks"] for each in members}
    assert [row["rank"] for row in rows] == sorted({row["rank"] for row in rows})
    order = list(heads_up_results())
    for row in rows:
        own = [each for each in members if each["ranks"] == row["starting_hand"]]
        check_results(row, own)
        assert row["net"] is None  # dollars and chips, for all of them
        hand = StartingHand.of(map(Rank.parse, row["starting_hand"]))
        assert row["class"] == CLASSES[own[0]["class"]][0]
        assert row["rank"] == order.index(hand) + 1
        assert row["equity"] == float(heads_up_results()[hand].equity)
        dead = [parse_dead_cards(each["dead"]) for each in own]
        counts = [[list(cards).count(rank) for rank in Rank] for cards in dead]
        nobody, *live = ratings(hand, [[0] * len(Rank), *counts])
        assert row["rating"] == pytest.approx(nobody)
        assert row["live_rating"] == pytest.approx(statistics.fmean(live))
        assert row["live_rating"] != pytest.approx(row["rating"], rel=1e-3)


@pytest.mark.parametrize("who", WHO)
def test_starting_classes_count_what_is_counted_by_hand(database: Database, who: str) -> None:
    rows = table(database, "starting-classes", WHO[who])
    assert sum(ways for _, ways in CLASSES.values()) == comb(52, 3)
    assert [row["class"] for row in rows] == [kind for kind, _ in CLASSES.values()]
    for row, (name, (_, ways)) in zip(rows, CLASSES.items(), strict=True):
        members = [each for each in known(who) if each["class"] == name]
        check_results(row, members)
        assert row["dealt"] == len(members) / len(known(who))
        assert row["to_be_expected"] == ways / comb(52, 3)
        assert row["net"] is None  # dollars and chips, for all of them


def test_the_money_of_starting_hands_is_added_up_in_one_currency(database: Database) -> None:
    # Hands 1 to 8 are played for dollars, 9 and 10 for chips, 11 for euros.
    holders = {"USD": ("h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"), "chips": ("h9", "h10"),
               "EUR": ("h11",)}  # fmt: skip
    for currency, hands in holders.items():
        rows = table(database, "starting-hands", Filters(currency=currency))
        own = [each for each in known("hero") if each["holders"] in hands]
        assert {row["starting_hand"]: row["net"] for row in rows} == {
            each["ranks"]: int(each["net"]) for each in own
        }


def test_the_money_of_starting_classes_is_added_up_in_one_currency(database: Database) -> None:
    rows = table(database, "starting-classes", Filters(currency="USD"))
    nets = {row["class"]: row["net"] for row in rows}
    assert nets[StartingClass.WHEEL_CARDS] == 25 + 340 + 70
    assert nets[StartingClass.OTHER] == -60 - 10 + 20
    assert nets[StartingClass.NINE] is None


# ---- luck

# The showdowns by what is measured in them.
SHOWDOWNS = {"all-in": (9,), "last card": (4, 7), "all": (4, 7, 9)}


@pytest.mark.parametrize("who", WHO)
def test_luck_is_what_is_counted_by_hand(database: Database, who: str) -> None:
    rows = table(database, "luck", WHO[who])
    assert [row["kind"] for row in rows] == list(SHOWDOWNS)
    for row, showdowns in zip(rows, SHOWDOWNS.values(), strict=True):
        luck = luck_of(who, *showdowns)
        assert row["hands"] == row["measured"] == len(luck)
        assert row["pots_measured"] == 1
        assert row["luck_big_bets"] == pytest.approx(sum(luck))
        assert row["swing_big_bets"] == pytest.approx(hypot(*luck))


def test_how_many_of_those_won_and_lost_could_be_measured(database: Database) -> None:
    # Hero won 4 and half of 7, and lost 9 all-in; Ann the other way round.
    rates = {
        who: [
            (row["won_measured"], row["lost_measured"]) for row in table(database, "luck", WHO[who])
        ]
        for who in WHO
    }
    assert rates == {
        "hero": [(None, 1), (1, None), (1, 1)],
        "ann": [(1, None), (1, 1), (1, 1)],
        "all": [(1, 1), (1, 1), (1, 1)],
    }


def test_those_who_folded_have_no_luck(database: Database) -> None:
    rows = table(database, "luck", Filters(hero="Bob"))
    assert [row["hands"] for row in rows] == [0, 0, 0]
    assert {row["luck_big_bets"] for row in rows} == {None}
    found = {row["id"]: row["value"] for row in table(database, "overview", Filters(hero="Bob"))}
    assert found["luck_adjusted_per_100"] == found["big_bets_per_100"]


# ---- filters

EVERY_HAND = set(range(1, 12))  # Hero's


def hands_counted(database: Database, **narrowed: Any) -> set[int]:
    """Return the numbers of the hands that filters count; all tables must count as many."""
    filters = Filters(**narrowed)
    frame = results(database, filters)
    total = table(database, "overview", filters)[0]["value"]
    assert total == len(frame) == count_hands(database, filters)
    for name in ("door-cards", "door-streets", "streets"):
        key = "hands" if name == "door-cards" else "reached"
        rows = table(database, name, filters)
        assert total == sum(row[key] for row in rows if row.get("street", 3) == 3), name
    return set(map(int, frame["hand_no"]))


def check_what_is_known(database: Database, expected: set[int], **narrowed: Any) -> None:
    """Check that the tables of showdowns and of known first cards count those of these hands."""
    filters = Filters(**narrowed)
    shown = expected & {4, 7, 9}
    assert table(database, "luck", filters)[-1]["hands"] == len(shown)
    known = shown if narrowed.get("hero") == "Ann" else expected
    for name in ("starting-classes", "starting-hands"):
        assert sum(row["hands"] for row in table(database, name, filters)) == len(known), name
    curve = results(database, filters)
    assert set(map(int, curve["hand_no"][curve["luck"].notna()])) == shown


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({}, EVERY_HAND),
        ({"site": "pokerstars"}, EVERY_HAND),
        ({"site": "winamax"}, set()),
        ({"stakes": (1, 2)}, {1, 2, 3, 4, 5, 6, 7, 8}),
        ({"stakes": (0.5, 1)}, {11}),
        ({"stakes": (100, 200)}, {9, 10}),
        ({"stakes": (1, 4)}, set()),
        ({"currency": "usd"}, {1, 2, 3, 4, 5, 6, 7, 8}),
        ({"currency": "EUR"}, {11}),
        ({"currency": "chips"}, {9, 10}),
        # 14:00 in New York is 19:00 UTC.
        ({"since": datetime(2026, 1, 10, 19)}, {7, 8, 9, 10, 11}),
        ({"since": datetime(2026, 1, 10, 19, 0, 1)}, {8, 9, 10, 11}),
        ({"until": datetime(2026, 1, 10, 19)}, {1, 2, 3, 4, 5, 6}),
        ({"until": datetime(2026, 1, 10, 19, 0, 1)}, {1, 2, 3, 4, 5, 6, 7}),
        ({"players": (2, 2)}, {5, 9, 10, 11}),
        ({"players": (3, 3)}, {1, 2, 3, 4, 6, 7, 8}),
        ({"players": (2, 8)}, EVERY_HAND),
        ({"doors": frozenset((1, 3))}, {1, 4, 8, 9}),
        ({"doors": frozenset((13,))}, {2}),
        ({"doors": frozenset()}, set()),
        ({"tournament": True}, {9, 10}),
        ({"tournament": False}, EVERY_HAND - {9, 10}),
        ({"hero": "Ann"}, set(range(1, 13)) - {5}),
        ({"hero": "ann"}, set()),
        ({"hero": "' OR 1=1 --"}, set()),
        ({"hero": "Hero", "doors": frozenset((3,)), "tournament": False}, {1, 4}),
        ({"hero": "Ann", "players": (2, 2), "currency": "EUR"}, {11, 12}),
        ({"stakes": (1, 2), "doors": frozenset((3, 4, 13)), "players": (3, 8)}, {1, 2, 4, 7}),
        (
            {"site": "pokerstars", "stakes": (1, 2), "currency": "USD", "tournament": False,
             "since": datetime(2026, 1, 9, 20), "until": datetime(2026, 1, 11), "players": (2, 3),
             "doors": frozenset((6, 8, 1))},
            {5, 6, 8},
        ),
        ({"tournament": True, "currency": "USD"}, set()),
    ],
)  # fmt: skip
def test_filters_count_the_hands_that_they_say(
    database: Database, narrowed: dict[str, Any], expected: set[int]
) -> None:
    assert hands_counted(database, **narrowed) == expected
    check_what_is_known(database, expected, **narrowed)


def test_all_players_count_whoever_is_named(database: Database) -> None:
    assert count_hands(database, Filters(all_players=True, hero="Ann")) == 31
    assert hands_counted(database, all_players=True, doors=frozenset((13,))) == {1, 2, 5, 8, 9, 12}


@pytest.mark.parametrize("name", TABLE_FUNCTIONS)
def test_filters_that_match_nothing_give_zeros_and_no_rates(database: Database, name: str) -> None:
    rows = table(database, name, Filters(site="winamax"))
    # A row for what there is.
    if name in ("starting-hands", "sessions", "stakes", "opponents", "pool"):
        assert rows == []
        return
    assert len(rows) == len(table(database, name, HERO)) - 3 * (name == "overview")  # no net
    constant = ("street", "to_be_expected")
    values = [value for row in rows for key, value in row.items() if key not in constant]
    assert {value for value in values if not isinstance(value, str)} == {0, None}


def test_the_money_of_one_currency_is_added_up_and_of_several_not(database: Database) -> None:
    three = {row["door"]: row["net"] for row in table(database, "door-cards", HERO)}
    assert three["3"] is None
    dollars = table(database, "door-cards", Filters(currency="USD"))
    assert {row["door"]: row["net"] for row in dollars}["3"] == 70 + 610


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        (Filters(), "the hero"),
        (Filters(all_players=True), "all players"),
        (
            Filters(
                hero="Ann", site="pokerstars", stakes=(0.04, 0.08), currency="USD",
                since=datetime(2026, 1, 9), until=datetime(2026, 1, 11), players=(2, 6),
                doors=frozenset((1, 10, 3)), tournament=False,
            ),
            "Ann, pokerstars, stakes 0.04/0.08, USD, since 2026-01-09 00:00 UTC, "
            "until 2026-01-11 00:00 UTC, 2-6 players, doors A3T, cash games",
        ),
        (Filters(tournament=True), "the hero, tournaments"),
    ],
)  # fmt: skip
def test_filters_are_told_in_words(filters: Filters, words: str) -> None:
    assert filters.words() == words


# ---- hands one by one


def test_the_curve_runs_through_the_hands_in_order_of_time(database: Database) -> None:
    frame = results(database, HERO)
    assert list(frame["number"]) == list(range(1, 12))
    assert list(map(int, frame["hand_no"])) == list(NET["hero"])
    assert list(frame["big_bets"]) == pytest.approx(list(NET["hero"].values()))
    assert frame["total"].iloc[-1] == pytest.approx(sum(NET["hero"].values()))
    at_showdown = NET["hero"][4] + NET["hero"][7] + NET["hero"][9]
    assert frame["at_showdown"].iloc[-1] == pytest.approx(at_showdown)
    both = frame["at_showdown"] + frame["without_showdown"]
    pd.testing.assert_series_equal(both, frame["total"], check_names=False)
    luck = frame.set_index(frame["hand_no"].map(int))["luck"].dropna().to_dict()
    assert luck == pytest.approx(LUCK["hero"])
    adjusted = list(accumulate(ADJUSTED["hero"].values()))
    assert list(frame["luck_adjusted"]) == pytest.approx(adjusted)


def test_the_biggest_pots_come_first(database: Database) -> None:
    # In big bets: 12.80/2, 10.20/2, 6.80/2, 2.80/2, then 240/200.
    frame = biggest_pots(database, HERO, limit=5)
    assert list(map(int, frame["hand_no"])) == [4, 5, 8, 7, 9]
    assert list(frame["pot_big_bets"]) == pytest.approx([6.4, 5.1, 3.4, 1.4, 1.2])


def test_who_is_known(database: Database) -> None:
    assert heroes(database) == [("Hero", 11)]
    assert has_player(database, "Bob")
    assert not has_player(database, "bob")
    assert data_quality(database)[:3] == (1, 0, 12)


# ---- the catalogue


def test_a_numerator_holds_only_where_its_denominator_does(database: Database) -> None:
    for stat in STATS:
        outside = f"""SELECT count(*) FROM hand_players
            JOIN (SELECT hid, pot, rake FROM hands) USING (hid)
            WHERE ({stat.made}) AND NOT ({stat.chances})"""
        assert database.rows(outside) == [(0,)], stat.id


def test_every_table_column_and_statistic_says_what_it_counts() -> None:
    assert list(TABLE_FUNCTIONS) == [each.name for each in TABLES]
    for each in TABLES:
        assert each.definition
        keys = [column.key for column in each.columns]
        assert len(set(keys)) == len(keys)
        assert all(column.definition and isinstance(column.kind, Kind) for column in each.columns)
    assert len({stat.id for stat in STATS}) == len({stat.title for stat in STATS}) == len(STATS)
    assert all(stat.definition for stat in STATS)
