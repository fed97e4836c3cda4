from __future__ import annotations

import pytest
from hamle_client.address import DEFAULT_ADDRESS, Address, parse_addresses


def test_argument_wins_over_environment_over_default() -> None:
    assert parse_addresses("a:1", {"HAMLE_ADDRESS": "b:2"}) == (Address("a:1"),)
    assert parse_addresses(None, {"HAMLE_ADDRESS": "b:2"}) == (Address("b:2"),)
    assert parse_addresses(None, {}) == (Address(DEFAULT_ADDRESS),)


def test_several_addresses_and_schemes() -> None:
    assert parse_addresses("a:1, https://b:2/", {}) == (Address("a:1"), Address("b:2", tls=True))
    assert parse_addresses("grpcs://[::1]:443", {}) == (Address("[::1]:443", tls=True),)


@pytest.mark.parametrize(
    "bad", ["localhost", "a:0", "a:70000", "ftp://a:1", "a:b", ":7410", "::1:7410", "a:٣", "a:1/b"]
)
def test_unreadable_address_is_refused_with_what_was_expected(bad: str) -> None:
    with pytest.raises(ValueError, match="expected host:port"):
        parse_addresses(bad, {})


def test_loopback_is_known() -> None:
    assert Address("127.0.0.1:7").is_loopback
    assert Address("localhost:7").is_loopback
    assert not Address("10.0.0.1:7").is_loopback
