"""The view for a terminal."""

from __future__ import annotations

from typing import Any

_WORDS = {
    "en": {"seat": "seat", "out": "out", "stake": "stake", "pile": "pile", "open": "open", "round": "round"},
    "tr": {"seat": "oyuncu", "out": "ayrıldı", "stake": "konan", "pile": "deste", "open": "açık", "round": "tur"},
}


def text(view: Any, language: str) -> str:
    words = _WORDS.get(language, _WORDS["en"])
    lines = [
        f"{words['round']} {view.round}/{view.rounds}  {view.phase}  {words['pile']} {view.pile_count}",
        f"{words['open']}: {' '.join(view.discards) or '-'}",
    ]
    for seat, place in enumerate(view.places):
        mark = ">" if view.phase == "turns" and seat == view.turn else " "
        if not place.active:
            lines.append(f"{mark} {words['seat']} {seat}  {words['out']}")
            continue
        hand = " ".join(place.hand) or " ".join(["??"] * place.hand_count) or "-"
        cellar = " ".join((slot.card or "??") if slot.taken else "--" for slot in place.cellar)
        stake = (place.stake or "??") if place.staked else "--"
        lines.append(f"{mark} {words['seat']} {seat}  {place.score:>3}  [{cellar}]  {words['stake']} {stake}  {hand}")
    if view.HasField("call"):
        lines.append(f"  {words['seat']} {view.call.by} ? {words['seat']} {view.call.to}: {view.call.suit}")
    return "\n".join(lines)
