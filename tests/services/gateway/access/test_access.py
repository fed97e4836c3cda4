"""The table of what methods ask for, held against the services."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from google.protobuf.descriptor import ServiceDescriptor
from hamle.account.v1 import account_pb2
from hamle.account.v1.account_pb2_grpc import add_AccountServiceServicer_to_server
from hamle.lobby.v1 import lobby_pb2
from hamle.play.v1 import play_pb2
from hamle.replay.v1 import replay_pb2

from core.rpc.handlers import handlers
from services.gateway import access
from services.gateway.identity import Need


@pytest.mark.parametrize(
    ("service", "needs"),
    [
        (account_pb2.DESCRIPTOR.services_by_name["AccountService"], access.ACCOUNT_SERVICE),
        (lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"], access.LOBBY_SERVICE),
        (play_pb2.DESCRIPTOR.services_by_name["PlayService"], access.PLAY_SERVICE),
        (replay_pb2.DESCRIPTOR.services_by_name["ReplayService"], access.REPLAY_SERVICE),
    ],
    ids=lambda value: value.name if isinstance(value, ServiceDescriptor) else "",
)
def test_the_table_names_every_method_of_the_service(service: ServiceDescriptor, needs: Mapping[str, Need]) -> None:
    assert set(needs) == set(service.methods_by_name)


def test_a_service_of_which_a_method_has_no_door_is_not_served() -> None:
    class Accounts:
        async def anything(self, request: object, context: object, caller: object) -> bytes:
            return b""

        SignInGuest = RefreshToken = RevokeTokens = GetAccount = anything

    with pytest.raises(KeyError, match="GetAccount"):
        handlers(
            add_AccountServiceServicer_to_server,
            Accounts(),
            doors={name: print for name in access.ACCOUNT_SERVICE if name != "GetAccount"},
        )
