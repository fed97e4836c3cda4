"""The arena as text for a terminal."""

from __future__ import annotations

from engines.tashkalar.board import NAMED
from engines.tashkalar.game import GAME
from engines.tashkalar.meta import INFO
from engines.tashkalar.state import State
from tests.engines.tashkalar.corners import match, with_cards


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
