from __future__ import annotations

import random
from typing import Any

import pytest

from engines.kit.conformance import NotConforming, Suite, match_count, option_sets, play_match, play_on
from engines.kit.conformance.moves import complete_moves, reachable
from engines.kit.options import full_options
from tests.engines.kit.cardgame import GAME

OPTIONS = full_options(GAME.info, {"reaction_ms": "5000"})


def moves_of(seed: int, **more: Any) -> list[tuple[str, int | None, str]]:
    return [(step.kind, step.seat, step.move) for step in play_match(GAME, OPTIONS, 4, seed, **more)]


def test_a_seed_gives_one_match() -> None:
    assert moves_of(1) == moves_of(1)
    assert moves_of(1) != moves_of(2)


def test_steps_follow_each_other_to_the_outcome() -> None:
    steps = list(play_match(GAME, OPTIONS, 4, 3))
    assert [step.seq for step in steps] == list(range(1, len(steps) + 1))
    assert [step.after for step in steps[:-1]] == [step.before for step in steps[1:]]
    assert GAME.outcome(steps[-1].after) is not None
    assert all(GAME.outcome(step.after) is None for step in steps[:-1])


def test_matches_have_seats_that_leave_only_when_asked_for() -> None:
    assert all(kind != "leave" for seed in range(10) for kind, _, _ in moves_of(seed))
    leaves = [seat for seed in range(10) for kind, seat, _ in moves_of(seed, departures=0.1) if kind == "leave"]
    assert len(leaves) > 5


def test_time_limits_pass_now_and_then() -> None:
    assert any(kind == "time_out" for seed in range(30) for kind, _, _ in moves_of(seed))


def test_a_match_goes_on_from_any_of_its_states() -> None:
    steps = list(play_match(GAME, OPTIONS, 2, 1))
    later = list(play_on(GAME, steps[5].after, 2, 1, seq=steps[5].seq))
    assert later[0].seq == steps[5].seq + 1
    assert GAME.outcome(later[-1].after) is not None


def test_a_picker_picks_the_moves() -> None:
    def last(game: Any, state: Any, seat: int, rng: random.Random) -> str:
        return complete_moves(game, state, seat, 1000).texts[-1]

    picked = {move.partition(":")[0] for kind, _, move in moves_of(1, picker=last) if kind == "move"}
    assert picked == {"stake", "end", "swap"}


def test_an_illegal_pick_is_reported() -> None:
    with pytest.raises(NotConforming, match="picked but refused"):
        list(play_match(GAME, OPTIONS, 2, 1, lambda *_: "nonsense"))


def test_each_value_of_each_option_is_in_an_option_set() -> None:
    assert option_sets(GAME.info) == [
        {"rounds": "3", "reaction_ms": "0"},
        {"rounds": "1", "reaction_ms": "0"},
        {"rounds": "5", "reaction_ms": "0"},
        {"rounds": "3", "reaction_ms": "5000"},
    ]


def test_moves_are_reached_part_by_part() -> None:
    state = next(step.after for step in play_match(GAME, OPTIONS, 2, 1) if step.after.phase == "turns")
    seat = state.turn
    found = complete_moves(GAME, state, seat, 10_000)
    assert found.all
    assert len(set(found.texts)) == len(found.texts)
    assert all(reachable(GAME, state, seat, move) for move in found.texts)
    some = complete_moves(GAME, state, seat, 3)
    assert not some.all
    assert len(some.texts) == 3
    for move in found.texts:
        assert not reachable(GAME, state, seat, move[:-1]) or move[:-1] in found.texts


def test_nightly_runs_have_more_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HAMLE_NIGHTLY", raising=False)
    assert match_count() == 200
    monkeypatch.setenv("HAMLE_NIGHTLY", "1")
    assert match_count() == 5000


def test_a_suite_divides_its_matches_among_cases() -> None:
    suite = Suite("tests.engines.kit.cardgame:GAME", options=[{"rounds": "1"}], seats=[2, 3], matches=60)
    names = [str(case) for case in suite.cases()]
    assert [name for name in names if name.startswith("matches")] == [
        "matches 0 to 24",
        "matches 25 to 49",
        "matches 50 to 59",
    ]
    assert len(names) == len(set(names))
    assert [(table.options["rounds"], table.seats) for table in suite.tables] == [("1", 2), ("1", 3)]
