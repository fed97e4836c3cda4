from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from engines.tashkalar import board
from engines.tashkalar.board import COORDINATES, NAMED, NAMES, SQUARE_AT, bits, mask_of
from engines.tashkalar.cards import BEING, BEINGS, Being, Rank
from engines.tashkalar.images import images, marks
from engines.tashkalar.patterns import Lender, Ranks, Summon, blocked_for, hand_summons, lent_summons, summons
from tests.engines.tashkalar import brute_patterns as brute
from tests.engines.tashkalar.brute_patterns import Pieces, Place

BOARDS = 2_000


def squares(names: str) -> int:
    return mask_of(NAMED[name] for name in names.split())


def named(mask: int) -> str:
    return " ".join(NAMES[square] for square in bits(mask))


def commons(names: str) -> Ranks:
    return squares(names), 0, 0


def ranks(pieces: Pieces) -> Ranks:
    common, heroic, legendary = (
        mask_of(SQUARE_AT[place] for place, rank in pieces.items() if rank >= lowest) for lowest in range(3)
    )
    return common, heroic, legendary


def both(own: Ranks, others: Ranks) -> Ranks:
    return own[0] | others[0], own[1] | others[1], own[2] | others[2]


def place(square: int) -> Place:
    return COORDINATES[square]


def told(found: Iterable[Summon]) -> set[tuple[Place, frozenset[Place]]]:
    return {(place(summon.square), frozenset(map(place, bits(summon.needed)))) for summon in found}


def where(being: str, own: Ranks, blocked: int = 0) -> str:
    return named(mask_of(summon.square for summon in summons(BEING[being], own, blocked)))


@pytest.mark.parametrize("being", BEINGS, ids=lambda being: being.key)
def test_a_card_has_as_many_images_as_its_two_sources_say(being: Being) -> None:
    assert len(images(being.number)) == being.images
    assert images(being.number)[0].cells == being.pattern


