"""All games by name: the only place that knows them. A game is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Final, cast

from hamle.error.v1 import error_pb2

from core.errors import Refused
from engines.kit.state import AnyGame

_PACKAGES: Final = {
    "battleline": "engines.battleline",
    "coerceo": "engines.coerceo",
    "itchyfeet": "engines.itchyfeet",
    "tashkalar": "engines.tashkalar",
}


def names() -> tuple[str, ...]:
    """The games whose rules are installed."""
    return tuple(sorted(_PACKAGES))


def load_game(name: str) -> AnyGame:
    """The rules of a game. Raises `Refused`: GAME_UNKNOWN."""
    return cast("AnyGame", load_part(name, "game").GAME)


def load_part(name: str, part: str) -> ModuleType:
    """A module of a game's folder, `perft` say.

    Raises `Refused`: GAME_UNKNOWN; ModuleNotFoundError when the folder has no such module.
    """
    package = _PACKAGES.get(name)
    if package is None:
        listed = ", ".join(names())
        raise Refused(
            error_pb2.REASON_GAME_UNKNOWN,
            f"There are no rules for a game {name!r} here; there are {listed}.",
            {"game": name, "games": listed},
        )
    return import_module(f"{package}.{part}")


def games_by_rules() -> Mapping[str, AnyGame]:
    """All games by rules version, as verifying and replaying logs want them."""
    games = [load_game(name) for name in names()]
    return {game.info.rules: game for game in games}
