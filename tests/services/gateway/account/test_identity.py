from __future__ import annotations

import pytest

from services.gateway.identity import address_of


class Call:
    """A call's sender and metadata."""

    def __init__(self, peer: str, *metadata: tuple[str, str]) -> None:
        self._peer = peer
        self._metadata = metadata

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.7:50123", "192.0.2.7"),
        ("ipv6:[2001:db8:1:2:3::4]:50123", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2:3::4%5D:50123", "2001:db8:1:2::/64"),
        ("ipv6:[::ffff:192.0.2.7]:1", "192.0.2.7"),
        ("unix:/run/hamle.sock", "unix"),
        ("unix:", "unix"),
        ("", "unknown"),
    ],
)
def test_an_address_is_the_senders_without_the_port(peer: str, address: str) -> None:
    assert address_of(Call(peer), False) == address  # type: ignore[arg-type]


def test_behind_a_trusted_proxy_it_is_what_the_proxy_wrote_last() -> None:
    forwarded = ("x-forwarded-for", "198.51.100.1, 192.0.2.7 ")
    call = Call("ipv4:127.0.0.1:1", forwarded)
    assert address_of(call, True) == "192.0.2.7"  # type: ignore[arg-type]
    assert address_of(call, False) == "127.0.0.1"  # type: ignore[arg-type]
    assert address_of(Call("ipv4:127.0.0.1:1"), True) == "127.0.0.1"  # type: ignore[arg-type]
    assert len(address_of(Call("", ("x-forwarded-for", "x" * 500)), True)) == 64  # type: ignore[arg-type]
