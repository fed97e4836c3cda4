"""Which games there are, and whether what is asked for fits one: all that can be said before an engine is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hamle.error.v1.error_pb2 import REASON_GAME_UNKNOWN, REASON_OPTION_INVALID
from hamle.match.v1.match_pb2 import GameInfo

from core.errors import Refused
from services.gateway.fields import wrong

_SHOWN = 40


class Catalogue:
    """The games that engines run, and those that they ran a moment ago: an engine that restarts is not a game gone.

    `away` gives the refusal for a game that was never seen here, but whose engines are expected.
    """

    def __init__(
        self,
        list_games: Callable[[], Sequence[GameInfo]],
        away: Callable[[str], Refused | None] = lambda game: None,
    ) -> None:
        self._list_games = list_games
        self._away = away
        self._seen: dict[str, GameInfo] = {}

    def running(self) -> list[GameInfo]:
        """What engines run now, by name."""
        games = sorted(self._list_games(), key=lambda info: info.game)
        self._seen.update((info.game, info) for info in games)
        return games

    def find(self, game: str) -> GameInfo:
        """The game of that name. Raises `Refused`: GAME_UNKNOWN, ENGINE_UNAVAILABLE."""
        names = [info.game for info in self.running()]
        info = self._seen.get(game)
        if info is None:
            raise self._away(game) or _unknown(game, names)
        return info


def _unknown(game: str, names: Sequence[str]) -> Refused:
    listed = ", ".join(names) or "none"
    return Refused(
        REASON_GAME_UNKNOWN,
        f"no engine runs the game {game[:_SHOWN]!r}; there are: {listed}. ListGames lists them",
        {"game": game[:_SHOWN], "games": listed},
    )


def full_options(info: GameInfo, given: Mapping[str, str]) -> dict[str, str]:
    """A value for every option of the game, defaults filled in. Raises `Refused`: OPTION_INVALID."""
    known = {option.name: option for option in info.options}
    for name, value in sorted(given.items()):
        option = known.get(name)
        if option is None:
            raise _option(info, name, value, f"one of the options {', '.join(known) or '(none)'}")
        if value not in option.values:
            raise _option(info, name, value, f"one of {', '.join(option.values)}", option.description)
    return {name: given.get(name, option.default_value) for name, option in known.items()}


def seat_count(info: GameInfo, seats: int) -> int:
    """How many seats a match of the game has; 0 asks for the fewest."""
    if seats and not info.min_seats <= seats <= info.max_seats:
        raise wrong("seats", f"{info.min_seats} to {info.max_seats}, or 0 for the fewest")
    return seats or info.min_seats


def _option(info: GameInfo, name: str, value: str, expected: str, about: str = "") -> Refused:
    name, value = name[:_SHOWN], value[:_SHOWN]
    said = f"{info.game} does not take the option {name!r} = {value!r}"
    return Refused(
        REASON_OPTION_INVALID,
        f"{said}. {about} Expected {expected}" if about else f"{said}; expected {expected}",
        {"option": name, "value": value, "expected": expected},
    )
