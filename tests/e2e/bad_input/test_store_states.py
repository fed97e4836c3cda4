"""A store that cannot do its work: each state has its reason, nothing is half done, and when it is over all goes on."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from hamle.account.v1.account_pb2 import SignInGuestRequest
from hamle.engine.v1 import engine_pb2
from hamle.engine.v1.engine_pb2_grpc import EngineServiceStub

from deploy.local.ports import free_port
from tests.e2e.bad_input.conftest import TROUBLED as KIND
from tests.e2e.bad_input.refusal import Refusal, refusal_of, refused
from tests.e2e.bad_input.scene import CALL_S, PLAYING, Scene, new_id, scene
from tests.e2e.bad_input.stack import OPTIONS, Stack, stranger
from tests.e2e.bad_input.stored import events
from tests.e2e.bad_input.waiting import until_done, until_refused
from tests.support.servers import StoreServer


async def in_trouble(
    there: Scene, reason: str, says: str, begin: Callable[[], Any], end: Callable[[], Any], *, harmless: bool = True
) -> None:
    """Moves, creates and joins while the store is in a state; afterwards the very same calls are done, once."""
    who, store = await there.on_turn(), there.stack.store
    move, head = await there.move_of(who), await there.head()
    before = events(store, there.match_id)
    again: dict[str, Callable[[], Awaitable[Any]]] = {
        "submit": (lambda request_id: lambda: there.submit(who, move, request_id=request_id, seq=head))(new_id()),
        "create": (lambda request_id: lambda: there.create(there.eve, request_id))(new_id()),
    }
    begin()
    try:
        for call in again.values():
            check(await until_refused(call, reason), says)
        # Who calls is told by his token alone, whatever has become of the store.
        await there.accounts.SignInGuest(SignInGuestRequest(), metadata=stranger(), timeout=CALL_S)
    finally:
        end()
    done = {name: await until_done(call) for name, call in again.items()}
    assert events(store, there.match_id)[: len(before)] == before
    assert done["submit"].cursor.seq == len(events(store, there.match_id)) == head + 1
    assert len(events(store, done["create"].match.match_id)) == 2
    await there.go_on()
    there.stack.require_unharmed()


def check(refusal: Refusal, says: str) -> None:
    """`says`: what the message tells to do; where it hangs on the moment who notices first, one of several, by `|`."""
    assert any(text in refusal.message for text in says.split("|")), refusal.message


async def test_a_store_that_is_down(troubled: Stack) -> None:
    async with scene(troubled, KIND, PLAYING) as there:
        store = troubled.store
        await in_trouble(
            there,
            "STORE_DOWN",
            "Retry with the same request id|: retry with the same request id",
            store.kill,
            store.start,
        )


async def test_a_store_that_is_a_replica(troubled: Stack) -> None:
    store, nobody = troubled.store, free_port()
    async with scene(troubled, KIND, PLAYING) as there:
        await in_trouble(
            there,
            "STORE_READ_ONLY",
            "tell the operator|Point HAMLE_STORE_URL at the master",
            lambda: store.call("REPLICAOF", "127.0.0.1", nobody),
            lambda: store.call("REPLICAOF", "NO", "ONE"),
        )


async def test_a_store_that_is_out_of_memory(troubled: Stack) -> None:
    store = troubled.store
    async with scene(troubled, KIND, PLAYING) as there:
        await in_trouble(
            there,
            "STORE_OUT_OF_MEMORY",
            "the operator must give it more",
            lambda: store.call("CONFIG", "SET", "maxmemory", "1"),
            lambda: store.call("CONFIG", "SET", "maxmemory", "0"),
        )


async def test_a_store_that_begins_to_evict_is_seen_at_the_next_connection(troubled: Stack, tmp_path: Path) -> None:
    store = troubled.store

    def evict() -> None:
        store.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        store.call("CLIENT", "KILL", "TYPE", "normal")

    async with scene(troubled, KIND, PLAYING) as there:
        await in_trouble(
            there,
            "STORE_UNFIT",
            "set it to noeviction",
            evict,
            lambda: store.call("CONFIG", "SET", "maxmemory-policy", "noeviction"),
        )


def test_no_engine_starts_on_a_store_that_evicts(start_server: Callable[..., StoreServer], tmp_path: Path) -> None:
    late = Stack(tmp_path, start_server(config={"maxmemory-policy": "allkeys-lru"}), ["coerceo"], {}, [])
    [engine] = late.members
    engine.start()
    assert engine.wait(CALL_S), engine.failed("serves")
    [said] = late.faults(engine)
    assert "STORE_UNFIT" in said
    assert "set it to noeviction" in said


async def test_a_store_that_has_lost_its_tail_stops_the_match_until_an_operator_accepts_it(troubled: Stack) -> None:
    async with scene(troubled, KIND, PLAYING) as there:
        await there.move()
        kept = events(troubled.store, there.match_id)
        restore = remember(troubled.store)
        # The engine has found the restarted store again.
        await until_done(lambda: there.create(there.eve))
        for _ in range(3):
            head = await there.move()
        known = (await there.match()).head
        restore()
        assert events(troubled.store, there.match_id) == kept
        again = await until_refused(lambda: there.submit(there.ann, "d1e-d1c", seq=head), "LOG_LOST_TAIL")
        assert (again.metadata["seq"], again.metadata["head_seq"]) == (str(head), str(len(kept)))
        assert "operator" in again.message
        watch = await refused(there.watch(there.eve, seq=head, hash=known.hash))
        assert watch.reason == "LOG_LOST_TAIL"
        # Nobody plays over what is lost, not even who knows nothing of it.
        fresh = await refused(there.submit(there.bob, "d1e-d1c", seq=len(kept)))
        assert fresh.reason == "LOG_LOST_TAIL"
        assert events(troubled.store, there.match_id) == kept
        # Other matches go on meanwhile.
        await until_done(lambda: there.create(there.eve))
        await accept(troubled, there.match_id, head)
        await until_done(there.go_on)
        assert events(troubled.store, there.match_id)[: len(kept)] == kept
    troubled.faults(troubled.engines["coerceo"])  # It says that a log has lost its tail.
    troubled.require_unharmed()


async def test_an_operator_cannot_give_up_what_is_there(troubled: Stack) -> None:
    async with scene(troubled, KIND, PLAYING) as there:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await accept(troubled, there.match_id, 4)
        refusal = refusal_of(error.value)
        assert (refusal.reason, refusal.metadata["head_seq"]) == ("NO_TAIL_LOST", "4")
        assert "nothing up to 4 is lost" in refusal.message
        await there.go_on()


def remember(store: StoreServer) -> Callable[[], None]:
    """Gives what takes the store back to what it holds now: it restarts on an older copy of its files."""
    copy = store.folder.parent / new_id()
    store.stop()
    shutil.copytree(store.folder, copy)
    store.start()

    def restore() -> None:
        store.kill()
        shutil.rmtree(store.folder)
        shutil.copytree(copy, store.folder)
        store.start()

    return restore


async def accept(stack: Stack, match_id: str, last: int) -> None:
    """What `hamle tail-lost` asks for."""
    request = engine_pb2.AcceptTailLossRequest(match_id=match_id, last_known_seq=last)
    async with grpc.aio.insecure_channel(stack.engines["coerceo"].address, options=OPTIONS) as channel:
        await EngineServiceStub(channel).AcceptTailLoss(request, metadata=stack.credential, timeout=CALL_S)
