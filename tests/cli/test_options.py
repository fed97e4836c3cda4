from __future__ import annotations

import pytest
import typer

from cli.figures import passed_on
from cli.options import address, options_of
from tests.cli.hamle import hamle
from tests.logs.record import FOLDER as LOGS


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


@pytest.mark.parametrize(
    "given",
    [
        ("play", "coerceo", "--minutes", "99999"),
        ("play", "coerceo", "--minutes", "inf"),
        ("play", "coerceo", "--minutes", "1", "--increment", "1e300"),
        ("play", "coerceo", "--private", "--seat", str(2**32)),
        ("play", "coerceo", "--private", "--seats", str(2**32)),
        ("selfplay", "coerceo", "--seats", str(2**32)),
        ("fork", "MATCH", "--at", str(2**64)),
        ("fork", "MATCH", "--at", "1", "--seat", str(2**32)),
        ("watch", "MATCH", "--after", str(2**64)),
        ("tail-lost", "MATCH", "--last", str(2**64)),
    ],
    ids=" ".join,
)
async def test_a_number_that_no_message_holds_is_a_usage_error(given: tuple[str, ...]) -> None:
    result = await hamle(*given)
    assert result.exit_code == 2, result.stderr
    assert f"Invalid value for '{given[-2]}': Input should be less than or equal to" in result.stderr


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("--increment", "5"), "--increment: goes with --minutes"),
        (("--match", "MATCH", "--minutes", "5", "--private"), "--private, --minutes: is for a new match, and --match"),
        (("--match", "MATCH", "--seats", "2"), "--seats: is for a new match"),
        (("--invite", "CODE", "-o", "start=ocius"), "--option: is for a new match, and --invite"),
    ],
)
async def test_an_option_of_play_that_would_do_nothing_is_a_usage_error(given: tuple[str, ...], named: str) -> None:
    result = await hamle("play", "coerceo", *given)
    assert result.exit_code == 2
    assert f"Invalid value for {named}" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    "command",
    [("play", "coerceo"), ("watch", "00aa"), ("replay", "00aa"), ("cards", "tashkalar", "herald")],
    ids=lambda command: command[0],
)
async def test_a_language_that_is_not_spoken_is_a_usage_error_that_names_those_that_are(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for language in ("xx", "english", "TR"):
        result = await hamle(*command, "--language", language)
        told = " ".join(result.stderr.replace("│", " ").split())
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"'{language}' is not spoken here; there are en, tr" in told
        assert "--language" in told
    monkeypatch.setenv("HAMLE_LANGUAGE", "xx")
    assert "there are en, tr" in (await hamle(*command)).stderr


@pytest.mark.parametrize(("language", "drawn"), [("tr", "Beyaz"), ("tr-TR", "Beyaz"), ("en-GB", "White")])
async def test_a_language_may_be_told_with_its_region(language: str, drawn: str) -> None:
    log = str(next((LOGS / "coerceo").glob("fork*.jsonl")))
    result = await hamle("replay", log, "--at", "6", "--language", language)
    assert result.exit_code == 0, result.stderr
    assert drawn in result.stdout
