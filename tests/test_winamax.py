"""Winamax: real hands, the room's quirks one by one, random hands, damages, hostile names."""

import random
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hands import (
    SAMPLES,
    Checked,
    check,
    check_file,
    clean,
    corpus_folder,
    differences,
    hand_text,
    results,
    text_files,
)
from line_damages import LineDamage, changed_line, moved_lines
from playouts import Playout, render
from room_winamax import Rendering, tiny_playout, winamax_playout

from razzstats.events import Ante, Muck, Seat, Show, Wager

RANDOM_HANDS = 150
FILES = text_files(SAMPLES / "winamax")
QUIRKS = tomllib.loads((Path(__file__).parent / "syntax" / "winamax.toml").read_text("utf-8"))


def nets(checked: Checked) -> dict[str, int]:
    assert checked.replayed is not None
    return {result.name: result.net for result in checked.replayed.results}


# ---- real hands


def real_hands() -> Iterator[Checked]:
    for file in text_files(corpus_folder("winamax")):
        yield from check_file(file)


def test_every_real_razz_hand_is_stored() -> None:
    found = {checked.text.lines[0].split("#")[1].split(" ")[0]: checked for checked in real_hands()}
    razz = {number: checked for number, checked in found.items() if checked.codes != ["other-game"]}
    assert [*razz] == ["9250793-444-1478990340"]
    for checked in razz.values():
        assert checked.is_clean, checked.explained()
        assert checked.replayed is not None
        assert sum(nets(checked).values()) == -checked.replayed.rake


def test_the_real_hand_is_read_to_the_cent() -> None:
    checked = next(checked for checked in real_hands() if checked.codes != ["other-game"])
    assert checked.parsed is not None
    assert checked.replayed is not None
    assert nets(checked) == {"Hero": -10_500, "Player0": 10_300}
    assert (checked.replayed.pot, checked.replayed.rake) == (21_000, 200)
    assert checked.parsed.mixed_game is None  # the corpus' file has another name than the room's
    assert checked.parsed.hero == 1


def test_the_real_stud_hand_is_another_game() -> None:
    assert [checked.codes for checked in real_hands()].count(["other-game"]) == 1


def test_a_real_hand_that_breaks_off_is_truncated(tmp_path: Path) -> None:
    text = (corpus_folder("winamax") / "8games-2016.txt").read_text("utf-8")
    lines = text.splitlines()
    file = tmp_path / "cut.txt"
    for length in range(1, len(lines) - 1):
        file.write_text("\n".join(lines[:length]) + "\n", encoding="utf-8")
        assert [checked.codes for checked in check_file(file)] == [["truncated-hand"]], length


# ---- the quirks


def changed(case: dict[str, Any]) -> str:
    text: str = QUIRKS["hands"][case["hand"]]
    for old, new in case["changes"]:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("case", QUIRKS["case"], ids=lambda case: str(case["id"]))
def test_a_quirk_is_read_or_refused(case: dict[str, Any]) -> None:
    checked = check(changed(case))
    assert checked.codes == case.get("codes", []), checked.explained()
    if "nets" in case:
        assert nets(checked) == case["nets"]
        assert checked.replayed is not None
        assert checked.replayed.rake == case["rake"]
    said = case.get("says", {})
    assert {key: value for key, value in stated(checked).items() if key in said} == said


def stated(checked: Checked) -> dict[str, Any]:
    hand = checked.parsed
    if hand is None or checked.replayed is None:
        return {}
    stakes, event = hand.stakes, hand.tournament
    return {
        "number": hand.hand_id.number,
        "currency": stakes.money.currency,
        "bets": [stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet],
        "table": hand.table,
        "max_seats": hand.max_seats,
        "tournament": event and [event.number, event.buy_in, event.level],
        "played_at": hand.played_at and hand.played_at.isoformat().replace("+00:00", "Z"),
        "all_in": [result.name for result in checked.replayed.results if result.all_in],
    }


@pytest.mark.parametrize(
    "game",
    [
        "7stud", "7stud8", "7-Card Stud", "7-Card Stud Hi/Lo", "Holdem", "Omaha", "Omaha8",
        "5 Card Omaha", "2-7 Triple Draw", "Lowball27", "2-7 Razz",
    ],
)  # fmt: skip
def test_another_game_is_named(game: str) -> None:
    text: str = QUIRKS["hands"]["client"]
    checked = check(text.replace("Razz fixed limit", f"{game} fixed limit"))
    assert checked.codes == ["other-game"]
    assert f"a hand of {game}, not Razz" in checked.explained()


