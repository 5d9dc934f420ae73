"""Names, chat and file names that mean harm, and hands that carry them."""

import json

from cli import hand, wrong_hand

NAMES = {
    "a script": "<script>alert(1)</script>",
    "an attribute": "\" onmouseover='alert(1)' x=\"",
    "the end of a script": "</script></style><!--",
    "an entity": "&lt;b&gt;&amp;",
    "markup of the terminal": "[red]x[/red][/]",
    "a link of the terminal": "[link=http://x.example]x",
    "a formula": "=cmd|' /C calc'!A0",
    "a formula with a plus": "+1+1",
    "a formula with a minus": "-2+3",
    "a formula with an at": "@SUM(1+1)",
    "a formula behind a tab": "\t=1+1",
    "a formula behind a return": "\r=1+1",
    "a row of its own": '",\n=1+1,"',
    "separators": "a,b;c|d",
    "a quote": "O'Brick",
    "a statement": "'; DROP TABLE hands; --",
    "a condition": '" OR 1=1 --',
    "a comment": "/*x*/--",
    "a parameter": "$1 ? %s {0} ${x}",
    "patterns": "%_*[a]?",
    "no value": "NULL",
    "another value": "NaN",
    "a number": "1e308",
    "an option": "--db",
    "a dash": "-",
    "a colour": "\x1b[31mred\x1b[0m",
    "a title": "\x1b]0;title\x07",
    "one byte for two": "\x9b2J",
    "the cursor": "a\b\b\bb",
    "the line's beginning": "good\rbad",
    "two lines": "one\ntwo",
    "lines of Unicode": "one\u2028two\u2029three\x85four",
    "a NUL": "a\0b",
    "an end of text": "del\x7f\x1a\x04",
    "another direction": "\u202egnp.exe",
    "isolates": "\u2066\u2067x\u2069",
    "no width": "a\u200bb\ufeffc",
    "marks over marks": "Z" + "\u0301\u0489" * 60,
    "outside the plane": "\U0001f0a1\U0010ffff\U000e0041",
    "a path": "../../etc/passwd",
    "another path": "C:\\NUL\\..\\x",
    "ten thousand characters": "x" * 10_000,
}
"""What it is, and the name."""


def _fits_a_line(name: str) -> bool:
    return name == name.strip() and not set(name) & {"\n", "\0", "\x85"}


ONE_LINE = {what: name for what, name in NAMES.items() if _fits_a_line(name)}
"""The names that a room's text can hold; TOML can hold all."""

FILE_NAMES = (
    "=1+1.txt", "-x.txt", "<img src=x>.txt", "'; DROP TABLE files; --.txt", "[red].txt",
    "\x1b[2J.txt", "\u202etxt.txt", "one\ntwo.txt", "a\rb.txt", '"q".txt', "%s.txt",
    "$(touch pwned).txt", "x" * 240 + ".txt", "\udcff.txt",
)  # fmt: skip
"""Names of files; the last is no UTF-8."""


def _in_toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_hand(number: int, name: str) -> str:
    """Return a hand in PHH in which the hero, of this name, wins the bring-in."""
    return (
        f"[{number}]\nvariant = 'FR'\nantes = [1, 1]\nbring_in = 2\nsmall_bet = 4\nbig_bet = 8\n"
        f"starting_stacks = [200, 200]\nplayers = [{_in_toml(name)}, 'Ben']\n_hero = 1\n"
        f"actions = ['d dh p1 2c3d4h', 'd dh p2 5c6dKd', 'p2 pb', 'p1 cbr 4', 'p2 f']\n"
        f"table = {_in_toml(name)}\nhand = {number}\n"
        f"year = 2026\nmonth = 1\nday = 9\ntime = 14:{number % 60:02}:00\ntime_zone = 'UTC'\n\n"
    )


def toml_hands() -> str:
    """Return a hand in PHH for each name."""
    return "".join(toml_hand(number, name) for number, name in enumerate(NAMES.values(), 1))


def room_hands() -> str:
    """Return a good hand with chat, and a wrong one, for each name that fits a line."""
    parts = []
    for number, name in enumerate(ONE_LINE.values(), 1):
        chat = f'Ben: folds\n{name} said, "{name}"'
        parts.append(hand(1000 + number, number % 60, name).replace("Ben: folds", chat))
        parts.append(wrong_hand(2000 + number).replace("Anna", name))
    return "".join(parts)
