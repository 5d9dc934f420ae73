"""The table ``spots``: what a player saw when he decided, where his own cards are known.

Everything comes from his own cards and from the up cards dealt by then, those of folded players
too; nothing from cards that were shown later.
"""

from collections.abc import Sequence

from razzstats.lowball import LOW_CARD
from razzstats.rules.actions import VOLUNTARY, WAGERS
from razzstats.storage.database import Database
from razzstats.storage.decisions import sql_kinds

GOOD = int(LOW_CARD)
"""A card up to this rank that pairs nothing in its hand is a good card; any other is a brick."""


def insert_spots(database: Database, hids: Sequence[int]) -> None:
    """Insert the spots of hands whose decisions are stored and have none yet."""
    database.rows(_SQL, (list(hids),))


_CARDS = "[c1, c2, c3, c4, c5, c6, c7]"
_RANKS = f"list_transform({_CARDS}, lambda c: c % 13 + 1)"


def _good(ranks: str) -> str:
    """Return how many different ranks up to eight are in a list."""
    return f"len(list_distinct(list_filter({ranks}, lambda r: r <= {GOOD})))"


_SQL = f"""
INSERT INTO spots BY NAME
WITH chosen AS (
    SELECT * FROM decisions WHERE hid IN (SELECT unnest(?::BIGINT[]))
), players AS (
    SELECT hid, seat, door_rank, last_street, {_RANKS} AS ranks,
        list_position({_CARDS}, NULL) AS unknown
    FROM hand_players WHERE hid IN (SELECT DISTINCT hid FROM chosen)
), turns AS (
    SELECT hid, seat, min(seq) FILTER (kind = 'fold') AS folded_at,
        min(seq) FILTER (kind IN {sql_kinds(VOLUNTARY)}) AS entered_at
    FROM chosen GROUP BY hid, seat
), own AS (
    SELECT d.hid, d.seq, d.seat, d.street, p.ranks[1:d.street] AS ranks, p.ranks[1:3] AS start,
        p.ranks[3:least(d.street, 6)] AS board, p.door_rank AS door
    FROM chosen AS d JOIN players AS p USING (hid, seat)
    WHERE len(list_filter(p.ranks[1:d.street], lambda r: r IS NOT NULL)) = d.street
), others AS (
    SELECT o.hid, o.seq, v.door_rank AS door, v.ranks[3:least(o.street, 6)] AS board,
        coalesce(t.entered_at < o.seq, false) AS entered
    FROM own AS o JOIN players AS v ON v.hid = o.hid AND v.seat <> o.seat
    LEFT JOIN turns AS t ON t.hid = v.hid AND t.seat = v.seat
    WHERE t.folded_at IS NULL OR t.folded_at > o.seq
), looked AS (
    SELECT hid, seq, door, entered, {_good("board")} AS good, len(board) AS shown,
        list_distinct(board).len() = len(board) AS unpaired, board[-1] AS last,
        list_contains(board[:-2], board[-1]) AS last_pairs
    FROM others
), faced AS (
    SELECT hid, seq, count(*) AS opponents, count(*) FILTER (entered) AS entered,
        max(good) AS best_good, min(shown - good) AS fewest_bad, max(shown - good) AS most_bad,
        max(CASE WHEN entered THEN 2 ELSE 0 END + good) AS most_apparent,
        bool_or(last <= {GOOD} AND NOT last_pairs) AS one_caught_good,
        min(door) FILTER (entered) AS lowest_entered_door
    FROM looked GROUP BY hid, seq
), raisers AS (
    SELECT d.hid, d.seq,
        last(w.door_rank ORDER BY w.seq) AS raiser_door,
        count(DISTINCT w.seat) FILTER (w.door_rank <= {GOOD}) AS viable_raisers,
        count(DISTINCT w.seat) AS raisers
    FROM chosen AS d JOIN (
        SELECT c.hid, c.seq, c.street, c.seat, p.door_rank
        FROM chosen AS c JOIN players AS p USING (hid, seat)
        WHERE c.kind IN {sql_kinds(WAGERS)}
    ) AS w ON w.hid = d.hid AND w.street = d.street AND w.seq < d.seq AND w.seat <> d.seat
    GROUP BY d.hid, d.seq
)
SELECT o.hid, o.seq, o.seat, o.door,
    list_max(o.start) AS start_top,
    3 - len(list_distinct(o.start)) AS start_pairs,
    {_good("o.start")} AS start_good,
    list_sort(list_distinct(o.start))[2] AS start_second,
    {_good("o.ranks")} AS good,
    o.street - len(list_distinct(o.ranks)) AS pairs,
    list_sort(list_distinct(o.ranks))[4] AS fourth_rank,
    list_sort(list_distinct(o.ranks))[5] AS fifth_rank,
    o.ranks[o.street] <= {GOOD} AND NOT list_contains(o.ranks[:o.street - 1], o.ranks[o.street])
        AS caught_good,
    {_good("o.board")} AS board_good,
    len(o.board) - {_good("o.board")} AS board_bad,
    f.opponents, f.entered, f.best_good, f.fewest_bad, f.most_bad, f.most_apparent,
    f.one_caught_good, f.lowest_entered_door,
    r.raiser_door, coalesce(r.raisers, 0) AS raisers,
    coalesce(r.viable_raisers, 0) AS viable_raisers
FROM own AS o JOIN faced AS f USING (hid, seq) LEFT JOIN raisers AS r USING (hid, seq)
ORDER BY o.hid, o.seq
"""
