"""The tables of statistics, with filters that may be left out.

Each function makes one table of the catalogue, as a pandas frame: one row for each thing that is
counted, NA where there is nothing to count. `columns` says what every column holds; rates are
fractions of 1, ``net`` is in smallest units of the currency (cents), big bets (BB) are those of
each hand's own table, and ``_low`` and ``_high`` are the bounds of 95 % intervals.
"""

import pandas as pd

from razzstats.api.choices import chosen
from razzstats.stats import door_pairs as pairs
from razzstats.stats import (
    luck,
    money,
    opponents,
    pool,
    positions,
    rates,
    sessions,
    starting_hands,
    tables,
)
from razzstats.stats.catalogue import TABLE_BY_NAME
from razzstats.stats.filters import Filters
from razzstats.stats.groups import EVERYTHING, GROUP_BY_NAME, Group
from razzstats.storage import Database

HERO = Filters()
"""The hands of those whose files were imported."""


def table(
    database: Database, name: str, filters: Filters = HERO, by: str | None = None
) -> pd.DataFrame:
    """Return a table by its name in the catalogue, as ``razzstats stats NAME`` prints it.

    ``by`` splits the tables ``third-street``, ``street-rates``, ``hand-rates`` and ``results`` by
    a group, such as "door", "players", "stakes" or "month". Columns and their units: `columns`.
    Raises RazzstatsError, with all names, where there is no such table or group.

    >>> len(razzstats.table(database, "door-cards"))
    13
    >>> razzstats.table(database, "results", by="players")["group"].tolist()
    ['5', '6']
    >>> razzstats.table(database, "door-cards", by="players")
    Traceback (most recent call last):
    ...
    razzstats.errors.RazzstatsError: 'door-cards' is no table that can be split; choose from ...
    """
    if by is None:
        return chosen(name, tables.TABLE_FUNCTIONS, "table")(database, filters)
    split = chosen(name, tables.GROUPED_TABLES, "table that can be split")
    return split(database, filters, _group(by))


def _group(by: str | None) -> Group:
    return EVERYTHING if by is None else chosen(by, GROUP_BY_NAME, "group")


def columns(name: str) -> pd.DataFrame:
    """Return what the columns of a table of the catalogue hold.

    Columns: key, heading, kind and definition, all text. Kinds are text, count, rate (a fraction
    of 1), amount (smallest units of a currency, such as cents), number, and result (a number that
    is won or lost, and so has a sign). Raises RazzstatsError, with all names, for another name.

    >>> held = razzstats.columns("door-cards").set_index("key")
    >>> held.loc["big_bets_per_100", "definition"]
    "big bets won per 100 hands; each hand's result counts in big bets of its own table"
    """
    found = chosen(name, TABLE_BY_NAME, "table").columns
    rows = [(each.key, each.heading, str(each.kind), each.definition) for each in found]
    return pd.DataFrame(rows, columns=["key", "heading", "kind", "definition"])


# ---- hands


