"""The metrics pages of a gateway and an engine tell what was done there."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from hamle.play.v1 import play_pb2 as play
from prometheus_client.parser import text_string_to_metric_families

from deploy.local.member import Member
from tests.e2e.bad_input.refusal import refused
from tests.e2e.bad_input.scene import CALL_S, PLAYING, new_id, scene
from tests.e2e.bad_input.stack import Stack
from tests.support.waiting import until

SUBMIT = "hamle.play.v1.PlayService/SubmitMoves"


def page(stack: Stack, member: Member) -> Counter[str]:
    """The page's samples by `name` or `name value-of-a-label ...`, labels by their names."""
    found: Counter[str] = Counter()
    for family in text_string_to_metric_families(stack.metrics_page(member)):
        for sample in family.samples:
            labels = [sample.labels[label] for label in sorted(sample.labels)]
            found[" ".join([sample.name, *labels])] += sample.value  # type: ignore[assignment]
    return found


class Spectator:
    """Reads a watch, and counts its frames: a heartbeat may be among them at any time."""

    def __init__(self, watch: Any) -> None:
        self._watch = watch
        self.frames = 0
        self.seq = 0

    async def read(self) -> None:
        """To the end. `seq` is that of the view with which the watch begins, and then of the last event."""
        while answer := await self._watch.read():
            self.frames += 1
            told = answer.frame.view if answer.frame.HasField("view") else answer.frame.step.told
            self.seq = max(self.seq, told.cursor.seq) if self.seq or answer.frame.HasField("view") else 0


async def test_moves_frames_and_watchers_are_counted_where_they_come_through(stack: Stack, kind: str) -> None:
    gateway, engine = stack.gateways[kind], stack.engines["coerceo"]
    async with scene(stack, kind, PLAYING) as there:
        await until(lambda: page(stack, gateway)["hamle_watchers spectator"] == 0)
        told = page(stack, gateway)["hamle_frames_total spectator"]
        request = play.WatchMatchRequest(match_id=there.match_id)
        watch: Any = there.play.WatchMatch(request, metadata=there.eve.metadata, timeout=CALL_S)
        spectator = Spectator(watch)
        reading = asyncio.create_task(spectator.read())
        await until(lambda: spectator.seq > 0)
        await until(lambda: page(stack, engine)["hamle_watchers engine"] == 1)
        before = page(stack, gateway), page(stack, engine)
        assert before[0]["hamle_watchers spectator"] == 1
        for _ in range(3):
            who, head, request_id = await there.on_turn(), await there.head(), new_id()
            move = await there.move_of(who)
            await there.submit(who, move, request_id=request_id, seq=head)
            await there.submit(who, move, request_id=request_id, seq=head)
            assert (await refused(there.submit(who, "z9-z9", seq=head + 1))).reason == "NOT_YOUR_TURN"
        head = await there.head()
        await until(lambda: spectator.seq == head)
        await until(lambda: page(stack, gateway)["hamle_frames_total spectator"] - told == spectator.frames)
        counted = page(stack, gateway) - before[0], page(stack, engine) - before[1]
        assert spectator.frames > 3
        watch.cancel()
        await asyncio.wait([reading])
        await until(lambda: page(stack, gateway)["hamle_watchers spectator"] == 0)
        await until(lambda: page(stack, engine)["hamle_watchers engine"] == 0)
    at_gateway, at_engine = counted
    assert at_gateway[f"hamle_rpc_requests_total OK {SUBMIT}"] == 6
    assert at_gateway[f"hamle_rpc_requests_total FAILED_PRECONDITION {SUBMIT}"] == 3
    assert at_gateway[f"hamle_rpc_seconds_count {SUBMIT}"] == 6
    results = {name.split()[-1]: value for name, value in at_engine.items() if name.startswith("hamle_moves_total")}
    assert results == {"accepted": 3, "repeated": 3, "not_your_turn": 3}
    assert at_engine["hamle_appends_total done"] == 3
    assert at_engine["hamle_append_batch_size_sum"] == 3
    assert at_engine["hamle_append_batch_size_count"] == 3
    for stage in ("append", "decide", "publish"):
        assert at_engine[f"hamle_stage_seconds_count {stage}"] >= 3, stage
    assert at_engine["hamle_warm_lookups_total coerceo hit"] >= 9
    assert not at_engine["hamle_warm_lookups_total coerceo miss"]
