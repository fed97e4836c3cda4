"""What effects are written in: questions to whoever decides, and what follows from the answers (rules §9).

An effect is a generator that takes a `Scene`; `yield from` one of its questions gives the answer. `may_...` asks
something optional, which can be declined; `must_...` and `pick` do not ask where there is one possible answer, and do
nothing where there is none. A question without any possible answer is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final, NamedTuple, TypeVar

from engines.tashkalar.board import ALL, DIRECTION_TO, NEIGHBOURS, STEP, bits
from engines.tashkalar.cards import BEINGS
from engines.tashkalar.hand import Hand
from engines.tashkalar.images import Marks
from engines.tashkalar.look import ELSEWHERE
from engines.tashkalar.pieces import COMMON, NOTHING, rank_of

Option = int | tuple[int, int] | str
"""An answer: a square, a step from one square to another, or a word."""


class Request(NamedTuple):
    """A question: its possible answers, at least one, and whether it can be declined."""

    options: Sequence[Option]
    optional: bool


T = TypeVar("T")
Asking = Generator[Request, Option | None, T]
"""Something that asks before it gives a `T`. It is sent one of the options, or None for a declined question."""

ALL_DIRECTIONS: Final = tuple(range(8))
COLOUR_WORDS: Final = ("colour-0", "colour-1", "colour-2", "colour-3")
"""How answers name colours."""
DIRECTION_NAMES: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


class Step(NamedTuple):
    """A step or leap that was made, the piece that it captured, or NOTHING, and the rank of the piece that made it."""

    start: int
    to: int
    captured: int
    rank: int

    @property
    def direction(self) -> int:
        """Its direction, 0..7; of a leap only when it went along one."""
        return DIRECTION_TO[self.start][self.to]

    @property
    def needed_combat(self) -> bool:
        """It captured a piece of its own rank, as no standard move can.

        So "a combat and two standard moves, in any order" are three moves of which at most one needs combat.
        """
        return self.captured != NOTHING and rank_of(self.captured) == self.rank


Run = list[Step]
"""Moves in the order in which they were made."""


class Scene(Hand):
    """The arena with questions. `marks` are the summoned card's, as they lie on the board."""

    __slots__ = ("marks",)

    marks: Marks

    @property
    def marked(self) -> int:
        """The card's marked squares."""
        return self.marks.squares

    # Questions that change nothing.

    def pick(self, squares: int) -> Asking[int]:
        """One of the squares; NOTHING where there is none."""
        if not squares:
            return NOTHING
        if squares & (squares - 1) == 0:
            return squares.bit_length() - 1
        answer = yield Request(tuple(bits(squares)), optional=False)
        assert isinstance(answer, int)
        return answer

    def may_pick(self, squares: int) -> Asking[int]:
        """One of the squares, or NOTHING."""
        if not squares:
            return NOTHING
        answer = yield Request(tuple(bits(squares)), optional=True)
        if answer is None:
            return NOTHING
        assert isinstance(answer, int)
        return answer

    def choose(self, words: Sequence[str]) -> Asking[str]:
        """One of the words, `` where there is none."""
        if len(words) < 2:
            return words[0] if words else ""
        answer = yield Request(words, optional=False)
        assert isinstance(answer, str)
        return answer

    def may_choose(self, words: Sequence[str]) -> Asking[str]:
        """One of the words, or `` when declined."""
        if not words:
            return ""
        answer = yield Request(words, optional=True)
        assert answer is None or isinstance(answer, str)
        return answer or ""

    def may(self, word: str) -> Asking[bool]:
        """Whether to do what the word says."""
        return (yield from self.may_choose((word,))) != ""

    def colour(self, colours: Sequence[int]) -> Asking[int]:
        """One of the colours; NOTHING where there is none."""
        word = yield from self.choose([COLOUR_WORDS[colour] for colour in colours])
        return COLOUR_WORDS.index(word) if word else NOTHING

    def direction(self, directions: Sequence[int]) -> Asking[int]:
        """One of the directions; NOTHING where there is none."""
        word = yield from self.choose([DIRECTION_NAMES[direction] for direction in directions])
        return DIRECTION_NAMES.index(word) if word else NOTHING

    def may_direction(self, directions: Sequence[int]) -> Asking[int]:
        """One of the directions, or NOTHING."""
        word = yield from self.may_choose([DIRECTION_NAMES[direction] for direction in directions])
        return DIRECTION_NAMES.index(word) if word else NOTHING

    # Moves.

    def may_go(self, ways: Sequence[tuple[int, int]]) -> Asking[Step | None]:
        """One of these steps, from and to, is made, or none is."""
        if not ways:
            return None
        return self._make((yield Request(ways, optional=True)))

    def must_go(self, ways: Sequence[tuple[int, int]]) -> Asking[Step | None]:
        """One of these steps, from and to, is made, if there are any."""
        if len(ways) < 2:
            return self._make(ways[0] if ways else None)
        return self._make((yield Request(ways, optional=False)))

    def _make(self, step: Option | None) -> Step | None:
        if step is None:
            return None
        assert isinstance(step, tuple)
        start, to = step
        rank = self.rank_at(start)
        return Step(start, to, self.move(start, to), rank)

    def may_step(self, movers: int, how: int, onto: int = ALL) -> Asking[Step | None]:
        """One of the movers makes a move onto one of the squares, or none does."""
        return (yield from self.may_go(self.ways(movers, how, onto, NEIGHBOURS)))

    def must_step(self, movers: int, how: int) -> Asking[Step | None]:
        """One of the movers makes a move if any can."""
        return (yield from self.must_go(self.ways(movers, how, ALL, NEIGHBOURS)))

    def may_steps(self, most: int, movers: Callable[[], int], how: int) -> Asking[Run]:
        """Up to so many moves in total by the movers, which are looked up before each."""
        made: Run = []
        while len(made) < most:
            step = yield from self.may_step(movers(), how)
            if step is None:
                break
            made.append(step)
        return made

    def may_run(self, movers: int, how: int, directions: Sequence[int] = ALL_DIRECTIONS, most: int = 8) -> Asking[Run]:
        """One of the movers makes up to `most` moves straight on, in one of the directions, or none moves.

        Asked as one step from the first to the last square. It captures whatever it enters.
        """
        return (yield from self.may_run_along(self.runs(movers, how, directions, most)))

    def may_run_along(self, ways: Sequence[tuple[int, int]]) -> Asking[Run]:
        """One of these runs straight on, from and to, is made, or none is. It captures whatever it enters."""
        if not ways:
            return []
        answer = yield Request(ways, optional=True)
        if answer is None:
            return []
        assert isinstance(answer, tuple)
        return self.run(*answer)

    def run(self, start: int, to: int) -> Run:
        """The piece moves straight on to the square and captures whatever it enters."""
        made = []
        direction = DIRECTION_TO[start][to]
        while start != to:
            next_one = STEP[start][direction]
            assert next_one is not None
            step = self._make((start, next_one))
            assert step is not None
            made.append(step)
            start = next_one
        return made

    def may_leap(self, square: int, how: int, onto: int = ALL) -> Asking[Step | None]:
        """The piece leaps onto one of the squares, whatever lies between, or it does not. NOTHING leaps nowhere."""
        return (yield from self.may_any_leap(0 if square == NOTHING else 1 << square, how, onto))

    def may_any_leap(self, movers: int, how: int, onto: int = ALL) -> Asking[Step | None]:
        """One of the movers leaps onto one of the squares, or none does."""
        return (yield from self.may_go(self.ways(movers, how, onto, ELSEWHERE)))

    # Changes somebody picks.

    def may_destroy(self, squares: int) -> Asking[int]:
        """One of the pieces on the squares is destroyed, or none; returns the piece, or NOTHING."""
        square = yield from self.may_pick(squares & ~self.empty)
        return NOTHING if square == NOTHING else self.destroy(square)

    def must_destroy(self, squares: int) -> Asking[int]:
        """One of the pieces on the squares is destroyed if there are any; returns the piece, or NOTHING."""
        square = yield from self.pick(squares & ~self.empty)
        return NOTHING if square == NOTHING else self.destroy(square)

    def may_place(self, squares: int) -> Asking[int]:
        """An own common is placed on one of the squares that are empty, or not; returns where, or NOTHING."""
        square = yield from self.may_pick(self.placeable(squares))
        if square != NOTHING:
            self.place(square, COMMON)
        return square

    def must_place(self, squares: int = ALL, rank: int = COMMON) -> Asking[int]:
        """An own piece is placed on one of the squares that are empty, if possible; returns where, or NOTHING."""
        square = yield from self.pick(self.placeable(squares, rank))
        if square != NOTHING:
            self.place(square, rank)
        return square

    def may_upgrade(self, squares: int) -> Asking[int]:
        """One of the pieces on the squares is upgraded, or none; returns where, or NOTHING."""
        square = yield from self.may_pick(self.upgradable(squares))
        if square != NOTHING:
            self.upgrade(square)
        return square

    def must_upgrade(self, squares: int) -> Asking[int]:
        """One of the pieces on the squares is upgraded, if possible; returns where, or NOTHING."""
        square = yield from self.pick(self.upgradable(squares))
        if square != NOTHING:
            self.upgrade(square)
        return square

    def may_convert(self, squares: int, rank: int | None = None) -> Asking[int]:
        """One of the enemy pieces on the squares is converted, to this rank or its own, or none; returns where."""
        square = yield from self.may_pick(self.convertible(squares, rank))
        if square != NOTHING:
            self.convert(square, rank)
        return square

    def freeze(self, card: int) -> Asking[None]:
        """The card becomes the frozen effect before the seat; of two one is kept, the other is discarded."""
        other = self.player.frozen
        if other != NOTHING:
            kept = yield from self.choose([BEINGS[card].key, BEINGS[other].key])
            if kept != BEINGS[card].key:
                card, other = other, card
            self.to_discards(other)
            self.tell("discarded", other)
        self.player = self.player._replace(frozen=card)
        self.tell("frozen", card)
