"""A finished match is proven offline; whatever byte of its log is altered, the event is named."""

from __future__ import annotations

import pytest
from hamle.event.v1 import event_pb2

from core.fairness.secret import commitment
from engines.battleline import GAME
from engines.kit.history import History
from engines.kit.state import canonical
from engines.kit.verify import Exported, verify_log
from tests.engines.kit.table import Table

GAMES = {GAME.info.rules: GAME}


@pytest.fixture(scope="module")
def exported() -> list[Exported]:
    table = Table(GAME)
    table.play(5)
    history = History(GAMES)
    return [Exported(record, canonical(GAME, history.add(record)[2].state)) for record in table.records]


def failed_at(log: list[Exported]) -> int:
    failure = verify_log(log, GAMES).failure
    assert failure is not None
    return failure.seq


def with_event(exported: list[Exported], at: int, event: event_pb2.Event) -> list[Exported]:
    log = [*exported]
    log[at] = log[at]._replace(record=log[at].record._replace(event=event.SerializeToString(deterministic=True)))
    return log


def test_a_finished_match_proves_its_shuffles(exported: list[Exported]) -> None:
    assert verify_log(exported, GAMES).ok


def test_another_secret_even_with_its_commitment_is_found_at_the_first_event(exported: list[Exported]) -> None:
    event = event_pb2.Event.FromString(exported[0].record.event)
    other = bytes(31) + b"\1"
    event.created.secret.sealed = other
    assert failed_at(with_event(exported, 0, event)) == 1
    event.created.commitment = commitment(other)
    assert failed_at(with_event(exported, 0, event)) == 1


def test_an_altered_deal_or_hand_is_found_where_it_is_recorded(exported: list[Exported]) -> None:
    for at in (3, len(exported) // 2, len(exported) - 3):
        data = exported[at].canonical
        for place in (len(data) - 1, len(data) - 20, len(data) // 2):
            log = [*exported]
            log[at] = log[at]._replace(canonical=data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            assert failed_at(log) == at + 1


def test_an_altered_hash_or_event_is_found_at_its_event(exported: list[Exported]) -> None:
    for at in range(0, len(exported), 7):
        record = exported[at].record
        for changed in (
            record._replace(hash=record.hash[:-1] + bytes([record.hash[-1] ^ 1])),
            record._replace(event=record.event[:-1] + bytes([record.event[-1] ^ 1])),
        ):
            log = [*exported]
            log[at] = log[at]._replace(record=changed)
            assert failed_at(log) == at + 1
