"""What an engine says of its game: the information for lists, and the descriptors of its messages for reflection."""

from __future__ import annotations

from typing import cast

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message
from hamle.match.v1 import match_pb2

from engines.kit.game import EVERYBODY, Draw, GameInfo
from engines.kit.state import AnyGame


def info_proto(info: GameInfo, rules: list[str], view_type: str) -> match_pb2.GameInfo:
    """The game as lists show it. `rules` are the versions that can be played, newest first."""
    return match_pb2.GameInfo(
        game=info.game,
        title=info.title,
        rules=rules,
        min_seats=info.min_seats,
        max_seats=info.max_seats,
        options=[
            match_pb2.OptionInfo(
                name=spec.name,
                description=spec.description,
                values=spec.values,
                default_value=spec.values[0],
                material=spec.materials is not None,
            )
            for spec in info.options
        ],
        catalogues=[
            match_pb2.Catalogue(language=language, sentences=dict(sentences))
            for language, sentences in info.catalogues.items()
        ],
        has_secrets=info.has_secrets,
        view_type=view_type,
    )


def view_message(game: AnyGame, draw: Draw) -> Descriptor:
    """The message that the game's views are, learnt from the view of a match with the default options."""
    defaults = {spec.name: spec.values[0] for spec in game.info.options}
    state = game.setup(defaults, game.info.min_seats, draw)
    view: Message = game.view(state, EVERYBODY)
    return cast(Descriptor, view.DESCRIPTOR)


def descriptor_set(file: FileDescriptor) -> bytes:
    """A serialised FileDescriptorSet with the file and all it imports, what is imported first."""
    found: dict[str, FileDescriptor] = {}

    def add(current: FileDescriptor) -> None:
        if current.name in found:
            return
        for needed in current.dependencies:
            add(needed)
        found[current.name] = current

    add(file)
    files = FileDescriptorSet()
    for item in found.values():
        item.CopyToProto(files.file.add())
    return files.SerializeToString(deterministic=True)
