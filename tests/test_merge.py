"""Merge's XML is read: real hands, the room's own ways, random hands, damages, hostile names."""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from hands import (
    SAMPLES,
    Checked,
    Facts,
    check,
    check_file,
    clean,
    concise,
    corpus_folder,
    differences,
    hand_text,
    hands_of,
    results,
)
from line_damages import LineDamage, changed_line, moved_lines
from playouts import CASH, CHIPS, Playout, random_playout
from playouts import render as render_pokerstars
from room_merge import DIALECTS, NEW, OLD, Dialect, Rendering, render
from syntax_cases import load

from razzstats.cards import format_cards
from razzstats.diagnostics import codes
from razzstats.events import Note
from razzstats.locations import HandText
from razzstats.parsing import read_heading
from razzstats.pipeline import Status, read_file
from razzstats.replay import ReplayedHand
from razzstats.rules.actions import ActionKind

CASES = load("merge")["case"]
HANDS = {name: text.strip("\n") for name, text in load("merge")["hands"].items()}
FILES = sorted((SAMPLES / "merge").glob("*.xml"))

REVEALS = (ActionKind.SHOW, ActionKind.MUCK)


def nets(hand: ReplayedHand) -> dict[int, int]:
    return {result.seat: result.net for result in hand.results}


def facts(hand: ReplayedHand, *, reveals: bool = True) -> Facts:
    found = results(hand)
    if not reveals:
        others = found["other actions",]
        found["other actions",] = [action for action in others if action[1] not in REVEALS]
    return found


# ---- real hands


@pytest.fixture(scope="module")
def corpus() -> dict[str, list[Checked]]:
    files = sorted(corpus_folder("merge").glob("*.xml"))
    return {file.name: check_file(file) for file in files}


def test_every_whole_razz_hand_of_the_corpus_is_read_without_a_word(
    corpus: dict[str, list[Checked]],
) -> None:
    hands = [hand for file in corpus.values() for hand in file if hand.replayed]
    assert [concise(hand.diagnostics) for hand in hands] == [[], [], []]
    for hand in hands:
        assert hand.replayed
        assert sum(nets(hand.replayed).values()) == -hand.replayed.rake


CORPUS = [
    ("cash-2011-all-in.xml", 0, 797, 39, {4: -296, 6: 462, 7: -205}),
    ("horse-tournament-2011-razz.xml", 0, 615, 0,
     {1: -5, 2: -5, 3: 345, 4: -20, 5: -20, 6: -5, 7: -270, 8: -20}),
    ("horse-tournament-2011-razz.xml", 1, 1205, 0,
     {1: -105, 2: -5, 3: -5, 4: -155, 5: -20, 6: -5, 7: -455, 8: 750}),
]  # fmt: skip


@pytest.mark.parametrize(("file", "place", "pot", "rake", "expected"), CORPUS)
def test_a_real_hand_comes_to_what_its_text_adds_up_to(
    corpus: dict[str, list[Checked]],
    file: str,
    place: int,
    pot: int,
    rake: int,
    expected: dict[int, int],
) -> None:
    hand = corpus[file][place].replayed
    assert hand
    assert (hand.pot, hand.rake, nets(hand)) == (pot, rake, expected)


def test_real_tournament_stacks_go_from_hand_to_hand(corpus: dict[str, list[Checked]]) -> None:
    before, after = (hand.replayed for hand in corpus["horse-tournament-2011-razz.xml"])
    assert before
    assert after
    left = {result.name: result.stack + result.net for result in before.results}
    assert left == {result.name: result.stack for result in after.results}


def test_a_real_hand_tells_its_table(corpus: dict[str, list[Checked]]) -> None:
    cash, tournament = corpus["cash-2011-all-in.xml"][0], corpus["horse-tournament-2011-razz.xml"]
    assert cash.parsed
    assert cash.parsed.table == "Pinatubo (43618199)"
    assert (cash.parsed.stakes.small_bet, cash.parsed.stakes.bring_in) == (50, 10)
    assert cash.parsed.hero == 4
    assert cash.parsed.played_at
    assert cash.parsed.played_at.isoformat() == "2011-11-16T03:36:28+00:00"
    parsed = tournament[0].parsed
    assert parsed
    assert parsed.tournament
    assert (parsed.tournament.number, parsed.mixed_game) == ("36447024", "HORSE")
    assert (parsed.stakes.small_bet, parsed.stakes.big_bet, parsed.stakes.ante) == (50, 100, 5)


