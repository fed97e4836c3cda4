from __future__ import annotations

import pytest
from hamle.error.v1.error_pb2 import REASON_FIELD_INVALID, REASON_GAME_UNKNOWN, REASON_PAGE_TOKEN_INVALID
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE
from hamle.lobby.v1 import lobby_pb2 as pb
from hamle.match.v1.match_pb2 import (
    MATCH_STATUS_ACTIVE,
    MATCH_STATUS_CANCELLED,
    MATCH_STATUS_FINISHED,
    MATCH_STATUS_WAITING,
    Match,
)
from redis.asyncio import Redis

from core.log.keys import players_key
from core.store.settings import StoreSettings
from engines.coerceo.game import GAME as COERCEO
from services.gateway.players.index import index_key
from tests.engines.kit.cardgame.game import GAME as CELLAR
from tests.services.gateway.account.gateways import eventually
from tests.services.gateway.lobby.house import Gateway, Guest, House, engine, fresh, gateway, house
from tests.services.gateway.lobby.test_seats import create, join
from tests.support.refusals import refused


async def pages(one: Gateway, who: Guest, **filters: object) -> list[list[Match]]:
    found: list[list[Match]] = []
    token = ""
    while True:
        asked = pb.ListMatchesRequest(page_token=token, **filters)  # type: ignore[arg-type]
        answer = await one.lobby.ListMatches(asked, metadata=who.metadata)
        found.append(list(answer.matches))
        token = answer.next_page_token
        if not token:
            return found


async def ids(one: Gateway, who: Guest, **filters: object) -> list[str]:
    return [match.match_id for page in await pages(one, who, **filters) for match in page]


async def test_games_are_listed_with_their_options_and_sentences(one: Gateway, ann: Guest) -> None:
    games = (await one.lobby.ListGames(pb.ListGamesRequest(), metadata=ann.metadata)).games
    assert [info.game for info in games] == ["cellar", "coerceo"]
    coerceo = games[1]
    assert {option.name: list(option.values) for option in coerceo.options}["start"] == ["laurentius", "ocius"]
    assert {catalogue.language for catalogue in coerceo.catalogues} == {"en", "tr"}


async def test_matches_are_not_kept_in_memory_where_nobody_asks_for_the_list(one: Gateway, ann: Guest) -> None:
    made = [(await create(one, ann)).match.match_id for _ in range(3)]
    assert len(one.listing) == 0
    assert sorted(await ids(one, ann)) == sorted(made)


async def test_public_matches_are_listed_newest_first_page_by_page(one: Gateway, ann: Guest, bob: Guest) -> None:
    made = [(await create(one, ann)).match.match_id for _ in range(7)]
    found = await pages(one, bob, page_size=3)
    assert [len(page) for page in found] == [3, 3, 1]
    listed = [match for page in found for match in page]
    assert [match.match_id for match in listed] == [
        match.match_id for match in sorted(listed, key=lambda match: (-match.created_at_ms, match.match_id))
    ]
    assert sorted(match.match_id for match in listed) == sorted(made)
    assert listed[0].seats[0].name == "Ann"
    assert not listed[0].seats[0].yours
    mine = [match for page in await pages(one, ann) for match in page]
    assert mine[0].seats[0].yours


async def test_filters_let_through_what_fits(one: Gateway, ann: Guest, bob: Guest) -> None:
    waiting = (await create(one, ann)).match.match_id
    cellar = (await create(one, ann, game="cellar")).match.match_id
    active = (await create(one, ann)).match.match_id
    await join(one, bob, active)
    await create(one, ann, visibility=VISIBILITY_PRIVATE)
    assert set(await ids(one, bob)) == {waiting, cellar, active}
    assert set(await ids(one, bob, game="coerceo")) == {waiting, active}
    assert await ids(one, bob, status=MATCH_STATUS_ACTIVE) == [active]
    assert set(await ids(one, bob, status=MATCH_STATUS_WAITING)) == {waiting, cellar}
    assert await ids(one, bob, game="nothing") == []


async def test_what_was_just_done_is_listed_at_once_and_elsewhere_soon(store_settings: StoreSettings) -> None:
    async with house(store_settings, gateways=2) as place:
        one, two = place.gateways
        ann, bob = await one.guest("Ann"), await two.guest("Bob")
        assert await ids(one, ann) == await ids(two, bob) == []
        match_id = (await create(one, ann)).match.match_id
        assert await ids(one, ann) == [match_id]
        while await ids(two, bob) != [match_id]:
            pass
        await one.lobby.LeaveMatch(pb.LeaveMatchRequest(request_id=fresh(), match_id=match_id), metadata=ann.metadata)
        assert await ids(one, ann) == []
        while await ids(two, bob):
            pass


