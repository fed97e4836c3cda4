from __future__ import annotations

from typing import Any

import grpc
import pytest
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from hamle_client import Client, IllegalMove, View

from clients.bots.runner import Choices, play
from tests.clients.server import ScriptedServer, joined_at, refuse, step_of, tell, view_of

HEAD = match_pb2.Frame(view=view_of(1))


def live(seq: int, awaited: tuple[int, ...], **body: Any) -> match_pb2.Frame:
    frame = step_of(seq, **body)
    frame.step.view.CopyFrom(view_of(seq, awaited=awaited))
    return frame


FINISHED = live(3, (), finished=event_pb2.Finished(outcome=event_pb2.Outcome(reason="no_pieces")))
END = live(4, (), secret_revealed=event_pb2.SecretRevealed(secret=b"s"))


async def first(view: View, choices: Choices) -> str:
    return (await choices(""))[0].text


async def test_bot_is_asked_on_its_turns_and_the_outcome_told(server: ScriptedServer, client: Client) -> None:
    server.streams.append(tell(joined_at(1), HEAD, live(2, (1,)), FINISHED, END))
    made: list[str] = []
    outcome = await play(await client.create("coerceo"), first, on_move=made.append)
    assert made == ["a"]
    assert outcome is not None
    assert outcome.reason == "no_pieces"


async def test_overtaken_move_is_decided_anew(server: ScriptedServer, client: Client) -> None:
    server.faults["SubmitMoves"].append(refuse(grpc.StatusCode.ABORTED, "STALE_VIEW"))
    server.streams.append(tell(joined_at(1), HEAD, live(2, (0,)), FINISHED, END))
    made: list[str] = []
    await play(await client.create("coerceo"), first, on_move=made.append)
    assert made == ["a"]
    assert len(server.requests("SubmitMoves")) == 2


async def test_illegal_move_is_the_bots_fault(server: ScriptedServer, client: Client) -> None:
    server.faults["SubmitMoves"].append(refuse(grpc.StatusCode.INVALID_ARGUMENT, "ILLEGAL_MOVE"))
    server.streams.append(tell(joined_at(1), HEAD, END))
    with pytest.raises(IllegalMove):
        await play(await client.create("coerceo"), first)


async def test_no_move_resigns(server: ScriptedServer, client: Client) -> None:
    async def nothing(view: View, choices: Choices) -> str:
        return ""

    server.streams.append(tell(joined_at(1), HEAD, live(2, (), resigned=event_pb2.Resigned()), FINISHED, END))
    await play(await client.create("coerceo"), nothing)
    assert len(server.requests("Resign")) == 1
