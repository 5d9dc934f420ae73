"""The leaks that show over many hands: each count made again by plain Python, each chance by force.

The hands are simulated: sessions of some hours in which a loose player moves up after losses.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from cli import razzstats
from planted import (
    CALL,
    FOLD,
    Player,
    chasing_hands,
    loose_habit,
    play_tables,
    sound_player,
    strategy,
)

from razzstats.cards import Rank
from razzstats.equity.starting_hands import StartingHand, ratings
from razzstats.events import ParsedHand
from razzstats.importing import import_paths
from razzstats.measuring import measure_hands
from razzstats.replay import ReplayedHand, replay
from razzstats.rules.actions import CHOICES, VOLUNTARY, ActionKind
from razzstats.simulate import render_hand
from razzstats.stats.decisions import decisions
from razzstats.stats.filters import Filters
from razzstats.stats.leaks import OVERALL, RULE_BY_ID, OverallRule, Source
from razzstats.stats.leaks.bands import count_band, count_table_sizes
from razzstats.stats.leaks.costs import REALISED
from razzstats.stats.leaks.finder import compare_with_usual, count_mistakes, mistakes_of
from razzstats.stats.leaks.judging import (
    chance_inside,
    chance_of_gap,
    chance_of_no_rise,
    chance_of_none,
)
from razzstats.stats.leaks.lines import _slope, count_check_calls, count_dead_cards, count_sunk
from razzstats.stats.leaks.swings import (
    AFTER_HANDS,
    AFTER_SECONDS,
    LATE_SECONDS,
    LOST_POT,
    _moves_up,
    count_chases,
    count_late,
    count_tilt,
    played_in_order,
)
from razzstats.storage import Database, hand_key

SESSIONS, SESSION_HANDS = 3, 160
HANDS = SESSIONS * SESSION_HANDS
HERO = Filters()
SECOND = timedelta(seconds=1)


def overall(id: int, street: int | None = None) -> OverallRule:
    (rule,) = [r for r in OVERALL if r.id == id and (street is None or r.street == street)]
    return rule


class Played(NamedTuple):
    """The same hands as replayed, as a database file, and open."""

    hands: list[ReplayedHand]
    path: Path
    database: Database


def faster(hands: Sequence[ParsedHand], times: int) -> list[ParsedHand]:
    begin = hands[0].played_at
    assert begin is not None
    return [
        replace(hand, played_at=begin + (hand.played_at - begin) // times // SECOND * SECOND)
        for hand in hands
        if hand.played_at is not None
    ]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("overall")
    hero = Player(strategy("loose", loose_habit))
    parsed = list(
        chasing_hands(2 * SESSION_HANDS, 8, hero, chases=True, session_hands=SESSION_HANDS)
    )
    # The last session begins at higher stakes than any before, which is no move up, and is fast.
    last = chasing_hands(
        SESSION_HANDS, 8, hero, chases=True, session_hands=SESSION_HANDS, small_bet=20, first_day=2
    )
    parsed += faster(list(last), 3)
    (folder / "hands.txt").write_text("".join(map(render_hand, parsed)), encoding="utf-8")
    path = folder / "razz.db"
    assert razzstats("import", folder / "hands.txt", "--db", path).code == 0
    assert razzstats("leaks", "--hands", "314", "--db", path).code == 0, "measures the hands"
    with Database.open(path, read_only=True) as database:
        yield Played([value for hand in parsed if (value := replay(hand).value)], path, database)


# ---- the order of play


class Own(NamedTuple):
    """A hand of the hero as the checks of swings need it."""

    hid: int
    at: datetime
    net: float
    """In big bets."""
    stakes: int
    vpip: bool
    had_choice: bool
    lost: bool


def own_hands(hands: Sequence[ReplayedHand]) -> list[Own]:
    found = []
    for hand in hands:
        stakes, seat = hand.parsed.stakes, hand.parsed.hero
        (own,) = [result for result in hand.results if result.seat == seat]
        thirds = [a.kind for a in hand.actions if a.seat == seat and a.street == 3]
        vpip = any(kind in VOLUNTARY for kind in thirds)
        pot = sum(pot.amount for pot in hand.pots)
        lost = own.net < 0 and own.last_street >= 5 and pot >= LOST_POT * stakes.big_bet
        assert hand.parsed.played_at is not None
        found.append(Own(
            hand_key(hand.parsed.hand_id), hand.parsed.played_at, own.net / stakes.big_bet,
            stakes.big_bet, vpip, any(kind in CHOICES for kind in thirds), vpip and lost,
        ))  # fmt: skip
    return sorted(found, key=lambda each: (each.at, each.hid))


def sessions_of(hands: Sequence[Own]) -> list[list[Own]]:
    sessions = [[hands[0]]]
    for before, hand in pairwise(hands):
        if hand.at - before.at > timedelta(minutes=30):
            sessions.append([])
        sessions[-1].append(hand)
    return sessions


def is_after_loss(session: Sequence[Own], place: int) -> bool:
    earlier = [n for n in range(place) if session[n].lost]
    if not earlier:
        return False
    seconds = (session[place].at - session[earlier[-1]].at).total_seconds()
    return place - earlier[-1] <= AFTER_HANDS or seconds <= AFTER_SECONDS


def is_late(session: Sequence[Own], place: int) -> bool:
    return (session[place].at - session[0].at).total_seconds() >= LATE_SECONDS


def test_which_hands_come_after_a_loss_and_which_are_late(played: Played) -> None:
    sessions = sessions_of(own_hands(played.hands))
    expected = {
        hand.hid: (number, is_after_loss(session, place), is_late(session, place))
        for number, session in enumerate(sessions, 1)
        for place, hand in enumerate(session)
    }
    frame = played_in_order(played.database, HERO)
    columns = frame[["hid", "session", "after_loss", "is_late"]]
    found = {row[0]: row[1:] for row in columns.itertuples(index=False, name=None)}
    assert found == expected
    assert len(sessions) == SESSIONS
    assert 30 < sum(after for _, after, _ in expected.values()) < HANDS - 10
    assert 20 < sum(late for _, _, late in expected.values()) < HANDS - 100


def test_tilt_is_judged_against_the_rest_of_the_same_sessions(played: Played) -> None:
    strata = []
    for session in sessions_of(own_hands(played.hands)):
        counts = Counter[tuple[bool, bool]]()
        for place, hand in enumerate(session):
            if hand.had_choice:
                counts[is_after_loss(session, place), hand.vpip] += 1
        strata.append([counts[after, vpip] for after in (True, False) for vpip in (True, False)])
    counted = count_tilt(played.database, HERO, overall(804)._replace(least=10))
    assert counted.spots == sum(made + not_made for made, not_made, _, _ in strata)
    assert counted.mistakes == sum(made for made, _, _, _ in strata)
    usual = sum((m + n) * made / (made + not_made) for m, n, made, not_made in strata)
    assert counted.reference.most == pytest.approx(min(1, usual / counted.spots + 0.05))
    assert counted.reference.source is Source.OWN
    assert counted.mistakes is not None
    if counted.mistakes / counted.spots <= counted.reference.most:
        assert counted.chance_of_none == 1
    else:
        rows = [(m, m + n, made, made + not_made) for m, n, made, not_made in strata]
        assert counted.chance_of_none == pytest.approx(chance_of_no_rise(rows))


def test_late_hands_are_compared_within_sessions(played: Played) -> None:
    sessions = sessions_of(own_hands(played.hands))
    late = [
        hand.net
        for session in sessions
        for place, hand in enumerate(session)
        if is_late(session, place)
    ]
    counted = count_late(played.database, HERO, overall(805)._replace(least=50))
    assert (counted.spots, counted.mistakes) == (len(late), None)
    assert counted.chance_of_none is not None


def test_a_move_up_is_to_the_highest_stakes_of_a_session_so_far(played: Played) -> None:
    moves = []
    for session in sessions_of(own_hands(played.hands)):
        money, highest = 0.0, session[0].stakes
        for hand in session:
            if hand.stakes > highest:
                moves.append((hand, money < 0))
                highest = hand.stakes
            money += hand.net * hand.stakes
    counted = count_chases(played.database, HERO, overall(808))
    assert counted.spots == len(moves) > 0
    assert counted.mistakes == sum(behind for _, behind in moves) == len(moves), "he only chases"
    assert counted.chance_of_none is None, "fewer than five"
    listed = mistakes_of(played.database, HERO, overall(808), 10)
    names = dict(played.database.rows("SELECT hid, hand_no FROM hands"))
    assert [each.hand_no for each in listed] == [names[hand.hid] for hand, _ in moves[::-1]]


def test_what_is_lost_in_the_hand_itself_is_not_chased() -> None:
    """Money counts up to the first hand at higher stakes, by session and currency."""
    hands = pd.DataFrame(
        [
            (1, "USD", 2.0, 1.0),
            (1, "USD", 4.0, -3.0),  # ahead before, behind after it
            (1, "EUR", 2.0, -1.0),
            (1, "EUR", 8.0, 9.0),  # behind before, ahead after it
            (2, "USD", 8.0, -5.0),
            (2, "USD", 4.0, -1.0),
            (2, "USD", 8.0, 1.0),  # no higher than before
        ],
        columns=["session", "currency", "stakes", "big_bets"],
    )
    assert list(_moves_up(hands)) == [(1, False), (3, True)]


def test_five_moves_up_after_losses_are_judged() -> None:
    """A Beta posterior: five of five after losses leave 1/2^6 for at most one half."""
    assert chance_inside(5, 5, 0, 0.5) == pytest.approx(1 / 64)
    assert chance_inside(2, 5, 0, 0.5) > 0.5


# ---- lines of play


def choices(hand: ReplayedHand, street: int) -> list[Any]:
    return [a for a in hand.actions if a.street == street and a.kind in CHOICES]


def led_streets(hand: ReplayedHand) -> tuple[int, int]:
    """Return on how many streets the hero's board led, and on how many he checked and called."""
    led = gave_up = 0
    for street in range(4, 8):
        acts = choices(hand, street)
        if acts and acts[0].seat == hand.parsed.hero and acts[0].could_wager:
            led += 1
            calls = any(a.kind is CALL and a.seat == hand.parsed.hero for a in acts[1:])
            gave_up += acts[0].kind is ActionKind.CHECK and calls
    return led, gave_up


