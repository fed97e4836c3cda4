"""The position as a message, and back. Nothing is hidden, so a view determines the state and moves stay as they are."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from google.protobuf.message import Message
from hamle.coerceo.v1 import coerceo_pb2 as pb

from engines.coerceo.board import BLACK, FIELD_NAMES, WHITE
from engines.coerceo.setup import position
from engines.coerceo.state import COST_ONE, CURA, DEAD_POSITION, OCIUS, REPETITION, State, cost, with_path
from engines.coerceo.tables import tile_names
from engines.kit.game import Audience

_CHUNK: Final = 9
_CHUNKS: Final = tuple(
    tuple(
        (first, ["".join(f" {name}" for i, name in enumerate(part) if bits >> i & 1) for bits in range(1 << len(part))])
        for first in range(0, 57, _CHUNK)
        for part in (names[first : first + _CHUNK],)
    )
    for names in FIELD_NAMES
)
"""By colour: for every nine fields where they begin, and the text of each subset."""


def _text(colour: int, mask: int) -> str:
    return "".join([texts[mask >> first & 511] for first, texts in _CHUNKS[colour]])[1:]


@lru_cache(8192)
def _white(mask: int) -> str:
    return _text(WHITE, mask)


@lru_cache(8192)
def _black(mask: int) -> str:
    return _text(BLACK, mask)


@lru_cache(8192)
def _tiles(board: int) -> str:
    return " ".join(tile_names(board))


@lru_cache(4096)
def _head(options: int, stock_white: int, stock_black: int) -> bytes:
    """What is dear to set, ready to be parsed."""
    message = pb.Options(
        start=pb.START_OCIUS if options & OCIUS else pb.START_LAURENTIUS,
        exchange_cost=cost(options),
        cura=bool(options & CURA),
        repetition_draw=bool(options & REPETITION),
        dead_position_draw=bool(options & DEAD_POSITION),
    )
    return pb.View(options=message, stock=(stock_white, stock_black)).SerializeToString()


_parse: Final = pb.View.FromString


def view(state: State) -> pb.View:
    """The position as everybody sees it."""
    white, black, board, stock_white, stock_black, turn, ply, options, ending, cura, path, _, count = state
    message = _parse(_head(options, stock_white, stock_black))
    message.tiles = _tiles(board)
    message.white = _white(white)
    message.black = _black(black)
    message.ply = ply
    if turn:
        message.turn = turn
    if path:
        message.path = path
    if count:
        message.occurrences = count
    if cura:
        message.cura = True
    if ending:
        message.ending = pb.Ending.ValueType(ending)
    return message


def redact(state: State, seat: int, move: str, audience: Audience) -> str:
    """The move as it is: Coerceo has no secrets."""
    return move


def imagine(message: Message) -> State:
    """The state that a view shows. Raises ValueError for a view that no state gives."""
    if not isinstance(message, pb.View):
        raise ValueError(f"a {message.DESCRIPTOR.full_name} is no view of Coerceo")
    if len(message.stock) != 2:
        raise ValueError(f"a view has the stocks of two sides, not {len(message.stock)}")
    options = message.options
    state = position(
        message.tiles.split(),
        message.white.split(),
        message.black.split(),
        turn=message.turn,
        stock=(message.stock[WHITE], message.stock[BLACK]),
        ply=message.ply,
        options=(options.start == pb.START_OCIUS) * OCIUS
        | (options.exchange_cost == 1) * COST_ONE
        | options.cura * CURA
        | options.repetition_draw * REPETITION
        | options.dead_position_draw * DEAD_POSITION,
    )
    return with_path(state._replace(ending=message.ending, cura=message.cura), message.path)
