"""States as bytes and back."""

from __future__ import annotations

import pytest

from engines.battleline.dump import dump, load
from engines.battleline.state import First, Memory, Place, Result, Rules, State, Step
from tests.engines.battleline.table import cards, front, position


def busy() -> State:
    """A state with something in every field."""
    flags = {1: front("R1 R2 R3 R4", "B1 B2 B3"), 2: front("O1 ALX", "P1", newest=0), 9: front(owner=1)}
    rules = Rules(True, True, True, First.HIGH_CUT_DEALS, True, 5)
    state = position(flags, ("FOG", ""), rules=rules, mud=(1, 1), played=(2, 3), discards=("SCT", "R9"), turn=1)
    return state._replace(
        fog=Place(8, 0),
        step=Step.SCOUT,
        left=2,
        drawn=1,
        trim=4,
        passes=1,
        memory=Memory(0, (1, 0), cards("Y7"), (0, 0), (1, 0)),
        cut=cards("R3 G9"),
        starter=1,
        results=(Result("breakthrough", 0, (5, 3), (5, 3)), Result("stuck", -1, (4, 4), (4, 4))),
    )


@pytest.mark.parametrize("state", [position(), busy(), busy()._replace(memory=None, fog=None)])
def test_a_state_is_read_back_from_its_bytes(state: State) -> None:
    assert load(dump(state)) == state


@pytest.mark.parametrize("field", [name for name in State._fields if name != "unseen"])
def test_every_field_is_in_the_bytes(field: str) -> None:
    state, other = busy(), position()
    changed = state._replace(**{field: getattr(other, field)})
    assert changed != state
    assert dump(changed) != dump(state)


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_bytes_that_end_too_soon_are_refused(cut: int) -> None:
    with pytest.raises(ValueError):
        load(dump(busy())[:-cut])


def test_bytes_left_over_are_refused() -> None:
    with pytest.raises(ValueError, match="left over"):
        load(dump(busy()) + b"\0")


def test_the_bytes_of_a_state_are_few() -> None:
    assert len(dump(busy())) < 200
