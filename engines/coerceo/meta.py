"""What the game is called, its options, and its sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engines.kit.catalogues import read_catalogues
from engines.kit.game import GameInfo, OptionSpec

INFO: Final = GameInfo(
    game="coerceo",
    title="Coerceo",
    rules="coerceo/1",
    min_seats=2,
    max_seats=2,
    options=(
        OptionSpec(
            "start",
            "The position to begin from: laurentius has 19 tiles and 18 pieces a side, ocius 7 tiles and 7 pieces.",
            ("laurentius", "ocius"),
        ),
        OptionSpec("exchange_cost", "How many tiles it costs to take a piece in exchange.", ("2", "1")),
        OptionSpec("cura", "Whether a threat to capture by a plain move is announced.", ("off", "on")),
        OptionSpec(
            "repetition_draw", "Whether the game is drawn when a position occurs for the third time.", ("on", "off")
        ),
        OptionSpec(
            "dead_position_draw", "Whether the game is drawn when neither side can ever capture.", ("on", "off")
        ),
    ),
    has_secrets=False,
    may_resign=True,
    seat_names=("White", "Black"),
    catalogues=read_catalogues(Path(__file__).parent / "locale"),
)

DEFAULTS: Final = {option.name: option.values[0] for option in INFO.options}
"""The value of each option when it is not named."""
