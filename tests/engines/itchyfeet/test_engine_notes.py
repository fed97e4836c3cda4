"""The notes for an engine (rules 7), where the design does not overrule them: phases, commands, who sees what.

Invariants are in `test_invariants.py`. Overruled: random outcomes follow from the seed, and copies of a card are alike.
"""

from __future__ import annotations

from typing import Final

import pytest

from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, State
from engines.kit.conformance import play_match
from engines.kit.game import PUBLIC, IllegalMove
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import ALL_ON, eager, play, position, tell, texts

PHASES: Final = {
    Kind.ACTION: ("action", {"draw", "recycle", "offer", "steal", "travel", "dispose", "gift", "play", "pass"}),
    Kind.OFFER: ("offer", {"accept", "decline", "counter"}),
    Kind.WINDOW: ("reaction", {"block", "pass"}),
    Kind.TOUR: ("choice", {"pick"}),
    Kind.GUIDE: ("choice", {"take"}),
    Kind.TAKE: ("choice", {"take"}),
    Kind.TROT: ("choice", {"discard", "pass"}),
    Kind.DRAW: ("choice", {"draw"}),
    Kind.LIMITS: ("limit", {"discard"}),
}
EXAMPLES: Final = {
    "draw": "draw",
    "recycle": "recycle:camera:camera+camera",
    "offer": "offer:1:camera>camera",
    "steal": "steal:1:camera",
    "travel": "travel",
    "dispose": "dispose:fireworks:camera",
    "gift": "gift:1:fireworks",
    "play": "play:local_guide",
    "pass": "pass",
    "accept": "accept",
    "decline": "decline",
    "counter": "counter:camera>camera",
    "block": "block:mousetrap",
    "pick": "pick:camera",
    "take": "take:camera",
    "discard": "discard:camera",
}
"""A move of each command."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_each_state_is_in_a_phase_and_takes_its_commands_only(seats: int) -> None:
    met = set()
    for step in play_match(GAME, ALL_ON, seats, seats, eager, departures=0.003):
        state = step.after
        assert isinstance(state, State)
        if state.reason:
            assert not GAME.may_act(state)
            with pytest.raises(IllegalMove, match="over"):
                GAME.apply(state, 0, "draw", None)  # type: ignore[arg-type]
            break
        _, verbs = PHASES[state.agenda[-1].kind]
        met.add(PHASES[state.agenda[-1].kind][0])
        for seat in GAME.awaited(state):
            assert {text.partition(":")[0] for text in texts(state, seat)} <= verbs
            for verb, move in EXAMPLES.items():
                if verb not in verbs:
                    with pytest.raises(IllegalMove):
                        GAME.apply(state, seat, move, None)  # type: ignore[arg-type]
    assert {"action", "offer", "reaction"} <= met


LEGAL: Final = [
    ("draw", position("camera", "camera"), position("camera", "camera", pile="")),
    (
        "recycle:bug_spray:camera+camera",
        position("camera camera", "camera", discard="bug_spray"),
        position("camera", "camera", discard="bug_spray"),
    ),
    ("offer:1:camera>sunscreen", position("camera", "camera"), position("camera", "")),
    ("steal:1:camera", position("camera", "camera"), position("camera", "")),
    ("travel", position(TURKEY, "camera"), position(f"{TURKEY} fireworks", "camera")),
    (
        "travel:moms_credit_card",
        position("camera warm_coat passport_01 moms_credit_card", "camera"),
        position(f"{TURKEY} moms_credit_card", "camera"),
    ),
    ("dispose:fireworks:camera", position("camera fireworks", "camera"), position("fireworks", "camera")),
    ("play:local_guide", position("local_guide", "camera"), position("local_guide", "camera", pile="")),
    ("play:sticky_fingers:1", position("sticky_fingers", "camera"), position("sticky_fingers", "", "camera")),
    (
        "gift:1:fireworks",
        position("fireworks", "camera", characters="smuggler"),
        position("fireworks", "camera", characters="haggler"),
    ),
    ("pass", position("fireworks", "camera", pile=""), position("fireworks", "camera")),
]


@pytest.mark.parametrize(("move", "legal", "illegal"), LEGAL, ids=[move for move, _, _ in LEGAL])
def test_a_command_is_legal_when_its_conditions_hold(move: str, legal: State, illegal: State) -> None:
    tell(legal, 0, move)
    with pytest.raises(IllegalMove):
        tell(illegal, 0, move)


@pytest.mark.parametrize(
    ("asked", "seat", "answer"),
    [
        (play(position("camera", "camera"), "0 offer:1:camera>camera"), 1, "accept"),
        (play(position("camera", "camera"), "0 offer:1:camera>camera"), 1, "decline"),
        (play(position("camera", "camera"), "0 offer:1:camera>camera"), 1, "counter:camera>camera"),
        (play(position("camera", "mousetrap"), "0 steal:1:camera"), 1, "block:mousetrap"),
        (play(position("camera", "mousetrap"), "0 steal:1:camera"), 1, "pass"),
        (play(position("camera", "camera", pile="group_tour camera"), "0 draw"), 1, "pick:camera"),
        (play(position("local_guide", "camera"), "0 play:local_guide"), 0, "take:camera"),
        (play(position("camera " * 7, "camera"), "0 draw"), 0, "discard:camera"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_answer_is_taken_from_the_seat_that_the_phase_waits_for_alone(asked: State, seat: int, answer: str) -> None:
    tell(asked, seat, answer)
    for other in range(len(asked.hands)):
        if other not in GAME.awaited(asked):
            with pytest.raises(IllegalMove):
                tell(asked, other, answer)


def test_to_other_seats_a_draw_is_one_opaque_thing() -> None:
    told = []
    for top in ("camera", "mousetrap", "postcard_1"):
        state = position("camera", "camera", pile=f"{top} sunscreen")
        after, facts = tell(state, 0, "draw")
        seen = tuple(fact for fact in facts if fact.audiences is None or 1 in fact.audiences)
        views = tuple(GAME.view(after, audience).SerializeToString(deterministic=True) for audience in (1, PUBLIC))
        told.append((seen, views))
    assert told[0] == told[1] == told[2]


def test_postcards_win_first_then_the_rest_then_limits_then_the_end_of_the_turn() -> None:
    _, facts = tell(position("camera " * 6, "camera", pile="duty_free_sale sunscreen bug_spray camera"), 0, "draw")
    assert [fact.kind for fact in facts] == ["event", "drew", "drew_card", "drew", "drew_card", "turn"]
