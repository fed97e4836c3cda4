"""The figures of a fault run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bench.machine import REFERENCE_NS, loop_ns
from tests.faults.deadlines import Deadlines
from tests.faults.world import World

DEATH_S: Final = 2.0
"""From an engine's death to the next accepted move in its matches, at most."""
STALL_S: Final = 5.0
"""From the moment at which an engine stands still, at most."""
FAR: Final = 3
"""So many times a limit, at the machine's own pace, and it is not the pace that is wrong."""
FIRST: Final = 10


def limit_of(kind: str) -> float | None:
    """How long play may pause after a fault of the kind; None where nothing is promised."""
    if kind.startswith("engine killed"):
        return DEATH_S
    return STALL_S if kind == "engine stopped" else None


def over_limit(gaps: Mapping[str, float], slower: float = 1.0) -> list[str]:
    """The kinds of faults after which play paused longer than promised, on a machine so many times slower."""
    return [kind for kind, gap in gaps.items() if gap > (limit_of(kind) or float("inf")) * slower]


def figures(world: World, seconds: float, deadlines: Deadlines | None = None) -> Mapping[str, Any]:
    """What the command prints. `failures` counts whatever does not hold; what they are goes to standard error."""
    totals = world.totals
    longest = {kind: round(max(gaps), 3) for kind, gaps in sorted(world.gaps.items())}
    deaths = [gap for kind, gap in longest.items() if limit_of(kind) == DEATH_S]
    turn = loop_ns()
    return {
        "faults": sum(world.faults.values()),
        "accepted": world.accepted,
        "lost": totals.found["lost"],
        "doubled": totals.found["doubled"],
        "reordered": totals.found["reordered"],
        "longest_gap_s": max(deaths, default=0.0),
        "longest_stall_s": longest.get("engine stopped", 0.0),
        "longest_pause_s": round(world.pause_s, 3),
        "over_limit": over_limit(longest),
        "far_over_limit": over_limit(longest, FAR * max(1.0, turn / REFERENCE_NS)),
        "failures": len(totals.failures),
        "matches_verified": totals.verified,
        "logs_verified": world.logs,
        "answers_compared": totals.answers,
        "watches_compared": totals.watches,
        "events_told": totals.events_told,
        "connections_cut": world.cuts,
        "matches_with_lost_tail": world.tails,
        "longest_until_marked_s": round(world.marked_s, 3),
        "deadlines_met": deadlines.count if deadlines else 0,
        "longest_deadline_lag_s": round(deadlines.lag_s, 3) if deadlines else 0.0,
        "seconds": round(seconds, 1),
        "loop_ns": turn,
        "load": round(os.getloadavg()[0], 1),
        "faults_by_kind": dict(sorted(world.faults.items())),
        "gaps_s": longest,
    }


def warnings(figures: Mapping[str, Any]) -> list[str]:
    """A sentence for each limit that was missed. Only what is far over it fails a run: see `FAR`."""
    turn, load = figures["loop_ns"], figures["load"]
    sentences = []
    for kind in figures["over_limit"]:
        gap = figures["gaps_s"][kind]
        sentences.append(
            f"LIMIT MISSED {kind}: {gap:.2f} s to the next accepted move, at most {limit_of(kind):.0f} s are promised. "
            f"Here a turn of a loop costs {turn} ns and the load is {load}; at {REFERENCE_NS} ns it were "
            f"{gap * REFERENCE_NS / turn:.2f} s."
        )
    return sentences


def verdict(failures: Sequence[str]) -> list[str]:
    """What is wrong, the first of it in full; empty when nothing is."""
    if not failures:
        return []
    return [f"failures: {len(failures)}; the first of them:", *(f"  {each}" for each in failures[:FIRST])]
