"""Refusals: what was wrong, and what is expected is what the seat can do."""

from __future__ import annotations

import pytest

from engines.itchyfeet.state import State
from engines.kit.game import IllegalMove
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import play, position, tell

REFUSED = [
    (position(f"{TURKEY} fireworks", "camera"), "0 travel", "contraband is in your hand"),
    (position("camera phrasebook warm_coat", "camera"), "0 travel", "no passport is in your hand"),
    (position("camera passport_01", "camera"), "0 travel", "you lack phrasebook, warm_coat"),
    (
        position("camera warm_coat passport_01 moms_credit_card", "camera"),
        "0 travel",
        "you cannot travel so; expected a stand-in",
    ),
    (position(TURKEY, "camera")._replace(travelled=True), "0 travel", "you have travelled this turn"),
    (position("", "camera"), "0 offer:1:camera>camera", "you have no card to give; expected another action"),
    (
        position("camera", "camera", "sunscreen"),
        "0 accept",
        "`accept` cannot come now; expected one of draw, steal, offer (2.3)",
    ),
    (position("camera", "camera"), "1 draw", "seat 0 is on turn; expected a card that can be played at any time"),
    (position("camera", "camera"), "1 accept", "seat 0 is on turn"),
    (position("camera", "camera", discard="duty_free_voucher"), "1 draw", "expected a move of seat 0"),
    (play(position("camera", "camera"), "0 steal:1:camera"), "1 draw", "`draw` cannot come now; expected pass (2.3)"),
    (
        play(position("camera", "mousetrap"), "0 steal:1:camera"),
        "1 draw",
        "`draw` cannot come now; expected one of pass, block (2.3)",
    ),
    (
        play(position("camera", "camera"), "0 offer:1:camera>bug_spray"),
        "1 draw",
        "expected one of decline, counter (2.3)",
    ),
    (
        position("camera", "camera", discard="sunscreen"),
        "0 recycle:sunscreen:camera",
        "1 card is named; expected 2 cards",
    ),
    (position("camera camera", "camera"), "0 offer:1:camera>camera+camera", "expected at most 1 card (R34)"),
    (position("trading_post camera", "camera"), "0 play:trading_post", "expected `play:card:put+put` for this card"),
    (position("local_guide camera", "camera"), "0 play:local_guide:camera", "expected no other card"),
    (position("camera", "camera"), "0 steal:0:camera", "expected another seat that has cards"),
]


@pytest.mark.parametrize(("at", "move", "text"), REFUSED, ids=[f"{move} {text}" for _, move, text in REFUSED])
def test_a_refusal_expects_what_is_possible(at: State, move: str, text: str) -> None:
    seat, _, begun = move.partition(" ")
    with pytest.raises(IllegalMove) as refused:
        tell(at, int(seat), begun)
    assert text in str(refused.value)
