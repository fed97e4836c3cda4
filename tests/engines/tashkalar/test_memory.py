"""What others know of a hand: cards that all saw coming there, until something goes back face down."""

from __future__ import annotations

from engines.tashkalar.cards import BEING
from engines.tashkalar.drawing import remembered
from engines.tashkalar.notation import named
from engines.tashkalar.state import Player

QUEEN, BUCK, HERALD = (BEING[key] for key in ("sylvan-queen", "charging-buck", "herald"))


def test_a_card_that_goes_back_face_down_may_have_been_any_of_the_hand_so_none_is_known_any_more() -> None:
    before = Player(deck=(HERALD,), beings=tuple(sorted((QUEEN, BUCK))), shown=(QUEEN,))
    for card, other in ((QUEEN, BUCK), (BUCK, QUEEN)):
        after = before._replace(deck=(card, HERALD), beings=(other,))
        mine = remembered(before, after, [("returned", (card,))])
        assert mine.shown == ()
        assert mine.under == (card,)


def test_what_is_known_of_a_deck_is_not_forgotten_with_it() -> None:
    before = Player(deck=(HERALD,), beings=tuple(sorted((QUEEN, BUCK))), shown=(HERALD, QUEEN))
    after = before._replace(deck=(BUCK, HERALD), beings=(QUEEN,))
    assert remembered(before, after, [("returned", (BUCK,))]).shown == (HERALD,)


def test_a_move_on_its_way_names_its_card_and_those_of_its_answers() -> None:
    assert named("S:herald@e5r2;e5e6;flare-3;-") == {"herald", "flare-3"}
    assert named("P:e5") == frozenset()
