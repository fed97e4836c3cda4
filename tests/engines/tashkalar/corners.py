"""Whole matches put into a corner: every card stays in one place, so that views of them can be imagined."""

from __future__ import annotations

from collections.abc import Sequence

from core.fairness.draw import SeededDraw
from engines.kit.game import PUBLIC
from engines.kit.options import full_options
from engines.tashkalar.cards import BEING, BEINGS, DECKS, FLARES, LEGENDS
from engines.tashkalar.game import GAME
from engines.tashkalar.state import State, with_item
from tests.engines.tashkalar.conservation import check_cards, check_counters
from tests.engines.tashkalar.table import FLARE, SEED, board, cards


def match(pieces: str = "", *, form: str = "high", decks: str = "imperial imperial", actions: int = 2) -> State:
    """A match past its opening with seat 0 on turn in its second round, nobody holding legends or flares."""
    schools = decks.split()
    options = {"form": form, "first": "seat_0", **{f"deck_{seat}": school for seat, school in enumerate(schools)}}
    state = GAME.setup(full_options(GAME.info, options), len(schools), SeededDraw(SEED, 1))
    for seat in range(len(schools)):
        state = with_cards(state, seat)
    return state._replace(
        board=board(pieces, state.rules.colours),
        setter=-1,
        turn=state.turn._replace(actions=actions),
    )


def with_cards(
    state: State,
    seat: int,
    hand: str = "",
    *,
    frozen: str = "",
    pending: str = "",
    discards: str = "",
    stored: int = -1,
) -> State:
    """The seat has these cards, its other ones face down; legends and flares of the hand come from their decks."""
    keys = hand.split()
    player = state.players[seat]
    legends = cards(" ".join(key for key in keys if key in BEING and BEINGS[BEING[key]].deck == LEGENDS))
    flares = cards(" ".join(key for key in keys if key in FLARE))
    beings = tuple(card for card in cards(" ".join(key for key in keys if key in BEING)) if card not in legends)
    used = {*beings, *cards(frozen), *cards(pending), *cards(discards)}
    player = player._replace(
        deck=tuple(card for card in DECKS[state.rules.decks[seat]] if card not in used),
        beings=tuple(sorted(beings)),
        legends=tuple(sorted(legends)),
        flares=tuple(sorted(flares)),
        discards=cards(discards),
        frozen=cards(frozen)[0] if frozen else -1,
        pending=cards(pending)[0] if pending else -1,
        stored=stored,
        turns=2,
    )
    state = state._replace(players=with_item(state.players, seat, player))
    held = {card for each in state.players for card in each.legends}
    flaring = {card for each in state.players for card in each.flares}
    return state._replace(
        legends=tuple(card for card in (DECKS[LEGENDS] if state.rules.has_legends else ()) if card not in held),
        flares=tuple(flare.number for flare in FLARES if flare.number not in flaring),
    )


def play(state: State, *moves: str) -> State:
    """The state after these moves of whoever acts, nothing lost on the way."""
    for number, move in enumerate(moves, 2):
        before = state
        state, _ = GAME.apply(state, state.actor(), move, SeededDraw(SEED, number))
        check_cards(state)
        check_counters(before, state)
    return state


def left(state: State, *seats: int) -> State:
    """The state after these seats have left."""
    for seat in seats:
        state, _ = GAME.leave(state, seat, SeededDraw(SEED, 99))
    return state


def places(state: State) -> list[int]:
    """The places of all seats at the end."""
    outcome = GAME.outcome(state)
    assert outcome is not None
    return [placement.place for placement in outcome.placements]


def check_hidden(state: State, *prefixes: str) -> None:
    """No audience can tell the state from one in which all that is hidden from it lies elsewhere."""
    for audience in (*range(state.rules.seats), PUBLIC):
        view = GAME.view(state, audience)
        lists = _lists(state, audience, prefixes)
        for number in range(6):
            other = GAME.imagine(view, audience, SeededDraw(SEED, 1000 + number))
            check_cards(other)
            assert GAME.view(other, audience) == view
            assert _lists(other, audience, prefixes) == lists
            assert GAME.outcome(other) == GAME.outcome(state)


def _lists(state: State, audience: int, prefixes: Sequence[str]) -> list[list[tuple[str, bool]]]:
    if audience == PUBLIC:
        return []
    return [[(c.text, c.complete) for c in GAME.choices(state, audience, prefix)] for prefix in ("", *prefixes)]
