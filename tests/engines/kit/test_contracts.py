"""The import contracts of pyproject.toml cover every room of the kit."""

from __future__ import annotations

import tomllib

from deploy.local.member import ROOT

KIT = ROOT / "engines" / "kit"


def rooms() -> set[str]:
    """The modules and packages of the kit."""
    found = [path for path in KIT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    return {f"engines.kit.{path.stem}" for path in found if path.stem != "__init__"}


def test_every_room_of_the_kit_but_the_host_is_under_the_contract_without_io() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {contract["name"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}
    contract = contracts["The kit without its host does no IO"]
    assert set(contract["source_modules"]) == rooms() - {"engines.kit.host"}
