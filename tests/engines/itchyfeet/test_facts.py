"""Who is told what a move did: hidden cards to those who saw them and to nobody else."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Block, State
from engines.kit.game import Audience
from tests.engines.itchyfeet.table import cards, play, position, tell

SEEN = "mousetrap lost_reservation"

TOLD = [
    (position("local_guide", "camera", "camera", pile="sunscreen"), "0 play:local_guide", "saw_in_pile", {0}),
    (
        play(position("local_guide", "camera", "camera", pile="sunscreen"), "0 play:local_guide"),
        "0 take:sunscreen",
        "drew_card",
        {0},
    ),
    (
        position("sticky_fingers", "sunscreen", "camera", discard=SEEN),
        "0 play:sticky_fingers:1",
        "saw_in_hand",
        {0},
    ),
    (
        play(position("sticky_fingers", "sunscreen", "camera", discard=SEEN), "0 play:sticky_fingers:1"),
        "0 take:sunscreen",
        "took_card",
        {0, 1},
    ),
    (
        position("camera", "sunscreen", "camera", discard=SEEN, characters="pickpocket"),
        "0 steal:1:camera",
        "saw_in_hand",
        {0},
    ),
    (position("camera", "sunscreen", "camera", discard=SEEN), "0 steal:1:camera", "took_card", {0, 1}),
    (
        play(
            position("sunscreen", "camera", "camera", pile="group_tour camera"),
            *("0 draw", "1 pick:camera", "2 pick:camera"),
        ),
        "0 pick:sunscreen",
        "passed_card",
        {0, 1},
    ),
    (position("camera", "camera", "camera", pile="sunscreen camera"), "0 draw", "drew_card", {0}),
]


@pytest.mark.parametrize(
    ("at", "move", "kind", "audiences"), TOLD, ids=[f"{kind} by {move}" for _, move, kind, _ in TOLD]
)
def test_a_hidden_card_is_told_by_name_to_those_who_saw_it(
    at: State, move: str, kind: str, audiences: set[Audience]
) -> None:
    seat, _, text = move.partition(" ")
    _, facts = tell(at, int(seat), text)
    naming = [fact for fact in facts if "Sunscreen" in " ".join(dict(fact.parameters).values())]
    assert [(fact.kind, fact.audiences) for fact in naming] == [(kind, frozenset(audiences))]


def test_a_card_that_all_know_is_told_to_all_who_watch_too() -> None:
    state = position("camera", "camera")._replace(pile=(Block(cards("sunscreen"), 0b111), Block(cards("camera"))))
    after, facts = tell(state, 0, "draw")
    (named,) = [fact for fact in facts if fact.kind == "drew_card"]
    assert named.audiences is None
    assert HOUSE.ids(after.known[0][2]) == ("sunscreen",)


OPEN = [
    (
        position("poorly_drawn_map", "camera", "camera"),
        "0 play:poorly_drawn_map:2",
        ["played seat=0 card=Poorly Drawn Map", "replaced other=2 country=Mexico", "turn seat=1 round=1"],
    ),
    (
        position("fireworks", "camera", characters="smuggler"),
        "0 gift:1:fireworks",
        ["gave seat=0 other=1 card=Fireworks", "turn seat=1 round=1"],
    ),
    (position("fireworks", "camera", pile=""), "0 pass", ["passed seat=0", "turn seat=1 round=1"]),
    (
        position("camera", "camera", pile="civil_unrest camera"),
        "0 draw",
        ["event seat=0 card=Civil Unrest", "new_centre country=Mexico", "turn seat=1 round=1"],
    ),
    (
        play(position("local_guide camera", "camera"), "0 play:local_guide"),
        "0 take:none",
        ["guided seat=0 count=0", "turn seat=1 round=1"],
    ),
    (
        position("sticky_fingers", "camera"),
        "0 play:sticky_fingers:1",
        ["played seat=0 card=Sticky Fingers", "reaches seat=0 other=1"],
    ),
    (
        position("camera sunscreen", "camera"),
        "0 steal:1:camera",
        ["steals seat=0 other=1 cards=Camera"],
    ),
]


@pytest.mark.parametrize(("at", "move", "told"), OPEN, ids=[move for _, move, _ in OPEN])
def test_what_happens_openly_is_told_to_all_in_its_order(at: State, move: str, told: list[str]) -> None:
    seat, _, text = move.partition(" ")
    _, facts = tell(at, int(seat), text)
    lines = [" ".join([fact.kind, *map("=".join, fact.parameters)]) for fact in facts if fact.audiences is None]
    assert lines == told


def test_who_leaves_is_told_with_its_hand_and_who_was_on_turn_hands_it_on() -> None:
    _, facts = GAME.leave(position("camera", "sunscreen", "camera"), 0, SeededDraw(bytes(32), 2))
    assert [(fact.kind, dict(fact.parameters)) for fact in facts] == [
        ("left", {"seat": "0", "cards": "Camera"}),
        ("turn", {"seat": "1", "round": "1"}),
    ]
    assert {fact.audiences for fact in facts} == {None}
