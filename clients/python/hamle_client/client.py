"""The client: signing in, the lobby, and the way to matches."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from hamle.account.v1 import account_pb2
from hamle.event.v1 import event_pb2
from hamle.lobby.v1 import lobby_pb2
from hamle.match.v1 import match_pb2
from hamle.replay.v1 import replay_pb2

from hamle_client.address import parse_addresses
from hamle_client.caller import Caller
from hamle_client.connections import WATCHES_PER_CONNECTION, Pool
from hamle_client.keeping import keep_token
from hamle_client.match import Match, Shared, new_request_id
from hamle_client.pairing import await_pairing
from hamle_client.roots import trusted_roots
from hamle_client.session import Session, Token, token_of
from hamle_client.types import Types

ENTROPY_BYTES = 32


class Client:
    """A connection to Hamle with one identity. Use it as an asynchronous context manager:

        async with Client(name="Ada") as client:
            match = await client.pair("coerceo")

    `address` is `host:port`, `https://host:port` for TLS, or several separated by commas, of which one that answers is
    used; by default the environment's HAMLE_ADDRESS, else 127.0.0.1:7410. `root_certificates` (PEM bytes, or a path;
    default: the file HAMLE_ROOT_CERTIFICATES) replaces the system's. Without `token` (default: HAMLE_TOKEN) a guest
    account called `name` is made on entry. The token is refreshed when half of its life is over, as long as the client
    is open.

    `timeout` bounds one attempt of a call, `patience` all attempts together, also how long a watch that has lost its
    server looks for one; `silence` is how long a watch may hear nothing before it reconnects. All in seconds.

    Raises ValueError when address, certificates or token cannot be what they are meant to be.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        name: str = "",
        token: Token | str | None = None,
        root_certificates: bytes | str | Path | None = None,
        timeout: float = 5.0,
        patience: float = 30.0,
        silence: float = 25.0,
        watches_per_connection: int = WATCHES_PER_CONNECTION,
    ) -> None:
        roots = trusted_roots(root_certificates or os.environ.get("HAMLE_ROOT_CERTIFICATES"))
        given = token or os.environ.get("HAMLE_TOKEN")
        self._name = name
        self._session = Session(token_of(given) if isinstance(given, str) else given)
        pool = Pool(
            parse_addresses(address, os.environ),
            root_certificates=roots,
            watches_per_connection=watches_per_connection,
        )
        self._caller = Caller(pool, self._session, timeout=timeout, patience=patience)
        self._shared = Shared(self._caller, Types(self._caller), silence)
        self._keeper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        try:
            await self.sign_in()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def token(self) -> Token | None:
        """The present token; pass it to another Client to be the same account. A secret."""
        return self._session.token

    async def sign_in(self) -> None:
        """Makes a guest account unless there is a token, and begins to keep the token valid. Called on entry."""
        if self._session.token is None:
            request = account_pb2.SignInGuestRequest(name=self._name)
            answer = await self._caller.call(lambda c: c.account.SignInGuest, request)
            self._session.token = Token.from_proto(answer.token)
        elif not self._session.token.expires_at:
            await self._refresh_token()
        if self._keeper is None:
            self._keeper = asyncio.create_task(keep_token(self._session, self._refresh_token), name="keep token")
            self._keeper.add_done_callback(_tell)

    async def account(self) -> account_pb2.Account:
        """Who the caller is."""
        answer = await self._caller.call(lambda c: c.account.GetAccount, account_pb2.GetAccountRequest())
        return answer.account

    async def revoke_tokens(self) -> None:
        """Ends all tokens of the account, this client's too."""
        await self._caller.call(lambda c: c.account.RevokeTokens, account_pb2.RevokeTokensRequest())

    async def games(self) -> list[match_pb2.GameInfo]:
        """The games that can be played now, by name."""
        answer = await self._caller.call(lambda c: c.lobby.ListGames, lobby_pb2.ListGamesRequest())
        return list(answer.games)

    async def pair(self, game: str, options: Mapping[str, str] | None = None, *, clock: Clock | None = None) -> Match:
        """Waits for an opponent who asks for the same, and gives the match, started. Cancelling leaves the queue."""
        request = lobby_pb2.RequestPairingRequest(game=game, options=options, time_control=_time_control(clock))
        return self._match(await await_pairing(self._caller, request))

    async def create(
        self,
        game: str,
        options: Mapping[str, str] | None = None,
        *,
        seats: int = 0,
        seat: int | None = None,
        private: bool = False,
        manual_start: bool = False,
        clock: Clock | None = None,
        entropy: bytes | None = None,
        request_id: str = "",
    ) -> Match:
        """Creates a match and takes a seat at it.

        `options` not named have their defaults, `seats` 0 means the fewest, `seat` None the first. A `private` match is
        found by its `invite_code` only. With `manual_start` the creator starts it (`Match.start`), else it starts when
        the last seat is taken. `entropy`, at most 32 bytes, goes into the match's seed: random unless given.
        """
        request = lobby_pb2.CreateMatchRequest(
            request_id=request_id or new_request_id(),
            game=game,
            options=options,
            seats=seats,
            seat=seat,
            visibility=event_pb2.VISIBILITY_PRIVATE if private else event_pb2.VISIBILITY_PUBLIC,
            time_control=_time_control(clock),
            manual_start=manual_start,
            entropy=_entropy(entropy),
        )
        answer = await self._caller.call(lambda c: c.lobby.CreateMatch, request)
        return self._match(answer.match, invite_code=answer.invite_code)

    async def join(
        self,
        match_id: str = "",
        *,
        invite_code: str = "",
        seat: int | None = None,
        entropy: bytes | None = None,
        request_id: str = "",
    ) -> Match:
        """Takes a seat: the first free one unless named. A private match needs its invite code, which also names it."""
        request = lobby_pb2.JoinMatchRequest(
            request_id=request_id or new_request_id(),
            match_id=match_id,
            invite_code=invite_code,
            seat=seat,
            entropy=_entropy(entropy),
        )
        answer = await self._caller.call(lambda c: c.lobby.JoinMatch, request, match_id=match_id)
        return self._match(answer.match, invite_code=invite_code)

    def match(self, match_id: str) -> Match:
        """A match by its id, to watch it, replay it, or play on at a seat taken before. Asks the server nothing."""
        return Match(self._shared, match_id)

    async def matches(
        self, game: str = "", *, mine: bool = False, status: match_pb2.MatchStatus.ValueType | None = None
    ) -> AsyncGenerator[Match, None]:
        """Public matches that wait or are played, newest first; `mine`: all at which the caller sits, finished too."""
        page = ""
        while True:
            request = lobby_pb2.ListMatchesRequest(
                game=game,
                mine=mine,
                status=status or match_pb2.MATCH_STATUS_UNSPECIFIED,
                page_size=100,
                page_token=page,
            )
            answer = await self._caller.call(lambda c: c.lobby.ListMatches, request)
            for info in answer.matches:
                yield self._match(info)
            page = answer.next_page_token
            if not page:
                return

    async def fork(self, match_id: str, seq: int, *, seat: int | None = None, request_id: str = "") -> Match:
        """A new private match that begins with a copy of the events up to `seq`; the caller takes a seat."""
        request = replay_pb2.ForkMatchRequest(
            request_id=request_id or new_request_id(), match_id=match_id, seq=seq, seat=seat
        )
        answer = await self._caller.call(lambda c: c.replay.ForkMatch, request, match_id=match_id)
        return self._match(answer.match, invite_code=answer.invite_code)

    async def close(self) -> None:
        """Ends all calls and watches and closes the connections."""
        keeper, self._keeper = self._keeper, None
        try:
            if keeper is not None:
                keeper.cancel()
                # Waited for and not awaited: a cancellation that arrives here is the caller's own.
                await asyncio.wait([keeper])
        finally:
            await self._caller.pool.close()

    def _match(self, info: match_pb2.Match, *, invite_code: str = "") -> Match:
        return Match(self._shared, info.match_id, info, invite_code=invite_code)

    async def _refresh_token(self) -> None:
        answer = await self._caller.call(lambda c: c.account.RefreshToken, account_pb2.RefreshTokenRequest())
        self._session.token = Token.from_proto(answer.token)


Clock = tuple[int, int]
"""Milliseconds on each clock at the start, and milliseconds added after each move."""


def _tell(keeper: asyncio.Task[None]) -> None:
    """Tells at once of a fault in the keeping of the token; calls go on until the token ends."""
    if not keeper.cancelled() and (error := keeper.exception()) is not None:
        context = {"message": "the token is not refreshed any more", "exception": error, "task": keeper}
        keeper.get_loop().call_exception_handler(context)


def _time_control(clock: Clock | None) -> event_pb2.TimeControl | None:
    return None if clock is None else event_pb2.TimeControl(initial_ms=clock[0], increment_ms=clock[1])


def _entropy(given: bytes | None) -> bytes:
    return os.urandom(ENTROPY_BYTES) if given is None else given
