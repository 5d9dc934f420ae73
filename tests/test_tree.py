"""The betting tree, counted whole: by our rules, by PokerKit's, and by hand where that is possible.

Both walk from the same deal, choose each kind of action once, and count the ways in which a
street's betting can go. A fold without a bet is left out, as PokerKit refuses it.
"""

import copy
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from pokerkit import Automation, FixedLimitRazz, State
from tables import Table

from razzstats.rules.actions import ActionKind

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
DOORS = {"1": "Kh", "2": "2c", "3": "3c", "4": "4c"}
BOARDS = {"4th": ["Qd", "5d", "6d", "7d"], "5th": ["Jd", "8s", "9s", "Ts"],
          "6th": ["Td", "9h", "Th", "Jh"], "7th": ["2h", "3h", "4h", "5h"]}  # fmt: skip


class Spot(NamedTuple):
    """A street on which the betting is about to begin, after all others were limped to."""

    name: str
    street: str
    stacks: tuple[int, ...]
    """With ante 1, bring-in 2 and bets of 5 and 10."""
    ways: int


DEEP = 200
SPOTS = [
    Spot("two players on third street", "3rd", (DEEP,) * 2, 18),
    Spot("three players on third street", "3rd", (DEEP,) * 3, 258),
    Spot("two players on fourth street", "4th", (DEEP,) * 2, 17),
    Spot("three players on fourth street", "4th", (DEEP,) * 3, 247),
    Spot("two players on fifth street", "5th", (DEEP,) * 2, 17),
    Spot("three players on seventh street", "7th", (DEEP,) * 3, 247),
    # By hand: bring-in, then fold, call, or completion and two answers; or all-in and two answers.
    Spot("a bring-in player with less than a bet", "3rd", (4, DEEP), 6),
    Spot("a bring-in player with two bets", "3rd", (11, DEEP), 10),
    Spot("a caller all-in for the bring-in", "3rd", (DEEP, 3, DEEP), 36),
    Spot("whole bets for three stacks on third street", "3rd", (6, 11, 16), 30),
    Spot("whole bets for three stacks on fourth street", "4th", (8, 13, 18), 25),
    Spot("one player all-in before fourth street", "4th", (DEEP, 3, DEEP), 17),
    Spot("two bets left on fifth street", "5th", (23, DEEP, 13), 25),
]


def our_leaves(table: Table) -> Iterator[tuple[str, ...]]:
    """Yield every way in which the betting on this street can go, as kinds of actions."""
    state = table.state
    if state.betting_is_over:
        yield tuple(table.told)
        return
    legal = state.legal()
    for kind in sorted(legal.kinds - ({ActionKind.FOLD} if not legal.to_call else set())):
        branch = copy.deepcopy(table)
        branch.act(kind)
        yield from our_leaves(branch)


def our_ways(spot: Spot) -> list[tuple[str, ...]]:
    number = len(spot.stacks)
    seats = [str(seat) for seat in range(1, number + 1)]
    table = Table({
        "doors": {seat: DOORS[seat] for seat in seats},
        "stacks": dict(zip(seats, spot.stacks, strict=True)),
    })  # fmt: skip
    for street in ("4th", "5th", "6th", "7th"):
        if spot.street == "3rd":
            break
        while not table.state.betting_is_over:
            kinds = table.state.legal().kinds
            table.act(next(k for k in ("bring-in", "check", "call") if k in kinds))
        table.act(" ".join([street, *(BOARDS[street][:number] if street != "7th" else [])]))
        if street == spot.street:
            break
    table.told.clear()
    return list(our_leaves(table))


def their_state(spot: Spot) -> State:
    number = len(spot.stacks)
    state = FixedLimitRazz.create_state(AUTOMATIONS, True, 1, 2, 5, 10, spot.stacks, number)
    for seat in range(number):
        state.deal_hole("????" + DOORS[str(seat + 1)])
    for street in ("4th", "5th", "6th", "7th"):
        if spot.street == "3rd":
            break
        while state.actor_index is not None:
            if state.can_post_bring_in():
                state.post_bring_in()
            else:
                state.check_or_call()
        state.burn_card("??")
        for seat in range(number):
            state.deal_hole(BOARDS[street][seat])
        if street == spot.street:
            break
    return state


def their_leaves(state: State) -> int:
    if state.actor_index is None:
        return 1
    ways = 0
    moves = (
        (state.can_post_bring_in, State.post_bring_in),
        (state.can_fold, State.fold),
        (state.can_check_or_call, State.check_or_call),
        (state.can_complete_bet_or_raise_to, State.complete_bet_or_raise_to),
    )
    for can, do in moves:
        if can():
            branch = copy.deepcopy(state)
            do(branch)
            ways += their_leaves(branch)
    return ways


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.name)
def test_a_street_can_go_as_many_ways_as_pokerkit_counts(spot: Spot) -> None:
    ways = our_ways(spot)
    assert len(ways) == len(set(ways))
    assert (len(ways), their_leaves(their_state(spot))) == (spot.ways, spot.ways)
