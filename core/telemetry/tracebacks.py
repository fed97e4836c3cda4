"""Exceptions as text for the log: where it happened and what it was, without the values of variables."""

from __future__ import annotations

import traceback
from typing import Final

from core.telemetry.redaction import scrub

WITHHELD: Final = "(message withheld: raised inside a game's rules, it may tell hidden things)"
_CAUSED: Final = "\nThe above exception was the direct cause of the following exception:\n"
_DURING: Final = "\nDuring handling of the above exception, another exception occurred:\n"


def render(error: BaseException) -> str:
    """The traceback with its causes. The messages of what was raised inside `engines.<game>` are left out."""
    return scrub("\n".join(_lines(error, set())))


def _lines(error: BaseException, seen: set[int]) -> list[str]:
    seen.add(id(error))
    lines: list[str] = []
    before, between = error.__cause__, _CAUSED
    if before is None and not error.__suppress_context__:
        before, between = error.__context__, _DURING
    if before is not None and id(before) not in seen:
        lines += [*_lines(before, seen), between]
    if error.__traceback__ is not None:
        lines.append("Traceback (most recent call last):")
        lines += [line.rstrip("\n") for line in traceback.format_tb(error.__traceback__)]
    lines.append(_title(error))
    if isinstance(error, BaseExceptionGroup):
        for number, member in enumerate(error.exceptions, 1):
            lines.append(f"  member {number} of the group:")
            lines += [f"  {line}" for line in "\n".join(_lines(member, seen)).splitlines()]
    return lines


def _title(error: BaseException) -> str:
    name = type(error).__qualname__
    if _in_rules(error):
        return f"{name}: {WITHHELD}"
    try:
        message = "\n".join([str(error), *getattr(error, "__notes__", ())])
    except Exception as broken:
        message = f"(its text cannot be made: {type(broken).__qualname__})"
    return f"{name}: {message}" if message else name


def _in_rules(error: BaseException) -> bool:
    frame = error.__traceback__
    while frame is not None:
        package, _, rest = str(frame.tb_frame.f_globals.get("__name__", "")).partition(".")
        if package == "engines" and rest.partition(".")[0] not in ("", "kit"):
            return True
        frame = frame.tb_next
    return False
