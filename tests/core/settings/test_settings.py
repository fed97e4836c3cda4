from __future__ import annotations

import os
from pathlib import Path

import pytest
from pydantic import Field, SecretStr

from core.settings import Settings, SettingsInvalid, load, near_misses, variable


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("HAMLE_"):
            monkeypatch.delenv(name)


class Role(Settings):
    watchers: int = Field(10, ge=1, description="watchers at a time")
    key: SecretStr = Field(SecretStr("k" * 8), min_length=8, description="a signing key")


def test_defaults_are_loopback_and_durable() -> None:
    settings = load(Settings)
    assert settings.host == "127.0.0.1"
    assert settings.metrics_host == "127.0.0.1"
    assert settings.durability == "fsynced"
    assert not settings.so_reuseport


def test_the_environment_is_read_and_roles_add_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAMLE_PORT", "7001")
    monkeypatch.setenv("HAMLE_WATCHERS", "7")
    settings = load(Role, host="127.0.0.2")
    assert (settings.port, settings.watchers, settings.host) == (7001, 7, "127.0.0.2")


def test_a_wrong_value_is_told_with_its_variable_the_value_and_what_is_expected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HAMLE_PORT", "seventy")
    monkeypatch.setenv("HAMLE_DURABILITY", "maybe")
    with pytest.raises(SettingsInvalid) as caught:
        load(Settings)
    port, durability = sorted(caught.value.problems, key=lambda text: "DURABILITY" in text)
    assert "HAMLE_PORT" in port
    assert "'seventy'" in port
    assert "integer" in port
    assert "HAMLE_DURABILITY" in durability
    assert "fsynced" in durability


def test_a_wrong_secret_is_told_without_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAMLE_KEY", "hunter2")
    with pytest.raises(SettingsInvalid) as caught:
        load(Role)
    text = str(caught.value)
    assert "HAMLE_KEY" in text
    assert "hunter2" not in text
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_secrets_are_not_in_the_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAMLE_STORE_PASSWORD", "hunter2")
    settings = load(Settings)
    assert "hunter2" not in repr(settings)
    assert settings.store_password.get_secret_value() == "hunter2"


def test_a_password_in_the_url_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAMLE_STORE_URL", "redis://:hunter2@127.0.0.1/0")
    assert "hunter2" not in repr(load(Settings))
    monkeypatch.setenv("HAMLE_STORE_URL", "http://:hunter2@127.0.0.1/0")
    with pytest.raises(SettingsInvalid) as caught:
        load(Settings)
    assert "hunter2" not in str(caught.value)


def test_secrets_may_stand_in_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "hamle_store_password").write_text("from a file")
    monkeypatch.setenv("HAMLE_SECRETS_DIR", str(tmp_path))
    assert load(Settings).store_password.get_secret_value() == "from a file"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("tls_cert",), "HAMLE_TLS_KEY"),
        (("store_key",), "HAMLE_STORE_CERT"),
        (("tls_ca",), "HAMLE_TLS_CERT"),
        (("fleet_cert",), "HAMLE_FLEET_KEY"),
        (("fleet_cert", "fleet_key"), "HAMLE_FLEET_CA"),
    ],
)
def test_files_that_go_together_are_asked_for_together(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], told: str
) -> None:
    for name in names:
        monkeypatch.setenv(variable(name), "/nowhere.pem")
    with pytest.raises(SettingsInvalid, match=told):
        load(Settings)


def test_a_store_url_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAMLE_STORE_URL", "http://127.0.0.1")
    with pytest.raises(SettingsInvalid, match="redis://"):
        load(Settings)


@pytest.mark.parametrize(
    "url",
    [
        "redis://:geheim@h:1/x",
        "redis://:ge/heim@h:1/0",
        "redis://:ge#heim@h:1/0",
        "redis://:ge?heim@h:1/0",
        "redis://:geheim@h:99999/0",
        "redis://:geheim@h:0",
        "redis://:geheim@[h:1/0",
    ],
)
def test_a_store_url_that_leads_nowhere_is_refused_without_a_part_of_it(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("HAMLE_STORE_URL", url)
    with pytest.raises(SettingsInvalid, match="HAMLE_STORE_URL: must have a port") as found:
        load(Settings)
    assert "heim" not in str(found.value)


@pytest.mark.parametrize(
    "url", ["redis://h", "redis://h:1/", "rediss://u:p%2Fw@h:1/15", "redis://[::1]:1/0", "unix:///run/r"]
)
def test_a_store_url_that_leads_somewhere_is_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("HAMLE_STORE_URL", url)
    assert load(Settings).store_url == url


def test_a_cluster_has_one_database_and_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAMLE_STORE_CLUSTER", "true")
    for url in ("redis://h:1/10", "unix:///run/r"):
        monkeypatch.setenv("HAMLE_STORE_URL", url)
        with pytest.raises(SettingsInvalid, match="HAMLE_STORE_CLUSTER: a cluster has one database"):
            load(Settings)
    monkeypatch.setenv("HAMLE_STORE_URL", "redis://h:1/0")
    assert load(Settings).store_cluster


def test_misspelt_variables_are_found_and_foreign_ones_left_alone() -> None:
    environ = {"HAMLE_METRICS_PROT": "1", "HAMLE_PORT": "1", "HAMLE_TEST_REDIS_URL": "x", "PATH": "x"}
    assert near_misses(Settings, environ) == [("HAMLE_METRICS_PROT", "HAMLE_METRICS_PORT")]
