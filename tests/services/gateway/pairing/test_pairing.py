from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import grpc
import pytest
from hamle.error.v1.error_pb2 import (
    REASON_GAME_UNKNOWN,
    REASON_OVERLOADED,
    REASON_REQUEST_ID_REUSED,
    REASON_SHUTTING_DOWN,
    REASON_STORE_DOWN,
    REASON_TICKET_NOT_FOUND,
)
from hamle.event.v1.event_pb2 import TimeControl
from hamle.lobby.v1 import lobby_pb2 as pb
from hamle.match.v1.match_pb2 import MATCH_STATUS_ACTIVE, Match
from redis.asyncio import Redis

from core.store.settings import StoreSettings
from engines.coerceo.game import GAME as COERCEO
from services.gateway.identity import Identity
from services.gateway.pairing.queue import EXPIRY
from services.gateway.pairing.terms import Terms
from services.gateway.pairing.waiters import Waiters
from tests.services.gateway.account.gateways import eventually
from tests.services.gateway.lobby.house import Gateway, Guest, engine, fresh, gateway, house
from tests.support.refusals import refused
from tests.support.servers import StoreServer

T = TypeVar("T")


async def request(one: Gateway, who: Guest, **wanted: Any) -> str:
    asked = pb.RequestPairingRequest(**({"request_id": fresh(), "game": "coerceo"} | wanted))
    return str((await one.lobby.RequestPairing(asked, metadata=who.metadata)).ticket)


def wait(one: Gateway, who: Guest, ticket: str, wait_ms: int = 20_000) -> Any:
    return one.lobby.AwaitPairing(pb.AwaitPairingRequest(ticket=ticket, wait_ms=wait_ms), metadata=who.metadata)


async def paired(one: Gateway, who: Guest, ticket: str) -> Match:
    match: Match = (await wait(one, who, ticket)).match
    return match


async def patiently(call: Callable[[], Awaitable[T]]) -> T:
    """What a client does whose calls are UNAVAILABLE for a while: the same again."""
    async with asyncio.timeout(20):
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
            await asyncio.sleep(0.1)


def mine(match: Match) -> list[str]:
    return [seat.name for seat in match.seats if seat.yours]


async def test_two_guests_are_paired_through_two_gateways_while_one_waits(store_settings: StoreSettings) -> None:
    async with house(store_settings, gateways=2) as place:
        one, two = place.gateways
        ann, bob = await one.guest("Ann"), await two.guest("Bob")
        control = TimeControl(initial_ms=60_000, increment_ms=1_000)
        wanted = {"options": {"start": "ocius"}, "time_control": control}
        anns = await request(one, ann, **wanted)
        waiting = asyncio.ensure_future(wait(one, ann, anns))
        await asyncio.sleep(0.2)
        bobs = await request(two, bob, options={"start": "ocius", "cura": "off"}, time_control=control)
        hers, his = (await waiting).match, await paired(two, bob, bobs)
        assert hers.match_id == his.match_id
        assert his.status == MATCH_STATUS_ACTIVE
        assert his.options["start"] == "ocius"
        assert his.time_control == control
        assert mine(hers) == ["Ann"]
        assert mine(his) == ["Bob"]
        assert {seat.name for seat in his.seats} == {"Ann", "Bob"}
        again = (await wait(two, ann, anns, 0)).match
        assert again == hers
        listed = await two.lobby.ListMatches(pb.ListMatchesRequest(mine=True), metadata=ann.metadata)
        assert [match.match_id for match in listed.matches] == [hers.match_id]


