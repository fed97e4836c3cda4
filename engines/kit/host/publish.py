"""Telling the watches of a match what has happened, each frame rendered once for all it fits."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import Refused
from engines.kit.game import Audience
from engines.kit.host.warm import Recent, WarmMatch
from engines.kit.host.watch import by_sink
from engines.kit.state import AnyGame
from engines.kit.told import step_frame


def publish(match: WarmMatch, recents: Sequence[Recent]) -> None:
    """Tells all watches of the match these events, each with the view after it."""
    if not match.watches:
        return
    game = match.history.game
    for recent in recents:
        for audience, omit_views, told in match.watches.groups(game, recent.after):
            frame = render(game, recent, audience, with_view=not omit_views)
            for sink, ids in told:
                sink.push(ids, recent.cursor, frame)


def render(game: AnyGame, recent: Recent, audience: Audience, *, with_view: bool) -> bytes:
    """The bytes of the frame that tells the audience of the event."""
    after = recent.after if with_view else None
    return step_frame(game, recent.event, recent.cursor, recent.before, recent.facts, audience, after)


def end_all(match: WarmMatch, refused: Refused) -> None:
    """Ends all watches of the match."""
    for sink, ids in by_sink(match.watches.take()):
        sink.end(ids, refused)
