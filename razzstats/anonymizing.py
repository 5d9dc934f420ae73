"""Hands in which nobody can be known: names and what was said made up in the same shape.

A hand is not searched for names. It is put together anew from what its room's reader recognises:
names where players stand, words that the rooms write, numbers and cards; whatever else stands in
it is made up. What comes out has to be read as the same hand, or else the hand is left out.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import time
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr, unescape
from zoneinfo import ZoneInfo

from razzstats.chips import CURRENCY_OF_SYMBOL
from razzstats.events import Note, ParsedHand
from razzstats.locations import HandId, HandText
from razzstats.parsing import CUTTING, SITES
from razzstats.parsing.grammar import SiteGrammar
from razzstats.parsing.lines import LinePatterns, LineToken, Rewrite, SeatNames, as_written
from razzstats.parsing.merge.document import Element, first_line_of, read_document
from razzstats.parsing.phh.toml_text import toml_values
from razzstats.parsing.times import find_zone
from razzstats.pipeline import Outcome, read_hand
from razzstats.shapes import NOTHING, Draft, Names, NoNameLeft, Piece, keep, secret_of

Lines = tuple[str, ...]

_SITES = {site.name: site for site in SITES}
_SHORTEST = 3  # letters of a name that is looked for; a shorter one stands in other words by chance


class LeftOut(NamedTuple):
    """Why a hand cannot be made one in which nobody is known."""

    reason: str


class Anonymizer:
    """Makes up names and what was said; one of these keeps them the same in all its hands."""

    def __init__(self, salt: str | None = None) -> None:
        """Take a salt that makes the names the same in every run, or a new one."""
        self._secret = secret_of(salt or secrets.token_hex(16))
        self._names = Names(self._secret)

    def hand(self, outcome: Outcome, file: str) -> Lines | LeftOut:
        """Return the lines that replace a hand, to be written to a file of this name."""
        parsed = outcome.parsed
        if parsed is None:
            errors = [found.code for found in outcome.diagnostics if found.is_error]
            code = (errors or [found.code for found in outcome.diagnostics])[0]
            return LeftOut(f"{code.id} {code.summary}")
        fault = ""
        # What people said is left out where by chance it would hold a name, or be no talk.
        for talk in (True, False):
            try:
                draft = self._draft(parsed, talk=talk)
            except NoNameLeft:
                return LeftOut("there are more names of its shape than texts of that shape")
            fault = _fault(outcome, parsed, draft, file)
            if not fault:
                return tuple(draft.text)
        return LeftOut(fault)

    def _draft(self, parsed: ParsedHand, *, talk: bool) -> Draft:
        site, number = parsed.hand_id
        draft = Draft(self._names, self._secret + number.encode(), talk=talk)
        write = {"merge": _write_merge, "phh": _write_phh}.get(site, _write_lines)
        write(draft, parsed)
        return draft


def mix_in_name(file: str) -> str:
    """Return the part of a file's name that tells which mix its hands are of, or nothing.

    The hands of Full Tilt and of Winamax do not say it themselves.
    """
    found = _MIX.search(re.split(r"[/\\:]", file)[-1])
    return found[0] if found else ""


_MIX = re.compile(r" - (?:[0-9]+-Game|HA|HEROS|HO|HOE|HORSE|HOSE|OA|OE|SE) - "
                  r"|_(?:8games|10games|horse)_")  # fmt: skip


def suffix_of(file: str) -> str:
    """Return the ending of a new file's name by that of the old one, which may be packed."""
    found = re.search(r"\.(txt|xml|phhs?)(?:\.gz)?$", file.lower())
    return f".{found[1]}" if found else ".txt"


# ---- rooms that write lines

_WHOLE = frozenset(("HEADER", "TABLE", "TIME", "END"))
"""Lines that stay as they are but for clubs and their tables: no player is named there."""
_TALK = frozenset(("CHAT", "NOTICE"))
_TALKS_WITH = {"pokerstars": ' said, "', "fulltilt": ":"}
"""What stands between who talks and what he says."""
_SOMEBODY = "\x01"
_VICTIM = " for eliminating "


class _Room(NamedTuple):
    """How a room's lines are recognised."""

    patterns: LinePatterns
    whole: Mapping[str, re.Pattern[str]]
    rewrite: Rewrite
    talks_with: str | None


