"""The kit's suite over all forms, numbers of seats and schools."""

from __future__ import annotations

from itertools import product

import pytest

from engines.kit.conformance import Case, Suite, match_count
from engines.tashkalar.cards import SCHOOLS

_GAME = "engines.tashkalar:GAME"
_MATCHES = min(match_count(), 3_000)


def schools(*numbers: int) -> dict[str, str]:
    """The options that give seat after seat the school of that number."""
    return {f"deck_{seat}": SCHOOLS[number % len(SCHOOLS)] for seat, number in enumerate(numbers)}


_PAIRS = list(product(range(len(SCHOOLS)), repeat=2))
_ROUNDS = [schools(first, first + 1, first + 2, first + 3) for first in range(len(SCHOOLS))]
TWO = Suite(
    _GAME,
    options=[
        {"form": "first"},
        {"form": "high", "first": "seat_0"},
        *({"form": "duel" if sum(pair) % 2 else "high", **schools(*pair)} for pair in _PAIRS),
    ],
    seats=(2,),
    matches=_MATCHES // 2,
)
MELEE = Suite(_GAME, options=[{"form": "melee", **each} for each in _ROUNDS], seats=(3, 4), matches=_MATCHES // 4)
TEAMS = Suite(
    _GAME,
    options=[{"form": form, **each} for each in _ROUNDS for form in ("high", "duel")],
    seats=(4,),
    matches=_MATCHES // 4,
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
