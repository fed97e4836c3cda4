"""Moves, views, watches, states of the past, forks."""

from __future__ import annotations

from typing import Any, Final

from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1 import play_pb2 as play
from hamle.replay.v1 import replay_pb2 as replay

from tests.e2e.bad_input.case import Case, field_case
from tests.e2e.bad_input.cases_seats import NOBODY
from tests.e2e.bad_input.scene import CALL_S, CARDS, FINISHED, WAITING, Scene, new_id

OTHER_HASH: Final = bytes(16)
TOO_LARGE: Final = 1 << 63
BEYOND: Final = 1_000


async def _legal(scene: Scene, **expected: Any) -> Any:
    return await scene.submit(scene.ann, await scene.move_of(scene.ann), **expected)


async def _on_turn(scene: Scene, move: str) -> Any:
    return await scene.submit(await scene.on_turn(), move)


async def _move(scene: Scene) -> None:
    await scene.move()


async def _first_move_with_id(scene: Scene) -> None:
    scene.kept = new_id()
    await _legal(scene, request_id=scene.kept)


async def _choices(scene: Scene, who: str = "ann", prefix: str = "") -> Any:
    request = play.ListChoicesRequest(match_id=scene.match_id, prefix=prefix)
    return await scene.play.ListChoices(request, metadata=getattr(scene, who).metadata, timeout=CALL_S)


async def _undo(scene: Scene, who: str = "ann", **fields: Any) -> Any:
    head = await scene.head()
    given = {"request_id": new_id(), "match_id": scene.match_id, "expected": Cursor(seq=head), **fields}
    request = play.UndoMovesRequest(**given)
    return await scene.play.UndoMoves(request, metadata=getattr(scene, who).metadata, timeout=CALL_S)


async def _resign(scene: Scene, who: str = "ann", **fields: Any) -> Any:
    request = play.ResignRequest(**{"request_id": new_id(), "match_id": scene.match_id, **fields})
    return await scene.play.Resign(request, metadata=getattr(scene, who).metadata, timeout=CALL_S)


async def _step(scene: Scene, seq: int) -> Any:
    request = replay.GetStepRequest(match_id=scene.match_id, seq=seq)
    return await scene.replay.GetStep(request, metadata=scene.eve.metadata, timeout=CALL_S)


async def _events(scene: Scene, **fields: Any) -> Any:
    request = replay.ListEventsRequest(match_id=scene.match_id, **fields)
    return await scene.replay.ListEvents(request, metadata=scene.eve.metadata, timeout=CALL_S)


async def _token_of_other_question(scene: Scene) -> None:
    scene.kept = (await _events(scene, page_size=1)).next_page_token


async def _view_of(scene: Scene, match_id: str) -> Any:
    request = play.GetViewRequest(match_id=match_id)
    return await scene.play.GetView(request, metadata=scene.ann.metadata, timeout=CALL_S)


async def _export(scene: Scene, match_id: str) -> Any:
    request = replay.ExportMatchRequest(match_id=match_id)
    call: Any = scene.replay.ExportMatch(request, metadata=scene.ann.metadata, timeout=CALL_S)
    return await call.read()


async def _watch_of(scene: Scene, match_id: str) -> Any:
    request = play.WatchMatchRequest(match_id=match_id)
    call: Any = scene.play.WatchMatch(request, metadata=scene.ann.metadata, timeout=CALL_S)
    return await call.read()


MATCHES: Final = (
    Case("the view of an unknown match", "MATCH_NOT_FOUND", lambda s: _view_of(s, NOBODY), "ListMatches"),
    Case("watching an unknown match", "MATCH_NOT_FOUND", lambda s: _watch_of(s, NOBODY), "ListMatches"),
    Case("exporting an unknown match", "MATCH_NOT_FOUND", lambda s: _export(s, NOBODY), "ListMatches"),
    Case("forking an unknown match", "MATCH_NOT_FOUND", lambda s: s.fork(s.ann, match_id=NOBODY, seq=4), "ListMatches"),
    Case("the view of an id that is none", "MATCH_NOT_FOUND", lambda s: _view_of(s, "99" + "z" * 16), "ListMatches"),
    Case("moving before the start", "MATCH_NOT_STARTED", lambda s: s.submit(s.ann, "d1e-d1c"), "Wait", scene=WAITING),
    Case("choices before the start", "MATCH_NOT_STARTED", lambda s: _choices(s), "not started", scene=WAITING),
    Case("a view before the start", "MATCH_NOT_STARTED", lambda s: s.view(s.ann), "nothing to see yet", scene=WAITING),
    Case("resigning before the start", "MATCH_NOT_STARTED", lambda s: _resign(s), "Wait", scene=WAITING),
    Case("moving after the end", "MATCH_FINISHED", lambda s: s.submit(s.ann, "d1e-d1c"), "fork it", scene=FINISHED),
    Case("choices after the end", "MATCH_FINISHED", lambda s: _choices(s), "nothing to choose", scene=FINISHED),
    Case("resigning after the end", "MATCH_FINISHED", lambda s: _resign(s), "Replay it", scene=FINISHED),
    Case("undoing after the end", "MATCH_FINISHED", lambda s: _undo(s), "Replay it", scene=FINISHED),
)

