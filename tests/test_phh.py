"""PHH: hands of live events, quirks of the format, random hands, damage, hostile names, numbers."""

import random
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

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
    hand_text,
    hands_of,
    results,
)
from playouts import CASH, CHIPS, random_playout, render
from room_phh import Rendering
from syntax_cases import load
from test_wsop import History

from razzstats.diagnostics import sort_diagnostics
from razzstats.events import Note, Wager
from razzstats.locations import HandText
from razzstats.lowball import best_low
from razzstats.parsing import read_heading
from razzstats.parsing.chip_count import ChipCount
from razzstats.parsing.phh.payouts import collects
from razzstats.pipeline import Status, read_file, read_hand
from razzstats.pots import award, build_pots
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import ActionKind

PLAYOUTS = 150
DAMAGES = 40  # of each sample
FOLDER = SAMPLES / "phh"
SAMPLE_FILES = sorted(FOLDER.iterdir())


def nets(hand: ReplayedHand) -> list[int]:
    return [int(result.net) for result in hand.results]


# ---- hands of a World Series event


@pytest.fixture(scope="module")
def event() -> list[Checked]:
    """Return the hands of the corpus in the order in which they were played."""
    files = sorted(corpus_folder("phh").glob("*.phh"))
    return [checked for file in files for checked in check_file(file)]


def test_every_hand_of_the_event_is_read(event: list[Checked]) -> None:
    assert len(event) == 6
    for checked in event:
        assert set(checked.codes) <= {"tied-opener"}, checked.explained()
        assert checked.parsed
        assert checked.parsed.played_at is None
        assert checked.parsed.stakes.money == ("chips", 0)
        assert checked.parsed.hand_id.number.split("-")[0] == str(told(checked)["hand"])


def test_the_event_comes_to_what_the_rules_alone_make_of_it(event: list[Checked]) -> None:
    files = sorted(corpus_folder("phh").glob("*.phh"))
    for checked, file in zip(event, files, strict=True):
        assert checked.replayed
        assert nets(checked.replayed) == History(file).run().payoffs, file.name
        assert checked.replayed.rake == 0


def test_stacks_go_on_from_hand_to_hand(event: list[Checked]) -> None:
    for before, after in pairwise(event):
        assert before.replayed
        left = [int(result.stack + result.net) for result in before.replayed.results]
        assert left == told(after)["starting_stacks"]


def told(checked: Checked) -> dict[str, Any]:
    return tomllib.loads("\n".join(checked.text.lines))


# ---- the samples


@pytest.mark.parametrize("file", SAMPLE_FILES, ids=lambda file: file.name)
def test_samples_add_up(file: Path) -> None:
    for checked in check_file(file):
        if checked.codes == ["other-game"]:
            continue
        hand = clean(checked.text)
        assert sum(nets(hand)) == -hand.rake
        # What the text itself says of the end.
        values = told(checked).get("finishing_stacks") or next(
            (
                value.get("finishing_stacks")
                for value in told(checked).values()
                if isinstance(value, dict)
            ),
            None,
        )
        if values:
            unit = 10**hand.parsed.stakes.money.decimals
            left = [(result.stack + result.net) / unit for result in hand.results]
            assert left == values


def test_other_variants_are_named() -> None:
    found = check_file(FOLDER / "edge-other-variants.phhs")
    said = [each.diagnostics[0].message for each in found if each.diagnostics]
    assert said == [
        "a hand of Fixed-limit Seven-Card Stud, not Razz",
        "a hand of No-limit Texas Hold'em, not Razz",
    ]


# ---- quirks

CASES = load("phh")["case"]


def text_of(case: dict[str, Any]) -> HandText:
    lines = load("phh")["hands"][case["hand"]].strip("\n").split("\n")
    if "cut_after" in case:
        lines = lines[: lines.index(case["cut_after"]) + 1]
        return HandText("hand.phh", 1, tuple(lines), last_in_file=True)
    if "line" in case:
        old = case["line"].split("\n")
        place = next(n for n in range(len(lines)) if lines[n : n + len(old)] == old)
        new = case["becomes"].split("\n") if case["becomes"] else []
        lines[place : place + len(old)] = new
    return HandText("hand.phh", 1, tuple(lines))


