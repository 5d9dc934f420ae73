"""The schema, as numbered steps; a database is brought up to date step by step, each in one go."""

from typing import NamedTuple


class Migration(NamedTuple):
    """One step of the schema."""

    version: int
    name: str
    sql: str


_FIRST = """
CREATE TYPE action_kind AS ENUM ('ante', 'bring-in', 'fold', 'check', 'call', 'complete', 'bet',
    'raise', 'return', 'show', 'muck', 'collect');

-- What was read: one row a file, written in the same transaction as the last of its hands.
CREATE TABLE files (
    file_id INTEGER PRIMARY KEY, path VARCHAR NOT NULL, sha256 VARCHAR, size_bytes BIGINT,
    status VARCHAR NOT NULL, hands_seen INTEGER NOT NULL, stored INTEGER NOT NULL,
    duplicates INTEGER NOT NULL, conflicts INTEGER NOT NULL, rejected INTEGER NOT NULL,
    other_games INTEGER NOT NULL, incomplete INTEGER NOT NULL, warnings INTEGER NOT NULL,
    parser_version INTEGER NOT NULL, imported_at TIMESTAMP NOT NULL, error VARCHAR);
CREATE SEQUENCE file_ids;

-- Amounts are whole numbers of the currency's smallest unit (decimals: 2 is hundredths), times are
-- UTC, cards are 0 (Ac) to 51 (Ks) by suit and rank, ranks 1 (ace) to 13; NULL is not known.
CREATE TABLE hands (
    hid BIGINT PRIMARY KEY, site VARCHAR NOT NULL, hand_no VARCHAR NOT NULL, played_at TIMESTAMP,
    table_name VARCHAR NOT NULL, max_seats UTINYINT NOT NULL, tournament VARCHAR, buy_in VARCHAR,
    level VARCHAR, mixed_game VARCHAR, club VARCHAR, game VARCHAR NOT NULL,
    currency VARCHAR NOT NULL, decimals UTINYINT NOT NULL, ante BIGINT NOT NULL,
    bring_in BIGINT NOT NULL, small_bet BIGINT NOT NULL, big_bet BIGINT NOT NULL,
    players UTINYINT NOT NULL, pot BIGINT NOT NULL, rake BIGINT NOT NULL, hero_seat UTINYINT,
    bring_in_seat UTINYINT, bring_in_door UTINYINT, community UTINYINT, status VARCHAR NOT NULL,
    file_id INTEGER NOT NULL, first_line INTEGER NOT NULL, text_hash VARCHAR NOT NULL,
    parser_version INTEGER NOT NULL);

CREATE TABLE hand_players (
    hid BIGINT NOT NULL, seat UTINYINT NOT NULL, name VARCHAR NOT NULL, is_hero BOOLEAN NOT NULL,
    site VARCHAR NOT NULL, game VARCHAR NOT NULL, played_at TIMESTAMP,
    is_tournament BOOLEAN NOT NULL,
    currency VARCHAR NOT NULL, decimals UTINYINT NOT NULL, small_bet BIGINT NOT NULL,
    big_bet BIGINT NOT NULL, players UTINYINT NOT NULL, stack BIGINT NOT NULL,
    c1 UTINYINT, c2 UTINYINT, c3 UTINYINT, c4 UTINYINT, c5 UTINYINT, c6 UTINYINT, c7 UTINYINT,
    door_rank UTINYINT, ante BIGINT NOT NULL, put3 BIGINT NOT NULL, put4 BIGINT NOT NULL,
    put5 BIGINT NOT NULL, put6 BIGINT NOT NULL, put7 BIGINT NOT NULL, contributed BIGINT NOT NULL,
    collected BIGINT NOT NULL, net BIGINT NOT NULL, last_street UTINYINT NOT NULL,
    folded BOOLEAN NOT NULL, showdown BOOLEAN NOT NULL, shown BOOLEAN NOT NULL,
    all_in BOOLEAN NOT NULL, low VARCHAR, brought_in BOOLEAN NOT NULL,
    vpip_chance BOOLEAN NOT NULL, vpip BOOLEAN NOT NULL, complete_chance BOOLEAN NOT NULL,
    completed BOOLEAN NOT NULL);

CREATE TABLE actions (
    hid BIGINT NOT NULL, seq USMALLINT NOT NULL, street UTINYINT NOT NULL, seat UTINYINT NOT NULL,
    kind action_kind NOT NULL, amount BIGINT NOT NULL, to_amount BIGINT, all_in BOOLEAN NOT NULL,
    pot BIGINT NOT NULL, to_call BIGINT NOT NULL, wagers UTINYINT NOT NULL,
    could_wager BOOLEAN NOT NULL);

CREATE TABLE hand_texts (
    hid BIGINT NOT NULL, text VARCHAR NOT NULL USING COMPRESSION zstd);

CREATE TABLE diagnostics (
    file_id INTEGER NOT NULL, site VARCHAR, hand_no VARCHAR, code VARCHAR NOT NULL,
    name VARCHAR NOT NULL, severity VARCHAR NOT NULL, message VARCHAR NOT NULL,
    file VARCHAR, line INTEGER, col INTEGER, help VARCHAR);

-- Every hand that was not stored, with its text: nothing is lost.
CREATE TABLE rejected (
    file_id INTEGER NOT NULL, site VARCHAR, hand_no VARCHAR, reason VARCHAR NOT NULL,
    code VARCHAR NOT NULL, message VARCHAR NOT NULL, file VARCHAR NOT NULL, line INTEGER NOT NULL,
    text VARCHAR NOT NULL USING COMPRESSION zstd);
"""

