"""Matches as text: events with what they did, boards, choices. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf import text_format
from google.protobuf.message import Message
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from hamle_client import Step, sentence, tell

from cli.words import word
from core.errors import Refused
from engines.kit.game import EVERYBODY, PUBLIC
from engines.registry import load_game

WIDEST = 100
"""Columns that a line takes where nothing says how many there are."""


def board(game: str, view: Message, *, seat: int | None, is_over: bool, language: str) -> str:
    """The view as its game draws it; the bare message for games whose rules are not installed here."""
    audience = EVERYBODY if is_over else PUBLIC if seat is None else seat
    try:
        rules = load_game(game)
    except Refused:
        return text_format.MessageToString(view).rstrip()
    return rules.text(view, audience, language).rstrip("\n")


def event_line(step: Step, info: match_pb2.GameInfo, *, seat: int | None, language: str) -> str:
    """`12  seat 1: d1e-d1c. The piece on c3f was captured.`: the event, then what it did."""
    event = step.event
    if event is None:
        return ""
    told = [_event(event, step.kind, info, seat, language), *(tell(info, fact, language) for fact in step.facts)]
    return f"{step.seq:>4}  {'  '.join(told)}"


def _event(event: event_pb2.Event, kind: str, info: match_pb2.GameInfo, seat: int | None, language: str) -> str:
    def who(number: int) -> str:
        return word("you" if number == seat else "other", language, seat=number)

    if kind == "moved":
        return word(kind, language, who=who(event.moved.seat), move=event.moved.move)
    if kind == "undone":
        return word(kind, language, who=who(event.undone.seat), to=event.undone.to_seq)
    if kind in ("seat_taken", "seat_left", "resigned", "clock_expired"):
        return word(kind, language, who=who(getattr(event, kind).seat))
    if kind == "finished":
        return outcome_line(event.finished.outcome, info, seat=seat, language=language)
    if kind == "tail_lost":
        return word(kind, language, to=event.tail_lost.to)
    if kind == "forked":
        return word(kind, language, parent=event.forked.parent)
    return word(kind, language)


def outcome_line(outcome: event_pb2.Outcome, info: match_pb2.GameInfo, *, seat: int | None, language: str) -> str:
    """How the match ended: the places, then the reason."""
    places = "; ".join(
        word(
            "scored" if each.HasField("score") else "place",
            language,
            who=word("you" if each.seat == seat else "other", language, seat=each.seat),
            place=each.place,
            score=each.score,
        )
        for each in sorted(outcome.placements, key=lambda each: (each.place, each.seat))
    )
    by_clock = outcome.reason == "clock_expired"
    reason = word("time_over", language) if by_clock else sentence(info, outcome.reason, None, language)
    return f"{word('finished', language, places=places)}  {reason}"


def clock_line(clock: match_pb2.Clock, *, seat: int | None, now_ms: int, language: str) -> str:
    """What is left on the clocks at that time, milliseconds since 1970."""

    def left(number: int) -> str:
        runs = number in clock.running
        who = word("you" if number == seat else "other", language, seat=number)
        spent = max(0, now_ms - clock.at_ms) if runs else 0
        seconds = -(-max(0, clock.remaining_ms[number] - spent) // 1000)
        hours, minutes = divmod(seconds // 60, 60)
        shown = f"{hours}:{minutes:02}" if hours else f"{minutes}"
        return f"{who} {shown}:{seconds % 60:02}{word('runs', language) if runs else ''}"

    return f"{word('time', language)}  {'   '.join(map(left, range(len(clock.remaining_ms))))}"


def choice_list(choices: Sequence[match_pb2.Choice], columns: int = WIDEST) -> str:
    """The choices side by side, in so many columns at most; one that is no move yet ends in `…`."""
    shown = [choice.text if choice.complete else f"{choice.text}…" for choice in choices]
    if not shown:
        return ""
    width = max(map(len, shown)) + 2
    beside = max(1, min(columns, WIDEST) // width)
    rows = [shown[start : start + beside] for start in range(0, len(shown), beside)]
    return "\n".join("".join(text.ljust(width) for text in row).rstrip() for row in rows)


def outcome_data(outcome: event_pb2.Outcome | None) -> dict[str, object] | None:
    """The outcome for JSON."""
    if outcome is None:
        return None
    return {
        "reason": outcome.reason,
        "placements": [
            {"seat": each.seat, "place": each.place, **({"score": each.score} if each.HasField("score") else {})}
            for each in outcome.placements
        ],
    }
