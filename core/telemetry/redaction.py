"""What must not reach a log line is taken out of it here: tokens, seeds, hidden cards, passwords.

By key, whatever the value; by type, since the text of a message or of an object may tell anything; by form, wherever
something that looks like a credential stands in a text. It is the last net: whoever logs should log no secret at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

MASK: Final = "[redacted]"

_SECRET_KEYS: Final = re.compile(
    "token|authorization|secret|seed|entropy|passw|credential|cookie|sealed|private|invite|jwt|bearer", re.IGNORECASE
)
_GAME_KEYS: Final = frozenset(
    {"move", "moves", "hand", "hands", "card", "cards", "deck", "draw", "draws", "view", "views", "state", "facts"}
    | {"choice", "choices", "prefix", "event_bytes"}
)
_FORMS: Final = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s'\",;]+"), rf"\1 {MASK}"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"), MASK),
    (re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@]*@"), rf"\1{MASK}@"),
    (
        re.compile(
            r"(?i)\b((?:[\w-]*(?:token|secret|seed|entropy|password|credential)[\w-]*)['\"]?\s*[=:]\s*)[^\s,;)}]+"
        ),
        rf"\1{MASK}",
    ),
    (re.compile(r"(?i)(?<![0-9a-f])(?:[0-9a-f]{2}){24,}(?![0-9a-f])"), MASK),
    (re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*[0-9])[\w-]{40,}={0,2}"), MASK),
)
_DEPTH: Final = 6


def redact(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as they may be logged."""
    return {key: _value(key, value, _DEPTH) for key, value in values.items()}


def scrub(text: str) -> str:
    """The text without what has the form of a credential."""
    for form, instead in _FORMS:
        text = form.sub(instead, text)
    return text


def _value(key: str, value: Any, depth: int) -> Any:
    if _SECRET_KEYS.search(key):
        return MASK
    if value is None or isinstance(value, bool | int | float):
        return value
    if key.lower() in _GAME_KEYS or depth == 0:
        return MASK
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if isinstance(value, Mapping):
        return {scrub(str(name)): _value(str(name), held, depth - 1) for name, held in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [_value(key, item, depth - 1) for item in value]
    return f"<{type(value).__name__}>"
