"""The moves of a seat as a tree that grows as it is looked at: each begun move is run once, however often asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.kit.game import Choice, IllegalMove
from engines.tashkalar.legal import Placing
from engines.tashkalar.notation import PASSING, SEPARATOR, Head, Kind
from engines.tashkalar.run import Run, again, listed, run, take
from engines.tashkalar.scene import Option, Scene
from engines.tashkalar.state import State
from engines.tashkalar.summoning import Way

_KEPT: Final = 4
_PASSED_ON: Final = frozenset({Kind.SUMMON, Kind.FLARE, Kind.THAW, Kind.WARP})
"""The moves during which control can be passed (rules §13)."""


class Tree:
    """Begun moves of the seat that acts in a state. A `Run` that is handed out must not be gone on with.

    `lists` holds what follows prefixes that were asked for.
    """

    __slots__ = ("_runs", "base", "lists", "skipped", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self._runs: dict[str, Run] = {}
        self.lists: dict[str, Sequence[Choice]] = {}
        self.base: Run | None = None
        self.skipped = 0
        if state.begun:
            self.base = resumed(state)
            self.skipped = len(self.base.scene.told)
            self._runs[Kind.GO.value] = self.base

    def begun(self, text: str, head: Head, way: Way | Placing | None) -> Run:
        """The move begun so, which is legal."""
        found = self._runs.get(text)
        if found is None:
            seat = self.state.actor()
            found = self._runs[text] = Run(head, way, Scene(self.state, seat))
        return found

    def gone_on(self, text: str, at: Run, option: Option | None) -> Run:
        """The move of this text, which goes on from another with one of the options."""
        found = self._runs.get(text)
        if found is None:
            found = self._runs[text] = self._again(at, option)
        return found

    def _again(self, at: Run, option: Option | None) -> Run:
        if self.base is None:
            return again(at, (*at.answers, option))
        found = resumed(self.state)
        for answer in at.answers[len(self.base.answers) :]:
            found.answer(answer)
        found.answer(option)
        return found

    def find(self, text: str) -> Run:
        """The move of this text, as far as it is said. Raises `IllegalMove`."""
        found = self._runs.get(text)
        if found is not None:
            return found
        if self.base is None:
            return run(self.state, self.state.actor(), text)
        first, *answers = text.split(SEPARATOR)
        if first != Kind.GO:
            expected = f"`go;` and one of {listed(self.base.request)}" if self.base.request else "`go`"
            raise IllegalMove("a move is under way", rule="rules §13", expected=expected)
        found = resumed(self.state)
        for answer in answers:
            take(found, answer)
        return found

    def can_pass(self, at: Run) -> bool:
        """Whether control can be passed while this move is under way: not where a card of the hand is asked for."""
        state = self.state
        if not state.rules.is_team or state.turn.passed or at.request is None or at.head.kind not in _PASSED_ON:
            return False
        hand = at.scene.hand()
        return not any(option in hand for option in at.request.options)


def resumed(state: State) -> Run:
    """The move whose control was passed, as far as it had come; the partner does not see the hand."""
    turn = state.turn
    before = state._replace(begun="", turn=turn._replace(passed=False))
    found = run(before, turn.seat, state.begun)
    found.scene.blind = True
    return found


_trees: list[Tree] = []


def tree_of(state: State) -> Tree:
    """The tree of the state; those of the states asked for last are kept."""
    for tree in _trees:
        if tree.state is state:
            return tree
    tree = Tree(state)
    _trees.insert(0, tree)
    del _trees[_KEPT:]
    return tree


def parted(text: str) -> tuple[str, bool]:
    """The move before control was passed in it, and whether it was."""
    before, separator, last = text.rpartition(SEPARATOR)
    return (before, True) if separator and last == PASSING else (text, False)
