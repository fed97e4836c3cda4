"""How moves look to an audience: their readings and facts tell no more than the views after them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from engines.kit.conformance.moves import complete_moves
from engines.kit.conformance.observe import Entry, Seen, entries
from engines.kit.conformance.report import NotConforming, differing, require, short
from engines.kit.game import PUBLIC, Audience
from engines.kit.state import AnyGame

CHECK = "no leak"
MOST_MOVES = 80
"""Moves of a seat whose looks are compared; where there are more, so many in groups that read the same."""
_MOST_LISTED = 10 * MOST_MOVES
_GROUP = 3


def check_moves(
    game: AnyGame,
    state: Any,
    other: Any,
    mover: int,
    audience: Audience,
    seed: bytes,
    seq: int,
    rng: random.Random,
    known: Any,
) -> None:
    """How the mover's moves look to the audience tells no more than the view after them.

    `other` is imagined from the audience's view of `state`. Moves that read the same look the same. Where a view can
    be reached from both states, so can the same readings and facts. A move that can be undone tells nothing new; where
    the game allows to take back what showed own things it tells mover and public nothing but what the mover knew: the
    same is seen in `known`, which is imagined from the mover's view.
    """
    ours = complete_moves(game, state, mover, _MOST_LISTED).texts
    theirs = complete_moves(game, other, mover, _MOST_LISTED).texts
    whole = max(len(ours), len(theirs)) <= MOST_MOVES
    if not whole:
        ours, theirs = _read_alike(game, state, ours, other, theirs, mover, audience, rng)
    here = entries(game, state, mover, ours, audience, seed, seq)
    there = entries(game, other, mover, theirs, audience, seed, seq)
    _same_reading_looks_the_same(here, mover, audience)
    if whole:
        same_views_tell_the_same([e.seen for e in here], [e.seen for e in there], f"moves of seat {mover}", audience)
        if game.info.undo_after_showing:
            audience = mover if audience == mover else PUBLIC
            here = entries(game, state, mover, ours, audience, seed, seq)
            there = entries(game, known, mover, ours, audience, seed, seq)
        _undo_tells_nothing(here, there, mover, audience)
    else:
        _same_reading_and_view_tell_the_same([*here, *there], mover, audience)


def _read_alike(
    game: AnyGame,
    state: Any,
    ours: Sequence[str],
    other: Any,
    theirs: Sequence[str],
    mover: int,
    audience: Audience,
    rng: random.Random,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Some moves of both states, a few of each reading, those first that several moves have."""
    here, there = _by_reading(game, state, ours, mover, audience), _by_reading(game, other, theirs, mover, audience)
    readings = sorted(here)
    rng.shuffle(readings)
    readings.sort(key=lambda reading: -min(len(here[reading]), _GROUP))
    picked = readings[: MOST_MOVES // _GROUP]
    one = tuple(move for r in picked for move in rng.sample(here[r], min(len(here[r]), _GROUP)))
    two = tuple(move for r in picked for move in there.get(r, [])[:_GROUP])
    return one, two


def _by_reading(
    game: AnyGame, state: Any, moves: Sequence[str], mover: int, audience: Audience
) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for move in moves:
        grouped.setdefault(game.redact(state, mover, move, audience), []).append(move)
    return grouped


def _same_reading_looks_the_same(found: Sequence[Entry], mover: int, audience: Audience) -> None:
    first: dict[str, Entry] = {}
    for entry in found:
        kept = first.setdefault(entry.seen.text, entry)
        if kept.seen != entry.seen:
            both = f"{kept.move!r} and {entry.move!r} of seat {mover} both read {entry.seen.text!r}"
            difference = _difference(kept.seen, entry.seen)
            raise NotConforming(CHECK, f"{both} to audience {audience}, but look different: {difference}")


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


def _same_reading_and_view_tell_the_same(found: Sequence[Entry], mover: int, audience: Audience) -> None:
    first: dict[tuple[str, bytes], Entry] = {}
    for entry in found:
        kept = first.setdefault((entry.seen.text, entry.seen.view), entry)
        if kept.seen.rest != entry.seen.rest:
            alike = f"{kept.move!r} and {entry.move!r} of seat {mover} read the same to audience {audience}"
            raise NotConforming(
                CHECK, f"{alike}, as do the views, but not the rest: {kept.seen.rest!r} and {entry.seen.rest!r}"
            )


def _difference(one: Seen, other: Seen) -> str:
    if one.view != other.view:
        return f"views of {differing(one.view, other.view)}"
    return f"{one.rest!r} and {other.rest!r}"
