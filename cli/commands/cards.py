"""`hamle cards GAME [NAME]`: what a card looks like and does."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from cli.errors import Stop
from cli.options import Game, Json, Language
from cli.output import emit


def cards(
    game: Game,
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]", help="A card's name or part of it, or a deck's or group's; without it, all cards."
        ),
    ] = None,
    language: Language = "en",
    json: Json = False,
) -> None:
    """Show a card with its diagram and what it does, or a table of those that fit NAME."""
    if not _has_browser(game):
        raise Stop(f"There is no card browser for {game!r}; there are some for itchyfeet and tashkalar.")
    browser: Any = import_module(f"engines.{game}.browser")
    wanted = " ".join(name or ())
    found = browser.faces(wanted, language)
    if not found:
        raise Stop(f"No card is called {wanted!r}; perhaps {', '.join(browser.alike(wanted))}.")
    if json:
        emit({"game": game, "cards": [face._asdict() for face in found]})
        return
    from cli.card_face import show_card, show_cards  # here, for rich takes longer to import than the command to run

    if len(found) == 1:
        show_card(found[0])
    else:
        show_cards(browser.headings(language), found)


def _has_browser(game: str) -> bool:
    packages = (f"engines.{game}", f"engines.{game}.browser")
    return game.isidentifier() and all(find_spec(package) for package in packages)
