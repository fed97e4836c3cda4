"""Logs to measure with: a Coerceo match of any length, made by the rules and the kit, without a server."""

from __future__ import annotations

from hamle.engine.v1 import engine_pb2

from bench.records import long_game
from core.log.types import Record
from engines.coerceo.game import GAME
from engines.kit.create import create
from engines.kit.decide import decide
from engines.kit.requests import asked


def match_records(events: int) -> list[Record]:
    """The first `events` records of a running match: four for its beginning, then moves."""
    handles = ("a" * 22, "b" * 22)
    request = engine_pb2.CreateMatchRequest(request_id="create", handle=handles[0])
    request.sitters.add(seat=1, handle=handles[1])
    draft = create(GAME, request, bytes(range(32)), 1_700_000_000_000, 3_600_000)
    records = [Record(step.folded.state.seq, step.raw, step.folded.hash) for step in draft.steps]
    for ply, move in enumerate(long_game(1, events - len(records))):
        state = draft.state
        command = engine_pb2.ExecuteRequest(handle=handles[ply % 2], request_id=f"request {ply}")
        command.expected.seq = state.seq
        command.submit.moves.append(move)
        draft = decide(GAME, state, draft.hash, command, asked(command), state.at_ms + 900)
        records += [Record(step.folded.state.seq, step.raw, step.folded.hash) for step in draft.steps]
    return records[:events]
