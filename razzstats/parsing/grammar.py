"""A room's grammar, read by Lark."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any, NamedTuple

from lark import Lark
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from razzstats.parsing.lines import Fields, LinePatterns, LineToken, Rewrite, as_written
from razzstats.parsing.structure import Structure

# What the player would call a terminal; those without a name here are asides, which may stand
# anywhere and are never what is missing.
_IN_WORDS = {
    "HEADER": "a hand header",
    "TABLE": "the table line",
    "TIME": "the time",
    "SIZE": "the number of players",
    "SEAT": "a seat",
    "ANTE": "an ante",
    "THIRD": "third street",
    "DEALT": "a deal",
    "BRING_IN": "a player action",
    "FOLD": "a player action",
    "CHECK": "a player action",
    "CALL": "a player action",
    "BET": "a player action",
    "RAISE": "a player action",
    "UNCALLED": "an uncalled bet",
    "FOURTH": "the next street",
    "FIFTH": "the next street",
    "SIXTH": "the next street",
    "SEVENTH": "the next street",
    "COLLECTED": "a collected pot",
    "SHOWS": "a shown or mucked hand",
    "MUCKS": "a shown or mucked hand",
    "NO_SHOW": "a shown or mucked hand",
    "SHOWDOWN": "the showdown",
    "SUMMARY": "the summary",
    "TOTAL_POT": "the total pot",
    "RAKE": "the rake",
    "BOARD": "the board",
    "SEAT_FOLDED": "the summary of a seat",
    "SEAT_COLLECTED": "the summary of a seat",
    "SEAT_SHOWED": "the summary of a seat",
    "SEAT_MUCKED": "the summary of a seat",
    "SEAT_OUT": "the summary of a seat",
    "END": "the end of the hand",
    "$END": "the end of the hand",
}


class SyntaxProblem(NamedTuple):
    """Where a hand leaves the grammar: the token (None at its end) and what could follow."""

    token: LineToken | None
    expected: tuple[str, ...]


class _LineLexer(Lexer):
    """Hands Lark one token a line, by the patterns of the grammar's own terminals."""

    __future_interface__ = 2

    rewrite: Rewrite

    def __init__(self, conf: Any) -> None:
        self.patterns = LinePatterns(
            (str(terminal.name), terminal.pattern.to_regexp()) for terminal in conf.terminals
        )

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        return self.rewrite(iter(self.patterns.tokens(lexer_state.text)))


class SiteGrammar:
    """One room's grammar: recognises first lines, and parses the lines of a hand."""

    def __init__(self, file_name: str, rewrite: Rewrite = as_written) -> None:
        folder = files("razzstats.grammars")
        self.lark = Lark(
            folder.joinpath(file_name).read_text(encoding="utf-8"),
            import_paths=[_import_path],
            source_path=file_name,
            parser="lalr",
            lexer=type("_RewritingLexer", (_LineLexer,), {"rewrite": staticmethod(rewrite)}),
            start=["hand", "alone"],
        )
        lexer: Any = self.lark.parser.lexer
        self._patterns: LinePatterns = lexer.patterns
        self._rewrite = rewrite
        self.structure = Structure(self.lark, "hand")
        """What the parser would say of the order of lines, without asking it again."""

    @property
    def terminals(self) -> tuple[str, ...]:
        """The names of the kinds of lines that the room knows."""
        return tuple(str(terminal.name) for terminal in self.lark.terminals)

    def heading(self, line: str) -> tuple[str, Fields] | None:
        """Return what a first line is (HEADER or OTHER_HEADER) and its parts, None if neither."""
        return self._patterns.heading(line.rstrip())

    def parse(self, lines: tuple[str, ...]) -> list[LineToken] | SyntaxProblem:
        """Return the recognised lines of a Razz hand, or the first line that does not fit."""
        tokens = self._patterns.tokens(lines)
        if self._rewrite is not as_written:
            tokens = list(self._rewrite(iter(tokens)))
        if self.structure.first_refused([token.type for token in tokens]) is None:
            return tokens
        return self.parse_with_lark(lines)

    def parse_with_lark(self, lines: tuple[str, ...]) -> list[LineToken] | SyntaxProblem:
        """Return what `parse` returns, by Lark alone: its word on what does not fit."""
        try:
            tree: Any = self.lark.parse(lines, start="hand")
        except UnexpectedToken as error:
            token: Any = error.token
            return SyntaxProblem(None if token.type == "$END" else token, _in_words(error))
        children: list[LineToken] = tree.children
        return children


def _import_path(base_path: str | None, path: str) -> tuple[str, str]:
    text = files("razzstats.grammars").joinpath(path).read_text(encoding="utf-8")
    return path, text


def _in_words(error: UnexpectedToken) -> tuple[str, ...]:
    accepted = error.accepts or error.expected
    return tuple(dict.fromkeys(word for name, word in _IN_WORDS.items() if name in accepted))
