"""Finding or making the match that a player wants to sit at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from hamle.match.v1 import match_pb2
from hamle_client import Client, Match

from cli.errors import Stop
from cli.values import in_full
from cli.words import word


@dataclass(frozen=True)
class Wish:
    """What the player asked for. `private` matches are found by their invite code, others by pairing.

    `against_bots`: the other seats are for bots, so the match is private too. `same`: the command that wishes the same.
    """

    game: str
    options: dict[str, str] = field(default_factory=dict)
    match_id: str = ""
    invite: str = ""
    private: bool = False
    against_bots: bool = False
    seats: int = 0
    seat: int | None = None
    clock: tuple[int, int] | None = None
    language: str = "en"
    same: str = ""


async def sit_down(client: Client, wish: Wish, say: Callable[[str], None]) -> Match:
    """A match at which the caller sits. Raises HamleError, Stop."""
    if wish.match_id:
        return await _take_up(client, wish)
    if wish.invite:
        match = await client.join(invite_code=wish.invite, seat=wish.seat)
        if match.game != wish.game:
            # The code alone does not tell; whoever follows it wants the match that it leads to.
            say(word("invited", wish.language, game=match.game))
        return match
    if wish.options:
        games = {info.game: info for info in await client.games()}
        info = games.get(wish.game, match_pb2.GameInfo())
        wish = replace(wish, options=in_full(info, wish.options))
    if wish.private or wish.against_bots or wish.seats > 2:
        match = await client.create(
            wish.game,
            wish.options,
            seats=wish.seats,
            seat=wish.seat,
            private=wish.private or wish.against_bots,
            clock=wish.clock,
        )
        if not wish.against_bots:
            say(_invitation(wish, match))
        return match
    if wish.seat is not None:
        raise Stop("Pairing gives out the seats; --seat goes with --private, --bot, --invite or --match.")
    say(word("waiting", wish.language, command=wish.same))
    return await client.pair(wish.game, wish.options, clock=wish.clock)


async def _take_up(client: Client, wish: Wish) -> Match:
    match = client.match(wish.match_id)
    info = await match.refresh()
    if info.game != wish.game:
        raise Stop(f"{wish.match_id} is a match of {info.game}, not of {wish.game}.")
    if match.seat is not None:
        return match
    if info.status == match_pb2.MATCH_STATUS_WAITING:
        return await client.join(wish.match_id, invite_code=wish.invite, seat=wish.seat)
    raise Stop(f"You have no seat at {wish.match_id}, and it has begun; `hamle watch {wish.match_id}` follows it.")


def _invitation(wish: Wish, match: Match) -> str:
    way = f"--invite {match.invite_code}" if match.invite_code else f"--match {match.id}"
    return f"Others sit down with: hamle play {wish.game} {way}"
