"""The proof search against one that tries everything, on random positions with wild cards, Fog and Mud."""

from __future__ import annotations

import random
from math import comb, prod
from typing import NamedTuple

import pytest

from engines.battleline.cards import ALX, CAV, DAR, SHB, TROOPS, names, troop_bits
from engines.battleline.formation import reach, strength
from engines.battleline.proof import judge
from tests.engines.battleline.brute import best_reading, best_reply, proven, readings

_BLOCKS = 40
_BLOCK = 500
"""20,000 positions every day; at night as many again, in which more completions are tried."""
_FEW, _MANY = 300, 8_000
"""How many completions with all their readings a position has at most."""


class Drawn(NamedTuple):
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    size: int
    fog: bool
    unseen: list[int]
    ahead: bool


def _near(rng: random.Random, deck: list[int], count: int) -> list[int]:
    """Troops that often go together: of one colour, of near values, or any."""
    kind = rng.randrange(4)
    first = rng.choice(deck)
    if kind == 0:
        pool = [card for card in deck if card // 10 == first // 10 and abs(card - first) <= 4]
    elif kind == 1:
        pool = [card for card in deck if abs(card % 10 - first % 10) <= 2]
    elif kind == 2:
        pool = [card for card in deck if card % 10 == first % 10]
    else:
        pool = deck
    return rng.sample(pool, min(count, len(pool)))


def _side(rng: random.Random, deck: list[int], wild: list[int], count: int) -> tuple[int, ...]:
    wilds = [wild.pop() for _ in range(min(rng.choice((0, 0, 1, 1, 2, 3)), count, len(wild)))]
    troops = _near(rng, deck, count - len(wilds)) if count > len(wilds) else []
    for card in troops:
        deck.remove(card)
    side = [*wilds, *troops]
    rng.shuffle(side)
    return tuple(side)


def drawn(rng: random.Random, most: int) -> Drawn:
    """A random position at one flag; so few unseen troops that at most `most` completions are to be tried."""
    deck, wild = list(range(TROOPS)), [ALX, DAR, CAV, SHB]
    rng.shuffle(wild)
    size = rng.choice((3, 3, 4))
    mine = _side(rng, deck, wild, size)
    theirs = _side(rng, deck, wild, rng.randint(0, size))
    missing = size - len(theirs)
    readings_of_wilds = prod(len(readings(card)) for card in theirs)
    if max(readings_of_wilds, prod(len(readings(card)) for card in mine)) > most:
        return drawn(rng, most)
    unseen = rng.sample(deck, rng.randint(0, len(deck))) if rng.random() < 0.6 else _near(rng, deck, 20)
    while comb(len(unseen), missing) * readings_of_wilds > most:
        unseen.pop()
    return Drawn(mine, theirs, size, rng.random() < 0.2, unseen, rng.random() < 0.5)


def check(position: Drawn) -> None:
    mine, theirs, size, fog, unseen, ahead = position
    told = f"mine {names(mine)}, theirs {names(theirs)}, size {size}, fog {fog}, unseen {names(unseen)}"
    if len(mine) == size:
        assert strength(mine, fog) == best_reading(tuple(sorted(mine)), fog), told
    bits = troop_bits(unseen)
    found = reach(theirs, size, fog, bits)
    assert (found and tuple(found.strength)) == best_reply(theirs, size, fog, unseen), told
    if found is not None:
        assert len(set(found.fill)) == size - len(theirs), told
        assert set(found.fill) <= set(unseen), told
        assert best_reading(tuple(sorted((*theirs, *found.fill))), fog) == tuple(found.strength), told
    verdict = judge(mine, theirs, size, fog, bits, ahead)
    assert verdict.holds == proven(mine, theirs, size, fog, unseen, ahead), told


@pytest.mark.parametrize("block", range(_BLOCKS))
def test_the_search_agrees_with_trying_everything_on_20000_positions(block: int) -> None:
    rng = random.Random(f"daily {block}")
    for number in range(_BLOCK):
        check(drawn(rng, _MANY if number % 100 == 0 else _FEW))


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(_BLOCKS))
def test_the_search_agrees_with_trying_much_more_on_20000_positions(block: int) -> None:
    rng = random.Random(block)
    for _ in range(_BLOCK):
        check(drawn(rng, _MANY))


def test_random_positions_meet_every_case() -> None:
    rng = random.Random(0)
    positions = [drawn(rng, _FEW) for _ in range(2000)]
    ranks = {strength(p.mine, p.fog).rank for p in positions if len(p.mine) == p.size}
    assert len(ranks) == 5
    verdicts = [judge(p.mine, p.theirs, p.size, p.fog, troop_bits(p.unseen), p.ahead) for p in positions]
    assert {verdict.holds for verdict in verdicts} == {True, False}
    assert {p.size - len(p.theirs) for p in positions} == {0, 1, 2, 3, 4}
    assert any(len(p.theirs) - len([card for card in p.theirs if card < TROOPS]) >= 2 for p in positions)
    assert any(p.fog and p.size == 4 for p in positions)
    assert all(any(card in p.mine for p in positions) for card in (ALX, DAR, CAV, SHB))
    assert all(any(card in p.theirs for p in positions) for card in (ALX, DAR, CAV, SHB))
