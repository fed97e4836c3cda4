"""Itchy Feet on a whole installation: two and six seats, all asked at once, windows that time closes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

import pytest
from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb
from hamle_client import Client, IllegalMove, Match, NotYourTurn, Step, View

from clients.bots.random_bot import random_bot
from clients.bots.runner import Bot, Choices, play
from core.log.types import Record
from engines.kit.verify import Exported, verify_log
from engines.registry import games_by_rules
from tests.engines.itchyfeet.table import ALL_ON

pytestmark = pytest.mark.timeout(280)


async def seated(people: Sequence[Client], options: dict[str, str]) -> list[Match]:
    """A match that has begun, as each of its seats has it, seat 0 first."""
    made = await people[0].create("itchyfeet", options, seats=len(people), private=True)
    others = [await client.join(made.id, invite_code=made.invite_code) for client in people[1:]]
    matches = [made, *others]
    await asyncio.gather(*(match.refresh() for match in matches))
    assert [match.seat for match in matches] == list(range(len(people)))
    return matches


def tiring(bot: Bot, moves: int) -> Bot:
    """The bot; after so many moves it leaves the match."""
    left = iter(range(moves))

    async def tired(view: View, choices: Choices) -> str:
        assert view.seat in view.awaited
        return "" if next(left, None) is None else await bot(view, choices)

    return tired


async def all_steps(match: Match) -> list[Step]:
    return [step async for step in match.watch()]


def read(view: View) -> pb.View:
    assert isinstance(view.game, pb.View)
    return view.game


@pytest.mark.parametrize("seats", [2, 6])
async def test_seats_play_and_leave_until_one_is_left_and_the_log_verifies(people: list[Client], seats: int) -> None:
    matches = await seated(people[:seats], ALL_ON)
    watching = [asyncio.create_task(all_steps(match)) for match in matches]
    bots = [tiring(random_bot(random.Random(seat)), 4 + 2 * seat) for seat in range(seats)]
    outcomes = await asyncio.gather(*(play(match, bot) for match, bot in zip(matches, bots, strict=True)))
    histories = await asyncio.gather(*watching)
    assert outcomes[0] is not None
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert sorted(place.seat for place in outcomes[0].placements) == list(range(seats))
    records = [record async for record in matches[0].replay.export()]
    for steps in histories:
        assert [step.cursor.hash for step in steps if step.event is not None] == [record.hash for record in records]
    exported = [Exported(Record(r.seq, r.event, r.hash), r.canonical) for r in records]
    report = verify_log(exported, games_by_rules())
    assert report.ok, report.failure


async def first_move(match: Match) -> str:
    """A legal move, the first that the choices lead to."""
    move = ""
    while True:
        choice = (await match.choices(move))[0]
        move = choice.text
        if choice.complete:
            return move


async def until_group_tour(matches: list[Match]) -> View:
    """All draw and discard until that event asks every seat: it is in the pile, and comes before the pile ends."""
    while True:
        view = await matches[0].view()
        if read(view).agenda[-1].kind == pb.KIND_TOUR and len(view.awaited) == len(matches):
            return view
        seat = min(view.awaited)
        await matches[seat].view()
        await matches[seat].submit(await first_move(matches[seat]))


async def test_six_seats_that_answer_at_once_are_all_accepted(people: list[Client]) -> None:
    matches = await seated(people, {"events": "on"})
    asked = await until_group_tour(matches)
    for match in matches:
        assert (await match.view()).cursor == asked.cursor
    moves = [await first_move(match) for match in matches]
    done = await asyncio.gather(
        *(match.submit(move, expected=asked.cursor) for match, move in zip(matches, moves, strict=True))
    )
    seqs = sorted(each.cursor.seq for each in done)
    assert seqs == list(range(asked.seq + 1, asked.seq + 7))
    after = await matches[0].view()
    assert after.seq == seqs[-1]
    assert not read(after).answers


async def test_who_is_not_asked_is_told_so_and_a_seat_reads_its_own_hand_only(people: list[Client]) -> None:
    matches = await seated(people[:3], {"special_items": "on"})
    views = [await match.view() for match in matches]
    assert [view.seat for view in views] == [0, 1, 2]
    for seat, view in enumerate(views):
        assert [bool(place.hand) for place in read(view).places] == [other == seat for other in range(3)]
        assert view.may_act == {0, 1, 2}
    (active,) = views[0].awaited
    out_of_turn = (active + 1) % 3
    with pytest.raises(IllegalMove):
        await matches[out_of_turn].submit("draw")
    base = await seated(people[:3], {})
    views = [await match.view() for match in base]
    (active,) = views[0].awaited
    with pytest.raises(NotYourTurn):
        await base[(active + 1) % 3].submit("draw")


async def test_the_timekeeper_closes_a_window_whose_time_is_up(people: list[Client]) -> None:
    matches = await seated(people[:2], {"special_items": "on", "reaction_ms": "15000"})
    view = await matches[0].view()
    (active,) = view.awaited
    thief = matches[active]
    await thief.view()
    move = f"steal:{1 - active}:"
    await thief.submit((await thief.choices(move))[0].text)
    asked = await thief.view()
    assert read(asked).agenda[-1].kind == pb.KIND_WINDOW
    assert asked.awaited == {1 - active}
    steps = thief.watch(asked.cursor)
    try:
        async for step in steps:
            if step.kind == "deadline_passed":
                break
    finally:
        await steps.aclose()
    assert step.event is not None
    assert step.view is not None
    assert read(step.view).agenda[-1].kind != pb.KIND_WINDOW
    assert step.view.awaited == {1 - active}