def test_a_real_hand_that_breaks_off_is_incomplete() -> None:
    (outcome,) = read_file(str(corpus_folder("merge") / "cash-2015-v2.1-truncated.xml"))
    assert outcome.status is Status.INCOMPLETE
    assert outcome.hand_id == ("merge", "82996905-193")
    assert [found.code for found in outcome.diagnostics] == [codes.TRUNCATED_HAND]


# ---- the room's own ways


def changed(case: dict[str, Any]) -> str:
    text: str = HANDS[case["hand"]]
    for old, new in case.get("replace", ()):
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    for old, new in case.get("replace_all", ()):
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("name", sorted(HANDS))
def test_the_hands_are_without_fault_before_they_are_changed(name: str) -> None:
    clean(HANDS[name])


@pytest.mark.parametrize(
    "case", [case for case in CASES if "code" not in case], ids=lambda case: case["id"]
)
def test_what_the_room_writes_in_its_own_way(case: dict[str, Any]) -> None:
    hand = clean(changed(case))
    if "nets" in case:
        assert nets(hand) == {int(seat): net for seat, net in case["nets"].items()}
    else:
        before = facts(clean(HANDS[case["hand"]]), reveals="once_less" not in case)
        assert differences(before, facts(hand, reveals="once_less" not in case)) == []
    if "stacks" in case:
        assert {str(result.seat): result.stack for result in hand.results} == case["stacks"]
    for seat, cards in case.get("shown", {}).items():
        known = next(result.cards for result in hand.results if result.seat == int(seat))
        assert format_cards(known) == cards


@pytest.mark.parametrize(
    "case", [case for case in CASES if "code" in case], ids=lambda case: case["id"]
)
def test_what_cannot_be_is_told_with_its_place(case: dict[str, Any]) -> None:
    lines = tuple(changed(case).split("\n"))
    checked = check(HandText("hand.xml", 101, lines, last_in_file=True))
    assert checked.diagnostics, "nothing was noticed"
    found = checked.diagnostics[0]
    assert found.code.name == case["code"], checked.explained()
    assert found.span
    span = found.span
    place = f"{span.line - 100}:{span.column}"
    assert place == case.get("at", place)
    marked = lines[span.line - 101][span.column - 1 : span.end_column - 1]
    assert marked == case.get("marks", marked)
    assert found.message == case.get("message", found.message)
    assert found.help == case.get("help", found.help)


def test_every_case_has_a_name_of_its_own_and_a_source() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert all(re.match("formats 4|peer-bugs", case["source"]) for case in CASES)
    for point in ("4.6.1", "4.6.2", "4.6.3", "4.6.4", "peer-bugs 6", "peer-bugs 21"):
        assert any(point in case["source"] for case in CASES)


def test_a_description_holds_for_the_hands_behind_it(tmp_path: Path) -> None:
    file = tmp_path / "hands.xml"
    description, _, second = HANDS["folded"].partition("\n")
    file.write_text(f"{HANDS['showdown']}\n\n{second}\n", encoding="utf-8")
    one, other = hands_of(file)
    assert (one.context, other.context) == ((), (description,))
    assert other.first_line == 60
    parsed = clean(other).parsed
    assert (parsed.stakes.small_bet, parsed.events[0].line) == (50, 7)
    alone = HandText("stored", 1, tuple(other.text.split("\n")))
    assert differences(facts(clean(alone)), facts(clean(other))) == []


def test_a_description_of_a_hand_that_is_not_written_yet_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "hands.xml"
    description = HANDS["folded"].partition("\n")[0]
    file.write_text(f"{HANDS['showdown']}\n\n{description}\n", encoding="utf-8")
    (hand,) = hands_of(file)
    clean(hand)