@cache
def _room(site: str) -> _Room:
    grammar = SiteGrammar(f"{site}.lark")
    terminals = [(str(each.name), each.pattern.to_regexp()) for each in grammar.lark.terminals]
    return _Room(
        LinePatterns(terminals),
        {name: re.compile(pattern) for name, pattern in terminals},
        getattr(_SITES[site].reader, "rewrite", as_written),
        _TALKS_WITH.get(site),
    )


class _Place(NamedTuple):
    """Where in a line something stands that people chose: a name, or else a title."""

    start: int
    end: int
    title: str | None = None


def _write_lines(draft: Draft, parsed: ParsedHand) -> None:
    room = _room(parsed.hand_id.site)
    lines = [line.rstrip() for line in parsed.text.lines]
    tokens = room.patterns.tokens(lines)
    kinds = {token.index: token.type for token in tokens}
    # A room's rewriting tells more: who shares a pot may stand in one line of several names.
    named = _named(room.rewrite(iter(tokens)))
    seated = SeatNames(player.name for player in parsed.players)
    for index, line in enumerate(lines):
        kind, places = kinds.get(index, ""), named.get(index, set())
        if kind in _TALK and not places:
            draft.lines.append(_aside(draft, room, line, seated) if draft.talk else NOTHING)
        else:
            places = {*places, *_chosen(room, kind, line, parsed)}
            draft.lines.append(_with_places(draft, line, sorted(places), whole=kind in _WHOLE))


def _named(tokens: Iterable[LineToken]) -> dict[int, set[_Place]]:
    """Return where players stand, by the line."""
    found: dict[int, set[_Place]] = {}
    for token in tokens:
        if token.player:
            place = _Place(token.column - len(token.player), token.column)
            found.setdefault(token.index, set()).add(place)
    return found


def _chosen(room: _Room, kind: str, line: str, parsed: ParsedHand) -> Iterator[_Place]:
    """Yield the name in a seat list or of the file's owner, a club and a club's table."""
    if kind == "USER":
        yield _Place(len("User: "), len(line))
        return
    parts = {"SEAT": "player"}
    if parsed.club is not None:
        parts |= {"HEADER": "club", "TABLE": "table"}
    part = parts.get(kind)
    if part and (match := room.whole[kind].fullmatch(line)):
        yield _Place(*match.span(part), None if part == "player" else part)


def _with_places(draft: Draft, line: str, places: Sequence[_Place], *, whole: bool) -> Piece:
    between = keep if whole else draft.words
    found, end = NOTHING, 0
    for start, stop, title in places:
        found += between(line[end:start])
        text = line[start:stop]
        found += draft.name(text) if title is None else draft.title(title, text)
        end = stop
    return found + between(line[end:])


def _aside(draft: Draft, room: _Room, line: str, seated: SeatNames) -> Piece:
    """Return a line of chat, or of who comes and goes; what is no such line becomes blank."""
    notice = room.whole.get("NOTICE")
    for name in seated.at(line, 0):
        said = notice and notice.fullmatch(_SOMEBODY + line[len(name) :])
        if said and said["who"] == _SOMEBODY:
            return draft.name(name) + _happened(draft, line[len(name) :], seated)
    if room.talks_with and room.talks_with in line:
        return _chat(draft, line, room.talks_with, seated)
    match = notice and notice.fullmatch(line)
    if not match:
        return NOTHING
    end = match.end("who") if match["who"] else 0
    return draft.name(line[:end]) + _happened(draft, line[end:], seated)


def _chat(draft: Draft, line: str, sign: str, seated: SeatNames) -> Piece:
    who = line.partition(sign)[0]
    for name in seated.at(line, 0):
        if line.startswith(sign, len(name)):
            who = name
            break
    return draft.name(who) + keep(sign) + draft.said(line[len(who) + len(sign) :])


def _happened(draft: Draft, words: str, seated: SeatNames) -> Piece:
    """Return what happened to somebody; whom he eliminated may be named in it."""
    before, sign, rest = words.partition(_VICTIM)
    found = draft.words(before + sign)
    if not sign:
        return found
    victim = next(iter(seated.at(rest, 0)), rest)
    return found + draft.name(victim) + draft.words(rest[len(victim) :])


# ---- Merge: only the tags and attributes that are known are written

