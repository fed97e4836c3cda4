"""A view as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from google.protobuf.message import Message
from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb

from engines.itchyfeet.meta import CATALOGUES
from engines.kit.game import PUBLIC, Audience
from engines.kit.lines import MOST

_NONE: Final = "-"

Labels = Mapping[str, str]


def text(view: Message, audience: Audience, language: str) -> str:
    """The table as the audience sees it, at most 100 columns wide; a language without a catalogue gets English.

    Cards stand by their ids, as moves name them. Raises ValueError for a view of another game.
    """
    if not isinstance(view, pb.View):
        raise ValueError(f"a {view.DESCRIPTOR.full_name} is no view of Itchy Feet")
    labels = CATALOGUES.get(language, CATALOGUES["en"])
    name, _, digest = view.options.deck.rpartition("-")
    lines = [
        labels["label.deck"].format(deck=f"{name} {digest[:12]}"),
        labels["label.round"].format(round=view.round),
        _centre(view, labels),
    ]
    for seat in range(len(view.places)):
        lines += _seat(view, seat, audience, labels)
    lines.append(labels["label.pile"].format(size=sum(block.size for block in view.pile)))
    lines += _blocks(view, labels)
    lines.append(labels["label.discard"].format(cards=_list(view.discard)))
    lines.append(labels["label.aside"].format(aside=_list(view.aside), queue=_list(view.queue)))
    lines += _status(view, audience, labels)
    return "\n".join(short for line in lines for short in _wrapped(line)) + "\n"


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, MOST, subsequent_indent="    ", break_on_hyphens=False) or [""]


def _list(items: Sequence[str]) -> str:
    return " ".join(items) or _NONE


def _centre(view: pb.View, labels: Labels) -> str:
    line = labels["label.centre"].format(country=view.centre or _NONE)
    return f"{line}, {labels['label.needs'].format(items=_list(view.centre_requires))}" if view.centre else line


def _blocks(view: pb.View, labels: Labels) -> list[str]:
    """Where in the draw pile known cards are, counted from its top."""
    lines, first = [], 1
    for block in view.pile:
        last = first + block.size - 1
        if block.cards:
            label = labels["label.card" if first == last else "label.block"]
            lines.append(label.format(first=first, last=last, cards=_list(block.cards)))
        first = last + 1
    return lines


def _who(seat: int, audience: Audience, labels: Labels) -> str:
    return labels["label.you" if seat == audience else "label.seat"].format(seat=seat)


def _seat(view: pb.View, seat: int, audience: Audience, labels: Labels) -> list[str]:
    place = view.places[seat]
    who = _who(seat, audience, labels)
    if not place.here:
        return [f"{who}: {labels['label.gone']}"]
    parts = [
        place.character,
        place.country or (labels["label.done"] if place.done else ""),
        labels["label.needs"].format(items=_list(place.requires)),
        labels["label.hand"].format(size=place.hand_size, limit=place.hand_limit),
    ]
    lines = [f"{who}: " + ", ".join(part for part in parts if part)]
    if place.hand:
        lines.append("  " + labels["label.cards"].format(cards=_list(place.hand)))
    me = len(view.places) if audience in (PUBLIC, seat) else audience
    label = labels["label.shown" if seat == audience else "label.known"]
    for known in view.known:
        if known.seat == seat and known.audience == me:
            lines.append("  " + label.format(cards=_list(known.cards)))
    return lines


def _window(view: pb.View, task: pb.Task, labels: Labels) -> str:
    """What can be blocked."""
    if task.HasField("other"):
        return labels["label.window.taking"].format(seat=task.seat, other=task.other)
    country = view.places[task.seat].country or view.centre
    return labels["label.window.travel"].format(seat=task.seat, country=country)


def _turn(view: pb.View, labels: Labels) -> list[str]:
    """How far the turn is, where it is no plain one."""
    lines = []
    if view.allowed > 1:
        lines.append(labels["label.actions"].format(number=view.acted + 1, allowed=view.allowed))
        if view.travelled:
            lines.append(labels["label.travelled"])
    if view.offers:
        lines.append(labels["label.offers"].format(count=view.offers))
    return lines


def _status(view: pb.View, audience: Audience, labels: Labels) -> list[str]:
    if view.reason:
        kind = f"won_{view.reason}" if view.HasField("winner") else "ended_round_cap"
        return [labels[kind].format(seat=view.winner)]
    task = view.agenda[-1]
    lines = []
    if task.kind == pb.KIND_OFFER:
        given, asked = _list(task.cards), _list(task.more)
        lines.append(labels["label.offer"].format(other=task.other, given=given, asked=asked))
    elif task.kind == pb.KIND_WINDOW:
        lines.append(_window(view, task, labels))
    elif task.cards:
        lines.append(labels["label.seen"].format(cards=_list(task.cards)))
    if task.kind in (pb.KIND_ACTION, pb.KIND_OFFER):
        lines += _turn(view, labels)
    step = pb.Kind.Name(task.kind).removeprefix("KIND_").lower()
    who = ", ".join(_who(seat, audience, labels) for seat in view.awaited)
    lines.append(labels["label.to_act"].format(who=who, wanted=labels[f"label.step.{step}"]))
    return lines
