"""The proxies of a run, in a process of their own: what passes through them costs the players' process nothing.

`python -m tests.faults.plumbing DESCRIPTOR SEED` serves the socket that it was handed: a line of JSON for each request,
a line for each answer. It ends with the socket.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
from typing import Any

import uvloop

from deploy.local.member import ROOT
from tests.faults.proxy import Proxy


class Pipe:
    """A proxy over there. `port` is where it listens, `target` where it leads to."""

    def __init__(self, plumbing: Plumbing, number: int, port: int, target: int) -> None:
        self.port = port
        self.target = target
        self._plumbing = plumbing
        self._number = number

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def lead_to(self, target: int) -> None:
        """Another target, for new connections; those that are open are cut."""
        await self._plumbing.ask("lead", self._number, target)
        self.target = target

    async def cut_often(self, probability: float) -> None:
        """From now on each piece of data that passes cuts its connection with this probability."""
        await self._plumbing.ask("often", self._number, probability)

    async def cut(self) -> None:
        """Cuts all connections."""
        await self._plumbing.ask("cut", self._number)

    async def cuts(self) -> int:
        """How many connections have been cut so far."""
        return int(await self._plumbing.ask("cuts", self._number))


class Plumbing:
    """The process, started by `start`, asked once `connect` has returned. `close` ends it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reader: asyncio.StreamReader
        self._asking = asyncio.Lock()

    def start(self, seed: int) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs.fileno()), str(seed)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "gen")])},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    async def connect(self) -> None:
        """Lets this event loop ask."""
        self._reader, self._writer = await asyncio.open_connection(sock=self._socket)

    async def pipe(self, target: int) -> Pipe:
        """A new proxy to a port of loopback."""
        number, port = await self.ask("open", target)
        return Pipe(self, number, port, target)

    async def ask(self, *words: str | float) -> Any:
        assert self._writer is not None
        async with self._asking:
            self._writer.write(json.dumps(words).encode() + b"\n")
            line = await self._reader.readline()
        if not line:
            raise ConnectionError("the proxies have ended")
        return json.loads(line)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()


async def _serve(descriptor: int, seed: int) -> None:
    reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=descriptor))
    chance = random.Random(seed)
    proxies: list[Proxy] = []
    while line := await reader.readline():
        answer = await _do(proxies, chance, *json.loads(line))
        writer.write(json.dumps(answer).encode() + b"\n")


async def _do(proxies: list[Proxy], chance: random.Random, word: str, *numbers: Any) -> Any:
    if word == "open":
        made = Proxy(numbers[0], chance)
        await made.start()
        proxies.append(made)
        return len(proxies) - 1, made.port
    proxy = proxies[numbers[0]]
    match word:
        case "lead":
            proxy.target = numbers[1]
            proxy.cut()
        case "often":
            proxy.cutting = numbers[1]
        case "cut":
            proxy.cut()
    return proxy.cuts


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(int(sys.argv[1]), int(sys.argv[2])))
