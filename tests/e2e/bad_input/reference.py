"""The reasons that each method may give, as the proto comments list them.

A service's comment has `Errors of every call: A, B.` and, where they ask engines, `Errors of an engine, ...: C, D.`
Each method's has `Errors: E, F.`, `Errors: E, F, and those of an engine.` or `Errors: none of its own.`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from deploy.local.member import ROOT

_PACKAGE: Final = re.compile(r"^package ([\w.]+);", re.MULTILINE)
_SERVICE: Final = re.compile(r"((?:^//[^\n]*\n)+)^service (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_METHOD: Final = re.compile(r"((?:^  //.*\n)*)^  rpc (\w+)\(", re.MULTILINE)
_COMMON: Final = re.compile(r"Errors of every call: ([A-Z_, ]+)\.")
_ENGINES: Final = re.compile(r"Errors of an engine, [a-z ]+: ([A-Z_, ]+)\.")
_OWN: Final = re.compile(r"Errors: (?:none of its own|([A-Z_]+(?:, [A-Z_]+)*)(, and those of an engine)?)\.")


def _prose(comment: str) -> str:
    return " ".join(line.strip().removeprefix("//").strip() for line in comment.splitlines())


def _listed(found: re.Match[str] | None) -> frozenset[str]:
    return frozenset(found[1].split(", ")) if found is not None and found[1] else frozenset()


def _methods() -> Iterator[tuple[str, frozenset[str]]]:
    for path in (ROOT / "proto/hamle").glob("*/v1/*.proto"):
        text = path.read_text(encoding="utf-8")
        for comment, service, body in _SERVICE.findall(text):
            package = _PACKAGE.search(text)
            assert package is not None, path
            common, engines = _listed(_COMMON.search(_prose(comment))), _listed(_ENGINES.search(_prose(comment)))
            assert common, f"{service} does not say what every call may answer"
            for told, method in _METHOD.findall(body):
                own = _OWN.search(_prose(told))
                assert own is not None, f"{service}.{method} does not list its errors"
                reasons = common | _listed(own) | (engines if own[2] else frozenset())
                yield f"/{package[1]}.{service}/{method}", reasons


REASONS: Final[Mapping[str, frozenset[str]]] = dict(_methods())
"""By the method's path, `/hamle.play.v1.PlayService/GetView`."""


def require_listed(path: str, reason: str) -> None:
    """Fails when the method's comment does not tell of the reason."""
    assert reason in REASONS[path], f"{path} answers {reason}, which its comment does not list"
