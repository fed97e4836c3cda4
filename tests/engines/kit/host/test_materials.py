"""Engines whose matches are played with files: every replica finds them by their digest, now and later."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2

from core.errors import Refused
from core.fleet.announcements import read_announcements
from core.log.keys import match_id_for
from core.log.types import Record
from core.materials.naming import Material, digest_of
from core.materials.stored import add, bytes_key, fetch, keep, list_key, listed, withdraw
from core.store.client import Client
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.kit.host.reads import FRESH_S
from engines.kit.verify import Exported, verify_log
from tests.engines.kit.test_materials import MATERIAL, MINE, VALUE
from tests.support.refusals import reason
from tests.support.replicas import StartEngine
from tests.support.waiting import eventually

DECK = {"deck": VALUE}


async def play(replicas: list[Any], match_id: str) -> None:
    """Random moves to the end, each ten by another replica."""
    rng = random.Random(5)
    for number in range(2_000):
        replica = replicas[number // 10 % len(replicas)]
        if number % 10 == 0:
            await asyncio.sleep(FRESH_S)  # its reads may be so old
        match = (await replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))).match
        if match.HasField("outcome"):
            return
        for handle in rng.sample(("ann", "bob"), 2):
            move = ""
            while True:
                asked = engine_pb2.ListChoicesRequest(match_id=match_id, handle=handle, prefix=move)
                choices = (await replica.call("ListChoices", asked)).choices
                if not choices or any(choice.complete and choice.text == move for choice in choices):
                    break
                chosen = rng.choice(choices)
                move = chosen.text
                if chosen.complete:
                    break
            if move:
                head = (await replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))).match.head
                await replica.move(match_id, handle, head.seq, move, request_id=f"{number}")
                break
    raise AssertionError("the match has no end")


async def export(replica: Any, match_id: str) -> tuple[list[Exported], list[Material]]:
    records, materials = [], []
    async for answer in replica.stream("ExportMatch", engine_pb2.ExportMatchRequest(match_id=match_id)):
        records.append(Exported(Record(answer.cursor.seq, answer.event, answer.cursor.hash), answer.canonical))
        materials += [Material(each.option, each.value, each.data) for each in answer.materials]
    return records, materials


async def test_an_added_file_is_played_with_by_all_replicas_and_travels_in_the_export(
    start_engine: StartEngine, store: Client
) -> None:
    one, two = await start_engine(GAME), await start_engine(GAME)
    assert await reason(one.create(options=DECK)) == "OPTION_INVALID"
    assert await add(store, "itchyfeet", MATERIAL, 1)
    match_id = await one.create(options=DECK)
    await play([one, two], match_id)
    later = await start_engine(GAME)
    records, materials = await export(later, match_id)
    assert materials == [MATERIAL]
    report = verify_log(records, {GAME.info.rules: GAME}, materials)
    assert report.ok, report.failure

    forked = match_id_for("fork")
    fork = engine_pb2.ForkMatchRequest(match_id=forked, request_id="fork", parent=match_id, seq=6, handle="ann")
    await later.call("ForkMatch", fork)
    assert (await export(await start_engine(GAME), forked))[1] == [MATERIAL]


async def offers(store: Client, *values: str) -> None:
    for announcement in await read_announcements(store):
        (option,) = [option for option in announcement.info.options if option.material]
        assert option.default_value == HOUSE.key
        if tuple(option.values) == values:
            return
    raise Refused(error_pb2.REASON_UNSPECIFIED, "not announced so far")


async def test_what_is_added_and_withdrawn_is_announced_by_running_engines(
    start_engine: StartEngine, store: Client
) -> None:
    replica = await start_engine(GAME)
    await eventually(lambda: offers(store, HOUSE.key))
    await add(store, "itchyfeet", MATERIAL, 1)
    await eventually(lambda: offers(store, HOUSE.key, VALUE))
    described = await replica.call("DescribeGame", engine_pb2.DescribeGameRequest())
    assert VALUE in described.info.options[-1].values
    await withdraw(store, "itchyfeet", "deck", VALUE)
    await eventually(lambda: offers(store, HOUSE.key))


async def test_what_a_match_was_created_with_before_it_was_looked_up_is_announced_too(
    start_engine: StartEngine, store: Client
) -> None:
    replica = await start_engine(GAME)
    await add(store, "itchyfeet", MATERIAL, 1)
    await replica.create(options=DECK)
    await eventually(lambda: offers(store, HOUSE.key, VALUE))


async def test_matches_outlive_the_withdrawal_of_their_file(start_engine: StartEngine, store: Client) -> None:
    await add(store, "itchyfeet", MATERIAL, 1)
    first = await start_engine(GAME)
    match_id = await first.create(options=DECK)
    assert await withdraw(store, "itchyfeet", "deck", VALUE)
    assert not await withdraw(store, "itchyfeet", "deck", VALUE)
    await first.stop()
    second = await start_engine(GAME)
    assert await second.create(options=DECK) == match_id
    assert await reason(second.create("another", options=DECK)) == "OPTION_INVALID"
    view = await second.call("GetView", engine_pb2.GetViewRequest(match_id=match_id, handle="ann"))
    assert view.view.cursor.seq == 4


async def test_bytes_that_the_store_lost_are_told_and_can_be_added_again(
    start_engine: StartEngine, store: Client
) -> None:
    await add(store, "itchyfeet", MATERIAL, 1)
    match_id = await (await start_engine(GAME)).create(options=DECK)
    await store.delete(bytes_key(digest_of(VALUE)))
    later = await start_engine(GAME)
    asked = engine_pb2.GetMatchRequest(match_id=match_id)
    assert await reason(later.call("GetMatch", asked)) == "MATERIAL_MISSING"
    await keep(store, MATERIAL)
    assert (await later.call("GetMatch", asked)).match.options["deck"] == VALUE


async def test_other_bytes_under_a_digest_are_never_played_with(start_engine: StartEngine, store: Client) -> None:
    await add(store, "itchyfeet", MATERIAL, 1)
    match_id = await (await start_engine(GAME)).create(options=DECK)
    await store.set(bytes_key(digest_of(VALUE)), MINE + b"\n")
    later = await start_engine(GAME)
    assert await reason(later.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))) == "MATERIAL_INVALID"
    assert await reason(later.create("another", options=DECK)) == "OPTION_INVALID"


async def test_a_listed_file_that_the_rules_do_not_take_is_left_out_and_harms_nobody(
    start_engine: StartEngine, store: Client
) -> None:
    await store.hset(list_key("itchyfeet"), f"deck={'mine-' + '0' * 64}", "1")
    bad = Material("deck", "bad-ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", b"a")
    await add(store, "itchyfeet", bad, 0)
    replica = await start_engine(GAME)
    assert await reason(replica.create(options={"deck": bad.value})) == "OPTION_INVALID"
    await replica.create("house")


async def test_the_bytes_of_the_built_in_file_are_stored_and_exported_too(
    start_engine: StartEngine, store: Client
) -> None:
    replica = await start_engine(GAME)
    kept = await fetch(store, "deck", HOUSE.key)
    assert kept is not None
    assert await listed(store, "itchyfeet") == []
    _, materials = await export(replica, await replica.create())
    assert materials == [kept]


async def test_bytes_without_their_digest_are_not_stored(store: Client) -> None:
    with pytest.raises(Refused, match="was altered"):
        await add(store, "itchyfeet", MATERIAL._replace(data=b"x"), 1)
    assert await listed(store, "itchyfeet") == []


async def test_adding_twice_is_adding_once(store: Client) -> None:
    assert await add(store, "itchyfeet", MATERIAL, 1)
    assert not await add(store, "itchyfeet", MATERIAL, 2)
    assert [(entry.option, entry.value, entry.added_ms) for entry in await listed(store, "itchyfeet")] == [
        ("deck", VALUE, 1)
    ]
