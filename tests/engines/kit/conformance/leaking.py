"""The card game with a leak, each by another door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from google.protobuf.message import Message

from engines.kit.game import EVERYBODY, Audience, Choice, Draw, Fact, IllegalMove
from tests.engines.kit.cardgame.game import Cellar
from tests.engines.kit.cardgame.state import State

Result = tuple[State, Sequence[Fact]]


class ShowsHands(Cellar):
    def view(self, state: State, audience: Audience) -> Message:
        view: Any = super().view(state, audience)
        del view.places[0].hand[:]
        view.places[0].hand.extend(state.places[0].hand)
        return cast(Message, view)


class SortsByHiddenCards(Cellar):
    """The order of the open discards tells whether the first seat's stake is high."""

    def view(self, state: State, audience: Audience) -> Message:
        view: Any = super().view(state, audience)
        if audience != EVERYBODY and state.places[0].stake[1:] > "3":
            turned = list(view.discards)[::-1]
            del view.discards[:]
            view.discards.extend(turned)
        return cast(Message, view)


class OffersCallsThatWork(Cellar):
    """A suit can be asked for only where it lies."""

    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        found = super().choices(state, seat, prefix)
        if not prefix.startswith("call:"):
            return found
        held = {slot.card[0] for slot in state.places[int(prefix[5])].cellar if slot}
        return [choice for choice in found if choice.text[-1] in held]


class OnlyWaitsForWhoCanShow(Cellar):
    def may_act(self, state: State) -> frozenset[int]:
        found = super().may_act(state)
        rich = {seat for seat in range(len(state.places)) if "R5" in state.places[seat].hand}
        return found | (frozenset(rich) if state.phase == "turns" else frozenset())


class WaitsLongerForTheRich(Cellar):
    def limit_ms(self, state: Any) -> int | None:
        limit = super().limit_ms(state)
        return limit and limit + sum(card > "R" for card in state.places[state.call.to].hand)


class GoesOnWaitingByTheCard(Cellar):
    """Whether a time limit begins anew depends on the card that was staked."""

    def limit_goes_on(self, before: Any, after: Any) -> bool:
        laid = [new.stake for old, new in zip(before.places, after.places, strict=True) if old.stake != new.stake]
        return bool(laid) and laid[0] > "G"


class RefusesWithTheCard(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        try:
            return super().apply(state, seat, move, draw)
        except IllegalMove as error:
            hand = state.places[(seat + 1) % len(state.places)].hand
            raise IllegalMove(f"{error.what} {hand[:1]}", rule=error.rule, expected=error.expected) from None


class ReadsVerbatim(Cellar):
    def redact(self, state: State, seat: int, move: str, audience: Audience) -> str:
        return move


class ReadsThePlaceInTheHand(Cellar):
    def redact(self, state: State, seat: int, move: str, audience: Audience) -> str:
        text = super().redact(state, seat, move, audience)
        if text == move or not move.startswith("lay:"):
            return text
        return text.replace("?", "low" if int(move[5]) < 3 else "high", 1)


class TellsAll(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        after, facts = super().apply(state, seat, move, draw)
        return after, [fact._replace(audiences=None) for fact in facts]


class TellsWhatWasDrawn(Cellar):
    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        after, facts = super().apply(state, seat, move, draw)
        return after, [fact._replace(audiences=None) if fact.kind == "drew_card" else fact for fact in facts]


class CountsTriesByTheCard(Cellar):
    """One fact more when a high card is laid."""

    def apply(self, state: State, seat: int, move: str, draw: Draw) -> Result:
        after, facts = super().apply(state, seat, move, draw)
        more = [fact for fact in facts if fact.kind == "laid" and move[5] > "3"]
        return after, [*facts, *more]


class TellsAtLeaving(Cellar):
    def leave(self, state: State, seat: int, draw: Draw) -> Result:
        after, facts = super().leave(state, seat, draw)
        return after, [*facts, Fact("drew_card", (("card", state.pile[0] if state.pile else "-"),))]


class TellsAtTimeOut(Cellar):
    def time_out(self, state: Any, draw: Draw) -> Result:
        after, facts = super().time_out(state, draw)
        return after, [*facts, Fact("drew_card", (("card", state.pile[0] if state.pile else "-"),))]


class LooksAndTakesBack(Cellar):
    """A peek can be undone."""

    def barrier(self, before: Any, after: Any) -> bool:
        return super().barrier(before, after) and before.pile == after.pile and before.discards != after.discards


class DisturbedByTheCard(Cellar):
    """Whether a stake disturbs the others depends on the card."""

    def undisturbed(self, before: Any, after: Any) -> frozenset[int]:
        found = super().undisturbed(before, after)
        laid = [new.stake for old, new in zip(before.places, after.places, strict=True) if old.stake != new.stake]
        return found if laid and laid[0] > "G" else frozenset()


LEAKING = [
    ShowsHands,
    SortsByHiddenCards,
    OffersCallsThatWork,
    OnlyWaitsForWhoCanShow,
    WaitsLongerForTheRich,
    RefusesWithTheCard,
    ReadsVerbatim,
    ReadsThePlaceInTheHand,
    TellsAll,
    TellsWhatWasDrawn,
    CountsTriesByTheCard,
    TellsAtLeaving,
    TellsAtTimeOut,
    LooksAndTakesBack,
    DisturbedByTheCard,
    GoesOnWaitingByTheCard,
]
