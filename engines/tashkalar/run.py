"""A move on its way: it is run from its start with the answers that are there, until it asks for the next."""

from __future__ import annotations

from engines.kit.game import IllegalMove
from engines.tashkalar import actions
from engines.tashkalar.legal import check
from engines.tashkalar.notation import SEPARATOR, Head, Kind, read, read_head, write
from engines.tashkalar.scene import Asking, Option, Request, Scene
from engines.tashkalar.state import State


class Run:
    """A begun move: the scene, the answers so far, and the question that comes next, None when the move is made."""

    __slots__ = ("_asking", "answers", "head", "request", "scene")

    def __init__(self, head: Head, scene: Scene, asking: Asking[None] | None) -> None:
        self.head = head
        self.scene = scene
        self.answers: list[Option | None] = []
        self.request: Request | None = None
        self._asking = asking
        if asking is not None:
            self.request = next(asking, None)

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
    way = check(scene, head)
    return Run(head, scene, actions.start(scene, head, way))


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
        listed = ", ".join(map(write, request.options[:8])) + (", ..." if len(request.options) > 8 else "")
        raise IllegalMove(f"{text[:8]!r} is no answer here", rule="rules §9", expected=f"one of {listed}")
    found.answer(option)


__all__ = ["Kind", "Run", "begin", "run", "take"]
