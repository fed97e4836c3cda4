"""What must stay secret is in no log, on no metrics page and in no error, whatever goes wrong."""

from __future__ import annotations

import os
from collections.abc import Awaitable
from typing import Any

import grpc
from hamle.battleline.v1.battleline_pb2 import View
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE, Event
from hamle.play.v1.play_pb2 import ResignRequest

from core.fairness.secret import game_seed, hash_key
from engines.battleline.cards import NAMES
from tests.e2e.bad_input.people import Guest, forged, guest, keys
from tests.e2e.bad_input.refusal import refusal_of
from tests.e2e.bad_input.scene import CALL_S, CARDS, Scene, new_id
from tests.e2e.bad_input.secret import Secret, cards, leaks
from tests.e2e.bad_input.stack import OPTIONS, Stack
from tests.e2e.bad_input.stored import events, write

MOVES = 6
TROOPS = {name for name in NAMES if name[1:].isdigit()}


class Table:
    """A private match of Battle Line, its players at different gateways, and all errors that they were told."""

    def __init__(self, stack: Stack, ann: Scene, bob: Scene) -> None:
        self.stack = stack
        self.seats = (ann, bob)
        self.entropies = (os.urandom(32), os.urandom(32))
        self.errors: list[str] = []
        self.hidden: set[str] = set()

    async def begin(self) -> None:
        for scene in self.seats:
            scene.ann, scene.eve = await guest(scene.channel, "Player"), await guest(scene.channel, "Eve")
        ann, bob = self.seats
        created = await ann.create(ann.ann, game="battleline", visibility=VISIBILITY_PRIVATE, entropy=self.entropies[0])
        ann.match_id = bob.match_id = created.match.match_id
        ann.invite_code = created.invite_code
        await bob.join(bob.ann, invite_code=created.invite_code, entropy=self.entropies[1])

    async def hand(self, seat: int) -> tuple[Any, list[str]]:
        """The view of a seat, and the cards in its hand."""
        scene = self.seats[seat]
        view = (await scene.view(scene.ann)).view
        position = View.FromString(view.game.value)
        self.hidden |= set(position.hands[seat].cards)
        return view, list(position.hands[seat].cards)

    async def error(self, call: Awaitable[Any]) -> str:
        """What the caller is told of a call that must fail."""
        try:
            await call
        except grpc.aio.AioRpcError as error:
            refusal = refusal_of(error)
            self.errors.append(f"{error.details()} {refusal} {error.debug_error_string()}")
            return f"{refusal.reason} {refusal.message} {refusal.metadata}"
        raise AssertionError("it was done")

    async def play(self) -> None:
        """A move, and all that may go wrong before it."""
        seat = (await self.hand(0))[0].may_act[0]
        view, own = await self.hand(seat)
        scene, other = self.seats[seat], self.seats[1 - seat]
        head = {"seq": view.cursor.seq}
        shown = {*cards(str(View.FromString((await scene.view(scene.eve)).view.game.value)))}
        told = {card: await self.error(scene.submit(scene.ann, f"{card}@3", **head)) for card in {*NAMES} - {*own}}
        assert not {name for card, text in told.items() for name in cards(text.replace(card, "?"))}
        # Whether the opponent or nobody holds a troop that he has not is not to be told from what he is answered.
        assert len({text.replace(card, "?") for card, text in told.items() if card in TROOPS - shown}) == 1
        for move in (own[0], f"{own[0]}@99", "pass;", f"ret:{own[0]},{own[1]}"):
            await self.error(scene.submit(scene.ann, move, **head))
            await self.error(other.submit(other.ann, move, **head))
            assert not cards(await self.error(other.submit(other.eve, move, **head)))
        await self.error(scene.submit(scene.ann, own[0], seq=view.cursor.seq, hash=os.urandom(16)))
        await self.error(scene.submit(scene.ann, own[0], seq=10_000))
        await scene.submit(scene.ann, await scene.move_of(scene.ann), **head)
        await self.hand(seat)

    async def bad_tokens(self) -> None:
        for scene in self.seats:
            for token in (scene.ann.token[:-3], scene.ann.token + "x", forged(self.stack, scene.ann)):
                liar = Guest(scene.ann.account_id, "Liar", token)
                await self.error(scene.view(liar))
                await self.error(scene.create(liar, entropy=self.entropies[0]))
            await self.error(scene.raw("hamle.play.v1.PlayService/GetView", scene.ann.token.encode(), scene.ann))
            await self.error(scene.create(scene.ann, game="battleline", entropy=self.entropies[0] * 2))

    def secrets(self) -> list[Secret]:
        """All that nobody may be told while the match goes on, and what is a player's own."""
        created = Event.FromString(events(self.stack.store, self.seats[0].match_id)[0][1]).created
        sealed = created.secret.sealed
        found = [Secret("match secret", sealed), Secret("hash key", hash_key(sealed))]
        found += [Secret("seed", game_seed(sealed, self.entropies))]
        found += [Secret("entropy", entropy) for entropy in self.entropies]
        found += [Secret("token", who.token.encode()) for scene in self.seats for who in (scene.ann, scene.eve)]
        found += [Secret("token's signature", scene.ann.token.rpartition(".")[2].encode()) for scene in self.seats]
        found += [Secret("signing key", stored.split(b" ")[2]) for stored in keys(self.stack).values()]
        found += [Secret("fleet credential", self.stack.credential[0][1].removeprefix("Bearer ").encode())]
        return [*found, Secret("invite code", self.seats[0].invite_code.encode())]


