"""The position as an audience may see it, and moves as others may read them."""

from __future__ import annotations

from functools import lru_cache

from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb

from engines.itchyfeet import effects
from engines.itchyfeet import legal as rules
from engines.itchyfeet.cards import Cards, Deck
from engines.itchyfeet.notation import HIDDEN, Move, read
from engines.itchyfeet.state import NOBODY, NONE, NOT_ASKED, PASSED, UNANSWERED, Block, Kind, Rules, State, Task
from engines.kit.game import EVERYBODY, PUBLIC, Audience


def view(state: State, audience: Audience) -> pb.View:
    """What the audience may see, with what it surely knows of other hands and of the draw pile."""
    deck = state.deck
    shown = pb.View(
        options=_options(deck, state.rules),
        places=[_place(state, seat, audience) for seat in range(len(state.places))],
        known=_known(state, audience),
        pile=[_block(state, block, audience) for block in state.pile],
        discard=deck.ids(state.discard),
        centre=deck.countries[state.centre].id if state.centre != NONE else "",
        centre_requires=_required(deck, state.centre),
        aside=[deck.countries[country].id for country in state.aside],
        queue=[deck.countries[country].id for country in state.queue],
        starter=state.starter,
        active=state.active,
        round=state.round,
        acted=state.acted,
        allowed=state.allowed,
        travelled=state.travelled,
        offers=state.offers,
        reached=state.reached,
        agenda=[_task(deck, task, audience) for task in state.agenda],
        answers=[_answer(deck, answer, audience in (seat, EVERYBODY)) for seat, answer in enumerate(state.answers)],
        reason=state.reason,
        left=state.left,
        awaited=sorted(rules.awaited(state)),
    )
    if state.winner != NOBODY:
        shown.winner = state.winner
    return shown


@lru_cache(maxsize=64)
def _options(deck: Deck, options: Rules) -> pb.Options:
    return pb.Options(
        deck=deck.key,
        events=options.events,
        special_items=options.special_items,
        contraband=options.contraband,
        postcards=options.postcards,
        characters=options.characters,
        reaction_ms=options.reaction_ms,
    )


def _place(state: State, seat: int, audience: Audience) -> pb.Place:
    deck, place, hand = state.deck, state.places[seat], state.hands[seat]
    return pb.Place(
        country=deck.countries[place.country].id if place.country != NONE else "",
        done=place.done,
        character=deck.characters[place.character].id if place.character != NONE else "",
        here=place.here,
        hand_size=len(hand),
        hand=deck.ids(hand) if audience in (seat, EVERYBODY) else (),
        hand_limit=rules.limit(state, seat),
        requires=_required(deck, state.target(seat) if place.here else NONE),
    )


def _required(deck: Deck, country: int) -> tuple[str, ...]:
    return deck.ids(deck.countries[country].requires) if country != NONE else ()


def _known(state: State, audience: Audience) -> list[pb.Known]:
    public = len(state.places)
    shown = []
    for who, row in enumerate(zip(*state.known, strict=True)):
        if who in (audience, public) or audience == EVERYBODY:
            for seat, cards in enumerate(row):
                if cards:
                    shown.append(pb.Known(audience=who, seat=seat, cards=state.deck.ids(cards)))
    return shown


def _block(state: State, block: Block, audience: Audience) -> pb.Block:
    seats = len(state.places)
    bit = seats if audience == PUBLIC else audience
    seen = audience == EVERYBODY or block.knowers >> bit & 1
    return pb.Block(
        size=len(block.cards),
        cards=state.deck.ids(block.cards) if seen else (),
        known_by=[seat for seat in range(seats) if block.knowers >> seat & 1],
        known_to_public=bool(block.knowers >> seats & 1),
    )


_SECRET = frozenset({Kind.GUIDE, Kind.TAKE})
"""Tasks whose cards only their seat sees."""


def _task(deck: Deck, task: Task, audience: Audience) -> pb.Task:
    seen = task.kind not in _SECRET or audience in (task.seat, EVERYBODY)
    shown = pb.Task(
        kind=pb.Kind.ValueType(task.kind + 1),
        count=len(task.cards) if task.kind in _SECRET else task.amount,
        card=deck.cards[task.card].id if task.card != NONE else "",
        cards=deck.ids(task.cards) if seen else (),
        more=deck.ids(task.more),
    )
    if task.seat != NOBODY:
        shown.seat = task.seat
    if task.other != NOBODY:
        shown.other = task.other
    return shown


def _answer(deck: Deck, answer: int, own: bool) -> pb.Answer:
    if answer == NOT_ASKED:
        return pb.Answer()
    if answer == UNANSWERED:
        return pb.Answer(answered=pb.ANSWERED_NOT_YET)
    if not own:
        return pb.Answer(answered=pb.ANSWERED_HIDDEN)
    if answer == PASSED:
        return pb.Answer(answered=pb.ANSWERED_PASS)
    return pb.Answer(answered=pb.ANSWERED_CARD, card=deck.cards[answer].id)


def redact(state: State, seat: int, text: str, audience: Audience) -> str:
    """The seat's move as the audience may read it: hidden cards read `*`, answers in a window `answer`."""
    move = read(state.deck, text)
    task = state.top()
    if audience in (seat, EVERYBODY) or move is None or task is None:
        return text
    if task.kind is Kind.WINDOW and move.verb in ("pass", "block"):
        return "answer" if _stays_hidden(state, seat) else text
    if move.verb == "pick":
        seen = _closes(state, seat) and (audience == _left_of(state, seat) or _tour_wins(state, seat, move))
        return text if seen else f"pick:{HIDDEN}"
    if move.verb == "take" and move.card != NONE:
        seen = (task.kind is Kind.TAKE and audience == task.other) or _wins(state, seat, move.card)
        return text if seen else f"take:{HIDDEN}"
    if move.verb == "play" and move.cards and state.deck.effects[move.card] == effects.POST:
        return f"play:{state.deck.cards[move.card].id}:{'+'.join(HIDDEN for _ in move.cards)}"
    return text


def _closes(state: State, seat: int) -> bool:
    """The answer of the seat is the last one waited for."""
    return all(answer != UNANSWERED or other == seat for other, answer in enumerate(state.answers))


def _stays_hidden(state: State, seat: int) -> bool:
    """What the seat answers does not show: others are still asked, or a seat before it blocks anyway (R52)."""
    if not _closes(state, seat):
        return True
    for other in state.clockwise(state.active):
        if other == seat:
            return False
        if state.answers[other] >= 0:
            return True
    return False


def _left_of(state: State, seat: int) -> int:
    """Who gets the seat's pick."""
    order = state.clockwise(seat)
    return order[1 % len(order)]


def _postcards(state: State, cards: Cards) -> int:
    return sum(card in state.deck.postcards for card in cards)


def _wins(state: State, seat: int, card: int) -> bool:
    """With the card the seat has all postcards that it needs: the end shows it."""
    needed = state.deck.constants.postcards_to_win
    return card in state.deck.postcards and _postcards(state, (*state.hands[seat], card)) >= needed


def _tour_wins(state: State, seat: int, move: Move) -> bool:
    """The passing of cards that the pick completes gives somebody enough postcards."""
    picks = {other: answer for other, answer in enumerate(state.answers) if answer >= 0}
    picks[seat] = move.card
    hands = [list(hand) for hand in state.hands]
    for other, card in picks.items():
        hands[other].remove(card)
    for other, card in picks.items():
        hands[_left_of(state, other)].append(card)
    return any(_postcards(state, tuple(hand)) >= state.deck.constants.postcards_to_win for hand in hands)
