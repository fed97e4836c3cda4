"""A match's past as it is folded from its records, each held against its stored hash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.errors import Refused
from core.log.types import HASH_BYTES, Cursor, Record
from core.materials.naming import Material, missing
from engines.kit.fold import Folded, FoldedEvent, fold
from engines.kit.game import IllegalMove
from engines.kit.materials import unknown, with_materials
from engines.kit.requests import Done
from engines.kit.state import AnyGame, MatchState
from engines.kit.steps import FoldError

_parse = event_pb2.Event.FromString


class HashDiffers(FoldError):
    """The fold of an event gives another hash than the log holds: the event, the log or the rules were changed.

    `folded` is what these rules make of it, `before` the state it was applied to.
    """

    def __init__(self, seq: int, stored: bytes, folded: Folded, before: MatchState | None) -> None:
        super().__init__(seq, f"the log holds the state hash {stored.hex()}", folded.hash.hex())
        self.stored = stored
        self.folded = folded
        self.before = before


class History:
    """A match from its first event to some event: the state there, all state hashes, and which calls were done.

    `games` are the games by rules version, `materials` what the match is played with and they may not know. `latest` is
    the state after the last event; None: there is none yet.
    """

    __slots__ = ("_games", "done", "game", "hash", "hashes", "latest", "materials")

    def __init__(self, games: Mapping[str, AnyGame], materials: Iterable[Material] = ()) -> None:
        self._games = games
        self.materials = materials
        self.latest: MatchState | None = None
        self.game: AnyGame
        self.hash = b""
        self.hashes = bytearray()
        self.done: dict[int, Done] = {}

    @property
    def state(self) -> MatchState:
        """The state after the last event; there must be one."""
        assert self.latest is not None
        return self.latest

    @property
    def seq(self) -> int:
        """The last event; 0: none."""
        return len(self.hashes) // HASH_BYTES

    @property
    def head(self) -> Cursor:
        """The last event's place."""
        return Cursor(self.seq, self.hash)

    def hash_at(self, seq: int) -> bytes:
        """The state hash after an event, 1 <= seq <= the last; none after seq 0."""
        return bytes(self.hashes[(seq - 1) * HASH_BYTES : seq * HASH_BYTES])

    def cursor_at(self, seq: int) -> Cursor:
        """The place of an event."""
        return Cursor(seq, self.hash_at(seq))

    def add(self, record: Record) -> tuple[event_pb2.Event, MatchState | None, Folded]:
        """Folds the next record: the event, the state before it and what it led to.

        Raises `FoldError` (`HashDiffers` when only the hash is wrong), RULES_UNAVAILABLE, MATERIAL_MISSING,
        MATERIAL_INVALID.
        """
        before = self.latest
        seq = len(self.hashes) // HASH_BYTES + 1
        stored_seq, raw, stored = record
        if stored_seq != seq:
            raise FoldError(seq, f"the log goes on with event {stored_seq}", str(seq))
        try:
            event = _parse(raw)
        except Exception as broken:
            raise FoldError(seq, "the bytes are not an event", "a hamle.event.v1.Event") from broken
        if before is None:
            self.game = self._game(event, seq)
        try:
            folded = fold(self.game, before, self.hash, event, raw)
        except IllegalMove as wrong:
            raise FoldError(seq, str(wrong)) from wrong
        if folded.hash != stored:
            raise HashDiffers(seq, stored, folded, before)
        self._note(event, folded, seq)
        return event, before, folded

    def _game(self, event: event_pb2.Event, seq: int) -> AnyGame:
        if event.WhichOneof("body") != "created":
            raise FoldError(seq, f"the first event is {event.WhichOneof('body')}", "created")
        rules = event.created.rules
        game = self._games.get(rules)
        if game is None:
            raise Refused(
                error_pb2.REASON_RULES_UNAVAILABLE,
                f"Nothing here runs the rules {rules}; there are {', '.join(self._games)}. Start an engine with them.",
                {"rules": rules},
            )
        game = with_materials(game, self.materials)
        for option, value in unknown(game.info, event.created.options):
            raise missing(option, value)
        return game

    def take(self, game: AnyGame, steps: Iterable[FoldedEvent]) -> None:
        """Goes on with events that were just appended."""
        self.game = game
        for step in steps:
            self._note(step.event, step.folded, step.folded.state.seq)

    def _note(self, event: event_pb2.Event, folded: Folded, seq: int) -> None:
        self.latest, self.hash, _ = folded
        self.hashes += self.hash
        if event.HasField("request"):
            request = event.request
            key = request.key
            earlier = self.done.get(key)
            self.done[key] = Done(request.payload, seq if earlier is None else earlier.first, seq)