@pytest.mark.parametrize(
    ("file", "mix"),
    [
        ("20180302_Besancon_real_8games_fixed-limit.txt", "8-Game"),
        ("/home/ada_horse_1/20180302_Besancon_real_10games_.txt", "10-Game"),
        ("20180302_Besancon_real_horse_.txt", "HORSE"),
        ("/home/ada_horse_1/20180302_Besancon_real_razz_.txt", None),
    ],
)
def test_the_mixed_game_stands_in_the_name_of_the_file(file: str, mix: str | None) -> None:
    checked = check(replace(hand_text(QUIRKS["hands"]["client"]), file=file))
    assert checked.parsed is not None
    assert checked.parsed.mixed_game == mix


def test_a_summary_of_a_tournament_is_no_hand() -> None:
    assert check("Winamax Poker - Tournament summary : Nuit du Stud(771)").codes == ["stray-text"]


def test_the_printed_size_of_a_raise_is_no_claim() -> None:
    text: str = QUIRKS["hands"]["short"]
    for size in ("-0.50€", "0€", "77€"):
        checked = check(text.replace("raises -0.50€", f"raises {size}"))
        assert checked.is_clean, checked.explained()
        assert checked.parsed is not None
        wagers = [event for event in checked.parsed.events if isinstance(event, Wager)]
        assert [(wager.to, wager.by) for wager in wagers] == [(400, None), (550, None)]


def test_antes_stand_in_any_order() -> None:
    checked = clean(QUIRKS["hands"]["client"])
    antes = [event.seat for event in checked.parsed.events if isinstance(event, Ante)]
    assert antes == [5, 2]


def test_the_time_is_in_utc() -> None:
    played_at = clean(QUIRKS["hands"]["client"]).parsed.played_at
    assert played_at == datetime.fromisoformat("2018-03-02T14:13:20+00:00")


# ---- random hands


def first_mucks(hand: Playout) -> bool:
    """Whether somebody throws his hand away before anybody shows: the room does not say it."""
    if not hand.state.showdown:
        return False
    first = next(event for event in hand.events if isinstance(event, Show | Muck))
    return isinstance(first, Muck)


STACKS: dict[str, Callable[[int], Playout]] = {
    "tiny": tiny_playout,
    "short": partial(winamax_playout, deep=False),
    "deep": partial(winamax_playout, deep=True),
}


@pytest.mark.parametrize("exported", [False, True], ids=["client", "exported"])
@pytest.mark.parametrize("stacks", STACKS)
def test_a_random_hand_comes_to_the_same_as_in_another_room(exported: bool, stacks: str) -> None:
    for seed in range(RANDOM_HANDS):
        hand = STACKS[stacks](seed)
        text = Rendering(hand, seed + 1, exported).text()
        checked = check(text)
        allowed = ["showdown-order"] if first_mucks(hand) else []
        assert checked.codes in ([], allowed), text + checked.explained()
        assert checked.replayed is not None
        there = results(clean(render(hand)))
        assert not differences(results(checked.replayed), there), text


def test_random_hands_know_negative_raises_and_uncalled_side_pots() -> None:
    seeds = range(RANDOM_HANDS)
    texts = [Rendering(play(seed)).text() for play in STACKS.values() for seed in seeds]
    for what in ("raises -", "side pot 1", "side pot 2", "No rake", " bets 1€\n"):
        assert any(what in text for text in texts), what


# ---- the samples


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_a_sample_adds_up(file: Path) -> None:
    for checked in check_file(file):
        if checked.codes == ["other-game"]:
            continue
        assert checked.is_clean, checked.explained()
        assert checked.replayed is not None
        assert sum(nets(checked).values()) == -checked.replayed.rake


# ---- damages

AMOUNT = re.compile(r"(?<![\w#.,/:'()-])(?<! : )([0-9]+)(\.[0-9]{2})?(€?)(?=[\s)|]|$)")

