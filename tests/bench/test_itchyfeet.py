"""The simulation of Itchy Feet: the same matches however they are shared out, and tables that count them rightly.

Small counts every time; at night (`HAMLE_NIGHTLY=1`) as many matches as bring the figures near those of the rules page.
"""

from __future__ import annotations

import os

import pytest

from bench.itchyfeet import chunks as chunks_of
from bench.itchyfeet import main, play, simulate
from bench.itchyfeet_matches import MODES, Played, match
from bench.itchyfeet_strength import Deal, won
from bench.itchyfeet_table import interval, lengths, starts, tables
from clients.bots.itchyfeet import drawer, robber, trader

NIGHTLY = os.environ.get("HAMLE_NIGHTLY") == "1"
MEDIANS = {"base": (11.5, 9.7, 9.2, 9.6, 10.0), "all extensions": (17.0, 15.0, 16.5, 17.0, 18.2)}
"""Of rules 6.5, for 2 to 6 players."""


def told(winner: int, rounds: float = 4.0, starter: int = 0, reason: str = "centre") -> Played:
    characters = ("haggler", "smuggler")
    return Played(winner, reason, rounds, starter, ("peru", "italy"), characters, ("drawer", "trader"))


def ignore(steps: int) -> None:
    pass


def test_the_same_seed_is_the_same_match_and_another_one_is_another() -> None:
    def once(seed: int) -> Played:
        return match([drawer(), robber(), trader()], seed, MODES["all extensions"])

    assert once(1) == once(1)
    assert len({once(seed) for seed in range(5)}) == 5


def test_a_match_tells_what_was_dealt_and_how_it_ended() -> None:
    played = match([drawer(), robber(), trader()], 1, MODES["all extensions"])
    assert len(set(played.countries)) == len(set(played.characters)) == 3
    assert played.winner in range(3)
    assert played.starter in range(3)
    assert played.rounds * 3 == pytest.approx(round(played.rounds * 3))
    assert match([drawer(), drawer()], 1, MODES["base"]).characters == ()


def test_processes_share_the_matches_out_and_change_nothing() -> None:
    rows = [("base", 2), ("all extensions", 3)]
    heard: list[int] = []
    spread = simulate(rows, 13, 7, 2, heard.append)
    assert sum(heard) == 26
    assert spread == simulate(rows, 13, 7, 1, ignore)
    assert [len(found) for found in spread.values()] == [13, 13]
    assert spread["base", 2] != simulate([("base", 2)], 13, 8, 1, ignore)["base", 2]


def test_more_matches_begin_with_the_fewer_ones() -> None:
    few, many = (
        [played for chunk in chunks_of([("base", 2)], count, 3) for played in play(chunk)] for count in (5, 12)
    )
    assert many[:5] == few


def test_lengths_are_median_late_and_longest() -> None:
    found = [told(0, float(rounds)) for rounds in range(1, 101)]
    found[0] = told(1, 1.0, reason="postcards")
    assert "| base | 2 | 50.5 / 95.0 / 100.0 | 1% | 0.0% |" in lengths({("base", 2): found})


def test_the_starting_seat_is_the_first_wherever_it_sits() -> None:
    found = [told(1, starter=1), told(0, starter=0), told(0, starter=1), told(-1, reason="round_cap")]
    assert "| base | 2 | 50% | 25% | 50.0% |" in starts({("base", 2): found})


def test_shares_are_told_against_fair_ones() -> None:
    text = tables({("base", 2): [told(0), told(0), told(0), told(1)]})
    assert "| haggler | 1.50 | 1.50 |" in text
    assert "| trader | 0.50 | 0.50 |" in text
    assert "0.50 (italy) to 1.50 (peru)" in text


def test_a_mode_as_a_whole_counts_all_its_rows() -> None:
    text = tables({("base", 2): [told(0)] * 3, ("base", 3): [told(1)]})
    assert "| haggler | 2.00 | 0.00 | 1.50 |" in text


def test_an_interval_holds_its_share_and_shrinks() -> None:
    assert list(interval(50, 100)) == pytest.approx([0.4038, 0.5962], abs=1e-4)
    assert interval(0, 10)[0] == 0.0 < interval(0, 10)[1] < 0.3
    assert interval(500, 1000)[0] > interval(50, 100)[0]


def test_the_travellers_deals_are_the_same_every_time() -> None:
    deals = [Deal("base", "random", 1, number) for number in range(6)]
    assert [won(deal) for deal in deals] == [won(deal) for deal in deals]


def test_the_command_prints_all_tables(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--matches", "3", "--seats", "2", "--processes", "1"])
    text = capsys.readouterr().out
    for heading in ("| mode | players | rounds", "| mode | players | 1st", "| character |", "| bot |"):
        assert heading in text


@pytest.mark.parametrize("given", [["--matches", "0"], ["--seats", "7"], ["--processes", "0"]])
def test_what_cannot_be_played_is_refused(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(given)
    assert "expected at least one match" in capsys.readouterr().err


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mode", MODES)
def test_matches_last_about_as_long_as_the_rules_page_says(mode: str) -> None:
    seats = (2, 3, 4, 5, 6) if NIGHTLY else (4,)
    played = simulate([(mode, number) for number in seats], 400 if NIGHTLY else 30, 1, 1, ignore)
    for (_, number), found in played.items():
        middle = sorted(match.rounds for match in found)[len(found) // 2]
        assert MEDIANS[mode][number - 2] / 2 < middle < MEDIANS[mode][number - 2] * 2
        assert all(match.winner >= 0 for match in found)
