"""Who acts, how it ends, what is told: the small promises of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from string import Formatter
from typing import Any

from engines.kit.conformance.match import Step
from engines.kit.conformance.report import NotConforming, require
from engines.kit.game import EVERYBODY, PUBLIC, Fact, GameInfo, Outcome
from engines.kit.state import AnyGame

WIDEST_TEXT = 100


def audiences(seats: int) -> tuple[int, ...]:
    """All audiences of a match."""
    return (*range(seats), PUBLIC, EVERYBODY)


def check_seats(game: AnyGame, state: Any, seats: int) -> None:
    """Who must act can act; only who can act has choices; nobody acts when the game is over."""
    awaited, may_act, outcome = game.awaited(state), game.may_act(state), game.outcome(state)
    known = frozenset(range(seats))
    require(may_act <= known, "may_act", f"{sorted(may_act)} of {seats} seats")
    require(awaited <= may_act, "awaited", f"{sorted(awaited)} must act, but only {sorted(may_act)} can")
    limit = game.limit_ms(state)
    if outcome is not None:
        check_outcome(game.info, outcome, seats)
        require(not may_act, "may_act", f"{sorted(may_act)} can act after the end")
        require(limit is None, "limit_ms", f"{limit} after the end")
    else:
        require(awaited or limit is not None, "awaited", "nobody must act, no limit runs, and there is no outcome")
        require(limit is None or limit >= 1, "limit_ms", f"{limit}, expected None or at least 1")
    for seat in range(seats):
        found = game.choices(state, seat)
        require(not found or seat in may_act, "choices", f"seat {seat} has choices but cannot act: {found[:3]!r}")
        require(found or seat not in awaited, "choices", f"seat {seat} must act but has no choice")


def check_outcome(info: GameInfo, outcome: Outcome, seats: int) -> None:
    """A place for every seat in seat order; places count from 1 without holes; a team shares its place."""
    placements = outcome.placements
    require([p.seat for p in placements] == list(range(seats)), "outcome", f"not one placement a seat: {outcome!r}")
    places = sorted(p.place for p in placements)
    for at, place in enumerate(places):
        better = sum(other < place for other in places)
        dense = 1 + len({other for other in places if other < place})
        require(dense <= place <= 1 + better, "outcome", f"place {places[at]} cannot be in {places}")
    teams: dict[int, int] = {}
    for p in placements:
        if p.team is not None:
            require(
                teams.setdefault(p.team, p.place) == p.place, "outcome", f"team {p.team} has two places: {outcome!r}"
            )
    for language, catalogue in info.catalogues.items():
        require(outcome.reason in catalogue, "outcome", f"reason {outcome.reason!r} is not in the catalogue {language}")


def check_facts(info: GameInfo, facts: Sequence[Fact], seats: int) -> None:
    """Each fact can be told in each language, to audiences that exist."""
    known = frozenset(audiences(seats))
    for fact in facts:
        parameters = dict(fact.parameters)
        if len(parameters) != len(fact.parameters):
            raise NotConforming("facts", f"a parameter twice: {fact!r}")
        if not all(isinstance(value, str) for value in parameters.values()):
            raise NotConforming("facts", f"a parameter is not text: {fact!r}")
        if not (fact.audiences or frozenset()) <= known:
            raise NotConforming("facts", f"audiences that do not exist: {fact!r}")
        for language, catalogue in info.catalogues.items():
            if fact.kind not in catalogue:
                raise NotConforming("facts", f"{fact.kind!r} is not in the catalogue {language}")
            missing = placeholders(catalogue[fact.kind]) - parameters.keys()
            if missing:
                raise NotConforming("facts", f"{fact!r} lacks {sorted(missing)} of the sentence in {language}")


def check_departure(game: AnyGame, step: Step) -> None:
    """Who has left is not waited for."""
    require(step.seat not in game.may_act(step.after), "leave", f"seat {step.seat} has left and can still act")


def check_catalogues(info: GameInfo) -> None:
    """English and Turkish, with the same keys and well-formed sentences."""
    require({"en", "tr"} <= info.catalogues.keys(), "catalogues", f"{sorted(info.catalogues)}, expected en and tr")
    english = info.catalogues["en"]
    for language, catalogue in info.catalogues.items():
        odd = sorted(english.keys() ^ catalogue.keys())
        require(not odd, "catalogues", f"{language} and en do not have the same keys: {odd}")
        for kind, sentence in catalogue.items():
            require(sentence.strip(), "catalogues", f"{language}: {kind!r} has no sentence")
            unknown = placeholders(sentence) ^ placeholders(english[kind])
            require(
                not unknown, "catalogues", f"{language}: {kind!r} has not the placeholders of en: {sorted(unknown)}"
            )


@cache
def placeholders(sentence: str) -> frozenset[str]:
    """Names in braces."""
    return frozenset({name for _, name, _, _ in Formatter().parse(sentence) if name is not None})


def check_text(game: AnyGame, state: Any, audience: int) -> None:
    """The view as text: lines of at most 100 columns, without control characters."""
    for language in game.info.catalogues:
        text = game.text(game.view(state, audience), audience, language)
        require(text.strip(), "text", f"nothing for audience {audience} in {language}")
        for line in text.split("\n"):
            require(len(line) <= WIDEST_TEXT, "text", f"{len(line)} columns in {language}: {line!r}")
            plain = all(character.isprintable() for character in line)
            require(plain, "text", f"a control character in {language}: {line!r}")
