"""The document in the bytes of a deck file: strict JSON, in which no name stands twice and every number is one."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from math import isfinite
from typing import Any

from engines.itchyfeet.deck_format import DeckError
from engines.kit.game import Problem


class _Object(dict[str, Any]):
    """An object with the names that stand in it more than once."""

    twice: tuple[str, ...] = ()


def parsed(data: bytes) -> Any:
    """The document. Raises `DeckError` where it cannot be read, with all the places where it is no strict JSON."""
    document = _loaded(data)
    problems = tuple(_odd(document))
    if problems:
        raise DeckError(problems)
    return document


def _loaded(data: bytes) -> Any:
    if data.startswith(BOM_UTF8):
        raise DeckError((Problem("byte 0", "is a byte order mark; expected the file without one"),))
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise DeckError((Problem(f"byte {error.start}", "is not UTF-8; expected a JSON file in UTF-8"),)) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise DeckError((Problem(place, f"is not JSON: {error.msg}"),)) from None
    except ValueError:
        raise DeckError((Problem("the file", "has a number with too many digits"),)) from None
    except RecursionError:
        raise DeckError((Problem("the file", "is nested too deeply"),)) from None


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object(pairs)
    if len(found) < len(pairs):
        found.twice = tuple(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
    return found


def _odd(document: Any) -> Iterator[Problem]:
    """What Python's reader takes and others do not, in the order of the file."""
    todo: list[tuple[str, Any]] = [("", document)]
    while todo:
        place, value = todo.pop()
        if isinstance(value, _Object):
            for name in value.twice:
                yield Problem(_within(place, name), "stands twice in one object; expected once")
            todo += reversed([(_within(place, name), inner) for name, inner in value.items()])
        elif isinstance(value, list):
            todo += reversed([(f"{place}[{index}]", inner) for index, inner in enumerate(value)])
        elif isinstance(value, float) and not isfinite(value):
            yield Problem(place or "the file", f"is {value}; expected a number as JSON has them")


def _within(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name
