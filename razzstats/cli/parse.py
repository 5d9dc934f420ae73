"""`razzstats parse`: hands as JSON, without storing anything."""

import typer

from razzstats.cli.common import Paths, VariantOption, rule_set, tell_failure


def run(paths: Paths, variant: VariantOption = "razz") -> None:
    """Parse and replay; print one JSON object for each hand of Razz, in file order.

    Rejected hands are printed too, with their diagnostics. Nothing is stored.
    """
    from razzstats.cli.hand_json import outcome_json
    from razzstats.pipeline import RAZZ_HANDS, Status, read_paths

    failed = False
    for outcome in read_paths(paths, rule_set(variant)):
        if outcome.status in RAZZ_HANDS:
            print(outcome_json(outcome))
        elif outcome.status is Status.FAILED_FILE:
            failed = True
            tell_failure(outcome.diagnostics[0])
    if failed:
        raise typer.Exit(1)
