"""The view's message, built here because tests commit no generated stubs.

message View  { rounds, reaction_ms, phase, places, pile_count, pile, discards, turn, actions, round, call, left }
message Place { active, hand_count, hand, staked, stake, cellar, score, swapped }
message Slot  { taken, card, knowers }     // card: empty when unknown
message Call  { by, to, suit }
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "hamle.cellar.v1"
_Field = descriptor_pb2.FieldDescriptorProto

_MESSAGES: dict[str, tuple[str, ...]] = {
    "Slot": ("bool taken", "string card", "uint32* knowers"),
    "Call": ("uint32 by", "uint32 to", "string suit"),
    "Place": (
        "bool active",
        "uint32 hand_count",
        "string* hand",
        "bool staked",
        "string stake",
        "Slot* cellar",
        "uint32 score",
        "bool swapped",
    ),
    "View": (
        "uint32 rounds",
        "uint32 reaction_ms",
        "string phase",
        "Place* places",
        "uint32 pile_count",
        "string* pile",
        "string* discards",
        "uint32 turn",
        "uint32 actions",
        "uint32 round",
        "Call call",
        "uint32* left",
    ),
}
_SCALARS = {"bool": _Field.TYPE_BOOL, "uint32": _Field.TYPE_UINT32, "string": _Field.TYPE_STRING}


def _file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(name="hamle/cellar/v1/cellar.proto", package=PACKAGE, syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, field in enumerate(fields, 1):
            kind, field_name = field.split()
            added = message.field.add(name=field_name, number=number, label=_Field.LABEL_OPTIONAL)
            if kind.endswith("*"):
                added.label = _Field.LABEL_REPEATED
            kind = kind.rstrip("*")
            if kind in _SCALARS:
                added.type = _SCALARS[kind]
            else:
                added.type, added.type_name = _Field.TYPE_MESSAGE, f".{PACKAGE}.{kind}"
    return file


descriptor_pool.Default().AddSerializedFile(_file().SerializeToString())
View: Any = message_factory.GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(f"{PACKAGE}.View"))
