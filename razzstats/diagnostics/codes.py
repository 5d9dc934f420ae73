"""The catalogue of diagnostics: every code, what it means and why it matters."""

from razzstats.diagnostics import Code, Severity
from razzstats.diagnostics.explanations import EXPLANATIONS

_ALL: list[Code] = []


def _code(id: str, name: str, severity: Severity, summary: str) -> Code:
    code = Code(id, name, severity, summary, EXPLANATIONS[id])
    _ALL.append(code)
    return code


E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# RZ0: files
UNREADABLE_FILE = _code("RZ001", "unreadable-file", E, "a file could not be opened or read")
UNDECODABLE_TEXT = _code("RZ002", "undecodable-text", E, "a line is in no known encoding")
UNKNOWN_SITE = _code("RZ003", "unknown-site", E, "no hand of a known room is in the file")
OTHER_GAME = _code("RZ004", "other-game", N, "a hand of another game, counted and left out")
EMPTY_FILE = _code("RZ005", "empty-file", W, "a file has no text in it")
STRAY_TEXT = _code("RZ006", "stray-text", W, "text that belongs to no hand")

# RZ1: syntax
UNEXPECTED_LINE = _code("RZ101", "unexpected-line", E, "a line that cannot stand where it stands")
TRUNCATED_HAND = _code("RZ102", "truncated-hand", E, "a hand breaks off before its end")
MALFORMED_CARD = _code("RZ103", "malformed-card", E, "a card that does not exist")
MALFORMED_AMOUNT = _code("RZ104", "malformed-amount", E, "an amount that cannot be read")
MALFORMED_HEADER = _code("RZ105", "malformed-header", E, "a hand header that cannot be read")
MALFORMED_TIME = _code("RZ106", "malformed-time", W, "a time that cannot be read or placed")
CANCELLED_HAND = _code("RZ107", "cancelled-hand", E, "the room cancelled the hand")

# RZ2: table
UNKNOWN_PLAYER = _code("RZ201", "unknown-player", E, "someone acts who is not in the seat list")
DUPLICATE_SEAT = _code(
    "RZ202", "duplicate-seat", E, "a seat or a name stands twice in the seat list"
)
MALFORMED_STAKES = _code("RZ203", "malformed-stakes", E, "stakes that no table has")
SEAT_MISMATCH = _code("RZ204", "seat-mismatch", E, "the summary gives a player another seat")
IMPOSSIBLE_SEAT = _code(
    "RZ205", "impossible-seat", E, "a seat, or more players, than any table has"
)

# RZ3: dealing
DUPLICATE_CARD = _code("RZ301", "duplicate-card", E, "one card is seen twice")
WRONG_CARD_COUNT = _code("RZ302", "wrong-card-count", E, "a player has too many or too few cards")
STREET_OUT_OF_ORDER = _code("RZ303", "street-out-of-order", E, "a street begins at the wrong time")
CARD_TO_FOLDED_PLAYER = _code(
    "RZ304", "card-to-folded-player", E, "a player who folded is dealt in"
)
COMMUNITY_CARD_MISPLACED = _code(
    "RZ305", "community-card-misplaced", E, "a community card is dealt though the deck suffices"
)

# RZ4: betting
BRING_IN_WRONG_SEAT = _code("RZ401", "bring-in-wrong-seat", E, "the wrong player brings in")
ACTION_OUT_OF_TURN = _code("RZ402", "action-out-of-turn", E, "a player acts out of turn")
WAGER_OFF_SIZE = _code("RZ403", "wager-off-size", E, "a wager that is not of the fixed size")
WAGER_ABOVE_CAP = _code("RZ404", "wager-above-cap", E, "a wager after the betting is capped")
CHECK_FACING_WAGER = _code("RZ405", "check-facing-wager", E, "a check with a bet to call")
CALL_OFF_SIZE = _code("RZ406", "call-off-size", E, "a call that does not match the bet")
MISSING_ACTION = _code("RZ407", "missing-action", E, "a player did not do what he had to do")
VERB_MISMATCH = _code("RZ408", "verb-mismatch", W, "a wager is named or measured wrongly")
ANTE_OFF_SIZE = _code("RZ409", "ante-off-size", E, "an ante that differs from the others")
BRING_IN_OFF_SIZE = _code("RZ410", "bring-in-off-size", E, "a bring-in of an impossible size")
WAGER_NOT_REOPENED = _code("RZ411", "wager-not-reopened", E, "a raise where only a call was open")
FOLD_WITHOUT_WAGER = _code("RZ412", "fold-without-wager", W, "a fold with nothing to call")
ALL_IN_MISMATCH = _code("RZ413", "all-in-mismatch", W, "all-in is said or left out wrongly")
CAP_NOTICE_MISMATCH = _code("RZ414", "cap-notice-mismatch", W, "the room says capped too early")
TIED_OPENER = _code("RZ415", "tied-opener", N, "another of several tied boards opens the street")

# RZ5: money
POT_MISMATCH = _code("RZ501", "pot-mismatch", E, "the pot is not what was put in")
COLLECTED_MISMATCH = _code("RZ502", "collected-mismatch", E, "what was collected is not the pot")
NEGATIVE_RAKE = _code("RZ503", "negative-rake", E, "more was collected than was in the pot")
RETURNED_BET_MISMATCH = _code(
    "RZ504", "returned-bet-mismatch", E, "the uncalled bet is not what was returned"
)
OVERDRAWN_STACK = _code("RZ505", "overdrawn-stack", E, "a player puts in more than he has")
STACK_GAP = _code("RZ506", "stack-gap", N, "a stack is not what the last hand left")
DERIVED_WINNINGS = _code("RZ507", "derived-winnings", W, "winnings that only the nets tell")

# RZ6: showdown
WRONG_WINNER = _code("RZ601", "wrong-winner", E, "a pot goes to a hand that did not win it")
CLAIMED_LOW_MISMATCH = _code(
    "RZ602", "claimed-low-mismatch", E, "the printed low is not the hand's"
)
SHOWN_CARDS_MISMATCH = _code("RZ603", "shown-cards-mismatch", E, "other cards than those dealt")
MISSING_SHOWDOWN = _code("RZ604", "missing-showdown", E, "a hand is not shown down as it must be")
SUMMARY_MISMATCH = _code("RZ605", "summary-mismatch", E, "the summary tells another story")
SHOWDOWN_ORDER = _code(
    "RZ606", "showdown-order", N, "the showdown begins with another player than usual"
)

# RZ7: storage
CONFLICTING_HAND = _code("RZ702", "conflicting-hand", E, "a known hand number with another text")

# RZ9: internal
INTERNAL_ERROR = _code("RZ901", "internal-error", E, "razzstats failed on this hand")

CODES: tuple[Code, ...] = tuple(_ALL)
"""Every code, in order of id."""


def find_code(text: str) -> Code | None:
    """Return the code with this id or name, in any case, or None."""
    wanted = text.strip().lower()
    return next((code for code in CODES if wanted in (code.id.lower(), code.name)), None)
