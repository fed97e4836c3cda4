"""A view of Battle Line as a bot thinks of it: seen from its own seat, cards as numbers, sets of troops as bits.

Troop n has colour n // 10 and value n % 10 + 1; bit n of a set is troop n. Tactics cards follow after the troops.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from hamle.battleline.v1 import battleline_pb2 as pb
from hamle_client import View

COLOURS: Final = "ROYGBP"
VALUES: Final = 10
TROOPS: Final = len(COLOURS) * VALUES
ALL_TROOPS: Final = (1 << TROOPS) - 1
ROW: Final = (1 << VALUES) - 1
COLUMNS: Final = tuple(sum(1 << colour * VALUES + at for colour in range(len(COLOURS))) for at in range(VALUES))
TACTICS: Final = ("ALX", "DAR", "CAV", "SHB", "FOG", "MUD", "SCT", "RDP", "DES", "TRA")
ALX, DAR, CAV, SHB, FOG, MUD, SCT, RDP, DES, TRA = range(TROOPS, TROOPS + len(TACTICS))
NAMES: Final = tuple(f"{colour}{value}" for colour in COLOURS for value in range(1, VALUES + 1)) + TACTICS
NUMBERS: Final = {name: number for number, name in enumerate(NAMES)}

Cards = tuple[int, ...]

OPEN: Final = 0
MINE: Final = 1
THEIRS: Final = -1


class Front(NamedTuple):
    """A flag: both sides, how many cards a side has, whether Fog lies there, whose it is, whose card is the newest."""

    mine: Cards
    theirs: Cards
    size: int
    fog: bool
    owner: int
    newest_mine: bool


class Table(NamedTuple):
    """What a seat sees.

    `unseen` are the troops that are neither open nor in the own hand; `theirs` those of them that the opponent is
    known to hold. `luck_mine` and `luck_theirs` are the chances that one particular other unseen troop can still be
    played by each side.
    """

    seat: int
    fronts: tuple[Front, ...]
    hand: Cards
    unseen: int
    theirs: int
    luck_mine: float
    luck_theirs: float

    def held(self) -> int:
        """The troops of the own hand."""
        return bits(self.hand)


_DRAWS: Final = 12
"""Cards that a side will still draw and use, at most: most games are decided before the deck is."""


def read(view: View) -> Table:
    """The table as the seat that acts sees it."""
    game = view.game
    assert isinstance(game, pb.View)
    seat = game.actor
    fronts = tuple(_front(flag, seat) for flag in game.flags)
    hand = numbers(game.hands[seat].cards)
    lying = bits(card for front in fronts for side in (front.mine, front.theirs) for card in side)
    lying |= bits(card for one in game.hands for card in numbers(one.discards))
    unseen = ALL_TROOPS & ~lying & ~bits(hand)
    known = bits(numbers(game.scouted.held)) & unseen if game.HasField("scouted") and game.scouted.seat == seat else 0
    hidden = max(1, (unseen & ~known).bit_count())
    draws = min(_DRAWS, game.troops.size / 2)
    other = game.hands[1 - seat].troops - known.bit_count()
    return Table(seat, fronts, hand, unseen, known, min(1.0, draws / hidden), min(1.0, (draws + other) / hidden))


def _front(flag: pb.Flag, seat: int) -> Front:
    owner = OPEN if not flag.HasField("owner") else MINE if flag.owner == seat else THEIRS
    newest = bool(flag.entered) and flag.entered[-1] == seat
    mine, theirs = numbers(flag.sides[seat].cards), numbers(flag.sides[1 - seat].cards)
    return Front(mine, theirs, flag.size, flag.HasField("fog"), owner, newest)


def numbers(names: Iterable[str]) -> Cards:
    """Cards by number."""
    return tuple(NUMBERS[name] for name in names)


def bits(cards: Iterable[int]) -> int:
    """The troops among the cards as a set."""
    found = 0
    for card in cards:
        if card < TROOPS:
            found |= 1 << card
    return found
