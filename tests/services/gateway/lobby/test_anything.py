"""Whatever the fields hold, a call ends in an answer or in one of the closed list of reasons."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hamle.account.v1 import account_pb2
from hamle.error.v1.error_pb2 import REASON_INTERNAL
from hamle.lobby.v1 import lobby_pb2

from core.rpc.client import refusal_of
from core.store.settings import StoreSettings
from tests.services.gateway.lobby.house import Gateway, house

SERVICES = [
    (lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"], "lobby"),
    (account_pb2.DESCRIPTOR.services_by_name["AccountService"], "accounts"),
]
TEXTS = ("", "r", "coerceo", "cellar", "start", "ocius", "x" * 65, "\x00", "ı🦊", "07" + "a" * 16, "07ABCDEFGH", "play")
NUMBERS = (0, 1, 2, 3, 7, 20, 1000, 60_000, 2**31 - 1)


@pytest.fixture(params=["native", "grpcio"])
async def open_house(store_settings: StoreSettings, request: pytest.FixtureRequest) -> AsyncIterator[Gateway]:
    async with house(store_settings, kind=request.param) as place:
        yield place.gateways[0]


def filled(descriptor: Descriptor | None, dice: random.Random) -> Any:
    assert descriptor is not None
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if dice.random() < 0.3:
            continue
        held = getattr(message, field.name)
        if field.message_type and field.message_type.GetOptions().map_entry:
            held[dice.choice(TEXTS)] = dice.choice(TEXTS)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            held.CopyFrom(filled(field.message_type, dice))
        elif field.is_repeated:
            held.append(dice.choice(TEXTS))
        else:
            setattr(message, field.name, scalar(field, dice))
    return message


def scalar(field: FieldDescriptor, dice: random.Random) -> Any:
    if field.type == FieldDescriptor.TYPE_STRING:
        return dice.choice(TEXTS)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return dice.randbytes(dice.choice((0, 16, 32, 33)))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return dice.random() < 0.5
    return dice.choice(NUMBERS)


async def test_every_method_takes_any_message(open_house: Gateway) -> None:
    dice = random.Random(7)
    answered = 0
    for service, stub in SERVICES:
        for method in service.methods:
            for _ in range(40):
                who = await open_house.guest("Ann")
                request = filled(method.input_type, dice)
                if method.name == "AwaitPairing":
                    request.wait_ms = min(request.wait_ms, 100)
                call = getattr(getattr(open_house, stub), method.name)
                try:
                    await call(request, metadata=who.metadata)
                    answered += 1
                except grpc.aio.AioRpcError as error:
                    refusal = refusal_of(error)
                    if refusal is None or refusal.reason == REASON_INTERNAL:
                        raise
    assert answered > 100
