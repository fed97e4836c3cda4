"""The table as text: a person can play from it."""

from __future__ import annotations

import pytest
from hamle.coerceo.v1 import coerceo_pb2

from engines.battleline.game import GAME
from engines.battleline.meta import INFO
from engines.battleline.state import Result, Rules, State, Step
from engines.kit.game import EVERYBODY, PUBLIC
from tests.engines.battleline.table import front, play, position


def shown(state: State, audience: int, language: str = "en") -> str:
    return GAME.text(GAME.view(state, audience), audience, language)


def busy() -> State:
    flags = {
        1: front("R8 R9 R10 R7", "B8 Y8 ALX P8"),
        3: front("O1", "P1", newest=0),
        9: front("Y1 Y2 Y3", "G1", owner=0),
    }
    return position(flags, ("SCT DES R1 R2", "O2"), mud=(1, 1), fog=(3, 0), played=(1, 2), discards=("", "TRA"))


def test_both_sides_of_nine_flags_are_shown_with_environment_and_formations() -> None:
    text = shown(busy(), 0)
    lines = text.splitlines()
    flags = next(at for at, line in enumerate(lines) if "[1]" in line)
    assert lines[flags].split() == ["[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]", "[8]", "v[9]v"]
    assert lines[flags - 1].split() == ["MUD"]
    assert lines[flags + 1].split() == ["FOG"]
    assert lines[flags + 2].split()[0] == "R8"
    assert lines[flags - 2].split()[0] == "B8"
    assert [line.split() for line in lines[flags + 6 : flags + 8]] == [["wedge", "wedge"], ["34", "6"]]
    assert [line.split() for line in lines[flags - 7 : flags - 5]] == [["32"], ["phal."]]
    assert "O1'" in text


@pytest.mark.parametrize("language", ["en", "tr"])
def test_nine_flags_fit_a_narrow_terminal_with_space_between_them(language: str) -> None:
    ranks = [word for label, word in INFO.catalogues[language].items() if label.startswith("label.short.")]
    assert len(ranks) == 5
    assert max(map(len, ranks)) < 6
    flags = {flag: front("R8 R9 R10", "B8 Y8 P8", owner=0) for flag in range(1, 10)}
    lines = shown(position(flags, ("", "")), 0, language).splitlines()
    assert next(len(line) for line in lines if "v[9]v" in line) == 53
    assert next(len(line) for line in lines if line.startswith("'")) <= 80


def test_fog_and_mud_on_one_side_of_a_flag_stand_one_above_the_other() -> None:
    text = shown(position({4: front("R8", "B8")}, ("", ""), fog=(3, 0), mud=(3, 0)), 0)
    lines = text.splitlines()
    flags = next(at for at, line in enumerate(lines) if "[1]" in line)
    assert [line.split() for line in lines[flags + 1 : flags + 3]] == [["FOG"], ["MUD"]]


@pytest.mark.parametrize("audience", [0, 1, PUBLIC])
def test_all_four_cards_are_shown_of_which_one_must_be_given_up(audience: int) -> None:
    flags = {4: front("R5 R6 R7 R8", "B8 Y8 G8 P8")}
    state = play(position(flags, ("DES", ""), mud=(4, 1), played=(0, 1)), "DES:MUD@4")
    assert state.step is Step.TRIM
    rows = [line.split() for line in shown(state, audience).splitlines()]
    for card in ("R5", "R6", "R7", "R8", "B8", "Y8", "G8", "P8'"):
        assert any(card in row for row in rows if "." in row or len(row) == 1), card
    assert "phal." not in shown(state, audience)


@pytest.mark.parametrize(("open_fronts", "slots"), [(False, 0), (True, 2)])
def test_slots_of_a_lost_flag_are_shown_where_they_may_be_filled(open_fronts: bool, slots: int) -> None:
    flags = {flag: front(owner=0) for flag in range(2, 10)} | {1: front("R8 R9 R10", "B1", owner=0)}
    text = shown(position(flags, ("", "O1"), rules=Rules(open_fronts=open_fronts)), 1)
    above, below = text.split("^[1]^", 1)
    rows = [line[:6].strip() for line in below.splitlines()[1:4]]
    assert rows == ["B1'", *["." for _ in range(slots)], *["" for _ in range(2 - slots)]]
    assert "." not in above


def test_the_own_side_is_below_for_both_seats() -> None:
    for seat, own in ((0, "R10"), (1, "ALX")):
        above, below = shown(busy(), seat).split("[1]  ", 1)
        assert own in below
        assert own not in above


