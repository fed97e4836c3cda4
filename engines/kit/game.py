"""What a rules author writes: one `Game` a game. The kit does everything else.

States are immutable values: `apply` returns a new one, so fork, undo, search and caching cost nothing. A game imports
nothing of gRPC, Redis or asyncio, and takes chance only from the `Draw` it is handed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from google.protobuf.message import Message

S = TypeVar("S")

PUBLIC: Final = -1
"""Audience of whoever has no seat. Seats are audiences 0..n-1."""
EVERYBODY: Final = -2
"""Audience once the match is over: nothing is hidden any more."""

Audience = int
"""A seat number, `PUBLIC` or `EVERYBODY`."""


class Fact(NamedTuple):
    """What a move did, told for people and screens.

    `kind` is a key of the game's catalogues; `parameters` fill the sentence's placeholders. `audiences` names who may
    know it; None: everybody.
    """

    kind: str
    parameters: tuple[tuple[str, str], ...] = ()
    audiences: frozenset[Audience] | None = None


class Choice(NamedTuple):
    """A legal way to go on with a move: its text so far, the things it touches, whether it is a move as it stands."""

    text: str
    targets: tuple[str, ...] = ()
    complete: bool = True


class Placement(NamedTuple):
    """How a seat ended: place 1 is first, seats that tie share a place; `score` where the game counts points."""

    seat: int
    place: int
    score: int | None = None
    team: int | None = None


class Outcome(NamedTuple):
    """How a match ended; `reason` is a key of the game's catalogues."""

    placements: tuple[Placement, ...]
    reason: str


class Draw(Protocol):
    """Chance, keyed by (match seed, seq of the event, purpose, counter). A used draw makes a barrier for undo."""

    def below(self, n: int, purpose: str) -> int:
        """A uniform number in 0..n-1; n >= 1."""
        ...

    def shuffle(self, items: Sequence[object], purpose: str) -> tuple[object, ...]:
        """The items in a uniformly drawn order."""
        ...


class IllegalMove(Exception):
    """The rules forbid the move.

    `rule` names the section of the rules page, `expected` says what would be taken, and `what` what was wrong. The
    texts must tell nothing that the mover may not know.
    """

    def __init__(self, what: str, *, rule: str, expected: str) -> None:
        super().__init__(f"{what}; expected {expected} ({rule})")
        self.what = what
        self.rule = rule
        self.expected = expected


class Problem(NamedTuple):
    """Something that is wrong in a file: the place, and what is wrong there and was expected."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


class MaterialInvalid(ValueError):
    """The game cannot be played with a file; `problems` are all that were found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class OptionSpec(NamedTuple):
    """An option: its name, what it does in one sentence, the values it can have; the first is the default.

    The values of an option with `materials` name files, `<name>-<SHA-256 in hex>`; `materials` holds the bytes of each.
    """

    name: str
    description: str
    values: tuple[str, ...]
    materials: Mapping[str, bytes] | None = None


@dataclass(frozen=True)
class GameInfo:
    """What a game is. `catalogues` hold, by language, a sentence for each fact kind, outcome reason and label.

    `undo_after_showing`: the rules let a seat take back a move by which it has shown others hidden things of its own.
    What others held and what was in no hand stays a barrier.
    """

    game: str
    title: str
    rules: str
    min_seats: int
    max_seats: int
    options: tuple[OptionSpec, ...] = ()
    has_secrets: bool = False
    may_resign: bool = True
    undo_after_showing: bool = False
    seat_names: tuple[str, ...] = ()
    catalogues: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


