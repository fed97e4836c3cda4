"""Itchy Feet, bundled as the kit takes a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from google.protobuf.message import Message

from engines.itchyfeet import apply as _apply
from engines.itchyfeet import choices as _choices
from engines.itchyfeet import dump as _dump
from engines.itchyfeet import imagine as _imagine
from engines.itchyfeet import leave as _leave
from engines.itchyfeet import legal as _legal
from engines.itchyfeet import outcome as _outcome
from engines.itchyfeet import setup as _setup
from engines.itchyfeet import text as _text
from engines.itchyfeet import view as _view
from engines.itchyfeet.cards import Deck
from engines.itchyfeet.deck import HOUSE, read
from engines.itchyfeet.meta import info_for, rules_of
from engines.itchyfeet.state import TOGETHER, Kind, State
from engines.kit.game import Audience, Draw, Fact, Game, GameDefaults, GameInfo, Outcome

_NONE: Final[frozenset[int]] = frozenset()


class ItchyFeet(GameDefaults[State]):
    """The rules `itchyfeet/1`, for the decks given; a match names its deck with the digest in its options."""

    def __init__(self, decks: Sequence[Deck] = (HOUSE,)) -> None:
        self.info: GameInfo = info_for(decks)
        self._decks = tuple(decks)
        self._by_key = {deck.key: deck for deck in decks}
        self._by_digest = {deck.digest: deck for deck in decks}

    def setup(self, options: Mapping[str, str], seats: int, draw: Draw) -> State:
        """The deal. Raises KeyError for a missing option or a deck that is not known here."""
        return _setup.start(self._by_key[options["deck"]], rules_of(options), seats, draw)

    # Asked for every move: no method stands between.
    awaited = staticmethod(_legal.awaited)
    may_act = staticmethod(_legal.may_act)
    choices = staticmethod(_choices.choices)
    apply = staticmethod(_apply.apply)

    def leave(self, state: State, seat: int, draw: Draw) -> tuple[State, Sequence[Fact]]:
        """The seat's cards are discarded; the others play on."""
        return _leave.leave(state, seat, draw)

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return _outcome.outcome(state)

    def view(self, state: State, audience: Audience) -> Message:
        """A `hamle.itchyfeet.v1.View`."""
        return _view.view(state, audience)

    def redact(self, state: State, seat: int, move: str, audience: Audience) -> str:
        """The move without cards and answers that the audience may not know."""
        return _view.redact(state, seat, move, audience)

    def imagine(self, view: Message, audience: Audience, draw: Draw) -> State:
        """A state that agrees with the view."""
        return _imagine.imagine(self._by_key, view, audience, draw)

    def dump(self, state: State) -> bytes:
        """Canonical bytes."""
        return _dump.dump(state)

    def load(self, data: bytes) -> State:
        """The state that `dump` wrote."""
        return _dump.load(self._by_digest, data)

    def undisturbed(self, before: State, after: State) -> frozenset[int]:
        """Seats that are asked together answer in any order: the others' decisions stay as they were."""
        if not before.answers or not after.answers or len(before.agenda) != len(after.agenda):
            return _NONE
        one, two = before.top(), after.top()
        if one is None or one != two or one.kind not in TOGETHER or before.left != after.left:
            return _NONE
        return _legal.awaited(before) & _legal.awaited(after)

    def limit_ms(self, state: State) -> int | None:
        """The time to answer in a window, where the option sets one."""
        task = state.top()
        if task is None or task.kind is not Kind.WINDOW:
            return None
        return state.rules.reaction_ms or None

    def limit_goes_on(self, before: State, after: State) -> bool:
        """A window's time counts from its opening: an answer does not give the others more."""
        one, two = before.top(), after.top()
        return one is not None and one.kind is Kind.WINDOW and one == two

    def time_out(self, state: State, draw: Draw) -> tuple[State, Sequence[Fact]]:
        """Who has not answered does not block."""
        return _leave.time_out(state, draw)

    def text(self, view: Message, audience: Audience, language: str) -> str:
        """The table for a terminal."""
        return _text.text(view, audience, language)

    def with_material(self, option: str, data: bytes) -> ItchyFeet:
        """The game for one deck more. Raises `DeckError`."""
        return ItchyFeet((*self._decks, _read(data)))


_read = lru_cache(maxsize=128)(read)


GAME: Final[Game[State]] = ItchyFeet()
"""Itchy Feet with the house deck, for the kit."""
