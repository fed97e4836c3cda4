"""Invite codes of private matches: short enough to read out, and long enough not to be guessed."""

from __future__ import annotations

import secrets
from typing import Final

from core.log.keys import SHARDS, players_key, shard_of, tag
from services.gateway.stored import Stored

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0 and O, 1, I and L, and U."""
LETTERS: Final = 8
HOLDS_S: Final = 30 * 86_400
"""How long a code leads to its match since it was last asked for."""


def invite_key(code: str) -> str:
    """String: the match to which a code leads. ValueError when the code has not the form of one."""
    if not is_code(code):
        raise ValueError("not an invite code")
    return f"{tag(int(code[:2]))}:invite:{code}"


def is_code(text: str) -> bool:
    """Whether a text has the form of a code: two digits of shard, eight letters."""
    shard, letters = text[:2], text[2:]
    if not (len(shard) == 2 and shard.isascii() and shard.isdigit() and int(shard) < SHARDS):
        return False
    return len(letters) == LETTERS and all(letter in ALPHABET for letter in letters)


def tidy(text: str) -> str:
    """A code as people type it: in either case, with spaces or hyphens."""
    return text[:40].upper().replace(" ", "").replace("-", "")


def new_code(shard: int) -> str:
    """A fresh code for a match of the shard."""
    return f"{shard:02d}" + "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))


async def invite_code(store: Stored, match_id: str) -> str:
    """The code of a match, made now if there is none; all gateways give the same one."""
    players = players_key(match_id)
    found = await store.do("HGET", players, "invite")
    if found is None:
        code = new_code(shard_of(match_id))
        # First what the code leads to, then the code: a code that has been given always leads somewhere.
        if not await store.do("SET", invite_key(code), match_id, "NX", "EX", HOLDS_S):
            return await invite_code(store, match_id)
        await store.do("HSETNX", players, "invite", code)
        found = await store.do("HGET", players, "invite")
        if found != code.encode():
            await store.do("DEL", invite_key(code))
    code = str(found, "ascii")
    await store.do("SET", invite_key(code), match_id, "EX", HOLDS_S)
    return code


async def invited_to(store: Stored, text: str) -> str | None:
    """The match to which a code leads, however it was typed; None when it leads nowhere."""
    code = tidy(text)
    if not is_code(code):
        return None
    found: bytes | None = await store.do("GET", invite_key(code))
    return None if found is None else found.decode()
