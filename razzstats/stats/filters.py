"""Which hands a statistic counts: filters, as SQL and in words."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any

from razzstats.cards import RANK_SYMBOLS
from razzstats.lowball import LOW_CARD
from razzstats.stats.numbering import SESSION_GAP_MINUTES, numbered_hands, numbered_parts
from razzstats.storage import Database
from razzstats.storage.database import Reach


class LastSession(Enum):
    """The session that was played last."""

    LAST = "last"


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

    opponent: str | None = None
    """Only hands in which this other player was dealt in."""
    bring_in_doors: frozenset[int] | None = None
    """Door ranks of the bring-in player."""
    behind: tuple[int, int] | None = None
    """Players left to act on third street at his first decision, but the bring-in player."""
    viable_behind: tuple[int, int] | None = None
    """Those of them who show an eight or lower."""
    low_doors: tuple[int, int] | None = None
    """Other players' door cards of eight or lower: dead low cards that all could see."""
    pot: tuple[float, float] | None = None
    """The whole pot in big bets."""
    starting_classes: frozenset[str] | None = None
    """Classes of starting hands, where they are known."""

    session: int | date | LastSession | None = None
    """One session by its number among those of the hands that match all else, those that began on
    a day, or the last one."""
    session_gap: int = SESSION_GAP_MINUTES
    """A pause of more minutes than this begins another session."""
    day_start: int = 0
    """The hour (UTC) at which a day of sessions begins."""

    looked_up: tuple[tuple[int, int], ...] | None = None
    """The hands of the session by hid and seat, if they were looked up before (`look_up`)."""

    outside: "Filters | None" = None
    """Leave out the hands that match these."""

    @property
    def reach(self) -> Reach:
        """Where all hands are that match."""
        return Reach(self.site, self.since, self.until)

    def hands(self) -> tuple[str, list[Any]]:
        """Return SQL of the rows of ``hand_players`` that match, by this name, and parameters."""
        where, parameters = self.where()
        return f"(SELECT * FROM hand_players WHERE {where}) AS hand_players", parameters

    def numbered(self) -> tuple[str, list[Any]]:
        """Return the SQL of the hands that match with their sessions, and its parameters.

        The numbers of the sessions are those before `session` takes one of them out.
        """
        where, parameters = replace(self, session=None).where()
        parts, of_parts = self.session_parts()
        return numbered_hands(where, parts, self.session_gap), [*parameters, *of_parts]

    def session_parts(self) -> tuple[str, list[Any]]:
        """Return the SQL of the sessions that match, in parts (`numbered_parts`)."""
        where, parameters = replace(self, session=None).where()
        sql = numbered_parts(where, self.session_gap)
        if self.session is None:
            return sql, parameters
        chosen, of_session = self._chosen_session()
        return (
            f"WITH parts AS ({sql}) SELECT * FROM parts WHERE {chosen}",
            [*parameters, *of_session],
        )

    def _chosen_session(self) -> tuple[str, list[Any]]:
        """Return the condition over ``parts`` that a session is asked for."""
        if isinstance(self.session, int):
            return "session = ?", [self.session]
        if isinstance(self.session, date):
            begin = datetime.combine(self.session, datetime.min.time())
            begin += timedelta(hours=self.day_start)
            sql = """session IN (SELECT session FROM parts GROUP BY session
                HAVING min(began) >= ? AND min(began) < ? + INTERVAL 1 DAY)"""
            return sql, [begin, begin]
        return "session = (SELECT max(session) FROM parts WHERE began IS NOT NULL)", []

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
        conditions += self._around()
        if self.session is not None:
            conditions.append(self._in_session())
        if self.outside is not None:
            left_out, parameters = self.outside.where()
            conditions.append((f"({left_out}) IS NOT TRUE", parameters))
        sql = " AND ".join(f"({condition})" for condition, _ in conditions)
        return sql, [value for _, values in conditions for value in values]

    def look_up(self, database: Database) -> "Filters":
        """Return the same filters with the hands of their session looked up.

        They match the same hands as long as none is added; whoever asks for many statistics of a
        session is spared numbering all sessions each time.
        """
        if self.session is None or self.looked_up is not None:
            return self
        return replace(self, looked_up=tuple(database.rows(*self._session_rows())))

    def _session_rows(self) -> tuple[str, list[Any]]:
        numbered, parameters = self.numbered()
        return f"SELECT hid, seat FROM ({numbered})", parameters

    def _in_session(self) -> tuple[str, list[Any]]:
        if self.looked_up is None:
            rows, parameters = self._session_rows()
            return f"(hid, seat) IN ({rows})", parameters
        rows = "SELECT unnest(?::BIGINT[]), unnest(?::INTEGER[])"
        hids = [hid for hid, _ in self.looked_up]
        return f"(hid, seat) IN ({rows})", [hids, [seat for _, seat in self.looked_up]]

    def _around(self) -> list[tuple[str, list[Any]]]:
        """Return the conditions on what else happened in the hand."""
        conditions: list[tuple[str, list[Any]]] = []
        if self.opponent is not None:
            sql = "name <> ? AND hid IN (SELECT hid FROM hand_players AS other WHERE name = ?)"
            conditions.append((sql, [self.opponent, self.opponent]))
        if self.bring_in_doors is not None:
            doors = "SELECT unnest(?::INTEGER[])"
            sql = f"hid IN (SELECT hid FROM hands WHERE bring_in_door IN ({doors}))"
            conditions.append((sql, [sorted(self.bring_in_doors)]))
        for column, bounds in (("behind", self.behind), ("viable_behind", self.viable_behind)):
            if bounds is not None:
                sql = f"""(hid, seat) IN (SELECT hid, seat FROM decisions
                    WHERE street = 3 AND turn = 1 AND {column} BETWEEN ? AND ?)"""
                conditions.append((sql, list(bounds)))
        if self.low_doors is not None:
            sql = f"""(SELECT count(*) FROM hand_players AS other WHERE other.hid = hand_players.hid
                AND other.seat <> hand_players.seat AND other.door_rank <= {int(LOW_CARD)})
                BETWEEN ? AND ?"""
            conditions.append((sql, list(self.low_doors)))
        if self.pot is not None:
            sql = "hid IN (SELECT hid FROM hands WHERE pot / big_bet BETWEEN ? AND ?)"
            conditions.append((sql, list(self.pot)))
        if self.starting_classes is not None:
            sql = """(hid, seat) IN (SELECT hid, seat FROM starting_hands
                WHERE starting_class IN (SELECT unnest(?::VARCHAR[])))"""
            conditions.append((sql, [sorted(self.starting_classes)]))
        return conditions

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
            parts.append(f"doors {_symbols(self.doors)}")
        if self.tournament is not None:
            parts.append("tournaments" if self.tournament else "cash games")
        return ", ".join(parts + self._words_around())

    def _words_around(self) -> list[str]:
        parts = []
        if self.opponent is not None:
            parts.append(f"against {self.opponent}")
        if self.bring_in_doors is not None:
            parts.append(f"bring-in doors {_symbols(self.bring_in_doors)}")
        ranges = (
            (self.behind, "left to act"),
            (self.viable_behind, "viable doors left to act"),
            (self.low_doors, "other low doors"),
            (self.pot, "big bets in the pot"),
        )
        parts += [f"{_from_to(*bounds)} {words}" for bounds, words in ranges if bounds]
        if self.starting_classes is not None:
            parts.append("starting hands: " + " or ".join(sorted(self.starting_classes)))
        if self.session is not None:
            parts.append(self._session_words())
        if self.outside is not None:
            parts.append(f"all but these: {self.outside.words()}")
        return parts

    def _session_words(self) -> str:
        if isinstance(self.session, int):
            words = f"session {self.session}"
        elif isinstance(self.session, date):
            hour = f" from {self.day_start}:00 UTC" if self.day_start else ""
            words = f"sessions of {self.session.isoformat()}{hour}"
        else:
            words = "last session"
        if self.session_gap != SESSION_GAP_MINUTES:
            words += f" by pauses of more than {self.session_gap} minutes"
        return words


def _from_to(least: float, most: float) -> str:
    return f"{least:g}" if least == most else f"{least:g}-{most:g}"


def _symbols(ranks: frozenset[int]) -> str:
    return "".join(RANK_SYMBOLS[rank - 1] for rank in sorted(ranks))
