"""The tables of sessions, stakes, opponents, the pool and positions at the table."""

from razzstats.stats.catalogue.decisions import THIRD_STREET_STATS
from razzstats.stats.catalogue.kinds import Column, Kind, Stat, Table, rate_columns
from razzstats.stats.catalogue.rates import STAT_BY_ID
from razzstats.stats.catalogue.tables import HAND_TABLES

POOL_HANDS = 30
"""So many hands a player must have for others to be compared with him."""

POOL_PLAYERS = 5
"""With fewer players than this nobody's place among them is told."""

POOL_CHANCES = 20
"""So many chances a player must have had for his rate to count among the pool's."""

PRIOR_HANDS = 20
"""How many hands of the average player a shrunken rate is mixed with."""

FIRST_IN_STATS: tuple[Stat, ...] = tuple(
    stat for stat in THIRD_STREET_STATS if stat.id in ("complete_first_in", "limp", "fold_first_in")
)
"""What is done first in; all three are of the same decisions."""

# What results look like is said once, by the table of door cards.
_RESULT = {
    column.key: column
    for table in HAND_TABLES
    if table.name == "door-cards"
    for column in table.columns
}
_WON = tuple(_RESULT[key] for key in ("won", "win_rate", "win_rate_low", "win_rate_high"))
_BIG_BETS_PER_100 = tuple(
    _RESULT[f"big_bets_per_100{part}"] for part in ("", "_low", "_high")
)  # fmt: skip
_NET_BIG_BETS = Column("net_big_bets", "Net BB", Kind.RESULT, "the net of these hands, in big bets")
_SITE = Column("site", "Room", Kind.TEXT, "the room")


def _rate(stat: Stat, chances: str = "hands") -> tuple[Column, ...]:
    return (
        *rate_columns(stat.id, stat.title, stat.definition),
        Column(f"{stat.id}_chances", "of", Kind.COUNT, f"how many {chances} that rate is of"),
    )


def _place(id: str) -> Column:
    title = STAT_BY_ID[id].title
    return Column(
        f"{id}_place",
        f"{title}: place",
        Kind.RATE,
        f"the part of the players of that pool with a lower rate of the same name ({title}), those "
        "with the same rate counted by half; his rate here is that of all his hands in the pool's "
        f"hands at tables of this size; empty with fewer than {POOL_PLAYERS} players who have one",
    )


_SESSIONS = Table(
    "sessions",
    "Sessions",
    "results by session, of the hands that match: a pause of more than 30 minutes (or as many as "
    "are given) between two of the same player at the same room begins a new one; hands without a "
    "time come last, as one",
    (
        Column("number", "No.", Kind.COUNT, "the sessions in order of time, from 1"),
        Column("name", "Player", Kind.TEXT, "the player's name"),
        _SITE,
        Column(
            "day",
            "Day",
            Kind.TEXT,
            "the day on which it began, in UTC; days begin at midnight or at the hour given",
        ),
        Column("begin", "Begin", Kind.TEXT, "when the first hand began, in UTC"),
        Column("end", "End", Kind.TEXT, "when the last hand began, in UTC"),
        Column("minutes", "Minutes", Kind.NUMBER, "from begin to end", is_exact=True),
        Column("hands", "Hands", Kind.COUNT, "hands of the session"),
        Column(
            "stakes",
            "Stakes",
            Kind.TEXT,
            "small bet, big bet and currency; several if they are mixed",
        ),
        _RESULT["net"],
        _NET_BIG_BETS,
        *_BIG_BETS_PER_100,
        Column(
            "big_bets_per_hour",
            "BB/hour",
            Kind.RESULT,
            "big bets won an hour between begin and end; empty if they are the same",
        ),
        Column(
            "biggest_pot",
            "Biggest pot",
            Kind.NUMBER,
            "the biggest pot that he played for, in big bets; one that he gave up on third street "
            "without putting in chips by choice does not count",
            is_exact=True,
        ),
        Column(
            "biggest_pot_hand",
            "Its hand",
            Kind.TEXT,
            "the number of the hand with that pot, the first of equals",
        ),
        Column(
            "luck_big_bets",
            "Luck BB",
            Kind.RESULT,
            "what luck did at showdowns, in big bets; empty if none could be measured",
        ),
        *_rate(STAT_BY_ID["vpip"]),
        Column("showdowns", "Showdowns", Kind.COUNT, "showdowns in which the player was in"),
    ),
)

