"""The legal ways to go on with a move, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.battleline.cards import CARDS, DES, NAMES, RDP, SCT, TRA, TROOPS
from engines.battleline.claims import claimable
from engines.battleline.legal import (
    against_card,
    destinations,
    movable,
    places,
    slots,
    tactics_allowed,
    takeable,
    troop_slots,
)
from engines.battleline.notation import DECKS, DISCARD
from engines.battleline.state import FLAGS, State, Step
from engines.battleline.turn import draw_due
from engines.kit.game import Choice

_CARD: Final = tuple(f"card:{name}" for name in NAMES)
_FLAG: Final = tuple(f"flag:{flag + 1}" for flag in range(FLAGS))
_HOLD: Final = tuple(Choice(f"{NAMES[card]}@", (_CARD[card],), False) for card in range(SCT))
_PUT: Final = tuple(
    tuple(Choice(f"{NAMES[card]}@{flag + 1}", (_CARD[card], _FLAG[flag])) for flag in range(FLAGS))
    for card in range(SCT)
)
_GUILE: Final = {card: Choice(f"{NAMES[card]}:", (_CARD[card],), False) for card in (RDP, DES, TRA)}
_SCOUT: Final = Choice("SCT", (_CARD[SCT],))
_PASS: Final = Choice("pass")
_DONE: Final = Choice("done")
_CLAIM: Final = tuple(Choice(f"claim:{flag + 1}", (_FLAG[flag],)) for flag in range(FLAGS))
_DRAW: Final = tuple(Choice(f"draw:{deck}", (f"deck:{deck}",)) for deck in DECKS)
_TRIM: Final = tuple(Choice(f"trim:{NAMES[card]}", (_CARD[card],)) for card in range(CARDS))
_PUT_BACK: Final = tuple(Choice(f"ret:{NAMES[card]},", (_CARD[card],), False) for card in range(CARDS))
_PUT_ONE_BACK: Final = tuple(Choice(f"ret:{NAMES[card]}", (_CARD[card],)) for card in range(CARDS))
_HELD: Final = {choice.text: card for card, choice in enumerate(_HOLD)}
_BY_TARGET: Final = {target: card for card, target in enumerate(_CARD)}


def choices(state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
    """The parts that can follow `prefix`, which may also be the beginning of a part; empty when nothing begins so."""
    if seat != state.actor():
        return ()
    if not prefix:
        return _first(state, seat)
    held = _HELD.get(prefix)
    if held is not None and state.step is Step.PLAY:
        return _to_flags(state, seat, held)
    found = _first(state, seat)
    begun = [choice for choice in found if choice.text.startswith(prefix) and choice.text != prefix]
    for choice in found:
        if not choice.complete and prefix.startswith(choice.text):
            begun += _later(state, seat, choice, prefix)
    return begun


def _first(state: State, seat: int) -> list[Choice]:
    step = state.step
    if step is Step.PLAY:
        return _plays(state, seat)
    if step is Step.CLOSE:
        claims = [] if state.rules.last_chance else [_CLAIM[flag] for flag in claimable(state, seat)]
        return claims + (_draws(state) if draw_due(state) else [_DONE])
    if step is Step.SCOUT:
        return _draws(state)
    if step is Step.RETURN:
        shown = _PUT_ONE_BACK if state.left == 1 else _PUT_BACK
        return [shown[card] for card in state.hands[seat]]
    return [_TRIM[card] for card in state.fronts[state.trim].sides[seat]]


def _draws(state: State) -> list[Choice]:
    return [choice for choice, deck in zip(_DRAW, state.decks, strict=True) if deck]


def _plays(state: State, seat: int) -> list[Choice]:
    found = [_CLAIM[flag] for flag in claimable(state, seat)] if state.rules.last_chance else []
    hand = state.hands[seat]
    troops = [_HOLD[card] for card in hand if card < TROOPS] if troop_slots(state, seat) else []
    found += troops
    if hand and hand[-1] >= TROOPS and tactics_allowed(state, seat):
        for card in hand:
            if card >= TROOPS and against_card(state, seat, card) is None:
                found.append(_HOLD[card] if card < SCT else _SCOUT if card == SCT else _GUILE[card])
    if not troops:
        found.append(_PASS)
    return found


def _to_flags(state: State, seat: int, card: int) -> list[Choice]:
    if card not in state.hands[seat] or (card >= TROOPS and against_card(state, seat, card) is not None):
        return []
    puts = _PUT[card]
    return [puts[flag] for flag in places(state, seat, card)]


def _later(state: State, seat: int, begun: Choice, prefix: str) -> list[Choice]:
    """What follows a first part, as far as it fits the prefix."""
    card = _BY_TARGET[begun.targets[0]]
    if begun is _PUT_BACK[card]:
        found = [_second_back(card, other) for other in state.hands[seat] if other != card]
    elif card < SCT:
        found = _to_flags(state, seat, card)
    elif card == DES:
        found = [
            Choice(f"DES:{NAMES[target]}@{flag + 1}", (_CARD[DES], _CARD[target], _FLAG[flag]))
            for target, flag in movable(state, 1 - seat)
        ]
    else:
        return _carried(state, seat, card, prefix)
    return [choice for choice in found if choice.text.startswith(prefix) and choice.text != prefix]


def _second_back(card: int, other: int) -> Choice:
    return Choice(f"ret:{NAMES[card]},{NAMES[other]}", (_CARD[card], _CARD[other]))


def _carried(state: State, seat: int, card: int, prefix: str) -> list[Choice]:
    """Traitor and Redeploy: the card that is carried, then where it goes."""
    found = []
    for target, flag in takeable(state, seat) if card == TRA else movable(state, seat):
        text = f"{NAMES[card]}:{NAMES[target]}@{flag + 1}>"
        targets = (_CARD[card], _CARD[target], _FLAG[flag])
        if text.startswith(prefix) and text != prefix:
            found.append(Choice(text, targets, False))
        elif prefix.startswith(text):
            goals = slots(state, seat) if card == TRA else destinations(state, seat, target, flag)
            for to in goals:
                name, goal = ("x", "discard") if to == DISCARD else (str(to + 1), _FLAG[to])
                if (text + name).startswith(prefix) and text + name != prefix:
                    found.append(Choice(text + name, (*targets, goal)))
    return found