HARMLESS = [
    ("changed", r"Seat [0-9]+: .* \([0-9.]+€?(?:, .*)?\)", "a stack that is large enough"),
    ("changed", r".* raises .* to .*", "the printed size of a raise, which is no claim"),
    ("changed", r".* from side pot 1", "the number of a side pot that holds an uncalled bet alone"),
    ("dropped", r"Seat [0-9]+: .* \(.*\)", "a listed player who is not dealt in"),
    ("dropped", r"Seat [0-9]+: .* (?:showed|won) .*", "what the summary tells a second time"),
    ("dropped", r"Dealt to .* \[X\]", "a river card that nobody sees"),
    ("dropped", r"Dealt to .* \[(?:.. ){5}..\] \[..\]", "the hero's river card, which he shows"),
    ("doubled", r"Dealt to .* \[X\]", "a river card that nobody sees"),
    ("swapped", r"Seat [0-9]+: .*", "the order of the seats"),
    ("swapped", r".* posts ante .*", "the order of the antes"),
    ("swapped", r"Dealt to .*", "the order of a street's deals"),
    ("swapped", r".* (?:shows|collected) .*", "the order in which hands are shown and pots taken"),
    ("swapped", r"\*\*\* SHOW DOWN \*\*\*", "when a hand is shown that nobody can bet against"),
]
"""Damages that may go unnoticed, by kind and line, and what they damage: no result changes."""

BELIEVED = re.compile(r".* checks")
"""Where no cards are told, whoever opens a street is believed; nothing tells a check before him."""


def damages(lines: list[str]) -> Iterator[LineDamage]:
    yield from moved_lines(lines)
    for index, line in enumerate(lines[2:], 2):
        yield from changed_line(lines, index, with_other_amounts(line))


def with_other_amounts(line: str) -> Iterator[str]:
    for match in AMOUNT.finditer(line):
        for other in (f"{int(match[1]) + 1}{match[2] or ''}", f"{int(match[1])}.01"):
            if other != match[1] + (match[2] or ""):
                yield line[: match.start(1)] + other + match[3] + line[match.end() :]


def is_harmless(kind: str, line: str) -> bool:
    return any(kind == other and re.fullmatch(lines, line) for other, lines, _ in HARMLESS)


def is_exported(checked: Checked) -> bool:
    return "*** THIRD ***" in checked.text.lines


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_a_damage_is_noticed_or_changes_nothing(file: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.txt"
    for base in check_file(file):
        if base.replayed is None:
            continue
        lines = list(base.text.lines)
        for kind, place, new, found in damages(lines):
            damaged.write_text("\n".join(found) + "\n", encoding="utf-8")
            what = f"{kind} in line {place + 1}: {lines[place]} {new}"
            pieces = check_file(damaged)
            if any(piece.diagnostics for piece in pieces):
                continue
            assert len(pieces) == 1, what
            assert pieces[0].replayed is not None, what
            changed_facts = differences(results(base.replayed), results(pieces[0].replayed))
            if is_exported(base) and BELIEVED.fullmatch(lines[place]):
                assert changed_facts in ([], [("decisions",)]), what
                continue
            assert not changed_facts, what
            assert is_harmless(kind, lines[place]), what


# ---- hostile names

HOSTILE = [
    "folds", "x folds", "Ada brings in 2€", "Ada", "*** SUMMARY ***", "*** THIRD ***", "a: b", "$5",
    "[X X 8h]", "Seat 3: y (9€)", "pot", "x collected 9€ from pot", "(5€)", "Dealt to Ada [Kh]",
    "9€ | No rake", "raises 4€ to", "é à ü", "won 3€", "Winamax Poker - CashGame",
]  # fmt: skip


@pytest.mark.parametrize("exported", [False, True], ids=["client", "exported"])
def test_a_hostile_name_is_only_a_name(exported: bool) -> None:
    chance = random.Random(7)
    for seed in range(60):
        hand = winamax_playout(seed)
        seats = [player.seat for player in hand.players]
        names = dict(zip(seats, chance.sample(HOSTILE, len(seats)), strict=True))
        plain = Rendering(hand, seed + 1, exported).text()
        hostile = Rendering(hand, seed + 1, exported, names=names, absent="x bets 1€").text()
        checked = check(hostile)
        assert checked.codes == check(plain).codes, hostile + checked.explained()
        assert checked.replayed is not None
        assert not differences(results(clean(render(hand))), results(checked.replayed))
        assert {Seat(r.seat): r.name for r in checked.replayed.results} == names
