"""Materials: files that matches are played with, decks of cards say. Options name them by a name and their SHA-256."""

from __future__ import annotations

import hashlib
import re
from typing import Final, NamedTuple

from hamle.error.v1 import error_pb2

from core.errors import Refused

MOST_BYTES: Final = 256 << 10
"""The largest file: it travels in one message of an export."""

_VALUE: Final = re.compile(r"([a-z][a-z0-9_]{0,31})-([0-9a-f]{64})")


class Material(NamedTuple):
    """A file: the option that names it, the option's value, its bytes."""

    option: str
    value: str
    data: bytes

    def __repr__(self) -> str:
        return f"Material({self.option}={self.value}, {len(self.data)} bytes)"


def name_of(value: str) -> str:
    """The name in an option's value, `house` of `house-<64 hex digits>`; empty when it names no material."""
    found = _VALUE.fullmatch(value)
    return found[1] if found else ""


def digest_of(value: str) -> str:
    """The SHA-256 in an option's value, 64 hex digits; empty when it names no material."""
    found = _VALUE.fullmatch(value)
    return found[2] if found else ""


def require_digest(material: Material) -> None:
    """Raises `Refused`, MATERIAL_INVALID, unless the bytes are those that the value names."""
    expected, found = digest_of(material.value), hashlib.sha256(material.data).hexdigest()
    if expected != found:
        raise invalid(
            material,
            f"its bytes have the SHA-256 {found}, so the file was altered; take the one that the match was played with",
            expected,
            found,
        )


def invalid(material: Material, why: str, expected: str, found: str) -> Refused:
    """MATERIAL_INVALID."""
    return Refused(
        error_pb2.REASON_MATERIAL_INVALID,
        f"Nothing can be played with {material.option}={material.value}: {why}.",
        {"option": material.option, "value": material.value, "expected": expected, "found": found},
    )


def missing(option: str, value: str) -> Refused:
    """MATERIAL_MISSING."""
    return Refused(
        error_pb2.REASON_MATERIAL_MISSING,
        f"The bytes of {option}={value} are not here. Whoever has the file with that SHA-256 adds it again.",
        {"option": option, "value": value},
    )
