"""What each move does to the game, and what leaving does."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.game import Draw, Fact, IllegalMove
from engines.tashkalar import facts
from engines.tashkalar.drawing import hand_over, remembered
from engines.tashkalar.legal import can_place
from engines.tashkalar.notation import LONGEST, Kind
from engines.tashkalar.pieces import NOTHING
from engines.tashkalar.run import Run, listed
from engines.tashkalar.scene import Scene
from engines.tashkalar.state import NOBODY, Form, State, with_item
from engines.tashkalar.tree import Tree, parted, tree_of
from engines.tashkalar.turns import Told, close, following


def apply(state: State, seat: int, text: str, draw: Draw) -> tuple[State, Sequence[Fact]]:
    """The state after the move, and what it did. Raises `IllegalMove`."""
    if state.over:
        raise IllegalMove("the match is over", rule="rules §12", expected="no move")
    if seat != state.actor():
        raise IllegalMove(f"seat {seat} does not act now", rule="rules §5", expected=f"seat {state.actor()}")
    if len(text) > LONGEST:
        raise IllegalMove("the move is too long", rule="rules §6", expected=f"at most {LONGEST} characters")
    tree = tree_of(state)
    before, passes = parted(text)
    run = tree.find(before)
    if passes:
        return _pass(tree, run, before)
    if run.request is not None:
        what = "the move asks for more"
        raise IllegalMove(what, rule="rules §9", expected=f"the same with one of {listed(run.request)} behind it")
    return made(tree, run, seat, draw)


def made(tree: Tree, run: Run, seat: int, draw: Draw) -> tuple[State, Sequence[Fact]]:
    """The state after a whole move of the tree's, and what it did."""
    scene, state = run.scene, tree.state
    events = scene.told[tree.skipped :]
    # Cards and actions are those of the seat on turn, also where its partner finishes the move.
    told: Told = facts.of_events(scene.seat, events)
    after = scene.after()
    mine = remembered(state.players[scene.seat], after.players[scene.seat], scene.told)
    after = after._replace(players=with_item(after.players, scene.seat, mine))
    kind = run.head.kind
    if kind is Kind.END:
        claimed = next((numbers[0] for name, numbers in events if name == "claimed"), NOTHING)
        return close(after, claimed, draw, told), told
    if kind is Kind.SET:
        return after._replace(setter=NOBODY), told
    if kind is Kind.PASS:
        told.append(facts.passed_control(seat))
        after = hand_over(after._replace(turn=after.turn._replace(passed=True)))
    elif tree.base is not None:
        after = hand_over(after._replace(begun="", turn=after.turn._replace(passed=True)))
    return _without_idle_actions(after), told


def _pass(tree: Tree, run: Run, text: str) -> tuple[State, Sequence[Fact]]:
    """Control goes to the partner in the middle of a move (rules §13)."""
    if not tree.can_pass(run):
        raise IllegalMove("control cannot be passed here", rule="rules §13", expected="the move without `pass`")
    state = tree.state
    seat = state.turn.seat
    told = [*facts.of_events(seat, run.scene.told), facts.passed_control(seat)]
    return state._replace(begun=text, turn=state.turn._replace(passed=True)), told


def _without_idle_actions(state: State) -> State:
    """A partner in control who cannot place has no actions left."""
    turn = state.turn
    if not turn.passed or not turn.actions or can_place(Scene(state, turn.seat)):
        return state
    return state._replace(turn=turn._replace(actions=0))


def leave(state: State, seat: int) -> tuple[State, Sequence[Fact]]:
    """The seat has left: with two sides the other wins, in a melee the others play on and its pieces stay."""
    if state.over or state.left >> seat & 1:
        return state, ()
    told: Told = [facts.left(seat)]
    state = state._replace(left=state.left | 1 << seat)
    seats = state.rules.seats
    staying = [other for other in range(seats) if not state.left >> other & 1]
    if state.rules.form is not Form.MELEE or len(staying) == 1:
        return state._replace(over="resigned"), told
    if seat == state.setter:
        state = state._replace(setter=next(at % seats for at in range(seat + 1, seat + seats) if at % seats in staying))
    if seat != state.turn.seat:
        return state, told
    opening = state.setter != NOBODY
    state = following(state, told, emptied=state.turn.emptied)
    if opening:
        state = state._replace(turn=state.turn._replace(actions=1))
    return state, told
