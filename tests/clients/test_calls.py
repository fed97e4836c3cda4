"""Unary calls: retries with the same request, refusals, tokens."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from hamle_client import Client, Cursor, HamleError, IllegalMove, StaleView, Token

from tests.clients.server import MATCH, Fault, ScriptedServer, fail, hash_of, info_at, refuse, serve


@pytest.mark.parametrize(
    "lost",
    [
        fail(grpc.StatusCode.UNAVAILABLE),
        fail(grpc.StatusCode.CANCELLED),
        fail(grpc.StatusCode.DEADLINE_EXCEEDED),
        refuse(grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", retry_after_ms=20),
        refuse(grpc.StatusCode.UNAVAILABLE, "STORE_DOWN"),
    ],
    ids=["unavailable", "cancelled", "deadline", "overloaded", "store_down"],
)
async def test_lost_call_is_repeated_with_the_same_request(server: ScriptedServer, client: Client, lost: Fault) -> None:
    server.faults["SubmitMoves"] += [lost, lost]
    done = await client.match(MATCH).submit("d1e-d1c")
    first, *repeats = server.requests("SubmitMoves")
    assert len(repeats) == 2
    assert all(request == first for request in repeats)
    assert first.request_id
    assert done.durability == "fsynced"


async def test_move_whose_answer_is_lost_is_made_once(server: ScriptedServer, client: Client) -> None:
    server.lose_answers = 3
    done = await client.match(MATCH).submit("a", "b")
    assert done.cursor == Cursor(3, hash_of(3))
    assert server.head == 3


async def test_each_call_has_its_own_request_id_unless_named(server: ScriptedServer, client: Client) -> None:
    match = client.match(MATCH)
    await match.submit("a")
    await match.submit("a")
    await match.submit("a", request_id="mine")
    ids = [request.request_id for request in server.requests("SubmitMoves")]
    assert len(set(ids)) == 3
    assert ids[2] == "mine"


async def test_refused_call_is_not_repeated(server: ScriptedServer, client: Client) -> None:
    metadata: dict[str, Any] = {"move": "x", "rule": "§3", "expected": "a field"}
    server.faults["SubmitMoves"].append(refuse(grpc.StatusCode.INVALID_ARGUMENT, "ILLEGAL_MOVE", **metadata))
    with pytest.raises(IllegalMove, match="ILLEGAL_MOVE: refused") as caught:
        await client.match(MATCH).submit("x")
    assert caught.value.metadata == metadata
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert len(server.requests("SubmitMoves")) == 1


async def test_patience_ends_with_the_last_error(server: ScriptedServer) -> None:
    async with Client(server.address, patience=3.0) as client:
        server.faults["ListGames"].extend([fail(grpc.StatusCode.UNAVAILABLE, "down")] * 100)
        with pytest.raises(HamleError, match="down"):
            await client.games()
    assert len(server.requests("ListGames")) > 1


async def test_waiting_longer_than_patience_is_not_begun(server: ScriptedServer, client: Client) -> None:
    limited = refuse(grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", retry_after_ms=900)
    async with Client(server.address, patience=0.2) as hasty:
        server.faults["ListGames"].append(limited)
        with pytest.raises(HamleError) as caught:
            await hasty.games()
    assert caught.value.retry_after == 0.9


async def test_nobody_listens_is_an_error_with_the_address_tried() -> None:
    async with serve(ScriptedServer()) as gone:
        address = gone.address
    with pytest.raises(HamleError, match=address.rpartition(":")[2]):
        async with Client(address, patience=0.3):
            pass


async def test_calls_go_to_the_gateway_that_answers() -> None:
    async with serve(ScriptedServer()) as gone:
        dead = gone.address
    async with serve(ScriptedServer()) as alive, Client(f"{dead},{alive.address}") as client:
        assert [info.game for info in await client.games()] == ["coerceo"]


async def test_guest_is_named_and_token_travels_with_each_call(server: ScriptedServer) -> None:
    async with Client(server.address, name="Ada") as client:
        assert server.requests("SignInGuest")[0].name == "Ada"
        await client.games()
        assert server.tokens == ["", "Bearer first"]
        assert "first" not in repr(client.token)


async def test_given_token_is_used_and_its_end_learned(server: ScriptedServer) -> None:
    async with Client(server.address, token="given") as client:
        assert server.tokens == ["Bearer given"]
        assert not server.requests("SignInGuest")
        await client.games()
        assert server.tokens[-1] == "Bearer refreshed-1"
    known = Token("given", expires_at=4e9)
    async with Client(server.address, token=known) as client:
        await client.games()
        assert server.tokens[-1] == "Bearer given"


@pytest.mark.parametrize("token", ["sécret", "sec\nret", "sec\udcffret", "sec\x7fret"])
async def test_a_token_that_no_call_could_carry_is_refused_without_being_told(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="AccountService") as given:
        Client("127.0.0.1:1", token=token)
    monkeypatch.setenv("HAMLE_TOKEN", token)
    with pytest.raises(ValueError, match="AccountService") as found:
        Client("127.0.0.1:1")
    assert "sec" not in str(given.value) + str(found.value)


@pytest.mark.parametrize("match_id", ["é", "a\nb", "a b", "x" * 20_000])
async def test_what_can_be_no_match_id_is_left_to_the_server_to_refuse(
    server: ScriptedServer, client: Client, match_id: str
) -> None:
    server.faults["GetMatch"].append(refuse(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"))
    with pytest.raises(HamleError) as refused:
        await client.match(match_id).refresh()
    assert refused.value.reason == "MATCH_NOT_FOUND"
    assert [request.match_id for request in server.requests("GetMatch")] == [match_id]


async def test_move_is_submitted_against_the_last_event_seen(server: ScriptedServer, client: Client) -> None:
    match = await client.create("coerceo", {"start": "ocius"})
    assert match.cursor.seq == 1
    server.head = 5
    await match.choices()
    assert match.cursor.seq == 5
    await match.submit("a")
    assert server.requests("SubmitMoves")[0].expected.seq == 5
    assert server.requests("SubmitMoves")[0].expected.hash == hash_of(5)
    assert match.cursor.seq == 6


async def test_events_between_stay_unseen_after_a_move(server: ScriptedServer, client: Client) -> None:
    match = await client.create("coerceo")
    server.head = 4
    await match.submit("a")
    assert match.cursor.seq == 1


async def test_stale_move_is_left_to_the_caller(server: ScriptedServer, client: Client) -> None:
    server.faults["SubmitMoves"].append(refuse(grpc.StatusCode.ABORTED, "STALE_VIEW", head_seq="9"))
    with pytest.raises(StaleView):
        await client.match(MATCH).submit("a")
    assert len(server.requests("SubmitMoves")) == 1


async def test_bare_match_asks_for_the_head_before_its_first_move(server: ScriptedServer, client: Client) -> None:
    server.head = 8
    await client.match(MATCH).submit("a")
    assert server.requests("SubmitMoves")[0].expected.seq == 8


async def test_create_adds_random_entropy_unless_given(server: ScriptedServer, client: Client) -> None:
    await client.create("coerceo")
    await client.create("coerceo")
    await client.create("coerceo", entropy=b"")
    first, second, third = (request.entropy for request in server.requests("CreateMatch"))
    assert len(first) == len(second) == 32
    assert first != second
    assert third == b""


async def test_call_names_its_match_for_proxies(server: ScriptedServer, client: Client) -> None:
    seen: list[str] = []

    async def look(context: Any) -> None:
        seen.append(str(dict(context.invocation_metadata() or ())["x-match"]))

    server.faults["GetView"].append(look)
    await client.match(MATCH).view()
    assert seen == [MATCH]


async def test_what_is_read_is_at_least_as_new_as_what_was_seen(server: ScriptedServer, client: Client) -> None:
    match = await client.create("coerceo")
    await match.submit("a")
    await match.view()
    await match.choices("a")
    known = [server.requests(method)[0].known for method in ("GetView", "ListChoices")]
    assert [(cursor.seq, cursor.hash) for cursor in known] == [(2, hash_of(2))] * 2


async def test_what_is_read_has_the_own_move_also_where_events_before_it_were_not_seen(
    server: ScriptedServer, client: Client
) -> None:
    match = await client.create("coerceo")
    server.head = 5
    done = await match.submit("a")
    assert (done.cursor.seq, match.cursor.seq) == (6, 1)
    await match.view()
    assert server.requests("GetView")[0].known.seq == 6


async def test_pages_are_followed(server: ScriptedServer, client: Client) -> None:
    server.head = 5
    assert [match.cursor.seq async for match in client.matches("coerceo")] == [1, 2, 3]
    assert [step.seq async for step in client.match(MATCH).replay.events(after=1)] == [2, 3, 4, 5]


async def test_broken_export_begins_again_and_tells_each_record_once(server: ScriptedServer, client: Client) -> None:
    server.head = 4
    server.faults["ExportMatch"].append(fail(grpc.StatusCode.UNAVAILABLE))
    records = [record async for record in client.match(MATCH).replay.export()]
    assert [record.seq for record in records] == [1, 2, 3, 4]
    assert records[2].event == b"e3"
    assert len(server.requests("ExportMatch")) == 2


async def test_step_of_the_past_has_its_view(server: ScriptedServer, client: Client) -> None:
    server.head = 9
    step = await client.match(MATCH).replay.step(4)
    assert (step.seq, step.kind, step.view and step.view.seq) == (4, "moved", 4)


async def test_fork_is_a_match_with_an_invite_code(server: ScriptedServer, client: Client) -> None:
    fork = await client.fork(MATCH, 3)
    assert (fork.cursor.seq, fork.invite_code) == (4, "FORK")
    assert server.requests("ForkMatch")[0].request_id


async def test_undo_resign_leave_and_start_carry_request_ids(server: ScriptedServer, client: Client) -> None:
    match = await client.join(MATCH, seat=0)
    await match.start()
    await match.undo(1)
    done = await match.resign()
    await match.leave()
    assert done.durability == "written"
    for method in ("JoinMatch", "StartMatch", "UndoMoves", "Resign", "LeaveMatch"):
        assert len(server.requests(method)[0].request_id) == 32


def test_info_names_the_callers_seat() -> None:
    assert [seat.number for seat in info_at(1).seats if seat.yours] == [0]
