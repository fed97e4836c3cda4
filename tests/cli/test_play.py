"""A player at a match: what is shown, what is typed, what the server is asked for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2

from tests.cli.hamle import hamle
from tests.clients.server import MATCH, ScriptedServer, joined_at, refuse, step_of, view_of

FINISHED = match_pb2.MATCH_STATUS_FINISHED
OUTCOME = event_pb2.Outcome(
    placements=[event_pb2.Placement(seat=0, place=1), event_pb2.Placement(seat=1, place=2)], reason="no_pieces"
)


def live(seq: int, awaited: tuple[int, ...], status: Any = match_pb2.MATCH_STATUS_ACTIVE, **body: Any) -> Any:
    frame = step_of(seq, **body)
    frame.step.view.CopyFrom(view_of(seq, awaited=awaited, status=status))
    return frame


def a_match(server: ScriptedServer, moves: int = 1) -> Callable[..., AsyncIterator[match_pb2.Frame]]:
    """The caller is to move; after so many moves the match is over."""

    async def stream(request: Any, context: Any) -> AsyncIterator[match_pb2.Frame]:
        yield joined_at(1)
        yield step_of(1, started=event_pb2.Started(seats=2))
        yield match_pb2.Frame(view=view_of(1))
        for made in range(1, moves + 1):
            await server.until("SubmitMoves", made)
            yield live(2 * made, (1,), moved=event_pb2.Moved(seat=0, move="a"))
            yield live(2 * made + 1, (0,) if made < moves else (), moved=event_pb2.Moved(seat=1, move="b"))
        last = 2 * moves + 2
        yield live(last, (), FINISHED, finished=event_pb2.Finished(outcome=OUTCOME))
        yield live(last + 1, (), FINISHED, secret_revealed=event_pb2.SecretRevealed(secret=b"s"))

    return stream


async def play(server: ScriptedServer, *more: str, stdin: str) -> Any:
    return await hamle("play", "coerceo", "--private", "--server", server.address, *more, stdin=stdin)


async def test_moves_are_read_and_the_match_is_shown_to_its_end(server: ScriptedServer) -> None:
    server.streams.append(a_match(server))
    result = await play(server, stdin="a\n")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "Others sit down with: hamle play coerceo --invite INV"
    assert "   2  you (seat 0): a  moved" in lines
    assert "   3  seat 1: b  moved" in lines
    assert any("number 1 is you (seat 0)" in line for line in lines)
    assert lines[-1] == f"This was match {MATCH}; to see it again: hamle replay {MATCH} --server {server.address}"
    request = server.requests("SubmitMoves")[0]
    assert (list(request.moves), request.expected.seq) == (["a"], 1)


async def test_lines_made_in_advance_wait_until_the_seat_must_act(server: ScriptedServer) -> None:
    async def stream(request: Any, context: Any) -> AsyncIterator[match_pb2.Frame]:
        yield joined_at(1)
        yield step_of(1, started=event_pb2.Started(seats=2))
        yield match_pb2.Frame(view=view_of(1))
        await server.until("SubmitMoves", 1)
        may_act = live(2, (1,), moved=event_pb2.Moved(seat=0, move="a"))
        may_act.step.view.may_act[:] = [0, 1]
        yield may_act
        yield live(3, (0,), moved=event_pb2.Moved(seat=1, move="b"))
        await server.until("SubmitMoves", 2)
        yield live(4, (), FINISHED, finished=event_pb2.Finished(outcome=OUTCOME))
        yield live(5, (), FINISHED, secret_revealed=event_pb2.SecretRevealed(secret=b"s"))

    server.streams.append(stream)
    result = await play(server, stdin="a\nc\n")
    assert result.exit_code == 0, result.stderr
    assert [request.expected.seq for request in server.requests("SubmitMoves")] == [1, 3]


async def test_json_is_one_object_at_the_end(server: ScriptedServer) -> None:
    server.streams.append(a_match(server))
    result = await play(server, "--json", stdin="a\n")
    assert json.loads(result.stdout) == {
        "match_id": MATCH,
        "seat": 0,
        "over": True,
        "moves": 1,
        "outcome": {"reason": "no_pieces", "placements": [{"seat": 0, "place": 1}, {"seat": 1, "place": 2}]},
    }
    assert "--invite INV" in result.stderr


async def test_refused_move_is_told_and_the_next_line_taken(server: ScriptedServer) -> None:
    server.faults["SubmitMoves"].append(refuse(grpc.StatusCode.INVALID_ARGUMENT, "ILLEGAL_MOVE"))
    server.streams.append(a_match(server, moves=2))
    result = await play(server, stdin="zzz\na\n")
    assert result.exit_code == 0, result.stderr
    assert "refused (ILLEGAL_MOVE): refused: ILLEGAL_MOVE" in result.stdout
    assert [list(request.moves) for request in server.requests("SubmitMoves")] == [["zzz"], ["a"]]


async def test_several_moves_on_a_line_are_made_together(server: ScriptedServer) -> None:
    server.streams.append(a_match(server))
    await play(server, stdin="a aa\n")
    assert list(server.requests("SubmitMoves")[0].moves) == ["a", "aa"]


async def test_choices_are_listed_and_a_beginning_is_not_submitted(server: ScriptedServer) -> None:
    server.streams.append(a_match(server))
    result = await play(server, stdin="choices\n\nhelp\na\n")
    assert "a" in result.stdout.splitlines()
    assert "take the last move back" in result.stdout
    assert len(server.requests("SubmitMoves")) == 1


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("nobot", "There is no bot 'nobot'; there are random."),
        ("captain", "The bot 'captain' plays battleline only; for coerceo there are random."),
    ],
)
async def test_bot_that_cannot_play_the_game_is_refused_before_a_match_is_made(
    server: ScriptedServer, bot: str, said: str
) -> None:
    result = await play(server, "--bot", bot, stdin="")
    assert result.exit_code == 2
    assert said in result.stderr
    assert not server.requests("CreateMatch")


async def test_quitting_leaves_the_match_and_says_how_to_come_back(server: ScriptedServer) -> None:
    server.streams.append(a_match(server))
    result = await play(server, stdin="quit\n")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == (
        f"The match waits: hamle play coerceo --match {MATCH} --server {server.address}"
    )
    assert not server.requests("SubmitMoves")
    server.streams.append(a_match(server))
    again = await hamle("play", "coerceo", "--match", MATCH, "--server", server.address, stdin="a\n")
    assert again.exit_code == 0, again.stderr
    assert len(server.requests("SignInGuest")) == 1


async def test_coming_back_brings_the_bot_and_the_same_player(server: ScriptedServer) -> None:
    async def waiting(request: Any, context: Any) -> AsyncIterator[match_pb2.Frame]:
        yield joined_at(1)
        yield step_of(1, started=event_pb2.Started(seats=2))
        yield match_pb2.Frame(view=view_of(1))
        await server.until("Resign")

    server.streams.extend([waiting, waiting])
    where = ("--server", server.address)
    who = ("--bot", "random", "--as", "Ada Lovelace")
    result = await hamle("play", "coerceo", *who, *where, stdin="help\nquit\n")
    assert result.exit_code == 0, result.stderr
    back = f"hamle play coerceo --match {MATCH} --bot random --as 'Ada Lovelace' --server {server.address}"
    assert f"`{back}` comes back to it" in result.stdout
    assert result.stdout.splitlines()[-1] == f"The match waits: {back}"


async def test_end_of_input_leaves_as_quit_does(server: ScriptedServer) -> None:
    server.streams.append(a_match(server))
    result = await play(server, stdin="")
    assert result.exit_code == 0
    assert "The match waits" in result.stdout


async def test_undo_and_resign_are_asked_for(server: ScriptedServer) -> None:
    async def stream(request: Any, context: Any) -> AsyncIterator[match_pb2.Frame]:
        yield joined_at(1)
        yield step_of(1, started=event_pb2.Started(seats=2))
        yield match_pb2.Frame(view=view_of(1))
        await server.until("UndoMoves")
        yield live(2, (0,), undone=event_pb2.Undone(seat=0, to_seq=1))
        await server.until("Resign")
        yield live(3, (), resigned=event_pb2.Resigned(seat=0))
        yield live(4, (), FINISHED, finished=event_pb2.Finished(outcome=OUTCOME))
        yield live(5, (), FINISHED, secret_revealed=event_pb2.SecretRevealed(secret=b"s"))

    server.streams.append(stream)
    result = await play(server, stdin="undo\nresign\n")
    assert result.exit_code == 0, result.stderr
    assert "you (seat 0) resigned." in result.stdout
    assert len(server.requests("UndoMoves")) == 1
    assert len(server.requests("Resign")) == 1


async def test_pairing_waits_for_whoever_asks_for_the_same(server: ScriptedServer) -> None:
    server.streams.append(a_match(server))
    options = ("-o", "start=ocius", "--minutes", "5", "--increment", "2", "--language", "tr")
    result = await hamle("play", "coerceo", "--server", server.address, *options, stdin="a\n")
    assert result.exit_code == 0, result.stderr
    told = result.stdout.splitlines()[0]
    assert told.startswith("Rakip bekleniyor")
    same = f"--option start=ocius --minutes 5.0 --increment 2.0 --server {server.address}"
    assert told.endswith(f" hamle play coerceo {same}"), "what the other types would not be paired with this"
    request = server.requests("RequestPairing")[0]
    assert dict(request.options) == {"start": "ocius"}
    assert (request.time_control.initial_ms, request.time_control.increment_ms) == (300_000, 2_000)


async def test_match_of_another_game_is_not_taken_up(server: ScriptedServer) -> None:
    result = await hamle("play", "tashkalar", "--match", MATCH, "--server", server.address)
    assert result.exit_code == 2
    assert "is a match of coerceo" in result.stderr


async def test_watch_tells_each_event_as_one_json_object(server: ScriptedServer) -> None:
    server.done["x"] = 1
    server.calls.append(("SubmitMoves", None))
    server.streams.append(a_match(server))
    result = await hamle("watch", MATCH, "--json", "--server", server.address)
    steps = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(step["seq"], step["kind"]) for step in steps] == [
        (1, "started"),
        (2, "moved"),
        (3, "moved"),
        (4, "finished"),
        (5, "secret_revealed"),
    ]
    assert steps[1]["facts"] == [{"kind": "moved"}]
    assert steps[1]["view"]["ply"] == 2


async def test_watch_shows_events_and_boards(server: ScriptedServer) -> None:
    server.calls.append(("SubmitMoves", None))
    server.streams.append(a_match(server))
    result = await hamle("watch", MATCH, "--server", server.address)
    assert "   3  seat 1: b  moved" in result.stdout.splitlines()
    assert "White" in result.stdout
