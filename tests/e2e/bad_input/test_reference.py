"""The proto comments are the reference of errors: every method lists its own, in one form."""

from __future__ import annotations

import pytest
from hamle.account.v1 import account_pb2
from hamle.engine.v1 import engine_pb2
from hamle.lobby.v1 import lobby_pb2
from hamle.play.v1 import play_pb2
from hamle.replay.v1 import replay_pb2

from tests.e2e.bad_input.reasons import TOLD
from tests.e2e.bad_input.reference import REASONS, require_listed

FILES = (account_pb2, engine_pb2, lobby_pb2, play_pb2, replay_pb2)


def test_every_method_lists_its_errors() -> None:
    services = [service for file in FILES for service in file.DESCRIPTOR.services_by_name.values()]
    methods = {f"/{service.full_name}/{method.name}" for service in services for method in service.methods}
    assert set(REASONS) == methods


def test_only_reasons_of_the_closed_list_are_listed_and_all_of_them() -> None:
    assert set().union(*REASONS.values()) == set(TOLD)


def test_a_reason_that_a_method_does_not_list_is_noticed() -> None:
    require_listed("/hamle.play.v1.PlayService/GetView", "TOKEN_MISSING")
    with pytest.raises(AssertionError, match="GetView answers SEAT_TAKEN"):
        require_listed("/hamle.play.v1.PlayService/GetView", "SEAT_TAKEN")
