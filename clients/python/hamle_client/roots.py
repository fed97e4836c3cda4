"""The authorities that a client believes."""

from __future__ import annotations

from pathlib import Path

_BEGINS = b"-----BEGIN CERTIFICATE-----"


def trusted_roots(given: bytes | str | Path | None) -> bytes | None:
    """PEM certificates, from bytes or the file that is named; None: the system's. ValueError when there are none."""
    if not given:
        return None
    roots = given if isinstance(given, bytes) else _read(Path(given))
    if _BEGINS not in roots:
        name = "these bytes" if isinstance(given, bytes) else str(given)
        raise ValueError(f"root certificates: {name} hold none; expected one or more in PEM")
    return roots


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValueError(
            f"root certificates: {path} cannot be read: {error.strerror}; expected a file with certificates in PEM"
        ) from error
