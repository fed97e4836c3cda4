"""Decks of an owner: other limits, no special items, more events, as many passports as seats, effects at their ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb

from core.fairness.draw import SeededDraw
from engines.itchyfeet import effects, legal
from engines.itchyfeet.deck import HOUSE_FILE, check
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Block, Kind, State
from engines.kit.conformance import play_match
from engines.kit.game import PUBLIC, Problem
from engines.kit.options import full_options
from tests.engines.itchyfeet.table import ALL_ON, dealt, eager, everything

GROUPS = ("items", "passports", "events", "special_items", "contraband", "postcards", "characters", "countries")


def deck(change: Callable[[dict[str, Any]], None]) -> bytes:
    """The house deck, changed; the counts are those of what is there then."""
    document: dict[str, Any] = json.loads(HOUSE_FILE.read_bytes()) | {"name": "own"}
    change(document)
    for group in GROUPS:
        document["counts"][group]["value"] = sum(entry.get("copies", 1) for entry in document[group])
    return json.dumps(document).encode()


def game_of(data: bytes) -> Any:
    assert check(data) == ()
    return GAME.with_material("deck", data)


def dealt_with(game: Any, seats: int, **options: str) -> State:
    options = {"deck": game.info.options[-1].values[-1], **options}
    state = game.setup(full_options(game.info, options), seats, SeededDraw(bytes(32), 1))
    assert isinstance(state, State)
    return state


def entry(document: dict[str, Any], group: str, name: str) -> dict[str, Any]:
    return next(found for found in document[group] if found["id"] == name)


def constant(document: dict[str, Any], name: str, value: int) -> None:
    document["constants"][name]["value"] = value


def play_through(game: Any, seats: int, options: dict[str, str], moves: int = 120) -> int:
    """Plays with seats that leave; cards stay, limits hold. The number of moves."""
    options = {"deck": game.info.options[-1].values[-1], **options}
    count = 0
    for step in play_match(game, options, seats, seats, eager, departures=0.01):
        state, count = step.after, count + 1
        assert everything(state) == dealt(state)
        if not state.reason and state.agenda[-1].kind is Kind.ACTION:
            assert all(len(hand) <= legal.limit(state, seat) for seat, hand in enumerate(state.hands))
        view = game.view(state, PUBLIC)
        assert game.view(game.imagine(view, PUBLIC, SeededDraw(bytes(32), count)), PUBLIC) == view
        if count == moves:
            break
    return count


def without_some(document: dict[str, Any]) -> None:
    for group in ("special_items", "events", "contraband", "postcards"):
        document[group] = []


def few(document: dict[str, Any]) -> None:
    document["passports"] = document["passports"][:6]
    gone = {country["id"] for country in document["countries"][7:]}
    document["countries"] = document["countries"][:7]
    table = document["distances_km"]
    kept = [at for at, name in enumerate(table["order"]) if name not in gone]
    table["matrix"] = [[table["matrix"][a][b] for b in kept] for a in kept]
    table["order"] = [table["order"][at] for at in kept]


def narrow(document: dict[str, Any]) -> None:
    constant(document, "hand_limit", 4)


def twice(document: dict[str, Any]) -> None:
    for event in document["events"]:
        event["copies"] = 2


@pytest.mark.parametrize("change", [without_some, few, narrow, twice], ids=lambda change: change.__name__)
@pytest.mark.parametrize("seats", [2, 6])
def test_an_owner_s_deck_is_played_with_every_extension_on(
    change: Callable[[dict[str, Any]], None], seats: int
) -> None:
    # Rules 3, R5, R20: also extensions that the deck has no cards of.
    assert play_through(game_of(deck(change)), seats, ALL_ON) > 10


def test_extensions_that_the_deck_does_not_have_ask_nobody() -> None:
    # R48, R51: no card could be in a hand.
    game = game_of(deck(without_some))
    state = dealt_with(game, 3, **ALL_ON)
    assert game.may_act(state) == {state.active}
    seat, other = state.active, (state.active + 1) % 3
    paid = next(card for card in state.hands[seat])
    after, _ = game.apply(state, seat, f"steal:{other}:{state.deck.cards[paid].id}", SeededDraw(bytes(32), 2))
    assert after.agenda[-1].kind in (Kind.ACTION, Kind.TAKE)


def test_what_the_centre_of_an_owner_s_deck_needs_is_seen_by_everybody() -> None:
    needs = ["sunscreen", "rain_jacket", "camera"]

    def alike(document: dict[str, Any]) -> None:
        for country in document["countries"]:
            country["requires"] = needs

    state = dealt_with(game_of(deck(alike)), 2)
    for audience in (0, 1, PUBLIC):
        view = GAME.view(state, audience)
        assert isinstance(view, pb.View)
        assert list(view.centre_requires) == needs
        assert f"needs {' '.join(needs)}\n" in GAME.text(view, audience, "en")


def test_six_seats_hold_all_six_passports_and_no_country_is_set_aside() -> None:
    # R5, 6.3: the Map and Civil Unrest have nothing to take.
    game = game_of(deck(few))
    state = dealt_with(game, 6, **ALL_ON)
    assert sorted(card for hand in state.hands for card in hand if card in state.deck.passports) == sorted(
        state.deck.passports
    )
    assert (state.aside, state.queue, legal.mappable(state)) == ((), (), [])
    unrest = state._replace(pile=(Block((state.deck.numbers["civil_unrest"],)), *state.pile))
    after, facts = game.apply(unrest, state.active, "draw", SeededDraw(bytes(32), 2))
    assert after.centre == state.centre
    assert "new_centre" not in [fact.kind for fact in facts]


def problems(change: Callable[[dict[str, Any]], None]) -> list[str]:
    return [str(Problem(*problem)) for problem in check(deck(change))]


def test_a_character_s_hand_limit_counts_where_contraband_must_fit_below_the_limit() -> None:
    # R20, R54: else a hand of contraband alone could never come down to the limit.
    def change(document: dict[str, Any]) -> None:
        constant(document, "hand_limit", 10)
        entry(document, "characters", "overpacker")["effect"]["hand_limit"] = 7
        document["contraband"][0]["copies"] = 5

    assert problems(change) == ["contraband: has 7 cards; expected fewer than the hand limit 7 (R20)"]


@pytest.mark.parametrize("name", ["starting_items", "items_per_country"])
def test_a_passport_and_the_items_must_fit_into_a_hand(name: str) -> None:
    # 2.5: a hand above the limit at the first action, or a country that nobody can travel to.
    def change(document: dict[str, Any]) -> None:
        constant(document, "hand_limit", 4)
        constant(document, name, 4)
        for country in document["countries"] if name == "items_per_country" else ():
            country["requires"] = [*country["requires"], country["requires"][0]]

    assert problems(change) == [
        f"constants.{name}.value: is 4; expected fewer than the hand limit 4: a passport is held with them"
    ]


@pytest.mark.parametrize(("copies", "draw", "sound"), [(5, 1, True), (6, 1, False), (3, 3, True), (4, 3, False)])
def test_events_that_turn_up_one_another_come_to_an_end_in_time(copies: int, draw: int, sound: bool) -> None:
    # R14: nothing but sales in the piles, six seats; the last ones are drawn again and again.
    def change(document: dict[str, Any]) -> None:
        sale = entry(document, "events", "duty_free_sale")
        sale["copies"], sale["effect"]["draw"] = copies, draw

    if not sound:
        (problem,) = problems(change)
        assert problem.startswith("events: can turn up one another: more than 10000 draws")
        return
    game = game_of(deck(change))
    state = dealt_with(game, 6, events="on")
    sales = Block((state.deck.numbers["duty_free_sale"],) * copies)
    after, facts = game.apply(state._replace(pile=(sales,), discard=()), state.active, "draw", SeededDraw(bytes(32), 2))
    assert sum(fact.kind == "event" for fact in facts) >= copies
    assert after.hands == state.hands
    assert game.load(game.dump(after)) == after


def test_a_deck_that_is_wrong_in_its_numbers_is_explained_all_the_same() -> None:
    # Numbers far out of range are told, and the checks that build on them do not stumble.
    def change(document: dict[str, Any]) -> None:
        entry(document, "events", "duty_free_sale")["effect"]["draw"] = 10**4000
        entry(document, "characters", "overpacker")["effect"]["hand_limit"] = -5

    found = [problem.partition(":")[0] for problem in problems(change)]
    assert {"events[3].effect.draw", "characters[5].effect.hand_limit"} <= set(found)


def test_two_copies_of_a_blocking_card_can_be_in_two_hands_or_in_the_thief_s() -> None:
    # R51, R52: one copy that is seen elsewhere leaves another.
    def change(document: dict[str, Any]) -> None:
        entry(document, "special_items", "mousetrap")["copies"] = 2
        entry(document, "special_items", "lost_reservation")["copies"] = 2

    game = game_of(deck(change))
    state = dealt_with(game, 3, special_items="on")
    trap, seat = state.deck.numbers["mousetrap"], state.active
    other = (seat + 1) % 3
    hands = list(state.hands)
    hands[other] = tuple(sorted((trap, trap)))
    hands[seat] = (state.deck.numbers["camera"], state.deck.numbers["camera"])
    for lying, asked in (((trap,), True), ((trap, trap), False)):
        table = state._replace(hands=tuple(hands), discard=lying)
        after, _ = game.apply(table, seat, f"steal:{other}:camera", SeededDraw(bytes(32), 2))
        assert (after.agenda[-1].kind is Kind.WINDOW) == asked


def test_a_trading_post_with_a_least_number_counts_itself_out() -> None:
    # 6.3: what is put under is held after the card was played.
    def change(document: dict[str, Any]) -> None:
        post = entry(document, "special_items", "trading_post")
        post["effect"] |= {"min": 3, "max": 3}
        post["copies"] = 2

    game = game_of(deck(change))
    state = dealt_with(game, 2, special_items="on")
    post, camera = state.deck.numbers["trading_post"], state.deck.numbers["camera"]
    for held, able in (((post, post, camera), False), ((post, post, camera, camera), True)):
        hands = tuple(tuple(sorted(held)) if seat == state.active else hand for seat, hand in enumerate(state.hands))
        texts = [choice.text for choice in game.choices(state._replace(hands=hands), state.active)]
        assert ("play:trading_post:" in texts) == able


def test_more_extra_actions_and_two_flights_add_up() -> None:
    # 6.3: both are played before the first action.
    def change(document: dict[str, Any]) -> None:
        flight = entry(document, "special_items", "red_eye_flight")
        flight["copies"], flight["effect"]["extra_actions"] = 2, 3

    game = game_of(deck(change))
    state = dealt_with(game, 2, special_items="on")
    seat, flight = state.active, state.deck.numbers["red_eye_flight"]
    hands = tuple((flight, flight) if each == seat else hand for each, hand in enumerate(state.hands))
    state = state._replace(hands=hands)
    for seq in (2, 3):
        state, _ = game.apply(state, seat, "play:red_eye_flight", SeededDraw(bytes(32), seq))
    for acted in range(7):
        assert (state.active, state.acted, state.allowed) == (seat, acted, 7)
        state, _ = game.apply(state, seat, "draw", SeededDraw(bytes(32), 4 + acted))
        while state.agenda[-1].kind is Kind.LIMITS:
            move = next(choice.text for choice in game.choices(state, seat) if choice.complete)
            state, _ = game.apply(state, seat, move, SeededDraw(bytes(32), 20 + acted))
    assert state.active != seat


def test_a_voucher_that_takes_the_action_is_not_played_at_any_time() -> None:
    # R48: the timing that the deck gives it counts.
    def change(document: dict[str, Any]) -> None:
        entry(document, "special_items", "duty_free_voucher")["effect"]["when"] = effects.ACTION

    game = game_of(deck(change))
    state = dealt_with(game, 3, special_items="on")
    voucher = state.deck.numbers["duty_free_voucher"]
    state = state._replace(
        hands=tuple((voucher,) if seat == state.active else hand for seat, hand in enumerate(state.hands))
    )
    assert game.may_act(state) == {state.active}
    after, _ = game.apply(state, state.active, "play:duty_free_voucher", SeededDraw(bytes(32), 2))
    assert (after.active, len(after.hands[state.active])) == ((state.active + 1) % 3, 2)


def test_r4_of_seats_that_are_equally_near_the_lowest_starts() -> None:
    def change(document: dict[str, Any]) -> None:
        table = document["distances_km"]
        size = len(table["order"])
        table["matrix"] = [[0 if row == column else 1000 for column in range(size)] for row in range(size)]

    game = game_of(deck(change))
    assert {dealt_with(game, seats).starter for seats in range(2, 7)} == {0}


def test_an_empty_hand_that_draws_above_its_limit_discards_before_its_action() -> None:
    def change(document: dict[str, Any]) -> None:
        constant(document, "hand_limit", 4)
        constant(document, "empty_hand_draw", 5)

    game = game_of(deck(change))
    state = dealt_with(game, 2)
    first = state.active
    hands = tuple(hand if seat == first else () for seat, hand in enumerate(state.hands))
    state, _ = game.apply(state._replace(hands=hands), first, "draw", SeededDraw(bytes(32), 2))
    assert game.awaited(state) == {first}
    state, _ = game.apply(state, first, game.choices(state, first)[0].text, SeededDraw(bytes(32), 3))
    assert (state.agenda[-1].kind, game.awaited(state)) == (Kind.LIMITS, {1 - first})
    assert len(state.hands[1 - first]) == 5
