"""The arena while a move is being made, to be read: what stands where, and which counters are free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.tashkalar.board import ALL, DIAGONAL, NEIGHBOURS, ORTHOGONAL, RAYS, SQUARES, WITHIN, bits, mask_of
from engines.tashkalar.pieces import ANY, COMMON, HEROIC, LEGENDARY, LEGENDS, NOTHING, C, H, L, is_legendary
from engines.tashkalar.reach import Ways
from engines.tashkalar.state import Player, State, Turn

Event = tuple[str, tuple[int, ...]]

FREE, STANDARD, COMBAT = range(3)
"""Ways to move: onto empty squares; also onto lower ranks; also onto equal ranks."""
ELSEWHERE: Final = tuple(ALL ^ 1 << square for square in range(SQUARES))
"""By square: all others."""
LINES: Final = tuple(tuple(mask_of(ray) for ray in rays) for rays in RAYS)
"""By square and direction: the squares to the edge, as a set."""


class Look:
    """The board and the record of the turn, in the hands of `seat`, whose colour is `me`.

    `here` is where the summoned piece is now, NOTHING when it has gone. `pattern` are the squares of the pieces that
    formed the pattern; both follow these pieces. `crushed` is the piece that the summon itself destroyed. `card` is the
    card whose effect it is; with `keeps_card` the effect has put it somewhere, and it is not discarded. `blind`: who
    decides does not see the hand.
    """

    __slots__ = (
        "actions",
        "before",
        "blind",
        "board",
        "card",
        "colours",
        "crushed",
        "destroyed",
        "fewer",
        "flare_discards",
        "flares",
        "gateway",
        "here",
        "improvised",
        "keeps_card",
        "legend_discards",
        "legends",
        "lost",
        "me",
        "pattern",
        "players",
        "scores",
        "seat",
        "told",
        "turn",
    )

    def __init__(self, state: State, seat: int) -> None:
        self.before = state
        self.seat = seat
        self.me = state.colour(seat)
        self.board = list(state.board)
        self.colours = len(self.board) // 3
        self.lost = list(state.lost)
        self.players = list(state.players)
        self.turn: Turn = state.turn
        self.actions = state.turn.actions
        self.destroyed = list(state.turn.destroyed)
        self.gateway = state.gateway
        self.scores = list(state.scores)
        self.fewer = list(state.fewer)
        self.legends = state.legends
        self.flares = state.flares
        self.legend_discards = state.legend_discards
        self.flare_discards = state.flare_discards
        self.improvised = list(state.improvised)
        self.blind = False
        self.card = NOTHING
        self.keeps_card = False
        self.here = NOTHING
        self.pattern = 0
        self.crushed = NOTHING
        self.told: list[Event] = []

    def after(self) -> State:
        """The state as it is now."""
        return self.before._replace(
            board=tuple(self.board),
            players=tuple(self.players),
            lost=tuple(self.lost),
            gateway=self.gateway,
            scores=tuple(self.scores),
            fewer=tuple(self.fewer),
            legends=self.legends,
            flares=self.flares,
            legend_discards=self.legend_discards,
            flare_discards=self.flare_discards,
            improvised=tuple(self.improvised),
            turn=self.turn._replace(actions=self.actions, destroyed=tuple(self.destroyed)),
        )

    def of(self, colour: int, ranks: int = ANY) -> int:
        """Squares of a colour's pieces of these ranks."""
        at, board, found = 3 * colour, self.board, 0
        if ranks & C:
            found |= board[at]
        if ranks & H:
            found |= board[at + 1]
        if ranks & L:
            found |= board[at + 2]
        return found

    def own(self, ranks: int = ANY) -> int:
        """Squares of own pieces of these ranks."""
        return self.of(self.me, ranks)

    def enemy(self, ranks: int = ANY) -> int:
        """Squares of anybody else's pieces of these ranks."""
        found = 0
        for colour in range(self.colours):
            if colour != self.me:
                found |= self.of(colour, ranks)
        return found

    def pieces(self, ranks: int = ANY) -> int:
        """Squares of anybody's pieces of these ranks."""
        found = 0
        for colour in range(self.colours):
            found |= self.of(colour, ranks)
        return found

    @property
    def enemies(self) -> list[int]:
        """The other colours."""
        return [colour for colour in range(self.colours) if colour != self.me]

    @property
    def empty(self) -> int:
        """Squares without a piece."""
        return ALL & ~self.pieces()

    @property
    def self(self) -> int:
        """The square of the summoned piece as a set; empty when it has gone."""
        return 0 if self.here == NOTHING else 1 << self.here

    @property
    def near(self) -> int:
        """The squares next to where the summoned piece is now."""
        return 0 if self.here == NOTHING else NEIGHBOURS[self.here]

    @property
    def orthogonal(self) -> int:
        """Those of them straight up, down, left and right of it."""
        return 0 if self.here == NOTHING else ORTHOGONAL[self.here]

    @property
    def diagonal(self) -> int:
        """Those of them at its corners."""
        return 0 if self.here == NOTHING else DIAGONAL[self.here]

    def within(self, distance: int) -> int:
        """The squares at most so far away from where it is now, that one left out."""
        return 0 if self.here == NOTHING else WITHIN[self.here][distance] & ~(1 << self.here)

    def at_distance(self, distance: int) -> int:
        """The squares exactly so far away, 1 or more, from where it is now."""
        return self.within(distance) & ~self.within(distance - 1)

    def piece_at(self, square: int) -> int:
        """The piece there, 3 * colour + rank, or NOTHING."""
        bit = 1 << square
        for piece, mask in enumerate(self.board):
            if mask & bit:
                return piece
        return NOTHING

    def rank_at(self, square: int) -> int:
        """The rank of the piece there, or NOTHING."""
        piece = self.piece_at(square)
        return NOTHING if piece == NOTHING else piece % 3

    # Counters beside the board.

    def stock(self, colour: int, rank: int) -> int:
        """Free counters that can show this rank: common and heroic are two sides of one (rules §1)."""
        at = 3 * colour
        stored = [p.stored for p in self.players if p.stored != NOTHING and p.stored // 3 == colour]
        if rank == LEGENDARY:
            held = sum(is_legendary(piece) for piece in stored)
            return LEGENDS - self.board[at + 2].bit_count() - self.lost[2 * colour + 1] - held
        used = self.board[at].bit_count() + self.board[at + 1].bit_count()
        held = sum(not is_legendary(piece) for piece in stored)
        return self.before.rules.counters - used - self.lost[2 * colour] - held

    def upgradable(self, squares: int) -> int:
        """Those of the squares whose pieces can be upgraded."""
        found = squares & self.pieces(C)
        for colour in range(self.colours):
            heroic = squares & self.of(colour, H)
            if heroic and self.stock(colour, LEGENDARY) > 0:
                found |= heroic
        return found

    def downgradable(self, squares: int) -> int:
        """Those of the squares whose pieces can be downgraded."""
        found = squares & self.pieces(H)
        for colour in range(self.colours):
            legendary = squares & self.of(colour, L)
            if legendary and self.stock(colour, HEROIC) > 0:
                found |= legendary
        return found

    def convertible(self, squares: int, rank: int | None = None) -> int:
        """Those of the squares whose enemy pieces can be replaced by own ones, of the same rank unless one is given."""
        found = 0
        for ranks, same in ((C, COMMON), (H, HEROIC), (L, LEGENDARY)):
            if self.stock(self.me, same if rank is None else rank) > 0:
                found |= squares & self.enemy(ranks)
        return found

    def placeable(self, squares: int, rank: int = COMMON) -> int:
        """Those of the squares on which an own piece can be placed: the empty ones, while a counter is free."""
        return squares & self.empty if self.stock(self.me, rank) > 0 else 0

    # Where pieces can go.

    def barred(self, rank: int, how: int) -> int:
        """The squares that a piece of this rank cannot enter."""
        found = 0
        for other in range(0 if how == FREE else rank if how == STANDARD else rank + 1, 3):
            for mask in self.board[other::3]:
                found |= mask
        return found

    def steps(self, movers: int, how: int) -> list[tuple[int, int]]:
        """All moves, from and to, of pieces among the movers."""
        return list(self.ways(movers, how, ALL, NEIGHBOURS))

    def ways(self, movers: int, how: int, onto: int, reach: Sequence[int]) -> Ways:
        """All ways of pieces among the movers onto one of the squares; `reach` says how far each can go."""
        groups = []
        for rank, ranks in enumerate((C, H, L)):
            ours = movers & self.pieces(ranks)
            if ours:
                groups.append((ours, onto & ~self.barred(rank, how)))
        return Ways(groups, reach)

    def path(self, square: int, direction: int, how: int) -> list[int]:
        """The squares that the piece there can go through straight on, the nearest first."""
        return unbarred(square, direction, self.barred(self.rank_at(square), how))

    def runs(self, movers: int, how: int, directions: Sequence[int], most: int) -> list[tuple[int, int]]:
        """All ways, from and to, to make 1 to `most` moves straight on with one of the movers."""
        found = []
        for rank, ranks in enumerate((C, H, L)):
            ours = movers & self.pieces(ranks)
            if ours:
                barred = self.barred(rank, how)
                for start in bits(ours):
                    for direction in directions:
                        found += [(start, to) for to in unbarred(start, direction, barred)[:most]]
        return found

    def ray(self, square: int, direction: int) -> int:
        """The squares in the direction, to the edge."""
        return LINES[square][direction]

    def first_on(self, square: int, direction: int, squares: int) -> int:
        """The first of these squares in the direction, or NOTHING."""
        return next((to for to in RAYS[square][direction] if squares >> to & 1), NOTHING)

    @property
    def player(self) -> Player:
        """The cards of the seat."""
        return self.players[self.seat]

    @player.setter
    def player(self, player: Player) -> None:
        self.players[self.seat] = player


def unbarred(square: int, direction: int, barred: int) -> list[int]:
    """The squares in the direction up to the first of the barred ones, the nearest first."""
    found = []
    for to in RAYS[square][direction]:
        if barred >> to & 1:
            break
        found.append(to)
    return found
