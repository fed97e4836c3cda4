"""Battle Line matches that are kept as logs: each variant, every card's move, hidden hands, forks that imagine them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from engines.battleline.game import GAME
from tests.logs.stage import Stage, stage

_SCRIPT: Final = Path(__file__).parent / "battleline_moves.txt"
_BLOCKS: Final = _SCRIPT.read_text(encoding="utf-8").strip().split("\n\n")
MOVES: Final[Mapping[str, list[str]]] = {
    name: moves.split() for name, _, moves in (block.partition("\n") for block in _BLOCKS)
}
"""The moves of each match, those of both seats one after another."""
SCOUT: Final = 0
"""Who plays Scout in the match that is won."""
RETURNED: Final = 35
"""The event with which it puts cards back."""


def _played(name: str, **options: str) -> Stage:
    """The match of that name as far as its moves go; its name is the creator's entropy."""
    match = stage(GAME, options=options, entropy=name.replace("_", " ").encode())
    match.sit("bob")
    match.turns(*MOVES[name])
    return match


def _given_up(name: str, **options: str) -> Stage:
    match = _played(name, **options)
    match.resign(0)
    return match


def won() -> Stage:
    """The rules as they stand, to the third flag in a row, with all ten tactics cards."""
    return _played("won")


def last_chance() -> Stage:
    """Claims at the start of a turn; the seat with the lower cut starts. To the end."""
    return _played("last_chance", last_chance="on", first="high_cut_deals")


def open_fronts() -> Stage:
    """Until a troop is thrown to a flag that its player has lost."""
    return _given_up("open_fronts", open_fronts="on", first="seat_1")


def trimmed() -> Stage:
    """Mud is deserted where both sides have four cards: both choose one to give up."""
    return _given_up("trimmed")


def automatic_trim() -> Stage:
    """Mud is deserted where a side has four cards, and the rules choose."""
    return _given_up("automatic_trim", trim="automatic", first="seat_0")


def series() -> Stage:
    """Two games without tactics cards; the seat with the higher cut starts the first one. To the end."""
    return _played("series", series="2", tactics="off", first="high_cut_starts")


def passed() -> Stage:
    """A hand of tactics cards alone passes, leaves a claim out, passes again and makes it."""
    return _given_up("passed", first="seat_0")


def undone() -> Stage:
    """A claim is taken back and made again."""
    match = _played("undone")
    seat = match.state.game.turn
    claim = GAME.choices(match.state.game, seat)[0].text
    match.turns(claim)
    match.undo(seat)
    match.turns(claim)
    match.resign(0)
    return match


def tail_lost() -> Stage:
    """The store forgets a card and the draw after it; another card is played, and the same one drawn."""
    match = stage(GAME, entropy=b"tail lost")
    match.sit("bob")
    match.turns(*MOVES["tail_lost"][:6])
    match.lose(2)
    match.turns(*MOVES["tail_lost"][6:])
    match.resign(1)
    return match


def forked() -> Stage:
    """A finished match is forked as Scout's player knew it: what it put back lies where it did, all else is anew."""
    match = won().fork(RETURNED, "fay", seat=SCOUT, known_to=SCOUT)
    match.sit("gil", entropy=b"gil")
    match.turns(*MOVES["forked"])
    match.resign(0)
    return match


def forked_by_the_public() -> Stage:
    """A finished match is forked by somebody who knew no hand."""
    match = won().fork(RETURNED, "fay")
    match.sit("gil")
    match.turns(*MOVES["forked_by_the_public"])
    match.resign(1)
    return match


MATCHES: Final[Mapping[str, Callable[[], Stage]]] = {
    "won": won,
    "last_chance": last_chance,
    "open_fronts": open_fronts,
    "trimmed": trimmed,
    "automatic_trim": automatic_trim,
    "series": series,
    "passed": passed,
    "undone": undone,
    "tail_lost": tail_lost,
    "forked": forked,
    "forked_by_the_public": forked_by_the_public,
}
