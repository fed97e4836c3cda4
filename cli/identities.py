"""This machine's players: a token for each server and name, kept for the next time, readable by its owner alone.

Two terminals are two players: a command that plays takes an identity for itself while it runs, and the next terminal
takes the next one.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hamle_client import Token

from cli.errors import Stop

_MATCHES_KEPT = 50
_USABLE_S = 60.0


def config_dir(environ: Mapping[str, str]) -> Path:
    """Where identities are kept: HAMLE_CONFIG_DIR, else `hamle` in the user's configuration folder."""
    given = environ.get("HAMLE_CONFIG_DIR")
    if given:
        return Path(given)
    return Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "hamle"


@dataclass
class Identity:
    """One player on one server. `token` is None when there is none that is still good."""

    name: str
    path: Path | None = None
    token: Token | None = field(default=None, repr=False)
    matches: list[str] = field(default_factory=list)

    def save(self) -> None:
        """Writes it, whole or not at all, with mode 0600; does nothing when it is not to be kept. Raises Stop."""
        if self.path is None or self.token is None:
            return
        data = {"token": self.token.text, "expires_at": self.token.expires_at, "matches": self.matches[-_MATCHES_KEPT:]}
        unfinished = self.path.with_suffix(f".{os.getpid()}")
        with _usable(self.path.parent):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w") as file:
                json.dump(data, file)
            unfinished.replace(self.path)

    def remember(self, match_id: str) -> None:
        """Notes that this player sits at the match."""
        if match_id not in self.matches:
            self.matches.append(match_id)
            self.save()


class Identities:
    """The identities kept for one server. All methods raise Stop when their folder cannot be used."""

    def __init__(self, folder: Path, server: str) -> None:
        self._folder = folder / (re.sub(r"[^A-Za-z0-9]+", "_", server).strip("_") or "default")

    def look(self, name: str = "") -> Identity:
        """The identity of that name, or the first one, without taking it."""
        return self._read(name or "player-1", name)

    @contextmanager
    def take(self, name: str = "", match_id: str = "") -> Iterator[Identity]:
        """Takes an identity while the block runs.

        Without a name it is the one that sits at the match, else the first that no other process has taken. A name that
        another process has taken is shared with it.
        """
        with _usable(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for candidate in self._candidates(name, match_id):
            with _locked(self._folder / f"{candidate}.lock") as mine:
                if mine or name:
                    yield self._read(candidate, name)
                    return

    def _candidates(self, name: str, match_id: str) -> Iterator[str]:
        if name:
            yield _file_name(name)
            return
        names = [f"player-{number}" for number in range(1, 1_000)]
        if match_id:
            yield from (name for name in names[:20] if match_id in self._data(name)["matches"])
        yield from names

    def _read(self, file_name: str, name: str) -> Identity:
        data = self._data(file_name)
        token = Token(data["token"], data["expires_at"]) if data["expires_at"] > time.time() + _USABLE_S else None
        return Identity(name, self._folder / f"{_file_name(file_name)}.json", token, data["matches"])

    def _data(self, file_name: str) -> dict[str, Any]:
        empty: dict[str, Any] = {"token": "", "expires_at": 0.0, "matches": []}
        with _usable(self._folder):
            try:
                found = json.loads((self._folder / f"{_file_name(file_name)}.json").read_text())
            except (FileNotFoundError, ValueError):
                return empty
        return empty | found if isinstance(found, dict) else empty


def _file_name(name: str) -> str:
    """Another one for each name, and of a file name the same; short enough for every file system."""
    if re.fullmatch(r"[\w-]{1,40}", name):
        return name
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()[:12]
    readable = re.sub(r"[^\w-]+", "_", name)[:24]
    return f"{readable}-{digest}"


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    with _usable(path.parent):
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)


@contextmanager
def _usable(folder: Path) -> Iterator[None]:
    """Raises Stop when what the block does in the folder fails."""
    try:
        yield
    except OSError as error:
        raise Stop(
            f"This machine's players cannot be kept in {folder}: {error.strerror}. Name a folder that can be written "
            "to with HAMLE_CONFIG_DIR, or be the same player everywhere with a token in HAMLE_TOKEN."
        ) from error
