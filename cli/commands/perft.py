"""`hamle perft GAME DEPTH`: how many sequences of moves there are, the number that proves a rules engine."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from cli.errors import Stop
from cli.options import Game, Json, Options, options_of
from cli.output import emit, progress, say
from engines.kit.game import GameInfo
from engines.kit.no_chance import NO_CHANCE
from engines.kit.options import OptionWrong, full_options
from engines.registry import load_game, load_part


def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(min=0, metavar="DEPTH", help="How many moves deep.")],
    option: Options = None,
    json: Json = False,
) -> None:
    """Count the sequences of DEPTH legal moves from the start. Prints the number alone."""
    rules = load_game(game)
    if find_spec(f"engines.{game}.perft") is None:
        raise Stop(f"{rules.info.title} has no perft: its moves do not count as sequences from one start.")
    options = _in_full(rules.info, options_of(option))
    state = rules.setup(options, rules.info.min_seats, NO_CHANCE)
    with progress(f"counting {depth} moves deep"):
        count = load_part(game, "perft").perft(state, depth)
    if json:
        emit({"game": game, "depth": depth, "options": options, "perft": count})
    else:
        say(str(count))


def _in_full(info: GameInfo, given: dict[str, str]) -> dict[str, str]:
    try:
        return full_options(info, given)
    except OptionWrong as error:
        raise Stop(str(error)) from None
