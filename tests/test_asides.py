"""What is said beside the play changes nothing: chat, connections, who comes and goes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hands import SAMPLES, Checked, check, corpus_folder, hands_of, results, text_files

from razzstats.events import CapNotice, Note
from razzstats.locations import HandText
from razzstats.parsing import CUTTING
from razzstats.sources import read_hands

HANDS_OF_A_SESSION = 15
"""Of long sample files only the first hands: they are simulated, and their hands much alike."""

STRANGERS = (
    'Zed said, "nh"',
    "Zed is disconnected",
    "Zed has timed out",
    "Zed joins the table at seat #4",
    "Zed finished the tournament in 3rd place",
)
"""Said by one who has no seat."""
SEATED = (
    '{} said, "Seat 1: folds"',
    '{}: folds said, "*** SUMMARY ***"',
    "{} is connected",
    "{} has timed out while disconnected",
    "{} leaves the table",
    "{} is sitting out",
    "{} has returned",
)
"""Said by a player of the hand."""


class Case(NamedTuple):
    name: str
    checked: Checked

    @property
    def lines(self) -> tuple[str, ...]:
        return self.checked.text.lines

    @property
    def asides(self) -> list[int]:
        """The lines that are no part of the play."""
        assert self.checked.parsed
        kinds = (Note, CapNotice)
        return [event.line for event in self.checked.parsed.events if isinstance(event, kinds)]

    @property
    def places(self) -> range:
        """The lines before which the grammar allows an aside: from the first seat to the end."""
        first = next(n for n, line in enumerate(self.lines) if line.startswith("Seat "))
        return range(first + 1, self.lines.index("*** SUMMARY ***") + 1)


def _razz(folder: Path, most: int | None = None) -> Iterator[Case]:
    for file in text_files(folder):
        found = [hand for hand in read_hands(str(file), CUTTING) if isinstance(hand, HandText)]
        for text in found[:most]:
            checked = check(text)
            if checked.parsed is not None and "*** SUMMARY ***" in text.lines:
                yield Case(f"{file.name} #{checked.parsed.hand_id.number}", checked)


@pytest.fixture(scope="module", params=["samples", "corpus"])
def cases(request: pytest.FixtureRequest) -> list[Case]:
    if request.param == "corpus":
        return list(_razz(corpus_folder("pokerstars")))
    return list(_razz(SAMPLES / "pokerstars", HANDS_OF_A_SESSION))


def checked_again(case: Case, lines: list[str]) -> Checked:
    text = case.checked.text
    return check(HandText(text.file, text.first_line, tuple(lines)))


def assert_alike(case: Case, changed: Checked) -> None:
    before = [code for code in case.checked.codes if code != "cap-notice-mismatch"]
    after = [code for code in changed.codes if code != "cap-notice-mismatch"]
    assert after == before, f"{case.name}\n{changed.text.text}\n{changed.explained()}"
    assert case.checked.replayed
    assert changed.replayed
    assert results(changed.replayed) == results(case.checked.replayed), case.name


def test_there_are_hands_and_asides_enough(cases: list[Case]) -> None:
    assert len(cases) >= 20
    assert sum(len(case.asides) for case in cases) >= 10


def test_a_hand_without_its_asides_comes_to_the_same(cases: list[Case]) -> None:
    for case in cases:
        kept = [line for n, line in enumerate(case.lines) if n not in case.asides]
        changed = checked_again(case, kept)
        assert_alike(case, changed)
        assert Case(case.name, changed).asides == []


def test_asides_of_strangers_may_stand_at_every_place(cases: list[Case]) -> None:
    for number, case in enumerate(cases):
        said = [STRANGERS[number % len(STRANGERS)]] * len(case.lines)
        assert_alike(case, checked_again(case, _strewn(case, said)))


def test_asides_of_players_may_stand_at_every_place(cases: list[Case]) -> None:
    for number, case in enumerate(cases):
        assert case.checked.parsed
        names = [player.name for player in case.checked.parsed.players]

        said = [
            SEATED[(place + number) % len(SEATED)].format(names[place % len(names)])
            for place in range(len(case.lines))
        ]
        changed = checked_again(case, _strewn(case, said))
        assert_alike(case, changed)
        assert len(Case(case.name, changed).asides) == len(case.asides) + len(case.places)


def _strewn(case: Case, said: Sequence[str]) -> list[str]:
    """Return the lines with an aside before each line where one may stand."""
    lines: list[str] = []
    for number, line in enumerate(case.lines):
        if number in case.places:
            lines.append(said[number])
        lines.append(line)
    return lines


@pytest.mark.parametrize("said", [*STRANGERS, *SEATED])
def test_each_aside_may_stand_alone_at_each_place(cases: list[Case], said: str) -> None:
    case = min(cases, key=_shortest_with_showdown)
    assert case.checked.parsed
    line = said.format(case.checked.parsed.players[-1].name)
    for place in case.places:
        assert_alike(case, checked_again(case, [*case.lines[:place], line, *case.lines[place:]]))


def _shortest_with_showdown(case: Case) -> tuple[bool, int]:
    return "*** SHOW DOWN ***" not in case.lines, len(case.lines)


def test_no_aside_may_stand_in_the_header_or_the_summary(cases: list[Case]) -> None:
    told: Counter[str] = Counter()
    case = min(cases, key=_shortest_with_showdown)
    for place in {*range(1, len(case.lines))} - {*case.places}:
        if not any(line.strip() for line in case.lines[place:]):
            continue
        lines = [*case.lines[:place], STRANGERS[0], *case.lines[place:]]
        told.update(checked_again(case, lines).codes[:1] or ["nothing"])
    assert "nothing" not in told, told


# ---- all rooms


def all_rooms(where: str) -> Iterator[HandText]:
    """Yield the texts of Razz hands of every room; in PHH remarks stand behind actions."""
    rooms = sorted({path.name for path in SAMPLES.iterdir() if path.is_dir()} - {"phh"})
    for room in rooms:
        if where == "samples":
            folder = SAMPLES / room
        elif room == "ongame":  # no real hand of it was found
            continue
        else:
            folder = corpus_folder(room)
        for file in sorted(folder.glob("*.*")):
            yield from (hand for hand in hands_of(file) if check(hand).parsed is not None)


@pytest.mark.parametrize("where", ["samples", "corpus"])
def test_every_rooms_hands_come_to_the_same_without_their_asides(where: str) -> None:
    asides = 0
    for text in all_rooms(where):
        before = check(text)
        assert before.parsed is not None
        said = {event.line for event in before.parsed.events if isinstance(event, Note)}
        asides += len(said)
        kept = tuple(line for n, line in enumerate(text.lines) if n not in said)
        after = check(HandText(text.file, text.first_line, kept, context=text.context))
        assert after.codes == before.codes, text.lines[0]
        assert before.replayed is not None
        assert after.replayed is not None
        assert results(after.replayed) == results(before.replayed), text.lines[0]
    assert asides > 20