@pytest.mark.parametrize("lines", [
    ["<!DOCTYPE hand [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>"],
    ["<!ENTITY a 'aaaa'>"],
])  # fmt: skip
def test_nothing_in_a_file_can_declare_entities(lines: list[str]) -> None:
    text = HANDS["showdown"].replace("\t<players", "\n".join(lines) + "\n\t<players", 1)
    checked = check(text)
    assert checked.codes == ["unexpected-line"]
    assert checked.diagnostics[0].span
    assert checked.diagnostics[0].span.line == 3


def test_an_entity_that_nobody_declared_is_told() -> None:
    checked = check(HANDS["showdown"].replace('"Carla"', '"&carla;"'))
    assert checked.codes == ["unexpected-line"]
    assert checked.diagnostics[0].message == "the XML is broken here: undefined entity"


def test_wrapping_tags_change_nothing() -> None:
    text = f'<?xml version="1.0"?>\n<session>\n{HANDS["showdown"]}\n</session>\n</history>'
    assert differences(facts(clean(HANDS["showdown"])), facts(clean(text))) == []


def test_a_tag_that_cannot_be_read_is_a_header_that_cannot() -> None:
    checked = check(HANDS["showdown"].replace('realmoney="true"', "realmoney=true"))
    assert checked.codes == ["malformed-header"]
    assert checked.diagnostics[0].hand_id == ("merge", "70000001-1")


@pytest.mark.parametrize("line", ["", "<game>", "<game gamecode='1'>", 'game id="1"', "<xgame"])
def test_what_only_looks_like_a_game_begins_no_hand(line: str) -> None:
    assert read_heading(HandText("hand.xml", 1, (line,))) is None


def test_comings_and_goings_are_notes() -> None:
    leaves = '<event type="LEAVE" player="5"/>'
    text = HANDS["showdown"].replace('sequence="5">', f'sequence="5">\n\t\t{leaves}', 1)
    notes = [event for event in clean(text).parsed.events if isinstance(event, Note)]
    assert [note.text for note in notes] == [leaves]


def test_another_game_may_use_the_words_of_stud() -> None:
    holdem, razz, stud = check_file(SAMPLES / "merge" / "edge-horse.xml")
    assert (holdem.codes, stud.codes) == (["other-game"], ["other-game"])
    assert any('type="COMPLETE"' in line for line in holdem.text.lines)
    assert razz.parsed
    assert razz.parsed.mixed_game == "HORSE"


# ---- random hands


def stakes_are_told(hand: Playout) -> bool:
    """Return whether the wagers tell the stakes where the text does not."""
    return check(render(hand, 1, DIALECTS["tournament"])).codes != ["malformed-stakes"]


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("deep", [True, False])
def test_a_random_hand_comes_to_the_same_as_in_pokerstars_words(name: str, deep: bool) -> None:
    dialect, played = DIALECTS[name], 0
    for seed in range(40):
        stakes = CHIPS if dialect.tournament else CASH
        hand = random_playout(seed, stakes=stakes, deep=deep)
        if dialect.tournament and (hand.rake or not stakes_are_told(hand)):
            continue
        rendering = Rendering(hand, seed + 1, dialect)
        text = rendering.text()
        reveals = not rendering.face_up  # the room turns them all up, PokerStars only some
        found = facts(clean(text), reveals=reveals)
        expected = facts(clean(render_pokerstars(hand, seed + 1)), reveals=reveals)
        assert differences(found, expected) == [], text
        played += 1
    assert played > 10


def test_stakes_that_no_wager_tells_are_not_guessed() -> None:
    hands = [random_playout(seed, stakes=CHIPS, deep=False) for seed in range(60)]
    refused = [hand for hand in hands if not stakes_are_told(hand)]
    assert refused
    for hand in refused:
        checked = check(render(hand, 1, DIALECTS["tournament"]))
        assert checked.diagnostics[0].help


# ---- names

