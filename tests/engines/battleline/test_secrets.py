"""What each audience sees and remembers, Scout above all, and that imagination is uniform over what is possible."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest
from hamle.battleline.v1 import battleline_pb2 as pb

from core.fairness.draw import SeededDraw
from engines.battleline.cards import NAMES, TROOPS
from engines.battleline.game import GAME
from engines.battleline.meta import DEFAULTS
from engines.battleline.state import State, deck_of
from engines.kit.conformance import match_count, random_move
from engines.kit.game import EVERYBODY, PUBLIC
from tests.engines.battleline.table import ALL, cards, draw, everything, front, play, position, tell

BLOCK = 25
BLOCKS = range(match_count() // BLOCK)
AUDIENCES = (0, 1, PUBLIC)


def seen(state: State, audience: int) -> pb.View:
    view = GAME.view(state, audience)
    assert isinstance(view, pb.View)
    return view


def scouted() -> State:
    """Seat 0 has played Scout and put R1, then R2 back on the troop deck; it is seat 1's turn."""
    state = position(hands=("SCT R1 R2", "O1"))
    return play(state, "SCT", "draw:troop", "draw:tactic", "draw:troop", "ret:R1,R2")


def test_others_see_backs_only() -> None:
    state = position(hands=("R1 FOG", "B1 MUD"))
    for audience, own in ((0, 0), (1, 1), (PUBLIC, None)):
        view = seen(state, audience)
        assert [(hand.troops, hand.tactics) for hand in view.hands] == [(6, 1), (6, 1)]
        for seat in (0, 1):
            assert bool(view.hands[seat].cards) == (seat == own)
        assert not view.troops.known
        assert not view.tactics.known


def test_everybody_sees_all_once_it_is_over() -> None:
    state = scouted()
    view = seen(state, EVERYBODY)
    assert [len(hand.cards) for hand in view.hands] == [7, 7]
    assert len(view.troops.known) == view.troops.size
    assert list(view.troops.known[:2]) == ["R2", "R1"]
    assert GAME.imagine(view, EVERYBODY, draw()) == state


def test_the_hand_is_shown_in_an_order_that_tells_nothing() -> None:
    drawn = play(position(hands=("R9", "")), "R9@1", "draw:tactic", "R8@1", "draw:troop")
    for hand, shown in zip(drawn.hands, (seen(drawn, 0).hands[0], seen(drawn, 1).hands[1]), strict=True):
        assert list(hand) == sorted(hand)
        assert [NAMES[card] for card in hand] == list(shown.cards)


def test_scouts_player_remembers_what_it_put_back() -> None:
    state = scouted()
    assert list(seen(state, 0).troops.known) == ["R2", "R1"]
    for audience in (1, PUBLIC):
        assert not seen(state, audience).troops.known
        assert seen(state, audience).troops.returned == 2


def test_a_remembered_card_is_followed_into_the_opponents_hand_and_onto_the_table() -> None:
    state = play(scouted(), "O1@1", "draw:troop")
    view = seen(state, 0)
    assert list(view.scouted.held) == ["R2"]
    assert list(view.troops.known) == ["R1"]
    assert list(seen(state, 1).scouted.held) == ["R2"]
    assert not seen(state, PUBLIC).scouted.held
    assert (seen(state, PUBLIC).scouted.fewest_troops, seen(state, PUBLIC).scouted.most_troops) == (1, 1)
    own = NAMES[next(card for card in state.hands[0] if card < TROOPS)]
    state = play(state, f"{own}@2", "draw:tactic", "R2@3")
    assert not seen(state, 0).scouted.held
    assert (seen(state, PUBLIC).scouted.fewest_troops, seen(state, PUBLIC).scouted.most_troops) == (0, 1)


def test_the_public_knows_that_no_more_cards_are_held_than_there_are_backs() -> None:
    state = position(hands=("SCT R1 R2", "O1 FOG MUD CAV DES TRA ALX"))
    state = play(state, "SCT", "draw:troop", "draw:troop", "draw:troop", "ret:R1,R2", "O1@1", "draw:troop")
    bounds = [seen(state, PUBLIC).scouted.most_troops]
    own = NAMES[next(card for card in state.hands[0] if card < TROOPS)]
    state = play(state, f"{own}@2", "draw:tactic", "R2@3")
    bounds.append(seen(state, PUBLIC).scouted.most_troops)
    assert bounds == [1, 0]


def test_a_remembered_card_drawn_by_its_player_is_forgotten() -> None:
    state = play(scouted(), "O1@1", "draw:tactic")
    own = NAMES[next(card for card in state.hands[0] if card < TROOPS)]
    state = play(state, f"{own}@2", "draw:troop")
    assert list(seen(state, 0).troops.known) == ["R1"]
    assert not seen(state, 0).scouted.held
    assert cards("R2")[0] in state.hands[0]


def test_a_return_reads_as_backs_to_others() -> None:
    state = position(hands=("SCT R1 FOG", "O1"))
    state = play(state, "SCT", "draw:troop", "draw:troop", "draw:troop")
    assert GAME.redact(state, 0, "ret:R1,FOG", 1) == "ret:troop,tactic"
    assert GAME.redact(state, 0, "ret:R1,FOG", PUBLIC) == "ret:troop,tactic"
    assert GAME.redact(state, 0, "ret:R1,FOG", 0) == "ret:R1,FOG"
    assert GAME.redact(state, 0, "ret:R1,FOG", EVERYBODY) == "ret:R1,FOG"


