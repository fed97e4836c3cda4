"""Chance that anybody can recompute once the secret is out; `docs/fairness.md` is normative for every byte."""

from __future__ import annotations

import hmac
import struct
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

LARGEST_N: Final = 1 << 256

_DRAW_LABEL = b"hamle/draw/1\0"
_head = struct.Struct(">QH").pack
_counter = struct.Struct(">I").pack


class SeededDraw:
    """The draws of one event: numbers keyed by (seed, seq, purpose, counter).

    Counters run for each purpose, from 0. An event has a seq of its own, so no draw is ever made twice.
    """

    __slots__ = ("_counters", "_seed", "_seq")

    def __init__(self, seed: bytes, seq: int) -> None:
        self._seed = seed
        self._seq = seq
        self._counters: dict[str, int] | None = None

    @property
    def used(self) -> bool:
        """True once anything was asked for, even a number below 1."""
        return self._counters is not None

    def below(self, n: int, purpose: str) -> int:
        """A uniform number in 0..n-1; 1 <= n <= 2**256, else ValueError. `purpose`: at most 65,535 bytes of UTF-8."""
        if not 1 <= n <= LARGEST_N:
            raise ValueError(f"a number below {n} was asked for; expected 1 to 2**256")
        counter = self._next_counter(purpose)
        value, counter = self._uniform(n, self._message(purpose), counter)
        self._keep(purpose, counter)
        return value

    def shuffle(self, items: Sequence[T], purpose: str) -> tuple[T, ...]:
        """The items in a uniformly drawn order: Fisher-Yates from the last place down to the second."""
        counter = self._next_counter(purpose)
        message = self._message(purpose)
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other, counter = self._uniform(last + 1, message, counter)
            order[last], order[other] = order[other], order[last]
        self._keep(purpose, counter)
        return tuple(order)

    def _next_counter(self, purpose: str) -> int:
        return 0 if self._counters is None else self._counters.get(purpose, 0)

    def _keep(self, purpose: str, counter: int) -> None:
        if self._counters is None:
            self._counters = {}
        self._counters[purpose] = counter

    def _message(self, purpose: str) -> bytes:
        text = purpose.encode()
        return _DRAW_LABEL + _head(self._seq, len(text)) + text

    def _uniform(self, n: int, message: bytes, counter: int) -> tuple[int, int]:
        """A number in 0..n-1 and the next counter."""
        fair = LARGEST_N - LARGEST_N % n
        while True:
            value = int.from_bytes(hmac.digest(self._seed, message + _counter(counter), "sha256"), "big")
            counter += 1
            if value < fair:
                return value % n, counter
