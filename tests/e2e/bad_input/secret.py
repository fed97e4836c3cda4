"""Looking for secrets in texts, in whatever form they may have slipped in."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from engines.battleline.cards import NAMES

CARD: Final = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(NAMES)})(?![A-Za-z0-9])")


class Secret(NamedTuple):
    name: str
    value: bytes

    @property
    def forms(self) -> list[str]:
        """How logs, texts and pages could hold it."""
        encoded = [
            self.value.hex(),
            base64.b64encode(self.value).decode(),
            base64.urlsafe_b64encode(self.value).decode(),
        ]
        plain = [self.value.decode("ascii")] if self.value.isascii() else []
        shown = [repr(self.value)[2:-1], self.value.decode("latin-1"), repr(list(self.value))[1:-1]]
        return [form.rstrip("=") for form in (*encoded, *plain, *shown)]


def leaks(secrets: Iterable[Secret], texts: Mapping[str, str]) -> list[str]:
    """Which secret stands in which text."""
    return [
        f"{secret.name} in {name}"
        for name, text in texts.items()
        for secret in secrets
        if any(form in text for form in secret.forms)
    ]


def cards(text: str) -> list[str]:
    """The cards of Battle Line that a text names."""
    return CARD.findall(text)
