"""Commands that other modules do: their options passed on, their figures printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, signature
from typing import Any

import typer

from cli.errors import Stop
from cli.output import emit, tabulate

Run = Callable[..., Mapping[str, Any]]


def runner_in(*modules: str) -> Run:
    """`run` of the first module that is there. Raises Stop."""
    for module in modules:
        if _is_there(module):
            run: Run = import_module(module).run
            return run
    raise Stop(f"{modules[0]} is not there: this command needs Hamle's whole source tree.")


def passed_on(arguments: Sequence[str]) -> dict[str, Any]:
    """`["--matches", "16", "--fsync=always", "--quick"]` as keyword arguments; numbers become numbers."""
    options: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        name, found, value = rest.pop(0).partition("=")
        if not name.startswith("--") or len(name) < 3:
            raise typer.BadParameter(f"{name!r} is no option; expected --NAME VALUE")
        if not found and rest and not rest[0].startswith("--"):
            value, found = rest.pop(0), "="
        options[name[2:].replace("-", "_")] = _value(value) if found else True
    return options


def fitting(run: Run, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, each of them one that `run` has, of the kind of its default. A usage error when one is not."""
    known = {name: each for name, each in signature(run).parameters.items() if each.kind is Parameter.KEYWORD_ONLY}
    known.pop("server", None)
    listed = ", ".join(f"--{name.replace('_', '-')} ({each.default})" for name, each in known.items())
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if name not in known:
            raise typer.BadParameter(f"there is no option {option}; there are {listed}")
        default = known[name].default
        kinds = (int, float) if isinstance(default, float) else (type(default),)
        if type(value) not in kinds or (not isinstance(value, str) and value < 0):
            raise typer.BadParameter(f"{option} {value}: expected such as {option} {default or 1}")
    return options


def report(figures: Mapping[str, Any], *, json: bool) -> None:
    """The figures as one JSON object on one line, or as a table."""
    if json:
        emit(figures)
    else:
        tabulate(["figure", "value"], [[name, _text(value)] for name, value in figures.items()])


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False  # not even its package is there


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _text(value: object) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
