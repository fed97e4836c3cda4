"""The suite that any game passes; `Suite` says how a game's tests use it."""

from __future__ import annotations

from engines.kit.conformance.match import Picker, Step, option_sets, play_match, play_on, random_move
from engines.kit.conformance.planted import Planted, planted_leaks
from engines.kit.conformance.report import NotConforming
from engines.kit.conformance.suite import Case, Suite, match_count

__all__ = [
    "Case",
    "NotConforming",
    "Picker",
    "Planted",
    "Step",
    "Suite",
    "match_count",
    "option_sets",
    "planted_leaks",
    "play_match",
    "play_on",
    "random_move",
]
