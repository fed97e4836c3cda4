"""Who is behind one match's handles: a value, as the store's hash tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hamle.match.v1.match_pb2 import Match

GAME_FIELD: Final = "game"
"""Field of the hash `{sNN}:match:<id>:players` that names the match's game; written when a match is created."""


class Person(NamedTuple):
    """An account and the name it shows to others."""

    account_id: str
    name: str


class Seating(NamedTuple):
    """Handles by account, people by handle, and the game. `stays`: kept for ever, as the match is."""

    handles: dict[str, str]
    people: dict[str, Person]
    game: str
    stays: bool
    read_at_s: float

    def name_seats(self, match: Match, account_id: str) -> None:
        """Fills in `name` and `yours` of the match's seats, as the account sees them."""
        mine = self.handles.get(account_id)
        for seat in match.seats:
            person = self.people.get(seat.handle)
            seat.name = person.name if person else ""
            seat.yours = bool(seat.handle) and seat.handle == mine


def seating_of(stays: int, fields: Sequence[bytes], read_at_s: float) -> Seating:
    """The seating in what the function `read` answers."""
    handles: dict[str, str] = {}
    people: dict[str, Person] = {}
    game = ""
    for field, value in zip(fields[::2], fields[1::2], strict=True):
        kind, _, rest = field.decode().partition(":")
        if kind == "a":
            handles[rest] = value.decode()
        elif kind == "h":
            account_id, _, name = value.decode().partition("\n")
            people[rest] = Person(account_id, name)
        elif kind == GAME_FIELD:
            game = value.decode()
    return Seating(handles, people, game, stays == 1, read_at_s)
