"""The card game with one promise broken, each in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from engines.kit.game import PUBLIC, Audience, Choice, Draw, Fact, IllegalMove, Outcome
from tests.engines.kit.cardgame.game import Cellar
from tests.engines.kit.cardgame.state import State

Result = tuple[State, Sequence[Fact]]


@dataclass
class Box:
    """A state that can be changed."""

    state: State


class Mutating:
    """Not a Cellar by inheritance: its states are boxes, and `apply` changes the one it is given."""

    def __init__(self) -> None:
        self._game = Cellar()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._game, name)
        if not callable(method):
            return method
        return lambda *arguments: method(*(a.state if isinstance(a, Box) else a for a in arguments))

    def setup(self, options: Mapping[str, str], seats: int, draw: Draw) -> Box:
        return Box(self._game.setup(options, seats, draw))

    def apply(self, box: Box, seat: int, move: str, draw: Draw) -> tuple[Box, Sequence[Fact]]:
        box.state, facts = self._game.apply(box.state, seat, move, draw)
        return Box(box.state), facts

    def load(self, data: bytes) -> Box:
        return Box(self._game.load(data))


class UnstableBytes(Cellar):
    def dump(self, state: State) -> bytes:
        data = super().dump(state)
        return data + b" " * (id(state) // 16 % 2)


class ForgetfulLoad(Cellar):
    def load(self, data: bytes) -> State:
        return super().load(data)._replace(left=())


class HalfCompared(Cellar):
    """Its bytes do not hold the discards, so equal bytes stand for unequal states."""

    def dump(self, state: State) -> bytes:
        return super().dump(state._replace(discards=()))


class WaitsForWhoCannotAct(Cellar):
    def awaited(self, state: State) -> frozenset[int]:
        return super().awaited(state) | ({0} if state.phase == "turns" else frozenset())


class WaitsForNobody(Cellar):
    def awaited(self, state: State) -> frozenset[int]:
        return frozenset() if state.call is not None else super().awaited(state)


class ActsAfterTheEnd(Cellar):
    def may_act(self, state: State) -> frozenset[int]:
        return super().may_act(state) or frozenset({0})


class ListsTooMuch(Cellar):
    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        found = super().choices(state, seat, prefix)
        return (*found, Choice("draw")) if not prefix and found and all(c.text != "draw" for c in found) else found


class ListsTooLittle(Cellar):
    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        found = super().choices(state, seat, prefix)
        return [c for c in found if not c.text.endswith("@1")] or found


class ListsTwice(Cellar):
    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        return [*super().choices(state, seat, prefix), *super().choices(state, seat, prefix)]


class ListsForOthers(Cellar):
    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        return super().choices(state, seat, prefix) or ([Choice("pass")] if not prefix else [])


class DeadEnds(Cellar):
    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        return () if prefix.startswith("call:") else super().choices(state, seat, prefix)


class IgnoresThePrefix(Cellar):
    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        return super().choices(state, seat, "" if prefix == "draw" else prefix)


class PadsMoves(Cellar):
    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        return [c._replace(text=f"{c.text} ") if c.text == "end" else c for c in super().choices(state, seat, prefix)]

    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        return super().apply(state, seat, move.removesuffix(" ") if move == "end " else move, draw)


class StripsMoves(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        return super().apply(state, seat, move.strip(), draw)


class TakesWideDigits(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        plain = "".join(str(int(c)) if c.isdigit() else c for c in move)
        return super().apply(state, seat, plain, draw)


class Crashes(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        move.encode("ascii")
        return super().apply(state, seat, move, draw)


class RefusesWithoutARule(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        try:
            return super().apply(state, seat, move, draw)
        except IllegalMove as error:
            raise IllegalMove(error.what, rule="", expected=error.expected) from None


class SkipsPlaces(Cellar):
    def outcome(self, state: State) -> Outcome | None:
        found = super().outcome(state)
        return found and found._replace(placements=tuple(p._replace(place=p.place + 1) for p in found.placements))


class SplitsTeams(Cellar):
    def outcome(self, state: State) -> Outcome | None:
        found = super().outcome(state)
        return found and found._replace(placements=tuple(p._replace(team=0) for p in found.placements))


class EndsForNoReason(Cellar):
    def outcome(self, state: State) -> Outcome | None:
        found = super().outcome(state)
        return found and found._replace(reason="because")


class NeverEnds(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        after, facts = super().apply(state, seat, move, draw)
        return after._replace(round=1), facts


class TellsWhatHasNoSentence(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        after, facts = super().apply(state, seat, move, draw)
        return after, [fact._replace(kind=f"{fact.kind}!") for fact in facts]


class TellsHalf(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        after, facts = super().apply(state, seat, move, draw)
        return after, [fact._replace(parameters=fact.parameters[1:]) for fact in facts]


class TellsNobodyKnown(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        after, facts = super().apply(state, seat, move, draw)
        return after, [fact._replace(audiences=frozenset({9})) for fact in facts]


class KeepsWhoLeft(Cellar):
    def may_act(self, state: State) -> frozenset[int]:
        return super().may_act(state) | (frozenset(state.left) if state.phase == "turns" else frozenset())


class WritesWide(Cellar):
    def text(self, view: Message, audience: Audience, language: str) -> str:
        return super().text(view, audience, language) + "\n" + "=" * 101


class WritesColours(Cellar):
    def text(self, view: Message, audience: Audience, language: str) -> str:
        return "\x1b[1m" + super().text(view, audience, language)


class DisturbsNobody(Cellar):
    def undisturbed(self, before: Any, after: Any) -> frozenset[int]:
        return frozenset(range(len(before.places)))


class HidesOwnMoves(Cellar):
    def redact(self, state: State, seat: int, move: str, audience: Audience) -> str:
        return super().redact(state, seat, move, PUBLIC)


class HashOrder(Cellar):
    """The order of its choices is that of a set of texts."""

    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        found = {choice.text: choice for choice in super().choices(state, seat, prefix)}
        return [found[text] for text in set(found)]


HASH_ORDER = HashOrder()

BROKEN: Mapping[str, Any] = {
    "immutability": [Mutating],
    "dump": [UnstableBytes],
    "load": [ForgetfulLoad, HalfCompared],
    "awaited": [WaitsForWhoCannotAct, WaitsForNobody],
    "may_act": [ActsAfterTheEnd],
    "choices": [ListsTooMuch, ListsTwice, ListsForOthers, DeadEnds, IgnoresThePrefix],
    "notation": [PadsMoves],
    "apply": [ListsTooLittle, StripsMoves, TakesWideDigits, Crashes, RefusesWithoutARule],
    "outcome": [SkipsPlaces, SplitsTeams, EndsForNoReason],
    "match": [NeverEnds],
    "facts": [TellsWhatHasNoSentence, TellsHalf, TellsNobodyKnown],
    "leave": [KeepsWhoLeft],
    "text": [WritesWide, WritesColours],
    "undisturbed": [DisturbsNobody],
    "redact": [HidesOwnMoves],
}
