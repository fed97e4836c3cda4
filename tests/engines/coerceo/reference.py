"""Coerceo done slowly with sets of names, on the grid form of the rules page: nothing is shared with the engine."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

Cell = tuple[int, int]


def _cells() -> dict[str, Cell]:
    """Row and column of every field in the 15 by 10 grid of rules §2."""
    cells = {}
    for x in range(-2, 3):
        for y in range(-2, 3):
            if abs(x + y) > 2:
                continue
            tile = "abcde"[x + 2] + str(y + 3 + min(x, 0))
            row, column = 4 - 2 * y - x, 6 + 3 * x
            for letter, down, right in zip("afebcd", (0, 0, 0, 1, 1, 1), (0, 1, 2, 0, 1, 2), strict=True):
                cells[tile + letter] = (row + down, column + right)
    return cells


CELL = _cells()
AT = {cell: name for name, cell in CELL.items()}
WHITE_LETTERS = "ace"


def colour(name: str) -> int:
    return 0 if name[2] in WHITE_LETTERS else 1


def edges(name: str) -> set[str]:
    """Fields that share a side: left, right, and below an upright triangle or above one that stands on its tip."""
    row, column = CELL[name]
    beyond = (row + 1, column) if colour(name) == 0 else (row - 1, column)
    return {AT[cell] for cell in ((row, column - 1), (row, column + 1), beyond) if cell in AT}


def targets(name: str) -> set[str]:
    return {target for edge in edges(name) for target in edges(edge)} - {name}


def joined(tile: str) -> list[str | None]:
    """The tile's neighbours in ring order, clockwise from the top."""
    ring: list[str | None] = []
    for letter in "fedcba":
        outside = [edge[:2] for edge in edges(tile + letter) if edge[:2] != tile]
        ring.append(outside[0] if outside else None)
    return ring


def removable(pattern: list[bool]) -> bool:
    """At most three joined sides, all consecutive around the ring."""
    count = sum(pattern)
    if count > 3:
        return False
    return any(all(pattern[(first + side) % 6] for side in range(count)) for first in range(6))


@dataclass(frozen=True)
class Position:
    tiles: frozenset[str]
    pieces: tuple[frozenset[str], frozenset[str]]
    turn: int
    stock: tuple[int, int]
    cost: int = 2
    seen: tuple[tuple[object, ...], ...] = field(default=())

    @property
    def own(self) -> frozenset[str]:
        return self.pieces[self.turn]

    @property
    def other(self) -> frozenset[str]:
        return self.pieces[1 - self.turn]

    @property
    def key(self) -> tuple[object, ...]:
        return (self.tiles, self.pieces, self.turn, self.stock)

    @property
    def occurrences(self) -> int:
        return Counter(self.seen)[self.key]

    @property
    def stuck(self) -> bool:
        return not moves(self)

    @property
    def dead(self) -> bool:
        return [len(side) for side in self.pieces] == [1, 1] and len(self.tiles) - 1 + max(self.stock) < self.cost


@dataclass(frozen=True)
class Done:
    position: Position
    removed: tuple[str, ...]
    captured: frozenset[str]


def begin(position: Position) -> Position:
    return replace(position, seen=(position.key,))


def moves(position: Position) -> set[str]:
    occupied = position.pieces[0] | position.pieces[1]
    found = {
        f"{source}-{target}"
        for source in position.own
        for target in targets(source)
        if target[:2] in position.tiles and target not in occupied
    }
    if position.stock[position.turn] >= position.cost:
        found |= {f"x{name}" for name in position.other}
    return found


def play(position: Position, move: str) -> Done:
    assert move in moves(position), move
    own, other, tiles = set(position.own), set(position.other), set(position.tiles)
    stock = list(position.stock)
    suspects: set[str] = set()
    exchange = move[0] == "x"
    if exchange:
        left = move[1:3]
        other.remove(move[1:])
        stock[position.turn] -= position.cost
    else:
        source, target = move.split("-")
        left = source[:2]
        own.remove(source)
        own.add(target)
        suspects |= edges(target)
    removed: list[str] = []
    waiting = [left]
    while waiting:
        tile = waiting.pop(0)
        if tile not in tiles or any(name[:2] == tile for name in own | other):
            continue
        ring = joined(tile)
        if removable([side in tiles for side in ring]):
            tiles.remove(tile)
            removed.append(tile)
            waiting += [side for side in ring if side is not None]
            suspects |= {edge for letter in "abcdef" for edge in edges(tile + letter)}
    captured = {name for name in suspects & other if all(edge in own for edge in edges(name) if edge[:2] in tiles)}
    other -= captured
    if not exchange:
        stock[position.turn] += len(removed)
    mine, yours = frozenset(own), frozenset(other)
    after = Position(
        tiles=frozenset(tiles),
        pieces=(mine, yours) if position.turn == 0 else (yours, mine),
        turn=1 - position.turn,
        stock=(stock[0], stock[1]),
        cost=position.cost,
        seen=position.seen,
    )
    return Done(replace(after, seen=(*after.seen, after.key)), tuple(removed), frozenset(captured))


def threat(position: Position) -> bool:
    """The side that has just moved could capture by a plain move if it were to move again."""
    again = replace(position, turn=1 - position.turn)
    return any(play(again, move).captured for move in moves(again) if move[0] != "x")
