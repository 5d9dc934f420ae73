"""Which hands a statistic counts: filters, as SQL and in words."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from razzstats.cards import RANK_SYMBOLS


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What narrows a statistic down; everything that is set must hold."""

    hero: str | None = None
    """A player's name; without it those count whose files were imported."""
    all_players: bool = False
    """Count everybody, whoever the hero is."""
    game: str = "razz"
    """Which variant of Razz; they are never counted together."""
    site: str | None = None
    stakes: tuple[float, float] | None = None
    """Small bet and big bet, in whole currency units."""
    currency: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""
    players: tuple[int, int] | None = None
    """The least and the largest number of players dealt in."""
    doors: frozenset[int] | None = None
    """Own door ranks, 1 (ace) to 13."""
    tournament: bool | None = None
    """True for tournaments, False for cash games (play money too)."""

    def where(self) -> tuple[str, list[Any]]:
        """Return the SQL condition over ``hand_players`` and its parameters."""
        conditions: list[tuple[str, list[Any]]] = [self._player(), ("game = ?", [self.game])]
        if self.site is not None:
            conditions.append(("site = ?", [self.site]))
        if self.stakes is not None:
            units = "round({} / power(10, decimals), 6) = round(?, 6)"
            sql = f"{units.format('small_bet')} AND {units.format('big_bet')}"
            conditions.append((sql, list(self.stakes)))
        if self.currency is not None:
            conditions.append(("lower(currency) = lower(?)", [self.currency]))
        if self.since is not None:
            conditions.append(("played_at >= ?", [self.since]))
        if self.until is not None:
            conditions.append(("played_at < ?", [self.until]))
        if self.players is not None:
            conditions.append(("players BETWEEN ? AND ?", list(self.players)))
        if self.doors is not None:
            conditions.append(("door_rank IN (SELECT unnest(?::INTEGER[]))", [sorted(self.doors)]))
        if self.tournament is not None:
            conditions.append(("is_tournament = ?", [self.tournament]))
        sql = " AND ".join(f"({condition})" for condition, _ in conditions)
        return sql, [value for _, values in conditions for value in values]

    def _player(self) -> tuple[str, list[Any]]:
        if self.all_players:
            return "TRUE", []
        if self.hero is not None:
            return "name = ?", [self.hero]
        return "is_hero", []

    def words(self) -> str:
        """Return the filters as a sentence for headings: "RazzHero, $1/$2, since 2026-01-01"."""
        parts = ["all players" if self.all_players else self.hero or "the hero"]
        if self.game != "razz":
            parts.append(self.game)
        if self.site:
            parts.append(self.site)
        if self.stakes:
            parts.append("stakes {:g}/{:g}".format(*self.stakes))
        if self.currency:
            parts.append(self.currency)
        if self.since:
            parts.append(f"since {self.since:%Y-%m-%d %H:%M} UTC")
        if self.until:
            parts.append(f"until {self.until:%Y-%m-%d %H:%M} UTC")
        if self.players:
            parts.append("{}-{} players".format(*self.players))
        if self.doors is not None:
            parts.append("doors " + "".join(RANK_SYMBOLS[rank - 1] for rank in sorted(self.doors)))
        if self.tournament is not None:
            parts.append("tournaments" if self.tournament else "cash games")
        return ", ".join(parts)
