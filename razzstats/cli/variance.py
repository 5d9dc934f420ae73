"""`razzstats variance`: what chance may do to the next hands, from a player's own."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

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
    from razzstats.stats.money import PlayedHands
    from razzstats.stats.resampling import Blocks, Courses

_MOST_HANDS = 1_000_000
_MOST_COURSES = 100_000


@takes_filters
def run(
    *,
    filters: "Filters",
    db: DatabaseOption = None,
    hands: Annotated[
        int, typer.Option(min=1, max=_MOST_HANDS, help="How many hands a course is long.")
    ] = 10_000,
    courses: Annotated[
        int, typer.Option(min=1, max=_MOST_COURSES, help="How many courses are played.")
    ] = 1_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same hands.")] = 1,
    format: Annotated[Format, typer.Option(help="How to write the result.")] = Format.TABLE,
) -> None:
    """Print how results and drawdowns of so many hands spread, drawn from the hands that match.

    Courses take whole sessions of these hands at random, as if their BB/100 were the true one.
    """
    from razzstats.stats.intervals import FEW
    from razzstats.stats.money import played_hands
    from razzstats.stats.resampling import simulate

    with open_measured(db) as database:
        check_hero(database, filters)
        database.narrow(filters.reach)
        played = played_hands(database, filters)
    real = len(played.results)
    if real < FEW:
        few = f"too few to draw from; it takes {FEW} or more"
        remark(f"{filters.words()}: {_hands_in_words(real)}, {few}")
        rows = []
    else:
        blocks = _enough_blocks(played.blocks, FEW)
        found = simulate(blocks, hands=hands, courses=courses, seed=seed)
        rows = _rows(found, hands, real, len(blocks.starts), seed)
        remark(f"{filters.words()}: {_basis(played, blocks)}")
    if format is not Format.TABLE:
        write_frame(_frame(rows), format)
    elif rows:
        _print_table(rows)


def _enough_blocks(sessions: "Blocks", least: int) -> "Blocks":
    """Return the sessions, cut up if there are so few that chance would have little to choose."""
    if len(sessions.starts) >= least:
        return sessions
    return sessions.cut(len(sessions.results) // least)


def _hands_in_words(hands: int) -> str:
    return "1 hand" if hands == 1 else f"{hands:,} hands"


def _basis(played: "PlayedHands", drawn: "Blocks") -> str:
    """Return what the courses rest on, in words."""
    from razzstats.reports.formats import interval, signed
    from razzstats.stats.catalogue import Kind
    from razzstats.stats.frames import times_100
    from razzstats.stats.resampling import block_interval

    sessions = len(played.blocks.starts)
    low, high = map(times_100, block_interval(drawn))
    words = f"drawn from {_hands_in_words(len(played.results))} in "
    words += "1 session" if sessions == 1 else f"{sessions:,} sessions"
    if drawn is not played.blocks:
        words += f", cut into {len(drawn.starts)} pieces"
    words += f", as if the true BB/100 were theirs, {signed(100 * float(played.results.mean()))}; "
    return words + f"it may be anything from {interval(low, high, Kind.RESULT)}"


def _rows(found: "Courses", hands: int, real: int, blocks: int, seed: int) -> list[dict[str, Any]]:
    import numpy as np

    from razzstats.stats.intervals import wilson
    from razzstats.stats.resampling import PERCENTILES

    courses = len(found.ends)
    low, high = wilson(found.losses, courses)
    rows = []
    for measure, values in (("result", found.ends), ("drawdown", found.drawdowns)):
        percentiles = np.percentile(values, PERCENTILES).tolist()
        is_result = measure == "result"
        rows.append({
            "measure": measure,
            "hands": hands,
            **dict(zip(map(_key, PERCENTILES), percentiles, strict=True)),
            "loss": found.losses / courses if is_result else None,
            "loss_low": low if is_result else None,
            "loss_high": high if is_result else None,
            "courses": courses,
            "seed": seed,
            "real_hands": real,
            "blocks": blocks,
        })  # fmt: skip
    return rows


def _key(percentile: float) -> str:
    """Return a percentile's column: p2_5, p50."""
    return f"p{percentile:g}".replace(".", "_")


def _frame(rows: list[dict[str, Any]]) -> "pd.DataFrame":
    import pandas as pd

    from razzstats.stats.resampling import PERCENTILES

    counts = dict.fromkeys(("hands", "courses", "seed", "real_hands", "blocks"), "Int64")
    numbers = (*map(_key, PERCENTILES), "loss", "loss_low", "loss_high")
    columns = ["measure", "hands", *numbers, "courses", "seed", "real_hands", "blocks"]
    types = {"measure": "str", **counts, **dict.fromkeys(numbers, "Float64")}
    return pd.DataFrame(rows, columns=columns).astype(types)


def _print_table(rows: list[dict[str, Any]]) -> None:
    from razzstats.reports import formats
    from razzstats.stats.catalogue import Kind
    from razzstats.stats.resampling import PERCENTILES

    result, drawdown = rows
    title = f"After {_hands_in_words(result['hands'])}, in big bets"
    keys = [_key(percentile) for percentile in PERCENTILES]
    print_columns(
        [title, *(f"{percentile:g} %" for percentile in PERCENTILES)],
        [
            ["Result", *(formats.signed(result[key]) for key in keys)],
            ["Largest drawdown", *(formats.number(drawdown[key], 1) for key in keys)],
        ],
        words=[title],
    )
    bounds = formats.interval(result["loss_low"], result["loss_high"], Kind.RATE)
    stdout_console().print(
        f"Loss in {formats.rate(result['loss'])} of {result['courses']:,} courses "
        f"({bounds} if more were drawn). All this rests on {_hands_in_words(result['real_hands'])}."
    )
