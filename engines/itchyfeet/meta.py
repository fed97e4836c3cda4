"""What the game is called, its options, and its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from engines.itchyfeet.cards import Deck
from engines.itchyfeet.state import MAX_SEATS, Rules
from engines.kit.catalogues import read_catalogues
from engines.kit.game import GameInfo, OptionSpec

CATALOGUES: Final = read_catalogues(Path(__file__).parent / "locale")

_EXTENSIONS: Final = (
    OptionSpec("events", "Whether the events are shuffled in.", ("off", "on")),
    OptionSpec("special_items", "Whether the special items are shuffled in.", ("off", "on")),
    OptionSpec("contraband", "Whether contraband is shuffled in.", ("off", "on")),
    OptionSpec("postcards", "Whether postcards are shuffled in; a hand with four of them wins.", ("off", "on")),
    OptionSpec("characters", "Whether each seat gets a character.", ("off", "on")),
)


def info_for(decks: Sequence[Deck]) -> GameInfo:
    """The game as it can be played with these decks, the first of which is the default."""
    return GameInfo(
        game="itchyfeet",
        title="Itchy Feet",
        rules="itchyfeet/1",
        min_seats=2,
        max_seats=MAX_SEATS,
        options=(
            *_EXTENSIONS,
            OptionSpec(
                "reaction_ms",
                "Milliseconds in which a seat answers whether it blocks a theft or a travel; 0: as long as it takes.",
                ("0", "15000", "60000"),
            ),
            OptionSpec(
                "deck",
                "The cards, by name and SHA-256 of the deck's file; the deck called house is not the printed one. "
                "`hamle deck add FILE` adds another.",
                tuple(deck.key for deck in decks),
                {deck.key: deck.data for deck in decks},
            ),
        ),
        has_secrets=True,
        may_resign=True,
        catalogues=CATALOGUES,
    )


def rules_of(options: Mapping[str, str]) -> Rules:
    """The options as the rules read them. Raises KeyError when one is missing."""
    return Rules(
        events=options["events"] == "on",
        special_items=options["special_items"] == "on",
        contraband=options["contraband"] == "on",
        postcards=options["postcards"] == "on",
        characters=options["characters"] == "on",
        reaction_ms=int(options["reaction_ms"]),
    )
