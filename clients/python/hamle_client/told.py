"""What a match tells: cursors, views, steps, records."""

from __future__ import annotations

from typing import NamedTuple

from google.protobuf.message import Message
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2


class Cursor(NamedTuple):
    """A place in one particular history: the event `seq` (0: before the first) and the state hash after it."""

    seq: int = 0
    hash: bytes = b""

    @classmethod
    def from_proto(cls, cursor: match_pb2.Cursor) -> Cursor:
        """As the server sent it."""
        return cls(cursor.seq, cursor.hash)

    def to_proto(self) -> match_pb2.Cursor:
        """As the server reads it."""
        return match_pb2.Cursor(seq=self.seq, hash=self.hash)


class View:
    """The game state as one audience may see it.

    `game` is the game's own message (`hamle.coerceo.v1.View`, say), `proto` the `hamle.match.v1.View` around it. `seat`
    is the caller's seat at the match; None for a spectator, and for a view of the past.
    """

    __slots__ = ("cursor", "game", "proto", "seat")

    def __init__(self, proto: match_pb2.View, game: Message) -> None:
        self.proto = proto
        self.game = game
        self.seat: int | None = None
        self.cursor = Cursor.from_proto(proto.cursor)

    @property
    def seq(self) -> int:
        """The state is the one after this event."""
        return self.cursor.seq

    @property
    def awaited(self) -> frozenset[int]:
        """Seats that must act now."""
        return frozenset(self.proto.awaited)

    @property
    def may_act(self) -> frozenset[int]:
        """Seats that can act now."""
        return frozenset(self.proto.may_act)

    @property
    def clock(self) -> match_pb2.Clock | None:
        """The clocks; None when none runs in this match."""
        return self.proto.clock if self.proto.HasField("clock") else None

    @property
    def outcome(self) -> event_pb2.Outcome | None:
        """How the match ended; None while it goes on."""
        return self.proto.outcome if self.proto.HasField("outcome") else None

    @property
    def is_over(self) -> bool:
        """True once the match is finished or cancelled."""
        return self.proto.status in (match_pb2.MATCH_STATUS_FINISHED, match_pb2.MATCH_STATUS_CANCELLED)

    def __repr__(self) -> str:
        return f"<View of {self.game.DESCRIPTOR.full_name} at seq {self.seq}>"


class Step(NamedTuple):
    """What a watch or a replay tells at once: an event with what it did, a view, or both.

    `event` is None for the view at the head that ends the catching up of a watch. `view` is None for events that lie
    behind, and before the match has started.
    """

    cursor: Cursor
    event: event_pb2.Event | None
    facts: tuple[match_pb2.Fact, ...]
    view: View | None

    @property
    def seq(self) -> int:
        """The event's place, or the view's."""
        return self.cursor.seq

    @property
    def kind(self) -> str:
        """What the event is: `moved`, `seat_taken`, ...; empty when there is none."""
        return (self.event.WhichOneof("body") or "unknown") if self.event is not None else ""


class Done(NamedTuple):
    """A call is in the log: the last event it added, and the level at which the store keeps it."""

    cursor: Cursor
    durability: str


class Material(NamedTuple):
    """A file that a match is played with: the option that names it, the option's value, its bytes."""

    option: str
    value: str
    data: bytes


class Record(NamedTuple):
    """One record of an exported log.

    `event` are the raw bytes of a `hamle.event.v1.Event`, `hash` the state hash after it (16 bytes), `canonical` the
    canonical state that was hashed. Of a live match events are `redacted`, and hashes cannot be checked. The first
    record has the `materials` that the match is played with.
    """

    seq: int
    event: bytes
    hash: bytes
    canonical: bytes = b""
    redacted: bool = False
    materials: tuple[Material, ...] = ()


def durability_name(durability: match_pb2.Durability.ValueType) -> str:
    """`written` or `fsynced`."""
    return match_pb2.Durability.Name(durability).removeprefix("DURABILITY_").lower()
