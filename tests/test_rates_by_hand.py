"""Rates of hands and of decisions, each number counted by hand from the text of two small files.

The numbers below come from reading the hands in golden/statistics by the words of the definitions.
twelve-hands.txt: see test_stats for who sits where. decisions.txt reaches what those hands do not:
Cleo, Dan, Hero, Eve and Fay in seats 1 to 5, all of them in hands 21 to 26, Cleo and Hero in 27,
Cleo, Dan and Hero in 28, all but Fay in 29.

A remark names who made it, then after a bar who else could have: ``h4`` is Hero in hand 4, and
``h8 h8`` are two decisions of his in hand 8. There is no bar where all or none of those named made
it, or where those who could have are the same as for a rate above.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli import razzstats
from test_stats import lines

from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.stats.catalogue import STATS
from razzstats.stats.catalogue.decisions import STREET_STATS, THIRD_STREET_STATS
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.stats.tables import TABLE_FUNCTIONS
from razzstats.storage import Database

FOLDER = Path(__file__).parent / "golden" / "statistics"
FILES = ("twelve-hands.txt", "decisions.txt")
WHO = {"hero": Filters(), "all": Filters(all_players=True)}

# ---- rates of hands: made/chances for the hero and for all players

HANDS = {
    "twelve-hands.txt": """
        win_rate                    6/11  13/31  # h1 h3 h4 h7 h8 h10 a2 a6 a7 a9 a11 b5 b12
        brought_in                  3/11  11/31  # every hand but 10, in which Hero completed in
        #                                          its place: h2 h3 h11 a9, Bob in the others
        vpip                        7/9   16/28  # h1 h4 h5 h7 h8 h9 h10 a2 a4 a6 a7 a8 a9 a11 b5 b6
        #                                          | all but h3 and b12, whom all folded to, and h11
        complete                    4/4   8/15   # h1 h4 h5 h9 a2 a6 a7 a8
        #                                          | a1 a3 a4 a11 a12 b2 b3
        saw_fourth                  6/11  14/31  # h4 h5 h7 h8 h9 h11 a4 a6 a7 a8 a9 a11 b5 b6
        saw_fifth                   4/11  8/31   # h4 h5 h7 h9 a4 a7 a9 b5
        saw_sixth                   4/11  8/31   # the same
        saw_seventh                 3/11  6/31   # both in 4, 7 and 9
        folded_after_entering       1/7   3/16   # h5 a8 b6 | all who entered, see vpip
        went_to_showdown            3/6   6/14   # both in 4, 7 and 9
        went_to_showdown_from_fifth 3/4   6/8    # the same | h5 b5
        won_at_showdown             2/3   4/6    # h4 h7 a7 a9 | h9 a4
        shared_at_showdown          1/3   2/6    # h7 a7
        gained_at_showdown          2/3   4/6    # h4, h7 and a7 (1.35 for 1.10), a9
        won_without_showdown        4/11  9/31   # h1 h3 h8 h10 a2 a6 a11 b5 b12
        won_when_saw_fourth         3/6   8/14   # h4 h7 h8 a6 a7 a9 a11 b5
        won_when_saw_fifth          2/4   5/8    # h4 h7 a7 a9 b5
    """,
    "decisions.txt": """
        win_rate                    4/9   10/39  # h21 e22 e23 e24 f25 c26 h27 h28 d29 h29
        brought_in                  2/9   8/39   # f21 c22 h23 e24 h25 d26 c27 e29; 28 was opened
        vpip                        7/9   22/39  # c21 d21 h21, h22 e22 f22, e23 h23, h24 e24, f25,
        #                                          e26 f26 c26 d26, h27 c27, h28 c28, c29 d29 h29
        complete                    3/4   8/16   # c21 h22 e23 h24 f25 c26 h27 c29
        #                                          | d22 f24 c24 d24 e25 h26 e26 f26
        saw_fourth                  5/9   14/39  # c21 h21 e23 h23 e26 c26 d26 c27 h27 h28 c28,
        #                                          c29 d29 h29
        saw_fifth                   5/9   13/39  # the same without d26
        saw_sixth                   3/9   7/39   # e23 h23 c27 h27 c29 d29 h29
        saw_seventh                 2/9   5/39   # c27 h27 c29 d29 h29
        folded_after_entering       3/7   10/22  # c21 d21 h22 f22 h23 h24 e26 f26 d26 c28
        went_to_showdown            2/5   5/14   # c27 h27 c29 d29 h29
        went_to_showdown_from_fifth 2/5   5/13
        won_at_showdown             2/2   3/5    # h27 d29 h29 | c27 c29
        shared_at_showdown          1/2   2/5    # d29 the main pot, h29 the side pot
        gained_at_showdown          1/2   2/5    # h27 d29; not h29: 2.00 for 2.10
        won_without_showdown        2/9   7/39   # h21 e22 e23 e24 f25 c26 h28
        won_when_saw_fourth         4/5   7/14   # h21 e23 c26 h27 h28 d29 h29
        won_when_saw_fifth          4/5   7/13   # the same
    """,
}

# ---- third street: made/chances for the hero and for all players

THIRD_STREET = {
    # With three players at most everybody who is first in may steal.
    "twelve-hands.txt": """
        complete_first_in      3/3  7/14  # h1 h5 h9 a2 a6 a7 a8 | a1 a3 a4 a11 a12 b2 b3; not h4,
        #                                   whom Ann had limped before, nor h10, who opened
        limp                   0/3  2/14  # a4 a11
        fold_first_in          0/3  5/14  # a1 a3 a12 b2 b3
        steal                  3/3  7/14  # the same as completed first in
        steal_no_viable        3/3  4/7   # nobody is behind h1 h5 h9 a2 | nor a3 a11 a12; 2 to 8 in
        #                                   all other first decisions
        steal_success          1/3  2/7   # h1 a2 | h5 h9 a6 a7 a8
        fold_to_steal          2/4  3/8   # h2 h6 b1 | h7 h8 a9 b5 b6; not b4 (not first in),
        #                                   b7 (called), b8 (raised), a10 (opened)
        bring_in_fold          1/1  4/7   # h2 b1 b4 b7 | a9 b5 b6; b8 faces a raise
        bring_in_call          0/1  3/7
        bring_in_raise         0/1  0/7
        bring_in_fold_steal    1/1  2/5   # h2 b1 | a9 b5 b6
        bring_in_call_steal    0/1  3/5
        bring_in_raise_steal   0/1  0/5
        bring_in_fold_heads_up 1/1  2/5   # the same: with b4 and b7 a third was in
        bring_in_call_heads_up 0/1  3/5
        bring_in_raise_heads_up 0/1 0/5
        raise_vs_complete      1/4  1/10  # h8 | h2 h6 h7 a10 b1 b4 b5 b6 b7; not a9, against whom
        #                                   Hero is all-in, nor a4, who had limped
        cold_call              1/3  1/4   # h7 | h6 h8 a10
        squeeze                0/0  0/1   # b7
        reraise                0/0  1/2   # a8 | b8
        cap                    0/1  0/1   # h8
        fold_to_reraise        0/1  0/2   # h8 a8
    """,
    "decisions.txt": """
        complete_first_in      3/4  7/14  # c21 h22 e23 h24 f25 h27 c29 | d22 f24 c24 d24 e25 h26
        #                                   e26; not c26 (two had limped), nor h28, who opened
        limp                   0/4  1/14  # e26
        fold_first_in          1/4  6/14  # d22 f24 c24 d24 e25 h26
        steal                  3/3  5/8   # h22 h24 f25 h27 c29 | c24 d24 e26; three are behind c21
        #                                   d22 e23 f24 e25 h26
        steal_no_viable        2/3  3/5   # h24 f25 h27 | h26 (T J Q behind) e26 (J Q behind)
        steal_success          0/3  1/5   # f25 | h22 h24 h27 c29
        fold_to_steal          1/1  3/7   # c25 d25 h25 | e22 e24 c27 d29; f22 h29 e29 after a call
        bring_in_fold          1/2  2/6   # h25 e29 | h23 e24 d26 c27; f21 and c22 face a raise
        bring_in_call          1/2  3/6   # h23 d26 c27
        bring_in_raise         0/2  1/6   # e24
        bring_in_fold_steal    1/1  1/3   # h25 | e24 c27
        bring_in_call_steal    0/1  1/3   # c27
        bring_in_raise_steal   0/1  1/3   # e24
        bring_in_fold_heads_up 1/2  1/4   # h25 | h23 (no steal, but all folded) e24 c27
        bring_in_call_heads_up 1/2  2/4   # h23 c27
        bring_in_raise_heads_up 0/2 1/4   # e24
        raise_vs_complete      1/4  4/17  # h21 f22 e24 c28 | h23 h25 h29 d21 e22 f23 c23 d23 c25
        #                                   d25 d26 c27 e29; d29 has chips for a call only
        cold_call              1/2  4/12  # h29 d21 e22 d29 | h21 f22 f23 c23 d23 c25 d25 c28
        squeeze                1/2  2/4   # h21 f22 | h29 e29; d26 faces no caller of the completion
        reraise                0/3  2/9   # c21 e22 | h22 h24 h28 e21 f21 c22 d28
        cap                    1/2  1/3   # h21 | h22 f22; d21 has chips for a call only
        fold_to_reraise        2/5  3/8   # h22 h24 f22 | h21 h22 h28 c21 c21. The fold of h22 is to
        #                                   Eve's raise after he had completed and called a raise
    """,
}

# ---- each street from third to seventh: made/chances

STREETS = {
    "twelve-hands.txt": """
        bet_unbet            hero 4/4   3/4  1/2 0/2 0/1
        bet_unbet            all  8/15  5/7  2/5 1/5 1/3
        # 3rd: see complete above. 4th: h4 h5 h8 a6 a11 | h7 a7. 5th: h4 b5 | h7 a4 a7.
        # 6th: b5 | h4 h7 a4 a7. 7th: a4 | h7 a7
        continuation         hero 0/0   2/2  1/1 0/1 0/0
        continuation         all  0/0   3/4  2/2 1/2 0/0
        # 4th: h4 h5 a6 | a7; a8 faces a bet. 5th: h4 b5. 6th: b5 | h4
        continuation_ahead   hero 0/0   0/0  0/0 0/0 0/0
        continuation_ahead   all  0/0   0/0  0/0 0/0 0/0
        # 4th: both caught well in 4 (5 and 4), 5 (2 and 3) and 7 (5 and 5), and the cards of a6 are
        # not known. 5th: h4 caught a king against a queen; those of b5 are not known
        continuation_behind  hero 0/0   0/0  0/0 0/1 0/0
        continuation_behind  all  0/0   0/0  0/0 0/1 0/0
        # 6th: h4 caught a nine against a six
        delayed_continuation hero 0/0   0/0  0/0 0/0 0/0
        delayed_continuation all  0/0   0/0  0/1 0/0 0/0
        # 5th: a7, who completed and checked. On 7th h4, who bet on 5th, faces a bet
        fold_to_continuation hero 0/0   0/0  0/1 1/1 0/0
        fold_to_continuation all  0/0   1/3  0/2 1/1 0/0
        # 4th: b6 | a4 b5. 5th: h5 a4. 6th: h5
        fold_to_wager        hero 2/5   1/2  0/1 1/1 0/1
        fold_to_wager        all  7/15  3/6  0/2 1/1 0/1
        # 3rd: h2 h6 a10 b1 b4 b7 b8 | h7 h8 h8 a4 a8 a9 b5 b6. 4th: h11 a8 b6 | h5 a4 b5.
        # 5th: h5 a4. 6th: h5. 7th: h4
        raise_vs_wager       hero 1/4   0/1  0/1 0/1 0/1
        raise_vs_wager       all  1/11  1/5  0/2 0/1 0/1
        # 3rd: h8 | h2 h6 h7 a4 a10 b1 b4 b5 b6 b7. 4th: b5 | h11 a4 a8 b6. The others as before
        check_raise          hero 0/0   0/0  0/0 0/0 0/0
        check_raise          all  0/0   0/0  0/1 0/0 0/0
        # 5th: a4
        aggression_frequency hero 6/10  3/5  1/2 0/1 0/1
        aggression_frequency all  11/31 6/11 2/4 1/2 1/2
        # 3rd: h1 h4 h5 h8 h9 h10 a2 a6 a7 a8 a8, of all decisions; hands 4 and 8 have five each.
        # 4th: h4 h5 h8 a6 a11 b5 | h5 h11 a4 a8 b6. 5th: h4 b5 | a4 h5. 6th: b5 | h5. 7th: a4 | h4
        acts_last            hero 1/9   2/5  2/3 2/3 1/2
        acts_last            all  12/28 6/12 3/6 3/6 2/4
        # 3rd: b1 h2 a3 b4 b5 b6 b7 b8 a9 a10 a11 a12. 4th: a4 b5 b6 h7 a8 h11. 5th: h4 h5 a7.
        # 6th: h4 h5 a7. 7th: h4 a7
        capped               hero 0/9   0/5  0/3 0/3 0/2
        capped               all  0/28  0/12 0/6 0/6 0/4
        # three wagers in hand 8 are the most
    """,
    "decisions.txt": """
        bet_unbet            hero 3/4   3/5  1/3  0/2 0/2
        bet_unbet            all  8/16  4/10 5/9  1/5 1/4
        # 3rd: see complete above. 4th: h21 c26 h27 h29 | e23 h23 e26 c27 c28 h28.
        # 5th: c21 e23 c26 c27 h28 | h21 e26 h29 c29. 6th: e23 | h27 c27 h29 c29. 7th: c27 | h27 h29
        # c29
        continuation         hero 0/0   2/2  0/2  0/0 0/0
        continuation         all  0/0   3/5  1/4  1/2 0/0
        # 4th: h21 c26 h27 | e23 c28; c29 faces a bet. 5th: c27 | h21 e26 h29. 6th: e23 | c27
        continuation_ahead   hero 0/0   1/1  0/1  0/0 0/0
        continuation_ahead   all  0/0   1/1  0/1  0/0 0/0
        # 4th: h21, a five against a king. 5th: h29, an eight against a ten and a second queen;
        # c27 a six against a deuce. The cards of e23 c26 e26 c28 are not known
        continuation_behind  hero 0/0   1/1  0/1  0/0 0/0
        continuation_behind  all  0/0   1/1  0/1  0/1 0/0
        # 4th: h27, a king against a five. 5th: h21, a queen against a six. 6th: c27, a second six
        # against a three
        delayed_continuation hero 0/0   0/0  0/0  0/1 0/0
        delayed_continuation all  0/0   0/0  1/1  0/1 1/1
        # 5th: e23; c28 faces a bet. 6th: h29. 7th: c27
        fold_to_continuation hero 0/0   0/0  0/1  1/1 0/0
        fold_to_continuation all  0/0   0/4  0/1  1/1 0/0
        # 4th: c21 d26 e26 c27. 5th: h27; Cleo's bets in 21 and 26 are no continuations. 6th: h23
        fold_to_wager        hero 3/9   0/2  0/3  1/1 0/1
        fold_to_wager        all  16/34 1/10 3/6  1/1 0/1
        # 3rd: e21 f21 d21, c22 f22 h22, f23 c23 d23, h24, c25 d25 h25, f26, d28, e29
        # | d21 h21 c21 h21 c21, e22 f22 h22 e22, h23, e24, d26 e26, c27, c28 h28, d29 h29.
        # 4th: d26 | c21 d26 e26 c26 c27 h27 c27 h27 c29. 5th: c21 e26 c28 | h21 h23 h27. 6th: h23.
        # 7th: h27
        raise_vs_wager       hero 1/4   0/0  1/3  0/1 0/1
        raise_vs_wager       all  4/19  2/5  1/5  0/1 0/1
        # 3rd: h21 f22 e24 c28 | d21 e22, f23 c23 d23 h23, c25 d25 h25, d26 e26 f26, c27, h29 e29.
        # 4th: e26 c27 | c21 d26 c29. 5th: h21 | h23 e26 h27 c28. 6th: h23. 7th: h27
        check_raise          hero 0/0   0/0  1/1  0/0 0/1
        check_raise          all  0/0   2/2  1/2  0/0 0/1
        # 4th: e26 c27. 5th: h21 | e26. 7th: h27
        aggression_frequency hero 6/14  4/5  2/4  0/1 0/1
        aggression_frequency all  16/51 8/14 6/11 1/2 1/2
        # 3rd: c21 h21 c21 h21 of 9, h22 f22 e22 of 9, e23 of 5, h24 e24 of 6, f25 of 5, c26 of 7,
        # h27 of 2, h28 c28 of 4, c29 of 4. 4th: h21 c26 e26 h27 c27 h27 c27 h29 | c21 d26 c26 d26
        # h27 c29. 5th: c21 h21 e23 c26 c27 h28 | c21 h23 e26 h27 c28. 6th: e23 | h23.
        # 7th: c27 | h27
        acts_last            hero 2/9   3/5  2/5  1/3 0/2
        acts_last            all  9/39  6/13 6/12 3/6 2/4
        # 3rd: f21 c22 h23 e24 h25 d26 c27 d28 e29. 4th: c21 h23 d26 h27 h28 c29.
        # 5th: c21 h23 c26 h27 c28 c29. 6th: h23 c27 c29. 7th: c27 c29; d29 has no chips to act with
        capped               hero 1/9   1/5  0/5  0/3 0/2
        capped               all  5/39  2/13 0/12 0/6 0/4
        # 3rd: all five in 21. 4th: both in 27
    """,
}


# ---- what they are compared with

Counts = dict[tuple[str, int], tuple[int, int]]
"""Made and chances by statistic and street; rates of hands are on none, 0."""


def fraction(word: str) -> tuple[int, int]:
    made, chances = map(int, word.split("/"))
    return made, chances


def by_hand(file: str, who: str) -> Counts:
    """Return what the tables above say."""
    found: Counts = {}
    for street, rows in ((0, HANDS[file]), (3, THIRD_STREET[file])):
        for id, hero, everybody in lines(rows):
            assert (id, street) not in found
            found[id, street] = fraction(hero if who == "hero" else everybody)
    for id, counted, *fractions in lines(STREETS[file]):
        if counted == who:
            for street, word in enumerate(fractions, 3):
                assert (id, street) not in found
                found[id, street] = fraction(word)
    return found


EVERY_RATE = {
    *((stat.id, 0) for stat in STATS),
    *((stat.id, 3) for stat in THIRD_STREET_STATS),
    *((stat.id, street) for stat in STREET_STATS for street in range(3, 8)),
}


@pytest.fixture(scope="module", params=FILES)
def file(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def database(file: str) -> Iterator[Database]:
    with Database.in_memory() as opened:
        (report,) = import_paths(opened, [str(FOLDER / file)])
        assert report.diagnostics == []
        assert measure_hands(opened) == report.stored
        yield opened


def rows(database: Database, table: str, who: str) -> list[dict[str, Any]]:
    frame = TABLE_FUNCTIONS[table](database, WHO[who])
    objects = frame.astype(object)
    return objects.where(frame.notna(), None).to_dict("records")  # type: ignore[return-value]


@pytest.mark.parametrize("who", WHO)
def test_every_rate_is_what_is_counted_by_hand(database: Database, file: str, who: str) -> None:
    expected = by_hand(file, who)
    assert expected.keys() == EVERY_RATE
    found = {
        (row["id"], row.get("street", street)): row
        for table, street in (("hand-rates", 0), ("third-street", 3), ("street-rates", 3))
        for row in rows(database, table, who)
    }
    counted = {key: (row["made"], row["chances"]) for key, row in found.items()}
    different = {
        key: (counted.get(key), by_hand)
        for key, by_hand in expected.items()
        if counted.get(key) != by_hand
    }
    assert not different, "what is computed, and what is counted by hand"
    for key, row in found.items():
        made, chances = expected[key]
        assert row["rate"] == (made / chances if chances else None), key
        assert (row["rate_low"], row["rate_high"]) == wilson(made, chances), key


@pytest.mark.parametrize("who", WHO)
def test_the_overview_counts_the_same(database: Database, file: str, who: str) -> None:
    expected = by_hand(file, who)
    found = [row for row in rows(database, "overview", who) if row["unit"] == "rate"]
    assert [row["id"] for row in found] == [stat.id for stat in STATS]
    for row in found:
        assert (row["made"], row["chances"]) == expected[row["id"], 0], row["id"]


def test_the_second_file_reaches_every_rate() -> None:
    for id in {id for id, _ in EVERY_RATE}:
        counts = [of for (each, _), of in by_hand("decisions.txt", "all").items() if each == id]
        made, chances = map(sum, zip(*counts, strict=True))
        assert 0 < made < chances, id


def test_the_hands_are_legal() -> None:
    for file in FILES:
        run = razzstats("check", FOLDER / file)
        assert (run.code, run.out) == (0, "")
        assert " 0 with warnings, 0 rejected, 0 incomplete" in run.err
