"""A view of Tash-Kalar as a bot thinks of it: sets of squares, and how near the hand's patterns are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from hamle.tashkalar.v1 import tashkalar_pb2 as pb
from hamle_client import View

from clients.bots.tashkalar.diagrams import PATTERNS
from clients.bots.tashkalar.patterns import ARENA, Lying, bit, lying, rank


class Table:
    """What the seat on turn sees; `standing` are the pieces within a move whose control was passed."""

    def __init__(self, game: pb.View) -> None:
        self.game = game
        player = game.players[game.turn.seat]
        self.colour = player.colour
        self.hand = [key for key in (*game.players[game.actor].hand, player.pending) if key in PATTERNS]
        self.pieces: dict[int, pb.Piece] = {bit(piece.square): piece for piece in game.standing or game.pieces}
        self.own = self.own_upgraded = self.enemy = 0
        for square, piece in self.pieces.items():
            if piece.colour != self.colour:
                self.enemy |= square
            else:
                self.own |= square
                self.own_upgraded |= square if piece.rank > pb.RANK_COMMON else 0
        self.empty = ARENA & ~(self.own | self.enemy)

    @cached_property
    def near(self) -> Mapping[int, float]:
        """By empty square, what a common there brings: how much nearer patterns of the hand come to be whole."""
        found: dict[int, float] = {}
        for key in self.hand:
            gains: dict[int, float] = {}
            for place, lacking, count in self._open[key]:
                wanted = lacking & self.empty & ~place.upgraded
                if wanted:
                    gain = rank(key) * _NEARER ** (count - 1)
                    for square in singles(wanted):
                        if gain > gains.get(square, 0.0):
                            gains[square] = gain
            for square, gain in gains.items():
                found[square] = found.get(square, 0.0) + gain
        return found

    @cached_property
    def raised(self) -> Mapping[int, float]:
        """By square, what an own heroic piece there brings to the patterns of the hand that want one."""
        found: dict[int, float] = {}
        for key in self.hand:
            for place, _, count in self._open[key]:
                for square in singles(place.upgraded & ~self.own_upgraded):
                    found[square] = max(rank(key) * _NEARER ** (count - 1), found.get(square, 0.0))
        return found

    @cached_property
    def _open(self) -> Mapping[str, list[tuple[Lying, int, int]]]:
        """By card: the places without enemies, the squares without own pieces there, and how much is lacking."""
        found = {}
        higher = {least: sum(at for at, piece in self.pieces.items() if piece.rank > least) for least in range(1, 4)}
        enemy, own, upgraded = self.enemy, self.own, self.own_upgraded
        for key in self.hand:
            barred = higher[rank(key)]
            found[key] = [
                (place, place[0] & ~own, (place[0] & ~own).bit_count() + (place[1] & ~upgraded).bit_count())
                for place in lying(key)
                if not place[0] & enemy and not place[2] & barred
            ]
        return found


_NEARER: Final = 0.2
"""What remains of a pattern's worth for each piece, or upgrade, that it lacks beyond the first."""


def singles(squares: int) -> Iterable[int]:
    """The squares of a set, one by one."""
    while squares:
        low = squares & -squares
        yield low
        squares ^= low


def read(view: View) -> Table:
    """The table as the seat on turn sees it."""
    game = view.game
    assert isinstance(game, pb.View)
    return Table(game)