_COUNT = re.compile("[0-9]+")
_AMOUNT = re.compile("[$€£]?[0-9.,]+")
_WORD = re.compile("[A-Z0-9_]+")
_TRUTH = re.compile("true|false")
_CARDS = re.compile(r"[\s,]*(?:(?:(?:10|[2-9TJQKA])[cdhs]|null|\?\?|[XxH-])[\s,]*)*")
_ANYTHING = re.compile(".*", re.DOTALL)
_ATTRIBUTES: Mapping[str, Mapping[str, re.Pattern[str]]] = {
    # What the room says of the game and of hands holds no names; the parser knows it.
    "description": dict.fromkeys(("type", "stakes", "version"), _ANYTHING),
    "game": dict.fromkeys(
        ("id", "starttime", "gametype", "multigametype", "realmoney", "data", "version", "stakes",
         "seats", "buyIn", "rake"),
        _ANYTHING,
    ),
    "player": {"seat": _COUNT, "nickname": _ANYTHING, "balance": _AMOUNT, "dealtin": _TRUTH},
    "round": {"id": _WORD, "sequence": _COUNT},
    "event": {"sequence": _COUNT, "type": _WORD, "timestamp": _COUNT, "player": _COUNT,
              "amount": _AMOUNT},
    "cards": {"type": _WORD, "cards": _CARDS, "player": _COUNT},
    "winner": {"amount": _AMOUNT, "uncalled": _TRUTH, "potnumber": _COUNT, "player": _COUNT,
               "hand": _ANYTHING},
}  # fmt: skip
_TAB = "\t"


def _write_merge(draft: Draft, parsed: ParsedHand) -> None:
    document = read_document(parsed.text, first_line_of(parsed.text) or 0)
    assert document.game is not None, "the hand has been read"
    lines = draft.lines
    if document.description is not None:
        lines.append(_tag(draft, document.description))
    lines.append(_tag(draft, document.game, end=">"))
    lines.append(keep(f"{_TAB}<players>"))
    lines += [keep(2 * _TAB) + _tag(draft, seat) for seat in document.seats]
    lines.append(keep(f"{_TAB}</players>"))
    for each in document.rounds:
        lines.append(keep(_TAB) + _tag(draft, each.tag, end=">"))
        lines += [keep(2 * _TAB) + _tag(draft, element) for element in each.elements]
        lines.append(keep(f"{_TAB}</round>"))
    lines.append(keep("</game>"))


def _tag(draft: Draft, element: Element, end: str = "/>") -> Piece:
    found = keep(f"<{element.name}")
    for name, pattern in _ATTRIBUTES[element.name].items():
        value = element.get(name)
        if value is not None and pattern.fullmatch(value):
            found += keep(f" {name}=")
            is_name = name == "nickname"
            found += draft.name(value, _attribute) if is_name else keep(_attribute(value))
    return found + keep(end)


def _attribute(text: str) -> str:
    """Return a text as the value of an attribute, always in double quotes."""
    return quoteattr(text.replace('"', "\0")).replace("\0", "&quot;")


# ---- PHH: only the fields that are known are written

_NUMBERS = ("ante_trimming_status", "antes", "bring_in", "small_bet", "big_bet", "starting_stacks",
            "seats", "seat_count", "winnings", "finishing_stacks", "time", "day", "month", "year",
            "_hero")  # fmt: skip
_HAND_NUMBER = re.compile("(?:[A-Z]?[0-9]+(?:-[0-9a-f]*[0-9][0-9a-f]*)*)?")
_LEVEL = re.compile(r"(?:(?:Match Round [IVXLCDM0-9]+, )?(?:Level )?[IVXLCDM0-9]+)?")
_CURRENCY = re.compile("[A-Z]{3}")


def _write_phh(draft: Draft, parsed: ParsedHand) -> None:
    values = _values(parsed.text)
    draft.lines.append(keep('variant = "FR"'))
    for key in _NUMBERS:
        if (number := _toml_number(values.get(key))) is not None:
            draft.lines.append(keep(f"{key} = {number}"))
    for key, is_plain in _TEXTS.items():
        if (value := values.get(key)) is not None:
            text, quoted = str(value), _quoted if isinstance(value, str) else str
            new = keep(quoted(text)) if is_plain(text) else draft.title(key, text, quoted)
            draft.lines.append(keep(f"{key} = ") + new)
    if "players" in values:
        names = [draft.name(str(name), _quoted) + keep(", ") for name in values["players"]]
        draft.lines.append(sum(names, keep("players = [")) + keep("]"))
    draft.lines.append(keep("actions = ["))
    draft.lines += [_action(draft, text) for text in values["actions"]]
    draft.lines.append(keep("]"))


