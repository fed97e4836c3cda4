"""What the pages name is there: links, paths, commands, options, settings, reasons."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hamle.error.v1.error_pb2 import Reason
from typer.main import get_command

from cli.app import COMMANDS, make_app
from core.settings import PREFIX, variable
from deploy.local.member import ROOT
from engines.kit.host.settings import EngineSettings
from services.gateway.settings import GatewaySettings
from tests.docs.blocks import blocks, pages, title, without_blocks

PAGES = pytest.mark.parametrize("page", pages(), ids=title)
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
MADE = ("data", "gen")
"""Folders that are made by use, so that what is in them need not be there."""
OTHER_WORDS = {"NOT_SERVING"}
"""Names of gRPC's own."""


def prose(page: Path) -> str:
    return without_blocks(page.read_text(encoding="utf-8"))


def code(page: Path) -> Iterator[str]:
    """Everything that is set as code: between backticks, and the lines of shell blocks."""
    yield from re.findall(r"`([^`\n]+)`", prose(page))
    for block in blocks(page):
        if block.language == "sh":
            yield from block.text.replace("\\\n", " ").splitlines()


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)}


def links(page: Path) -> list[str]:
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)) if "://" not in link]


@pytest.mark.parametrize(
    "page",
    [*pages(), *ROOT.glob("engines/*/README.md")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link} has no such heading"


def test_every_page_is_found_from_the_readme() -> None:
    found, wanted = {ROOT / "README.md"}, [ROOT / "README.md"]
    while wanted:
        page = wanted.pop()
        targets = {(page.parent / link.partition("#")[0]).resolve() for link in links(page)}
        new = {target for target in targets if target.suffix == ".md"} - found
        found |= new
        wanted += new
    assert set(pages()) <= found


@PAGES
def test_paths_are_there(page: Path) -> None:
    for text in code(page):
        for path in re.findall(r"(?<![\w/.-])([a-z_]+/[\w./*-]*)", text):
            top = path.partition("/")[0]
            if top in FOLDERS and top not in MADE and "NAME" not in path:
                assert (ROOT / path).exists() or list(ROOT.glob(path)), f"{page.name}: {path}"


@PAGES
def test_modules_are_there(page: Path) -> None:
    for text in code(page):
        for module in re.findall(r"python -m ([\w.]+)", text):
            if "NAME" not in module and module != "pytest":
                path = ROOT.joinpath(*module.split("."))
                assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), f"{page.name}: {module}"


@PAGES
def test_make_targets_are_there(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {target for text in code(page) for target in re.findall(r"(?:^|\s)make ([a-z][a-z-]*)", text)}
    assert named <= targets


def hamle_calls(page: Path) -> Iterator[list[str]]:
    for text in code(page):
        for call in re.findall(r"(?:^|[\s|(])(?:\.venv/bin/)?hamle (.*)", text.partition(" #")[0]):
            yield re.split(r"[|>)]", call)[0].split()


@PAGES
def test_commands_have_their_options(page: Path) -> None:
    program: Any = get_command(make_app(COMMANDS))
    for words in hamle_calls(page):
        if words[0] == "--server":
            words = words[2:]
        name, *rest = words
        if name == "COMMAND":
            continue
        assert name in program.commands, f"{page.name}: hamle {name}"
        command = program.commands[name]
        if hasattr(command, "commands"):
            assert rest[0] in command.commands, f"{page.name}: hamle {name} {rest[0]}"
            command = command.commands[rest[0]]
        known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        if name == "bench":
            run = import_module(f"bench.{rest[0]}").run
            known |= {f"--{option.replace('_', '-')}" for option in inspect.signature(run).parameters}
        for word in rest:
            option = word.partition("=")[0]
            assert not option.startswith("-") or option in known, f"{page.name}: hamle {name} {option}"


@PAGES
def test_variables_are_settings_or_read_by_a_program(page: Path) -> None:
    settings = {variable(name) for kind in (EngineSettings, GatewaySettings) for name in kind.model_fields}
    sources = [
        path for folder in ("cli", "clients", "core", "engines", "tests") for path in (ROOT / folder).rglob("*.py")
    ]
    rest = set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", page.read_text(encoding="utf-8"))) - settings
    read = {name for name in rest if any(f'"{name}"' in path.read_text(encoding="utf-8") for path in sources)}
    assert rest - read - {variable("secrets_dir")} == set()


@PAGES
def test_reasons_are_of_the_closed_list(page: Path) -> None:
    reasons = {name.removeprefix("REASON_") for name, _ in Reason.items()}
    words = set(re.findall(r"(?<![\w$])[A-Z]+(?:_[A-Z]+)+\b", prose(page)))
    assert {word for word in words if not word.startswith(PREFIX)} <= reasons | OTHER_WORDS
