"""The arena while a move is being made, to be changed: what effects do (rules §9).

A `Ground` is made from a state, changed, and read back as a state. Every change is told in `told` for facts.
"""

from __future__ import annotations

from engines.tashkalar.board import bits
from engines.tashkalar.look import Look
from engines.tashkalar.pieces import COMMON, NOTHING, is_legendary
from engines.tashkalar.state import Bonus


class Ground(Look):
    """Changes. Each returns whether, or what, it did: effects do as much as is possible."""

    __slots__ = ()

    def tell(self, kind: str, *numbers: int) -> None:
        """Something happened that facts will tell."""
        self.told.append((kind, numbers))

    def take(self, square: int) -> int:
        """Takes the piece there off the board, back to its owner's stock; returns it. Nothing is told or counted."""
        piece = self.piece_at(square)
        bit = 1 << square
        self.board[piece] &= ~bit
        self.pattern &= ~bit
        if square == self.here:
            self.here = NOTHING
        if square == self.gateway:
            self.gateway = NOTHING
        return piece

    def put(self, square: int, piece: int) -> None:
        """Sets a piece on an empty square. Nothing is told or counted."""
        self.board[piece] |= 1 << square

    def count(self, piece: int) -> None:
        """The seat has destroyed a piece: enemy ones are recorded."""
        if piece // 3 != self.me:
            self.destroyed[piece] += 1 + self.turn.double

    def destroy(self, square: int, *, counts: bool = True) -> int:
        """Destroys the piece there; returns it. With `counts` false it is nobody's doing."""
        piece = self.take(square)
        self.tell("destroyed", square, piece)
        if counts:
            self.count(piece)
        return piece

    def destroy_all(self, squares: int, *, counts: bool = True) -> int:
        """Destroys whatever stands on these squares; returns how many pieces."""
        hit = squares & self.pieces()
        for square in bits(hit):
            self.destroy(square, counts=counts)
        return hit.bit_count()

    def lift(self, square: int) -> None:
        """An own piece goes back to the stock to be used again (rules §6, §7)."""
        piece = self.take(square)
        self.tell("lifted", square, piece)

    def place(self, square: int, rank: int = COMMON, colour: int | None = None) -> bool:
        """Puts a piece, an own one unless a colour is given, on an empty square; False when no counter is free."""
        colour = self.me if colour is None else colour
        if self.stock(colour, rank) < 1:
            return False
        self.put(square, 3 * colour + rank)
        self.tell("placed", square, 3 * colour + rank)
        return True

    def upgrade(self, square: int) -> bool:
        """Upgrades the piece there: common to heroic, heroic to legendary if such a counter is free."""
        return self._turn(square, 1)

    def downgrade(self, square: int) -> bool:
        """Downgrades the piece there: heroic to common, legendary to heroic if such a counter is free."""
        return self._turn(square, -1)

    def _turn(self, square: int, by: int) -> bool:
        bit = 1 << square
        if not (self.upgradable(bit) if by > 0 else self.downgradable(bit)):
            return False
        piece = self.piece_at(square)
        self.board[piece] ^= bit
        self.board[piece + by] |= bit
        self.tell("upgraded" if by > 0 else "downgraded", square, piece + by)
        if is_legendary(piece + by) and square == self.gateway:
            self.gateway = NOTHING
        return True

    def convert(self, square: int, rank: int | None = None) -> bool:
        """Replaces the enemy piece there by an own one; counts as destroying it. False when no counter is free."""
        if not self.convertible(1 << square, rank):
            return False
        piece = self.take(square)
        self.count(piece)
        made = 3 * self.me + (piece % 3 if rank is None else rank)
        self.put(square, made)
        self.tell("converted", square, piece, made)
        return True

    def move(self, start: int, to: int) -> int:
        """Moves the piece to another square and destroys what stands there; returns that, or NOTHING."""
        bit, goal = 1 << start, 1 << to
        captured = self.piece_at(to)
        if captured != NOTHING:
            self.take(to)
            self.count(captured)
        piece = self.piece_at(start)
        self.board[piece] ^= bit | goal
        if self.pattern & bit:
            self.pattern ^= bit | goal
        if start == self.here:
            self.here = to
        if start == self.gateway:
            self.gateway = to
        self.tell("moved", start, to, piece, captured)
        return captured

    def swap(self, a: int, b: int) -> None:
        """The pieces on two squares change places; nothing is captured."""
        one, other = self.piece_at(a), self.piece_at(b)
        both = 1 << a | 1 << b
        if one != other:
            self.board[one] ^= both
            self.board[other] ^= both
        if self.pattern & both not in (0, both):
            self.pattern ^= both
        places = {a: b, b: a}
        self.here = places.get(self.here, self.here)
        self.gateway = places.get(self.gateway, self.gateway)
        self.tell("swapped", a, b, one, other)

    def banish(self, square: int) -> None:
        """Destroys the piece there, which counts twice, and its counter leaves the game for good."""
        piece = self.destroy(square)
        self.count(piece)
        self.lost[2 * (piece // 3) + is_legendary(piece)] += 1
        self.tell("banished", square, piece)

    def open_gateway(self, square: int) -> None:
        """The common or heroic piece there becomes the Gateway (rules §16)."""
        if square != self.gateway:
            self.gateway = square
            self.tell("gateway", square)

    def gain(self, actions: int = 1) -> None:
        """More actions in this turn, to be used after the effect."""
        self.actions += actions
        self.tell("gained", actions)

    def lose(self) -> None:
        """An action of this turn is spent on nothing."""
        self.actions -= 1
        self.tell("spent")

    def draw_extra(self, beings: int = 0, legends: int = 0) -> None:
        """Cards to be drawn at the end of the turn, after the standard ones."""
        had = self.turn.extra
        self.turn = self.turn._replace(extra=(had[0] + beings, had[1] + legends, had[2]))

    def lend(self, enemies: int = 0, empties: int = 0, colour: int = NOTHING) -> None:
        """What may stand in for own pieces in the next summon of this turn, beside what was lent already."""
        had = self.turn.bonus
        colour = had.colour if colour == NOTHING else colour
        self.turn = self.turn._replace(bonus=Bonus(had.enemies + enemies, had.empties + empties, colour))

    def delay(self) -> None:
        """Every other side has an action less in its next turn."""
        for colour in self.enemies:
            self.fewer[colour] += 1
        self.tell("delayed")

    def improvise(self, square: int) -> None:
        """The enemy piece there stands in for an own one; its colour's marker is used up (rules §14)."""
        piece = self.piece_at(square)
        self.improvised[self.me] |= 1 << piece // 3
        self.tell("improvised", square, piece)

    def count_as(self, rank: int) -> None:
        """This summon counts as one of another rank, for points and tasks."""
        *earlier, latest = self.turn.summoned
        self.turn = self.turn._replace(summoned=(*earlier, latest._replace(rank=rank)))