@pytest.mark.parametrize("part", range(8))
def test_summons_on_random_boards_are_those_of_the_letter_of_the_rules(part: int) -> None:
    chance = random.Random(f"boards {part}")
    for number in range(BOARDS // 8):
        own, others = brute.random_pieces(chance)
        hand = (
            chance.sample(range(108), 2) + [108 + chance.randrange(12)] + [BEING["time-traveler"]] * (number % 4 == 0)
        )
        everyone = both(ranks(own), ranks(others))
        for being, found in hand_summons(hand, ranks(own), everyone):
            assert told(found) == brute.summons(being, own, others), (being, own, others)
            assert found == summons(being, ranks(own), blocked_for(being, everyone))


def test_every_being_is_found_on_some_random_board() -> None:
    chance = random.Random("crowded")
    wanted = set(range(120))
    for _ in range(400):
        own, others = brute.random_pieces(chance)
        everyone = both(ranks(own), ranks(others))
        wanted -= {being for being, found in hand_summons(sorted(wanted), ranks(own), everyone) if found}
    assert not wanted


@pytest.mark.parametrize("part", range(4))
def test_lent_summons_on_random_boards_are_those_of_the_letter_of_the_rules(part: int) -> None:
    chance = random.Random(f"lent {part}")
    seen = 0
    for _ in range(60):
        own, others = brute.random_pieces(chance)
        one, two = split(others, chance)
        empty: Pieces = {place: 0 for place in brute.PLACES if place not in own and place not in others}
        pools = chance.choice(
            ([(one, 1)], [(one, 1), (two, 1)], [(others, 1), (one, 1)], [(empty, 2)], [(one, 1), (empty, 2)])
        )
        lenders = [Lender(ranks(pieces), most) for pieces, most in pools]
        being = chance.randrange(120)
        blocked = blocked_for(being, both(ranks(own), ranks(others)))
        found = {
            (
                place(lent.summon.square),
                frozenset(map(place, bits(lent.summon.needed))),
                frozenset((place(square), lender) for square, lender in lent.lent),
            )
            for lent in lent_summons(being, ranks(own), blocked, lenders)
        }
        assert found == brute.lent(being, own, others, pools), (being, own, others, pools)
        seen += len(found)
    assert seen


def split(pieces: Pieces, chance: random.Random) -> tuple[Pieces, Pieces]:
    one = {place: rank for place, rank in pieces.items() if chance.random() < 0.5}
    return one, {place: rank for place, rank in pieces.items() if place not in one}


@pytest.mark.parametrize("being", [being for being in BEINGS if not being.anywhere], ids=lambda being: being.key)
def test_on_a_full_board_a_pattern_fits_wherever_its_squares_are_on_the_board(being: Being) -> None:
    expected = set()
    for position in brute.positions(being.number):
        for x, y in brute.PLACES:
            pattern = frozenset((x + dx, y + dy) for dx, dy in position)
            if pattern <= set(brute.PLACES):
                expected.add(((x, y), pattern))
    assert told(summons(being.number, (board.ALL, board.ALL, board.ALL), 0)) == expected


def test_a_pattern_counts_in_all_turned_and_mirrored_positions() -> None:
    # Dire Wolf on e5 as printed wants d6, e6 and c7.
    eight = ("d6 e6 c7", "d4 d5 c3", "f4 e4 g3", "f6 f5 g7", "f6 e6 g7", "d6 d5 c7", "d4 e4 c3", "f4 f5 g3")
    for names in eight:
        assert "e5" in where("dire-wolf", commons(names)).split(), names
    for names in ("d6 e6 c6", "d6 e6 d7", "d6 f6 c7"):
        assert "e5" not in where("dire-wolf", commons(names)).split(), names


def test_images_are_counted_by_turns_clockwise_then_each_mirrored_and_equal_ones_once() -> None:
    # README: `r0` to `r7`. Dire Wolf has all eight, Swordmaster a column and a row.
    eight = ("d6 e6 c7", "d4 d5 c3", "f4 e4 g3", "f6 f5 g7", "f6 e6 g7", "f4 f5 g3", "d4 e4 c3", "d6 d5 c7")
    for card, counted in (("dire-wolf", eight), ("swordmaster", ("e4 e6", "d5 f5"))):
        for image, names in enumerate(counted):
            found = summons(BEING[card], commons(names), 0)
            assert image in [summon.image for summon in found if NAMES[summon.square] == "e5"]
        assert len(images(BEING[card])) == len(counted)


def test_a_higher_rank_satisfies_a_lower_requirement_and_not_the_other_way() -> None:
    needs = "d2 f2 e3 e4"  # Fire Dragon on e5; e3 alone may be common
    all_heroic: Ranks = (squares(needs), squares(needs), 0)
    assert where("fire-dragon", all_heroic) == "e5"
    assert where("fire-dragon", (squares(needs), squares("d2 f2 e4"), 0)) == "e5"
    assert where("fire-dragon", (squares(needs), squares("d2 f2 e4"), squares("d2"))) == "e5"
    assert where("fire-dragon", (squares(needs), squares("d2 f2 e3"), 0)) == ""


def test_nothing_lands_on_a_higher_rank() -> None:
    own = commons("e4 e6")
    assert where("swordmaster", own) == "e5"
    assert where("swordmaster", own, squares("e5")) == ""
    everyone: Ranks = (squares("e4 e6 e5"), squares("e5"), 0)
    assert blocked_for(BEING["swordmaster"], everyone) == squares("e5")
    assert blocked_for(BEING["cannon"], everyone) == 0
    assert blocked_for(BEING["cannon"], (squares("e5"),) * 3) == squares("e5")
    assert blocked_for(BEING["titan"], (squares("e5"),) * 3) == 0


def test_a_required_piece_on_the_summoning_square_must_be_there() -> None:
    assert BEINGS[BEING["dryad"]].requires_own == Rank.COMMON
    assert where("dryad", commons("d4 e6")) == ""
    assert "e5" in where("dryad", commons("d4 e5 e6")).split()
    angel = "d4 f4 c5 g5 e6"
    assert where("angel-of-death", commons(angel + " e5")) == ""
    assert where("angel-of-death", (squares(angel + " e5"), squares("e5"), 0)) == "e5"


def test_patterns_reach_over_missing_corners_but_not_around_the_edge() -> None:
    # Messenger: two pieces on a diagonal from the square; b1 and a1 are no squares.
    assert where("messenger", commons("c2 d3")) == "e4"
    assert where("messenger", commons("b2 c3")) == "d4"
    # Clan Axeman: two opposite corners around the square, in one of which the board ends.
    assert where("clan-axeman", commons("c1 a3")) == "b2"
    # Master of Intrigue: four corners around the square; columns a and i are not neighbours.
    assert where("master-of-intrigue", commons("i3 i5 a4 a6")) == ""


def test_several_images_match_on_one_square_with_marks_of_their_own() -> None:
    assassin = BEING["assassin"]
    found = [s for s in summons(assassin, commons("d2 c3 b4 f2 g3 h4"), 0) if NAMES[s.square] == "e5"]
    assert sorted(named(marks(assassin, s.square, s.image).squares) for s in found) == ["d4", "f4"]


def test_marked_directions_lie_as_the_pattern_does() -> None:
    tower = BEING["gun-tower"]
    for names, directions in {"e6 f6 e7 f7": {board.W, board.E}, "f5 g5 f6 g6": {board.N, board.S}}.items():
        found = [s for s in summons(tower, commons(names), 0) if NAMES[s.square] == "e5"]
        assert [set(marks(tower, s.square, s.image).directions) for s in found] == [directions]


def test_marks_turn_with_the_pattern() -> None:
    cannon = BEING["cannon"]
    # Printed: a piece to the left of the cannon, one to the left and below that; every direction but left is marked.
    for names, closed in {
        "d5 c6": board.W,
        "d5 c4": board.W,
        "f5 g6": board.E,
        "e4 f3": board.N,
        "e6 d7": board.S,
    }.items():
        own = commons("e5 " + names)
        (summon,) = [s for s in summons(cannon, own, 0) if NAMES[s.square] == "e5"]
        assert set(range(8)) - set(marks(cannon, summon.square, summon.image).directions) == {closed}, names


def test_marks_beyond_the_edge_are_left_out() -> None:
    summoner = BEING["summoner"]
    (summon,) = [s for s in summons(summoner, commons("d2 e2 f2"), 0) if NAMES[s.square] == "e1"]
    assert named(marks(summoner, summon.square, summon.image).squares) == "c1 d1 f1 g1"


def test_each_square_of_the_crystal_mirror_has_its_fellow_across_the_axis() -> None:
    mirror = BEING["crystal-mirror"]
    found = [s for s in summons(mirror, commons("e4 e6"), 0) if NAMES[s.square] == "e5"]
    pairs = [{NAMES[a]: NAMES[b] for a, b in marks(mirror, summon.square, summon.image).mirrored} for summon in found]
    left = {"c4": "g4", "d4": "f4", "c5": "g5", "d5": "f5", "c6": "g6", "d6": "f6"}
    assert len(pairs) == 2
    assert left in pairs
    assert {b: a for a, b in left.items()} in pairs


def test_only_full_pairs_of_the_mirror_count_at_the_edge() -> None:
    mirror = BEING["crystal-mirror"]
    found = summons(mirror, commons("b4 b6"), 0)
    assert found
    for summon in found:
        pairs = marks(mirror, summon.square, summon.image).mirrored
        assert {frozenset((NAMES[a], NAMES[b])) for a, b in pairs} == {
            frozenset(pair) for pair in (("a4", "c4"), ("a5", "c5"), ("a6", "c6"))
        }


def test_the_gate_of_oblivion_has_one_special_square_and_no_mirror() -> None:
    gate = BEING["gate-of-oblivion"]
    (summon,) = [s for s in summons(gate, commons("d5 f5 d6 f6"), 0) if NAMES[s.square] == "e5"]
    found = marks(gate, summon.square, summon.image)
    assert (named(found.special), found.mirrored) == ("e6", ())
    assert named(found.squares) == "d4 e4 f4 c5 g5 c6 g6"


def test_the_time_traveler_lands_on_any_empty_colourless_square() -> None:
    traveler = BEING["time-traveler"]
    own = commons("b2 c3 d4")
    everyone: Ranks = (own[0] | squares("g7"), 0, 0)
    found = summons(traveler, own, blocked_for(traveler, everyone))
    assert mask_of(summon.square for summon in found) == board.COLOURLESS & ~everyone[0]
    assert {named(summon.needed) for summon in found} == {"b2 c3 d4"}


def test_one_enemy_piece_may_stand_in_when_it_is_lent() -> None:
    swordmaster = BEING["swordmaster"]
    lender = Lender(commons("e6 a5"), 1)
    (lent,) = lent_summons(swordmaster, commons("e4"), 0, [lender])
    assert (NAMES[lent.summon.square], lent.lent) == ("e5", ((NAMED["e6"], 0),))
    assert summons(swordmaster, commons("e4 e6"), 0)
    assert lent_summons(swordmaster, commons("e4 e6"), 0, [lender]) == []
    assert lent_summons(swordmaster, commons("b2"), 0, [Lender(commons("e4 e6"), 1)]) == []


def test_each_lender_lends_no_more_than_it_may() -> None:
    herald = BEING["herald"]
    own, far = commons("f6"), commons("g6 f7")
    assert [way for way in lent_summons(herald, own, 0, [Lender(far, 1)]) if NAMES[way.summon.square] == "e5"] == []
    (both_ways,) = [way for way in lent_summons(herald, own, 0, [Lender(far, 2)]) if NAMES[way.summon.square] == "e5"]
    assert both_ways.lent == ((NAMED["g6"], 0), (NAMED["f7"], 0))
    apart = lent_summons(herald, own, 0, [Lender(far, 1), Lender(far, 1)])
    assert sorted(way.lent for way in apart if NAMES[way.summon.square] == "e5") == [
        ((NAMED["g6"], 0), (NAMED["f7"], 1)),
        ((NAMED["g6"], 1), (NAMED["f7"], 0)),
    ]


def test_a_lent_piece_needs_the_rank_too() -> None:
    own: Ranks = (squares("d2 f2 e3"), squares("d2 f2"), 0)
    dragon = BEING["fire-dragon"]
    assert lent_summons(dragon, own, 0, [Lender(commons("e4"), 1)]) == []
    lenders = [Lender((squares("e4"), squares("e4"), 0), 1)]
    assert [NAMES[lent.summon.square] for lent in lent_summons(dragon, own, 0, lenders)] == ["e5"]


def test_an_own_piece_of_too_low_rank_is_not_replaced_by_a_stand_in() -> None:
    own: Ranks = (squares("d2 f2 e3 e4"), squares("d2 f2"), 0)
    pool = (board.ALL, board.ALL, board.ALL)
    assert all(
        NAMES[way.summon.square] != "e5" for way in lent_summons(BEING["fire-dragon"], own, 0, [Lender(pool, 1)])
    )
