"""What the hands of a database can be narrowed down to: players, stakes, currencies, days."""

from datetime import date

from razzstats.storage import Database


def player_names(
    database: Database, beginning: str, limit: int, *, heroes_first: bool
) -> list[str]:
    """Return players whose names begin so: those of whom most hands are stored first.

    Those whose files were imported come before or behind all others.
    """
    order = "DESC" if heroes_first else "ASC"
    found = database.rows(
        f"""SELECT name FROM hand_players WHERE starts_with(name, ?) GROUP BY name
        ORDER BY bool_or(is_hero) {order}, count(*) DESC, name LIMIT ?""",
        (beginning, limit),
    )
    return [str(name) for (name,) in found]


def stakes_played(database: Database) -> list[tuple[float, float]]:
    """Return small and big bets in whole units of their currency, the smallest first."""
    return database.rows(
        """SELECT DISTINCT small_bet / 10 ** decimals AS small, big_bet / 10 ** decimals AS big
        FROM hands ORDER BY small, big"""
    )


def currencies_played(database: Database) -> list[str]:
    """Return the currencies, that of most hands first."""
    found = database.rows(
        "SELECT currency FROM hands GROUP BY currency ORDER BY count(*) DESC, currency"
    )
    return [str(currency) for (currency,) in found]


def days_played(database: Database, limit: int) -> list[date]:
    """Return the days (UTC) on which hands were played, the latest first."""
    found = database.rows(
        """SELECT DISTINCT played_at::DATE AS day FROM hands WHERE played_at IS NOT NULL
        ORDER BY day DESC LIMIT ?""",
        (limit,),
    )
    return [day for (day,) in found]
