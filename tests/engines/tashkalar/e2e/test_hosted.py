"""Tash-Kalar on a whole installation: duels, teams and a melee to the end, summons that are taken back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

import pytest
from hamle.tashkalar.v1 import tashkalar_pb2 as pb
from hamle_client import Client, HamleError, Match, View

from clients.bots.random_bot import random_bot
from clients.bots.runner import play
from core.log.types import Record
from engines.kit.verify import Exported, verify_log
from engines.registry import games_by_rules

pytestmark = pytest.mark.timeout(280)


async def seated(people: Sequence[Client], options: dict[str, str]) -> list[Match]:
    """A match that has begun, as each of its seats has it, seat 0 first."""
    made = await people[0].create("tashkalar", options, seats=len(people), private=True)
    others = [await client.join(made.id, invite_code=made.invite_code) for client in people[1:]]
    matches = [made, *others]
    await asyncio.gather(*(match.refresh() for match in matches))
    return matches


def shown(view: View) -> pb.View:
    assert isinstance(view.game, pb.View)
    return view.game


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"form": "duel", "deck_0": "everfrost", "deck_1": "nethervoid"}),
        (4, {"deck_1": "etherweave"}),
        (3, {"form": "melee"}),
    ],
)
async def test_matches_are_played_to_the_end_and_their_logs_verify(
    people: list[Client], seats: int, options: dict[str, str]
) -> None:
    matches = await seated(people[:seats], options)
    outcomes = await asyncio.gather(*(play(match, random_bot(random.Random(match.seat or 0))) for match in matches))
    assert all(outcome is not None and outcome.reason in ("points", "deck") for outcome in outcomes)
    records = [record async for record in matches[0].replay.export()]
    exported = [Exported(Record(r.seq, r.event, r.hash), r.canonical) for r in records]
    report = verify_log(exported, games_by_rules())
    assert report.ok, report.failure


async def begun(match: Match, prefix: str) -> str:
    """The first move that goes on from the prefix; the prefix itself where nothing does."""
    move = prefix
    while choices := await match.choices(move):
        move = choices[0].text
        if choices[0].complete:
            return move
    return prefix


async def until_summon(matches: list[Match]) -> tuple[Match, str]:
    """Commons are placed until a seat can summon; that seat, and a summon."""
    while True:
        (seat,) = (await matches[0].view()).awaited
        match = matches[seat]
        await match.view()
        firsts = [choice.text for choice in await match.choices()]
        summons = [text for text in firsts if text.startswith("S:")]
        if summons:
            return match, await begun(match, summons[0])
        await match.submit(await begun(match, "P:" if "P:" in firsts else "end"))


async def test_a_summon_is_taken_back_until_the_turn_ends(people: list[Client]) -> None:
    matches = await seated(people[:2], {})
    match, summon = await until_summon(matches)
    (other,) = (each for each in matches if each is not match)
    before, seen = shown(await match.view()), shown(await other.view())
    await match.submit(summon)
    assert shown(await other.view()).players[match.seat or 0].discards
    await match.undo()
    assert shown(await match.view()) == before
    assert shown(await other.view()) == seen
    await match.submit(summon)
    while (await match.view()).awaited == {match.seat}:
        firsts = [choice.text for choice in await match.choices()]
        await match.submit(await begun(match, "P:" if "P:" in firsts else "end"))
    with pytest.raises(HamleError) as refused:
        await match.undo()
    assert refused.value.reason == "NOTHING_TO_UNDO"


async def test_nobody_resigns_a_melee(people: list[Client]) -> None:
    one, *_ = await seated(people[:3], {"form": "melee"})
    await one.view()
    with pytest.raises(HamleError) as refused:
        await one.resign()
    assert refused.value.reason == "RESIGN_FORBIDDEN"
