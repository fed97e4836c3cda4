"""One Gateway, two who look to it: what becomes of it on an enemy's piece (rules §16, and the README's rulings)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.tashkalar.board import NAMED, NAMES
from tests.engines.tashkalar.cases import Case
from tests.engines.tashkalar.corners import check_hidden, match, play, with_cards
from tests.engines.tashkalar.table import board, describe, drawing, offered

KEEPER = "e4 d5 f5"
MASTER = "e4 f4 d5 f5 g5"
VORTEX = "e2 d3 f3 e4"


def case(card: str, name: str, before: str, move: str, after: str, gateway: str, to: str, **more: Any) -> Case:
    """A row whose Gateway is an enemy's piece at first; `to` is where it is at last."""
    given = {"gateway": gateway, "actions": more.pop("actions", 2)}
    return Case(card, name, before, move, after, given=given, then={"gateway": to, **more})


CASES = (
    # §16: a common being becomes the Gateway only where there is none at all.
    case("shadow-imp", "leaves the enemy's Gateway", "d4 f5 | h5", "e5;-", "d4 e5 f5 | h5", "h5", "h5"),
    case("shadow-imp", "takes it along", "d4 f5 | h5", "e5;e5e6;h5h6", "d4 e6 f5 | h6", "h5", "h6", destroyed=""),
    # §17: who controls an enemy's piece has destroyed what it captures, unless that was its own.
    case("shadow-imp", "loses to it", "d4 f5 h6 | h5", "e5;e5e6;h5h6", "d4 e6 f5 | h6", "h5", "h6", destroyed=""),
    case("shadow-imp", "lets it eat", "d4 f5 | h5 h6", "e5;e5e6;h5h6", "d4 e6 f5 | h6", "h5", "h6", destroyed="C1:1"),
    # §16: a summon onto the Gateway's square removes it, and the new being is the Gateway before its effect.
    case("shadow-imp", "covers it", "d4 f5 | e5", "e5;e5e6", "d4 e6 f5 |", "e5", "e6", destroyed="C1:1"),
    case("swordmaster", "covers it", "e4 e6 | e5", "e5", "e4 e5 e6 |", "e5", "", destroyed="C1:1"),
    # §16: legend cards are no Nethervoid beings.
    case("time-elemental", "covers it", "Hd6 Hf6 He7 d8 f8 | He5", "e5", "Le5 Hd6 Hf6 He7 d8 f8 |", "e5", ""),
    # §16: a heroic being takes over from a common, whosever it is, and not from a heroic piece.
    case("demon-of-sloth", "takes over", "d6 | h5", "e5", "He5 d6 | h5", "h5", "e5"),
    case("demon-of-sloth", "takes over and falls", "d6 | h5", "e5", "d6 | h5", "h5", "", actions=1, destroyed=""),
    case("demon-of-sloth", "fells it", "d6 | Hh5", "e5", "He5 d6 |", "h5", "", actions=1, destroyed="H1:1"),
    case("gate-keeper", "names another", f"{KEEPER} | Hh5", "e5;d5", "e4 Hd5 e5 f5 | Hh5", "h5", "d5"),
    case("gate-keeper", "leaves it", f"{KEEPER} | Hh5", "e5;-", "e4 d5 e5 f5 | Hh5", "h5", "h5"),
    case(
        "gate-master",
        "makes the enemy a legendary piece",
        f"{MASTER} | Ha5",
        "e5;f4",
        f"{MASTER} He5 | La5",
        "a5",
        "f4",
        summoned="Le5",
    ),
    case(
        "gate-master",
        "upgrades nothing without counters of the enemy's",
        f"{MASTER} | Ha5 Lb2 Lb3 Lb4",
        "e5;f4",
        f"{MASTER} He5 | Ha5 Lb2 Lb3 Lb4",
        "a5",
        "f4",
        summoned="He5",
    ),
    case(
        "vortexmaster",
        "moves it, then a piece beside it",
        f"{VORTEX} g3 | Hh5",
        "e5;h5h4;g3g4",
        f"{VORTEX} He5 g4 | Hh4",
        "h5",
        "h4",
    ),
    case(
        "vortexmaster",
        "moves it within reach of a piece that captures it",
        f"{VORTEX} Hg3 | Hh5",
        "e5;h5h4;g3h4",
        f"{VORTEX} He5 Hh4 |",
        "h5",
        "",
        destroyed="H1:1",
    ),
    case(
        "demon-of-wrath",
        "destroys the enemies beside the enemy's Gateway",
        "f5 d6 f6 e7 | Ha5 a6 b6 c7",
        "e5",
        "He5 f5 d6 f6 e7 | Ha5 c7",
        "a5",
        "a5",
        destroyed="C1:2",
    ),
    # Nearer to the Gateway there is nothing once it was captured.
    case(
        "power-seeker",
        "captures it and goes no further",
        "f5 h5 g6 i6 | Hd4 b3",
        "e5;e5d4",
        "Hd4 f5 h5 g6 i6 | b3",
        "d4",
        "",
        destroyed="H1:1",
    ),
    case(
        "demon-of-envy",
        "places by the enemy's Gateway until it has as many",
        "d4 e5 f5 | Ha5 a3 a7 c1 c9 e9",
        "e5;a4;a6;b4",
        "d4 He5 f5 a4 a6 b4 | Ha5 a3 a7 c1 c9 e9",
        "a5",
        "a5",
    ),
    # The marker travels with the piece (§16), also where pieces change places.
    case("paradox-worm", "swaps it", "d5 b6 c6 | h5", "e5;d5h5", "e5 b6 c6 h5 | d5", "h5", "d5"),
    case("merchant-of-time", "takes it off the board", "a5 | b2", "warp", "a5 |", "b2", ""),
)


