from __future__ import annotations

import asyncio
import random

import pytest
from hamle.coerceo.v1 import coerceo_pb2
from hamle.match.v1 import match_pb2
from hamle_client import (
    Client,
    Cursor,
    HamleError,
    HashMismatch,
    IllegalMove,
    LogLostTail,
    Match,
    MatchFinished,
    MatchNotFound,
    NotYourTurn,
    Step,
)
from hamle_client.sync import Client as SyncClient

from clients.bots.random_bot import random_bot
from clients.bots.runner import play
from core.log.types import Record
from engines.kit.verify import Exported, verify_log
from engines.registry import games_by_rules

pytestmark = pytest.mark.timeout(240)
OCIUS = {"start": "ocius"}


async def seated(ada: Client, bob: Client) -> tuple[Match, Match]:
    """A match that has begun; Ada has the first seat."""
    made = await ada.create("coerceo", OCIUS, private=True)
    joined = await bob.join(invite_code=made.invite_code)
    await made.view()
    return made, joined


async def all_steps(match: Match) -> list[Step]:
    return [step async for step in match.watch()]


def seqs(steps: list[Step]) -> list[int]:
    return [step.seq for step in steps if step.event is not None]


async def test_paired_bots_play_and_all_who_watch_see_the_same_history(ada: Client, bob: Client, address: str) -> None:
    first, second = await asyncio.gather(ada.pair("coerceo", OCIUS), bob.pair("coerceo", OCIUS))
    assert first.id == second.id
    assert {first.seat, second.seat} == {0, 1}
    async with Client(address) as carl:
        watches = [asyncio.create_task(all_steps(client.match(first.id))) for client in (ada, bob, carl)]
        bots = [play(match, random_bot(random.Random(seed))) for seed, match in enumerate((first, second))]
        outcomes = await asyncio.gather(*bots)
        histories = await asyncio.gather(*watches)
        records = [record async for record in carl.match(first.id).replay.export()]
    assert outcomes[0] is not None
    assert outcomes[0] == outcomes[1]
    head = records[-1].seq
    for steps in histories:
        assert seqs(steps) == list(range(1, head + 1))
        assert [step.cursor.hash for step in steps if step.event is not None] == [record.hash for record in records]
        assert steps[-1].kind == "secret_revealed"
    exported = [Exported(Record(r.seq, r.event, r.hash), r.canonical) for r in records]
    report = verify_log(exported, games_by_rules())
    assert report.ok, report.failure


async def test_nobody_is_paired_with_who_has_cancelled(ada: Client, bob: Client) -> None:
    clock = (60_000, 1_234)
    for after_ms in range(0, 30, 2):
        waiting = asyncio.create_task(ada.pair("coerceo", OCIUS, clock=clock))
        await asyncio.sleep(after_ms / 1000)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(bob.pair("coerceo", OCIUS, clock=clock), 1.0)


async def test_view_is_the_games_own_message(ada: Client, bob: Client) -> None:
    match, _ = await seated(ada, bob)
    view = await match.view()
    assert isinstance(view.game, coerceo_pb2.View)
    assert view.awaited == {0}
    assert not view.is_over
    choices = await match.choices()
    assert all(not choice.complete for choice in choices)
    further = await match.choices(choices[0].text)
    assert all(choice.text.startswith(choices[0].text) for choice in further)


async def test_reflection_describes_the_games_messages(ada: Client, bob: Client) -> None:
    match, _ = await seated(ada, bob)
    view = await match.view()
    found = await match._shared.types._fetch(view.game.DESCRIPTOR.full_name)
    assert found is not type(view.game)
    read = found.FromString(view.proto.game.value)
    assert str(read) == str(view.game)


