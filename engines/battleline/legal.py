"""What the rules let a seat do, as questions that `choices` filters by and `apply` refuses by.

Each question answers None (nothing is against it) or the objection. Answers rest on what the asking seat may know.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.battleline.cards import DES, ENVIRONMENT, FOG, LEADERS, MORALE, MUD, NAMES, RDP, SCT, TRA, TROOPS
from engines.battleline.notation import DISCARD
from engines.battleline.state import MUD_SLOTS, NOBODY, SLOTS, State
from engines.kit.game import IllegalMove


class Objection(NamedTuple):
    """Why something is against the rules: what is wrong, what was expected, the section of the rules page."""

    what: str
    expected: str
    rule: str


def refuse(objection: Objection | None) -> None:
    """Raises `IllegalMove` when there is an objection."""
    if objection is not None:
        raise IllegalMove(objection.what, rule=objection.rule, expected=objection.expected)


def slots(state: State, seat: int) -> list[int]:
    """Unclaimed flags with an empty slot of the seat's."""
    muddy = NOBODY if state.mud is None else state.mud.flag
    return [
        flag
        for flag, (sides, _, owner) in enumerate(state.fronts)
        if owner == NOBODY and len(sides[seat]) < (MUD_SLOTS if flag == muddy else SLOTS)
    ]


def troop_slots(state: State, seat: int) -> list[int]:
    """Flags where the seat may play a troop: with Open Fronts also those it has lost (rules §8)."""
    if not state.rules.open_fronts:
        return slots(state, seat)
    return [
        flag
        for flag, front in enumerate(state.fronts)
        if front.owner != seat and len(front.sides[seat]) < state.size(flag)
    ]


def places(state: State, seat: int, card: int) -> list[int]:
    """Flags to which the seat may play a troop, morale or environment card that it may play."""
    if card < TROOPS:
        return troop_slots(state, seat)
    if card in MORALE:
        return slots(state, seat)
    return [flag for flag, front in enumerate(state.fronts) if front.owner == NOBODY]


def troop_playable(state: State, seat: int) -> bool:
    """True when the seat holds a troop and has a slot for it; then it must play a card (rules §4)."""
    hand = state.hands[seat]
    return bool(hand) and hand[0] < TROOPS and bool(troop_slots(state, seat))


def tactics_allowed(state: State, seat: int) -> bool:
    """The tactics limit (rules §4)."""
    return state.played[seat] <= state.played[1 - seat]


def movable(state: State, seat: int) -> list[tuple[int, int]]:
    """(card, flag) of all cards on the seat's side of unclaimed flags, environment cards too."""
    found = [
        (card, flag) for flag, front in enumerate(state.fronts) if front.owner == NOBODY for card in front.sides[seat]
    ]
    for card, place in ((FOG, state.fog), (MUD, state.mud)):
        if place is not None and place.seat == seat and state.fronts[place.flag].owner == NOBODY:
            found.append((card, place.flag))
    return found


def takeable(state: State, seat: int) -> list[tuple[int, int]]:
    """(troop, flag) of what Traitor can take."""
    return [(card, flag) for card, flag in movable(state, 1 - seat) if card < TROOPS]


def destinations(state: State, seat: int, card: int, flag: int) -> list[int]:
    """Where Redeploy can put a card that lies at `flag`, the discard included (rules §5, not the same flag)."""
    if card in ENVIRONMENT:
        flags = [to for to, front in enumerate(state.fronts) if front.owner == NOBODY and to != flag]
    else:
        flags = [to for to in slots(state, seat) if to != flag]
    return [*flags, DISCARD]


def against_card(state: State, seat: int, card: int) -> Objection | None:
    """What is against playing the card from hand at all."""
    if card not in state.hands[seat]:
        return Objection(f"{NAMES[card]} is not in your hand", "a card of your hand", "rules §4")
    if card < TROOPS:
        if not troop_slots(state, seat):
            return Objection(
                "you have no empty slot for a troop", "pass, or a tactics card if the limit allows", "rules §4"
            )
        return None
    if not tactics_allowed(state, seat):
        mine, theirs = state.played[seat], state.played[1 - seat]
        return Objection(
            f"you have played {mine} tactics cards and the opponent {theirs}",
            "a troop, or pass if none fits",
            "rules §4",
        )
    if card in LEADERS and state.led[seat]:
        return Objection("you have played a leader already", "another card: one leader a player and game", "rules §5")
    return _without_target(state, seat, card)


def _without_target(state: State, seat: int, card: int) -> Objection | None:
    if card in MORALE:
        possible = bool(slots(state, seat))
    elif card == SCT:
        possible = bool(state.decks[0] or state.decks[1])
    elif card == RDP:
        possible = bool(movable(state, seat))
    elif card == DES:
        possible = bool(movable(state, 1 - seat))
    elif card == TRA:
        possible = bool(slots(state, seat)) and bool(takeable(state, seat))
    else:
        return None
    if possible:
        return None
    return Objection(f"{NAMES[card]} has no legal target now", "another card, or pass if no troop fits", "rules §5")


def against_flag(state: State, seat: int, card: int, flag: int) -> Objection | None:
    """What is against playing a card, which may be played somewhere, to this flag."""
    front = state.fronts[flag]
    if front.owner != NOBODY:
        open_here = state.rules.open_fronts and front.owner != seat and card < TROOPS
        if not open_here:
            return Objection(f"flag {flag + 1} is claimed", "an unclaimed flag", "rules §6")
    if card not in ENVIRONMENT and len(front.sides[seat]) >= state.size(flag):
        return Objection(f"your side of flag {flag + 1} is full", "a flag with an empty slot of yours", "rules §4")
    return None


def against_play(state: State, seat: int, card: int, flag: int) -> Objection | None:
    """What is against playing a card to a flag."""
    if card < TROOPS and card in state.hands[seat]:
        found = against_flag(state, seat, card, flag)
        return found and (against_card(state, seat, card) or found)
    return against_card(state, seat, card) or against_flag(state, seat, card, flag)


def against_pass(state: State, seat: int) -> Objection | None:
    """What is against passing."""
    if troop_playable(state, seat):
        return Objection("you can play a troop, so you may not pass", "a card", "rules §4")
    return None
