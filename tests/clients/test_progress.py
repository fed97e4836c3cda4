from __future__ import annotations

import pytest
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from hamle_client import Cursor, HashMismatch, LogLostTail, SeqGap
from hamle_client.progress import Progress, Verdict

from tests.clients.server import cursor_of, hash_of, joined_at, step_of, view_of

FINISHED = match_pb2.MATCH_STATUS_FINISHED


def view_frame(seq: int, status: match_pb2.MatchStatus.ValueType = match_pb2.MATCH_STATUS_ACTIVE) -> match_pb2.Frame:
    return match_pb2.Frame(view=view_of(seq, status=status))


def heartbeat(seq: int, history: str = "") -> match_pb2.Frame:
    return match_pb2.Frame(heartbeat=match_pb2.Heartbeat(head=cursor_of(seq, history)))


def test_events_are_told_in_order_and_repeats_are_dropped() -> None:
    progress = Progress(Cursor())
    verdicts = [progress.take(step_of(seq)) for seq in (1, 2, 2, 1, 3)]
    assert verdicts == [Verdict.TELL, Verdict.TELL, Verdict.DROP, Verdict.DROP, Verdict.TELL]
    assert progress.cursor == Cursor(3, hash_of(3))


def test_gap_asks_to_resume_and_a_lasting_gap_is_an_error() -> None:
    progress = Progress(Cursor(4, hash_of(4)))
    for _ in range(8):
        assert progress.take(step_of(6)) is Verdict.RESUME
    assert progress.cursor.seq == 4
    with pytest.raises(SeqGap, match="event 6 but not 5"):
        progress.take(step_of(6))


def test_progress_makes_patience_anew() -> None:
    progress = Progress(Cursor())
    for seq in range(1, 30):
        assert progress.take(step_of(seq + 1)) is Verdict.RESUME
        assert progress.take(step_of(seq)) is Verdict.TELL


def test_a_repeat_with_another_hash_is_another_history() -> None:
    progress = Progress(Cursor())
    for seq in (1, 2, 3):
        progress.take(step_of(seq))
    with pytest.raises(HashMismatch, match="event 2"):
        progress.take(step_of(2, history="other"))


def test_heartbeat_and_joined_of_another_history_are_caught() -> None:
    progress = Progress(Cursor(5, hash_of(5)))
    with pytest.raises(HashMismatch):
        progress.take(heartbeat(5, "other"))
    joined = joined_at(5)
    joined.joined.match.head.hash = hash_of(5, "other")
    with pytest.raises(HashMismatch):
        progress.take(joined)


def test_server_that_stays_behind_has_lost_its_tail() -> None:
    progress = Progress(Cursor(9, hash_of(9)))
    for _ in range(8):
        assert progress.take(joined_at(7)) is Verdict.RESUME
    with pytest.raises(LogLostTail, match="event 9"):
        progress.take(joined_at(7))


def test_one_heartbeat_may_cross_an_event_two_mean_that_something_is_missing() -> None:
    progress = Progress(Cursor(4, hash_of(4)))
    assert progress.take(heartbeat(5)) is Verdict.DROP
    assert progress.take(step_of(5)) is Verdict.TELL
    assert progress.take(heartbeat(6)) is Verdict.DROP
    assert progress.take(heartbeat(6)) is Verdict.RESUME
    progress.begin()
    assert progress.take(heartbeat(6)) is Verdict.DROP


def test_view_at_the_head_is_told_once() -> None:
    progress = Progress(Cursor())
    progress.take(step_of(1))
    assert progress.take(view_frame(1)) is Verdict.TELL
    assert progress.take(view_frame(1)) is Verdict.DROP
    assert progress.take(step_of(2, view=True)) is Verdict.TELL
    assert progress.take(view_frame(2)) is Verdict.DROP
    assert progress.take(view_frame(3)) is Verdict.RESUME


def test_live_watch_is_complete_with_the_last_event() -> None:
    progress = Progress(Cursor())
    progress.take(step_of(1, view=True, finished=event_pb2.Finished()))
    assert not progress.complete
    progress.take(step_of(2, view=True, secret_revealed=event_pb2.SecretRevealed(secret=b"s")))
    assert progress.complete


def test_catching_up_on_a_finished_match_is_complete_with_its_view() -> None:
    progress = Progress(Cursor())
    progress.take(joined_at(1, FINISHED))
    progress.take(step_of(1, secret_revealed=event_pb2.SecretRevealed(secret=b"s")))
    assert not progress.complete
    assert progress.take(view_frame(1, FINISHED)) is Verdict.TELL
    assert progress.complete


@pytest.mark.parametrize("last", ["heartbeat", "moved", "end"])
def test_catching_up_is_complete_when_the_server_has_no_more_to_tell(last: str) -> None:
    progress = Progress(Cursor())
    progress.take(step_of(1, secret_revealed=event_pb2.SecretRevealed(secret=b"s")))
    if last == "end":
        progress.end()
    else:
        progress.take(heartbeat(1) if last == "heartbeat" else match_pb2.Frame(moved=match_pb2.Moved()))
    assert progress.complete


def test_end_of_a_stream_does_not_complete_a_match_that_goes_on() -> None:
    progress = Progress(Cursor())
    progress.take(step_of(1, view=True))
    progress.end()
    assert not progress.complete


def test_without_views_the_last_event_completes() -> None:
    progress = Progress(Cursor(), views=False)
    progress.take(step_of(1, secret_revealed=event_pb2.SecretRevealed(secret=b"s")))
    assert progress.complete


def test_cancelled_match_has_no_view_to_wait_for() -> None:
    progress = Progress(Cursor())
    progress.take(step_of(1, cancelled=event_pb2.Cancelled()))
    assert progress.complete


def test_resuming_after_the_very_end_is_complete_at_once() -> None:
    progress = Progress(Cursor(7, hash_of(7)), views=False)
    progress.take(joined_at(7, FINISHED))
    assert progress.complete
