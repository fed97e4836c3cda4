from __future__ import annotations

import stat
import time
from pathlib import Path

from hamle_client import Token

from cli.identities import Identities, config_dir

SERVER = "127.0.0.1:7410"


def test_folder_follows_the_environment() -> None:
    assert config_dir({"HAMLE_CONFIG_DIR": "/c"}) == Path("/c")
    assert config_dir({"XDG_CONFIG_HOME": "/x"}) == Path("/x/hamle")
    assert config_dir({}) == Path.home() / ".config" / "hamle"


def test_token_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    with Identities(tmp_path, SERVER).take() as identity:
        assert identity.token is None
        identity.token = Token("secret", time.time() + 3600)
        identity.save()
        assert identity.path is not None
        assert stat.S_IMODE(identity.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(identity.path.parent.stat().st_mode) == 0o700
    again = Identities(tmp_path, SERVER).look()
    assert again.token is not None
    assert again.token.text == "secret"
    assert "secret" not in repr(again)
    assert Identities(tmp_path, "elsewhere:1").look().token is None


def test_token_that_is_over_is_not_used(tmp_path: Path) -> None:
    with Identities(tmp_path, SERVER).take() as identity:
        identity.token = Token("old", time.time() + 1)
        identity.save()
    assert Identities(tmp_path, SERVER).look().token is None


def test_two_commands_at_a_time_are_two_players(tmp_path: Path) -> None:
    identities = Identities(tmp_path, SERVER)
    with identities.take() as first, identities.take() as second:
        assert first.path != second.path
    with identities.take() as third:
        assert third.path == first.path


def test_named_player_is_shared_and_keeps_the_name(tmp_path: Path) -> None:
    identities = Identities(tmp_path, SERVER)
    with identities.take("Ada/../x") as first, identities.take("Ada/../x") as second:
        assert first.path == second.path
        assert first.name == "Ada/../x"
        assert first.path is not None
        assert first.path.parent.parent == tmp_path


def test_player_who_sits_at_the_match_is_taken_first(tmp_path: Path) -> None:
    identities = Identities(tmp_path, SERVER)
    with identities.take() as first, identities.take() as second:
        for identity in (first, second):
            identity.token = Token("t", time.time() + 3600)
            identity.save()
        second.remember("07abc")
    with identities.take(match_id="07abc") as found:
        assert found.path == second.path
        assert found.matches == ["07abc"]
    with identities.take(match_id="08new") as found:
        assert found.path == first.path


def test_damaged_file_counts_as_none(tmp_path: Path) -> None:
    identities = Identities(tmp_path, SERVER)
    with identities.take() as identity:
        identity.token = Token("t", time.time() + 3600)
        identity.save()
    assert identity.path is not None
    for damage in ("{", "[]", ""):
        identity.path.write_text(damage)
        assert identities.look().token is None


def test_every_name_is_a_player_of_its_own(tmp_path: Path) -> None:
    identities = Identities(tmp_path, SERVER)
    names = [
        "Ada B",
        "Ada_B",
        "Ada!B",
        "Ada/B",
        "Ada B ",
        "\U00010400" * 300,
        "\udcff",
        "\udcfe",
        "日本",
        "x" * 41,
        "x" * 40,
    ]
    for name in names:
        with identities.take(name) as identity:
            assert identity.token is None, name
            identity.token = Token(name, time.time() + 3600)
            assert identity.path is not None
            assert len(f"{identity.path.name}.12345678".encode(errors="surrogateescape")) < 255
            identity.token = Token(ascii(name), time.time() + 3600)
            identity.save()
    for name in names:
        found = identities.look(name).token
        assert found is not None
        assert found.text == ascii(name)
