"""Who is to be told of a match's events, and where what is told goes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from core.errors import Refused
from core.log.types import Cursor


class Sink(Protocol):
    """Where frames go: a gateway's stream, or a caller's own."""

    def push(self, ids: list[int], cursor: Cursor, frame: bytes) -> None:
        """Tells the watches `ids` a frame; `cursor` is the event it tells of, seq 0 when it tells of none."""
        ...

    def end(self, ids: list[int], refused: Refused) -> None:
        """The watches `ids` have ended."""
        ...


class Watch(NamedTuple):
    """One watch: its id at its sink, who watches (empty: a spectator), and whether views are wanted."""

    sink: Sink
    id: int
    handle: str
    omit_views: bool


def by_sink(watches: Iterable[Watch]) -> Iterable[tuple[Sink, list[int]]]:
    """The ids of the watches, sink by sink."""
    sinks: dict[int, tuple[Sink, list[int]]] = {}
    for watch in watches:
        sinks.setdefault(id(watch.sink), (watch.sink, []))[1].append(watch.id)
    return sinks.values()
