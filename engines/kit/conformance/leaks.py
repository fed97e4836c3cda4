"""The proof that nothing leaks: an audience gets the same in the true state and in one imagined from its view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.fairness.draw import SeededDraw
from engines.kit.conformance.moves import complete_moves, refusal
from engines.kit.conformance.observe import Entry, Seen, entries, public, seen, view_bytes
from engines.kit.conformance.report import differing, require, short
from engines.kit.conformance.seats import audiences
from engines.kit.game import EVERYBODY, Audience
from engines.kit.state import AnyGame

CHECK = "no leak"
MOST_MOVES = 80
"""Where a seat has more moves than this, how its moves look to others is not compared with an imagined state."""


def imagined(game: AnyGame, state: Any, audience: Audience, draw: SeededDraw) -> Any:
    """A state imagined from the bytes of the audience's view and nothing else."""
    view = game.view(state, audience)
    return game.imagine(type(view).FromString(view.SerializeToString()), audience, draw)


def check_state(
    game: AnyGame, state: Any, other: Any, audience: Audience, wrong: Sequence[str], draw: SeededDraw
) -> None:
    """View, who can act, own choices, own refusals are the same in `state` and in `other`, imagined from its view."""
    true, copy = view_bytes(game, state, audience), view_bytes(game, other, audience)
    require(true == copy, CHECK, f"audience {audience} tells true from imagined by its view: {differing(true, copy)}")
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
    for _ in range(MOST_MOVES):
        if not prefixes:
            return
        prefix = prefixes.pop()
        one, two = game.choices(state, seat, prefix), game.choices(other, seat, prefix)
        same = list(one) == list(two)
        what = f"the choices of seat {seat} after {prefix!r} depend on what it cannot see"
        require(same, CHECK, f"{what}: {short(repr(one))} and {short(repr(two))}")
        prefixes += [choice.text for choice in one]


def check_everything(game: AnyGame, state: Any, other: Any, seats: int) -> None:
    """`other`, imagined from what everybody sees once the match is over, looks the same to all audiences."""
    for audience in audiences(seats):
        true, copy = view_bytes(game, state, audience), view_bytes(game, other, audience)
        same = true == copy
        require(same, CHECK, f"the view of all is not all: audience {audience} differs: {differing(true, copy)}")


def check_moves(game: AnyGame, state: Any, other: Any, mover: int, audience: Audience, seed: bytes, seq: int) -> None:
    """How the mover's moves look to the audience tells no more than the view after them.

    `other` is imagined from the audience's view of `state`. Moves that read the same look the same. Where a view can
    be reached from both states, so can the same readings and facts. A move that can be undone tells nothing new.
    """
    ours = complete_moves(game, state, mover, MOST_MOVES)
    theirs = complete_moves(game, other, mover, MOST_MOVES)
    here = entries(game, state, mover, ours.texts, audience, seed, seq)
    _same_reading_looks_the_same(here, mover, audience)
    there = entries(game, other, mover, theirs.texts, audience, seed, seq)
    if ours.all and theirs.all:
        same_views_tell_the_same([e.seen for e in here], [e.seen for e in there], f"moves of seat {mover}", audience)
        _undo_tells_nothing(here, there, mover, audience)


def _same_reading_looks_the_same(found: Sequence[Entry], mover: int, audience: Audience) -> None:
    first: dict[str, Entry] = {}
    for entry in found:
        kept = first.setdefault(entry.seen.text, entry)
        same = kept.seen == entry.seen
        what = f"{kept.move!r} and {entry.move!r} of seat {mover} both read {entry.seen.text!r} to audience {audience}"
        require(same, CHECK, f"{what}, but look different: {_difference(kept.seen, entry.seen)}")


def same_views_tell_the_same(here: Sequence[Seen], there: Sequence[Seen], of: str, audience: Audience) -> None:
    """Views reached from both states go with the same readings, facts and the rest in both."""
    one, two = _by_view(here), _by_view(there)
    for view in sorted(one.keys() & two.keys()):
        odd = one[view] ^ two[view]
        what = f"{of} tell audience {audience} more than its view after them"
        require(not odd, CHECK, f"{what}; only in one of both states: {short(str(sorted(odd)), 900)}")


def _by_view(all_seen: Sequence[Seen]) -> dict[bytes, set[str]]:
    grouped: dict[bytes, set[str]] = {}
    for one in all_seen:
        grouped.setdefault(one.view, set()).add(f"{one.text!r} with {one.rest!r}")
    return grouped


def _undo_tells_nothing(here: Sequence[Entry], there: Sequence[Entry], mover: int, audience: Audience) -> None:
    for entry in here:
        if entry.undoable:
            alike = [other for other in there if other.seen.text == entry.seen.text]
            hidden = bool(alike) and all(other.seen == entry.seen for other in alike)
            what = f"audience {audience} learns something hidden from {entry.move!r} of seat {mover}"
            require(hidden, CHECK, f"{what}, which can be undone: barrier must be True")


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


def _difference(one: Seen, other: Seen) -> str:
    if one.view != other.view:
        return f"views of {differing(one.view, other.view)}"
    return f"{one.rest!r} and {other.rest!r}"
