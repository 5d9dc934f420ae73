"""What the commands share: where the database is, filters as options, streams and formats."""

import os
import sys
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import platformdirs
import typer

from razzstats.errors import RazzstatsError

if TYPE_CHECKING:
    from rich.console import Console

    from razzstats.diagnostics import Diagnostic
    from razzstats.rules.ruleset import RuleSet
    from razzstats.stats.filters import Filters
    from razzstats.storage import Database


def default_database() -> Path:
    """Return where the database lies if neither --db nor RAZZSTATS_DB says otherwise."""
    return Path(platformdirs.user_data_path("razzstats", appauthor=False)) / "razzstats.duckdb"


class Format(StrEnum):
    """How data is written to standard output."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Files, folders (with all below them), globs, .zip and .gz, or - for standard input.",
        show_default=False,
    ),
]
DatabaseOption = Annotated[
    Path | None,
    typer.Option(
        "--db",
        envvar="RAZZSTATS_DB",
        help=f"The database file. Without it and RAZZSTATS_DB: {default_database()}",
        show_default=False,
    ),
]
HeroOption = Annotated[
    str | None,
    typer.Option(help="Count this player. Without it: whoever's files were imported."),
]
AllPlayersOption = Annotated[
    bool, typer.Option("--all-players", help="Count every player at the table.")
]
VariantOption = Annotated[
    str,
    typer.Option(
        help="The rules: razz, home-game (no bring-in) or ace-to-six. No file says it, so you do."
    ),
]
SiteOption = Annotated[str | None, typer.Option(help="Only this room, e.g. pokerstars.")]
StakesOption = Annotated[
    str | None, typer.Option(help="Only these stakes: small and big bet, e.g. 0.04/0.08.")
]
CurrencyOption = Annotated[
    str | None, typer.Option(help="Only this currency: USD, EUR, GBP, play, chips.")
]
SinceOption = Annotated[
    str | None, typer.Option(help="Only hands from this day on (2026-11-29, UTC).")
]
UntilOption = Annotated[
    str | None, typer.Option(help="Only hands up to and including this day (UTC).")
]
PlayersOption = Annotated[
    str | None, typer.Option(help="Only tables with so many players dealt in: 6 or 2-8.")
]
DoorOption = Annotated[
    str | None, typer.Option(help="Only hands with these own door cards, e.g. A2345678.")
]
TournamentOption = Annotated[
    bool | None, typer.Option("--tournament/--cash", help="Only tournaments, or only cash games.")
]


def database_path(chosen: Path | None) -> Path:
    """Return the database file to use."""
    return chosen or default_database()


def open_database(chosen: Path | None, *, read_only: bool) -> "Database":
    """Open the database; raises DatabaseError as Database.open does."""
    from razzstats.storage import Database

    return Database.open(database_path(chosen), read_only=read_only)


def make_filters(
    *,
    hero: str | None,
    all_players: bool,
    variant: str,
    site: str | None,
    stakes: str | None,
    currency: str | None,
    since: str | None,
    until: str | None,
    players: str | None,
    door: str | None,
    tournament: bool | None,
) -> "Filters":
    """Return the filters that the options say; raises typer.BadParameter for one that is wrong."""
    from razzstats.stats.filters import Filters

    if hero is not None and all_players:
        raise typer.BadParameter("--hero and --all-players exclude each other")
    return Filters(
        hero=hero,
        all_players=all_players,
        game=rule_set(variant).name,
        site=_site(site),
        stakes=_stakes(stakes),
        currency=currency,
        since=_day(since, "--since"),
        until=_until(until),
        players=_players(players),
        doors=_doors(door),
        tournament=tournament,
    )


def rule_set(variant: str) -> "RuleSet":
    """Return the rules of this name; raises typer.BadParameter for another name."""
    from razzstats.rules.ruleset import RULE_SETS

    if variant not in RULE_SETS:
        raise typer.BadParameter(
            f"{variant!r} is no variant; choose from {', '.join(RULE_SETS)}",
            param_hint="--variant",
        )
    return RULE_SETS[variant]


def _site(text: str | None) -> str | None:
    from razzstats.known_sites import KNOWN_SITES

    if text is not None and text.lower() not in KNOWN_SITES:
        names = ", ".join(KNOWN_SITES)
        raise typer.BadParameter(
            f"{text!r} is not a room; choose from {names}", param_hint="--site"
        )
    return text.lower() if text else None


def _stakes(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    parts = text.replace("$", "").replace("€", "").replace("£", "").split("/")
    try:
        small, big = (float(part) for part in parts)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a small and a big bet, such as 0.04/0.08", param_hint="--stakes"
        ) from None
    return small, big


def _day(text: str | None, option: str) -> datetime | None:
    if text is None:
        return None
    try:
        return _moment(text) if "T" in text else _midnight(text)
    except (ValueError, OverflowError):
        raise typer.BadParameter(
            f"{text!r} is not a day such as 2026-11-29", param_hint=option
        ) from None


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def _midnight(text: str) -> datetime:
    day = date.fromisoformat(text)
    return datetime(day.year, day.month, day.day)


def _until(text: str | None) -> datetime | None:
    end = _day(text, "--until")
    if text is None or end is None or "T" in text:
        return end
    return datetime.max if end.date() == date.max else end + timedelta(days=1)


def _players(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    least, _, most = text.partition("-")
    try:
        numbers = int(least), int(most or least)
    except ValueError:
        numbers = (0, 0)
    if not 2 <= numbers[0] <= numbers[1] <= 8:
        raise typer.BadParameter(
            f"{text!r} is not a number of players such as 6 or 2-8", param_hint="--players"
        )
    return numbers


def _doors(text: str | None) -> frozenset[int] | None:
    from razzstats.cards import Rank

    if text is None:
        return None
    symbols = text.upper().replace(",", "").replace(" ", "").replace("10", "T")
    try:
        return frozenset(int(Rank.parse(symbol)) for symbol in symbols)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} are not ranks; write them as A23456789TJQK", param_hint="--door"
        ) from None


def check_hero(database: "Database", filters: "Filters") -> None:
    """Raise RazzstatsError if the filters name a player whom nobody has seen."""
    from razzstats.stats.hands import has_player, heroes

    if filters.hero is not None and not has_player(database, filters.hero):
        known = ", ".join(f"{name} ({hands} hands)" for name, hands in heroes(database)[:5])
        hint = f"; the imported files are those of {known}" if known else ""
        raise RazzstatsError(f"no hand with a player named {filters.hero!r} is stored{hint}")


def stdout_console() -> "Console":
    """Return the console for data; plain when the output is no terminal or NO_COLOR is set."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    width = int(os.environ.get("COLUMNS", "0") or 0) or 120
    return Console(highlight=False, no_color=True, force_terminal=False, width=width)


def remark(text: str) -> None:
    """Print a remark for people to standard error."""
    from razzstats.diagnostics.visible import visible

    print(visible(text), file=sys.stderr)


def tell_failure(found: "Diagnostic") -> None:
    """Print to standard error why a file failed."""
    from razzstats.diagnostics.render import render_concise

    print(render_concise(found, {}), file=sys.stderr)


def utc_now() -> datetime:
    """Return the time, aware, in UTC."""
    return datetime.now(UTC)


def plain(value: Any) -> Any:
    """Return a frame's value as JSON knows it: NA as None, numpy's numbers as Python's."""
    import pandas as pd

    if value is None or value is pd.NA or (isinstance(value, float) and value != value):
        return None
    if hasattr(value, "item"):
        return value.item()
    return value.isoformat() if hasattr(value, "isoformat") else value
