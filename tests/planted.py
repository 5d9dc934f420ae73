"""Simulated players with one bad habit each, and a sound one, to see which leaks are found."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import NamedTuple

from razzstats.cards import Rank
from razzstats.chips import Chips
from razzstats.equity.starting_hands import StartingHand, ratings
from razzstats.events import ParsedHand, Seat, SeatedPlayer
from razzstats.replay import ReplayedHand, replay
from razzstats.rules.actions import WAGERS, ActionKind, LegalActions
from razzstats.rules.ruleset import RAZZ
from razzstats.simulate import (
    DOLLARS,
    STRATEGIES,
    Rake,
    Setup,
    Strategy,
    simulate_hands,
    usual_stakes,
)
from razzstats.simulate.payout import pay_out
from razzstats.simulate.playout import play_out
from razzstats.simulate.strategy import View, decide
from razzstats.storage import Database, StartingHandRow, hand_rows
from razzstats.storage.decisions import insert_decisions
from razzstats.storage.spots import insert_spots

FOLD, CALL, CHECK = ActionKind.FOLD, ActionKind.CALL, ActionKind.CHECK

SESSION_HANDS = 240
"""About four hours, of which the last two are late."""
_SESSION_PAUSE = timedelta(hours=10)
_LATE = timedelta(hours=2)


class Seen(NamedTuple):
    """A view in the words of the rules."""

    street: int
    good: int
    bad_board: int
    """Bricks among the up cards of the opponent who shows the fewest."""
    most_bad: int
    """Bricks among those of the opponent who shows most."""
    own_board: int
    """Good cards among his up cards."""
    best_board: int
    """Good up cards of the opponent who shows most."""
    made: int
    """The top card of his made low, 14 if there is none."""
    fourth: int
    """The fourth of his different ranks, 14 if there is none."""
    start_top: int
    start_pairs: int
    start_good: int
    start_second: int
    """The second of his first different ranks, 14 if there is none."""
    door: int
    lowest_door: int
    """The lowest door card of an opponent."""
    opponents: int
    faces: int
    caught_good: bool
    paired: bool
    """Whether his last card paired another."""
    one_caught_good: bool
    """Whether an opponent's last card is good to him."""


def seen(view: View) -> Seen:
    ranks = [int(card.rank) for card in view.cards]
    different, start = sorted(set(ranks)), sorted(set(ranks[:3]))
    boards = [[int(card.rank) for card in board] for board in view.opponents]
    good = [_good(board) for board in boards]
    bad = [len(board) - number for board, number in zip(boards, good, strict=True)]
    return Seen(
        street=view.street,
        good=_good(ranks),
        bad_board=min(bad),
        most_bad=max(bad),
        own_board=_good(int(card.rank) for card in view.up_cards),
        best_board=max(good),
        made=different[4] if len(different) >= 5 else 14,
        fourth=different[3] if len(different) >= 4 else 14,
        start_top=max(start),
        start_pairs=3 - len(start),
        start_good=_good(start),
        start_second=start[1] if len(start) >= 2 else 14,
        door=int(view.up_cards[0].rank),
        lowest_door=min(board[0] for board in boards),
        opponents=len(boards),
        faces=view.wagers,
        caught_good=_caught_good(ranks),
        paired=ranks[-1] in ranks[:-1],
        one_caught_good=any(map(_caught_good, boards)),
    )


def _good(ranks: Iterable[int]) -> int:
    return sum(rank <= 8 for rank in set(ranks))


def _caught_good(ranks: list[int]) -> bool:
    return ranks[-1] <= 8 and ranks[-1] not in ranks[:-1]


# ---- the sound player

Habit = Callable[[Seen, View, LegalActions], ActionKind | None]


def strategy(name: str, habit: Habit) -> Strategy:
    """A sound player but for one habit, which is followed where it is legal."""

    def acts(view: View, legal: LegalActions) -> ActionKind | None:
        if ActionKind.BRING_IN in legal.kinds or not view.opponents:
            return None
        what = seen(view)
        kind = habit(what, view, legal)
        return kind if kind in legal.kinds else sound_habit(what, view, legal)

    return replace(SOUND, name=name, habit=acts)


def wager_of(legal: LegalActions) -> ActionKind | None:
    """The completion, bet or raise that is legal, if one is."""
    kinds = (ActionKind.COMPLETE, ActionKind.BET, ActionKind.RAISE)
    return next((kind for kind in kinds if kind in legal.kinds), None)


