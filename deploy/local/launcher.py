"""`hamle up`: a local fleet in the foreground, until Ctrl-C. A process that dies is started again."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from deploy.local.fleet import Fleet, Plan, usable
from deploy.local.restarts import Restarts
from deploy.local.stopping import Stopped, Stopping

DEFAULT_PORT: Final = 7410
_LOOK_S: Final = 0.5


def up(plan: Plan, say: Callable[[str], None]) -> None:
    """Starts the fleet, says where it listens and what to type next, keeps it alive, and ends it all.

    It ends on SIGINT, SIGTERM and the end of its terminal, also while it starts. Raises `StartFailed`,
    `AlreadyRunning`, and what `say` raises.
    """
    stopping = Stopping()
    handlers = {signum: signal.signal(signum, stopping.ask) for signum in _ends()}
    fleet = Fleet(plan, stopping)
    try:
        with suppress(Stopped):
            _keep_alive(fleet, stopping, say)
    finally:
        try:
            say("Stopping")
        finally:
            # Also when nobody reads any more what it says.
            fleet.stop()
            for signum, handler in handlers.items():
                signal.signal(signum, handler)
    say("Stopped; all matches are kept, and go on with the next start")


def _ends() -> list[signal.Signals]:
    """The signals that end the launcher; not the end of its terminal where nohup has it ignored."""
    hangup = [] if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else [signal.SIGHUP]
    return [signal.SIGINT, signal.SIGTERM, *hangup]


def _keep_alive(fleet: Fleet, stopping: Stopping, say: Callable[[str], None]) -> None:
    """Until `Stopped` is raised."""
    began = time.monotonic()
    say(f"Starting store, {len(fleet.plan.games)} game(s) and gateway; logs and data are in {fleet.plan.data}")
    fleet.start()
    say(_welcome(fleet, time.monotonic() - began))
    restarts = Restarts()
    while True:
        stopping.pause(_LOOK_S)
        _revive(fleet, restarts, say)


def _revive(fleet: Fleet, restarts: Restarts, say: Callable[[str], None]) -> None:
    members = [*([fleet.store] if fleet.store else []), *fleet.roles]
    for member in members:
        if member.running:
            continue
        if not restarts.waits(member.name):
            wait = restarts.ended(member.name, time.monotonic())
            when = f" in {wait:.0f} s" if wait else ""
            say(f"{member.name} has ended unexpectedly; starting it again{when} (its log: {member.log})")
        if restarts.due(member.name, time.monotonic()):
            with usable(fleet.plan.data):
                member.start()
            restarts.started(member.name, time.monotonic())


def _welcome(fleet: Fleet, seconds: float) -> str:
    address = fleet.addresses[0]
    server = "" if address.endswith(f":{DEFAULT_PORT}") else f" --server {address}"
    hamle = f".venv/bin/hamle{server}"
    game = fleet.plan.games[0]
    lines = [
        (f"{hamle} games", "what can be played"),
        (f"{hamle} play {game} --bot random", "play against a bot"),
        (f"{hamle} play {game}", "twice, in two terminals: against each other"),
        (f"{hamle} matches", "what is being played, to watch or to join"),
        (f"grpcurl -plaintext {address} list", "the API"),
    ]
    width = max(len(command) for command, _ in lines)
    return "\n".join(
        [
            f"Hamle serves {', '.join(fleet.plan.games)} at {address} (gRPC, ready after {seconds:.1f} s)",
            "",
            "In another terminal:",
            *(f"  {command.ljust(width)}    {what}" for command, what in lines),
            "",
            "Ctrl-C stops everything.",
        ]
    )
