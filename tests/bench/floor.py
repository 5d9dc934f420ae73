"""The floor: PokerStars' Razz text read by hand-written line code, to measure the parser against.

It gives what `parse_hand` gives, for hands that are right, and takes all for right: there is no
grammar, and a line that cannot be true makes nonsense or an exception instead of a finding. Between
two hands it remembers nothing but the 52 cards and the time zones.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from razzstats.cards import DECK, Card, MaybeCard, Rank
from razzstats.chips import CURRENCY_OF_SYMBOL, PLAY_MONEY, TOURNAMENT_CHIPS, Chips, Money
from razzstats.events import (
    Ante,
    BringIn,
    Call,
    CapNotice,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    Muck,
    Note,
    ParsedHand,
    ReturnedBet,
    Seat,
    SeatedPlayer,
    SeatSummary,
    Show,
    ShowdownStart,
    Stakes,
    Street,
    StreetStart,
    Summary,
    Tournament,
    Wager,
)
from razzstats.locations import HandId, HandText
from razzstats.lowball import LowClaim, parse_low

_HEADER = re.compile(
    r"PokerStars [A-Za-z ]+#(?P<number>[0-9]+):(?: +\{(?P<club>.*)\})? +"
    r"(?:T[A-Za-z]+ #(?P<tournament>[0-9]+), +"
    r"(?:(?P<buy_in>Freeroll|[^\s(]*[0-9][^\s(]*(?: [A-Z]{2,3})?) +)?)?"
    r"(?:(?P<mix>[^()]+) \()?R(?:azz|AZZ)(?: L[A-Za-z]+)?\)?"
    r"(?: - (?P<level>(?:Match Round \w+, )?L\w+ \w+))?"
    r"(?:, | \()(?:ante [^\s(),]+, )?"
    r"(?P<small_bet>[^\s/(),]+) ?/ ?(?P<big_bet>[^\s/(),]+)(?: (?P<currency>[A-Z]{3}))?[^)]*\)"
    r"(?: \[A[^\]]*\])? - (?P<date>[0-9/]{10}) (?:- )?(?P<time>[0-9:]+)(?: \(?(?P<zone>[A-Za-z]+))?"
    r"\)?(?: \[(?P<et_date>[0-9/]{10}) (?P<et_time>[0-9:]+) ET\])?"
)
_EASTERN = ZoneInfo("America/New_York")
_ZONES = {
    "ET": _EASTERN,
    "CT": ZoneInfo("America/Chicago"),
    "MT": ZoneInfo("America/Denver"),
    "PT": ZoneInfo("America/Los_Angeles"),
    "BRT": ZoneInfo("America/Sao_Paulo"),
    "UTC": ZoneInfo("UTC"),
    "GMT": ZoneInfo("UTC"),
    "WET": ZoneInfo("Europe/Lisbon"),
    "CET": ZoneInfo("Europe/Paris"),
    "EET": ZoneInfo("Europe/Helsinki"),
    "MSK": ZoneInfo("Europe/Moscow"),
}
_CARDS: Mapping[str, Card] = {str(card): card for card in DECK}
_RANKS: Mapping[str, Rank] = {rank.symbol: rank for rank in Rank}
_STREETS = {
    "*** 3rd STREET ***": Street.THIRD,
    "*** 3RD STREET ***": Street.THIRD,
    "*** 4th STREET ***": Street.FOURTH,
    "*** 4TH STREET ***": Street.FOURTH,
    "*** 5th STREET ***": Street.FIFTH,
    "*** 5TH STREET ***": Street.FIFTH,
    "*** 6th STREET ***": Street.SIXTH,
    "*** 6TH STREET ***": Street.SIXTH,
    "*** RIVER ***": Street.SEVENTH,
}
_FOLDED_ON = {
    "3rd Street": Street.THIRD,
    "4th Street": Street.FOURTH,
    "5th Street": Street.FIFTH,
    "6th Street": Street.SIXTH,
    "River": Street.SEVENTH,
}
_UNSEEN: tuple[MaybeCard, ...] = (None, None)
_RIVER_WITH_CARD = "*** RIVER *** ["
_DEALT = len("Dealt to ")
_UNCALLED = len("Uncalled bet (")


def parse(text: HandText) -> ParsedHand:
    """Return what a hand's text says; the text must be that of a good Razz hand of PokerStars."""
    lines = text.lines
    header = _HEADER.match(lines[0])
    assert header is not None, lines[0]
    money = _money(header)
    amounts = _Amounts(money.decimals)
    table, max_seats = _table(lines[1])
    events: list[Event] = []
    players, first = _players(lines, amounts, events)
    seat_of = {player.name: player.seat for player in players}
    last, hero = _read_events(lines, first, seat_of, amounts, events)
    return ParsedHand(
        hand_id=HandId("pokerstars", header["number"]),
        played_at=_played_at(header),
        table=table,
        max_seats=max_seats,
        tournament=_tournament(header),
        mixed_game=header["mix"],
        club=header["club"],
        stakes=_stakes(header, money, amounts, events),
        players=players,
        hero=hero,
        events=tuple(events),
        summary=_summary(lines, last, players, amounts),
        text=text,
    )


