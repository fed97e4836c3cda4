"""The actions of a turn (2.3, 2.4, 5.4 to 5.7)."""

from __future__ import annotations

from engines.itchyfeet import effects
from engines.itchyfeet import legal as rules
from engines.itchyfeet.facts import fact, names
from engines.itchyfeet.notation import Move
from engines.itchyfeet.refusals import card_count, need, need_cards, need_cost, need_order, refuse_travel
from engines.itchyfeet.state import NOBODY, NONE, Kind, State, Task
from engines.itchyfeet.table import Table


def draw(table: Table, state: State, seat: int, move: Move) -> bool:
    """Takes the top card; the Globetrotter two."""
    need(rules.can_draw(state), "the draw pile and the discard pile are empty", "R11", "another action")
    count = state.deck.constants.draw
    table.reached = 0
    if state.ability(seat) == effects.GLOBETROTTER:
        count = state.ability_number(seat, "draw")
        table.act(seat, Task(Kind.TROT, seat, amount=count), Task(Kind.DRAW, seat, seat, count))
    else:
        table.act(seat, Task(Kind.DRAW, seat, amount=count))
    return False


def recycle(table: Table, state: State, seat: int, move: Move) -> bool:
    """Takes a card of the discard pile: the topmost copy that lay there, else one that has just been paid (R24)."""
    wanted = move.card
    need(wanted not in state.deck.events, "events cannot be recycled", "R15", "another card")
    lies = wanted in state.discard
    need_cost(state, seat, move.cards, rules.recycle_price(state, seat, wanted), "2.3 Recycle")
    need(lies or wanted in move.cards, "that card is not in the discard pile", "R25", "a card that lies there")
    if lies:
        _remove_last(table.discard, wanted)
    table.throw(seat, move.cards)
    if not lies:
        _remove_last(table.discard, wanted)
    name = state.deck.cards[wanted].name
    table.tell((fact("recycled", seat=seat, cards=names(state.deck, move.cards), card=name),))
    table.act(seat)
    table.gain(seat, wanted, table.everybody())
    return False


def _remove_last(cards: list[int], card: int) -> None:
    del cards[len(cards) - 1 - cards[::-1].index(card)]


def offer(table: Table, state: State, seat: int, move: Move) -> bool:
    """Proposes a trade: the given cards are shown, the asked ones may not exist (R30 to R36)."""
    partners = rules.offer_partners(state, seat)
    most = state.deck.constants.trade_offers_per_turn
    need(state.offers < most, f"{most} offers have been made this turn", "R36", "another action")
    need(state.hands[seat], "you have no card to give", "R31", "another action")
    need(move.seat in partners, f"seat {move.seat} cannot be asked", "R30", "another seat that has cards")
    put_offer(table, state, seat, move.seat, move)
    return False


def put_offer(table: Table, state: State, seat: int, to: int, move: Move) -> None:
    """The offer lies on the table. Raises `IllegalMove`."""
    need_order(move.cards)
    need_order(move.more)
    need_cards(state, seat, move.cards, "R34")
    fits = len(move.more) <= len(state.hands[to])
    need(fits, "more cards are asked for than that hand has", "R34", f"at most {card_count(len(state.hands[to]))}")
    able = rules.askable(state.deck, state.rules)
    for card in move.more:
        if move.more.count(card) > able.get(card, 0):
            what = f"{state.deck.card_ids[card]} is not in the match so often"
            need(False, what, "R32", "cards that hands can hold")
    table.offers = state.offers + 1
    table.reveal(seat, move.cards, table.everybody())
    given, asked = names(state.deck, move.cards), names(state.deck, move.more)
    table.tell((fact("offered", seat=seat, other=to, given=given, asked=asked),))
    table.push(Task(Kind.OFFER, to, seat, cards=move.cards, more=move.more))


def steal(table: Table, state: State, seat: int, move: Move) -> bool:
    """Discards a card for one of another hand; the target is named before the cost is paid (R26)."""
    need(
        move.seat in rules.robbable(state, seat),
        f"seat {move.seat} cannot be robbed",
        "R26",
        "another seat that has cards",
    )
    need_cost(state, seat, move.cards, state.deck.constants.steal_cost, "2.3 Steal")
    table.throw(seat, move.cards)
    table.tell((fact("steals", seat=seat, other=move.seat, cards=names(state.deck, move.cards)),))
    table.act(seat, Task(Kind.STEAL, seat, move.seat))
    open_window(table, Task(Kind.WINDOW, seat, move.seat))
    return False


def open_window(table: Table, task: Task) -> None:
    """Asks all that could block what is about to happen; nothing opens when nobody could (R51)."""
    about = task if task.other != NOBODY else task._replace(kind=Kind.TRAVEL)
    seats = rules.asked_in_window(table, about)
    if seats:
        table.ask(seats)
        table.push(task)


def travel(table: Table, state: State, seat: int, move: Move) -> bool:
    """Shows the hand and travels, unless somebody blocks it (2.4)."""
    ways = rules.travels(state, seat)
    if not ways:
        refuse_travel(state, seat)
    need(move.card in ways, "you cannot travel so", "2.4", "`travel`" if NONE in ways else "a stand-in for the item")
    hand = state.hands[seat]
    table.reveal(seat, hand, table.everybody())
    country = state.deck.countries[state.target(seat)].name
    table.tell((fact("travels", seat=seat, country=country, cards=names(state.deck, hand)),))
    table.act(seat, Task(Kind.TRAVEL, seat, card=move.card))
    open_window(table, Task(Kind.WINDOW, seat))
    return False


def dispose(table: Table, state: State, seat: int, move: Move) -> bool:
    """Gets rid of one contraband with one other card (R43 to R45)."""
    held = move.card in rules.disposable(state, seat)
    need(held, "you cannot get rid of that", "R43", "contraband of your hand, with a card that is none")
    need_cost(state, seat, move.cards, state.deck.constants.contraband_disposal_extra_discard, "R43")
    table.throw(seat, (move.card, *move.cards))
    table.tell((fact("discarded", seat=seat, cards=names(state.deck, (move.card, *move.cards))),))
    table.act(seat)
    return False


def gift(table: Table, state: State, seat: int, move: Move) -> bool:
    """The Smuggler gives contraband away, openly."""
    able = rules.gifts(state, seat)
    need(state.ability(seat) == effects.SMUGGLER, "you are not the Smuggler", "6.3", "another action")
    need(len(move.cards) == 1 and move.cards[0] in able, "you hold no such contraband", "1.2", "your contraband")
    fits = move.seat != seat and move.seat in state.staying()
    need(fits, f"seat {move.seat} cannot get it", "6.3", "another seat that still plays")
    card = move.cards[0]
    table.tell((fact("gave", seat=seat, other=move.seat, card=state.deck.cards[card].name),))
    table.act(seat)
    table.lose(seat, card)
    table.gain(move.seat, card, table.everybody())
    return False


def pass_turn(table: Table, state: State, seat: int, move: Move) -> bool:
    """Does nothing, where nothing but an offer is possible (R2)."""
    need(rules.must_pass(state, seat), "you can take an action, so you must", "R2", "an action")
    table.tell((fact("passed", seat=seat),))
    table.act(seat)
    return False
