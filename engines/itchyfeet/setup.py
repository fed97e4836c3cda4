"""The start of a match (2.1, R3, R4, R6, H1)."""

from __future__ import annotations

from functools import lru_cache

from engines.itchyfeet import effects
from engines.itchyfeet.cards import Cards, Deck, Group
from engines.itchyfeet.state import NONE, Block, Kind, Place, Rules, State, Task
from engines.kit.game import Draw


@lru_cache(maxsize=64)
def in_match(deck: Deck, rules: Rules) -> Cards:
    """The kinds of cards that a match is played with, passports that nobody got included."""
    wanted = {
        Group.ITEM: True,
        Group.PASSPORT: True,
        Group.SPECIAL: rules.special_items,
        Group.CONTRABAND: rules.contraband,
        Group.POSTCARD: rules.postcards,
        Group.EVENT: rules.events,
    }
    return tuple(number for number, card in enumerate(deck.cards) if wanted[card.group])


@lru_cache(maxsize=64)
def all_cards(deck: Deck, rules: Rules) -> Cards:
    """Each card of the match, copies included, passports left out."""
    return tuple(
        card for card in in_match(deck, rules) if card not in deck.passports for _ in range(deck.cards[card].copies)
    )


def start(deck: Deck, rules: Rules, seats: int, draw: Draw) -> State:
    """The first position: dealt, with the seat nearest to the centre to act."""
    characters = _numbers(draw.shuffle(range(len(deck.characters)), "characters")) if rules.characters else ()
    passports = _numbers(draw.shuffle(deck.of(Group.PASSPORT), "passports"))
    countries = _numbers(draw.shuffle(range(len(deck.countries)), "countries"))
    items = list(_numbers(draw.shuffle([c for c in all_cards(deck, rules) if _is_item(deck, c)], "items")))
    places = tuple(Place(countries[seat], character=characters[seat] if characters else NONE) for seat in range(seats))
    hands = []
    for seat in range(seats):
        count = _starting_items(deck, places[seat])
        hands.append(tuple(sorted((passports[seat], *items[:count]))))
        del items[:count]
    pile = sorted([*items, *(card for card in all_cards(deck, rules) if not _is_item(deck, card))])
    centre = countries[seats]
    starter = min(range(seats), key=lambda seat: (deck.distances[countries[seat]][centre], seat))
    return State(
        deck=deck,
        rules=rules,
        places=places,
        hands=tuple(hands),
        known=(((),) * (seats + 1),) * seats,
        pile=(Block(tuple(pile)),) if pile else (),
        discard=(),
        centre=centre,
        aside=tuple(sorted(countries[seats + 1 :])),
        queue=(),
        starter=starter,
        active=starter,
        agenda=(Task(Kind.ACTION, starter),),
    )


def _numbers(shuffled: tuple[object, ...]) -> Cards:
    return tuple(card for card in shuffled if isinstance(card, int))


def _is_item(deck: Deck, card: int) -> bool:
    return deck.cards[card].group is Group.ITEM


def _starting_items(deck: Deck, place: Place) -> int:
    if place.character != NONE:
        effect = deck.characters[place.character].effect
        if effect.kind == effects.OVERPACKER:
            return effect.number("start_items")
    return deck.constants.starting_items
