"""A deck of one's own on a whole installation: added while it runs, played with, exported, verified without it."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hamle_client import Client, HamleError, Match, View

from clients.bots.random_bot import random_bot
from clients.bots.runner import Bot, Choices, play
from deploy.local.fleet import Fleet, Plan
from tests.cli.e2e.terminal import Terminal
from tests.cli.test_deck import own_deck

pytestmark = pytest.mark.timeout(280)

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with Fleet(Plan(tmp_path_factory.mktemp("fleet"), games=("itchyfeet",), engines=2)) as running:
        yield running


@pytest.fixture
def operator(fleet: Fleet, tmp_path: Path) -> Terminal:
    return Terminal(
        {
            "HAMLE_SERVER": fleet.addresses[0],
            "HAMLE_STORE_URL": fleet.store_url,
            "HAMLE_CONFIG_DIR": str(tmp_path / "config"),
        }
    )


@pytest.fixture
def anybody(tmp_path: Path) -> Terminal:
    """Somebody who knows neither the server nor the store, nor the deck."""
    return Terminal({"HAMLE_CONFIG_DIR": str(tmp_path / "other"), "HAMLE_STORE_URL": "redis://127.0.0.1:1/0"})


def decks(operator: Terminal) -> list[str]:
    """What ListGames says, the default first."""
    (game,) = operator.json("games")["games"]
    (option,) = (option for option in game["options"] if option["name"] == "deck")
    assert option["default"] == option["values"][0]
    return list(option["values"])


def offered(operator: Terminal, *names: str) -> list[str]:
    """Waits until the decks with these names, and no others, are offered."""
    deadline = time.monotonic() + PATIENCE_S
    while (found := [value.rpartition("-")[0] for value in decks(operator)]) != list(names):
        assert time.monotonic() < deadline, found
    return decks(operator)


def tiring(seat: int) -> Bot:
    """A bot that moves at random, and leaves after twenty moves."""
    bot, left = random_bot(random.Random(seat)), iter(range(20))

    async def tired(view: View, choices: Choices) -> str:
        return "" if next(left, None) is None else await bot(view, choices)

    return tired


async def play_out(*seats: Match) -> None:
    outcomes = await asyncio.gather(*(play(match, tiring(seat)) for seat, match in enumerate(seats)))
    assert all(outcome is not None for outcome in outcomes)


async def play_match(address: str, deck: str) -> str:
    async with Client(address, patience=PATIENCE_S) as one, Client(address, patience=PATIENCE_S) as two:
        made = await one.create("itchyfeet", {"deck": deck, "characters": "on"}, private=True)
        await play_out(made, await two.join(made.id, invite_code=made.invite_code))
        return made.id


def header(path: Path) -> dict[str, Any]:
    first: dict[str, Any] = json.loads(path.read_text().splitlines()[0])
    return first


async def test_a_deck_is_added_played_with_and_verified_without_it(
    fleet: Fleet, operator: Terminal, anybody: Terminal, tmp_path: Path
) -> None:
    log = tmp_path / "match.jsonl"
    assert len(decks(operator)) == 1
    added = operator.json("deck", "add", str(own_deck(tmp_path)))
    assert added["added"]
    assert offered(operator, "house", "mine")[1] == added["value"]
    match_id = await play_match(fleet.addresses[0], added["value"])
    played = operator.json("selfplay", "itchyfeet", "-n", "1", "--option", "deck=mine")
    assert (played["matches"], played["errors"]) == (1, 0)

    operator.json("export", match_id, "--output", str(log))
    (material,) = header(log)["materials"]
    assert (material["option"], material["value"]) == ("deck", added["value"])
    for arguments in (["verify", str(log)], ["replay", str(log), "--at", "6"]):
        result = anybody.run(*arguments)
        assert result.returncode == 0, result.stderr
    lines = log.read_text().replace(material["bytes"], material["bytes"][:-8] + "AAAAAAA=")
    log.write_text(lines)
    refused = anybody.run("verify", str(log))
    assert refused.returncode == 1
    assert "so the file was altered" in refused.stderr


async def test_replicas_that_start_after_everything_was_restarted_know_the_deck(
    fleet: Fleet, operator: Terminal, anybody: Terminal, tmp_path: Path
) -> None:
    value = operator.json("deck", "add", str(own_deck(tmp_path, "second")))["value"]
    offered(operator, *[name.rpartition("-")[0] for name in decks(operator) if name != value], "second")
    async with Client(fleet.addresses[0], patience=PATIENCE_S) as ann, Client(fleet.addresses[0]) as bob:
        made = await ann.create("itchyfeet", {"deck": value}, private=True)
        seated = await bob.join(made.id, invite_code=made.invite_code)
        for engine in fleet.engines:
            engine.signal(signal.SIGKILL)
            engine.wait(10)
        assert fleet.store is not None
        fleet.store.kill()
        fleet.store.start()
        operator.json("deck", "remove", "second")
        for engine in fleet.engines:
            engine.start()
        fleet.wait_healthy()
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                await made.refresh()
                break
            except HamleError:
                assert time.monotonic() < deadline
        await play_out(made, seated)
    log = tmp_path / "match.jsonl"
    operator.json("export", made.id, "--output", str(log))
    assert header(log)["materials"][0]["value"] == value
    assert anybody.run("verify", str(log)).returncode == 0


def test_what_is_not_offered_is_refused_with_what_to_do(operator: Terminal, tmp_path: Path) -> None:
    for deck in ("nobodys", f"nobodys-{'0' * 64}"):
        refused = operator.run("play", "itchyfeet", "--bot", "random", "-o", f"deck={deck}")
        assert refused.returncode == 2
        assert "OPTION_INVALID" in refused.stderr
        assert "`hamle deck add FILE` adds another" in refused.stderr


def test_decks_are_listed_and_taken_away_by_name(operator: Terminal, tmp_path: Path) -> None:
    path = own_deck(tmp_path, "third")
    value = operator.json("deck", "add", str(path))["value"]
    assert not operator.json("deck", "add", str(path))["added"]
    listed = [each["value"] for each in operator.json("deck", "list")["decks"]]
    assert value in listed
    other = operator.json("deck", "add", str(own_deck(tmp_path, "third", note="newer")))["value"]
    unclear = operator.run("deck", "remove", "third")
    assert unclear.returncode == 2
    assert f"{value}, {other}" in unclear.stderr
    assert operator.json("deck", "remove", value)["value"] == value
    assert operator.json("deck", "remove", "third")["value"] == other
    gone = operator.run("deck", "remove", "third")
    assert gone.returncode == 2
    assert "No deck third was added" in gone.stderr


def test_operators_commands_say_when_there_is_no_store(anybody: Terminal, tmp_path: Path) -> None:
    for arguments in (["add", str(own_deck(tmp_path))], ["list"], ["remove", "mine"]):
        result = anybody.run("deck", *arguments)
        assert result.returncode == 2
        assert "STORE_DOWN" in result.stderr
