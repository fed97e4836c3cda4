from __future__ import annotations

import pytest
from hamle.event.v1 import event_pb2

from core.log.types import Record
from engines.coerceo.game import GAME as COERCEO
from engines.kit.history import History
from engines.kit.state import AnyGame, canonical
from engines.kit.verify import Exported, verify_log
from tests.engines.kit.cardgame import GAME as CELLAR
from tests.engines.kit.table import Table

GAMES = {game.info.rules: game for game in (COERCEO, CELLAR)}


def export(game: AnyGame, seed: int = 1) -> list[Exported]:
    table = Table(game, options={"start": "ocius"} if game is COERCEO else {})
    table.play(seed)
    history = History(GAMES)
    return [Exported(record, canonical(game, history.add(record)[2].state)) for record in table.records]


@pytest.mark.parametrize("game", [COERCEO, CELLAR])
def test_a_finished_match_verifies(game: AnyGame) -> None:
    exported = export(game)
    report = verify_log(exported, GAMES)
    assert report.ok
    assert report.failure is None
    assert report.events == len(exported)
    assert [check.split(":")[0] for check in report.checks] == ["rules", "hash chain", "commitment", "chance"]


def test_another_legal_move_in_the_log_is_found_and_shown_field_by_field() -> None:
    exported = export(COERCEO)
    at = next(n for n, (record, _) in enumerate(exported) if b"-" in record.event and n > 4)
    event = event_pb2.Event.FromString(exported[at].record.event)
    state = History(GAMES)
    for record, _ in exported[:at]:
        state.add(record)
    moves = [
        c.text
        for first in COERCEO.choices(state.state.game, event.moved.seat)
        for c in COERCEO.choices(state.state.game, event.moved.seat, first.text)
    ]
    event.moved.move = next(move for move in moves if move != event.moved.move)
    exported[at] = exported[at]._replace(record=exported[at].record._replace(event=event.SerializeToString()))
    report = verify_log(exported, GAMES)
    assert not report.ok
    assert report.failure is not None
    assert report.failure.seq == at + 1
    assert "was altered" in report.failure.what
    assert any(field.path.startswith("game.") for field in report.failure.fields)


@pytest.mark.parametrize("game", [COERCEO, CELLAR])
def test_every_altered_byte_is_found_at_its_event(game: AnyGame) -> None:
    exported = export(game)
    for at in range(0, len(exported), max(1, len(exported) // 12)):
        record = exported[at].record
        for place in range(0, len(record.event), 3):
            altered = bytearray(record.event)
            altered[place] ^= 4
            log = [*exported]
            log[at] = Exported(Record(record.seq, bytes(altered), record.hash), exported[at].canonical)
            report = verify_log(log, GAMES)
            assert not report.ok
            assert report.failure is not None
            assert report.failure.seq == at + 1, (at, place)


def test_an_altered_hash_is_found_at_its_event() -> None:
    exported = export(COERCEO)
    for at in (0, 5, len(exported) - 1):
        log = [*exported]
        record = log[at].record
        log[at] = log[at]._replace(record=record._replace(hash=bytes([record.hash[0] ^ 1]) + record.hash[1:]))
        failure = verify_log(log, GAMES).failure
        assert failure is not None
        assert (failure.seq, "hash was altered" in failure.what) == (at + 1, True)


def test_an_altered_secret_is_found() -> None:
    exported = export(CELLAR)
    event = event_pb2.Event.FromString(exported[-1].record.event)
    event.secret_revealed.secret = bytes(32)
    exported[-1] = exported[-1]._replace(record=exported[-1].record._replace(event=event.SerializeToString()))
    failure = verify_log(exported, GAMES).failure
    assert failure is not None
    assert failure.seq == len(exported)
    assert "secret" in failure.what


def test_an_altered_exported_state_is_found() -> None:
    exported = export(COERCEO)
    exported[6] = exported[6]._replace(canonical=exported[5].canonical)
    failure = verify_log(exported, GAMES).failure
    assert failure is not None
    assert failure.seq == 7
    assert failure.fields


def test_a_log_that_is_cut_short_is_not_verified() -> None:
    failure = verify_log(export(COERCEO)[:-1], GAMES).failure
    assert failure is not None
    assert "before the secret was revealed" in failure.what
    assert verify_log([], GAMES).failure is not None


def test_rules_that_nothing_here_runs_are_named() -> None:
    failure = verify_log(export(CELLAR), {"coerceo/1": COERCEO}).failure
    assert failure is not None
    assert "cellar/1" in failure.what