def _values(text: HandText) -> Mapping[str, Any]:
    """Return the fields of a hand, without headings and remarks around it."""
    reader = _SITES["phh"].reader
    lead = reader.lead_line
    lines = list(text.lines)
    while lines and not reader.first_line.match(lines[0]):
        del lines[0]
    while lines and (not lines[-1].strip() or (lead and lead.match(lines[-1]))):
        del lines[-1]
    return toml_values("\n".join(lines))


def _is_zone(text: str) -> bool:
    try:
        return bool(find_zone(text) or ZoneInfo(text))
    except (ValueError, KeyError, OSError):
        return False


_TEXTS: Mapping[str, Callable[[str], object]] = {
    "currency": _CURRENCY.fullmatch,
    "currency_symbol": CURRENCY_OF_SYMBOL.__contains__,
    "time_zone": _is_zone,
    "time_zone_abbreviation": _is_zone,
    "hand": _HAND_NUMBER.fullmatch,
    "level": _LEVEL.fullmatch,
    "table": lambda text: False,
    "event": lambda text: False,
}
"""The fields of text that tell something of the hand, and when one tells nothing of people."""


def _action(draft: Draft, text: str) -> Piece:
    action, mark, remark = text.partition("#")
    found = keep(" ".join(action.split()))
    if mark and draft.talk:
        found += keep(" # ") + draft.said(remark.strip())
    return Piece(f"  {_quoted(found.text)},", f"  {found.kept},")


def _toml_number(value: Any) -> str | None:
    """Return a number, a time or a list of numbers as TOML has it; None for anything else."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, time):
        return value.isoformat()
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return f'"{value}"'
    if isinstance(value, list):
        numbers = [_toml_number(each) for each in value]
        return None if None in numbers else f"[{', '.join(map(str, numbers))}]"
    return None


def _quoted(text: str) -> str:
    """Return a text as a TOML string: as one of JSON, but for a sign that TOML does not allow."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


# ---- the proof


def _fault(outcome: Outcome, parsed: ParsedHand, draft: Draft, file: str) -> str:
    """Return why the new text cannot be taken, or nothing."""
    lines = tuple(draft.text)
    if sum(map(CUTTING.is_first_line, lines)) != 1:
        return "what replaces it would not be one hand"
    last = outcome.text is not None and outcome.text.last_in_file
    again = read_hand(HandText(file, 1, lines, last_in_file=last))
    if again.parsed is None or again.status is not outcome.status:
        return "what replaces it is not read as a hand like this"
    old, new = _facts(_renamed(parsed, draft)), _facts(again.parsed)
    if old != new:
        if old.mixed_game != new.mixed_game:
            return "the name of its file tells the mix it is of, and that of the new one does not"
        return "what replaces it is not read as the same hand"
    if _is_still_named(draft, parsed.hand_id.site):
        return "by chance a name stands in what is made up; another salt may help"
    return ""


def _renamed(parsed: ParsedHand, draft: Draft) -> ParsedHand:
    """Return what the new text has to say."""
    new, title = draft.names, draft.titles.get
    seats = (replace(seat, name=new.get(seat.name, seat.name)) for seat in parsed.summary.seats)
    tournament = parsed.tournament
    if tournament is not None:
        number, level = title("event", tournament.number), title("level", tournament.level)
        tournament = replace(tournament, number=number, level=level)
    return replace(
        parsed,
        club=parsed.club and title("club", parsed.club),
        table=title("table", parsed.table),
        tournament=tournament,
        players=tuple(
            replace(player, name=new.get(player.name, player.name)) for player in parsed.players
        ),
        summary=replace(parsed.summary, seats=tuple(seats)),
    )


def _facts(parsed: ParsedHand) -> ParsedHand:
    """Return a hand without what may differ: talk, and the digest that PHH makes of the text."""
    site, number = parsed.hand_id
    events = tuple(event for event in parsed.events if not isinstance(event, Note))
    hand_id = HandId(site, "" if site == "phh" else number)
    return replace(parsed, hand_id=hand_id, events=events)


def _is_still_named(draft: Draft, site: str) -> bool:
    """Whether a name of the old text stands in the new one, but for the words of the room."""
    text, kept = "\n".join(draft.text), "\n".join(line.kept for line in draft.lines)
    if site == "merge":
        text, kept = (unescape(each, {"&quot;": '"'}) for each in (text, kept))
    text, kept = text.casefold(), kept.casefold()
    return any(
        name.casefold() in text and name.casefold() not in kept
        for name in draft.names
        if sum(sign.isalnum() for sign in name) >= _SHORTEST
    )
