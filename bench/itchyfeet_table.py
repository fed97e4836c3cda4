"""Played matches as the tables of rules 6.5, in markdown."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Final, NamedTuple

from bench.itchyfeet_matches import Played

Row = tuple[str, int]
"""Mode and number of seats."""
_ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")
_Z95: Final = 1.96


class Share(NamedTuple):
    """How often something won, how often it would if all seats were alike, and how many seats had it."""

    won: float
    fair: float
    deals: int


def interval(won: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score; `count` >= 1."""
    share, z2 = won / count, _Z95**2 / count
    middle = (share + z2 / 2) / (1 + z2)
    half = _Z95 * math.sqrt(share * (1 - share) / count + z2 / (4 * count)) / (1 + z2)
    return max(0.0, middle - half), min(1.0, middle + half)


def tables(played: Mapping[Row, Sequence[Played]]) -> str:
    """All tables: lengths, wins by place in the order of turns, by character, by bot; then the countries' range."""
    parts = [lengths(played), starts(played)]
    parts += [
        of_fair("character", {row: _shares(found, "characters") for row, found in played.items() if _dealt(found)}),
        of_fair("bot", {row: _shares(found, "bots") for row, found in played.items()}),
        countries(played),
    ]
    return "\n\n".join(part for part in parts if part)


def _dealt(found: Sequence[Played]) -> bool:
    return any(match.characters for match in found)


def lengths(played: Mapping[Row, Sequence[Played]]) -> str:
    """The table of rules 6.5."""
    rows = []
    for (mode, seats), found in played.items():
        rounds = sorted(match.rounds for match in found)
        late = rounds[math.ceil(0.95 * len(rounds)) - 1]
        ends = Counter(match.reason for match in found)
        postcards = f"{ends['postcards'] / len(found):.0%}" if _dealt(found) else "-"
        drawn = f"{ends['round_cap'] / len(found):.1%}"
        rows.append([mode, str(seats), f"{median(rounds):.1f} / {late:.1f} / {rounds[-1]:.1f}", postcards, drawn])
    return table(["mode", "players", "rounds: median / 95th percentile / longest", "postcard wins", "drawn"], rows)


def starts(played: Mapping[Row, Sequence[Played]]) -> str:
    """Wins by place in the order of turns; the starting seat is the first."""
    most = max(seats for _, seats in played)
    rows = []
    for (mode, seats), found in played.items():
        won = Counter((match.winner - match.starter) % seats for match in found if match.winner >= 0)
        cells = [f"{won[place] / len(found):.0%}" for place in range(seats)]
        rows.append([mode, str(seats), *cells, *[""] * (most - seats), f"{1 / seats:.1%}"])
    return table(["mode", "players", *_ORDINALS[:most], "fair"], rows)


def _shares(found: Sequence[Played], what: str) -> dict[str, Share]:
    """By name: wins, fair wins (one over the seats for each seat that had it), and how many seats had it."""
    won: Counter[str] = Counter()
    had: Counter[str] = Counter()
    for match in found:
        names: tuple[str, ...] = getattr(match, what)
        had.update(names)
        if match.winner >= 0:
            won[names[match.winner]] += 1
    seats = len(found[0].countries)
    return {name: Share(won[name], had[name] / seats, had[name]) for name in sorted(had)}


def of_fair(heading: str, shares: Mapping[Row, Mapping[str, Share]]) -> str:
    """Wins against the fair share, 1.00: a column a row of the first table, and one for each mode as a whole.

    Empty where there is nothing to tell.
    """
    names = sorted({name for found in shares.values() for name in found})
    if not names:
        return ""
    columns = {f"{mode}, {seats}": [found] for (mode, seats), found in shares.items()}
    for mode in dict.fromkeys(mode for mode, _ in shares):
        columns[f"{mode}, together"] = [found for row, found in shares.items() if row[0] == mode]
    cells = [[name, *[_together(name, found) for found in columns.values()]] for name in names]
    return table([heading, *columns], cells)


def _together(name: str, shares: Sequence[Mapping[str, Share]]) -> str:
    found = [of_row[name] for of_row in shares if name in of_row]
    return f"{_times(found):.2f}" if found else ""


def _times(shares: Sequence[Share]) -> float:
    """Wins of all in their fair shares; 1: as many as are fair."""
    return sum(share.won for share in shares) / sum(share.fair for share in shares)


def countries(played: Mapping[Row, Sequence[Played]]) -> str:
    """One sentence on starting countries, over all matches; countries are dealt evenly over the rows."""
    by_name: dict[str, list[Share]] = {}
    for found in played.values():
        for name, share in _shares(found, "countries").items():
            by_name.setdefault(name, []).append(share)
    times = {name: _times(found) for name, found in by_name.items()}
    least, most = min(times, key=times.__getitem__), max(times, key=times.__getitem__)
    deals = sum(share.deals for share in by_name[least])
    return (
        f"Win share of a starting country against its fair share: {times[least]:.2f} ({least}) to {times[most]:.2f} "
        f"({most}), over all rows, about {deals:,} deals of each."
    )


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells as markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
