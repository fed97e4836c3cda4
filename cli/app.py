"""The `hamle` command. Each command is a module of `cli.commands`, imported when it is called for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Final

import typer

from cli.errors import HamleGroup
from cli.options import Server

COMMANDS: Final = (
    "up",
    "games",
    "cards",
    "play",
    "matches",
    "watch",
    "replay",
    "export",
    "verify",
    "fork",
    "perft",
    "selfplay",
    "deck",
    "bench",
    "faults",
    "tail-lost",
    "account",
    "rotate-keys",
    "forget",
)
_PASS_ON: Final = {"allow_extra_args": True, "ignore_unknown_options": True}
_SETTINGS: Final[dict[str, dict[str, Any]]] = {"bench": _PASS_ON, "faults": _PASS_ON}


def make_app(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """The program with these commands."""
    app = typer.Typer(cls=HamleGroup, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.callback()(_hamle)
    for name in commands:
        module = name.replace("-", "_")
        command = getattr(import_module(f"cli.commands.{module}"), module)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name, context_settings=_SETTINGS.get(name))(command)
    return app


def _hamle(context: typer.Context, server: Server = None) -> None:
    """Play board games, host them, and study matches.

    A server is started with `hamle up`; every command tells more with --help.
    """
    if server:
        context.default_map = {name: {"server": server} for name in COMMANDS}


def called_for(arguments: Sequence[str]) -> Iterable[str]:
    """The command that is called, alone where that can be told: importing all of them takes a while."""
    named = [argument for argument in arguments if argument in COMMANDS]
    return named[:1] if named and "--help" not in arguments[: arguments.index(named[0])] else COMMANDS
