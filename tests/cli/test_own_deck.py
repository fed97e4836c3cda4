"""An export of a match with a deck of one's own is all that is needed to verify and replay it, anywhere."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hamle_client import Material, Record

from cli import logfile
from core.log.export import ExportHeader
from deploy.local.member import ROOT
from engines.kit.history import History
from engines.kit.state import canonical
from tests.cli.hamle import hamle
from tests.engines.kit.test_materials import GAMES, MATERIAL, OWN, RECORDS, VALUE


@pytest.fixture
async def log(tmp_path: Path) -> Path:
    """A finished match with a deck of its own, as `hamle export` writes it."""
    history = History(GAMES, [MATERIAL])

    async def each() -> AsyncIterator[Record]:
        for record in RECORDS:
            state = canonical(OWN, history.add(record)[2].state)
            materials = (Material(*MATERIAL),) if record.seq == 1 else ()
            yield Record(record.seq, record.event, record.hash, state, materials=materials)

    path = tmp_path / "match.jsonl"
    with path.open("w") as stream:
        await logfile.write(stream, ExportHeader("07aaaaaaaaaaaaaaaa", "itchyfeet", "itchyfeet/1"), each())
    return path


def changed(log: Path, **changes: Any) -> Path:
    """The log with a material that is changed so; none at all when nothing is given."""
    first, *rest = log.read_text().splitlines(keepends=True)
    header = json.loads(first)
    (material,) = header["materials"]
    header["materials"] = [material | changes] if changes else []
    path = log.with_name("changed.jsonl")
    path.write_text(json.dumps(header) + "\n" + "".join(rest))
    return path


def test_the_export_alone_verifies_and_replays_in_another_process(log: Path) -> None:
    for arguments in (["verify", str(log)], ["replay", str(log), "--at", "6"]):
        command = [sys.executable, "-m", "cli.main", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout


async def test_an_altered_byte_of_the_deck_is_found(log: Path) -> None:
    altered = MATERIAL.data.replace(b"Hiking Boots", b"Hiking boots")
    assert altered != MATERIAL.data
    path = changed(log, bytes=base64.b64encode(altered).decode())
    result = await hamle("verify", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"event 1: Nothing can be played with deck={VALUE}: its bytes have the SHA-256 ")
    assert "so the file was altered" in result.stderr
    assert f"expected {VALUE.removeprefix('mine-')}" in result.stderr
    report = json.loads((await hamle("verify", str(path), "--json")).stdout)
    assert (report["ok"], report["failure"]["seq"]) == (False, 1)
    replayed = await hamle("replay", str(path))
    assert replayed.exit_code == 2
    assert "MATERIAL_INVALID" in replayed.stderr


async def test_an_export_without_its_deck_says_what_is_missing(log: Path) -> None:
    path = changed(log)
    result = await hamle("verify", str(path))
    assert result.exit_code == 1
    assert f"The bytes of deck={VALUE} are not here" in result.stderr
    replayed = await hamle("replay", str(path))
    assert replayed.exit_code == 2
    assert "MATERIAL_MISSING" in replayed.stderr


async def test_another_value_for_the_deck_is_found(log: Path) -> None:
    for value in ("mine", f"other-{'0' * 64}", f"other-{VALUE.removeprefix('mine-')}"):
        assert (await hamle("verify", str(changed(log, value=value)))).exit_code == 1
    assert (await hamle("verify", str(changed(log, option="events")))).exit_code == 1
