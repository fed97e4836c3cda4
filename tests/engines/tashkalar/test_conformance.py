"""The kit's suite over all forms, numbers of seats and schools."""

from __future__ import annotations

import pytest

from engines.kit.conformance import Case, Suite, match_count

_GAME = "engines.tashkalar:GAME"

TWO = Suite(
    _GAME,
    options=(
        {},
        {"form": "duel", "deck_0": "everfrost", "deck_1": "nethervoid"},
        {"deck_0": "etherweave", "deck_1": "sylvan"},
        {"form": "first"},
        {"form": "duel", "deck_0": "etherweave", "deck_1": "everfrost"},
        {"deck_0": "nethervoid", "deck_1": "highland", "first": "seat_0"},
    ),
    seats=(2,),
    matches=match_count() // 2,
)
MELEE = Suite(
    _GAME,
    options=(
        {"form": "melee"},
        {"form": "melee", "deck_0": "etherweave", "deck_1": "nethervoid", "deck_2": "everfrost", "deck_3": "sylvan"},
    ),
    seats=(3, 4),
    matches=match_count() // 4,
)
TEAMS = Suite(
    _GAME,
    options=(
        {},
        {"form": "duel", "deck_0": "etherweave", "deck_1": "nethervoid", "deck_2": "everfrost", "deck_3": "sylvan"},
    ),
    seats=(4,),
    matches=match_count() // 4,
)


def named(suite: Suite, name: str, *kinds: str) -> list[object]:
    """Those cases of a suite whose names begin so, told apart from the other suites'."""
    return [pytest.param(case, id=f"{name}: {case}") for case in suite.cases() if case.name.startswith(kinds)]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "case",
    [
        *named(TWO, "two seats", ""),
        *named(MELEE, "melee", "two processes", "matches", "hidden"),
        *named(TEAMS, "teams", "two processes", "matches", "hidden"),
    ],
)
def test_conforms(case: Case) -> None:
    case()
