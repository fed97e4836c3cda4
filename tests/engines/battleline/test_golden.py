"""The golden game of rules §12, turn by turn."""

from __future__ import annotations

import re

from engines.battleline.cards import names
from engines.battleline.game import GAME
from engines.battleline.setup import dealt
from engines.battleline.state import Rules, State, Step
from tests.engines.battleline.table import ALL, GOLDEN, all_moves, cards, everything, tell

_SHORT = {"dT": "draw:troop", "dC": "draw:tactic"}


def spec_game() -> tuple[State, list[tuple[int, list[str]]]]:
    """The deal, and each turn: its seat and its moves. Scout's two returns are one move here."""
    heads: dict[str, str] = {}
    turns = []
    for line in (GOLDEN / "spec_game.txt").read_text(encoding="utf-8").splitlines():
        head, _, rest = line.partition(":")
        if head in ("0", "1"):
            joined = re.sub(r"ret:(\w+) ret:(\w+)", r"ret:\1,\2", rest)
            turns.append((int(head), [_SHORT.get(move, move) for move in joined.split()]))
        elif not line.startswith("#"):
            heads[head] = rest
    hands = (cards(heads["hand 0"]), cards(heads["hand 1"]))
    return dealt(Rules(), hands, (cards(heads["troops"]), cards(heads["tactics"])), 0), turns


def test_the_golden_game_ends_as_in_the_rules() -> None:
    state, turns = spec_game()
    assert len(turns) == 57
    for seat, moves in turns:
        assert state.turn == seat
        for move in moves:
            assert move in all_moves(state)
            assert everything(state) == ALL
            state, _ = tell(state, move)
        if state.turn == seat and state.step is Step.CLOSE:
            state, _ = tell(state, "done")
    owners = [front.owner for front in state.fronts]
    assert [flag + 1 for flag, owner in enumerate(owners) if owner == 0] == [2, 3, 6, 7, 8]
    assert [flag + 1 for flag, owner in enumerate(owners) if owner == 1] == [1, 5, 9]
    assert [names(side) for side in state.fronts[3].sides] == ["G1 O10", "Y9 P7 O4"]
    assert [names(pile) for pile in state.discards] == ["RDP DES", "TRA MUD SCT"]
    assert state.played == (5, 5)
    assert [set(hand) for hand in state.hands] == [
        set(cards("G9 Y4 Y6 Y1 R7 G6")),
        set(cards("B3 P6 G7 Y2 B8 P10 G10")),
    ]
    assert state.decks == (cards("O6"), ())
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "breakthrough"
    assert [(place.seat, place.place, place.score) for place in outcome.placements] == [(0, 1, 5), (1, 2, 3)]


def test_no_card_may_be_drawn_after_the_golden_pass() -> None:
    state, turns = spec_game()
    for _, moves in turns[:-1]:
        for move in moves:
            state, _ = tell(state, move)
    assert turns[-2][1] == ["pass"]
    assert state.turn == 0
    assert len(state.hands[1]) == 7