NAMES = [
    "x: folds", "Seat 1", "PC [Mittel]", "antes $4", "$1.50", '"', "'", "<event/>", "</game>",
    "a & b", "&amp;", "null", "As,Kd", "]]>", "<!--", "Änne Ñandú", "名無し", "😀", "player=\"2\"",
    "-1", "%41", "  two  blanks", "<game id=\"1\" x>",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dialect", [OLD, NEW], ids=["old", "new"])
def test_a_name_is_never_taken_for_something_else(name: str, dialect: Dialect) -> None:
    hand = random_playout(3)
    plain = render(hand, 1, dialect)
    first = hand.players[0].name
    text = plain.replace(f'nickname="{first}"', f"nickname={quoteattr(name)}")
    found = clean(text)
    assert found.results[0].name == name
    assert differences(facts(found), facts(clean(plain))) == []


# ---- damages

AMOUNT = re.compile(r'(?<=amount=")[0-9.]+(?=")')

QUICK_DAMAGES = 60  # of each hand

MAY_CHANGE_UNNOTICED = {
    "<winner": "what a cash game's pot is short of is the rake, which the text does not say",
    'type="BRING_IN"': "a bring-in that nobody calls; how large it must be, the text does not say",
}
"""Which amounts of a cash game may change in silence, by what stands in their line."""


def damages(lines: Sequence[str]) -> Iterator[LineDamage]:
    yield from moved_lines(lines)
    for index, line in enumerate(lines):
        yield from changed_line(lines, index, with_other_amounts(line))


def with_other_amounts(line: str) -> Iterator[str]:
    for match in AMOUNT.finditer(line):
        for factor, step in ((1, 1), (1, -1), (10, 0)):
            amount = f"{float(match[0]) * factor + step / 100:.2f}"
            yield line[: match.start()] + amount + line[match.end() :]


def may_change(damage: LineDamage, hand: ReplayedHand) -> bool:
    raked = hand.parsed.tournament is None
    return raked and any(words in damage.new for words in MAY_CHANGE_UNNOTICED)


def assert_noticed_or_harmless(file: Path, most: int | None = None) -> None:
    for hand in hands_of(file):
        base = check(hand)
        if base.replayed is None:
            continue
        expected, tried = results(base.replayed), list(damages(hand.text.split("\n")))
        if most is not None:
            tried = random.Random(file.name).sample(tried, most)
        for damage in tried:
            checked = check(HandText("hand.xml", 1, tuple(damage.lines)))
            if checked.diagnostics or may_change(damage, base.replayed):
                continue
            assert checked.replayed, damage
            assert differences(expected, results(checked.replayed)) == [], damage


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_damage_to_a_sample_is_noticed_or_harmless(file: Path) -> None:
    assert_noticed_or_harmless(file, QUICK_DAMAGES)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_damage_to_a_sample_is_noticed_or_harmless(file: Path) -> None:
    assert_noticed_or_harmless(file)


@pytest.mark.parametrize("name", sorted(HANDS))
def test_no_broken_text_is_a_crash(name: str) -> None:
    text, chance = HANDS[name], random.Random(name)
    for _ in range(300):
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice([1, 1, 2, 9, 60]))
        new = chance.choice(["", "<", ">", '"', "&", "/", "-", "9", "\x00", "\r", "é", "</round>"])
        checked = check(hand_text(text[:start] + new + text[end:] or "x"))
        assert all(found.span for found in checked.diagnostics)


# ---- the clock


@pytest.mark.parametrize(("start", "stamp", "played_at"), [
    ("20110622121540", "1308762944763", "2011-06-22T17:15:40"),  # five hours in summer, too
    ("20111115223628", "1321414699986", "2011-11-16T03:36:28"),
    ("20130622121540", "1371928545000", "2013-06-22T19:15:40"),  # seven, as one public file has it
    ("20130622121540", "", "2013-06-22T17:15:40"),
    ("20130622121540", "0000000000000", "2013-06-22T17:15:40"),
])  # fmt: skip
def test_the_clock_of_a_file_is_told_by_its_events(start: str, stamp: str, played_at: str) -> None:
    text = HANDS["showdown"]
    text = re.sub(r'starttime="[0-9]+"', f'starttime="{start}"', text)
    text = re.sub(r' timestamp="[0-9]+"', f' timestamp="{stamp}"' if stamp else "", text)
    parsed = check(text).parsed
    assert parsed is not None
    assert parsed.played_at is not None
    assert parsed.played_at.isoformat() == f"{played_at}+00:00"
