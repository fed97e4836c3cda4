"""How matches come about: created from options, or forked from the events of another."""

from __future__ import annotations

from collections.abc import Mapping

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.bounds import INCREMENT_MS, INITIAL_MS
from core.errors import Refused
from core.fairness.secret import commitment
from engines.kit.commands_of_life import begin_when_full
from engines.kit.draft import Draft
from engines.kit.fields import require_entropy, require_ids, require_visibility, wrong
from engines.kit.game import GameInfo
from engines.kit.life import Status
from engines.kit.options import OptionWrong, full_options
from engines.kit.requests import Asked, payload_hash, request_key
from engines.kit.state import AnyGame, MatchState
from engines.kit.steps import ending


def _options(info: GameInfo, given: Mapping[str, str]) -> dict[str, str]:
    """A value for every option of the game. Raises OPTION_INVALID."""
    try:
        return full_options(info, given)
    except OptionWrong as error:
        metadata = {"option": error.name, "value": error.value, "expected": error.expected}
        raise Refused(error_pb2.REASON_OPTION_INVALID, str(error), metadata) from None


def create_asked(request: engine_pb2.CreateMatchRequest) -> Asked:
    """The hashes of a creation."""
    bare = engine_pb2.CreateMatchRequest()
    bare.CopyFrom(request)
    for name in ("match_id", "request_id", "handle"):
        bare.ClearField(name)
    payload = payload_hash(b"create", bare.SerializeToString(deterministic=True))
    return Asked(request_key(request.handle, request.request_id), payload)


def create(
    game: AnyGame, request: engine_pb2.CreateMatchRequest, secret: bytes, now_ms: int, start_within_ms: int
) -> Draft:
    """The first events of a match: created, its first seats taken, started when they are all.

    `secret` is 32 fresh random bytes. Raises OPTION_INVALID and FIELD_INVALID.
    """
    info = game.info
    options = _options(info, request.options)
    seats = request.seats or info.min_seats
    if not info.min_seats <= seats <= info.max_seats:
        raise wrong("seats", f"{info.min_seats} to {info.max_seats}")
    control = None
    if request.HasField("time_control"):
        control = request.time_control
        if not INITIAL_MS[0] <= control.initial_ms <= INITIAL_MS[1]:
            raise wrong("time_control.initial_ms", f"{INITIAL_MS[0]} to {INITIAL_MS[1]}")
        if not INCREMENT_MS[0] <= control.increment_ms <= INCREMENT_MS[1]:
            raise wrong("time_control.increment_ms", f"{INCREMENT_MS[0]} to {INCREMENT_MS[1]}")
        # Made anew: fields that it does not have would stand in the log, whatever their size.
        control = event_pb2.TimeControl(initial_ms=control.initial_ms, increment_ms=control.increment_ms)
    first = request.seat if request.HasField("seat") else 0
    sitters = [(first, request.handle, request.entropy)]
    sitters += [(sitter.seat, sitter.handle, sitter.entropy) for sitter in request.sitters]
    numbers = [seat for seat, _, _ in sitters]
    if max(numbers) >= seats or len(set(numbers)) < len(numbers):
        raise wrong("seat", f"0 to {seats - 1}, each once")
    handles = [handle for _, handle, _ in sitters]
    if len(set(handles)) < len(handles):
        raise wrong("sitters.handle", "another than those who sit already")
    for _, handle, entropy in sitters:
        require_ids(handle, request.request_id)
        require_entropy(entropy)
    require_visibility(request.visibility)
    draft = Draft(game, None, b"", now_ms, create_asked(request))
    draft.add(
        event_pb2.Event(
            created=event_pb2.Created(
                game=info.game,
                rules=info.rules,
                options=options,
                seats=seats,
                visibility=request.visibility or event_pb2.VISIBILITY_PUBLIC,
                time_control=control,
                commitment=commitment(secret),
                secret=event_pb2.SealedSecret(sealed=secret),
                creator=request.handle,
                manual_start=request.manual_start,
                start_within_ms=start_within_ms,
            )
        )
    )
    for seat, handle, entropy in sitters:
        draft.add(event_pb2.Event(seat_taken=event_pb2.SeatTaken(seat=seat, handle=handle, entropy=entropy)))
    begin_when_full(draft)
    return draft


def fork_asked(request: engine_pb2.ForkMatchRequest) -> Asked:
    """The hashes of a fork."""
    seat = str(request.seat) if request.HasField("seat") else ""
    payload = payload_hash(b"fork", request.parent.encode(), str(request.seq).encode(), seat.encode())
    return Asked(request_key(request.handle, request.request_id), payload)


def require_forkable(game: AnyGame, head: MatchState, at: MatchState) -> None:
    """Raises unless a match whose head is `head` may be forked at the state `at`."""
    if game.info.has_secrets and head.life.status is not Status.FINISHED:
        raise Refused(
            error_pb2.REASON_MATCH_NOT_FINISHED,
            "This game hides things or draws, so its matches can be forked only once they are over.",
        )
    if at.game is None or ending(game, at) is not None:
        raise Refused(
            error_pb2.REASON_SEQ_OUT_OF_RANGE,
            f"Event {at.seq} is not within play. Choose one from the start of the match to the last before its end.",
            {"seq": str(at.seq), "head_seq": str(head.seq)},
        )


def fork(
    game: AnyGame,
    request: engine_pb2.ForkMatchRequest,
    at: MatchState,
    hash: bytes,
    known_to: int | None,
    secret: bytes,
    now_ms: int,
) -> Draft:
    """The first own events of a fork, on top of the copied history that ends in the state `at` and its `hash`."""
    require_ids(request.handle, request.request_id)
    seats = len(at.life.seats)
    seat = request.seat if request.HasField("seat") else 0
    if seat >= seats:
        raise wrong("seat", f"0 to {seats - 1}")
    draft = Draft(game, at, hash, now_ms, fork_asked(request))
    forked = event_pb2.Forked(
        parent=request.parent,
        seq=at.seq,
        hash=hash,
        commitment=commitment(secret),
        secret=event_pb2.SealedSecret(sealed=secret),
        creator=request.handle,
        visibility=event_pb2.VISIBILITY_PRIVATE,
    )
    if known_to is not None:
        forked.known_to = known_to
    draft.add(event_pb2.Event(forked=forked))
    draft.add(event_pb2.Event(seat_taken=event_pb2.SeatTaken(seat=seat, handle=request.handle)))
    begin_when_full(draft)
    return draft