async def test_fifty_at_once_through_two_gateways_make_twenty_five_matches(store_settings: StoreSettings) -> None:
    async with house(store_settings, gateways=2) as place:
        guests = [(place.gateways[n % 2], await place.gateways[n % 2].guest(f"G{n}")) for n in range(50)]

        async def play(one: Gateway, who: Guest) -> Match:
            return await paired(one, who, await request(one, who))

        matches = await asyncio.gather(*(play(one, who) for one, who in guests))
        assert [mine(match) for match in matches] == [[who.name] for _, who in guests]
        assert set(Counter(match.match_id for match in matches).values()) == {2}
        assert len({match.match_id for match in matches}) == 25
        listed = await place.lobby.ListMatches(pb.ListMatchesRequest(page_size=100), metadata=guests[0][1].metadata)
        assert {match.match_id for match in listed.matches} == {match.match_id for match in matches}


async def test_a_repeated_request_is_the_same_ticket_through_any_gateway(store_settings: StoreSettings) -> None:
    async with house(store_settings, gateways=2) as place:
        one, two = place.gateways
        ann, bob = await one.guest("Ann"), await one.guest("Bob")
        request_id = fresh()
        ticket = await request(one, ann, request_id=request_id)
        assert await request(two, ann, request_id=request_id) == ticket
        refusal = await refused(request(two, ann, request_id=request_id, options={"start": "ocius"}))
        assert refusal.reason == REASON_REQUEST_ID_REUSED
        assert await request(two, bob, request_id=request_id) != ticket
        match = await paired(two, ann, ticket)
        assert await request(two, ann, request_id=request_id) == ticket
        assert await paired(one, ann, ticket) == match


async def test_nobody_is_paired_with_himself(store_settings: StoreSettings) -> None:
    async with house(store_settings) as place:
        one = place.gateways[0]
        ann, bob = await one.guests("Ann", "Bob")
        tickets = [await request(one, ann) for _ in range(16)]
        assert (await refused(request(one, ann))).reason == REASON_OVERLOADED
        assert not (await wait(one, ann, tickets[0], 150)).HasField("match")
        match = await paired(one, bob, await request(one, bob))
        assert await paired(one, ann, tickets[0]) is not None
        assert {seat.name for seat in match.seats} == {"Ann", "Bob"}
        assert not (await wait(one, ann, tickets[1], 0)).HasField("match")


async def test_a_ticket_belongs_to_its_account(store_settings: StoreSettings) -> None:
    async with house(store_settings) as place:
        one = place.gateways[0]
        ann, bob = await one.guests("Ann", "Bob")
        ticket = await request(one, ann)
        cancel = pb.CancelPairingRequest(ticket=ticket)
        for call in (wait(one, bob, ticket), one.lobby.CancelPairing(cancel, metadata=bob.metadata)):
            refusal = await refused(call)
            assert refusal.reason == REASON_TICKET_NOT_FOUND
            assert refusal.metadata == {"ticket": ticket}


async def test_cancelling_ends_the_wait_everywhere_and_comes_too_late_for_a_pairing(
    store_settings: StoreSettings,
) -> None:
    async with house(store_settings, gateways=2) as place:
        one, two = place.gateways
        ann, bob, cem = await one.guests("Ann", "Bob", "Cem")
        ticket = await request(one, ann)
        waiting = asyncio.ensure_future(wait(one, ann, ticket))
        await asyncio.sleep(0.2)
        cancel = pb.CancelPairingRequest(ticket=ticket)
        assert not (await two.lobby.CancelPairing(cancel, metadata=ann.metadata)).paired
        assert (await refused(waiting)).reason == REASON_TICKET_NOT_FOUND
        assert not (await one.lobby.CancelPairing(cancel, metadata=ann.metadata)).paired
        bobs = await request(one, bob)
        await request(one, cem)
        late = pb.CancelPairingRequest(ticket=bobs)
        assert (await two.lobby.CancelPairing(late, metadata=bob.metadata)).paired
        assert {seat.name for seat in (await paired(one, bob, bobs)).seats} == {"Bob", "Cem"}


