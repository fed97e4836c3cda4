"""What an engine logs of calls: enough to find them again, and nothing that is secret."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from core.store.client import Client
from core.telemetry.metrics import INCIDENTS
from engines.coerceo.game import Coerceo
from engines.kit.game import Choice
from tests.engines.kit.host.test_short_way import FIRST, Stream
from tests.support.loglines import LogLines, log_lines
from tests.support.refusals import reason
from tests.support.replicas import StartEngine

__all__ = ["log_lines"]

TRACE = "0af7651916cd43dd8448eb211c80319c"
HIDDEN = "flag 3 is R7"


class Broken(Coerceo):
    """Coerceo with a fault in whatever the test asks for; the error tells what nobody may see."""

    at = ""

    def _fail(self, *where: str) -> None:
        if self.at in where:
            raise ZeroDivisionError(HIDDEN)

    def apply(self, *given: Any) -> Any:
        self._fail("execute")
        return super().apply(*given)

    def choices(self, *given: Any) -> Sequence[Choice]:
        self._fail("list_choices")
        return super().choices(*given)

    def view(self, *given: Any) -> Any:
        self._fail("get_view", "watch")
        return super().view(*given)


async def test_a_move_that_is_done_or_refused_is_logged_with_all_its_ids_and_no_secret(
    start_engine: StartEngine, store: Client, log_lines: LogLines
) -> None:
    replica = await start_engine(Coerceo())
    match_id = await replica.create()
    stream = Stream(replica)
    for handle, moves, code in (("ann", FIRST, ""), ("ann", HIDDEN, "NOT_YOUR_TURN"), ("eve", HIDDEN, "NOT_YOUR_SEAT")):
        call = stream.move(match_id, handle, 5 if code else 4, moves, request_id=f"r-{handle}-{code}")
        call.trace = bytes.fromhex(TRACE)
        assert (await stream.answers(call))[0][1] == code
    ids = {"kind": "submit", "match_id": match_id, "trace_id": TRACE}
    (done,) = [line for line in log_lines("command done") if line["trace_id"] == TRACE]
    assert (ids | {"handle": "ann", "seat": 0, "request_id": "r-ann-"}).items() <= done.items()
    seated, stranger = log_lines("command refused")
    asked = {"handle": "ann", "seat": 0, "request_id": "r-ann-NOT_YOUR_TURN", "reason": "NOT_YOUR_TURN"}
    assert (ids | asked).items() <= seated.items()
    assert (ids | {"handle": "eve", "request_id": "r-eve-NOT_YOUR_SEAT"}).items() <= stranger.items()
    assert "seat" not in stranger
    everything = json.dumps(log_lines(""))
    credential = dict(replica.metadata)["authorization"].removeprefix("Bearer ")
    assert not [secret for secret in (HIDDEN, FIRST, credential) if secret in everything]


@pytest.mark.parametrize(
    ("kind", "method"),
    [("execute", "Execute"), ("get_view", "GetView"), ("list_choices", "ListChoices"), ("watch", "WatchMatch")],
)
async def test_a_fault_on_the_batched_stream_is_counted_and_logged_with_all_its_ids(
    start_engine: StartEngine, log_lines: LogLines, kind: str, method: str
) -> None:
    game = Broken()
    replica = await start_engine(game)
    match_id = await replica.create()
    game.at = kind
    stream = Stream(replica)
    call = stream.move(match_id, "ann", 4, FIRST, request_id="r1")
    if kind != "execute":
        call.ClearField("execute")
        getattr(call, kind).match_id, getattr(call, kind).handle = match_id, "ann"
    call.trace = bytes.fromhex(TRACE)
    counted = INCIDENTS.labels(f"hamle.engine.v1.EngineService/{method}")
    before = counted.value
    incident = await stream.incident(call)
    assert counted.value - before == 1
    (line,) = log_lines("call failed")
    expected = {"match_id": match_id, "handle": "ann", "seat": 0, "trace_id": TRACE, "incident": incident}
    assert expected.items() <= line.items()
    assert line.get("request_id") == ("r1" if kind == "execute" else None)
    assert "ZeroDivisionError" in line["exception"]
    assert method in line["method"]


async def test_a_fault_of_a_plain_call_is_logged_with_the_ids_of_its_request(
    start_engine: StartEngine, log_lines: LogLines
) -> None:
    game = Broken()
    replica = await start_engine(game)
    match_id = await replica.create()
    game.at = "execute"
    assert await reason(replica.move(match_id, "ann", 4, FIRST, request_id="r1")) == "INTERNAL"
    (line,) = log_lines("call failed")
    assert {"match_id": match_id, "handle": "ann", "request_id": "r1"}.items() <= line.items()
    assert len(bytes.fromhex(line["trace_id"])) == 16
