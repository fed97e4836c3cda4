"""Files that games are played with, decks say: read, checked by their game, named."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cli.errors import Stop
from core.materials.naming import MOST_BYTES, Material, name_of
from engines.kit.game import GameInfo, MaterialInvalid, OptionSpec, Problem
from engines.kit.state import AnyGame
from engines.registry import load_game, names


class Judged(NamedTuple):
    """A file as its game reads it: the material, None when there are problems."""

    material: Material | None
    problems: tuple[Problem, ...]


class Place(NamedTuple):
    """Where files go: a game, and the option of it that names them."""

    game: AnyGame
    option: OptionSpec

    @property
    def info(self) -> GameInfo:
        """The game's."""
        return self.game.info

    def judge(self, path: Path) -> Judged:
        """Reads a file and lets the game check it. Raises Stop when it cannot be read."""
        try:
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise Stop(f"{path} cannot be read: {error.strerror}.") from error
        if len(data) > MOST_BYTES:
            return Judged(None, (Problem("the file", f"is too large; expected at most {MOST_BYTES} bytes"),))
        try:
            knowing = self.game.with_material(self.option.name, data)
        except MaterialInvalid as invalid:
            return Judged(None, invalid.problems)
        (option,) = (spec for spec in knowing.info.options if spec.name == self.option.name)
        value = next(value for value, known in (option.materials or {}).items() if known == data)
        name = name_of(value)
        if value not in self.option.values and name in map(name_of, self.option.values):
            what = f"is {name!r}, as what comes with {self.info.title} is called; expected a name of its own"
            return Judged(None, (Problem("name", what),))
        return Judged(Material(option.name, value, data), ())


def place_for(game: str) -> Place:
    """Where files of the game go; empty: of the only game that takes files. Raises Stop, `Refused` GAME_UNKNOWN."""
    found = [
        Place(rules, option)
        for rules in map(load_game, [game] if game else names())
        for option in rules.info.options
        if option.materials is not None
    ]
    if not found:
        raise Stop(f"{game} is not played with files." if game else "No game here is played with files.")
    if len(found) > 1:
        raise Stop(f"Several games are played with files: {_listed(found)}. Name one with --game.")
    return found[0]


def _listed(places: list[Place]) -> str:
    return ", ".join(f"{place.info.game} ({place.option.name})" for place in places)
