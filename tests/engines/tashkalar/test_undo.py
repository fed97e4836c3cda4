"""What can be taken back, and what each audience sees and remembers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from hamle.tashkalar.v1 import tashkalar_pb2 as pb

from core.fairness.draw import SeededDraw
from engines.kit.conformance import NotConforming, Suite
from engines.kit.game import EVERYBODY, PUBLIC
from engines.kit.options import full_options
from engines.kit.state import AnyGame
from engines.tashkalar.board import CENTRE, mask_of, offset
from engines.tashkalar.cards import BEINGS, DECKS
from engines.tashkalar.game import GAME, TashKalar
from engines.tashkalar.state import State, with_item
from tests.engines.tashkalar.table import SEED, cards, play, position


def at_table(pieces: str, hand: str, **given: Any) -> State:
    """A position that can be played on."""
    return position(pieces, hand=hand, **given)._replace(claimed=((), ()), improvised=(0, 0))


def seen(state: State, audience: int) -> pb.View:
    view = GAME.view(state, audience)
    assert isinstance(view, pb.View)
    return view


@pytest.mark.parametrize(
    "move", ["P:a5", "S:swordmaster@e5r0;d4", "D:swordmaster;-", "D:swordmaster;bomb;-", "D:bomb;swordmaster;titan"]
)
def test_moves_of_a_turn_can_be_taken_back(move: str) -> None:
    state = at_table("e4 e6 | d4", "swordmaster bomb titan")
    after = play(state, move)
    assert not GAME.barrier(state, after)
    again = play(after, "P:a6") if after.turn.actions else after
    assert not GAME.barrier(after, again)


def test_the_end_of_a_turn_cannot_be_taken_back_even_when_the_same_seat_goes_on() -> None:
    state = at_table("e4 e6", "", actions=0)
    assert GAME.barrier(state, play(state, "end"))
    state = state._replace(turn=state.turn._replace(again=1))
    after = play(state, "end")
    assert after.turn.seat == 0
    assert GAME.barrier(state, after)


def test_a_game_that_may_not_take_back_what_it_showed_is_caught() -> None:
    class Strict(TashKalar):
        info = replace(TashKalar.info, undo_after_showing=False)

    suite = Suite("engines.tashkalar:GAME", options=({"form": "first"},), seats=(2,), matches=1)
    strict = cast(AnyGame, Strict())
    with pytest.raises(NotConforming, match="which can be undone"):
        sum(suite.inspect(strict, seed, leaks_only=True) for seed in range(40))


def test_others_see_backs_and_read_only_the_backs_of_what_goes_under_a_deck() -> None:
    state = at_table("", "swordmaster bomb titan flare-3")
    move = "D:swordmaster;bomb;titan;flare-3;-"
    for audience, text in ((0, move), (EVERYBODY, move), (1, "D:swordmaster;being;legend;flare;-")):
        assert GAME.redact(state, 0, move, audience) == text
    for audience, hand in ((0, ["swordmaster", "bomb", "titan", "flare-3"]), (1, []), (PUBLIC, [])):
        assert sorted(seen(state, audience).players[0].hand) == sorted(hand)


def test_a_seat_remembers_what_it_has_put_under_its_deck_and_nobody_else_does() -> None:
    state = play(at_table("", "swordmaster bomb herald"), "D:swordmaster;bomb;herald")
    for audience in (0, EVERYBODY):
        known = {place.place: place.card for place in seen(state, audience).players[0].deck.known}
        assert (known[0], known[1]) == ("herald", "bomb")
    for audience in (1, PUBLIC):
        assert not seen(state, audience).players[0].deck.known
    after = play(state, "P:a5", "end")
    assert [place.card for place in seen(after, 0).players[0].deck.known] == ["herald", "bomb"]


def test_all_remember_a_card_that_went_openly_on_top_of_a_deck() -> None:
    state = at_table("", "kiskin-spirit", deck="sylvan", discards="naiad dryad")
    state = state._replace(board=whole_pattern("kiskin-spirit"))
    first = GAME.choices(state, 0, "S:kiskin-spirit@")[0].text
    after = play(state, f"{first};naiad")
    for audience in (0, 1, PUBLIC):
        assert [place.card for place in seen(after, audience).players[0].deck.known] == ["naiad"]
    drawn = play(after, "P:a5", "end")
    for audience in (1, PUBLIC):
        assert list(seen(drawn, audience).players[0].hand) == ["naiad"]


def whole_pattern(key: str) -> tuple[int, ...]:
    """A board with that being's pattern around the centre, heroic pieces throughout."""
    squares = [offset(CENTRE, cell.dx, cell.dy) for cell in BEINGS[cards(key)[0]].pattern]
    return (0, mask_of(square for square in squares if square is not None), 0, 0, 0, 0)


def test_hidden_cards_are_imagined_over_all_places() -> None:
    state = GAME.setup(full_options(GAME.info, {}), 2, SeededDraw(SEED, 1))
    other = state.turn.seat ^ 1
    view = seen(state, state.turn.seat)
    found = {
        card
        for number in range(200)
        for card in GAME.imagine(view, state.turn.seat, SeededDraw(SEED, number)).players[other].beings
    }
    assert found == set(DECKS[state.rules.decks[other]])


def test_everybody_sees_all_once_it_is_over() -> None:
    state = play(at_table("", "swordmaster bomb herald titan"), "D:swordmaster;bomb;herald;-")
    mine = state.players[0]._replace(turns=7)
    state = state._replace(players=with_item(state.players, 0, mine))
    assert GAME.imagine(seen(state, EVERYBODY), EVERYBODY, SeededDraw(SEED, 1)) == state._replace(
        improvised=(0, 0), task_deck=()
    )


def test_a_seat_remembers_legends_and_flares_under_the_shared_decks_until_they_are_drawn() -> None:
    state = play(at_table("", "swordmaster titan flare-3"), "D:swordmaster;titan;flare-3")
    for audience in (0, EVERYBODY):
        view = seen(state, audience)
        assert view.legends.known[0].card == "titan"
        assert view.flares.known[0].card == "flare-3"
        assert (list(view.players[0].sunk_legends), list(view.players[0].sunk_flares)) == (["titan"], ["flare-3"])
    for audience in (1, PUBLIC):
        view = seen(state, audience)
        assert not view.legends.known
        assert not view.flares.known
        assert not view.players[0].sunk_legends
    left = state._replace(legends=state.legends[:1], flares=state.flares[:2], turn=state.turn._replace(actions=0))
    after = play(left, "end")
    assert (after.players[0].sunk_legends, len(after.players[0].sunk_flares)) == ((), 1)