MOVES: Final = (
    Case("moving without a seat", "NOT_YOUR_SEAT", lambda s: s.submit(s.eve, "d1e-d1c"), "JoinMatch"),
    Case("choices without a seat", "NOT_YOUR_SEAT", lambda s: _choices(s, "eve"), "JoinMatch"),
    Case("resigning without a seat", "NOT_YOUR_SEAT", lambda s: _resign(s, "eve"), "JoinMatch"),
    Case("undoing without a seat", "NOT_YOUR_SEAT", lambda s: _undo(s, "eve"), "JoinMatch"),
    Case(
        "moving for the other seat",
        "NOT_YOUR_TURN",
        lambda s: s.submit(s.bob, "d1e-d1c"),
        "Wait for an event",
        {"seat": "1", "may_act": "0"},
    ),
    Case("no move at all", "ILLEGAL_MOVE", lambda s: s.submit(s.ann, "castle"), "ListChoices", {"move": "castle"}),
    Case("an empty move", "ILLEGAL_MOVE", lambda s: s.submit(s.ann, ""), "ListChoices", {"move": ""}),
    Case("a move of odd letters", "ILLEGAL_MOVE", lambda s: s.submit(s.ann, "\0ı🦊‮"), "ListChoices"),
    Case("a move of the largest size", "ILLEGAL_MOVE", lambda s: s.submit(s.ann, "🦊" * 256), "ListChoices"),
    Case("a card that nobody has", "ILLEGAL_MOVE", lambda s: _on_turn(s, "R11@3"), "ListChoices", scene=CARDS),
    Case(
        "a legal move and one more",
        "NOT_YOUR_TURN",
        lambda s: _two(s),
        "Wait for an event",
        {"seat": "0", "may_act": "1"},
    ),
    Case(
        "a stale seq",
        "STALE_VIEW",
        lambda s: s.submit(s.bob, "d1e-d1c", seq=4),
        "Look again and decide again",
        {"expected_seq": "4", "decision_seq": "5", "head_seq": "5"},
        first=_move,
    ),
    Case(
        "a wrong hash",
        "HASH_MISMATCH",
        lambda s: _legal(s, seq=4, hash=OTHER_HASH),
        "Watch again from seq 0",
        {"seq": "4", "head_seq": "4"},
    ),
    Case(
        "a later cursor",
        "LOG_LOST_TAIL",
        lambda s: _legal(s, seq=4 + BEYOND),
        "hamle tail-lost",
        {"seq": str(4 + BEYOND), "head_seq": "4"},
    ),
    Case(
        "a reused request id",
        "REQUEST_ID_REUSED",
        lambda s: s.submit(s.ann, "a1a-a1b", request_id=s.kept),
        "Take a new id",
        first=_first_move_with_id,
    ),
    Case(
        "a move's request id to resign",
        "REQUEST_ID_REUSED",
        lambda s: _resign(s, request_id=s.kept),
        "Take a new id",
        first=_first_move_with_id,
    ),
    Case("undoing nothing", "NOTHING_TO_UNDO", lambda s: _undo(s), "nothing of yours to take back"),
    Case("undoing another's move", "NOTHING_TO_UNDO", lambda s: _undo(s, "bob", to_seq=4), "nothing", first=_move),
)


async def _two(scene: Scene) -> Any:
    return await scene.submit(scene.ann, await scene.move_of(scene.ann), "d1e-d1c")


