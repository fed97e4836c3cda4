"""Sentences of the CLI itself for what happens in a match; what a move did comes from the game's own catalogues."""

from __future__ import annotations

from typing import Final

_EVENTS: Final = {
    "en": {
        "created": "The match was created.",
        "seat_taken": "{who} sat down.",
        "seat_left": "{who} left.",
        "started": "Play has begun.",
        "moved": "{who}: {move}",
        "undone": "{who} took back the moves since event {to}.",
        "resigned": "{who} resigned.",
        "clock_expired": "No time left: {who}.",
        "deadline_passed": "A time limit ran out.",
        "finished": "The match is over: {places}.",
        "secret_revealed": "The match's secret was revealed.",
        "cancelled": "The match was cancelled.",
        "tail_lost": "The store forgot events up to {to}; an operator let the match go on.",
        "forked": "From here on this match has left {parent}.",
        "unknown": "Something happened that this version does not know.",
        "you": "you (seat {seat})",
        "other": "seat {seat}",
        "place": "number {place} is {who}",
        "scored": "number {place} is {who}, score {score}",
        "time": "Time left:",
        "runs": " (running)",
        "time_over": "A clock has run out.",
        "your_move": "your move",
        "not_your_move": "waiting",
        "hint": "Tab completes a move; help tells what else can be typed.",
        "above": "({hidden} more lines above; make the terminal higher or scroll up)",
        "waiting": "Waiting for an opponent; in another terminal: {command}",
        "invited": "The invite code leads to a match of {game}.",
        "again": "This was match {match}; to see it again: {command}",
        "left": "The match waits: {command}",
    },
    "tr": {
        "created": "Karşılaşma oluşturuldu.",
        "seat_taken": "{who} oturdu.",
        "seat_left": "{who} kalktı.",
        "started": "Oyun başladı.",
        "moved": "{who}: {move}",
        "undone": "{who} {to}. olaydan sonraki hamlelerini geri aldı.",
        "resigned": "{who} çekildi.",
        "clock_expired": "Süre doldu: {who}.",
        "deadline_passed": "Bir süre sınırı doldu.",
        "finished": "Karşılaşma bitti: {places}.",
        "secret_revealed": "Karşılaşmanın sırrı açıklandı.",
        "cancelled": "Karşılaşma iptal edildi.",
        "tail_lost": "Depo {to}. olaya kadarını unuttu; bir yönetici oyunun sürmesine izin verdi.",
        "forked": "Bu karşılaşma buradan sonra {parent} karşılaşmasından ayrıldı.",
        "unknown": "Bu sürümün bilmediği bir şey oldu.",
        "you": "siz ({seat} numaralı yer)",
        "other": "{seat} numaralı yer",
        "place": "{place}. sırada {who}",
        "scored": "{place}. sırada {who}, puan {score}",
        "time": "Kalan süre:",
        "runs": " (işliyor)",
        "time_over": "Bir oyuncunun süresi doldu.",
        "your_move": "hamleniz",
        "not_your_move": "bekleniyor",
        "hint": "Sekme tuşu hamleyi tamamlar; help yazınca diğer komutlar görünür.",
        "above": "(yukarıda {hidden} satır daha; uçbirimi yükseltin ya da kaydırın)",
        "waiting": "Rakip bekleniyor; başka bir uçbirimde: {command}",
        "invited": "Bu davet kodu bir {game} karşılaşmasının.",
        "again": "Bu {match} karşılaşmasıydı; yeniden izlemek için: {command}",
        "left": "Karşılaşma bekliyor: {command}",
    },
}

LANGUAGES: Final = tuple(_EVENTS)


def word(key: str, language: str, **values: object) -> str:
    """The sentence; English where the language is not known."""
    return _EVENTS.get(language.partition("-")[0], _EVENTS["en"])[key].format(**values)
