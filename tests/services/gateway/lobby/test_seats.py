from __future__ import annotations

from hamle.error.v1.error_pb2 import (
    REASON_INVITE_INVALID,
    REASON_MATCH_FINISHED,
    REASON_MATCH_FULL,
    REASON_MATCH_NOT_FOUND,
    REASON_MATCH_STARTED,
    REASON_NOT_YOUR_SEAT,
    REASON_REQUEST_ID_REUSED,
    REASON_SEAT_TAKEN,
    REASON_SEATS_MISSING,
)
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE, TimeControl
from hamle.lobby.v1 import lobby_pb2 as pb
from hamle.match.v1.match_pb2 import (
    DURABILITY_WRITTEN,
    MATCH_STATUS_ACTIVE,
    MATCH_STATUS_CANCELLED,
    MATCH_STATUS_WAITING,
    Match,
)
from redis.asyncio import Redis

from core.log.keys import log_key, match_id_for, players_key
from core.store.settings import StoreSettings
from tests.services.gateway.lobby.house import Gateway, Guest, fresh, house
from tests.support.refusals import refused


def seats(match: Match) -> list[tuple[str, bool]]:
    return [(seat.name, seat.yours) for seat in match.seats]


async def create(one: Gateway, who: Guest, **wanted: object) -> pb.CreateMatchResponse:
    asked = {"request_id": fresh(), "game": "coerceo"} | wanted
    answer: pb.CreateMatchResponse = await one.lobby.CreateMatch(
        pb.CreateMatchRequest(**asked),  # type: ignore[arg-type]
        metadata=who.metadata,
    )
    return answer


async def join(one: Gateway, who: Guest, match_id: str = "", **wanted: object) -> pb.JoinMatchResponse:
    asked = {"request_id": fresh(), "match_id": match_id} | wanted
    answer: pb.JoinMatchResponse = await one.lobby.JoinMatch(
        pb.JoinMatchRequest(**asked),  # type: ignore[arg-type]
        metadata=who.metadata,
    )
    return answer


async def test_a_match_is_created_joined_and_starts_with_its_last_seat(one: Gateway, ann: Guest, bob: Guest) -> None:
    created = await create(one, ann, options={"start": "ocius"}, time_control=TimeControl(initial_ms=60_000))
    assert created.match.status == MATCH_STATUS_WAITING
    assert created.match.options["start"] == "ocius"
    assert created.match.options["exchange_cost"] == "2"
    assert created.match.time_control.initial_ms == 60_000
    assert created.durability == DURABILITY_WRITTEN
    assert created.invite_code == ""
    assert seats(created.match) == [("Ann", True), ("", False)]
    joined = await join(one, bob, created.match.match_id)
    assert joined.seat == 1
    assert joined.match.status == MATCH_STATUS_ACTIVE
    assert seats(joined.match) == [("Ann", False), ("Bob", True)]
    seen = await one.lobby.GetMatch(pb.GetMatchRequest(match_id=created.match.match_id), metadata=ann.metadata)
    assert seats(seen.match) == [("Ann", True), ("Bob", False)]


async def test_the_creator_takes_the_seat_that_he_asks_for(one: Gateway, ann: Guest) -> None:
    created = await create(one, ann, seat=1)
    assert seats(created.match) == [("", False), ("Ann", True)]


async def test_a_repeated_creation_is_the_same_match_through_any_gateway(store_settings: StoreSettings) -> None:
    async with house(store_settings, gateways=2) as place:
        first, second = place.gateways
        ann = await first.guest("Ann")
        request_id = fresh()
        one = await create(first, ann, request_id=request_id)
        again = await create(second, ann, request_id=request_id)
        assert again.match == one.match
        assert one.match.match_id == match_id_for(ann.account_id, request_id)
        for changed in ({"options": {"start": "ocius"}}, {"game": "cellar"}, {"seat": 1}, {"manual_start": True}):
            refusal = await refused(create(second, ann, request_id=request_id, **changed))
            assert refusal.reason == REASON_REQUEST_ID_REUSED
        bob = await second.guest("Bob")
        other = await create(second, bob, request_id=request_id)
        assert other.match.match_id != one.match.match_id


async def test_a_repeated_join_gives_the_first_answer_also_after_the_start(
    one: Gateway, ann: Guest, bob: Guest
) -> None:
    match_id = (await create(one, ann)).match.match_id
    request_id = fresh()
    first = await join(one, bob, match_id, request_id=request_id)
    assert await join(one, bob, match_id, request_id=request_id) == first
    assert (await join(one, bob, match_id)).seat == 1
    assert (await join(one, ann, match_id)).seat == 0


async def test_a_private_match_is_joined_by_its_code_alone_or_with_the_id(one: Gateway, ann: Guest, bob: Guest) -> None:
    created = await create(one, ann, visibility=VISIBILITY_PRIVATE, game="cellar", seats=3)
    match_id, code = created.match.match_id, created.invite_code
    assert code
    for given in ("", "07ABCDEFGH", "nonsense"):
        refusal = await refused(join(one, bob, match_id, invite_code=given))
        assert refusal.reason == REASON_INVITE_INVALID
    other = (await create(one, ann)).match.match_id
    assert (await refused(join(one, bob, other, invite_code=code))).reason == REASON_INVITE_INVALID
    assert (await join(one, bob, invite_code=code.lower())).match.match_id == match_id
    cem = await one.guest("Cem")
    assert (await join(one, cem, match_id, invite_code=code)).seat == 2
    assert (await join(one, bob, match_id)).seat == 1


