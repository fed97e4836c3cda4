"""Who calls, and bytes that are no request."""

from __future__ import annotations

import os
from typing import Any, Final

from hamle.account.v1.account_pb2 import GetAccountRequest, RevokeTokensRequest
from hamle.play.v1.play_pb2 import GetViewRequest, WatchMatchRequest

from tests.e2e.bad_input.case import Ask, Case
from tests.e2e.bad_input.people import Guest, expired, forged, guest
from tests.e2e.bad_input.scene import CALL_S, Scene
from tests.e2e.bad_input.stack import Metadata

_PLAY: Final = "hamle.play.v1.PlayService"
# SignInGuestRequest{name: bytes that are not UTF-8}, a field cut short, a group that never ends, nested groups.
GARBAGE: Final = (b"\x0a\x02\xff\xfe", b"\x0a\x50ab", b"\xff", b"\x0b" * 2_000)


async def _account(scene: Scene, metadata: Metadata) -> Any:
    return await scene.accounts.GetAccount(GetAccountRequest(), metadata=metadata, timeout=CALL_S)


def _bearing(token: str) -> Metadata:
    return Guest("", "", token).metadata


async def _as_reader(scene: Scene) -> Any:
    reader = await guest(scene.channel, "Reader", "watch")
    return await scene.create(reader)


async def _as_player(scene: Scene) -> Any:
    player = await guest(scene.channel, "Player", "play")
    return await scene.play.GetView(GetViewRequest(match_id=scene.match_id), metadata=player.metadata, timeout=CALL_S)


async def _revoke(scene: Scene) -> None:
    scene.kept = await guest(scene.channel, "Revoked")
    await scene.accounts.RevokeTokens(RevokeTokensRequest(), metadata=scene.kept.metadata, timeout=CALL_S)


def _submitting(data: bytes) -> Ask:
    async def submit(scene: Scene) -> Any:
        return await scene.raw(f"{_PLAY}/SubmitMoves", data, scene.ann)

    return submit


def _watching(data: bytes) -> Ask:
    async def watch(scene: Scene) -> Any:
        call: Any = scene.channel.unary_stream(f"/{_PLAY}/WatchMatch", None, None)(data, metadata=scene.ann.metadata)
        return await call.read()

    return watch


async def _watch_as_stranger(scene: Scene) -> Any:
    call: Any = scene.play.WatchMatch(WatchMatchRequest(match_id=scene.match_id), timeout=CALL_S)
    return await call.read()


CASES: Final = (
    Case("no token", "TOKEN_MISSING", lambda s: _account(s, ()), "sign in with AccountService.SignInGuest"),
    Case("no token to watch", "TOKEN_MISSING", _watch_as_stranger, "sign in"),
    Case("garbage for a token", "TOKEN_INVALID", lambda s: _account(s, _bearing("abc.def.ghi")), "sign in again"),
    Case("an empty token", "TOKEN_INVALID", lambda s: _account(s, _bearing("")), "expected `Bearer <token>`"),
    Case("a long token", "TOKEN_INVALID", lambda s: _account(s, _bearing("e" * 8_000)), "sign in again"),
    Case(
        "another scheme",
        "TOKEN_INVALID",
        lambda s: _account(s, (("authorization", "Basic QW5uOnNlc2FtZQ=="),)),
        "expected `Bearer <token>`",
    ),
    Case("a forged token", "TOKEN_INVALID", lambda s: _account(s, _bearing(forged(s.stack, s.ann))), "sign in again"),
    Case("a cut token", "TOKEN_INVALID", lambda s: _account(s, _bearing(s.ann.token[:-4])), "sign in again"),
    Case(
        "a token whose time is over", "TOKEN_EXPIRED", lambda s: _account(s, _bearing(expired(s.stack, s.ann))), "sign"
    ),
    Case("a revoked token", "TOKEN_REVOKED", lambda s: _account(s, s.kept.metadata), "sign in again", first=_revoke),
    Case("a reader creates", "SCOPE_MISSING", _as_reader, "sign in again and ask for that scope", {"scope": "play"}),
    Case("a player reads", "SCOPE_MISSING", _as_player, "sign in again and ask for that scope", {"scope": "watch"}),
    *(Case(f"garbage {n}", "BYTES_UNPARSABLE", _submitting(GARBAGE[n]), "expected protobuf") for n in range(4)),
    *(Case(f"garbage {n} to watch", "BYTES_UNPARSABLE", _watching(GARBAGE[n]), "expected protobuf") for n in range(4)),
    Case(
        "a message over the limit",
        "MESSAGE_TOO_LARGE",
        lambda s: s.submit(s.ann, "x" * (1 << 21)),
        "send",
        {"limit_bytes": str(1 << 20)},
    ),
    Case(
        "bytes over the limit to watch",
        "MESSAGE_TOO_LARGE",
        _watching(os.urandom(3 << 20)),
        "send",
        {"limit_bytes": str(1 << 20)},
    ),
)
