"""Text from files made safe and measurable for a terminal, and safe for a spreadsheet."""

import re
import unicodedata

# Names, chat and file names are anybody's. What could move the cursor, start an escape sequence,
# break the line or reverse its direction is written out. Lone surrogates stand for undecodable
# bytes, and no stream would take them.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction: marks, embeddings, isolates
    "\u2028\u2029"  # line and paragraph separators
    "\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""Return the text with every control character as a visible escape: ``\x1b``, ``\u202e``."""
    return _HIDDEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""What begins with one of these is a formula to a spreadsheet, wherever it came from."""
FORMULA_GUARD = "'"
"""What a spreadsheet takes away from before a text; before a formula it makes a text of it."""


def no_formula(text: str) -> str:
    """Return the text as a spreadsheet takes it for text: a ``'`` stands before a formula.

    >>> no_formula("=1+1"), no_formula("Anna")
    ("'=1+1", 'Anna')
    """
    return f"{FORMULA_GUARD}{text}" if text.startswith(FORMULA_SIGNS) else text


def display_width(text: str) -> int:
    """Return how many columns of a terminal the text takes, which has no control characters."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0  # it is drawn onto the character before it, or not at all
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
