"""Claims of rules §6 against the vectors of rules §10, with the verdict, both strengths and the counter-example."""

from __future__ import annotations

import pytest

from engines.battleline.cards import ALL_TROOPS, names, troop_bits
from engines.battleline.claims import verdict
from engines.battleline.formation import Reach, reach, strength
from engines.battleline.game import GAME
from engines.battleline.state import Front, State, Step
from engines.kit.game import IllegalMove
from tests.engines.battleline.table import cards, draw, first_parts, front, position, rows

CLAIMS = rows("claims.txt")
FLAG = 4


def vector(row: list[str]) -> State:
    """The position of a row: seat 0 claims flag 4, further shown troops are discards."""
    _, mine, theirs, environment, shown, note, *_ = row
    mine, theirs = mine.replace("-", ""), theirs.replace("(empty)", "")
    newest = 0 if note == "last=me" else 1
    kept = {"*all": "", "*allbut Y3": "Y3"}.get(shown)
    if kept is not None:
        others = ALL_TROOPS & ~troop_bits(cards(f"{mine} {theirs} {kept}"))
        shown = names(card for card in range(60) if others >> card & 1)
    hand = note.removeprefix("hand:") if note.startswith("hand:") else ""
    state = position(
        {FLAG: front(mine, theirs, newest=newest)},
        (hand, ""),
        fog=(FLAG, 1) if "FOG" in environment else None,
        mud=(FLAG, 1) if "MUD" in environment else None,
        discards=("", shown.replace("-", "")),
        step=Step.CLOSE,
        sizes=(6, 7),
    )
    return state._replace(turn=0)


def written(reached: Reach | None) -> str:
    return "-" if reached is None else f"{reached.strength.rank.name.lower()} {reached.strength.sum}"


def test_all_vectors_of_the_rules_are_there() -> None:
    assert [row[0] for row in CLAIMS] == [f"P{number}" for number in range(1, 58)]


@pytest.mark.parametrize("row", CLAIMS, ids=lambda row: row[0])
def test_a_claim_is_decided_as_in_the_rules(row: list[str]) -> None:
    state = vector(row)
    found = verdict(state, 0, FLAG - 1)
    assert found.holds == (row[8] == "YES")
    if found.mine is not None:
        assert f"{found.mine.rank.name.lower()} {found.mine.sum}" == row[6]
        assert written(found.reply) == row[7]
    assert (f"claim:{FLAG}" in first_parts(state)) == found.holds


@pytest.mark.parametrize("row", [row for row in CLAIMS if row[8] == "YES"], ids=lambda row: row[0])
def test_a_proven_claim_is_taken_and_tells_its_proof(row: list[str]) -> None:
    state, facts = GAME.apply(vector(row), 0, f"claim:{FLAG}", draw())
    assert state.fronts[FLAG - 1].owner == 0
    told = dict(facts[0].parameters)
    assert f"{told['mine']} {told['mine_sum']}" == row[6]
    if row[7] == "-":
        assert facts[0].kind == "claimed_unanswerable"
    else:
        assert f"{told['theirs']} {told['theirs_sum']}" == row[7]


@pytest.mark.parametrize("row", [row for row in CLAIMS if row[8] == "no" and row[7] != "-"], ids=lambda row: row[0])
def test_a_false_claim_is_refused_with_a_completion_that_beats_it(row: list[str]) -> None:
    state = vector(row)
    found = verdict(state, 0, FLAG - 1)
    assert found.reply is not None
    assert found.mine is not None
    side = state.fronts[FLAG - 1].sides[1]
    assert troop_bits(found.reply.fill) & ~state.unseen == 0
    whole = strength((*side, *found.reply.fill), state.foggy(FLAG - 1))
    assert whole == found.reply.strength
    assert whole > found.mine or (whole == found.mine and not found.reply.fill)
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, 0, f"claim:{FLAG}", draw())
    assert names(found.reply.fill) in refused.value.what
    assert row[6] in refused.value.what
    assert row[7] in refused.value.what
    assert refused.value.rule == "rules §6"


@pytest.mark.parametrize("number", [45, 57])
def test_a_claim_with_an_incomplete_side_is_refused(number: int) -> None:
    with pytest.raises(IllegalMove, match=r"of [34] cards"):
        GAME.apply(vector(CLAIMS[number - 1]), 0, f"claim:{FLAG}", draw())


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (3, "claimed_shown"),
        (7, "claimed_first"),
        (27, "claimed_proven"),
        (9, "claimed_tie"),
        (51, "claimed_unanswerable"),
    ],
)
def test_the_fact_of_a_claim_says_what_proves_it(number: int, kind: str) -> None:
    _, facts = GAME.apply(vector(CLAIMS[number - 1]), 0, f"claim:{FLAG}", draw())
    assert facts[0].kind == kind


def test_a_claimed_flag_is_closed() -> None:
    state = vector(CLAIMS[0])
    state = state._replace(fronts=state.with_front(FLAG - 1, state.fronts[FLAG - 1]._replace(owner=1)))
    with pytest.raises(IllegalMove, match="is claimed"):
        GAME.apply(state, 0, f"claim:{FLAG}", draw())


def test_the_verdict_rests_on_open_information_only() -> None:
    open_part = vector(CLAIMS[17])
    other = open_part._replace(hands=(open_part.hands[1], open_part.hands[0]), decks=((), ()))
    assert verdict(open_part, 0, FLAG - 1) == verdict(other, 0, FLAG - 1)


def test_too_few_unseen_troops_cannot_complete_a_side() -> None:
    assert reach((), 3, False, 0b11) is None
    assert reach((), 3, False, 0b111) is not None


def test_stamps_of_remaining_cards_decide_a_tie() -> None:
    row = Front().put(0, *cards("R1")).put(1, *cards("B2")).put(0, *cards("R5")).put(1, *cards("B5"))
    row = row.put(1, *cards("B8")).put(0, *cards("R9"))
    state = position({FLAG: row}, step=Step.CLOSE, sizes=(6, 7))
    assert not verdict(state, 0, FLAG - 1).holds
    moved = row.take(1, *cards("B2")).put(1, *cards("B2"))
    state = state._replace(fronts=state.with_front(FLAG - 1, moved))
    assert verdict(state, 0, FLAG - 1).holds
    assert not verdict(state, 1, FLAG - 1).holds
