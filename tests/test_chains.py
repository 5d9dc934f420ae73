"""From hand to hand: a stack that is not what the last hand left is told, and nothing more."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from cli import other_game
from hands import clean, concise, corpus_folder, hands_of

from razzstats.chains import Chains
from razzstats.chips import Chips
from razzstats.diagnostics import Diagnostic, Severity
from razzstats.events import ParsedHand, SeatedPlayer
from razzstats.importing import import_paths
from razzstats.parsing import CUTTING
from razzstats.pipeline import Outcome, Status, read_file, read_part
from razzstats.simulate import Setup, TournamentPlan, render_hand, simulate_hands
from razzstats.sources import Survey, survey
from razzstats.stats.hands import data_quality
from razzstats.storage import Database

START = (200, 200, 200)
ONE_LATER = (204, 197, 199)
"""What each hand of `hand` leaves of `START`: Anna wins four cents, Ben pays three, Carla one."""
TWO_LATER = (208, 194, 198)


def hand(
    number: int,
    stacks: Sequence[int],
    *,
    time: str | None = None,
    table: str = "Halley",
    names: str = "Anna Ben Carla",
    tournament: str = "",
    also: str = "",
) -> str:
    """Return a hand in which the first player wins; ``also`` sits at the table and is not dealt in.

    The number tells the minute, too, if no other time is given.
    """
    anna, ben, carla = names.split()
    game = f"Tournament #{tournament}, $5+$0 USD Razz Limit - Level I" if tournament else ""
    sign, part = ("", "") if tournament else ("$", "0.0")
    sizes = "(4/8)" if tournament else "($0.04/$0.08 USD)"
    seats = "".join(
        f"Seat {seat}: {name} ({stack if tournament else f'${stack / 100}'} in chips)\n"
        for seat, name, stack in zip((1, 3, 5), names.split(), stacks, strict=True)
    )
    text = (
        f"PokerStars Hand #{number}:  {game or 'Razz Limit'} {sizes}"
        f" - 2026/01/09 {time or f'14:{number % 100:02}:00'} ET\n"
        f"Table '{table}' 8-max\n{seats}{also}"
        f"{anna}: posts the ante @1\n{ben}: posts the ante @1\n{carla}: posts the ante @1\n"
        "*** 3rd STREET ***\n"
        f"Dealt to {anna} [2c 3d 4h]\nDealt to {ben} [Kd]\nDealt to {carla} [Qd]\n"
        f"{ben}: brings in for @2\n{carla}: folds\n{anna}: raises @2 to @4\n{ben}: folds\n"
        f"Uncalled bet (@2) returned to {anna}\n{anna} collected @7 from pot\n"
        "*** SUMMARY ***\nTotal pot @7 | Rake @0\n"
        f"Seat 1: {anna} collected (@7)\nSeat 3: {ben} folded on the 3rd Street\n"
        f"Seat 5: {carla} folded on the 3rd Street (didn't bet)\n\n\n"
    )
    return text.replace("@0", sign + "0").replace("@", sign + part)


def outcomes(folder: Path, *texts: str) -> list[Outcome]:
    file = folder / "session.txt"
    file.write_bytes("".join(texts).encode())
    return list(read_file(str(file), raise_errors=True))


def notes(folder: Path, *texts: str) -> list[Diagnostic]:
    """Return the notes on a session of hands that are good one by one."""
    read = outcomes(folder, *texts)
    assert [one.status for one in read] == [Status.OK] * len(texts), read
    found = [each for one in read for each in one.diagnostics]
    assert {each.code.name for each in found} <= {"stack-gap"}, concise(found)
    return found


# ---- what is a gap


def test_hands_that_follow_one_another_have_none(tmp_path: Path) -> None:
    assert notes(tmp_path, hand(1, START), hand(2, ONE_LATER), hand(3, TWO_LATER)) == []


def test_a_missing_hand_is_one(tmp_path: Path) -> None:
    (found,) = notes(tmp_path, hand(1, START), hand(3, TWO_LATER))
    assert found.code.id == "RZ506"
    assert found.severity is Severity.NOTE
    assert found.hand_id
    assert found.hand_id.number == "3"
    assert found.message == (
        "Anna begins with $2.08; expected $2.04, which hand #1 left, and 2 more have other stacks"
    )
    assert found.help


def test_it_stands_at_the_first_seat_with_another_stack(tmp_path: Path) -> None:
    first, second = hand(1, START), hand(2, (204, 150, 199))
    (found,) = notes(tmp_path, first, second)
    assert found.message == "Ben begins with $1.50; expected $1.97, which hand #1 left"
    line = f"{first}{second}".split("\n")[found.span.line - 1] if found.span else ""
    assert line == "Seat 3: Ben ($1.5 in chips)"


@pytest.mark.parametrize("stack", [198, 200, 1000, 1])
def test_chips_that_were_added_or_taken_are_one(tmp_path: Path, stack: int) -> None:
    anna, ben, _ = ONE_LATER
    (found,) = notes(tmp_path, hand(1, START), hand(2, (anna, ben, max(stack, 5))))
    assert found.message.startswith("Carla begins with ")
    assert found.message.endswith("; expected $1.99, which hand #1 left")


def test_a_gap_is_told_once(tmp_path: Path) -> None:
    found = notes(tmp_path, hand(1, START), hand(3, TWO_LATER), hand(4, (212, 191, 197)))
    assert len(found) == 1


def test_tournament_chips_are_not_dollars(tmp_path: Path) -> None:
    seven = [hand(1, START, tournament="7"), hand(2, START, tournament="7")]
    (found,) = notes(tmp_path, *seven)
    assert found.message.startswith("Anna begins with 200; expected 204,")


# ---- what is none


def test_a_player_who_was_not_there_comes_with_what_he_likes(tmp_path: Path) -> None:
    second = hand(2, (204, 197, 555), names="Anna Ben Dan")
    assert notes(tmp_path, hand(1, START), second) == []


def test_a_player_who_leaves_and_comes_back_may_have_other_chips(tmp_path: Path) -> None:
    away, back = hand(2, (204, 197, 300), names="Anna Ben Dan"), hand(3, (208, 194, 999))
    assert notes(tmp_path, hand(1, START), away, back) == []


def test_a_player_keeps_his_chips_in_another_seat(tmp_path: Path) -> None:
    moved = hand(2, (197, 204, 199), names="Ben Anna Carla")
    assert notes(tmp_path, hand(1, START), moved) == []
    assert notes(tmp_path, hand(1, START), hand(2, ONE_LATER, names="Ben Anna Carla")) != []


def test_a_player_who_sits_out_is_followed_too(tmp_path: Path) -> None:
    out = "Seat 6: Dan ($3 in chips) is sitting out\n"
    first = hand(1, START, also=out)
    assert notes(tmp_path, first, hand(2, ONE_LATER, also=out)) == []
    (found,) = notes(tmp_path, first, hand(2, ONE_LATER, also=out.replace("$3", "$4")))
    assert found.message.startswith("Dan begins with $4; expected $3,")


@pytest.mark.parametrize(
    ("time", "is_told"),
    [
        ("14:01:00", True),
        ("14:31:00", True),
        ("14:31:01", False),
        ("20:00:00", False),
        ("14:00:59", False),
    ],
)
def test_a_table_is_followed_for_half_an_hour(tmp_path: Path, time: str, is_told: bool) -> None:
    assert bool(notes(tmp_path, hand(1, START), hand(2, START, time=time))) == is_told


def test_the_newest_hand_may_come_first(tmp_path: Path) -> None:
    assert notes(tmp_path, hand(3, TWO_LATER), hand(2, ONE_LATER), hand(1, START)) == []


def test_a_hand_that_comes_twice_is_no_gap(tmp_path: Path) -> None:
    first = hand(1, START)
    assert notes(tmp_path, first, first, hand(2, ONE_LATER), hand(2, ONE_LATER)) == []


def test_tables_are_told_apart(tmp_path: Path) -> None:
    one, other = hand(1, START), hand(2, (300, 300, 300), table="Encke")
    assert notes(tmp_path, one, other, hand(3, ONE_LATER)) == []
    (found,) = notes(tmp_path, one, other, hand(3, START))
    assert "#1 left" in found.message


def test_tournaments_and_cash_games_are_told_apart(tmp_path: Path) -> None:
    cash, seven = hand(1, START), hand(2, (500, 500, 500), tournament="7")
    eight = hand(3, (900, 900, 900), tournament="8")
    assert notes(tmp_path, cash, seven, eight, hand(4, ONE_LATER)) == []


def test_after_a_hand_that_does_not_count_nothing_is_known(tmp_path: Path) -> None:
    rejected = hand(2, ONE_LATER).replace("Ben: brings in", "Anna: brings in")
    for between, status in (
        (rejected, Status.REJECTED),
        (other_game(), Status.OTHER_GAME),
        ("what is this?\n\n\n", Status.REJECTED),  # it is read as the end of the hand before
    ):
        texts = [hand(1, START), between, hand(3, TWO_LATER), hand(4, START)]
        read = outcomes(tmp_path, *texts)
        assert status in [one.status for one in read]
        told = [one.hand_id.number for one in read if "stack-gap" in _codes(one) and one.hand_id]
        assert told == ["4"], [(one.status, _codes(one)) for one in read]
        assert read[-1].status is Status.OK


def _codes(outcome: Outcome) -> list[str]:
    return [found.code.name for found in outcome.diagnostics]


def test_a_hand_with_a_warning_is_followed(tmp_path: Path) -> None:
    warned = hand(1, START).replace("raises $0.02 to", "raises $0.03 to")
    first, second = outcomes(tmp_path, warned, hand(2, START))
    assert first.status is Status.WARNING
    assert (second.status, _codes(second)) == (Status.OK, ["stack-gap"])


def test_files_are_not_followed_into_one_another(tmp_path: Path) -> None:
    assert notes(tmp_path, hand(1, START)) == notes(tmp_path, hand(3, TWO_LATER)) == []


def test_only_so_many_tables_are_remembered() -> None:
    replayed = clean(hand(1, START))

    def at(table: int, number: str) -> list[Diagnostic]:
        hand_id = replayed.parsed.hand_id._replace(number=number)
        parsed = replace(replayed.parsed, table=f"Table {table}", hand_id=hand_id)
        return list(chains.follow(replace(replayed, parsed=parsed)))

    chains = Chains()
    assert not any(at(table, "1") for table in range(1_001))
    assert at(0, "2") == []  # forgotten
    assert len(at(1_000, "2")) == 1


# ---- a gap is a note and nothing else


def test_a_hand_with_a_gap_is_stored_and_counted(tmp_path: Path) -> None:
    file = tmp_path / "session.txt"
    file.write_text(hand(1, START) + hand(3, TWO_LATER) + hand(4, START), encoding="utf-8")
    with Database.in_memory() as database:
        (report,) = import_paths(database, [str(file)])
        assert (report.stored, report.warnings, report.rejected) == (3, 0, 0)
        quality = data_quality(database)
        assert (quality.stored, quality.stack_gaps, quality.warnings) == (3, 2, 0)


# ---- real hands


def test_the_real_session_has_no_gap_until_a_hand_is_taken_out(tmp_path: Path) -> None:
    texts = [
        text.text.rstrip("\n") + "\n\n\n"
        for text in hands_of(corpus_folder("pokerstars") / "cash-2009.txt")
    ]
    assert len(texts) == 9
    assert notes(tmp_path, *texts) == []
    for missing in range(1, len(texts) - 1):
        (found,) = notes(tmp_path, *texts[:missing], *texts[missing + 1 :])
        assert found.hand_id
        assert f"#{found.hand_id.number}" in texts[missing + 1]
        assert texts[missing - 1].split(":")[0].split("#")[1] in found.message


# ---- simulated hands

DEEP = Setup(buy_in=(150.0, 200.0), talk=0.0)


@pytest.mark.parametrize(
    "setup", [DEEP, Setup(tournament=TournamentPlan(number="7"))], ids=["cash", "tournament"]
)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_simulated_sessions_have_no_gap(tmp_path: Path, players: int, setup: Setup) -> None:
    texts = [render_hand(each) for each in simulate_hands(60, players, 3, setup)]
    assert notes(tmp_path, *texts) == []


def test_only_who_buys_chips_is_told_in_a_short_session(tmp_path: Path) -> None:
    hands = list(simulate_hands(150, 6, 4, Setup(buy_in=(1.0, 6.0))))
    told = {
        found.hand_id.number: found.message
        for found in notes(tmp_path, *map(render_hand, hands))
        if found.hand_id
    }
    assert told
    bought = {
        after.hand_id.number: names
        for before, after in pairwise(hands)
        if (names := [name for name, left in _left(before).items() if _stack(after, name) > left])
    }
    assert told.keys() == bought.keys()
    for number, message in told.items():
        assert any(message.startswith(f"{name} begins with") for name in bought[number])


def _left(of: ParsedHand) -> dict[str, int]:
    replayed = clean(render_hand(of))
    left = {player.name: int(player.stack) for player in of.players}
    return left | {each.name: each.stack + each.net for each in replayed.results}


def _stack(of: ParsedHand, name: str) -> int:
    return next((int(player.stack) for player in of.players if player.name == name), 0)


def test_a_changed_stack_that_no_single_hand_shows_is_told_twice(tmp_path: Path) -> None:
    """Nobody is all-in, so each hand stays good by itself; its neighbours disagree with it."""
    hands = list(simulate_hands(30, 4, 9, DEEP))
    for place in range(1, len(hands) - 1, 4):
        before, one, after = hands[place - 1 : place + 2]
        name = next(p.name for p in one.players if _stack(before, p.name) and _stack(after, p.name))
        changed = replace(one, players=tuple(_richer(player, name) for player in one.players))
        found = notes(tmp_path, *map(render_hand, (before, changed, after)))
        numbers = [each.hand_id.number for each in found if each.hand_id]
        assert numbers == [changed.hand_id.number, after.hand_id.number]
        assert all(each.message.startswith(f"{name} begins with ") for each in found)


def _richer(player: SeatedPlayer, name: str) -> SeatedPlayer:
    return replace(player, stack=Chips(player.stack + 1)) if player.name == name else player


# ---- in parts


def notes_in_parts(file: str, length: int) -> tuple[int, list[Diagnostic]]:
    """Return in how many parts a file was read, and all notes, those between parts at their end."""
    surveyed = survey(file, CUTTING, length)
    assert isinstance(surveyed, Survey)
    carried = Chains(of_part=True)
    found = []
    for stretch in surveyed.stretches:
        chains = Chains(of_part=True)
        for outcome in read_part(file, stretch, chains=chains):
            found += [each for each in outcome.diagnostics if each.code.name == "stack-gap"]
        found += carried.follow_part(chains.ends())
    return len(surveyed.stretches), found


@pytest.mark.parametrize("seed", range(6))
def test_parts_have_the_notes_of_the_whole(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razzstats.sources.stretches._BUFFER", 300)
    random = Random(seed)
    texts, at = [], dict.fromkeys(("Halley", "Encke", "Biela"), START)
    for number in range(1, 40):
        table = random.choice([*at])
        texts.append(hand(number, at[table], table=table))
        ahead, behind, third = at[table]
        at[table] = (ahead + 4, behind - 3, third - 1 + random.choice((0, 0, 0, 50)))
        if random.random() < 0.1:
            texts.append(other_game())
    file = tmp_path / "session.txt"
    file.write_bytes("".join(texts).encode())
    whole = [
        found
        for outcome in read_file(str(file))
        for found in outcome.diagnostics
        if found.code.name == "stack-gap"
    ]
    assert whole
    for length in (1, 900, 2_500):
        parts, found = notes_in_parts(str(file), length)
        assert parts > 3
        assert sorted(found, key=lambda each: each.span or ()) == whole
