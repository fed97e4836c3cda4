"""Cards that are drawn at the end of a turn, and what is remembered of cards that go back (rules §5, §6, §13)."""

from __future__ import annotations

from engines.kit.game import Draw, Fact
from engines.tashkalar import facts
from engines.tashkalar.pieces import NOTHING
from engines.tashkalar.row import shuffled
from engines.tashkalar.state import (
    BEINGS_IN_HAND,
    FLARES_IN_HAND,
    LEGENDS_IN_HAND,
    Cards,
    Player,
    Rules,
    State,
    with_item,
)

SIDEWAYS = 6
"""So many cards at the bottom of a deck lie sideways in teams: who draws the last one above them triggers the end."""


def last_cards(rules: Rules) -> int:
    """The size of a deck of which the last card that counts has been drawn."""
    return SIDEWAYS if rules.is_team else 0


def refilled(state: State, draw: Draw, told: list[Fact]) -> tuple[State, bool]:
    """The hand filled up and the extra cards drawn; also whether the last card of a deck was drawn.

    In teams the legends go to the partner, who draws them.
    """
    seat, extra = state.turn.seat, state.turn.extra
    player = state.players[seat]
    held = len(player.beings) + (player.pending != NOTHING)
    size = len(player.deck)
    player, beings = _from_deck(player, max(0, BEINGS_IN_HAND - held) + extra[0])
    emptied = size > last_cards(state.rules) >= len(player.deck)
    flares, deck, discards = _from_pile(
        state.flares, state.flare_discards, max(0, FLARES_IN_HAND - len(player.flares)) + extra[2], draw, "flares"
    )
    player = player._replace(flares=tuple(sorted((*player.flares, *flares))))
    state = state._replace(players=with_item(state.players, seat, player), flares=deck, flare_discards=discards)
    told += facts.drew(seat, beings, (), flares)
    if not state.rules.has_legends:
        return _forgotten(state), emptied
    if state.rules.is_team:
        state = hand_over(state)
        seat ^= 2
    return _forgotten(_legends(state, seat, extra[1], draw, told)), emptied


def _legends(state: State, seat: int, extra: int, draw: Draw, told: list[Fact]) -> State:
    player = state.players[seat]
    wanted = max(0, LEGENDS_IN_HAND - len(player.legends)) + extra
    legends, deck, discards = _from_pile(state.legends, state.legend_discards, wanted, draw, "legends")
    told += facts.drew(seat, (), legends, ())
    player = player._replace(legends=tuple(sorted((*player.legends, *legends))))
    return state._replace(players=with_item(state.players, seat, player), legends=deck, legend_discards=discards)


def hand_over(state: State) -> State:
    """The legends of the seat on turn go to its partner (rules §13)."""
    seat = state.turn.seat
    giver, taker = state.players[seat], state.players[seat ^ 2]
    legends = tuple(sorted((*taker.legends, *giver.legends)))
    players = with_item(state.players, seat, giver._replace(legends=()))
    return state._replace(players=with_item(players, seat ^ 2, taker._replace(legends=legends)))


def _from_deck(player: Player, count: int) -> tuple[Player, Cards]:
    """Up to so many cards of the own deck go to the hand."""
    keep = max(0, len(player.deck) - count)
    drawn = player.deck[keep:][::-1]
    under = tuple(card for card in player.under if card not in drawn)
    hand = tuple(sorted((*player.beings, *drawn)))
    return player._replace(deck=player.deck[:keep], beings=hand, under=under), drawn


def _from_pile(deck: Cards, discards: Cards, count: int, draw: Draw, purpose: str) -> tuple[Cards, Cards, Cards]:
    """Up to so many cards off the top, the deck and the discard pile after it; an empty deck is made of that pile."""
    drawn: list[int] = []
    while len(drawn) < count:
        if not deck:
            if not discards:
                break
            deck, discards = shuffled(sorted(discards), draw, purpose), ()
        drawn.append(deck[-1])
        deck = deck[:-1]
    return tuple(drawn), deck, discards


def remembered(before: Player, after: Player, told: list[tuple[str, tuple[int, ...]]]) -> Player:
    """The player after its move, with what is known now of the cards in its hand and deck.

    Cards that came there from where all could see them are known to all; cards that it has returned only to itself.
    """
    hidden = {*after.deck, *after.beings}
    returned = {numbers[0] for kind, numbers in told if kind == "returned"}
    shown = {*before.shown, *hidden.difference(before.deck, before.beings)}
    shown |= {numbers[0] for kind, numbers in told if kind == "kept"}
    if returned:
        # Nobody else can tell whether what went back face down was one of the cards that were known in the hand.
        shown -= {*before.beings}
    sunk = {of: [numbers[0] for kind, numbers in told if kind == of] for of in ("returned_legend", "returned_flare")}
    return after._replace(
        shown=tuple(sorted(shown & hidden - returned)),
        under=tuple(sorted({*before.under, *returned}.intersection(after.deck))),
        sunk_legends=tuple(sorted((*before.sunk_legends, *sunk["returned_legend"]))),
        sunk_flares=tuple(sorted((*before.sunk_flares, *sunk["returned_flare"]))),
    )


def _forgotten(state: State) -> State:
    """What lies no longer in a shared deck is not remembered: it is in somebody's hand."""
    players = tuple(
        player._replace(
            sunk_legends=tuple(card for card in player.sunk_legends if card in state.legends),
            sunk_flares=tuple(card for card in player.sunk_flares if card in state.flares),
        )
        if player.sunk_legends or player.sunk_flares
        else player
        for player in state.players
    )
    return state._replace(players=players)
