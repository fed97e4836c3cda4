from __future__ import annotations

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.event.v1 import event_pb2

from core.errors import Refused
from core.log.types import Record
from engines.coerceo.game import GAME as COERCEO
from engines.kit.decide import accept_tail_loss
from engines.kit.history import HashDiffers, History
from engines.kit.life import Status
from engines.kit.state import AnyGame, canonical, sections
from engines.kit.steps import FoldError
from tests.engines.kit.cardgame import GAME as CELLAR
from tests.engines.kit.table import Table

GAMES = {game.info.rules: game for game in (COERCEO, CELLAR)}


def refold(records: list[Record]) -> History:
    history = History(GAMES)
    for record in records:
        history.add(record)
    return history


@pytest.mark.parametrize(("game", "seats"), [(COERCEO, 2), (CELLAR, 2), (CELLAR, 3), (CELLAR, 4)])
@pytest.mark.parametrize("seed", range(3))
def test_folding_the_log_gives_the_state_that_was_played(game: AnyGame, seats: int, seed: int) -> None:
    table = Table(game, seats, options={"start": "ocius"} if game is COERCEO else {})
    table.play(seed)
    assert table.state.life.status is Status.FINISHED
    history = refold(table.records)
    assert history.state == table.state
    assert history.hash == table.history.hash
    assert history.done == table.history.done


def test_the_last_move_the_outcome_and_the_secret_are_one_call() -> None:
    table = Table(CELLAR)
    table.play(1)
    assert table.bodies()[-2:] == ["finished", "secret_revealed"]
    assert table.state.life.revealed
    assert table.state.life.outcome is not None


def test_state_bytes_survive_a_dump_at_every_event() -> None:
    table = Table(CELLAR, 3)
    table.play(4)
    history = History(GAMES)
    for record in table.records:
        history.add(record)
        state = history.state
        if state.game is not None:
            again = state._replace(game=CELLAR.load(CELLAR.dump(state.game)))
            assert canonical(CELLAR, again) == canonical(CELLAR, state)
            assert sections(canonical(CELLAR, state))["game"] == CELLAR.dump(state.game)


@pytest.mark.parametrize("byte", [0, 5, -1])
def test_one_altered_byte_of_an_event_is_found_at_that_event(byte: int) -> None:
    table = Table(COERCEO)
    table.play(2, moves=12)
    at = 8
    altered = bytearray(table.records[at].event)
    altered[byte] ^= 1
    history = refold(table.records[:at])
    with pytest.raises(FoldError) as raised:
        history.add(Record(at + 1, bytes(altered), table.records[at].hash))
    assert raised.value.seq == at + 1


def test_an_altered_hash_is_found_at_its_event() -> None:
    table = Table(COERCEO)
    table.play(2, moves=5)
    history = refold(table.records[:-1])
    last = table.records[-1]
    with pytest.raises(HashDiffers) as raised:
        history.add(last._replace(hash=bytes(16)))
    assert raised.value.folded.hash == last.hash


def test_hashes_are_chained_so_equal_events_after_another_past_have_other_hashes() -> None:
    first, second = Table(COERCEO), Table(COERCEO)
    first.move(0, "d1e-d1a")
    second.move(0, "d1e-d1c")
    for table in (first, second):
        table.move(1, "b4b-b4f")
    assert first.records[-1].hash != second.records[-1].hash


def test_hashes_are_keyed_so_the_same_match_under_another_secret_has_others() -> None:
    tables = [Table(COERCEO, secret=bytes([n]) * 32) for n in (1, 2)]
    assert tables[0].records[-1].event == tables[1].records[-1].event
    assert tables[0].records[-1].hash != tables[1].records[-1].hash


def test_the_canonical_bytes_hold_no_secret_before_the_end() -> None:
    table = Table(CELLAR, 2, secret=b"\xa5" * 32)
    data = canonical(CELLAR, table.state)
    assert (b"\xa5" * 8) not in data
    assert ("a5" * 8).encode() not in data


def test_a_gap_in_the_log_is_named() -> None:
    table = Table(COERCEO)
    table.play(1, moves=3)
    history = refold(table.records[:3])
    with pytest.raises(FoldError, match="goes on with event 5"):
        history.add(table.records[4])


def test_bytes_that_are_no_event_are_named() -> None:
    with pytest.raises(FoldError, match="not an event"):
        History(GAMES).add(Record(1, b"\xff\xff\xff", bytes(16)))


def test_time_in_the_log_never_runs_backwards() -> None:
    table = Table(COERCEO)
    table.now_ms = -50_000
    draft = table.move(0, "d1e-d1a")
    assert draft.steps[0].event.at_ms == 1_000


def test_an_event_that_the_rules_would_not_write_is_refused() -> None:
    table = Table(COERCEO)
    event = event_pb2.Event(at_ms=9_000, moved=event_pb2.Moved(seat=1, move="b4b-b4f"))
    with pytest.raises(FoldError, match="seat 1 moves, expected one of"):
        table.history.add(Record(table.history.seq + 1, event.SerializeToString(), bytes(16)))
    finished = event_pb2.Event(at_ms=9_000, finished=event_pb2.Finished(outcome=event_pb2.Outcome(reason="resigned")))
    with pytest.raises(FoldError, match="the outcome is"):
        table.history.add(Record(table.history.seq + 1, finished.SerializeToString(), bytes(16)))


