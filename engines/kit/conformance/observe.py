"""What an audience sees of a step, as bytes that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.fairness.draw import SeededDraw
from engines.kit.game import EVERYBODY, Audience, Fact
from engines.kit.state import AnyGame


class Seen(NamedTuple):
    """A step as an audience sees it: how it reads, the view after it, and the rest.

    `rest` holds the facts told, who must and can act, the time limit and whether it is a new one, the outcome, and
    whether the audience's own decision stays as it was.
    """

    text: str
    view: bytes
    rest: tuple[object, ...]


class Entry(NamedTuple):
    """A possible move, how the audience would see it, and whether the mover could take it back."""

    move: str
    seen: Seen
    undoable: bool


def view_bytes(game: AnyGame, state: Any, audience: Audience) -> bytes:
    """The view as the kit sends it."""
    return game.view(state, audience).SerializeToString(deterministic=True)


def told(facts: Sequence[Fact], audience: Audience) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The facts that the audience may know."""
    return tuple(
        (fact.kind, fact.parameters)
        for fact in facts
        if fact.audiences is None or audience == EVERYBODY or audience in fact.audiences
    )


def public(game: AnyGame, state: Any) -> tuple[object, ...]:
    """What everybody is told of a state beside the view."""
    return sorted(game.awaited(state)), sorted(game.may_act(state)), game.limit_ms(state), game.outcome(state)


def seen(game: AnyGame, before: Any, after: Any, facts: Sequence[Fact], text: str, audience: Audience) -> Seen:
    """The step as the audience sees it; `text` is the redacted move."""
    same_limit, undisturbed = game.limit_goes_on(before, after), audience in game.undisturbed(before, after)
    rest = (told(facts, audience), *public(game, after), same_limit, undisturbed)
    return Seen(text, view_bytes(game, after, audience), rest)


def entries(
    game: AnyGame, state: Any, mover: int, moves: Sequence[str], audience: Audience, seed: bytes, seq: int
) -> list[Entry]:
    """How the audience would see each of the mover's moves, all with the same draws."""
    found = []
    for move in moves:
        draw = SeededDraw(seed, seq)
        after, facts = game.apply(state, mover, move, draw)
        to_others = any(fact.audiences is not None and fact.audiences - {mover} for fact in facts)
        undoable = not (game.barrier(state, after) or draw.used or to_others)
        text = game.redact(state, mover, move, audience)
        found.append(Entry(move, seen(game, state, after, facts, text, audience), undoable))
    return found
