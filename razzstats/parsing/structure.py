"""Whether lines follow one another as the grammar says: Lark's own answers, remembered.

Lark's parser walks a table and builds a tree for each hand anew, which is two thirds of the time
that reading a hand takes. The kinds of lines of most hands follow one another as they did before:
here each step that Lark has once taken from one state to the next is looked up instead. Nothing is
known here that Lark did not say, and what is refused goes to Lark, which says why.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from lark import Lark
from lark.exceptions import UnexpectedToken

_State: TypeAlias = dict[str, "_State | None"]
"""By terminal, the state behind it, or None where the grammar refuses it."""

_END = "$END"


class Structure:
    """The order of the terminals in one rule of a grammar, as far as it was asked for."""

    def __init__(self, lark: Lark, rule: str) -> None:
        """Know nothing yet; ``rule`` is one of the grammar's starts."""
        self._states: dict[tuple[Any, ...], _State] = {}
        self._parsers: dict[int, Any] = {}  # by the identity of the state that they are in
        self._start = self._state_of(lark.parse_interactive(start=rule))

    def first_refused(self, terminals: Sequence[str]) -> int | None:
        """Return which of the terminals Lark would refuse first, by its place among them.

        The number of all is the place of the end: they are refused for what does not come. None is
        returned if the whole is accepted.
        """
        state = self._start
        for place, terminal in enumerate(terminals):
            following = state[terminal] if terminal in state else self._ask(state, terminal)
            if following is None:
                return place
            state = following
        end = state[_END] if _END in state else self._ask(state, _END)
        return len(terminals) if end is None else None

    def _ask(self, state: _State, terminal: str) -> _State | None:
        parser = self._parsers[id(state)].copy(deepcopy_values=False)
        try:
            parser.feed_token(_Terminal(terminal))
        except UnexpectedToken:
            state[terminal] = None
        else:
            state[terminal] = self._state_of(parser)
        return state[terminal]

    def _state_of(self, parser: Any) -> _State:
        # What may follow is told by the stack alone. The lists of a grammar begin with the list
        # itself, so that stacks have a greatest depth and there are few of them.
        stack = tuple(parser.parser_state.state_stack)
        if stack not in self._states:
            self._states[stack] = {}
            self._parsers[id(self._states[stack])] = parser
        return self._states[stack]


class _Terminal:
    """As much of a token as Lark's parser asks for."""

    line = column = end_line = end_column = start_pos = end_pos = 0

    def __init__(self, type: str) -> None:
        self.type = type
