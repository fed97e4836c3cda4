"""The suite that any game passes, as cases for a test runner."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, NamedTuple

from engines.kit import playthrough
from engines.kit.conformance.hidden import check_hidden_things_vary
from engines.kit.conformance.inspection import inspect_match
from engines.kit.conformance.match import Picker, option_sets, random_move
from engines.kit.conformance.planted import Planted, planted_leaks, without_chance
from engines.kit.conformance.processes import check_processes, load_game
from engines.kit.conformance.report import NotConforming
from engines.kit.conformance.seats import check_catalogues
from engines.kit.options import full_options
from engines.kit.state import AnyGame

DAILY: Final = 200
NIGHTLY: Final = 5_000
_BLOCK: Final = 25
_MOST_PLANTED: Final = 40


def match_count() -> int:
    """Random matches of a run: 200, or 5,000 where `HAMLE_NIGHTLY=1`."""
    return NIGHTLY if os.environ.get("HAMLE_NIGHTLY") == "1" else DAILY


class Case(NamedTuple):
    """A test: its name, and what to call. It raises `NotConforming`."""

    name: str
    check: Callable[[], None]

    def __call__(self) -> None:
        """Runs the test."""
        self.check()

    def __str__(self) -> str:
        return self.name


class Table(NamedTuple):
    """What a match is played with."""

    options: Mapping[str, str]
    seats: int


@dataclass(frozen=True)
class Suite:
    """The conformance suite for the game at `path`, `engines.coerceo:GAME`. In the game's tests:

        @pytest.mark.parametrize("case", Suite("engines.coerceo:GAME").cases(), ids=str)
        def test_conforms(case: Case) -> None:
            case()

    `options`: sets to play with; None: the defaults, and each other value of each option once. `seats`: numbers of
    seats; None: all that the game allows. `matches` are divided among them. `positions`: how many states of a match
    get the costly checks. `picker` picks moves where random ones make matches too long.
    """

    path: str
    options: Sequence[Mapping[str, str]] | None = None
    seats: Sequence[int] | None = None
    matches: int | None = None
    positions: int = 2
    picker: Picker = random_move

    @cached_property
    def game(self) -> AnyGame:
        """The game."""
        return load_game(self.path)

    @cached_property
    def tables(self) -> list[Table]:
        """All combinations of option sets and numbers of seats."""
        info = self.game.info
        sets = option_sets(info) if self.options is None else [full_options(info, named) for named in self.options]
        seats = range(info.min_seats, info.max_seats + 1) if self.seats is None else self.seats
        return [Table(options, number) for options in sets for number in seats]

    def cases(self) -> list[Case]:
        """All tests, each to be run on its own."""
        return list(self._cases())

    def _cases(self) -> Iterator[Case]:
        yield Case("catalogues", partial(check_catalogues, self.game.info))
        yield Case("two processes", self._check_processes)
        yield Case("playthroughs", partial(playthrough.check_all, self.game, self.path))
        total = self.matches or match_count()
        for first in range(0, total, _BLOCK):
            last = min(first + _BLOCK, total)
            yield Case(f"matches {first} to {last - 1}", partial(self._check_matches, first, last))
        if self.game.info.has_secrets:
            yield Case("hidden things vary", self._check_secrets)
            yield Case("an imagination that never varies is caught", self._check_frozen_imagination)
            for planted in planted_leaks(self.game):
                yield Case(f"a leak by {planted.where} is caught", partial(self.check_caught, planted))

    def _check_matches(self, first: int, last: int) -> None:
        for seed in range(first, last):
            self.inspect(self.game, seed)

    def inspect(self, game: AnyGame, seed: int, *, leaks_only: bool = False) -> int:
        """Plays and checks match number `seed`; returns its steps. One match of five loses seats on the way."""
        table = self.tables[seed % len(self.tables)]
        # Drawn, not counted off: the tables go by in turn too, and it would be the same of them over and over.
        departs = random.Random(f"departures {seed}").random() < 0.2
        return inspect_match(
            game,
            table.options,
            table.seats,
            seed,
            self.picker,
            positions=self.positions,
            departures=0.03 if departs else 0.0,
            leaks_only=leaks_only,
        )

    def _check_processes(self) -> None:
        for seed in {0, len(self.tables) - 1}:
            check_processes(self.path, *self.tables[seed], seed)

    def _check_secrets(self) -> None:
        for table in {0, len(self.tables) - 1}:
            check_hidden_things_vary(self.game, *self.tables[table], self.picker)

    def _check_frozen_imagination(self) -> None:
        try:
            check_hidden_things_vary(without_chance(self.game), *self.tables[0], self.picker)
        except NotConforming:
            return
        raise NotConforming("planted leaks", "an imagination that never varies was not caught")

    def check_caught(self, planted: Planted) -> None:
        """The proofs find the planted leak within a few matches."""
        for seed in range(_MOST_PLANTED):
            try:
                self.inspect(planted.game, seed, leaks_only=True)
            except NotConforming as error:
                if error.check == "no leak":
                    return
                raise
        raise NotConforming("planted leaks", f"a leak by {planted.where} was not caught in {_MOST_PLANTED} matches")
