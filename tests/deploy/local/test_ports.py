from __future__ import annotations

import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from deploy.local import ports
from deploy.local.errors import StartFailed
from deploy.local.ports import free_port, require_free


def outgoing_ports() -> range:
    first, last = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    return range(int(first), int(last) + 1)


def test_a_free_port_is_none_that_an_outgoing_connection_may_take() -> None:
    assert not {free_port() for _ in range(50)} & set(outgoing_ports())


_ASK = """
import random, sys
from deploy.local.ports import free_port
tries = iter(map(int, sys.argv[1:]))
random.SystemRandom.randrange = lambda *_: next(tries)
print(free_port())
"""


def test_a_port_that_was_given_is_given_to_no_other_process_while_its_server_starts() -> None:
    given = free_port(beside=10_000)
    # Tests that run beside this one may be given one of these meanwhile.
    others = [free_port() for _ in range(10)]
    for _ in others:
        ports._given.pop().close()
    tries = [str(port) for port in (given, given + 10_000, *others)]
    asked = subprocess.run([sys.executable, "-c", _ASK, *tries], capture_output=True, check=True, timeout=60)
    assert int(asked.stdout) in others


def test_signs_of_ports_that_were_given_long_ago_are_taken_back() -> None:
    for _ in range(300):
        free_port()
    assert len(ports._given) == 256


def test_a_port_that_another_program_has_is_refused_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartFailed, match=f"Port {port} is taken by another program"):
            require_free(port, within_s=0.2)
    # An outgoing connection may have been given it meanwhile.
    require_free(port, within_s=60)


def test_a_port_that_is_given_back_in_time_is_waited_for() -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    address = taken.getsockname()
    with socket.create_connection(address):
        giving_back = threading.Timer(0.3, taken.close)
        giving_back.start()
        require_free(address[1], within_s=60)
        giving_back.join()
