"""`hamle games`: what can be played."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from hamle.match.v1 import match_pb2

from cli.connection import run, signed_in
from cli.errors import Stop
from cli.options import Json, Server
from cli.output import emit, tabulate
from core.materials.naming import name_of


def games(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Only this one, and what its options do.")] = "",
    server: Server = None,
    json: Json = False,
) -> None:
    """List the games that can be played now, with their options."""
    found = run(_ask(server))
    if game:
        found = [_one(found, game)]
    if json:
        emit({"games": [_data(info) for info in found]})
    elif game:
        tabulate(["option", "values (first: default)", "what it does"], [_option(each) for each in found[0].options])
    else:
        tabulate(["game", "title", "rules", "seats", "options (first value: default)"], [_row(info) for info in found])


def _one(found: list[match_pb2.GameInfo], game: str) -> match_pb2.GameInfo:
    for info in found:
        if info.game == game:
            return info
    raise Stop(f"No engine runs the game {game!r}; there are {', '.join(info.game for info in found)}.")


async def _ask(server: str | None) -> list[match_pb2.GameInfo]:
    async with signed_in(server) as (client, _):
        return await client.games()


def _row(info: match_pb2.GameInfo) -> list[str]:
    seats = str(info.min_seats) if info.min_seats == info.max_seats else f"{info.min_seats}-{info.max_seats}"
    options = [f"{option.name}={'|'.join(_shown(option))}" for option in info.options]
    return [info.game, info.title, " ".join(info.rules), seats, "\n".join(options)]


def _option(option: match_pb2.OptionInfo) -> list[str]:
    return [option.name, "\n".join(_shown(option)), option.description]


def _values(option: match_pb2.OptionInfo) -> list[str]:
    return [option.default_value, *(value for value in option.values if value != option.default_value)]


def _shown(option: match_pb2.OptionInfo) -> list[str]:
    """The values as one can type them: of a file its name, where only one is called so."""
    values = _values(option)
    names = [name_of(value) for value in values]
    return [name if name and names.count(name) == 1 else value for name, value in zip(names, values, strict=True)]


def _data(info: match_pb2.GameInfo) -> dict[str, Any]:
    return {
        "game": info.game,
        "title": info.title,
        "rules": list(info.rules),
        "min_seats": info.min_seats,
        "max_seats": info.max_seats,
        "has_secrets": info.has_secrets,
        "options": [
            {
                "name": option.name,
                "description": option.description,
                "values": list(option.values),
                "default": option.default_value,
            }
            for option in info.options
        ],
    }
