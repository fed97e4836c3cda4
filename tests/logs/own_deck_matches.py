"""A match that is played with a deck of somebody's own: its log holds the deck, and folds by it for ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from engines.itchyfeet.game import GAME
from tests.logs.stage import Stage, stage

DECK: Final = Path(__file__).with_name("own_deck.json")
MOVES: Final = (
    (0, "recycle:power_adapter:power_adapter+passport_03"),
    (1, "draw"),
    (0, "steal:1:rain_jacket"),
    (1, "pass"),
    (1, "recycle:camera:rain_jacket+camera"),
    (0, "draw"),
    (0, "discard:camera"),
    (1, "draw"),
    (0, "offer:1:lost_reservation>sticky_fingers"),
    (1, "decline"),
    (0, "draw"),
    (0, "discard:bug_spray"),
    (1, "recycle:camera:bug_spray+passport_09"),
    (0, "play:local_guide"),
    (0, "take:unlabelled_cheese"),
    (1, "offer:0:camera+phrasebook>moms_credit_card"),
    (0, "decline"),
    (1, "steal:0:sunscreen"),
    (0, "pass"),
    (0, "steal:1:lost_reservation"),
    (1, "pass"),
    (1, "offer:0:umbrella+camera>postcard_6"),
    (0, "counter:unlabelled_cheese>rain_jacket"),
    (1, "decline"),
    (1, "draw"),
)


def own_deck() -> Stage:
    """Some moves with all extensions, until a seat leaves."""
    game = GAME.with_material("deck", DECK.read_bytes())
    extensions = dict.fromkeys(("events", "special_items", "contraband", "postcards", "characters"), "on")
    match = stage(game, options={"deck": game.info.options[-1].values[-1], **extensions})
    match.sit("bob")
    for seat, move in MOVES:
        match.move(seat, move)
    match.resign(0)
    return match


MATCHES: Final[Mapping[str, Callable[[], Stage]]] = {"own_deck": own_deck}
