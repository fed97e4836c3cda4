"""Every kind of bad input is refused with its reason, says what to do, and harms nothing."""

from __future__ import annotations

from itertools import cycle

import pytest

from tests.e2e.bad_input import cases_identity, cases_play, cases_seats
from tests.e2e.bad_input.case import Case
from tests.e2e.bad_input.refusal import refused
from tests.e2e.bad_input.scene import scene
from tests.e2e.bad_input.stack import KINDS, Stack

CASES = cases_identity.CASES + cases_seats.CASES + cases_play.CASES
# Callers and bytes meet the servers themselves. Behind them the code is the same, so there one server a case will do.
SENT = [(case, kind) for case in cases_identity.CASES for kind in KINDS]
SENT += [*zip(cases_seats.CASES + cases_play.CASES, cycle(KINDS), strict=False)]


@pytest.mark.parametrize(("case", "kind"), SENT, ids=[f"{case.name}-{kind}" for case, kind in SENT])
async def test_bad_input_is_refused_and_harms_nothing(stack: Stack, case: Case, kind: str) -> None:
    async with scene(stack, kind, case.scene) as there:
        await case.first(there)
        before = await there.standing()
        refusal = await refused(case.ask(there))
        assert refusal.reason == case.reason, refusal.message
        assert case.says in refusal.message
        assert case.metadata.items() <= refusal.metadata.items(), refusal.metadata
        assert await there.standing() == before
        await there.go_on()
    stack.require_unharmed()
