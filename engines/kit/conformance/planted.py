"""Leaks planted in a game, to show that the proofs find them. Each gives away one bit of the whole state."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from google.protobuf.message import Message

from engines.kit.game import EVERYBODY, Audience, Choice, Draw, Fact, IllegalMove
from engines.kit.state import AnyGame

_UNKNOWN_FIELD = b"\xf8\xff\xff\x0f"
"""Tag of a field that no view has: number 33,554,431, a varint."""


class _Wrapped:
    """The game itself; a leak overrides one method."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def _bit(self, state: Any) -> int:
        return hashlib.blake2b(self._game.dump(state), digest_size=1).digest()[0] & 1


class _View(_Wrapped):
    def view(self, state: Any, audience: Audience) -> Message:
        message = self._game.view(state, audience)
        if audience != EVERYBODY:
            message.MergeFromString(_UNKNOWN_FIELD + bytes([self._bit(state)]))
        return message


class _Choices(_Wrapped):
    def choices(self, state: Any, seat: int, prefix: str = "") -> Sequence[Choice]:
        found = self._game.choices(state, seat, prefix)
        return found[::-1] if self._bit(state) else found


class _MayAct(_Wrapped):
    def may_act(self, state: Any) -> frozenset[int]:
        return self._game.may_act(state) | (frozenset({0}) if self._bit(state) else frozenset())


class _Refusal(_Wrapped):
    def apply(self, state: Any, seat: int, move: str, draw: Draw) -> tuple[Any, Sequence[Fact]]:
        try:
            return self._game.apply(state, seat, move, draw)
        except IllegalMove as error:
            end = "." if self._bit(state) else ""
            raise IllegalMove(error.what + end, rule=error.rule, expected=error.expected) from None


class _Redact(_Wrapped):
    def redact(self, state: Any, seat: int, move: str, audience: Audience) -> str:
        text = self._game.redact(state, seat, move, audience)
        return text if audience in (seat, EVERYBODY) or not self._bit(state) else text + "'"


class _Facts(_Wrapped):
    def apply(self, state: Any, seat: int, move: str, draw: Draw) -> tuple[Any, Sequence[Fact]]:
        after, facts = self._game.apply(state, seat, move, draw)
        return after, (*facts, Fact("leak", (("bit", str(self._bit(after))),)))


class _Undo(_Wrapped):
    def barrier(self, before: Any, after: Any) -> bool:
        return False


class _Imagine(_Wrapped):
    def imagine(self, view: Message, audience: Audience, draw: Draw) -> Any:
        return self._game.imagine(view, audience, _Unshuffled())


class _Unshuffled:
    """Draws nothing at random: what is imagined with it never varies."""

    def below(self, n: int, purpose: str) -> int:
        return 0

    def shuffle(self, items: Sequence[object], purpose: str) -> tuple[object, ...]:
        return tuple(items)


class Planted(NamedTuple):
    """A game with a leak in it, and where the leak is."""

    where: str
    game: AnyGame


_LEAKS: Mapping[str, type[_Wrapped]] = {
    "view": _View,
    "choices": _Choices,
    "may_act": _MayAct,
    "refusal": _Refusal,
    "redact": _Redact,
    "facts": _Facts,
    "undo": _Undo,
}


def planted_leaks(game: AnyGame) -> list[Planted]:
    """The game with a leak in its views, its choices and so on, one at a time."""
    return [Planted(where, cast(AnyGame, leak(game))) for where, leak in _LEAKS.items()]


def without_chance(game: AnyGame) -> AnyGame:
    """The game with an `imagine` that always imagines the same."""
    return cast(AnyGame, _Imagine(game))
