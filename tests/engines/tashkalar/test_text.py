"""The arena as text for a terminal."""

from __future__ import annotations

from engines.kit.game import PUBLIC
from engines.tashkalar.board import NAMED
from engines.tashkalar.game import GAME
from engines.tashkalar.meta import INFO
from engines.tashkalar.state import State
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
