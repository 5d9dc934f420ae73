"""`razzstats leaks`: what a player does too often, and what it costs him."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razzstats.cli.common import (
    DatabaseOption,
    Format,
    open_measured,
    remark,
    stdout_console,
    write_frame,
)
from razzstats.cli.filters import check_hero, takes_filters

if TYPE_CHECKING:
    from rich.console import Console

    from razzstats.stats.filters import Filters
    from razzstats.stats.leaks.finder import Finding

_MOST_HANDS = 100


@takes_filters
def run(
    *,
    filters: "Filters",
    player: Annotated[
        str | None, typer.Option("--as", help="Look for the leaks of this player instead.")
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            "--hands",
            metavar="LEAK",
            help="List the hands of one leak by its number, the latest "
            "first; `razzstats show` opens them.",
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
    """
    if player is not None:
        if filters.hero is not None or filters.all_players:
            raise typer.BadParameter("--as says whose leaks; leave --hero and --all-players out")
        filters = replace(filters, hero=player)
    if hands is not None:
        _list_hands(filters, hands, db, format)
        return
    from razzstats.stats.leaks.finder import Verdict, find_leaks
    from razzstats.stats.tables import count_hands

    with open_measured(db) as database:
        check_hero(database, filters)
        number = count_hands(database, filters)
        findings = find_leaks(database, filters, price_all=every)
    leaks = sum(finding.verdict is Verdict.LEAK for finding in findings)
    too_few = sum(finding.verdict is Verdict.TOO_FEW for finding in findings)
    shown = [f for f in findings if every or f.verdict is Verdict.LEAK]
    if format is Format.TABLE:
        if shown:
            _print_table(shown, stdout_console())
        else:
            print("No leak was found.")
    else:
        _write([_record(finding) for finding in findings], format)
    remark(
        f"{filters.words()}: {number} hands; {leaks} of {len(findings)} rules are leaks, for "
        f"{too_few} there are not enough hands"
    )


def _list_hands(filters: "Filters", number: int, db: "DatabaseOption", format: Format) -> None:
    from razzstats.stats.leaks import RULE_BY_ID
    from razzstats.stats.leaks.finder import mistakes_of

    rule = RULE_BY_ID.get(number)
    if rule is None:
        names = ", ".join(map(str, RULE_BY_ID))
        raise typer.BadParameter(f"{number} is no leak; choose from {names}", param_hint="--hands")
    with open_measured(db) as database:
        check_hero(database, filters)
        found = mistakes_of(database, filters, rule, _MOST_HANDS)
    if format is Format.TABLE:
        for site, hand_no, _ in found:
            print(f"{site} {hand_no}")
    else:
        _write([{"site": s, "hand_no": no, "seq": seq} for s, no, seq in found], format)
    remark(f"{rule.id} {rule.title}: {len(found)} mistakes" + (
        f", the latest {_MOST_HANDS}" if len(found) == _MOST_HANDS else ""
    ))  # fmt: skip


def _record(finding: "Finding") -> dict[str, Any]:
    rule, priced = finding.rule, finding.priced
    return {
        "leak": rule.id,
        "title": rule.title,
        "street": rule.street,
        "verdict": str(finding.verdict),
        "spots": finding.spots,
        "mistakes": finding.mistakes,
        "rate": finding.rate,
        "rate_low": finding.interval.low,
        "rate_high": finding.interval.high,
        "reference": rule.reference.most,
        "source": str(rule.reference.source),
        "chance_of_none": finding.chance_of_none,
        "cost": priced.mean if priced else None,
        "cost_error": priced.error if priced else None,
        "priced": priced.number if priced else 0,
        "cost_per_100": finding.cost_per_100,
        "cost_per_100_low": finding.cost_low,
        "cost_per_100_high": finding.cost_high,
        "advice": rule.advice,
    }


def _write(records: list[dict[str, Any]], format: Format) -> None:
    if format is Format.JSON:
        print(json.dumps(records))
        return
    import pandas as pd

    write_frame(pd.DataFrame(records), format)


def _print_table(findings: "list[Finding]", console: "Console") -> None:
    from rich import box
    from rich.table import Table

    from razzstats.reports import formats
    from razzstats.stats.catalogue import Kind

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("Leak")
    for heading in ("Rate", "95 %", "Usual", "Spots", "BB each", "BB/100", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Verdict")
    for finding in findings:
        rule, priced = finding.rule, finding.priced
        table.add_row(
            f"{rule.id} {rule.title}",
            formats.value(finding.rate, Kind.RATE),
            formats.interval(*finding.interval, Kind.RATE),
            f"up to {formats.rate(rule.reference.most)}",
            formats.count(finding.spots),
            formats.number(priced.mean) if priced else formats.DASH,
            formats.value(finding.cost_per_100, Kind.NUMBER),
            formats.interval(finding.cost_low, finding.cost_high, Kind.RESULT),
            str(finding.verdict),
        )
    console.print(table)
    for finding in findings:
        console.print(f"{finding.rule.id}: {finding.rule.advice}", markup=False, soft_wrap=True)
