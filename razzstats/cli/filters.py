"""The filters that every statistic takes, as options of the command line."""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from razzstats.cli import completion
from razzstats.cli.common import VariantOption, rule_set
from razzstats.cli.defaults import is_from_settings
from razzstats.errors import RazzstatsError
from razzstats.stats.numbering import SESSION_GAP_MINUTES

if TYPE_CHECKING:
    from razzstats.stats.filters import Filters, LastSession
    from razzstats.storage import Database

HeroOption = Annotated[
    str | None,
    typer.Option(
        help="Count this player. Without it: whoever's files were imported.",
        autocompletion=completion.heroes,
    ),
]
AllPlayersOption = Annotated[
    bool, typer.Option("--all-players", help="Count every player at the table.")
]
SiteOption = Annotated[
    str | None,
    typer.Option(help="Only this room, e.g. pokerstars.", autocompletion=completion.sites),
]
StakesOption = Annotated[
    str | None,
    typer.Option(
        help="Only these stakes: small and big bet, e.g. 0.04/0.08.",
        autocompletion=completion.stakes,
    ),
]
CurrencyOption = Annotated[
    str | None,
    typer.Option(
        help="Only this currency: USD, EUR, GBP, play, chips.", autocompletion=completion.currencies
    ),
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

OpponentOption = Annotated[
    str | None,
    typer.Option(
        help="Only hands in which this other player was dealt in.",
        autocompletion=completion.opponents,
    ),
]
BringInDoorOption = Annotated[
    str | None, typer.Option(help="Only hands that such a door card brought in, e.g. JQK.")
]
BehindOption = Annotated[
    str | None,
    typer.Option(
        help="Only hands with so many players left to act at the first decision on third street, "
        "not counting the bring-in: 0 or 1-2."
    ),
]
ViableBehindOption = Annotated[
    str | None, typer.Option(help="The same for those of them who show an eight or lower.")
]
LowDoorsOption = Annotated[
    str | None,
    typer.Option(help="Only hands with so many other door cards of eight or lower: 0 or 3-7."),
]
PotOption = Annotated[
    str | None, typer.Option(help="Only hands with a whole pot of so many big bets: 5 or 10-20.5.")
]
StartingClassOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Only known starting hands of this class; may be given several times: wheel-cards, "
        "seven, eight, nine, two-low, low-pair, other.",
        autocompletion=completion.starting_classes,
    ),
]

SessionOption = Annotated[
    str | None,
    typer.Option(
        help="Only one session: its number in `razzstats stats sessions` with the same filters, "
        "`last`, or the day on which it began (2026-11-29, UTC).",
        autocompletion=completion.sessions,
    ),
]
SessionGapOption = Annotated[
    int,
    typer.Option(min=1, max=100_000, help="A pause of more minutes begins another session."),
]
DayStartOption = Annotated[
    int, typer.Option(min=0, max=23, help="The hour (UTC) at which a day of sessions begins.")
]


