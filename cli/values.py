"""Values of options as people type them: a file's name will do, where only one is called so."""

from __future__ import annotations

from collections.abc import Mapping

from hamle.match.v1.match_pb2 import GameInfo

from cli.errors import Stop
from core.materials.naming import name_of


def in_full(info: GameInfo, options: Mapping[str, str]) -> dict[str, str]:
    """The options, `deck=mine` as `deck=mine-<SHA-256>`; what is not known is left to the server to refuse. Stop."""
    full = dict(options)
    for option in info.options:
        if not option.material or option.name not in full:
            continue
        value = full[option.name]
        found = [known for known in option.values if value == name_of(known)]
        if len(found) > 1:
            raise Stop(f"Several values of {option.name} are called {value}: {', '.join(found)}. Name one in full.")
        full[option.name] = found[0] if found else value
    return full
