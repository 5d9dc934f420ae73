"""What the shell suggests behind TAB: names out of the database and out of the catalogues.

A suggestion never fails and never prints: without a database that can be read there is none. All
here loads what it needs when it is asked, since each TAB is a start of its own.
"""

import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import typer

if TYPE_CHECKING:
    from razzstats.storage import Database

MOST = 50
"""So many suggestions are offered at most."""

Suggestion: TypeAlias = str | tuple[str, str]
"""A word, or a word and what it means."""

Completer: TypeAlias = Callable[[typer.Context, str], list[Suggestion]]


def _quietly(suggest: Callable[[typer.Context, str], Iterable[Suggestion]]) -> Completer:
    """Make suggestions out of what a function offers: those that go on as typed, and no errors."""

    @functools.wraps(suggest)
    def complete(context: typer.Context, incomplete: str) -> list[Suggestion]:
        try:
            return list(_fitting(suggest(context, incomplete), incomplete))
        except Exception:  # whatever it is, in the middle of a command line nobody wants to read it
            return []

    return complete


def _fitting(offered: Iterable[Suggestion], incomplete: str) -> Iterator[Suggestion]:
    shell = os.environ.get("_RAZZSTATS_COMPLETE", "").removeprefix("complete_")
    number = 0
    for each in offered:
        word, *meaning = (each,) if isinstance(each, str) else each
        written = _written(word, shell) if word.startswith(incomplete) else None
        if written is not None:
            yield (_Word(written), meaning[0]) if meaning else _Word(written)
            number += 1
        if number == MOST:
            return


class _Word(str):
    """A word as the shell must read it.

    Typer drops suggestions that do not begin as what was typed; here that is found out already,
    and how a word is written may begin otherwise.
    """

    def startswith(self, *_: Any) -> bool:
        """Return that it fits."""
        return True


_PLAIN = re.compile(r"[\w./+,%^-]+")
# How zsh is told of words lets these out of their quotes, and what stands behind them be run.
_NOT_IN_ZSH = frozenset("\\\"'")


def _written(word: str, shell: str) -> str | None:
    """Return how a word must stand on the shell's command line; None if it cannot.

    Players' names are anybody's choice: what steers a terminal is never suggested.
    """
    from razzstats.diagnostics.visible import visible

    if not word or visible(word) != word:
        return None
    if shell == "bash":
        return _in_bash(word)
    if shell == "zsh":
        return None if _NOT_IN_ZSH & set(word) else word
    if shell in ("powershell", "pwsh"):
        quoted = word.replace("'", "''")
        unfit = ":::" in word  # which parts the word from its meaning
        return None if unfit else word if _PLAIN.fullmatch(word) else f"'{quoted}'"
    return word


def _in_bash(word: str) -> str | None:
    typed = _last_typed()
    if typed[:1] == "'":  # bash leaves the quote that was opened, and closes it
        return None if "'" in word else word
    if typed[:1] == '"':
        return None if set(word) & set('"$`\\!') else word
    # Not in quotes: bash shows what all suggestions begin with, which quotes would hide.
    return re.sub(r"([^\w./+,%^-])", r"\\\1", word)


def _last_typed() -> str:
    """Return the word that is being typed, as it stands on bash's command line."""
    words = os.environ.get("COMP_WORDS", "").split("\n")
    place = os.environ.get("COMP_CWORD", "")
    return words[int(place)] if place.isdecimal() and int(place) < len(words) else ""


# ---- out of the database


def _database(context: typer.Context) -> "Database":
    """Open the database that the command line so far names; never makes one."""
    from razzstats.settings import load_settings
    from razzstats.storage import Database

    chosen = context.params.get("db") or load_settings()["db"].value
    return Database.open(Path(chosen), read_only=True, wait=0.0)


@_quietly
def heroes(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest players, those first whose files were imported, then by hands."""
    return _names(context, incomplete, heroes_first=True)


@_quietly
def opponents(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest players, those first with whom most hands were played."""
    return _names(context, incomplete, heroes_first=False)


def _names(context: typer.Context, incomplete: str, *, heroes_first: bool) -> list[str]:
    from razzstats.stats.choices import player_names

    with _database(context) as database:
        # More than are shown: some names cannot be written.
        return player_names(database, incomplete, 4 * MOST, heroes_first=heroes_first)


@_quietly
def stakes(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest the stakes that were played, the smallest first."""
    from razzstats.stats.choices import stakes_played

    with _database(context) as database:
        return [f"{small:g}/{big:g}" for small, big in stakes_played(database)]


@_quietly
def currencies(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest the currencies that were played for."""
    from razzstats.stats.choices import currencies_played

    with _database(context) as database:
        return currencies_played(database)


@_quietly
def sessions(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest the last session, and the days on which was played, the latest first."""
    from razzstats.stats.choices import days_played

    with _database(context) as database:
        return ["last", *(day.isoformat() for day in days_played(database, MOST))]


@_quietly
def rejected_hands(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest the ids of the hands that are kept apart."""
    with _database(context) as database:
        return [(hand.id, f"{hand.code}, {hand.reason}") for hand in database.rejected_texts()]


# ---- out of the catalogues


@_quietly
def sites(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest rooms."""
    from razzstats.known_sites import SITE_TITLES

    return SITE_TITLES.items()


@_quietly
def variants(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest sets of rules."""
    from razzstats.rules.ruleset import RULE_SETS

    return list(RULE_SETS)


@_quietly
def tables(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest the tables of statistics."""
    from razzstats.stats.catalogue import TABLES

    return [(table.name, table.title) for table in TABLES]


@_quietly
def groups(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest what a table can be split by."""
    from razzstats.stats.groups import GROUPS

    return [(group.name, group.definition) for group in GROUPS]


@_quietly
def leaks(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest leaks by number."""
    from razzstats.stats.leaks import RULE_BY_ID

    return [(str(rule.id), rule.title) for rule in RULE_BY_ID.values()]


@_quietly
def codes(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest diagnostics by code, and by name if a name was begun."""
    from razzstats.diagnostics.codes import CODES

    by_code = [(code.id, code.name) for code in CODES]
    by_name = [(code.name, code.id) for code in CODES]
    return by_code + by_name if incomplete else by_code


@_quietly
def starting_classes(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest classes of starting hands."""
    from razzstats.equity.starting_hands import CLASS_DEFINITIONS

    return [
        (each.name.lower().replace("_", "-"), meaning)
        for each, meaning in CLASS_DEFINITIONS.items()
    ]


@_quietly
def settings(context: typer.Context, incomplete: str) -> Iterable[Suggestion]:
    """Suggest the keys of the settings."""
    from razzstats.settings import SETTINGS

    return [(setting.key, setting.meaning) for setting in SETTINGS.values()]
