from __future__ import annotations

import random

from google.protobuf.message import Message
from hamle.coerceo.v1 import coerceo_pb2
from hamle.match.v1.match_pb2 import Choice
from hamle.match.v1.match_pb2 import View as ViewProto
from hamle_client import View

from clients.bots.random_bot import random_bot

MOVES = {"": ["a-", "b"], "a-": ["a-1", "a-2"], "b": ["b+1"], "b+1": []}
COMPLETE = {"a-1", "a-2", "b", "b+1"}


async def choices(prefix: str) -> list[Choice]:
    return [Choice(text=text, complete=text in COMPLETE) for text in MOVES.get(prefix, [])]


def anything() -> View:
    game: Message = coerceo_pb2.View()
    return View(ViewProto(), game)


async def test_every_complete_move_is_made_sooner_or_later_and_no_other() -> None:
    bot = random_bot(random.Random(1))
    assert {await bot(anything(), choices) for _ in range(200)} == COMPLETE


async def test_same_seed_same_moves() -> None:
    first, second = random_bot(random.Random(7)), random_bot(random.Random(7))
    assert [await first(anything(), choices) for _ in range(20)] == [
        await second(anything(), choices) for _ in range(20)
    ]
