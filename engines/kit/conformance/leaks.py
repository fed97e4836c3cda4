"""The proof that nothing leaks: an audience gets the same in the true state and in one imagined from its view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.fairness.draw import SeededDraw
from engines.kit.conformance.looks import CHECK, same_views_tell_the_same
from engines.kit.conformance.moves import refusal
from engines.kit.conformance.observe import Seen, public, seen, view_bytes
from engines.kit.conformance.report import NotConforming, differing, require, short
from engines.kit.conformance.seats import audiences
from engines.kit.game import EVERYBODY, Audience
from engines.kit.state import AnyGame

_MOST_LISTS = 80


def imagined(game: AnyGame, state: Any, audience: Audience, draw: SeededDraw) -> Any:
    """A state imagined from the bytes of the audience's view and nothing else."""
    view = game.view(state, audience)
    return game.imagine(type(view).FromString(view.SerializeToString()), audience, draw)


def check_state(
    game: AnyGame, state: Any, other: Any, audience: Audience, wrong: Sequence[str], draw: SeededDraw
) -> None:
    """View, who can act, own choices, own refusals are the same in `state` and in `other`, imagined from its view."""
    true, copy = view_bytes(game, state, audience), view_bytes(game, other, audience)
    told = f"audience {audience} tells true from imagined by its view"
    require(true == copy, CHECK, lambda: f"{told}: {differing(true, copy)}")
    one, two = public(game, state), public(game, other)
    names = "awaited, may_act, limit_ms and outcome"
    require(one == two, CHECK, f"{names} depend on what audience {audience} cannot see: {one} and {two}")
    if audience == EVERYBODY:
        return
    if audience in game.may_act(state):
        _same_choices(game, state, other, audience)
        for text in wrong:
            said, would = refusal(game, state, audience, text, draw), refusal(game, other, audience, text, draw)
            require(said == would, CHECK, f"the refusal of {text!r} tells seat {audience} a secret: {said} and {would}")


def _same_choices(game: AnyGame, state: Any, other: Any, seat: int) -> None:
    prefixes = [""]
    for _ in range(_MOST_LISTS):
        if not prefixes:
            return
        prefix = prefixes.pop()
        one, two = game.choices(state, seat, prefix), game.choices(other, seat, prefix)
        if list(one) != list(two):
            what = f"the choices of seat {seat} after {prefix!r} depend on what it cannot see"
            raise NotConforming(CHECK, f"{what}: {short(repr(one))} and {short(repr(two))}")
        prefixes += [choice.text for choice in one]


def check_everything(game: AnyGame, state: Any, other: Any, seats: int) -> None:
    """`other`, imagined from what everybody sees once the match is over, looks the same to all audiences."""
    for audience in audiences(seats):
        true, copy = view_bytes(game, state, audience), view_bytes(game, other, audience)
        if true != copy:
            raise NotConforming(
                CHECK, f"the view of all is not all: audience {audience} differs: {differing(true, copy)}"
            )


def check_others(
    game: AnyGame, state: Any, other: Any, staying: Sequence[int], audience: Audience, seed: bytes, seq: int
) -> None:
    """Leaving and time limits tell the audience no more than its view after them."""
    for seat in staying:
        here, there = (_seen_leave(game, one, seat, audience, seed, seq) for one in (state, other))
        same_views_tell_the_same([here], [there], f"leave of seat {seat}", audience)
    if game.limit_ms(state) is not None:
        here, there = (_seen_time_out(game, one, audience, seed, seq) for one in (state, other))
        same_views_tell_the_same([here], [there], "time_out", audience)


def _seen_leave(game: AnyGame, state: Any, seat: int, audience: Audience, seed: bytes, seq: int) -> Seen:
    after, facts = game.leave(state, seat, SeededDraw(seed, seq))
    return seen(game, state, after, facts, "", audience)


def _seen_time_out(game: AnyGame, state: Any, audience: Audience, seed: bytes, seq: int) -> Seen:
    after, facts = game.time_out(state, SeededDraw(seed, seq))
    return seen(game, state, after, facts, "", audience)
