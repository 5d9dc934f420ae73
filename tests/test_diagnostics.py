"""The catalogue of codes, and diagnostics as text."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from razzstats.diagnostics import Code, Diagnostic, Label, Severity, codes, sort_diagnostics
from razzstats.diagnostics.codes import CODES, find_code
from razzstats.diagnostics.explanations import EXPLANATIONS
from razzstats.diagnostics.render import (
    SourceLines,
    render_concise,
    render_full,
    render_json,
    source_lines,
)
from razzstats.diagnostics.visible import display_width, visible
from razzstats.locations import HandId, HandText, Span

TITLES = {"pokerstars": "PokerStars"}
HAND_ID = HandId("pokerstars", "101")
HAND = HandText(
    "razz.txt",
    8,
    (
        "Dealt to Anna [Td]",
        "Dealt to Ben [Qc]",
        'Carla said, "hello"',
        "Dealt to Carla [3h]",
        "Anna: brings in for $0.02",
    ),
)
WRONG_BRING_IN = Diagnostic(
    code=codes.BRING_IN_WRONG_SEAT,
    message="Anna brings in, but Ben has the highest door card (Qc)",
    span=HAND.find(4, "Anna"),
    hand_id=HAND_ID,
    labels=(Label(HAND.find(1, "Qc"), "the highest door card"),),
    help="the highest door card brings in; equal ranks go by suit, spades highest",
)
UNREADABLE = Diagnostic(code=codes.UNREADABLE_FILE, message="the file cannot be read: it is gone")


def no_lines(file: str, number: int) -> str | None:
    return None


def full_text_at(line: str, start: int, end: int) -> str:
    """The quoted rows of a diagnostic about a part of one line."""
    hand = HandText("razz.txt", 1, (line,))
    found = Diagnostic(code=codes.FOLD_WITHOUT_WAGER, message="x", span=hand.span(0, start, end))
    return quoted(render_full(found, source_lines(hand), TITLES))


def quoted(full: str) -> str:
    return "\n".join(full.splitlines()[3:-1])


# ---- the catalogue


def test_code_ids_are_unique_and_in_order() -> None:
    ids = [code.id for code in CODES]
    assert ids == sorted(set(ids))


def test_every_module_constant_is_in_the_catalogue() -> None:
    constants = [value for value in vars(codes).values() if isinstance(value, Code)]
    assert tuple(constants) == CODES


def test_code_names_are_unique() -> None:
    assert len({code.name for code in CODES}) == len(CODES)


def test_there_are_no_explanations_without_a_code() -> None:
    assert list(EXPLANATIONS) == [code.id for code in CODES]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
class TestCode:
    def test_id_is_a_group_and_a_number(self, code: Code) -> None:
        assert re.fullmatch(r"RZ[0-79][0-9]{2}", code.id)

    def test_name_is_kebab_case_and_names_what_was_found(self, code: Code) -> None:
        assert re.fullmatch(r"[a-z]+(?:-[a-z]+)*", code.name)
        assert not code.name.startswith(("no-", "disallow-"))

    def test_summary_is_one_clause(self, code: Code) -> None:
        assert code.summary
        assert not code.summary.endswith(".")

    def test_explanation_has_its_three_parts(self, code: Code) -> None:
        parts = re.fullmatch(
            r"What it means: [A-Z].+?\.\n"
            r"(Why the hand is left out|What happens to the (?:hand|file)): [A-Z].+?\.\n"
            r"Example(?: \([^)\n]+\))?:\n((?:    .+\n?)+)",
            code.explanation,
            re.DOTALL,
        )
        assert parts is not None
        of_a_file = code in (codes.UNREADABLE_FILE, codes.UNKNOWN_SITE)
        left_out = code.severity is Severity.ERROR and not of_a_file
        assert (parts[1] == "Why the hand is left out") == left_out
        assert f"    {code.severity}[{code.id}]: " in parts[2]

    def test_explanation_fits_a_terminal(self, code: Code) -> None:
        lines = code.explanation.splitlines()
        assert 6 <= len(lines) <= 14
        assert max(map(len, lines)) <= 88

    def test_explanation_speaks_of_poker_alone(self, code: Code) -> None:
        machinery = r"\b(python|traceback|exception|none|regexp?|parser|lark|module|function|sql)\b"
        other_games = r"\b(blinds?|flop|preflop|turn card|pocket|upcards?|refund|small blind)\b"
        assert not re.search(f"{machinery}|{other_games}", code.explanation, re.IGNORECASE)


@pytest.mark.parametrize(
    "text", ["RZ401", "rz401", " bring-in-wrong-seat\n", "Bring-In-Wrong-Seat"]
)
def test_find_code_takes_ids_and_names_in_any_case(text: str) -> None:
    assert find_code(text) is codes.BRING_IN_WRONG_SEAT


@pytest.mark.parametrize("text", ["", "RZ", "RZ999", "bring-in", "401"])
def test_find_code_knows_nothing_else(text: str) -> None:
    assert find_code(text) is None


def test_sort_diagnostics_by_file_line_column_and_code() -> None:
    def at(file: str, line: int, column: int, code: Code) -> Diagnostic:
        span = Span(file, line, column, line, column + 1)
        return Diagnostic(code=code, message="x", span=span)

    ordered = [
        UNREADABLE,
        at("a.txt", 2, 1, codes.POT_MISMATCH),
        at("a.txt", 10, 1, codes.NEGATIVE_RAKE),
        at("a.txt", 10, 5, codes.POT_MISMATCH),
        at("a.txt", 10, 5, codes.NEGATIVE_RAKE),
        at("b.txt", 1, 1, codes.POT_MISMATCH),
    ]
    assert sort_diagnostics(reversed(ordered)) == ordered


# ---- concise and JSON


def test_concise() -> None:
    assert render_concise(WRONG_BRING_IN, TITLES) == (
        "razz.txt:12:1: error[RZ401] Anna brings in, but Ben has the highest door card (Qc)"
        "  (PokerStars #101)"
    )


def test_concise_calls_a_site_without_title_by_its_name() -> None:
    assert render_concise(WRONG_BRING_IN, {}).endswith("(Qc)  (pokerstars #101)")


def test_concise_leaves_out_what_is_unknown() -> None:
    assert render_concise(UNREADABLE, TITLES) == "error[RZ001] the file cannot be read: it is gone"


def test_json() -> None:
    assert render_json(WRONG_BRING_IN) == (
        '{"code": "RZ401", "name": "bring-in-wrong-seat", "severity": "error", "message": "Anna '
        'brings in, but Ben has the highest door card (Qc)", "file": "razz.txt", "line": 12, '
        '"column": 1, "end_line": 12, "end_column": 5, "hand": "101", "help": "the highest door '
        'card brings in; equal ranks go by suit, spades highest"}'
    )


def test_json_has_null_for_what_is_unknown() -> None:
    assert json.loads(render_json(UNREADABLE)) == {
        "code": "RZ001",
        "name": "unreadable-file",
        "severity": "error",
        "message": "the file cannot be read: it is gone",
        "file": None,
        "line": None,
        "column": None,
        "end_line": None,
        "end_column": None,
        "hand": None,
        "help": None,
    }


# ---- full


def test_full() -> None:
    expected = """\
