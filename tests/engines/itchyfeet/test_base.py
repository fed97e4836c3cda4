"""The base game: set-up, actions, travel, piles, limits (rules 2, 4, 5.1 to 5.6)."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules
from engines.kit.game import IllegalMove
from tests.engines.itchyfeet.table import (
    N,
    cards,
    dealt,
    everything,
    hand,
    pile_size,
    play,
    position,
    start,
    tell,
    texts,
)

BASE = Rules()
TURKEY = "camera phrasebook warm_coat"


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_seat_gets_a_passport_three_items_and_a_country(seats: int) -> None:
    state = start(seats)
    assert len({place.country for place in state.places} | {state.centre}) == seats + 1
    for held in state.hands:
        assert sum(card in HOUSE.passports for card in held) == 1
        assert len(held) == 4
    assert everything(state) == dealt(state)
    assert pile_size(state) == 32 - 3 * seats
    assert len(state.aside) == 12 - seats


def test_the_nearest_country_starts() -> None:
    for seed in range(1, 8):
        state = start(4, seed)
        far = [HOUSE.distances[place.country][state.centre] for place in state.places]
        assert state.active == far.index(min(far))


def test_a_draw_takes_the_top_card_and_ends_the_turn() -> None:
    state = play(position("camera", "sunscreen", pile="bug_spray camera", rules=BASE), "0 draw")
    assert hand(state, 0) == "camera bug_spray"
    assert (state.active, state.round) == (1, 1)


def test_an_empty_hand_draws_three_before_the_action() -> None:
    state = play(position("camera", "", pile="camera " * 5, rules=BASE), "0 draw")
    assert len(state.hands[1]) == 3
    assert state.agenda[-1].kind is Kind.ACTION
    assert state.active == 1


def test_a_pass_is_legal_only_when_nothing_else_is() -> None:
    state = position("passport_01", "camera", pile="", rules=BASE)
    assert "pass" not in texts(state, 0)
    with pytest.raises(IllegalMove, match="R2"):
        tell(state, 0, "pass")
    stuck = position("fireworks", "camera", pile="", rules=Rules(contraband=True))
    assert texts(stuck, 0) == ["offer:", "pass"]
    assert play(stuck, "0 pass").active == 1


def test_an_empty_pile_is_refilled_at_the_next_draw() -> None:
    state = play(position("camera", "sunscreen camera", pile="", rules=BASE), "0 steal:1:camera")
    assert state.pile == ()
    assert hand(play(state, "1 draw"), 1).count("camera") == 1 + ("camera" in hand(state, 1).split())


def test_recycle_pays_two_and_takes_any_card() -> None:
    state = position("camera sunscreen", "camera", discard="bug_spray rain_jacket", rules=BASE)
    after = play(state, "0 recycle:bug_spray:sunscreen+camera")
    assert hand(after, 0) == "bug_spray"
    assert HOUSE.ids(after.discard) == ("rain_jacket", "sunscreen", "camera")


def test_recycle_may_take_back_what_it_paid() -> None:
    state = position("camera sunscreen", "camera", rules=BASE)
    assert hand(play(state, "0 recycle:camera:sunscreen+camera"), 0) == "camera"
    assert set(texts(state, 0, "recycle:camera:")) == {"recycle:camera:sunscreen+"}


def test_a_steal_costs_a_card_and_shows_the_taken_one_to_both_only() -> None:
    state, facts = tell(position("camera", "sunscreen", "bug_spray", rules=BASE), 0, "steal:1:camera")
    assert hand(state, 0) == "sunscreen"
    shown = next(fact for fact in facts if fact.kind == "took_card")
    assert shown.audiences == frozenset({0, 1})


def test_a_seat_without_cards_cannot_be_robbed() -> None:
    with pytest.raises(IllegalMove, match="R26"):
        tell(position("camera", "", "camera", rules=BASE), 0, "steal:1:camera")


def test_travel_shows_the_hand_discards_the_items_and_draws() -> None:
    state = position(f"{TURKEY} passport_01 bug_spray", "camera", rules=BASE)
    after, facts = tell(state, 0, "travel")
    assert HOUSE.ids(after.discard) == tuple(TURKEY.split())
    assert hand(after, 0) == "camera bug_spray passport_01"
    assert (after.places[0].done, after.places[0].country) == (True, -1)
    assert any(fact.kind == "travels" and fact.audiences is None for fact in facts)
    assert after.known[0][1] == cards("bug_spray passport_01")


@pytest.mark.parametrize("held", [TURKEY, "camera phrasebook passport_01", f"{TURKEY} passport_01 fireworks"])
def test_travel_needs_items_a_passport_and_no_contraband(held: str) -> None:
    state = position(held, "camera")
    assert "travel" not in texts(state, 0)
    with pytest.raises(IllegalMove, match=r"2\.4"):
        tell(state, 0, "travel")


def test_the_centre_wins_after_the_own_country_only() -> None:
    items = "hiking_boots rain_jacket warm_coat passport_01"
    assert "travel" not in texts(position(items, "camera", rules=BASE), 0)
    after = play(position(items, "camera", done=(0,), rules=BASE), "0 travel")
    assert (after.winner, after.reason) == (0, "centre")
    assert pile_size(after) == 3
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert [(place.seat, place.place) for place in outcome.placements] == [(0, 1), (1, 2)]


def test_the_limit_is_enforced_clockwise_with_contraband_kept() -> None:
    held = "camera " * 4 + "sunscreen sunscreen fireworks"
    state = play(position(held, "camera", pile="bug_spray", rules=Rules(contraband=True)), "0 draw")
    assert GAME.awaited(state) == {0}
    assert texts(state, 0) == ["discard:sunscreen", "discard:camera", "discard:bug_spray"]
    with pytest.raises(IllegalMove, match="contraband"):
        tell(state, 0, "discard:fireworks")
    assert play(state, "0 discard:bug_spray").active == 1


def test_two_hundred_rounds_are_a_draw() -> None:
    state = position("camera", "camera", rules=BASE, active=1)._replace(round=200)
    after = play(state, "1 draw")
    assert (after.reason, after.winner) == ("round_cap", -1)


def test_a_leaver_discards_its_hand_and_the_others_play_on() -> None:
    state = position("camera sunscreen", "bug_spray", "camera", rules=BASE)
    after, _ = GAME.leave(state, 0, _draw())
    assert sorted(after.discard) == list(cards("camera sunscreen"))
    assert (after.active, after.places[0].here, after.places[0].country) == (1, False, -1)
    last, _ = GAME.leave(after, 2, _draw())
    assert (last.winner, last.reason) == (1, "last_left")
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert [place.place for place in outcome.placements] == [3, 1, 2]


def test_who_leaves_out_of_turn_leaves_the_turn_as_it_is() -> None:
    after, _ = GAME.leave(position("camera", "bug_spray", "camera", rules=BASE), 1, _draw())
    assert after.active == 0
    assert play(after, "0 draw").active == 2


def _draw() -> SeededDraw:
    return SeededDraw(bytes(32), 9)


def test_cards_are_written_as_the_deck_orders_them() -> None:
    with pytest.raises(IllegalMove, match="order"):
        tell(position("camera sunscreen", "camera", rules=BASE), 0, "recycle:camera:camera+sunscreen")
    assert N["sunscreen"] < N["camera"]
