from __future__ import annotations

import asyncio
import base64
import subprocess
import sys
import time
from pathlib import Path

from redis.asyncio import Redis

from services.gateway.account.follower import AccountFollower, open_accounts
from services.gateway.account.keys import KEYS_KEY, LONGEST_LIFE_MS, SIGNS_AFTER_MS, KeyRing, ring_of, rotate_keys
from tests.support.servers import StoreUnderTest

ROOT = Path(__file__).parents[4]
DAY_MS = 86_400_000


def stored(*created_ms: int) -> dict[int, bytes]:
    private = base64.b64encode(bytes(32)).decode()
    return {n: f"{at} {n}-kid {private}".encode() for n, at in enumerate(created_ms, 1)}


def kids(ring: KeyRing) -> list[str]:
    return [key.kid for key in ring.keys]


def test_a_new_key_signs_only_when_every_gateway_has_seen_it() -> None:
    ring = ring_of(stored(0, DAY_MS), DAY_MS)
    assert kids(ring) == ["1-kid", "2-kid"]
    assert ring.signing(DAY_MS + SIGNS_AFTER_MS - 1).kid == "1-kid"
    assert ring.signing(DAY_MS + SIGNS_AFTER_MS).kid == "2-kid"


def test_the_only_key_signs_at_once() -> None:
    assert ring_of(stored(DAY_MS), DAY_MS).signing(DAY_MS).kid == "1-kid"


def test_a_key_verifies_until_the_last_token_that_it_can_have_signed_is_over() -> None:
    last_signature_ms = DAY_MS + SIGNS_AFTER_MS
    assert kids(ring_of(stored(0, DAY_MS), last_signature_ms + LONGEST_LIFE_MS)) == ["1-kid", "2-kid"]
    assert kids(ring_of(stored(0, DAY_MS), last_signature_ms + LONGEST_LIFE_MS + DAY_MS)) == ["2-kid"]


def test_the_ring_hands_on_parsed_keys_and_notices_another_key_under_the_same_number() -> None:
    ring = ring_of(stored(0, DAY_MS), DAY_MS)
    again = ring_of(stored(0, DAY_MS), DAY_MS, ring)
    assert again.keys == ring.keys
    other = {1: b"5 1-other " + base64.b64encode(bytes(32))}
    assert kids(ring_of(other, DAY_MS, ring)) == ["1-other"]


def test_a_key_shows_nothing_but_its_name() -> None:
    ring = ring_of({1: b"5 1-kid " + base64.b64encode(b"secret secret secret secret secr")}, 5)
    assert repr(ring.keys[0]) == "SigningKey(1-kid)"


def test_secrets_for_other_purposes_come_from_all_keys_newest_first() -> None:
    ring = ring_of(stored(0, DAY_MS), DAY_MS)
    assert ring.derived("a") == [ring.keys[1].derived("a"), ring.keys[0].derived("a")]
    assert ring.keys[0].derived("a") != ring.keys[0].derived("b")


async def test_processes_that_start_at_the_same_moment_agree_on_one_key(valkey: StoreUnderTest, client: Redis) -> None:
    command = [sys.executable, "-m", "tests.services.gateway.account.make_key", valkey.url]
    processes = [
        await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(5)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"ready\n"
        at = f"{time.time() + 0.2}\n".encode()
        answers = await asyncio.gather(*(process.communicate(at) for process in processes))
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.wait()
    found = {answer.decode() for answer, _ in answers}
    assert len(found) == 1
    kid, signing = found.pop().split()
    assert kid == signing
    assert await client.hlen(KEYS_KEY) == 1


async def test_clients_that_create_at_the_same_moment_agree_on_one_key(client: Redis) -> None:
    followers = [AccountFollower(await open_accounts(client)) for _ in range(5)]
    await asyncio.gather(*(follower.start() for follower in followers))
    assert len({follower.signing_key().kid for follower in followers}) == 1
    assert await client.hlen(KEYS_KEY) == 1


async def test_rotating_twice_at_the_same_moment_adds_one_key(client: Redis) -> None:
    store = await open_accounts(client)
    await AccountFollower(store).start()
    rotated = await asyncio.gather(rotate_keys(store), rotate_keys(store))
    assert len(set(rotated)) == len(await client.hkeys(KEYS_KEY)) - 1


async def test_rotation_removes_keys_that_are_over(client: Redis) -> None:
    store = await open_accounts(client)
    follower = AccountFollower(store)
    await follower.start()
    await rotate_keys(store)
    for number, data in (await store.do("HGETALL", KEYS_KEY)).items():
        created, rest = data.decode().split(" ", 1)
        await store.do("HSET", KEYS_KEY, number, f"{int(created) - LONGEST_LIFE_MS - 2 * DAY_MS} {rest}")
    kid = await rotate_keys(store)
    assert sorted(await client.hkeys(KEYS_KEY)) == [b"2", b"3"]
    assert kid.startswith("3-")
