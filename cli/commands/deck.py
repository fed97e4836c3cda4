"""`hamle deck`: decks of one's own, checked, and given to the engines of a fleet."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from cli import operator
from cli.connection import run
from cli.errors import Stop
from cli.files import Judged, Place, place_for
from cli.options import Json
from cli.output import emit, say, tabulate
from core.materials.naming import Material, digest_of, name_of
from core.materials.stored import MOST_LISTED, Listed, add, listed, withdraw

FAILED = 1

File = Annotated[Path, typer.Argument(metavar="FILE", help="The deck, in the format of the game's README.")]
OfGame = Annotated[
    str, typer.Option("--game", metavar="GAME", help="Which game's; not needed while one game takes decks.")
]

deck = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Check a deck of your own, and give it to the engines."
)


@deck.command("check")
def check_file(file: File, game: OfGame = "", json: Json = False) -> None:
    """Check a deck file. Exit code 1: every error with its place in the file."""
    place = place_for(game)
    judged = place.judge(file)
    _tell(file, place, judged, json)


@deck.command("add")
def add_file(file: File, game: OfGame = "", json: Json = False) -> None:
    """Let new matches be played with a deck. For operators: needs the store's settings."""
    place = place_for(game)
    judged = place.judge(file)
    if judged.material is None:
        _tell(file, place, judged, json)
        return
    material = judged.material
    added = run(_add(place, material))
    if json:
        emit({**_data(place, material), "added": added})
        return
    known = "can now be played with" if added else "could be played with before"
    say(f"{place.info.game} {known} {name_of(material.value)}; engines that run offer it within a few seconds:")
    say(f"  hamle play {place.info.game} -o {material.option}={name_of(material.value)}")


@deck.command("list")
def list_added(game: OfGame = "", json: Json = False) -> None:
    """List the decks that were added. For operators: needs the store's settings."""
    place = place_for(game)
    entries = run(_listed(place))
    if json:
        decks = [{"option": each.option, "value": each.value, "added_ms": each.added_ms} for each in entries]
        emit({"game": place.info.game, "decks": decks})
    else:
        tabulate([place.option.name, "SHA-256", "added"], [_row(each) for each in entries])


@deck.command("remove")
def remove_added(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The deck's name, or NAME-SHA256 as listed.")],
    game: OfGame = "",
    json: Json = False,
) -> None:
    """Let no new match be played with a deck; those that are go on. For operators: needs the store's settings."""
    place = place_for(game)
    value = run(_remove(place, name))
    if json:
        emit({"game": place.info.game, "option": place.option.name, "value": value})
    else:
        say(f"no new match can be played with {value}; those that are played with it go on, and can be exported")


def _tell(file: Path, place: Place, judged: Judged, json: bool) -> None:
    """What was found. Exit code 1 when something is wrong."""
    material = judged.material
    if json:
        problems = [{"place": problem.place, "what": problem.what} for problem in judged.problems]
        found = {"game": place.info.game} if material is None else _data(place, material)
        emit({"file": str(file), "ok": material is not None, **found, "problems": problems})
    elif material is not None:
        say(f"{file}: {place.info.title} can be played with {material.value}")
    else:
        for problem in judged.problems:
            say(f"{file}: {problem}")
        count = len(judged.problems)
        say(f"{count} error{'s' if count > 1 else ''}; `engines/{place.info.game}/README.md` describes the format")
    if material is None:
        raise typer.Exit(FAILED)


def _data(place: Place, material: Material) -> dict[str, Any]:
    return {"game": place.info.game, "option": material.option, "value": material.value}


def _row(entry: Listed) -> list[str]:
    added = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(entry.added_ms / 1000))
    return [name_of(entry.value), digest_of(entry.value), added]


async def _add(place: Place, material: Material) -> bool:
    if material.value in place.option.values:
        raise Stop(f"{material.value} comes with {place.info.title}: it can be played with already.")
    async with operator.store() as (store, _):
        entries = await listed(store, place.info.game)
        if len(entries) >= MOST_LISTED and material.value not in [entry.value for entry in entries]:
            raise Stop(
                f"There are {MOST_LISTED} decks, which is the most; take one away with `hamle deck remove NAME`."
            )
        return await add(store, place.info.game, material, time.time_ns() // 1_000_000)


async def _listed(place: Place) -> list[Listed]:
    async with operator.store() as (store, _):
        return [entry for entry in await listed(store, place.info.game) if entry.option == place.option.name]


async def _remove(place: Place, name: str) -> str:
    found = [entry for entry in await _listed(place) if name in (entry.value, name_of(entry.value))]
    if not found:
        raise Stop(f"No deck {name} was added; `hamle deck list` lists those that were.")
    if len(found) > 1:
        listing = ", ".join(entry.value for entry in found)
        raise Stop(f"Several decks are called {name}: {listing}. Name one as it stands here.")
    async with operator.store() as (store, _):
        await withdraw(store, place.info.game, found[0].option, found[0].value)
    return found[0].value