class _Amounts(dict[str, Chips]):
    """The amounts of one hand by their text; what is not one raises ValueError."""

    __slots__ = ("decimals",)

    def __init__(self, decimals: int) -> None:
        super().__init__()
        self.decimals = decimals

    def __missing__(self, text: str) -> Chips:
        number = text.lstrip("$€£")
        if "," in number or "'" in number:
            number = number.replace(",", "").replace("'", "")
        whole, _, fraction = number.partition(".")
        chips = self[text] = Chips(int(whole + fraction.ljust(self.decimals, "0")))
        return chips


# ---- the header and the table


def _money(header: re.Match[str]) -> Money:
    if header["tournament"] is not None:
        return TOURNAMENT_CHIPS
    currency = header["currency"] or CURRENCY_OF_SYMBOL.get(header["small_bet"][0])
    return Money(currency, 2) if currency else PLAY_MONEY


def _tournament(header: re.Match[str]) -> Tournament | None:
    number, buy_in, level = header.group("tournament", "buy_in", "level")
    if number is None:
        return None
    return Tournament(number=number, buy_in=buy_in or "", level=level or "")


def _played_at(header: re.Match[str]) -> datetime:
    date, time, zone, et_date, et_time = header.group("date", "time", "zone", "et_date", "et_time")
    here = _moment(date, time, _ZONES[zone] if zone else _EASTERN)
    if et_date is None:
        return here
    first = _moment(et_date, et_time, _EASTERN)
    if first == here:
        return first
    # The hour that the clock of New York shows twice: the other clock says which it is.
    second = _moment(et_date, et_time, _EASTERN, fold=1)
    return second if second == here else first


def _moment(date: str, time: str, zone: ZoneInfo, fold: int = 0) -> datetime:
    hour, minute, second = time.split(":")
    return datetime(
        int(date[:4]), int(date[5:7]), int(date[8:]), int(hour), int(minute), int(second),
        tzinfo=zone, fold=fold,
    ).astimezone(UTC)  # fmt: skip


def _table(line: str) -> tuple[str, int]:
    end = line.rindex("'")
    return line[7:end], int(line[end:].partition("-max")[0].rpartition(" ")[2])


def _players(
    lines: tuple[str, ...], amounts: _Amounts, events: list[Event]
) -> tuple[tuple[SeatedPlayer, ...], int]:
    """Return the players by seat, and the first line behind the seat list."""
    players: list[SeatedPlayer] = []
    first = index = 2
    while ": posts the ante " not in (line := lines[index].rstrip()) and line not in _STREETS:
        head, _, tail = line.rpartition(" in chips")
        if head.startswith("Seat ") and tail[:1] in ("", ")", ","):
            events.extend(Note(text=lines[i].rstrip(), line=i) for i in range(first, index))
            number, _, rest = head[5:].partition(": ")
            name, _, stack = rest.rpartition(" (")
            away = " is sitting out" in tail
            players.append(
                SeatedPlayer(
                    seat=Seat(int(number)),
                    name=name,
                    stack=amounts[stack],
                    sitting_out=away,
                    line=index,
                )
            )
            first = index + 1
        index += 1
    players.sort(key=lambda player: player.seat)
    return tuple(players), first


def _stakes(header: re.Match[str], money: Money, amounts: _Amounts, events: list[Event]) -> Stakes:
    whole: list[Chips] = []
    short: list[Chips] = []
    bring_in = Chips(0)
    for event in events:
        kind = type(event)
        if kind is Ante:
            (short if event.all_in else whole).append(event.amount)  # type: ignore[union-attr]
        elif kind is BringIn:
            bring_in = Chips(0) if event.all_in else event.amount  # type: ignore[union-attr]
            break
        elif kind is Fold:
            break
    return Stakes(
        money=money,
        ante=_usual(whole or short),
        bring_in=bring_in,
        small_bet=amounts[header["small_bet"]],
        big_bet=amounts[header["big_bet"]],
    )


def _usual(antes: list[Chips]) -> Chips:
    if not antes:
        return Chips(0)
    if antes.count(antes[0]) == len(antes):
        return antes[0]
    counts = Counter(antes)
    return max(counts, key=lambda amount: (counts[amount], amount))


# ---- the events


