from __future__ import annotations

import asyncio
import secrets
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from services.gateway.pairing.queue import EXPIRY, PAIRINGS, TICKETS, WAITING, Pairing, Queue, Seen, ticket_for
from services.gateway.pairing.terms import Terms

TERMS = Terms("coerceo", {"start": "ocius"}, None)
OTHER = Terms("coerceo", {"start": "laurentius"}, None)


@pytest.fixture
async def queue(client: Redis) -> Queue:
    return await Queue.open(client)


async def ask(queue: Queue, account: str, terms: Terms = TERMS, number: int = 0) -> tuple[str, str]:
    ticket = ticket_for(account, str(number))
    return ticket, await queue.request(ticket, account, account.title(), terms, secrets.token_hex(16))


async def let_pass(client: Redis) -> None:
    """Time passes until all that is kept now is over."""
    members: Any = await client.zrange(EXPIRY, 0, -1)
    await client.zadd(EXPIRY, dict.fromkeys(members, 1))


async def pairing(queue: Queue, ticket: str) -> Pairing | None:
    seen = (await queue.look([ticket]))[0]
    assert seen is not None
    return seen.pairing


async def test_two_who_ask_for_the_same_meet_and_each_sees_the_same_pairing(queue: Queue) -> None:
    ann, state = await ask(queue, "ann")
    assert state == "waiting"
    assert await pairing(queue, ann) is None
    bob, state = await ask(queue, "bob")
    assert state == "paired"
    seen = await queue.look([ann, bob, "tnothing"])
    assert seen[2] is None
    assert seen[0] == Seen("ann", await pairing(queue, bob))
    met = await pairing(queue, ann)
    assert met is not None
    assert met.accounts == ("ann", "bob")
    assert met.names == ("Ann", "Bob")
    assert met.terms == TERMS
    assert not met.made
    assert sorted(met.seats()) == [0, 1]


async def test_first_come_first_served(queue: Queue) -> None:
    first = [await ask(queue, "ann", number=number) for number in range(3)]
    bob, _ = await ask(queue, "bob")
    met = await pairing(queue, bob)
    assert met is not None
    assert [await pairing(queue, ticket) == met for ticket, _ in first] == [True, False, False]
    cem, _ = await ask(queue, "cem")
    assert await pairing(queue, cem) == await pairing(queue, first[1][0])


async def test_nobody_meets_himself_or_who_asks_for_something_else(queue: Queue) -> None:
    assert (await ask(queue, "ann"))[1] == "waiting"
    assert (await ask(queue, "ann", number=1))[1] == "waiting"
    assert (await ask(queue, "bob", OTHER))[1] == "waiting"
    clocked = TERMS._replace(clock=(60_000, 0))
    assert (await ask(queue, "bob", clocked, 1))[1] == "waiting"


async def test_a_repeated_request_is_the_same_ticket_and_another_payload_is_refused(queue: Queue) -> None:
    ann, _ = await ask(queue, "ann")
    assert await ask(queue, "ann") == (ann, "waiting")
    assert (await ask(queue, "ann", OTHER))[1] == "reused"
    await ask(queue, "bob")
    assert await ask(queue, "ann") == (ann, "paired")
    assert (await ask(queue, "cem"))[1] == "waiting"


async def test_a_cancelled_ticket_is_out_and_one_that_is_paired_stays(queue: Queue) -> None:
    ann, _ = await ask(queue, "ann")
    assert await queue.cancel(ann, "bob") == "gone"
    assert await queue.cancel(ann, "ann") == "cancelled"
    assert await queue.cancel(ann, "ann") == "cancelled"
    assert await queue.look([ann]) == [None]
    assert await ask(queue, "ann") == (ann, "cancelled")
    bob, state = await ask(queue, "bob")
    assert state == "waiting"
    await ask(queue, "cem")
    assert await queue.cancel(bob, "bob") == "paired"
    assert await pairing(queue, bob) is not None
    assert await queue.cancel("tnothing", "ann") == "gone"


async def test_a_ticket_that_nobody_waits_for_leaves_the_queue(client: Redis, queue: Queue) -> None:
    ann, _ = await ask(queue, "ann")
    await let_pass(client)
    assert await queue.look([ann]) == [None]
    assert await queue.cancel(ann, "ann") == "gone"
    bob, state = await ask(queue, "bob")
    assert state == "waiting"
    assert await ask(queue, "ann") == (ann, "paired")
    assert await pairing(queue, bob) is not None


