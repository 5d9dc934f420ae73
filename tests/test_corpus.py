"""Real PokerStars hands come out as the room tells them."""

from itertools import pairwise

import pytest
from hands import Checked, check_file, concise, corpus_folder, text_files

from razzstats.cards import Card
from razzstats.events import Seat, Street
from razzstats.replay import ReplayedHand

RAZZ_HANDS = 20
OTHER_HANDS = {
    "7stud-8way-community-river-2009.txt": 1,
    "7stud-bom-double-bet-2011.txt": 1,
    "7stud-capped-allin-sidepot-2012.txt": 1,
    "8game-home-2013.txt": 59,
}


@pytest.fixture(scope="module")
def corpus() -> dict[str, list[Checked]]:
    files = text_files(corpus_folder("pokerstars"))
    return {file.name: check_file(file) for file in files}


@pytest.fixture(scope="module")
def razz(corpus: dict[str, list[Checked]]) -> dict[str, ReplayedHand]:
    """The replayed Razz hands by number, in order of the files."""
    hands = (checked for file in corpus.values() for checked in file)
    return {
        checked.parsed.hand_id.number: checked.replayed
        for checked in hands
        if checked.parsed and checked.replayed
    }


def nets(hand: ReplayedHand) -> dict[int, int]:
    return {result.seat: result.net for result in hand.results}


# ---- all hands


def test_every_razz_hand_is_read_without_a_word(corpus: dict[str, list[Checked]]) -> None:
    checked = [hand for file in corpus.values() for hand in file]
    told = [found for hand in checked if hand.parsed for found in hand.diagnostics]
    assert not told, concise(told)
    assert sum(hand.parsed is not None for hand in checked) == RAZZ_HANDS


def test_every_other_hand_is_counted_as_another_game(corpus: dict[str, list[Checked]]) -> None:
    others = {
        name: [hand.codes for hand in file if hand.parsed is None] for name, file in corpus.items()
    }
    assert {name: len(codes) for name, codes in others.items() if codes} == OTHER_HANDS
    assert all(codes == ["other-game"] for file in others.values() for codes in file)


def test_what_the_players_lost_and_won_leaves_the_rake(razz: dict[str, ReplayedHand]) -> None:
    for number, hand in razz.items():
        assert sum(nets(hand).values()) == -hand.rake, number
        assert hand.rake == hand.parsed.summary.rake, number
        assert hand.pot == hand.parsed.summary.pot, number


def test_nobody_ends_with_less_than_nothing(razz: dict[str, ReplayedHand]) -> None:
    assert all(r.stack + r.net >= 0 for hand in razz.values() for r in hand.results)


def test_the_next_hand_of_a_table_begins_with_the_stacks_of_the_last(
    razz: dict[str, ReplayedHand],
) -> None:
    # Nobody bought chips between these hands; quhme661 and TODOOO2 came with their own.
    cash = [hand for number, hand in razz.items() if number.startswith("358")]
    for before, after in pairwise(cash):
        left = {result.name: result.stack + result.net for result in before.results}
        came = {result.name: result.stack for result in after.results}
        assert {n: left[n] for n in left.keys() & came.keys()} == {
            n: came[n] for n in left.keys() & came.keys()
        }, after.parsed.hand_id.number


def test_a_shown_low_is_the_one_that_the_room_prints(razz: dict[str, ReplayedHand]) -> None:
    lows = {
        (number, line.name): ",".join(rank.symbol for rank in line.low.ranks)
        for number, hand in razz.items()
        for line in hand.parsed.summary.seats
        if line.low
    }
    assert lows["35874623967", "TODOOO2"] == "8,6,4,3,2"
    assert lows["99632264504", "Hero"] == "6,4,3,2,A"
    for (number, name), printed in lows.items():
        low = next(result.low for result in razz[number].results if result.name == name)
        assert str(low).replace("-", ",") == printed


# ---- spot checks, counted by hand from the texts