def test_checks_and_calls_of_the_best_board(played: Played) -> None:
    streets = {hand_key(hand.parsed.hand_id): led_streets(hand) for hand in played.hands}
    counted = count_check_calls(played.database, HERO, overall(809))
    led = [gave_up for led, gave_up in streets.values() if led >= 2]
    assert counted.spots == len(led) >= 25
    assert counted.mistakes == sum(gave_up >= 2 for gave_up in led) > 0
    assert counted.chance_of_none == pytest.approx(
        chance_inside(counted.mistakes, counted.spots, 0, 0.1)
    )
    listed = mistakes_of(played.database, HERO, overall(809), HANDS)
    keys = {number: hid for hid, number in played.database.rows("SELECT hid, hand_no FROM hands")}
    hids = [keys[each.hand_no] for each in listed]
    assert sorted(hids) == sorted(hid for hid, (led, gave_up) in streets.items() if gave_up >= 2)
    for each in listed:
        (kind,) = played.database.rows(
            "SELECT kind FROM decisions WHERE hid = ? AND seq = ?", (keys[each.hand_no], each.seq)
        )
        assert kind == ("check",)


def eights(hand: ReplayedHand) -> tuple[float, bool] | None:
    """Return what dead door cards do to three to an eight, and whether he entered with it."""
    seat = hand.parsed.hero
    (own,) = [result for result in hand.results if result.seat == seat]
    ranks = [card.rank for card in own.cards[:3] if card is not None]
    acts = choices(hand, 3)
    turns = [a for a in acts if a.seat == seat]
    checked = [a for a in turns if a.kind is ActionKind.CHECK]
    if hand.bring_in_seat == seat or checked or len(set(ranks)) < 3 or max(ranks) != Rank.EIGHT:
        return None
    if not turns or turns[0].wagers != 1:
        return None
    doors = [r.up_cards[0].rank for r in hand.results if r.seat != seat]
    start = StartingHand.of(ranks)
    none, dead = ([[0] * 13], [[doors.count(rank) for rank in Rank]])
    change = float(ratings(start, dead)[0] - ratings(start, none)[0])
    return change, turns[0].kind is not FOLD


