"""One damage to a hand is noticed, or changes nothing that anybody counts; never a crash.

The damages are made by construction, from every hand: each line dropped, doubled, swapped with the
next one and cut; each amount, card, seat, name and street changed; words dropped and mangled.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hands import (
    SAMPLES,
    Checked,
    Facts,
    check,
    check_file,
    corpus_folder,
    differences,
    hands_of,
    results,
    stated_facts,
    text_files,
)
from playouts import CASH, CHIPS, random_playout, render

from razzstats.cards import DECK

QUICK_DAMAGES = 1_000  # of each kind of hands
QUICK_PLAYOUTS, SLOW_PLAYOUTS = 12, 24

MARKERS = [
    f"*** {name} ***" for name in ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
] + ["*** SHOW DOWN ***", "*** SUMMARY ***"]
SUMMARY_STREETS = ["3rd Street", "4th Street", "5th Street", "6th Street", "River"]

AMOUNT = re.compile(r"(?<![\w#.,/:'-])([$€£]?)([0-9]+(?:,[0-9]{3})*)(\.[0-9]+)?(?![\w:,]|\.[0-9])")
STAKE = re.compile(r"(?<=[(/])([$€£]?)([0-9]+)(\.[0-9]+)?(?=[/) ])")
CARD = re.compile(r"\b[A2-9TJQK][cdhs]\b(?=[^\[]*\])")
LOW = re.compile(r"(?<=Lo: )[A2-9TJQK](?:,[A2-9TJQK])*")
SEAT = re.compile(r"(?<=^Seat )[0-9]+")
WORD = re.compile(r"[^\W\d_]{2,}")

MAY_CHANGE_UNNOTICED = {
    ("header", "hand_id"): "the number of the hand stands in its header alone",
    ("header", "played_at"): "so does the time",
    ("header", "tournament"): "and the tournament, its level and its buy-in",
    ("header", "mixed_game"): "and the name of the mix",
    ("header", "club"): "and the club",
    ("header", "table"): "the table's name stands in the table line alone",
    ("header", "max_seats"): "and so does its size",
    ("seat", "stack"): "a stack that is large enough",
    ("notes",): "chat, who comes and goes, and who sits there without being dealt in",
    ("CapNotice",): "the room's word that the betting is capped; the wagers tell it too",
    ("Deal",): "a card that is not told again: of a folded hand, or shown again at the showdown",
    ("Show",): "cards that the winner shows of his own will",
    ("Muck",): "the room's word that the winner does not show",
    ("Collect",): "which of several pots it is, where the room says only 'pot'",
    ("summary", "cards"): "the down cards of a mucked hand, which the summary alone tells",
    ("summary", "low"): "the low of a shown hand, told a second time",
    ("summary", "did_not_bet"): "that a player did not bet; his actions tell it too",
}
"""What may change in silence: one of these facts, and nothing that follows from it."""


class Damage(NamedTuple):
    """One change to the lines of a hand."""

    kind: str
    line: int
    what: str
    text: str


class Base(NamedTuple):
    """A hand without fault, and what it comes to."""

    lines: tuple[str, ...]
    results: Facts
    stated: Facts


# ---- what becomes of a damaged hand


def judge(base: Base, pieces: Sequence[Checked]) -> str:
    """Return "noticed" or "same"; raises AssertionError if the hand became another in silence."""
    if any(piece.diagnostics for piece in pieces):
        return "noticed"
    assert len(pieces) == 1, f"it became {len(pieces)} hands"
    (piece,) = pieces
    assert piece.parsed is not None
    assert piece.replayed is not None
    found = results(piece.replayed)
    stated = differences(base.stated, stated_facts(piece.parsed))
    changed = differences(base.results, found)
    assert not changed, f"other results: {changed}, because of {stated}"
    names = {tuple(part for part in fact if isinstance(part, str)) for fact in stated}
    assert len(stated) <= 1, f"more than one fact changed: {stated}"
    assert names <= MAY_CHANGE_UNNOTICED.keys(), f"this changed in silence: {stated}"
    return "same"


def try_all(bases: Sequence[Base], folder: Path, most: int | None = None) -> None:
    """Damage the hands in every way, or in a drawn sample of ways, and print what came of it."""
    file, outcomes, failures = folder / "damaged.txt", Counter[tuple[str, str]](), list[str]()
    for base, damage in _drawn(bases, most):
        file.write_text(damage.text, encoding="utf-8")
        try:
            outcome = judge(base, check_file(file))
        except Exception as error:
            outcome = "wrong"
            place = f"{base.lines[0]}\n  {damage.kind} in line {damage.line + 1}: {damage.what}"
            failures.append(f"{place}\n  {type(error).__name__}: {error}")
        outcomes[damage.kind, outcome] += 1
    _print_table(outcomes)
    assert not failures, f"{len(failures)} damages:\n" + "\n".join(failures[:10])


def _drawn(bases: Sequence[Base], most: int | None) -> Iterator[tuple[Base, Damage]]:
    for base in bases:
        found = list(damages(base.lines))
        if most is not None:
            found = random.Random(base.lines[0]).sample(found, min(len(found), most // len(bases)))
        yield from ((base, damage) for damage in found)


def _print_table(outcomes: Counter[tuple[str, str]]) -> None:
    kinds = sorted({kind for kind, _ in outcomes})
    print(f"\n{'damage':20} {'tried':>7} {'noticed':>8} {'same':>6} {'wrong':>6}")
    for kind in [*kinds, "all"]:
        row = [
            sum(number for (k, o), number in outcomes.items() if kind in (k, "all") and o == name)
            for name in ("noticed", "same", "wrong")
        ]
        print(f"{kind:20} {sum(row):7} {row[0]:8} {row[1]:6} {row[2]:6}")


# ---- the tests


def bases_of(checked: Sequence[Checked]) -> list[Base]:
    return [
        Base(
            piece.text.lines,
            results(piece.replayed),
            stated_facts(piece.parsed),
        )
        for piece in checked
        if piece.parsed and piece.replayed and not piece.diagnostics
    ]


def corpus_bases() -> list[Base]:
    files = text_files(corpus_folder("pokerstars"))
    return bases_of([checked for file in files for checked in check_file(file)])


def sample_bases(of_each_file: int) -> list[Base]:
    hands = []
    for file in text_files(SAMPLES / "pokerstars"):
        found = hands_of(file)
        hands += random.Random(file.name).sample(found, min(of_each_file, len(found)))
    return bases_of([check(hand) for hand in hands])


def playout_bases(number: int, folder: Path) -> list[Base]:
    bases = []
    for seed in range(number):
        file = folder / f"playout-{seed}.txt"
        hand = random_playout(seed, stakes=CASH if seed % 2 else CHIPS)
        file.write_text(render(hand, seed + 1), encoding="utf-8")
        bases += bases_of(check_file(file))
    assert len(bases) == number
    return bases


def test_a_damage_to_a_real_hand_is_noticed_or_harmless(tmp_path: Path) -> None:
    try_all(corpus_bases(), tmp_path, QUICK_DAMAGES)


def test_a_damage_to_a_sample_is_noticed_or_harmless(tmp_path: Path) -> None:
    try_all(sample_bases(2), tmp_path, QUICK_DAMAGES)


def test_a_damage_to_a_hand_with_all_ins_is_noticed_or_harmless(tmp_path: Path) -> None:
    try_all(playout_bases(QUICK_PLAYOUTS, tmp_path), tmp_path, QUICK_DAMAGES)


def test_a_damaged_hand_leaves_the_next_one_alone(tmp_path: Path) -> None:
    damaged, sound = playout_bases(2, tmp_path)
    file = tmp_path / "damaged.txt"
    for _, damage in _drawn([damaged], QUICK_DAMAGES // 2):
        file.write_text(f"{damage.text}\n\n{_text(sound.lines)}", encoding="utf-8")
        last = check_file(file)[-1]
        assert last.replayed, damage
        assert last.text.lines == sound.lines
        assert results(last.replayed) == sound.results, damage


@pytest.mark.slow
def test_every_damage_to_every_real_hand_is_noticed_or_harmless(tmp_path: Path) -> None:
    try_all(corpus_bases(), tmp_path)


@pytest.mark.slow
def test_every_damage_to_the_samples_is_noticed_or_harmless(tmp_path: Path) -> None:
    try_all(sample_bases(4), tmp_path)


@pytest.mark.slow
def test_every_damage_to_hands_with_all_ins_is_noticed_or_harmless(tmp_path: Path) -> None:
    try_all(playout_bases(SLOW_PLAYOUTS, tmp_path), tmp_path)


# ---- the damages


def damages(lines: Sequence[str]) -> Iterator[Damage]:
    """Yield every damage to a hand, the same ones at each call."""
    chance = random.Random(lines[0])
    names = sorted({line.split(": ", 1)[1].rpartition(" (")[0] for line in _seat_lines(lines)})
    for index in range(len(lines)):
        yield from _line_damages(lines, index)
        yield from _cuts(lines, index, chance)
        for kind, line in _changed(lines, index, names, chance):
            changed = [*lines[:index], line, *lines[index + 1 :]]
            yield Damage(kind, index, line, _text(changed))


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def _seat_lines(lines: Sequence[str]) -> list[str]:
    return [line for line in lines[: lines.index(MARKERS[0])] if line.startswith("Seat ")]


def _line_damages(lines: Sequence[str], index: int) -> Iterator[Damage]:
    before, line, after = lines[:index], lines[index], lines[index + 1 :]
    yield Damage("line dropped", index, line, _text([*before, *after]))
    yield Damage("line doubled", index, line, _text([*before, line, line, *after]))
    if after and after[0] != line:
        swapped = [*before, after[0], line, *after[1:]]
        yield Damage("lines swapped", index, line, _text(swapped))


def _cuts(lines: Sequence[str], index: int, chance: random.Random) -> Iterator[Damage]:
    before, line = lines[: index + 1], lines[index]
    if index + 1 < len(lines):
        yield Damage("cut between lines", index, line, _text(before))
        yield Damage("cut between lines", index, line + " (no line end)", _text(before)[:-1])
    for length in sorted({chance.randrange(1, max(len(line), 2)), len(line) - 1}):
        text = _text(lines[:index]) if index else ""
        yield Damage("cut in a line", index, line[:length], text + line[:length])


def _changed(
    lines: Sequence[str], index: int, names: list[str], chance: random.Random
) -> Iterator[tuple[str, str]]:
    line = lines[index]
    for match in (STAKE if index == 0 else AMOUNT).finditer(line):
        if index != 1 and ' said, "' not in line and not _in_name(line, match.start(), names):
            for amount in _other_amounts(match):
                yield "amount changed", line[: match.start()] + amount + line[match.end() :]
    for match in CARD.finditer(line):
        for card in _other_cards(lines, match[0], chance):
            yield "card changed", line[: match.start()] + card + line[match.end() :]
    for match in LOW.finditer(line):
        for low in _other_lows(match[0], chance):
            yield "low changed", line[: match.start()] + low + line[match.end() :]
    for match in SEAT.finditer(line):
        taken = [other.split()[1].rstrip(":") for other in _seat_lines(lines)]
        for seat in sorted({str(int(match[0]) + 1), "9", "0", chance.choice(taken)} - {match[0]}):
            yield "seat changed", f"Seat {seat}{line[match.end() :]}"
    yield from _other_names(line, names, chance)
    yield from _other_streets(line)
    yield from _other_words(line, index, chance)


def _other_amounts(match: re.Match[str]) -> list[str]:
    sign, whole, fraction = match[1], match[2].replace(",", ""), match[3] or ""
    cents = bool(sign or fraction)
    value = int(whole) * 100 + int(fraction[1:].ljust(2, "0") or 0) if cents else int(whole)
    others = [value + 1, value - 1, value * 10] if value else [1]
    return [f"{sign}{other // 100}.{other % 100:02}" if cents else str(other) for other in others]


def _in_name(line: str, start: int, names: list[str]) -> bool:
    return any(
        match.start() <= start < match.end()
        for name in names
        for match in re.finditer(re.escape(name), line)
    )


def _other_cards(lines: Sequence[str], card: str, chance: random.Random) -> list[str]:
    seen = {match[0] for line in lines for match in CARD.finditer(line)}
    unseen = [str(other) for other in DECK if str(other) not in seen]
    return [chance.choice(unseen), chance.choice(sorted(seen - {card})), card[0]]


def _other_lows(low: str, chance: random.Random) -> Iterator[str]:
    ranks = low.split(",")
    place = chance.randrange(len(ranks))
    other = chance.choice("A23456789TJQK".replace(ranks[place], ""))
    yield ",".join([*ranks[:place], other, *ranks[place + 1 :]])
    yield ",".join(ranks[:place] + ranks[place + 1 :])


def _other_names(line: str, names: list[str], chance: random.Random) -> Iterator[tuple[str, str]]:
    start = re.match(r"(?:Dealt to |Seat [0-9]+: |Uncalled bet \([^)]*\) returned to )?", line)
    begin = start.end() if start else 0
    for name in names:
        if line.startswith(name, begin):
            rest = line[begin + len(name) :]
            others = [other for other in names if other != name]
            for other in [*chance.sample(others, min(3, len(others))), "Nobody"]:
                yield "name changed", line[:begin] + other + rest
            return


def _other_streets(line: str) -> Iterator[tuple[str, str]]:
    for names in (MARKERS, SUMMARY_STREETS):
        for name in names:
            if name in line and line.startswith(("***", "Seat ")):
                for other in names:
                    if other != name:
                        yield "street changed", line.replace(name, other)


def _other_words(line: str, index: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    words = list(WORD.finditer(line))
    for match in chance.sample(words, min(2, len(words))):
        before, word, after = line[: match.start()], match[0], line[match.end() :]
        yield "word mangled", before + word.swapcase() + after
        yield "word dropped", before + after.removeprefix(" ")
    if line.endswith(" and is all-in"):
        yield "word dropped", line.removesuffix(" and is all-in")
    elif re.search(": (?:posts|brings|calls|bets|raises)", line):
        yield "word added", line + " and is all-in"
    if index < 2:
        digits = list(re.finditer("[0-9]", line))
        for match in chance.sample(digits, min(8, len(digits))):
            digit = chance.choice("0123456789".replace(match[0], ""))
            yield "digit changed", line[: match.start()] + digit + line[match.end() :]
