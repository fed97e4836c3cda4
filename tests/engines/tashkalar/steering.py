"""Random play that is steered to where cards resolve: it summons the rarest card it can, and builds for another."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from core.fairness.draw import SeededDraw
from engines.kit.conformance import random_move
from engines.kit.game import Choice
from engines.kit.state import AnyGame
from engines.tashkalar.board import ALL, NAMED, SQUARES, mask_of
from engines.tashkalar.cards import BEINGS, TASK, TASKS, Task
from engines.tashkalar.images import images, places
from engines.tashkalar.listing import texts
from engines.tashkalar.pieces import of_colour
from engines.tashkalar.state import State
from tests.engines.tashkalar.task_aims import aim

WILD = 0.1
"""How often a move is random altogether."""
DISCARDING = 0.03
HARMLESS = 0.8
"""How often the others leave alone what colour 0 builds for a task."""
BUILDING = 0.8
"""How often colour 0 puts a piece where a task of patterns wants one, even if it could summon."""
HARD = frozenset(
    {"diagonals", "envelopment", "green-legends", "heroic-devastation", "legendary-summoning", "red-legends"}
)
OF_LEGENDS = frozenset({"green-legends", "legendary-summoning", "red-legends"})
EASIER = 4
"""A task that is not hard is wanted as a hard one that was claimed so often."""
TRIED = 15
"""Summons of which the one that destroys most is taken."""
FIERCE = 4
"""A summon that destroys less waits, as a rule, until there is more to destroy."""


class Steering:
    """Picks moves, and counts by key what has resolved: beings, flares, tasks, `T:` and `W:` before frozen and warp.

    With `for_tasks` colour 0 puts pieces where the rarest of the open tasks wants them, and the others elsewhere.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.for_tasks = False

    def pick(self, game: AnyGame, state: State, seat: int, rng: random.Random) -> str:
        """A legal move of the seat."""
        if rng.random() < WILD:
            return random_move(game, state, seat, rng)
        choice = self._begun(game, state, seat, rng)
        while not choice.complete:
            choice = self._answer(state, seat, game.choices(state, seat, choice.text), rng)
        return choice.text

    def _begun(self, game: AnyGame, state: State, seat: int, rng: random.Random) -> Choice:
        firsts = list(game.choices(state, seat, ""))
        by_kind: dict[str, list[Choice]] = {}
        for choice in firsts:
            by_kind.setdefault(choice.text[:2], []).append(choice)
        for kind in ("F:", "T:", "W:"):
            if kind in by_kind and rng.random() < 0.7:
                return min(by_kind[kind], key=lambda choice: self.counts[choice.text.removeprefix("F:")])
        if "D:" in by_kind and rng.random() < DISCARDING:
            return rng.choice(game.choices(state, seat, "D:"))
        if self.for_tasks and state.tasks and (found := self._towards_task(game, state, seat, by_kind, rng)):
            return found
        if "S:" in by_kind:
            rarest = min(by_kind["S:"], key=lambda choice: self._rarity(choice.text[2:-1]))
            return self._landing(state, seat, rarest.text[2:-1], game.choices(state, seat, rarest.text), rng)
        if "P:" in by_kind:
            return self._placing(state, seat, game.choices(state, seat, "P:"), rng)
        if by_kind.keys() == {"D:"}:
            return rng.choice(game.choices(state, seat, "D:"))
        return rng.choice([choice for choice in firsts if choice.text != "pass" or rng.random() < 0.1] or firsts)

    def _towards_task(
        self, game: AnyGame, state: State, seat: int, by_kind: Mapping[str, Sequence[Choice]], rng: random.Random
    ) -> Choice | None:
        """Colour 0 summons or puts a piece for the task, the others leave that alone; None: as without a task."""
        target = self._target(state)
        summons, places = by_kind.get("S:", ()), "P:" in by_kind
        if state.colour(seat):
            building = places and target.type != "destruction" and rng.random() < HARMLESS
        elif places and target.type in ("pattern", "enemy") and rng.random() < BUILDING:
            building = True
        elif not summons or target.key in OF_LEGENDS:
            return None
        else:
            if target.type == "destruction":
                destroyed, best = self._fiercest(game, state, seat, summons, rng)
                worth = destroyed >= FIERCE
            else:
                best = self._on_task(state, seat, [game.choices(state, seat, choice.text) for choice in summons], rng)
                worth = bool(self._aim(state, seat) >> NAMED[best.text.partition("@")[2][:2]] & 1)
            if worth or not places or rng.random() > BUILDING:
                return best
            building = True
        return self._placing(state, seat, game.choices(state, seat, "P:"), rng) if building else None

    def _rarity(self, key: str) -> float:
        return self.counts[key] / (1 + RANK[key])

    def _landing(self, state: State, seat: int, key: str, ways: Sequence[Choice], rng: random.Random) -> Choice:
        """Legends land where a task wants them, heroes where the pattern of a legend does."""
        aims = self._aim(state, seat) if self._for_legends(state, seat) and RANK[key] else 0
        wanted = self._wanted(state, seat, upgraded=RANK[key] > 0, but=key, landing=aims)
        if aims and (RANK[key] == 2 or not wanted):
            wanted = aims
        best = [at for at, text in enumerate(texts(ways)) if wanted >> NAMED[text.partition("@")[2][:2]] & 1]
        return ways[rng.choice(best or range(len(ways)))]

    def _placing(self, state: State, seat: int, places: Sequence[Choice], rng: random.Random) -> Choice:
        if self.for_tasks and not self._for_legends(state, seat):
            wanted = self._aim(state, 0)
            if wanted and state.colour(seat) == 0 and rng.random() < 0.6:
                wanted = self._landing_there(state, seat, wanted) or wanted
            wanted = ~wanted if wanted and state.colour(seat) else wanted
        else:
            aims = self._aim(state, seat) if self._for_legends(state, seat) else 0
            wanted = self._wanted(state, seat, upgraded=False, landing=aims)
        best = [choice for choice in places if wanted >> NAMED[choice.text[-2:]] & 1]
        return rng.choice(best or places)

    def _fiercest(
        self, game: AnyGame, state: State, seat: int, begun: Sequence[Choice], rng: random.Random
    ) -> tuple[int, Choice]:
        """Of some summons with all their answers the one that destroys most, and how much: upgraded pieces count more.

        What was destroyed before in this turn counts too.
        """
        tried = []
        for number in range(TRIED):
            choice = rng.choice(begun)
            while not choice.complete:
                choice = self._answer(state, seat, game.choices(state, seat, choice.text), rng)
            after, _ = game.apply(state, seat, choice.text, SeededDraw(bytes(16), 0))
            destroyed = sum((1 + piece % 3) * count for piece, count in enumerate(after.turn.destroyed))
            tried.append((destroyed, number, choice))
        destroyed, _, fiercest = max(tried)
        return destroyed, fiercest

    def _on_task(self, state: State, seat: int, summons: Sequence[Sequence[Choice]], rng: random.Random) -> Choice:
        """Upgraded pieces where the task wants pieces, then any there, then what lands on enemies."""
        wanted, enemy = self._aim(state, seat), enemies(state, state.colour(seat))

        def worth(text: str) -> int:
            key, _, where = text[2:].partition("@")
            square = NAMED[where[:2]]
            lands = 2 * (wanted >> square & 1) + (enemy >> square & 1)
            return lands * (1 + RANK[key])

        ways = [(found, at, text) for found in summons for at, text in enumerate(texts(found))]
        found, at, _ = max(ways, key=lambda way: (worth(way[2]), rng.random()))
        return found[at]

    def _for_legends(self, state: State, seat: int) -> bool:
        """Colour 0 wants legends, to which the way is the same with a task and without."""
        if not self.for_tasks or not state.tasks or state.colour(seat):
            return False
        return self._target(state).key in OF_LEGENDS

    def _target(self, state: State) -> Task:
        """The open task that is wanted most."""
        return self._by_want(state)[0]

    def _by_want(self, state: State) -> list[Task]:
        open_tasks = [TASKS[task] for task in state.tasks]
        return sorted(open_tasks, key=lambda task: self.counts[task.key] + (0 if task.key in HARD else EASIER))

    def _aim(self, state: State, seat: int) -> int:
        """Squares that the open task wants that is wanted most; of those that want none, none."""
        colour = state.colour(seat)
        for task in self._by_want(state):
            found = aim(task.number, state, colour)
            if found:
                return found
        return 0

    def _wanted(self, state: State, seat: int, *, upgraded: bool, but: str = "", landing: int = 0) -> int:
        """The squares that a pattern of the hand's rarest cards lacks, of those where least is lacking.

        With `landing` it is the pattern of a legend that would land on one of these squares.
        """
        player = state.players[seat]
        hand = [BEINGS[card].key for card in (*player.beings, *player.legends)]
        hand = sorted((key for key in hand if key != but), key=self._rarity)
        if upgraded or landing:
            hand = [key for key in hand if RANK[key] == 2]
        found = 0
        for key in hand[:2]:
            found = nearest(state, state.colour(seat), key, upgraded=upgraded, landing=landing or ALL)
            if found:
                break
        return found

    def _landing_there(self, state: State, seat: int, wanted: int) -> int:
        """What the pattern of an upgraded being lacks that would land where the task wants a piece."""
        player = state.players[seat]
        at = 3 * state.colour(seat)
        wanted &= ~(state.board[at + 1] | state.board[at + 2])
        for card in (*player.legends, *player.beings):
            if BEINGS[card].rank and not BEINGS[card].anywhere:
                found = nearest(state, state.colour(seat), BEINGS[card].key, upgraded=False, landing=wanted)
                if found:
                    return found
        return 0

    def _answer(self, state: State, seat: int, found: Sequence[Choice], rng: random.Random) -> Choice:
        """The rarest task that can be claimed; else what hits enemies by preference, and declining seldom."""
        lasts = [text.rpartition(";")[2] for text in texts(found)]
        tasks = [at for at, last in enumerate(lasts) if last in TASK]
        if tasks:
            return found[min(tasks, key=lambda at: self.counts[lasts[at]])]
        if rng.random() < (0.9 if self.for_tasks else 0.6):
            colour = state.colour(seat)
            for hit in (enemies(state, colour, upgraded=True), enemies(state, colour)):
                hits = [at for at, last in enumerate(lasts) if last[-2:] in NAMED and hit >> NAMED[last[-2:]] & 1]
                if hits:
                    return found[rng.choice(hits)]
        other = [at for at, last in enumerate(lasts) if last not in ("-", "pass")]
        return found[rng.choice(other if other and rng.random() < 0.85 else range(len(lasts)))]

    def count(self, move: str, before: State, after: State) -> None:
        """What has resolved by the move."""
        head = move.partition(";")[0]
        if head[:2] in ("S:", "F:"):
            self.counts[head[2:].partition("@")[0]] += 1
        elif head[:2] in ("T:", "W:"):
            self.counts[head] += 1
        for old, new in zip(before.claimed, after.claimed, strict=True):
            self.counts.update(TASKS[task].key for task in new[len(old) :])


