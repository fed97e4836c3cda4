"""Materials in the store: bytes by their SHA-256, for ever; and for each game a list of those for new matches.

The bytes are written before the list, and both lie in one slot, so what is listed is there.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from core.materials.naming import Material, digest_of, require_digest
from core.store.client import Client
from core.store.errors import store_errors

MOST_LISTED: Final = 64
"""How many materials of a game can be listed: lists of games carry them all."""


class Listed(NamedTuple):
    """A value that an option of a game can have besides the built-in ones, and when it was added, ms since 1970 UTC."""

    option: str
    value: str
    added_ms: int


def bytes_key(digest: str) -> str:
    """String: the bytes with that SHA-256, 64 hex digits."""
    return f"{{fleet}}:material:{digest}"


def list_key(game: str) -> str:
    """Hash: `<option>=<value>` -> when it was added, ms since 1970 UTC."""
    return f"{{fleet}}:materials:{game}"


async def keep(store: Client, material: Material) -> None:
    """Stores the bytes, not the list; nothing changes when they are there. Raises MATERIAL_INVALID, STORE_DOWN."""
    require_digest(material)
    with store_errors():
        await store.set(bytes_key(digest_of(material.value)), material.data)


async def fetch(store: Client, option: str, value: str) -> Material | None:
    """The material; None when the store does not have it. Raises MATERIAL_INVALID, STORE_DOWN."""
    with store_errors():
        data = await store.get(bytes_key(digest_of(value)))
    if data is None:
        return None
    assert isinstance(data, bytes)
    material = Material(option, value, data)
    require_digest(material)
    return material


async def add(store: Client, game: str, material: Material, now_ms: int) -> bool:
    """Stores the bytes and lists them for new matches; False when they were listed already."""
    await keep(store, material)
    with store_errors():
        return bool(await store.hsetnx(list_key(game), f"{material.option}={material.value}", str(now_ms)))


async def withdraw(store: Client, game: str, option: str, value: str) -> bool:
    """Takes a value off the list; the bytes stay, for the matches that are played with them. False: not listed."""
    with store_errors():
        return bool(await store.hdel(list_key(game), f"{option}={value}"))


async def listed(store: Client, game: str) -> list[Listed]:
    """The values that were added, in the order of time. Raises STORE_DOWN."""
    with store_errors():
        found: dict[bytes, bytes] = await store.hgetall(list_key(game))  # type: ignore[assignment]
    entries = []
    for field, added in found.items():
        option, _, value = field.decode().partition("=")
        entries.append(Listed(option, value, int(added)))
    return sorted(entries, key=lambda entry: (entry.added_ms, entry.value))
