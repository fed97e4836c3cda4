"""Game records: the moves as they are on the wire, each with what it did (rules §2).

`b2f-c3b*c3c+d3` is the move `b2f-c3b`, which captured the piece on c3c and removed tile d3. The wire and the log know
the bare move only; annotations are written and proven here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from engines.coerceo.apply import play
from engines.coerceo.state import State
from engines.kit.game import Fact

_SIGNS: Final = {"captured": "*", "tile_gained": "+", "tile_removed": "+"}
_RECORDED: Final = re.compile(r"([^*+\s]+)((?:[*+][a-e][1-5][a-f]?)*)", re.ASCII)
_ANNOTATION: Final = re.compile(r"[*+][^*+]+")


class WrongRecord(ValueError):
    """A record says of a move what did not happen, or cannot be read. `ply` counts its moves from 1."""

    def __init__(self, ply: int, what: str, expected: str) -> None:
        super().__init__(f"move {ply}: {what}; expected {expected}")
        self.ply = ply


def annotated(move: str, facts: Sequence[Fact]) -> str:
    """The move with its captures, then its tiles, each in the order in which they happened."""
    marks = [_SIGNS[fact.kind] + fact.parameters[0][1] for fact in facts if fact.kind in _SIGNS]
    return move + "".join(sorted(marks, key=lambda mark: "*+".index(mark[0])))


def record(state: State, moves: Iterable[str]) -> tuple[State, list[str]]:
    """Plays bare moves from a state: the last state, and the moves annotated. Raises `IllegalMove`."""
    texts = []
    for move in moves:
        state, facts = play(state, state.turn, move)
        texts.append(annotated(move, facts))
    return state, texts


def play_record(state: State, text: str) -> list[State]:
    """Plays a record's moves, separated by white space: the states from `state` to the last one.

    Raises `IllegalMove`, and `WrongRecord` where the annotations are not what the move did, whatever their order.
    """
    states = [state]
    for ply, word in enumerate(text.split(), 1):
        parts = _RECORDED.fullmatch(word)
        if parts is None:
            raise WrongRecord(ply, f"{word!r} cannot be read", "a move, then *field and +tile for what it did")
        move, marks = parts.groups()
        state, facts = play(state, state.turn, move)
        told = annotated(move, facts)
        if sorted(_ANNOTATION.findall(marks)) != sorted(_ANNOTATION.findall(told[len(move) :])):
            raise WrongRecord(ply, f"the record has {word}", told)
        states.append(state)
    return states
