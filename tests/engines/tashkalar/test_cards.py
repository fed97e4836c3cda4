from __future__ import annotations

from collections import Counter

import pytest

from engines.tashkalar.cards import (
    BEING,
    BEINGS,
    DECKS,
    FLARES,
    LEGENDS,
    SCHOOLS,
    TASK,
    TASKS,
    Rank,
)


def test_there_are_120_beings_12_flares_and_24_tasks() -> None:
    assert (len(BEINGS), len(FLARES), len(TASKS)) == (120, 12, 24)
    assert (len(BEING), len(TASK)) == (120, 24)
    assert [card.number for card in BEINGS] == list(range(120))


@pytest.mark.parametrize("school", SCHOOLS)
def test_a_school_has_five_common_and_thirteen_heroic_beings(school: str) -> None:
    ranks = Counter(BEINGS[number].rank for number in DECKS[school])
    assert ranks == {Rank.COMMON: 5, Rank.HEROIC: 13}


def test_the_legend_deck_has_twelve_legendary_beings() -> None:
    assert Counter(BEINGS[number].rank for number in DECKS[LEGENDS]) == {Rank.LEGENDARY: 12}


def test_decks_part_the_beings() -> None:
    assert sorted(number for deck in DECKS.values() for number in deck) == list(range(120))


def test_only_legends_want_upgraded_pieces() -> None:
    for being in BEINGS:
        wants = {cell.rank for cell in being.pattern}
        assert wants == ({Rank.COMMON, Rank.HEROIC} if being.deck == LEGENDS else {Rank.COMMON}), being.name


def test_frozen_effects_are_everfrost_and_warp_effects_are_etherweave() -> None:
    frozen = [being for being in BEINGS if being.frozen]
    warp = [being for being in BEINGS if being.warp]
    assert ({being.deck for being in frozen}, len(frozen)) == ({"everfrost"}, 7)
    assert ({being.deck for being in warp}, len(warp)) == ({"etherweave"}, 11)


def test_the_beings_that_want_an_own_piece_where_they_are_summoned_are_known() -> None:
    wanting = {being.key: being.requires_own for being in BEINGS if being.requires_own is not None}
    assert set(wanting) == {
        *("cannon", "high-priestess", "war-drummer", "dryad", "ice-queen", "frozen-chest", "snow-monster"),
        *("hell-rider", "demon-of-envy", "dark-sphere", "hell-bull", "angel-of-death", "storm-elemental"),
    }
    assert wanting["angel-of-death"] == Rank.HEROIC
    assert wanting["hell-bull"] == Rank.COMMON


def test_only_the_time_traveler_is_summoned_apart_from_its_pattern() -> None:
    assert [being.key for being in BEINGS if being.anywhere] == ["time-traveler"]
    assert BEINGS[BEING["time-traveler"]].requires_own is None


def test_marks_lie_beside_the_summoning_square() -> None:
    for being in BEINGS:
        for marks in (being.squares, being.special, being.directions):
            assert len(set(marks)) == len(marks)
        assert (0, 0) not in {*being.squares, *being.special}
        assert not set(being.squares) & set(being.special)


def test_the_beings_with_marks_are_known() -> None:
    assert [being.key for being in BEINGS if being.is_marked] == [
        *("assassin", "time-mage", "summoner", "cannon", "master-of-intrigue", "gun-tower"),
        *("clan-guardian", "kiskin-leafsplitter", "crystal-mirror", "glacier-giant", "war-sled"),
        *("gate-of-oblivion", "ziggurat-sentinel", "fire-dragon", "bone-catapult", "two-headed-dragon"),
    ]


def test_patterns_hold_each_square_once() -> None:
    for being in BEINGS:
        assert len({(cell.dx, cell.dy) for cell in being.pattern}) == len(being.pattern)


def test_flares_want_the_leads_of_their_cards() -> None:
    assert [(flare.upper, flare.lower) for flare in FLARES] == [
        *((3, 6), (4, 4), (3, 5), (4, 5), (3, 6), (4, 4)),
        *((4, 6), (4, 5), (5, 4), (5, 5), (3, 4), (2, 5)),
    ]


def test_tasks_come_in_five_types_eight_of_them_advanced() -> None:
    types = Counter(task.type for task in TASKS)
    assert types == {"destruction": 5, "colored": 6, "summoning": 4, "pattern": 6, "enemy": 3}
    assert [task.name for task in TASKS if task.advanced] == [
        *("Heroic Devastation", "End of Legends", "Red Legends", "Green Legends"),
        *("Legendary Summoning", "Diagonals", "Envelopment", "Isolation"),
    ]


def test_tasks_are_worth_one_to_three_points() -> None:
    assert Counter(task.points for task in TASKS) == {1: 5, 2: 12, 3: 7}
