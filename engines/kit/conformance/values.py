"""States are values: unchanged by what is done with them, and the same again from their bytes."""

from __future__ import annotations

from typing import Any

from core.fairness.draw import SeededDraw
from engines.kit.conformance.match import Step, seed_bytes
from engines.kit.conformance.report import NotConforming, differing, require
from engines.kit.state import AnyGame


def check_bytes(game: AnyGame, state: Any) -> bytes:
    """`load` takes back what `dump` wrote: an equal state with equal bytes, which are returned."""
    data = game.dump(state)
    require(isinstance(data, bytes), "dump", f"gave {type(data).__name__}, expected bytes")
    loaded = game.load(data)
    require(
        loaded == state, "load", lambda: f"the loaded state is not equal to the one dumped: {loaded!r} and {state!r}"
    )
    again = game.dump(loaded)
    require(again == data, "dump", lambda: f"equal states have unequal bytes: {differing(data, again)}")
    return data


def check_unchanged(game: AnyGame, state: Any, data: bytes, by: str) -> None:
    """The state still has the bytes that it had before."""
    now = game.dump(state)
    require(now == data, "immutability", lambda: f"{by} changed the state it was given: {differing(data, now)}")


def check_repeatable(game: AnyGame, step: Step, seed: int) -> None:
    """From a state loaded anew the same step leads to the same bytes and facts."""
    if step.kind == "setup":
        return
    loaded = game.load(game.dump(step.before))
    draw = SeededDraw(seed_bytes(seed), step.seq)
    if step.kind == "time_out":
        after, facts = game.time_out(loaded, draw)
    elif step.seat is None:
        raise NotConforming("match", f"a {step.kind} without a seat")
    elif step.kind == "leave":
        after, facts = game.leave(loaded, step.seat, draw)
    else:
        after, facts = game.apply(loaded, step.seat, step.move, draw)
    first, second = game.dump(step.after), game.dump(after)
    what = f"{step.kind} {step.move!r} from a state loaded anew"
    require(first == second, "load", lambda: f"{what} leads elsewhere: {differing(first, second)}")
    require(tuple(step.facts) == tuple(facts), "load", f"{what} tells {facts!r}, expected {step.facts!r}")
