"""The lobby: games, options, seats, invitations, pairing, lists."""

from __future__ import annotations

import random
from typing import Any, Final

from hamle.event.v1.event_pb2 import TimeControl
from hamle.lobby.v1 import lobby_pb2 as pb

from core.log.keys import match_id_for
from tests.e2e.bad_input.case import Case, field_case
from tests.e2e.bad_input.scene import CALL_S, FINISHED, FULL, PRIVATE, WAITING, Scene, new_id

NOBODY: Final = match_id_for("a match", "that nobody has created")


async def _get(scene: Scene, match_id: str) -> Any:
    request = pb.GetMatchRequest(match_id=match_id)
    return await scene.lobby.GetMatch(request, metadata=scene.ann.metadata, timeout=CALL_S)


async def _list(scene: Scene, **fields: Any) -> Any:
    request = pb.ListMatchesRequest(**fields)
    return await scene.lobby.ListMatches(request, metadata=scene.ann.metadata, timeout=CALL_S)


async def _leave(scene: Scene, who: str = "ann", **fields: Any) -> Any:
    request = pb.LeaveMatchRequest(**{"request_id": new_id(), "match_id": scene.match_id, **fields})
    return await scene.lobby.LeaveMatch(request, metadata=getattr(scene, who).metadata, timeout=CALL_S)


async def _start(scene: Scene, who: str = "ann", **fields: Any) -> Any:
    request = pb.StartMatchRequest(**{"request_id": new_id(), "match_id": scene.match_id, **fields})
    return await scene.lobby.StartMatch(request, metadata=getattr(scene, who).metadata, timeout=CALL_S)


async def _pair(scene: Scene, **fields: Any) -> Any:
    request = pb.RequestPairingRequest(**{"request_id": new_id(), "game": "coerceo", **fields})
    return await scene.lobby.RequestPairing(request, metadata=scene.ann.metadata, timeout=CALL_S)


async def _await(scene: Scene, ticket: str, wait_ms: int = 0, who: str = "ann") -> Any:
    request = pb.AwaitPairingRequest(ticket=ticket, wait_ms=wait_ms)
    return await scene.lobby.AwaitPairing(request, metadata=getattr(scene, who).metadata, timeout=CALL_S)


async def _cancel(scene: Scene, ticket: str) -> Any:
    request = pb.CancelPairingRequest(ticket=ticket)
    return await scene.lobby.CancelPairing(request, metadata=scene.ann.metadata, timeout=CALL_S)


async def _clock(scene: Scene, initial_ms: int, increment_ms: int = 0) -> Any:
    return await scene.create(scene.ann, time_control=TimeControl(initial_ms=initial_ms, increment_ms=increment_ms))


def _unlike_others() -> TimeControl:
    """Nobody else asks for it."""
    return TimeControl(initial_ms=random.SystemRandom().randrange(1_000, 600_000_000))


async def _ticket(scene: Scene) -> None:
    scene.kept = (await _pair(scene, time_control=_unlike_others())).ticket


async def _many_tickets(scene: Scene) -> Any:
    control = _unlike_others()
    for _ in range(1_000):
        await _pair(scene, time_control=control)


async def _created(scene: Scene) -> None:
    scene.kept = new_id()
    await scene.create(scene.eve, scene.kept)


async def _create_again(scene: Scene, **fields: Any) -> Any:
    return await scene.create(scene.eve, scene.kept, **fields)


async def _paired(scene: Scene) -> None:
    scene.kept = new_id()
    await _pair(scene, request_id=scene.kept, time_control=_unlike_others())


