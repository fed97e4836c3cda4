from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.gateway.watch.resume import Resume, Verdict

SEND, DROP, RESUME = Verdict.SEND, Verdict.DROP, Verdict.RESUME


def verdicts(resume: Resume, *frames: tuple[str, int]) -> list[Verdict]:
    return [resume.judge(kind, seq) for kind, seq in frames]


def test_a_first_watch_is_forwarded_whole() -> None:
    frames = [("joined", 0), ("step", 1), ("step", 2), ("view", 2), ("step", 3), ("heartbeat", 0)]
    assert verdicts(Resume(0), *frames) == [SEND] * 6


def test_a_resumed_watch_tells_only_what_is_new() -> None:
    resume = Resume(0)
    verdicts(resume, ("joined", 0), ("step", 1), ("view", 1), ("step", 2))
    resume.again()
    assert verdicts(resume, ("joined", 0), ("step", 2), ("step", 3), ("view", 3), ("step", 4)) == [
        DROP,
        DROP,
        SEND,
        SEND,
        SEND,
    ]


def test_a_resumed_watch_without_news_tells_nothing() -> None:
    resume = Resume(0)
    verdicts(resume, ("joined", 0), ("step", 1), ("view", 1))
    resume.again()
    assert verdicts(resume, ("joined", 0), ("view", 1)) == [DROP, DROP]


def test_a_view_that_the_first_engine_still_owed_is_told_by_the_next() -> None:
    resume = Resume(0)
    verdicts(resume, ("joined", 0), ("step", 1))
    resume.again()
    assert verdicts(resume, ("joined", 0), ("view", 1)) == [DROP, SEND]


def test_a_gap_asks_for_a_resumed_watch() -> None:
    resume = Resume(0)
    assert verdicts(resume, ("joined", 0), ("step", 2)) == [SEND, RESUME]
    assert resume.seq == 0
    assert resume.judge("view", 3) is RESUME


def test_an_engine_that_hands_over_asks_for_a_resumed_watch() -> None:
    assert Resume(0).judge("moved", 0) is RESUME


def test_a_view_older_than_what_was_told_is_dropped() -> None:
    resume = Resume(5)
    assert verdicts(resume, ("joined", 0), ("view", 4), ("step", 6)) == [SEND, DROP, SEND]


@given(
    st.integers(0, 5),
    st.lists(st.tuples(st.sampled_from(["joined", "step", "view", "heartbeat", "again"]), st.integers(0, 12))),
)
def test_whatever_an_engine_says_events_go_out_once_and_in_order(start: int, frames: list[tuple[str, int]]) -> None:
    resume, sent = Resume(start), []
    for kind, seq in frames:
        if kind == "again":
            resume.again()
        elif resume.judge(kind, seq) is SEND and kind == "step":
            sent.append(seq)
    assert sent == list(range(start + 1, start + 1 + len(sent)))
    assert resume.seq == start + len(sent)
