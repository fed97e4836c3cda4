"""How fast the rules of Battle Line are on one core: random playouts with their choices, and proofs of claims.

    python bench/battleline_rules.py [--matches N] [--runs N]

Prints medians of the runs. A playout picks each part of a move from the choices at random and applies the move. Proofs
are timed on the claim vectors of the spec, and on the slowest position that a hill climb over random ones finds; the
caches of the search are cleared before every proof.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from core.fairness.draw import SeededDraw
from engines.battleline import formation
from engines.battleline.cards import ALL_TROOPS, ALX, CAV, NUMBERS, SHB, TROOPS, troop_bits
from engines.battleline.game import GAME
from engines.battleline.meta import DEFAULTS
from engines.battleline.proof import judge

VECTORS = Path(__file__).parents[1] / "tests" / "golden" / "battleline" / "claims.txt"


class Claim(NamedTuple):
    """A claim at one flag."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    size: int
    fog: bool
    unseen: int


def playouts(matches: int, seed: int) -> float:
    """Random moves a second of CPU time."""
    rng = random.Random(seed)
    moves = 0
    began = time.process_time()
    for match in range(matches):
        draw = SeededDraw(seed.to_bytes(16, "big"), match)
        state = GAME.setup(DEFAULTS, 2, draw)
        while acting := GAME.may_act(state):
            (seat,) = acting
            text, complete = "", False
            while not complete:
                found = GAME.choices(state, seat, text)
                text, _, complete = found[int(rng.random() * len(found))]
            state, _ = GAME.apply(state, seat, text, draw)
            moves += 1
    return moves / (time.process_time() - began)


def vectors() -> list[Claim]:
    """The claims of the spec."""
    claims = []
    for line in VECTORS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        _, mine, theirs, environment, shown, *_ = (cell.strip() for cell in line.split("|"))
        sides = [tuple(NUMBERS[name] for name in side.split() if name in NUMBERS) for side in (mine, theirs)]
        lying = troop_bits([*sides[0], *sides[1], *(NUMBERS[name] for name in shown.split() if name in NUMBERS)])
        unseen = 0 if shown.startswith("*") else ALL_TROOPS & ~lying
        claims.append(Claim(sides[0], sides[1], 4 if "MUD" in environment else 3, "FOG" in environment, unseen))
    return claims


def proof_us(claim: Claim, repeat: int = 5) -> float:
    """Microseconds that the proof takes with empty caches, the best of some."""
    best = float("inf")
    for _ in range(repeat):
        formation.forget()
        judge.cache_clear()
        began = time.perf_counter_ns()
        judge(claim.mine, claim.theirs, claim.size, claim.fog, claim.unseen, True)
        best = min(best, time.perf_counter_ns() - began)
    return best / 1000


def _random_claim(rng: random.Random) -> Claim:
    size = rng.choice((3, 4))
    deck = [*range(TROOPS), ALX, CAV, SHB]
    rng.shuffle(deck)
    theirs = rng.randint(0, size)
    sides = (tuple(deck[:size]), tuple(deck[size : size + theirs]))
    rest = deck[size + theirs :]
    return Claim(*sides, size, rng.random() < 0.1, troop_bits(rng.sample(rest, rng.randint(0, len(rest)))))


def _changed(rng: random.Random, claim: Claim) -> Claim:
    free = ALL_TROOPS & ~troop_bits((*claim.mine, *claim.theirs))
    return claim._replace(unseen=(claim.unseen ^ 1 << rng.randrange(TROOPS)) & free)


def slowest(starts: int, steps: int, seed: int) -> float:
    """Microseconds of the slowest proof that a hill climb finds."""
    rng = random.Random(seed)
    worst = 0.0
    for _ in range(starts):
        claim = max((_random_claim(rng) for _ in range(100)), key=lambda one: proof_us(one, 2))
        taken = proof_us(claim)
        for _ in range(steps):
            other = _changed(rng, claim)
            if (longer := proof_us(other)) > taken:
                claim, taken = other, longer
        worst = max(worst, taken)
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200, help="matches a run")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    claims = vectors()
    rates = [playouts(wanted.matches, seed) for seed in range(wanted.runs)]
    proofs = [median(proof_us(claim) for claim in claims) for _ in range(wanted.runs)]
    worst = [slowest(10, 100, seed) for seed in range(wanted.runs)]
    print(f"random moves/s, choices included: {median(rates):,.0f}")
    print(f"proof of a claim, median over {len(claims)} vectors: {median(proofs):.1f} us")
    print(f"proof of a claim, slowest position found: {median(worst):.1f} us")


if __name__ == "__main__":
    main()
