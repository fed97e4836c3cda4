"""`choices` and `apply` agree both ways, and what is refused is refused with a reason."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from core.fairness.draw import SeededDraw
from engines.kit.conformance.report import NotConforming, require
from engines.kit.game import IllegalMove
from engines.kit.state import AnyGame

LONGEST_MOVE: Final = 1024
"""Bytes of a move, as the API takes it."""


class Moves(NamedTuple):
    """Complete moves of a seat; `all`: there are no others."""

    texts: tuple[str, ...]
    all: bool


def complete_moves(game: AnyGame, state: Any, seat: int, most: int) -> Moves:
    """The seat's complete moves by going through all choices, at most `most` of them."""
    found: list[str] = []
    waiting = [*reversed(check_list(game, state, seat, ""))]
    while waiting:
        choice = waiting.pop()
        if choice.complete:
            found.append(choice.text)
            if len(found) > most:
                return Moves(tuple(found[:most]), False)
        waiting += reversed(check_list(game, state, seat, choice.text))
    return Moves(tuple(found), True)


def check_list(game: AnyGame, state: Any, seat: int, prefix: str) -> Sequence[Any]:
    """The choices after a prefix, which are returned: each goes on from it, in text that a log can hold."""
    found = game.choices(state, seat, prefix)
    texts = [choice.text for choice in found]
    require(len(set(texts)) == len(texts), "choices", lambda: f"a choice twice after {prefix!r}: {texts!r}")
    for choice in found:
        text = choice.text
        if not (text.startswith(prefix) and len(text) > len(prefix)):
            raise NotConforming("choices", f"{text!r} does not go on from {prefix!r}")
        if not (text.isprintable() and text == text.strip() and len(text.encode()) <= LONGEST_MOVE):
            raise NotConforming("notation", f"{text!r} is not printable, padded or longer than {LONGEST_MOVE} bytes")
        if not all(isinstance(target, str) and target for target in choice.targets):
            raise NotConforming("choices", f"{text!r} has targets that are not ids: {choice.targets!r}")
        if not (choice.complete or game.choices(state, seat, text)):
            raise NotConforming("choices", f"{text!r} is neither complete nor can it go on")
    return found


def reachable(game: AnyGame, state: Any, seat: int, move: str) -> bool:
    """Whether the choices lead to the move, part by part."""
    prefixes = [""]
    while prefixes:
        for choice in game.choices(state, seat, prefixes.pop()):
            if choice.text == move and choice.complete:
                return True
            if len(choice.text) < len(move) and move.startswith(choice.text):
                prefixes.append(choice.text)
    return False


def check_accepted(game: AnyGame, state: Any, seat: int, moves: Sequence[str], draw: SeededDraw) -> None:
    """`apply` takes what `choices` lists."""
    for move in moves:
        try:
            game.apply(state, seat, move, draw)
        except IllegalMove as error:
            raise NotConforming("choices", f"{move!r} of seat {seat} is listed but refused: {error}") from error


def refusal(game: AnyGame, state: Any, seat: int, move: str, draw: SeededDraw) -> tuple[str, str, str] | None:
    """What the refusal of a move says: (what, rule, expected); None: the move was taken."""
    try:
        game.apply(state, seat, move, draw)
    except IllegalMove as error:
        return error.what, error.rule, error.expected
    except Exception as error:
        raise NotConforming("apply", f"{move!r} of seat {seat} raised {error!r}, expected IllegalMove") from error
    return None


def check_refused(game: AnyGame, state: Any, seat: int, texts: Sequence[str], draw: SeededDraw) -> None:
    """`apply` refuses what `choices` does not lead to, names the rule and says what was expected."""
    for text in texts:
        said = refusal(game, state, seat, text, draw)
        if said is None:
            legal = reachable(game, state, seat, text)
            require(legal, "apply", f"{text!r} of seat {seat} was taken, but choices do not lead to it")
        else:
            full = all(part.strip() for part in said)
            require(full, "apply", f"the refusal of {text!r} lacks what, rule or expected: {said!r}")


def wrong_moves(own: Sequence[str], others: Sequence[str], rng: random.Random, most: int) -> list[str]:
    """Texts that are no moves, or hardly ever: odd strings, damaged moves, moves of other seats and times."""
    texts = ["", " ", "\0", "\n", "a" * LONGEST_MOVE, "-", "move", "é", "\U0001f600", "1"]
    texts += rng.sample(list(others), min(len(others), most // 3))
    alphabet = sorted({character for move in (*own, *others) for character in move}) or ["a"]
    for move in rng.sample(list(own), min(len(own), most // 12)):
        texts += damaged(move, alphabet, rng)
    while len(texts) < most:
        texts.append("".join(rng.choice(alphabet) for _ in range(rng.randint(1, 12))))
    return texts


def damaged(move: str, alphabet: Sequence[str], rng: random.Random) -> Iterator[str]:
    """The move cut, padded, doubled, with letters changed, lost or swapped, or with digits that only look like some."""
    at = rng.randrange(len(move))
    yield move[:at]
    yield move[:-1]
    yield move[at + 1 :]
    yield move + rng.choice(move)
    yield move + "\n"
    yield f" {move}"
    yield f"{move} "
    yield move + move
    yield move.swapcase()
    for at in rng.choices(range(len(move)), k=3):
        yield move[:at] + rng.choice(alphabet) + move[at + 1 :]
    yield "".join(chr(ord("０") + int(c)) if c in "0123456789" else c for c in move)
    yield move[::-1]