def _read_events(
    lines: tuple[str, ...],
    first: int,
    seat_of: Mapping[str, Seat],
    amounts: _Amounts,
    events: list[Event],
) -> tuple[int, Seat | None]:
    """Add the events from a line on; return the summary's first line, and the hero's seat."""
    find_seat, add = seat_of.get, events.append
    street, hero = Street.THIRD, None
    for index in range(first, len(lines)):
        line = lines[index].rstrip()
        name, _, phrase = line.rpartition(": ")
        seat = find_seat(name)
        if seat is not None:
            if phrase == "folds":
                add(Fold(seat=seat, line=index, column=len(name)))
                continue
            if phrase == "checks":
                add(Check(seat=seat, line=index, column=len(name)))
                continue
            if event := _action(phrase, seat, index, len(name), amounts):
                add(event)
                continue
        if line.startswith("Dealt to ") and line[-1] == "]":
            deal = _deal(line, index, street, seat_of)
            add(deal)
            if street is Street.THIRD and len(deal.down) == 2 and deal.down[0] is not None:
                hero = deal.seat
        elif (started := _STREETS.get(line)) is not None:
            street = started
            add(StreetStart(street=street, line=index))
        elif line == "*** SUMMARY ***":
            return index, hero
        elif line.startswith(_RIVER_WITH_CARD):
            street = Street.SEVENTH
            add(StreetStart(street=street, community=_community(line, lines), line=index))
        elif line:
            add(_other(line, index, seat_of, amounts))
    raise ValueError("a hand without a summary")


