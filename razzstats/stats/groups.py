"""What hands and decisions can be grouped by: SQL over a player's row, its hand and decisions."""

from typing import Any, NamedTuple

from razzstats.cards import RANK_SYMBOLS
from razzstats.equity.starting_hands import StartingClass
from razzstats.lowball import LOW_CARD
from razzstats.stats.filters import Filters


class Group(NamedTuple):
    """One way to group the hands of a player."""

    name: str
    definition: str
    sql: str
    """An expression over ``hand_players``; NULL leaves a hand out."""
    order: str = "key"
    """What the groups are sorted by: an expression over their ``key``."""
    joined: str = ""
    """What else the expression is over; a hand may be in several groups by it."""


_RANKS = f"'{RANK_SYMBOLS}'"


def _first_decision(column: str) -> str:
    return (
        f"(SELECT max({column}) FROM decisions AS first WHERE first.hid = hand_players.hid"
        " AND first.seat = hand_players.seat AND first.street = 3 AND first.turn = 1)"
    )


_POTS = ("under 2", "2 to 5", "5 to 10", "10 to 20", "20 and more")
_POT = "(SELECT pot / big_bet FROM hands WHERE hands.hid = hand_players.hid)"

GROUPS: tuple[Group, ...] = (
    Group("door", "own door card", f"substr({_RANKS}, door_rank, 1)", f"instr({_RANKS}, key)"),
    Group("players", "players dealt in", "players::VARCHAR"),
    Group("site", "room", "site"),
    Group("currency", "currency", "currency"),
    Group(
        "stakes",
        "small bet, big bet and currency",
        "printf('%.15g/%.15g %s', small_bet / power(10, decimals), big_bet / power(10, decimals),"
        " currency)",
        "try_cast(split_part(key, '/', 1) AS DOUBLE), key",
    ),
    Group("game", "cash game or tournament", "if(is_tournament, 'tournament', 'cash')"),
    Group("month", "month (UTC)", "strftime(played_at, '%Y-%m')"),
    Group("date", "day (UTC)", "strftime(played_at, '%Y-%m-%d')"),
    Group("session", "session, by its number", "session::VARCHAR", "key::INTEGER"),
    Group(
        "opponent",
        "another player dealt in; a hand counts for each of them",
        "met.name",
        joined="JOIN (SELECT hid, seat, name FROM hand_players) AS met"
        " ON met.hid = hand_players.hid AND met.seat <> hand_players.seat",
    ),
    Group(
        "bring-in-door",
        "door card of the bring-in player",
        f"substr({_RANKS}, "
        "(SELECT bring_in_door FROM hands WHERE hands.hid = hand_players.hid), 1)",
        f"instr({_RANKS}, key)",
    ),
    Group(
        "behind",
        "players left to act on third street when he first decides, but the bring-in player",
        f"{_first_decision('behind')}::VARCHAR",
    ),
    Group(
        "viable-behind",
        "those of them with a door card of eight or lower",
        f"{_first_decision('viable_behind')}::VARCHAR",
    ),
    Group(
        "lower-behind",
        "those of them with a lower door card than his own",
        f"{_first_decision('lower_behind')}::VARCHAR",
    ),
    Group(
        "low-doors",
        "other players' door cards of eight or lower",
        "(SELECT count(*) FROM hand_players AS other WHERE other.hid = hand_players.hid"
        f" AND other.seat <> hand_players.seat AND other.door_rank <= {int(LOW_CARD)})::VARCHAR",
    ),
    Group(
        "pot",
        "whole pot in big bets",
        f"CASE WHEN {_POT} < 2 THEN '{_POTS[0]}' WHEN {_POT} < 5 THEN '{_POTS[1]}'"
        f" WHEN {_POT} < 10 THEN '{_POTS[2]}' WHEN {_POT} < 20 THEN '{_POTS[3]}'"
        f" ELSE '{_POTS[4]}' END",
        f"list_position({list(_POTS)}, key)",
    ),
    Group(
        "starting-class",
        "class of the starting hand, where it is known",
        "(SELECT starting_class FROM starting_hands"
        " WHERE starting_hands.hid = hand_players.hid AND starting_hands.seat = hand_players.seat)",
        f"list_position({[str(kind) for kind in StartingClass]}, key)",
    ),
)
GROUP_BY_NAME = {group.name: group for group in GROUPS}

ALL = "all"
"""The only group where none is asked for."""

EVERYTHING = Group(ALL, "all hands together", f"'{ALL}'")


def grouped_hands(filters: Filters, group: Group = EVERYTHING) -> tuple[str, list[Any]]:
    """Return the SQL of the rows of ``hand_players`` that match, and its parameters.

    Each has a column more, ``key``, its group; hands that have none are left out.
    """
    if group.name == "session":
        numbered, parameters = filters.numbered()
        hands = f"({numbered}) AS hand_players"
    else:
        hands, parameters = filters.hands()
    sql = f"""SELECT * FROM (SELECT hand_players.*, {group.sql} AS key
        FROM {hands} {group.joined}) WHERE key IS NOT NULL"""
    return sql, parameters