async def test_a_ticket_stays_while_it_is_waited_for_and_goes_when_nobody_does(
    client: Redis, store_settings: StoreSettings
) -> None:
    async with house(store_settings, touch_s=0.1) as place:
        one = place.gateways[0]
        ann, bob, cem = await one.guests("Ann", "Bob", "Cem")
        ticket = await request(one, ann)

        async def ends_ms() -> float:
            return await client.zscore(EXPIRY, f"t:{ticket}") or 0.0

        waiting = asyncio.ensure_future(wait(one, ann, ticket))
        for _ in range(3):
            before = await ends_ms()
            async with asyncio.timeout(20):
                while await ends_ms() <= before:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
        waiting.cancel()
        assert not (await wait(one, ann, ticket, 0)).HasField("match")
        await eventually(lambda: not one.waiters._waits)
        await client.zadd(EXPIRY, {f"t:{ticket}": 1})
        assert (await refused(wait(one, ann, ticket))).reason == REASON_TICKET_NOT_FOUND
        bobs, cems = await request(one, bob), await request(one, cem)
        assert await paired(one, bob, bobs) is not None
        assert mine(await paired(one, cem, cems)) == ["Cem"]


async def test_an_unknown_game_is_refused(store_settings: StoreSettings) -> None:
    async with gateway(store_settings) as one:
        ann = await one.guest("Ann")
        assert (await refused(request(one, ann, game="chess"))).reason == REASON_GAME_UNKNOWN


class Died(BaseException):
    """The gateway's process has ended here."""