error[RZ401]: Anna brings in, but Ben has the highest door card (Qc)
  --> razz.txt:12:1   PokerStars #101
   |
 9 | Dealt to Ben [Qc]
   |               -- the highest door card
...
12 | Anna: brings in for $0.02
   | ^^^^
help: the highest door card brings in; equal ranks go by suit, spades highest
note: the hand is left out of the statistics; `razzstats explain RZ401` says more"""
    assert render_full(WRONG_BRING_IN, source_lines(HAND), TITLES) == expected


def test_full_with_colour_differs_in_nothing_else() -> None:
    plain = render_full(WRONG_BRING_IN, source_lines(HAND), TITLES)
    coloured = render_full(WRONG_BRING_IN, source_lines(HAND), TITLES, color=True)
    assert coloured.startswith("\x1b[1;31merror[RZ401]\x1b[0m\x1b[1m: Anna brings in")
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_full_marks_several_places_on_one_line_and_joins_neighbours() -> None:
    hand = HandText("razz.txt", 1, ("Anna: bets $0.08", "Ben: calls $0.04"))
    found = Diagnostic(
        code=codes.CALL_OFF_SIZE,
        message="Ben calls $0.04; expected $0.08",
        span=hand.find(1, "$0.04"),
        labels=(Label(hand.find(1, "Ben"), "the caller"), Label(hand.find(0, "$0.08"), "the bet")),
    )
    expected = """\
