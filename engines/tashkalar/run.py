"""A move on its way: it is run from its start with the answers that are there, until it asks for the next."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.game import IllegalMove
from engines.tashkalar import actions
from engines.tashkalar.legal import Placing, check
from engines.tashkalar.notation import SEPARATOR, Head, Kind, read, read_head, write
from engines.tashkalar.scene import Asking, Option, Request, Scene
from engines.tashkalar.state import State
from engines.tashkalar.summoning import Way


class Run:
    """A begun move: the scene, the answers so far, and the question that comes next, None when the move is made.

    `way` is what its head says beyond the card.
    """

    __slots__ = ("_asking", "answers", "head", "request", "scene", "way")

    def __init__(self, head: Head, way: Way | Placing | None, scene: Scene) -> None:
        self.head = head
        self.way = way
        self.scene = scene
        self.answers: list[Option | None] = []
        self.request: Request | None = None
        self._asking: Asking[None] | None = actions.start(scene, head, way)
        if self._asking is not None:
            self.request = next(self._asking, None)

    def answer(self, option: Option | None) -> None:
        """Goes on with one of the options of the question, or None where it is optional."""
        assert self._asking is not None
        self.answers.append(option)
        try:
            self.request = self._asking.send(option)
        except StopIteration:
            self.request = None


def begin(state: State, seat: int, head: Head) -> Run:
    """The move, begun. Raises `IllegalMove`."""
    scene = Scene(state, seat)
    return Run(head, check(scene, head), scene)


def again(run: Run, answers: Sequence[Option | None]) -> Run:
    """The same move with these answers, which must be possible ones."""
    before = run.scene.before
    other = Run(run.head, run.way, Scene(before, run.scene.seat))
    for answer in answers:
        other.answer(answer)
    return other


def run(state: State, seat: int, text: str) -> Run:
    """The move with the answers in its text. Raises `IllegalMove`, also for answers that are not asked for."""
    first, *answers = text.split(SEPARATOR)
    head = read_head(first)
    if head is None:
        raise IllegalMove("the text names no move", rule="rules §6", expected="a move as ListChoices writes it")
    found = begin(state, seat, head)
    for answer in answers:
        take(found, answer)
    return found


def take(found: Run, text: str) -> None:
    """Goes on with an answer as text. Raises `IllegalMove`."""
    option, request = read(text), found.request
    if request is None:
        raise IllegalMove("nothing more is asked", rule="rules §9", expected="the move without its last answer")
    if not (request.optional if option is None else option in request.options):
        raise IllegalMove(f"{text[:8]!r} is no answer here", rule="rules §9", expected=f"one of {listed(request)}")
    found.answer(option)


def listed(request: Request) -> str:
    """Some of the possible answers, for people."""
    return ", ".join(map(write, request.options[:8])) + (", ..." if len(request.options) > 8 else "")


__all__ = ["Kind", "Run", "again", "begin", "listed", "run", "take"]
