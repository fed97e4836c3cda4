"""The cards of the house deck, which is open to everybody, as bots know them.

With another deck a bot still plays legal moves: what it does not know here it takes for an item that it does not need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

ITEMS: Final = (
    "hiking_boots",
    "sunscreen",
    "rain_jacket",
    "camera",
    "phrasebook",
    "warm_coat",
    "bug_spray",
    "power_adapter",
)
COPIES: Final = 4
"""Of each item; there is one of any other card."""

REQUIRES: Final[Mapping[str, tuple[str, ...]]] = {
    "brazil": ("sunscreen", "rain_jacket", "power_adapter"),
    "iceland": ("hiking_boots", "rain_jacket", "camera"),
    "india": ("hiking_boots", "phrasebook", "power_adapter"),
    "italy": ("camera", "phrasebook", "power_adapter"),
    "japan": ("camera", "warm_coat", "power_adapter"),
    "kenya": ("sunscreen", "camera", "bug_spray"),
    "mexico": ("hiking_boots", "sunscreen", "bug_spray"),
    "morocco": ("sunscreen", "phrasebook", "warm_coat"),
    "new_zealand": ("rain_jacket", "bug_spray", "power_adapter"),
    "norway": ("hiking_boots", "rain_jacket", "warm_coat"),
    "peru": ("hiking_boots", "warm_coat", "bug_spray"),
    "thailand": ("rain_jacket", "phrasebook", "bug_spray"),
    "turkey": ("camera", "phrasebook", "warm_coat"),
}
"""The items that a country takes."""

SPECIAL: Final = (
    "moms_credit_card",
    "mousetrap",
    "local_guide",
    "trading_post",
    "poorly_drawn_map",
    "sticky_fingers",
    "red_eye_flight",
    "duty_free_voucher",
    "lost_reservation",
)
STAND_IN: Final = "moms_credit_card"
CONTRABAND: Final = ("fireworks", "exotic_plant", "unlabelled_cheese")
POSTCARDS: Final = tuple(f"postcard_{number}" for number in range(1, 7))
EVENTS: Final = ("civil_unrest", "lost_luggage", "group_tour", "duty_free_sale")


def is_passport(card: str) -> bool:
    """True for any passport; all work alike."""
    return card.startswith("passport")


def is_postcard(card: str) -> bool:
    """True for any postcard."""
    return card.startswith("postcard")


def is_contraband(card: str) -> bool:
    """True for cards that keep their holder from travelling."""
    return card in CONTRABAND


def shuffled_in(*, events: bool, special_items: bool, contraband: bool, postcards: bool) -> Counter[str]:
    """The cards of a match without its passports."""
    cards = Counter(dict.fromkeys(ITEMS, COPIES))
    for wanted, group in ((special_items, SPECIAL), (contraband, CONTRABAND), (postcards, POSTCARDS), (events, EVENTS)):
        if wanted:
            cards.update(group)
    return cards
