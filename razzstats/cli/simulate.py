"""`razzstats simulate`: legal hands in PokerStars' format, to try things out."""

from pathlib import Path
from typing import Annotated

import typer

from razzstats.cli.common import VariantOption, remark, rule_set
from razzstats.errors import RazzstatsError


def run(
    hands: Annotated[int, typer.Option(min=1, help="How many hands.")] = 100,
    players: Annotated[int, typer.Option(min=2, max=8, help="How many seats.")] = 6,
    seed: Annotated[int, typer.Option(help="The same seed gives the same hands.")] = 1,
    variant: VariantOption = "razz",
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("simulated.txt"),
) -> None:
    """Write simulated hands of Razz as a PokerStars hand history."""
    from razzstats.simulate import render_hand, simulate_hands

    rules = rule_set(variant)
    try:
        with open(out, "w", encoding="utf-8", newline="\n") as file:
            for hand in simulate_hands(hands, players, seed, rules=rules):
                file.write(render_hand(hand))
    except OSError as error:
        raise RazzstatsError(f"{out} cannot be written: {error.strerror}") from None
    remark(f"wrote {hands} hands to {out}")
