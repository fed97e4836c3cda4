"""What a deck file must hold: each check adds what is wrong, where, and what was expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engines.itchyfeet import effects
from engines.itchyfeet.cards import Constants
from engines.itchyfeet.deck_distances import check_distances
from engines.itchyfeet.deck_enough import constant
from engines.itchyfeet.deck_format import (
    COUNTRY,
    ENTRY,
    LONGEST_NAME,
    MARKED,
    MOST_COPIES,
    RANGES,
    READ,
)
from engines.itchyfeet.deck_problems import Problems, in_short
from engines.itchyfeet.effects import Spec


class Checker(Problems):
    """What is checked of each group."""

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
        if not self.list(value, place):
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
        if self.list(value, "characters"):
            for index, entry in enumerate(value):
                here = f"characters[{index}]"
                if self.object(entry, here):
                    self._named(entry, here, seen, ENTRY - {"copies", "country"})
                    self._effect(entry.get("effect"), f"{here}.effect", effects.CHARACTERS)

    def countries(self, document: Mapping[str, Any]) -> None:
        """The countries: what they require exists often enough, and the distances between all are there."""
        items = {str(card.get("id")): card.get("copies", 1) for card in self.entries(document.get("items"))}
        value, seen = document.get("countries"), dict[str, str]()
        if not self.list(value, "countries"):
            return
        needed = constant(document, "items_per_country")
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
                self.add(f"{place}.value", f"is {in_short(value)}, but {name} has {sum(copies)} cards")
        self.fields(counts, "counts", groups)

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
            self.shown(f"{here}.name", name, f"1 to {LONGEST_NAME} printable characters")
        self.source(entry.get("source"), f"{here}.source")
        if "effect_source" in entry:
            self.source(entry["effect_source"], f"{here}.effect_source")
        for field in sorted(entry.keys() & READ):
            if not isinstance(entry[field], str):
                self.shown(f"{here}.{field}", entry[field], "text")
        self.fields(entry, here, known)

    def _effect(self, value: Any, place: str, specs: Mapping[str, Spec]) -> None:
        if not self.object(value, place):
            return
        kind = value.get("kind")
        spec = specs.get(kind) if isinstance(kind, str) else None
        if spec is None:
            self.shown(f"{place}.kind", kind, f"one of {', '.join(specs)}")
            return
        if spec.timings and value.get("when") not in spec.timings:
            self.shown(f"{place}.when", value.get("when"), " or ".join(spec.timings))
        for name, least, most in spec.params:
            self.number(value.get(name), f"{place}.{name}", least, most)
        if kind == effects.POST and _both(value) and value["min"] > value["max"]:
            self.add(f"{place}.min", f"is {value['min']}; expected at most max, {value['max']}")
        known = {"kind", *(name for name, _, _ in spec.params), *(("when",) if spec.timings else ())}
        for name in sorted(value.keys() - known):
            self.add(f"{place}.{name}", f"is not known; {kind} takes {', '.join(sorted(known))}")


def _both(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("min"), int) and isinstance(value.get("max"), int)
