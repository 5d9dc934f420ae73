"""`razzstats parse`: hands as JSON, without storing anything."""

import typer

from razzstats.cli.common import (
    Paths,
    VariantOption,
    files_in_words,
    hands_in_words,
    remark,
    rule_set,
    tell_failure,
)


def run(paths: Paths, variant: VariantOption = "razz") -> None:
    """Parse and replay; print one JSON object for each hand of Razz, in file order.

    Rejected hands are printed too, with their diagnostics. Nothing is stored.
    """
    from razzstats.cli.hand_json import outcome_json
    from razzstats.pipeline import RAZZ_HANDS, Status, read_paths

    failed = False
    hands = 0
    files: set[str] = set()
    for outcome in read_paths(paths, rule_set(variant)):
        files.add(outcome.file)
        if outcome.status in RAZZ_HANDS:
            hands += 1
            print(outcome_json(outcome))
        elif outcome.status is Status.FAILED_FILE:
            failed = True
            tell_failure(outcome.diagnostics[0])
    remark(f"{files_in_words(len(files))}, {hands_in_words(hands)} of Razz printed")
    if failed:
        raise typer.Exit(1)
