"""Positions from short texts.

A board names its pieces by colour, the colours parted by bars, the own one first: `d4 He5 Lf6 | g7` has three own
pieces, a common, a heroic and a legendary one, and an enemy common.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.fairness.draw import SeededDraw
from engines.tashkalar.board import NAMED, NAMES, bits
from engines.tashkalar.cards import BEING, BEINGS, DECKS, FLARES, LEGENDS
from engines.tashkalar.game import GAME
from engines.tashkalar.state import Bonus, Form, Player, Rules, State, Turn

FLARE = {flare.key: flare.number for flare in FLARES}
RANKS = " HL"
SEED = b"a seed of thirty-two bytes, fine"


def board(text: str, colours: int = 2) -> tuple[int, ...]:
    """The board of a text."""
    found = [0] * (3 * colours)
    for colour, part in enumerate(text.split("|")):
        for word in part.split():
            rank = RANKS.index(word[0]) if word[0] in "HL" else 0
            bit = 1 << NAMED[word[-2:]]
            assert not any(mask & bit for mask in found), f"two pieces on {word[-2:]} in {text!r}"
            found[3 * colour + rank] |= bit
    return tuple(found)


def drawing(pieces: Sequence[int]) -> str:
    """The text of a board, squares in order."""
    parts = []
    for colour in range(len(pieces) // 3):
        words = {at: RANKS[rank].strip() + NAMES[at] for rank in range(3) for at in bits(pieces[3 * colour + rank])}
        parts.append(" ".join(words[at] for at in sorted(words)))
    return " | ".join(parts).strip()


def cards(text: str) -> tuple[int, ...]:
    """The numbers of beings or flares, named by keys."""
    return tuple(BEING[key] if key in BEING else FLARE[key] for key in text.split())


def position(
    pieces: str = "",
    *,
    colours: int = 2,
    form: Form | None = None,
    deck: str = "imperial",
    hand: str = "",
    discards: str = "",
    frozen: str = "",
    pending: str = "",
    stored: int = -1,
    actions: int = 2,
    turns: int = 5,
    counters: int = 17,
    lost: Sequence[int] = (),
    gateway: str = "",
    bonus: Bonus | None = None,
    warped: str = "",
) -> State:
    """A position with seat 0 on turn, who holds the cards of `hand`; all else of the deck is face down."""
    form = form or (Form.HIGH if colours == 2 else Form.MELEE)
    held = hand.split()
    beings = cards(" ".join(key for key in held if key in BEING and BEINGS[BEING[key]].deck != LEGENDS))
    legends = cards(" ".join(key for key in held if key in BEING and BEINGS[BEING[key]].deck == LEGENDS))
    flares = cards(" ".join(key for key in held if key in FLARE))
    used = {*beings, *cards(discards), *cards(frozen), *cards(pending)}
    mine = Player(
        deck=tuple(card for card in DECKS[deck] if card not in used),
        beings=tuple(sorted(beings)),
        legends=tuple(sorted(legends)),
        flares=flares,
        discards=cards(discards),
        frozen=cards(frozen)[0] if frozen else -1,
        pending=cards(pending)[0] if pending else -1,
        stored=stored,
        turns=turns,
    )
    others = [Player(deck=DECKS["imperial"], turns=turns) for _ in range(colours - 1)]
    return State(
        rules=Rules(form, (deck, *["imperial"] * (colours - 1)), counters),
        board=board(pieces, colours),
        players=(mine, *others),
        turn=Turn(0, actions, (0,) * (3 * colours), bonus=bonus or Bonus(), warped=cards(warped)),
        lost=tuple(lost) or (0,) * (2 * colours),
        scores=((0,) * (colours if form is Form.MELEE else 1),) * colours,
        fewer=(0,) * colours,
        legends=tuple(card for card in DECKS[LEGENDS] if card not in legends),
        flares=tuple(flare.number for flare in FLARES if flare.number not in flares),
        gateway=NAMED[gateway] if gateway else -1,
    )


def play(state: State, *moves: str) -> State:
    """The state after these moves of whoever acts."""
    for number, move in enumerate(moves, 2):
        state, _ = GAME.apply(state, state.actor(), move, SeededDraw(SEED, number))
    return state


def offered(state: State, prefix: str = "") -> list[str]:
    """What the seat that acts is offered."""
    return [choice.text for choice in GAME.choices(state, state.actor(), prefix)]


def describe(state: State, name: str) -> Any:
    """What tests compare by name, of a state with seat 0 on turn: short texts, or numbers."""
    mine = state.players[0]
    if name == "destroyed":
        kinds = (f"{RANKS[piece % 3].strip() or 'C'}{piece // 3}" for piece in range(len(state.board)))
        return " ".join(f"{kind}:{n}" for kind, n in zip(kinds, state.turn.destroyed, strict=True) if n)
    if name == "summoned":
        return " ".join(f"{'CHL'[each.rank]}{NAMES[each.square]}" for each in state.turn.summoned)
    if name == "extra":
        return state.turn.extra
    if name == "bonus":
        return tuple(state.turn.bonus)
    if name == "again":
        return state.turn.again
    if name == "double":
        return state.turn.double
    if name == "actions":
        return state.turn.actions
    if name == "gateway":
        return NAMES[state.gateway] if state.gateway >= 0 else ""
    if name == "fewer":
        return state.fewer
    if name == "lost":
        return state.lost
    if name == "scores":
        return state.scores
    if name == "hand":
        flares = [FLARES[card].key for card in mine.flares]
        return " ".join([BEINGS[card].key for card in (*mine.beings, *mine.legends)] + flares)
    if name in ("frozen", "pending"):
        card = getattr(mine, name)
        return BEINGS[card].key if card >= 0 else ""
    if name == "stored":
        return mine.stored
    if name in ("top", "bottom"):
        return BEINGS[mine.deck[-1 if name == "top" else 0]].key
    if name == "discards":
        return " ".join(BEINGS[card].key for card in mine.discards)
    if name == "legend_discards":
        return " ".join(BEINGS[card].key for card in state.legend_discards)
    if name == "flare_discards":
        return " ".join(FLARES[card].key for card in state.flare_discards)
    raise KeyError(name)
