from __future__ import annotations

import tempfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from deploy.local.errors import StartFailed
from deploy.local.fleet import Fleet, Plan


def timekeeper_alone(folder: Path, **env: str) -> Fleet:
    return Fleet(Plan(folder, games=(), gateways=0, timekeepers=1, env=env))


def test_a_fleet_has_started_when_its_timekeeper_has_claimed_its_shards(tmp_path: Path) -> None:
    with timekeeper_alone(tmp_path) as fleet:
        (timekeeper,) = fleet.timekeepers
        with urlopen(f"http://{timekeeper.address}/metrics", timeout=60) as page:
            assert b"\nhamle_shards_held{" in page.read()
        timekeeper.kill()
        with pytest.raises(StartFailed, match="timekeeper-0 ended while starting"):
            fleet.wait_healthy()
        timekeeper.start()
        fleet.wait_healthy()


def test_a_timekeeper_that_dies_at_the_start_is_told(tmp_path: Path) -> None:
    fleet = timekeeper_alone(tmp_path, HAMLE_LOG_LEVEL="nonsense")
    with pytest.raises(StartFailed, match=r"timekeeper-0 ended while starting(?s:.*)HAMLE_LOG_LEVEL"):
        fleet.start()
    assert not any(member.running for member in fleet.roles)
    with pytest.raises(StartFailed, match="HAMLE_LOG_FORMAT") as again:
        timekeeper_alone(tmp_path, HAMLE_LOG_FORMAT="nonsense").start()
    assert "HAMLE_LOG_LEVEL" not in str(again.value), "it tells of a start before"


def test_a_data_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "within"):
        with pytest.raises(StartFailed, match=str(folder)):
            timekeeper_alone(folder).start()
    (tmp_path / "data" / "logs").mkdir(parents=True)
    (tmp_path / "data" / "store").touch()
    fleet = timekeeper_alone(tmp_path / "data")
    with pytest.raises(StartFailed, match="store"):
        fleet.start()


@pytest.mark.parametrize("length", [1, 90])
def test_what_a_killed_gateway_leaves_goes_with_the_fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    with tempfile.TemporaryDirectory() as short:
        # A socket in too deep a folder would keep the gateway from starting.
        usual = Path(short) / ("t" * length)
        usual.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(usual))
        with Fleet(Plan(tmp_path, games=(), gateways=1, timekeepers=0)) as fleet:
            left = Path(fleet.settings("any", 1)["TMPDIR"])
            fleet.gateways[0].kill()
            assert [socket.name for folder in left.iterdir() for socket in folder.iterdir()] == ["fallback.sock"]
            assert left.parent == (usual if length == 1 else Path("/tmp"))
        assert not left.exists()
