"""A report in which nobody is named: players have numbers, texts of hands are left out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import pandas as pd

from razzstats.diagnostics import Diagnostic
from razzstats.diagnostics.codes import find_code
from razzstats.reports.data import ReportData
from razzstats.reports.told import ToldHand

LEFT_OUT = "left out: names are masked"


def masked(data: ReportData) -> ReportData:
    """Return the report without names: those whose it is are Hero, the others Player 1, 2, ….

    Players keep one number throughout the page. Of rejected hands the code and its meaning stay;
    their messages, texts and files, which hold names, are left out. Hand numbers stay.
    """
    names = _names(data)
    told = tuple(each.renamed(names) for each in data.told)
    titles = [names[hero] for hero in data.heroes]
    return replace(
        data,
        title=", ".join(titles) if titles else "All players",
        filters="the hands that were asked for" if data.heroes else "all players",
        heroes=tuple(titles),
        told=told,
        rejected=_without_texts(data.rejected),
        masked=True,
        comparison=data.comparison and replace(
            data.comparison, first="the other period", second="this report"
        ),
        sessions=_renamed(data.sessions, names),
        opponents=_renamed(data.opponents, names),
        biggest_pots=_renamed(data.biggest_pots, names),
        luckiest=_renamed(data.luckiest, names),
        unluckiest=_renamed(data.unluckiest, names),
        worst_decisions=_renamed(data.worst_decisions, names),
    )  # fmt: skip


def mask_hand(told: ToldHand) -> ToldHand:
    """Return a hand without names, as `masked` does."""
    parsed = told.hand.parsed
    heroes = [player.name for player in parsed.players if player.seat == parsed.hero]
    return told.renamed(_numbered(heroes, _players(told)))


def mask_remarks(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return what the checks found without names: the codes and what they mean."""
    return tuple(
        replace(each, message=each.code.summary, span=None, labels=(), help=None) for each in found
    )


def _names(data: ReportData) -> dict[str, str]:
    return _numbered(data.heroes, _everybody(data))


def _numbered(heroes: Iterable[str], players: Iterable[str]) -> dict[str, str]:
    own = list(dict.fromkeys(heroes))
    names = {name: "Hero" if len(own) == 1 else f"Hero {n}" for n, name in enumerate(own, 1)}
    others = (name for name in dict.fromkeys(players) if name not in names)
    return names | {name: f"Player {n}" for n, name in enumerate(others, 1)}


def _everybody(data: ReportData) -> Iterator[str]:
    """Yield every name in the report, those met most often first."""
    for frame in (data.opponents, data.sessions, data.biggest_pots, data.luckiest,
                  data.unluckiest, data.worst_decisions):  # fmt: skip
        yield from frame["name"]
    for told in data.told:
        yield from _players(told)


def _players(told: ToldHand) -> Iterator[str]:
    yield from (player.name for player in told.hand.parsed.players)


def _renamed(frame: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    return frame.assign(name=frame["name"].map(names))


def _without_texts(rejected: pd.DataFrame) -> pd.DataFrame:
    codes = [find_code(str(code)) for code in rejected["code"]]
    return rejected.assign(
        message=[code.summary if code else LEFT_OUT for code in codes],
        file=LEFT_OUT,
        text=LEFT_OUT,
    )