def test_facts_of_draws_and_returns_name_cards_to_their_seat_only() -> None:
    state = play(position(hands=("SCT R1 R2", "O1")), "SCT", "draw:troop", "draw:troop")
    state, facts = tell(state, "draw:troop")
    assert [(fact.kind, fact.audiences) for fact in facts] == [("drew", None), ("drew_card", frozenset({0}))]
    _, facts = tell(state, "ret:R1,R2")
    assert [(fact.kind, fact.audiences) for fact in facts] == [("returned", None), ("returned_cards", frozenset({0}))]
    assert "R1" not in str(facts[0])


def matches(block: int) -> Iterator[tuple[State, str]]:
    """Moves of random matches with the states after them. Scout is played as soon as it can be."""
    variants: list[dict[str, str]] = [{}, {"last_chance": "on"}, {"open_fronts": "on"}, {"trim": "automatic"}]
    for match in range(block * BLOCK, (block + 1) * BLOCK):
        rng = random.Random(match)
        seed = match.to_bytes(4, "big")
        state, seq = GAME.setup({**DEFAULTS, **variants[match % len(variants)]}, 2, SeededDraw(seed, 1)), 1
        while (seat := state.actor()) >= 0:
            seq += 1
            firsts = [choice.text for choice in GAME.choices(state, seat)]
            tactic = "draw:tactic" in firsts and rng.random() < 0.5
            move = "SCT" if "SCT" in firsts else "draw:tactic" if tactic else random_move(GAME, state, seat, rng)
            state, _ = GAME.apply(state, seat, move, SeededDraw(seed, seq))
            yield state, move


def memory_is_true(state: State) -> bool:
    """Whether a Scout is remembered; what is remembered must be so, and its number within the public bounds."""
    memory = state.memory
    if memory is None:
        return False
    assert set(memory.held) <= set(state.hands[1 - memory.seat])
    for deck in (0, 1):
        held = sum(deck_of(card) == deck for card in memory.held)
        assert memory.fewest[deck] <= held <= memory.most[deck]
        assert memory.tops[deck] <= len(state.decks[deck])
    return True


def looks_the_same(state: State, rng: random.Random) -> None:
    """Worlds imagined from views give the same views, outcome and choices."""
    for audience in AUDIENCES:
        view = GAME.view(state, audience)
        other = GAME.imagine(view, audience, SeededDraw(rng.randbytes(8), 1))
        assert GAME.view(other, audience) == view
        assert everything(other) == ALL
        assert GAME.outcome(other) == GAME.outcome(state)
        assert GAME.may_act(other) == GAME.may_act(state)
        assert audience != state.actor() or GAME.choices(other, audience) == GAME.choices(state, audience)


@pytest.mark.parametrize("block", BLOCKS)
def test_cards_are_conserved_memory_is_true_and_nothing_leaks_over_random_matches(block: int) -> None:
    rng = random.Random(block)
    remembered = 0
    for state, move in matches(block):
        assert everything(state) == ALL, move
        if memory_is_true(state):
            remembered += 1
            if rng.random() < 0.03:
                looks_the_same(state, rng)
    assert remembered > 100


@pytest.mark.parametrize("audience", AUDIENCES)
def test_imagined_worlds_are_equally_likely(audience: int) -> None:
    """Four unseen troops between a hand of one and a deck of three: all 24 orders, about as often."""
    flags = {1: front("R1", "")}
    state = position(flags, sizes=(0, 1), decks=(3, 0), turn=0)
    if audience == 1:
        state = state._replace(hands=(state.hands[1], ()))
    view = GAME.view(state, audience)
    counted: Counter[tuple[int, ...]] = Counter()
    for number in range(2_400):
        other = GAME.imagine(view, audience, SeededDraw(number.to_bytes(4, "big"), 1))
        counted[(*other.hands[1], *other.hands[0], *other.decks[0])] += 1
    hidden = (*state.hands[0], *state.hands[1], *state.decks[0])
    assert set(counted) == set(permutations(hidden))
    squares = sum((count - 100) ** 2 / 100 for count in counted.values())
    assert squares < 58, "chi-squared with 23 degrees of freedom: 58 is passed once in 10,000 times"


def test_the_public_imagines_every_number_of_seen_cards_that_the_backs_allow() -> None:
    state = play(scouted(), "O1@1", "draw:troop")
    own = NAMES[next(card for card in state.hands[0] if card < TROOPS)]
    other = NAMES[next(card for card in state.hands[1] if card < TROOPS and NAMES[card] != "R2")]
    state = play(state, f"{own}@2", "draw:tactic", f"{other}@3", "draw:tactic")
    view = seen(state, PUBLIC)
    assert (view.scouted.fewest_troops, view.scouted.most_troops) == (0, 1)
    sizes: Counter[int] = Counter()
    for number in range(400):
        memory = GAME.imagine(view, PUBLIC, SeededDraw(number.to_bytes(4, "big"), 1)).memory
        assert memory is not None
        sizes[len(memory.held)] += 1
    assert set(sizes) == {0, 1}
    backs = view.hands[1].troops
    assert abs(sizes[0] / 400 - 1 / (backs + 1)) < 0.08


def test_what_scouts_player_knows_stays_in_every_imagined_world() -> None:
    state = play(scouted(), "O1@1", "draw:troop")
    for number in range(50):
        other = GAME.imagine(GAME.view(state, 0), 0, SeededDraw(number.to_bytes(4, "big"), 1))
        assert cards("R2")[0] in other.hands[1]
        assert other.decks[0][-1] == cards("R1")[0]
        assert other.hands[0] == state.hands[0]


def test_a_view_that_does_not_add_up_is_refused() -> None:
    view = seen(scouted(), 0)
    view.troops.size += 1
    with pytest.raises(ValueError, match="do not add up"):
        GAME.imagine(view, 0, draw())
