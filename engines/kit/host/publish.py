"""Telling the watches of a match what has happened, each frame rendered once for all it fits."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import Refused
from core.log.types import Cursor
from engines.kit.fold import FoldedEvent
from engines.kit.game import Audience
from engines.kit.host.loss import Loss, log_lost_tail
from engines.kit.host.warm import WarmMatch
from engines.kit.host.watch import by_sink
from engines.kit.state import AnyGame
from engines.kit.told import step_frame


def publish(match: WarmMatch, events: Sequence[FoldedEvent]) -> None:
    """Tells all watches of the match these events, each with the view after it."""
    if not match.watches:
        return
    game = match.history.game
    for event in events:
        cursor = event.cursor
        for audience, omit_views, told in match.watches.groups(game, event.folded.state):
            frame = render(game, event, cursor, audience, with_view=not omit_views)
            for sink, ids in told:
                sink.push(ids, cursor, frame)


def render(game: AnyGame, event: FoldedEvent, cursor: Cursor, audience: Audience, *, with_view: bool) -> bytes:
    """The bytes of the frame that tells the audience of the event at `cursor`."""
    message, _, before, (after, _, facts) = event
    return step_frame(game, message, cursor, before, facts, audience, after if with_view else None)


def end_all(match: WarmMatch, refused: Refused) -> None:
    """Ends all watches of the match."""
    for sink, ids in by_sink(match.watches.take()):
        sink.end(ids, refused)


def lose(match: WarmMatch, loss: Loss) -> Refused:
    """Nobody plays a locked match until an operator accepts its loss; gives the refusal that says so."""
    match.lost = loss
    match.suspect = False
    refused = log_lost_tail(loss)
    end_all(match, refused)
    return refused