RANK = {being.key: int(being.rank) for being in BEINGS}


def enemies(state: State, colour: int, *, upgraded: bool = False) -> int:
    """The enemy pieces, or the upgraded ones of them."""
    found = 0
    for piece, mask in enumerate(state.board):
        found |= mask if piece // 3 != colour and (piece % 3 or not upgraded) else 0
    return found


def nearest(state: State, colour: int, key: str, *, upgraded: bool, landing: int = ALL) -> int:
    """The empty squares, or those for an upgraded piece, that the being's nearest pattern lacks; 0: there is none.

    The being would land on one of the squares of `landing`.
    """
    at = 3 * colour
    own, raised = of_colour(state.board, colour), state.board[at + 1] | state.board[at + 2]
    enemy = enemies(state, colour)
    least, found = SQUARES, 0
    for pieces, heroic, lands in lying(key):
        if pieces & enemy or not lands & landing:
            continue
        lacking = heroic & ~raised if upgraded else pieces & ~own & ~heroic
        count = (pieces & ~own).bit_count() + 2 * (heroic & ~raised).bit_count()
        if lacking and count < least:
            least, found = count, lacking
    return found


@cache
def lying(key: str) -> tuple[tuple[int, int, int], ...]:
    """All places of a being's pattern: the squares, those of them for upgraded pieces, and where it lands."""
    found: dict[tuple[int, int, int], None] = {}
    (being,) = (being for being in BEINGS if being.key == key)
    for image in images(being.number):
        for square in range(SQUARES):
            squares = places(image, square)
            if squares is not None:
                pairs = list(zip(image.cells, squares, strict=True))
                found[mask_of(squares), mask_of(at for cell, at in pairs if cell.rank), 1 << square] = None
    return tuple(found)
