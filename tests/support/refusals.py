"""How calls are refused."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from core.errors import Refused
from core.rpc.client import refusal_of


async def refused(call: Any) -> Refused:
    """How the call is refused; fails when it is not, or is refused without a reason."""
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    refusal = refusal_of(failed.value)
    assert refusal is not None, failed.value
    return refusal


async def reason(call: Any) -> str:
    """The name of the reason, without `REASON_`."""
    return (await refused(call)).name
