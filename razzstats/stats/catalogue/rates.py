"""Rates of hands: what was made out of the hands in which it could be."""

from razzstats.stats.catalogue.kinds import Stat

STATS: tuple[Stat, ...] = (
    Stat(
        "win_rate",
        "Hands won",
        "hands in which the player collected chips, of all hands dealt to him; a split pot counts",
        "collected > 0",
        "TRUE",
    ),
    Stat(
        "brought_in",
        "Brought in",
        "hands in which the player posted the bring-in, of all hands dealt to him",
        "brought_in",
        "TRUE",
    ),
    Stat(
        "vpip",
        "VPIP",
        "hands in which the player called, completed or raised on third street, of those in which "
        "he had a choice there; antes and the bring-in do not count, nor does a bring-in that "
        "everybody else folded to or only called",
        "vpip",
        "vpip_chance",
    ),
    Stat(
        "complete",
        "Completed",
        "hands in which the player completed the bring-in, of those in which he had to act while "
        "nobody had completed; the bring-in player's own choice is left out",
        "completed",
        "complete_chance",
    ),
    Stat(
        "saw_fourth",
        "Saw fourth street",
        "hands in which the player was still in when fourth street was dealt, of all hands",
        "last_street >= 4",
        "TRUE",
    ),
    Stat(
        "went_to_showdown",
        "Went to showdown (WTSD)",
        "hands in which the player reached the showdown, of those in which he saw fourth street",
        "showdown",
        "last_street >= 4",
    ),
    Stat(
        "won_at_showdown",
        "Won at showdown (W$SD)",
        "showdowns in which the player collected chips, of his showdowns; a split pot counts",
        "showdown AND collected > 0",
        "showdown",
    ),
    Stat(
        "won_when_saw_fourth",
        "Won when saw fourth (W$S4)",
        "hands in which the player collected chips, of those in which he saw fourth street",
        "last_street >= 4 AND collected > 0",
        "last_street >= 4",
    ),
)
"""Every rate, in the order in which the overview shows them."""

STAT_BY_ID = {stat.id: stat for stat in STATS}