def test_eights_that_dead_cards_make_worse_and_better(played: Played) -> None:
    found = [each for hand in played.hands if (each := eights(hand))]
    worse = [entered for change, entered in found if change <= -0.03]
    better = [entered for change, entered in found if change >= 0.01]
    assert min(len(worse), len(better)) >= 1
    rule = overall(314)._replace(least=1)
    counted = count_dead_cards(played.database, HERO, rule)
    assert (counted.spots, counted.mistakes) == (len(worse), sum(worse))
    assert counted.reference.most == pytest.approx(max(0, sum(better) / len(better) - 0.15))
    assert counted.chance_of_none == pytest.approx(
        chance_of_gap((sum(better), len(better)), (sum(worse), len(worse)), 0.15)
    )
    assert len(mistakes_of(played.database, HERO, rule, HANDS)) == sum(worse)


# Who completes sits before Anna; the other doors are dead, low or high.
EIGHT = """\
PokerStars Hand #{number}: Razz Limit ($1/$2 USD) - 2026/01/09 19:{minute:02}:00 ET
Table 'Halley' 6-max
Seat 1: Ben ($40 in chips)
Seat 2: Cleo ($40 in chips)
Seat 3: Dora ($40 in chips)
Seat 4: Emil ($40 in chips)
Seat 5: Anna ($40 in chips)
Ben: posts the ante $0.20
Cleo: posts the ante $0.20
Dora: posts the ante $0.20
Emil: posts the ante $0.20
Anna: posts the ante $0.20
*** 3rd STREET ***
Dealt to Ben [Ks]
Dealt to Cleo [{doors[0]}]
Dealt to Dora [{doors[1]}]
Dealt to Emil [{doors[2]}]
Dealt to Anna [Ac 2d 8h]
Ben: brings in for $0.50
Cleo: folds
Dora: folds
Emil: raises $0.50 to $1
Anna: {anna}
Ben: folds
"""
FOLDED = """\
Uncalled bet ($0.50) returned to Emil
Emil collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
Seat 1: Ben folded on the 3rd Street
Seat 2: Cleo folded on the 3rd Street (didn't bet)
Seat 3: Dora folded on the 3rd Street (didn't bet)
Seat 4: Emil collected ($2)
Seat 5: Anna folded on the 3rd Street (didn't bet)


"""
CALLED = """\
*** 4th STREET ***
Dealt to Emil [{doors[2]}] [6h]
Dealt to Anna [Ac 2d 8h] [Qs]
Emil: bets $1
Anna: folds
Uncalled bet ($1) returned to Emil
Emil collected $3.50 from pot
*** SUMMARY ***
Total pot $3.50 | Rake $0
Seat 1: Ben folded on the 3rd Street
Seat 2: Cleo folded on the 3rd Street (didn't bet)
Seat 3: Dora folded on the 3rd Street (didn't bet)
Seat 4: Emil collected ($3.50)
Seat 5: Anna folded on the 4th Street


"""
DEAD_LOW, DEAD_HIGH = ("3c", "4c", "5c"), ("Kd", "Qc", "Jc")


