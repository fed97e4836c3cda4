"""The closed list of effects that cards of a deck can have, with their parameters and timings (rules §6.3)."""

from __future__ import annotations

from typing import Final, NamedTuple

CENTRE: Final = "replace_centre"
LUGGAGE: Final = "discard_random"
TOUR: Final = "pass_left"
SALE: Final = "all_draw"

STAND_IN: Final = "stand_in"
BLOCK_TAKING: Final = "block_taking"
BLOCK_TRAVEL: Final = "block_travel"
GUIDE: Final = "look_and_take"
POST: Final = "swap_with_pile"
MAP: Final = "replace_country"
FINGERS: Final = "take_chosen"
RED_EYE: Final = "extra_actions"
VOUCHER: Final = "draw_cards"

SMUGGLER: Final = "give_contraband"
GLOBETROTTER: Final = "draw_more"
ECO_TOURIST: Final = "cheap_recycle"
HAGGLER: Final = "trade_bonus"
PICKPOCKET: Final = "see_before_stealing"
OVERPACKER: Final = "larger_hand"

ACTION: Final = "action"
ANY_TIME: Final = "any_time"


class Spec(NamedTuple):
    """What an effect takes: parameters with their smallest and largest values, and the timings that it may have."""

    params: tuple[tuple[str, int, int], ...] = ()
    timings: tuple[str, ...] = ()


EVENTS: Final = {CENTRE: Spec(), LUGGAGE: Spec(), TOUR: Spec(), SALE: Spec((("draw", 1, 3),))}

SPECIAL_ITEMS: Final = {
    STAND_IN: Spec((("max", 1, 1),), ("with_own_travel",)),
    BLOCK_TAKING: Spec((), ("reaction_to_steal_from_you",)),
    BLOCK_TRAVEL: Spec((), ("reaction_to_other_players_travel",)),
    GUIDE: Spec((("look", 1, 10), ("take", 1, 1)), (ACTION,)),
    POST: Spec((("min", 1, 3), ("max", 1, 3)), (ACTION,)),
    MAP: Spec((), (ACTION,)),
    FINGERS: Spec((), (ACTION,)),
    RED_EYE: Spec((("extra_actions", 1, 3), ("max_travel_per_turn", 1, 1)), ("own_turn_before_action",)),
    VOUCHER: Spec((("draw", 1, 5),), (ANY_TIME, ACTION)),
}

CHARACTERS: Final = {
    SMUGGLER: Spec(),
    GLOBETROTTER: Spec((("draw", 2, 2), ("discard", 1, 1))),
    ECO_TOURIST: Spec((("top", 1, 60), ("cost", 1, 1))),
    HAGGLER: Spec((("bonus", 0, 5),)),
    PICKPOCKET: Spec((("see", 1, 10), ("keep", 1, 1))),
    OVERPACKER: Spec((("hand_limit", 7, 12), ("start_items", 1, 5))),
}
