"""Moves as text, and how others read them.

`stake:R3`, `lay:R3@1+G4@2`, `draw`, `peek:1@2`, `call:1:R`, `end`, `show:@2`, `pass`, `swap:R3`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_CARD = "[BGRY][1-5]"
_PATTERNS = (
    ("stake", re.compile(f"stake:(?P<card>{_CARD})")),
    ("lay", re.compile(f"lay:(?P<first>{_CARD}@[1-3])(?:\\+(?P<second>{_CARD}@[1-3]))?")),
    ("draw", re.compile("draw")),
    ("peek", re.compile("peek:(?P<target>[0-3])@(?P<slot>[1-3])")),
    ("call", re.compile("call:(?P<target>[0-3]):(?P<suit>[BGRY])")),
    ("end", re.compile("end")),
    ("show", re.compile("show:@(?P<slot>[1-3])")),
    ("pass", re.compile("pass")),
    ("swap", re.compile(f"swap:(?P<card>{_CARD})")),
)


class Parsed(NamedTuple):
    """A move that is well-formed; `lays` are (card, slot from 1)."""

    verb: str
    card: str = ""
    lays: tuple[tuple[str, int], ...] = ()
    target: int = -1
    slot: int = 0
    suit: str = ""


def parse(move: str) -> Parsed | None:
    for verb, pattern in _PATTERNS:
        found = pattern.fullmatch(move)
        if found:
            groups = {name: value for name, value in found.groupdict().items() if value is not None}
            lays = tuple((groups[name][:2], int(groups[name][3])) for name in ("first", "second") if name in groups)
            return Parsed(
                verb,
                groups.get("card", ""),
                lays,
                int(groups.get("target", -1)),
                int(groups.get("slot", 0)),
                groups.get("suit", ""),
            )
    return None


def hide_cards(move: str) -> str:
    """For others: which card was staked or laid is hidden, where it lies is not."""
    return re.sub(_CARD, "?", move) if move.startswith(("stake:", "lay:")) else move
