"""Settings of a gateway process, on top of those that all roles share."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from core.settings import Settings
from services.gateway.account.keys import LONGEST_LIFE_MS
from services.gateway.account.service import DEFAULT_LIFE_MS
from services.gateway.limits import Kind, Rate


class GatewaySettings(Settings):
    """What a gateway can be told, each as an environment variable `HAMLE_...`."""

    token_life_s: int = Field(DEFAULT_LIFE_MS // 1000, ge=1, le=LONGEST_LIFE_MS // 1000, description="life of a token")
    trust_forwarded: bool = Field(False, description="true: a proxy in front writes x-forwarded-for")

    read_per_s: float = Field(100.0, gt=0, le=1e6, description="reading calls of an account a second")
    read_burst: int = Field(400, ge=1, le=10**6, description="reading calls of an account at once")
    write_per_s: float = Field(50.0, gt=0, le=1e6, description="changing calls of an account a second")
    write_burst: int = Field(200, ge=1, le=10**6, description="changing calls of an account at once")
    sign_in_per_s: float = Field(2.0, gt=0, le=1e6, description="sign-ins from an address a second")
    sign_in_burst: int = Field(100, ge=1, le=10**6, description="sign-ins from an address at once")

    call_timeout_s: float = Field(10.0, gt=0, le=120, description="how long a call waits when the client does not say")
    engine_stall_s: float = Field(
        1.5, gt=0, le=60, description="silence after which an engine is asked whether it runs"
    )
    engine_probe_s: float = Field(0.6, gt=0, le=60, description="how long an engine has to say that it runs")
    engine_patience_s: float = Field(4.0, ge=0, le=60, description="how long calls wait for a new engine")
    engine_calls: int = Field(4096, ge=1, le=9_000, description="calls under way at one engine at a time")

    watchers: int = Field(20_000, ge=1, le=10**6, description="watches at a time")
    watchers_of_one: int = Field(5_000, ge=1, le=10**6, description="watches of an account at a time")
    watcher_queue_bytes: int = Field(1 << 22, ge=1 << 12, description="what may wait for one slow watcher")
    watcher_queues_bytes: int = Field(1 << 28, ge=1 << 16, description="what may wait for all slow watchers")

    @property
    def rates(self) -> Mapping[Kind, Rate]:
        """The limits of each kind of call."""
        return {
            Kind.READ: Rate(self.read_per_s, self.read_burst),
            Kind.WRITE: Rate(self.write_per_s, self.write_burst),
            Kind.SIGN_IN: Rate(self.sign_in_per_s, self.sign_in_burst),
        }
