"""What no event of a match may lose or make: counters, cards, and the truth of what facts tell of the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engines.kit.game import Fact
from engines.tashkalar.board import NAMES, bits
from engines.tashkalar.cards import BEINGS, DECKS, FLARES, LEGENDS, TASKS
from engines.tashkalar.pieces import LEGENDS as COUNTERS_OF_LEGENDS
from engines.tashkalar.pieces import NOTHING, RANKS
from engines.tashkalar.state import Form, State

Standing = dict[str, int]
"""Pieces by square."""

_BY_NAME = {being.name: being for being in BEINGS}
_SET = ("placed", "upgraded", "downgraded", "converted")


def standing(state: State) -> Standing:
    """The pieces of the board; no square has two."""
    found = [(NAMES[square], piece) for piece, mask in enumerate(state.board) for square in bits(mask)]
    assert len(dict(found)) == len(found), f"two pieces on one square: {found}"
    return dict(found)


def check_counters(before: State | None, after: State) -> None:
    """A colour never has more pieces than counters, and what has left the game stays away."""
    stored = Counter(player.stored for player in after.players if player.stored != NOTHING)
    for colour in range(after.rules.colours):
        common, heroic, legendary = (
            after.board[3 * colour + rank].bit_count() + stored[3 * colour + rank] for rank in range(3)
        )
        gone, legends_gone = after.lost[2 * colour : 2 * colour + 2]
        assert common + heroic + gone <= after.rules.counters, f"colour {colour} has too many pieces"
        assert legendary + legends_gone <= COUNTERS_OF_LEGENDS, f"colour {colour} has too many legendary pieces"
    if before is not None:
        assert all(new >= old for old, new in zip(before.lost, after.lost, strict=True)), "a lost counter came back"


def check_cards(state: State) -> None:
    """Every card is in one place."""
    rules, players = state.rules, state.players
    for seat, player in enumerate(players):
        lying = [card for card in (player.frozen, player.pending) if card != NOTHING]
        lying += [*player.deck, *player.beings, *player.discards]
        _same(lying, DECKS[rules.decks[seat]], f"the deck of seat {seat}")
    legends = [*state.legends, *state.legend_discards, *(card for player in players for card in player.legends)]
    _same(legends, DECKS[LEGENDS] if rules.has_legends else (), "the legends")
    flares = [*state.flares, *state.flare_discards, *(card for player in players for card in player.flares)]
    _same(flares, range(len(FLARES)), "the flares")
    tasks = [*state.tasks, *state.task_deck, *(card for claimed in state.claimed for card in claimed)]
    tasks += [] if state.next_task == NOTHING else [state.next_task]
    basic = [task.number for task in TASKS if rules.form is not Form.FIRST or not task.advanced]
    _same(tasks, basic if rules.has_tasks else (), "the tasks")


def _same(found: Iterable[int], expected: Iterable[int], what: str) -> None:
    assert sorted(found) == sorted(expected), f"{what} are not whole"


def tell(state: State, board: Standing, facts: Sequence[Fact]) -> None:
    """Changes the board as the facts tell; each fits what stands there."""
    under: Standing = {}
    for fact in facts:
        told = dict(fact.parameters)
        square = told.get("square", "")
        if fact.kind == "summoned":
            being = _BY_NAME[told["card"]]
            _cover(board, under, square, 3 * state.colour(int(told["seat"])) + being.rank)
        elif fact.kind == "moved":
            assert board.pop(told["from"]) == _piece(told), fact
            _cover(board, under, told["to"], _piece(told))
        elif fact.kind == "swapped":
            board[told["from"]], board[told["to"]] = board[told["to"]], board[told["from"]]
        elif fact.kind == "destroyed" and under.get(square) == _piece(told):
            del under[square]
        elif fact.kind in ("destroyed", "lifted", "stored"):
            assert board.pop(square) == _piece(told), fact
        elif fact.kind == "released":
            assert square not in board, fact
            board[square] = _piece(told)
        elif fact.kind in _SET:
            assert (square in board) == (fact.kind != "placed"), fact
            board[square] = _piece(told)
    assert not under, f"something was covered and not destroyed: {under}"


def _cover(board: Standing, under: Standing, square: str, piece: int) -> None:
    if square in board:
        under[square] = board[square]
    board[square] = piece


def _piece(told: dict[str, str]) -> int:
    return 3 * int(told["colour"].removeprefix("colour-")) + RANKS.index(told["rank"])
