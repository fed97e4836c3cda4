"""Server-side functions: one file a function, assembled into one library.

A file `name.lua` is a Lua chunk that returns `function(keys, args)`; its header comment is its contract. A header line
`-- flags: no-writes` gives the function those flags. The library's name ends in a digest of its code, and so do the
functions' names: a store can hold the libraries of several releases at once, and the same code is never loaded twice.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hiredis import ReplyError
from redis.asyncio import RedisCluster
from redis.exceptions import ResponseError

from core.store.client import Client
from core.store.errors import store_errors
from core.store.round_trip import ask_all
from core.store.wire import Wire

_FLAGS = re.compile(r"^-- flags: ([a-z, -]+)$", re.MULTILINE)
NOT_FOUND = "Function not found"
_LOADED = "already exists"


@dataclass(frozen=True)
class Library:
    """Code for FUNCTION LOAD; `functions` maps a file's stem to the name that FCALL takes."""

    name: str
    code: str
    functions: Mapping[str, str]


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


async def load_functions(client: Client, library: str, folder: Path) -> Mapping[str, str]:
    """Put a folder's functions on all masters; a store that has them already is left as it is.

    Answers the names for FCALL by file stem. Raises `Refused` when the store is down or takes no writes.
    """
    built = build_library(library, folder)
    with store_errors():
        await _load(client, built)
    return built.functions


async def call_function(
    client: Client, library: Library, function: str, keys: Sequence[str], args: Sequence[str | int | bytes] = ()
) -> Any:
    """FCALL the function of a file stem; a store that lost the library gets it anew.

    `keys` are all of one cluster slot. Raises `Refused` for the store's states; lets the function's own errors through.
    """
    command = ("FCALL", library.functions[function], len(keys), *keys, *args)
    (answer,) = await ask_all(client, [command])
    if isinstance(answer, ResponseError) and NOT_FOUND in str(answer):
        with store_errors():
            await _load(client, library)
        (answer,) = await ask_all(client, [command])
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


async def _load(client: Client, library: Library) -> None:
    store: Any = client
    nodes = [{"target_nodes": node} for node in client.get_primaries()] if isinstance(client, RedisCluster) else [{}]
    for node in nodes:
        try:
            await store.execute_command("FUNCTION LOAD", library.code, **node)
        except ResponseError as error:
            if _LOADED not in str(error):
                raise
