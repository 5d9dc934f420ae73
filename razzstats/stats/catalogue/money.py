"""What won and lost money is made of, as data: in words, and in SQL what one hand counts."""

from typing import NamedTuple

from razzstats.stats.catalogue.kinds import OURS, Column, Kind, Table

UNITS = (
    "BB (big bets), BB/100 and SB/100 (big and small bets per 100 hands), BB/hour, hours, hands, "
    "blocks, or rate (a fraction of 1)"
)
"""The units of the table ``money``, in words."""


class MoneyStat(NamedTuple):
    """A row of the table ``money``."""

    id: str
    title: str
    definition: str
    unit: str
    """What the value is counted in; `UNITS` says it in words."""
    source: str
    """Who counts it so; ours are marked as such."""
    sql: str = ""
    """What one hand counts, in smallest units, where the row is a mean of hands.

    It may name the columns of ``hand_players``, the hand's ``pot`` and ``rake``, the player's
    measured ``luck``, and ``forced``, his bring-in; what a hand has not is 0.
    """


_RAKE = "; the rake of each hand counts as the player's"

MONEY_STATS: tuple[MoneyStat, ...] = (
    MoneyStat(
        "big_bets_per_100",
        "Net",
        "big bets won per 100 hands; each hand's result counts in big bets of its own table; the "
        "interval is the normal one, which takes hands as independent",
        "BB/100",
        "PokerTracker 4: big bets in limit games",
        "net",
    ),
    MoneyStat(
        "small_bets_per_100",
        "Net in small bets",
        "the same in small bets, two of which are a big bet at most tables",
        "SB/100",
        "fpdb (its bb/100 of stud)",
        "net * big_bet / small_bet",
    ),
    MoneyStat(
        "big_bets_per_100_by_session",
        "Net, by session",
        "the same with an interval for which whole sessions are drawn again 2,000 times (BCa "
        "bootstrap): hands of one session may depend on each other; with few sessions it is too "
        "narrow",
        "BB/100",
        "Efron (1987), sessions as blocks",
    ),
    MoneyStat(
        "blocks",
        "Sessions drawn from",
        "the sessions of that interval, by player and room, each up to a pause of more than 30 "
        "minutes; hands without a time are one of their own",
        "blocks",
        OURS,
    ),
    MoneyStat(
        "deviation_per_100",
        "Standard deviation",
        "how much the result of 100 hands swings: ten times the standard deviation of one hand",
        "BB",
        "PokerTracker 4",
    ),
    MoneyStat(
        "hands_to_5",
        "Hands to within 5 BB/100",
        "how many hands it takes, by that deviation, until the 95 % interval of BB/100 reaches no "
        "further than 5 to either side",
        "hands",
        "normal interval",
    ),
    MoneyStat(
        "hands_to_2",
        "Hands to within 2 BB/100",
        "the same for 2 to either side",
        "hands",
        "normal interval",
    ),
    MoneyStat(
        "winner_probability",
        "Chance of being a winner",
        "how likely the true BB/100 is above 0, if all that is known of it are these hands "
        "(normal)",
        "rate",
        "normal, all rates as likely before",
    ),
    MoneyStat(
        "at_showdown_per_100",
        "Net at showdown",
        "what the hands brought in which the player came to the showdown, per 100 of all hands",
        "BB/100",
        "PokerTracker 4",
        "if(showdown, net, 0)",
    ),
    MoneyStat(
        "without_showdown_per_100",
        "Net without showdown",
        "what all other hands brought, per 100 of all hands: antes and bring-ins that were given "
        "up are in it",
        "BB/100",
        "PokerTracker 4 (red line)",
        "if(showdown, 0, net)",
    ),
    MoneyStat(
        "without_showdown_by_choice_per_100",
        "Of that, chips by choice",
        "the part of it from hands in which the player called, completed or raised on third "
        "street, per 100 of all hands",
        "BB/100",
        OURS,
        "if(vpip AND NOT showdown, net, 0)",
    ),
    MoneyStat(
        "ante_adjusted_per_100",
        "Net of forced bets",
        "net plus antes and bring-ins of the player, per 100 hands: what playing brought against "
        "folding everything",
        "BB/100",
        OURS,
        "net + ante + forced",
    ),
    MoneyStat(
        "folding_everything_per_100",
        "Folding everything",
        "what his antes and bring-ins cost per 100 hands; a bring-in counts with what was posted, "
        "even if it came back uncalled",
        "BB/100",
        OURS,
        "-(ante + forced)",
    ),
    MoneyStat(
        "rake_weighted_per_100",
        "Rake, by chips put in",
        "rake per 100 hands" + _RAKE + " in the part of the pot that he put in",
        "BB/100",
        "weighted contributed rake, as most rooms pay rakeback",
        "coalesce(rake * contributed / nullif(pot, 0), 0)",
    ),
    MoneyStat(
        "rake_dealt_per_100",
        "Rake, by players dealt in",
        "rake per 100 hands" + _RAKE + " in equal parts for all who were dealt in",
        "BB/100",
        "dealt rake",
        "rake / players",
    ),
    MoneyStat(
        "rake_winner_per_100",
        "Rake, by winnings",
        "rake per 100 hands" + _RAKE + " in the part of the pot, after rake, that he collected",
        "BB/100",
        "fpdb: the winner pays",
        "coalesce(rake * collected / nullif(pot - rake, 0), 0)",
    ),
    MoneyStat(
        "luck_adjusted_per_100",
        "Luck-adjusted net",
        "net per 100 hands less all luck that could be measured at showdowns",
        "BB/100",
        OURS,
        "net - coalesce(luck, 0)",
    ),
    MoneyStat(
        "hours",
        "Hours",
        "time between the first and the last hand of each session; hands without a time are left "
        "out",
        "hours",
        "fpdb, without its five minutes more a session",
    ),
    MoneyStat(
        "big_bets_per_hour",
        "Net an hour",
        "big bets won in the hands of these sessions, an hour",
        "BB/hour",
        "PokerTracker 4",
    ),
    MoneyStat(
        "largest_drawdown",
        "Largest drawdown",
        "the furthest that the running total, from 0 on in the order of play, fell below its "
        "highest point before",
        "BB",
        OURS,
    ),
    MoneyStat(
        "largest_drawdown_hands",
        "Hands it lasted",
        "hands after which the total was below that point, until it was reached again or to the "
        "last hand",
        "hands",
        OURS,
    ),
    MoneyStat(
        "present_drawdown",
        "Present drawdown",
        "how far the total is below its highest point after the last hand",
        "BB",
        OURS,
    ),
    MoneyStat(
        "below_peak",
        "Hands below the peak",
        "the part of the hands after which the total was below its highest point before",
        "rate",
        OURS,
    ),
)
"""Every row of the table ``money``, in its order."""

MONEY_TABLES: tuple[Table, ...] = (
    Table(
        "money",
        "Money",
        "what was won and lost, what it is made of, and how sure it is",
        (
            Column("id", "Id", Kind.TEXT, "the number's id"),
            Column("title", "Statistic", Kind.TEXT, "the number's name"),
            Column("value", "Value", Kind.NUMBER, "the number, in its unit"),
            Column("low", "Low", Kind.NUMBER, "lower bound of the 95 % interval"),
            Column("high", "High", Kind.NUMBER, "upper bound of the 95 % interval"),
            Column("hands", "Hands", Kind.COUNT, "the hands that it is counted over"),
            Column(
                "unit",
                "Unit",
                Kind.TEXT,
                UNITS,
            ),
        ),
    ),
)
"""The table of money."""
