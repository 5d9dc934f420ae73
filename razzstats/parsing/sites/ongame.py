"""OnGame and its skins (bwin, Betsson, PokerRoom and others): cash games and tournaments.

The game stands in the third line, the pots with all who share them in one line each, and hands
that were shown only in the summary. What those lines come to is put where other rooms have it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from razzstats.chips import CURRENCY_OF_SYMBOL
from razzstats.locations import HandText
from razzstats.parsing.conventions import Conventions
from razzstats.parsing.lines import UNKNOWN_LINE, UNKNOWN_PLAYER, LineToken, SeatNames
from razzstats.parsing.site import Beginning, Kind, Site
from razzstats.parsing.text import TextReader
from razzstats.parsing.times import month_number

_LINES_BEFORE_SEATS = 8  # there are five or six, and a blank line or two do no harm


@dataclass(frozen=True, kw_only=True)
class _OnGameReader(TextReader):
    """Reads texts whose first line does not name the game."""

    def beginning(self, hand: HandText) -> Beginning | None:
        """Return what the hand's first lines tell, or None if no OnGame hand begins so."""
        first_line = self.first_line.match(hand.lines[0])
        if first_line is None:
            return None
        number = first_line["number"]
        if self.grammar.heading(hand.lines[0]) is None:
            return Beginning(number, Kind.UNREADABLE)
        for line in hand.lines[1:_LINES_BEFORE_SEATS]:
            if (other := self.grammar.heading(line)) and other[0] == "OTHER_HEADER":
                return Beginning(number, Kind.OTHER_GAME, other[1]["game"])
        # Without any table line the grammar says what is missing.
        return Beginning(number, Kind.RAZZ)


# ---- lines that say several things, or say them in another place


def rewrite(tokens: Iterator[LineToken]) -> Iterator[LineToken]:
    """Put what the summary tells of shown hands and of shares in front of it.

    The other rooms' order of lines is that of events, and the summary comes after all of them.
    """
    lines = list(tokens)
    rake = next((line["rake"] for line in lines if line.type == "RAKE"), "")
    lines = [_adapted(line, lines[0], rake) for line in lines]
    pots = [line for line in lines if line.type == "TOTAL_POT"]
    names = SeatNames(line["player"] for line in lines if line.type == "SEAT")
    signless = _signless_fields(lines)
    for line in lines:
        if line.type == "SUMMARY":
            yield from (_retyped(hand, "SHOWS") for hand in lines if hand.type == "SEAT_SHOWED")
            for pot in pots:
                for share in _shares(pot, names, several_pots=len(pots) > 1):
                    yield _without_signs(share, signless)
        yield _without_signs(line, signless)


def _adapted(line: LineToken, header: LineToken, rake: str) -> LineToken:
    if line.type == "HEADER" and line.get("in_tournament"):
        return _with(line, tournament=line.get("tournament") or "")
    if line.type == "TIME":
        month = month_number(line["month"]) or line["month"]
        return _with(line, date=f"{line['year']}/{month}/{line['day']}")
    if line.type == "END" and line["number"] != header.get("number"):
        return _retyped(line, UNKNOWN_LINE)
    if line.type == "TABLE":
        return _adapted_table(line, header, rake)
    if line.get("stack") and line.get("net") is None:  # who won and lost nothing
        line = _with(line, net="0")
    if line.get("cards") is not None:
        line = _with(line, cards=line["cards"].replace(",", " "))
    return line


def _adapted_table(table: LineToken, header: LineToken, rake: str) -> LineToken:
    if bool(table.get("chips")) != bool(header.get("in_tournament")):
        return _retyped(table, UNKNOWN_LINE)
    # In old files the rake's sign alone tells the currency.
    currency = CURRENCY_OF_SYMBOL.get(rake[:1])
    if table.get("real_money") and table["small_bet"][0].isdigit() and currency:
        return _with(table, currency=currency)
    return table


def _with(line: LineToken, **fields: str) -> LineToken:
    return LineToken(line.type, line.index, {**line.fields, **fields}, line.player, line.column)


def _retyped(line: LineToken, type: str) -> LineToken:
    return LineToken(type, line.index, line.fields, line.player, line.column)


# ---- currency signs

_AMOUNTS = ("small_bet", "big_bet", "ante", "amount", "to", "rake", "stack", "net")
_SIGN = re.compile("[" + "".join(CURRENCY_OF_SYMBOL) + "]")


def _signless_fields(lines: list[LineToken]) -> tuple[str, ...]:
    """Return the amounts whose currency sign means nothing: all of play money, a fee of chips."""
    table = next((line for line in lines if line.type == "TABLE"), None)
    if table is not None and table.get("play_money"):
        return _AMOUNTS
    return ("rake",) if table is not None and table.get("chips") else ()


def _without_signs(line: LineToken, fields: tuple[str, ...]) -> LineToken:
    signed = {name: text for name in fields if (text := line.get(name))}
    if not signed:
        return line
    return _with(line, **{name: _SIGN.sub("", text) for name, text in signed.items()})


# ---- pots


class _Share(NamedTuple):
    """What a player takes of a pot; without an amount he is not in the seat list."""

    player: str
    column: int
    amount: str | None


_SHARE = re.compile(r" \((?P<amount>[^\s()]+)\)(?:, |$)")


def _shares(pot: LineToken, names: SeatNames, *, several_pots: bool) -> Iterator[LineToken]:
    """Yield a COLLECTED for each winner of ``Main pot: $2.87 won by Ann ($1.37), Bob ($1.36)``."""
    name = pot["pot"].lower() if several_pots else "pot"
    before = f"{pot['pot']}: {pot['amount']} won by "
    for share in _split(before + pot["winners"], len(before), names):
        known = share.amount is not None
        fields = {"amount": share.amount, "pot": name}
        type = "COLLECTED" if known else UNKNOWN_PLAYER
        yield LineToken(type, pot.index, fields, share.player, share.column)


def _split(line: str, start: int, names: SeatNames) -> list[_Share]:
    """Return the shares from a place in the line on, up to the first that is nobody's."""
    found: list[_Share] = []
    for name in names.at(line, start):
        column = start + len(name)
        if (share := _SHARE.match(line, column)) is not None:
            rest = _split(line, share.end(), names) if share.end() < len(line) else []
            found = [_Share(name, column, share["amount"]), *rest]
            if found[-1].amount is not None:
                return found
    stranger = line[start:].partition(" (")[0]
    return found or [_Share(stranger, start, None)]


ONGAME = Site(
    name="ongame",
    reader=_OnGameReader(
        grammar_file="ongame.lark",
        first_line=re.compile(r"\*{5} History for hand (?P<number>[A-Z][0-9]*-[0-9]+-[0-9]+)"),
        begins_with="*",
        time_zone="UTC",
        street_names={},
        decimals=2,
        conventions=Conventions(
            raise_is_added=True,
            raises_may_be_bets=True,
            all_in_unsaid=True,
            return_unsaid=True,
            showdown_unsaid=True,
            mucks_unsaid=True,
            board_unsaid=True,
            shown_in_summary=True,
            seen_unsaid=True,
        ),
        rewrite=rewrite,
    ),
)
