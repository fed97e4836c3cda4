"""Random play without lists draws legal moves only, and comes to the end in every form."""

from __future__ import annotations

import random

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.options import full_options
from engines.tashkalar.game import GAME
from engines.tashkalar.legal import Placing, write_placing
from engines.tashkalar.notation import Kind, key_of, write
from engines.tashkalar.playout import drawn, step
from engines.tashkalar.run import Run
from engines.tashkalar.tree import Tree

SEED = b"a seed of thirty-two bytes, fine"


def text_of(run: Run) -> str:
    """The move as it is written."""
    head = run.head
    first = str(head.kind)
    if isinstance(run.way, Placing):
        first = f"P:{write_placing(run.way)}"
    elif head.kind not in (Kind.END, Kind.SET):
        first = f"{head.kind}:{key_of(head.kind, head.card)}" + (f"@{run.way.text}" if run.way else "")
    return ";".join([first, *map(write, run.answers)])


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (2, {"form": "duel", "deck_0": "everfrost", "deck_1": "nethervoid"}),
        (2, {"form": "first"}),
        (3, {"deck_1": "etherweave"}),
        (4, {"deck_0": "etherweave", "deck_3": "nethervoid"}),
        (4, {"form": "melee"}),
    ],
)
def test_each_drawn_move_is_taken_and_leads_to_the_same(seats: int, options: dict[str, str]) -> None:
    kinds = set()
    for match in range(3):
        state = GAME.setup(full_options(GAME.info, options), seats, SeededDraw(SEED, match))
        chance = random.Random(match)
        while acting := GAME.may_act(state):
            (seat,) = acting
            before = chance.getstate()
            move = text_of(drawn(Tree(state), chance))
            kinds.add(move.partition(":")[0].partition(";")[0])
            chance.setstate(before)
            after, facts = step(state, chance, SeededDraw(SEED, len(kinds)))
            assert GAME.apply(state, seat, move, SeededDraw(SEED, len(kinds))) == (after, facts)
            state = after
        assert GAME.outcome(state) is not None
    assert {"P", "S", "end"} <= kinds
