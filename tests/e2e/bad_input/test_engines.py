"""Matches for which there is no engine, or none that could play them."""

from __future__ import annotations

from typing import Any

import pytest
from hamle.event.v1.event_pb2 import Created, Event
from hamle.play.v1.play_pb2 import GetViewRequest

from tests.e2e.bad_input.conftest import TROUBLED
from tests.e2e.bad_input.refusal import refused
from tests.e2e.bad_input.scene import CALL_S, PLAYING, Scene, new_id, scene
from tests.e2e.bad_input.stack import Stack
from tests.e2e.bad_input.stored import events, write
from tests.e2e.bad_input.waiting import until_done, until_refused


async def view(there: Scene, match_id: str) -> Any:
    request = GetViewRequest(match_id=match_id)
    return await there.play.GetView(request, metadata=there.ann.metadata, timeout=CALL_S)


async def test_a_match_of_rules_that_nobody_runs(stack: Stack, kind: str) -> None:
    created = Event(created=Created(game="coerceo", rules="coerceo/99", seats=2), at_ms=1)
    match_id = write(stack.store, "coerceo", [(created.SerializeToString(), bytes(16))])
    async with scene(stack, kind, PLAYING) as there:
        refusal = await refused(view(there, match_id))
        assert (refusal.reason, refusal.metadata["rules"]) == ("RULES_UNAVAILABLE", "coerceo/99")
        assert "tell the operator" in refusal.message
        assert len(events(stack.store, match_id)) == 1
        await there.go_on()
    stack.require_unharmed()


@pytest.mark.parametrize("damage", ["hash", "event", "gap", "rubbish"])
async def test_a_log_that_does_not_fold_stops_its_match_and_no_other(stack: Stack, kind: str, damage: str) -> None:
    async with scene(stack, kind, PLAYING) as there:
        log = [(event, state_hash) for _, event, state_hash in events(stack.store, there.match_id)]
        broken = {
            "hash": [*log[:3], (log[3][0], bytes(16))],
            "event": [*log[:2], (log[1][0], log[2][1])],
            "gap": [log[0], *log[2:]],
            "rubbish": [*log[:3], (b"\xff", log[3][1])],
        }
        match_id = write(stack.store, "coerceo", broken[damage])
        refusal = await refused(view(there, match_id))
        assert refusal.reason == "LOG_CORRUPT"
        assert refusal.metadata["match_id"] == match_id
        assert "tell" in refusal.message
        assert [record[1:] for record in events(stack.store, match_id)] == broken[damage]
        await there.go_on()
    # The operator is told.
    assert any(match_id in line for line in stack.faults(stack.engines["coerceo"]))
    stack.require_unharmed()


async def test_a_game_whose_engine_is_gone(troubled: Stack) -> None:
    [engine] = troubled.engines.values()
    async with scene(troubled, TROUBLED, PLAYING) as there:
        move, request_id = await there.move_of(there.ann), new_id()
        engine.kill()
        refusal = await until_refused(
            lambda: there.submit(there.ann, move, request_id=request_id, seq=4), "ENGINE_UNAVAILABLE"
        )
        assert "etry with the same request id" in refusal.message
        assert len(events(troubled.store, there.match_id)) == 4
        engine.start()
        await until_done(lambda: there.submit(there.ann, move, request_id=request_id, seq=4))
        assert len(events(troubled.store, there.match_id)) == 5
        await there.go_on()
    troubled.require_unharmed()
