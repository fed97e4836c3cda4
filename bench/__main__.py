"""`python -m bench`, or `make bench`: Hamle's figures of the README, in the form of its table.

Those of other systems are measured by `bench/peers/run.sh`, which wants Node.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench import append, log_memory, machine, moves, replay, watch
from cli.errors import Stop
from core.telemetry import logs

HAMLE = Path(sys.executable).parent / "hamle"


def _row(figure: str, wanted: str, measured: str, command: str) -> None:
    print(f"| {figure} | {wanted} | {measured} | `{command}` |", flush=True)


def _speed(figures: Mapping[str, Any]) -> str:
    return f"{figures['moves_per_s']:,.0f}/s, {figures['server_cpu_us_per_move']:.0f} us"


def main() -> None:
    """Measures everything, about a quarter of an hour, and prints a row a figure as it is known."""
    logs.configure("warning")
    print(f"A turn of a Python loop costs {machine.loop_ns()} ns here (bench/machine.py)\n")
    print("| figure | wanted | measured | command |\n|---|---|---|---|")
    many = moves.run(matches=128)
    command = "hamle bench moves --matches 128 --fsync everysec"
    parts = ", ".join(f"{part} {many[f'{part}_cpu_us_per_move']:.0f}" for part in ("gateway", "engine", "store"))
    _row("moves/s and server CPU a move at 128 matches, written", ">= 7,000; <= 150 us", _speed(many), command)
    _row("the same CPU by part, us", "", parts, command)
    few = moves.run(matches=16, moves=600)
    latency = f"{few['p50_ms']:.1f} ms, {few['p99_ms']:.1f} ms"
    _row("p50, p99 at 16 matches, written", "<= 4 ms, <= 10 ms", latency, "hamle bench moves --matches 16 --moves 600")
    synced = moves.run(matches=128, fsync="always")
    share = f"{_speed(synced)}: {synced['moves_per_s'] / many['moves_per_s']:.0%} of written"
    _row("moves/s at 128 matches, fsynced", ">= 70 % of written", share, "hamle bench moves --fsync always")
    plain = moves.run(matches=128, moves=150, grpc_server="grpcio")
    times = (
        f"{_speed(plain)}: native costs {many['server_cpu_us_per_move'] / plain['server_cpu_us_per_move']:.0%} of it"
    )
    _row("the same on plain grpcio, written", "", times, "hamle bench moves --moves 150 --grpc-server grpcio")
    crowd = watch.run()
    _row(
        "memory a watcher, 2,000 idle",
        "<= 40 KB",
        f"{crowd['rss_bytes_per_watcher'] / 1e3:.1f} KB",
        "hamle bench watch",
    )
    _row("CPU of a core for their heartbeats", "<= 5 %", f"{crowd['idle_core_percent']} %", "the same")
    memory = f"{crowd['rss_mb_before']} -> {crowd['rss_mb_after']} MB"
    _row("gateway memory before and after 20,000 watches", "as before", memory, "the same")
    past = replay.run()
    _row("cold load of 200 events", "<= 10 ms", f"{past['cold_load_ms']} ms", "hamle bench replay")
    _row("Coerceo events folded a second", ">= 100,000", f"{past['fold_events_per_s']:,}", "the same")
    began = time.perf_counter()
    subprocess.run([HAMLE, "perft", "coerceo", "4"], check=True, capture_output=True)
    _row(
        "perft 4 of the Laurentius start",
        "<= 20 s",
        f"{time.perf_counter() - began:.1f} s",
        "time hamle perft coerceo 4",
    )
    appended = append.run()
    rate = f"{appended['appends_per_s']:,}/s, {appended['batch_mean']} a batch"
    _row("appends, 128 in flight, fsynced", "", rate, "hamle bench append")
    memory_of = log_memory.run(log_memory.default_server())
    bytes_each = f"{memory_of['bytes_per_new_match'] / 1e3:.1f} KB, {memory_of['bytes_per_event']} bytes"
    figure = f"store memory of a new match, of an event (server {memory_of['server']})"
    _row(figure, "<= 6 KB, <= 300 bytes", bytes_each, "python -m bench.log_memory")
    print(f"\nA turn of a Python loop costs {machine.loop_ns()} ns now")


if __name__ == "__main__":
    try:
        main()
    except Stop as stop:
        sys.exit(str(stop))