@pytest.mark.parametrize("row", CASES, ids=str)
def test_the_gateway_of_an_enemy(row: Case) -> None:
    row.check()


def test_a_partners_gateway_is_as_an_own_one_and_an_opponents_is_taken_from_it() -> None:
    # §13: partners have one colour; §16: whoever summons a heroic being takes over from a common.
    state = match("d6 h6 | i3", decks=" ".join(["nethervoid"] * 4), actions=1)
    for seat in range(4):
        state = with_cards(state, seat, "demon-of-sloth")
    state = state._replace(gateway=NAMED["h6"])
    state = play(state, "S:demon-of-sloth@e5r0")
    assert (NAMES[state.gateway] if state.gateway >= 0 else "", drawing(state.board)) == ("", "d6 h6 | i3")
    state = state._replace(gateway=NAMED["h6"])
    state = play(state, "end")
    state = play(state, next(text for text in offered(state, "S:demon-of-sloth@") if "@h2" in text), "end")
    assert (NAMES[state.gateway], state.turn.seat) == ("h2", 2)
    # It stays a heroic piece's: the partner's being does not take it.
    state = play(state, "S:demon-of-sloth@e5r0", "end")
    assert (NAMES[state.gateway], state.turn.seat) == ("h2", 3)


def test_three_alone_share_one_gateway_and_who_has_none_looks_to_the_others() -> None:
    state = match("d4 f5 | Hh5 h6 | i5", form="melee", decks="nethervoid nethervoid nethervoid", actions=1)
    state = with_cards(state, 0, "shadow-imp")._replace(gateway=NAMED["h5"])
    check_hidden(state)
    state = play(state, "S:shadow-imp@e5r0;e5e6;h5h6")
    # §17: the second seat's Gateway captured a common of its own colour for the first seat.
    assert (NAMES[state.gateway], describe(state, "destroyed")) == ("h6", "C1:1")
    # §16: a Gateway that is destroyed leaves none, whoever had it, and the next Nethervoid being is one.
    state = with_cards(state._replace(board=board("d4 f5 | a5 c6 | i5 h5", 3), gateway=-1), 1, "shadow-imp")
    state = state._replace(turn=state.turn._replace(seat=1, actions=1))
    begun = next(text for text in offered(state, "S:shadow-imp@") if "@b6" in text)
    assert NAMES[play(state, f"{begun};-").gateway] == "b6"
