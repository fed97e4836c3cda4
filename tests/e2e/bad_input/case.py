"""One row of the tables of bad input."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.bad_input.scene import PLAYING, Scene

Ask = Callable[[Scene], Awaitable[Any]]


async def nothing(scene: Scene) -> None:
    """No preparation."""


@dataclass(frozen=True)
class Case:
    """`ask` is refused with `reason` in a match of the kind `scene`, after `first` has been done.

    `says` is what the message tells the caller to do, or to expect. `metadata` holds values that the refusal names.
    """

    name: str
    reason: str
    ask: Ask
    says: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    scene: str = PLAYING
    first: Ask = nothing


def field_case(name: str, ask: Ask, says: str, scene: str = PLAYING, called: str = "") -> Case:
    """A field out of its bounds; `name` is the field's, after the method's name."""
    return Case(name, "FIELD_INVALID", ask, says, {"field": called or name.rpartition(" ")[2]}, scene)