def passive(legal: LegalActions) -> ActionKind:
    return CALL if legal.to_call else CHECK


def sound_habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    """What a sound player always does where the numbers of a strategy would leave it to chance."""
    wager = wager_of(legal)
    if what.street == 3:
        return _sound_start(what, view, legal)
    if not what.faces and wager:
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
        return FOLD if _price(view, legal) > 1 / 7 else CALL
    return None


def _sound_start(what: Seen, view: View, legal: LegalActions) -> ActionKind:
    wager = wager_of(legal)
    if not what.faces and wager:
        low = what.start_pairs == 0 and what.start_top <= 9
        viable = sum(card.rank <= Rank.EIGHT for card in view.behind)
        return wager if low or not viable else FOLD
    low = what.start_pairs == 0 and what.start_top <= (8 if what.faces == 1 else 7)
    if low and what.faces == 1 and what.start_top <= 5 and wager:
        return wager
    brought_in = what.faces == 1 and legal.to_call < view.bet
    likely_steal = what.opponents == 1 or what.lowest_door >= 8
    if brought_in and likely_steal and what.start_good == 2 and what.start_second <= 5:
        return CALL
    return CALL if low else FOLD


def _price(view: View, legal: LegalActions) -> float:
    return legal.to_call / (view.pot + legal.to_call)


SOUND = Strategy("sound", 0.16, 0.95, 0.35, 1.0, 0.30)


# ---- habits that one street's rules are about


def _when(
    condition: Callable[[Seen, View], bool], kind: ActionKind | Callable[[LegalActions], ActionKind]
) -> Habit:
    def habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
        if not condition(what, view):
            return None
        return kind if isinstance(kind, ActionKind) else kind(legal)

    return habit


def _bets(legal: LegalActions) -> ActionKind:
    return wager_of(legal) or passive(legal)


def _defends(condition: Callable[[Seen], bool], kind: ActionKind) -> Habit:
    """What the bring-in does against a completion: he has part of it in already."""
    return lambda what, view, legal: (
        kind if what.street == 3 and what.faces == 1 and legal.to_call < view.bet
        and condition(what) else None
    )  # fmt: skip


