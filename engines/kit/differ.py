"""Where two match states differ, field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from google.protobuf.json_format import MessageToDict

from engines.kit.game import EVERYBODY
from engines.kit.state import AnyGame, sections

_ABSENT = "(absent)"


class Difference(NamedTuple):
    """A field that differs: its path, what was recorded, what was computed."""

    path: str
    recorded: str
    computed: str


def differences(game: AnyGame, recorded: bytes, computed: bytes) -> list[Difference]:
    """The fields in which two canonical states differ; `recorded` may be damaged."""
    try:
        left = sections(recorded)
    except ValueError as broken:
        return [Difference("state", f"{recorded.hex()} ({broken})", computed.hex())]
    right = sections(computed)
    found: list[Difference] = []
    for name in right:
        if left[name] != right[name]:
            found += _section(game, name, left[name], right[name])
    return found


def _section(game: AnyGame, name: str, recorded: bytes, computed: bytes) -> list[Difference]:
    try:
        left, right = _readable(game, name, recorded), _readable(game, name, computed)
    except Exception:
        # The bytes come from a file: whatever a loader makes of damaged ones, they are shown as they are.
        return [Difference(name, recorded.hex(), computed.hex())]
    flat_left, flat_right = dict(_flatten(name, left)), dict(_flatten(name, right))
    paths = sorted(flat_left.keys() | flat_right.keys())
    found = [
        Difference(path, flat_left.get(path, _ABSENT), flat_right.get(path, _ABSENT))
        for path in paths
        if flat_left.get(path, _ABSENT) != flat_right.get(path, _ABSENT)
    ]
    # The view may show less than the state holds.
    return found or [Difference(name, recorded.hex(), computed.hex())]


def _readable(game: AnyGame, name: str, data: bytes) -> Any:
    if not data:
        return {}
    if name == "life":
        return json.loads(data)
    if name == "game":
        return MessageToDict(game.view(game.load(data), EVERYBODY), preserving_proto_field_name=True)
    return data.hex()


def _flatten(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flatten(f"{path}.{key}", item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _flatten(f"{path}[{index}]", item)
    else:
        yield path, str(value)
