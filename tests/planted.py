"""Simulated players with one bad habit each, and a sound one, to see which leaks are found."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from razzstats.cards import Rank
from razzstats.replay import replay
from razzstats.rules.actions import ActionKind, LegalActions
from razzstats.simulate import STRATEGIES, Setup, Strategy, simulate_hands
from razzstats.simulate.strategy import View
from razzstats.storage import Database, hand_rows
from razzstats.storage.decisions import insert_decisions
from razzstats.storage.spots import insert_spots

FOLD, CALL, CHECK, BET = ActionKind.FOLD, ActionKind.CALL, ActionKind.CHECK, ActionKind.BET
COMPLETE, RAISE = ActionKind.COMPLETE, ActionKind.RAISE


class Seen(NamedTuple):
    """A view in the words of the rules."""

    street: int
    good: int
    bad_board: int
    """Bricks among the up cards of the opponent who shows the fewest."""
    own_board: int
    """Good cards among his up cards."""
    best_board: int
    """Good up cards of the opponent who shows most."""
    made: int
    """The top card of his made low, 14 if there is none."""
    start_top: int
    start_pairs: int
    faces: int
    caught_good: bool


def seen(view: View) -> Seen:
    ranks = [card.rank for card in view.cards]
    different = sorted(set(ranks))
    boards = [{card.rank for card in board} for board in view.opponents]
    good = [sum(rank <= 8 for rank in board) for board in boards]
    return Seen(
        street=view.street,
        good=sum(rank <= 8 for rank in different),
        bad_board=min(len(b) - g for b, g in zip(view.opponents, good, strict=True)),
        own_board=len({card.rank for card in view.up_cards if card.rank <= 8}),
        best_board=max(good),
        made=different[4] if len(different) >= 5 else 14,
        start_top=max(ranks[:3]),
        start_pairs=3 - len(set(ranks[:3])),
        faces=view.wagers,
        caught_good=ranks[-1] <= 8 and ranks[-1] not in ranks[:-1],
    )


Habit = Callable[[Seen, View, LegalActions], ActionKind | None]


def strategy(name: str, habit: Habit) -> Strategy:
    """A sound player but for one habit."""

    def acts(view: View, legal: LegalActions) -> ActionKind | None:
        if ActionKind.BRING_IN in legal.kinds or not view.opponents:
            return None
        what = seen(view)
        return habit(what, view, legal) or sound_habit(what, view, legal)

    return replace(SOUND, name=name, habit=acts)


def sound_habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    """What a sound player always does where the numbers of a strategy would leave it to chance."""
    wager = next((kind for kind in (COMPLETE, BET, RAISE) if kind in legal.kinds), None)
    if what.street == 3 and not what.faces and wager:
        low = what.start_pairs == 0 and what.start_top <= 9
        viable = sum(card.rank <= Rank.EIGHT for card in view.behind)
        return wager if low or not viable else FOLD
    if what.street == 3:
        low = what.start_pairs == 0 and what.start_top <= (8 if what.faces == 1 else 7)
        if low and what.faces == 1 and what.start_top <= 5 and wager:
            return wager
        return CALL if low else FOLD
    if what.street > 3 and not what.faces and wager:
        if what.street in (4, 5) and what.own_board == what.street - 2 and what.bad_board:
            return wager
        if what.street == 4 and not what.caught_good:
            return CHECK
        if what.street < 7 and what.good >= what.street - what.bad_board and what.bad_board >= 1:
            return wager
        if what.street >= 6 and what.made <= 8:
            return wager
    if what.street == 7 and what.faces == 1:
        return CALL if what.made <= 11 and what.best_board <= 3 else None
    if what.street in (5, 6) and what.faces and what.good <= 3 and what.best_board >= 2:
        return FOLD
    if what.street == 4 and what.faces and not what.caught_good and what.bad_board == 0:
        price = legal.to_call / (view.pot + legal.to_call)
        return FOLD if price > 1 / 7 else CALL
    return None


SOUND = Strategy("sound", 0.16, 0.95, 0.35, 1.0, 0.30)


def _when(condition: Callable[[Seen, View], bool], kind: ActionKind) -> Habit:
    return lambda what, view, legal: kind if condition(what, view) else None


PLANTED: Mapping[int, Habit] = {
    301: _when(lambda w, v: w.street == 3 and w.faces > 0 and w.start_top >= 9, CALL),
    302: _when(lambda w, v: w.street == 3 and w.faces > 0 and w.start_top <= 7, FOLD),
    303: _when(lambda w, v: w.street == 3 and w.faces > 0 and w.start_top >= 11, CALL),
    304: _when(lambda w, v: w.street == 3 and w.faces == 1 and v.up_cards[0].rank >= 9, CALL),
    305: _when(lambda w, v: w.street == 3 and w.faces > 0 and w.start_pairs == 1, CALL),
    310: _when(
        lambda w, v: w.street == 3 and not w.faces and (w.start_top > 8 or w.start_pairs > 0), FOLD
    ),
    312: _when(lambda w, v: w.street == 3 and not w.faces and w.start_top <= 8, CALL),
    401: _when(lambda w, v: w.street == 4 and w.faces > 0 and not w.caught_good, CALL),
    403: _when(lambda w, v: w.street == 4 and not w.faces, CHECK),
    501: _when(lambda w, v: w.street == 5 and w.faces > 0 and w.good <= 3, CALL),
    601: _when(lambda w, v: w.street == 6 and w.faces > 0 and w.good <= 3, CALL),
    603: _when(lambda w, v: w.street == 6 and not w.faces, CHECK),
    701: _when(lambda w, v: w.street == 7 and not w.faces, CHECK),
    702: _when(lambda w, v: w.street == 7 and w.faces > 0 and w.made > 6, FOLD),
    703: _when(lambda w, v: w.street == 7 and w.faces > 0, CALL),
    704: _when(lambda w, v: w.street == 7 and not w.faces and w.made >= 11, BET),
}
"""By the rule that is to find it, a habit that makes the mistake whenever it can."""


def play(number: int, players: int, seed: int, hero: Strategy) -> Database:
    """Return a database of simulated hands in which the hero plays by a strategy."""
    database = Database.in_memory()
    setup = Setup(hero_strategy=hero, strategies=STRATEGIES)
    rows = []
    for hand in simulate_hands(number, players, seed, setup):
        replayed = replay(hand).value
        assert replayed is not None
        rows.append(hand_rows(replayed, 1, None))
    with database.transaction():
        database.insert_hands(rows)
        hids = [row.hand.hid for row in rows]
        insert_decisions(database, hids)
        insert_spots(database, hids)
    return database
