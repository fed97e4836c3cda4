from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from core.log.keys import match_id_for
from services.gateway.players.invites import HOLDS_S, invite_key, is_code, new_code, tidy
from services.gateway.players.players import open_players

MATCH = match_id_for("test", "invites")


async def test_a_code_leads_to_its_match_however_it_is_typed(client: Redis) -> None:
    players = await open_players(client)
    await players.bind(MATCH, "coerceo", "ann", "Ann")
    code = await players.invite_code(MATCH)
    assert code.startswith(MATCH[:2])
    assert await players.invite_code(MATCH) == code
    typed = f" {code[:4].lower()}-{code[4:]} "
    for text in (code, typed):
        assert await players.invited_to(text) == MATCH
    assert 0 < await client.ttl(invite_key(code)) <= HOLDS_S


async def test_gateways_that_make_a_code_at_the_same_moment_agree(client: Redis) -> None:
    gateways = [await open_players(client) for _ in range(6)]
    codes = await asyncio.gather(*(gateway.invite_code(MATCH) for gateway in gateways))
    assert len(set(codes)) == 1
    assert len([key async for key in client.scan_iter("*invite*")]) == 1


async def test_asking_again_repairs_a_code_that_leads_nowhere(client: Redis) -> None:
    players = await open_players(client)
    code = await players.invite_code(MATCH)
    await client.delete(invite_key(code))
    assert await players.invited_to(code) is None
    assert await players.invite_code(MATCH) == code
    assert await players.invited_to(code) == MATCH


@given(st.integers(0, 63))
def test_new_codes_have_the_form_of_codes(shard: int) -> None:
    code = new_code(shard)
    assert is_code(code)
    assert tidy(code.lower()) == code
    assert invite_key(code).startswith(f"{{s{shard:02d}}}:")


@given(st.text(max_size=30))
def test_what_has_not_the_form_of_a_code_is_never_a_key(text: str) -> None:
    if not is_code(tidy(text)):
        with pytest.raises(ValueError, match="not an invite code"):
            invite_key(tidy(text))


@pytest.mark.parametrize(
    "text", ["", "64ABCDEFGH", "0OABCDEFGH", "07ABCDEFG", "07ABCDEFGHJ", "²3ABCDEFGH", "07ABCDEFG0"]
)
async def test_wrong_codes_lead_nowhere(client: Redis, text: str) -> None:
    assert await (await open_players(client)).invited_to(text) is None