def _pays_cold(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    cold = what.street == 3 and what.faces >= 2 and legal.to_call > view.bet
    return CALL if cold and (what.start_good < 3 or what.start_top >= 8) else None


def _folds_bricks(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    brick = what.street == 4 and what.faces > 0 and not what.caught_good and what.one_caught_good
    return FOLD if brick and what.start_top <= 5 else None


def _steals_into_low_doors(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    lower = sum(card.rank < min(what.door, 9) for card in view.behind)
    return _bets(legal) if what.street == 3 and not what.faces and lower >= 2 else None


PLANTED: Mapping[int, Habit] = {
    301: _when(lambda w, v: w.street == 3 and w.faces > 0 and w.start_top >= 9, CALL),
    302: _when(lambda w, v: w.street == 3 and w.faces > 0 and w.start_top <= 7, FOLD),
    303: _when(lambda w, v: w.street == 3 and w.faces > 0 and w.start_top >= 11, CALL),
    304: _when(lambda w, v: w.street == 3 and w.faces == 1 and w.door >= 9, CALL),
    305: _when(lambda w, v: w.street == 3 and w.faces > 0 and w.start_pairs == 1, CALL),
    306: _when(
        lambda w, v: w.street == 3 and w.faces == 1 and w.start_pairs == 0
        and w.start_top in (8, 9),
        CALL,
    ),
    307: _pays_cold,
    308: _defends(lambda w: w.door >= w.lowest_door + 2, CALL),
    309: _defends(lambda w: w.start_good == 2 and w.start_second <= 5, FOLD),
    310: _when(
        lambda w, v: w.street == 3 and not w.faces and (w.start_top > 8 or w.start_pairs > 0), FOLD
    ),
    311: _steals_into_low_doors,
    312: _when(lambda w, v: w.street == 3 and not w.faces and w.start_top <= 8, CALL),
    313: _when(
        lambda w, v: w.street == 3 and w.faces == 1 and w.start_pairs == 0 and w.start_top <= 5,
        CALL,
    ),
    315: _when(
        lambda w, v: w.street == 3 and not w.faces and w.start_pairs == 0
        and w.start_top in (8, 9),
        FOLD,
    ),
    401: _when(lambda w, v: w.street == 4 and w.faces > 0 and not w.caught_good, CALL),
    402: _when(lambda w, v: w.street == 4 and w.paired, _bets),
    403: _when(lambda w, v: w.street == 4 and not w.faces, CHECK),
    404: _when(
        lambda w, v: w.street == 4 and w.faces == 1 and w.caught_good == w.one_caught_good, FOLD
    ),
    405: _folds_bricks,
    406: _when(lambda w, v: w.street == 4 and w.good == 4 and w.fourth <= 7, passive),
    501: _when(lambda w, v: w.street == 5 and w.faces > 0 and w.good <= 3, CALL),
    502: _when(
        lambda w, v: w.street == 5 and w.faces > 0 and w.good == 3 and w.best_board == 2, CALL
    ),
    503: _when(
        lambda w, v: w.street == 5 and w.faces > 0 and w.good == 4 and w.fourth >= 7, CALL
    ),
    504: _when(lambda w, v: w.street == 5 and w.good == 4 and w.fourth <= 6, passive),
    505: _when(lambda w, v: w.street == 5 and w.faces > 0 and 9 <= w.made <= 12, _bets),
    506: _when(lambda w, v: w.street == 5 and not w.faces and w.own_board == 3, CHECK),
    507: _when(
        lambda w, v: w.street == 5 and w.faces == 1 and w.good == 4 and w.fourth <= 7, FOLD
    ),
    508: _when(
        lambda w, v: w.street == 5 and w.faces > 0 and w.opponents >= 2 and w.made in (8, 9), _bets
    ),
    601: _when(lambda w, v: w.street == 6 and w.faces > 0 and w.good <= 3, CALL),
    602: _when(lambda w, v: w.street == 6 and w.faces == 1 and w.good >= 4 and w.made > 8, FOLD),
    603: _when(lambda w, v: w.street == 6 and not w.faces, CHECK),
    604: _when(lambda w, v: w.street == 6 and 10 <= w.made <= 13 and w.best_board >= 3, _bets),
    701: _when(lambda w, v: w.street == 7 and not w.faces, CHECK),
    702: _when(lambda w, v: w.street == 7 and w.faces > 0 and w.made > 6, FOLD),
    703: _when(lambda w, v: w.street == 7 and w.faces > 0, CALL),
    704: _when(lambda w, v: w.street == 7 and not w.faces and w.made >= 11, _bets),
    705: _when(
        lambda w, v: w.street == 7 and not w.faces and w.own_board == 4 and w.made >= 11, CHECK
    ),
    706: _when(lambda w, v: w.street == 7 and w.faces == 1 and w.made <= 6, CALL),
}  # fmt: skip
"""By the rule that is to find it, a habit that makes the mistake whenever it can."""


# ---- habits that show over many hands


class Player(NamedTuple):
    """Somebody who sits down; what he remembers is his alone, so that each game needs a new one."""

    strategy: Strategy
    after_hand: Callable[[ReplayedHand], None] = lambda hand: None
    """What is to be done when a hand is over."""


def _plain(name: str, habit: Habit) -> Callable[[], Player]:
    return lambda: Player(strategy(name, habit))


def _plays_everything(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    return CALL if what.street == 3 else None


def _plays_next_to_nothing(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    plays = what.start_pairs == 0 and what.start_top <= 6
    return FOLD if what.street == 3 and not plays else None


def _ignores_dead_cards(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    eight = what.street == 3 and what.start_pairs == 0 and what.start_top == 8
    return CALL if eight and what.faces == 1 else None


def _plays_three_to_an_eight_only(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    """The same hands whoever sits there."""
    if what.street > 3:
        return None
    return _bets(legal) if what.start_pairs == 0 and what.start_top <= 8 else FOLD


def _checks_and_calls_when_best(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    best = what.street >= 4 and what.own_board >= what.best_board
    return passive(legal) if best else None


def _on_streets(first: int, last: int, kind: Callable[[LegalActions], ActionKind]) -> Habit:
    return _when(lambda w, v: first <= w.street <= last, kind)


def _calls_from(first: int) -> Habit:
    return _when(lambda w, v: w.street >= first and w.faces > 0, CALL)


def _folds_above(most: int, first: int) -> Habit:
    """He gives up what is not made, or made too high."""
    return _when(lambda w, v: w.street >= first and w.faces > 0 and w.made > most, FOLD)


def _never_raises(first: int, last: int) -> Habit:
    """He plays what the sound player plays, by checks and calls."""

    def habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
        if not first <= what.street <= last or wager_of(legal) is None:
            return None
        kind = sound_habit(what, view, legal)
        return passive(legal) if kind in WAGERS or not what.faces else kind

    return habit


def _tilts() -> Player:
    """He plays twenty hands, whatever they are, after a pot of five big bets is lost."""
    left = 0
    clock = _Clock()

    def habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
        return CALL if left and what.street == 3 else None

    def after_hand(hand: ReplayedHand) -> None:
        nonlocal left
        if clock.begins_session(hand):
            left = 0
        own = next(result for result in hand.results if result.seat == hand.parsed.hero)
        pot = sum(pot.amount for pot in hand.pots)
        lost = own.net < 0 and own.last_street >= 5 and pot >= 5 * hand.parsed.stakes.big_bet
        left = 20 if lost and not left else max(0, left - 1)

    return Player(strategy("tilts", habit), after_hand)


def _tires() -> Player:
    """From the third hour on he calls with everything on third and fourth street."""
    clock = _Clock()

    def habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
        return CALL if clock.last - clock.begin >= _LATE and what.street <= 4 else None

    def after_hand(hand: ReplayedHand) -> None:
        clock.begins_session(hand)

    return Player(strategy("tires", habit), after_hand)


class _Clock:
    """When the session began, and when its last hand was played."""

    def __init__(self) -> None:
        self.begin = self.last = datetime.min.replace(tzinfo=UTC)

    def begins_session(self, hand: ReplayedHand) -> bool:
        """Go on to the hand; return whether it is the first of a session."""
        now = hand.parsed.played_at
        assert now is not None
        begins = now - self.last > _SESSION_PAUSE / 2
        self.begin, self.last = now if begins else self.begin, now
        return begins


def _pays_for_sunk_chips() -> Player:
    """From fifth street on he cannot fold once he has put two big bets in."""
    rng = Random(807)
    sound = strategy("sound", _no_habit)
    earlier, on_street = 0, 0
    street = 0

    def habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
        nonlocal earlier, on_street, street
        if what.street != street:
            # What was bet on the last street is in the pot by now, or it is a new hand.
            earlier = earlier + on_street if what.street > street else 0
            street, on_street = what.street, 0
        # Decided here, where the chips can be counted, as he would decide by his numbers.
        kind = decide(view, legal, sound, rng)
        if kind is FOLD and street >= 5 and earlier + on_street >= 2 * view.bet:
            kind = CALL
        if kind in WAGERS or kind is CALL:
            on_street += legal.to_call + (view.bet if kind in WAGERS else 0)
        return kind

    return Player(strategy("pays for sunk chips", habit))


def _no_habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    return None


sound_player = _plain("sound", _no_habit)


# ---- games


def play(number: int, players: int, seed: int, hero: Strategy) -> Database:
    """Return a database of simulated hands in which the hero plays by a strategy."""
    return play_sessions(number, seed, Player(hero), players, number)


def play_sessions(
    number: int, seed: int, hero: Player, players: int = 6, session_hands: int = SESSION_HANDS
) -> Database:
    """Return such a database, with a long pause after so many hands."""
    setup = Setup(hero_strategy=hero.strategy, strategies=STRATEGIES)
    hands = simulate_hands(number, players, seed, setup)
    return stored(_with_pauses(hands, session_hands), hero)


def _with_pauses(hands: Iterable[ParsedHand], session_hands: int) -> Iterator[ParsedHand]:
    for place, hand in enumerate(hands):
        assert hand.played_at is not None
        pause = place // session_hands * _SESSION_PAUSE
        yield replace(hand, played_at=hand.played_at + pause)


def play_tables(
    number: int, seed: int, hero: Player, sizes: tuple[int, ...] = (2, 4, 8)
) -> Database:
    """Return a database of as many hands at each size of table."""
    hands: list[ParsedHand] = []
    for place, size in enumerate(sizes):
        setup = Setup(
            hero_strategy=hero.strategy,
            first_number=(place + 1) * 10**12,
            start=Setup().start + timedelta(days=40 * place),
        )
        hands += simulate_hands(number // len(sizes), size, seed + place, setup)
    return stored(_with_pauses(hands, SESSION_HANDS), hero)


def play_chasing(number: int, seed: int, hero: Player, *, chases: bool = True) -> Database:
    """Return a database of sessions in two halves, the second at double stakes after a loss.

    Who does not chase moves up after a win.
    """
    return stored(chasing_hands(number, seed, hero, chases=chases), hero)


def chasing_hands(
    number: int,
    seed: int,
    hero: Player,
    *,
    chases: bool,
    session_hands: int = SESSION_HANDS,
    small_bet: int = 4,
    first_day: int = 0,
) -> Iterator[ParsedHand]:
    """Yield the hands of such sessions, one a day."""
    for session in range(first_day, first_day + number // session_hands):
        bet, start, net = small_bet, Setup().start + timedelta(days=session), 0
        for part in (0, 1):
            setup = Setup(
                stakes=usual_stakes(DOLLARS, bet),
                hero_strategy=hero.strategy,
                first_number=(2 * session + part + 1) * 10**11,
                start=start,
            )
            seed_of_part = seed * 1_000 + 2 * session + part
            for hand in simulate_hands(session_hands // 2, 6, seed_of_part, setup):
                yield hand
                assert hand.played_at is not None
                start = hand.played_at + timedelta(minutes=1)
                net += _net_of_hero(hand)
            bet = small_bet * (2 if (net < 0) == chases else 1)


def _net_of_hero(hand: ParsedHand) -> int:
    replayed = replay(hand).value
    assert replayed is not None
    return next(result.net for result in replayed.results if result.seat == hand.hero)


def stored(hands: Iterable[ParsedHand], hero: Player) -> Database:
    """Return a database of hands with decisions, spots and the hero's rated starting hands."""
    database = Database.in_memory()
    rows = []
    for hand in hands:
        replayed = replay(hand).value
        assert replayed is not None
        hero.after_hand(replayed)
        rows.append(hand_rows(replayed, 1, None))
    with database.transaction():
        database.insert_hands(rows)
        hids = [row.hand.hid for row in rows]
        insert_decisions(database, hids)
        insert_spots(database, hids)
        database.insert_luck([], [], list(_rated(database)))
    return database


def _rated(database: Database) -> Iterator[StartingHandRow]:
    """Yield the heroes' starting hands with their ratings by the other door cards."""
    held: dict[StartingHand, list[tuple[int, int, list[int]]]] = defaultdict(list)
    for hid, seat, cards, others in database.rows(
        """SELECT own.hid, own.seat, [own.c1, own.c2, own.c3], list(other.door_rank)
        FROM hand_players AS own JOIN hand_players AS other USING (hid)
        WHERE own.is_hero AND other.seat <> own.seat GROUP BY ALL"""
    ):
        hand = StartingHand.of(Rank(card % 13 + 1) for card in cards)
        held[hand].append((hid, seat, [others.count(rank) for rank in Rank]))
    for hand, holders in held.items():
        rated = ratings(hand, [dead for _, _, dead in holders])
        for (hid, seat, _), rating in zip(holders, rated, strict=True):
            yield StartingHandRow(hid, seat, str(hand), str(hand.starting_class), float(rating))


# ---- the whole catalogue

Game = Callable[[int, int, Player], Database]
"""Plays so many hands with a seed and a player."""


class Leak(NamedTuple):
    """A player with a planted leak, and the rule that is to find it."""

    name: str
    rule: int
    player: Callable[[], Player]
    habit: Habit | None = None
    """What he does; None where it hangs on what he remembers or on the table."""
    game: Game = play_sessions
    street: int | None = None
    """Which of the rules of that number."""


_OVERALL_HABITS: tuple[tuple[str, int, Habit, int | None], ...] = (
    ("314 heeds no dead cards", 314, _ignores_dead_cards, None),
    ("316 plays everything", 316, _plays_everything, None),
    ("316 plays next to nothing", 316, _plays_next_to_nothing, None),
    ("801 never folds after third street", 801, _calls_from(4), None),
    ("801 folds all but good hands", 801, _folds_above(8, first=4), None),
    ("802 shows down winners only", 802, _folds_above(7, first=6), None),
    ("802 shows down losers", 802, _calls_from(5), None),
    ("803 never raises on third", 803, _never_raises(3, 3), 3),
    ("803 never bets on fourth and fifth", 803, _never_raises(4, 5), 4),
    ("803 never bets on sixth and seventh", 803, _never_raises(6, 7), 6),
    ("803 always bets on fourth and fifth", 803, _on_streets(4, 5, _bets), 4),
    ("803 always bets on sixth and seventh", 803, _on_streets(6, 7, _bets), 6),
    ("809 checks and calls when best", 809, _checks_and_calls_when_best, None),
)
LEAKS: tuple[Leak, ...] = (
    *(Leak(str(id), id, _plain(str(id), habit), habit) for id, habit in PLANTED.items()),
    *(
        Leak(name, id, _plain(name, habit), habit, street=street)
        for name, id, habit, street in _OVERALL_HABITS
    ),
    Leak("804 tilts", 804, _tilts),
    Leak("805 tires", 805, _tires),
    Leak(
        "806 the same at every table",
        806,
        _plain("same", _plays_three_to_an_eight_only),
        game=play_tables,
    ),
    Leak("807 pays for sunk chips", 807, _pays_for_sunk_chips),
    Leak("808 chases", 808, sound_player, game=play_chasing),
)
"""A planted leak for every rule of the catalogue, some with one on either side of a band."""


# ---- what leaks cost in truth


class TrueCost(NamedTuple):
    """What a habit costs, by the same deals played with and without it."""

    per_100: float
    """Big bets in 100 hands."""
    error: float
    """Its standard error."""
    changed: float
    """In what part of the hands the habit may have changed anything."""


def true_costs(habits: Mapping[str, Habit], number: int, seed: int) -> dict[str, TrueCost]:
    """Return what habits cost at tables of six, each dealt anew.

    The same deck, opponents and stacks come to the sound player and to each habit, so that hands in
    which a habit changes nothing add no noise; those are not even played.
    """
    losses: dict[str, list[float]] = {name: [] for name in habits}
    for deal in range(seed * number, (seed + 1) * number):
        changed: set[str] = set()
        sound = _net_of_deal(deal, strategy("sound", _notes_changes(habits, changed)))
        for name in sorted(changed):
            losses[name].append(sound - _net_of_deal(deal, strategy(name, habits[name])))
    return {name: _true_cost(found, number) for name, found in losses.items()}


def _notes_changes(habits: Mapping[str, Habit], changed: set[str]) -> Habit:
    """He plays as the sound player, and notes which habits would do something else."""

    def habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
        kind = sound_habit(what, view, legal)
        for name, other in habits.items():
            wanted = other(what, view, legal)
            if wanted in legal.kinds and wanted is not kind:
                changed.add(name)
        return kind

    return habit


def _net_of_deal(deal: int, hero: Strategy) -> float:
    """Return what the hero wins or loses in one deal, in big bets."""
    rng, stakes = Random(deal), usual_stakes(DOLLARS, 4)
    seats = [Seat(seat) for seat in range(1, 7)]
    strategies = {seat: rng.choice(STRATEGIES) for seat in seats}
    players = [
        SeatedPlayer(
            seat=seat, name=str(seat), sitting_out=False,
            stack=Chips(int(rng.uniform(8, 30) * stakes.big_bet)),
        )
        for seat in seats
    ]  # fmt: skip
    own = rng.choice(players)
    hand = play_out(RAZZ, stakes, players, {**strategies, own.seat: hero}, own.seat, rng)
    pay_out(hand, Rake(), rng)
    left = hand.state.stacks[own.seat] + hand.state.collected[own.seat]
    return (left - own.stack) / stakes.big_bet


def _true_cost(losses: Sequence[float], number: int) -> TrueCost:
    mean = sum(losses) / number
    variance = sum(loss * loss for loss in losses) / number - mean * mean
    return TrueCost(100 * mean, 100 * math.sqrt(variance / number), len(losses) / number)


def loose_habit(what: Seen, view: View, legal: LegalActions) -> ActionKind | None:
    """He plays jacks and better, checks and calls with the best board, and pays to the end."""
    if what.street == 3:
        return CALL if what.start_top <= 11 and what.faces else None
    if what.own_board >= what.best_board:
        return CALL if legal.to_call else ActionKind.CHECK
    return CALL if what.faces and what.street >= 5 and what.good >= 3 else None
