"""Moves as text and back (rules §1). Flags are 1..9 in text, 0..8 inside.

`R7@3` play a card to a flag; `SCT`; `DES:B2@4`; `TRA:B2@4>6`; `RDP:R7@3>5`, `RDP:R7@3>x`; `pass`; `claim:4`; `done`;
`draw:troop`, `draw:tactic`; `ret:R9,B6` Scout's return, the card put back last at the end; `trim:R7`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from engines.battleline.cards import NAMES, NUMBERS, SCT, TROOPS
from engines.battleline.state import NOBODY, TACTICS_DECK, TROOP_DECK

DISCARD: Final = -2
"""The flag that `RDP` moves a card to when it discards it."""
DECKS: Final = ("troop", "tactic")
LONGEST: Final = 16


class Kind(StrEnum):
    """What a move does."""

    PLAY = "play"
    SCOUT = "SCT"
    REDEPLOY = "RDP"
    DESERT = "DES"
    TRAITOR = "TRA"
    PASS = "pass"  # noqa: S105
    CLAIM = "claim"
    DRAW = "draw"
    DONE = "done"
    RETURN = "ret"
    TRIM = "trim"


class Move(NamedTuple):
    """A move: its kind, the cards it names in order, the flag they are at, and where one goes (a flag or a deck)."""

    kind: Kind
    cards: tuple[int, ...] = ()
    flag: int = NOBODY
    to: int = NOBODY


_CARD: Final = r"[ROYGBP](?:10|[1-9])|ALX|DAR|CAV|SHB|FOG|MUD|SCT|RDP|DES|TRA"
_PATTERN: Final = re.compile(
    rf"(?P<play>{_CARD})@(?P<at>[1-9])"
    rf"|(?P<guile>RDP|DES|TRA):(?P<card>{_CARD})@(?P<from>[1-9])(?:>(?P<to>[1-9x]))?"
    rf"|claim:(?P<claim>[1-9])|draw:(?P<draw>troop|tactic)|trim:(?P<trim>{_CARD})"
    rf"|ret:(?P<first>{_CARD})(?:,(?P<second>{_CARD}))?"
)
_WORDS: Final = {"SCT": Move(Kind.SCOUT), "pass": Move(Kind.PASS), "done": Move(Kind.DONE)}


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> Move | None:
    if text in _WORDS:
        return _WORDS[text]
    match = _PATTERN.fullmatch(text)
    if match is None:
        return None
    found = match.groupdict()
    if found["play"]:
        card = NUMBERS[found["play"]]
        return Move(Kind.PLAY, (card,), int(found["at"]) - 1) if card < SCT else None
    if found["guile"]:
        return _guile(Kind(found["guile"]), NUMBERS[found["card"]], int(found["from"]) - 1, found["to"])
    if found["claim"]:
        return Move(Kind.CLAIM, flag=int(found["claim"]) - 1)
    if found["draw"]:
        return Move(Kind.DRAW, to=DECKS.index(found["draw"]))
    if found["trim"]:
        return Move(Kind.TRIM, (NUMBERS[found["trim"]],))
    return Move(Kind.RETURN, tuple(NUMBERS[found[name]] for name in ("first", "second") if found[name]))


def _guile(kind: Kind, card: int, flag: int, to: str | None) -> Move | None:
    if kind is Kind.DESERT:
        return None if to else Move(kind, (card,), flag)
    if to is None or (to == "x" and kind is Kind.TRAITOR):
        return None
    return Move(kind, (card,), flag, DISCARD if to == "x" else int(to) - 1)


def read(text: str) -> Move | None:
    """The move that the text names; None when it names none. Only the canonical text of a move is read."""
    return _read(text) if len(text) <= LONGEST else None


def write(move: Move) -> str:
    """The text of a move."""
    kind = move.kind
    if kind is Kind.PLAY:
        return f"{NAMES[move.cards[0]]}@{move.flag + 1}"
    if kind is Kind.CLAIM:
        return f"claim:{move.flag + 1}"
    if kind is Kind.DRAW:
        return f"draw:{DECKS[move.to]}"
    if kind in (Kind.TRIM, Kind.RETURN):
        return f"{kind}:{','.join(NAMES[card] for card in move.cards)}"
    if kind is Kind.DESERT:
        return f"DES:{NAMES[move.cards[0]]}@{move.flag + 1}"
    if kind in (Kind.REDEPLOY, Kind.TRAITOR):
        to = "x" if move.to == DISCARD else str(move.to + 1)
        return f"{kind}:{NAMES[move.cards[0]]}@{move.flag + 1}>{to}"
    return str(kind)


def hide(move: Move) -> str:
    """The text of a move as others may read it: of cards that go back face down, only the backs."""
    if move.kind is not Kind.RETURN:
        return write(move)
    return "ret:" + ",".join(DECKS[TROOP_DECK if card < TROOPS else TACTICS_DECK] for card in move.cards)
