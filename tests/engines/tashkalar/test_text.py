"""The arena as text for a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kit.game import PUBLIC
from engines.tashkalar.board import NAMED
from engines.tashkalar.game import GAME
from engines.tashkalar.meta import INFO
from engines.tashkalar.state import Bonus, State
from tests.engines.tashkalar.corners import check_hidden, match, play, with_cards


def text(state: State, audience: int = 0, language: str = "en") -> list[str]:
    return GAME.text(GAME.view(state, audience), audience, language).splitlines()


def test_turkish_sentences_call_the_gateway_and_the_pending_being_as_the_turkish_cards_do() -> None:
    # The cards say "Geçit" and "askıda".
    told = INFO.catalogues["tr"]
    assert told["gateway"].format(square="e5") == "Geçit e5 karesinde."
    state = with_cards(match("He5 | a5", decks="etherweave nethervoid"), 0, pending="void-summoner")
    state = state._replace(gateway=NAMED["e5"])
    lines = text(state, language="tr")
    assert "  askıda: Void Summoner" in lines
    assert next(line for line in lines if "@ " in line and "yeşil" in line).endswith("@ Geçit; r kırmızı, g yeşil kare")


def test_numbers_are_those_of_the_board_as_it_is_within_a_move_whose_control_was_passed() -> None:
    state = match("d4 f4 c5 He5 g5 e6 | a5", decks="imperial imperial imperial imperial")
    state = with_cards(state, 0, "angel-of-death")
    before = text(state)
    assert "Colour 0: 0 points, beside the board 11 + 3 legendary" in before
    assert "Turn of seat 0, actions left: 2" in before
    passed = play(state, "S:angel-of-death@e5r0;pass")
    for audience in (0, 1, 2, PUBLIC):
        within = text(passed, audience)
        assert any("L0" in line for line in within)
        assert "Colour 0: 1 points, beside the board 12 + 2 legendary" in within
        assert "Turn of seat 0, actions left: 1" in within
        assert "  summoned: L e5" in within
    check_hidden(passed)


def test_markers_of_improvised_summons_that_are_used_up_are_on_the_table() -> None:
    state = match("e4 | e5 | f6", form="melee", decks="imperial highland sylvan")
    assert not [line for line in text(state) if "improvised" in line]
    state = state._replace(improvised=(0b110, 0, 0b010))
    lines = text(state, PUBLIC)
    assert [line for line in lines if "improvised" in line] == [
        "  improvised with colours: 1, 2",
        "  improvised with colours: 1",
    ]
    assert "  doğaçlamada kullanılan renkler: 1, 2" in text(state, PUBLIC, "tr")


@pytest.mark.parametrize(
    ("turn", "line"),
    [
        ({"bonus": Bonus(1, 2)}, "  lent to the next summon: enemy pieces 1, empty squares 2"),
        ({"bonus": Bonus(colour=1)}, "  the next summon uses pieces of colour 1 in place of own ones"),
        ({"double": 1}, "  each destroyed piece counts as 2"),
        ({"extra": (1, 1, 0)}, "  extra cards to draw: beings 1, legends 1"),
        ({"again": 1}, "  turns of this seat that follow: 1"),
    ],
)
def test_what_effects_have_left_for_later_is_shown(turn: dict[str, Any], line: str) -> None:
    state = match("e4 | e5")
    assert line not in text(state)
    assert line in text(state._replace(turn=state.turn._replace(**turn)))


def test_an_action_that_a_side_will_lack_is_shown() -> None:
    state = match("e4 | e5")._replace(fewer=(0, 1))
    lines = text(state)
    assert lines[lines.index("  actions less in the next turn: 1") - 1].startswith("Colour 1:")


def test_the_last_line_says_what_can_come_of_partners() -> None:
    state = with_cards(match("e4 e6 | d4 f4", decks="imperial imperial imperial imperial"), 0, "swordmaster")
    assert text(state)[-1] == "You (0) to act: P:e5, S:card@, D:card, F:flare, T:card, W:card, pass"
    begun = play(state, "S:swordmaster@e5r0;pass")
    assert text(begun, 2)[-1] == "You (2) to go on: go;"
    assert text(begun, 2, "tr")[-1] == "Siz (2), sürdürmek için: go;"
    passed = play(state, "pass")
    assert text(passed, 2)[-1] == "You (2) to place commons: P:e5"
    assert text(passed, 2, "tr")[-1] == "Siz (2), sıradan taş yerleştirmek için: P:e5"
    done = play(passed, "P:a5", "P:a6")
    assert text(done, 1)[-1] == "Seat 0 to end the turn: end"
    assert text(match("e4 | e6"), 1)[-1] == "Seat 0 to act: P:e5, S:card@, D:card, F:flare, T:card, W:card, end"
