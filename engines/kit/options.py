"""A game's options in full: what was named, and the defaults of all others. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kit.game import GameInfo


class OptionWrong(ValueError):
    """The game does not take `name`=`value`: `expected` says what it would take, `about` what the option does.

    `about` is empty where the game has no option of that name.
    """

    def __init__(self, game: str, name: str, value: str, expected: str, about: str = "") -> None:
        said = f"{game} does not take the option {name}={value}"
        super().__init__(f"{said}. {about} Expected {expected}." if about else f"{said}; expected {expected}.")
        self.name = name
        self.value = value
        self.expected = expected
        self.about = about


def full_options(info: GameInfo, given: Mapping[str, str]) -> dict[str, str]:
    """A value for every option of the game, the default where none is given.

    Raises `OptionWrong` for the first one, by name, that the game does not take.
    """
    known = {spec.name: spec for spec in info.options}
    for name, value in sorted(given.items()):
        spec = known.get(name)
        if spec is None:
            raise OptionWrong(info.game, name, value, f"one of the options {', '.join(known) or '(none)'}")
        if value not in spec.values:
            raise OptionWrong(info.game, name, value, f"one of {', '.join(spec.values)}", spec.description)
    return {name: given.get(name, spec.values[0]) for name, spec in known.items()}
