"""Rates of hands: what was made out of the hands in which it could be."""

from razzstats.stats.catalogue.kinds import OURS, Stat

STATS: tuple[Stat, ...] = (
    Stat(
        "win_rate",
        "Hands won",
        "hands in which the player collected chips, of all hands dealt to him; a split pot counts",
        "collected > 0",
        "TRUE",
        "PokerTracker 4, fpdb",
    ),
    Stat(
        "brought_in",
        "Brought in",
        "hands in which the player posted the bring-in, of all hands dealt to him",
        "brought_in",
        "TRUE",
        "HORSE replayer",
    ),
    Stat(
        "vpip",
        "VPIP",
        "hands in which the player called, completed or raised on third street, of those in which "
        "he had a choice there; antes and the bring-in do not count, nor does a bring-in that "
        "everybody else folded to or only called",
        "vpip",
        "vpip_chance",
        "PokerTracker 4: hands less walks; others take all hands",
    ),
    Stat(
        "complete",
        "Completed",
        "hands in which the player completed the bring-in, of those in which he had to act while "
        "nobody had completed; the bring-in player's own choice is left out",
        "completed",
        "complete_chance",
        OURS,
    ),
    Stat(
        "saw_fourth",
        "Saw fourth street",
        "hands in which the player was still in when fourth street was dealt, of all hands",
        "last_street >= 4",
        "TRUE",
        "fpdb",
    ),
    Stat(
        "saw_fifth",
        "Saw fifth street",
        "hands in which the player was still in when fifth street was dealt, of all hands",
        "last_street >= 5",
        "TRUE",
        "fpdb",
    ),
    Stat(
        "saw_sixth",
        "Saw sixth street",
        "hands in which the player was still in when sixth street was dealt, of all hands",
        "last_street >= 6",
        "TRUE",
        "fpdb",
    ),
    Stat(
        "saw_seventh",
        "Saw seventh street",
        "hands in which the player was still in when the last card was dealt, of all hands",
        "last_street >= 7",
        "TRUE",
        "fpdb",
    ),
    Stat(
        "folded_after_entering",
        "Folded after entering",
        "hands that the player folded in the end, of those in which he called, completed or raised "
        "on third street",
        "vpip AND folded",
        "vpip",
        "HORSE replayer",
    ),
    Stat(
        "went_to_showdown",
        "Went to showdown (WTSD)",
        "hands in which the player reached the showdown, of those in which he saw fourth street",
        "showdown",
        "last_street >= 4",
        "fpdb, pokerstrategy.com; others divide by hands entered or all hands",
    ),
    Stat(
        "went_to_showdown_from_fifth",
        "Went to showdown from fifth",
        "hands in which the player reached the showdown, of those in which he saw fifth street, "
        "where the big bets begin",
        "showdown",
        "last_street >= 5",
        OURS,
    ),
    Stat(
        "won_at_showdown",
        "Won at showdown (W$SD)",
        "showdowns in which the player collected chips, of his showdowns; a split pot counts",
        "showdown AND collected > 0",
        "showdown",
        "PokerTracker 4, fpdb; others ask for a net above 0",
    ),
    Stat(
        "shared_at_showdown",
        "Shared at showdown",
        "showdowns in which the player collected chips and others did too, for equal hands or "
        "other pots, of his showdowns",
        "showdown AND collected > 0 AND collected < pot - rake",
        "showdown",
        OURS,
    ),
    Stat(
        "gained_at_showdown",
        "Gained at showdown",
        "showdowns in which the player collected more than he had put in, of his showdowns",
        "showdown AND net > 0",
        "showdown",
        "HORSE replayer (its W$SD)",
    ),
    Stat(
        "won_without_showdown",
        "Won without showdown",
        "hands in which the player collected chips without a showdown of his, of all hands",
        "collected > 0 AND NOT showdown",
        "TRUE",
        "fpdb; others divide by hands won",
    ),
    Stat(
        "won_when_saw_fourth",
        "Won when saw fourth (W$S4)",
        "hands in which the player collected chips, of those in which he saw fourth street",
        "last_street >= 4 AND collected > 0",
        "last_street >= 4",
        "PokerTracker 4 (WWSF), fpdb",
    ),
    Stat(
        "won_when_saw_fifth",
        "Won when saw fifth (W$S5)",
        "hands in which the player collected chips, of those in which he saw fifth street",
        "last_street >= 5 AND collected > 0",
        "last_street >= 5",
        "fpdb",
    ),
)
"""Every rate, in the order in which the overview shows them."""

STAT_BY_ID = {stat.id: stat for stat in STATS}
