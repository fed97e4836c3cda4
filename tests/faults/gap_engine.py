"""`python -m tests.faults.gap_engine`: a real Coerceo engine that kills itself (SIGKILL) in a chosen gap.

FAULT_GAP names the gap. With FAULT_FINISHING=1 it dies around events that finish a match, else around a plain move;
FAULT_AFTER says how many such appends pass first. FAULT_NOTE is a file for what the dying engine leaves.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import hiredis
from hamle.engine.v1 import engine_pb2
from hamle.event.v1 import event_pb2

from core.log.appender import Appender
from core.log.command import pack
from core.log.lane import Then
from core.log.types import Append, Appended
from core.store.wire import Wire
from engines.coerceo.game import GAME
from engines.kit.fold import FoldedEvent
from engines.kit.host import exchange, main, writing
from engines.kit.host.outbox import Outbox
from engines.kit.host.warm import WarmMatch
from tests.faults.gaps import Gap, Note

ON_ITS_WAY_S = 0.05
"""How long the half that is still sent has to leave the process."""
OTHERS_S = 0.3
"""How long the half that is sent may be waited for, once the other has been held back. Nobody may be there for it."""
ANSWER_S = 2.0
"""How long the store has to answer; then it has other troubles."""


class Trap:
    """Decides which append is the one, and dies."""

    def __init__(self, gap: Gap, finishing: bool, after: int, note: Path) -> None:
        self.gap = gap
        self.chosen: Append | None = None
        self.packed = b""
        self.hashes: frozenset[bytes] = frozenset()
        self._finishing = finishing
        self._left = after
        self._note = note

    def springs(self, append: Append) -> bool:
        """Whether this is the append to die in."""
        if self.chosen is not None:
            return False
        kinds = {event_pb2.Event.FromString(event).WhichOneof("body") for event, _ in append.records}
        if not (kinds & {"moved", "resigned"}) or ("finished" in kinds) is not self._finishing:
            return False
        self._left -= 1
        if self._left >= 0:
            return False
        self.chosen = append
        self.packed = pack(append)
        self.hashes = frozenset(digest for _, digest in append.records)
        return True

    def missed(self) -> None:
        """Another replica wrote first: the next one is taken."""
        self.chosen, self.packed, self.hashes = None, b"", frozenset()

    def die(self) -> None:
        assert self.chosen is not None
        append = self.chosen
        seq = append.expected.seq + len(append.records)
        Note(time.monotonic(), append.match_id, seq, append.records[-1][1].hex()).write(self._note)
        os.kill(os.getpid(), signal.SIGKILL)

    def die_soon(self, seconds: float = ON_ITS_WAY_S) -> None:
        asyncio.get_running_loop().call_later(seconds, self.die)


def _trap() -> Trap:
    environ = os.environ
    return Trap(
        Gap(environ["FAULT_GAP"]),
        environ.get("FAULT_FINISHING") == "1",
        int(environ.get("FAULT_AFTER", "0")),
        Path(environ["FAULT_NOTE"]),
    )


def install(trap: Trap) -> None:
    """Puts the trap around the real appender, the real connection to the store, and what leaves the engine."""
    gap = trap.gap

    class TrappedAppender(Appender):
        def send(self, append: Append, then: Then, waiting: asyncio.Future[Appended] | None = None) -> None:
            springs = trap.springs(append)
            if springs and gap is Gap.BEFORE_SEND:
                trap.die()
            super().send(append, _answered(then) if springs else then, waiting)

    def _answered(then: Then) -> Then:
        def answered(result: Appended | Exception) -> None:
            if isinstance(result, Exception):
                trap.missed()
            elif gap is Gap.BEFORE_COMMIT:
                trap.die()
            then(result)

        return answered

    write = Wire.write

    def trapped_write(wire: Wire, data: bytes) -> None:
        if not (gap is Gap.BEFORE_ANSWER and trap.packed and trap.packed in data):
            write(wire, data)
            return
        assert wire._transport is not None
        descriptor = wire._transport.get_extra_info("socket").fileno()
        _send_now(descriptor, data)
        if isinstance(_answer(descriptor, _count(data[: data.index(trap.packed)])), int):
            trap.die()
        trap.missed()

    publish = getattr(writing, "publish")  # noqa: B009

    def trapped_publish(match: WarmMatch, events: Sequence[FoldedEvent]) -> None:
        if gap is Gap.BEFORE_TELLING and any(event.folded.hash in trap.hashes for event in events):
            trap.die()
        publish(match, events)

    class TrappedOutbox(Outbox):
        async def take(self) -> bytes | None:
            while True:
                taken = await super().take()
                if taken is None or not trap.hashes:
                    return taken
                batch = engine_pb2.ExchangeResponse.FromString(taken)
                _hold_back(trap, batch)
                if batch.answers or batch.pushes:
                    return batch.SerializeToString()

    # Where the modules of the host look them up.
    setattr(main, "Appender", TrappedAppender)  # noqa: B010
    setattr(Wire, "write", trapped_write)  # noqa: B010
    setattr(writing, "publish", trapped_publish)  # noqa: B010
    if gap in (Gap.BEFORE_REPLY, Gap.BEFORE_FRAMES):
        setattr(exchange, "Outbox", TrappedOutbox)  # noqa: B010


def _hold_back(trap: Trap, batch: engine_pb2.ExchangeResponse) -> None:
    """Takes the half out that is not to leave the engine any more."""
    answers = [answer for answer in batch.answers if any(digest in answer.response for digest in trap.hashes)]
    pushes = [push for push in batch.pushes if push.cursor.hash in trap.hashes]
    if trap.gap is Gap.BEFORE_REPLY:
        for answer in answers:
            batch.answers.remove(answer)
        if pushes:
            trap.die_soon()
        elif answers:
            trap.die_soon(OTHERS_S)
    else:
        for push in pushes:
            batch.pushes.remove(push)
        if answers:
            trap.die_soon()
        elif pushes:
            trap.die_soon(OTHERS_S)


def _send_now(descriptor: int, data: bytes) -> None:
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            time.sleep(0.001)


def _count(data: bytes) -> int:
    """How many commands, or replies, these are."""
    reader = hiredis.Reader()
    reader.feed(data)
    count = 0
    while reader.gets() is not False:
        count += 1
    return count


def _answer(descriptor: int, before: int) -> object:
    """What the store answers after so many other replies, left unread; None when it does not answer."""
    limit = time.monotonic() + ANSWER_S
    with socket.socket(fileno=os.dup(descriptor)) as connection:
        while time.monotonic() < limit:
            reader = hiredis.Reader()
            with suppress(BlockingIOError):
                reader.feed(connection.recv(1 << 20, socket.MSG_PEEK))
            replies = []
            while (reply := reader.gets()) is not False:
                replies.append(reply)
            if len(replies) > before:
                return replies[before]
            time.sleep(0.001)
    return None


def run() -> None:
    """Runs the engine as the environment says, and ends the program."""
    install(_trap())
    main.serve(GAME)


if __name__ == "__main__":
    run()