STEPS: dict[str, Callable[[Gateway], tuple[object, str]]] = {
    "before the first handle": lambda one: (one.players, "bind"),
    "before the match": lambda one: (one.calls, "create_match"),
    "before the mark": lambda one: (one.queue, "made"),
    "before the list": lambda one: (one.listing, "learn"),
    "before the answer": lambda one: (one.players, "name_seats"),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("done", [False, True])
async def test_a_gateway_that_dies_at_any_step_loses_nothing(
    store_settings: StoreSettings, monkeypatch: pytest.MonkeyPatch, step: str, done: bool
) -> None:
    """The step is either not begun or done; then the gateway that took it is gone, and the other one goes on."""
    async with house(store_settings, gateways=2) as place:
        dying, living = place.gateways
        ann, bob = await dying.guest("Ann"), await living.guest("Bob")
        anns, bobs = await request(dying, ann), await request(living, bob)
        owner, name = STEPS[step](dying)
        real = getattr(owner, name)

        def dies(*args: object, **named: object) -> Any:
            result = real(*args, **named) if done else None
            if not asyncio.iscoroutine(result):
                raise Died

            async def after() -> None:
                await result
                raise Died

            return after()

        monkeypatch.setattr(owner, name, dies)
        looked = await dying.waiters.wait(anns, ann.account_id, 5)
        assert looked is not None
        assert looked.pairing is not None
        with pytest.raises(Died):
            await dying.pairings.wait(identity(ann), pb.AwaitPairingRequest(ticket=anns))
        his = await paired(living, bob, bobs)
        hers = await paired(living, ann, anns)
        assert his.match_id == hers.match_id == looked.pairing.match_id
        assert mine(his) == ["Bob"]
        assert mine(hers) == ["Ann"]
        assert his.status == MATCH_STATUS_ACTIVE
        assert his.head.seq == 4


def identity(who: Guest) -> Identity:
    return Identity(who.account_id, who.name, frozenset({"play"}))


async def test_both_gateways_make_the_match_at_the_same_moment_and_it_is_one(store_settings: StoreSettings) -> None:
    async with house(store_settings, gateways=2) as place:
        one, two = place.gateways
        for _ in range(10):
            ann, bob = await one.guest("Ann"), await two.guest("Bob")
            anns, bobs = await request(one, ann), await request(two, bob)
            hers, his = await asyncio.gather(paired(one, ann, anns), paired(two, bob, bobs))
            assert hers.match_id == his.match_id
            assert mine(hers) == ["Ann"]
            assert mine(his) == ["Bob"]


async def test_a_pairing_waits_for_an_engine(store_settings: StoreSettings) -> None:
    async with gateway(store_settings) as one:
        async with engine(store_settings, COERCEO):
            await eventually(lambda: one.catalogue.running() != [])
            ann, bob = await one.guests("Ann", "Bob")
            anns, bobs = await request(one, ann), await request(one, bob)
        await refused(wait(one, ann, anns))
        await eventually(lambda: not one.directory.games())
        async with engine(store_settings, COERCEO):
            await eventually(lambda: one.directory.games() != [])
            match = await paired(one, bob, bobs)
            assert {seat.name for seat in match.seats} == {"Ann", "Bob"}
            assert (await paired(one, ann, anns)).match_id == match.match_id


async def test_waits_end_with_a_reason_when_the_gateway_goes_down(store_settings: StoreSettings) -> None:
    async with house(store_settings) as place:
        one = place.gateways[0]
        ann = await one.guest("Ann")
        ticket = await request(one, ann)
        waiting = asyncio.ensure_future(wait(one, ann, ticket))
        await asyncio.sleep(0.2)
        one.waiters.close()
        assert (await refused(waiting)).reason == REASON_SHUTTING_DOWN
        assert (await refused(wait(one, ann, ticket))).reason == REASON_SHUTTING_DOWN


async def test_waits_outlast_a_store_that_goes_away(start_server: Callable[..., StoreServer]) -> None:
    server = start_server()
    async with house(server.settings(), touch_s=0.5) as place:
        one = place.gateways[0]
        ann, bob = await one.guests("Ann", "Bob")
        anns = await request(one, ann)
        waiting = asyncio.ensure_future(wait(one, ann, anns))
        await asyncio.sleep(1.5)
        server.kill()
        assert (await refused(request(one, bob))).reason == REASON_STORE_DOWN
        await asyncio.sleep(1)
        server.start()
        request_id = fresh()
        bobs = await patiently(lambda: request(one, bob, request_id=request_id))
        assert mine(await patiently(lambda: paired(one, bob, bobs))) == ["Bob"]
        assert mine(await patiently(lambda: paired(one, ann, anns))) == ["Ann"]
        await asyncio.wait([waiting])


async def test_a_thousand_wait_and_the_store_is_asked_for_all_of_them_at_once(store_settings: StoreSettings) -> None:
    async with gateway(store_settings) as one:
        looks: list[int] = []
        real = one.queue.look

        async def look(tickets: Any) -> Any:
            looks.append(len(tickets))
            return await real(tickets)

        one.queue.look = look  # type: ignore[method-assign]
        waiters = Waiters(one.queue, touch_s=0.5)
        tickets = [f"t{number}" for number in range(1000)]
        for number, ticket in enumerate(tickets):
            state = await one.queue.request(ticket, f"a{number}", "A", terms(number), fresh())
            assert state == "waiting"
        waits = [asyncio.ensure_future(waiters.wait(ticket, f"a{number}", 60)) for number, ticket in enumerate(tickets)]
        await eventually(lambda: looks.count(1) == 1000, 60)
        # Begun once all wait: who looks at some of them before looks at a part of any size.
        running = asyncio.create_task(waiters.run())
        await eventually(lambda: looks.count(500) >= 6, 60)
        assert looks.count(1) == 1000
        await one.queue.request("b7", "b", "B", terms(7), fresh())
        seen = await waits[7]
        assert seen is not None
        assert seen.pairing is not None
        assert seen.pairing.accounts == ("a7", "b")
        assert not any(wait.done() for number, wait in enumerate(waits) if number != 7)
        waiters.close()
        await asyncio.gather(*waits, return_exceptions=True)
        assert not waiters._waits
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def terms(number: int) -> Terms:
    return Terms(f"g{number}", {}, None)
