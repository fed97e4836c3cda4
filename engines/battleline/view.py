"""The position as an audience may see it, and moves as others may read them."""

from __future__ import annotations

from collections.abc import Sequence

from hamle.battleline.v1 import battleline_pb2 as pb

from engines.battleline.cards import NAMES
from engines.battleline.formation import strength
from engines.battleline.notation import hide, read
from engines.battleline.state import FLAGS, NOBODY, TACTICS_DECK, TROOP_DECK, Cards, Memory, Rules, State, troops_in
from engines.kit.game import EVERYBODY, PUBLIC, Audience


def view(state: State, audience: Audience) -> pb.View:
    """What the audience may see: open cards and backs, the own hand, and what Scout's player remembers."""
    shown = pb.View(
        options=_options(state.rules),
        flags=[_flag(state, flag) for flag in range(FLAGS)],
        hands=[_hand(state, seat, audience) for seat in (0, 1)],
        troops=_deck(state, TROOP_DECK, audience),
        tactics=_deck(state, TACTICS_DECK, audience),
        turn=state.turn,
        step=pb.Step.ValueType(state.step),
        left=state.left,
        drawn=state.drawn,
        trim=state.trim + 1,
        passes=state.passes,
        cut=_names(state.cut),
        starter=state.starter,
        results=[
            pb.Result(reason=reason, winner=None if winner == NOBODY else winner, flags=flags, points=points)
            for reason, winner, flags, points in state.results
        ],
    )
    actor = state.actor()
    if actor != NOBODY:
        shown.actor = actor
    if state.memory is not None:
        shown.scouted.CopyFrom(_scouted(state.memory, audience))
    return shown


def _options(rules: Rules) -> pb.Options:
    return pb.Options(
        tactics=rules.tactics,
        last_chance=rules.last_chance,
        open_fronts=rules.open_fronts,
        first=pb.First.ValueType(rules.first),
        automatic_trim=rules.automatic_trim,
        series=rules.series,
    )


def _names(cards: Sequence[int]) -> list[str]:
    return [NAMES[card] for card in cards]


def _flag(state: State, flag: int) -> pb.Flag:
    front = state.fronts[flag]
    size, foggy = state.size(flag), state.foggy(flag)
    shown = pb.Flag(
        number=flag + 1, sides=[_side(side, size, foggy) for side in front.sides], entered=front.order, size=size
    )
    if state.fog is not None and foggy:
        shown.fog = state.fog.seat
    if state.mud is not None and state.mud.flag == flag:
        shown.mud = state.mud.seat
    if front.owner != NOBODY:
        shown.owner = front.owner
    return shown


def _side(side: Cards, size: int, foggy: bool) -> pb.Side:
    if len(side) != size:
        return pb.Side(cards=_names(side))
    rank, total = strength(side, foggy)
    return pb.Side(cards=_names(side), rank=pb.Rank.ValueType(rank), sum=total)


def _hand(state: State, seat: int, audience: Audience) -> pb.Hand:
    hand = state.hands[seat]
    troops = troops_in(hand)
    return pb.Hand(
        troops=troops,
        tactics=len(hand) - troops,
        cards=_names(hand) if audience in (seat, EVERYBODY) else (),
        discards=_names(state.discards[seat]),
        tactics_played=state.played[seat],
        leader_played=state.led[seat],
    )


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