async def test_only_who_sits_at_a_private_match_is_told_its_code(one: Gateway, ann: Guest, bob: Guest) -> None:
    created = await create(one, ann, visibility=VISIBILITY_PRIVATE)
    ask = pb.GetMatchRequest(match_id=created.match.match_id)
    assert (await one.lobby.GetMatch(ask, metadata=ann.metadata)).invite_code == created.invite_code
    assert (await one.lobby.GetMatch(ask, metadata=bob.metadata)).invite_code == ""


async def test_a_full_match_and_a_taken_seat_are_refused(one: Gateway, ann: Guest, bob: Guest) -> None:
    three = (await create(one, ann, game="cellar", seats=3, manual_start=True)).match.match_id
    assert (await refused(join(one, bob, three, seat=0))).reason == REASON_SEAT_TAKEN
    assert (await join(one, bob, three, seat=2)).seat == 2
    cem, deniz = await one.guests("Cem", "Deniz")
    assert (await join(one, cem, three)).seat == 1
    assert (await refused(join(one, deniz, three))).reason == REASON_MATCH_FULL
    two = (await create(one, ann)).match.match_id
    await join(one, bob, two)
    assert (await refused(join(one, cem, two))).reason == REASON_MATCH_STARTED


async def test_a_refused_join_leaves_no_trace(one: Gateway, ann: Guest, bob: Guest) -> None:
    private = (await create(one, ann, visibility=VISIBILITY_PRIVATE)).match.match_id
    await refused(join(one, bob, private))
    public = (await create(one, ann)).match.match_id
    await refused(join(one, bob, public, seat=0))
    await refused(join(one, bob, public, seat=2))
    for match_id in (private, public):
        assert await one.players.handle_for(match_id, bob.account_id) is None
    assert await one.players.own_matches(bob.account_id, None, 10) == []


async def test_a_seat_is_given_back_and_taken_by_another(one: Gateway, ann: Guest, bob: Guest) -> None:
    match_id = (await create(one, ann, game="cellar", seats=3)).match.match_id
    await join(one, bob, match_id)
    request = pb.LeaveMatchRequest(request_id=fresh(), match_id=match_id)
    left = await one.lobby.LeaveMatch(request, metadata=bob.metadata)
    assert seats(left.match) == [("Ann", False), ("", False), ("", False)]
    assert await one.lobby.LeaveMatch(request, metadata=bob.metadata) == left
    cem = await one.guest("Cem")
    assert (await join(one, cem, match_id)).seat == 1
    assert (await join(one, bob, match_id)).seat == 2


async def test_a_match_that_everybody_left_is_cancelled(one: Gateway, ann: Guest, bob: Guest) -> None:
    match_id = (await create(one, ann)).match.match_id
    left = await one.lobby.LeaveMatch(
        pb.LeaveMatchRequest(request_id=fresh(), match_id=match_id), metadata=ann.metadata
    )
    assert left.match.status == MATCH_STATUS_CANCELLED
    assert (await refused(join(one, bob, match_id))).reason == REASON_MATCH_FINISHED


async def test_only_the_creator_starts_and_only_with_enough_seats(one: Gateway, ann: Guest, bob: Guest) -> None:
    match_id = (await create(one, ann, game="cellar", seats=4, manual_start=True)).match.match_id

    def start(who: Guest) -> object:
        return one.lobby.StartMatch(pb.StartMatchRequest(request_id=fresh(), match_id=match_id), metadata=who.metadata)

    assert (await refused(start(bob))).reason == REASON_NOT_YOUR_SEAT
    assert (await refused(start(ann))).reason == REASON_SEATS_MISSING
    await join(one, bob, match_id)
    assert (await refused(start(bob))).reason == REASON_NOT_YOUR_SEAT
    started = await start(ann)  # type: ignore[misc]
    assert started.match.status == MATCH_STATUS_ACTIVE
    assert seats(started.match) == [("Ann", True), ("Bob", False)]
    assert (await refused(start(ann))).reason == REASON_MATCH_STARTED


async def test_a_match_that_there_is_not_is_said_to_be_none(one: Gateway, ann: Guest) -> None:
    for match_id in (match_id_for("nothing"), "nonsense", "99" + "a" * 16):
        calls = [
            one.lobby.GetMatch(pb.GetMatchRequest(match_id=match_id), metadata=ann.metadata),
            one.lobby.JoinMatch(pb.JoinMatchRequest(request_id="r", match_id=match_id), metadata=ann.metadata),
            one.lobby.LeaveMatch(pb.LeaveMatchRequest(request_id="r", match_id=match_id), metadata=ann.metadata),
            one.lobby.StartMatch(pb.StartMatchRequest(request_id="r", match_id=match_id), metadata=ann.metadata),
        ]
        for call in calls:
            refusal = await refused(call)
            assert refusal.reason == REASON_MATCH_NOT_FOUND
            assert refusal.metadata["match_id"] == match_id


async def test_players_are_kept_as_long_as_their_match_is(client: Redis, one: Gateway, ann: Guest, bob: Guest) -> None:
    match_id = (await create(one, ann)).match.match_id
    await join(one, bob, match_id)
    assert await client.ttl(players_key(match_id)) == -1
    match_id = (await create(one, ann)).match.match_id
    assert await client.ttl(players_key(match_id)) == -1
    request = pb.LeaveMatchRequest(request_id=fresh(), match_id=match_id)
    left = await one.lobby.LeaveMatch(request, metadata=ann.metadata)
    assert left.match.status == MATCH_STATUS_CANCELLED
    assert await client.ttl(players_key(match_id)) >= await client.ttl(log_key(match_id)) > 0
