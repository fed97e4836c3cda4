"""A suite that cannot fail proves nothing: each broken promise is found, by the check that is meant to find it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.kit.conformance import NotConforming, Planted, Suite, looks, match
from engines.kit.conformance.hidden import check_hidden_things_vary
from engines.kit.conformance.match import random_move
from engines.kit.conformance.processes import check_processes
from engines.kit.conformance.seats import check_catalogues
from engines.kit.game import EVERYBODY
from engines.kit.options import full_options
from tests.engines.kit.cardgame import GAME
from tests.engines.kit.cardgame.game import Cellar
from tests.engines.kit.cardgame.meta import INFO
from tests.engines.kit.conformance.broken import BROKEN
from tests.engines.kit.conformance.leaking import LEAKING, CountsTriesByTheCard, TellsAll, TellsWhatWasDrawn

SUITE = Suite("tests.engines.kit.cardgame:GAME", options=[{"reaction_ms": "5000"}, {}])


def inspect_matches(game: Any, matches: int, *, leaks_only: bool = False) -> None:
    for seed in range(matches):
        SUITE.inspect(game, seed, leaks_only=leaks_only)


@pytest.mark.parametrize(
    ("check", "game"),
    [(check, game) for check, games in BROKEN.items() for game in games],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_broken_promise_is_found(check: str, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "LONGEST", 300)
    with pytest.raises(NotConforming) as caught:
        inspect_matches(game(), 60)
    assert caught.value.check == check


@pytest.mark.parametrize("game", LEAKING, ids=lambda game: game.__name__)
def test_a_leak_is_found(game: Any) -> None:
    with pytest.raises(NotConforming) as caught:
        inspect_matches(game(), 200, leaks_only=True)
    assert caught.value.check == "no leak"


@pytest.mark.parametrize("game", [TellsAll, CountsTriesByTheCard, TellsWhatWasDrawn], ids=lambda game: game.__name__)
def test_a_leak_is_found_where_moves_are_too_many_to_compare_all(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "MOST_MOVES", 6)
    inspect_matches(GAME, 10, leaks_only=True)
    with pytest.raises(NotConforming) as caught:
        inspect_matches(game(), 200, leaks_only=True)
    assert caught.value.check == "no leak"


def test_a_report_leads_back_to_the_position() -> None:
    broken = BROKEN["text"][0]()
    with pytest.raises(NotConforming) as caught:
        SUITE.inspect(broken, 3)
    where = caught.value.where
    assert where is not None
    assert str(where) in str(caught.value)
    assert "seed=3" in str(where)
    assert "101 columns" in str(caught.value)


def test_an_order_that_depends_on_the_hash_seed_is_found() -> None:
    with pytest.raises(NotConforming, match="PYTHONHASHSEED"):
        check_processes("tests.engines.kit.conformance.broken:HASH_ORDER", full_options(INFO, {}), 2, 0)


def test_a_match_that_fails_in_its_process_is_reported() -> None:
    with pytest.raises(NotConforming, match="names no game"):
        check_processes("tests.engines.kit.cardgame:NOTHING", full_options(INFO, {}), 2, 0)


def test_a_planted_leak_that_is_not_caught_is_reported() -> None:
    with pytest.raises(NotConforming, match="was not caught"):
        SUITE.check_caught(Planted("nowhere", GAME))


def test_a_planted_leak_must_be_caught_by_the_proofs() -> None:
    with pytest.raises(NotConforming) as caught:
        SUITE.check_caught(Planted("a match without end", BROKEN["match"][0]()))
    assert caught.value.check == "match"


def test_secrets_that_are_none_are_found() -> None:
    class Remembers(Cellar):
        """Shows everybody everything."""

        def view(self, state: Any, audience: int) -> Any:
            return super().view(state, EVERYBODY)

    with pytest.raises(NotConforming, match="none from audience 0"):
        check_hidden_things_vary(Remembers(), full_options(INFO, {}), 2, random_move)


@pytest.mark.parametrize(
    ("turkish", "message"),
    [
        ({}, "same keys"),
        ({**INFO.catalogues["tr"], "drew": " "}, "no sentence"),
        ({**INFO.catalogues["tr"], "drew": "{kim} çekti"}, "placeholders"),
    ],
    ids=["missing", "empty", "other placeholders"],
)
def test_catalogues_that_do_not_match_are_found(turkish: dict[str, str], message: str) -> None:
    with pytest.raises(NotConforming, match=message):
        check_catalogues(replace(INFO, catalogues={"en": INFO.catalogues["en"], "tr": turkish}))


def test_a_missing_language_is_found() -> None:
    with pytest.raises(NotConforming, match="expected en and tr"):
        check_catalogues(replace(INFO, catalogues={"en": INFO.catalogues["en"]}))
