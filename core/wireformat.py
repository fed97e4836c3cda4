"""Protobuf's wire format by hand, for messages whose parts are bytes already: they are joined, not copied anew.

Field numbers come from the descriptors. The encoded fields of a message, and the elements of a repeated field, follow
one another without more.
"""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor import Descriptor

VARINT: Final = 0
"""Wire type of numbers and enums."""
DELIMITED: Final = 2
"""Wire type of bytes, texts, messages and packed numbers."""


def _encode(n: int) -> bytes:
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


_KEPT: Final = 2048
_SMALL: Final = tuple(map(_encode, range(_KEPT)))


def varint(n: int) -> bytes:
    """A number of 0 or more as a base-128 varint."""
    if n < _KEPT:
        return _SMALL[n]
    if n < 1 << 14:
        return bytes((n & 127 | 128, n >> 7))
    if n < 1 << 21:
        return bytes((n & 127 | 128, n >> 7 & 127 | 128, n >> 14))
    return _encode(n)


def delimited(data: bytes) -> bytes:
    """The data after its length."""
    return varint(len(data)) + data


def tag(message: Descriptor, field: str, wire_type: int = DELIMITED) -> bytes:
    """What stands before a field's value: of bytes, text, a message or packed numbers, unless told otherwise."""
    return varint(message.fields_by_name[field].number << 3 | wire_type)
