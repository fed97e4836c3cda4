"""Frozen effects, and what Everfrost cards do beyond their move (rules §16)."""

from __future__ import annotations

import pytest
from hamle.tashkalar.v1 import tashkalar_pb2 as pb

from core.fairness.draw import SeededDraw
from engines.kit.game import EVERYBODY, IllegalMove
from engines.tashkalar.cards import BEING, BEINGS
from engines.tashkalar.game import GAME
from engines.tashkalar.look import Look
from engines.tashkalar.pieces import COMMON, LEGENDARY
from engines.tashkalar.setup import start
from engines.tashkalar.state import Form, Rules, State, with_item
from tests.engines.tashkalar.table import describe, drawing, position

DRAW = SeededDraw(b"a seed of thirty-two bytes, fine", 1)


def after(state: State, *moves: str, seat: int = 0) -> State:
    """The state after these moves of the seat."""
    for move in moves:
        state, _ = GAME.apply(state, seat, move, DRAW)
    return state


def offered(state: State, prefix: str = "", seat: int = 0) -> list[str]:
    """What can follow the prefix."""
    return [choice.text for choice in GAME.choices(state, seat, prefix)]


def frozen(state: State, seat: int = 0) -> str:
    card = state.players[seat].frozen
    return BEINGS[card].key if card >= 0 else ""


def everfrost(board: str, hand: str = "", **given: object) -> State:
    return position(board, deck="everfrost", hand=hand, **given)  # type: ignore[arg-type]


def standing(state: State) -> str:
    return drawing(state.board).rstrip(" |")


def team(card: str) -> State:
    """Partners of whom seat 0, on turn, has this frozen effect."""
    state = start(Rules(Form.TEAM_HIGH, ("everfrost",) * 4), 0, DRAW)
    mine = state.players[0]
    mine = mine._replace(frozen=BEING[card], deck=tuple(each for each in mine.deck if each != BEING[card]))
    mine = mine._replace(beings=tuple(each for each in mine.beings if each != BEING[card]))
    return state._replace(players=with_item(state.players, 0, mine))


def test_card_stays_frozen_after_its_effect_and_is_discarded_when_thawed() -> None:
    state = after(everfrost("d6 e6 | a5", "crystal-grower"), "S:crystal-grower@e5r0")
    assert (frozen(state), describe(state, "discards"), describe(state, "hand")) == ("crystal-grower", "", "")
    assert standing(state) == "e5 d6 e6 | Ha5"
    state = after(state, "T:crystal-grower;e6")
    assert (frozen(state), describe(state, "discards"), describe(state, "hand")) == ("", "crystal-grower", "")
    assert standing(state) == "e5 d6 He6 | Ha5"


def test_thawing_costs_no_action_and_can_come_in_the_same_turn() -> None:
    state = after(everfrost("d6 e6", "crystal-grower"), "S:crystal-grower@e5r0")
    assert describe(state, "actions") == 1
    assert describe(after(state, "T:crystal-grower;e5"), "actions") == 1


def test_thawing_can_come_before_between_and_after_actions() -> None:
    state = everfrost("e6", frozen="ice-princess")
    for place in ("P:a5", "P:a6"):
        assert "T:ice-princess" in offered(state)
        state = after(state, place)
    assert describe(state, "actions") == 0
    assert offered(state) == ["T:ice-princess", "end"]
    assert standing(after(state, "T:ice-princess;e6e5")) == "a5 e5 a6"


def test_thawing_cannot_come_in_the_middle_of_an_effect() -> None:
    state = everfrost("f5 g6", "snow-fox", frozen="ice-princess")
    assert not [text for text in offered(state, "S:snow-fox@e5r0") if "T:" in text]
    with pytest.raises(IllegalMove):
        after(state, "S:snow-fox@e5r0;T:ice-princess")


def test_thawing_comes_in_ones_own_turn_only() -> None:
    state = everfrost("e6", frozen="ice-princess", actions=0)
    state = after(state, "end")
    assert state.turn.seat == 1
    assert frozen(state) == "ice-princess"
    assert not offered(state)
    with pytest.raises(IllegalMove):
        after(state, "T:ice-princess;e6e5")
    assert "T:ice-princess" in offered(after(state, "P:a5", "P:a6", "end", seat=1))


@pytest.mark.parametrize("key", ["ice-princess", "ice-queen"])
def test_only_the_frozen_effect_in_play_can_be_thawed(key: str) -> None:
    state = everfrost("e6", "ice-queen")
    assert not [text for text in offered(state) if text.startswith("T:")]
    with pytest.raises(IllegalMove):
        after(state, f"T:{key}")


def test_several_effects_can_be_thawed_in_one_turn() -> None:
    state = everfrost("d6 e6 e3 f7", "crystal-grower", frozen="ice-princess")
    state = after(state, "T:ice-princess;e3e4", "S:crystal-grower@e5r0", "T:crystal-grower;d6")
    assert standing(state) == "e4 e5 Hd6 e6 f7"
    assert describe(state, "discards") == "ice-princess crystal-grower"


def test_effect_can_be_thawed_that_does_nothing() -> None:
    state = after(everfrost("e6", frozen="ice-queen"), "T:ice-queen")
    assert (frozen(state), describe(state, "discards")) == ("", "ice-queen")


def test_of_two_frozen_effects_one_is_chosen_after_the_effect() -> None:
    state = everfrost("d6 e6 | a5 a6", "crystal-grower", frozen="ice-princess")
    move = "S:crystal-grower@e5r0"
    assert offered(state, move) == [f"{move};a5", f"{move};a6"]
    assert offered(state, f"{move};a5") == [f"{move};a5;crystal-grower", f"{move};a5;ice-princess"]
    with pytest.raises(IllegalMove):
        after(state, f"{move};a5;-")