def test_the_fold_knows_which_call_was_done_and_where() -> None:
    table = Table(COERCEO)
    table.move(0, "d1e-d1a", request_id="mine")
    done = list(refold(table.records).done.values())
    assert [(call.first, call.last) for call in done] == [(1, 4), (5, 5)]


def test_an_unknown_rules_version_is_its_own_reason() -> None:

    table = Table(COERCEO)
    with pytest.raises(Refused) as raised:
        History({"coerceo/0": COERCEO}).add(table.records[0])
    assert raised.value.name == "RULES_UNAVAILABLE"
    assert raised.value.metadata == {"rules": "coerceo/1"}


def test_a_clock_that_falls_ends_the_match_with_its_own_reason() -> None:
    table = Table(COERCEO, time_control=event_pb2.TimeControl(initial_ms=10_000, increment_ms=500))
    table.move(0, "d1e-d1a")
    clock = table.state.clock
    assert clock is not None
    assert clock.remaining_ms == (9_500, 10_000)
    falls_at = clock.falls_at()
    assert falls_at is not None
    assert table.pass_time(falls_at - 1).steps == []
    table.pass_time(falls_at)
    assert table.bodies() == ["clock_expired", "finished", "secret_revealed"]
    outcome = table.state.life.outcome
    assert outcome is not None
    assert outcome.reason == "clock_expired"
    assert [p.place for p in outcome.placements] == [1, 2]
    assert refold(table.records).state == table.state


def test_fields_that_a_time_control_does_not_have_stay_out_of_the_log() -> None:
    control = event_pb2.TimeControl(initial_ms=10_000, increment_ms=500)
    swollen = event_pb2.TimeControl.FromString(control.SerializeToString() + b"\x7a\x80\x80\x20" + bytes(1 << 19))
    created = event_pb2.Event.FromString(Table(COERCEO, time_control=swollen).records[0].event).created
    assert created.time_control == control


def test_who_is_out_of_time_while_the_others_play_on_is_not_the_reason_for_the_end() -> None:
    table = Table(CELLAR, 4, time_control=event_pb2.TimeControl(initial_ms=600_000, increment_ms=10_000))
    for seat in (0, 1, 3):
        table.move(seat, CELLAR.choices(table.state.game, seat)[0].text)
    clock = table.state.clock
    assert clock is not None
    falls_at = clock.falls_at()
    assert falls_at is not None
    table.pass_time(falls_at)
    assert table.bodies() == ["clock_expired"]
    table.play(1)
    outcome, of_the_game = table.state.life.outcome, CELLAR.outcome(table.state.game)
    assert outcome is not None
    assert of_the_game is not None
    assert outcome.reason == of_the_game.reason != "clock_expired"
    assert refold(table.records).state == table.state


def test_a_limit_of_the_game_is_passed_at_its_time_and_not_before() -> None:
    table = Table(COERCEO)
    assert table.pass_time(10**9).steps == []
    waiting = Table(COERCEO, sit=False)
    assert waiting.pass_time(60_999).steps == []
    waiting.pass_time(61_000)
    assert waiting.bodies() == ["cancelled"]
    assert waiting.state.life.status is Status.CANCELLED


def test_resigning_ends_a_match_of_two() -> None:
    table = Table(COERCEO)
    table.command("bob", resign=engine_pb2.Resign())
    assert table.bodies() == ["resigned", "finished", "secret_revealed"]
    outcome = table.state.life.outcome
    assert outcome is not None
    assert [p.place for p in outcome.placements] == [1, 2]


def test_after_a_lost_tail_the_same_seqs_draw_something_else() -> None:
    piles = set()
    for last_known in (6, 7):
        table = Table(CELLAR)
        draft = accept_tail_loss(CELLAR, table.state, table.history.hash, last_known, table.now_ms)
        table._take(draft)
        assert table.state.life.tail_lost == ((5, last_known),)
        table.play(1, moves=12)
        piles.add(CELLAR.dump(table.state.game))
        assert refold(table.records).state == table.state
    assert len(piles) == 2


def test_no_clock_runs_between_a_lost_tail_and_its_acceptance() -> None:
    table = Table(COERCEO, time_control=event_pb2.TimeControl(initial_ms=60_000, increment_ms=0))
    table.move(0, "d1e-d1a")
    before = table.state.clock
    table.now_ms += 3_600_000
    table._take(accept_tail_loss(COERCEO, table.state, table.history.hash, 9, table.now_ms))
    after = table.state.clock
    assert before is not None
    assert after is not None
    assert after.remaining_ms == before.remaining_ms
    assert table.pass_time(table.now_ms).steps == []
    assert after.falls_at() == table.now_ms + 60_000
    assert refold(table.records).state == table.state


def test_only_a_loss_beyond_the_head_can_be_accepted() -> None:
    table = Table(COERCEO)
    with pytest.raises(Refused) as raised:
        accept_tail_loss(COERCEO, table.state, table.history.hash, table.history.seq, table.now_ms)
    assert raised.value.name == "NO_TAIL_LOST"
