"""What seats say when they are asked: trades, windows, picks, discards."""

from __future__ import annotations

from engines.itchyfeet import effects
from engines.itchyfeet import legal as rules
from engines.itchyfeet.actions import put_offer
from engines.itchyfeet.facts import fact, names
from engines.itchyfeet.notation import Move
from engines.itchyfeet.refusals import need, need_cards, need_cost
from engines.itchyfeet.state import NONE, PASSED, Kind, State, Task
from engines.itchyfeet.table import Table


def accept(table: Table, state: State, seat: int, move: Move) -> bool:
    """Exactly the listed cards change hands; the initiator draws the bonus (R34, R37)."""
    task = state.agenda[-1]
    need_cards(state, seat, task.more, "R34")
    table.agenda.pop()
    for card in task.cards:
        table.lose(task.other, card)
    for card in task.more:
        table.lose(seat, card)
    given, asked = names(state.deck, task.cards), names(state.deck, task.more)
    table.tell((fact("traded", seat=task.other, other=seat, given=given, asked=asked),))
    active = state.active
    bonus = state.deck.constants.trade_bonus
    if state.ability(active) == effects.HAGGLER:
        bonus = state.ability_number(active, "bonus")
    table.act(active, *([Task(Kind.DRAW, active, amount=bonus)] if bonus else []))
    for card in task.cards:
        table.gain(seat, card, table.everybody())
    for card in task.more:
        table.gain(task.other, card, table.everybody())
    return False


def decline(table: Table, state: State, seat: int, move: Move) -> bool:
    """No trade; no reason is given (R35)."""
    table.agenda.pop()
    table.tell((fact("declined", seat=seat, other=state.agenda[-1].other),))
    return False


def counter(table: Table, state: State, seat: int, move: Move) -> bool:
    """Another offer instead; the active seat stays the initiator (R30)."""
    most = state.deck.constants.trade_offers_per_turn
    need(state.offers < most, f"{most} offers have been made this turn", "R36", "accept or decline")
    table.agenda.pop()
    put_offer(table, state, seat, state.agenda[-1].other, move)
    return False


def block(table: Table, state: State, seat: int, move: Move) -> bool:
    """Plays a card that blocks, once all have answered."""
    need(move.card in rules.blockers(state, seat), "you cannot block so", "R51", "a card that blocks this, or pass")
    _answer(table, seat, move.card)
    return False


def let_happen(table: Table, state: State, seat: int, move: Move) -> bool:
    """Does not block."""
    _answer(table, seat, PASSED)
    return False


def pick(table: Table, state: State, seat: int, move: Move) -> bool:
    """Picks the card that goes to the left."""
    need_cards(state, seat, (move.card,), "6.3 Group Tour")
    _answer(table, seat, move.card)
    return True


def _answer(table: Table, seat: int, answer: int) -> None:
    table.answers[seat] = answer
    table.tell((fact("answered", seat=seat),))


def take_looked_at(table: Table, state: State, seat: int, move: Move) -> bool:
    """Takes one of the cards looked at, or none; the rest goes under the pile in random order."""
    task = table.agenda.pop()
    rest = list(task.cards)
    table.tell((fact("guided", seat=seat, count=int(move.card != NONE)),))
    if move.card != NONE:
        fits = move.card in rest and move.card not in state.deck.events
        need(fits, "you cannot take that", "6.3", "one of the cards looked at that is no event, or none")
        rest.remove(move.card)
        table.tell((fact("drew_card", to={seat}, seat=seat, card=state.deck.cards[move.card].name),))
        table.gain(seat, move.card, 0)
    table.under(rest, seat)
    table.refill()
    return True


def take(table: Table, state: State, seat: int, move: Move) -> bool:
    """Takes one of the cards seen in another hand."""
    task = table.agenda.pop()
    need(move.card in task.cards, "you cannot take that", "6.3", "one of the cards that you see")
    name = state.deck.cards[move.card].name
    table.tell((fact("took", seat=seat, other=task.other),))
    table.tell((fact("took_card", to={seat, task.other}, seat=seat, other=task.other, card=name),))
    table.move_unseen(task.other, seat, move.card)
    return True


def discard_drawn(table: Table, state: State, seat: int, move: Move) -> bool:
    """The Globetrotter discards one card."""
    need_cost(state, seat, move.cards, 1, "6.3 Globetrotter")
    table.agenda.pop()
    return _discard(table, seat, move)


def nothing_to_discard(table: Table, state: State, seat: int, move: Move) -> bool:
    """The Globetrotter holds nothing but contraband."""
    need(not rules.unprotected(state, seat), "you can discard a card, so you must", "6.3 Globetrotter", "a discard")
    table.agenda.pop()
    table.tell((fact("kept_all", seat=seat),))
    return False


def discard(table: Table, state: State, seat: int, move: Move) -> bool:
    """Comes down to the hand limit (2.5, R18)."""
    need_cost(state, seat, move.cards, len(state.hands[seat]) - rules.limit(state, seat), "2.5")
    return _discard(table, seat, move)


def _discard(table: Table, seat: int, move: Move) -> bool:
    table.throw(seat, move.cards)
    table.tell((fact("discarded", seat=seat, cards=names(table.deck, move.cards)),))
    return False


def draw_on(table: Table, state: State, seat: int, move: Move) -> bool:
    """Draws what is due."""
    return False
