from __future__ import annotations

import pytest
from hamle.engine.v1 import engine_pb2

from core.errors import Refused
from core.log.types import Record
from engines.coerceo.game import GAME as COERCEO
from engines.kit.create import fork, require_forkable
from engines.kit.draft import Draft
from engines.kit.game import EVERYBODY, PUBLIC
from engines.kit.history import History
from engines.kit.life import Status
from engines.kit.state import AnyGame
from tests.engines.kit.cardgame import GAME as CELLAR
from tests.engines.kit.table import Table

NEW_SECRET = b"n" * 32


def at(game: AnyGame, records: list[Record], seq: int) -> History:
    history = History({game.info.rules: game})
    for record in records[:seq]:
        history.add(record)
    return history


def forked(game: AnyGame, table: Table, seq: int, known_to: int | None, secret: bytes = NEW_SECRET) -> Draft:
    history = at(game, table.records, seq)
    request = engine_pb2.ForkMatchRequest(request_id="f", parent="00" + "a" * 16, seq=seq, handle="fay")
    return fork(game, request, history.state, history.hash, known_to, secret, 99_000)


def records_of(table: Table, seq: int, draft: Draft) -> list[Record]:
    own = [Record(step.folded.state.seq, step.raw, step.folded.hash) for step in draft.steps]
    return table.records[:seq] + own


def test_a_fork_is_the_parents_events_byte_for_byte_and_then_its_own() -> None:
    table = Table(COERCEO)
    table.play(1, moves=6)
    draft = forked(COERCEO, table, 8, None)
    assert [str(step.event.WhichOneof("body")) for step in draft.steps] == ["forked", "seat_taken"]
    history = at(COERCEO, records_of(table, 8, draft), 10)
    assert history.state == draft.state
    assert history.state.life.status is Status.WAITING
    assert history.state.life.seats == ("fay", "")
    assert history.state.game == at(COERCEO, table.records, 8).state.game


def test_a_fork_goes_on_from_its_position_once_its_seats_are_taken() -> None:
    table = Table(COERCEO)
    table.play(1, moves=5)
    position = table.state.game
    seq = table.history.seq
    draft = forked(COERCEO, table, seq, None)
    again = Table.__new__(Table)
    again.game, again.now_ms = COERCEO, 100_000
    again.records = records_of(table, seq, draft)
    again.history = at(COERCEO, again.records, len(again.records))
    again.command("gil", take_seat=engine_pb2.TakeSeat())
    assert again.bodies() == ["seat_taken", "started"]
    assert again.state.game == position
    again.play(7)
    assert again.state.life.status is Status.FINISHED
    assert again.state.life.secret == NEW_SECRET
    assert at(COERCEO, again.records, len(again.records)).state == again.state


def test_what_was_hidden_is_imagined_anew_for_who_asks() -> None:
    table = Table(CELLAR, 3)
    table.play(1, moves=9)
    seq = table.history.seq
    true = table.state.game
    hidden = set()
    for n in range(8):
        state = forked(CELLAR, table, seq, 1, bytes([n]) * 32).state.game
        assert CELLAR.view(state, 1) == CELLAR.view(true, 1)
        assert CELLAR.view(state, PUBLIC) == CELLAR.view(true, PUBLIC)
        hidden.add(CELLAR.view(state, EVERYBODY).SerializeToString(deterministic=True))
    assert len(hidden) > 4


def test_a_live_match_with_secrets_cannot_be_forked() -> None:
    table = Table(CELLAR)
    table.play(1, moves=4)
    with pytest.raises(Refused) as raised:
        require_forkable(CELLAR, table.state, table.state)
    assert raised.value.name == "MATCH_NOT_FINISHED"


@pytest.mark.parametrize("seq", [1, 3, -1])
def test_only_a_state_within_play_can_be_forked(seq: int) -> None:
    table = Table(COERCEO)
    table.command("ann", resign=engine_pb2.Resign())
    state = at(COERCEO, table.records, seq if seq > 0 else len(table.records)).state
    with pytest.raises(Refused) as raised:
        require_forkable(COERCEO, table.state, state)
    assert raised.value.name == "SEQ_OUT_OF_RANGE"


def test_later_draws_of_a_fork_come_from_its_own_secret() -> None:
    table = Table(CELLAR)
    table.play(2, moves=6)
    seq = table.history.seq
    piles = set()
    for n in range(6):
        draft = forked(CELLAR, table, seq, 0, bytes([n]) * 32)
        again = Table.__new__(Table)
        again.game, again.now_ms = CELLAR, 100_000
        again.records = records_of(table, seq, draft)
        again.history = at(CELLAR, again.records, len(again.records))
        again.command("gil", take_seat=engine_pb2.TakeSeat())
        again.play(3)
        piles.add(CELLAR.dump(again.state.game))
    assert len(piles) > 3
