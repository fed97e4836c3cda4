"""What the guile cards do (rules §5)."""

from __future__ import annotations

from engines.battleline import facts
from engines.battleline.cards import DES, FOG, MUD, NAMES, RDP, SCT, TRA
from engines.battleline.hand import spent
from engines.battleline.legal import against_card, destinations, movable, refuse, slots, takeable
from engines.battleline.notation import DISCARD, Move
from engines.battleline.state import TACTICS_DECK, TROOP_DECK, Memory, Place, State, Step, deck_of, with_seat
from engines.battleline.turn import Told, close, settle
from engines.kit.game import Draw, IllegalMove

SCOUT_DRAWS = 3


def scout(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    """Scout is played; its draws come one by one."""
    refuse(against_card(state, seat, SCT))
    draws = min(SCOUT_DRAWS, len(state.decks[TROOP_DECK]) + len(state.decks[TACTICS_DECK]))
    told.append(facts.scouted(seat, draws))
    return spent(state, seat, SCT)._replace(step=Step.SCOUT, left=draws, drawn=0)


def scout_draw(state: State, told: Told, draw: Draw) -> State:
    """Scout has drawn a card: more draws follow, or the return of one card less than was drawn."""
    left, done = state.left - 1, state.drawn + 1
    if left:
        return state._replace(left=left, drawn=done)
    state = state._replace(left=done - 1, drawn=0)
    return state._replace(step=Step.RETURN) if state.left else close(state, told, draw)


def recall(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    """Scout's player puts cards back on their decks, in the order of the move, and remembers them."""
    cards = move.cards
    if len(cards) != state.left:
        raise IllegalMove(f"{len(cards)} cards are named", rule="rules §5", expected=f"{state.left} cards of your hand")
    for at, card in enumerate(cards):
        if card not in state.hands[seat] or card in cards[:at]:
            what = f"{NAMES[card]} is not in your hand, or named twice"
            raise IllegalMove(what, rule="rules §5", expected="different cards of your hand")
    told += facts.returned(seat, cards)
    decks = state.decks
    for card in cards:
        decks = with_seat(decks, deck_of(card), (*decks[deck_of(card)], card))
    backs = [deck_of(card) for card in cards]
    hand = tuple(card for card in state.hands[seat] if card not in cards)
    memory = Memory(seat, (backs.count(TROOP_DECK), backs.count(TACTICS_DECK)))
    state = state._replace(
        hands=with_seat(state.hands, seat, hand), decks=decks, memory=memory, left=0, step=Step.CLOSE
    )
    return close(state, told, draw)


def desert(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    """Deserter: a card on the opponent's side is discarded."""
    (card,), flag, other = move.cards, move.flag, 1 - seat
    refuse(against_card(state, seat, DES))
    if (card, flag) not in movable(state, other):
        what = f"{NAMES[card]} is not on the opponent's side of flag {flag + 1}, or the flag is claimed"
        raise IllegalMove(what, rule="rules §5", expected="a card of the opponent's at an unclaimed flag")
    told.append(facts.deserted(seat, card, flag))
    return settle(_discard(_lift(spent(state, seat, DES), other, card, flag), other, card), told, draw)


def take(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    """Traitor: a troop of the opponent's comes over to an own slot."""
    (card,), flag, to = move.cards, move.flag, move.to
    refuse(against_card(state, seat, TRA))
    if (card, flag) not in takeable(state, seat):
        what = f"{NAMES[card]} is no troop on the opponent's side of flag {flag + 1}, or the flag is claimed"
        raise IllegalMove(what, rule="rules §5", expected="a troop of the opponent's at an unclaimed flag")
    if to not in slots(state, seat):
        what = f"you have no empty slot at flag {to + 1}, or it is claimed"
        raise IllegalMove(what, rule="rules §5", expected="an unclaimed flag with an empty slot of yours")
    told.append(facts.taken(seat, card, flag, to))
    state = _lift(spent(state, seat, TRA), 1 - seat, card, flag)
    return close(state._replace(fronts=state.with_front(to, state.fronts[to].put(seat, card))), told, draw)


def redeploy(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    """Redeploy: an own card goes to another flag, or is discarded."""
    (card,), flag, to = move.cards, move.flag, move.to
    refuse(against_card(state, seat, RDP))
    if (card, flag) not in movable(state, seat):
        what = f"{NAMES[card]} is not on your side of flag {flag + 1}, or the flag is claimed"
        raise IllegalMove(what, rule="rules §5", expected="a card of yours at an unclaimed flag")
    if to not in destinations(state, seat, card, flag):
        what = f"{NAMES[card]} cannot go to flag {to + 1}"
        raise IllegalMove(what, rule="rules §5", expected="another unclaimed flag with an empty slot of yours, or x")
    state = _lift(spent(state, seat, RDP), seat, card, flag)
    if to == DISCARD:
        told.append(facts.removed(seat, card, flag))
        state = _discard(state, seat, card)
    else:
        told.append(facts.moved(seat, card, flag, to))
        state = _lay(state, seat, card, to)
    return settle(state, told, draw)


def _lift(state: State, seat: int, card: int, flag: int) -> State:
    """The card has left its place; where it was Mud, sides of four must be trimmed."""
    if card == FOG:
        return state._replace(fog=None)
    if card == MUD:
        return state._replace(mud=None, trim=flag)
    return state._replace(fronts=state.with_front(flag, state.fronts[flag].take(seat, card)))


def _lay(state: State, seat: int, card: int, flag: int) -> State:
    if card == FOG:
        return state._replace(fog=Place(flag, seat))
    if card == MUD:
        return state._replace(mud=Place(flag, seat))
    return state._replace(fronts=state.with_front(flag, state.fronts[flag].put(seat, card)))


def _discard(state: State, seat: int, card: int) -> State:
    return state._replace(discards=with_seat(state.discards, seat, (*state.discards[seat], card)))
