"""Matches from a terminal, on a whole installation."""

from __future__ import annotations

import json
import os
import pty
import select
import time
from pathlib import Path

import pytest

from tests.cli.e2e.terminal import Terminal

pytestmark = pytest.mark.timeout(240)
OCIUS = ("-o", "start=ocius")


@pytest.fixture
def finished(terminal: Terminal) -> str:
    """Id of a match against a bot that is over."""
    over = terminal.json("play", "coerceo", "--bot", "random", *OCIUS, stdin="resign\n")
    assert over["over"]
    assert over["outcome"]["reason"] == "resigned"
    return str(over["match_id"])


def test_games_are_listed(terminal: Terminal) -> None:
    games = {each["game"]: each for each in terminal.json("games")["games"]}
    assert set(games) == {"coerceo", "battleline"}
    assert "start" in [option["name"] for option in games["coerceo"]["options"]]
    assert "series" in [option["name"] for option in games["battleline"]["options"]]


def test_a_token_that_ends_within_days_is_refreshed_by_the_next_command(terminal: Terminal, tmp_path: Path) -> None:
    before = terminal.json("account")
    (file,) = (tmp_path / "config").rglob("player-1.json")
    kept = json.loads(file.read_text())
    terminal.json("account")
    assert json.loads(file.read_text())["token"] == kept["token"]
    file.write_text(json.dumps(kept | {"expires_at": time.time() + 5 * 24 * 3600}))
    assert terminal.json("account")["account_id"] == before["account_id"]
    renewed = json.loads(file.read_text())
    assert renewed["token"] != kept["token"]
    assert renewed["expires_at"] >= kept["expires_at"]


def test_two_terminals_are_paired_and_play(terminal: Terminal) -> None:
    first = terminal.start("play", "coerceo", *OCIUS, "--json")
    second = terminal.start("play", "coerceo", *OCIUS, "--json")
    for player in (first, second):
        assert player.stdin is not None
        player.stdin.write("resign\n")
        player.stdin.flush()
    outputs = [player.communicate(timeout=150) for player in (first, second)]
    assert [first.returncode, second.returncode] == [0, 0], outputs
    ends = [json.loads(stdout) for stdout, _ in outputs]
    assert ends[0]["match_id"] == ends[1]["match_id"]
    assert {end["seat"] for end in ends} == {0, 1}
    assert all(end["over"] for end in ends)


