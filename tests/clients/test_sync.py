from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable

import grpc
import pytest
from hamle.event.v1 import event_pb2
from hamle_client import HamleError, LogLostTail
from hamle_client.sync import Client

from tests.clients.server import MATCH, ScriptedServer, hang, refuse, step_of, tell

PROGRAM = """
import sys
from hamle_client.sync import Client

with Client(sys.argv[1]) as client:
    match = client.match(sys.argv[2])
    {work}
"""


async def test_calls_wait_and_errors_are_the_same(server: ScriptedServer) -> None:
    end = step_of(2, view=True, secret_revealed=event_pb2.SecretRevealed(secret=b"s"))
    lost = refuse(grpc.StatusCode.DATA_LOSS, "LOG_LOST_TAIL")
    server.streams += [
        tell(step_of(1, view=True), end),
        tell(step_of(1), then=lost),
    ]
    server.head = 3

    def use() -> None:
        with Client(server.address, name="Ada") as client:
            assert [info.game for info in client.games()] == ["coerceo"]
            assert len(list(client.matches())) == 3
            match = client.create("coerceo")
            assert match.choices()[0].text == "a"
            assert match.submit("a").durability == "fsynced"
            assert [step.seq for step in match.watch()] == [1, 2]
            assert [record.seq for record in match.replay.export()] == [1, 2, 3, 4]
            watch = client.match(MATCH).watch()
            assert next(watch).seq == 1
            with pytest.raises(LogLostTail):
                next(watch)

    await asyncio.to_thread(use)
    assert not [thread for thread in threading.enumerate() if thread.name == "hamle-client"]


async def test_left_iteration_ends_the_watch(server: ScriptedServer) -> None:
    server.streams.append(tell(step_of(1), step_of(2), step_of(3)))

    def use() -> None:
        with Client(server.address) as client:
            for step in client.match(MATCH).watch():
                assert step.seq == 1
                break

    await asyncio.to_thread(use)
    assert not [thread for thread in threading.enumerate() if thread.name == "hamle-client"]


def test_wrong_address_leaves_no_thread_behind() -> None:
    with pytest.raises(ValueError, match="expected host:port"):
        Client("nowhere")
    with pytest.raises(HamleError), Client("127.0.0.1:1", patience=0.2):
        pass
    assert not [thread for thread in threading.enumerate() if thread.name == "hamle-client"]


async def test_a_closed_client_says_that_it_is_closed(server: ScriptedServer) -> None:
    server.streams.append(tell(step_of(1), then=hang))

    def use() -> None:
        with Client(server.address) as client:
            watch = client.match(MATCH).watch()
            assert next(watch).seq == 1
            client.close()
            with pytest.raises(HamleError, match="closed"):
                next(watch)
            with pytest.raises(HamleError, match="closed"):
                client.games()
        client.close()

    await asyncio.to_thread(use)


async def test_closing_ends_the_calls_of_other_threads_with_an_error(server: ScriptedServer) -> None:
    server.faults["ListGames"] += [refuse(grpc.StatusCode.UNAVAILABLE, "STORE_DOWN", retry_after_ms=900)] * 100
    server.streams += [tell(step_of(1), then=hang)] * 2
    client = await asyncio.to_thread(Client(server.address).__enter__)
    failures: list[BaseException] = []

    def asks() -> None:
        client.games()

    def watches() -> None:
        list(client.match(MATCH).watch())

    def works(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=works, args=(work,)) for work in (asks, watches, asks, watches)]
    for thread in threads:
        thread.start()
    await asyncio.gather(server.until("ListGames", 2), server.until("WatchMatch", 2))
    await asyncio.sleep(0.1)
    await asyncio.to_thread(client.close)
    for thread in threads:
        await asyncio.to_thread(thread.join, 20)
    assert [type(failure) for failure in failures] == [HamleError] * 4
    assert all("closed" in str(failure) for failure in failures)


@pytest.mark.parametrize(
    ("work", "method"),
    [
        ("list(match.watch())", "WatchMatch"),
        ("list(match.turns())", "WatchMatch"),
        ("client.pair('coerceo')", "AwaitPairing"),
    ],
    ids=["watch", "turns", "pair"],
)
async def test_an_interrupted_call_cleans_up_and_ends_with_the_interrupt(
    server: ScriptedServer, work: str, method: str
) -> None:
    server.faults[method].append(hang)
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", PROGRAM.format(work=work), server.address, MATCH),
        stderr=asyncio.subprocess.PIPE,
    )
    await server.until(method)
    program.send_signal(signal.SIGINT)
    said = (await program.communicate())[1].decode()
    assert said.rstrip().endswith("KeyboardInterrupt"), said
    assert program.returncode == -signal.SIGINT
    assert len(server.requests("CancelPairing")) == len(server.requests("RequestPairing"))
