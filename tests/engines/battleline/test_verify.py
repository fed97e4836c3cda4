"""A finished match is proven offline; whatever byte of its log is altered, the event is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hamle.event.v1 import event_pb2
from hamle_client import Record as Kept
from typer.testing import CliRunner

from cli.app import make_app
from core.fairness.secret import commitment
from core.log.export import ExportHeader
from engines.battleline import GAME
from engines.kit.history import History
from engines.kit.state import canonical
from engines.kit.verify import Exported, verify_log
from tests.engines.kit.table import Table
from tests.logs.check import write

GAMES = {GAME.info.rules: GAME}
APP = make_app(["verify", "replay"])


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


def pile(log: list[Exported], at: int, which: str) -> bytes:
    """A hand or a deck after an event, as its bytes stand in the exported state."""
    history = History(GAMES)
    for entry in log[: at + 1]:
        history.add(entry.record)
    state = history.state.game
    cards = {"hand 0": state.hands[0], "hand 1": state.hands[1], "troops": state.decks[0], "tactics": state.decks[1]}
    return bytes((len(cards[which]), *cards[which]))


@pytest.mark.parametrize("which", ["hand 0", "hand 1", "troops", "tactics"])
@pytest.mark.parametrize("at", [3, 8, 16])
def test_an_altered_byte_of_a_hand_or_deck_is_found_where_it_is_recorded(
    exported: list[Exported], which: str, at: int
) -> None:
    data, cards = exported[at].canonical, pile(exported, at, which)
    assert data.count(cards) == 1
    place = data.index(cards) + len(cards) - 1
    log = [*exported]
    log[at] = log[at]._replace(canonical=data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    failure = verify_log(log, GAMES).failure
    assert failure is not None
    assert failure.seq == at + 1
    assert "state" in failure.what


def test_an_altered_byte_of_the_sealed_or_of_the_revealed_secret_is_found_at_its_event(
    exported: list[Exported],
) -> None:
    for at, field in ((0, "created"), (len(exported) - 1, "secret_revealed")):
        event = event_pb2.Event.FromString(exported[at].record.event)
        assert event.WhichOneof("body") == field
        told = event.created.secret.sealed if field == "created" else event.secret_revealed.secret
        other = told[:7] + bytes([told[7] ^ 1]) + told[8:]
        if field == "created":
            event.created.secret.sealed = other
        else:
            event.secret_revealed.secret = other
        assert failed_at(with_event(exported, at, event)) == at + 1


def test_another_move_is_found_at_its_event(exported: list[Exported]) -> None:
    events = [event_pb2.Event.FromString(entry.record.event) for entry in exported]
    draws = [at for at, event in enumerate(events) if event.moved.move == "draw:troop"]
    assert draws
    for at in draws:
        events[at].moved.move = "draw:tactic"
        assert failed_at(with_event(exported, at, events[at])) == at + 1


def test_the_command_names_the_event_of_an_altered_file(exported: list[Exported], tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    records = [Kept(e.record.seq, e.record.event, e.record.hash, e.canonical) for e in exported]
    header = ExportHeader("07aaaaaaaaaaaaaaaa", "battleline", GAME.info.rules)
    write(path, header, records)
    assert CliRunner().invoke(APP, ["verify", str(path)]).exit_code == 0
    at = len(records) // 2
    digest = records[at].hash
    records[at] = records[at]._replace(hash=digest[:3] + bytes([digest[3] ^ 1]) + digest[4:])
    write(path, header, records)
    result = CliRunner().invoke(APP, ["verify", str(path)])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"event {at + 1}: ")


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
