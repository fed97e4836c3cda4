from __future__ import annotations

import asyncio

import grpc
import pytest
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from hamle_client import Client, Cursor, HamleError, HashMismatch, LogLostTail, MatchNotFound, NotSignedIn

from deploy.local.ports import free_port
from tests.clients.server import (
    MATCH,
    Context,
    Fault,
    ScriptedServer,
    cursor_of,
    fail,
    hang,
    hash_of,
    joined_at,
    refuse,
    serve,
    step_of,
    tell,
    view_of,
)

END = step_of(4, view=True, secret_revealed=event_pb2.SecretRevealed(secret=b"s"))
MOVED = match_pb2.Frame(moved=match_pb2.Moved(cursor=cursor_of(2), reason="shutdown"))


async def seqs(client: Client, **settings: float) -> list[int]:
    return [step.seq async for step in client.match(MATCH).watch(**settings)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "broken",
    [
        fail(grpc.StatusCode.UNAVAILABLE),
        fail(grpc.StatusCode.CANCELLED),
        fail(grpc.StatusCode.INTERNAL, "Received RST_STREAM with error code 2"),
        refuse(grpc.StatusCode.RESOURCE_EXHAUSTED, "WATCHER_TOO_SLOW"),
        refuse(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN"),
        None,
    ],
    ids=["unavailable", "cancelled", "rst_stream", "too_slow", "shutting_down", "ended"],
)
async def test_broken_watch_goes_on_after_the_last_event(
    server: ScriptedServer, client: Client, broken: Fault | None
) -> None:
    server.streams += [
        tell(joined_at(2), step_of(1), step_of(2), then=broken),
        tell(joined_at(3), step_of(2), step_of(3, view=True), END),
    ]
    assert await seqs(client) == [1, 2, 3, 4]
    first, second = server.requests("WatchMatch")
    assert not first.HasField("cursor")
    assert second.cursor == cursor_of(2)


async def test_a_watch_whose_token_ended_goes_on_with_the_newer_one(server: ScriptedServer, client: Client) -> None:
    over = refuse(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")

    async def when_refreshed(context: Context) -> None:
        await client._refresh_token()
        await over(context)

    server.streams += [tell(joined_at(2), step_of(1), step_of(2), then=when_refreshed), tell(step_of(3), END)]
    assert await seqs(client) == [1, 2, 3, 4]
    tokens = [token for token, (name, _) in zip(server.tokens, server.calls, strict=True) if name == "WatchMatch"]
    assert tokens == ["Bearer first", "Bearer refreshed-1"]
    assert server.requests("WatchMatch")[1].cursor == cursor_of(2)


async def test_a_watch_whose_token_ended_without_a_newer_one_says_so(server: ScriptedServer, client: Client) -> None:
    server.streams.append(tell(step_of(1), then=refuse(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")))
    with pytest.raises(NotSignedIn):
        await seqs(client)
    assert len(server.requests("WatchMatch")) == 1


async def test_server_may_send_the_watcher_elsewhere(server: ScriptedServer, client: Client) -> None:
    server.streams += [tell(joined_at(2), step_of(1), step_of(2), MOVED, then=hang), tell(step_of(3, view=True), END)]
    assert await seqs(client) == [1, 2, 3, 4]
    assert server.requests("WatchMatch")[1].cursor == cursor_of(2)


async def test_gap_in_a_stream_is_filled_by_watching_again(server: ScriptedServer, client: Client) -> None:
    server.streams += [tell(step_of(1), step_of(3), then=hang), tell(step_of(2), step_of(3), END)]
    assert await seqs(client) == [1, 2, 3, 4]


async def test_silent_stream_is_given_up_for_dead(server: ScriptedServer, client: Client) -> None:
    # On a busy machine other streams may be silent for as long.
    server.streams += [tell(step_of(1), then=hang), *[tell(step_of(1), step_of(2), step_of(3), END)] * 50]
    assert await seqs(client, silence=0.3) == [1, 2, 3, 4]


async def test_view_after_catching_up_is_a_step_without_event(server: ScriptedServer, client: Client) -> None:
    missing = [joined_at(2), step_of(1), step_of(2), match_pb2.Frame(view=view_of(2))]
    server.streams.append(tell(*missing, step_of(3, view=True), END))
    steps = [step async for step in client.match(MATCH).watch()]
    assert [(step.seq, step.event is None, step.view is None) for step in steps] == [
        (1, False, True),
        (2, False, True),
        (2, True, False),
        (3, False, False),
        (4, False, False),
    ]
    assert steps[2].view is not None
    assert steps[2].view.game.DESCRIPTOR.full_name == "hamle.coerceo.v1.View"


@pytest.mark.parametrize(
    ("reason", "code", "expected"),
    [
        ("LOG_LOST_TAIL", grpc.StatusCode.DATA_LOSS, LogLostTail),
        ("HASH_MISMATCH", grpc.StatusCode.ABORTED, HashMismatch),
        ("MATCH_NOT_FOUND", grpc.StatusCode.NOT_FOUND, MatchNotFound),
    ],
)
async def test_what_cannot_be_mended_is_raised_with_its_class(
    server: ScriptedServer, client: Client, reason: str, code: grpc.StatusCode, expected: type[HamleError]
) -> None:
    server.streams += [tell(step_of(1), step_of(2)), tell(then=refuse(code, reason, head_seq="1"))]
    watch = client.match(MATCH).watch()
    assert [(await anext(watch)).seq, (await anext(watch)).seq] == [1, 2]
    with pytest.raises(expected) as caught:
        await anext(watch)
    assert caught.value.reason == reason
    assert caught.value.metadata == {"head_seq": "1"}


async def test_patience_ends_when_nobody_answers(server: ScriptedServer) -> None:
    async with Client(server.address, patience=0.5) as client:
        server.faults["WatchMatch"].extend([fail(grpc.StatusCode.UNAVAILABLE, "gone")] * 100)
        with pytest.raises(HamleError, match="gone"):
            await seqs(client)
    assert len(server.requests("WatchMatch")) > 1


async def test_watch_survives_a_restart_of_the_server() -> None:
    first, second = ScriptedServer(), ScriptedServer()
    first.streams.append(tell(step_of(1), step_of(2), then=hang))
    second.streams.append(tell(step_of(3), END))
    told = []
    async with serve(first, free_port()) as running, Client(running.address, patience=60.0) as client:
        watch = client.match(MATCH).watch()
        told += [(await anext(watch)).seq, (await anext(watch)).seq]
        rest = asyncio.create_task(anext(watch))
        port = int(running.address.rpartition(":")[2])
        stopped = asyncio.Event()

        async def successor() -> None:
            await stopped.wait()
            async with serve(second, port):
                told.append((await rest).seq)
                told.extend([step.seq async for step in watch])

        task = asyncio.create_task(successor())
        await asyncio.sleep(0)
        await _stop(running, stopped)
        await task
    assert told == [1, 2, 3, 4]
    assert second.requests("WatchMatch")[0].cursor.seq == 2


async def _stop(server: ScriptedServer, stopped: asyncio.Event) -> None:
    await server.stop()
    stopped.set()


async def test_watch_moves_to_the_other_gateway() -> None:
    async with serve(ScriptedServer()) as first, serve(ScriptedServer()) as second:
        first.streams.append(tell(step_of(1), step_of(2), then=fail(grpc.StatusCode.UNAVAILABLE)))
        second.streams.append(tell(step_of(3), END))
        async with Client(f"{first.address},{second.address}") as client:
            assert await seqs(client) == [1, 2, 3, 4]
    assert second.requests("WatchMatch")[0].cursor.seq == 2


async def test_watches_spread_over_connections(server: ScriptedServer) -> None:
    async with Client(server.address, watches_per_connection=3) as client:
        server.streams.extend([tell(step_of(1), then=hang)] * 7)
        watches = [client.match(MATCH).watch() for _ in range(7)]
        await asyncio.gather(*map(anext, watches))
        peers = [peer for peer, (name, _) in zip(server.peers, server.calls, strict=True) if name == "WatchMatch"]
        assert sorted(peers.count(peer) for peer in set(peers)) == [1, 3, 3]
        for watch in watches:
            await watch.aclose()
        server.streams.append(tell(step_of(1), then=hang))
        again = client.match(MATCH).watch()
        await anext(again)
        assert server.peers[-1] in peers
        await again.aclose()


async def test_closing_the_client_ends_its_watches_with_an_error(server: ScriptedServer) -> None:
    server.streams.append(tell(step_of(1), then=hang))
    client = Client(server.address)
    await client.sign_in()
    watch = client.match(MATCH).watch()
    await anext(watch)
    waiting = asyncio.create_task(anext(watch))
    await asyncio.sleep(0.05)
    await client.close()
    with pytest.raises(HamleError, match="closed"):
        await waiting
    with pytest.raises(HamleError, match="closed"):
        await client.games()


async def test_cancelled_watcher_is_cancelled(server: ScriptedServer, client: Client) -> None:
    server.streams.append(tell(step_of(1), then=hang))
    watch = client.match(MATCH).watch()
    await anext(watch)
    waiting = asyncio.create_task(anext(watch))
    await asyncio.sleep(0.05)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_watch_can_begin_after_a_cursor(server: ScriptedServer, client: Client) -> None:
    server.streams.append(tell(step_of(3), END))
    assert [step.seq async for step in client.match(MATCH).watch(Cursor(2, hash_of(2)))] == [3, 4]
    assert server.requests("WatchMatch")[0].cursor == cursor_of(2)


async def test_a_watch_lost_while_its_events_were_thought_over_goes_on(server: ScriptedServer) -> None:
    server.streams += [tell(step_of(1), then=fail(grpc.StatusCode.UNAVAILABLE)), tell(step_of(2), step_of(3), END)]
    async with Client(server.address, patience=0.2) as client:
        watch = client.match(MATCH).watch()
        assert (await anext(watch)).seq == 1
        await asyncio.sleep(0.5)
        assert [step.seq async for step in watch] == [2, 3, 4]


async def test_a_watch_that_is_less_patient_than_long_silent_looks_for_a_server_all_the_same() -> None:
    async with serve(ScriptedServer()) as first, serve(ScriptedServer()) as second:
        first.streams.append(tell(step_of(1), then=hang))
        second.streams.append(tell(step_of(2), step_of(3), END))
        async with Client(f"{first.address},{second.address}", patience=2.5, silence=3.0) as client:
            assert await seqs(client) == [1, 2, 3, 4]


async def test_an_export_lost_while_its_records_were_thought_over_goes_on(server: ScriptedServer) -> None:
    server.head = 4
    server.faults["ExportMatch"].append(fail(grpc.StatusCode.UNAVAILABLE))
    async with Client(server.address, patience=0.2) as client:
        records = client.match(MATCH).replay.export()
        told = [(await anext(records)).seq, (await anext(records)).seq]
        await asyncio.sleep(0.5)
        told += [record.seq async for record in records]
    assert told == [1, 2, 3, 4]


async def test_closing_the_client_ends_its_exports_with_an_error(server: ScriptedServer) -> None:
    server.head = 4
    server.faults["ExportMatch"].append(hang)
    client = Client(server.address)
    await client.sign_in()
    records = client.match(MATCH).replay.export()
    assert [(await anext(records)).seq, (await anext(records)).seq] == [1, 2]
    waiting = asyncio.create_task(anext(records))
    await asyncio.sleep(0.05)
    await client.close()
    with pytest.raises(HamleError, match="closed"):
        await waiting