def _action(phrase: str, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event | None:
    words = phrase.split(" ")
    make = _ACTIONS.get(words[0])
    if make is None:
        return None
    try:
        return make(words, seat, index, column, amounts)
    except (IndexError, KeyError, ValueError):
        return None  # part of a name that holds another's name and a verb


_Words = list[str]


def _fold(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event | None:
    if len(words) > 1 and words[1][0] != "[" and words[1] != "(disconnect)":
        return None
    return Fold(seat=seat, line=index, column=column)


def _check(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event | None:
    if len(words) > 1 and words[1] != "(disconnect)":
        return None
    return Check(seat=seat, line=index, column=column)


def _call(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event:
    all_in = len(words) > 2 and words[2] == "and"
    return Call(seat=seat, amount=amounts[words[1]], all_in=all_in, line=index, column=column)


def _bet(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event:
    return Wager(
        seat=seat,
        to=amounts[words[1]],
        verb="bets",
        all_in=len(words) > 2 and words[2] == "and",
        line=index,
        column=column,
    )


def _raise(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event:
    return Wager(
        seat=seat,
        to=amounts[words[3]],
        by=amounts[words[1]],
        verb="raises",
        all_in=len(words) > 4 and words[4] == "and",
        line=index,
        column=column,
    )


def _ante(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event:
    all_in = len(words) > 4 and words[4] == "and"
    return Ante(seat=seat, amount=amounts[words[3]], all_in=all_in, line=index, column=column)


def _bring_in(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event:
    behind = words.index("for") + 1  # brings in for, brings-in for, brings in low for
    all_in = len(words) > behind + 1 and words[behind + 1] == "and"
    amount = amounts[words[behind]]
    return BringIn(seat=seat, amount=amount, all_in=all_in, line=index, column=column)


def _muck(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event | None:
    return Muck(seat=seat, line=index, column=column) if words[-1] == "hand" else None


def _show(words: _Words, seat: Seat, index: int, column: int, amounts: _Amounts) -> Event:
    cards = tuple([_CARDS[word.strip("[]")] for word in words[1:]])
    return Show(seat=seat, cards=cards, line=index, column=column)


_ACTIONS: Mapping[str, Callable[[_Words, Seat, int, int, _Amounts], Event | None]] = {
    "folds": _fold,
    "checks": _check,
    "calls": _call,
    "bets": _bet,
    "raises": _raise,
    "posts": _ante,
    "brings": _bring_in,
    "brings-in": _bring_in,
    "mucks": _muck,
    "doesn't": _muck,
    "shows": _show,
}


def _deal(line: str, index: int, street: Street, seat_of: Mapping[str, Seat]) -> Deal:
    name, _, new = line[_DEALT:-1].rpartition(" [")
    seen: tuple[Card, ...] = ()
    seat = seat_of.get(name)
    if seat is None:
        name, _, before = name[:-1].rpartition(" [")
        seat = seat_of[name]
        seen = tuple([_CARDS[word] for word in before.split()])
    cards: tuple[MaybeCard, ...] = tuple([_CARDS[word] for word in new.split()])
    column = _DEALT + len(name)
    if street is Street.THIRD:
        down = cards[:-1] or _UNSEEN
        return Deal(seat=seat, up=cards[-1:], down=down, line=index, column=column)
    if street is Street.SEVENTH:
        return Deal(seat=seat, down=cards, seen=seen, line=index, column=column)
    return Deal(seat=seat, up=cards, seen=seen, line=index, column=column)


def _community(line: str, lines: tuple[str, ...]) -> Card:
    if card := line[len(_RIVER_WITH_CARD) : -1]:
        return _CARDS[card]
    return next(_CARDS[line[7:9]] for line in lines if line.startswith("Board ["))


def _other(line: str, index: int, seat_of: Mapping[str, Seat], amounts: _Amounts) -> Event:
    """Return what a line tells that is no action, no deal and no street; else it is a note."""
    if line[-1] == ")":
        name, _, claim = line.rpartition("] (Lo: ")
        name, _, cards = name.rpartition(": shows [")
        if name in seat_of:
            shown, column = tuple([_CARDS[word] for word in cards.split()]), len(name)
            low = _low(claim[:-1])
            return Show(seat=seat_of[name], cards=shown, low=low, line=index, column=column)
    name, _, rest = line.rpartition(" collected ")
    if name in seat_of:
        amount, _, pot = rest.partition(" from ")
        return Collect(
            seat=seat_of[name],
            amount=amounts[amount],
            pot=_pot_number(pot),
            line=index,
            column=len(name),
        )
    if line.startswith("Uncalled bet ("):
        amount, _, name = line[_UNCALLED:].partition(") returned to ")
        if name in seat_of:
            chips, column = amounts[amount], len(line)
            return ReturnedBet(seat=seat_of[name], amount=chips, line=index, column=column)
    if line == "*** SHOW DOWN ***":
        return ShowdownStart(line=index)
    if line == "Betting is capped":
        return CapNotice(line=index)
    return Note(text=line, line=index)


def _pot_number(name: str) -> int | None:
    if name == "pot":
        return None
    if name == "main pot":
        return 0
    return int(name.rpartition("-")[2]) if "-" in name else 1


def _low(text: str) -> LowClaim:
    try:
        return LowClaim(None, tuple([_RANKS[symbol] for symbol in text.split(",")]))
    except KeyError:
        return parse_low(text)


# ---- the summary


def _summary(
    lines: tuple[str, ...], first: int, players: tuple[SeatedPlayer, ...], amounts: _Amounts
) -> Summary:
    name_of = {str(player.seat): player for player in players}
    total, pot, pots, rake, board = 0, Chips(0), tuple[Chips, ...](), Chips(0), None
    seats: list[SeatSummary] = []
    for index in range(first + 1, len(lines)):
        line = lines[index].rstrip()
        if line.startswith("Seat "):
            number, _, rest = line[5:].partition(": ")
            seats.append(_seat_summary(name_of[number], len(number) + 7, rest, index, amounts))
        elif line.startswith("Total pot "):
            left, _, raked = line.rpartition(" | Rake ")
            words = left.split(" ")
            total, pot, rake = index, amounts[words[2]], amounts[raked]
            pots = tuple([amounts[word[:-1]] for word in words[3:] if word[-1] == "."])
        elif line.startswith("Board ["):
            board = _CARDS[line[7:-1]]
    return Summary(pot=pot, rake=rake, pots=pots, board=board, seats=tuple(seats), line=total)


def _seat_summary(
    player: SeatedPlayer, start: int, rest: str, index: int, amounts: _Amounts
) -> SeatSummary:
    seat, name = player.seat, player.name
    column = start + len(name)
    phrase = rest[len(name) :].removeprefix(" (button)")
    if phrase.startswith(" folded on the "):
        street, _, no_bet = phrase[15:].partition(" (")
        return SeatSummary(
            seat=seat,
            name=name,
            folded_on=_FOLDED_ON[street],
            did_not_bet=no_bet != "",
            line=index,
            column=column,
        )
    if phrase.startswith(" collected ("):
        won = amounts[phrase[12:-1]]
        return SeatSummary(seat=seat, name=name, won=won, line=index, column=column)
    if phrase.startswith(" mucked"):
        cards = tuple([_CARDS[word] for word in phrase[9:-1].split()]) if phrase[7:] else None
        return SeatSummary(
            seat=seat, name=name, cards=cards, mucked=True, line=index, column=column
        )
    if not phrase.startswith(" showed ["):
        return SeatSummary(seat=seat, name=name, line=index, column=column)
    shown, _, came_to = phrase[9:].partition("] and ")
    result, _, low = came_to.partition(" with Lo: ")
    return SeatSummary(
        seat=seat,
        name=name,
        cards=tuple([_CARDS[word] for word in shown.split()]),
        showed=True,
        lost=result == "lost",
        won=None if result == "lost" else amounts[result[5:-1]],
        low=_low(low) if low else None,
        line=index,
        column=column,
    )