async def test_a_ticket_that_is_over_does_not_wait_for_something_else_and_in_its_old_queue_too(
    client: Redis, queue: Queue
) -> None:
    ann, _ = await ask(queue, "ann")
    await let_pass(client)
    assert (await ask(queue, "ann", OTHER))[1] == "reused"
    assert (await ask(queue, "bob"))[1] == "waiting"
    assert (await ask(queue, "cem", OTHER))[1] == "waiting"
    assert await queue.look([ann]) == [None]


async def test_a_ticket_that_is_looked_at_stays_as_long_again(client: Redis, queue: Queue) -> None:
    ann, _ = await ask(queue, "ann")
    ends_ms = await client.zscore(EXPIRY, f"t:{ann}")
    assert ends_ms is not None
    await client.zadd(EXPIRY, {f"t:{ann}": ends_ms - 10_000})
    assert await queue.look([ann]) == [Seen("ann", None)]
    looked_ms = await client.zscore(EXPIRY, f"t:{ann}")
    assert looked_ms is not None
    assert looked_ms >= ends_ms
    assert (await ask(queue, "bob"))[1] == "paired"


async def test_an_account_has_so_many_tickets_in_a_queue_and_no_more(queue: Queue) -> None:
    states = [(await ask(queue, "ann", number=number))[1] for number in range(18)]
    assert states == ["waiting"] * 16 + ["crowded"] * 2
    assert (await ask(queue, "ann", OTHER, 20))[1] == "waiting"
    assert (await ask(queue, "bob"))[1] == "paired"
    assert (await ask(queue, "ann", number=17))[1] == "waiting"


async def test_what_is_over_is_swept_and_nothing_is_left(client: Redis) -> None:
    queue = await Queue.open(client)
    await ask(queue, "ann")
    await ask(queue, "bob")
    await ask(queue, "cem", OTHER)
    dot, _ = await ask(queue, "dot", OTHER._replace(game="x"))
    await queue.cancel(dot, "dot")
    assert await queue.sweep(100) == 0
    await let_pass(client)
    assert await queue.sweep(2) == 2
    assert await queue.sweep(100) == 3
    for key in (TICKETS, WAITING, PAIRINGS, EXPIRY):
        assert not await client.exists(key)


async def test_a_made_pairing_is_known_as_made(queue: Queue) -> None:
    await ask(queue, "ann")
    bob, _ = await ask(queue, "bob")
    met = await pairing(queue, bob)
    assert met is not None
    await queue.made(met.id)
    assert await pairing(queue, bob) == met._replace(made=True)
    await queue.made("nothing")


async def test_many_who_ask_at_the_same_moment_through_many_gateways_are_all_paired_once(client: Redis) -> None:
    gateways = [await Queue.open(client) for _ in range(5)]
    accounts = [f"a{number}" for number in range(60)]
    tickets = [
        ticket
        for ticket, _ in await asyncio.gather(
            *(ask(gateways[number % 5], account) for number, account in enumerate(accounts))
        )
    ]
    seen = await gateways[0].look(tickets)
    met = {each.pairing.id: each.pairing for each in seen if each is not None and each.pairing is not None}
    assert len(met) == 30
    assert sorted(account for pairing in met.values() for account in pairing.accounts) == sorted(accounts)
    assert all(pairing.accounts[0] != pairing.accounts[1] for pairing in met.values())


async def test_the_news_tell_of_who_waited_and_was_paired_or_cancelled(queue: Queue) -> None:
    start = await queue.last_news()
    assert await queue.news(start, 10) == ([], start)
    ann, _ = await ask(queue, "ann")
    await ask(queue, "bob")
    cem, _ = await ask(queue, "cem")
    await queue.cancel(cem, "cem")
    tickets, cursor = await queue.news(start, 10)
    assert tickets == [ann, cem]
    assert cursor == await queue.last_news()
    assert await queue.news(cursor, 10) == ([], cursor)


@given(
    st.text(max_size=20),
    st.dictionaries(st.text(max_size=10), st.text(max_size=10), max_size=5),
    st.none() | st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)),
)
def test_equal_terms_have_one_queue(game: str, options: dict[str, str], clock: tuple[int, int] | None) -> None:
    terms = Terms(game, options, clock)
    turned = Terms(game, dict(reversed(list(options.items()))), clock)
    assert terms.queue() == turned.queue()
    assert Terms.decoded(terms.encoded()) == terms
    assert Terms(game, {**options, "one more": "x"}, clock).queue() != terms.queue()


def test_the_coin_is_fair() -> None:
    firsts = [Pairing(str(number), TERMS, ("a", "b"), ("A", "B"), False).seats()[0] for number in range(2000)]
    assert 900 < sum(firsts) < 1100
