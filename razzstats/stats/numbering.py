"""Sessions: which hands belong to one, as SQL."""

SESSION_GAP_MINUTES = 30
"""A longer pause between two hands of a player at a room begins another session."""


def numbered_parts(where: str, gap_minutes: int) -> str:
    """Return the SQL of the sessions of the hands that match, in parts.

    A part is what a player played at a room within a stretch of the clock that is as long as the
    shortest pause between sessions, so that all of it is of one session. Columns: site, name, part
    (when its stretch begins), began (when its first hand was played; both are NULL for hands
    without a time), and session.

    ``session`` numbers the sessions of all players from 1 in order of time. A pause of more than
    ``gap_minutes`` between two hands of the same player at the same room begins a new one. His
    hands without a time are one, at the end.
    """
    # Windows run over few parts rather than over all hands: many times faster. They run over the
    # whole, not one a player, for the same reason.
    return f"""SELECT site, name, part, began, session FROM (
        WITH parts AS (
            SELECT site, name, {_part(gap_minutes)} AS part,
                min(played_at) AS began, max(played_at) AS ended
            FROM hand_players WHERE {where} GROUP BY ALL
        ), begun AS (
            SELECT *, NOT coalesce(site = lag(site) OVER played AND name = lag(name) OVER played
                AND began - lag(ended) OVER played <= to_minutes({int(gap_minutes)}), false)
                AS begins
            FROM parts WINDOW played AS (ORDER BY site, name, part NULLS LAST)
        ), runs AS (
            SELECT *, sum(begins::INTEGER) OVER (ORDER BY site, name, part NULLS LAST) AS run
            FROM begun
        ), sessions AS (
            SELECT run, row_number() OVER (
                ORDER BY min(began) NULLS LAST, any_value(name), any_value(site)) AS session
            FROM runs GROUP BY run
        ) SELECT * FROM runs JOIN sessions USING (run))"""


def numbered_hands(where: str, parts: str, gap_minutes: int) -> str:
    """Return the SQL of the rows of ``hand_players`` that match, of the sessions in these parts.

    Each row has a column more, ``session``.
    """
    return f"""SELECT hand_players.*, session
        FROM (SELECT * FROM hand_players WHERE {where}) AS hand_players JOIN ({parts}) AS parts
        ON parts.site = hand_players.site AND parts.name = hand_players.name
            AND parts.part IS NOT DISTINCT FROM {_part(gap_minutes)}"""


def _part(gap_minutes: int) -> str:
    """Return the SQL of the part that a row of ``hand_players`` belongs to."""
    return f"time_bucket(to_microseconds({max(1, int(gap_minutes) * 60_000_000)}), played_at)"
