"""Twenty cards: four suits, ranks 1 to 5, each once."""

from __future__ import annotations

SUITS = "BGRY"
DECK = tuple(f"{suit}{rank}" for suit in SUITS for rank in range(1, 6))
HAND = 3
LARGEST_HAND = 5
SLOTS = 3
ACTIONS = 2


def rank(card: str) -> int:
    return int(card[1])
