"""Failures as sentences: what was refused, why, what to do. Users get no tracebacks."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any

import typer
from hamle_client import HamleError
from typer.core import TyperGroup

from cli.output import complain
from core.errors import Refused

TRACEBACK_VARIABLE = "HAMLE_TRACEBACK"
_FULL = (errno.ENOSPC, errno.EDQUOT)
REFUSED = 2
FAULT = 70

_ADVICE = {
    "": "Is a server running? Start one with `hamle up`, or name one with --server or HAMLE_SERVER.",
    "GAME_UNKNOWN": "`hamle games` lists what can be played.",
    "OPTION_INVALID": "`hamle games GAME` tells the options, their values and what they do.",
    "MATERIAL_MISSING": "`hamle deck add FILE` adds a deck to the store.",
    "MATCH_NOT_FOUND": "Check the match id, and that --server or HAMLE_SERVER names the server that has it.",
    "NOT_YOUR_SEAT": "Only whoever took the seat may do this; `--as NAME` chooses the identity.",
    "MATCH_FULL": "`hamle watch MATCH` follows it.",
    "LOG_LOST_TAIL": "An operator accepts the loss with `hamle tail-lost MATCH`.",
    "NO_TAIL_LOST": "`hamle tail-lost MATCH --last SEQ` names it.",
    "MATCH_NOT_FINISHED": "Wait until it is over.",
    "STORE_DOWN": "Is the store running, and does HAMLE_STORE_URL name it?",
}


class Stop(Exception):
    """The command cannot be done; the message says what was wrong, what was expected and what to do."""


def explain(error: Exception) -> str:
    """The failure for people."""
    if isinstance(error, HamleError):
        return _sentences(error.reason, error.message, "" if error.reason else _ADVICE[""])
    if isinstance(error, Refused):
        return _sentences(error.name, error.message, "")
    return str(error)


def _sentences(reason: str, message: str, advice: str) -> str:
    head = f"refused ({reason}): {message}" if reason else f"no answer: {message}"
    advice = advice or _ADVICE.get(reason, "")
    return f"{head}\n{advice}" if advice else head


class HamleGroup(TyperGroup):
    """The commands; what they raise becomes a message on stderr and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command."""
        return guarded(lambda: super(HamleGroup, self).invoke(ctx))


def guarded(work: Callable[[], Any]) -> Any:
    """Runs `work`. A refusal ends the program with exit code 2, a fault of the program itself with 70."""
    if os.environ.get(TRACEBACK_VARIABLE):
        return work()
    try:
        return work()
    except (HamleError, Refused, Stop) as error:
        complain(explain(error))
        raise typer.Exit(REFUSED) from error
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            complain(f"Nothing more can be written: {error.strerror}. Make room, and do it again.")
            raise typer.Exit(REFUSED) from error
        if (text := _no_text(error)) is not None:
            complain(f"{text!a} is no text in UTF-8, and nothing else can be asked for. Type it again, in UTF-8.")
            raise typer.Exit(REFUSED) from error
        if isinstance(error, BrokenPipeError) or type(error).__module__.startswith("typer"):
            raise
        complain(
            f"{type(error).__name__}: {error}\nThis is a fault of hamle itself; {TRACEBACK_VARIABLE}=1 shows where."
        )
        raise typer.Exit(FAULT) from error


def _no_text(error: BaseException) -> str | None:
    """What was typed in another encoding, if that is why it failed, be it in a group; Python keeps its bytes apart."""
    if isinstance(error, BaseExceptionGroup):
        return next((text for each in error.exceptions if (text := _no_text(each)) is not None), None)
    if not isinstance(error, UnicodeEncodeError):
        return None
    apart = error.object[error.start : error.end]
    return error.object if all("\udc80" <= character <= "\udcff" for character in apart) else None
