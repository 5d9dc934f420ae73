"""Leaks on third street."""

from razzstats.stats.catalogue.decisions import UNCOMMITTED
from razzstats.stats.leaks.rule import ENTERS, Cost, LeakRule, Reference, Source

_FACES_WAGER = f"street = 3 AND wagers >= 1 AND {UNCOMMITTED}"
_FACES_COMPLETION = f"street = 3 AND wagers = 1 AND {UNCOMMITTED}"
_FIRST_IN = "street = 3 AND first_in"

THIRD: tuple[LeakRule, ...] = (
    LeakRule(
        301,
        "Weak starting hands",
        f"{_FACES_WAGER} AND start_good < 3 AND NOT faces_steal AND NOT bring_in",
        ENTERS,
        Reference(
            0.10,
            Source.PUBLISHED,
            "the best hand that is not three unpaired cards up to eight, A-2-9, is only the 57th "
            "of 455; play those against a completion on rare occasions",
        ),
        60,
        Cost.CALL,
        "Fold hands that are not three unpaired cards up to eight when somebody has completed.",
    ),
    LeakRule(
        302,
        "Folding good starting hands",
        f"{_FACES_COMPLETION} AND start_good = 3 AND start_top <= 7 AND raisers <= 1",
        "kind = 'fold'",
        Reference(0.05, Source.PUBLISHED, "three unpaired cards up to seven play for one bet"),
        40,
        Cost.FOLD,
        "Play three unpaired cards up to seven for one bet.",
    ),
    LeakRule(
        303,
        "Jack, queen or king in the first three",
        f"street = 3 AND {UNCOMMITTED} AND start_top >= 11 AND NOT bring_in AND NOT faces_steal "
        "AND NOT (first_in AND viable_behind = 0)",
        ENTERS,
        Reference(
            0.05,
            Source.EXACT,
            "a hand with a king or queen wins 39 % of the pot against a random one, and 31 % at "
            "most against three low cards",
        ),
        60,
        Cost.CALL,
        "Throw away hands with a jack, queen or king unless you steal.",
    ),
    LeakRule(
        304,
        "Calling cold with a high door",
        f"{_FACES_COMPLETION} AND NOT bring_in AND NOT faces_steal AND door >= 9 "
        "AND raiser_door < door",
        "kind = 'call'",
        Reference(0.05, Source.PUBLISHED, "fold a high door against a lower one that completed"),
        40,
        Cost.CALL,
        "Fold when your door card is nine or higher and a lower one has completed.",
    ),
    LeakRule(
        305,
        "Paired starting hands",
        f"{_FACES_WAGER} AND start_pairs = 1 AND NOT faces_steal AND NOT bring_in",
        ENTERS,
        Reference(
            0.10, Source.EXACT, "A-A-2 wins 31 % of the pot against a low hand with a four up"
        ),
        40,
        Cost.CALL,
        "Fold a pair in the first three to a completion.",
    ),
    LeakRule(
        306,
        "Rough hands against better boards",
        f"{_FACES_COMPLETION} AND NOT bring_in AND NOT faces_steal AND start_pairs = 0 "
        "AND start_top IN (8, 9) AND (raiser_door < least(start_top, door) OR viable_raisers >= 2)",
        ENTERS,
        Reference(
            0.40,
            Source.JUDGEMENT,
            "7-8-9 wins 35 % and 6-7-8 41 % against a low hand with a four up",
        ),
        40,
        Cost.CALL,
        "Be wary of eights and nines when a lower door has completed.",
    ),
    LeakRule(
        307,
        "Calling several bets cold",
        "street = 3 AND wagers >= 2 AND turn = 1 AND (start_good < 3 OR start_top >= 8)",
        ENTERS,
        Reference(0.15, Source.PUBLISHED, "a seven or better when there is much raising"),
        25,
        Cost.CALL,
        "Face two bets cold only with three cards up to seven.",
    ),
    LeakRule(
        308,
        "Defending the bring-in too often",
        f"bring_in AND {_FACES_COMPLETION} AND door >= raiser_door + 2",
        ENTERS,
        Reference(
            0.20,
            Source.PUBLISHED,
            "with a door two ranks higher it is four to one against catching up",
        ),
        40,
        Cost.CALL,
        "Give up the bring-in when your door is two or more ranks above the raiser's.",
        realised=0.5,
    ),
    LeakRule(
        309,
        "Defending the bring-in too seldom",
        f"bring_in AND {_FACES_COMPLETION} AND start_good = 2 AND start_second <= 5 "
        "AND (faces_steal OR raiser_door >= 8)",
        "kind = 'fold'",
        Reference(0.50, Source.JUDGEMENT, "A-2-J wins 52 % and A-2-K 45 % against x-x-8"),
        40,
        Cost.FOLD,
        "Defend the bring-in with two cards up to five against a likely steal.",
    ),
    LeakRule(
        310,
        "Missed steals",
        f"{_FIRST_IN} AND could_wager AND viable_behind = 0 AND lower_behind = 0",
        "kind <> 'complete'",
        Reference(
            0.25,
            Source.PUBLISHED,
            "complete almost always with no viable door behind: it pays if 29 to 50 % fold",
        ),
        30,
        Cost.MISSED_BLUFF,
        "Complete first in when your door is the lowest and no other is eight or lower.",
    ),
    LeakRule(
        311,
        "Stealing into low doors",
        f"{_FIRST_IN} AND could_wager AND viable_behind >= 2 AND lower_behind >= 2 "
        "AND start_good < 3",
        "kind = 'complete'",
        Reference(0.20, Source.PUBLISHED, "one lower door behind may do, two seldom"),
        30,
        Cost.BLUFF,
        "Do not complete weak hands with two lower doors still to act.",
    ),
    LeakRule(
        312,
        "Limping",
        f"{_FIRST_IN} AND could_wager AND start_good = 3",
        "kind = 'call'",
        Reference(0.05, Source.PUBLISHED, "first in, a hand worth playing is worth a completion"),
        40,
        Cost.BET,
        "Complete rather than call the bring-in when you are first in.",
    ),
    LeakRule(
        313,
        "Not raising again with wheel cards",
        f"{_FACES_COMPLETION} AND could_wager AND start_pairs = 0 AND start_top <= 5 "
        "AND raisers = 1 AND raiser_door > door",
        "kind <> 'raise'",
        Reference(0.30, Source.JUDGEMENT, "A-2-3 wins 56 % against three cards up to eight"),
        25,
        Cost.BET,
        "Raise a higher door with three cards up to five.",
    ),
    LeakRule(
        315,
        "Folding rough hands to high boards",
        f"{_FIRST_IN} AND could_wager AND start_pairs = 0 AND start_top IN (8, 9) "
        "AND viable_behind = 0",
        "kind = 'fold'",
        Reference(0.15, Source.EXACT, "A-2-9 wins 66 % against a random hand"),
        30,
        Cost.BET,
        "Complete a rough eight or nine when all doors left are nine or higher.",
    ),
)
