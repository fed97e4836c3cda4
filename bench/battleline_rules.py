"""How fast the rules of Battle Line are on one core: random playouts with their choices, and proofs of claims.

    python -m bench.battleline_rules [--matches N] [--runs N]

Prints medians of the runs. Proofs are timed on the claim vectors of the spec, and on the slowest position that a hill
climb over random ones finds; the caches of the search are cleared before every proof.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.playouts import Deal, moves_per_s, report
from engines.battleline import formation
from engines.battleline.cards import ALL_TROOPS, ALX, CAV, NUMBERS, SHB, TROOPS, troop_bits
from engines.battleline.game import GAME
from engines.battleline.proof import judge

VECTORS = Path(__file__).parents[1] / "tests" / "golden" / "battleline" / "claims.txt"


class Claim(NamedTuple):
    """A claim at one flag."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    size: int
    fog: bool
    unseen: int


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
    deals = [Deal({}, 2)] * wanted.matches
    report("playouts", lambda seed: moves_per_s(GAME, deals, seed), wanted.runs)
    proofs = [median(proof_us(claim) for claim in claims) for _ in range(wanted.runs)]
    worst = [slowest(10, 100, seed) for seed in range(wanted.runs)]
    print(f"proof of a claim, median over {len(claims)} vectors: {median(proofs):.1f} us")
    print(f"proof of a claim, slowest position found: {median(worst):.1f} us")


if __name__ == "__main__":
    main()
