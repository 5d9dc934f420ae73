"""The table ``decisions``: what each player chose, and all that he and the others had done by then.

It is made of the tables of actions and players by one SQL statement, a batch of hands at a time.
"""

from collections.abc import Iterable, Sequence

from razzstats.lowball import LOW_CARD
from razzstats.rules.actions import CHOICES, WAGERS, ActionKind
from razzstats.storage.database import Database

STEAL_SEATS = 2
"""A completion first in is a steal if at most so many players are left behind, but the bring-in."""


def insert_decisions(database: Database, hids: Sequence[int]) -> None:
    """Insert the decisions of hands that have none yet."""
    database.rows(_SQL, (list(hids),))


def sql_kinds(kinds: Iterable[ActionKind]) -> str:
    """Return kinds of action as SQL asks for one of them: ``('bet', 'call')``."""
    return "(" + ", ".join(f"'{kind}'" for kind in sorted(kinds)) + ")"


_CHOICES, _WAGERS = sql_kinds(CHOICES), sql_kinds(WAGERS)
_BEFORE = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
_AFTER = "ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING"

_SQL = f"""
INSERT INTO decisions BY NAME
WITH chosen AS (
    SELECT a.hid, a.seq, a.street, a.seat, a.kind, a.amount, a.all_in, a.pot, a.to_call, a.wagers,
        a.could_wager, p.players, p.door_rank, h.bring_in_seat IS NOT DISTINCT FROM a.seat AS opens,
        a.kind IN {_WAGERS} AS is_wager,
        row_number() OVER own AS turn,
        count(*) FILTER (a.kind IN {_WAGERS}) OVER own_earlier AS own_wagers,
        lag(a.kind) OVER own AS last_own,
        p.players - count(*) FILTER (a.kind = 'fold') OVER earlier AS live,
        count(*) FILTER (a.kind = 'call' AND a.wagers = 0 AND a.street = 3) OVER earlier AS limpers,
        count(*) FILTER (a.kind = 'call' AND a.wagers > 0) OVER same_wager AS callers,
        count(*) FILTER (a.kind IN {_WAGERS}) OVER whole_street AS street_wagers,
        min(a.seq) OVER whole_own = min(a.seq) OVER whole_street AS acts_first,
        min(a.seq) OVER whole_own AS first_turn,
        last_value(CASE WHEN a.kind IN {_WAGERS} THEN a.seat END IGNORE NULLS)
            OVER earlier_on_street AS wagerer
    FROM (SELECT * FROM actions
        WHERE hid IN (SELECT unnest(?::BIGINT[])) AND kind IN {_CHOICES}) AS a
    JOIN hand_players AS p USING (hid, seat)
    JOIN (SELECT hid, bring_in_seat FROM hands) AS h USING (hid)
    WINDOW own AS (PARTITION BY a.hid, a.street, a.seat ORDER BY a.seq),
        own_earlier AS (PARTITION BY a.hid, a.street, a.seat ORDER BY a.seq {_BEFORE}),
        earlier AS (PARTITION BY a.hid ORDER BY a.seq {_BEFORE}),
        earlier_on_street AS (PARTITION BY a.hid, a.street ORDER BY a.seq {_BEFORE}),
        same_wager AS (PARTITION BY a.hid, a.street, a.wagers ORDER BY a.seq {_BEFORE}),
        whole_street AS (PARTITION BY a.hid, a.street),
        whole_own AS (PARTITION BY a.hid, a.street, a.seat)
), seen AS (
    SELECT *,
        street = 3 AND turn = 1 AND NOT opens AND wagers = 0 AND limpers = 0 AS first_in,
        CASE WHEN street = 3 AND turn = 1 AND NOT opens
            THEN coalesce(list(door_rank) FILTER (turn = 1 AND NOT opens) OVER later, [])
            END AS doors_behind
    FROM chosen
    WINDOW later AS (PARTITION BY hid, street ORDER BY seq {_AFTER})
), carried AS (
    SELECT hid, street + 1 AS street, arg_max(seat, seq) AS seat
    FROM chosen WHERE is_wager GROUP BY hid, street
), delayed AS (
    SELECT hid, street + 1 AS street, seat FROM carried
    WHERE (hid, street) NOT IN (SELECT hid, street FROM chosen WHERE is_wager)
), judged AS (
    SELECT *,
        len(doors_behind) AS behind,
        len(list_filter(doors_behind, lambda door: door <= {int(LOW_CARD)})) AS viable_behind,
        len(list_filter(doors_behind, lambda door: door < door_rank)) AS lower_behind,
        first_in AND len(doors_behind) <= {STEAL_SEATS} AS can_steal,
        first_turn = max(first_turn) OVER (PARTITION BY hid, street) AS acts_last
    FROM seen
)
SELECT j.hid, j.seq, j.street, j.seat, j.kind, j.amount, j.all_in, j.pot, j.to_call, j.wagers,
    j.could_wager, j.turn, j.last_own, j.live, j.limpers, j.callers, j.street_wagers, j.first_in,
    j.behind, j.viable_behind, j.lower_behind, j.can_steal, j.opens AS bring_in,
    j.own_wagers, j.acts_first, j.acts_last, coalesce(c.seat = j.seat, false) AS carried,
    coalesce(l.seat = j.seat, false) AS delayed,
    coalesce(c.seat = j.wagerer, false) AS faces_carried,
    coalesce(j.wagers = 1 AND j.callers = 0 AND last_value(
        CASE WHEN j.is_wager THEN j.can_steal AND j.kind = 'complete' END IGNORE NULLS)
        OVER (PARTITION BY j.hid, j.street ORDER BY j.seq {_BEFORE}), false) AS faces_steal
FROM judged AS j LEFT JOIN carried AS c ON j.hid = c.hid AND j.street = c.street
LEFT JOIN delayed AS l ON j.hid = l.hid AND j.street = l.street
ORDER BY j.hid, j.seq
"""