def test_finished_match_is_exported_verified_and_replayed(terminal: Terminal, finished: str, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    exported = terminal.json("export", finished, "-o", str(file))
    assert terminal.json("verify", str(file))["events"] == exported["events"]
    there = terminal.json("replay", finished, "--at", "4")
    here = terminal.json("replay", str(file), "--at", "4")
    assert there == here
    assert here["head"] == exported["events"]
    everything = terminal.run("replay", finished)
    assert "resigned" in everything.stdout
    watched = terminal.run("watch", finished, "--json")
    assert len(watched.stdout.splitlines()) == exported["events"]


def test_past_is_forked_and_played_on(terminal: Terminal, finished: str) -> None:
    fork = terminal.json("fork", finished, "--at", "4")
    played = terminal.run("play", "coerceo", "--match", fork["match_id"], "--bot", "random", stdin="resign\n")
    assert played.returncode == 0, played.stderr
    assert "resigned" in played.stdout


def test_an_invite_code_of_another_game_leads_to_its_match_all_the_same(terminal: Terminal) -> None:
    host = terminal.start("play", "battleline", "--private", "-o", "first=seat_1", "--as", "Host")
    try:
        assert host.stdout is not None
        code = host.stdout.readline().split()[-1]
        guest = terminal.run("play", "coerceo", "--invite", code, "--as", "Guest", stdin="quit\n")
    finally:
        host.kill()
        host.communicate()
    assert guest.returncode == 0, guest.stderr
    assert "The invite code leads to a match of battleline." in guest.stdout
    assert "troops 7" in guest.stdout
    assert "hamle play battleline --match" in guest.stdout.splitlines()[-1]


def test_a_server_without_tls_is_told_without_the_lines_of_a_library(terminal: Terminal) -> None:
    refused = terminal.run("account", "--server", f"https://{terminal.environ['HAMLE_SERVER']}")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("no answer: "), refused.stderr
    assert len(refused.stderr.splitlines()) == 2, refused.stderr


@pytest.mark.parametrize(
    "typed",
    [
        ("account", "--as", "\udcff"),
        ("watch", "\udcff"),
        ("fork", "\udcff", "--at", "1"),
        ("play", "coerceo", "--bot", "random", "-o", "start=\udcff"),
        ("selfplay", "coerceo", "-n", "1", "-o", "start=\udcff"),
    ],
    ids=ascii,
)
def test_what_is_typed_in_another_encoding_is_told_so(terminal: Terminal, typed: tuple[str, ...]) -> None:
    refused = terminal.run(*typed)
    assert (refused.returncode, refused.stdout) == (2, ""), refused.stderr
    assert "is no text in UTF-8" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_match_is_left_and_taken_up_again(terminal: Terminal) -> None:
    left = terminal.json("play", "coerceo", "--bot", "random", *OCIUS, stdin="quit\n")
    assert not left["over"]
    ended = terminal.json("play", "coerceo", "--match", left["match_id"], "--bot", "random", stdin="resign\n")
    assert ended["match_id"] == left["match_id"]
    assert ended["over"]


def test_illegal_move_is_explained(terminal: Terminal) -> None:
    played = terminal.run("play", "coerceo", "--bot", "random", *OCIUS, stdin="a9a-b1b\nchoices\nresign\n")
    assert played.returncode == 0, played.stderr
    assert "refused (ILLEGAL_MOVE)" in played.stdout
    assert "…" in played.stdout


def test_live_log_is_redacted_and_refused_by_verify(terminal: Terminal, tmp_path: Path) -> None:
    left = terminal.json("play", "coerceo", "--bot", "random", *OCIUS, stdin="quit\n")
    file = tmp_path / "live.jsonl"
    terminal.json("export", left["match_id"], "-o", str(file))
    refused = terminal.run("verify", str(file))
    assert refused.returncode == 2
    assert "once it is over" in refused.stderr


def test_bots_play_each_other(terminal: Terminal) -> None:
    played = terminal.json("selfplay", "coerceo", "--matches", "3", "--seed", "7", *OCIUS)
    assert (played["matches"], played["errors"]) == (3, 0)
    assert played["moves"] > 3


def test_a_series_of_battle_line_is_played_to_its_end(terminal: Terminal) -> None:
    played = terminal.json("selfplay", "battleline", "--matches", "1", "-o", "series=2", "-o", "tactics=off")
    assert (played["matches"], played["errors"], played["outcomes"]) == (1, 0, {"series": 1})


def test_hidden_hands_are_told_in_the_language_asked_for_and_proven_afterwards(
    terminal: Terminal, tmp_path: Path
) -> None:
    typed = ("play", "battleline", "--bot", "captain", "-o", "first=seat_0", "--language", "tr")
    played = terminal.run(*typed, stdin="choices\nresign\n")
    assert played.returncode == 0, played.stderr
    assert "Siz (0): elde birlik 7" in played.stdout
    assert "Öteki oyuncu ayrıldı" in played.stdout
    match = played.stdout.splitlines()[-1].split()[-1]
    file = tmp_path / "match.jsonl"
    terminal.json("export", match, "-o", str(file))
    assert terminal.json("verify", str(file))["ok"]


def test_terminal_redraws_the_board_and_takes_keys(terminal: Terminal) -> None:
    master, slave = pty.openpty()
    player = terminal.start("play", "coerceo", "--bot", "random", *OCIUS, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    try:
        shown = _read_until(master, b"your move>")
        assert b"\x1b[2J" in shown
        assert b"White" in shown
        os.write(master, b"resign\r")
        shown = _read_until(master, b"The match is over")
        assert player.wait(60) == 0
    finally:
        player.kill()
        player.wait()
        os.close(master)


def _read_until(terminal: int, wanted: bytes) -> bytes:
    shown = b""
    deadline = time.monotonic() + 120
    while wanted not in shown:
        assert time.monotonic() < deadline, shown[-2000:]
        if select.select([terminal], [], [], 1.0)[0]:
            shown += os.read(terminal, 65536)
    return shown