CASH = [
    ("35874566077", 41, 2, 1, {1: -3, 3: -15, 5: -7, 7: -1, 8: 24}),
    ("35874590575", 48, 2, 8, {1: -3, 5: -15, 7: 31, 8: -15}),
    ("35874623967", 71, 3, 6, {1: -3, 5: -11, 6: 41, 7: -27, 8: -3}),
    ("35874664176", 12, 0, 1, {1: -3, 3: -1, 5: -1, 6: 9, 7: -1, 8: -3}),
    ("35874682808", 102, 4, 8, {1: -1, 3: -27, 5: -3, 6: -35, 7: -1, 8: 63}),
    ("35874721245", 70, 3, 7, {1: -31, 3: -3, 5: -1, 6: -1, 7: -3, 8: 36}),
    ("35874756552", 20, 1, 6, {1: 12, 3: -1, 5: -7, 6: -3, 7: -1, 8: -1}),
    ("35874780027", 156, 7, 6, {1: 84, 3: -1, 5: -5, 6: -3, 7: -17, 8: -65}),
    ("35874817957", 84, 4, 6, {1: 45, 3: -35, 5: -1, 6: -3, 7: -7, 8: -3}),
]


def test_the_nine_cash_hands_come_in_order_with_their_pots(razz: dict[str, ReplayedHand]) -> None:
    pots = [hand.pot for number, hand in razz.items() if number.startswith("358")]
    assert pots == [41, 48, 71, 12, 102, 70, 20, 156, 84]


@pytest.mark.parametrize(("number", "pot", "rake", "bring_in", "expected"), CASH)
def test_a_cash_hand_comes_to_what_its_text_adds_up_to(
    razz: dict[str, ReplayedHand],
    number: str,
    pot: int,
    rake: int,
    bring_in: int,
    expected: dict[int, int],
) -> None:
    hand = razz[number]
    assert (hand.pot, hand.rake, hand.bring_in_seat) == (pot, rake, bring_in)
    assert nets(hand) == expected
    assert hand.parsed.stakes.money.currency == "USD"
    assert (hand.parsed.stakes.small_bet, hand.parsed.stakes.big_bet) == (4, 8)


HOME_GAME = [
    ("99632234066", 2, 225),
    ("99632249227", 1, 6),
    ("99632252455", 2, -6),
    ("99632255544", 1, -246),  # the door card 8s bets at once, and no bring-in is printed
    ("99632264504", 1, -336),
    ("99632279315", 2, 15),
    ("99632283654", 2, 36),
    ("99632288552", 1, 66),
    ("99632295759", 2, 15),
    ("99632301451", 1, 96),
]


@pytest.mark.parametrize(("number", "bring_in", "first_seat"), HOME_GAME)
def test_a_home_game_hand_comes_to_what_its_text_adds_up_to(
    razz: dict[str, ReplayedHand], number: str, bring_in: int, first_seat: int
) -> None:
    hand = razz[number]
    assert hand.bring_in_seat == bring_in
    assert nets(hand) == {1: first_seat, 2: -first_seat}
    assert hand.parsed.mixed_game == "8-Game"
    assert hand.parsed.club == "Dazzle's Room"
    assert hand.rake == 0


def test_the_capped_tournament_hand_is_won_by_the_name_in_brackets(
    razz: dict[str, ReplayedHand],
) -> None:
    hand = razz["49382949075"]
    assert hand.bring_in_seat == 7
    assert (hand.pot, hand.rake) == (1145, 0)
    assert nets(hand) == {1: -10, 2: -10, 3: -360, 4: -360, 5: -10, 6: -10, 7: -25, 8: 785}
    winner = hand.results[-1]
    assert winner.name == "SV [Likdes]"
    assert str(winner.low) == "9-5-4-2-A"
    assert max(action.wagers for action in hand.actions if action.street is Street.THIRD) == 4


def test_a_mucked_hand_is_known_from_the_summary(razz: dict[str, ReplayedHand]) -> None:
    mucked = next(r for r in razz["49382949075"].results if r.seat == Seat(4))
    assert mucked.showdown
    assert not mucked.shown
    assert mucked.cards == tuple(map(Card.parse, ["3s", "8c", "4h", "Qs", "Ah", "Td", "Qh"]))
    assert str(mucked.low) == "T-8-4-3-A"


def test_times_are_told_in_utc(razz: dict[str, ReplayedHand]) -> None:
    winter, summer = razz["35874566077"].parsed.played_at, razz["99632234066"].parsed.played_at
    assert winter
    assert winter.isoformat() == "2009-11-26T15:24:42+00:00"
    assert summer
    assert summer.isoformat() == "2013-06-06T04:00:10+00:00"
