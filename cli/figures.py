"""Commands that other modules do: their options passed on, their figures printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer
from annotated_types import Ge, Le

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
    """The options, each of them one that `run` has, of the kind of its default. A usage error when one is not.

    A parameter may be a Literal, or Annotated with the least (`Ge`, else 0) and the most (`Le`) that it takes.
    """
    known = {name: each for name, each in signature(run).parameters.items() if each.kind is Parameter.KEYWORD_ONLY}
    known.pop("advance", None)
    hints = get_type_hints(run, include_extras=True)
    listed = ", ".join(f"--{name.replace('_', '-')} ({each.default})" for name, each in known.items())
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if name not in known:
            raise typer.BadParameter(f"there is no option {option}; there are {listed}")
        expected = _expected_for(value, hints[name], known[name].default)
        if expected:
            raise typer.BadParameter(f"{option} {value}: expected {expected}")
    return options


def report(figures: Mapping[str, Any], *, json: bool) -> None:
    """The figures as one JSON object on one line, or as a table."""
    if json:
        emit(figures)
    else:
        tabulate(["figure", "value"], [[name, _text(value)] for name, value in figures.items()])


def _expected_for(value: object, hint: object, default: object) -> str:
    """What was expected instead of the value; nothing when it will do."""
    if get_origin(hint) is Literal:
        return "" if value in get_args(hint) else " or ".join(get_args(hint))
    kinds = (int, float) if isinstance(default, float) else (type(default),)
    if type(value) not in kinds:
        return f"such as {default or 1}"
    if not isinstance(value, (int, float)):
        return ""
    rules = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    least: Any = next((rule.ge for rule in rules if isinstance(rule, Ge)), 0)
    most: Any = next((rule.le for rule in rules if isinstance(rule, Le)), None)
    if most is None:
        return "" if value >= least else f"at least {least}"
    return "" if least <= value <= most else f"{least} to {most}"


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
