"""The reasons that each method may give, as the proto comments list them, and calls that are held against these lists.

A service's comment has `Errors of every call: A, B.` and, where they ask engines, `Errors of an engine, ...: C, D.`
Each method's has `Errors: E, F.`, `Errors: E, F, and those of an engine.` or `Errors: none of its own.`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import grpc

from deploy.local.member import ROOT
from tests.e2e.bad_input.refusal import refusal_of

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


class Calls:
    """Notes the calls of a channel that is made with the `interceptors`."""

    def __init__(self) -> None:
        self._made: list[tuple[str, Any]] = []
        self.interceptors: list[Any] = [_Unary(self._made), _Streaming(self._made)]

    async def require_listed(self) -> None:
        """Holds every call that was refused against its method's list."""
        for path, call in self._made:
            if call.done() and await call.code() not in (grpc.StatusCode.OK, grpc.StatusCode.CANCELLED):
                require_listed(path, refusal_of(await _failed(call)).reason)
        self._made.clear()


async def _failed(call: Any) -> grpc.aio.AioRpcError:
    return grpc.aio.AioRpcError(
        await call.code(), await call.initial_metadata(), await call.trailing_metadata(), await call.details(), ""
    )


class _Noting:
    def __init__(self, made: list[tuple[str, Any]]) -> None:
        self._made = made

    async def note(self, continuation: Any, details: Any, request: Any) -> Any:
        call = await continuation(details, request)
        path = details.method
        self._made.append((path.decode() if isinstance(path, bytes) else path, call))
        return call


class _Unary(_Noting, grpc.aio.UnaryUnaryClientInterceptor):  # type: ignore[type-arg]
    async def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return await self.note(continuation, client_call_details, request)


class _Streaming(_Noting, grpc.aio.UnaryStreamClientInterceptor):  # type: ignore[type-arg]
    async def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return await self.note(continuation, client_call_details, request)
