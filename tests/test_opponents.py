"""Opponents: those of twelve hands counted by hand, and of many as plain Python counts them."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import count, islice
from pathlib import Path

import pytest
from hands import SAMPLES, check_file, clean
from report_hands import history
from test_sessions import cells, rows, simulated
from test_stats import lines, nets, per_100, rate
from test_stats_recounted import PlayerHand, made_of, recount

from razzstats.importing import import_paths
from razzstats.replay import ReplayedHand
from razzstats.stats.filters import Filters
from razzstats.stats.intervals import wilson
from razzstats.stats.opponents import first_opponents, opponent_table
from razzstats.storage import Database, hand_rows

TWELVE = Path(__file__).parent / "golden" / "statistics" / "twelve-hands.txt"
RATES = ("vpip", "complete", "saw_fourth", "went_to_showdown", "won_at_showdown")
PLACES = ("vpip", "complete", "went_to_showdown")
PER_100 = ("big_bets_per_100", "big_bets_per_100_low", "big_bets_per_100_high")


# ---- by hand

# Rates as made/chances; AF as wagers/calls; the hands in which both put in chips by choice.
#
# Ann's wagers: one each in 2, 4 (on the river), 7 and 11, two each in 6 and 8. Her calls: four in 4
# (she limped, then called the completion), one each in 9 and 11. Bob's: three wagers and a call in
# 5, a call in 6. At tables of 3 or 4 VPIP is 4/6 of Hero's (1, 4, 7, 8), 5/7 of Ann's (2, 4, 6, 7,
# 8), 1/7 of Bob's (6): 10/20 of all.
OPPONENTS = {
    "hero": """
        name hands                        vpip complete saw4 wtsd wsd AF   both
        Ann  a1,a2,a3,a4,a6,a7,a8,a9,a10,a11 7/10 4/8   6/10 3/6  2/3 8/6  h4,h7,h8,h9
        Bob  b1,b2,b3,b4,b5,b6,b7,b8      2/8  0/2      2/8  0/2  0/0 3/2  h5
    """,
    "ann": """
        name hands                        vpip complete saw4 wtsd wsd AF   both
        Hero h1,h2,h3,h4,h6,h7,h8,h9,h10,h11 6/8 3/3    5/10 3/5  2/3 8/3  a4,a7,a8,a9
        Bob  b1,b2,b3,b4,b6,b7,b8,b12     1/7  0/2      1/8  0/1  0/0 0/1  a6
    """,
}
VPIP_OF_THREE = 10 / 20


@pytest.mark.parametrize("filters", [Filters(), Filters(all_players=True), Filters(hero="Ann")])
def test_the_first_opponents_are_those_of_the_whole_table(
    twelve: Database, filters: Filters
) -> None:
    whole = opponent_table(twelve, filters)
    assert len(whole) >= 2
    for limit in (1, 2, 50):
        first, number = first_opponents(twelve, filters, limit)
        assert first.equals(whole.head(limit))
        assert number == len(whole)


@pytest.mark.parametrize("who", OPPONENTS)
def test_opponents_count_what_is_counted_by_hand(twelve: Database, who: str) -> None:
    found = rows(opponent_table(twelve, Filters(hero=who.title())))
    header, *expected = lines(OPPONENTS[who])
    assert [row["name"] for row in found] == [words[0] for words in expected]
    for row, values in zip(found, expected, strict=True):
        words = dict(zip(header, values, strict=True))
        results, both = nets(words["hands"]), nets(words["both"])
        assert cells(row, "site", "hands", "contested") == ("pokerstars", len(results), len(both))
        for id, word in zip(RATES, ("vpip", "complete", "saw4", "wtsd", "wsd"), strict=True):
            made, chances = map(int, words[word].split("/"))
            assert cells(row, id, f"{id}_chances") == (rate(words[word]), chances), id
            assert cells(row, f"{id}_low", f"{id}_high") == tuple(wilson(made, chances)), id
        assert row["aggression"] == rate(words["AF"])
        assert row["net_big_bets"] == pytest.approx(sum(results))
        assert cells(row, *PER_100) == pytest.approx(per_100(results))
        assert row["hero_net_big_bets"] == pytest.approx(sum(both))
        made, chances = map(int, words["vpip"].split("/"))
        shrunken = (made + 20 * VPIP_OF_THREE) / (chances + 20)
        assert row["shrunken_vpip"] == pytest.approx(shrunken)
        assert cells(row, "table_size", "pool_players") == ("3-4", 0)
        assert cells(row, *(f"{id}_place" for id in PLACES)) == (None, None, None)


def test_what_was_never_done_has_no_value(twelve: Database) -> None:
    # In hand 1 Ann folded at once and Bob to the completion; he decided there and called nothing.
    found = rows(opponent_table(twelve, Filters(until=datetime(2026, 1, 9, 19, 5))))
    assert [cells(row, "name", "hands", "contested") for row in found] == [
        ("Ann", 1, 0), ("Bob", 1, 0),
    ]  # fmt: skip
    for row in found:
        assert cells(row, "aggression", "hero_net_big_bets") == (None, None)
        assert cells(row, "went_to_showdown", "won_at_showdown") == (None, None)
    # Nobody but the hero put anything in: (0 + 20 * 1/3) / (1 + 20).
    assert found[0]["shrunken_vpip"] == pytest.approx(20 / 3 / 21)


def test_the_hands_are_those_of_the_filters(twelve: Database) -> None:
    kings = rows(opponent_table(twelve, Filters(hero="Ann", doors=frozenset((13,)))))  # hand 9
    assert [cells(row, "name", "hands", "table_size") for row in kings] == [("Hero", 1, "3-4")]
    heads_up = rows(opponent_table(twelve, Filters(players=(2, 2))))  # hands 5, 9, 10, 11
    assert [cells(row, "name", "hands", "table_size") for row in heads_up] == [
        ("Ann", 3, "2"), ("Bob", 1, "2"),
    ]  # fmt: skip
    narrow = Filters(opponent="Bob", behind=(0, 0), low_doors=(1, 8), pot=(0, 100))
    assert {row["name"] for row in rows(opponent_table(twelve, narrow))} == {"Ann", "Bob"}


@pytest.mark.parametrize(
    ("filters", "table_size"),
    [
        (Filters(), "3-4"),
        (Filters(since=datetime(2026, 1, 20)), "2"),
        (Filters(tournament=True), "2"),
        (Filters(currency="chips"), "2"),
        (Filters(stakes=(100, 200)), "2"),
        (Filters(hero="Hero", until=datetime(2026, 1, 9, 20, 5), doors=frozenset((8,))), "3-4"),
        (
            Filters(since=datetime(2026, 1, 9, 20), until=datetime(2026, 1, 9, 20, 5)),
            "2",
        ),
    ],
)
def test_the_pool_is_of_the_hands_that_the_filters_let_everybody_through(
    twelve: Database, filters: Filters, table_size: str
) -> None:
    # Ann and Bob have most hands at tables of three; two alone played hands 5 and 9 to 12.
    found = rows(opponent_table(twelve, filters))
    assert found
    assert {row["table_size"] for row in found} == {table_size}


@pytest.mark.parametrize(("hands", "players"), [(30, 5), (29, 4)])
def test_places_are_told_among_five_players_with_thirty_hands(hands: int, players: int) -> None:
    text = TWELVE.read_text(encoding="utf-8").strip().split("\n\n")[4] + "\n\n\n"
    numbers = count(1001)
    with Database.in_memory() as database:
        for villain, dealt in (("Ada", 30), ("Cy", 30), ("Dot", 30), ("Eve", hands)):
            for number in islice(numbers, dealt):
                hand = text.replace("Hand #5:", f"Hand #{number}:").replace("Bob", villain)
                database.insert_hands([hand_rows(clean(hand), 1, None)])
        found = rows(opponent_table(database, Filters()))
    place = 0.5 if players == 5 else None  # all are the same
    assert [cells(row, "name", "pool_players", "vpip_place") for row in found] == [
        (name, players, place) for name in ("Ada", "Cy", "Dot", "Eve")
    ]


def test_nothing_found_is_no_row(twelve: Database) -> None:
    assert opponent_table(twelve, Filters(site="winamax")).empty
    with Database.in_memory() as empty:
        assert opponent_table(empty, Filters(all_players=True)).empty


@pytest.mark.parametrize(
    "villain",
    [
        "<script>alert(1)</script>",
        "[red]x[/]",
        "' OR 1=1 --",
        "=cmd|' /C calc'!A0",
        "%s ? $1 {name}",
        "NaN",
        "\u202eevil\u2066",
    ],
)
def test_names_pass_through_as_they_are(tmp_path: Path, villain: str) -> None:
    file = tmp_path / "razz.txt"
    file.write_text(history(villain=villain), encoding="utf-8")
    with Database.in_memory() as database:
        import_paths(database, [str(file)])
        assert list(opponent_table(database, Filters())["name"]) == sorted([villain, "Ben"])
        (ben, hero) = rows(opponent_table(database, Filters(hero=villain)))
        assert cells(ben, "name", "hands") == ("Ben", 6)
        assert cells(hero, "name", "hands") == ("RazzHero", 6)


# ---- many hands, as plain Python counts them


Hand = tuple[str, list[PlayerHand]]
"""The room and what each player did."""


@pytest.fixture(scope="module")
def hands() -> list[ReplayedHand]:
    odd = [checked.replayed for file in SAMPLES.rglob("edge-*.*") for checked in check_file(file)]
    return [*simulated(), *(hand for hand in odd if hand is not None)]


@pytest.fixture(scope="module")
def database(hands: list[ReplayedHand]) -> Iterator[Database]:
    with Database.in_memory() as opened:
        opened.insert_hands([hand_rows(hand, 1, None) for hand in hands])
        yield opened


@pytest.fixture(scope="module")
def counted(hands: list[ReplayedHand]) -> list[Hand]:
    return [(hand.parsed.hand_id.site, recount(hand.parsed)) for hand in hands]


FILTERS = {
    "hero": Filters(),
    "opponent": Filters(hero="low baller"),
    "doors": Filters(doors=frozenset((1, 2, 3, 4))),
    "all": Filters(all_players=True),
}


def matches(who: str, did: PlayerHand) -> bool:
    return {
        "hero": did.is_hero,
        "opponent": did.name == "low baller",
        "doors": did.is_hero and did.door in (1, 2, 3, 4),
        "all": True,
    }[who]


def wagers(did: PlayerHand) -> int:
    return sum(times for (_, kind), times in did.done.items() if kind in ("bets", "raises"))


def calls(did: PlayerHand) -> int:
    return sum(times for (_, kind), times in did.done.items() if kind == "calls")


def chose(did: PlayerHand) -> bool:
    return wagers(did) + calls(did) > 0


def size_of(players: int) -> str:
    return {2: "2", 3: "3-4", 4: "3-4", 5: "5-6", 6: "5-6", 7: "7-8", 8: "7-8"}[players]


@pytest.mark.parametrize("who", FILTERS)
def test_opponents_are_what_plain_python_counts(
    database: Database, counted: list[Hand], who: str
) -> None:
    met: defaultdict[tuple[str, str], list[PlayerHand]] = defaultdict(list)
    contested: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for site, players in counted:
        for did in players:
            heroes = [each for each in players if each is not did and matches(who, each)]
            if heroes:
                met[did.name, site].append(did)
            active = [each.net / each.big_bet for each in heroes if chose(each)]
            if active and chose(did):
                contested[did.name, site].append(sum(active))
    found = rows(opponent_table(database, FILTERS[who]))
    order = sorted(met, key=lambda player: (-len(met[player]), player))
    assert [cells(row, "name", "site") for row in found] == order
    for row, player in zip(found, order, strict=True):
        own, both = met[player], contested[player]
        assert cells(row, "hands", "contested") == (len(own), len(both))
        for id in RATES:
            made, chances = made_of(id, own)
            assert cells(row, id, f"{id}_chances") == (made / chances if chances else None, chances)
            assert cells(row, f"{id}_low", f"{id}_high") == tuple(wilson(made, chances))
        called = sum(map(calls, own))
        assert row["aggression"] == (sum(map(wagers, own)) / called if called else None)
        results = [did.net / did.big_bet for did in own]
        assert row["net_big_bets"] == pytest.approx(sum(results))
        assert cells(row, *PER_100) == pytest.approx(per_100(results))
        assert row["hero_net_big_bets"] == (pytest.approx(sum(both)) if both else None)


@pytest.mark.parametrize("players", [None, (3, 8)])
@pytest.mark.parametrize("who", FILTERS)
def test_the_pool_is_what_plain_python_counts(
    database: Database, counted: list[Hand], who: str, players: tuple[int, int] | None
) -> None:
    pool: defaultdict[str, defaultdict[tuple[str, str], list[PlayerHand]]]
    pool = defaultdict(lambda: defaultdict(list))
    sizes: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    least, most = players or (2, 8)
    for site, dealt in counted:
        if least <= len(dealt) <= most:
            for did in dealt:
                pool[size_of(len(dealt))][did.name, site].append(did)
                sizes[did.name, site][size_of(len(dealt))] += 1
    kept = FILTERS[who]
    filters = Filters(
        hero=kept.hero, all_players=kept.all_players, doors=kept.doors, players=players
    )
    for row in rows(opponent_table(database, filters)):
        player = row["name"], row["site"]
        size = min(sizes[player], key=lambda size: (-sizes[player][size], size))
        group = pool[size]
        much = [own for own in group.values() if len(own) >= 30]
        assert cells(row, "table_size", "pool_players") == (size, len(much))
        for id in PLACES:
            rates = [made / of for made, of in (made_of(id, own) for own in much) if of]
            made, chances = made_of(id, group[player])
            place = None
            if chances and len(rates) >= 5:
                mine = made / chances
                below = sum(each < mine for each in rates) + sum(each == mine for each in rates) / 2
                place = below / len(rates)
            assert row[f"{id}_place"] == place, (player, id)
        made, chances = made_of("vpip", [did for own in group.values() for did in own])
        total = row["vpip_chances"] + 20
        own_made = round((row["vpip"] or 0) * row["vpip_chances"])
        assert row["shrunken_vpip"] == pytest.approx((own_made + 20 * made / chances) / total)


def test_the_recount_reaches_what_is_counted(database: Database) -> None:
    found = rows(opponent_table(database, Filters()))
    assert {row["table_size"] for row in found} == {"2", "3-4", "5-6", "7-8"}
    assert len({row["site"] for row in found}) > 3
    for key in ("vpip_place", "complete_place", "went_to_showdown_place", "hero_net_big_bets",
                "aggression", "won_at_showdown"):  # fmt: skip
        assert any(row[key] is None for row in found), key
        assert any(row[key] is not None for row in found), key
    places = [row["vpip_place"] for row in found if row["vpip_place"] is not None]
    assert min(places) < 0.3
    assert max(places) > 0.7
