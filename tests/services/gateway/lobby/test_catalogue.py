from __future__ import annotations

import pytest
from hamle.error.v1.error_pb2 import (
    REASON_ENGINE_UNAVAILABLE,
    REASON_FIELD_INVALID,
    REASON_GAME_UNKNOWN,
    REASON_OPTION_INVALID,
)
from hamle.match.v1.match_pb2 import GameInfo, OptionInfo
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from services.gateway.lobby.catalogue import Catalogue, full_options, seat_count

INFO = GameInfo(
    game="chess",
    min_seats=2,
    max_seats=4,
    options=[
        OptionInfo(name="size", values=["8", "10"], default_value="8"),
        OptionInfo(name="style", values=["plain", "fairy", "atomic"], default_value="plain"),
    ],
)
KNOWN = {option.name: tuple(option.values) for option in INFO.options}


@given(st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in KNOWN.items()}))
def test_good_options_are_kept_and_the_others_get_their_defaults(given_options: dict[str, str]) -> None:
    full = full_options(INFO, given_options)
    assert full == {"size": "8", "style": "plain"} | given_options
    assert full_options(INFO, full) == full


@given(st.dictionaries(st.sampled_from(["size", "style", "Size", ""]) | st.text(), st.text(), max_size=4))
def test_every_other_option_is_refused_by_name_with_what_was_expected(given_options: dict[str, str]) -> None:
    if all(value in KNOWN.get(name, ()) for name, value in given_options.items()):
        return
    with pytest.raises(Refused) as refused:
        full_options(INFO, given_options)
    assert refused.value.reason == REASON_OPTION_INVALID
    metadata = refused.value.metadata
    name = next(name for name in sorted(given_options) if given_options[name] not in KNOWN.get(name, ()))
    assert metadata["option"] == name[:40]
    assert metadata["value"] == given_options[name][:40]
    for wanted in KNOWN.get(name, KNOWN):
        assert wanted in metadata["expected"]


@given(st.integers(0, 2**32 - 1))
def test_the_number_of_seats_is_within_the_game(seats: int) -> None:
    if seats == 0 or 2 <= seats <= 4:
        assert seat_count(INFO, seats) == (seats or 2)
        return
    with pytest.raises(Refused) as refused:
        seat_count(INFO, seats)
    assert refused.value.reason == REASON_FIELD_INVALID
    assert refused.value.metadata["field"] == "seats"


def test_a_game_whose_engine_restarts_is_still_a_game() -> None:
    running = [INFO]
    catalogue = Catalogue(lambda: running)
    assert catalogue.find("chess") == INFO
    running.clear()
    assert catalogue.find("chess") == INFO
    assert catalogue.running() == []
    with pytest.raises(Refused) as refused:
        catalogue.find("go" * 100)
    assert refused.value.reason == REASON_GAME_UNKNOWN
    assert len(refused.value.metadata["game"]) == 40


def test_a_game_whose_engine_was_never_seen_but_is_expected_is_not_unknown() -> None:
    away = Refused(REASON_ENGINE_UNAVAILABLE, "wait")
    catalogue = Catalogue(list, lambda game: away if game == "chess" else None)
    with pytest.raises(Refused) as refused:
        catalogue.find("chess")
    assert refused.value is away
    with pytest.raises(Refused) as refused:
        catalogue.find("go")
    assert refused.value.reason == REASON_GAME_UNKNOWN
