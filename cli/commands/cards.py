"""`hamle cards GAME [NAME]`: what a card looks like and does."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated, Any

import typer

from cli.errors import Stop
from cli.options import Game, Json, Language
from cli.output import emit
from engines import registry


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
    browsed = [name for name in registry.names() if find_spec(f"engines.{name}.browser")]
    if game not in browsed:
        raise Stop(f"There is no card browser for {game!r}; there are some for {' and '.join(browsed)}.")
    browser: Any = registry.load_part(game, "browser")
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
