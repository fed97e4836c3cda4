from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from deploy.local.fleet import Fleet, Plan
from deploy.local.member import StartFailed, free_port, require_free


def outgoing_ports() -> range:
    first, last = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    return range(int(first), int(last) + 1)


def test_a_free_port_is_none_that_an_outgoing_connection_may_take() -> None:
    assert not {free_port() for _ in range(50)} & set(outgoing_ports())


def test_a_port_that_another_program_has_is_refused_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartFailed, match=f"Port {port} is taken by another program"):
            require_free(port, within_s=0.2)
    require_free(port, within_s=0.2)


def test_a_port_that_is_given_back_in_time_is_waited_for() -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    address = taken.getsockname()
    with socket.create_connection(address):
        giving_back = threading.Timer(0.3, taken.close)
        giving_back.start()
        require_free(address[1], within_s=60)
        giving_back.join()


def test_a_further_member_has_the_fleets_settings_and_its_own_on_top(tmp_path: Path) -> None:
    fleet = Fleet(Plan(tmp_path, store_url="redis://127.0.0.1:1/0", env={"HAMLE_LOG_LEVEL": "error"}))
    member = fleet.member("extra", "engines.coerceo", 12_345, {"HAMLE_ADVERTISE": "127.0.0.1:9"})
    assert member.address == "127.0.0.1:12345"
    settings = {name: value for name, value in member._env.items() if name.startswith("HAMLE_")}
    assert settings["HAMLE_STORE_URL"] == "redis://127.0.0.1:1/0"
    assert settings["HAMLE_PORT"] == "12345"
    assert settings["HAMLE_LOG_LEVEL"] == "error"
    assert settings["HAMLE_ADVERTISE"] == "127.0.0.1:9"
