"""What holds after every event of a match (rules 7): cards, limits, postcards, countries, knowledge."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.itchyfeet import legal
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, State
from engines.kit.conformance import play_match
from tests.engines.itchyfeet.table import ALL_ON, dealt, eager, everything

MIXES: tuple[dict[str, str], ...] = (
    {},
    ALL_ON,
    {"events": "on", "postcards": "on"},
    {"special_items": "on", "characters": "on"},
)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("options", MIXES, ids=lambda options: " ".join(options) or "base")
def test_cards_countries_limits_and_knowledge_hold_at_every_event(options: dict[str, str], seats: int) -> None:
    set_aside = None
    passports: Counter[int] | None = None
    for step in play_match(GAME, options, seats, seats, eager, departures=0.01):
        state = step.after
        assert isinstance(state, State)
        cards = everything(state)
        assert cards == dealt(state), step.move
        held = Counter({card: count for card, count in cards.items() if card in state.deck.passports})
        passports = passports or held
        assert held == passports
        assert sum(held.values()) == seats
        set_aside = set_aside or len(state.aside) + len(state.queue)
        assert len(state.aside) + len(state.queue) == set_aside
        rich = [hand for hand in state.hands if sum(card in state.deck.postcards for card in hand) >= 4]
        assert len(rich) <= 1
        assert not rich or state.reason == "postcards"
        if state.reason:
            continue
        assert state.centre >= 0
        if state.agenda[-1].kind is Kind.ACTION:
            assert all(len(hand) <= legal.limit(state, seat) for seat, hand in enumerate(state.hands))
            assert not state.answers
        for seat, (hand, row) in enumerate(zip(state.hands, state.known, strict=True)):
            *seen, public = row
            for known in row:
                assert not Counter(known) - Counter(hand)
            assert all(not Counter(public) - Counter(known) for who, known in enumerate(seen) if who != seat)