1 | Anna: bets $0.08
  |            ----- the bet
2 | Ben: calls $0.04
  |            ^^^^^
  | --- the caller"""
    assert quoted(render_full(found, source_lines(hand), {})) == expected


def test_full_without_span_hand_or_source() -> None:
    expected = """\
error[RZ001]: the file cannot be read: it is gone
note: `razzstats explain RZ001` says more"""
    assert render_full(UNREADABLE, no_lines, TITLES) == expected


def test_full_tells_the_places_that_it_cannot_quote() -> None:
    found = Diagnostic(
        code=codes.CONFLICTING_HAND,
        message="hand #101 is already in the database with another text",
        span=HAND.span(0),
        hand_id=HAND_ID,
        labels=(Label(Span("old.txt", 7, 1, 7, 5), "the text in the database"),),
    )
    expected = """\
error[RZ702]: hand #101 is already in the database with another text
 --> razz.txt:8:1   PokerStars #101
  |
8 | Dealt to Anna [Td]
  | ^^^^^^^^^^^^^^^^^^
 ::: old.txt:7:1   the text in the database
note: the hand is left out of the statistics; `razzstats explain RZ702` says more"""
    assert render_full(found, source_lines(HAND), TITLES) == expected
    assert " | " not in render_full(found, no_lines, TITLES)


@pytest.mark.parametrize(
    ("code", "note"),
    [
        (codes.POT_MISMATCH, "the hand is left out of the statistics; `razzstats explain RZ501`"),
        (codes.MALFORMED_TIME, "the hand is counted in the statistics and flagged; `razzstats"),
        (codes.OTHER_GAME, "`razzstats explain RZ004` says more"),
    ],
)
def test_full_says_what_becomes_of_the_hand(code: Code, note: str) -> None:
    found = Diagnostic(code=code, message="x", hand_id=HAND_ID)
    where, last = render_full(found, no_lines, TITLES).splitlines()[1:]
    assert where == " --> PokerStars #101"
    assert last.startswith(f"note: {note}")


def test_full_aligns_below_wide_and_combining_characters() -> None:
    line = "\u65e5\u672c: folde\u0301d \u2660x"
    assert full_text_at(line, 4, 11) == f"1 | {line}\n  |       ^^^^^^"
    assert full_text_at(line, 0, 2) == f"1 | {line}\n  | ^^^^"


def test_full_aligns_below_tabs_and_escapes() -> None:
    assert full_text_at("a\tb\x1bc: folds", 2, 5) == "1 | a    b\\x1bc: folds\n  |      ^^^^^^"


def test_full_marks_an_empty_span_and_the_end_of_a_line() -> None:
    assert full_text_at("Ben: folds", 10, 10) == "1 | Ben: folds\n  |           ^"
    assert full_text_at("", 0, 0) == "1 | \n  | ^"


def test_full_marks_a_span_of_several_lines_on_the_first() -> None:
    found = Diagnostic(code=codes.STRAY_TEXT, message="x", span=Span("razz.txt", 8, 7, 12, 3))
    text = quoted(render_full(found, source_lines(HAND), TITLES))
    assert text == "8 | Dealt to Anna [Td]\n  |       ^^^^^^^^^^^^"


def test_full_cuts_a_very_long_line_around_the_span() -> None:
    line = "a" * 5_000 + "Ben" + "z" * 5_000
    quote, marks = full_text_at(line, 5_000, 5_003).splitlines()
    assert quote == f"1 | ...{'a' * 60}Ben{'z' * 137}..."
    assert marks == f"  | {' ' * 63}^^^"


def test_full_cuts_a_very_long_line_at_its_ends() -> None:
    line = "Ben" + "z" * 5_000 + "Eve"
    assert full_text_at(line, 0, 3) == f"1 | Ben{'z' * 197}...\n  | ^^^"
    assert full_text_at(line, 5_003, 5_006) == f"1 | ...{'z' * 197}Eve\n  | {' ' * 200}^^^"
    assert full_text_at(line, 0, 5_006).endswith(f"\n  | {'^' * 200}")


# ---- hostile text


def test_visible_writes_out_what_controls_a_terminal() -> None:
    assert visible("a\x1b[2J\r\n\t\x00\x7f\x9b") == r"a\x1b[2J\x0d\x0a\x09\x00\x7f\x9b"
    assert visible("\u202e\u2066\u2069\u2028\u2029\u200f\udc81") == (
        r"\u202e\u2066\u2069\u2028\u2029\u200f\udc81"
    )


def test_visible_leaves_names_alone() -> None:
    name = "Zoë \u65e5\u672c \u0418\u0432\u0430\u043d €5 \\x1b 👨\u200d👩"
    assert visible(name) == name


def test_display_width() -> None:
    assert display_width("Ben") == 3
    assert display_width("Zoe\u0308") == 3
    assert display_width("\u65e5\u672c") == 4
    assert display_width("") == 0


def test_hostile_names_stay_in_their_line() -> None:
    name = "Eve\x1b]0;owned\x07\nrazz.txt:1:1: error[RZ901] \u202efake"
    hand = HandText("ra\x1bzz.txt", 1, (f"{name}: folds",))
    found = Diagnostic(
        code=codes.UNKNOWN_PLAYER,
        message=f"{name} is not in the seat list",
        span=hand.find(0, name),
        hand_id=HandId("pokerstars", "1\x9b"),
        labels=(Label(hand.find(0, "folds"), "he\x1b[0m"), Label(Span("\x07", 1, 1, 1, 1), "\r")),
        help="\x08",
    )
    shown = r"Eve\x1b]0;owned\x07\x0arazz.txt:1:1: error[RZ901] \u202efake"
    assert render_concise(found, TITLES) == (
        rf"ra\x1bzz.txt:1:1: error[RZ201] {shown} is not in the seat list  (PokerStars #1\x9b)"
    )
    expected = rf"""error[RZ201]: {shown} is not in the seat list
 --> ra\x1bzz.txt:1:1   PokerStars #1\x9b
  |
