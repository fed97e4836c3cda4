from __future__ import annotations

import json

import pytest

from tests.cli.hamle import hamle

CANNON = """\
╭─ Cannon ─────────────────────────────────────────────────────────────────────────────────────────╮
│  .  ↖  ↑  ↗    [C] [H] where it is summoned, on such an own piece                                │
│  .  C [C] →    C H own common, own heroic piece, or of a higher rank                             │
│  C  ↙  ↓  ↘    ↖↑↗→↘↓↙← marked directions                                                        │
│                                                                                                  │
│ Summoned: May fire in a marked direction: every common on that line up to the edge is destroyed, │
│ whoever owns it.                                                                                 │
╰─────────────────────────────────────── Imperial · heroic ────────────────────────────────────────╯
"""


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


async def test_a_card_is_drawn_with_its_effect() -> None:
    result = await hamle("cards", "tashkalar", "cannon")
    assert result.exit_code == 0
    assert result.stdout == CANNON


async def test_a_name_of_several_words_needs_no_quotes_and_a_language_is_obeyed() -> None:
    result = await hamle("cards", "tashkalar", "time", "mage", "--language", "tr")
    assert "Bir eylem kazanırsınız." in result.stdout


async def test_several_cards_are_a_table() -> None:
    result = await hamle("cards", "tashkalar", "highland")
    assert result.exit_code == 0
    assert [
        line for line in result.stdout.splitlines() if "Wild Eagle" in line and "Highland" in line and "common" in line
    ]
    assert "Clan Guardian" in result.stdout
    assert "Cannon" not in result.stdout


async def test_flares_and_tasks_are_cards_too() -> None:
    flare = await hamle("cards", "tashkalar", "flare", "12")
    assert "leads by 2 or more upgraded pieces" in flare.stdout
    task = await hamle("cards", "tashkalar", "isolation")
    assert "advanced, enemy, points: 2" in task.stdout


async def test_cards_for_programs_are_one_line() -> None:
    result = await hamle("cards", "tashkalar", "bomb", "--json")
    assert result.stdout.count("\n") == 1
    (card,) = json.loads(result.stdout)["cards"]
    assert card["diagram"][0] == ["[ ]", " . "]


async def test_an_unknown_card_is_refused_with_names_that_may_have_been_meant() -> None:
    result = await hamle("cards", "tashkalar", "bonb")
    assert result.exit_code == 2
    assert result.stderr == "No card is called 'bonb'; perhaps Bomb.\n"


@pytest.mark.parametrize("game", ["coerceo", "chess", "../tashkalar", "tashkalar.browser"])
async def test_a_game_without_a_card_browser_is_refused(game: str) -> None:
    result = await hamle("cards", game)
    assert result.exit_code == 2
    assert result.stderr == f"There is no card browser for {game!r}; there are some for itchyfeet and tashkalar.\n"
