"""Every metric of the project, and the page that Prometheus reads.

Labels are names from closed lists: games, stages, methods, codes. Never a match, an account or a move.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Gauge, start_http_server
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from core.telemetry.instruments import Counter, Histogram

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)

MOVES: Final = Counter(
    "hamle_moves",
    "Calls that submit moves, by result: accepted, repeated, or the reason of the refusal.",
    ("game", "result"),
    REGISTRY,
)
STAGE_SECONDS: Final = Histogram(
    "hamle_stage_seconds",
    "Time of a command by stage: load, decide, append, publish, total.",
    ("stage",),
    _SECONDS,
    REGISTRY,
)
APPEND_BATCH: Final = Histogram(
    "hamle_append_batch_size", "Appends that went to the store in one pipeline.", (), _SIZES, REGISTRY
)
APPENDS: Final = Counter("hamle_appends", "Appends by result: done, conflict, unknown.", ("result",), REGISTRY)
STORE_RECONNECTS: Final = Counter("hamle_store_reconnects", "New connections after a lost one.", ("use",), REGISTRY)
WARM_LOOKUPS: Final = Counter(
    "hamle_warm_lookups", "Look-ups of a match among the warm ones: hit, miss, stale.", ("game", "result"), REGISTRY
)
WARM_MATCHES: Final = Gauge("hamle_warm_matches", "Matches held in memory.", ("game",), registry=REGISTRY)
WATCHERS: Final = Gauge("hamle_watchers", "Watches open now.", ("role",), registry=REGISTRY)
WATCHES_ENDED: Final = Counter("hamle_watches_ended", "Watches that ended, by reason.", ("reason",), REGISTRY)
FRAMES: Final = Counter("hamle_frames", "Frames sent to watchers.", ("role",), REGISTRY)
FEED_LAG_SECONDS: Final = Gauge(
    "hamle_feed_lag_seconds", "Time since the shards' feeds were last read.", registry=REGISTRY
)
RATE_LIMITED: Final = Counter("hamle_rate_limited", "Calls refused because there were too many.", ("kind",), REGISTRY)
DEADLINES: Final = Counter(
    "hamle_deadlines",
    "Deadlines that came due, by result: done, early (nothing to do yet, or any more), gone (the match is), failed.",
    ("result",),
    REGISTRY,
)
SHARDS_HELD: Final = Gauge(
    "hamle_shards_held", "Shards whose deadlines the process looks after.", ("role",), registry=REGISTRY
)
RPC_REQUESTS: Final = Counter("hamle_rpc_requests", "Calls by method and gRPC code.", ("method", "code"), REGISTRY)
RPC_SECONDS: Final = Histogram("hamle_rpc_seconds", "Time of unary calls by method.", ("method",), _SECONDS, REGISTRY)
INCIDENTS: Final = Counter("hamle_incidents", "Faults of the server: calls that ended INTERNAL.", ("method",), REGISTRY)
TASK_FAILURES: Final = Counter("hamle_task_failures", "Background tasks that failed.", ("task",), REGISTRY)


class MetricsPage:
    """The page `/metrics` on a thread of its own, until `close`."""

    def __init__(self, host: str, port: int) -> None:
        self._server, self._thread = start_http_server(port, host, REGISTRY)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_port)

    def close(self) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
