"""A comparison that finds nothing is worth something only if it finds what is planted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.faults.compare import Finding, Logged, compare_answers, compare_moves, compare_watch
from tests.faults.ledger import Accepted, Ledger, Place
from tests.faults.records import Game

MOVES = ("a1-a2", "b1-b2", "a2-a3")
KINDS = ("created", "seat_taken", "seat_taken", "started", "moved", "moved", "moved", "finished", "secret_revealed")


def digest(seq: int) -> bytes:
    return bytes([seq]) * 16


def log() -> list[Logged]:
    texts = iter(MOVES)
    places = [
        Place(seq, digest(seq), kind, next(texts) if kind == "moved" else "") for seq, kind in enumerate(KINDS, 1)
    ]
    return [Logged(place, 100 + min(place.seq, 7)) for place in places]


def answers() -> list[Accepted]:
    return [Accepted(ply, "h", f"r{ply}", seq, digest(seq), float(ply)) for ply, seq in enumerate((5, 6, 9))]


def kinds(findings: list[Finding]) -> list[str]:
    return [finding.what for finding in findings]


def test_what_is_right_gives_no_finding() -> None:
    found: list[Finding] = []
    compare_moves(log(), MOVES, found)
    compare_answers(log(), answers(), found)
    compare_watch(log(), "ann", [place for place, _ in log()], found)
    assert found == []


def test_an_answer_that_arrives_after_the_next_one_is_in_order() -> None:
    found: list[Finding] = []
    first, second, third = answers()
    compare_answers(log(), [second, third, first], found)
    assert found == []


def test_a_call_that_was_done_twice_is_found() -> None:
    again = [*log()[:6], log()[5]._replace(place=log()[6].place), *log()[7:]]
    found: list[Finding] = []
    compare_moves(again, MOVES, found)
    assert kinds(found) == ["doubled"]


def test_moves_in_another_order_are_found() -> None:
    swapped = log()
    swapped[4], swapped[5] = swapped[5], swapped[4]
    found: list[Finding] = []
    compare_moves(swapped, MOVES, found)
    assert "reordered" in kinds(found)


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        (answers()[1]._replace(seq=12), "lost"),
        (answers()[1]._replace(hash=digest(7)), "lost"),
        (answers()[1]._replace(seq=5, hash=digest(5)), "reordered"),
        (answers()[1]._replace(seq=9, hash=digest(9)), "reordered"),
    ],
    ids=["beyond the log", "of another history", "of the ply before", "of a later ply"],
)
def test_an_answer_that_the_log_does_not_bear_out_is_found(changed: Accepted, what: str) -> None:
    found: list[Finding] = []
    compare_answers(log(), [answers()[0], changed, answers()[2]], found)
    assert what in kinds(found)


@pytest.mark.parametrize(
    ("order", "what"),
    [((1, 2, 2, 3), "doubled"), ((1, 2, 4), "lost"), ((1, 3, 2), "doubled"), ((2, 3), "lost")],
    ids=["twice", "left out", "out of order", "not from the first"],
)
def test_a_watch_that_is_told_anything_but_each_event_once_in_order_is_found(order: tuple[int, ...], what: str) -> None:
    found: list[Finding] = []
    compare_watch(log(), "ann", [log()[seq - 1].place for seq in order], found)
    assert what in kinds(found)


def test_a_watch_of_another_history_is_found() -> None:
    found: list[Finding] = []
    compare_watch(log(), "ann", [log()[0].place, log()[1].place._replace(hash=digest(9))], found)
    assert kinds(found) == ["lost"]


def test_a_match_is_active_until_its_last_ply_is_answered() -> None:
    ledger = Ledger("m", Game({}, MOVES, ends=True))
    for answer in answers():
        assert ledger.active
        ledger.accepted.append(answer)
    assert not ledger.active
    resigned = replace(ledger, game=Game({}, MOVES, ends=False))
    assert resigned.active


def test_a_ledger_that_goes_back_forgets_what_was_given_up_and_counts_it() -> None:
    ledger = Ledger("m", Game({}, MOVES, ends=True), accepted=answers())
    ledger.watch("ann").extend(place for place, _ in log())
    assert ledger.last_known == 9
    ledger.rewind(6)
    assert [answer.ply for answer in ledger.accepted] == [0, 1]
    assert (ledger.given_up, ledger.watches, ledger.last_known) == (1, {}, 6)
