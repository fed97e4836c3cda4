"""A view as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from google.protobuf.message import Message
from hamle.tashkalar.v1 import tashkalar_pb2 as pb

from engines.kit.game import Audience
from engines.kit.lines import wrapped
from engines.tashkalar.board import GREEN, NAMED, RED, SIZE, SQUARE_AT
from engines.tashkalar.cards import BEING, BEINGS, TASK, TASKS
from engines.tashkalar.meta import INFO

Labels = Mapping[str, str]

_LETTERS: Final = "?CHL"
_GATEWAY: Final = "@"
_COLUMNS: Final = "abcdefghi"
_TEAMS: Final = (pb.FORM_TEAM_HIGH, pb.FORM_TEAM_DUEL)


def text(view: Message, audience: Audience, language: str) -> str:
    """The arena as the audience sees it, at most 100 columns wide; a language without a catalogue gets English.

    Raises ValueError for a view of another game.
    """
    if not isinstance(view, pb.View):
        raise ValueError(f"a {view.DESCRIPTOR.full_name} is no view of Tash-Kalar")
    labels = INFO.catalogues.get(language, INFO.catalogues["en"])
    lines = [labels[f"label.form.{pb.Form.Name(view.form).removeprefix('FORM_').lower()}"]]
    lines += _board(view)
    lines += [labels["label.text.legend"], ""]
    for seat in range(len(view.players)):
        lines += _player(view, seat, audience, labels)
    for colour in range(len(view.sides)):
        lines += _side(view, colour, labels)
    lines += _piles(view, labels)
    lines += _status(view, audience, labels)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _board(view: pb.View) -> Iterator[str]:
    standing = {piece.square: piece for piece in (view.standing if view.begun else view.pieces)}
    gateway = view.standing_gateway if view.begun else view.gateway
    head = "   " + "".join(f" {column}  " for column in _COLUMNS)
    yield head
    for y in range(1, SIZE + 1):
        cells = []
        for x, column in enumerate(_COLUMNS, 1):
            name = f"{column}{y}"
            if (x, y) not in SQUARE_AT:
                cells.append("    ")
            elif name in standing:
                mark = _GATEWAY if name == gateway else " "
                cells.append(f"{_letters(standing[name])}{mark} ")
            else:
                cells.append(f" {_colour(name)}  ")
        yield f"{y}  {''.join(cells)} {y}"
    yield head


def _letters(piece: pb.Piece) -> str:
    return f"{_LETTERS[piece.rank]}{piece.colour}"


def _colour(name: str) -> str:
    bit = 1 << NAMED[name]
    return "r" if RED & bit else "g" if GREEN & bit else "."


def _who(seat: int, audience: Audience, labels: Labels) -> str:
    return labels["label.text.you" if seat == audience else "label.text.seat"].format(seat=seat)


def _name(key: str, labels: Labels) -> str:
    if key in BEING:
        return BEINGS[BEING[key]].name
    if key in TASK:
        task = TASKS[TASK[key]]
        return f"{task.name} ({task.points})"
    return labels[f"label.{key}"]


def _listed(head: str, keys: Iterable[str], labels: Labels) -> list[str]:
    """A line with names, wrapped; nothing where there are none."""
    names = [_name(key, labels) for key in keys]
    return wrapped(head, [f"{name}," for name in names[:-1]] + names[-1:])


def _player(view: pb.View, seat: int, audience: Audience, labels: Labels) -> list[str]:
    player = view.players[seat]
    lines = [
        labels["label.text.player"].format(
            who=_who(seat, audience, labels),
            colour=player.colour,
            school=labels[f"label.{player.school}"],
            deck=player.deck.size,
            beings=player.beings,
            legends=player.legends,
            flares=player.flares,
        )
    ]
    whole = len(player.hand) == player.beings + player.legends + player.flares
    lines += _listed(labels["label.text.hand" if whole else "label.text.known"], player.hand, labels)
    lines += _listed(labels["label.text.discards"], player.discards, labels)
    for kind in ("frozen", "pending"):
        card = getattr(player, kind)
        if card:
            lines.append(labels[f"label.text.{kind}"].format(card=_name(card, labels)))
    if player.HasField("stored"):
        lines.append(labels["label.text.stored"].format(piece=_letters(player.stored)))
    if player.left:
        lines.append(labels["label.text.left"])
    return lines


def _side(view: pb.View, colour: int, labels: Labels) -> list[str]:
    side = view.sides[colour]
    line = labels["label.text.side"]
    lines = [line.format(colour=colour, total=side.total, stock=side.stock, stock_legendary=side.stock_legendary)]
    if len(side.scores) > 1:
        tracks = (f"{other}: {points}" for other, points in enumerate(side.scores) if other != colour)
        lines.append(labels["label.text.tracks"].format(scores=", ".join(tracks)))
    if side.improvised:
        lines.append(labels["label.text.improvised"].format(colours=", ".join(map(str, side.improvised))))
    if side.fewer:
        lines.append(labels["label.text.fewer"].format(count=side.fewer))
    return lines + _listed(labels["label.text.claimed"], side.claimed, labels)


def _piles(view: pb.View, labels: Labels) -> list[str]:
    lines = _listed(labels["label.text.tasks"], view.tasks, labels)
    if view.next_task:
        lines.append(labels["label.text.next"].format(task=_name(view.next_task, labels)))
    sizes = {"legends": view.legends.size, "flares": view.flares.size, "tasks": view.task_deck.size}
    lines.append(labels["label.text.piles"].format(**sizes))
    lines += _listed(labels["label.text.legend_discards"], view.legend_discards, labels)
    return lines + _listed(labels["label.text.flare_discards"], view.flare_discards, labels)


def _to_come(turn: pb.Turn, labels: Labels) -> Iterator[str]:
    """What effects have left for the rest of the turn and after it."""
    if turn.lent_enemies or turn.lent_empties:
        yield labels["label.text.lent"].format(enemies=turn.lent_enemies, empties=turn.lent_empties)
    if turn.HasField("lent_colour"):
        yield labels["label.text.lent_colour"].format(colour=turn.lent_colour)
    if turn.double:
        yield labels["label.text.double"].format(times=1 + turn.double)
    if turn.extra_beings or turn.extra_legends:
        yield labels["label.text.extra"].format(beings=turn.extra_beings, legends=turn.extra_legends)
    if turn.again:
        yield labels["label.text.again"].format(count=turn.again)


def _status(view: pb.View, audience: Audience, labels: Labels) -> list[str]:
    if view.over:
        return [labels["label.text.over"].format(reason=labels[view.over])]
    turn = view.standing_turn if view.begun else view.turn
    lines = [labels["label.text.turn"].format(seat=turn.seat, actions=turn.actions)]
    destroyed = [f"{_LETTERS[each.rank]}{each.colour} x{each.count}" for each in turn.destroyed]
    lines += wrapped(labels["label.text.destroyed"], destroyed)
    summoned = [f"{_LETTERS[each.rank]} {each.square}" for each in turn.summoned]
    lines += wrapped(labels["label.text.summoned"], summoned)
    lines += _to_come(turn, labels)
    if view.HasField("last"):
        lines.append(labels["label.text.last"].format(seat=view.last))
    if view.begun:
        lines += wrapped(labels["label.text.begun"].format(move=""), view.begun.replace(";", "; ").split())
    lines.append(labels[f"label.text.{_wanted(view)}"].format(who=_who(view.actor, audience, labels)))
    return lines


def _wanted(view: pb.View) -> str:
    if view.HasField("setter"):
        return "to_set"
    if view.begun:
        return "to_go_on"
    if view.turn.passed:
        return "to_place" if view.turn.actions else "to_end"
    return "to_act_or_pass" if view.form in _TEAMS and view.turn.actions else "to_act"