@pytest.mark.parametrize(
    ("worse", "better", "called"),
    [((36, 4), (36, 4), True), ((4, 36), (36, 4), False), ((15, 15), (29, 1), None)],
    ids=["blind", "heeds them", "some"],
)
def test_who_is_blind_for_dead_cards(
    worse: tuple[int, int], better: tuple[int, int], called: bool | None, tmp_path: Path
) -> None:
    """Entered and folded with cards dead that he needs, and with others dead."""
    texts: list[str] = []
    for doors, (entered, folded) in ((DEAD_LOW, worse), (DEAD_HIGH, better)):
        for n in range(entered + folded):
            anna, rest = ("calls $1", CALLED) if n < entered else ("folds", FOLDED)
            number = len(texts)
            text = (EIGHT + rest).format(number=number, minute=0, doors=doors, anna=anna)
            texts.append(text)
    (tmp_path / "eights.txt").write_text("".join(texts), encoding="utf-8")
    with Database.in_memory() as database:
        (report,) = import_paths(database, [str(tmp_path / "eights.txt")])
        assert report.stored == len(texts), report.diagnostics
        measure_hands(database)
        counted = count_dead_cards(database, HERO, overall(314))
    assert (counted.spots, counted.mistakes) == (sum(worse), worse[0])
    assert counted.chance_of_none is not None
    if called is not None:
        assert (counted.chance_of_none < 0.05) == called


