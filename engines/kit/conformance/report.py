"""How a game that does not conform is reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple


class Where(NamedTuple):
    """A position of a random match: enough to come back to it. `seq` 1 is the start."""

    game: str
    options: Mapping[str, str]
    seats: int
    seed: int
    seq: int

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"at seq {self.seq} of {self.game} seats={self.seats} seed={self.seed} {options}".rstrip()


class NotConforming(AssertionError):
    """A game breaks the contract of `engines.kit.game`. `check` names the check, `what` says what differed."""

    def __init__(self, check: str, what: str) -> None:
        super().__init__(check, what)
        self.check = check
        self.what = what
        self.where: Where | None = None

    def __str__(self) -> str:
        return f"{self.check}: {self.what}" + (f"\n  {self.where}" if self.where else "")


def require(condition: object, check: str, what: str | Callable[[], str]) -> None:
    """Raises `NotConforming` unless the condition holds.

    `what` may be a function that says it: to print states and compare bytes costs more than many a check.
    """
    if not condition:
        raise NotConforming(check, what if isinstance(what, str) else what())


def short(text: str, width: int = 400) -> str:
    """The text, cut in the middle when it is long."""
    return text if len(text) <= width else f"{text[: width // 2]} ... {text[-width // 2 :]}"


def differing(one: bytes, other: bytes) -> str:
    """Where two byte strings part, and what stands there."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return (
        f"{len(one)} and {len(other)} bytes, first difference at byte {at}: "
        f"{one[max(0, at - 20) : at + 20]!r} and {other[max(0, at - 20) : at + 20]!r}"
    )
