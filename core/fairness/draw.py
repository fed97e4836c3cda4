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

    __slots__ = ("_seed", "_seq", "_streams")

    def __init__(self, seed: bytes, seq: int) -> None:
        self._seed = seed
        self._seq = seq
        self._streams: dict[str, _Stream] | None = None

    @property
    def used(self) -> bool:
        """True once anything was asked for, even a number below 1."""
        return self._streams is not None

    def below(self, n: int, purpose: str) -> int:
        """A uniform number in 0..n-1; 1 <= n <= 2**256, else ValueError. `purpose`: at most 65,535 bytes of UTF-8."""
        if not 1 <= n <= LARGEST_N:
            raise ValueError(f"a number below {n} was asked for; expected 1 to 2**256")
        return self._stream(purpose).below(n)

    def shuffle(self, items: Sequence[T], purpose: str) -> tuple[T, ...]:
        """The items in a uniformly drawn order: Fisher-Yates from the last place down to the second."""
        below = self._stream(purpose).below
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def _stream(self, purpose: str) -> _Stream:
        if self._streams is None:
            self._streams = {}
        stream = self._streams.get(purpose)
        if stream is None:
            stream = self._streams[purpose] = _Stream(self._seed, self._seq, purpose)
        return stream


class _Stream:
    """The numbers of one purpose."""

    __slots__ = ("_counter", "_keyed")

    def __init__(self, seed: bytes, seq: int, purpose: str) -> None:
        text = purpose.encode()
        self._keyed = hmac.new(seed, _DRAW_LABEL + _head(seq, len(text)) + text, "sha256")
        self._counter = 0

    def below(self, n: int) -> int:
        fair = LARGEST_N - LARGEST_N % n
        while True:
            keyed = self._keyed.copy()
            keyed.update(_counter(self._counter))
            self._counter += 1
            value = int.from_bytes(keyed.digest(), "big")
            if value < fair:
                return value % n
