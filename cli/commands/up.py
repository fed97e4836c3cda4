"""`hamle up`: everything on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.errors import Stop
from cli.output import say
from deploy.local.errors import StartFailed
from deploy.local.fleet import GAMES, AlreadyRunning, Plan
from deploy.local.launcher import DEFAULT_PORT
from deploy.local.launcher import up as launch


def up(
    data: Annotated[Path, typer.Option("--data", metavar="FOLDER", help="Where matches and logs are kept.")] = Path(
        "data"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any free one.")] = DEFAULT_PORT,
    game: Annotated[list[str] | None, typer.Option("--game", help="Which games; can be given several times.")] = None,
    engines: Annotated[int, typer.Option("--engines", min=1, help="How many engines a game.")] = 1,
    gateways: Annotated[int, typer.Option("--gateways", min=1, help="How many gateways.")] = 1,
    timekeepers: Annotated[int, typer.Option("--timekeepers", min=1, help="How many timekeepers.")] = 1,
    fsync: Annotated[
        str, typer.Option("--fsync", help="always, or everysec: a power failure may lose a second.")
    ] = "always",
    store_url: Annotated[str, typer.Option("--store", metavar="URL", help="Another store than the embedded one.")] = "",
    grpc_server: Annotated[str, typer.Option("--grpc-server", help="native or grpcio.")] = "native",
) -> None:
    """Start store, engines, gateways and timekeepers here, until Ctrl-C. Matches go on with the next start."""
    _one_of("--fsync", fsync, ("always", "everysec"))
    _one_of("--grpc-server", grpc_server, ("native", "grpcio"))
    for each in game or ():
        _one_of("--game", each, GAMES)
    plan = Plan(
        data,
        games=tuple(dict.fromkeys(game or GAMES)),
        engines=engines,
        gateways=gateways,
        timekeepers=timekeepers,
        fsync=fsync,
        store_url=store_url,
        grpc_server=grpc_server,
        port=port,
    )
    try:
        launch(plan, say)
    except (StartFailed, AlreadyRunning) as error:
        raise Stop(str(error)) from error


def _one_of(option: str, value: str, values: tuple[str, ...]) -> None:
    if value not in values:
        raise typer.BadParameter(f"{value!r} is not one of {', '.join(values)}", param_hint=option)
