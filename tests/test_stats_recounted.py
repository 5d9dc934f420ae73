"""Statistics over many hands are what plain Python counts from the events of their texts.

Nothing here asks the rules engine or the database: streets, wagers, prices and money are followed
anew, line by line, as a player would with the text in front of him.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hands import SAMPLES, check_file, clean

from razzstats.cards import Card
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    Check,
    Collect,
    Deal,
    Fold,
    ParsedHand,
    ReturnedBet,
    Seat,
    Show,
    ShowdownStart,
    StreetStart,
    Wager,
)
from razzstats.replay import ReplayedHand
from razzstats.simulate import (
    EUROS,
    Setup,
    TournamentPlan,
    render_hand,
    simulate_hands,
    usual_stakes,
)
from razzstats.stats.catalogue import STATS
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.stats.tables import TABLE_FUNCTIONS
from razzstats.storage import Database, hand_rows

ODD_HANDS = Path(__file__).parent / "golden" / "statistics" / "odd-hands.txt"
SESSIONS = (
    (130, 6, Setup()),
    (70, 8, Setup(tournament=TournamentPlan(number="3900000001"), first_number=400_000_000_000)),
    (60, 2, Setup(stakes=usual_stakes(EUROS, 50), buy_in=(1.0, 6.0), first_number=500_000_000_000)),
    (40, 3, Setup(hero=None, first_number=600_000_000_000)),
)


@dataclass
class PlayerHand:
    """What one player did in one hand, counted from the text."""

    name: str
    is_hero: bool
    currency: str
    decimals: int
    big_bet: int
    door: int | None
    net: int = 0
    won: bool = False
    shared: bool = False
    """Whether others collected chips as well as he."""
    last_street: int = 3
    folded: bool = False
    showdown: bool = False
    brought_in: bool = False
    opened: bool = False
    """Whether his was the forced bet, in whatever form he made it."""
    third: list[tuple[str, bool]] = field(default_factory=list)
    """His choices on third street, and whether somebody had wagered before."""
    done: Counter[tuple[int, str]] = field(default_factory=Counter)
    faced: Counter[int] = field(default_factory=Counter)
    gave_up: Counter[int] = field(default_factory=Counter)

    @property
    def entered(self) -> bool:
        """Whether he put in chips by choice on third street."""
        return any(kind in ("Call", "Wager") for kind, _ in self.third)


def _rank(card: Card | None) -> int | None:
    return None if card is None else int(card.rank)


def recount(hand: ParsedHand) -> list[PlayerHand]:
    """Follow the text of a hand; return what each player did."""
    doors: dict[Seat, Card | None] = {}
    for event in hand.events:
        if isinstance(event, Deal) and event.up:
            doors.setdefault(event.seat, event.up[0])
        elif isinstance(event, Show) and len(event.cards) == 7:  # some rooms show doors only here
            doors[event.seat] = event.cards[2]
    found = {
        player.seat: PlayerHand(
            player.name,
            player.seat == hand.hero,
            hand.stakes.money.currency,
            hand.stakes.money.decimals,
            hand.stakes.big_bet,
            _rank(doors[player.seat]),
        )
        for player in hand.players
        if player.seat in doors
    }
    street, wagered, opened = 3, False, False
    bets: defaultdict[Seat, int] = defaultdict(int)
    for event in hand.events:
        if isinstance(event, StreetStart):
            street, wagered = int(event.street), False
            bets.clear()
            for each in found.values():
                if not each.folded:
                    each.last_street = street
        elif isinstance(event, ShowdownStart):
            for each in found.values():
                each.showdown = not each.folded
        elif isinstance(event, Ante):
            found[event.seat].net -= event.amount
        elif isinstance(event, Collect):
            found[event.seat].net += event.amount
            found[event.seat].won = True
        elif isinstance(event, ReturnedBet):
            found[event.seat].net += event.amount
        elif isinstance(event, BringIn):
            found[event.seat].brought_in = found[event.seat].opened = opened = True
            pay(found[event.seat], bets, event.seat, event.amount)
        elif isinstance(event, Fold | Check | Call | Wager):
            player = found[event.seat]
            faces = max(bets.values(), default=0) > bets[event.seat]
            player.faced[street] += faces
            player.opened |= not opened
            opened = True
            if street == 3:
                player.third.append((type(event).__name__, wagered))
            if isinstance(event, Fold):
                player.folded = True
                player.gave_up[street] += faces
            elif isinstance(event, Check):
                player.done[street, "checks"] += 1
            elif isinstance(event, Call):
                player.done[street, "calls"] += 1
                pay(player, bets, event.seat, event.amount)
            else:
                player.done[street, "raises" if wagered else "bets"] += 1
                level = max(bets.values(), default=0)
                pay(player, bets, event.seat, event.to - bets[event.seat])
                # All-in for less than half of what completes, nobody has completed yet.
                wagered |= street > 3 or 2 * (event.to - level) >= hand.stakes.small_bet - level
    for each in found.values():
        each.shared = each.won and sum(other.won for other in found.values()) > 1
    return list(found.values())


def pay(player: PlayerHand, bets: defaultdict[Seat, int], seat: Seat, amount: int) -> None:
    player.net -= amount
    bets[seat] += amount


# Each rate of the catalogue: the chance, and whether it was taken.
RATES: dict[str, tuple[Callable[[PlayerHand], bool], Callable[[PlayerHand], bool]]] = {
    "win_rate": (lambda p: True, lambda p: p.won),
    "brought_in": (lambda p: True, lambda p: p.brought_in),
    "vpip": (lambda p: bool(p.third), lambda p: p.entered),
    "complete": (
        lambda p: not p.opened and any(not wagered for _, wagered in p.third),
        lambda p: not p.opened and ("Wager", False) in p.third,
    ),
    "saw_fourth": (lambda p: True, lambda p: p.last_street > 3),
    "saw_fifth": (lambda p: True, lambda p: p.last_street > 4),
    "saw_sixth": (lambda p: True, lambda p: p.last_street > 5),
    "saw_seventh": (lambda p: True, lambda p: p.last_street > 6),
    "folded_after_entering": (lambda p: p.entered, lambda p: p.folded),
    "went_to_showdown": (lambda p: p.last_street > 3, lambda p: p.showdown),
    "went_to_showdown_from_fifth": (lambda p: p.last_street > 4, lambda p: p.showdown),
    "won_at_showdown": (lambda p: p.showdown, lambda p: p.won),
    "shared_at_showdown": (lambda p: p.showdown, lambda p: p.shared),
    "gained_at_showdown": (lambda p: p.showdown, lambda p: p.net > 0),
    "won_without_showdown": (lambda p: True, lambda p: p.won and not p.showdown),
    "won_when_saw_fourth": (lambda p: p.last_street > 3, lambda p: p.won),
    "won_when_saw_fifth": (lambda p: p.last_street > 4, lambda p: p.won),
}


def made_of(id: str, counted: Sequence[PlayerHand]) -> tuple[int, int]:
    chance, taken = RATES[id]
    return sum(taken(p) for p in counted if chance(p)), sum(map(chance, counted))


def big_bets(counted: Sequence[PlayerHand]) -> Any:
    return pytest.approx(sum(p.net / p.big_bet for p in counted))


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    simulated = [
        clean(render_hand(hand))
        for number, (count, players, setup) in enumerate(SESSIONS)
        for hand in simulate_hands(count, players, seed=number, setup=setup)
    ]
    # A split pot that loses to the rake, a fold with nothing to call; and the samples' edge cases.
    files = [ODD_HANDS, *SAMPLES.rglob("edge-*.*")]
    odd = [checked.replayed for file in files for checked in check_file(file)]
    return simulated + [hand for hand in odd if hand is not None]


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        yield opened


@pytest.fixture(scope="module")
def everybody(hands: list[ReplayedHand]) -> list[PlayerHand]:
    return [each for hand in hands for each in recount(hand.parsed)]


WHO = ("the hero", "one opponent", "all players")


def chosen(who: str, everybody: list[PlayerHand]) -> tuple[Filters, list[PlayerHand]]:
    if who == "the hero":
        return Filters(), [p for p in everybody if p.is_hero]
    if who == "all players":
        return Filters(all_players=True), everybody
    names = Counter(p.name for p in everybody if not p.is_hero)
    ((name, _),) = names.most_common(1)
    return Filters(hero=name), [p for p in everybody if p.name == name]


def rows(database: Database, table: str, filters: Filters) -> list[dict[str, Any]]:
    frame = TABLE_FUNCTIONS[table](database, filters)
    records = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return records  # type: ignore[return-value]


def test_the_simulation_reaches_what_is_counted(everybody: list[PlayerHand]) -> None:
    assert len({p.door for p in everybody if p.door}) == 13
    assert {p.currency for p in everybody} >= {"USD", "play", "chips"}
    assert len({p.decimals for p in everybody if p.currency == "play"}) == 2
    assert any(p.door is None for p in everybody)
    for chance, taken in RATES.values():
        assert any(chance(p) and taken(p) for p in everybody)
        assert any(chance(p) and not taken(p) for p in everybody)
    assert any(p.opened and not p.brought_in for p in everybody)
    assert any(p.won and p.net < 0 for p in everybody)
    assert any(p.folded and not sum(p.gave_up.values()) for p in everybody)
    assert {street for p in everybody for street, _ in p.done} == {3, 4, 5, 6, 7}
    assert set(RATES) == {stat.id for stat in STATS}


@pytest.mark.parametrize("who", WHO)
def test_the_overview_is_what_plain_python_counts(
    database: Database, everybody: list[PlayerHand], who: str
) -> None:
    filters, counted = chosen(who, everybody)
    found = {row["id"]: row for row in rows(database, "overview", filters)}
    assert found["hands"]["value"] == len(counted)
    for id in RATES:
        made, chances = made_of(id, counted)
        assert (found[id]["made"], found[id]["chances"]) == (made, chances), id
        assert made <= chances
        low, high = wilson(made, chances)
        assert (found[id]["low"], found[id]["high"]) == (low, high)
        assert found[id]["value"] == (made / chances if chances else None)
    for currency in {p.currency for p in counted}:
        net = sum(p.net / 10**p.decimals for p in counted if p.currency == currency)
        assert found[f"net_{currency.lower()}"]["value"] == pytest.approx(net)
    per_100 = found["big_bets_per_100"]["value"]
    assert per_100 * len(counted) / 100 == big_bets(counted)


@pytest.mark.parametrize("who", WHO)
def test_door_cards_are_what_plain_python_counts(
    database: Database, everybody: list[PlayerHand], who: str
) -> None:
    filters, counted = chosen(who, everybody)
    for rank, row in enumerate(rows(database, "door-cards", filters), 1):
        own = [p for p in counted if p.door == rank]
        assert (row["hands"], row["won"]) == (len(own), sum(p.won for p in own))
        one_currency = len({(p.currency, p.decimals) for p in own}) == 1
        assert row["net"] == (sum(p.net for p in own) if one_currency else None)
        for id in set(RATES) & set(row):
            made, chances = made_of(id, own)
            assert row[id] == (made / chances if chances else None), (row["door"], id)
        if own:
            assert row["big_bets_per_100"] * len(own) / 100 == big_bets(own)


@pytest.mark.parametrize("who", WHO)
def test_door_streets_are_what_plain_python_counts(
    database: Database, everybody: list[PlayerHand], who: str
) -> None:
    filters, counted = chosen(who, everybody)
    for number, row in enumerate(rows(database, "door-streets", filters)):
        rank, street = divmod(number, 5)
        own = [p for p in counted if p.door == rank + 1 and p.last_street >= street + 3]
        folded = sum(p.folded and p.last_street == street + 3 for p in own)
        won = sum(p.won for p in own)
        assert (row["reached"], row["folded"], row["won"]) == (len(own), folded, won)
        assert row["net_big_bets"] == (big_bets(own) if own else None)


@pytest.mark.parametrize("who", WHO)
def test_streets_are_what_plain_python_counts(
    database: Database, everybody: list[PlayerHand], who: str
) -> None:
    filters, counted = chosen(who, everybody)
    for street, row in enumerate(rows(database, "streets", filters), 3):
        over = [p for p in counted if p.last_street == street]
        assert row["reached"] == sum(p.last_street >= street for p in counted)
        assert row["folded"] == sum(p.folded for p in over)
        assert (row["ended"], row["won"]) == (len(over), sum(p.won for p in over))
        assert row["net_big_bets"] == big_bets(over)
        for kind in ("checks", "bets", "raises", "calls"):
            assert row[kind] == sum(p.done[street, kind] for p in counted), (street, kind)
        folds, chances = (
            sum(p.gave_up[street] for p in counted),
            sum(p.faced[street] for p in counted),
        )
        assert (row["fold_to_bet_made"], row["fold_to_bet_chances"]) == (folds, chances)
        wagers = row["bets"] + row["raises"]
        assert row["aggression"] == (wagers / row["calls"] if row["calls"] else None)


def test_a_numerator_holds_only_where_its_denominator_does(database: Database) -> None:
    for stat in STATS:
        outside = f"""SELECT count(*) FROM hand_players
            JOIN (SELECT hid, pot, rake FROM hands) USING (hid)
            WHERE ({stat.made}) AND NOT ({stat.chances})"""
        assert database.rows(outside) == [(0,)], stat.id


def test_what_is_won_and_lost_comes_to_the_rake(database: Database) -> None:
    unbalanced = database.rows(
        "SELECT hid FROM hands JOIN hand_players USING (hid) GROUP BY hid, rake"
        " HAVING sum(net) <> -rake"
    )
    assert unbalanced == []
