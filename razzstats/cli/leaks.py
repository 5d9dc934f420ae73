"""`razzstats leaks`: what a player does too often, and what it costs him."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from razzstats.cli import completion
from razzstats.cli.common import (
    DatabaseOption,
    Format,
    open_measured,
    print_columns,
    remark,
    stdout_console,
    write_frame,
)
from razzstats.cli.filters import check_hero, takes_filters

if TYPE_CHECKING:
    import pandas as pd

    from razzstats.stats.filters import Filters
    from razzstats.stats.leaks.costs import FoldRates
    from razzstats.storage import Database

_MOST_HANDS = 100


@takes_filters
def run(
    *,
    filters: "Filters",
    player: Annotated[
        str | None,
        typer.Option(
            "--as",
            help="Look for the leaks of this player instead.",
            autocompletion=completion.heroes,
        ),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            "--hands",
            metavar="LEAK",
            help="List the hands of one leak by its number, the latest "
            "first; `razzstats show` opens them.",
            autocompletion=completion.leaks,
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show every rule, those without a leak as well.")
    ] = False,
    db: DatabaseOption = None,
    format: Annotated[Format, typer.Option(help="How to write the findings.")] = Format.TABLE,
) -> None:
    """Find leaks: mistakes made too often, the dearest first, with what they cost.

    Only decisions count in which the player's own cards are known. A rate is called a leak if it
    is very likely above what a sound player does, and if the mistakes cost by pot odds and equity.
    With --session: the mistakes of that session, beside what is usual for the player.
    """
    if player is not None:
        if filters.hero is not None or filters.all_players:
            raise typer.BadParameter("--as says whose leaks; leave --hero and --all-players out")
        filters = replace(filters, hero=player)
    from razzstats.stats.leaks.costs import fold_rates

    with open_measured(db) as database:
        check_hero(database, filters)
        finds = hands is None and filters.session is None
        # What all players do tells what a mistake costs, whichever hands are looked at.
        rates = fold_rates(database) if finds else None
        database.narrow(filters.reach)
        if hands is not None:
            _list_hands(database, filters, hands, format)
        elif filters.session is not None:
            _compare(database, filters, format)
        else:
            _find(database, filters, rates, every, format)


def _find(
    database: "Database", filters: "Filters", rates: "FoldRates | None", every: bool, format: Format
) -> None:
    from razzstats.stats.leaks.finder import find_leaks
    from razzstats.stats.leaks.finding import TOLD, Verdict
    from razzstats.stats.leaks.frames import leak_frame
    from razzstats.stats.tables import count_hands

    findings = find_leaks(database, filters, price_all=every, rates=rates)
    if format is Format.TABLE:
        shown = leak_frame([f for f in findings if every or f.verdict in TOLD])
        _print_leaks(shown) if len(shown) else print("No leak was found.")
    else:
        write_frame(leak_frame(findings), format)
    verdicts = [finding.verdict for finding in findings]
    remark(
        f"{filters.words()}: {count_hands(database, filters)} hands; "
        f"{verdicts.count(Verdict.LEAK)} of {len(findings)} rules are leaks, "
        f"{verdicts.count(Verdict.UNUSUAL)} rates are unusual, for "
        f"{verdicts.count(Verdict.TOO_FEW)} rules there are not enough hands"
    )


def _print_leaks(frame: "pd.DataFrame") -> None:
    from razzstats.reports import formats
    from razzstats.reports.leak_listings import LEAK_HEADINGS, leak_words

    headings = [heading.text for heading in LEAK_HEADINGS]
    words = [heading.text for heading in LEAK_HEADINGS if heading.is_text]
    print_columns(headings, map(leak_words, formats.records(frame)), words)
    _print_advice(frame)


def _print_advice(frame: "pd.DataFrame") -> None:
    for id, advice in zip(frame["leak"], frame["advice"], strict=True):
        stdout_console().print(f"{id}: {advice}", markup=False, soft_wrap=True)


def _compare(database: "Database", filters: "Filters", format: Format) -> None:
    from razzstats.stats.leaks.finder import compare_with_usual
    from razzstats.stats.leaks.frames import compared_frame
    from razzstats.stats.tables import count_hands

    frame = compared_frame(compare_with_usual(database, filters))
    number = count_hands(database, filters)
    if format is not Format.TABLE:
        write_frame(frame, format)
    elif len(frame):
        _print_compared(frame)
    else:
        print("No mistake was made that a rule knows." if number else "No hand matches.")
    remark(
        f"{filters.words()}: {number} hands; {int(frame['mistakes'].sum())} mistakes, usual would "
        f"be {frame['mistakes'].sum() - frame['excess'].sum():.1f}"
    )


def _print_compared(frame: "pd.DataFrame") -> None:
    from razzstats.reports import formats
    from razzstats.stats.catalogue import Kind

    rows = [
        (
            f"{row['leak']} {row['title']}",
            formats.value(row["rate"], Kind.RATE),
            f"{row['mistakes']} of {row['spots']}",
            formats.value(row["usual_rate"], Kind.RATE),
            f"{row['usual_mistakes']} of {row['usual_spots']}",
            formats.signed(row["excess"]),
            formats.value(row["chance_of_none"], Kind.RATE),
        )
        for row in formats.records(frame)
    ]
    headings = ("Leak", "Session", "", "Usual", "", "More", "By chance")
    print_columns(headings, rows, words=("Leak",))
    _print_advice(frame[frame["excess"] > 0])


def _list_hands(database: "Database", filters: "Filters", number: int, format: Format) -> None:
    import pandas as pd

    from razzstats.stats.leaks import RULE_BY_ID
    from razzstats.stats.leaks.finder import has_hands, mistakes_of

    rule = RULE_BY_ID.get(number)
    if rule is None:
        names = ", ".join(map(str, RULE_BY_ID))
        raise typer.BadParameter(f"{number} is no leak; choose from {names}", param_hint="--hands")
    if not has_hands(rule):
        raise typer.BadParameter(
            f"{number} is about a rate: no single hand shows it", param_hint="--hands"
        )
    found = mistakes_of(database, filters, rule, _MOST_HANDS)
    if format is Format.TABLE:
        for mistake in found:
            print(f"{mistake.site} {mistake.hand_no}")
    else:
        columns = ["site", "hand_no", "seq"]
        write_frame(pd.DataFrame(found, columns=columns).astype({"seq": "Int64"}), format)
    remark(f"{rule.id} {rule.title}: {len(found)} mistakes" + (
        f", the latest {_MOST_HANDS}" if len(found) == _MOST_HANDS else ""
    ))  # fmt: skip
