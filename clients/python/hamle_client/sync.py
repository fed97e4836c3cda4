"""The client for programs without an event loop: the same calls, which wait.

    from hamle_client.sync import Client

    with Client(name="Ada") as client:
        match = client.pair("coerceo")
        for view in match.turns():
            match.submit(match.choices()[0].text)

The network runs in a thread of its own. Arguments, answers and errors are those of the asynchronous classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self

from hamle.account.v1 import account_pb2
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2

from hamle_client import client as _client
from hamle_client import match as _match
from hamle_client import replay as _replay
from hamle_client.loop import LoopThread
from hamle_client.session import Token
from hamle_client.told import Cursor, Done, Record, Step, View


class Client:
    """As `hamle_client.Client`, which documents the arguments; a context manager."""

    def __init__(self, address: str | None = None, **settings: Any) -> None:
        self._address = address
        self._settings = settings
        self._loop = LoopThread()
        try:
            self._client = self._loop.run(self._make())
        except BaseException:
            self._loop.stop()
            raise

    async def _make(self) -> _client.Client:
        return _client.Client(self._address, **self._settings)

    def __enter__(self) -> Self:
        try:
            self._loop.run(self._client.sign_in())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def token(self) -> Token | None:
        """The present token."""
        return self._client.token

    def account(self) -> account_pb2.Account:
        """Who the caller is."""
        return self._loop.run(self._client.account())

    def revoke_tokens(self) -> None:
        """Ends all tokens of the account."""
        self._loop.run(self._client.revoke_tokens())

    def games(self) -> list[match_pb2.GameInfo]:
        """The games that can be played now."""
        return self._loop.run(self._client.games())

    def pair(self, game: str, options: Mapping[str, str] | None = None, **settings: Any) -> Match:
        """Waits for an opponent who asks for the same, and gives the match, started."""
        return self._match(self._loop.run(self._client.pair(game, options, **settings)))

    def create(self, game: str, options: Mapping[str, str] | None = None, **settings: Any) -> Match:
        """Creates a match and takes a seat at it."""
        return self._match(self._loop.run(self._client.create(game, options, **settings)))

    def join(self, match_id: str = "", **settings: Any) -> Match:
        """Takes a seat."""
        return self._match(self._loop.run(self._client.join(match_id, **settings)))

    def fork(self, match_id: str, seq: int, **settings: Any) -> Match:
        """A new private match that begins with a copy of the events up to `seq`."""
        return self._match(self._loop.run(self._client.fork(match_id, seq, **settings)))

    def match(self, match_id: str) -> Match:
        """A match by its id."""
        return self._match(self._client.match(match_id))

    def matches(self, game: str = "", **settings: Any) -> Iterator[Match]:
        """Public matches, newest first."""
        return map(self._match, self._loop.iterate(self._client.matches(game, **settings)))

    def close(self) -> None:
        """Ends all calls and watches, closes the connections and ends the thread; once is enough."""
        self._loop.stop(self._client.close)

    def _match(self, match: _match.Match) -> Match:
        return Match(self._loop, match)


class Match:
    """As `hamle_client.Match`."""

    def __init__(self, loop: LoopThread, match: _match.Match) -> None:
        self._loop = loop
        self._match = match
        self.replay = Replay(loop, match.replay)

    @property
    def id(self) -> str:
        """The match's identity."""
        return self._match.id

    @property
    def info(self) -> match_pb2.Match | None:
        """The latest that is known of the match."""
        return self._match.info

    @property
    def invite_code(self) -> str:
        """Lets others join a private match."""
        return self._match.invite_code

    @property
    def cursor(self) -> Cursor:
        """The last event seen through this object."""
        return self._match.cursor

    @property
    def seat(self) -> int | None:
        """The caller's seat."""
        return self._match.seat

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._match.game

    def refresh(self) -> match_pb2.Match:
        """Asks for the match as it stands."""
        return self._loop.run(self._match.refresh())

    def start(self) -> None:
        """Starts a match that was created with `manual_start`."""
        self._loop.run(self._match.start())

    def leave(self) -> None:
        """Gives the seat back."""
        self._loop.run(self._match.leave())

    def view(self) -> View:
        """The state at the head."""
        return self._loop.run(self._match.view())

    def choices(self, prefix: str = "") -> list[match_pb2.Choice]:
        """The legal ways to go on from the beginning of a move."""
        return self._loop.run(self._match.choices(prefix))

    def submit(self, *moves: str, **settings: Any) -> Done:
        """Makes one or several moves: all are taken or none."""
        return self._loop.run(self._match.submit(*moves, **settings))

    def undo(self, to_seq: int = 0, **settings: Any) -> Done:
        """Takes back the caller's moves."""
        return self._loop.run(self._match.undo(to_seq, **settings))

    def resign(self, **settings: Any) -> Done:
        """Gives up the caller's seat."""
        return self._loop.run(self._match.resign(**settings))

    def watch(self, cursor: Cursor | None = None, **settings: Any) -> Iterator[Step]:
        """Follows the match until it is over."""
        return self._loop.iterate(self._match.watch(cursor, **settings))

    def turns(self, *, optional: bool = False) -> Iterator[View]:
        """The views on which the caller's seat must act."""
        return self._loop.iterate(self._match.turns(optional=optional))

    def outcome(self) -> event_pb2.Outcome | None:
        """Waits until the match is over and tells how it ended."""
        return self._loop.run(self._match.outcome())


class Replay:
    """As `hamle_client.Replay`."""

    def __init__(self, loop: LoopThread, replay: _replay.Replay) -> None:
        self._loop = loop
        self._replay = replay

    def step(self, seq: int = 0) -> Step:
        """Event `seq`, what it did, and the state after it."""
        return self._loop.run(self._replay.step(seq))

    def events(self, after: int = 0, **settings: Any) -> Iterator[Step]:
        """The events after seq `after` with what they did."""
        return self._loop.iterate(self._replay.events(after, **settings))

    def export(self) -> Iterator[Record]:
        """The log's records."""
        return self._loop.iterate(self._replay.export())
