"""What Hypothesis sends: messages with any values in their fields, and bytes that may be no message at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

STRINGS: Final = (
    *("", "r", "x" * 64, "x" * 65, "x" * 1024, "x" * 1025, "🦊" * 300, "x" * 70_000, "\0", "‮", "ı", "{}", "%s", "-1"),
    *("coerceo", "battleline", "chess", "start", "ocius", "komi", "play", "watch", "pass", "d1e-d1c", "99" + "a" * 16),
)
BYTES: Final = (b"", bytes(16), b"h" * 17, b"e" * 32, b"e" * 33, b"\xff" * 70_000)
NUMBERS: Final = (0, 1, 2, 3, 4, 5, 20, 100, 101, 501, 1_000, 20_001, 1 << 30)
_SCALARS: Final = {
    FieldDescriptor.TYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.TYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.TYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.TYPE_UINT64: (0, (1 << 64) - 1),
    FieldDescriptor.TYPE_SINT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.TYPE_ENUM: (-(1 << 31), (1 << 31) - 1),
}
_MANY: Final = (65, 1_000)
_MOST: Final = 400_000


class Known(NamedTuple):
    """Values that mean something to the servers, so that calls get past the first check."""

    strings: Sequence[str]
    hashes: Sequence[bytes]


def messages(descriptor: Descriptor, known: Known) -> st.SearchStrategy[Message]:
    """Messages of the type, each field unset or of any value."""
    fields = {field.name: _field(field, known) for field in descriptor.fields}
    return st.fixed_dictionaries({}, optional=fields).map(lambda values: _filled(descriptor, values))


def wild(descriptor: Descriptor, known: Known) -> st.SearchStrategy[bytes]:
    """Bytes that nobody meant: random, or a message cut short, changed, or with more behind it."""
    whole = messages(descriptor, known).map(lambda message: bytes(message.SerializeToString()))
    cut = st.tuples(whole, st.floats(0, 1)).map(lambda drawn: drawn[0][: int(len(drawn[0]) * drawn[1])])
    more = st.tuples(whole, st.binary(max_size=20)).map(b"".join)
    changed = st.tuples(whole, st.floats(0, 0.999), st.binary(max_size=3)).map(lambda drawn: _changed(*drawn))
    nested = st.tuples(st.sampled_from((b"\x0b", b"\x0a\x7f", b"\x1a\x02")), st.sampled_from((3, 99, 101, 20_000)))
    return st.one_of(st.binary(max_size=60), cut, more, changed, nested.map(lambda drawn: drawn[0] * drawn[1]))


def _field(field: FieldDescriptor, known: Known) -> st.SearchStrategy[Any]:
    one = _one(field, known)
    if field.message_type and field.message_type.GetOptions().map_entry:
        key, value = (_one(entry, known) for entry in field.message_type.fields)
        return st.dictionaries(key, value, max_size=4)
    if not field.is_repeated:
        return one
    many = st.tuples(one, st.sampled_from(_MANY)).map(lambda drawn: _repeated(*drawn))
    return st.one_of(st.lists(one, max_size=4), st.lists(one, max_size=4), many)


def _one(field: FieldDescriptor, known: Known) -> st.SearchStrategy[Any]:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        assert field.message_type is not None
        return messages(field.message_type, known)
    if field.type == FieldDescriptor.TYPE_STRING:
        return st.one_of(st.sampled_from((*known.strings, *STRINGS)), st.text(max_size=40))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.one_of(st.sampled_from((*known.hashes, *BYTES)), st.binary(max_size=40))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return st.booleans()
    low, high = _SCALARS[field.type]
    return st.one_of(st.sampled_from((*NUMBERS, low, high)), st.integers(low, high))


def _filled(descriptor: Descriptor, values: dict[str, Any]) -> Any:
    message = GetMessageClass(descriptor)()
    for name, value in values.items():
        held = getattr(message, name)
        if isinstance(value, dict):
            held.update(value)
        elif isinstance(value, list):
            held.extend(value)
        elif isinstance(value, bool | int | str | bytes):
            setattr(message, name, value)
        else:
            held.CopyFrom(value)
    return message


def _repeated(value: Any, times: int) -> list[Any]:
    """A long list, but no message that the transport itself would cut off."""
    size = value.ByteSize() if isinstance(value, Message) else 4 * len(value) if isinstance(value, str | bytes) else 10
    return [value] * min(times, 1 + _MOST // (size + 1))


def _changed(data: bytes, place: float, put: bytes) -> bytes:
    at = int(len(data) * place)
    return data[:at] + put + data[at + len(put) :]
