"""States as canonical bytes and back. One byte holds a number; lists stand behind their length."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from engines.itchyfeet.cards import Deck
from engines.itchyfeet.state import Block, Kind, Place, Rules, State, Task
from engines.kit.reading import Reader

_DIGEST = 32
_SHIFT = 3
"""Added to numbers that can be negative, down to -3."""
_REASONS = ("", "centre", "postcards", "last_left", "round_cap")


def dump(state: State) -> bytes:
    """Equal states, equal bytes."""
    options = state.rules
    out = [len(state.places), *map(int, options[:5]), *options.reaction_ms.to_bytes(4, "big")]
    out += state.round.to_bytes(2, "big")
    out += (state.starter, state.active, state.acted, state.allowed, state.travelled, state.offers)
    out += (state.reached, state.winner + _SHIFT, _REASONS.index(state.reason), state.centre + _SHIFT)
    for place in state.places:
        out += (place.country + _SHIFT, place.done, place.character + _SHIFT, place.here)
    by_audience = zip(*state.known, strict=True)
    for cards in (*state.hands, state.discard, state.aside, state.queue, state.left, *chain(*by_audience)):
        out.append(len(cards))
        out += cards
    out.append(len(state.pile))
    for block in state.pile:
        out += (block.knowers, len(block.cards), *block.cards)
    out.append(len(state.agenda))
    for task in state.agenda:
        out += (task.kind, task.seat + _SHIFT, task.other + _SHIFT, task.amount, task.card + _SHIFT)
        out += (len(task.cards), *task.cards, len(task.more), *task.more)
    out.append(len(state.answers))
    out += [answer + _SHIFT for answer in state.answers]
    return state.deck.digest + bytes(out)


class _Reader(Reader):
    """Takes parts of a state off bytes."""

    def signed(self) -> int:
        return self.number() - _SHIFT

    def task(self) -> Task:
        kind, seat, other, count, card = self.take(5)
        return Task(Kind(kind), seat - _SHIFT, other - _SHIFT, count, card - _SHIFT, self.numbers(), self.numbers())


def load(decks: Mapping[bytes, Deck], data: bytes) -> State:
    """The state that `dump` wrote. Raises ValueError, also for a deck that is not among those given by digest."""
    reader = _Reader(data)
    digest = reader.take(_DIGEST)
    deck = decks.get(digest)
    if deck is None:
        raise ValueError(f"the deck {digest.hex()} is not known here")
    seats, *flags = reader.take(6)
    events, special_items, contraband, postcards, characters = map(bool, flags)
    reaction_ms = int.from_bytes(reader.take(4), "big")
    options = Rules(events, special_items, contraband, postcards, characters, reaction_ms)
    number = int.from_bytes(reader.take(2), "big")
    starter, active, acted, allowed, travelled, offers, reached = reader.take(7)
    winner, reason, centre = reader.signed(), _REASONS[reader.number()], reader.signed()
    places = []
    for _ in range(seats):
        country, done, character, here = reader.take(4)
        places.append(Place(country - _SHIFT, bool(done), character - _SHIFT, bool(here)))
    hands = tuple(reader.numbers() for _ in range(seats))
    discard, aside, queue, left = (reader.numbers() for _ in range(4))
    by_audience = [[reader.numbers() for _ in range(seats)] for _ in range(seats + 1)]
    pile = []
    for _ in range(reader.number()):
        knowers = reader.number()
        pile.append(Block(reader.numbers(), knowers))
    agenda = tuple(reader.task() for _ in range(reader.number()))
    answers = tuple(answer - _SHIFT for answer in reader.numbers())
    reader.end()
    return State(
        deck=deck,
        rules=options,
        places=tuple(places),
        hands=hands,
        known=tuple(zip(*by_audience, strict=True)),
        pile=tuple(pile),
        discard=discard,
        centre=centre,
        aside=aside,
        queue=queue,
        starter=starter,
        active=active,
        round=number,
        acted=acted,
        allowed=allowed,
        travelled=bool(travelled),
        offers=offers,
        reached=reached,
        agenda=agenda,
        answers=answers,
        winner=winner,
        reason=reason,
        left=left,
    )
