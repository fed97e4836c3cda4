"""What the game is called, its options, and its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engines.kit.catalogues import read_catalogues
from engines.kit.game import GameInfo, OptionSpec
from engines.tashkalar.cards import SCHOOLS
from engines.tashkalar.setup import counters
from engines.tashkalar.state import Form, Rules
from engines.tashkalar.words import card_texts

MOST_SEATS: Final = 4
_FOLDER: Final = Path(__file__).parent / "locale"
_DEFAULT_DECKS: Final = ("imperial", "highland", "sylvan", "imperial")
_FORMS: Final = {
    "high": (Form.HIGH, Form.MELEE, Form.TEAM_HIGH),
    "duel": (Form.DUEL, Form.MELEE, Form.TEAM_DUEL),
    "melee": (Form.DUEL, Form.MELEE, Form.MELEE),
    "first": (Form.FIRST, Form.MELEE, Form.TEAM_HIGH),
}
"""By value of the option: the forms that two, three and four seats play."""


def _catalogues() -> dict[str, Mapping[str, str]]:
    return {
        language: {**{key: text for key, text in card_texts(language).items() if key.startswith("label.")}, **catalogue}
        for language, catalogue in read_catalogues(_FOLDER).items()
    }


def _deck(seat: int) -> OptionSpec:
    default = _DEFAULT_DECKS[seat]
    others = tuple(school for school in SCHOOLS if school != default)
    return OptionSpec(
        f"deck_{seat}", f"The school of seat {seat}; several seats may have the same.", (default, *others)
    )


INFO: Final = GameInfo(
    game="tashkalar",
    title="Tash-Kalar",
    rules="tashkalar/1",
    min_seats=2,
    max_seats=MOST_SEATS,
    options=(
        OptionSpec(
            "form",
            "What is played: two seats play the High Form, a deathmatch duel (also for melee) or the first game, with "
            "two Empires. Four play high and duel as two teams, seats 0 and 2 against 1 and 3, and a melee each alone. "
            "Three always play a melee.",
            tuple(_FORMS),
        ),
        *(_deck(seat) for seat in range(MOST_SEATS)),
        OptionSpec("first", "Who has the first turn: by lot, or seat 0.", ("random", "seat_0")),
    ),
    has_secrets=True,
    may_resign=True,
    undo_after_showing=True,
    catalogues=_catalogues(),
)


def rules_of(options: Mapping[str, str], seats: int) -> Rules:
    """The options as the rules read them. Raises KeyError when one is missing."""
    form = _FORMS[options["form"]][seats - 2]
    decks = tuple("imperial" if form is Form.FIRST else options[f"deck_{seat}"] for seat in range(seats))
    return Rules(form, decks, counters(form, seats))


def starter_of(options: Mapping[str, str]) -> int | None:
    """The seat that starts; None: by lot."""
    return 0 if options["first"] == "seat_0" else None
