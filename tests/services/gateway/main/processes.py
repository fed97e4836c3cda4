"""Gateways and engines as processes of their own, that can be killed and stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from deploy.local.ports import free_port

START_S = 60.0


class Role:
    """One process; `env` are its settings without the prefix."""

    def __init__(self, module: str, folder: Path, port: int = 0, **env: str) -> None:
        self.port = port or free_port()
        self.address = f"127.0.0.1:{self.port}"
        self._log = folder / f"{module}-{self.port}-{time.monotonic_ns()}.log"
        settings = {"HOST": "127.0.0.1", "PORT": str(self.port), "DURABILITY": "written", "LOG_FORMAT": "json", **env}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HAMLE_")}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module],
                env={**inherited, **{f"HAMLE_{name}": value for name, value in settings.items()}},
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def said(self) -> str:
        return self._log.read_text(errors="replace")

    async def serves(self) -> Role:
        """Waits until it says that it serves."""
        async with asyncio.timeout(START_S):
            while not await self._healthy():
                assert self.process.poll() is None, self.said
                await asyncio.sleep(0.05)
        return self

    async def _healthy(self) -> bool:
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(self.address, options=options) as channel:
            try:
                answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=5)
            except grpc.aio.AioRpcError:
                return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    def signal(self, signum: signal.Signals) -> None:
        self.process.send_signal(signum)

    def wait(self, timeout: float = START_S) -> int:
        return self.process.wait(timeout)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()
