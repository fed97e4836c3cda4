"""Server-side functions: one file a function, assembled into one library.

A file `name.lua` is a Lua chunk that returns `function(keys, args)`; its header comment is its contract. A header line
`-- flags: no-writes` gives the function those flags. The library's name ends in a digest of its code, and so do the
functions' names: a store can hold the libraries of several releases at once, and the same code is never loaded twice.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from hiredis import ReplyError
from redis.asyncio import RedisCluster
from redis.exceptions import ResponseError

from core.errors import Refused
from core.store.client import Client
from core.store.errors import own_error, refusal_for
from core.store.round_trip import Command, ask_all
from core.store.wire import Wire

_FLAGS = re.compile(r"^-- flags: ([a-z, -]+)$", re.MULTILINE)
NOT_FOUND = "Function not found"
_LOADED = "already exists"


Ask: TypeAlias = Callable[[Sequence[Command]], Awaitable[list[Any]]]
"""A way to the store that answers as `ask_all`."""


class Call(NamedTuple):
    """A call of the function of a file stem; `keys` are all of one cluster slot."""

    function: str
    keys: Sequence[str]
    args: Sequence[str | int | bytes] = ()


@dataclass(frozen=True)
class Library:
    """Code for FUNCTION LOAD; `functions` maps a file's stem to the name that FCALL takes."""

    name: str
    code: str
    functions: Mapping[str, str]

    def command(self, call: Call) -> Command:
        """The call as a command of the store."""
        return ("FCALL", self.functions[call.function], len(call.keys), *call.keys, *call.args)


def build_library(library: str, folder: Path) -> Library:
    """The library of all `*.lua` files of a folder. ValueError when there is none."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.lua"))}
    if not sources:
        raise ValueError(f"no *.lua file in {folder}")
    digest = hashlib.sha256("\0".join([library, *(f"{n}\0{s}" for n, s in sources.items())]).encode()).hexdigest()
    name = f"{library}_{digest[:8]}"
    functions = {stem: f"{name}_{stem}" for stem in sources}
    parts = [f"#!lua name={name}"]
    for stem, source in sources.items():
        flags = _FLAGS.search(source)
        listed = ", ".join(f"'{flag.strip()}'" for flag in flags[1].split(",")) if flags else ""
        parts.append(
            f"redis.register_function{{function_name='{functions[stem]}', flags={{{listed}}}, "
            f"callback=(function()\n{source}\nend)()}}"
        )
    return Library(name, "\n".join(parts), functions)


async def load(client: Client, library: Library) -> None:
    """Put the library on all masters; a store that has it already is left as it is.

    Raises `Refused` when the store, or one master of it, is down or takes no writes; the others have it all the same.
    """
    refusal = await _load_where_possible(client, library)
    if refusal is not None:
        raise refusal


async def call_all(client: Client, library: Library, calls: Iterable[Call], ask: Ask | None = None) -> list[Any]:
    """As `ask_all`, what the functions answer; calls that a master without the library refused are made once more.

    `ask`: another way to the same store.
    """
    ask = ask or partial(ask_all, client)
    commands = [library.command(call) for call in calls]
    answers = await ask(commands)
    lost = [number for number, answer in enumerate(answers) if _is_lost(answer)]
    if lost:
        refusal = await _load_where_possible(client, library)
        for number, answer in zip(lost, await ask([commands[number] for number in lost]), strict=True):
            answers[number] = own_error(refusal) if refusal is not None and _is_lost(answer) else answer
    return answers


async def call_function(
    client: Client, library: Library, function: str, keys: Sequence[str], args: Sequence[str | int | bytes] = ()
) -> Any:
    """As `call_all`, of one call. Raises `Refused` for the store's states; lets the function's own errors through."""
    (answer,) = await call_all(client, library, [Call(function, keys, args)])
    if isinstance(answer, Exception):
        raise answer
    return answer


async def load_over(wire: Wire, library: Library) -> None:
    """Put a library on the server at the other end of a connection. Raises what the connection or server raises."""
    try:
        await wire.call("FUNCTION", "LOAD", library.code)
    except ReplyError as error:
        if _LOADED not in str(error):
            raise


def _is_lost(answer: Any) -> bool:
    return isinstance(answer, ResponseError) and NOT_FOUND in str(answer)


async def _load_where_possible(client: Client, library: Library) -> Refused | None:
    """Why some master did not take the library; None: all have it."""
    store: Any = client
    refusal: Refused | None = None
    nodes = [{"target_nodes": node} for node in client.get_primaries()] if isinstance(client, RedisCluster) else [{}]
    for node in nodes:
        try:
            await store.execute_command("FUNCTION LOAD", library.code, **node)
        except Exception as error:
            if isinstance(error, ResponseError) and _LOADED in str(error):
                continue
            refusal = refusal_for(error)
            if refusal is None:
                raise
    return refusal
