"""What a seat can begin in its turn, as questions that both choices and moves ask (rules §5 to §8, §16)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engines.kit.game import IllegalMove
from engines.tashkalar.board import NAMED, NAMES, bits
from engines.tashkalar.cards import BEINGS, FLARES
from engines.tashkalar.look import Look
from engines.tashkalar.notation import Head, Kind, key_of
from engines.tashkalar.pieces import ANY, COMMON, NOTHING, UPGRADED, C, H
from engines.tashkalar.state import NOBODY, Form, State
from engines.tashkalar.summoning import Way, ways


class Objection(NamedTuple):
    """What is against a move, what would be taken, and the section of the rules."""

    what: str
    expected: str
    rule: str


class Placing(NamedTuple):
    """A place action: the square, and the piece to be lifted, NOTHING where none has to be."""

    square: int
    lifted: int


_IN_TURN: Final = frozenset({Kind.PLACE, Kind.SUMMON, Kind.DISCARD, Kind.FLARE, Kind.THAW, Kind.WARP, Kind.END})
_IN_TEAM: Final = _IN_TURN | {Kind.PASS}
_SETTING: Final = frozenset({Kind.SET})
_GOING_ON: Final = frozenset({Kind.GO})
_PARTNER: Final = frozenset({Kind.PLACE})
_ENDING: Final = frozenset({Kind.END})
_NO_ACTION: Final = Objection("no action is left", "a flare, or `end`", "rules §5")


def check(look: Look, head: Head) -> Way | Placing | None:
    """What the head says beyond its card. Raises `IllegalMove` when the seat cannot begin so."""
    objection = against(look, head.kind, head.card)
    if objection is None and head.kind is Kind.PLACE:
        placing = read_placing(look, head.where)
        if placing is not None:
            return placing
        objection = Objection(f"{head.where[:5]!r} is no place for a common now", "an empty square", "rules §6")
    elif objection is None and head.kind is Kind.SUMMON:
        for way in ways(look, head.card):
            if way.text == head.where:
                return way
        what = f"{BEINGS[head.card].name} cannot be summoned so"
        objection = Objection(what, "a square and an image where its pattern matches", "rules §7")
    if objection is not None:
        raise IllegalMove(objection.what, rule=objection.rule, expected=objection.expected)
    return None


def kinds(state: State) -> frozenset[Kind]:
    """The kinds of moves that can come now at all."""
    if state.setter != NOBODY:
        return _SETTING
    if state.begun:
        return _GOING_ON
    if state.turn.passed:
        return _PARTNER if state.turn.actions else _ENDING
    return _IN_TEAM if state.rules.is_team and state.turn.actions else _IN_TURN


def against(look: Look, kind: Kind, card: int) -> Objection | None:
    """What is against beginning a move of this kind with this card, wherever it goes."""
    wanted = kinds(look.before)
    if kind not in wanted:
        expected = "one of " + ", ".join(sorted(f"`{each}`" for each in wanted))
        return Objection(f"`{kind}` cannot come now", expected, "rules §5")
    if kind in (Kind.SET, Kind.PASS, Kind.GO):
        return None
    if kind is Kind.PLACE:
        return None if look.actions else _NO_ACTION
    if kind is Kind.END:
        return Objection(f"{look.actions} actions are left", "an action", "rules §5") if can_act(look) else None
    if kind is Kind.FLARE:
        return _against_flare(look, card)
    player = look.player
    key = key_of(kind, card)
    if kind is Kind.THAW:
        return None if player.frozen == card else Objection(f"{key} is not frozen", "the frozen effect", "rules §16")
    held = card in player.beings
    if kind is Kind.WARP:
        return _against_warp(look, card) if held else _not_held(key)
    if not look.actions:
        return _NO_ACTION
    if kind is Kind.SUMMON:
        return None if held or card in player.legends or player.pending == card else _not_held(key)
    if not held:
        return _not_held(key)
    if look.before.rules.form is Form.FIRST:
        return Objection("the first game has no discarding", "another action", "rules §15")
    return Objection("a being was discarded this turn", "another action", "rules §5") if look.turn.discarded else None


def _not_held(key: str) -> Objection:
    return Objection(f"{key} is not among the cards you can use so", "a card of your hand", "rules §6")


def _against_warp(look: Look, card: int) -> Objection | None:
    if not BEINGS[card].warp:
        return Objection(f"{BEINGS[card].key} has no warp effect", "a being that has one", "rules §16")
    if look.player.pending != NOTHING:
        return Objection("a being is pending already", "a move without warping", "rules §16")
    if look.player.turns < 2:
        return Objection("this is your first turn", "a move without warping", "rules §16")
    return None


def _against_flare(look: Look, card: int) -> Objection | None:
    if card not in look.player.flares:
        return _not_held(FLARES[card].key)
    if not any(halves(look, card, enemy) for enemy in look.enemies):
        return Objection("no opponent is so far ahead of you", "a flare of which one criterion holds", "rules §8")
    return None


def halves(look: Look, card: int, enemy: int) -> tuple[str, ...]:
    """The halves of the flare whose criteria hold against this colour, in the order in which they are resolved."""
    flare = FLARES[card]
    found = []
    if look.of(enemy, UPGRADED).bit_count() - look.own(UPGRADED).bit_count() >= flare.upper:
        found.append("upper")
    if look.of(enemy, ANY).bit_count() - look.own(ANY).bit_count() >= flare.lower:
        found.append("lower")
    return tuple(found)


def can_act(look: Look) -> bool:
    """Whether an action is left that can be used: a common can nearly always be placed (rules §5)."""
    return look.actions > 0 and (can_place(look) or _can_discard(look) or _can_summon(look))


def _can_discard(look: Look) -> bool:
    return any(against(look, Kind.DISCARD, card) is None for card in look.player.beings)


def _can_summon(look: Look) -> bool:
    return any(ways(look, card) for card in summonable(look))


def summonable(look: Look) -> list[int]:
    """The beings that the seat holds, legends and a pending one included."""
    player = look.player
    pending = () if player.pending == NOTHING else (player.pending,)
    return [*dict.fromkeys((*player.beings, *pending, *player.legends))]


def can_place(look: Look) -> bool:
    """Whether there is any way to place a common."""
    return bool(look.empty if look.stock(look.me, COMMON) > 0 else look.own(C | H))


def placings(look: Look) -> list[Placing]:
    """All ways to place a common; for want of counters an own two-sided piece is lifted first (rules §6)."""
    empty = look.empty
    if look.stock(look.me, COMMON) > 0:
        return [Placing(square, NOTHING) for square in bits(empty)]
    return [Placing(square, lifted) for lifted in bits(look.own(C | H)) for square in bits(empty | 1 << lifted)]


def write_placing(placing: Placing) -> str:
    """`e5`, or `d4>e5` with a piece to be lifted."""
    square, lifted = placing
    return NAMES[square] if lifted == NOTHING else f"{NAMES[lifted]}>{NAMES[square]}"


def read_placing(look: Look, text: str) -> Placing | None:
    """The placing that the text says, None when it is not possible."""
    lifted, arrow, square = text.rpartition(">")
    if square not in NAMED or (arrow and lifted not in NAMED):
        return None
    free = look.empty
    if look.stock(look.me, COMMON) > 0:
        return Placing(NAMED[square], NOTHING) if not arrow and free >> NAMED[square] & 1 else None
    if not arrow or not look.own(C | H) >> NAMED[lifted] & 1:
        return None
    return Placing(NAMED[square], NAMED[lifted]) if (free | 1 << NAMED[lifted]) >> NAMED[square] & 1 else None
