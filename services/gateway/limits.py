"""How often an identity may call: a token bucket for each kind of call, kept in this process alone.

A bucket is one number, the time at which it will be full again (the generic cell rate algorithm), so that a call costs
about a microsecond. Each gateway counts for itself: behind n gateways an identity may do n times as much.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from hamle.error.v1.error_pb2 import REASON_RATE_LIMITED

from core.errors import Refused

MOST_BUCKETS: Final = 100_000
"""Buckets kept of each kind; beyond it the one unused for longest goes, and its owner starts again with a full one."""


class Kind(Enum):
    """Kinds of calls; each has its own rate."""

    READ = "read"
    WRITE = "write"
    SIGN_IN = "sign-in"


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
        return (
            ("ratelimit-limit", str(self.limit)),
            ("ratelimit-remaining", str(self.remaining)),
            ("ratelimit-reset", str(self.reset_s)),
        )


class RateLimited(Refused):
    """The bucket is empty."""

    def __init__(self, kind: Kind, rate: Rate, standing: Standing, retry_after_ms: int) -> None:
        super().__init__(
            REASON_RATE_LIMITED,
            f"too many {kind.value} calls: at most {rate.per_s:g} a second and {rate.burst} at once are taken; "
            f"wait {retry_after_ms} ms and call again",
            retry_after_ms=retry_after_ms,
        )
        self.standing = standing


class Limiter:
    """All buckets of one process."""

    def __init__(self, rates: Mapping[Kind, Rate], most_buckets: int = MOST_BUCKETS) -> None:
        if any(rate.per_s <= 0 or rate.burst < 1 for rate in rates.values()):
            raise ValueError("a rate is above 0 a second, a burst at least 1")
        self._rates = dict(rates)
        self._most = most_buckets
        self._full_at: dict[Kind, OrderedDict[str, float]] = {kind: OrderedDict() for kind in rates}

    def take(self, kind: Kind, who: str, now_s: float) -> Standing:
        """Takes one call out of a bucket. `now_s` is of a clock that never goes back. Raises `RateLimited`."""
        rate = self._rates[kind]
        buckets = self._full_at[kind]
        step = 1.0 / rate.per_s
        full_at = max(buckets.get(who, now_s), now_s) + step
        over = full_at - now_s - rate.burst * step
        # A billionth of a second forgives what floating point adds to a burst taken at one moment.
        if over > 1e-9:
            standing = Standing(rate.burst, 0, math.ceil(full_at - step - now_s))
            raise RateLimited(kind, rate, standing, math.ceil(over * 1000))
        buckets[who] = full_at
        buckets.move_to_end(who)
        if len(buckets) > self._most:
            buckets.popitem(last=False)
        return Standing(rate.burst, int(1e-9 - over * rate.per_s), math.ceil(full_at - now_s))