async def test_refusals_have_their_classes(ada: Client, bob: Client) -> None:
    first, second = await seated(ada, bob)
    with pytest.raises(IllegalMove) as illegal:
        await first.submit("nonsense")
    assert illegal.value.metadata["move"] == "nonsense"
    with pytest.raises(NotYourTurn):
        await second.submit("nonsense")
    with pytest.raises(MatchNotFound):
        await ada.match("00aaaaaaaaaaaaaaaa").view()
    head = (await first.view()).cursor
    with pytest.raises(HashMismatch):
        await first.submit("nonsense", expected=Cursor(head.seq, bytes(16)))
    with pytest.raises(LogLostTail):
        await first.submit("nonsense", expected=Cursor(head.seq + 5, bytes(16)))
    with pytest.raises(LogLostTail):
        await anext(first.watch(Cursor(head.seq + 5, bytes(16))))
    await first.resign()
    with pytest.raises(MatchFinished):
        await second.submit("nonsense")
    with pytest.raises(HamleError) as unknown:
        await ada.create("coerceo", {"start": "nowhere"})
    assert unknown.value.reason == "OPTION_INVALID"
    with pytest.raises(HamleError) as no_game:
        await ada.create("chess")
    assert no_game.value.reason == "GAME_UNKNOWN"


async def test_repeated_request_is_done_once(ada: Client, bob: Client) -> None:
    match, _ = await seated(ada, bob)
    first = (await match.choices())[0].text
    move = (await match.choices(first))[0].text
    done = await match.submit(move, request_id="the-one")
    again = await match.submit(move, request_id="the-one")
    assert again.cursor == done.cursor
    assert (await match.view()).cursor == done.cursor
    made = await ada.create("coerceo", OCIUS, request_id="create-one", entropy=b"")
    assert (await ada.create("coerceo", OCIUS, request_id="create-one", entropy=b"")).id == made.id


async def test_seats_before_the_start(ada: Client, bob: Client) -> None:
    made = await ada.create("coerceo", manual_start=True)
    listed = [match.id async for match in bob.matches("coerceo")]
    assert made.id in listed
    joined = await bob.join(made.id)
    await joined.leave()
    joined = await bob.join(made.id, seat=1)
    assert joined.seat == 1
    with pytest.raises(HamleError) as not_creator:
        await joined.start()
    assert not_creator.value.reason == "NOT_YOUR_SEAT"
    await made.start()
    assert (await joined.view()).awaited == {0}
    assert made.id in [match.id async for match in ada.matches(mine=True)]


async def test_replay_and_fork(ada: Client, bob: Client) -> None:
    first, second = await seated(ada, bob)
    chance = random.Random(5)
    bots = [play(match, random_bot(chance)) for match in (first, second)]
    await asyncio.gather(*bots)
    replay = ada.match(first.id).replay
    events = [event async for event in replay.events(page_size=7)]
    assert seqs(events) == list(range(1, len(events) + 1))
    middle = await replay.step(len(events) // 2)
    assert middle.cursor == events[len(events) // 2 - 1].cursor
    assert middle.view is not None
    assert replay.head.seq == len(events)
    with pytest.raises(HamleError) as beyond:
        await replay.step(len(events) + 1)
    assert beyond.value.reason == "SEQ_OUT_OF_RANGE"
    fork = await ada.fork(first.id, middle.seq)
    assert fork.id != first.id
    joined = await bob.join(invite_code=fork.invite_code)
    view = await joined.view()
    assert str(view.game) == str(middle.view.game)


async def until_refused(client: Client) -> None:
    async with asyncio.timeout(60):
        while True:
            await client.games()
            await asyncio.sleep(0.1)


async def test_revoked_token_ends_the_session(address: str) -> None:
    async with Client(address) as client:
        token = client.token
        assert token is not None
        async with Client(address, token=token.text) as same:
            assert (await same.account()).account_id == (await client.account()).account_id
        await client.revoke_tokens()
        with pytest.raises(HamleError) as ended:
            await until_refused(client)
    assert ended.value.reason == "TOKEN_REVOKED"


async def test_synchronous_client_plays(address: str, bob: Client) -> None:
    def ann() -> str:
        with SyncClient(address, name="Ann") as client:
            match = client.pair("coerceo", OCIUS | {"cura": "on"})
            for view in match.turns():
                assert view.awaited == {match.seat}
                match.resign()
            outcome = match.outcome()
            assert outcome is not None
            return outcome.reason

    ending = asyncio.create_task(asyncio.to_thread(ann))
    match = await bob.pair("coerceo", OCIUS | {"cura": "on"})
    if match.seat == 0:
        first = (await match.choices())[0].text
        await match.submit((await match.choices(first))[0].text)
    assert await ending == "resigned"
    assert (await match.refresh()).status == match_pb2.MATCH_STATUS_FINISHED
