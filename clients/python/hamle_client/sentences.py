"""Facts and outcomes as sentences, from the catalogues that each game brings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hamle.match.v1 import match_pb2

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_FALLBACK = "en"


def sentence(
    info: match_pb2.GameInfo, key: str, parameters: Mapping[str, str] | None = None, language: str = _FALLBACK
) -> str:
    """The sentence for a key (a fact's kind, an outcome's reason) in a language, with its placeholders filled.

    A value for which the catalogue has a sentence `label.<value>` is shown by it. Falls back to English, then to the
    key with its parameters.
    """
    values = parameters or {}
    for wanted in (language, language.partition("-")[0], _FALLBACK):
        for catalogue in info.catalogues:
            if catalogue.language == wanted and key in catalogue.sentences:
                return _fill(catalogue.sentences[key], values, catalogue.sentences)
    listed = ", ".join(f"{name} {value}" for name, value in sorted(values.items()))
    return f"{key.replace('_', ' ')} {listed}".rstrip()


def tell(info: match_pb2.GameInfo, fact: match_pb2.Fact, language: str = _FALLBACK) -> str:
    """The fact as a sentence."""
    return sentence(info, fact.kind, fact.parameters, language)


def _fill(text: str, values: Mapping[str, str], sentences: Mapping[str, str]) -> str:
    def shown(found: re.Match[str]) -> str:
        value = values.get(found[1])
        return found[0] if value is None else sentences.get(f"label.{value}", value)

    return _PLACEHOLDER.sub(shown, text)
