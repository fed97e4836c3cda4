"""Materials of games: which a match's options name, and games that know them. Pure: the bytes come from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.materials.naming import MOST_BYTES, Material, invalid, require_digest
from engines.kit.game import GameInfo, MaterialInvalid, OptionSpec
from engines.kit.state import AnyGame


def named(info: GameInfo, options: Mapping[str, str]) -> list[tuple[OptionSpec, str]]:
    """The options that name materials, each with its value."""
    return [(spec, options[spec.name]) for spec in info.options if spec.materials is not None and spec.name in options]


def unknown(info: GameInfo, options: Mapping[str, str]) -> list[tuple[str, str]]:
    """The (option, value) pairs that name materials which the game does not know yet."""
    return [(spec.name, value) for spec, value in named(info, options) if value not in spec.values]


def materials_of(info: GameInfo, options: Mapping[str, str]) -> list[Material]:
    """What a match with these options is played with; the game must know all of it."""
    return [Material(spec.name, value, (spec.materials or {})[value]) for spec, value in named(info, options)]


def with_materials(game: AnyGame, materials: Iterable[Material]) -> AnyGame:
    """The game, knowing these materials too. Raises MATERIAL_INVALID for what it cannot be played with."""
    for material in materials:
        require_digest(material)
        if material.value not in _values(game, material):
            game = _with(game, material)
    return game


def _with(game: AnyGame, material: Material) -> AnyGame:
    if len(material.data) > MOST_BYTES:
        found = f"{len(material.data)} bytes"
        raise invalid(material, f"it has {found}, the most is {MOST_BYTES}", f"at most {MOST_BYTES} bytes", found)
    try:
        bound = game.with_material(material.option, material.data)
    except MaterialInvalid as error:
        first = error.problems[0]
        raise invalid(material, f"these rules do not take the file: {first}", "", str(first)) from None
    value = _values(bound, material)[-1]
    if value != material.value:
        raise invalid(material, f"the file calls itself {value}", material.value, value)
    return bound


def _values(game: AnyGame, material: Material) -> tuple[str, ...]:
    for spec in game.info.options:
        if spec.name == material.option and spec.materials is not None:
            return spec.values
    raise invalid(material, f"{game.info.game} takes no file for the option", "", material.option)
