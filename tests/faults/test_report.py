"""What a run tells of itself: what does not hold, by which fault, and which limits were missed."""

from __future__ import annotations

import pytest

from tests.faults.audit import Totals
from tests.faults.report import FAR, over_limit, verdict, warnings


def test_a_failure_names_the_faults_under_way_and_the_one_before() -> None:
    totals = Totals()
    with totals.during("gateway killed"):
        pass
    with totals.during("engine stopped"), totals.during("timekeeper killed"):
        totals.fail("match m1: lost: event 7")
    assert totals.failures == [
        "during engine stopped, timekeeper killed; after gateway killed: match m1: lost: event 7"
    ]


def test_what_is_found_between_two_faults_names_the_one_before() -> None:
    totals = Totals()
    totals.fail("match m1: doubled: event 3")
    with totals.during("store killed"):
        pass
    totals.fail("match m2: doubled: event 4")
    assert totals.failures == [
        "after no fault: match m1: doubled: event 3",
        "after store killed: match m2: doubled: event 4",
    ]


def test_a_fault_that_cannot_be_done_is_a_failure_and_ends_the_run() -> None:
    totals = Totals()
    with pytest.raises(OSError, match="no such process"), totals.during("engine killed"):
        raise OSError("no such process")
    assert totals.failures == ["during engine killed; after no fault: OSError: no such process"]
    assert totals.under_way == []


def test_the_verdict_tells_the_first_failures_and_how_many_there_are() -> None:
    assert verdict([]) == []
    told = verdict([f"failure {number}" for number in range(50)])
    assert told[0].startswith("failures: 50;")
    assert told[1:] == [f"  failure {number}" for number in range(10)]


def test_a_missed_limit_is_told_with_the_figure_of_the_reference_machine() -> None:
    gaps = {"engine killed": 2.5, "engine stopped": 4.9, "store killed": 30.0}
    over = over_limit(gaps)
    assert over == ["engine killed"]
    (sentence,) = warnings({"over_limit": over, "gaps_s": gaps, "loop_ns": 90.0, "load": 7.5})
    assert sentence.startswith("LIMIT MISSED engine killed: 2.50 s ")
    assert "at most 2 s" in sentence
    assert "90.0 ns" in sentence
    assert "7.5" in sentence
    assert "1.25 s" in sentence


def test_what_is_far_over_a_limit_fails_the_run_at_whatever_pace_the_machine_goes() -> None:
    gaps = {"engine killed before-send": 7.0, "engine stopped": 16.0, "store killed": 300.0}
    assert over_limit(gaps, FAR) == ["engine killed before-send", "engine stopped"]
    assert over_limit(gaps, FAR * 2.0) == []
