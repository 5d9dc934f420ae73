"""Sessions: which hands belong to one, as SQL."""

SESSION_GAP_MINUTES = 30
"""A longer pause between two hands of a player at a room begins another session."""


def numbered_hands(where: str, gap_minutes: int) -> str:
    """Return the SQL of the rows of ``hand_players`` that match, with their sessions.

    Each row has a column more: ``session`` numbers the sessions of all players from 1 in order of
    time. A pause of more than ``gap_minutes`` between two hands of the same player at the same room
    begins a new one. His hands without a time are one, at the end.
    """
    # Players are numbered and all windows run over the whole, not one a player: many times faster.
    order = "ORDER BY player, played_at NULLS LAST"
    return f"""SELECT * EXCLUDE (player, begins, run) FROM (
        WITH own AS (SELECT * FROM hand_players WHERE {where}),
        named AS (
            SELECT site, name, row_number() OVER () AS player
            FROM (SELECT DISTINCT site, name FROM own)
        ), begun AS (
            SELECT own.*, player, coalesce(
                lag(player) OVER played IS DISTINCT FROM player
                OR played_at - lag(played_at) OVER played > to_minutes({int(gap_minutes)})
                OR (played_at IS NULL AND lag(played_at) OVER played IS NOT NULL), false) AS begins
            FROM own JOIN named USING (site, name) WINDOW played AS ({order})
        ), runs AS (
            SELECT *, sum(begins::INTEGER) OVER ({order}) AS run FROM begun
        ), sessions AS (
            SELECT run, row_number() OVER (ORDER BY began NULLS LAST, name, site) AS session
            FROM (SELECT run, any_value(player) AS player, min(played_at) AS began
                FROM runs GROUP BY run) JOIN named USING (player)
        ) SELECT runs.*, session FROM runs JOIN sessions USING (run))"""
