"""The effects of all cards, a file for each deck.

How to write one: a function that takes the `Scene` `g`, the card's key in the decorator, and reads like the card:

    @being("swordmaster")
    def swordmaster(g: Scene) -> Asking[None]:
        if (yield from g.may_destroy(g.enemy(C) & g.diagonal)) != NOTHING:
            g.upgrade(g.here)

- Sets of squares are ints. `g.own(C | H)`, `g.enemy(C)`, `g.pieces()` (anybody's), `g.empty`; around the summoned
  piece, where it is now, `g.self` (its square), `g.near`, `g.orthogonal`, `g.diagonal`, `g.within(2)`; `g.marked` and
  `g.marks`, turned with the pattern; `g.pattern`, the pattern's pieces wherever they are now; `RED`, `GREEN`,
  `COLOURLESS` of `board.py`. Where the piece has gone these are empty, and `g.here` is NOTHING.
- Questions (`scene.py`) are asked with `yield from`: `may_...` is optional, `must_...` and `pick` are done as far as
  possible, without asking where there is one possible answer. Each returns what was done, or NOTHING, or None.
- Changes (`ground.py`, `hand.py`) are plain calls: `g.destroy(square)`, `g.upgrade(square)`, `g.gain()`.
- An effect that asks nothing is a plain function without `yield`.
- A mover is a set of squares. Ways to move are FREE (onto empty squares), STANDARD and COMBAT (`look.py`).
- Where the card offers different things, ask with `g.choose([...])`, `g.may_choose([...])` or `g.may("downgrade")`:
  words in lower case, and only those that can be done now.
- `frozen` and `warp` effects are further functions with their own decorators, `flare(1, "upper")` halves of flares.
  `no_effect("frostweave-summoner")` says that a being does nothing when it is summoned.
- A file of this folder is found by itself; nothing else needs to know it.

How to test one: rows in `tests/engines/tashkalar/effects/<deck>.py`; see `tests/engines/tashkalar/cases.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, TypeVar

from engines.tashkalar.cards import BEING
from engines.tashkalar.scene import Asking, Scene

Effect = Callable[[Scene], Asking[None] | None]
_K = TypeVar("_K")

EFFECTS: Final[dict[int, Effect]] = {}
"""By being: what happens when it is summoned."""
FROZEN: Final[dict[int, Effect]] = {}
"""By being: its frozen effect (rules §16)."""
WARPS: Final[dict[int, Effect]] = {}
"""By being: its warp effect (rules §16)."""
HALVES: Final[dict[tuple[int, str], Effect]] = {}
"""By flare and half, `upper` or `lower` (rules §8)."""
IDLE: Final[set[int]] = set()
"""The beings that do nothing when they are summoned."""


def being(key: str) -> Callable[[Effect], Effect]:
    """The function is the being's effect. Raises KeyError when there is no such being."""
    return _into(EFFECTS, BEING[key])


def frozen(key: str) -> Callable[[Effect], Effect]:
    """The function is the being's frozen effect."""
    return _into(FROZEN, BEING[key])


def warp(key: str) -> Callable[[Effect], Effect]:
    """The function is the being's warp effect."""
    return _into(WARPS, BEING[key])


def flare(number: int, half: str) -> Callable[[Effect], Effect]:
    """The function is one half, `upper` or `lower`, of flare 1..12."""
    return _into(HALVES, (number - 1, half))


def _into(table: dict[_K, Effect], key: _K) -> Callable[[Effect], Effect]:
    def enter(effect: Effect) -> Effect:
        if key in table:
            raise ValueError(f"{key} has an effect already")
        table[key] = effect
        return effect

    return enter


def no_effect(key: str) -> None:
    """The being does nothing when it is summoned."""

    def nothing(g: Scene) -> None:
        """Nothing."""

    being(key)(nothing)
    IDLE.add(BEING[key])


def resolve(effect: Effect, g: Scene) -> Asking[None]:
    """The effect, whether it asks or not: for effects that contain others."""
    asking = effect(g)
    if asking is not None:
        yield from asking


for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
