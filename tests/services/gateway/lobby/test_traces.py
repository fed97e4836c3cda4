"""A caller's trace goes with his call to the engine."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from hamle.lobby.v1 import lobby_pb2 as pb

from core.errors import Refused
from core.store.settings import StoreSettings
from core.telemetry import trace
from engines.coerceo.game import Coerceo
from tests.services.gateway.lobby.house import Gateway, Guest, engine, gateway
from tests.support.loglines import LogLines, log_lines

__all__ = ["log_lines"]

NEW = pb.CreateMatchRequest(request_id="r1", game="coerceo")
TRACE = "0af7651916cd43dd8448eb211c80319c"


class Breakable(Coerceo):
    """A game that cannot begin a match or show it, once it is broken."""

    broken = False

    def setup(self, *given: Any) -> Any:
        if self.broken:
            raise ZeroDivisionError
        return super().setup(*given)

    def view(self, *given: Any) -> Any:
        if self.broken:
            raise ZeroDivisionError
        return super().view(*given)


async def begun(there: Gateway) -> tuple[str, Guest]:
    """A match that waits for the second player, and who that is."""
    anna, ben = await there.guests("Anna", "Ben")
    made = await there.lobby.CreateMatch(NEW, metadata=anna.metadata)
    return made.match.match_id, ben


async def test_a_plain_call_of_an_engine_is_in_the_trace_of_the_call_that_it_serves(
    store_settings: StoreSettings, log_lines: LogLines
) -> None:
    game = Breakable()
    async with engine(store_settings, game), gateway(store_settings, games=1) as there:
        match_id, ben = await begun(there)
        await there.lobby.JoinMatch(pb.JoinMatchRequest(request_id="r", match_id=match_id), metadata=ben.metadata)
        game.broken = True
        trace.enter(trace.header(bytes.fromhex(TRACE)))
        with pytest.raises(Refused):
            await there.calls.get_step(match_id, "", 4)
    (line,) = log_lines("call failed")
    assert line["method"] == "hamle.engine.v1.EngineService/GetStep"
    assert (line["match_id"], line["trace_id"]) == (match_id, TRACE)


async def test_who_was_told_of_an_incident_is_found_by_his_trace_in_the_engines_log(
    store_settings: StoreSettings, log_lines: LogLines
) -> None:
    game = Breakable()
    async with engine(store_settings, game), gateway(store_settings, games=1) as there:
        match_id, ben = await begun(there)
        game.broken = True
        metadata = (*ben.metadata, (trace.HEADER, trace.header(bytes.fromhex(TRACE))))
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await there.lobby.JoinMatch(pb.JoinMatchRequest(request_id="r2", match_id=match_id), metadata=metadata)
    assert failed.value.code() is grpc.StatusCode.INTERNAL
    (line,) = log_lines("call failed")
    assert line["method"] == "hamle.engine.v1.EngineService/Execute"
    assert (line["match_id"], line["request_id"], line["trace_id"]) == (match_id, "r2", TRACE)
