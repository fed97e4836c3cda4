"""What servers cost: CPU and memory of their processes, from the operating system's counts."""

from __future__ import annotations

from collections.abc import Mapping

import psutil

from deploy.local.fleet import Fleet


class Usage:
    """CPU seconds of the processes of a fleet, by part: gateway, engine, store. Children and threads count."""

    def __init__(self, fleet: Fleet) -> None:
        assert fleet.store is not None
        self._processes = {
            "gateway": [psutil.Process(member.pid) for member in fleet.gateways],
            "engine": [psutil.Process(member.pid) for member in fleet.engines],
            "store": [psutil.Process(fleet.store.pid)],
        }

    def cpu_s(self) -> Mapping[str, float]:
        """CPU seconds used so far."""
        return {part: sum(_cpu(process) for process in found) for part, found in self._processes.items()}

    def rss_bytes(self, part: str) -> int:
        """Resident memory now."""
        return sum(int(process.memory_info().rss) for process in self._processes[part])


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
