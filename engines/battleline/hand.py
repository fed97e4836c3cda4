"""Cards that enter and leave hands, and what the player of Scout still knows of them."""

from __future__ import annotations

from engines.battleline import facts
from engines.battleline.cards import GUILE, TROOPS
from engines.battleline.state import Cards, Memory, State, Step, deck_of, troops_in, with_seat
from engines.kit.game import Fact


def spent(state: State, seat: int, card: int) -> State:
    """The card has been played from the seat's hand; it lies nowhere yet, unless it is a guile card.

    Playing breaks a row of passes; a tactics card counts against the limit for ever. The turn closes, unless the card's
    effect goes on.
    """
    hand = state.hands[seat]
    at = hand.index(card)
    hand = hand[:at] + hand[at + 1 :]
    state = state._replace(
        hands=with_seat(state.hands, seat, hand),
        passes=0,
        step=Step.CLOSE,
        memory=state.memory and _after_play(state.memory, seat, card, hand),
    )
    if card < TROOPS:
        return state
    played = with_seat(state.played, seat, state.played[seat] + 1)
    if card not in GUILE:
        return state._replace(played=played)
    return state._replace(played=played, discards=with_seat(state.discards, seat, (*state.discards[seat], card)))


def _after_play(memory: Memory, seat: int, card: int, hand: Cards) -> Memory:
    if seat == memory.seat:
        return memory
    deck = deck_of(card)
    backs = len(hand) - troops_in(hand) if deck else troops_in(hand)
    return memory._replace(
        held=tuple(held for held in memory.held if held != card),
        fewest=with_seat(memory.fewest, deck, max(0, memory.fewest[deck] - 1)),
        most=with_seat(memory.most, deck, min(backs, memory.most[deck])),
    )


def drawn(state: State, seat: int, deck: int, told: list[Fact]) -> State:
    """The seat has drawn the top card of a deck that is not empty."""
    card = state.decks[deck][-1]
    told += facts.drew(seat, card)
    return state._replace(
        hands=with_seat(state.hands, seat, tuple(sorted((*state.hands[seat], card)))),
        decks=with_seat(state.decks, deck, state.decks[deck][:-1]),
        memory=state.memory and _after_draw(state.memory, seat, card, deck),
    )


def _after_draw(memory: Memory, seat: int, card: int, deck: int) -> Memory:
    if not memory.tops[deck]:
        return memory
    memory = memory._replace(tops=with_seat(memory.tops, deck, memory.tops[deck] - 1))
    if seat == memory.seat:
        return memory
    return memory._replace(
        held=tuple(sorted((*memory.held, card))),
        fewest=with_seat(memory.fewest, deck, memory.fewest[deck] + 1),
        most=with_seat(memory.most, deck, memory.most[deck] + 1),
    )
