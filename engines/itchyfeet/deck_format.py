"""What a deck file looks like: its fields and the ranges of its numbers."""

from __future__ import annotations

import re
from typing import Final

from engines.kit.game import MaterialInvalid

FORMAT: Final = "itchyfeet-deck/1"
SOURCES: Final = ("official", "seed", "house", "printed")
"""`printed` is for files that owners of the game write from their own cards."""

ID: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
LONGEST_NAME: Final = 40
MOST_COPIES: Final = 12
MOST_KINDS: Final = 200
MOST_CARDS: Final = 250
"""Copies included: canonical bytes of a state have one byte for a card's number and for the size of a pile."""
MOST_DRAWS: Final = 10_000
"""In one move, by events that make all draw and turn up one another: it takes less than a second."""
MOST_KM: Final = 1_000_000
ENTRY: Final = frozenset({"id", "name", "copies", "source", "effect_source", "effect", "text", "note", "country"})
COUNTRY: Final = frozenset({"id", "name", "requires", "source", "reference_city", "lat", "lon", "note"})
READ: Final = frozenset({"text", "note", "country", "reference_city"})
"""Fields of entries that are text for readers; the engine takes nothing from them."""
MARKED: Final = ("value", "source", "note")
"""What a number of the constants and counts is written with."""
DISTANCES: Final = ("order", "matrix", "source", "method", "note")
TOP: Final = frozenset(
    {
        *("format", "name", "note", "game", "sources", "constants", "counts", "unknown_official"),
        *("items", "passports", "special_items", "contraband", "postcards", "events", "characters"),
        *("countries", "distances_km"),
    }
)
SEATS: Final = 6
RANGES: Final = {
    "items_per_country": (1, 5),
    "starting_items": (1, 5),
    "hand_limit": (4, 10),
    "draw": (1, 3),
    "recycle_cost": (1, 3),
    "steal_cost": (1, 1),
    "trade_bonus": (0, 3),
    "travel_draw": (0, 3),
    "empty_hand_draw": (1, 5),
    "postcards_to_win": (1, 12),
    "contraband_disposal_extra_discard": (1, 1),
    "round_cap": (1, 1000),
    "trade_offers_per_turn": (1, 20),
}


class DeckError(MaterialInvalid):
    """The file cannot be played with; `problems` are all that were found."""