PAST: Final = (
    Case(
        "watching another history",
        "HASH_MISMATCH",
        lambda s: s.watch(s.eve, seq=3, hash=OTHER_HASH),
        "Watch again from seq 0",
        {"seq": "3"},
    ),
    Case("watching from later", "LOG_LOST_TAIL", lambda s: s.watch(s.eve, seq=BEYOND), "hamle tail-lost"),
    Case("a step beyond the head", "SEQ_OUT_OF_RANGE", lambda s: _step(s, BEYOND), "holds 1 to 4", {"head_seq": "4"}),
    Case("a fork beyond the head", "SEQ_OUT_OF_RANGE", lambda s: s.fork(s.ann, seq=BEYOND), "holds 1 to 4"),
    Case("a fork before the start", "SEQ_OUT_OF_RANGE", lambda s: s.fork(s.ann, seq=2), "Choose one from the start"),
    Case(
        "a fork after the end",
        "SEQ_OUT_OF_RANGE",
        lambda s: s.fork(s.ann, seq=6),
        "the last before its end",
        scene=FINISHED,
    ),
    Case("a fork of live cards", "MATCH_NOT_FINISHED", lambda s: s.fork(s.ann, seq=4), "over", scene=CARDS),
    Case("a page token of no list", "PAGE_TOKEN_INVALID", lambda s: _events(s, page_token="!"), "leave it empty"),
    Case(
        "a page token of another question",
        "PAGE_TOKEN_INVALID",
        lambda s: _events(s, page_token=s.kept, after_seq=1),
        "leave it empty",
        first=_token_of_other_question,
    ),
)

FIELDS: Final = (
    field_case("SubmitMoves request_id", lambda s: s.submit(s.ann, "m", request_id=""), "1 to 64 characters"),
    field_case("SubmitMoves long request_id", lambda s: s.submit(s.ann, "m", request_id="r" * 65), "1 to 64"),
    field_case("SubmitMoves no moves", lambda s: s.submit(s.ann), "1 to 64 moves", called="moves"),
    field_case("SubmitMoves many moves", lambda s: s.submit(s.ann, *["m"] * 65), "1 to 64 moves"),
    field_case("SubmitMoves long moves", lambda s: s.submit(s.ann, "m" * 1025), "at most 1024 bytes"),
    field_case("SubmitMoves wide moves", lambda s: s.submit(s.ann, "🦊" * 257), "at most 1024 bytes"),
    field_case("SubmitMoves expected.seq", lambda s: s.submit(s.ann, "m", seq=0), "1 or more"),
    field_case("SubmitMoves large expected.seq", lambda s: s.submit(s.ann, "m", seq=TOO_LARGE), "at most"),
    field_case("SubmitMoves expected.hash", lambda s: s.submit(s.ann, "m", seq=4, hash=b"h"), "16 bytes"),
    field_case("ListChoices prefix", lambda s: _choices(s, prefix="p" * 1025), "at most 1024 bytes"),
    field_case("UndoMoves request_id", lambda s: _undo(s, request_id=""), "1 to 64 characters"),
    field_case("UndoMoves to_seq", lambda s: _undo(s, to_seq=TOO_LARGE), "at most"),
    field_case("UndoMoves expected.seq", lambda s: _undo(s, expected=Cursor()), "1 or more"),
    field_case("Resign request_id", lambda s: _resign(s, request_id=""), "1 to 64 characters"),
    field_case("GetView match_id", lambda s: _view_of(s, ""), "the id of a match"),
    field_case("WatchMatch cursor.seq", lambda s: s.watch(s.eve, seq=TOO_LARGE), "at most"),
    field_case("WatchMatch cursor.hash", lambda s: s.watch(s.eve, seq=1, hash=b"h" * 17), "16 bytes"),
    field_case("WatchMatch match_id", lambda s: _watch_of(s, ""), "the id of a match"),
    field_case("GetStep seq", lambda s: _step(s, TOO_LARGE), "at most"),
    field_case("ListEvents page_size", lambda s: _events(s, page_size=501), "1 to 500"),
    field_case("ListEvents after_seq", lambda s: _events(s, after_seq=TOO_LARGE), "at most"),
    field_case("ForkMatch request_id", lambda s: s.fork(s.ann, request_id="", seq=4), "1 to 64 characters"),
    field_case("ForkMatch no seq", lambda s: s.fork(s.ann), "1 or more"),
    field_case("ForkMatch large seq", lambda s: s.fork(s.ann, seq=TOO_LARGE), "at most"),
    field_case("ForkMatch seat", lambda s: s.fork(s.ann, seq=4, seat=2), "0 to 1"),
    field_case("ExportMatch match_id", lambda s: _export(s, ""), "the id of a match"),
)

CASES: Final = MATCHES + MOVES + PAST + FIELDS
