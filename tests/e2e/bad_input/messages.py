"""What Hypothesis sends: good requests with a few other fields, any messages, and bytes that may be no message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

STRINGS: Final = (
    *("", "r", "x" * 64, "x" * 65, "x" * 1024, "x" * 1025, "🦊" * 300, "x" * 70_000, "\0", "‮", "ı", "{}", "%s", "-1"),
    *("coerceo", "battleline", "chess", "start", "ocius", "komi", "play", "watch", "pass", "d1e-d1c", "99" + "a" * 16),
)
BYTES: Final = (b"", bytes(16), b"h" * 17, b"e" * 32, b"e" * 33, b"\xff" * 70_000)
NUMBERS: Final = (0, 1, 2, 3, 4, 5, 20, 100, 101, 501, 1_000, 20_001, 1 << 30)
_BOUNDS: Final = {
    FieldDescriptor.TYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.TYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.TYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.TYPE_UINT64: (0, (1 << 64) - 1),
    FieldDescriptor.TYPE_SINT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.TYPE_ENUM: (-(1 << 31), (1 << 31) - 1),
}
_MANY: Final = (65, 1_000)
_MOST: Final = 400_000
_NESTED: Final = st.tuples(st.sampled_from((b"\x0b", b"\x0a\x7f", b"\x1a\x02")), st.sampled_from((3, 99, 101, 20_000)))


class Known(NamedTuple):
    """Values that mean something to the servers."""

    strings: Sequence[str]
    hashes: Sequence[bytes]


def anything(template: Message, known: Known) -> st.SearchStrategy[bytes]:
    """Requests of the template's type, most of them near to it, and bytes that nobody meant."""
    close = near(template, known).map(_bytes)
    # Mapped, since else each of the wild kinds would be as likely as a good request.
    rubbish = wild(close).map(bytes)
    return st.one_of(close, close, close, messages(template.DESCRIPTOR, known).map(_bytes), rubbish)


def near(template: Message, known: Known) -> st.SearchStrategy[Message]:
    """The template with at most two of its fields unset or of any value."""
    names = [field.name for field in template.DESCRIPTOR.fields]
    if not names:
        return st.just(template)
    changed = st.sets(st.sampled_from(names), max_size=2)
    return changed.flatmap(
        lambda chosen: messages(template.DESCRIPTOR, known, chosen).map(lambda other: _crossed(template, other, chosen))
    )


def messages(descriptor: Any, known: Known, names: set[str] | None = None) -> st.SearchStrategy[Message]:
    """Messages of the type, each field (of those names) unset or of any value."""
    fields = {field.name: _field(field, known) for field in descriptor.fields if names is None or field.name in names}
    return st.fixed_dictionaries({}, optional=fields).map(lambda values: _filled(descriptor, values))


def wild(whole: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Random bytes; a message cut short, changed, with more behind it; groups in groups without an end."""
    cut = st.tuples(whole, st.floats(0, 1)).map(lambda drawn: drawn[0][: int(len(drawn[0]) * drawn[1])])
    more = st.tuples(whole, st.binary(max_size=20)).map(b"".join)
    changed = st.tuples(whole, st.floats(0, 0.999), st.binary(max_size=3)).map(lambda drawn: _changed(*drawn))
    return st.one_of(st.binary(max_size=60), cut, more, changed, _NESTED.map(lambda drawn: drawn[0] * drawn[1]))


def _bytes(message: Message) -> bytes:
    return message.SerializeToString()


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
        return messages(field.message_type, known)
    if field.type == FieldDescriptor.TYPE_STRING:
        return st.one_of(st.sampled_from(known.strings), st.sampled_from(STRINGS), st.text(max_size=40))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.one_of(st.sampled_from((*known.hashes, *BYTES)), st.binary(max_size=40))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return st.booleans()
    low, high = _BOUNDS[field.type]
    return st.one_of(st.sampled_from((*NUMBERS, low, high)), st.integers(low, high))


def _filled(descriptor: Any, values: dict[str, Any]) -> Message:
    message = GetMessageClass(descriptor)()
    for name, value in values.items():
        held = getattr(message, name)
        if isinstance(value, dict):
            held.update(value)
        elif isinstance(value, list):
            held.extend(value)
        elif isinstance(value, Message):
            held.CopyFrom(value)
        else:
            setattr(message, name, value)
    return message


def _crossed(template: Message, other: Message, names: set[str]) -> Message:
    """The template with the fields of those names as the other has them."""
    crossed = type(template)()
    crossed.CopyFrom(template)
    for name in names:
        crossed.ClearField(name)
    crossed.MergeFrom(other)
    return crossed


def _repeated(value: Any, times: int) -> list[Any]:
    """A long list, but no message that the transport itself would cut off."""
    size = value.ByteSize() if isinstance(value, Message) else 4 * len(value) if isinstance(value, str | bytes) else 10
    return [value] * min(times, 1 + _MOST // (size + 1))


def _changed(data: bytes, place: float, put: bytes) -> bytes:
    at = int(len(data) * place)
    return data[:at] + put + data[at + len(put) :]
