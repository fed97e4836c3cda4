"""`hamle deck check`: every error is told with its place, whatever the file is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.materials.naming import MOST_BYTES
from engines.itchyfeet.deck import HOUSE_FILE
from tests.cli.hamle import hamle


def own_deck(folder: Path, name: str = "mine", **changes: Any) -> Path:
    """A deck file like the house deck, but for its name and what is given."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(json.loads(HOUSE_FILE.read_bytes()) | {"name": name} | changes))
    return path


async def test_a_sound_deck_is_named(tmp_path: Path) -> None:
    result = await hamle("deck", "check", str(own_deck(tmp_path)))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "mine.json: Itchy Feet can be played with mine-" in result.stdout
    told = json.loads((await hamle("deck", "check", str(own_deck(tmp_path)), "--json")).stdout)
    assert (told["ok"], told["game"], told["option"], told["problems"]) == (True, "itchyfeet", "deck", [])
    assert told["value"] in result.stdout


async def test_all_errors_are_told_with_their_places(tmp_path: Path) -> None:
    path = own_deck(tmp_path, format="x", events=[], passports=None)
    result = await hamle("deck", "check", str(path))
    assert result.exit_code == 1
    for text in ("format: is 'x'; expected 'itchyfeet-deck/1'", "passports: is missing", "counts.events.value: is 4"):
        assert f"{path}: {text}" in result.stdout
    told = json.loads((await hamle("deck", "check", str(path), "--json")).stdout)
    assert not told["ok"]
    assert len(told["problems"]) == result.stdout.count("\n") - 1
    assert {"place": "format", "what": "is 'x'; expected 'itchyfeet-deck/1'"} in told["problems"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "line 1, column 1: is not JSON"),
        (b'{\n  "name": mine\n}', "line 2, column 11: is not JSON"),
        ("[é]".encode("latin-1"), "byte 1: is not UTF-8"),
        (b"\xff\xfe{", "byte 0: is not UTF-8"),
        (b"[1]", "the file: is [1]; expected an object"),
        (b'{"name": "a", "name": "b"}', "name: stands twice in one object"),
        (b"[" * 100_000, "the file: is nested too deeply"),
        (b'{"name": ' + b"9" * 5_000 + b"}", "the file: has a number with too many digits"),
        (b" " * (MOST_BYTES + 1), f"the file: is too large; expected at most {MOST_BYTES} bytes"),
    ],
)
async def test_what_is_no_deck_file_is_said(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "deck.json"
    path.write_bytes(data)
    result = await hamle("deck", "check", str(path))
    assert result.exit_code == 1
    assert f"{path}: {text}" in result.stdout
    assert "1 error" in result.stdout or "[1]" in text


async def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none.json", "No such file"), (tmp_path, "Is a directory")):
        for command in ("check", "add"):
            result = await hamle("deck", command, str(path))
            assert result.exit_code == 2
            assert f"{path} cannot be read: {why}" in result.stderr


async def test_games_that_take_no_decks_are_told_apart(tmp_path: Path) -> None:
    path = str(own_deck(tmp_path))
    none = await hamle("deck", "check", path, "--game", "coerceo")
    assert (none.exit_code, none.stderr) == (2, "coerceo is not played with files.\n")
    unknown = await hamle("deck", "check", path, "--game", "chess")
    assert unknown.exit_code == 2
    assert "GAME_UNKNOWN" in unknown.stderr
    assert (await hamle("deck", "check", path, "--game", "itchyfeet")).exit_code == 0


async def test_a_broken_deck_and_the_house_deck_are_not_added(tmp_path: Path) -> None:
    broken = await hamle("deck", "add", str(own_deck(tmp_path, format="x")))
    assert broken.exit_code == 1
    assert "format: is 'x'" in broken.stdout
    house = await hamle("deck", "add", str(HOUSE_FILE))
    assert house.exit_code == 2
    assert "comes with Itchy Feet" in house.stderr
    assert (await hamle("deck", "check", str(HOUSE_FILE))).exit_code == 0


@pytest.mark.parametrize("command", ["check", "add"])
async def test_a_deck_that_is_called_as_the_house_deck_is_told_so(tmp_path: Path, command: str) -> None:
    like_house = await hamle("deck", command, str(own_deck(tmp_path, "house", note="mine")))
    assert like_house.exit_code == 1
    assert "name: is 'house', as what comes with Itchy Feet is called; expected a name of its own" in like_house.stdout
