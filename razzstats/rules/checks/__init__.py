"""Which rules an event would break: the questions that `HandState.legal` answers, in words."""

from collections.abc import Callable, Mapping
from typing import Any

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
    ReturnedBet,
    Show,
    ShowdownStart,
    StreetStart,
    Wager,
)
from razzstats.rules.betting import HandState
from razzstats.rules.checks.common import Violations
from razzstats.rules.checks.dealing import check_ante, check_deal, check_street
from razzstats.rules.checks.ending import (
    card_violations,
    check_collect,
    check_muck,
    check_returned,
    check_show,
    check_showdown_start,
    end_violations,
)
from razzstats.rules.checks.wagering import (
    check_bring_in,
    check_call,
    check_cap_notice,
    check_check,
    check_fold,
    check_wager,
)

__all__ = ["CHECKS", "card_violations", "end_violations", "violations"]


def violations(state: HandState, event: Event) -> Violations:
    """Yield the rules that the event breaks in this state, the decisive one first."""
    check = CHECKS.get(type(event))
    return check(state, event) if check else ()


CHECKS: Mapping[type[Any], Callable[[HandState, Any], Violations]] = {
    Ante: check_ante,
    StreetStart: check_street,
    Deal: check_deal,
    BringIn: check_bring_in,
    Fold: check_fold,
    Check: check_check,
    Call: check_call,
    Wager: check_wager,
    ReturnedBet: check_returned,
    CapNotice: check_cap_notice,
    ShowdownStart: check_showdown_start,
    Show: check_show,
    Muck: check_muck,
    Collect: check_collect,
}
"""A check for each event that can break a rule; notes cannot."""
