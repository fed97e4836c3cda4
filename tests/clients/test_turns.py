from __future__ import annotations

from typing import Any

from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from hamle_client import Client

from tests.clients.server import ScriptedServer, joined_at, step_of, tell, view_of

HEAD = match_pb2.Frame(view=view_of(1))


def live(seq: int, awaited: tuple[int, ...], **body: Any) -> match_pb2.Frame:
    frame = step_of(seq, **body)
    frame.step.view.CopyFrom(view_of(seq, awaited=awaited))
    return frame


async def test_turns_are_the_views_on_which_the_seat_is_awaited(server: ScriptedServer, client: Client) -> None:
    end = live(5, (), secret_revealed=event_pb2.SecretRevealed(secret=b"s"))
    server.streams.append(tell(joined_at(1), HEAD, live(2, (1,)), live(3, (0,)), live(4, (1,)), end))
    match = await client.create("coerceo")
    assert [view.seq async for view in match.turns()] == [1, 3]


async def test_view_older_than_the_own_move_is_no_turn(server: ScriptedServer, client: Client) -> None:
    end = live(5, (), secret_revealed=event_pb2.SecretRevealed(secret=b"s"))
    server.streams.append(tell(joined_at(1), HEAD, live(2, (0,)), live(3, (1,)), live(4, (0,)), end))
    match = await client.create("coerceo")
    asked = []
    async for view in match.turns():
        asked.append(view.seq)
        if view.seq == 1:
            server.head = 2
            await match.submit("a")
    assert asked == [1, 4]


async def test_outcome_waits_for_the_end(server: ScriptedServer, client: Client) -> None:
    finished = event_pb2.Finished(outcome=event_pb2.Outcome(reason="no_pieces"))
    end = live(3, (), secret_revealed=event_pb2.SecretRevealed(secret=b"s"))
    server.streams.append(tell(joined_at(1), live(2, (), finished=finished), end))
    match = await client.create("coerceo")
    outcome = await match.outcome()
    assert outcome is not None
    assert outcome.reason == "no_pieces"