@pytest.mark.parametrize("case", [case for case in CASES if "code" in case], ids=lambda c: c["id"])
def test_what_cannot_be_meant_is_told_with_its_place(case: dict[str, Any]) -> None:
    found = sort_diagnostics(check(text_of(case)).diagnostics)[0]
    assert found.span
    place = f"{found.span.line}:{found.span.column}"
    assert (found.code.name, place) == (case["code"], case["at"]), found


@pytest.mark.parametrize(
    "case", [case for case in CASES if "code" not in case], ids=lambda c: c["id"]
)
def test_what_the_format_may_say_is_understood(case: dict[str, Any]) -> None:
    hand = clean(text_of(case))
    tournament = hand.parsed.tournament
    when = hand.parsed.played_at
    events = hand.parsed.events
    facts = {
        "nets": nets(hand),
        "rake": hand.rake,
        "names": [result.name for result in hand.results],
        "seats": [result.seat for result in hand.results],
        "hero": hand.parsed.hero or 0,
        "table": [hand.parsed.table, hand.parsed.max_seats],
        "money": [*hand.parsed.stakes.money],
        "tournament": [tournament.number, tournament.level] if tournament else None,
        "played_at": when.isoformat() if when else "",
        "notes": [event.text for event in events if isinstance(event, Note)],
        "wager": [[int(e.seat), int(e.to)] for e in events if isinstance(e, Wager)][-1:],
    }
    expected = {key: case[key] for key in case if key in facts}
    assert expected
    if "wager" in expected:
        expected["wager"] = [expected["wager"]]
    assert {key: facts[key] for key in expected} == expected


def test_each_quirk_has_a_source_and_a_name_of_its_own() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert all(case["source"] for case in CASES)


# ---- places


def test_actions_on_one_line_are_told_apart_by_their_columns() -> None:
    lines = load("phh")["hands"]["folded"].strip("\n").split("\n")
    start, end = lines.index("actions = ["), lines.index("]")
    actions = "".join(lines[start : end + 1])
    (wager,) = re.findall(r"'p3 cbr 5'", actions)
    text = [*lines[:start], actions.replace(wager, "'p3 cbr 6'"), *lines[end + 1 :]]
    (found,) = check("\n".join(text)).diagnostics
    assert found.code.name == "wager-off-size"
    assert found.span
    assert found.span.line == start + 1
    assert found.span.column == actions.index("cbr 5") + 1


def test_strings_in_other_fields_are_no_actions() -> None:
    text = load("phh")["hands"]["folded"].strip("\n")
    hostile = "author = \"\"\"\nactions = ['p9 f']\n\"\"\"\n_x = 'y' # actions = ['p9 f']\n"
    variant, _, rest = text.partition("\n")
    assert nets(clean(f"{variant}\n{hostile}{rest}")) == [9, -3, -6]


# ---- random hands


