"""What is computed of stored hands once: luck, ratings of starting hands, and decisions."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from razzstats.cards import Card, MaybeCard, Rank, numbered_card
from razzstats.chips import Chips
from razzstats.equity.starting_hands import StartingHand, ratings
from razzstats.errors import DatabaseError
from razzstats.events import Seat, Street
from razzstats.luck import Contestant, HandLuck, Showdown, measure
from razzstats.places import WAIT_SECONDS
from razzstats.processes import begun_ahead, processes
from razzstats.rules.actions import CHOICES
from razzstats.rules.ruleset import RULE_SETS
from razzstats.storage import Database, HandLuckRow, PlayerLuckRow, StartingHandRow
from razzstats.storage.decisions import insert_decisions, sql_kinds
from razzstats.storage.spots import insert_spots

_BATCH = 2_000  # hands a transaction: what is lost when the work is interrupted

_PATIENCE = 1.0  # seconds; a report can do without, and others may read for hours

_RATED_GAME_RANKING = RULE_SETS["razz"].best_hand


_UNMEASURED = "FROM hands WHERE hid NOT IN (SELECT hid FROM hand_luck)"


def count_unmeasured(database: Database) -> int:
    """Return how many hands were stored and not measured yet."""
    return int(database.rows(f"SELECT count(*) {_UNMEASURED}")[0][0])


def measure_hands(
    database: Database, after_batch: Callable[[int], None] | None = None, *, jobs: int = 1
) -> int:
    """Measure all hands that are stored and not measured yet; return their number.

    The database must be open for writing. What is measured is stored batch by batch, so that an
    interruption costs one batch; the next call goes on from there. ``after_batch`` is told how
    many are left. ``jobs`` processes calculate; what comes of it does not depend on how many.

    >>> memory = razzstats.Database.in_memory()
    >>> reports = razzstats.import_paths(
    ...     memory, ["sample_histories/pokerstars/cash-1-2-six-handed.txt"]
    ... )
    >>> razzstats.measure_hands(memory), razzstats.measure_hands(memory)
    (75, 0)
    """
    pending = [int(hid) for (hid,) in database.rows(f"SELECT hid {_UNMEASURED} ORDER BY hid")]
    left = len(pending)
    batches = [pending[start : start + _BATCH] for start in range(0, left, _BATCH)]
    for batch, measured in zip(batches, _measured(database, batches, jobs), strict=True):
        with database.transaction():
            insert_decisions(database, batch)
            insert_spots(database, batch)
            database.insert_luck(*measured)
        left -= len(batch)
        if after_batch:
            after_batch(left)
    return len(pending)


def open_measured(
    path: Path,
    tell: Callable[[str], None],
    measure_all: Callable[[Database], int] = measure_hands,
    *,
    wait: float = WAIT_SECONDS,
) -> Database:
    """Open a database for reading, after measuring what was not measured yet.

    An import does that itself; an interrupted one, or one of an earlier version, may have left
    hands. If the database cannot be written now they stay unmeasured, and ``tell`` is given the
    sentence that says so. ``measure_all`` is `measure_hands`, or what shows how that goes on.
    To be read it is waited for ``wait`` seconds. All hands of a lake are measured. Raises
    DatabaseError as `Database.open` does.
    """
    database = Database.open(path, read_only=True, wait=wait)
    if database.is_lake:
        return database
    unmeasured = count_unmeasured(database)
    if not unmeasured:
        return database
    database.close()
    try:
        with Database.open(path, wait=min(wait, _PATIENCE)) as writable:
            measure_all(writable)
    except DatabaseError as error:
        tell(f"luck and decisions of {unmeasured} hands are not measured yet: {error}")
    return Database.open(path, read_only=True, wait=wait)


class _StoredPlayer(NamedTuple):
    hid: int
    game: str
    seat: Seat
    cards: tuple[MaybeCard, ...]
    contributed: Chips
    put_before_river: Chips
    collected: Chips
    folded: bool
    last_street: Street
    showdown: bool


class _Batch(NamedTuple):
    """What is known of some hands; small enough to cross processes."""

    hids: Sequence[int]
    players: dict[int, list[_StoredPlayer]]
    rivers: dict[int, int]
    """The community cards."""
    last_decisions: dict[int, int]
    """The last street on which anybody chose what to do."""


_Measured: TypeAlias = tuple[list[HandLuckRow], list[PlayerLuckRow], list[StartingHandRow]]


def _measured(
    database: Database, batches: Iterable[Sequence[int]], jobs: int
) -> Iterator[_Measured]:
    """Yield what is measured in each batch of hands, in order."""
    known = (_known(database, hids) for hids in batches)
    if jobs < 2:
        yield from map(_measure, known)
        return
    with processes(jobs) as pool:
        begun = (pool.submit(_measure, batch) for batch in known)
        for measured in begun_ahead(begun, jobs):
            yield measured.result()


def _known(database: Database, hids: Sequence[int]) -> _Batch:
    players: dict[int, list[_StoredPlayer]] = defaultdict(list)
    for player in _stored_players(database, hids):
        players[player.hid].append(player)
    rivers = dict(
        database.rows(
            "SELECT hid, community FROM hands WHERE hid IN (SELECT unnest(?::BIGINT[]))"
            " AND community IS NOT NULL",
            (list(hids),),
        )
    )
    last_decisions = dict(
        database.rows(
            "SELECT hid, max(street) FROM actions WHERE hid IN (SELECT unnest(?::BIGINT[]))"
            f" AND kind IN {sql_kinds(CHOICES)} GROUP BY hid",
            (list(hids),),
        )
    )
    return _Batch(hids, dict(players), rivers, last_decisions)


def _measure(batch: _Batch) -> _Measured:
    players, last = batch.players, batch.last_decisions
    luck = {
        hid: measure(_showdown(hid, players[hid], last.get(hid, 3), batch.rivers.get(hid)))
        for hid in batch.hids
        if any(player.showdown for player in players[hid])
    }
    return (
        [_hand_row(hid, luck.get(hid)) for hid in batch.hids],
        [row for hid, each in luck.items() for row in _player_rows(hid, each)],
        _rate(players.values()),
    )


def _stored_players(database: Database, hids: Sequence[int]) -> list[_StoredPlayer]:
    found = database.rows(
        """SELECT hid, game, seat, [c1, c2, c3, c4, c5, c6, c7], contributed, contributed - put7,
            collected, folded, last_street, showdown
        FROM hand_players WHERE hid IN (SELECT unnest(?::BIGINT[])) ORDER BY hid, seat""",
        (list(hids),),
    )
    return [
        _StoredPlayer(
            hid, game, seat, tuple(map(numbered_card, cards)), contributed, before, collected,
            folded, Street(last_street), showdown,
        )
        for hid, game, seat, cards, contributed, before, collected, folded, last_street, showdown
        in found
    ]  # fmt: skip


def _showdown(
    hid: int, players: list[_StoredPlayer], last_decision: int, river: int | None
) -> Showdown:
    def cards(player: _StoredPlayer) -> tuple[MaybeCard, ...]:
        own = player.cards[: player.last_street]
        return own if river is None else (*own[:6], numbered_card(river))

    return Showdown(
        number=hid,
        rules=RULE_SETS[players[0].game],
        players=tuple(
            Contestant(
                player.seat,
                cards(player),
                player.contributed,
                player.put_before_river,
                player.collected,
                player.folded,
                player.last_street,
            )
            for player in players
        ),
        last_decision=Street(last_decision),
        shared_river=river is not None,
    )


def _hand_row(hid: int, luck: HandLuck | None) -> HandLuckRow:
    if luck is None:
        return HandLuckRow(hid, None, None, None, None)
    measured = luck.players is not None
    return HandLuckRow(hid, str(luck.kind), luck.street, measured, luck.exact if measured else None)


def _player_rows(hid: int, luck: HandLuck) -> list[PlayerLuckRow]:
    return [
        PlayerLuckRow(hid, each.seat, float(each.equity), float(each.expected), float(each.luck))
        for each in luck.players or ()
    ]


# ---- starting hands


def _rate(hands: Iterable[list[_StoredPlayer]]) -> list[StartingHandRow]:
    """Return the ratings of all starting hands that are known, given the other door cards."""
    seen: dict[StartingHand, list[tuple[_StoredPlayer, list[int]]]] = defaultdict(list)
    for players in hands:
        if RULE_SETS[players[0].game].best_hand is not _RATED_GAME_RANKING:
            continue
        doors = [player.cards[2] for player in players]
        for player in players:
            first = [card for card in player.cards[:3] if card is not None]
            if len(first) == 3:
                others = [door for door in doors if door is not None and door != first[2]]
                hand = StartingHand.of(card.rank for card in first)
                seen[hand].append((player, _count_ranks(others)))
    return [
        StartingHandRow(player.hid, player.seat, str(hand), str(hand.starting_class), float(rating))
        for hand, holders in seen.items()
        for (player, _), rating in zip(
            holders, ratings(hand, [dead for _, dead in holders]), strict=True
        )
    ]


def _count_ranks(cards: Iterable[Card]) -> list[int]:
    ranks = [card.rank for card in cards]
    return [ranks.count(rank) for rank in Rank]
