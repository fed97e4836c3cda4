"""The past of a match, step by step, wherever it is kept: on the server or in an exported file."""

from __future__ import annotations

from typing import Protocol

from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from hamle_client import Client, Cursor, Match, Step, View

from cli.errors import Stop
from cli.logfile import LogFile
from engines.kit.game import EVERYBODY
from engines.kit.history import History
from engines.kit.host.describe import info_proto
from engines.kit.steps import FoldError
from engines.kit.told import told_event, view_proto
from engines.registry import games_by_rules


class Past(Protocol):
    """Events 1 to `head`, each with the state after it. `seat` is the caller's, None for a spectator."""

    info: match_pb2.GameInfo
    head: int
    seat: int | None

    async def step(self, seq: int) -> Step:
        """Event `seq` with what it did; the view after it, once play has begun."""
        ...


class ServerPast:
    """The past as the server tells it to the caller."""

    def __init__(self, match: Match, info: match_pb2.GameInfo, head: int) -> None:
        self._replay = match.replay
        self.info = info
        self.head = head
        self.seat = match.seat

    @classmethod
    async def of(cls, client: Client, match_id: str) -> ServerPast:
        """Asks for the match."""
        match = client.match(match_id)
        found = await match.refresh()
        games = {info.game: info for info in await client.games()}
        return cls(match, games.get(found.game, match_pb2.GameInfo(game=found.game)), found.head.seq)

    async def step(self, seq: int) -> Step:
        """Asks the server."""
        return await self._replay.step(seq)


class FilePast:
    """The past as it follows from an exported log: folded here, nothing asked."""

    seat: int | None = None

    def __init__(self, log: LogFile) -> None:
        if log.redacted:
            raise Stop("The log was exported while the match was live, so it is redacted; export it once it is over.")
        self._steps: list[Step] = []
        history = History(games_by_rules(), log.materials)
        for record, _ in log.records:
            try:
                event, before, folded = history.add(record)
            except FoldError as error:
                raise Stop(f"The log does not follow from the rules; `hamle verify` tells more. {error}.") from error
            game, cursor = history.game, history.head
            told = told_event(game, event, cursor, before, folded.facts, EVERYBODY)
            view = None
            if folded.state.game is not None:
                shown = game.view(folded.state.game, EVERYBODY)
                view = View(view_proto(game, folded.state, cursor.hash, EVERYBODY), shown)
            self._steps.append(_step(told, view))
        if not self._steps:
            raise Stop("The log is empty.")
        self.info = info_proto(history.game.info, [history.game.info.rules], "")
        self.head = len(self._steps)

    async def step(self, seq: int) -> Step:
        """The step that was folded."""
        return self._steps[seq - 1]


def _step(told: match_pb2.ToldEvent, view: View | None) -> Step:
    event: event_pb2.Event = told.event
    return Step(Cursor.from_proto(told.cursor), event, tuple(told.facts), view)
