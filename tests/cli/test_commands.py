"""Commands from their arguments to their output and exit code, against a server of the real API where they need one."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import grpc
import pytest
from hamle.match.v1 import match_pb2

from cli.app import COMMANDS
from tests.cli.hamle import hamle
from tests.clients.server import MATCH, ScriptedServer, fail, refuse


async def test_every_command_has_help() -> None:
    for name in COMMANDS:
        result = await hamle(name, "--help")
        assert result.exit_code == 0
        assert "Usage: " in result.stdout


async def test_the_help_of_play_tells_which_bot_plays_what() -> None:
    told = " ".join((await hamle("play", "--help")).stdout.split())
    assert "random (any game); captain, strengthener (battleline)" in told
    assert "summoner (tashkalar)" in told


async def test_games_as_table_and_as_json(server: ScriptedServer) -> None:
    table = await hamle("games", "--server", server.address)
    assert table.exit_code == 0
    assert "Coerceo" in table.stdout
    result = await hamle("games", "--server", server.address, "--json")
    assert json.loads(result.stdout)["games"][0]["game"] == "coerceo"
    assert result.stdout.count("\n") == 1


async def test_one_games_options_are_told_in_full_on_a_narrow_terminal(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    values = ["a_value_that_is_long_by_itself", "another_value_that_is_even_longer"]
    start = match_pb2.OptionInfo(name="start", values=values, default_value=values[1], description="Where to begin.")
    server.games[0].options.append(start)
    table = await hamle("games", "coerceo", "--server", server.address)
    assert table.exit_code == 0, table.stderr
    cells = [line.split("│") for line in table.stdout.splitlines() if line.startswith("│")]
    assert "".join(cell[2].strip() for cell in cells) == values[1] + values[0]
    assert " ".join(cell[3].strip() for cell in cells).split() == ["Where", "to", "begin."]
    assert "…" not in (await hamle("games", "--server", server.address)).stdout
    unknown = await hamle("games", "nim", "--server", server.address)
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert "No engine runs the game 'nim'; there are coerceo." in unknown.stderr


async def test_matches_as_table_and_as_json_from_as_many_pages_as_it_takes(server: ScriptedServer) -> None:
    table = await hamle("matches", "--server", server.address)
    assert table.exit_code == 0, table.stderr
    assert table.stdout.count(MATCH) == 3
    for part in ("coerceo", "active", "0: unknown (you)", "hamle watch MATCH"):
        assert part in table.stdout
    asked = len(server.requests("ListMatches"))
    result = await hamle("matches", "coerceo", "--mine", "--limit", "2", "--server", server.address, "--json")
    found = json.loads(result.stdout)["matches"]
    assert [(match["match_id"], match["status"], match["events"]) for match in found] == [
        (MATCH, "active", 1),
        (MATCH, "active", 2),
    ]
    assert found[0]["seats"][0] == {"seat": 0, "name": "", "taken": True, "yours": True}
    requests = server.requests("ListMatches")[asked:]
    assert [(request.game, request.mine) for request in requests] == [("coerceo", True)] * 2


async def test_a_player_is_told_the_id_by_which_he_can_be_forgotten(server: ScriptedServer) -> None:
    told = await hamle("account", "--server", server.address)
    assert (told.exit_code, told.stdout) == (0, "guest, account a1\n")
    result = await hamle("account", "--server", server.address, "--json")
    assert json.loads(result.stdout) == {"account_id": "a1", "name": "guest"}
    assert len(server.requests("SignInGuest")) == 1


async def test_server_may_stand_before_the_command_or_in_the_environment(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await hamle("--server", server.address, "games", "--json")).exit_code == 0
    monkeypatch.setenv("HAMLE_SERVER", "127.0.0.1:1")
    assert (await hamle("--server", server.address, "games", "--json")).exit_code == 0
    monkeypatch.setenv("HAMLE_SERVER", server.address)
    assert (await hamle("games", "--json")).exit_code == 0


async def test_identity_is_kept_and_used_again(server: ScriptedServer) -> None:
    for _ in range(2):
        assert (await hamle("games", "--server", server.address)).exit_code == 0
    assert len(server.requests("SignInGuest")) == 1
    assert (await hamle("watch", MATCH, "--no-keep", "--server", server.address)).exit_code != 0
    assert len(server.requests("SignInGuest")) == 2


async def test_token_that_the_server_no_longer_takes_is_replaced(server: ScriptedServer) -> None:
    await hamle("games", "--server", server.address)
    server.faults["GetAccount"].append(refuse(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"))
    assert (await hamle("games", "--server", server.address)).exit_code == 0
    assert len(server.requests("SignInGuest")) == 2


async def test_token_is_never_printed(server: ScriptedServer) -> None:
    for arguments in (["games"], ["games", "--json"]):
        result = await hamle(*arguments, "--server", server.address)
        assert "first" not in result.stdout.replace("first value", "") + result.stderr


async def test_refusal_is_a_sentence_with_reason_and_advice(server: ScriptedServer) -> None:
    server.faults["GetMatch"].append(refuse(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND", match_id="x"))
    result = await hamle("watch", "x", "--server", server.address)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "refused (MATCH_NOT_FOUND): refused: MATCH_NOT_FOUND",
        "Check the match id, and that --server or HAMLE_SERVER names the server that has it.",
    ]
    assert result.stdout == ""


async def test_unreadable_address_is_refused() -> None:
    result = await hamle("games", "--server", "nowhere")
    assert result.exit_code == 2
    assert "expected host:port" in result.stderr


def damage_player(folder: Path) -> None:
    (kept,) = folder.rglob("player-1.json")
    kept.write_text('{"expires_at": "soon"}')


async def test_fault_of_the_program_is_told_without_traceback(tmp_path: Path, server: ScriptedServer) -> None:
    await hamle("games", "--server", server.address)
    damage_player(tmp_path)
    result = await hamle("games", "--server", server.address)
    assert result.exit_code == 70
    assert "Traceback" not in result.stderr
    assert "HAMLE_TRACEBACK=1" in result.stderr


async def test_fork_tells_how_to_go_on(server: ScriptedServer) -> None:
    result = await hamle("fork", MATCH, "--at", "3", "--server", server.address)
    assert result.exit_code == 0
    assert f"hamle play coerceo --match {MATCH}" in result.stdout
    assert "--invite FORK" in result.stdout
    data = await hamle("fork", MATCH, "--at", "3", "--server", server.address, "--json")
    assert json.loads(data.stdout) == {"match_id": MATCH, "game": "coerceo", "seat": 0, "invite_code": "FORK"}


async def test_export_writes_whole_files_only(server: ScriptedServer, tmp_path: Path) -> None:
    server.head = 4
    target = tmp_path / "log.jsonl"
    result = await hamle("export", MATCH, "-o", str(target), "--server", server.address, "--json")
    assert json.loads(result.stdout) == {"match_id": MATCH, "events": 4, "file": str(target)}
    assert len(target.read_text().splitlines()) == 5
    server.faults["ExportMatch"].append(fail(grpc.StatusCode.PERMISSION_DENIED))
    broken = await hamle("export", MATCH, "-o", str(tmp_path / "other"), "--server", server.address)
    assert broken.exit_code == 2
    assert sorted(os.listdir(tmp_path)) == ["config", "log.jsonl"]


async def test_export_to_stdout_is_the_log_alone(server: ScriptedServer) -> None:
    server.head = 2
    result = await hamle("export", MATCH, "--server", server.address)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0] == {"hamle_log": 1, "match_id": MATCH, "game": "coerceo", "rules": "coerceo/1"}
    assert [line["seq"] for line in lines[1:]] == [1, 2]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["coerceo", "0"], "1"),
        (["coerceo", "1", "-o", "start=ocius"], "26"),
    ],
)
async def test_perft_prints_the_number_alone(arguments: list[str], expected: str) -> None:
    result = await hamle("perft", *arguments)
    assert result.stdout == f"{expected}\n"


async def test_perft_json_names_all_options() -> None:
    result = await hamle("perft", "coerceo", "2", "--option", "start=ocius", "--json")
    data = json.loads(result.stdout)
    assert (data["perft"], data["depth"], data["options"]["start"]) == (676, 2, "ocius")
    assert data["options"]["exchange_cost"] == "2"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nim", "2"], "coerceo"),
        (["coerceo", "2", "-o", "start=x"], "laurentius, ocius"),
        (["coerceo", "2", "-o", "stat=x"], "does not take the option stat=x; expected one of the options start"),
        (["coerceo", "-1"], "DEPTH"),
    ],
)
async def test_perft_says_what_is_wrong(arguments: list[str], said: str) -> None:
    result = await hamle("perft", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


async def test_unknown_bot_and_misplaced_seat_are_refused(server: ScriptedServer) -> None:
    no_bot = await hamle("selfplay", "coerceo", "--bot", "deep", "--server", server.address)
    assert no_bot.exit_code == 2
    assert "there are random" in no_bot.stderr
    other_game = await hamle("selfplay", "coerceo", "--bot", "captain", "--server", server.address)
    assert other_game.exit_code == 2
    assert "plays battleline only" in other_game.stderr
    no_rules = await hamle("selfplay", "nim")
    assert no_rules.exit_code == 2
    assert "no rules for a game 'nim'" in no_rules.stderr
    too_many = await hamle("selfplay", "coerceo", "--seats", "3", "--server", server.address)
    assert too_many.exit_code == 2
    assert "seats, not 3" in too_many.stderr
    seat = await hamle("play", "coerceo", "--seat", "1", "--server", server.address)
    assert seat.exit_code == 2
    assert "Pairing gives out the seats" in seat.stderr


@pytest.mark.parametrize("command", [["games"], ["play", "coerceo"], ["watch", MATCH, "--json"]])
async def test_players_that_cannot_be_kept_are_refused_with_what_to_do(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HAMLE_CONFIG_DIR", str(tmp_path / "file"))
    result = await hamle(*command, "--server", server.address)
    assert result.exit_code == 2, result.stderr
    assert "HAMLE_CONFIG_DIR" in result.stderr
    assert not result.stdout


async def test_an_export_that_cannot_be_written_is_refused_with_the_files_name(
    server: ScriptedServer, tmp_path: Path
) -> None:
    output = tmp_path / "nowhere" / "log.jsonl"
    result = await hamle("export", MATCH, "--output", str(output), "--json", "--server", server.address)
    assert result.exit_code == 2, result.stderr
    assert str(output) in result.stderr
    assert not result.stdout


async def test_an_export_into_something_that_is_no_file_goes_there_and_replaces_nothing(
    server: ScriptedServer, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = asyncio.create_task(asyncio.to_thread(pipe.read_text))
    result = await hamle("export", MATCH, "--output", str(pipe), "--json", "--server", server.address)
    assert result.exit_code == 0, result.stderr
    assert pipe.is_fifo()
    assert len((await asyncio.wait_for(reading, 20)).splitlines()) == 2
    assert sorted(os.listdir(tmp_path)) == ["config", "pipe"]


async def test_bots_that_cannot_sign_in_are_no_fault_of_the_program(server: ScriptedServer) -> None:
    async def fine(context: object) -> None:
        pass

    server.faults["SignInGuest"] += [fine, refuse(grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING")]
    result = await hamle("selfplay", "coerceo", "--seats", "2", "--server", server.address)
    assert result.exit_code == 2, result.stderr
    assert "SCOPE_MISSING" in result.stderr


async def test_a_file_to_replay_that_is_not_there_is_told_as_such() -> None:
    result = await hamle("replay", "exports/nowhere.jsonl")
    assert result.exit_code == 2
    assert "there is no file exports/nowhere.jsonl" in " ".join(result.stderr.replace("│", " ").split())
