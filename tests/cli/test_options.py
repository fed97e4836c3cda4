from __future__ import annotations

import pytest
import typer

from cli.figures import passed_on
from cli.options import address, options_of


def test_options_of_the_game() -> None:
    assert options_of(["start=ocius", "note=a=b"]) == {"start": "ocius", "note": "a=b"}
    assert options_of(None) == {}


@pytest.mark.parametrize("pairs", [["start"], ["=ocius"], ["start=a", "start=b"]])
def test_option_that_cannot_be_read_is_a_usage_error(pairs: list[str]) -> None:
    with pytest.raises(typer.BadParameter):
        options_of(pairs)


def test_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAMLE_SERVER", "there:1")
    assert address("here:1") == "here:1"
    assert address(None) == "there:1"
    monkeypatch.delenv("HAMLE_SERVER")
    assert address(None) is None


def test_options_for_a_measurement_are_passed_on_with_their_types() -> None:
    given = ["--matches", "16", "--share=0.5", "--fsync", "everysec", "--quick", "--grpc-server=native"]
    assert passed_on(given) == {
        "matches": 16,
        "share": 0.5,
        "fsync": "everysec",
        "quick": True,
        "grpc_server": "native",
    }
    assert passed_on(["--quick", "--matches", "2"]) == {"quick": True, "matches": 2}


@pytest.mark.parametrize("given", [["16"], ["--"], ["--matches", "16", "17"]])
def test_what_is_no_option_is_a_usage_error(given: list[str]) -> None:
    with pytest.raises(typer.BadParameter):
        passed_on(given)
