"""States as canonical bytes and back: nested lists in the order of the fields, as JSON without blanks."""

from __future__ import annotations

import json
from typing import Any

from engines.tashkalar.state import Bonus, Form, Player, Rules, State, Summoned, Turn


def dump(state: State) -> bytes:
    """Equal states, equal bytes."""
    return json.dumps(state, separators=(",", ":")).encode()


def load(data: bytes) -> State:
    """The state that `dump` wrote. Raises ValueError."""
    fields = _tuples(json.loads(data))
    if not isinstance(fields, tuple) or len(fields) != len(State._fields):
        raise ValueError("the bytes are no state of Tash-Kalar")
    state = State._make(fields)
    rules, turn = Rules._make(state.rules), Turn._make(state.turn)
    return state._replace(
        rules=rules._replace(form=Form(rules.form)),
        players=tuple(Player._make(player) for player in state.players),
        turn=turn._replace(
            summoned=tuple(Summoned._make(each) for each in turn.summoned), bonus=Bonus._make(turn.bonus)
        ),
    )


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
