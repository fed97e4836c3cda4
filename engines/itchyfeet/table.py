"""The working copy of a position while a move is carried out: cards move, and what audiences know moves with them.

Knowledge is kept as the cards that an audience surely knows to be in a hand. When a card leaves a hand and an audience
cannot see which, that audience forgets the hand: what it still knew must not show which card it was.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence

from engines.itchyfeet import facts
from engines.itchyfeet.cards import Cards
from engines.itchyfeet.state import DONE_OF, END_OF, LIMITS, NOT_ASKED, UNANSWERED, Block, Kind, State, Task, clockwise
from engines.kit.game import Draw, Fact
from engines.kit.tuples import new


def _with(cards: Cards, card: int) -> Cards:
    at = bisect(cards, card)
    return (*cards[:at], card, *cards[at:])


def _without(cards: Cards, card: int) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _with_all(known: Cards, cards: Sequence[int]) -> Cards:
    """What is known, and those of the cards beside it."""
    more = list(cards)
    for card in known:
        if card in more:
            more.remove(card)
    return tuple(sorted((*known, *more)))


class Table:
    """A position that can be changed, with the fields of `State`; `state` gives it back as a value.

    `after_hidden`: since the last event a choice was made that others did not see.
    """

    def __init__(self, state: State, draw: Draw) -> None:
        self.draw = draw
        self.told: list[Fact] = []
        self.after_hidden = False
        (
            self.deck,
            self.rules,
            self.places,
            hands,
            known,
            pile,
            discard,
            self.centre,
            self.aside,
            self.queue,
            self.starter,
            self.active,
            self.round,
            self.acted,
            self.allowed,
            self.travelled,
            self.offers,
            self.reached,
            agenda,
            answers,
            self.winner,
            self.reason,
            self.left,
        ) = state
        self.hands = [*hands]
        self.known = [*known]
        self.pile = [*pile]
        self.discard = [*discard]
        self.agenda = [*agenda]
        self.answers = [*answers]

    def state(self) -> State:
        """The position as it is now."""
        return new(
            State,
            (
                self.deck,
                self.rules,
                self.places,
                tuple(self.hands),
                tuple(self.known),
                tuple(self.pile),
                tuple(self.discard),
                self.centre,
                self.aside,
                self.queue,
                self.starter,
                self.active,
                self.round,
                self.acted,
                self.allowed,
                self.travelled,
                self.offers,
                self.reached,
                tuple(self.agenda),
                tuple(self.answers),
                self.winner,
                self.reason,
                self.left,
            ),
        )

    def tell(self, told: Iterable[Fact]) -> None:
        """More to be told."""
        self.told += told

    def push(self, *tasks: Task) -> None:
        """Tasks to be done before the others, the last one first."""
        self.agenda += tasks

    def over(self, winner: int, reason: str) -> None:
        """The game has ended."""
        self.winner, self.reason = winner, reason
        self.tell(facts.ended(winner, reason))

    def ask(self, seats: Iterable[int]) -> None:
        """The seats are asked for an answer."""
        asked = set(seats)
        self.answers = [UNANSWERED if seat in asked else NOT_ASKED for seat in range(len(self.hands))]

    def ability(self, seat: int) -> str:
        """As that of `State`."""
        character = self.places[seat].character
        return self.deck.abilities[character] if character >= 0 else ""

    def ability_number(self, seat: int, name: str) -> int:
        """As that of `State`."""
        return self.deck.characters[self.places[seat].character].effect.number(name)

    def clockwise(self, first: int) -> list[int]:
        """As that of `State`."""
        return clockwise(self.places, first)

    def gain(self, seat: int, card: int, seers: int) -> None:
        """The card has come into the hand; `seers` are the audiences, as bits, that saw which it is."""
        hand = self.hands[seat] = _with(self.hands[seat], card)
        if seers:
            self._learn(seat, seers, {known: _with(known, card) for known in {*self.known[seat]}})
        if card in self.deck.postcards and not self.reason:
            held = sum(one in self.deck.postcards for one in hand)
            if held >= self.deck.constants.postcards_to_win:
                self.over(seat, "postcards")

    def lose(self, seat: int, card: int) -> None:
        """The card has left the hand, and everybody saw which."""
        self.lose_unseen(seat, card, self.everybody())

    def lose_unseen(self, seat: int, card: int, seers: int) -> None:
        """The card has left the hand, and only `seers` saw which."""
        self.hands[seat] = _without(self.hands[seat], card)
        row = self.known[seat]
        if any(row):
            left = {known: _without(known, card) if card in known else known for known in {*row}}
            self.known[seat] = tuple([left[known] if seers >> who & 1 else () for who, known in enumerate(row)])

    def move_unseen(self, seat: int, to: int, card: int) -> None:
        """The card goes from hand to hand, and nobody else sees which."""
        self.lose_unseen(seat, card, 1 << seat | 1 << to)
        self.gain(to, card, 1 << seat)

    def reveal(self, seat: int, cards: Sequence[int], seers: int) -> None:
        """The audiences have learned that the hand holds these cards."""
        self._learn(seat, seers, {known: _with_all(known, cards) for known in {*self.known[seat]}})

    def _learn(self, seat: int, seers: int, learned: Mapping[Cards, Cards]) -> None:
        """What the audiences knew of the hand becomes what is `learned` in its place."""
        self.known[seat] = tuple(
            [
                learned[known] if seers >> audience & 1 and audience != seat else known
                for audience, known in enumerate(self.known[seat])
            ]
        )

    def everybody(self) -> int:
        """All audiences, as bits."""
        return (2 << len(self.hands)) - 1

    def throw(self, seat: int, cards: Iterable[int]) -> None:
        """Cards of the hand go to the discard pile, openly, in this order."""
        for card in cards:
            self.lose(seat, card)
            self.discard.append(card)

    def refill(self) -> None:
        """The discard pile becomes the draw pile when that is empty (R10). All know which cards it holds."""
        if not self.pile and self.discard:
            self.pile = [Block(tuple(sorted(self.discard)), self.everybody())]
            self.discard = []
            self.told.append(facts.reshuffled(len(self.pile[0].cards)))

    def take_top(self, seat: int, *, drawn: bool) -> int | None:
        """The top card of the pile, which the seat has drawn or only looked at; None when there is none.

        Whoever does not see it no longer knows what is left of its block; all see an event that is drawn. The card
        itself becomes known to who knew a block of one card: `known_top` has told them.
        """
        if not self.pile:
            return None
        block = self.pile[0]
        at = self.draw.below(len(block.cards), "pile") if len(block.cards) > 1 else 0
        card = block.cards[at]
        rest = block.cards[:at] + block.cards[at + 1 :]
        if rest:
            shown = drawn and card in self.deck.events
            knowers = block.knowers if shown else block.knowers & 1 << seat
            self.pile[0] = Block(rest, knowers)
        else:
            del self.pile[0]
        return card

    def known_top(self) -> int:
        """Audiences that know which card is on top, as bits."""
        return self.pile[0].knowers if self.pile and len(self.pile[0].cards) == 1 else 0

    def under(self, cards: Sequence[int], seat: int) -> None:
        """A block of cards goes under the pile; only the seat knows them."""
        if cards:
            self.pile.append(Block(tuple(sorted(cards)), 1 << seat))

    def next_country(self) -> int | None:
        """The top country of the set-aside pile, taken off it; None when there is none."""
        aside, queue = self.aside, self.queue
        if aside:
            at = self.draw.below(len(aside), "countries")
            self.aside = aside[:at] + aside[at + 1 :]
            return aside[at]
        if queue:
            self.queue = queue[1:]
            return queue[0]
        return None

    def under_countries(self, country: int) -> None:
        """The country goes to the bottom of the set-aside pile."""
        self.queue = (*self.queue, country)

    def without(self, kinds: Iterable[Kind]) -> None:
        """Drops all tasks of these kinds."""
        dropped = set(kinds)
        self.agenda = [task for task in self.agenda if task.kind not in dropped]

    def nobody_asked(self) -> None:
        """No answers are waited for."""
        self.answers = []

    def act(self, seat: int, *tasks: Task) -> None:
        """The seat takes its action: what it does, then the limits, then the action is over."""
        self.agenda[-1:] = (DONE_OF[seat], LIMITS, *tasks)

    def block(self) -> None:
        """What the active seat does is blocked: its turn ends when the cards in use are away (R29, R53, R55)."""
        self.without({Kind.WINDOW, Kind.STEAL, Kind.LOOK, Kind.TRAVEL})
        self.agenda = [END_OF[t.seat] if t.kind is Kind.DONE else t for t in self.agenda]
        self.nobody_asked()
