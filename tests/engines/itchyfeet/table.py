"""What the tests of Itchy Feet share: positions put together by hand, moves, and counts of cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from core.fairness.draw import SeededDraw
from engines.itchyfeet import legal
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.setup import all_cards
from engines.itchyfeet.state import Block, Kind, Place, Rules, State, Task
from engines.kit.conformance import random_move
from engines.kit.game import Fact
from engines.kit.options import full_options

EXTENSIONS = ("events", "special_items", "contraband", "postcards", "characters")
ALL_ON = dict.fromkeys(EXTENSIONS, "on")
N = HOUSE.numbers
EVERYTHING = Rules(True, True, True, True, True)


def cards(names: str) -> tuple[int, ...]:
    """Cards by id, sorted."""
    return tuple(sorted(N[name] for name in names.split()))


def position(
    *hands: str,
    pile: str = "camera camera camera",
    discard: str = "",
    countries: str = "turkey italy japan kenya peru brazil",
    centre: str = "norway",
    done: Sequence[int] = (),
    characters: str = "",
    rules: Rules = EVERYTHING,
    aside: str = "mexico",
    active: int = 0,
) -> State:
    """A position in which a seat takes its action. Each card of the pile is a block, so the order is known."""
    seats = len(hands)
    who = characters.split()
    places = tuple(
        Place(
            -1 if seat in done else HOUSE.country_numbers[countries.split()[seat]],
            seat in done,
            HOUSE.character_numbers[who[seat]] if seat < len(who) and who[seat] != "-" else -1,
        )
        for seat in range(seats)
    )
    return State(
        deck=HOUSE,
        rules=rules,
        places=places,
        hands=tuple(cards(hand) for hand in hands),
        known=(((),) * (seats + 1),) * seats,
        pile=tuple(Block((N[name],)) for name in pile.split()),
        discard=tuple(N[name] for name in discard.split()),
        centre=HOUSE.country_numbers[centre],
        aside=(),
        queue=tuple(HOUSE.country_numbers[name] for name in aside.split()),
        starter=0,
        active=active,
        agenda=(Task(Kind.ACTION, active),),
    )


def tell(state: State, seat: int, move: str, seed: int = 1) -> tuple[State, Sequence[Fact]]:
    """The state after a move that the choices lead to, and what it did."""
    before = everything(state)
    after, facts = GAME.apply(state, seat, move, SeededDraw(seed.to_bytes(32, "big"), 2))
    assert everything(after) == before
    return after, facts


def play(state: State, *moves: str, seed: int = 1) -> State:
    """The state after moves, `0 draw`: the seat, then the move."""
    for move in moves:
        seat, _, text = move.partition(" ")
        state, _ = tell(state, int(seat), text, seed)
    return state


def left(state: State, seat: int, seed: int = 0) -> State:
    """The state after the seat has left."""
    before = everything(state)
    after, _ = GAME.leave(state, seat, SeededDraw(bytes([seed] * 32), 9))
    assert everything(after) == before
    return after


def hand(state: State, seat: int) -> str:
    """A hand by ids."""
    return " ".join(HOUSE.ids(state.hands[seat]))


def everything(state: State) -> Counter[int]:
    """All cards of a position, wherever they are."""
    found = Counter(card for cards in (*state.hands, state.discard) for card in cards)
    found.update(card for block in state.pile for card in block.cards)
    for task in state.agenda:
        if task.kind in (Kind.EVENT, Kind.SPENT):
            found[task.card] += 1
        elif task.kind is Kind.GUIDE:
            found.update(task.cards)
    return found


def dealt(state: State) -> Counter[int]:
    """The cards that a match has: passports as many as seats."""
    found = Counter(all_cards(state.deck, state.rules))
    found.update(card for card in everything(state) if card in state.deck.passports)
    return found


def texts(state: State, seat: int, prefix: str = "") -> list[str]:
    """The choices as texts."""
    return [choice.text for choice in GAME.choices(state, seat, prefix)]


def eager(game: Any, state: Any, seat: int, rng: random.Random) -> str:
    """Mostly a random move, but a travel where there is one, and needed items where they lie: matches end soon."""
    found = [choice.text for choice in game.choices(state, seat)]
    fitting = [text for text in found if text.startswith(("travel", "accept"))]
    if fitting and rng.random() < 0.8:
        return str(rng.choice(fitting))
    if "recycle:" in found and rng.random() < 0.6:
        for card in legal.missing(state, seat):
            wanted = f"recycle:{state.deck.cards[card].id}:"
            if card in state.discard and game.choices(state, seat, wanted):
                while not (choice := rng.choice(game.choices(state, seat, wanted))).complete:
                    wanted = choice.text
                return str(choice.text)
    if "draw" in found and rng.random() < 0.5:
        return "draw"
    return random_move(game, state, seat, rng)


def pile_size(state: State) -> int:
    """Cards in the draw pile."""
    return sum(len(block.cards) for block in state.pile)


def start(seats: int, seed: int = 1, **options: str) -> State:
    """A match from its deal."""
    state = GAME.setup(full_options(GAME.info, options), seats, SeededDraw(seed.to_bytes(32, "big"), 1))
    assert isinstance(state, State)
    return state
