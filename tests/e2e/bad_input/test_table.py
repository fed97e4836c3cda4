"""Every kind of bad input is refused with its reason, says what to do, and harms nothing."""

from __future__ import annotations

import pytest

from tests.e2e.bad_input import cases_identity, cases_play, cases_seats
from tests.e2e.bad_input.case import Case
from tests.e2e.bad_input.refusal import refused
from tests.e2e.bad_input.scene import scene
from tests.e2e.bad_input.stack import KINDS, Stack

CASES = cases_identity.CASES + cases_seats.CASES + cases_play.CASES


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("kind", KINDS)
async def test_bad_input_is_refused_and_harms_nothing(stack: Stack, kind: str, case: Case) -> None:
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
