"""What the tests of Coerceo share: goldens, unused chance, positions written as the rules page writes them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engines.coerceo.board import TILE_NAMES
from engines.coerceo.choices import legal_moves
from engines.coerceo.game import GAME
from engines.coerceo.meta import DEFAULTS
from engines.coerceo.notation import play_record
from engines.coerceo.setup import position
from engines.coerceo.state import State
from engines.kit.no_chance import NO_CHANCE

GOLDEN = Path(__file__).parents[2] / "golden" / "coerceo"


def start(**options: str) -> State:
    return GAME.setup({**DEFAULTS, **options}, 2, NO_CHANCE)


def rows(name: str) -> list[list[str]]:
    """The rows of a golden table, without comments."""
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines if line and line[0] != "#"]


def record(name: str, **options: str) -> list[State]:
    """The states of a golden game, the first position included."""
    return play_record(start(start=name, **options), (GOLDEN / f"{name}.game").read_text(encoding="utf-8"))


def written(tiles: str, white: str, black: str, turn: str, stock: str, options: int = 0) -> State:
    """A position in the columns of the rules page; tiles are `all`, `only ...`, `all but ...`."""
    if tiles.startswith("only "):
        present = tuple(tiles.split()[1:])
    else:
        missing = tiles.split()[2:] if tiles.startswith("all but ") else []
        present = tuple(tile for tile in TILE_NAMES if tile not in missing)
    held = stock.split(",")
    return position(
        present,
        white.split(),
        black.split(),
        turn="WB".index(turn),
        stock=(int(held[0]), int(held[1])),
        options=options,
    )


def random_game(seed: int, plies: int, **options: str) -> list[tuple[State, str]]:
    """The positions of a random game, each with the move made in it; exchanges are preferred now and then."""
    random = Random(seed)
    state = start(**options)
    steps: list[tuple[State, str]] = []
    while not state.ending and len(steps) < plies:
        legal = legal_moves(state)
        exchanges = [move for move in legal if move[0] == "x"]
        move = random.choice(exchanges if exchanges and random.random() < 0.2 else legal)
        steps.append((state, move))
        state, _ = GAME.apply(state, state.turn, move, NO_CHANCE)
    return steps
