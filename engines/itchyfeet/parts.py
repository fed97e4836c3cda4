"""Parts of moves that name one card or one seat. They are the same in every position, so a process makes each once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engines.itchyfeet.cards import Deck
from engines.itchyfeet.state import MAX_SEATS
from engines.kit.game import Choice


def card_parts(
    deck: Deck, head: str, cards: Iterable[int], *, end: str = "", about: tuple[str, ...] = (), complete: bool = True
) -> list[Choice]:
    """A part for each kind among the cards, with the targets that it is `about`; one with an `end` is not complete.

    For heads of which there are few.
    """
    made = _by_card(deck, head, end, about, complete and not end)
    return [made[card] for card in dict.fromkeys(cards)]


def seat_parts(head: str, seats: Iterable[int], *, end: str = "") -> list[Choice]:
    """A part for each seat; one with an `end` goes on."""
    made = _by_seat(head, end)
    return [made[seat] for seat in seats]


SEAT_TARGETS: Final = tuple((f"seat:{seat}",) for seat in range(MAX_SEATS))
"""What a part that names a seat touches."""


@lru_cache(maxsize=1 << 10)
def _by_card(deck: Deck, head: str, end: str, about: tuple[str, ...], complete: bool) -> tuple[Choice, ...]:
    return tuple(
        Choice(f"{head}{card.id}{end}", about + targets, complete)
        for card, targets in zip(deck.cards, deck.targets, strict=True)
    )


@lru_cache(maxsize=1 << 8)
def _by_seat(head: str, end: str) -> tuple[Choice, ...]:
    return tuple(Choice(f"{head}{seat}{end}", target, not end) for seat, target in enumerate(SEAT_TARGETS))
