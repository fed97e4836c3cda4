"""What a deck file must hold: each check adds what is wrong, where, and what was expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engines.itchyfeet import effects
from engines.itchyfeet.cards import Constants
from engines.itchyfeet.deck_distances import check_distances
from engines.itchyfeet.deck_format import (
    COUNTRY,
    ENTRY,
    ID,
    LONGEST_NAME,
    MARKED,
    MOST_CARDS,
    MOST_COPIES,
    MOST_DRAWS,
    MOST_KINDS,
    RANGES,
    READ,
    SEATS,
    SOURCES,
    TOP,
    DeckError,
)
from engines.itchyfeet.effects import Spec
from engines.kit.game import Problem


class Checker:
    """Collects problems."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, place: str, what: str) -> None:
        """Something is wrong."""
        self._found.append(Problem(place, what))

    def shown(self, place: str, value: Any, expected: str) -> None:
        """The value is not what was expected."""
        self.add(place, f"is {_shown(value)}; expected {expected}")

    def stop(self) -> None:
        """Raises `DeckError` when anything was wrong."""
        if self._found:
            raise DeckError(tuple(self._found))

    def object(self, value: Any, place: str) -> bool:
        """The value is an object."""
        if not isinstance(value, dict):
            self.add(place, f"is {_shown(value)}; expected an object")
        return isinstance(value, dict)

    def entries(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The objects of a list."""
        if isinstance(value, list):
            yield from (entry for entry in value if isinstance(entry, dict))

    def id(self, value: Any, place: str) -> bool:
        """The value is an id."""
        fits = isinstance(value, str) and ID.fullmatch(value) is not None and value != "none"
        if not fits:
            self.add(
                place, f"is {_shown(value)}; expected an id: a-z, then a-z, 0-9 and _, at most 32 characters, not none"
            )
        return fits

    def number(self, value: Any, place: str, least: int, most: int) -> bool:
        """The value is a whole number in a range."""
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        if not fits:
            self.shown(place, value, f"a whole number from {least} to {most}" if least < most else str(least))
        return fits

    def constants(self, value: Any) -> None:
        """The numbers of the rules, each with its source."""
        if not self.object(value, "constants"):
            return
        for name in Constants._fields:
            place = f"constants.{name}"
            entry: Any = value.get(name)
            if self.object(entry, place):
                self.number(entry.get("value"), f"{place}.value", *RANGES[name])
                self.source(entry.get("source"), f"{place}.source")
                self.fields(entry, place, MARKED)
        self.fields(value, "constants", Constants._fields)

    def cards(
        self, value: Any, place: str, seen: dict[str, str], specs: Mapping[str, Spec] | None, *, copies: bool
    ) -> None:
        """A group of cards; ids are unique over all groups."""
        if not self._list(value, place):
            return
        for index, entry in enumerate(value):
            here = f"{place}[{index}]"
            if not self.object(entry, here):
                continue
            self._named(entry, here, seen, ENTRY)
            if "copies" in entry:
                self.number(entry["copies"], f"{here}.copies", 1, MOST_COPIES if copies else 1)
            if specs is not None:
                self._effect(entry.get("effect"), f"{here}.effect", specs)
            elif "effect" in entry:
                self.add(f"{here}.effect", "stands on a card without one; expected none in this group")

    def characters(self, value: Any, seen: dict[str, str]) -> None:
        """The characters."""
        if self._list(value, "characters"):
            for index, entry in enumerate(value):
                here = f"characters[{index}]"
                if self.object(entry, here):
                    self._named(entry, here, seen, ENTRY - {"copies", "country"})
                    self._effect(entry.get("effect"), f"{here}.effect", effects.CHARACTERS)

    def countries(self, document: Mapping[str, Any]) -> None:
        """The countries: what they require exists often enough, and the distances between all are there."""
        items = {str(card.get("id")): card.get("copies", 1) for card in self.entries(document.get("items"))}
        value, seen = document.get("countries"), dict[str, str]()
        if not self._list(value, "countries"):
            return
        needed = _constant(document, "items_per_country")
        assert isinstance(value, list)
        for index, entry in enumerate(value):
            here = f"countries[{index}]"
            if not self.object(entry, here):
                continue
            self._named(entry, here, seen, COUNTRY)
            requires = entry.get("requires")
            if not isinstance(requires, list) or (needed is not None and len(requires) != needed):
                size = "" if needed is None else f"{needed} "
                self.shown(f"{here}.requires", requires, f"a list of {size}item ids")
                continue
            wanted = Counter[str]()
            for at, item in enumerate(requires):
                place = f"{here}.requires[{at}]"
                if not isinstance(item, str) or item not in items:
                    self.shown(place, item, "the id of an item of this file")
                    continue
                wanted[item] += 1
                if isinstance(items[item], int) and wanted[item] == items[item] + 1:
                    self.add(place, f"is {item!r} once more than there are; expected at most {items[item]} of them")
        check_distances(self, document.get("distances_km"), list(seen))

    def counts(self, document: Mapping[str, Any]) -> None:
        """The number of cards in each group is the one that the file states."""
        counts: Any = document.get("counts")
        if not self.object(counts, "counts"):
            return
        groups = ("countries", "items", "passports", "events", "special_items", "contraband", "postcards", "characters")
        for name in groups:
            place = f"counts.{name}"
            stated: Any = counts.get(name)
            if not self.object(stated, place):
                continue
            self.source(stated.get("source"), f"{place}.source")
            self.fields(stated, place, MARKED)
            copies = [entry.get("copies", 1) for entry in self.entries(document.get(name))]
            value = stated.get("value")
            if all(isinstance(number, int) for number in copies) and (type(value) is not int or value != sum(copies)):
                self.add(f"{place}.value", f"is {_shown(value)}, but {name} has {sum(copies)} cards")
        self.fields(counts, "counts", groups)

    def enough(self, document: Mapping[str, Any]) -> None:
        """Six seats can be dealt to, limits can always be kept (rulings R20, R46), and cards are not too many."""

        def total(name: str) -> int:
            found = [entry.get("copies", 1) for entry in self.entries(document.get(name))]
            return sum(number for number in found if isinstance(number, int))

        for name, least in (("passports", SEATS), ("characters", SEATS), ("countries", SEATS + 1)):
            if total(name) < least:
                self.add(name, f"has {total(name)} cards; expected at least {least}, for six seats")
        start = _constant(document, "starting_items") or 0
        characters = list(self.entries(document.get("characters")))
        most = max([start, *_numbers(characters, "start_items")])
        if total("items") < SEATS * most:
            self.add("items", f"has {total('items')} cards; expected at least {SEATS * most}, for six hands")
        limit = _constant(document, "hand_limit")
        if limit is not None:
            self._limits(document, limit, start, total("contraband"), min([limit, *_numbers(characters, "hand_limit")]))
        self._chain(document)
        cards = sum(map(total, ("items", "passports", "special_items", "contraband", "postcards", "events")))
        if cards > MOST_CARDS:
            self.add("the file", f"has {cards} cards; expected at most {MOST_CARDS}")
        to_win = _constant(document, "postcards_to_win")
        if to_win is not None and total("postcards") >= 2 * to_win:
            self.add("postcards", f"has {total('postcards')} cards; expected fewer than {2 * to_win}: one winner (R46)")

    def _limits(self, document: Mapping[str, Any], limit: int, start: int, contraband: int, least: int) -> None:
        """The deal and a travel fit into a hand, and every hand can come down to the `least` limit."""
        if contraband >= least:
            self.add("contraband", f"has {contraband} cards; expected fewer than the hand limit {least} (R20)")
        for name, items in (("starting_items", start), ("items_per_country", _constant(document, "items_per_country"))):
            if items is not None and items >= limit:
                what = f"is {items}; expected fewer than the hand limit {limit}: a passport is held with them"
                self.add(f"constants.{name}.value", what)

    def _chain(self, document: Mapping[str, Any]) -> None:
        """Events that make all draw can turn up one another, the more the longer: a move must come to its end (R14)."""
        draws = 1
        for entry in self.entries(document.get("events")):
            copies = entry.get("copies", 1)
            for number in _numbers([entry], "draw"):
                if isinstance(copies, int) and 1 <= copies <= MOST_COPIES and 1 <= number <= MOST_DRAWS:
                    draws *= (SEATS * number) ** copies
        if draws > MOST_DRAWS:
            what = f"can turn up one another: more than {MOST_DRAWS} draws in one move"
            self.add("events", f"{what}; expected fewer copies with all_draw, or a smaller draw")

    def unknown_fields(self, document: Mapping[str, Any]) -> None:
        """Fields that the format does not know."""
        self.fields(document, "", TOP)

    def _list(self, value: Any, place: str) -> bool:
        fits = isinstance(value, list) and len(value) <= MOST_KINDS
        if not fits:
            self.add(place, f"is {_shown(value)}; expected a list of at most {MOST_KINDS} objects")
        return fits

    def _named(self, entry: Mapping[str, Any], here: str, seen: dict[str, str], known: frozenset[str]) -> None:
        ident, name = entry.get("id"), entry.get("name")
        if self.id(ident, f"{here}.id"):
            assert isinstance(ident, str)
            if ident in seen:
                self.add(f"{here}.id", f"is {ident!r}, which {seen[ident]} has; expected another: ids are unique")
            else:
                seen[ident] = here
        printable = isinstance(name, str) and name.strip() == name and name.isprintable()
        if not printable or not 1 <= len(str(name)) <= LONGEST_NAME:
            self.add(f"{here}.name", f"is {_shown(name)}; expected 1 to {LONGEST_NAME} printable characters")
        self.source(entry.get("source"), f"{here}.source")
        if "effect_source" in entry:
            self.source(entry["effect_source"], f"{here}.effect_source")
        for field in sorted(entry.keys() & READ):
            if not isinstance(entry[field], str):
                self.shown(f"{here}.{field}", entry[field], "text")
        self.fields(entry, here, known)

    def source(self, value: Any, place: str) -> None:
        """The value is a source mark."""
        if value not in SOURCES:
            self.shown(place, value, f"one of {', '.join(SOURCES)}")

    def fields(self, entry: Mapping[str, Any], place: str, known: Iterable[str]) -> None:
        """The object has no fields but those known: others are mostly spelling mistakes."""
        for name in sorted(entry.keys() - set(known)):
            here = f"{place}.{name}" if place else name
            self.add(here, f"is not known; expected one of {', '.join(sorted(known))}")

    def _effect(self, value: Any, place: str, specs: Mapping[str, Spec]) -> None:
        if not self.object(value, place):
            return
        kind = value.get("kind")
        spec = specs.get(kind) if isinstance(kind, str) else None
        if spec is None:
            self.add(f"{place}.kind", f"is {_shown(kind)}; expected one of {', '.join(specs)}")
            return
        if spec.timings and value.get("when") not in spec.timings:
            self.add(f"{place}.when", f"is {_shown(value.get('when'))}; expected {' or '.join(spec.timings)}")
        for name, least, most in spec.params:
            self.number(value.get(name), f"{place}.{name}", least, most)
        if kind == effects.POST and _both(value) and value["min"] > value["max"]:
            self.add(f"{place}.min", f"is {value['min']}; expected at most max, {value['max']}")
        known = {"kind", *(name for name, _, _ in spec.params), *(("when",) if spec.timings else ())}
        for name in sorted(value.keys() - known):
            self.add(f"{place}.{name}", f"is not known; {kind} takes {', '.join(sorted(known))}")


def _numbers(entries: Iterable[Mapping[str, Any]], name: str) -> list[int]:
    """The values that the entries' effects give the parameter, where they are numbers."""
    effects_of = [entry.get("effect") for entry in entries]
    found = [effect.get(name) for effect in effects_of if isinstance(effect, dict)]
    return [value for value in found if isinstance(value, int)]


def _both(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("min"), int) and isinstance(value.get("max"), int)


def _constant(document: Mapping[str, Any], name: str) -> int | None:
    constants = document.get("constants")
    entry = constants.get(name) if isinstance(constants, dict) else None
    value = entry.get("value") if isinstance(entry, dict) else None
    return value if isinstance(value, int) else None


def _shown(value: Any) -> str:
    if value is None:
        return "missing"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
