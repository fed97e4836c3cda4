"""What moves tell, and whom: the events of a move on its way, and what happens between turns.

Parameters that are keys of the catalogues (`heroic`, `colour-1`, `flare-3`) are shown by their labels there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from engines.kit.game import Fact
from engines.tashkalar.board import NAMES
from engines.tashkalar.cards import BEINGS, FLARES, TASKS
from engines.tashkalar.look import Event
from engines.tashkalar.pieces import NOTHING, RANKS
from engines.tashkalar.state import Cards, State

Parameters = tuple[tuple[str, str], ...]


def _seat(seat: int) -> tuple[str, str]:
    return ("seat", str(seat))


def _square(square: int) -> Parameters:
    return (("square", NAMES[square]),)


def _piece(piece: int) -> Parameters:
    return (("colour", f"colour-{piece // 3}"), ("rank", RANKS[piece % 3]))


def _card(card: int) -> Parameters:
    return (("card", BEINGS[card].name),)


def _flare(card: int) -> Parameters:
    return (("card", FLARES[card].key),)


def _on(square: int, piece: int) -> Parameters:
    return (*_square(square), *_piece(piece))


def _summoned(square: int, card: int) -> Parameters:
    return (*_square(square), *_card(card))


def _moved(start: int, to: int, piece: int, captured: int) -> Parameters:
    return (("from", NAMES[start]), ("to", NAMES[to]), *_piece(piece))


def _converted(square: int, piece: int, made: int) -> Parameters:
    return (*_square(square), *_piece(made))


def _swapped(one: int, other: int, *pieces: int) -> Parameters:
    return (("from", NAMES[one]), ("to", NAMES[other]))


def _number(number: int) -> Parameters:
    return (("count", str(number)),)


def _scored(points: int, enemy: int) -> Parameters:
    return (("points", str(points)), ("colour", f"colour-{enemy}"))


def _invoked(card: int, enemy: int) -> Parameters:
    return (*_flare(card), ("colour", f"colour-{enemy}"))


def _conceded(enemy: int) -> Parameters:
    return (("colour", f"colour-{enemy}"),)


def _task(number: int) -> Parameters:
    return (("task", TASKS[number].name), ("points", str(TASKS[number].points)))


def _nothing(*numbers: int) -> Parameters:
    return ()


_PARAMETERS: Final[Mapping[str, Callable[..., Parameters]]] = {
    "summoned": _summoned,
    "destroyed": _on,
    "lifted": _on,
    "placed": _on,
    "upgraded": _on,
    "downgraded": _on,
    "converted": _converted,
    "moved": _moved,
    "swapped": _swapped,
    "banished": _on,
    "gateway": _square,
    "gained": _number,
    "spent": _nothing,
    "delayed": _nothing,
    "discarded": _card,
    "discarded_flare": _flare,
    "took_back": _card,
    "stored": _on,
    "released": _on,
    "topped": _card,
    "kept": _card,
    "returned": _nothing,
    "returned_legend": _nothing,
    "returned_flare": _nothing,
    "invoked": _invoked,
    "conceded": _conceded,
    "thawed": _card,
    "warped": _card,
    "frozen": _card,
    "claimed": _task,
    "scored": _scored,
    "improvised": _on,
}
"""By kind of event: the parameters of its fact, from the event's numbers."""


def of_events(seat: int, events: Sequence[Event]) -> list[Fact]:
    """The facts of a move's events; a capture is told with its move."""
    return [fact for event in events for fact in _of_event(seat, event)]


def _of_event(seat: int, event: Event) -> Iterator[Fact]:
    kind, numbers = event
    yield _fact(seat, kind, numbers)
    if kind == "moved" and numbers[3] != NOTHING:
        yield _fact(seat, "destroyed", (numbers[1], numbers[3]))


@cache
def _fact(seat: int, kind: str, numbers: tuple[int, ...]) -> Fact:
    return Fact(kind, (_seat(seat), *_PARAMETERS[kind](*numbers)))


def drew(seat: int, beings: Cards, legends: Cards, flares: Cards) -> Iterator[Fact]:
    """Cards were drawn: all see how many of which kind, the seat learns which.

    In what order is not told: a hand has none, and facts must not tell more than the view shows.
    """
    if beings or legends or flares:
        counts = (("beings", beings), ("legends", legends), ("flares", flares))
        yield Fact("drew", (_seat(seat), *((name, str(len(cards))) for name, cards in counts)))
        names = [BEINGS[card].name for card in (*sorted(beings), *sorted(legends))]
        names += [FLARES[card].key for card in sorted(flares)]
        for name in names:
            yield Fact("drew_card", (("card", name),), frozenset({seat}))


def again(seat: int) -> Fact:
    """The seat has another turn."""
    return Fact("again", (_seat(seat),))


def last_turns(state: State) -> Fact:
    """The end was triggered."""
    return Fact(f"last_turns_{state.cause}", (_seat(state.turn.seat),))


def passed_control(seat: int) -> Fact:
    """The partner goes on with the turn."""
    return Fact("passed_control", (_seat(seat), ("partner", str(seat ^ 2))))


def left(seat: int) -> Fact:
    """The seat has left."""
    return Fact("left", (_seat(seat),))
