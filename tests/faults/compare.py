"""Holds what clients were told against the log. Pure: no clock, no store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.faults.ledger import Accepted, Place


class Logged(NamedTuple):
    """An event as the log holds it; `key` is its request's, 0 for none."""

    place: Place
    key: int


class Finding(NamedTuple):
    """What is wrong. `lost`: somebody was told of what the log does not hold, or not told of what it holds. `doubled`:
    something was done or told twice. `reordered`: something was done or told out of order.
    """

    what: str
    sentence: str


Findings = list[Finding]


def compare_moves(log: Sequence[Logged], moves: Sequence[str], findings: Findings) -> None:
    """The log's moves are the game's, each once and in order; no call was done twice."""
    keys: set[int] = set()
    ply = 0
    for (seq, _, kind, move), key in log:
        if kind not in ("moved", "resigned"):
            continue
        if key in keys:
            findings.append(Finding("doubled", f"the call of event {seq} ({move or kind}) was done before"))
            continue
        keys.add(key)
        if kind == "resigned":
            continue
        if ply < len(moves) and move == moves[ply]:
            ply += 1
        else:
            findings.append(Finding("reordered", f"event {seq} is {move}, but ply {ply} is {moves[ply : ply + 1]}"))


def compare_answers(log: Sequence[Logged], accepted: Sequence[Accepted], findings: Findings) -> None:
    """Each answer names a place of the log, where its ply was made; later plies have later places."""
    made = [place.seq for place, _ in log if place.kind in ("moved", "resigned")]
    last = 0
    # An answer may arrive after that to the opponent's next move.
    for answer in sorted(accepted):
        told = f"ply {answer.ply} was answered with event {answer.seq}"
        if answer.seq > len(log) or log[answer.seq - 1].place.hash != answer.hash:
            findings.append(Finding("lost", f"{told}, which the log does not hold"))
            continue
        if answer.seq <= last:
            findings.append(Finding("reordered", f"{told}, but the ply before with event {last}"))
        last = answer.seq
        # The answer names the last event of the append; the events that finish a match come with its last move.
        if answer.ply >= len(made) or not 0 <= answer.seq - made[answer.ply] <= 2:
            findings.append(Finding("reordered", f"{told}, but is another event"))


def compare_watch(log: Sequence[Logged], name: str, told: Sequence[Place], findings: Findings) -> None:
    """The watcher was told the events of the log from the first on: each once, in order, none left out."""
    due = 1
    for place in told:
        if place.seq < due:
            findings.append(Finding("doubled", f"{name} was told event {place.seq} again"))
            continue
        if place.seq > due:
            findings.append(Finding("lost", f"{name} was told event {place.seq} after event {due - 1}"))
        due = place.seq + 1
        if place.seq > len(log) or log[place.seq - 1].place != place:
            findings.append(Finding("lost", f"{name} was told {place}, which the log does not hold"))
