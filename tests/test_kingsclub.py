"""KingsClub: real hands, every quirk of its texts, random hands, damages and hostile names."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hands import (
    SAMPLES,
    Checked,
    Facts,
    check,
    check_file,
    clean,
    corpus_folder,
    differences,
    hands_of,
    results,
    text_files,
)
from line_damages import LineDamage, changed_line, moved_lines
from playouts import random_playout, render
from room_kingsclub import has_unlisted_pot, render_kingsclub
from syntax_cases import load

from razzstats.events import Collect, Street, StreetStart
from razzstats.parsing import CUTTING
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import DECISIONS, ActionKind

TEXTS = load("kingsclub")
QUIRKS: list[dict[str, Any]] = TEXTS["quirk"]
PLAYOUTS = 220  # some of them have eight players, for whom this room has no seats
SAMPLE_HANDS = [hand for file in text_files(SAMPLES / "kingsclub") for hand in hands_of(file)]


def nets(hand: ReplayedHand) -> dict[str, int]:
    return {result.name: result.net for result in hand.results}


# ---- real hands


def test_the_real_razz_hand_is_stored_with_the_nets_of_its_text() -> None:
    (checked,) = check_file(corpus_folder("kingsclub") / "heads-up-2021.txt")
    assert not checked.diagnostics, checked.explained()
    assert checked.replayed
    assert sorted(nets(checked.replayed).values()) == [-5000, 4900]
    assert (checked.replayed.pot, checked.replayed.rake) == (10_000, 100)
    assert sum(nets(checked.replayed).values()) == -checked.replayed.rake


def test_the_real_hand_of_two_seven_razz_is_another_game() -> None:
    (checked,) = check_file(corpus_folder("kingsclub") / "2-7-razz-2021.txt")
    assert checked.codes == ["other-game"]
    assert checked.diagnostics[0].message == "a hand of 2-7 Razz, not Razz"


def test_a_real_hand_that_breaks_off_is_truncated(tmp_path: Path) -> None:
    lines = (corpus_folder("kingsclub") / "heads-up-2021.txt").read_text().splitlines()
    file = tmp_path / "broken.txt"
    for length in range(1, len(lines)):
        file.write_text("\n".join(lines[:length]) + "\n", encoding="utf-8")
        assert [checked.codes for checked in check_file(file)] == [["truncated-hand"]]


# ---- quirks


def quirk_text(row: dict[str, Any]) -> str:
    """Return the row's hand with its changes; each old text must be there."""
    text: str = TEXTS[row.get("hand", "base")].strip("\n") + "\n"
    for old, new in row.get("changes", ()):
        assert old in text, old
        text = text.replace(old, new)
    if "cut_after" in row:
        text = text[: text.index(row["cut_after"])] + row["cut_after"]
    return text


def facts_of(hand: ReplayedHand) -> dict[str, Any]:
    """Return what a row may say of a hand."""
    parsed, names = hand.parsed, {player.seat: player.name for player in hand.parsed.players}
    third = [a for a in hand.actions if a.street is Street.THIRD and a.kind in DECISIONS]
    return {
        "number": parsed.hand_id.number,
        "played_at": parsed.played_at and parsed.played_at.isoformat(),
        "table": parsed.table,
        "tournament": parsed.tournament and parsed.tournament.number,
        "bets": [parsed.stakes.small_bet, parsed.stakes.big_bet],
        "currency": parsed.stakes.money.currency,
        "stacks": [player.stack for player in parsed.players],
        "hero": hand.hero and hand.hero.name,
        "streets": [e.street.name for e in parsed.events if isinstance(e, StreetStart)],
        "last_street": {result.name: result.last_street.name for result in hand.results},
        "third": [f"{action.kind.value} {action.amount}" for action in third],
        "all_in": [result.name for result in hand.results if result.all_in],
        "cards": {r.name: " ".join(str(c or "?") for c in r.cards) for r in hand.results},
        "nets": nets(hand),
        "rake": hand.rake,
        "collected": [
            f"{names[e.seat]} {e.amount} {e.pot}" for e in parsed.events if isinstance(e, Collect)
        ],
    }