_STAKES = Table(
    "stakes",
    "Stakes",
    "results by room, stakes, and cash game or tournament",
    (
        _SITE,
        Column("stakes", "Stakes", Kind.TEXT, "small bet, big bet and currency"),
        Column("currency", "Currency", Kind.TEXT, "the currency, or play or chips"),
        Column("game", "Game", Kind.TEXT, "cash or tournament"),
        Column("hands", "Hands", Kind.COUNT, "hands for these stakes"),
        Column(
            "sessions",
            "Sessions",
            Kind.COUNT,
            "sessions with such a hand; one with several stakes counts for each of them",
        ),
        _RESULT["net"],
        *_BIG_BETS_PER_100,
        Column(
            "luck_adjusted_per_100",
            "Luck-adjusted BB/100",
            Kind.RESULT,
            "BB/100 with the luck that was measured at showdowns taken out",
        ),
        *_WON,
        *_rate(STAT_BY_ID["vpip"]),
    ),
)

_OPPONENTS = Table(
    "opponents",
    "Opponents",
    "every other player in the hands that match, those met most often first: what he did in them, "
    "and where he stands in the pool of all players of the hands that the filters on room, stakes, "
    "currency, time, players and tournaments let through",
    (
        Column("name", "Player", Kind.TEXT, "the opponent's name"),
        _SITE,
        Column("hands", "Hands", Kind.COUNT, "hands together"),
        *_rate(STAT_BY_ID["vpip"]),
        Column(
            "shrunken_vpip",
            "VPIP, shrunken",
            Kind.RATE,
            f"VPIP as if he had played {PRIOR_HANDS} more hands like the average of the pool at "
            "tables of his size (the mean of a beta-binomial distribution with a prior of that "
            "mean and weight): few hands say little, and this says so",
        ),
        *_rate(STAT_BY_ID["complete"]),
        *_rate(STAT_BY_ID["saw_fourth"]),
        *_rate(STAT_BY_ID["went_to_showdown"]),
        *_rate(STAT_BY_ID["won_at_showdown"]),
        Column(
            "aggression",
            "AF",
            Kind.NUMBER,
            "aggression factor over all streets: completions, bets and raises for each call; empty "
            "if he never called",
        ),
        _NET_BIG_BETS,
        *_BIG_BETS_PER_100,
        Column(
            "contested",
            "Contested",
            Kind.COUNT,
            "hands in which both he and the hero put in chips by choice, on any street",
        ),
        Column(
            "hero_net_big_bets",
            "Hero's net BB",
            Kind.RESULT,
            "the hero's net in the contested hands, in big bets, whoever it was won from",
        ),
        Column(
            "table_size",
            "Table",
            Kind.TEXT,
            "players dealt in at the tables where he has most hands: 2, 3-4, 5-6 or 7-8",
        ),
        Column(
            "pool_players",
            "Pool",
            Kind.COUNT,
            f"players of the pool with {POOL_HANDS} hands or more at tables of this size",
        ),
        *(_place(id) for id in ("vpip", "complete", "went_to_showdown")),
    ),
)

_POOL = Table(
    "pool",
    "Pool",
    "what all players do at tables of the same stakes and size: percentiles of the rates of those "
    f"with {POOL_HANDS} hands there or more, and {POOL_CHANCES} chances or more of the rate; only "
    f"rates that {POOL_PLAYERS} players have",
    (
        Column("title", "Statistic", Kind.TEXT, "the statistic's name"),
        Column("street", "Street", Kind.COUNT, "the street, if it is of one of several"),
        Column("stakes", "Stakes", Kind.TEXT, "small bet, big bet and currency"),
        Column("table_size", "Table", Kind.TEXT, "players dealt in: 2, 3-4, 5-6 or 7-8"),
        Column("pool_players", "Players", Kind.COUNT, "players whose rates these are"),
        *(
            Column(
                f"p{percent}",
                "Median" if percent == 50 else f"{percent} %",
                Kind.RATE,
                f"{percent} of 100 players have a lower rate",
                is_exact=True,
            )
            for percent in (10, 25, 50, 75, 90)
        ),
        Column("own", "Own", Kind.RATE, "the rate in the hands that match"),
        Column("own_chances", "of", Kind.COUNT, "how many chances that rate is of"),
        Column(
            "own_place",
            "Place",
            Kind.RATE,
            "the part of these players with a lower rate, those with the same counted by half",
            is_exact=True,
        ),
        Column("id", "Id", Kind.TEXT, "the statistic's id"),
    ),
)

_POSITIONS = Table(
    "positions",
    "Positions",
    "results and what is done first in, by the players left to act on third street",
    (
        Column(
            "position",
            "Left to act",
            Kind.TEXT,
            "bring-in for the bring-in player; else the number of players left to act but him, "
            "when the player first decides",
        ),
        Column("hands", "Hands", Kind.COUNT, "hands in this position"),
        *_rate(STAT_BY_ID["vpip"]),
        *(column for stat in FIRST_IN_STATS for column in _rate(stat, "decisions")),
        *_WON,
        *_BIG_BETS_PER_100,
    ),
)

PLAYER_TABLES: tuple[Table, ...] = (_SESSIONS, _STAKES, _OPPONENTS, _POOL, _POSITIONS)
"""When, for what, against whom and from where a player plays."""