async def test_my_matches_are_those_in_which_i_sit_private_and_cancelled_ones_too(
    one: Gateway, ann: Guest, bob: Guest
) -> None:
    private = (await create(one, ann, visibility=VISIBILITY_PRIVATE)).match.match_id
    active = (await create(one, bob)).match.match_id
    await join(one, ann, active)
    left = (await create(one, bob, game="cellar", seats=3)).match.match_id
    await join(one, ann, left)
    await one.lobby.LeaveMatch(pb.LeaveMatchRequest(request_id=fresh(), match_id=left), metadata=ann.metadata)
    await create(one, bob)
    assert await ids(one, ann, mine=True) == [active, private]
    assert await ids(one, ann, mine=True, status=MATCH_STATUS_WAITING) == [private]
    assert await ids(one, ann, mine=True, status=MATCH_STATUS_FINISHED) == []
    assert await ids(one, ann, mine=True, game="cellar") == []
    assert await ids(one, ann, mine=True, page_size=1) == [active, private]


async def test_my_matches_come_page_by_page_however_many_are_passed_over(one: Gateway, ann: Guest) -> None:
    kept = [(await create(one, ann)).match.match_id for _ in range(3)]
    for _ in range(12):
        await create(one, ann, game="cellar")
    found = await pages(one, ann, mine=True, game="coerceo", page_size=2)
    assert all(len(page) <= 2 for page in found)
    assert sorted(match.match_id for page in found for match in page) == sorted(kept)


async def test_a_match_that_is_no_more_is_left_out_of_mine(
    client: Redis, place: House, one: Gateway, ann: Guest, store_settings: StoreSettings
) -> None:
    gone, there = [(await create(one, ann)).match.match_id for _ in range(2)]
    await client.delete(players_key(gone))
    async with gateway(store_settings, games=2) as another:
        assert await ids(another, ann, mine=True) == [there]
        assert len(await another.players.own_matches(ann.account_id, None, 9)) == 2
        await client.zadd(index_key(ann.account_id), {gone: 1})
        assert await ids(another, ann, mine=True) == [there]
        assert len(await another.players.own_matches(ann.account_id, None, 9)) == 1


async def test_a_match_whose_engine_is_away_is_told_by_its_id(store_settings: StoreSettings) -> None:
    async with engine(store_settings, COERCEO), gateway(store_settings, games=1) as one:
        ann = await one.guest("Ann")
        async with engine(store_settings, CELLAR):
            await eventually(lambda: len(one.directory.games()) == 2)
            away = (await create(one, ann, game="cellar")).match.match_id
            there = (await create(one, ann)).match.match_id
        await eventually(lambda: len(one.directory.games()) == 1)
        found = [match for page in await pages(one, ann, mine=True) for match in page]
        assert [match.match_id for match in found] == [there, away]
        assert found[1] == Match(match_id=away)
        assert await ids(one, ann, mine=True, game="coerceo") == [there]


@pytest.mark.parametrize(
    ("request_", "reason", "field"),
    [
        (pb.ListMatchesRequest(page_size=101), REASON_FIELD_INVALID, "page_size"),
        (pb.ListMatchesRequest(status=MATCH_STATUS_FINISHED), REASON_FIELD_INVALID, "status"),
        (pb.ListMatchesRequest(status=MATCH_STATUS_CANCELLED), REASON_FIELD_INVALID, "status"),
        (pb.ListMatchesRequest(status=99, mine=True), REASON_FIELD_INVALID, "status"),  # type: ignore[arg-type]
        (pb.ListMatchesRequest(page_token="garbage"), REASON_PAGE_TOKEN_INVALID, None),
    ],
)
async def test_a_list_that_cannot_be_is_refused(
    one: Gateway, ann: Guest, request_: pb.ListMatchesRequest, reason: int, field: str | None
) -> None:
    refusal = await refused(one.lobby.ListMatches(request_, metadata=ann.metadata))
    assert refusal.reason == reason
    assert refusal.metadata.get("field") == field


async def test_a_page_token_of_another_list_or_another_account_is_refused(one: Gateway, ann: Guest, bob: Guest) -> None:
    for _ in range(3):
        await create(one, ann)
    ask = one.lobby.ListMatches
    public = (await ask(pb.ListMatchesRequest(page_size=1), metadata=ann.metadata)).next_page_token
    mine = (await ask(pb.ListMatchesRequest(page_size=1, mine=True), metadata=ann.metadata)).next_page_token
    assert public
    assert mine
    await ask(pb.ListMatchesRequest(page_token=public), metadata=bob.metadata)
    for who, request in (
        (ann, pb.ListMatchesRequest(page_token=public, game="coerceo")),
        (ann, pb.ListMatchesRequest(page_token=public, mine=True)),
        (ann, pb.ListMatchesRequest(page_token=mine)),
        (bob, pb.ListMatchesRequest(page_token=mine, mine=True)),
    ):
        assert (await refused(ask(request, metadata=who.metadata))).reason == REASON_PAGE_TOKEN_INVALID


async def test_an_unknown_game_is_refused_with_the_games_there_are(one: Gateway, ann: Guest) -> None:
    refusal = await refused(create(one, ann, game="chess"))
    assert refusal.reason == REASON_GAME_UNKNOWN
    assert refusal.metadata == {"game": "chess", "games": "cellar, coerceo"}
