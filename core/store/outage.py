"""What the log tells of a store that is away: once that it is, once that it is back, nothing in between."""

from __future__ import annotations

from typing import Any


class Outage:
    """What one loop over the store says of it. `lost` and `back` are the lines; `keys` stand in both.

    Call `begins` whenever the store refused and `ends` whenever it did not.
    """

    def __init__(self, log: Any, lost: str, back: str, **keys: str) -> None:
        self._log = log
        self._lost = lost
        self._back = back
        self._keys = keys
        self._reason: str | None = None

    def begins(self, reason: str, error: BaseException | None = None) -> None:
        """Warns, unless the last that was told is the same reason. An `error` that nobody foresaw is one of the log."""
        if reason == self._reason:
            return
        self._reason = reason
        if error is None:
            self._log.warning(self._lost, reason=reason, **self._keys)
        else:
            self._log.error(self._lost, reason=reason, exc_info=error, **self._keys)

    def ends(self) -> None:
        """Tells that it goes on, where it was told that it does not."""
        if self._reason is not None:
            self._reason = None
            self._log.info(self._back, **self._keys)
