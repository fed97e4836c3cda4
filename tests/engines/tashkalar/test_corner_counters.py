"""Shortage of counters together with lent, stored and marked pieces (rules §6, §7, §9, §14, §16)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.tashkalar.board import NAMED
from engines.tashkalar.state import Bonus, State
from tests.engines.tashkalar.cases import Case
from tests.engines.tashkalar.corners import check_hidden, match, play, with_cards
from tests.engines.tashkalar.table import describe, drawing, offered


def case(card: str, name: str, before: str, move: str, after: str, then: dict[str, Any], **given: Any) -> Case:
    return Case(card, name, before, move, after, given=given, then=then)


CASES = (
    # §7 (a), (b): the being is what the counter shows now; a Gateway's counter that is used again is none any more.
    case(
        "demon-of-pride",
        "lifts the Gateway, is turned over and becomes it",
        "e6 e7 f7 a5",
        "e5;-",
        "e6 e7 f7 He5",
        {"gateway": "e5"},
        counters=4,
        gateway="a5",
    ),
    case(
        "hell-rider",
        "lands on the Gateway and is it: one move",
        "e5 f5 g5 e6",
        "e5;e5e4",
        "He4 f5 g5 e6",
        {"gateway": "e4"},
        counters=4,
        gateway="e5",
    ),
    case("ice-wyvern", "lifts a heroic piece", "f5 e6 f7 g7 Ha5", "e5;-", "He5 f5 e6 f7 g7", {}, counters=5),
    # [own] What stood on the square is gone all the same where its counter becomes the new piece.
    case(
        "royal-reindeer",
        "lands on an own piece whose counter it takes",
        "e5 d6 e6 f7",
        "e5;-",
        "e5 d6 e6 f7",
        {"destroyed": ""},
        counters=4,
    ),
    case("royal-reindeer", "lifts a piece", "a5 d6 e6 f7", "e5;-", "He5 d6 e6 f7", {}, counters=4),
    # §1, §9: heroic to legendary wants a legendary counter; one that is stored is not free (§16).
    case(
        "iris-of-eternity",
        "is not upgraded while the third legendary counter is stored",
        "d6 f6 d7 f7 e8 La5 Lb5",
        "e5",
        "d6 f6 d7 f7 e8 He5 La5 Lb5",
        {"summoned": "He5"},
        pending="merchant-of-time",
        stored=2,
    ),
    case(
        "gate-master",
        "does not upgrade itself while all legendary counters are used, and names a Gateway",
        "e4 f4 d5 f5 g5 La5 Lb5 Lc5",
        "e5;d5",
        "e4 f4 d5 f5 g5 He5 La5 Lb5 Lc5",
        {"summoned": "He5", "gateway": "d5"},
    ),
    # §9: a converted piece wants an own counter, whatever the enemy gets back.
    case(
        "frostweave-illusionist",
        "thawed, converts nothing",
        "a5 b5 | h5",
        "thaw",
        "a5 b5 | h5",
        {"frozen": ""},
        counters=2,
    ),
    # §16: a pending being's piece that was banished by none: the stock is what is neither on the board nor stored.
    case(
        "eternal-emperor",
        "places nothing while the last counter is stored",
        "d4 d5 d6 e6",
        "e5;-",
        "d4 d5 d6 e6 He5",
        {},
        counters=6,
        pending="merchant-of-time",
        stored=0,
    ),
)


@pytest.mark.parametrize("row", CASES, ids=str)
def test_without_counters(row: Case) -> None:
    row.check()


def short(state: State, left: int) -> State:
    """Seat 0's colour has so few two-sided counters that so many are free."""
    used = (state.board[0] | state.board[1]).bit_count()
    return state._replace(lost=(state.rules.counters - used - left, *state.lost[1:]))


def test_a_lifted_gateway_is_none_when_its_counter_is_placed_again() -> None:
    # §6, §16: also where it is placed on the square from which it was lifted.
    state = short(match("a5 b5 | i5", decks="nethervoid imperial"), 0)._replace(gateway=NAMED["a5"])
    assert play(state, "P:a5>e5").gateway == -1
    assert play(state, "P:a5>a5").gateway == -1
    assert play(state, "P:b5>e5").gateway == NAMED["a5"]


def test_a_piece_outside_an_improvised_pattern_is_lifted_and_none_within_it() -> None:
    state = match("e4 a5 | e6 | i5", form="melee", decks="imperial imperial imperial")
    state = short(with_cards(state, 0, "swordmaster"), 0)
    after = play(state, "S:swordmaster@e5r0*e6")
    assert drawing(after.board) == "e4 e5 | e6 | i5"
    alone = short(
        with_cards(match("e4 | e6 | i5", form="melee", decks="imperial imperial imperial"), 0, "swordmaster"), 0
    )
    assert not offered(alone, "S:swordmaster@")
    check_hidden(alone)


def test_any_own_piece_is_lifted_for_a_being_of_lent_pieces() -> None:
    # §16: the pattern is of the lent colour, so that it needs no own piece.
    state = short(with_cards(match("a5 b5 | e4", decks="nethervoid imperial"), 0, "demon-of-sloth"), 0)
    state = state._replace(turn=state.turn._replace(bonus=Bonus(colour=1)))
    begun = next(text for text in offered(state, "S:demon-of-sloth@") if "@d5" in text)
    assert offered(state, begun) == [f"{begun};a5", f"{begun};b5"]
    after = play(state, f"{begun};b5")
    assert drawing(after.board) == "a5 Hd5 | e4"
    none = short(with_cards(match("La5 | e4", decks="nethervoid imperial"), 0, "demon-of-sloth"), 0)
    none = none._replace(turn=none.turn._replace(bonus=Bonus(colour=1)))
    assert not offered(none, "S:demon-of-sloth@")


def test_a_being_that_lands_on_a_lent_piece_destroys_it() -> None:
    # §7: a required piece inside the frame is replaced, whosever it is.
    state = with_cards(match("a5 | e5 f5 g5 e6", decks="nethervoid imperial"), 0, "hell-rider")
    state = state._replace(turn=state.turn._replace(bonus=Bonus(colour=1)))
    begun = next(text for text in offered(state, "S:hell-rider@") if "@e5" in text)
    after = play(state, f"{begun};-")
    assert (drawing(after.board), describe(after, "destroyed")) == ("a5 He5 | f5 g5 e6", "C1:1")


def test_a_counter_that_the_summon_itself_frees_is_free_for_its_effect() -> None:
    # §17: counters of pieces destroyed this turn are free at once, those of a covered own piece too.
    state = with_cards(match("d6 e6 f6 He5 | i5", decks="imperial imperial"), 0, "summoner")
    state = short(state, 1)
    after = play(state, next(t for t in offered(state, "S:summoner@") if "@e5" in t) + ";e4")
    assert drawing(after.board) == "e4 He5 d6 e6 f6 | i5"