_LUCK = """
-- What luck did: a row here for every hand that was looked at; kind is NULL without a showdown.
CREATE TABLE hand_luck (
    hid BIGINT NOT NULL, kind VARCHAR, street UTINYINT, measured BOOLEAN, exact BOOLEAN);

-- One row a live player of a measured hand; chips are smallest units after rake, in parts of them.
CREATE TABLE player_luck (
    hid BIGINT NOT NULL, seat UTINYINT NOT NULL, equity DOUBLE NOT NULL, expected DOUBLE NOT NULL,
    luck DOUBLE NOT NULL);

-- One row a player whose first three cards are known: their ranks (A23) and what they are worth
-- given the door cards that all could see.
CREATE TABLE starting_hands (
    hid BIGINT NOT NULL, seat UTINYINT NOT NULL, starting_hand VARCHAR NOT NULL,
    starting_class VARCHAR NOT NULL, rating DOUBLE NOT NULL);
"""

_DECISIONS = """
-- Every decision of every player, with what had happened by then. turn counts his own on the
-- street from 1; live are the players who had not folded, he among them; callers have called the
-- present wager; behind are those left to act on third street but the bring-in, NULL elsewhere;
-- street_wagers is what the street came to in the end; bring_in: he is the bring-in player, whether
-- he brought in or completed in its place; carried: he made the last wager of the street before;
-- faces_carried: who wagers did; faces_steal: the wager is a steal that nobody has called yet.
CREATE TABLE decisions (
    hid BIGINT NOT NULL, seq USMALLINT NOT NULL, street UTINYINT NOT NULL, seat UTINYINT NOT NULL,
    kind action_kind NOT NULL, amount BIGINT NOT NULL, all_in BOOLEAN NOT NULL,
    pot BIGINT NOT NULL, to_call BIGINT NOT NULL, wagers UTINYINT NOT NULL,
    could_wager BOOLEAN NOT NULL, turn UTINYINT NOT NULL, last_own action_kind,
    live UTINYINT NOT NULL, limpers UTINYINT NOT NULL, callers UTINYINT NOT NULL,
    street_wagers UTINYINT NOT NULL, first_in BOOLEAN NOT NULL, behind UTINYINT,
    viable_behind UTINYINT, lower_behind UTINYINT, can_steal BOOLEAN NOT NULL,
    bring_in BOOLEAN NOT NULL, carried BOOLEAN NOT NULL, faces_carried BOOLEAN NOT NULL,
    faces_steal BOOLEAN NOT NULL);
"""

