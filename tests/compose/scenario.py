"""The story: everything starts, matches are played, parts of it stop under them, and the logs are proven."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Final, NamedTuple

from hamle_client import Client

from tests.compose.checklist import Checklist
from tests.compose.commands import CommandFailed
from tests.compose.confinement import check_confinement
from tests.compose.logs import objectionable
from tests.compose.play import Play
from tests.compose.project import Project
from tests.compose.prometheus import ACCEPTED, Prometheus
from tests.compose.proof import prove
from tests.compose.table import PATIENCE_S

GAMES: Final = {"coerceo": 12, "battleline": 4, "itchyfeet": 2, "tashkalar": 2}
"""Which games are played at how many tables."""
TABLES: Final = [game for game, tables in GAMES.items() for _ in range(tables)]
MOVES: Final = 3
"""So many moves has each player to get acknowledged after each disturbance."""
GOES_ON_S: Final = 90.0

ENGINES: Final = ("coerceo-1", "coerceo-2", "battleline-1", "itchyfeet-1", "tashkalar-1")
ROLES: Final = ("gateway-1", "gateway-2", *ENGINES, "timekeeper")


class Site(NamedTuple):
    """What is particular to this run: where it is published, and the store's password."""

    gateway_1: int
    gateway_2: int
    prometheus: int
    password: str

    @property
    def env(self) -> dict[str, str]:
        """The variables of the compose file."""
        return {
            "GATEWAY_1_PORT": str(self.gateway_1),
            "GATEWAY_2_PORT": str(self.gateway_2),
            "PROMETHEUS_PORT": str(self.prometheus),
            "PUBLISH_ADDRESS": "127.0.0.1",
            "HAMLE_STORE_PASSWORD": self.password,
            "HAMLE_LOG_LEVEL": "debug",
        }

    @property
    def gateways(self) -> tuple[str, str]:
        """Where the gateways are published."""
        return f"127.0.0.1:{self.gateway_1}", f"127.0.0.1:{self.gateway_2}"


async def run(project: Project, site: Site, checks: Checklist) -> None:
    """Plays it out. What a player is refused, and commands that fail, are raised."""
    prometheus = Prometheus(site.prometheus)
    await asyncio.to_thread(project.wait_healthy)
    checks.check("all services are healthy")
    await asyncio.to_thread(check_confinement, project, checks)
    for number, gateway in enumerate(site.gateways, 1):
        async with Client(gateway, patience=PATIENCE_S) as client:
            games = [info.game for info in await client.games()]
        missing = GAMES.keys() - set(games)
        checks.check(f"gateway {number} serves {', '.join(GAMES)}", f"it serves {games}" if missing else "")
    async with Play(site.gateways, TABLES) as play:
        checks.check(f"{len(TABLES)} matches are played through both gateways", await play.goes_on(MOVES, GOES_ON_S))
        await asyncio.to_thread(_check_share, prometheus, checks)
        await _disturb(project, play, checks)
        checks.say("letting all matches come to their ends")
        checks.check("all matches come to their ends", await play.finish(resign_after_s=30, within_s=120))
    await _prove(project, site, play, checks)
    await asyncio.to_thread(_check_metrics, prometheus, checks)
    secrets = [site.password, *(token for table in play.tables for token in table.tokens)]
    await asyncio.to_thread(_check_logs, project, secrets, checks)


async def _disturb(project: Project, play: Play, checks: Checklist) -> None:
    async def under_play(what: str, action: Callable[[str], None], service: str) -> None:
        checks.say(f"{what} under play")
        await asyncio.to_thread(action, service)
        checks.check(f"every match goes on: {what}", await play.goes_on(MOVES, GOES_ON_S))

    await under_play("an engine stops", project.stop, "coerceo-1")
    code = (await asyncio.to_thread(project.inspect))["coerceo-1"]["State"]["ExitCode"]
    checks.check("the engine has ended in good order", "" if code == 0 else f"its exit code is {code}")
    await under_play("the engine comes back", project.start, "coerceo-1")
    await under_play("the only engine of a game restarts", project.restart, "battleline-1")
    await under_play("a gateway ends by itself", project.end, "gateway-2")
    restarts = (await asyncio.to_thread(project.inspect))["gateway-2"]["RestartCount"]
    checks.check("the gateway was started again", "" if restarts == 1 else f"it was started again {restarts} times")
    await under_play("the store restarts", project.restart, "store")
    await under_play("an operator rotates the signing keys", _rotate_keys(project), "timekeeper")


def _rotate_keys(project: Project) -> Callable[[str], None]:
    def rotate(service: str) -> None:
        if "key" not in json.loads(project.python(service, "-m", "cli.main", "rotate-keys", "--json")):
            raise CommandFailed("rotate-keys tells of no key")

    return rotate


async def _prove(project: Project, site: Site, play: Play, checks: Checklist) -> None:
    checks.say("putting a new container in the store's place, over the same volume")
    await asyncio.to_thread(project.recreate, "store")
    await asyncio.to_thread(project.wait_healthy)
    checks.check("all services are healthy again")
    async with Client(site.gateways[1], patience=PATIENCE_S) as client:
        for played in play.played:
            async with asyncio.timeout(PATIENCE_S):
                problem = await prove(client, played)
            moves = len(played.accepted)
            checks.check(f"match {played.match_id}: {moves} moves, none lost or doubled, and its log verifies", problem)


def _check_share(prometheus: Prometheus, checks: Checklist) -> None:
    """Without this, the engine that stops might be one that nobody needs."""
    moves = prometheus.wait(ACCEPTED, lambda found: all(found.get(engine, 0) > 0 for engine in ENGINES), 60)
    idle = [engine for engine in ENGINES if not moves.get(engine)]
    checks.check("all engines have matches", f"{', '.join(idle)} has none" if idle else "")


def _check_metrics(prometheus: Prometheus, checks: Checklist) -> None:
    down = prometheus.down(ROLES, 60)
    checks.check("Prometheus has scraped every role", f"not {', '.join(down)}" if down else "")
    moves = prometheus.query(f"sum({ACCEPTED})").get("", 0)
    checks.check(f"Prometheus has counted moves: {moves:.0f}", "" if moves > 0 else "there are none")


def _check_logs(project: Project, secrets: list[str], checks: Checklist) -> None:
    for role in ROLES:
        problem = objectionable(project.logs(role), secrets)
        checks.check(f"the log of {role} tells no secret and of no fault", problem)