@pytest.mark.parametrize("stakes", [CASH, CHIPS], ids=["cash", "chips"])
def test_random_hands_come_to_the_same_as_in_another_format(stakes: Any) -> None:
    for seed in range(PLAYOUTS // 2):
        playout = random_playout(seed, stakes=stakes, deep=[True, False, None][seed % 3])
        text = Rendering(playout, random.Random(seed), seed).text()
        found = differences(results(clean(render(playout))), results(clean(text)))
        assert not found, (seed, found, text)


def test_pots_are_shared_as_the_rules_share_them() -> None:
    shared = 0
    for seed in range(PLAYOUTS):
        hand = random_playout(seed, deep=False)
        state = hand.state
        if not state.showdown:
            continue
        lows = {seat: best_low(hand.hands[seat]) for seat in state.live_seats}
        if state.community:
            continue
        pots = build_pots(state.contributed, state.folded)
        expected = [
            (seat, amount, number if len(pots) > 1 else None)
            for number, pot in enumerate(pots)
            for seat, amount in award(pot, lows).items()
        ]
        count = ChipCount()
        for event in hand.events:
            count.count(event)
        found = collects(count, lows, None, 0)
        assert found is not None
        assert [(each.seat, each.amount, each.pot) for each in found] == expected
        shared += len(pots) > 1
    assert shared > PLAYOUTS // 10


# ---- damage

AMOUNTS = re.compile(r"(?<![\w.'])[0-9]+(?:\.[0-9]+)?(?![\w.])")
ACTION = re.compile(r"(?P<quote>['\"])(?P<words>(?:d d|p[0-9]+ ).*?)(?P=quote),? ?")
WITH_AMOUNTS = ("antes", "bring_in", "small_bet", "big_bet", "starting_stacks", "actions", "seats",
                "winnings", "finishing_stacks")  # fmt: skip

MAY_CHANGE_UNNOTICED = {
    ("amount", "bring_in"): "nothing repeats what the bring-in was, unless the winnings are told",
    ("amount", "winnings"): "what is missing from the pot is rake, which nothing else tells",
    ("amount", "starting_stacks"): "and so with stacks, where they stand for the winnings",
    ("line dropped", "winnings"): "without winnings there is no rake",
    ("amount", "seats"): "a seat's number stands here alone",
    ("line dropped", "seats"): "without seats the players sit side by side",
}
"""What may change the results in silence, and why nobody can know."""


class Damage(NamedTuple):
    """One change to a hand."""

    kind: str
    key: str
    text: str


def counted(hand: ReplayedHand) -> Facts:
    """Return what a hand comes to; how often somebody shows the same cards is no part of it."""
    found = results(hand)
    shows = [action for action in found["other actions",] if action[1] is ActionKind.SHOW]
    found["other actions",] = [a for a in found["other actions",] if a not in shows]
    found["shown",] = set(shows)
    return found


def sample_hands() -> list[HandText]:
    hands = [hand for file in SAMPLE_FILES for hand in hands_of(file)]
    return [hand for hand in hands if not check(hand).diagnostics]


def key_of(lines: list[str], index: int) -> str:
    """Return the field that a line belongs to."""
    for line in reversed(lines[: index + 1]):
        if match := re.match(r"(\w+) *=", line):
            return match[1]
    return ""


def damages(lines: list[str]) -> Iterator[Damage]:
    for index, line in enumerate(lines):
        key, before, after = key_of(lines, index), lines[:index], lines[index + 1 :]

        def changed(*new: str, before: list[str] = before, after: list[str] = after) -> str:
            return "\n".join([*before, *new, *after]) + "\n"

        yield Damage("line dropped", key, changed())
        yield Damage("line doubled", key, changed(line, line))
        if after:
            yield Damage("lines swapped", key, changed(after[0], line, after=after[1:]))
        if key in WITH_AMOUNTS:
            yield from (Damage("amount", key, changed(new)) for new in other_amounts(line, key))
        if key == "actions":
            yield from (Damage("action", key, changed(new)) for new in other_actions(line))


def other_amounts(line: str, key: str) -> Iterator[str]:
    for match in AMOUNTS.finditer(line):
        if key == "actions" and not line[: match.start()].endswith("cbr "):
            continue
        whole, point, fraction = match[0].partition(".")
        others = [f"{int(whole) + 1}{point}{fraction}", f"{match[0]}0" if not point else "0"]
        for other in others:
            yield line[: match.start()] + other + line[match.end() :]


def other_actions(line: str) -> Iterator[str]:
    actions = list(ACTION.finditer(line))
    for match in actions:
        yield line[: match.start()] + line[match.end() :]
        yield line[: match.start()] + match[0].rstrip(", ") + ", " + line[match.start() :]
    for one, other in pairwise(actions):
        swapped = [other[0].rstrip(", "), one[0]]
        yield line[: one.start()] + ", ".join(swapped) + line[other.end() :]


def test_a_damage_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    silent = damaged_in_silence(tmp_path, most=DAMAGES)
    assert silent <= MAY_CHANGE_UNNOTICED.keys()


@pytest.mark.slow
def test_every_damage_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    assert damaged_in_silence(tmp_path) == MAY_CHANGE_UNNOTICED.keys()


def damaged_in_silence(folder: Path, most: int | None = None) -> set[tuple[str, str]]:
    """Damage the samples in every way, or so many; return what changed results in silence."""
    silent = set()
    file = folder / "damaged.phhs"
    for hand in sample_hands():
        whole, found = counted(clean(hand)), list(damages(list(hand.lines)))
        drawn = random.Random(hand.lines[1]).sample(found, min(most or len(found), len(found)))
        for damage in drawn:
            file.write_text(damage.text, encoding="utf-8")
            pieces = check_file(file)
            if any(piece.diagnostics for piece in pieces):
                continue
            (piece,) = pieces
            assert piece.replayed
            if differences(whole, counted(piece.replayed)):
                silent.add((damage.kind, damage.key))
    return silent


def test_a_hand_cut_anywhere_is_no_other_hand(tmp_path: Path) -> None:
    file = tmp_path / "growing.phh"
    whole = load("phh")["hands"]["shown"].strip("\n")
    for length in range(1, whole.index("\n]")):
        file.write_text(whole[:length], encoding="utf-8")
        (outcome,) = read_file(str(file))
        assert outcome.status in (Status.INCOMPLETE, Status.FAILED_FILE, Status.REJECTED), length
        if length > len("variant = 'FR'"):
            assert outcome.status is Status.INCOMPLETE, whole[:length]


@pytest.mark.parametrize(
    "value",
    ["[" * 5_000, "{a = " * 3_000, "9" * 6_000, "1e99999999999999999999", "'''", '"\\ud800"',
     "nan"],
)  # fmt: skip
def test_a_monstrous_value_is_a_finding(value: str) -> None:
    text = load("phh")["hands"]["folded"].replace("bring_in = 2", f"bring_in = {value}")
    assert check(text).diagnostics[0].is_error


# ---- hostile names


@pytest.mark.parametrize(
    "name",
    ["p1", "p2 f", "d dh p1 2c", "x: folds", "PC [Mittel]", "antes $4", "a]", "[1]", "# no",
     "variant = 'FR'", "'\"\\", "\n\n[2]\nvariant = 'FR'\n", "\x1b[31m", "Ünïcödé", "🂡"],
)  # fmt: skip
def test_a_name_is_nothing_but_a_name(name: str) -> None:
    playout = random_playout(5, players=4)
    names = {playout.players[1].seat: name}
    text = Rendering(playout, random.Random(1), names=names).text()
    hand = clean(text)
    assert hand.results[1].name == name
    assert not differences(results(clean(render(playout))), results(hand))


# ---- several hands in a file, and their numbers


def numbers(text: str, tmp_path: Path) -> list[str]:
    file = tmp_path / "hands.phhs"
    file.write_text(text, encoding="utf-8")
    return [hand_id.number for o in read_file(str(file)) if (hand_id := o.hand_id)]


def test_hands_are_cut_at_their_headings_and_without_them(tmp_path: Path) -> None:
    hands = [load("phh")["hands"][name] for name in ("folded", "shown", "capped")]
    plain = numbers("".join(hands), tmp_path)
    headed = "".join(f"# hand\n[{n}]\n{hand}\n" for n, hand in enumerate(hands, 1)) + "# end\n[4]\n"
    assert numbers(headed, tmp_path) == plain
    assert len({*plain}) == 3
    assert [number.split("-")[0] for number in plain[:2]] == ["7", "8"]


def test_the_same_text_has_the_same_number_and_another_has_another() -> None:
    text = load("phh")["hands"]["folded"].strip("\n")
    heading = read_heading(hand_text(text))
    assert heading
    for same in (f"[3]\n{text}", text.replace("\n", "  \n"), f"# x\n\n{text}\n\n[4]"):
        again = read_heading(hand_text(same))
        assert again
        assert again.hand_id == heading.hand_id
    other = read_heading(hand_text(text.replace("120", "121")))
    assert other
    assert other.hand_id != heading.hand_id


def test_a_hand_that_was_stored_is_read_from_its_own_text() -> None:
    for hand in sample_hands():
        again = read_hand(HandText("", 1, tuple(hand.text.split("\n"))))
        assert again.hand
        assert again.hand_id == clean(hand).parsed.hand_id


def test_lines_that_lead_hands_of_other_rooms_do_no_harm() -> None:
    text = load("phh")["hands"]["folded"].strip("\n")
    alone = read_hand(hand_text(text))
    after_another = read_hand(hand_text(f'<description type="Holdem"/>\n{text}'))
    assert alone.status is after_another.status is Status.OK
    assert alone.hand_id == after_another.hand_id