def takes_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the filter options; it gets them as one argument, ``filters``."""

    @functools.wraps(command)
    def run(context: typer.Context, **given: Any) -> None:
        _let_options_win(context, given)
        filters = _make_filters({name: given.pop(name) for name in _OPTIONS})
        command(filters=filters, **given)

    own = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(command).parameters.values()
        if parameter.name != "filters"
    ]
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=option.default,
            annotation=option.annotation,
        )
        for name, option in _OPTIONS.items()
    ]
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    # Typer reads a command's options off its signature and its annotations.
    parameters = [context, *own, *options]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


_OTHER_HEROES = ("all_players", "player")
"""Options that say otherwise than ``hero`` whose hands are counted."""


def _let_options_win(context: typer.Context, given: dict[str, Any]) -> None:
    """Take back a hero of the settings if an option says otherwise."""
    if is_from_settings(context, "hero") and any(given.get(name) for name in _OTHER_HEROES):
        given["hero"] = None


def _make_filters(given: Mapping[str, Any]) -> "Filters":
    """Return the filters that the options say; raises typer.BadParameter for one that is wrong."""
    from razzstats.stats.filters import Filters

    if given["hero"] is not None and given["all_players"]:
        raise typer.BadParameter("--hero and --all-players exclude each other")
    return Filters(**{
        option.field or name: option.parse(given[name]) for name, option in _OPTIONS.items()
    })  # fmt: skip


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


_BOUNDS = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(?:-(\d{1,9}(?:\.\d{1,9})?))?", re.ASCII)
_MOST_PLAYERS = 8
_MOST_DIGITS = 7  # 20261129 is a day


def _bounds(text: str | None, option: str) -> tuple[float, float] | None:
    if text is None:
        return None
    found = _BOUNDS.fullmatch(text.strip())
    bounds = (float(found[1]), float(found[2] or found[1])) if found else (1.0, 0.0)
    if bounds[0] > bounds[1]:
        raise typer.BadParameter(
            f"{text!r} is neither a number nor two such as 2-5", param_hint=option
        )
    return bounds


def _whole_bounds(text: str | None, option: str) -> tuple[int, int] | None:
    bounds = _bounds(text, option)
    if bounds is None:
        return None
    if bounds[1] > _MOST_PLAYERS or not all(bound.is_integer() for bound in bounds):
        raise typer.BadParameter(f"{text!r} is not a number of players", param_hint=option)
    return int(bounds[0]), int(bounds[1])


def _name(text: str | None, option: str) -> str | None:
    if text is not None and not text:
        raise typer.BadParameter("name a player", param_hint=option)
    return text


def _starting_classes(names: list[str] | None) -> frozenset[str] | None:
    if not names:
        return None
    from razzstats.equity.starting_hands import StartingClass

    classes = {each.name.lower().replace("_", "-"): str(each) for each in StartingClass}
    for name in names:
        if name not in classes:
            raise typer.BadParameter(
                f"{name!r} is no class; choose from {', '.join(classes)}",
                param_hint="--starting-class",
            )
    return frozenset(classes[name] for name in names)


def _session(text: str | None) -> "int | date | LastSession | None":
    from razzstats.stats.filters import LastSession

    if text is None:
        return None
    if text.strip().lower() == LastSession.LAST.value:
        return LastSession.LAST
    if text.strip().isascii() and text.strip().isdecimal() and len(text.strip()) <= _MOST_DIGITS:
        return int(text)
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither a number, nor last, nor a day such as 2026-11-29",
            param_hint="--session",
        ) from None


def _doors(text: str | None, option: str) -> frozenset[int] | None:
    from razzstats.cards import Rank

    if text is None:
        return None
    symbols = text.upper().replace(",", "").replace(" ", "").replace("10", "T")
    try:
        ranks = frozenset(int(Rank.parse(symbol)) for symbol in symbols)
    except ValueError:
        ranks = frozenset()
    if not ranks:
        raise typer.BadParameter(
            f"{text!r} are not ranks; write them as A23456789TJQK", param_hint=option
        )
    return ranks


class _Option(NamedTuple):
    """One option and the field of the filters that it sets."""

    annotation: Any
    default: Any = None
    parse: Callable[[Any], Any] = lambda value: value
    """From what was typed, or the default, to the field's value."""
    field: str = ""
    """The field's name, where it is not that of the option."""


_OPTIONS: Mapping[str, _Option] = {
    "hero": _Option(HeroOption),
    "all_players": _Option(AllPlayersOption, False),
    "variant": _Option(VariantOption, "razz", lambda name: rule_set(name).name, "game"),
    "site": _Option(SiteOption, None, _site),
    "stakes": _Option(StakesOption, None, _stakes),
    "currency": _Option(CurrencyOption),
    "since": _Option(SinceOption, None, partial(_day, option="--since")),
    "until": _Option(UntilOption, None, _until),
    "players": _Option(PlayersOption, None, _players),
    "door": _Option(DoorOption, None, partial(_doors, option="--door"), "doors"),
    "tournament": _Option(TournamentOption),
    "opponent": _Option(OpponentOption, None, partial(_name, option="--opponent")),
    "bring_in_door": _Option(
        BringInDoorOption, None, partial(_doors, option="--bring-in-door"), "bring_in_doors"
    ),
    "behind": _Option(BehindOption, None, partial(_whole_bounds, option="--behind")),
    "viable_behind": _Option(
        ViableBehindOption, None, partial(_whole_bounds, option="--viable-behind")
    ),
    "low_doors": _Option(LowDoorsOption, None, partial(_whole_bounds, option="--low-doors")),
    "pot": _Option(PotOption, None, partial(_bounds, option="--pot")),
    "starting_class": _Option(StartingClassOption, None, _starting_classes, "starting_classes"),
    "session": _Option(SessionOption, None, _session),
    "session_gap": _Option(SessionGapOption, SESSION_GAP_MINUTES),
    "day_start": _Option(DayStartOption, 0),
}
"""The options by their names; each sets one field of the filters."""


def check_hero(database: "Database", filters: "Filters") -> None:
    """Raise RazzstatsError if the filters name a player whom nobody has seen."""
    from razzstats.stats.hands import has_player, heroes

    if filters.hero is not None and not has_player(database, filters.hero):
        known = ", ".join(f"{name} ({hands} hands)" for name, hands in heroes(database)[:5])
        hint = f"; the imported files are those of {known}" if known else ""
        hint += _where_set(filters.hero)
        raise RazzstatsError(f"no hand with a player named {filters.hero!r} is stored{hint}")


def _where_set(hero: str) -> str:
    """Return where the settings name this player, if they do."""
    from razzstats.settings import Origin, load_settings

    found = load_settings()["hero"]
    if found.value != hero or found.origin is Origin.DEFAULT:
        return ""
    return f" (hero is set in {found.place}; --hero or --all-players count others)"
