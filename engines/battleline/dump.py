"""States as canonical bytes and back. One byte holds a number; lists stand behind their length."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engines.battleline.state import (
    FLAGS,
    First,
    Front,
    Memory,
    Place,
    Result,
    Rules,
    State,
    Step,
    unseen_troops,
)
from engines.kit.reading import Reader

REASONS: Final = ("breakthrough", "envelopment", "stuck", "resigned")


def dump(state: State) -> bytes:
    """Equal states, equal bytes."""
    rules, memory = state.rules, state.memory
    head = (
        *(rules.tactics, rules.last_chance, rules.open_fronts, rules.first, rules.automatic_trim, rules.series),
        *(state.turn, state.step, state.left, state.drawn, state.trim + 1, state.passes, state.starter),
        *(_place(state.fog), _place(state.mud), *state.played, *state.led),
    )
    tail = [0] if memory is None else [1, memory.seat, *memory.tops, len(memory.held), *memory.held]
    if memory is not None:
        tail += (*memory.fewest, *memory.most)
    tail.append(len(state.results))
    for reason, winner, flags, points in state.results:
        tail += (REASONS.index(reason), winner + 1, *flags, *points)
    piles = (*state.hands, *state.decks, *state.discards, state.cut)
    return b"".join(
        (
            bytes(head),
            *[bytes((len(cards), *cards)) for cards in piles],
            *map(_front, state.fronts),
            bytes(tail),
        )
    )


@lru_cache(maxsize=1 << 14)
def _front(front: Front) -> bytes:
    (first, second), order, owner = front
    return bytes((owner + 1, len(first), *first, len(second), *second, *order))


def _place(place: Place | None) -> int:
    return 0 if place is None else 1 + place.flag * 2 + place.seat


class _Reader(Reader):
    """Takes parts of a state off bytes."""

    def pair(self) -> tuple[int, int]:
        return self.number(), self.number()

    def place(self) -> Place | None:
        coded = self.number()
        return Place((coded - 1) // 2, (coded - 1) % 2) if coded else None

    def rules(self) -> Rules:
        tactics, last_chance, open_fronts = (bool(self.number()) for _ in range(3))
        return Rules(tactics, last_chance, open_fronts, First(self.number()), bool(self.number()), self.number())

    def front(self) -> Front:
        owner, sides = self.number() - 1, (self.numbers(), self.numbers())
        return Front(sides, tuple(self.number() for side in sides for _ in side), owner)

    def memory(self) -> Memory | None:
        if not self.number():
            return None
        return Memory(self.number(), self.pair(), self.numbers(), self.pair(), self.pair())

    def result(self) -> Result:
        return Result(REASONS[self.number()], self.number() - 1, self.pair(), self.pair())


def load(data: bytes) -> State:
    """The state that `dump` wrote. Raises ValueError."""
    read = _Reader(data)
    rules, turn, step = read.rules(), read.number(), Step(read.number())
    left, drawn, trim, passes, starter = read.number(), read.number(), read.number() - 1, read.number(), read.number()
    fog, mud, played, led = read.place(), read.place(), read.pair(), read.pair()
    hands, decks, discards = ((read.numbers(), read.numbers()) for _ in range(3))
    cut = read.numbers()
    fronts = tuple(read.front() for _ in range(FLAGS))
    memory = read.memory()
    results = tuple(read.result() for _ in range(read.number()))
    read.end()
    return State(
        rules=rules,
        hands=hands,
        decks=decks,
        fronts=fronts,
        fog=fog,
        mud=mud,
        discards=discards,
        played=played,
        led=(bool(led[0]), bool(led[1])),
        unseen=unseen_troops(fronts, discards),
        turn=turn,
        step=step,
        left=left,
        drawn=drawn,
        trim=trim,
        passes=passes,
        memory=memory,
        cut=cut,
        starter=starter,
        results=results,
    )
