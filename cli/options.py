"""Arguments and options that several commands share."""

from __future__ import annotations

import os
from typing import Annotated, Final

import typer

from cli.words import LANGUAGES


def _known_language(language: str) -> str:
    """The language, also of one that was told with a region, such as `tr-TR`; another is a usage error."""
    spoken = language.partition("-")[0]
    if spoken not in LANGUAGES:
        raise typer.BadParameter(f"{language!r} is not spoken here; there are {', '.join(LANGUAGES)}")
    return spoken


Server = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        help="Which server, else HAMLE_SERVER; https://host:port for TLS, several separated by commas.",
    ),
]
NoServer = Annotated[str | None, typer.Option("--server", hidden=True)]
"""Of commands on servers of their own: taken to be refused, see `refuse_server`."""
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on one line.")]
Language = Annotated[
    str,
    typer.Option("--language", envvar="HAMLE_LANGUAGE", help=f"{' or '.join(LANGUAGES)}.", callback=_known_language),
]
Game = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game; `hamle games` lists them.")]
MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="Id of the match.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Option of the game; can be given several times."),
]
MOST_U32: Final = 2**32 - 1
MOST_U64: Final = 2**64 - 1
"""What a field of the API holds at most; what is wrong below that the server tells better."""
Seats = Annotated[int, typer.Option("--seats", min=0, max=MOST_U32, help="How many seats; 0: the fewest.")]
As = Annotated[
    str,
    typer.Option("--as", metavar="NAME", help="Which of this machine's players to be; made when new."),
]
Keep = Annotated[
    bool,
    typer.Option(
        "--keep/--no-keep", envvar="HAMLE_KEEP_TOKEN", help="Whether to keep the guest's token for next time."
    ),
]


def address(server: str | None) -> str | None:
    """The server named by the option, else by HAMLE_SERVER; None: the client's default."""
    return server or os.environ.get("HAMLE_SERVER") or None


def refuse_server(command: str, server: str | None) -> None:
    """A usage error when a server was named for a command that measures or kills its own."""
    if server is not None:
        raise typer.BadParameter(
            f"hamle {command} starts servers of its own and touches no others: leave --server out",
            param_hint="--server",
        )


def options_of(pairs: list[str] | None) -> dict[str, str]:
    """`["start=ocius"]` as a mapping. A pair without `=` or name, or named twice, is a usage error."""
    options: dict[str, str] = {}
    for pair in pairs or []:
        name, found, value = pair.partition("=")
        if not found or not name:
            raise typer.BadParameter(f"{pair!r} is not NAME=VALUE, such as start=ocius", param_hint="--option")
        if name in options:
            raise typer.BadParameter(f"{name} is given twice", param_hint="--option")
        options[name] = value
    return options