_SPOTS = """
-- What a player saw when he decided, where his own cards by then are known. good and bad are good
-- cards and bricks (`storage.spots`); the best, most and fewest are over the live opponents, whose
-- apparent cards are their good up cards and two more once they entered; raisers have wagered on
-- this street; ranks are 1 to 13, start_second and the others by different ranks from below.
CREATE TABLE spots (
    hid BIGINT NOT NULL, seq USMALLINT NOT NULL, seat UTINYINT NOT NULL, door UTINYINT,
    start_top UTINYINT, start_pairs UTINYINT, start_good UTINYINT, start_second UTINYINT,
    good UTINYINT, pairs UTINYINT, fourth_rank UTINYINT, fifth_rank UTINYINT, caught_good BOOLEAN,
    board_good UTINYINT, board_bad UTINYINT, opponents UTINYINT, entered UTINYINT,
    best_good UTINYINT, fewest_bad UTINYINT, most_bad UTINYINT, most_apparent UTINYINT,
    one_caught_good BOOLEAN, lowest_entered_door UTINYINT, raiser_door UTINYINT,
    raisers UTINYINT NOT NULL, viable_raisers UTINYINT NOT NULL);
"""

_ORDER_OF_ACTION = """
-- Who acts first and last on a street, by his first decision there; delayed: he made the last wager
-- two streets before, and there was none on the street before; own_wagers he made on this street.
ALTER TABLE decisions ADD COLUMN acts_first BOOLEAN;
ALTER TABLE decisions ADD COLUMN acts_last BOOLEAN;
ALTER TABLE decisions ADD COLUMN delayed BOOLEAN;
ALTER TABLE decisions ADD COLUMN own_wagers UTINYINT;
UPDATE decisions SET acts_first = found.acts_first, acts_last = found.acts_last,
    delayed = found.delayed, own_wagers = found.own_wagers
FROM (
    SELECT d.hid, d.seq,
        first_value(d.seat) OVER (PARTITION BY d.hid, d.street ORDER BY d.seq) = d.seat
            AS acts_first,
        arg_max(d.seat, d.seq) FILTER (d.turn = 1) OVER (PARTITION BY d.hid, d.street) = d.seat
            AS acts_last,
        coalesce(w.seat = d.seat, false) AS delayed,
        count(*) FILTER (d.kind IN ('complete', 'bet', 'raise')) OVER (
            PARTITION BY d.hid, d.street, d.seat ORDER BY d.seq
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS own_wagers
    FROM decisions AS d LEFT JOIN (
        SELECT hid, street + 2 AS street, arg_max(seat, seq) AS seat FROM decisions AS two_before
        WHERE kind IN ('complete', 'bet', 'raise') AND NOT EXISTS (
            SELECT 1 FROM decisions AS one_before WHERE one_before.hid = two_before.hid
            AND one_before.street = two_before.street + 1
            AND one_before.kind IN ('complete', 'bet', 'raise'))
        GROUP BY hid, street) AS w USING (hid, street)
) AS found
WHERE decisions.hid = found.hid AND decisions.seq = found.seq;
"""

_LEDGER = """
-- place is the file's whole path, by which `rebuild` finds it again; path is as it was named.
ALTER TABLE files ADD COLUMN place VARCHAR;
-- From here on a row counts what of its file is where now: stored hands by file_id, hands kept
-- apart by reason; duplicates are all the others, which are in the tables from another file.
UPDATE files SET stored = found.stored, rejected = found.rejected, incomplete = found.incomplete,
    conflicts = found.conflicts, duplicates = greatest(0, files.hands_seen - found.stored
        - found.rejected - found.incomplete - found.conflicts)
FROM (
    SELECT file_id, coalesce(h.stored, 0) AS stored, coalesce(r.rejected, 0) AS rejected,
        coalesce(r.incomplete, 0) AS incomplete, coalesce(r.conflicts, 0) AS conflicts
    FROM files
    LEFT JOIN (SELECT file_id, count(*) AS stored FROM hands GROUP BY file_id) AS h USING (file_id)
    LEFT JOIN (
        SELECT file_id, count(*) FILTER (reason = 'rejected') AS rejected,
            count(*) FILTER (reason = 'incomplete') AS incomplete,
            count(*) FILTER (reason = 'conflict') AS conflicts
        FROM rejected GROUP BY file_id
    ) AS r USING (file_id)
) AS found WHERE files.file_id = found.file_id;
"""

MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "first schema", _FIRST),
    Migration(2, "what is measured in stored hands", _LUCK + _DECISIONS + _SPOTS),
    Migration(3, "the order of action on each street", _ORDER_OF_ACTION),
    Migration(4, "files count what of them is where", _LEDGER),
)
"""All steps in order; a step that was released is never changed."""
