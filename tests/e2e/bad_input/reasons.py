"""The closed list of reasons as `error.proto` tells it: the gRPC code of each, and the metadata that goes with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

import grpc

from deploy.local.member import ROOT


class Told(NamedTuple):
    """What the comment of a reason promises."""

    code: grpc.StatusCode
    metadata: frozenset[str]
    retry: bool


_ENTRY: Final = re.compile(r"((?:^ *// .*\n)+)^ *REASON_(\w+) = [1-9]\d*;", re.MULTILINE)
_CODE: Final = re.compile(r"([A-Z_]+): ")
_METADATA: Final = re.compile(r"metadata: (.*?)(?:\.(?: |$)|$)")


def told() -> Mapping[str, Told]:
    """What is promised for each reason."""
    text = (ROOT / "proto/hamle/error/v1/error.proto").read_text(encoding="utf-8")
    return {name: _told(comment) for comment, name in _ENTRY.findall(text)}


def _told(comment: str) -> Told:
    sentence = " ".join(line.strip().removeprefix("// ") for line in comment.splitlines())
    code = _CODE.match(sentence)
    assert code is not None, sentence
    listed = _METADATA.search(sentence)
    names = re.findall(r"`([\w.]+)`", listed[1]) if listed else []
    return Told(grpc.StatusCode[code[1]], frozenset(names), "RetryInfo" in sentence)


TOLD: Final = told()
