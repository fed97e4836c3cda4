"""Matches kept in memory: their folded past, who watches them, and a bound on how much they take."""

from __future__ import annotations

from collections import OrderedDict, deque

from engines.kit.fold import FoldedEvent
from engines.kit.history import History
from engines.kit.host.lock import Lock
from engines.kit.host.loss import Loss
from engines.kit.host.watch import Watched

RECENT = 64
"""How many of the last events a warm match keeps told-ready; older ones are folded anew when somebody asks."""

_BASE_BYTES = 6_000
_EVENT_BYTES = 1_200
_DONE_BYTES = 200


class WarmMatch:
    """One match in memory. Whoever changes it holds `lock`.

    `suspect`: an append's outcome is unknown, the log must be read anew before the next use. `lost`: the store has
    forgotten acknowledged events; play stops until an operator accepts it. `confirmed` is when, by the monotonic clock,
    the match was last known to be at the log's head.
    """

    __slots__ = ("confirmed", "deadline", "history", "lock", "lost", "match_id", "recent", "suspect", "watches")

    def __init__(self, match_id: str, history: History) -> None:
        self.match_id = match_id
        self.history = history
        self.recent: deque[FoldedEvent] = deque(maxlen=RECENT)
        self.lock = Lock()
        self.watches = Watched()
        self.deadline: int | None = None
        self.suspect = False
        self.confirmed = 0.0
        self.lost: Loss | None = None

    def recent_after(self, seq: int) -> list[FoldedEvent] | None:
        """The events after `seq`; None when some of them are no longer kept."""
        if seq >= self.history.seq:
            return []
        if not self.recent or self.recent[0].folded.state.seq > seq + 1:
            return None
        return [recent for recent in self.recent if recent.folded.state.seq > seq]

    def size(self) -> int:
        """About how many bytes of memory the match takes."""
        return (
            _BASE_BYTES
            + len(self.recent) * _EVENT_BYTES
            + len(self.history.done) * _DONE_BYTES
            + len(self.history.hashes)
        )


class WarmCache:
    """Warm matches, least recently used first.

    Those that are watched, locked or known to have lost their tail are not thrown out.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._limit = self._look_at = limit_bytes
        self._matches: OrderedDict[str, WarmMatch] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._matches)

    def get(self, match_id: str) -> WarmMatch | None:
        """The match, now the most recently used; None when it is not warm."""
        match = self._matches.get(match_id)
        if match is not None:
            self._matches.move_to_end(match_id)
        return match

    def put(self, match: WarmMatch) -> None:
        """Keeps the match, and throws out others when the bound is passed."""
        self._matches[match.match_id] = match
        self.resize(match)
        if self.bytes > self._look_at:
            self._shrink()

    def holds(self, match: WarmMatch) -> bool:
        """Whether this is the match that is kept; one that was thrown out, and that the caller has locked, is again."""
        kept = self._matches.get(match.match_id)
        if kept is None:
            self.put(match)
        return kept is None or kept is match

    def resize(self, match: WarmMatch) -> None:
        """Takes note of how much the match has grown."""
        size = match.size()
        self.bytes += size - self._sizes.get(match.match_id, 0)
        self._sizes[match.match_id] = size

    def drop(self, match_id: str) -> None:
        """Forgets the match."""
        if self._matches.pop(match_id, None) is not None:
            self.bytes -= self._sizes.pop(match_id)

    def matches(self) -> list[WarmMatch]:
        """All of them."""
        return list(self._matches.values())

    def _shrink(self) -> None:
        for match_id, match in list(self._matches.items()):
            if self.bytes <= self._limit:
                break
            if not match.watches and match.lost is None and not match.lock.locked():
                self.drop(match_id)
        # Where too much must stay, to look through it all at each move would cost several times what the move does.
        self._look_at = self._limit if self.bytes <= self._limit else self.bytes + self.bytes // 64
