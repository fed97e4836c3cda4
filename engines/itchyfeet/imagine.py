"""A full state that agrees with a view: what is hidden is drawn uniformly from all cards that lie nowhere known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from google.protobuf.message import Message
from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb

from engines.itchyfeet import legal as rules
from engines.itchyfeet.cards import Cards, Deck
from engines.itchyfeet.setup import all_cards
from engines.itchyfeet.state import NOBODY, NONE, NOT_ASKED, PASSED, UNANSWERED, Block, Kind, Place, Rules, State, Task
from engines.kit.game import EVERYBODY, PUBLIC, Audience, Draw

_TRIES: Final = 1000
"""Deals looked at until none has been won already. Fewer than twice the winning postcards exist, so most will do."""


def imagine(decks: Mapping[str, Deck], shown: Message, audience: Audience, draw: Draw) -> State:
    """A state that looks like `shown` to the audience. ValueError or KeyError: another game's or deck's."""
    if not isinstance(shown, pb.View):
        raise ValueError(f"a {shown.DESCRIPTOR.full_name} is no view of Itchy Feet")
    return _Imagined(decks[shown.options.deck], shown, audience, draw).state()


class _Imagined:
    """The state under construction."""

    def __init__(self, deck: Deck, shown: pb.View, audience: Audience, draw: Draw) -> None:
        self.deck = deck
        self.shown = shown
        self.draw = draw
        self.seats = len(shown.places)
        self.audience = self.seats if audience == PUBLIC else audience
        self.all = audience == EVERYBODY
        options = shown.options
        self.rules = Rules(
            options.events,
            options.special_items,
            options.contraband,
            options.postcards,
            options.characters,
            options.reaction_ms,
        )

    def _cards(self, ids: Iterable[str]) -> Cards:
        return tuple(self.deck.numbers[card] for card in ids)

    def state(self) -> State:
        shown = self.shown
        known = self._known()
        located = [self._hand(seat, known) for seat in range(self.seats)]
        agenda = [self._task(task) for task in shown.agenda]
        hands, pile, agenda = self._deal(located, agenda)
        imagined = State(
            deck=self.deck,
            rules=self.rules,
            places=tuple(self._place(place) for place in shown.places),
            hands=tuple(hands),
            known=known,
            pile=tuple(pile),
            discard=self._cards(shown.discard),
            centre=self.deck.country_numbers.get(shown.centre, NONE),
            aside=tuple(self.deck.country_numbers[country] for country in shown.aside),
            queue=tuple(self.deck.country_numbers[country] for country in shown.queue),
            starter=shown.starter,
            active=shown.active,
            round=shown.round,
            acted=shown.acted,
            allowed=shown.allowed,
            travelled=shown.travelled,
            offers=shown.offers,
            reached=shown.reached,
            agenda=tuple(agenda),
            answers=(),
            winner=shown.winner if shown.HasField("winner") else NOBODY,
            reason=shown.reason,
            left=tuple(shown.left),
        )
        answers = tuple(self._answer(imagined, seat, answer) for seat, answer in enumerate(shown.answers))
        return imagined._replace(answers=answers)

    def _place(self, place: pb.Place) -> Place:
        country = self.deck.country_numbers.get(place.country, NONE)
        return Place(country, place.done, self.deck.character_numbers.get(place.character, NONE), place.here)

    def _known(self) -> tuple[tuple[Cards, ...], ...]:
        rows: list[list[Cards]] = [[()] * (self.seats + 1) for _ in range(self.seats)]
        for entry in self.shown.known:
            rows[entry.seat][entry.audience] = self._cards(entry.cards)
        return tuple(tuple(row) for row in rows)

    def _hand(self, seat: int, known: tuple[tuple[Cards, ...], ...]) -> Cards:
        """The cards of the hand that the audience can place there."""
        if self.all or seat == self.audience:
            return self._cards(self.shown.places[seat].hand)
        return known[seat][self.audience]

    def _task(self, task: pb.Task) -> Task:
        kind = Kind(task.kind - 1)
        return Task(
            kind,
            task.seat if task.HasField("seat") else NOBODY,
            task.other if task.HasField("other") else NOBODY,
            0 if kind in (Kind.GUIDE, Kind.TAKE) else task.count,
            self.deck.numbers.get(task.card, NONE),
            self._cards(task.cards),
            self._cards(task.more),
        )

    def _deal(self, located: list[Cards], agenda: list[Task]) -> tuple[list[Cards], list[Block], list[Task]]:
        """Gives out what lies nowhere known: to hands, to blocks of the pile, to cards looked at."""
        shown = self.shown
        blocks = [self._cards(block.cards) for block in shown.pile]
        used = Counter(card for cards in (*located, *blocks, self._cards(shown.discard)) for card in cards)
        for task in agenda:
            if task.kind in (Kind.SPENT, Kind.EVENT):
                used[task.card] += 1
            elif task.kind is Kind.GUIDE:
                used.update(task.cards)
        hands, hidden = self._hands(located, used)
        pile = []
        for block, cards in zip(shown.pile, blocks, strict=True):
            count = block.size - len(cards)
            knowers = sum(1 << seat for seat in block.known_by) | block.known_to_public << self.seats
            pile.append(Block(tuple(sorted((*cards, *hidden[:count]))), knowers))
            del hidden[:count]
        for at, (task, seen) in enumerate(zip(agenda, shown.agenda, strict=True)):
            if task.kind is Kind.GUIDE and not task.cards:
                agenda[at] = task._replace(cards=tuple(sorted(hidden[: seen.count])))
                del hidden[: seen.count]
            elif task.kind is Kind.TAKE and not task.cards:
                order = self._shuffled(hands[task.other], "seen")
                agenda[at] = task._replace(cards=tuple(sorted(order[: seen.count])))
        if hidden:
            raise ValueError(f"{len(hidden)} cards of the view do not add up")
        return hands, pile, agenda

    def _hands(self, located: list[Cards], used: Counter[int]) -> tuple[list[Cards], list[int]]:
        """Hands and what is left for the pile: no hand holds an event, nor postcards that would have won."""
        counts = [place.hand_size - len(cards) for place, cards in zip(self.shown.places, located, strict=True)]
        for _ in range(_TRIES):
            dealt: list[int] = []
            rest: list[int] = []
            for card in self._pool(used):
                (rest if card in self.deck.events or len(dealt) == sum(counts) else dealt).append(card)
            hands = []
            for cards, count in zip(located, counts, strict=True):
                hands.append(tuple(sorted((*cards, *dealt[:count]))))
                del dealt[:count]
            if self.shown.reason or not any(map(self._wins, hands)):
                return hands, rest
        raise ValueError("no deal of the hidden cards was found that agrees with the view")

    def _wins(self, hand: Cards) -> bool:
        return sum(card in self.deck.postcards for card in hand) >= self.deck.constants.postcards_to_win

    def _pool(self, used: Counter[int]) -> list[int]:
        """The cards that lie nowhere known; of the passports only as many as were dealt, any of them."""
        total = Counter(all_cards(self.deck, self.rules))
        passports = [card for card in sorted(self.deck.passports) for _ in range(1 - used[card])]
        dealt = self.seats - sum(used[card] for card in self.deck.passports)
        pool = [card for card in sorted(total) for _ in range(total[card] - used[card])]
        return list(self._shuffled((*pool, *self._shuffled(tuple(passports), "passports")[:dealt]), "hidden"))

    def _shuffled(self, cards: Cards, purpose: str) -> Cards:
        return tuple(card for card in self.draw.shuffle(cards, purpose) if isinstance(card, int))

    def _answer(self, state: State, seat: int, answer: pb.Answer) -> int:
        if answer.answered == pb.ANSWERED_NOT_YET:
            return UNANSWERED
        if answer.answered == pb.ANSWERED_PASS:
            return PASSED
        if answer.answered == pb.ANSWERED_CARD:
            return self.deck.numbers[answer.card]
        if answer.answered == pb.ANSWERED_UNSPECIFIED:
            return NOT_ASKED
        if not state.places[seat].here:
            return PASSED  # it was asked, and left
        hand = state.hands[seat]
        if state.agenda[-1].kind is Kind.TOUR:
            return hand[self.draw.below(len(hand), "pick")]
        able = (PASSED, *rules.blockers(state, seat))
        return able[self.draw.below(len(able), "answer")]
