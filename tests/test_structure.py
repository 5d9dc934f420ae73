"""What is looked up instead of being asked again: it is what the grammar says when it is asked."""

import os
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from hands import SAMPLES, hands_of, text_files
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Token
from lark.exceptions import UnexpectedToken

from razzstats.parsing import CUTTING, SITES, lines
from razzstats.parsing.grammar import SiteGrammar, SyntaxProblem
from razzstats.parsing.lines import LineToken, Phrases, as_written

ROOMS = ("pokerstars", "fulltilt", "kingsclub", "ongame", "winamax")
STREAMS = 1_000
REWRITES = {site.name: getattr(site.reader, "rewrite", as_written) for site in SITES}


def folder_of(room: str) -> Path:
    """The real hands of a room, or its samples where there is no corpus."""
    found = [Path(os.environ.get("RAZZSTATS_CORPUS", "")) / "sample_histories" / room]
    return next((folder for folder in found if folder.is_dir()), SAMPLES / room)


@cache
def grammar(room: str) -> SiteGrammar:
    return SiteGrammar(f"{room}.lark", REWRITES[room])


@cache
def good_hands(room: str) -> list[list[LineToken]]:
    """The recognised lines of hands that the grammar accepts."""
    texts = [hand for file in text_files(folder_of(room))[:12] for hand in hands_of(file)[:25]]
    parsed = [grammar(room).parse_with_lark(hand.lines) for hand in texts]
    return [tokens for tokens in parsed if not isinstance(tokens, SyntaxProblem)]


def damaged(
    tokens: Sequence[LineToken], terminals: Sequence[str], dice: random.Random
) -> Iterator[LineToken]:
    """Leave out, repeat, swap, change or cut off some lines, or none at all."""
    changed = list(tokens)
    for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
        place, other = dice.randrange(len(changed)), dice.randrange(len(changed))
        match dice.randrange(6):
            case 0:
                del changed[place]
            case 1:
                changed.insert(place, changed[other])
            case 2:
                changed[place], changed[other] = changed[other], changed[place]
            case 3:
                changed[place] = LineToken(dice.choice(terminals), place, {})
            case 4:
                changed.insert(place, LineToken(dice.choice(terminals), place, {}))
            case _:
                del changed[max(place, 1) :]
        if not changed:
            return
    yield from changed


def refused_by_lark(room: str, tokens: Sequence[LineToken]) -> int | None:
    """Return which token Lark's own parser refuses, as `Structure.first_refused` does."""
    parser = grammar(room).lark.parse_interactive(start="hand")
    for place, token in enumerate(tokens):
        try:
            parser.feed_token(cast(Token, token))  # a token of ours does as well
        except UnexpectedToken:
            return place
    try:
        parser.feed_eof(tokens[-1] if tokens else None)  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        return len(tokens)
    return None


@pytest.mark.parametrize("room", ROOMS)
def test_the_order_of_lines_is_judged_as_lark_judges_it(room: str) -> None:
    dice = random.Random(room)
    terminals = [*grammar(room).terminals, "UNKNOWN_LINE", "UNKNOWN_PLAYER"]
    accepted = 0
    for _ in range(STREAMS):
        tokens = list(damaged(dice.choice(good_hands(room)), terminals, dice))
        expected = refused_by_lark(room, tokens)
        assert grammar(room).structure.first_refused([token.type for token in tokens]) == expected
        accepted += expected is None
    assert STREAMS / 10 < accepted < STREAMS * 9 / 10


@pytest.mark.parametrize("room", ROOMS)
def test_a_hand_is_parsed_as_lark_parses_it(room: str) -> None:
    dice = random.Random(room)
    hands = [hand for file in text_files(folder_of(room))[:12] for hand in hands_of(file)[:10]]
    for hand in hands:
        moved = list(hand.lines)
        for _ in range(dice.choice((0, 1, 2))):
            moved.insert(dice.randrange(len(moved)), moved.pop(dice.randrange(len(moved))))
        one, other = (
            parse(tuple(moved)) for parse in (grammar(room).parse, grammar(room).parse_with_lark)
        )
        assert shown(one) == shown(other)


def shown(parsed: list[LineToken] | SyntaxProblem) -> object:
    """Tokens as something that compares."""
    if isinstance(parsed, SyntaxProblem):
        token = parsed.token
        return None if token is None else (token.type, token.index), parsed.expected
    return [(t.type, t.index, dict(t.fields), t.player, t.column) for t in parsed]


# ---- phrases


@given(
    st.lists(st.sampled_from([": folds", ": calls $1", ": calls $2", ": bets $1 ", "", ": shows"]))
)
@settings(deadline=None)
def test_phrases_are_found_as_their_patterns_say(said: list[str]) -> None:
    phrases = Phrases(most=2)
    for terminal, pattern in (("FOLD", ": folds"), ("CALL", r": calls (?P<amount>\S+)")):
        phrases.add(terminal, pattern)
    for words in said:
        assert phrases.find(words) == phrases.match(words)
        assert len(phrases) <= 2


def test_long_phrases_are_not_kept() -> None:
    phrases = Phrases()
    phrases.add("SHOWS", r": shows (?P<cards>.+)")
    words = ": shows " + "Ac " * 20
    assert phrases.find(words) == ("SHOWS", {"cards": "Ac " * 20})
    assert len(phrases) == 0


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"Dealt\ to\ ", "Dealt to "),
        (r"Uncalled\ bet\ \((?P<amount>\S+)\)", "Uncalled bet ("),
        (r"Seats?: ", "Seat"),
        (r"ab{2}c", "a"),
        (r"(?:a|b)c", ""),
        (r"ab|cd", ""),
        (r"ab(c)|d", ""),
        (r"a(b|c)d", "a"),
        (r"a[|]b|c", ""),
        (r"a\|b", "a|b"),
        (r"\*\*\* 3(?:rd|RD)", "*** 3"),
        (r"\d+ x", ""),
        ("", ""),
    ],
)
def test_what_all_texts_of_a_pattern_begin_with(pattern: str, expected: str) -> None:
    assert lines._beginning(pattern) == expected

    @given(st.from_regex(pattern, fullmatch=True))
    @settings(max_examples=30, deadline=None)
    def begin_with_it(text: str) -> None:
        assert text.startswith(expected)

    begin_with_it()


# ---- where hands begin

FIRST_AND_LEAD_LINES = [
    pattern
    for site in SITES
    for pattern in (site.reader.first_line, site.reader.lead_line)
    if pattern is not None
]


@pytest.mark.parametrize("pattern", FIRST_AND_LEAD_LINES, ids=lambda pattern: pattern.pattern[:30])
def test_first_lines_begin_with_the_characters_that_are_looked_for(
    pattern: re.Pattern[str],
) -> None:
    @given(st.from_regex(pattern))
    @settings(max_examples=300, deadline=None)
    def begins_with_one_of_them(text: str) -> None:
        match = pattern.match(text)
        if match is None:  # the strategy also makes texts in which it is found further on
            return
        assert text[:1].isspace() or text[:1] in (CUTTING.begins_with or "")

    begins_with_one_of_them()