def test_own_hand_counts_of_the_other_discards_and_decks_are_shown() -> None:
    text = shown(busy(), 0)
    assert "hand: R1 R2" in text
    assert "SCT DES" in text
    assert "Seat 1: troops 7, tactics 0 in hand; tactics played 2, leader played" in text
    assert "face up: TRA" in text
    assert "Decks: troops" in text


@pytest.mark.parametrize("audience", [1, PUBLIC])
def test_the_hand_of_another_is_not_shown(audience: int) -> None:
    assert "R1 R2" not in shown(busy(), audience)


def test_everybody_reads_both_hands() -> None:
    assert shown(busy(), EVERYBODY).count("  hand:") == 2


def test_what_scout_has_shown_is_told_to_its_player() -> None:
    state = play(busy(), "SCT", "draw:troop", "draw:troop", "draw:troop", "ret:R1,R2", "done")
    assert "troop deck from the top: R2 R1" in shown(state, 0)
    assert "2 put back by Scout" in shown(state, 1)
    assert "R2" not in shown(state, 1)


@pytest.mark.parametrize("step", [step for step in Step if step is not Step.OVER])
@pytest.mark.parametrize("language", ["en", "tr"])
def test_each_step_says_what_to_do(step: Step, language: str) -> None:
    state = busy()._replace(step=step, left=2, trim=0)
    last = shown(state, 0, language).splitlines()[-1]
    assert last.startswith({"en": "You (seat 0): ", "tr": "Siz (0): "}[language])
    assert len(last) > 30


@pytest.mark.parametrize("language", ["en", "tr"])
def test_as_many_cards_are_asked_for_as_scout_puts_back(language: str) -> None:
    state = play(position(hands=("SCT", ""), decks=(2, 0)), "SCT", "draw:troop", "draw:troop")
    assert shown(state, 0, language).endswith("ret:R9\n")
    state = play(position(hands=("SCT", "")), "SCT", "draw:troop", "draw:troop", "draw:troop")
    assert shown(state, 0, language).endswith("ret:R9,B6\n")


@pytest.mark.parametrize("language", ["en", "tr"])
def test_no_claim_is_asked_for_after_the_card_in_last_chance(language: str) -> None:
    for tactics in (True, False):
        state = position(hands=("O1", ""), rules=Rules(tactics=tactics, last_chance=True))
        before, after = (shown(each, 0, language) for each in (state, play(state, "O1@2")))
        assert "claim:4" in before
        assert "claim:4" not in after
        assert "draw:troop" in after


@pytest.mark.parametrize("last_chance", [False, True])
@pytest.mark.parametrize("language", ["en", "tr"])
def test_no_tactics_card_is_asked_for_where_there_is_none(language: str, last_chance: bool) -> None:
    state = position({1: front("R8 R9 R10")}, ("O1", ""), rules=Rules(tactics=False, last_chance=last_chance))
    for each in (state, play(state, "O1@2")):
        status = shown(each, 0, language).split("[9]", 1)[1]
        assert not any(word in status for word in ("FOG", "SCT", "DES", "TRA", "RDP", "draw:tactic"))


def test_the_end_of_each_game_is_shown() -> None:
    results = (Result("breakthrough", 0, (5, 3), (5, 3)), Result("stuck", -1, (4, 4), (4, 4)))
    state = busy()._replace(step=Step.OVER, results=results, rules=Rules(series=2))
    text = shown(state, EVERYBODY)
    assert "Game 1: seat 0 won, 5 : 3 points. Three flags side by side." in text
    assert "Game 2: draw, 4 : 4 points. Both seats passed." in text
    assert "All 2 games: 9 : 7 points" in text


def test_points_of_a_series_are_shown_while_it_goes_on_and_of_a_single_game_not() -> None:
    state = busy()._replace(results=(Result("breakthrough", 1, (1, 3), (1, 5)),), rules=Rules(series=3))
    assert "All 3 games: 1 : 5 points" in shown(state, 0)
    assert "3 oyunun toplamı: puan 1 : 5" in shown(state, PUBLIC, "tr")
    assert "games" not in shown(busy(), 0)


def test_turkish_terms_are_those_of_the_rules() -> None:
    words = INFO.catalogues["tr"]
    ranks = [words[f"label.{rank}"] for rank in ("wedge", "phalanx", "battalion", "skirmish", "host")]
    assert ranks == ["elmas", "sütun", "ters yay", "piramit", "kaos"]
    assert "Gözcü" in words["label.SCT"]


def test_a_language_without_a_catalogue_gets_english() -> None:
    assert shown(busy(), 0, "xx") == shown(busy(), 0, "en")


def test_a_view_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no view of Battle Line"):
        GAME.text(coerceo_pb2.View(), 0, "en")
