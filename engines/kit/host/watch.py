"""Who is to be told of a match's events, and where what is told goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from core.errors import Refused
from core.log.types import Cursor
from engines.kit.fold import audience_of
from engines.kit.game import EVERYBODY, Audience
from engines.kit.life import Life
from engines.kit.state import AnyGame, MatchState


class Sink(Protocol):
    """Where frames go: a gateway's stream, or a caller's own."""

    def push(self, ids: Sequence[int], cursor: Cursor, frame: bytes) -> None:
        """Tells the watches `ids` a frame; `cursor` is the event it tells of, seq 0 when it tells of none."""
        ...

    def end(self, ids: Sequence[int], refused: Refused) -> None:
        """The watches `ids` have ended."""
        ...


class Watch(NamedTuple):
    """One watch: its id at its sink, who watches (empty: a spectator), and whether views are wanted."""

    sink: Sink
    id: int
    handle: str
    omit_views: bool


def by_sink(watches: Iterable[Watch]) -> list[tuple[Sink, tuple[int, ...]]]:
    """The ids of the watches, sink by sink."""
    sinks: dict[int, tuple[Sink, list[int]]] = {}
    for watch in watches:
        sinks.setdefault(id(watch.sink), (watch.sink, []))[1].append(watch.id)
    return [(sink, tuple(ids)) for sink, ids in sinks.values()]


class Group(NamedTuple):
    """Watches that are told the same bytes: as whom, whether without views, and their ids at each sink."""

    audience: Audience
    omit_views: bool
    ids: Sequence[tuple[Sink, tuple[int, ...]]]


class Watched:
    """The watches of one match by their keys."""

    __slots__ = ("_groups", "_life", "_watches")

    def __init__(self) -> None:
        self._watches: dict[object, Watch] = {}
        self._groups: Sequence[Group] | None = None
        self._life: Life | None = None

    def __len__(self) -> int:
        return len(self._watches)

    def add(self, key: object, watch: Watch) -> None:
        """One more."""
        self._watches[key] = watch
        self._groups = None

    def discard(self, key: object) -> None:
        """One less, if it is there."""
        self._watches.pop(key, None)
        self._groups = None

    def take(self) -> list[Watch]:
        """All of them; none is left."""
        watches = list(self._watches.values())
        self._watches.clear()
        self._groups = None
        return watches

    def by_sink(self) -> list[tuple[Sink, tuple[int, ...]]]:
        """The ids of all, sink by sink."""
        return by_sink(self._watches.values())

    def groups(self, game: AnyGame, state: MatchState) -> Sequence[Group]:
        """The groups at a state. Where nothing is hidden all audiences are one.

        They are kept until a watch comes or goes, or the life changes: who sees what depends on nothing else.
        """
        if self._groups is None or self._life is not state.life:
            self._groups, self._life = self._grouped(game, state), state.life
        return self._groups

    def _grouped(self, game: AnyGame, state: MatchState) -> Sequence[Group]:
        secrets = game.info.has_secrets
        found: dict[tuple[Audience, bool], list[Watch]] = {}
        for watch in self._watches.values():
            audience = audience_of(state, watch.handle) if secrets else EVERYBODY
            found.setdefault((audience, watch.omit_views), []).append(watch)
        return [Group(audience, omit, by_sink(group)) for (audience, omit), group in found.items()]