1 | {shown}: folds
  | {"^" * len(shown)}
  | {" " * len(shown)}  ----- he\x1b[0m
 ::: \x07:1:1   \x0d
help: \x08
note: the hand is left out of the statistics; `razzstats explain RZ201` says more"""
    assert render_full(found, source_lines(hand), TITLES) == expected


ANY_TEXT = st.text(st.characters() | st.sampled_from("\t\n\r\x1b\x7f\x85\x9b\u2028\u202e\udc81"))
NUMBERS = st.integers(-3, 12)
SPANS = st.builds(Span, st.just("razz.txt") | ANY_TEXT, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
DIAGNOSTICS = st.builds(
    Diagnostic,
    code=st.sampled_from(CODES),
    message=ANY_TEXT,
    span=st.none() | SPANS,
    hand_id=st.none() | st.builds(HandId, st.just("pokerstars") | ANY_TEXT, ANY_TEXT),
    labels=st.lists(st.builds(Label, SPANS, ANY_TEXT), max_size=3).map(tuple),
    help=st.none() | ANY_TEXT,
)
LINES = st.lists(ANY_TEXT | ANY_TEXT.map(lambda text: text * 50), max_size=9)


@st.composite
def sources(draw: st.DrawFn) -> SourceLines:
    return source_lines(HandText("razz.txt", draw(st.integers(1, 3)), tuple(draw(LINES))))


def is_printed_as_it_is(text: str) -> bool:
    text.encode()  # no lone surrogate, which no stream would take
    return not re.search("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)


@given(DIAGNOSTICS, sources())
def test_no_text_controls_the_terminal(found: Diagnostic, lines: SourceLines) -> None:
    assert is_printed_as_it_is(render_concise(found, TITLES))
    assert is_printed_as_it_is(render_json(found))
    assert all(map(is_printed_as_it_is, render_full(found, lines, TITLES).split("\n")))
    render_full(found, lines, TITLES, color=True)


@given(st.text())
def test_json_keeps_the_text_as_it_is(text: str) -> None:
    found = Diagnostic(code=codes.UNKNOWN_PLAYER, message=text, help=text)
    fields = json.loads(render_json(found))
    assert fields["message"] == fields["help"] == text
