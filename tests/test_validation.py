"""The room's own words on pots, rake, lows and winners are checked against the replay."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hands import check, clean

from razzstats.rules.ruleset import RAZZ, OddChip

HANDS: dict[str, str] = tomllib.loads(
    (Path(__file__).parent / "syntax" / "hands.toml").read_text(encoding="utf-8")
)

SPLIT = """
PokerStars Hand #105:  Razz Limit ($0.05/$0.10 USD) - 2012/05/23 17:24:52 ET
Table 'Alpha II' 8-max
Seat 1: Anna ($10 in chips)
Seat 2: Ben ($7.35 in chips)
Seat 3: Carla ($7.35 in chips)
Anna: posts the ante $0.01
Ben: posts the ante $0.01
Carla: posts the ante $0.01
*** 3rd STREET ***
Dealt to Anna [3s]
Dealt to Ben [2d]
Dealt to Carla [Kc]
Carla: brings in for $0.02
Anna: calls $0.02
Ben: calls $0.02
*** 4th STREET ***
Dealt to Anna [3s] [6h]
Dealt to Ben [2d] [6c]
Dealt to Carla [Kc] [Kd]
Ben: bets $0.05
Carla: folds
Anna: calls $0.05
*** 5th STREET ***
Dealt to Anna [3s 6h] [8c]
Dealt to Ben [2d 6c] [8d]
Ben: checks
Anna: checks
*** 6th STREET ***
Dealt to Anna [3s 6h 8c] [Qs]
Dealt to Ben [2d 6c 8d] [Qd]
Ben: checks
Anna: checks
*** RIVER ***
Ben: checks
Anna: checks
*** SHOW DOWN ***
Ben: shows [Ah 3h 2d 6c 8d Qd Kh] (Lo: 8,6,3,2,A)
Anna: shows [Ad 2h 3s 6h 8c Qs Ks] (Lo: 8,6,3,2,A)
Ben collected $0.10 from pot
Anna collected $0.09 from pot
*** SUMMARY ***
Total pot $0.19 | Rake $0
Seat 1: Anna showed [Ad 2h 3s 6h 8c Qs Ks] and won ($0.09) with Lo: 8,6,3,2,A
Seat 2: Ben showed [Ah 3h 2d 6c 8d Qd Kh] and won ($0.10) with Lo: 8,6,3,2,A
Seat 3: Carla folded on the 4th Street
"""


def changed(text: str, *changes: str) -> str:
    """Return the text with pairs of old and new words exchanged; each old one must be there."""
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text, old
        text = text.replace(old, new)
    return text


# ---- split pots


def test_equal_lows_split_the_pot() -> None:
    hand = clean(SPLIT)
    assert [result.net for result in hand.results] == [1, 2, -3]


def test_the_odd_cent_may_go_to_either() -> None:
    text = changed(SPLIT, "Ben collected $0.10", "Ben collected $0.09",
                   "Anna collected $0.09", "Anna collected $0.10",
                   "Qd Kh] and won ($0.10)", "Qd Kh] and won ($0.09)",
                   "Qs Ks] and won ($0.09)", "Qs Ks] and won ($0.10)")  # fmt: skip
    assert [result.collected for result in clean(text).results] == [10, 9, 0]


def test_unequal_shares_are_told() -> None:
    text = changed(SPLIT, "collected $0.10", "collected $0.11", "collected $0.09",
                   "collected $0.08", "($0.10)", "($0.11)", "($0.09)", "($0.08)")  # fmt: skip
    assert check(text).codes == ["collected-mismatch"]


def test_one_winner_of_two_is_not_enough() -> None:
    text = changed(SPLIT, "Anna collected $0.09 from pot\n", "", "collected $0.10",
                   "collected $0.19", "($0.10)", "($0.19)", "won ($0.09)", "lost")  # fmt: skip
    assert check(text).codes == ["wrong-winner"]


@pytest.mark.parametrize(("rule", "codes"), [
    (OddChip.ANY, []),
    (OddChip.HIGHEST_CARD, ["collected-mismatch"]),  # Anna has the king of spades
    (OddChip.LOWEST_CARD, ["collected-mismatch"]),  # and the ace of diamonds
])  # fmt: skip
def test_a_rule_set_may_name_who_takes_the_odd_cent(rule: OddChip, codes: list[str]) -> None:
    to_ben = SPLIT
    to_anna = changed(SPLIT, "Ben collected $0.10", "Ben collected $0.09",
                      "Anna collected $0.09", "Anna collected $0.10",
                      "Qd Kh] and won ($0.10)", "Qd Kh] and won ($0.09)",
                      "Qs Ks] and won ($0.09)", "Qs Ks] and won ($0.10)")  # fmt: skip
    rules = replace(RAZZ, odd_chip=rule)
    assert check(to_ben, rules).codes == codes
    assert check(to_anna, rules).codes == []


# ---- the order of the showdown


BENS_SHOW = "Ben: shows [Ah 3h 2d 6c 8d Qd Kh] (Lo: 8,6,3,2,A)\n"
ANNAS_SHOW = "Anna: shows [Ad 2h 3s 6h 8c Qs Ks] (Lo: 8,6,3,2,A)\n"


def test_without_a_wager_the_opener_or_the_first_seat_begins() -> None:
    annas_first = changed(SPLIT, BENS_SHOW + ANNAS_SHOW, ANNAS_SHOW + BENS_SHOW)
    clean(SPLIT)
    clean(annas_first)
    ben_in_first_seat = changed(
        annas_first, "Seat 1: Anna", "Seat 3: Anna", "Seat 2: Ben", "Seat 1: Ben",
        "Seat 3: Carla", "Seat 2: Carla", "Anna: calls $0.02\nBen: calls $0.02\n",
        "Anna: calls $0.02\nBen: calls $0.02\n"
    )  # fmt: skip
    checked = check(ben_in_first_seat)
    assert checked.codes == ["showdown-order"]
    assert checked.diagnostics[0].message == "Anna is first at the showdown; expected Ben"


# ---- pots


def test_side_pots_of_one_winner_may_go_in_one_line() -> None:
    # Where the room speaks of one pot and there are several, all of them went together.
    text = changed(HANDS["side_pot"], "Ben collected 140 from side pot\n", "",
                   "Carla: shows [As 2s 5c Jh Jc 3c 4s] (Lo: 5,4,3,2,A)\n", "Carla: mucks hand\n",
                   "Carla collected 180 from main pot", "Ben collected 320 from pot",
                   " Main pot 180. Side pot 140.", "", "won (140)", "won (320)",
                   "Carla showed [As 2s 5c Jh Jc 3c 4s] and won (180) with Lo: 5,4,3,2,A",
                   "Carla mucked [As Qs 5c Jh Jc 3c Kh]")  # fmt: skip
    hand = clean(text)
    assert [result.collected for result in hand.results] == [0, 320, 0]


def test_a_mucked_winner_is_told() -> None:
    of_anna, of_dan = "[Ad 9d 3s 6h 8c 9s Qc]", "[7s Ks 7h 2c 4d 8d Th]"
    text = changed(HANDS["showdown"],
                   "Dan: mucks hand", f"Dan: shows {of_dan} (Lo: T,8,7,4,2)",
                   f"Anna: shows {of_anna} (Lo: 9,8,6,3,A)", "Anna: mucks hand",
                   "Anna collected", "Dan collected",
                   f"Anna showed {of_anna} and won ($1.01) with Lo: 9,8,6,3,A",
                   f"Anna mucked {of_anna}", f"Dan mucked {of_dan}",
                   f"Dan showed {of_dan} and won ($1.01) with Lo: T,8,7,4,2")  # fmt: skip
    assert check(text).codes == ["wrong-winner", "wrong-winner"]


def test_a_hand_nobody_saw_may_be_beaten() -> None:
    text = HANDS["showdown"].replace("Dealt to Dan [7s Ks 7h 2c 4d 8d] [Th]\n", "")
    text = text.replace("7s Ks 7h", "7h").replace("Dan mucked [7h 2c 4d 8d Th]", "Dan mucked")
    assert clean(text).results[-1].low is None


# ---- lows


@pytest.mark.parametrize("printed", ["9,8,6,3,A", "A,3,6,8,9"])
def test_a_printed_low_may_stand_in_any_order(printed: str) -> None:
    clean(HANDS["showdown"].replace("Lo: 9,8,6,3,A", f"Lo: {printed}"))


@pytest.mark.parametrize("printed", ["9,8,6,3", "9,8,6,3,A,A", "9,8,6,4,A"])
def test_another_low_is_told(printed: str) -> None:
    codes = check(HANDS["showdown"].replace("Lo: 9,8,6,3,A", f"Lo: {printed}")).codes
    assert codes == ["claimed-low-mismatch"] * 2


def test_a_show_without_a_low_claims_nothing() -> None:
    text = HANDS["showdown"].replace(" (Lo: 9,8,6,3,A)", "").replace(" with Lo: 9,8,6,3,A", "")
    clean(text)


# ---- the summary's lines


@pytest.mark.parametrize(("old", "new"), [
    ("Seat 2: Ben folded on the 3rd Street", "Seat 2: Ben collected ($1.01)"),
    ("Seat 2: Ben folded on the 3rd Street", "Seat 2: Ben mucked"),
    ("Seat 2: Ben folded on the 3rd Street", "Seat 2: Ben is sitting out"),
    ("Seat 4: Dan mucked [7s Ks 7h 2c 4d 8d Th]", "Seat 4: Dan folded on the River"),
    ("Seat 4: Dan mucked [7s Ks 7h 2c 4d 8d Th]",
     "Seat 4: Dan showed [7s Ks 7h 2c 4d 8d Th] and lost with Lo: T,8,7,4,2"),
    ("Seat 4: Dan mucked [7s Ks 7h 2c 4d 8d Th]", "Seat 4: Dan collected ($0.50)"),
    ("Seat 1: Anna showed [Ad 9d 3s 6h 8c 9s Qc] and won ($1.01) with Lo: 9,8,6,3,A",
     "Seat 1: Anna mucked [Ad 9d 3s 6h 8c 9s Qc]"),
])  # fmt: skip
def test_a_summary_that_tells_another_story_is_told(old: str, new: str) -> None:
    codes = check(changed(HANDS["showdown"], old, new)).codes
    assert set(codes) == {"summary-mismatch"}


def test_a_sitting_out_player_may_stand_in_the_summary() -> None:
    clean(HANDS["showdown"].rstrip() + "\nSeat 6: Emil is sitting out\n")


def test_all_that_is_wrong_with_a_claim_is_told() -> None:
    text = changed(HANDS["showdown"], "Total pot $1.06 | Rake $0.05", "Total pot $1 | Rake $0.50")
    assert check(text).codes == ["pot-mismatch", "collected-mismatch"]
