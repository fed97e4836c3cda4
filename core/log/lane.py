"""The way of appends to one master: a bounded queue, and one pipeline at a time.

All appends that wait go out together while the last batch is under way, so that the cost of a round trip and of an
fsync is shared. A batch that was sent is never sent again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from hamle.error.v1.error_pb2 import REASON_OVERLOADED, REASON_STORE_DOWN, REASON_STORE_READ_ONLY
from hiredis import ReplyError

from core.errors import Refused
from core.log.command import pack, refusal_in
from core.log.types import Append, Appended, Cursor, Durability, UnknownOutcome
from core.store.errors import RETRY_MS, refusal_for, reply_code
from core.store.functions import NOT_FOUND
from core.store.wire import Reply, Wire

BATCH_APPENDS: Final = 1024
BATCH_BYTES: Final = 1 << 20


Then = Callable[[Appended | Exception], None]
"""Takes what became of an append, in a turn of the loop of its own: nothing of the write path is under way."""


class Ticket:
    """One append on its way. `moves` counts how often the store named another master for it.

    `waiting` is the future that `then` settles, if there is one: once it is cancelled, nobody wants the append.
    """

    __slots__ = ("append", "moves", "then", "waiting")

    def __init__(self, append: Append, then: Then, waiting: asyncio.Future[Appended] | None = None) -> None:
        self.append = append
        self.then = then
        self.waiting = waiting
        self.moves = 0

    def fail(self, error: Exception) -> None:
        """Answer with an error."""
        if self.waiting is None:
            asyncio.get_running_loop().call_soon(self.then, error)
        else:
            # A future tells nobody before the loop's next turn.
            self.then(error)


class Lane:
    """One master's queue. It keeps what comes before the first connection, and refuses whatever comes while cut off.

    `on_batch` takes the size of each batch and the seconds from sending it to its last answer; `on_moved` takes a
    ticket that the store did not carry out because another master is the one to ask.
    """

    def __init__(
        self,
        limit: int,
        reply_timeout_s: float,
        on_batch: Callable[[int, float], None],
        on_moved: Callable[[Ticket], None],
    ) -> None:
        self._limit = limit
        self._timeout_s = reply_timeout_s
        self._on_batch = on_batch
        self._on_moved = on_moved
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Ticket] = deque()
        self._sent: deque[Ticket] = deque()
        self._answered: list[tuple[Then, Appended]] = []
        self._wire: Wire | None = None
        self._durability = Durability.WRITTEN
        self._refusal: Refused | None = None
        self._renew = False
        self._scheduled = False
        self._batch = 0
        self._sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        return not self._waiting and not self._sent

    def put(self, ticket: Ticket) -> None:
        """Queue an append, or refuse it at once."""
        if self._refusal is not None:
            ticket.fail(self._refusal.again())
        elif len(self._waiting) >= self._limit:
            ticket.fail(_overloaded(self._limit))
        else:
            self._waiting.append(ticket)
            if not self._sent and not self._scheduled:
                self._scheduled = True
                self._loop.call_soon(self._flush)

    def attach(self, wire: Wire, durability: Durability) -> None:
        """Send over this connection from now on."""
        self._wire, self._durability, self._refusal, self._renew = wire, durability, None, False
        wire.on_reply = self._reply
        self._flush()

    def detach(self, refusal: Refused) -> None:
        """There is no connection: what was sent has an unknown outcome, what waits was certainly not sent."""
        self._wire, self._refusal = None, refusal
        self._stop_timer()
        while self._sent:
            self._sent.popleft().fail(UnknownOutcome("the store was lost while it had the append"))
        for ticket in self.take():
            ticket.fail(refusal.again())

    def take(self) -> list[Ticket]:
        """Take back what waits and was not sent."""
        tickets = list(self._waiting)
        self._waiting.clear()
        return tickets

    def _flush(self) -> None:
        self._scheduled = False
        wire = self._wire
        if wire is None or self._sent or wire.closed.done():
            return
        parts: list[bytes] = []
        size = 0
        while self._waiting and len(parts) < BATCH_APPENDS and size < BATCH_BYTES:
            ticket = self._waiting.popleft()
            if ticket.waiting is not None and ticket.waiting.done():
                continue
            parts.append(pack(ticket.append))
            size += len(parts[-1])
            self._sent.append(ticket)
        if parts:
            self._batch, self._sent_at = len(parts), self._loop.time()
            self._timer = self._loop.call_later(self._timeout_s, wire.close)
            wire.write(b"".join(parts))

    def _reply(self, reply: Reply) -> None:
        ticket = self._sent.popleft()
        if isinstance(reply, int):
            if not self._answered:
                # All answers that come together are handed on together, once the next batch is on its way.
                self._loop.call_soon(self._tell)
            _, (seq, _), records, *_ = ticket.append
            head = Cursor(seq + len(records), records[-1][1])
            self._answered.append((ticket.then, Appended(head, self._durability, reply)))
        elif isinstance(reply, ReplyError):
            self._refused(ticket, reply)
        else:
            ticket.fail(refusal_in(reply))
        if not self._sent:
            self._batch_done()

    def _tell(self) -> None:
        answered, self._answered = self._answered, []
        for then, appended in answered:
            try:
                then(appended)
            except Exception as error:
                # As the loop does it with what it calls: the others are told all the same.
                self._loop.call_exception_handler({"message": "an append's caller failed", "exception": error})

    def _refused(self, ticket: Ticket, error: ReplyError) -> None:
        if reply_code(error) == "MOVED":
            self._on_moved(ticket)
            return
        refusal = refusal_for(error)
        if NOT_FOUND in str(error):
            refusal = Refused(
                REASON_STORE_DOWN,
                "The store lost its functions; they are loaded again. Retry.",
                retry_after_ms=RETRY_MS,
            )
            self._renew = True
        elif refusal is not None and refusal.reason == REASON_STORE_READ_ONLY:
            self._renew = True
        ticket.fail(refusal or error)

    def _batch_done(self) -> None:
        self._stop_timer()
        self._on_batch(self._batch, self._loop.time() - self._sent_at)
        if self._renew and self._wire is not None:
            self._wire.close()
        else:
            self._flush()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _overloaded(limit: int) -> Refused:
    return Refused(
        REASON_OVERLOADED,
        f"{limit} appends wait for the store already, the most that are queued. Retry with the same request id.",
        retry_after_ms=100,
    )
