"""Bots by name; who hosts and shows games knows none of them by name."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from clients.bots.named import BOTS, bots_for
from engines.registry import names

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_made_and_plays_a_game_that_there_is(name: str) -> None:
    assert callable(BOTS[name].make(random.Random(1)))
    assert BOTS[name].game in ("", *names())


def test_the_random_bot_plays_every_game_and_the_others_their_own() -> None:
    assert bots_for("coerceo") == ["random"]
    assert bots_for("battleline") == ["random", "captain", "strengthener"]
    assert bots_for() == list(BOTS)


@pytest.mark.parametrize("room", ["core", "services", "engines/kit", "cli", "clients/python"])
def test_no_line_of_what_hosts_and_shows_games_is_about_battle_line(room: str) -> None:
    files = list((ROOT / room).rglob("*.py"))
    assert files
    told = [str(file) for file in files if "battleline" in file.read_text(encoding="utf-8").lower()]
    assert told == []
