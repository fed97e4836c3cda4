"""What is taken back, and what each audience sees, where hidden cards come into a move (rules §15)."""

from __future__ import annotations

import pytest

from engines.kit.game import PUBLIC
from engines.tashkalar.game import GAME
from engines.tashkalar.state import State
from tests.engines.tashkalar.corners import check_hidden, match, play, with_cards
from tests.engines.tashkalar.table import cards, offered

FAR = "Hc1 Hd1 He1"


def seen(state: State, audience: int, seat: int = 0) -> list[str]:
    return list(GAME.view(state, audience).players[seat].hand)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("decks", "cards_of", "frozen", "moves"),
    [
        ("imperial imperial", "flare-1 swordmaster", "", ["F:flare-1;a6"]),
        ("imperial imperial", "flare-1 swordmaster", "", ["P:a6", "P:a7", "F:flare-1;b6"]),
        ("imperial imperial", "swordmaster bomb titan flare-1", "", ["D:bomb;titan;swordmaster;-", "P:a6"]),
        ("everfrost imperial", "snow-fox", "crystal-grower", ["T:crystal-grower;d4"]),
        ("everfrost imperial", "snow-fox flare-1", "winter-whisperer", ["T:winter-whisperer;-;flare-1"]),
        ("etherweave imperial", "void-summoner", "", ["W:void-summoner;d4d3"]),
        ("etherweave imperial", "merchant-of-time", "", ["W:merchant-of-time;h5", "P:a6"]),
        ("etherweave imperial", "paradox-worm", "", ["W:paradox-worm;discard-pending"]),
    ],
)
def test_what_costs_no_action_or_shows_a_card_is_taken_back_until_the_turn_ends(
    decks: str, cards_of: str, frozen: str, moves: list[str]
) -> None:
    state = match(f"d4 e4 a5 | h5 {FAR}", decks=decks)
    state = with_cards(state, 0, cards_of, frozen=frozen)
    check_hidden(state)
    for move in moves:
        after = play(state, move)
        assert not GAME.barrier(state, after)
        check_hidden(after)
        state = after
    done = state._replace(turn=state.turn._replace(actions=0))
    assert GAME.barrier(done, play(done, "end"))


def test_a_turn_without_a_draw_ends_for_good_all_the_same() -> None:
    # §15: the end of the turn, whether or not something is drawn or claimed.
    state = with_cards(match("a5 | i5", actions=0), 0, "swordmaster bomb herald titan fire-dragon flare-1")
    assert GAME.barrier(state, play(state, "end"))


def test_cards_that_were_returned_are_backs_to_others_in_move_facts_and_view() -> None:
    state = with_cards(match("a5 | i5"), 0, "swordmaster bomb herald titan flare-1")
    move = "D:bomb;titan;flare-1;swordmaster;-"
    after, facts = GAME.apply(state, 0, move, None)  # type: ignore[arg-type]
    for audience in (1, PUBLIC):
        assert GAME.redact(state, 0, move, audience) == "D:bomb;legend;flare;being;-"
        told = [str(value) for fact in facts for _, value in fact.parameters if fact.audiences is None]
        assert not [word for word in told if word in ("Titan", "Swordmaster", "flare-1")]
        assert seen(after, audience) == []
    other = with_cards(match("a5 | i5"), 0, "knight bomb assassin fire-dragon flare-5")
    hidden = GAME.apply(other, 0, "D:bomb;fire-dragon;flare-5;knight;-", None)[0]  # type: ignore[arg-type]
    for audience in (1, PUBLIC):
        assert GAME.view(after, audience) == GAME.view(hidden, audience)


def test_a_known_card_is_known_no_longer_once_any_card_went_back_face_down() -> None:
    state = match("d3 c5 d6 | i5", decks="etherweave imperial", actions=3)
    state = with_cards(state, 0, "warpmaster doppelganger dark-sphere", pending="void-summoner")
    state = play(state, "S:warpmaster@e5r0;take-back")
    assert seen(state, 1) == ["void-summoner"]
    check_hidden(state)
    state = play(state, "D:doppelganger;dark-sphere;-")
    assert seen(state, 1) == []
    check_hidden(state)


def test_a_known_card_that_was_discarded_openly_leaves_the_others_known() -> None:
    state = match("d3 c5 d6 | i5", decks="etherweave imperial", actions=3)
    state = with_cards(state, 0, "warpmaster doppelganger", pending="void-summoner")
    state = play(state, "S:warpmaster@e5r0;take-back", "D:doppelganger;-")
    assert seen(state, 1) == ["void-summoner"]
    check_hidden(state)


def test_what_a_hound_kept_under_its_deck_stays_known_above_what_is_returned_later() -> None:
    state = match("b6 c5 d5 e6 | i5", decks="nethervoid imperial", actions=3)
    state = with_cards(state, 0, "hell-hound shadow-imp flame-imp gate-keeper")
    begun = next(text for text in offered(state, "S:hell-hound@") if "@e5" in text)
    state = play(state, f"{begun};-")
    assert [(known.place, known.card) for known in _deck(state, 1)] == [(0, "hell-hound")]
    state = play(state, "D:flame-imp;gate-keeper;-")
    assert [(known.place, known.card) for known in _deck(state, 1)] == [(1, "hell-hound")]
    assert [(known.place, known.card) for known in _deck(state, 0)] == [(0, "gate-keeper"), (1, "hell-hound")]
    check_hidden(state)


def _deck(state: State, audience: int) -> list:  # type: ignore[type-arg]
    return list(GAME.view(state, audience).players[0].deck.known)  # type: ignore[attr-defined]


def test_cards_lie_in_a_hand_in_an_order_that_tells_nothing() -> None:
    one = with_cards(match("a5 | i5"), 0, "swordmaster bomb herald")
    other = with_cards(match("a5 | i5"), 0, "herald swordmaster bomb")
    assert GAME.dump(one) == GAME.dump(other)


def test_a_discarded_flare_of_a_thawing_is_open_and_the_hand_else_is_not() -> None:
    state = with_cards(match("d4 | i5", decks="everfrost imperial"), 0, "snow-fox flare-3", frozen="winter-whisperer")
    after = play(state, "T:winter-whisperer;d4;flare-3")
    view = GAME.view(after, 1)
    assert (list(view.flare_discards), seen(after, 1)) == (["flare-3"], [])  # type: ignore[attr-defined]
    assert after.turn.actions == 3
    assert after.players[0].discards == cards("winter-whisperer")
