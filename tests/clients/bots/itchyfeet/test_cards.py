"""What the bots know by themselves: the house deck as the rules have it."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.seat import view_of
from clients.bots.itchyfeet import cards
from clients.bots.itchyfeet.table import PASSPORT, read
from engines.itchyfeet.cards import Cards, Group
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from tests.engines.itchyfeet.table import ALL_ON, everything, position, start


def test_the_deck_is_the_house_deck() -> None:
    assert {country.id: HOUSE.ids(country.requires) for country in HOUSE.countries} == cards.REQUIRES
    for group, known in (
        (Group.ITEM, cards.ITEMS),
        (Group.SPECIAL, cards.SPECIAL),
        (Group.CONTRABAND, cards.CONTRABAND),
        (Group.POSTCARD, cards.POSTCARDS),
        (Group.EVENT, cards.EVENTS),
    ):
        assert HOUSE.ids(HOUSE.of(group)) == known
    assert {HOUSE.cards[item].copies for item in HOUSE.of(Group.ITEM)} == {cards.COPIES}
    assert all(cards.is_passport(card) for card in HOUSE.ids(HOUSE.of(Group.PASSPORT)))


@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("options", [{}, ALL_ON], ids=["base", "all"])
def test_what_is_unseen_is_what_others_and_the_pile_hold(seats: int, options: dict[str, str]) -> None:
    state = start(seats, 1, **options)
    hidden = everything(state) - Counter(state.hands[0])
    seen = read(view_of(GAME, state, 0)).unseen
    assert seen.total() == hidden.total()
    assert {card: count for card, count in seen.items() if card != PASSPORT} == _items(hidden)


def _items(hidden: Counter[int]) -> dict[str, int]:
    return {HOUSE.cards[card].id: count for card, count in hidden.items() if card not in HOUSE.passports}


def test_a_shown_card_is_known_and_no_more_unseen() -> None:
    state = position("camera passport_01", "bug_spray passport_02")
    known: tuple[tuple[Cards, ...], ...] = (((), (), ()), ((HOUSE.numbers["bug_spray"],), (), ()))
    before, after = read(view_of(GAME, state, 0)), read(view_of(GAME, state._replace(known=known), 0))
    assert after.known[1] == Counter({"bug_spray": 1})
    assert after.holds(1, "bug_spray") == 1.0 > before.holds(1, "bug_spray") > 0.0
    assert after.unseen["bug_spray"] == before.unseen["bug_spray"] - 1