async def test_no_secret_is_in_logs_metrics_or_errors(stack: Stack) -> None:
    scenes = []
    for gateway in stack.gateways.values():
        channel = grpc.aio.insecure_channel(gateway.address, options=OPTIONS)
        scenes.append(Scene(stack, channel, CARDS))
    table = Table(stack, *scenes)
    # Other tests send anything, cards too, in request ids, which are logged.
    before = {member.name: len(stack.log(member)) for member in stack.members}
    await table.begin()
    for _ in range(MOVES):
        await table.play()
    await table.bad_tokens()
    secrets = table.secrets()
    records = [(event, state_hash) for _, event, state_hash in events(stack.store, scenes[0].match_id)]
    damaged = write(stack.store, "battleline", [*records[:-1], (records[-1][0], bytes(16))])
    match_id, scenes[0].match_id = scenes[0].match_id, damaged
    await table.error(scenes[0].view(scenes[0].ann))
    resign = ResignRequest(match_id=match_id, request_id=new_id())
    await scenes[1].play.Resign(resign, metadata=scenes[1].ann.metadata, timeout=CALL_S)

    logs = {f"log of {member.name}": stack.log(member)[before[member.name] :] for member in stack.members}
    pages = {f"metrics of {member.name}": stack.metrics_page(member) for member in stack.members}
    assert len(table.hidden) > 14
    assert not leaks(secrets, {**logs, **pages, "errors": "\n".join(table.errors)})
    assert not {name: found for name, text in {**logs, **pages}.items() if (found := cards(text))}
    assert any(match_id in text for text in logs.values())
    assert any("hamle_moves_total" in text for text in pages.values())
    for scene in scenes:
        await scene.channel.close(None)
    assert [line for member in stack.members for line in stack.faults(member) if damaged not in line] == []


def test_a_secret_would_be_found_in_any_form() -> None:
    secret = Secret("s", os.urandom(32))
    for text in (secret.value.hex(), repr(secret.value), f"x={list(secret.value)}", *secret.forms):
        assert leaks([secret], {"a log": f'{{"event": "{text}"}}'}) == ["s in a log"]
    assert not leaks([secret], {"a log": Secret("t", os.urandom(32)).forms[0]})
    assert cards('{"move": "R10@3", "hand": ["FOG", "B2"]} XR1 R11 FOGGY') == ["R10", "FOG", "B2"]
