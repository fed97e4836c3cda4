"""What moves do. Legality is asked of `legal.py`, never of the list of choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engines.itchyfeet import actions, answers, specials
from engines.itchyfeet.choices import choices
from engines.itchyfeet.legal import awaited, can_act
from engines.itchyfeet.notation import Move, read
from engines.itchyfeet.refusals import need
from engines.itchyfeet.state import Kind, State
from engines.itchyfeet.table import Table
from engines.itchyfeet.tasks import run
from engines.kit.game import Draw, Fact, IllegalMove

Handler = Callable[[Table, State, int, Move], bool]
"""Changes the table; True when others did not see what was chosen."""

_IN_KIND: Final[Mapping[Kind, Mapping[str, Handler]]] = {
    Kind.ACTION: {
        "draw": actions.draw,
        "recycle": actions.recycle,
        "offer": actions.offer,
        "steal": actions.steal,
        "travel": actions.travel,
        "dispose": actions.dispose,
        "gift": actions.gift,
        "pass": actions.pass_turn,
        "play": specials.play,
    },
    Kind.OFFER: {"accept": answers.accept, "decline": answers.decline, "counter": answers.counter},
    Kind.WINDOW: {"block": answers.block, "pass": answers.let_happen},
    Kind.TOUR: {"pick": answers.pick},
    Kind.GUIDE: {"take": answers.take_looked_at},
    Kind.TAKE: {"take": answers.take},
    Kind.TROT: {"discard": answers.discard_drawn, "pass": answers.nothing_to_discard},
    Kind.DRAW: {"draw": answers.draw_on},
    Kind.LIMITS: {"discard": answers.discard},
}


def apply(state: State, seat: int, text: str, draw: Draw) -> tuple[State, Sequence[Fact]]:
    """The state after the move, and what it did. Raises `IllegalMove`."""
    move = read(state.deck, text)
    if move is None:
        raise IllegalMove(
            "the text names no move with the cards of this deck", rule="notation", expected="a move of ListChoices"
        )
    task = state.top()
    if task is None:
        raise IllegalMove("the game is over", rule="2.2", expected="no move")
    if not can_act(state, seat):
        who = " or ".join(map(str, sorted(awaited(state))))
        raise IllegalMove(f"seat {seat} cannot act now", rule="2.3", expected=f"a move of seat {who}")
    if task.kind is Kind.ACTION and seat != state.active:
        need(move.verb == "play", f"seat {state.active} is on turn", "R48", "a card that can be played at any time")
    handler = _IN_KIND[task.kind].get(move.verb)
    if handler is None:
        raise IllegalMove(f"`{move.verb}` cannot come now", rule="2.3", expected=_begins(state, seat))
    table = Table(state, draw)
    hidden = handler(table, state, seat, move)
    run(table, after_hidden=hidden)
    return table.state(), table.told


def _begins(state: State, seat: int) -> str:
    """The words that a move of the seat can begin with as things stand."""
    verbs = dict.fromkeys(choice.text.partition(":")[0] for choice in choices(state, seat))
    return f"{'one of ' if len(verbs) > 1 else ''}{', '.join(verbs)}"