class Game(Protocol[S]):
    """The rules of one game."""

    info: GameInfo

    def setup(self, options: Mapping[str, str], seats: int, draw: Draw) -> S:
        """The state at the start. `options` holds a value for every option of `info`."""
        ...

    def awaited(self, state: S) -> frozenset[int]:
        """Seats that must act; clocks and absence follow these. Empty when the game is over."""
        ...

    def may_act(self, state: S) -> frozenset[int]:
        """Seats that can act. Never depends on hidden things."""
        ...

    def choices(self, state: S, seat: int, prefix: str = "") -> Sequence[Choice]:
        """The legal continuations of `prefix` for the seat; empty when it cannot act or nothing begins so.

        Every complete choice is taken by `apply`, and every move that `apply` takes can be reached part by part.
        """
        ...

    def apply(self, state: S, seat: int, move: str, draw: Draw) -> tuple[S, Sequence[Fact]]:
        """The state after the seat's move, and what the move did. Raises `IllegalMove`.

        The kit has made sure that `seat` is in `may_act(state)`. Must be fast: replay is made of it.
        """
        ...

    def leave(self, state: S, seat: int, draw: Draw) -> tuple[S, Sequence[Fact]]:
        """The state after the seat resigned or its time ran out; the others may play on."""
        ...

    def may_resign(self, state: S) -> bool:
        """Whether seats may give up as the match stands; asked only where `info.may_resign`. Clocks do not ask."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended; None while it goes on."""
        ...

    def view(self, state: S, audience: Audience) -> Message:
        """What the audience may see, with all that it lawfully remembers: a message of the game's own."""
        ...

    def redact(self, state: S, seat: int, move: str, audience: Audience) -> str:
        """The seat's move, made in `state`, as the audience may read it."""
        ...

    def imagine(self, view: Message, audience: Audience, draw: Draw) -> S:
        """A full state that agrees with the view; what is hidden is drawn uniformly from what is possible."""
        ...

    def dump(self, state: S) -> bytes:
        """Canonical bytes: equal states, equal bytes, on every machine and in every version of these rules."""
        ...

    def load(self, data: bytes) -> S:
        """The state that `dump` wrote."""
        ...

    def barrier(self, before: S, after: S) -> bool:
        """True when a move from `before` to `after` cannot be undone: the turn ended, or the game says so.

        The kit itself adds two: a draw was used, or a fact for some told somebody else something. What the view shows
        others by the move, and what the mover learns by it, is the game's to know; the conformance suite looks.
        """
        ...

    def undisturbed(self, before: S, after: S) -> frozenset[int]:
        """Seats whose own options, and what they see of the decision, are the same in both states.

        Their moves stay valid although they decided on `before`. Empty is always right.
        """
        ...

    def limit_ms(self, state: S) -> int | None:
        """Milliseconds, from the event that led here, after which `time_out` is called; None: no limit.

        Where `limit_goes_on` says so they count from an earlier event.
        """
        ...

    def limit_goes_on(self, before: S, after: S) -> bool:
        """True when the limit of `after` is that of `before`, still running: it counts from where it began."""
        ...

    def time_out(self, state: S, draw: Draw) -> tuple[S, Sequence[Fact]]:
        """The state after the limit of `limit_ms` has passed."""
        ...

    def text(self, view: Message, audience: Audience, language: str) -> str:
        """The view as text for a terminal, without colours, at most 100 columns wide."""
        ...

    def with_material(self, option: str, data: bytes) -> Game[S]:
        """The same rules with one value more for the option, the last: the one that names `data`.

        Asked only for options with materials. Raises `MaterialInvalid`.
        """
        ...


class GameDefaults(Generic[S]):
    """Answers that most games give; a game inherits them and overrides what differs."""

    def may_resign(self, state: S) -> bool:
        """Any time."""
        return True

    def barrier(self, before: S, after: S) -> bool:
        """No undo: every move ends the turn."""
        return True

    def undisturbed(self, before: S, after: S) -> frozenset[int]:
        """A move changes everybody's decision."""
        return frozenset()

    def limit_ms(self, state: S) -> int | None:
        """No limit of the game's own."""
        return None

    def limit_goes_on(self, before: S, after: S) -> bool:
        """Each event begins a limit of its own."""
        return False

    def time_out(self, state: S, draw: Draw) -> tuple[S, Sequence[Fact]]:
        """Never called: `limit_ms` gives no limit."""
        raise AssertionError("time_out of a game without a limit")

    def with_material(self, option: str, data: bytes) -> Game[S]:
        """Never called: no option has materials."""
        raise AssertionError("a material for a game without materials")
