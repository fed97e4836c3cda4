"""The working copy of a position while a move is carried out: cards move, and what audiences know moves with them.

Knowledge is kept as the cards that an audience surely knows to be in a hand. When a card leaves a hand and an audience
cannot see which, that audience forgets the hand: what it still knew must not show which card it was.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence

from engines.itchyfeet import facts
from engines.itchyfeet.cards import Cards
from engines.itchyfeet.state import NOT_ASKED, UNANSWERED, Block, Kind, State, Task
from engines.kit.game import Draw, Fact


class Table:
    """A position that can be changed; `state` gives it back as a value."""

    def __init__(self, state: State, draw: Draw) -> None:
        self.base = state
        self.deck = state.deck
        self.draw = draw
        self.told: list[Fact] = []
        self.hands = [list(hand) for hand in state.hands]
        self.known: list[list[Cards]] | None = None
        self.pile = list(state.pile)
        self.discard = list(state.discard)
        self.agenda = list(state.agenda)
        self.answers = list(state.answers)
        self.winner = state.winner
        self.reason = state.reason

    def change(self, **fields: object) -> None:
        """Sets fields of the state that are not among the table's own."""
        self.base = self.base._replace(**fields)  # type: ignore[arg-type]

    def state(self) -> State:
        """The position as it is now."""
        known = self.base.known if self.known is None else tuple(tuple(row) for row in self.known)
        return self.base._replace(
            hands=tuple(map(tuple, self.hands)),
            known=known,
            pile=tuple(self.pile),
            discard=tuple(self.discard),
            agenda=tuple(self.agenda),
            answers=tuple(self.answers),
            winner=self.winner,
            reason=self.reason,
        )

    def tell(self, facts: Iterable[Fact]) -> None:
        """More to be told."""
        self.told += facts

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

    def gain(self, seat: int, card: int, seers: int) -> None:
        """The card has come into the hand; `seers` are the audiences, as bits, that saw which it is."""
        hand = self.hands[seat]
        insort(hand, card)
        if seers:
            for audience, row in enumerate(self._rows()):
                if seers >> audience & 1 and audience != seat:
                    row[seat] = tuple(sorted((*row[seat], card)))
        if card in self.deck.postcards and not self.reason:
            held = sum(one in self.deck.postcards for one in hand)
            if held >= self.deck.constants.postcards_to_win:
                self.over(seat, "postcards")

    def lose(self, seat: int, card: int) -> None:
        """The card has left the hand, and everybody saw which."""
        self._leave(seat, card, self.everybody())

    def lose_unseen(self, seat: int, card: int, seers: int) -> None:
        """The card has left the hand, and only `seers` saw which."""
        self._leave(seat, card, seers)

    def move_unseen(self, seat: int, to: int, card: int) -> None:
        """The card goes from hand to hand, and nobody else sees which."""
        self.lose_unseen(seat, card, 1 << seat | 1 << to)
        self.gain(to, card, 1 << seat)

    def _leave(self, seat: int, card: int, seers: int) -> None:
        self.hands[seat].remove(card)
        if self.known is None and not any(row[seat] for row in self.base.known):
            return
        for audience, row in enumerate(self._rows()):
            if not row[seat]:
                continue
            if not seers >> audience & 1:
                row[seat] = ()
            elif card in row[seat]:
                at = row[seat].index(card)
                row[seat] = row[seat][:at] + row[seat][at + 1 :]

    def reveal(self, seat: int, cards: Sequence[int], seers: int) -> None:
        """The audiences have learned that the hand holds these cards."""
        for audience, row in enumerate(self._rows()):
            if seers >> audience & 1 and audience != seat:
                more = list(cards)
                for card in row[seat]:
                    if card in more:
                        more.remove(card)
                row[seat] = tuple(sorted((*row[seat], *more)))

    def _rows(self) -> list[list[Cards]]:
        if self.known is None:
            self.known = [list(row) for row in self.base.known]
        return self.known

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

    def take_top(self, seat: int, *, openly: bool = False) -> int | None:
        """The top card of the pile, which the seat has looked at; None when there is none.

        Whoever does not see it no longer knows what is left of its block. The card itself becomes known to who knew
        a block of one card: `known_top` has told them.
        """
        if not self.pile:
            return None
        block = self.pile[0]
        at = self.draw.below(len(block.cards), "pile") if len(block.cards) > 1 else 0
        card = block.cards[at]
        rest = block.cards[:at] + block.cards[at + 1 :]
        if rest:
            seen = openly or card in self.deck.events
            self.pile[0] = Block(rest, block.knowers if seen else block.knowers & 1 << seat)
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
        aside, queue = self.base.aside, self.base.queue
        if aside:
            at = self.draw.below(len(aside), "countries")
            self.change(aside=aside[:at] + aside[at + 1 :])
            return aside[at]
        if queue:
            self.change(queue=queue[1:])
            return queue[0]
        return None

    def under_countries(self, country: int) -> None:
        """The country goes to the bottom of the set-aside pile."""
        self.change(queue=(*self.base.queue, country))

    def without(self, kinds: Iterable[Kind]) -> None:
        """Drops all tasks of these kinds."""
        dropped = set(kinds)
        self.agenda = [task for task in self.agenda if task.kind not in dropped]

    def nobody_asked(self) -> None:
        """No answers are waited for."""
        self.answers = []

    def act(self, seat: int, *tasks: Task) -> None:
        """The seat takes its action: what it does, then the limits, then the action is over."""
        self.agenda[-1] = Task(Kind.DONE, seat)
        self.push(Task(Kind.LIMITS), *tasks)

    def block(self) -> None:
        """What the active seat does is blocked: its turn ends when the cards in use are away (R29, R53, R55)."""
        self.without({Kind.WINDOW, Kind.STEAL, Kind.LOOK, Kind.TRAVEL})
        self.agenda = [Task(Kind.END, t.seat) if t.kind is Kind.DONE else t for t in self.agenda]
        self.nobody_asked()
