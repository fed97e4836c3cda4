"""The position as an audience may see it, and moves as others may read them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hamle.battleline.v1 import battleline_pb2 as pb

from engines.battleline.cards import NAMES
from engines.battleline.formation import strength
from engines.battleline.notation import hide, read
from engines.battleline.state import (
    MUD_SLOTS,
    NOBODY,
    SLOTS,
    TACTICS_DECK,
    TROOP_DECK,
    Cards,
    Front,
    Memory,
    Pair,
    Result,
    Rules,
    State,
    troops_in,
)
from engines.kit.game import EVERYBODY, PUBLIC, Audience


def view(state: State, audience: Audience) -> pb.View:
    """What the audience may see: open cards and backs, the own hand, and what Scout's player remembers.

    Parts that seldom change are kept as bytes: bytes of parts one after another are those of the whole message.
    """
    fog, mud = state.fog, state.mud
    flags = [
        _flag(
            flag,
            front,
            fog.seat if fog is not None and fog.flag == flag else NOBODY,
            mud.seat if mud is not None and mud.flag == flag else NOBODY,
        )
        for flag, front in enumerate(state.fronts)
    ]
    hands = [
        _hand(
            *_backs(state.hands[seat]),
            state.hands[seat] if audience in (seat, EVERYBODY) else (),
            state.discards[seat],
            state.played[seat],
            state.led[seat],
        )
        for seat in (0, 1)
    ]
    shown = pb.View.FromString(b"".join((_match(state.rules, state.cut, state.starter, state.results), *flags, *hands)))
    shown.troops.CopyFrom(_deck(state, TROOP_DECK, audience))
    shown.tactics.CopyFrom(_deck(state, TACTICS_DECK, audience))
    shown.turn = state.turn
    shown.step = pb.Step.ValueType(state.step)
    shown.left = state.left
    shown.drawn = state.drawn
    shown.trim = state.trim + 1
    shown.passes = state.passes
    actor = state.actor()
    if actor != NOBODY:
        shown.actor = actor
    if state.memory is not None:
        shown.scouted.CopyFrom(_scouted(state.memory, audience))
    return shown


@lru_cache(maxsize=1 << 10)
def _match(rules: Rules, cut: Cards, starter: int, results: tuple[Result, ...]) -> bytes:
    options = pb.Options(
        tactics=rules.tactics,
        last_chance=rules.last_chance,
        open_fronts=rules.open_fronts,
        first=pb.First.ValueType(rules.first),
        automatic_trim=rules.automatic_trim,
        series=rules.series,
    )
    games = [
        pb.Result(reason=reason, winner=None if winner == NOBODY else winner, flags=flags, points=points)
        for reason, winner, flags, points in results
    ]
    return pb.View(options=options, cut=_names(cut), starter=starter, results=games).SerializeToString()


def _names(cards: Sequence[int]) -> list[str]:
    return [NAMES[card] for card in cards]


@lru_cache(maxsize=1 << 14)
def _flag(flag: int, front: Front, fog: int, mud: int) -> bytes:
    size = SLOTS if mud == NOBODY else MUD_SLOTS
    sides = [_side(side, size, fog != NOBODY) for side in front.sides]
    shown = pb.Flag(number=flag + 1, sides=sides, entered=front.order, size=size)
    if fog != NOBODY:
        shown.fog = fog
    if mud != NOBODY:
        shown.mud = mud
    if front.owner != NOBODY:
        shown.owner = front.owner
    return pb.View(flags=[shown]).SerializeToString()


def _side(side: Cards, size: int, foggy: bool) -> pb.Side:
    if len(side) != size:
        return pb.Side(cards=_names(side))
    rank, total = strength(side, foggy)
    return pb.Side(cards=_names(side), rank=pb.Rank.ValueType(rank), sum=total)


def _backs(hand: Cards) -> Pair:
    troops = troops_in(hand)
    return troops, len(hand) - troops


@lru_cache(maxsize=1 << 13)
def _hand(troops: int, tactics: int, cards: Cards, discards: Cards, played: int, led: bool) -> bytes:
    hand = pb.Hand(
        troops=troops,
        tactics=tactics,
        cards=_names(cards),
        discards=_names(discards),
        tactics_played=played,
        leader_played=led,
    )
    return pb.View(hands=[hand]).SerializeToString()


def _deck(state: State, deck: int, audience: Audience) -> pb.Deck:
    cards, memory = state.decks[deck], state.memory
    returned = 0 if memory is None else memory.tops[deck]
    known = len(cards) if audience == EVERYBODY else 0
    if memory is not None and audience == memory.seat:
        known = returned
    return pb.Deck(size=len(cards), returned=returned, known=_names(cards[::-1][:known]))


def _scouted(memory: Memory, audience: Audience) -> pb.Scouted:
    """The opponent knows, too, which of its cards Scout's player has seen: it drew them from the top."""
    return pb.Scouted(
        seat=memory.seat,
        held=() if audience == PUBLIC else _names(memory.held),
        fewest_troops=memory.fewest[TROOP_DECK],
        most_troops=memory.most[TROOP_DECK],
        fewest_tactics=memory.fewest[TACTICS_DECK],
        most_tactics=memory.most[TACTICS_DECK],
    )


def redact(seat: int, text: str, audience: Audience) -> str:
    """The seat's move as the audience may read it: what Scout puts back is hidden from others."""
    if audience in (seat, EVERYBODY):
        return text
    move = read(text)
    return text if move is None else hide(move)
