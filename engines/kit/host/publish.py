"""Telling the watches of a match what has happened, each frame rendered once for all it fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.errors import Refused
from engines.kit.fold import audience_of
from engines.kit.game import EVERYBODY, Audience
from engines.kit.host.warm import Recent, WarmMatch
from engines.kit.host.watch import Watch, by_sink
from engines.kit.state import AnyGame
from engines.kit.told import step_frame


def publish(match: WarmMatch, recents: Sequence[Recent]) -> None:
    """Tells all watches of the match these events, each with the view after it."""
    if not match.watches:
        return
    game = match.history.game
    for recent in recents:
        for audience, omit_views, watches in _groups(game, recent, match.watches.values()):
            frame = render(game, recent, audience, with_view=not omit_views)
            for sink, ids in by_sink(watches):
                sink.push(ids, recent.cursor, frame)


def render(game: AnyGame, recent: Recent, audience: Audience, *, with_view: bool) -> bytes:
    """The bytes of the frame that tells the audience of the event."""
    after = recent.after if with_view else None
    return step_frame(game, recent.event, recent.cursor, recent.before, recent.facts, audience, after)


def _groups(game: AnyGame, recent: Recent, watches: Iterable[Watch]) -> Iterable[tuple[Audience, bool, list[Watch]]]:
    """The watches that are told the same bytes. Where nothing is hidden all audiences are one."""
    secrets = game.info.has_secrets
    groups: dict[tuple[Audience, bool], list[Watch]] = {}
    for watch in watches:
        audience = audience_of(recent.after, watch.handle) if secrets else EVERYBODY
        groups.setdefault((audience, watch.omit_views), []).append(watch)
    return ((audience, omit, group) for (audience, omit), group in groups.items())


def end_all(match: WarmMatch, refused: Refused) -> None:
    """Ends all watches of the match."""
    watches, match.watches = list(match.watches.values()), {}
    for sink, ids in by_sink(watches):
        sink.end(ids, refused)
