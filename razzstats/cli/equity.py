"""`razzstats equity`: how a pot is shared out on average."""

import json
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razzstats.cli.common import (
    Format,
    VariantOption,
    print_columns,
    remark,
    rule_set,
    write_frame,
)

if TYPE_CHECKING:
    from razzstats.equity import Equity, Spot


def run(
    hands: Annotated[
        list[str],
        typer.Argument(
            metavar="HAND HAND...",
            help="Two to eight hands such as Ac2d3h; xx is an unknown card, [8-] an unpaired eight "
            "or lower, [9+] a nine or higher; where suits never matter A23 will do. What is not "
            "named of the seven cards is unknown.",
            show_default=False,
        ),
    ],
    dead: Annotated[
        str, typer.Option(metavar="CARDS", help="Cards that were seen elsewhere, such as 4s5h.")
    ] = "",
    streets: Annotated[
        bool, typer.Option("--streets", help="Show third street and each one after it, too.")
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(min=1, help="Sample so many deals instead of counting every one."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed samples the same deals.")] = 1,
    variant: VariantOption = "razz",
    format: Annotated[Format, typer.Option(help="How to write the result.")] = Format.TABLE,
) -> None:
    """Print each hand's part of the pot, on average over all deals of the unknown cards."""
    from razzstats.equity import Holding, Spot, calculate, parse_dead_cards
    from razzstats.equity.calculation import by_street

    best_hand = rule_set(variant).best_hand
    spot = Spot(tuple(Holding.parse(hand) for hand in hands), parse_dead_cards(dead))
    begin = time.perf_counter()
    result = calculate(spot, best_hand, samples=samples, seed=seed)
    earlier = [
        (street, cut, calculate(cut, best_hand, samples=samples, seed=seed))
        for street, cut in (by_street(spot) if streets else ())
    ]
    seconds = time.perf_counter() - begin
    if format is Format.TABLE:
        by_number = [(street, each) for street, _, each in earlier]
        _print_table(spot, result, by_number)
    elif format is Format.JSON:
        found = _json(spot, result) | {"seconds": round(seconds, 6)}
        if streets:
            found["streets"] = [{"street": s} | _json(cut, each) for s, cut, each in earlier]
        print(json.dumps(found))
    else:
        import pandas as pd

        write_frame(pd.DataFrame(_json(spot, result)["players"]), format)
    remark(_in_words(result))


def _json(spot: "Spot", result: "Equity") -> dict[str, Any]:
    """Return a result as `contract.md` has it: equity, win and tie are fractions of 1."""
    deals = result.deals
    players = [
        {
            "cards": str(hand),
            "equity": float(result.share(player)),
            "win": result.win(player) / deals,
            "tie": result.tie(player) / deals,
            "standard_error": result.standard_error(player),
            "win_deals": result.win(player),
            "tie_deals": result.tie(player),
        }
        for player, hand in enumerate(spot.hands)
    ]
    return {"players": players, "deals": deals, "exact": result.exact, "seed": result.seed}


def _in_words(result: "Equity") -> str:
    if result.exact:
        return f"exact: every one of {result.deals:,} deals was counted"
    error = max(result.standard_error(player) for player in range(result.players))
    return (
        f"sampled: {result.deals:,} deals with seed {result.seed}; standard error up to "
        f"{100 * error:.2f} %"
    )


def _print_table(spot: "Spot", result: "Equity", streets: "list[tuple[int, Equity]]") -> None:
    from razzstats.reports import formats

    rows = []
    for player, hand in enumerate(spot.hands):
        parts = [
            float(result.share(player)),
            result.win(player) / result.deals,
            result.tie(player) / result.deals,
            *(float(each.share(player)) for _, each in streets),
        ]
        rows.append([str(hand), *(f"{100 * part:.2f} %" for part in parts)])
    by_street = [formats.street(street) for street, _ in streets]
    print_columns(["Hand", "Equity", "Win", "Tie", *by_street], rows, words=["Hand"])