SCENES: Final = (
    Case("an unknown match", "MATCH_NOT_FOUND", lambda s: _get(s, NOBODY), "ListMatches", {"match_id": NOBODY}),
    Case("no match's id", "MATCH_NOT_FOUND", lambda s: _get(s, "xyz"), "ListMatches", {"match_id": "xyz"}),
    Case("an unknown game", "GAME_UNKNOWN", lambda s: s.create(s.ann, game="chess"), "ListGames", {"game": "chess"}),
    Case("an unknown game to pair", "GAME_UNKNOWN", lambda s: _pair(s, game="chess"), "ListGames", {"game": "chess"}),
    Case(
        "an unknown option",
        "OPTION_INVALID",
        lambda s: s.create(s.ann, options={"komi": "7"}),
        "expected one of the options start, ",
        {"option": "komi", "value": "7"},
    ),
    Case(
        "an unknown value of an option",
        "OPTION_INVALID",
        lambda s: s.create(s.ann, options={"start": "middle"}),
        "Expected one of laurentius, ocius",
        {"option": "start", "value": "middle", "expected": "one of laurentius, ocius"},
    ),
    Case("an unknown option to pair", "OPTION_INVALID", lambda s: _pair(s, options={"komi": "7"}), "expected one of"),
    Case("joining a match that is played", "MATCH_STARTED", lambda s: s.join(s.eve), "create another"),
    Case("leaving a match that is played", "MATCH_STARTED", lambda s: _leave(s), "can no longer be taken or left"),
    Case("starting a match that is played", "MATCH_STARTED", lambda s: _start(s), "create another"),
    Case("joining a finished match", "MATCH_FINISHED", lambda s: s.join(s.eve), "replay it", scene=FINISHED),
    Case("leaving a finished match", "MATCH_FINISHED", lambda s: _leave(s), "Replay it", scene=FINISHED),
    Case("starting a finished match", "MATCH_FINISHED", lambda s: _start(s), "Replay it", scene=FINISHED),
    Case("joining a full match", "MATCH_FULL", lambda s: s.join(s.eve), "create another", scene=FULL),
    Case("starting alone", "SEATS_MISSING", lambda s: _start(s), "at least 2", {"seats": "1", "needed": "2"}, WAITING),
    Case("starting another's match", "NOT_YOUR_SEAT", lambda s: _start(s, "bob"), "join", scene=WAITING),
    Case("leaving without a seat", "NOT_YOUR_SEAT", lambda s: _leave(s, "eve"), "join", scene=WAITING),
    Case("a taken seat", "SEAT_TAKEN", lambda s: s.join(s.bob, seat=0), "free are: 1", {"seat": "0"}, WAITING),
    Case("a seat that there is not", "SEAT_TAKEN", lambda s: s.join(s.bob, seat=9), "free are: 1", scene=WAITING),
    Case("a private match uninvited", "INVITE_INVALID", lambda s: s.join(s.bob), "invite code", scene=PRIVATE),
    Case(
        "a wrong invite code",
        "INVITE_INVALID",
        lambda s: s.join(s.bob, invite_code="07ABCDEFGH"),
        "ask who invited you",
        scene=PRIVATE,
    ),
    Case(
        "an invite code for another match",
        "INVITE_INVALID",
        lambda s: s.join(s.bob, match_id=NOBODY, invite_code=s.invite_code),
        "ask who invited you",
        scene=PRIVATE,
    ),
    Case("an unknown ticket", "TICKET_NOT_FOUND", lambda s: _await(s, "t"), "RequestPairing", {"ticket": "t"}),
    Case("an unknown ticket to cancel", "TICKET_NOT_FOUND", lambda s: _cancel(s, "t"), "RequestPairing"),
    Case(
        "another's ticket", "TICKET_NOT_FOUND", lambda s: _await(s, s.kept, who="bob"), "RequestPairing", first=_ticket
    ),
    Case("too many tickets", "OVERLOADED", _many_tickets, "cancel some of the tickets"),
    Case(
        "a request id of another creation",
        "REQUEST_ID_REUSED",
        lambda s: _create_again(s, options={"cura": "on"}),
        "Take a new id",
        first=_created,
    ),
    Case(
        "a request id of a creation of another game",
        "REQUEST_ID_REUSED",
        lambda s: _create_again(s, game="battleline"),
        "take a new id",
        first=_created,
    ),
    Case(
        "a request id of another pairing",
        "REQUEST_ID_REUSED",
        lambda s: _pair(s, request_id=s.kept),
        "take a new id",
        first=_paired,
    ),
    Case("a page token of none", "PAGE_TOKEN_INVALID", lambda s: _list(s, page_token="abcd"), "leave it empty"),
    Case("a page token of odd letters", "PAGE_TOKEN_INVALID", lambda s: _list(s, page_token="ı🦊"), "leave it empty"),
)

FIELDS: Final = (
    field_case("CreateMatch request_id", lambda s: s.raw(_CREATE, b"", s.ann), "1 to 64 characters"),
    field_case("CreateMatch long request_id", lambda s: s.create(s.ann, "r" * 65), "1 to 64 characters"),
    field_case("CreateMatch seats", lambda s: s.create(s.ann, seats=3), "2 to 2"),
    field_case("CreateMatch seat", lambda s: s.create(s.ann, seat=2), "0 to 1"),
    field_case("CreateMatch visibility", lambda s: s.create(s.ann, visibility=77), "VISIBILITY_PUBLIC"),
    field_case("CreateMatch entropy", lambda s: s.create(s.ann, entropy=b"e" * 33), "at most 32 bytes"),
    field_case("CreateMatch short time_control.initial_ms", lambda s: _clock(s, 999), "1000 to 604800000 ms"),
    field_case("CreateMatch long time_control.initial_ms", lambda s: _clock(s, 604_800_001), "1000 to 604800000 ms"),
    field_case("CreateMatch long time_control.increment_ms", lambda s: _clock(s, 1000, 86_400_001), "0 to 86400000"),
    field_case("GetMatch match_id", lambda s: _get(s, ""), "as CreateMatch and ListMatches give it"),
    field_case("ListMatches page_size", lambda s: _list(s, page_size=101), "1 to 100"),
    field_case("ListMatches status", lambda s: _list(s, status=3), "MATCH_STATUS_WAITING, MATCH_STATUS_ACTIVE"),
    field_case("ListMatches own status", lambda s: _list(s, status=77, mine=True), "MATCH_STATUS_FINISHED"),
    field_case("JoinMatch request_id", lambda s: s.join(s.bob, "r" * 65), "1 to 64 characters", WAITING),
    field_case("JoinMatch match_id", lambda s: s.join(s.bob, match_id=""), "as CreateMatch", WAITING),
    field_case("JoinMatch entropy", lambda s: s.join(s.bob, entropy=b"e" * 33), "at most 32 bytes", WAITING),
    field_case("LeaveMatch request_id", lambda s: _leave(s, request_id=""), "1 to 64 characters", WAITING),
    field_case("LeaveMatch match_id", lambda s: _leave(s, match_id=""), "as CreateMatch", WAITING),
    field_case("StartMatch request_id", lambda s: _start(s, request_id="r" * 65), "1 to 64 characters", WAITING),
    field_case("StartMatch match_id", lambda s: _start(s, match_id=""), "as CreateMatch", WAITING),
    field_case("RequestPairing request_id", lambda s: _pair(s, request_id=""), "1 to 64 characters"),
    field_case(
        "RequestPairing time_control.initial_ms",
        lambda s: _pair(s, time_control=TimeControl(initial_ms=5)),
        "1000 to 604800000 ms",
    ),
    field_case("AwaitPairing wait_ms", lambda s: _await(s, "t", 20_001), "0 to 20000 ms"),
)

_CREATE: Final = "hamle.lobby.v1.LobbyService/CreateMatch"

CASES: Final = SCENES + FIELDS
