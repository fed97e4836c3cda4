"""A view as text for a terminal: nine flags side by side, the other side above them, the own one below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

from google.protobuf.message import Message
from hamle.battleline.v1 import battleline_pb2 as pb

from engines.battleline.meta import INFO
from engines.kit.game import Audience
from engines.kit.lines import wrapped

_WIDTH: Final = 6
_EMPTY: Final = "."
_NEWEST: Final = "'"
_OWNED: Final = {True: "v", False: "^"}

Labels = Mapping[str, str]


def text(view: Message, audience: Audience, language: str) -> str:
    """The table as the audience sees it, nine flags in 54 columns; a language without a catalogue gets English.

    The own side is the lower one, seat 0's for who has no seat. Raises ValueError for a view of another game.
    """
    if not isinstance(view, pb.View):
        raise ValueError(f"a {view.DESCRIPTOR.full_name} is no view of Battle Line")
    labels = INFO.catalogues.get(language, INFO.catalogues["en"])
    low = 1 if audience == 1 else 0
    lines = [
        *_hand(view, 1 - low, audience, labels),
        *_side(view, 1 - low, labels)[::-1],
        _flags(view, low),
        *_side(view, low, labels),
        labels["label.legend"],
        "",
        *_hand(view, low, audience, labels),
        *_decks(view, labels),
        *_status(view, audience, labels),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "".join(cell.ljust(_WIDTH) for cell in cells)


def _flags(view: pb.View, low: int) -> str:
    """Flag numbers; a claimed one points to the side that owns it."""
    cells = []
    for flag in view.flags:
        sign = _OWNED[flag.owner == low] if flag.HasField("owner") else ""
        cells.append(f"{sign}[{flag.number}]{sign}")
    return _row(cells)


def _side(view: pb.View, seat: int, labels: Labels) -> list[str]:
    """One side from the flags outwards: environment cards, the cards, what they are and come to."""
    rows = list(zip_longest(*(_environment(flag, seat) for flag in view.flags), fillvalue=""))
    for place in range(max(max(flag.size, len(flag.sides[seat].cards)) for flag in view.flags)):
        rows.append(tuple(_card(flag, seat, place, view.options.open_fronts) for flag in view.flags))
    rows += zip_longest(*(_formation(flag.sides[seat], labels) for flag in view.flags), fillvalue="")
    return [_row(row) for row in rows]


def _environment(flag: pb.Flag, seat: int) -> list[str]:
    fog = flag.HasField("fog") and flag.fog == seat
    mud = flag.HasField("mud") and flag.mud == seat
    return [name for name, here in (("FOG", fog), ("MUD", mud)) if here]


def _card(flag: pb.Flag, seat: int, place: int, open_fronts: bool) -> str:
    """The card at a place; an empty slot is marked where one may still be placed: in Open Fronts also a loser's."""
    cards = flag.sides[seat].cards
    if place >= len(cards):
        free = not flag.HasField("owner") or (open_fronts and flag.owner != seat)
        return _EMPTY if free and place < flag.size else ""
    newest = place == len(cards) - 1 and flag.entered[-1] == seat
    return cards[place] + (_NEWEST if newest else "")


def _formation(side: pb.Side, labels: Labels) -> list[str]:
    if not side.rank:
        return []
    rank = pb.Rank.Name(side.rank).removeprefix("RANK_").lower()
    return [labels[f"label.short.{rank}"], str(side.sum)]


def _who(seat: int, audience: Audience, labels: Labels) -> str:
    return labels["label.you" if seat == audience else "label.seat"].format(seat=seat)


def _hand(view: pb.View, seat: int, audience: Audience, labels: Labels) -> list[str]:
    hand = view.hands[seat]
    who = _who(seat, audience, labels)
    head = labels["label.hand"].format(who=who, troops=hand.troops, tactics=hand.tactics, played=hand.tactics_played)
    if hand.leader_played:
        head += labels["label.leader_played"]
    return [
        head,
        *wrapped(labels["label.cards"], hand.cards),
        *wrapped(labels["label.discards"], hand.discards),
    ]


def _decks(view: pb.View, labels: Labels) -> list[str]:
    lines = [labels["label.decks"].format(troops=view.troops.size, tactics=view.tactics.size)]
    for name, deck in (("troop", view.troops), ("tactic", view.tactics)):
        if deck.returned:
            deck_name = labels[f"label.{name}"]
            lines.append(labels["label.returned"].format(deck=deck_name, count=deck.returned))
        lines += wrapped(labels["label.top"].format(deck=labels[f"label.{name}"]), deck.known)
    lines += wrapped(labels["label.seen"].format(seat=1 - view.scouted.seat), view.scouted.held)
    return lines


def _status(view: pb.View, audience: Audience, labels: Labels) -> list[str]:
    lines = []
    if view.cut:
        lines.append(labels["label.cut"].format(first=view.cut[0], second=view.cut[1]))
    for number, result in enumerate(view.results, start=1):
        winner = (
            labels["label.winner"].format(seat=result.winner) if result.HasField("winner") else labels["label.draw"]
        )
        first, second = result.points
        how = labels[result.reason]
        lines.append(labels["label.result"].format(game=number, winner=winner, how=how, first=first, second=second))
    if view.options.series > 1:
        first, second = (sum(result.points[seat] for result in view.results) for seat in (0, 1))
        lines.append(labels["label.series"].format(games=view.options.series, first=first, second=second))
    if view.HasField("actor"):
        wanted = labels[f"label.step.{_step(view)}"].format(left=view.left, flag=view.trim)
        lines.append(labels["label.to_act"].format(who=_who(view.actor, audience, labels), wanted=wanted))
        if view.options.last_chance and view.step == pb.STEP_PLAY:
            lines.append(labels["label.last_chance"])
    return lines


def _step(view: pb.View) -> str:
    """Which label tells what to do: Last Chance has no claim after the card, and without tactics all are troops."""
    step = pb.Step.Name(view.step).removeprefix("STEP_").lower()
    if view.step == pb.STEP_CLOSE and view.options.last_chance:
        step = "draw"
    elif view.step == pb.STEP_RETURN and view.left == 1:
        step = "return.one"
    return step if view.options.tactics else f"{step}.troops"
