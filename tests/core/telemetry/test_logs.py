from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import structlog

from core.telemetry import logs
from core.telemetry.tracebacks import WITHHELD, render


@pytest.fixture(autouse=True)
def _restore() -> Iterator[None]:
    before, level = structlog.get_config(), logging.getLogger().level
    yield
    structlog.configure(**before)
    root = logging.getLogger()
    root.setLevel(level)
    for handler in [handler for handler in root.handlers if type(handler).__module__ == logs.__name__]:
        root.removeHandler(handler)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_one_json_object() -> None:
    stream = io.StringIO()
    logs.configure(stream=stream, role="gateway")
    structlog.get_logger("hamle.test").info("two\nlines ş", took_ms=3, match_id="07kq3", seat=1, trace_id="ab" * 16)
    structlog.get_logger("hamle.test").warning("after")
    first, second = lines(stream)
    assert {
        "match_id": "07kq3",
        "seat": 1,
        "trace_id": "ab" * 16,
        "event": "two\nlines ş",
        "took_ms": 3,
        "level": "info",
        "logger": "hamle.test",
        "role": "gateway",
    }.items() <= first.items()
    assert "match_id" not in second


def test_debug_lines_are_announced_only_where_they_are_logged() -> None:
    for level in ("debug", "info"):
        stream = io.StringIO()
        logs.configure(level, stream=stream)
        structlog.get_logger().debug("heard")
        assert bool(lines(stream)) == logs.debugs() == (level == "debug")


def test_levels_below_the_set_one_are_not_logged() -> None:
    stream = io.StringIO()
    logs.configure("warning", stream=stream)
    structlog.get_logger().info("quiet")
    logging.getLogger("other").info("quiet")
    structlog.get_logger().warning("loud")
    logging.getLogger("other").warning("loud %d", 2)
    assert [line["event"] for line in lines(stream)] == ["loud", "loud 2"]


def test_secrets_never_reach_the_line_by_any_way() -> None:
    stream = io.StringIO()
    logs.configure(stream=stream)
    log = structlog.get_logger()
    secret = "hunter2" + "A1b2" * 10
    log.bind(token=secret).info(
        f"Bearer {secret}", authorization=secret, moves=["R7", secret], nested=[{"seed": secret}]
    )
    logging.getLogger("redis").error("cannot reach redis://user:%s@host", secret)
    try:
        local = secret
        raise ValueError(f"password={secret}") from KeyError(secret)
    except ValueError:
        log.exception("failed", local_bytes=local.encode())
        logging.getLogger("asyncio").exception("Task failed\nfuture: <Task exception=ValueError('%s')>", secret)
    assert len(lines(stream)) == 4
    assert secret not in stream.getvalue()
    assert "hunter2" not in stream.getvalue()
    assert "R7" not in stream.getvalue()


def test_a_traceback_is_told_with_its_causes_and_without_values() -> None:
    stream = io.StringIO()
    logs.configure(stream=stream)
    try:
        try:
            local = {"card": "R7"}
            raise KeyError("first")
        except KeyError as error:
            raise RuntimeError("second") from error
    except RuntimeError:
        structlog.get_logger().exception("failed")
    del local
    (line,) = lines(stream)
    text = line["exception"]
    assert text.index("KeyError: 'first'") < text.index("direct cause") < text.index("RuntimeError: second")
    assert "test_logs.py" in text
    assert "exc_info" not in line


def test_messages_from_inside_a_games_rules_are_withheld() -> None:
    rules = ModuleType("engines.battleline.apply")
    exec("def apply(): raise ValueError('the hand holds R7')", rules.__dict__)
    host = ModuleType("engines.kit.host")
    exec("def host(): raise ConnectionError('the store is away')", host.__dict__)
    assert WITHHELD in render(_raised(rules.apply))
    assert "R7" not in render(_raised(rules.apply))
    assert "the store is away" in render(_raised(host.host))


def test_groups_notes_cycles_and_broken_messages_are_rendered() -> None:
    class Broken(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    one, two = ValueError("one"), Broken()
    one.add_note("a note")
    one.__context__, two.__context__ = two, one
    text = render(ExceptionGroup("both", [one, two]))
    assert "a note" in text
    assert "member 2" in text
    assert "cannot be made: RuntimeError" in text


def test_text_for_a_terminal_is_readable() -> None:
    stream = io.StringIO()
    logs.configure(form="text", stream=stream)
    structlog.get_logger().error("it failed", why="because", exc_info=_raised(lambda: 1 // 0))
    assert "it failed" in stream.getvalue()
    assert "why=because" in stream.getvalue()
    assert "ZeroDivisionError" in stream.getvalue()


def test_nobody_reading_stderr_does_not_end_the_process() -> None:
    stream = io.StringIO()
    logs.configure(stream=stream)
    stream.close()
    structlog.get_logger().info("nobody hears this")


def test_before_it_is_configured_lines_go_to_stderr_without_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.reset_defaults()
    logs.configure_quietly()
    structlog.get_logger().info("early", token="hunter2")
    err = capsys.readouterr().err
    assert "early" in err
    assert "hunter2" not in err


def _raised(function: Any) -> BaseException:
    try:
        function()
    except BaseException as error:
        return error.with_traceback(sys.exc_info()[2])
    raise AssertionError
