"""Steps of a match's life: created, seats, start, end, fork."""

from __future__ import annotations

from dataclasses import replace

from core.fairness.draw import SeededDraw
from core.fairness.secret import commitment, game_seed, hash_key, seed_after_loss
from engines.kit.clock import Clock
from engines.kit.game import PUBLIC, Outcome
from engines.kit.life import Life, Status
from engines.kit.state import AnyGame, MatchState
from engines.kit.steps import Event, FoldError, Stepped, ending, living, outcome_of, require


def created(game: AnyGame, event: Event) -> Stepped:
    """The match begins to exist, with all seats free."""
    body = event.created
    secret = body.secret.sealed
    if commitment(secret) != body.commitment:
        raise FoldError(1, "the commitment is not the SHA-256 of the secret", commitment(secret).hex())
    control = (body.time_control.initial_ms, body.time_control.increment_ms)
    life = Life(
        game=body.game,
        rules=body.rules,
        options=tuple(sorted(body.options.items())),
        seats=("",) * body.seats,
        entropies=(b"",) * body.seats,
        status=Status.WAITING,
        visibility=body.visibility,
        time_control=control if body.HasField("time_control") else None,
        commitment=body.commitment,
        creator=body.creator,
        manual_start=body.manual_start,
        created_at_ms=event.at_ms,
        until_ms=event.at_ms + body.start_within_ms,
        start_within_ms=body.start_within_ms,
        secret=secret,
    )
    return MatchState(1, event.at_ms, life, None, None, (1,) * body.seats, (), event.at_ms, hash_key(secret), b""), ()


def seat_taken(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """A seat is taken."""
    require(state, Status.WAITING)
    body = event.seat_taken
    if body.seat >= len(state.life.seats) or state.life.seats[body.seat]:
        raise FoldError(state.seq + 1, f"seat {body.seat} is taken", "a free seat")
    return living(state, event, state.life.sit(body.seat, body.handle, body.entropy)), ()


def seat_left(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """A seat is free again."""
    require(state, Status.WAITING)
    seat = event.seat_left.seat
    if seat >= len(state.life.seats) or not state.life.seats[seat]:
        raise FoldError(state.seq + 1, f"seat {seat} is free", "a taken seat")
    return living(state, event, state.life.stand(seat)), ()


def started(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """Play begins: the seed is fixed, the game set up, or a fork's position taken on."""
    require(state, Status.WAITING)
    seats = event.started.seats
    life = state.life
    if not all(life.seats[:seats]) or any(life.seats[seats:]):
        raise FoldError(state.seq + 1, f"{seats} seats start", "exactly the taken seats, without holes")
    life = replace(life, status=Status.ACTIVE, seats=life.seats[:seats], entropies=life.entropies[:seats])
    seq = state.seq + 1
    seed = game_seed(life.secret, life.entropies)
    for first, last in life.tail_lost:
        seed = seed_after_loss(seed, first, last)
    position = state.game
    if position is None:
        position = game.setup(dict(life.options), seats, SeededDraw(seed, seq))
    clock = state.clock
    if life.time_control is not None:
        clock = clock or Clock.start(seats, *life.time_control)
        clock = clock._replace(running=frozenset()).at(event.at_ms, game.awaited(position))
    return (
        MatchState(seq, event.at_ms, life, clock, position, (seq,) * seats, (), event.at_ms, state.key, seed),
        (),
    )


def finished(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """The match is over, as its game says."""
    require(state, Status.ACTIVE)
    ended = ending(game, state)
    said = outcome_of(event.finished.outcome)
    if ended != said:
        raise FoldError(state.seq + 1, f"the outcome is {_in_words(said)}", _in_words(ended))
    clock = state.clock
    if clock is not None:
        clock = clock.at(event.at_ms, frozenset())
    life = replace(state.life, status=Status.FINISHED, outcome=ended)
    return living(state, event, life)._replace(clock=clock, window=()), ()


def secret_revealed(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """The secret is told; it must be the one that was committed to."""
    if state.life.status not in (Status.FINISHED, Status.CANCELLED):
        require(state, Status.FINISHED)
    if event.secret_revealed.secret != state.life.secret:
        raise FoldError(state.seq + 1, "the revealed secret is not the sealed one", "the secret of the commitment")
    return living(state, event, replace(state.life, revealed=True)), ()


def cancelled(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """The match ends before it has started."""
    require(state, Status.WAITING)
    return living(state, event, replace(state.life, status=Status.CANCELLED)), ()


def tail_lost(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """An operator lets the match go on without events that the store has forgotten."""
    body = event.tail_lost
    if getattr(body, "from") != state.seq + 1:
        raise FoldError(state.seq + 1, f"the tail is lost from {getattr(body, 'from')}", str(state.seq + 1))
    first = state.seq + 1
    after = living(state, event, replace(state.life, tail_lost=(*state.life.tail_lost, (first, body.to))))
    if not state.seed:
        return after, ()
    # Nobody could move since the loss was found: no clock has run, and a limit begins anew. The lost seqs are used
    # again, and somebody may remember what they drew.
    clock = state.clock and state.clock._replace(at_ms=event.at_ms)
    return after._replace(clock=clock, since_ms=event.at_ms, seed=seed_after_loss(state.seed, first, body.to)), ()


def forked(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """A new match goes on from a copied past: other secret, free seats, hidden things imagined anew."""
    body = event.forked
    secret = body.secret.sealed
    if state.game is None or body.seq != state.seq:
        raise FoldError(state.seq + 1, f"a fork at {body.seq}", f"{state.seq}, after the start")
    if commitment(secret) != body.commitment:
        raise FoldError(state.seq + 1, "the commitment is not the SHA-256 of the secret", commitment(secret).hex())
    seats = len(state.life.seats)
    life = replace(
        state.life,
        seats=("",) * seats,
        entropies=(b"",) * seats,
        status=Status.WAITING,
        visibility=body.visibility,
        commitment=body.commitment,
        secret=secret,
        creator=body.creator,
        manual_start=False,
        created_at_ms=event.at_ms,
        until_ms=event.at_ms + state.life.start_within_ms,
        revealed=False,
        tail_lost=(),
        outcome=None,
        reason="",
        parent=body.parent,
    )
    position = state.game
    if game.info.has_secrets:
        audience = body.known_to if body.HasField("known_to") else PUBLIC
        draw = SeededDraw(game_seed(secret, ()), state.seq + 1)
        position = game.imagine(game.view(position, audience), audience, draw)
    forked = living(state, event, life)
    return forked._replace(game=position, window=(), key=hash_key(secret), seed=b""), ()


def _in_words(outcome: Outcome | None) -> str:
    if outcome is None:
        return "none, for the match goes on"
    placed = [
        f"seat {seat} in place {place}"
        + ("" if score is None else f" with score {score}")
        + ("" if team is None else f" in team {team}")
        for seat, place, score, team in outcome.placements
    ]
    return f"{outcome.reason}: {', '.join(placed)}"
