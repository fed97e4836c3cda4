from __future__ import annotations

from pathlib import Path

from deploy.local.fleet import Fleet, Plan


def test_a_further_member_has_the_fleets_settings_and_its_own_on_top(tmp_path: Path) -> None:
    fleet = Fleet(Plan(tmp_path, store_url="redis://127.0.0.1:1/0", env={"HAMLE_LOG_LEVEL": "error"}))
    member = fleet.member("extra", "engines.coerceo", 12_345, {"HAMLE_ADVERTISE": "127.0.0.1:9"})
    assert member.address == "127.0.0.1:12345"
    settings = {name: value for name, value in member._env.items() if name.startswith("HAMLE_")}
    assert settings["HAMLE_STORE_URL"] == "redis://127.0.0.1:1/0"
    assert settings["HAMLE_PORT"] == "12345"
    assert settings["HAMLE_LOG_LEVEL"] == "error"
    assert settings["HAMLE_ADVERTISE"] == "127.0.0.1:9"