@pytest.mark.parametrize("row", QUIRKS, ids=lambda row: row["id"])
def test_a_quirk_of_the_text_is_understood(row: dict[str, Any]) -> None:
    checked = check(quirk_text(row))
    assert checked.codes == row.get("codes", []), checked.explained()
    if "says" in row:
        assert row["says"] in {found.message for found in checked.diagnostics}
    if checked.replayed and not any(found.is_error for found in checked.diagnostics):
        facts = facts_of(checked.replayed)
        for name in row.keys() & facts.keys():
            told = facts[name]
            if isinstance(told, dict):
                told = {key: told[key] for key in row[name]}
            assert told == row[name], name
    else:
        assert not row.keys() - {"id", "source", "hand", "changes", "codes", "says", "cut_after"}


def test_every_quirk_has_a_name_and_a_source() -> None:
    assert len({row["id"] for row in QUIRKS}) == len(QUIRKS)
    assert all(row["source"] for row in QUIRKS)


@pytest.mark.parametrize(
    "line",
    [
        "#81: Limit Razz",
        "#81: Limit Razz - a/b",
        "# 81: Limit Razz - 40/80",
        "#81: the limit - 40/80",
        "#81: Chapter one - 3/4",
        "#1: No Limit is what I like",
        "## 1: Limit Razz - 40/80",
        "#81 Limit Razz - 40/80",
        "Hand #81: Limit Razz - 40/80",
        "#81: Limit Razz - 40/80 (see below)",
    ],
)
def test_a_line_that_only_looks_like_a_first_line_begins_no_hand(line: str) -> None:
    assert not CUTTING.is_first_line(line)


def test_a_hand_shown_early_may_keep_its_last_card_hidden() -> None:
    replayed = clean(TEXTS["shown_early"])
    assert nets(replayed) == {"Ann": -65_000, "Cy": 65_000}
    assert facts_of(replayed)["cards"]["Cy"] == "3d 7s Kh 8c 2d 6c ?"


def test_a_raise_over_a_short_all_in_is_a_whole_bet_from_the_bring_in() -> None:
    assert nets(clean(TEXTS["short_all_in"])) == {"Ann": -30_000, "Ben": -25_000, "Cy": 55_000}


# ---- the samples


def test_every_sample_is_read_without_an_error() -> None:
    found = {hand.file: check(hand) for hand in SAMPLE_HANDS}
    for file, checked in found.items():
        expected = ["derived-winnings"] if "unlisted" in file else []
        assert checked.codes == expected, checked.explained()


@pytest.mark.parametrize("hand", SAMPLE_HANDS, ids=lambda hand: hand.lines[0])
def test_the_nets_of_a_sample_add_up_to_minus_the_rake(hand: Any) -> None:
    replayed = check(hand).replayed
    assert replayed
    assert sum(nets(replayed).values()) == -replayed.rake
    assert replayed.rake >= 0


def test_the_session_shows_all_ways_to_end_a_hand() -> None:
    file = next((SAMPLES / "kingsclub").glob("cash-*.txt"))
    hands = [clean(hand) for hand in hands_of(file)]
    kinds = [[action.kind for action in hand.actions] for hand in hands]
    assert any(result.showdown for hand in hands for result in hand.results)
    wagers = {ActionKind.COMPLETE, ActionKind.BET, ActionKind.RAISE, ActionKind.CALL}
    assert any(wagers.isdisjoint(kind) for kind in kinds)  # a walk
    assert any(ActionKind.COMPLETE in k and ActionKind.BRING_IN in k for k in kinds)
    assert any(ActionKind.BRING_IN not in kind for kind in kinds)  # completed at once