def test_the_latest_hands_are_listed_first(tmp_path: Path) -> None:
    """Numbers of rooms, and of tables of one room, do not follow the clock."""
    texts = [
        (EIGHT + CALLED).format(number=100 - n, minute=n, doors=DEAD_LOW, anna="calls $1")
        for n in range(3)
    ]
    (tmp_path / "eights.txt").write_text("".join(texts), encoding="utf-8")
    with Database.in_memory() as database:
        import_paths(database, [str(tmp_path / "eights.txt")])
        measure_hands(database)
        listed = mistakes_of(database, HERO, overall(314), 2)
    assert [each.hand_no for each in listed] == ["98", "99"]


def test_calls_that_the_pot_does_not_pay_for(played: Played) -> None:
    """In the big pots of one session only, as equities take their time."""
    filters = Filters(pot=(6, 1000), session=3)
    frame = decisions(played.database, filters, samples=2_000)
    faced = frame[
        (frame["street"] >= 5) & (frame["wagers"] >= 1) & (frame["to_call"] > 0)
        & (frame["opponents"] == 1) & frame["equity_range"].notna()
    ].sort_values(["hid", "seq"], ascending=[False, True]).head(300)  # fmt: skip
    worth = faced["equity_range"] * faced["street"].map(REALISED)
    unpaid = faced[worth * (faced["pot"] + faced["to_call"]) < faced["to_call"]]
    called = unpaid[unpaid["kind"] != "fold"]
    counted = count_sunk(played.database, filters, overall(807))
    assert counted.spots == len(unpaid) >= 5
    assert counted.mistakes == len(called) > 0
    listed = mistakes_of(played.database, filters, overall(807), 1000)
    assert {(each.hand_no, each.seq) for each in listed} == set(
        zip(called["hand_no"], called["seq"], strict=True)
    )


