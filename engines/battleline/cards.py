"""The 70 cards: 60 troops, 10 tactics (rules §1). A card is its number: troops 0..59, tactics 60..69."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

COLOURS: Final = "ROYGBP"
VALUES: Final = 10
TROOPS: Final = len(COLOURS) * VALUES

ALX, DAR, CAV, SHB, FOG, MUD, SCT, RDP, DES, TRA = range(TROOPS, TROOPS + 10)
CARDS: Final = TROOPS + 10
TACTICS: Final = range(TROOPS, CARDS)

LEADERS: Final = frozenset({ALX, DAR})
MORALE: Final = frozenset({ALX, DAR, CAV, SHB})
ENVIRONMENT: Final = frozenset({FOG, MUD})
GUILE: Final = frozenset({SCT, RDP, DES, TRA})

NAMES: Final = (
    *(f"{colour}{value}" for colour in COLOURS for value in range(1, VALUES + 1)),
    *("ALX", "DAR", "CAV", "SHB", "FOG", "MUD", "SCT", "RDP", "DES", "TRA"),
)
"""Code of each card, by its number."""

NUMBERS: Final = {name: number for number, name in enumerate(NAMES)}
"""Number of each card, by its code."""

ALL_TROOPS: Final = (1 << TROOPS) - 1
"""Every troop as a set of bits: bit n is troop n."""


def value(troop: int) -> int:
    """The value of a troop, 1..10."""
    return troop % VALUES + 1


def troop_bits(cards: Iterable[int]) -> int:
    """The troops among the cards as a set of bits."""
    bits = 0
    for card in cards:
        if card < TROOPS:
            bits |= 1 << card
    return bits


def names(cards: Iterable[int]) -> str:
    """Codes of the cards, parted by blanks."""
    return " ".join(NAMES[card] for card in cards)
