"""The table of distances in a deck file: whole, symmetric, with each country once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.itchyfeet.deck_format import DISTANCES, MOST_KINDS, MOST_KM
from engines.itchyfeet.deck_problems import Problems


def check_distances(problems: Problems, value: Any, countries: Sequence[str]) -> None:
    """Adds what is wrong with the table; `countries` are the ids that it has to have."""
    place = "distances_km"
    if not problems.object(value, place):
        return
    problems.fields(value, place, DISTANCES)
    if "source" in value:
        problems.source(value["source"], f"{place}.source")
    order, matrix = value.get("order"), value.get("matrix")
    if _ordered(problems, order, countries):
        _whole(problems, matrix, len(countries))


def _ordered(problems: Problems, order: Any, countries: Sequence[str]) -> bool:
    place = "distances_km.order"
    if not isinstance(order, list) or len(order) > MOST_KINDS:
        problems.shown(place, order, "a list with each country's id once")
        return False
    fits = True
    for index, name in enumerate(order):
        if name not in countries or name in order[:index]:
            problems.shown(f"{place}[{index}]", name, "each country's id once")
            fits = False
    missing = [name for name in countries if name not in order]
    if missing:
        problems.add(place, f"lacks {', '.join(missing)}; expected each country's id once")
    return fits and not missing


def _whole(problems: Problems, matrix: Any, size: int) -> None:
    place = "distances_km.matrix"
    if not isinstance(matrix, list) or len(matrix) != size:
        problems.add(place, f"has not {size} rows; expected one a country, in the order given")
        return
    whole = True
    for a, row in enumerate(matrix):
        if not isinstance(row, list) or len(row) != size:
            problems.add(f"{place}[{a}]", f"has not {size} numbers; expected one a country, in the order given")
            whole = False
            continue
        for b, km in enumerate(row):
            whole &= problems.number(km, f"{place}[{a}][{b}]", 0, MOST_KM)
    if not whole:
        return
    for a in range(size):
        if matrix[a][a] != 0:
            problems.add(f"{place}[{a}][{a}]", f"is {matrix[a][a]}; expected 0: it is the country itself")
        for b in range(a):
            if matrix[a][b] != matrix[b][a]:
                problems.add(f"{place}[{a}][{b}]", f"is {matrix[a][b]}; expected {matrix[b][a]} as back")
