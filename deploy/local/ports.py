"""TCP ports of loopback for processes that are about to be started."""

from __future__ import annotations

import random
import socket
import time
from collections import deque
from contextlib import ExitStack
from typing import Final

from deploy.local.errors import StartFailed
from deploy.local.stopping import Stopping

_FIRST: Final = 12_000
_END: Final = 32_000
_SIGNS: Final = 256
_LOOK_S: Final = 0.1
_PORT_S: Final = 10.0

_given: deque[ExitStack] = deque()
"""The signs of the ports that this process was given last."""


def free_port(beside: int = 0) -> int:
    """A TCP port of loopback that nobody listens on now; `beside`: so is the one that much above it.

    Not one of those that outgoing connections are given, or a process that is started again could find its port taken.
    Nor one that this program, or another of its kind on this machine, was given a moment ago: who is to listen there
    may still be starting.
    """
    chance = random.SystemRandom()
    while True:
        port = chance.randrange(_FIRST, _END - beside)
        ports = {port, port + beside}
        with ExitStack() as signs:
            try:
                for each in ports:
                    # Nobody needs the UDP port of that number: to hold it is a sign that all others see.
                    _bind(signs.enter_context(socket.socket(type=socket.SOCK_DGRAM)), each)
                for each in ports:
                    with socket.socket() as probe:
                        _bind(probe, each)
            except OSError:
                continue
            _given.append(signs.pop_all())
        while len(_given) > _SIGNS:
            _given.popleft().close()
        return port


def require_free(port: int, within_s: float = _PORT_S, stopping: Stopping | None = None) -> None:
    """Waits until nobody listens on a port of loopback; what a killed launcher started may still be ending there.

    Raises `StartFailed`: whoever asks the port for its health would take the other's answer for that of the fleet.
    Raises `Stopped`.
    """
    stopping = stopping or Stopping()
    deadline = time.monotonic() + within_s
    while not _is_free(port):
        if time.monotonic() > deadline:
            raise StartFailed(
                f"Port {port} is taken by another program. End it, or choose another with --port; 0 is any free one."
            )
        stopping.pause(_LOOK_S)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # Connections that were closed a moment ago do not matter.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            _bind(probe, port)
        except OSError:
            return False
        return True


def _bind(probe: socket.socket, port: int) -> None:
    probe.bind(("127.0.0.1", port))
