"""`hamle up`: a local fleet in the foreground, until Ctrl-C. A process that dies is started again."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

from deploy.local.fleet import Fleet, Plan

DEFAULT_PORT: Final = 7410
_LOOK_S: Final = 0.5


def up(plan: Plan, say: Callable[[str], None], until: threading.Event | None = None) -> None:
    """Starts the fleet, says where it listens and what to type next, keeps it alive, and ends it all.

    It ends on SIGINT and SIGTERM, or when `until` is set. Raises `StartFailed`, `AlreadyRunning`.
    """
    stopping = until or threading.Event()
    handlers = {}
    if until is None:
        for signum in (signal.SIGINT, signal.SIGTERM):
            handlers[signum] = signal.signal(signum, lambda number, frame: _stop(stopping, number, frame))
    fleet = Fleet(plan)
    began = time.monotonic()
    say(f"Starting store, {len(plan.games)} game(s) and gateway; logs and data are in {plan.data}")
    try:
        fleet.start()
        if not stopping.is_set():
            say(_welcome(fleet, time.monotonic() - began))
        while not stopping.wait(_LOOK_S):
            _revive(fleet, say)
    finally:
        say("Stopping")
        fleet.stop()
        for signum, handler in handlers.items():
            signal.signal(signum, handler)
    say("Stopped; all matches are kept, and go on with the next start")


def _stop(stopping: threading.Event, number: int, frame: FrameType | None) -> None:
    stopping.set()


def _revive(fleet: Fleet, say: Callable[[str], None]) -> None:
    members = [*([fleet.store] if fleet.store else []), *fleet.roles]
    for member in members:
        if not member.running:
            say(f"{member.name} has ended unexpectedly; starting it again (its log: {member.log})")
            member.start()


def _welcome(fleet: Fleet, seconds: float) -> str:
    address = fleet.addresses[0]
    server = "" if address.endswith(f":{DEFAULT_PORT}") else f" --server {address}"
    return "\n".join(
        [
            f"Hamle serves {', '.join(fleet.plan.games)} at {address} (gRPC, ready after {seconds:.1f} s)",
            "",
            "In another terminal:",
            f"  .venv/bin/hamle{server} games                        what can be played",
            f"  .venv/bin/hamle{server} play coerceo --bot random    play against a bot",
            f"  .venv/bin/hamle{server} play coerceo                 twice, in two terminals: against each other",
            f"  grpcurl -plaintext {address} list        the API",
            "",
            "Ctrl-C stops everything.",
        ]
    )


def plan_for(data: Path, port: int = DEFAULT_PORT) -> Plan:
    """The plan of `hamle up` without options."""
    return Plan(data, port=port)
