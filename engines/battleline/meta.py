"""What the game is called, its options, and its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engines.battleline.state import First, Rules
from engines.kit.catalogues import read_catalogues
from engines.kit.game import GameInfo, OptionSpec

_FIRST: Final = {
    "random": First.RANDOM,
    "high_cut_starts": First.HIGH_CUT_STARTS,
    "high_cut_deals": First.HIGH_CUT_DEALS,
    "seat_0": First.SEAT_0,
    "seat_1": First.SEAT_1,
}


INFO: Final = GameInfo(
    game="battleline",
    title="Battle Line",
    rules="battleline/1",
    min_seats=2,
    max_seats=2,
    options=(
        OptionSpec("tactics", "Whether the ten tactics cards are in the game.", ("on", "off")),
        OptionSpec(
            "last_chance",
            "Whether flags are claimed only at the start of a turn, before a card is played.",
            ("off", "on"),
        ),
        OptionSpec(
            "open_fronts", "Whether the loser of a flag may go on placing troops on his side there.", ("off", "on")
        ),
        OptionSpec(
            "first",
            "Who starts the first game: by lot, the seat with the higher cut, the one with the lower cut because the "
            "higher deals, or a given seat.",
            tuple(_FIRST),
        ),
        OptionSpec(
            "trim",
            "How a side of four cards that Mud has left gives one up: its owner chooses, or automatically the card "
            "without which the formation is best.",
            ("choose", "automatic"),
        ),
        OptionSpec("series", "How many games the match has; their points are added up.", ("1", "2", "3", "5")),
    ),
    has_secrets=True,
    may_resign=True,
    catalogues=read_catalogues(Path(__file__).parent / "locale"),
)

DEFAULTS: Final = {option.name: option.values[0] for option in INFO.options}
"""The value of each option when it is not named."""


def rules_of(options: Mapping[str, str]) -> Rules:
    """The options as the rules read them. Raises KeyError when one is missing."""
    return Rules(
        tactics=options["tactics"] == "on",
        last_chance=options["last_chance"] == "on",
        open_fronts=options["open_fronts"] == "on",
        first=_FIRST[options["first"]],
        automatic_trim=options["trim"] == "automatic",
        series=int(options["series"]),
    )
