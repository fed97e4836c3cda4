"""Steered random matches over all forms and pairs of decks: nothing is lost, nothing fails, every card resolves.

200 matches run every time; at night (`HAMLE_NIGHTLY=1`) 10,000, in which every being, flare and task, every frozen and
every warp effect must resolve at least 20 times.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from engines.kit.conformance import play_match
from engines.tashkalar.cards import BEINGS, FLARES, SCHOOLS, TASK, TASKS
from engines.tashkalar.game import GAME
from tests.engines.tashkalar.conservation import check_cards, check_counters, standing, tell
from tests.engines.tashkalar.steering import Steering

NIGHTLY = os.environ.get("HAMLE_NIGHTLY") == "1"
MATCHES = 10_000 if NIGHTLY else 200
BLOCK = 50 if NIGHTLY else 20
LEAST = 20
FORMS = (
    *(("high", 2), ("duel", 2), ("melee", 3), ("high", 4), ("high", 2), ("melee", 4)),
    *(("high", 4), ("duel", 2), ("first", 2), ("high", 2), ("duel", 4)),
)
"""Eleven of them and 36 pairs of decks: match n has the n-th of either, so that all meet. Most have tasks: some tasks
come up late and seldom.
"""
CARDS = (
    *(being.key for being in BEINGS),
    *(flare.key for flare in FLARES),
    *(task.key for task in TASKS),
    *(f"T:{being.key}" for being in BEINGS if being.frozen),
    *(f"W:{being.key}" for being in BEINGS if being.warp),
)


def options_of(number: int) -> tuple[dict[str, str], int]:
    """The options and seats of a match."""
    form, seats = FORMS[number % len(FORMS)]
    decks = (number % 6, number // 6 % 6, number // 5 % 6, number // 11 % 6)
    return {"form": form, **{f"deck_{seat}": SCHOOLS[deck] for seat, deck in enumerate(decks)}}, seats


def play(first: int, last: int) -> Counter[str]:
    """Plays the matches and checks every event; what has resolved how often."""
    steering = Steering()
    for number in range(first, last):
        options, seats = options_of(number)
        steering.for_tasks = options["form"] in ("high", "first") and number // len(FORMS) % 8 > 0
        board: dict[str, int] = {}
        move = ""
        try:
            for step in play_match(GAME, options, seats, number, steering.pick):
                move = f"{step.seq} {step.move}"
                check_counters(step.before, step.after)
                check_cards(step.after)
                tell(step.after, board, step.facts)
                if step.kind == "move":
                    steering.count(step.move, step.before, step.after)
                if not step.after.begun:
                    assert board == standing(step.after), "the facts do not tell what has become of the board"
        except Exception as error:
            error.add_note(f"in match {number}, {options}, {seats} seats, after {move}")
            raise
    return steering.counts


@pytest.fixture(scope="module")
def counts() -> Counter[str]:
    """What has resolved how often in all matches."""
    firsts = range(0, MATCHES, BLOCK)
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for found in pool.map(play, firsts, [min(first + BLOCK, MATCHES) for first in firsts]):
            total += found
    return total


@pytest.mark.timeout(36_000)
def test_matches_of_all_forms_and_decks_end_and_lose_nothing(counts: Counter[str]) -> None:
    missing = [card for card in CARDS if not counts[card] and card not in TASK]
    assert not missing


@pytest.mark.skipif(not NIGHTLY, reason="needs the many matches of the night")
@pytest.mark.timeout(36_000)
def test_every_card_resolves_twenty_times(counts: Counter[str]) -> None:
    rare = {card: counts[card] for card in CARDS if counts[card] < LEAST}
    assert not rare
