from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from core.log.types import Durability
from core.settings import Settings, load
from core.store.settings import Address, StoreSettings


@pytest.mark.parametrize(
    ("url", "address", "db", "login"),
    [
        ("redis://127.0.0.1", ("127.0.0.1", 6379), 0, ()),
        ("redis://store:7000/3", ("store", 7000), 3, ()),
        ("redis://[::1]:7000", ("::1", 7000), 0, ()),
        ("rediss://:s%40cret@store", ("store", 6379), 0, ("s@cret",)),
        ("redis://us%2Fer:secret@store/1", ("store", 6379), 1, ("us/er", "secret")),
        ("unix:///run/store%20one.sock", ("/run/store one.sock", 0), 0, ()),
    ],
)
def test_a_url_says_where_and_who(url: str, address: tuple[str, int], db: int, login: tuple[str, ...]) -> None:
    settings = StoreSettings(url)
    assert (settings.address, settings.db, settings.login()) == (Address(*address), db, login)


def test_user_and_password_of_their_own_win_over_the_url() -> None:
    settings = StoreSettings("redis://a:b@store", username="c", password="d")
    assert settings.login() == ("c", "d")


@pytest.mark.parametrize(
    ("url", "cluster"),
    [
        ("http://store", False),
        ("store:6379", False),
        ("redis://store/one", False),
        ("redis://store/1", True),
        ("unix:///run/s", True),
    ],
)
def test_a_url_that_cannot_be_meant_is_refused(url: str, cluster: bool) -> None:
    with pytest.raises(ValueError, match="store"):
        StoreSettings(url, cluster=cluster)


def test_secrets_do_not_show(tmp_path: Path) -> None:
    settings = StoreSettings("redis://u:hidden1@store", password="hidden2", tls_ca=tmp_path)
    assert "hidden" not in repr(settings)
    assert "hidden" not in str(settings)


def test_the_settings_of_a_process_name_the_store() -> None:
    settings = load(
        Settings,
        store_url="rediss://store:1/0",
        store_username="hamle",
        store_password=SecretStr("secret"),
        store_ca=Path("ca"),
        store_cert=Path("cert"),
        store_key=Path("key"),
        durability="written",
        instance="engine-1",
    )
    assert StoreSettings.of(settings) == StoreSettings(
        url="rediss://store:1/0",
        username="hamle",
        password="secret",
        tls_ca=Path("ca"),
        tls_cert=Path("cert"),
        tls_key=Path("key"),
        durability=Durability.WRITTEN,
        client_name="engine-1",
    )
