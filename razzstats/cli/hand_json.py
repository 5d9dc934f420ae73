"""A hand as the JSON object of the outward contract."""

import json
from typing import Any

from razzstats.diagnostics import Diagnostic
from razzstats.pipeline import ACCEPTED, Outcome
from razzstats.replay import PlayerResult
from razzstats.rules.actions import Action


def outcome_json(outcome: Outcome) -> str:
    """Return one line of JSON for a hand of Razz, a rejected one with what is known of it."""
    return json.dumps(_outcome(outcome))


def _outcome(outcome: Outcome) -> dict[str, Any]:
    hand_id = outcome.hand_id
    parsed, hand = outcome.parsed, outcome.hand
    stakes = parsed.stakes if parsed else None
    return {
        "site": hand_id.site if hand_id else None,
        "hand_id": hand_id.number if hand_id else None,
        "played_at": parsed.played_at.isoformat() if parsed and parsed.played_at else None,
        "game": hand.rules.name if hand else "razz",
        "table": parsed.table if parsed else None,
        "tournament": parsed.tournament.number if parsed and parsed.tournament else None,
        "currency": stakes.money.currency if stakes else None,
        "unit": stakes.money.decimals if stakes else None,
        "ante": stakes.ante if stakes else None,
        "bring_in": stakes.bring_in if stakes else None,
        "small_bet": stakes.small_bet if stakes else None,
        "big_bet": stakes.big_bet if stakes else None,
        "hero": parsed.hero if parsed else None,
        "bring_in_seat": hand.bring_in_seat if hand else None,
        "pot": hand.pot if hand else None,
        "rake": hand.rake if hand and outcome.status in ACCEPTED else None,
        "status": outcome.status if outcome.status in ACCEPTED else "rejected",
        "diagnostics": [_diagnostic(found) for found in outcome.diagnostics],
        "players": [_player(result) for result in hand.results] if hand else [],
        "actions": [_action(action) for action in hand.actions] if hand else [],
        "file": outcome.file,
        "line": outcome.text.first_line if outcome.text else None,
    }


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code.id,
        "name": found.code.name,
        "severity": found.severity,
        "message": found.message,
        "line": found.span.line if found.span else None,
        "column": found.span.column if found.span else None,
    }


def _player(result: PlayerResult) -> dict[str, Any]:
    return {
        "seat": result.seat,
        "name": result.name,
        "stack": result.stack,
        "cards": [None if card is None else str(card) for card in result.cards],
        "door": str(result.door_card) if result.door_card else None,
        "contributed": result.contributed,
        "collected": result.collected,
        "net": result.net,
        "last_street": int(result.last_street),
        "showdown": result.showdown,
        "all_in": result.all_in,
        "low": str(result.low) if result.low else None,
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "street": int(action.street),
        "seat": action.seat,
        "kind": action.kind,
        "amount": action.amount,
        "to": action.to,
        "all_in": action.all_in,
    }