@pytest.mark.parametrize(("kept", "other"), [("crystal-grower", "ice-princess"), ("ice-princess", "crystal-grower")])
def test_the_one_not_kept_is_discarded(kept: str, other: str) -> None:
    state = everfrost("d6 e6", "crystal-grower", frozen="ice-princess")
    state = after(state, f"S:crystal-grower@e5r0;{kept}")
    assert (frozen(state), describe(state, "discards")) == (kept, other)


@pytest.mark.parametrize(("kept", "other"), [("crystal-grower", "Ice Princess"), ("ice-princess", "Crystal Grower")])
def test_the_discarding_of_the_one_not_kept_is_told(kept: str, other: str) -> None:
    state = everfrost("d6 e6", "crystal-grower", frozen="ice-princess")
    _, facts = GAME.apply(state, 0, f"S:crystal-grower@e5r0;{kept}", DRAW)
    told = [(fact.kind, dict(fact.parameters)["card"]) for fact in facts[-2:]]
    assert told == [("discarded", other), ("frozen", BEINGS[BEING[kept]].name)]


def test_nothing_is_chosen_when_the_first_was_thawed_before() -> None:
    state = everfrost("d6 e6", "crystal-grower", frozen="ice-queen")
    state = after(state, "T:ice-queen", "S:crystal-grower@e5r0")
    assert (frozen(state), describe(state, "discards")) == ("crystal-grower", "ice-queen")


def test_a_frozen_card_is_not_one_of_the_hand() -> None:
    state = everfrost("e6", "snow-fox frost-imp", frozen="ice-princess", actions=0)
    state = after(state, "end")
    assert len(state.players[0].beings) == 3
    assert frozen(state) == "ice-princess"


def test_all_see_the_frozen_effect() -> None:
    state = everfrost("e6", frozen="ice-princess")._replace(claimed=((), ()))
    for audience in (0, 1, EVERYBODY):
        view = GAME.view(state, audience)
        assert isinstance(view, pb.View)
        assert view.players[0].frozen == "ice-princess"


def test_partner_in_control_does_not_thaw() -> None:
    state = team("ice-queen")
    assert "T:ice-queen" in offered(state)
    passed = after(state, "pass")
    assert not [text for seat in range(4) for text in offered(passed, seat=seat) if text.startswith("T:")]
    with pytest.raises(IllegalMove):
        after(passed, "T:ice-queen", seat=2)
    state = after(passed, "P:e5", seat=2)
    assert offered(state) == ["end"]
    with pytest.raises(IllegalMove):
        after(state, "T:ice-queen")


def test_frostweave_summoner_lends_an_enemy_to_one_summon() -> None:
    state = everfrost("f5 | g6", "snow-fox", frozen="frostweave-summoner")
    assert not offered(state, "S:snow-fox@")
    state = after(state, "T:frostweave-summoner")
    assert "S:snow-fox@e5r0+g6" in offered(state, "S:snow-fox@")
    state = after(state, "S:snow-fox@e5r0+g6;-")
    assert standing(state) == "e5 f5 | g6"
    assert describe(state, "bonus") == (0, 0, -1)


def test_what_frostweave_summoner_lends_is_gone_with_the_turn() -> None:
    state = after(everfrost("f5 | g6", frozen="frostweave-summoner"), "T:frostweave-summoner", "P:a5", "P:a6")
    assert describe(state, "bonus") == (1, 0, -1)
    assert describe(after(state, "end"), "bonus") == (0, 0, -1)


def test_sentinel_takes_an_action_from_the_enemys_next_turn_only() -> None:
    state = everfrost("e6 e7 f7 f8 a5 | e5", "everfrost-sentinel")
    state = after(state, "S:everfrost-sentinel@e5r0;downgrade", "P:b5", "end")
    assert (state.turn.seat, describe(state, "actions"), describe(state, "fewer")) == (1, 1, (0, 0))
    state = after(state, "P:i5", "end", seat=1)
    assert (state.turn.seat, describe(state, "actions")) == (0, 2)
    state = after(state, "P:b6", "P:c6", "end")
    assert (state.turn.seat, describe(state, "actions")) == (1, 2)


def test_sentinel_twice_leaves_the_enemy_no_action() -> None:
    state = everfrost("e6 e7 f7 f8 a5 | e5", "everfrost-sentinel")._replace(fewer=(0, 1))
    state = after(state, "S:everfrost-sentinel@e5r0;downgrade", "P:b5", "end")
    assert describe(state, "actions") == 0
    assert offered(state, seat=1) == ["end"]


@pytest.mark.parametrize(("victim", "rank", "left"), [("Hd4", COMMON, 16), ("Le6", LEGENDARY, 2)])
def test_deathbringer_shrinks_the_supply_for_good(victim: str, rank: int, left: int) -> None:
    state = everfrost(f"d5 c7 d7 e7 | {victim}", "deathbringer")
    state = after(state, f"S:deathbringer@e5r0;{victim[1:]}", "P:a5", "end")
    assert Look(state, 1).stock(1, rank) == left
    assert standing(state) == "a5 d5 He5 c7 d7 e7"


def test_whisperers_flare_is_replaced_at_the_end_of_the_turn() -> None:
    state = everfrost("d6 e6", "flare-1", frozen="winter-whisperer", actions=0)
    state = after(state, "T:winter-whisperer;d6;flare-1")
    assert (describe(state, "actions"), len(state.players[0].flares)) == (1, 0)
    state = after(state, "P:a5", "end")
    assert len(state.players[0].flares) == 1
