"""What hands and decisions can be grouped by: SQL over a player's row, its hand and decisions."""

from typing import NamedTuple

from razzstats.cards import RANK_SYMBOLS
from razzstats.equity.starting_hands import StartingClass


class Group(NamedTuple):
    """One way to group the hands of a player."""

    name: str
    definition: str
    sql: str
    """An expression over ``hand_players``; NULL leaves a hand out."""
    order: str = "key"
    """What the groups are sorted by: an expression over their ``key``."""


_RANKS = f"'{RANK_SYMBOLS}'"


def _first_decision(column: str) -> str:
    return (
        f"(SELECT max({column}) FROM decisions AS first WHERE first.hid = hand_players.hid"
        " AND first.seat = hand_players.seat AND first.street = 3 AND first.turn = 1)"
    )


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
        "starting-class",
        "class of the starting hand, where it is known",
        "(SELECT starting_class FROM starting_hands"
        " WHERE starting_hands.hid = hand_players.hid AND starting_hands.seat = hand_players.seat)",
        f"list_position({[str(kind) for kind in StartingClass]}, key)",
    ),
)
GROUP_BY_NAME = {group.name: group for group in GROUPS}
