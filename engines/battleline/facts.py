"""What moves tell, and whom. Parameters that are keys of the catalogues (`wedge`, `MUD`, `troop`) are shown by them."""

from __future__ import annotations

from functools import cache

from engines.battleline.cards import NAMES, names
from engines.battleline.formation import Rank, Strength
from engines.battleline.notation import DECKS
from engines.battleline.proof import Verdict
from engines.battleline.state import NOBODY, TACTICS_DECK, TROOP_DECK, Cards, Result, deck_of
from engines.kit.game import Audience, Fact

_OWN = tuple(frozenset[Audience]({seat}) for seat in (0, 1))

Parameters = tuple[tuple[str, str], ...]


def _seat(seat: int) -> tuple[str, str]:
    return ("seat", str(seat))


def _flag(flag: int) -> tuple[str, str]:
    return ("flag", str(flag + 1))


def _card(card: int) -> tuple[str, str]:
    return ("card", NAMES[card])


@cache
def played(seat: int, card: int, flag: int) -> Fact:
    """A card went from the hand to a flag."""
    return Fact("played", (_seat(seat), _card(card), _flag(flag)))


def scouted(seat: int, draws: int) -> Fact:
    """Scout was played and draws so many cards."""
    return Fact("scouted", (_seat(seat), ("count", str(draws))))


def deserted(seat: int, card: int, flag: int) -> Fact:
    """Deserter discarded the opponent's card."""
    return Fact("deserted", (_seat(seat), _card(card), _flag(flag)))


def taken(seat: int, card: int, flag: int, to: int) -> Fact:
    """Traitor brought the opponent's troop over."""
    return Fact("taken", (_seat(seat), _card(card), _flag(flag), ("to", str(to + 1))))


def moved(seat: int, card: int, flag: int, to: int) -> Fact:
    """Redeploy moved a card."""
    return Fact("moved", (_seat(seat), _card(card), _flag(flag), ("to", str(to + 1))))


def removed(seat: int, card: int, flag: int) -> Fact:
    """Redeploy discarded a card."""
    return Fact("removed", (_seat(seat), _card(card), _flag(flag)))


def trimmed(seat: int, card: int, flag: int) -> Fact:
    """A side without Mud gave up its fourth card."""
    return Fact("trimmed", (_seat(seat), _card(card), _flag(flag)))


def passed(seat: int) -> Fact:
    """The seat played nothing."""
    return Fact("passed", (_seat(seat),))


@cache
def drew(seat: int, card: int) -> tuple[Fact, Fact]:
    """A card was drawn: all see its back, its seat learns which it is."""
    return (
        Fact("drew", (_seat(seat), ("deck", DECKS[deck_of(card)]))),
        Fact("drew_card", (_seat(seat), _card(card)), _OWN[seat]),
    )


def returned(seat: int, cards: Cards) -> tuple[Fact, Fact]:
    """Scout put cards back, the last one on top: all see on which decks."""
    backs = [deck_of(card) for card in cards]
    counts = (("troops", str(backs.count(TROOP_DECK))), ("tactics", str(backs.count(TACTICS_DECK))))
    return (
        Fact("returned", (_seat(seat), *counts)),
        Fact("returned_cards", (_seat(seat), ("cards", names(cards))), _OWN[seat]),
    )


def _strength(prefix: str, strength: Strength) -> Parameters:
    return (prefix, Rank(strength.rank).name.lower()), (f"{prefix}_sum", str(strength.sum))


def claimed(seat: int, flag: int, verdict: Verdict) -> Fact:
    """A flag was claimed, with the proof: the best that the other side has or could still reach."""
    assert verdict.mine is not None
    mine = (_seat(seat), _flag(flag), *_strength("mine", verdict.mine))
    if verdict.reply is None:
        return Fact("claimed_unanswerable", mine)
    both = (*mine, *_strength("theirs", verdict.reply.strength))
    tie = verdict.reply.strength == verdict.mine
    if not verdict.reply.fill:
        return Fact("claimed_first" if tie else "claimed_shown", both)
    return Fact("claimed_tie" if tie else "claimed_proven", (*both, ("cards", names(verdict.reply.fill))))


def won(result: Result) -> Fact:
    """A game ended; the fact's kind tells how."""
    points = (("points_0", str(result.points[0])), ("points_1", str(result.points[1])))
    if result.winner == NOBODY:
        return Fact("drawn_stuck", points)
    return Fact(f"won_{result.reason}", (_seat(result.winner), *points))


def dealt(game: int, starter: int) -> Fact:
    """The next game of the match begins; `game` counts from 1."""
    return Fact("dealt", (("game", str(game)), _seat(starter)))