def overview(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return hands, sessions, net by currency, BB/100 and every rate, one row each.

    Columns: those of the table ``overview``.

    >>> razzstats.overview(database).set_index("id").loc["vpip", ["made", "chances"]].tolist()
    [17, 75]
    """
    return tables.overview(database, filters)


def door_cards(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return results and rates by the player's own door card, thirteen rows from ace to king.

    Columns: those of the table ``door-cards``.

    >>> doors = razzstats.door_cards(database).set_index("door")
    >>> doors.loc["5", ["hands", "won", "net"]].tolist()
    [4, 1, 1820]
    >>> razzstats.door_cards(database, razzstats.Filters(all_players=True))["hands"].sum()
    np.int64(429)
    """
    return tables.door_cards(database, filters)


def bring_ins(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return how often each own door card brings in, and how often by chance, thirteen rows.

    Columns: those of the table ``bring-ins``.

    >>> kings = razzstats.bring_ins(database).set_index("door").loc["K"]
    >>> int(kings["hands"]), int(kings["brought_in_made"]), round(float(kings["expected"]), 3)
    (8, 8, 0.805)
    """
    return tables.bring_ins(database, filters)


def door_pairs(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return results by own door card and that of the bring-in player, 169 rows.

    Columns: those of the table ``door-pairs``.

    >>> cells = razzstats.door_pairs(database).set_index(["door", "bring_in_door"])
    >>> int(cells.loc[("2", "K"), "hands"])
    1
    """
    return pairs.door_pairs(database, filters)


def door_streets(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return how each door card fares from each street on, 65 rows by door card and street.

    Columns: those of the table ``door-streets``.

    >>> cells = razzstats.door_streets(database).set_index(["door", "street"])
    >>> cells.loc[("A", 5), ["reached", "folded", "won"]].tolist()
    [4, 1, 1]
    """
    return tables.door_streets(database, filters)


def streets(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return what the player did on each street, five rows from third to seventh.

    Columns: those of the table ``streets``.

    >>> razzstats.streets(database)["reached"].tolist()
    [75, 14, 10, 7, 7]
    """
    return tables.streets(database, filters)


def position_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return results by position, eight rows: the bring-in player, then 0 to 6 left to act.

    Columns: those of the table ``positions``.

    >>> razzstats.position_table(database)["position"].tolist()
    ['bring-in', '0', '1', '2', '3', '4', '5', '6']
    """
    return positions.position_table(database, filters)


def starting_class_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return results by class of starting hands, seven rows, the better classes first.

    Columns: those of the table ``starting-classes``.

    >>> classes = razzstats.starting_class_table(database)
    >>> classes.loc[0, "class"], int(classes.loc[0, "hands"])
    ('three wheel cards', 3)
    """
    return starting_hands.starting_class_table(database, filters)


def starting_hand_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return results by the ranks of the first three cards, the best hand first.

    Columns: those of the table ``starting-hands``.

    >>> best = razzstats.starting_hand_table(database).iloc[0]
    >>> best["starting_hand"], best["rank"]
    ('A23', np.int64(1))
    """
    return starting_hands.starting_hand_table(database, filters)


# ---- luck and money


def luck_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return what luck did at showdowns in big bets, three rows: all-in, last card, all.

    Columns: those of the table ``luck``.

    >>> razzstats.luck_table(database).set_index("kind")["measured"].to_dict()
    {'all-in': 0, 'last card': 7, 'all': 7}
    """
    return luck.luck_table(database, filters)


def money_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return what was won and lost, what it is made of and how sure it is, one row each.

    Columns: those of the table ``money``.
    The unit of each value is its row's ``unit``.

    >>> razzstats.money_table(database).set_index("id").loc["big_bets_per_100", "unit"]
    'BB/100'
    """
    return money.money_table(database, filters)


def session_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return results by session, one row each in order of time; times are UTC.

    Columns: those of the table ``sessions``.

    >>> razzstats.session_table(database)[["day", "hands"]].values.tolist()
    [['2026-03-08', 75]]
    """
    return sessions.session_table(database, filters)


def stakes_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return results by room, stakes, and cash game or tournament, the lower stakes first.

    Columns: those of the table ``stakes``.

    >>> razzstats.stakes_table(database)["stakes"].tolist()
    ['1/2 USD']
    """
    return sessions.stakes_table(database, filters)


# ---- rates, whole or by group


def third_street(
    database: Database, filters: Filters = HERO, by: str | None = None
) -> pd.DataFrame:
    """Return what was chosen on third street, one row a statistic and group.

    Columns: those of the table ``third-street``.
    ``by`` splits it by a group: "door", "players", "site", "stakes", "month", "opponent" and others
    of ``razzstats stats --list``.

    >>> rates = razzstats.third_street(database).set_index("id")
    >>> rates.loc["steal", ["made", "chances"]].tolist()
    [3, 8]
    >>> razzstats.third_street(database, by="suits")
    Traceback (most recent call last):
    ...
    razzstats.errors.RazzstatsError: 'suits' is no group; choose from door, players, ...
    """
    return rates.third_street(database, filters, _group(by))


def street_rates(
    database: Database, filters: Filters = HERO, by: str | None = None
) -> pd.DataFrame:
    """Return what was chosen on each street, one row a statistic, street and group.

    Columns: those of the table ``street-rates``.
    ``by`` splits it by a group: "door", "players", "site", "stakes", "month", "opponent" and others
    of ``razzstats stats --list``.

    >>> rates = razzstats.street_rates(database).set_index(["id", "street"])
    >>> rates.loc[("aggression_frequency", 4), ["made", "chances"]].tolist()
    [4, 10]
    """
    return rates.street_rates(database, filters, _group(by))


def hand_rates(database: Database, filters: Filters = HERO, by: str | None = None) -> pd.DataFrame:
    """Return how often hands went one way or another, one row a statistic and group.

    Columns: those of the table ``hand-rates``.
    ``by`` splits it by a group: "door", "players", "site", "stakes", "month", "opponent" and others
    of ``razzstats stats --list``.

    >>> rates = razzstats.hand_rates(database, by="door").set_index(["id", "group"])
    >>> rates.loc[("vpip", "A"), ["made", "chances"]].tolist()
    [5, 7]
    """
    return rates.hand_rates(database, filters, _group(by))


def result_table(
    database: Database, filters: Filters = HERO, by: str | None = None
) -> pd.DataFrame:
    """Return what the hands brought, one row a group.

    Columns: those of the table ``results``.
    (`results` lists the hands one by one.)

    ``by`` splits it by a group: "door", "players", "site", "stakes", "month", "opponent" and others
    of ``razzstats stats --list``.

    >>> razzstats.result_table(database, by="players")[["group", "hands"]].values.tolist()
    [['5', 21], ['6', 54]]
    """
    return rates.result_table(database, filters, _group(by))


# ---- the other players


def opponent_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return the other players of the hands that match, those met most often first.

    Columns: those of the table ``opponents``.
    Each is placed among all players of the database at tables of his size: ``vpip_place`` 0.9 is
    more often than nine in ten.

    >>> met = razzstats.opponent_table(database)
    >>> met.loc[0, "name"], int(met.loc[0, "hands"])
    ('bad beat bob', 75)
    """
    return opponents.opponent_table(database, filters)


def pool_table(database: Database, filters: Filters = HERO) -> pd.DataFrame:
    """Return percentiles of each rate by stakes and table size, with the own rate beside them.

    Columns: those of the table ``pool``.
    A rate has a row only where enough players with enough hands have it.

    >>> vpip = razzstats.pool_table(database).loc[0]
    >>> vpip["title"], round(float(vpip["p50"]), 2), round(float(vpip["own"]), 2)
    ('VPIP', 0.23, 0.23)
    """
    return pool.pool_table(database, filters)
