"""How often an identity may call: a token bucket for each kind of call, kept in this process alone.

A bucket is one number, the time at which it will be full again (the generic cell rate algorithm), so that a call costs
about a microsecond. Each gateway counts for itself: behind n gateways an identity may do n times as much.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from hamle.error.v1.error_pb2 import REASON_RATE_LIMITED

from core.errors import Refused

MOST_BUCKETS: Final = 100_000
"""Buckets kept of each kind; beyond it the one unused for longest goes, and its owner starts again with a full one."""

_COMMON: Final = 4096


class Kind(IntEnum):
    """Kinds of calls; each has its own rate."""

    READ = 0
    WRITE = 1
    SIGN_IN = 2


_NAMES: Final = ("reading calls", "changing calls", "sign-ins from your address")


class Rate(NamedTuple):
    """So many calls a second in the long run, and so many at once after a pause."""

    per_s: float
    burst: int


class Standing(NamedTuple):
    """What is left after a call: the bucket's size, the calls left in it, the seconds until it is full."""

    limit: int
    remaining: int
    reset_s: int

    def trailers(self) -> tuple[tuple[str, str], ...]:
        """As metadata for the caller."""
        return _trailers(self)


# Few standings come up again and again, and each has always the same trailers.
_standing = lru_cache(_COMMON)(Standing)


@lru_cache(_COMMON)
def _trailers(standing: Standing) -> tuple[tuple[str, str], ...]:
    return (
        ("ratelimit-limit", str(standing.limit)),
        ("ratelimit-remaining", str(standing.remaining)),
        ("ratelimit-reset", str(standing.reset_s)),
    )


class RateLimited(Refused):
    """The bucket is empty."""

    def __init__(self, kind: Kind, rate: Rate, standing: Standing, retry_after_ms: int) -> None:
        super().__init__(
            REASON_RATE_LIMITED,
            f"too many {_NAMES[kind]}: at most {rate.per_s:g} a second and {rate.burst} at once are taken; "
            f"wait {retry_after_ms} ms and call again",
            retry_after_ms=retry_after_ms,
        )
        self.standing = standing


class _Buckets:
    """The buckets of one kind of call: when each will be full, by its owner; those used last come last."""

    __slots__ = ("full_at", "rate", "room_s", "step_s")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.step_s = 1.0 / rate.per_s
        self.room_s = rate.burst * self.step_s
        self.full_at: OrderedDict[str, float] = OrderedDict()


class Limiter:
    """All buckets of one process."""

    def __init__(self, rates: Mapping[Kind, Rate], most_buckets: int = MOST_BUCKETS) -> None:
        if any(rate.per_s <= 0 or rate.burst < 1 for rate in rates.values()):
            raise ValueError("a rate is above 0 a second, a burst at least 1")
        self._most = most_buckets
        self._of = [_Buckets(rates[kind]) for kind in Kind]

    def take(self, kind: Kind, who: str, now_s: float) -> Standing:
        """Takes one call out of a bucket. `now_s` is of a clock that never goes back. Raises `RateLimited`."""
        buckets = self._of[kind]
        rate, full = buckets.rate, buckets.full_at
        full_at = full.get(who, now_s)
        if full_at < now_s:
            full_at = now_s
        full_at += buckets.step_s
        over_s = full_at - now_s - buckets.room_s
        # A billionth of a second forgives what floating point adds to a burst taken at one moment.
        if over_s > 1e-9:
            standing = Standing(rate.burst, 0, math.ceil(full_at - buckets.step_s - now_s))
            raise RateLimited(kind, rate, standing, math.ceil(over_s * 1000))
        full[who] = full_at
        full.move_to_end(who)
        if len(full) > self._most:
            full.popitem(last=False)
        return _standing(rate.burst, int(1e-9 - over_s * rate.per_s), math.ceil(full_at - now_s))