# ---- random hands


def without_reveals(facts: Facts) -> Facts:
    """Return the facts without what this room does not tell: who mucks, and pot by pot."""
    untold = (ActionKind.COLLECT, ActionKind.SHOW, ActionKind.MUCK)
    told = [action for action in facts["other actions",] if action[1] not in untold]
    return {**facts, ("other actions",): told}


@pytest.mark.parametrize("late", [True, False], ids=["markers late", "own markers"])
def test_random_hands_come_to_the_same_as_in_another_room(late: bool) -> None:
    tried = 0
    for seed in range(PLAYOUTS):
        hand = random_playout(seed)
        if len(hand.players) > 7:
            continue
        tried += 1
        checked = check(render_kingsclub(hand, seed + 1, late=late))
        expected = {"derived-winnings"} if has_unlisted_pot(hand) else set()
        assert set(checked.codes) == expected, (seed, checked.explained())
        assert checked.replayed
        other = clean(render(hand, seed + 1))
        changed = differences(*map(without_reveals, (results(checked.replayed), results(other))))
        assert not changed, (seed, changed)
    assert tried >= 150


# ---- damages

AMOUNT = re.compile(r"(?<=[ (/+-])[0-9][0-9,]*(?:\.[0-9]+)?(?=[),/]|$)")
MAY_COME_TO_ELSE = {
    "brings in for": "the stakes do not say how much is brought in, and calls are totals",
}
"""Which damages may change a decision in silence, and why; what is won and lost stays."""


def damages(lines: Sequence[str]) -> Iterator[LineDamage]:
    yield from moved_lines(lines)
    for index, line in enumerate(lines):
        yield from changed_line(lines, index, with_other_amounts(line))


def with_other_amounts(line: str) -> Iterator[str]:
    for match in AMOUNT.finditer(line):
        for other in ("0", "7", match[0] + "1", "1" + match[0]):
            yield line[: match.start()] + other + line[match.end() :]


DECIDED = {("decisions",), ("other actions",)}


def comes_to_else(damage: LineDamage, base: Facts, pieces: Sequence[Checked]) -> str | None:
    """Return how a damaged hand became another in silence, or None if it did not."""
    if any(piece.diagnostics for piece in pieces):
        return None
    if len(pieces) != 1 or pieces[0].replayed is None:
        return f"{damage}: {len(pieces)} hands"
    changed = differences(base, results(pieces[0].replayed))
    if any(words in damage.new for words in MAY_COME_TO_ELSE):
        changed = [name for name in changed if name not in DECIDED]
    return f"{damage}: {changed}" if changed else None


@pytest.mark.parametrize("hand", SAMPLE_HANDS, ids=lambda hand: hand.lines[0])
def test_a_damage_is_told_or_changes_nothing(hand: Any, tmp_path: Path) -> None:
    replayed = check(hand).replayed
    assert replayed
    base, file = results(replayed), tmp_path / "damaged.txt"
    found = []
    for damage in damages(hand.lines):
        file.write_text("\n".join(damage.lines) + "\n", encoding="utf-8")
        found.append(comes_to_else(damage, base, check_file(file)))
    assert [one for one in found if one] == []


# ---- hostile names

HOSTILE = [
    "Ben folds",
    "Ben: posts ante 100",
    "x (9) -3",
    "wins pot (7,440)",
    "shows [2c]",
    "$5",
    "Seat 6: Cy (1)",
    "*** SUMMARY ***",
    "[X X 2c]",
    "a: b, and is all in",
    "#7: Limit Razz - 4/8",
    "Rake 10",
    "calls 40",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_never_taken_for_something_else(name: str) -> None:
    text = re.sub(r"\bBen\b", name.replace("\\", ""), TEXTS["base"])
    replayed = clean(text)
    assert nets(replayed) == {"Ann": -25_000, name: 384_000, "Cy": -360_000}