def test_equity_is_worth_less_with_betting_to_come(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it were worth nothing on fifth street, the pot would pay for no call there."""
    filters = Filters(pot=(6, 1000), session=3)
    monkeypatch.setitem(REALISED, 5, 0.0)
    counted = count_sunk(played.database, filters, overall(807))
    hands, parameters = filters.hands()
    ((fifth,),) = played.database.rows(
        f"""SELECT count(*) FROM {hands} JOIN decisions USING (hid, seat)
        JOIN spots USING (hid, seq, seat)
        WHERE street = 5 AND wagers >= 1 AND to_call > 0 AND opponents = 1""",
        parameters,
    )
    monkeypatch.undo()
    before = count_sunk(played.database, filters, overall(807))
    assert fifth <= counted.spots
    assert before.spots < counted.spots


# ---- table sizes and bands


def test_more_hands_are_played_at_small_tables() -> None:
    rule = overall(806)._replace(least=20)
    with play_tables(360, 5, sound_player()) as database:
        rows = database.rows(
            """SELECT players, vpip FROM hand_players
            WHERE is_hero AND vpip_chance AND NOT brought_in"""
        )
        counted = count_table_sizes(database, HERO, rule)
        only = count_table_sizes(database, Filters(players=(7, 8)), rule)
    small = [vpip for players, vpip in rows if players == 2]
    large = [vpip for players, vpip in rows if players >= 7]
    assert (counted.spots, counted.mistakes) == (len(small), sum(small))
    # At two players at least 55 % are usual, at eight at most 30 %.
    assert counted.reference.least == pytest.approx(min(1, sum(large) / len(large) + 0.25))
    assert counted.chance_of_none is not None
    assert counted.chance_of_none == pytest.approx(
        chance_of_gap((sum(small), len(small)), (sum(large), len(large)), 0.25)
    )
    assert counted.is_low
    assert counted.chance_of_none > 0.9, "a sound player plays far more hands at small tables"
    assert only.chance_of_none is None, "one size of table is not enough to compare"


def hand_players(database: Database, name: str, made: int, chances: int, players: int = 6) -> None:
    """Add hands of a player who had a choice in each and played some."""
    database.rows(
        """INSERT INTO hand_players BY NAME SELECT hash(name, n) // 4 AS hid, 1 AS seat, name,
            name = 'hero' AS is_hero, 'pokerstars' AS site, 'razz' AS game, false AS is_tournament,
            'USD' AS currency, 2 AS decimals, 100 AS small_bet, 200 AS big_bet,
            players, 1000 AS stack, 0 AS ante, 0 AS put3, 0 AS put4, 0 AS put5, 0 AS put6,
            0 AS put7, 0 AS contributed, 0 AS collected, 0 AS net, 3 AS last_street,
            false AS folded, false AS showdown, false AS shown, false AS all_in,
            false AS brought_in, true AS vpip_chance, n < made AS vpip, false AS complete_chance,
            false AS completed
        FROM (SELECT ? AS name, ? AS made, ? AS players, unnest(range(?)) AS n)""",
        (name, made, players, chances),
    )


@pytest.mark.parametrize(
    ("players", "least", "most"), [(2, 0.55, 0.90), (4, 0.35, 0.65), (6, 0.25, 0.35), (8, 0.2, 0.3)]
)
def test_the_usual_number_of_hands_depends_on_the_table(
    players: int, least: float, most: float
) -> None:
    with Database.in_memory() as database:
        hand_players(database, "hero", 200, 400, players)
        counted = count_band(database, HERO, overall(316))
    assert (counted.spots, counted.mistakes) == (400, 200)
    assert (counted.reference.least, counted.reference.most) == (least, most)
    assert counted.reference.source is Source.JUDGEMENT
    assert counted.chance_of_none == pytest.approx(chance_inside(200, 400, least, most))
    assert counted.is_low == (players == 2)


def test_the_table_size_with_the_most_hands_counts() -> None:
    with Database.in_memory() as database:
        hand_players(database, "hero", 30, 199, 8)
        assert count_band(database, HERO, overall(316)).chance_of_none is None
        hand_players(database, "hero", 90, 250, 4)
        counted = count_band(database, HERO, overall(316))
    assert (counted.spots, counted.mistakes) == (250, 90)


def test_the_pool_widens_the_band_once_it_has_eight_players() -> None:
    with Database.in_memory() as database:
        hand_players(database, "hero", 160, 400)
        for number in range(7):  # he himself would be the eighth
            hand_players(database, f"guest {number}", 100 + 10 * number, 250)
        hand_players(database, "too few hands", 0, 199)
        few = count_band(database, HERO, overall(316))
        assert few.reference.source is Source.JUDGEMENT
        assert few.chance_of_none is not None
        assert few.chance_of_none < 0.1
        for number in range(7, 12):
            hand_players(database, f"guest {number}", 60 + 10 * number, 250)
        many = count_band(database, HERO, overall(316))
    assert many.reference.source is Source.POOL
    assert many.reference.most > 0.5, "most of these players play more than half of their hands"
    assert many.reference.least == 0.25, "the pool never makes the usual band narrower"
    assert (many.spots, many.mistakes) == (few.spots, few.mistakes) == (400, 160)
    assert many.chance_of_none == pytest.approx(chance_inside(160, 400, 0.25, many.reference.most))
    assert many.chance_of_none is not None
    assert many.chance_of_none > 0.9


# ---- chances


def test_where_two_sides_can_be_left_the_chance_is_doubled() -> None:
    above, below = chance_of_none(160, 400, 0.35), chance_of_none(320, 400, 0.75)
    assert chance_inside(160, 400, 0.25, 0.35) == pytest.approx(2 * above)
    assert chance_inside(80, 400, 0.25, 0.35) == pytest.approx(2 * below)
    assert chance_inside(160, 400, 0.0, 0.35) == pytest.approx(above), "one side only"
    assert chance_inside(120, 400, 0.25, 0.35) > 0.9


def permuted(strata: Sequence[tuple[int, int, int, int]], shuffles: int, seed: int) -> float:
    """Return how often shuffled labels give as many made in the marked part, ties by half."""
    rng = Random(seed)
    seen = sum(made for made, _, _, _ in strata)
    above = 0.0
    for _ in range(shuffles):
        total = 0
        for made, chances, made_else, chances_else in strata:
            all_made = made + made_else
            deck = [1] * all_made + [0] * (chances + chances_else - all_made)
            total += sum(rng.sample(deck, chances))
        above += (total > seen) + (total == seen) / 2
    return above / shuffles


@pytest.mark.parametrize(
    "strata",
    [
        [(12, 30, 40, 120), (9, 25, 30, 140), (4, 10, 20, 60)],
        [(20, 40, 50, 160), (15, 30, 45, 150)],
        [(8, 40, 50, 160), (6, 30, 45, 150)],
        [(30, 60, 20, 60), (0, 0, 30, 90), (5, 20, 0, 0)],
        [(3, 10, 90, 100), (25, 90, 1, 10)],
    ],
    ids=["more", "many more", "fewer", "with one-sided sessions", "mixed sessions"],
)
def test_the_chance_of_no_rise_is_that_of_shuffled_labels(
    strata: list[tuple[int, int, int, int]],
) -> None:
    chance, shuffles = chance_of_no_rise(strata), 1_000
    by_force = permuted(strata, shuffles, seed=1)
    error = math.sqrt(max(by_force * (1 - by_force), 0.001) / shuffles)
    assert chance == pytest.approx(by_force, abs=4 * error + 0.005)


def test_sessions_that_differ_are_no_tilt() -> None:
    """Losses come in the loose session; within each session nothing changes (Simpson)."""
    strata = [(45, 90, 5, 10), (2, 10, 18, 90)]
    assert chance_of_no_rise(strata) > 0.4
    together = [tuple(map(sum, zip(*strata, strict=True)))]
    assert chance_of_no_rise([tuple(together[0])[:4]]) < 0.001  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("first", "second", "gap"),
    [((30, 60), (30, 60), 0.0), ((45, 60), (20, 50), 0.15), ((80, 400), (60, 200), 0.05),
     ((27, 30), (24, 30), 0.15), ((300, 1000), (250, 1000), 0.05)],
)  # fmt: skip
def test_the_chance_of_a_gap_is_that_of_sampled_rates(
    first: tuple[int, int], second: tuple[int, int], gap: float
) -> None:
    rng, samples = Random(2), 20_000

    def rate(made: int, chances: int) -> float:
        return rng.betavariate(made + 1, chances - made + 1)

    above = sum(rate(*first) - rate(*second) >= gap for _ in range(samples)) / samples
    assert chance_of_gap(first, second, gap) == pytest.approx(above, abs=0.02)


Numbers = np.ndarray[Any, np.dtype[np.float64]]


def log_likelihood(coefficients: Numbers, columns: Numbers, made: Numbers) -> float:
    score = columns @ coefficients
    return float(made @ score - np.logaddexp(0, score).sum())


def climb(columns: Numbers, made: Numbers) -> Numbers:
    """Return where the likelihood is highest, by steps along one axis at a time, ever smaller.

    The columns are made orthogonal to climb along.
    """
    axes = np.linalg.inv(np.linalg.qr(columns)[1]).T
    at = np.zeros(columns.shape[1])
    best, step = log_likelihood(at, columns, made), 16.0
    while step > 1e-4:
        better = False
        for axis in axes:
            for way in (step, -step):
                value = log_likelihood(at + way * axis, columns, made)
                if value > best:
                    at, best, better = at + way * axis, value, True
        step = step if better else step / 2
    return at


def sunk_columns(number: int, seed: int) -> Numbers:
    """Return what decisions are told by: big bets put in, the price, lower the more, and equity."""
    rng = np.random.default_rng(seed)
    invested = rng.uniform(0.5, 6, number)
    price = 0.3 - 0.04 * invested + rng.uniform(0, 0.1, number)
    return np.column_stack((invested, price, rng.uniform(0, 0.2, number)))


@pytest.mark.parametrize("slope", [0.0, 0.8, -0.5])
def test_the_slope_is_where_the_likelihood_is_highest(slope: float) -> None:
    """With so many decisions a weak prior makes no difference; it is one of a big bet more here."""
    columns = sunk_columns(2_000, seed=3)
    chance = 1 / (1 + np.exp(-(slope * (columns[:, 0] - 3) + 4 * columns[:, 2])))
    made = (np.random.default_rng(4).uniform(size=2_000) < chance).astype(np.float64)
    found = _slope(columns, made) / float(columns[:, 0].std())
    highest = climb(np.column_stack((columns, np.ones(2_000))), made)
    assert found == pytest.approx(highest[0], abs=0.02)
    assert found == pytest.approx(slope, abs=0.4)


def test_a_slope_exists_where_every_call_was_made() -> None:
    columns = np.column_stack((np.linspace(0, 5, 40), np.full((40, 2), 0.1)))
    assert math.isfinite(_slope(columns, np.ones(40)))


# ---- the command


@pytest.mark.parametrize("id", [314, 804, 805, 807, 808, 809])
def test_listed_hands_are_opened(played: Played, id: int) -> None:
    run = razzstats("leaks", "--hands", str(id), "--db", played.path)
    assert run.code == 0
    lines = run.out.splitlines()
    assert lines
    assert f"{id} {RULE_BY_ID[id].title}: {len(lines)} mistakes" in run.sentence
    site, number = lines[0].split()
    assert site == "pokerstars"
    assert f"#{number}" in razzstats("show", number, "--db", played.path).out


@pytest.mark.parametrize("id", [804, 805])
def test_listed_hands_are_the_latest_ones_of_their_kind(played: Played, id: int) -> None:
    marked = []
    for session in sessions_of(own_hands(played.hands)):
        for place, hand in enumerate(session):
            is_marked = (
                is_late(session, place)
                if id == 805
                else (hand.vpip and is_after_loss(session, place))
            )
            marked += [hand] if is_marked else []
    names = dict(played.database.rows("SELECT hid, hand_no FROM hands"))
    listed = mistakes_of(played.database, HERO, RULE_BY_ID[id], 30)
    assert [each.hand_no for each in listed] == [names[h.hid] for h in marked[::-1][:30]]


@pytest.mark.parametrize("id", [316, 801, 802, 803, 806])
def test_rates_have_no_hands_to_list(played: Played, id: int) -> None:
    run = razzstats("leaks", "--hands", str(id), "--db", played.path)
    assert run.code == 2
    assert "no single hand shows it" in run.sentence


def test_a_session_is_compared_with_all_other_hands(played: Played) -> None:
    """The counts in the session and elsewhere are those of two filters by time."""
    begins = [session[0].at for session in sessions_of(own_hands(played.hands))]
    begin, end = (at.replace(tzinfo=None) for at in begins[1:3])
    rules = [rule for rule in RULE_BY_ID.values() if rule.id < 800 and rule.id not in (314, 316)]
    inside = count_mistakes(played.database, Filters(since=begin, until=end), rules)
    before = count_mistakes(played.database, Filters(until=begin), rules)
    after = count_mistakes(played.database, Filters(since=end), rules)
    expected = {
        rule.id: (
            own.spots, own.mistakes, one.spots + two.spots,
            (one.mistakes or 0) + (two.mistakes or 0),
        )
        for rule, own, one, two in zip(rules, inside, before, after, strict=True)
        if own.mistakes
    }  # fmt: skip
    compared = compare_with_usual(played.database, Filters(session=2))
    assert {
        each.rule.id: (each.spots, each.mistakes, each.usual_spots, each.usual_mistakes)
        for each in compared
    } == expected
    assert len(expected) >= 5
    excess = [m - spots * (n / usual if usual else 0) for spots, m, usual, n in expected.values()]
    assert [each.excess for each in compared] == pytest.approx(sorted(excess, reverse=True))


def test_the_words_of_a_session(played: Played) -> None:
    run = razzstats("leaks", "--session", "2", "--db", played.path)
    assert run.code == 0
    compared = compare_with_usual(played.database, Filters(session=2))
    mistakes = sum(each.mistakes for each in compared)
    usual = mistakes - sum(each.excess for each in compared)
    assert f"the hero, session 2: {SESSION_HANDS} hands; " in run.sentence
    assert f"; {mistakes} mistakes, usual would be {usual:.1f}" in run.sentence
    first = compared[0]
    assert f"\n{first.rule.id} {first.rule.title}" in run.out
    assert f"{first.mistakes} of {first.spots}" in run.out
    assert f"{first.usual_mistakes} of {first.usual_spots}" in run.out
    advised = {line.partition(":")[0] for line in run.out.splitlines() if ": " in line}
    assert advised == {str(each.rule.id) for each in compared if each.excess > 0}
    rows = json.loads(
        razzstats("leaks", "--session", "2", "--db", played.path, "--format", "json").out
    )
    assert [row["leak"] for row in rows] == [each.rule.id for each in compared]


def test_a_session_without_hands(played: Played) -> None:
    run = razzstats("leaks", "--session", "99", "--db", played.path)
    assert run.out == "No hand matches.\n"
