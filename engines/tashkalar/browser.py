"""The cards as somebody may look them up: found by name or deck, each with its diagram and what it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engines.kit import faces as kit
from engines.kit.faces import Face, Shelved, look_up
from engines.tashkalar.board import DIRECTIONS
from engines.tashkalar.cards import BEINGS, DECKS, FLARES, TASKS, Being, Flare, Task
from engines.tashkalar.words import card_texts

Texts = Mapping[str, str]
Place = tuple[int, int]

_ARROWS: Final = "↑↗→↘↓↙←↖"
_CARDS: Final[tuple[Being | Flare | Task, ...]] = (*BEINGS, *FLARES, *TASKS)
_SHELVES: Final = (*DECKS, "flares", "tasks")


def faces(wanted: str, language: str) -> list[Face]:
    """The cards that fit, as `look_up`; shelves are the decks, `flares` and `tasks`."""
    texts = card_texts(language)
    shelved = ((_shelf(card), _face(card, texts)) for card in _CARDS)
    return look_up((Shelved(face, (shelf, face.deck)) for shelf, face in shelved), wanted)


def alike(wanted: str) -> list[str]:
    """Names and shelves that may have been meant."""
    names = [card.key if isinstance(card, Flare) else card.name for card in _CARDS]
    return kit.alike(wanted, names, _SHELVES)


def headings(language: str) -> list[str]:
    """What stands over a table of cards: name, deck, rank or type, text."""
    texts = card_texts(language)
    return [texts[f"label.heading.{column}"] for column in ("card", "deck", "rank", "effect")]


def _shelf(card: Being | Flare | Task) -> str:
    if isinstance(card, Being):
        return card.deck
    return "flares" if isinstance(card, Flare) else "tasks"


def _face(card: Being | Flare | Task, texts: Texts) -> Face:
    deck = texts[f"label.{_shelf(card)}"]
    if isinstance(card, Being):
        kind = texts[f"label.{card.rank.name.lower()}"]
        return Face(card.key, card.name, deck, kind, diagram(card), _legend(card, texts), tuple(_effects(card, texts)))
    if isinstance(card, Flare):
        number = card.number + 1
        leads = {"upper": card.upper, "lower": card.lower}
        halves = (
            (texts[f"label.{half}"].format(lead=lead), texts[f"flare.{number}.{half}"]) for half, lead in leads.items()
        )
        return Face(card.key, texts["label.flare"].format(number=number), deck, "", says=tuple(halves))
    kinds = [texts[f"label.{card.type}"], texts["label.points"].format(points=card.points)]
    if card.advanced:
        kinds.insert(0, texts["label.advanced"])
    says = (texts["label.claimed"], texts[f"task.{card.key}"])
    return Face(card.key, card.name, deck, ", ".join(kinds), says=(says,))


def _effects(being: Being, texts: Texts) -> Iterator[tuple[str, str]]:
    yield texts["label.summoned"], texts[f"effect.{being.key}"]
    for kind, has in (("frozen", being.frozen), ("warp", being.warp)):
        if has:
            yield texts[f"label.{kind}"], texts[f"{kind}.{being.key}"]


def diagram(being: Being) -> tuple[tuple[str, ...], ...]:
    """The pattern as printed: `[ ]` the summoning square, C and H pieces, `*` and `o` marks, arrows directions."""
    letters: dict[Place, str] = {(cell.dx, cell.dy): "CHL"[cell.rank] for cell in being.pattern}
    marks = {**dict.fromkeys(being.squares, "*"), **dict.fromkeys(being.special, "o")}
    arrows = {DIRECTIONS[direction]: _ARROWS[direction] for direction in being.directions}
    places: set[Place] = {(0, 0), *letters, *marks, *arrows}
    columns = range(min(x for x, _ in places), max(x for x, _ in places) + 1)
    rows = range(min(y for _, y in places), max(y for _, y in places) + 1)

    def cell(place: Place) -> str:
        letter = letters.get(place, "")
        if place == (0, 0) and not being.anywhere:
            return f"[{letter or ' '}]"
        return (
            f" {letter}{marks.get(place, '')}".ljust(3) if letter else f" {marks.get(place, arrows.get(place, '.'))} "
        )

    return tuple(tuple(cell((x, y)) for x in columns) for y in rows)


def _legend(being: Being, texts: Texts) -> tuple[str, ...]:
    told = {
        "anywhere": being.anywhere,
        "summon": not being.anywhere and being.requires_own is None,
        "own": being.requires_own is not None,
        "pieces": True,
        "marked": bool(being.squares),
        "special": len(being.special) == 1,
        "mirrored": len(being.special) > 1,
        "directions": bool(being.directions),
    }
    return tuple(texts[f"label.legend.{key}"] for key, shown in told.items() if shown)
